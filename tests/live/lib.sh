# SPDX-License-Identifier: MIT
# Common to the cases: what reports results over the serial line, for the host to read. Sourced.

pmu=/sys/bus/event_source/devices/armv8_pmuv3

# The host reads the lines that begin with TAP; whatever else is on the line is for people.
tests=0

# try NAME COMMAND...: run a test, a function mostly, in a shell of its own that ends at the first
# command that fails. What it prints is shown when it fails.
try() {
	name=$1
	shift
	tests=$((tests + 1))
	(
		set -eu
		"$@"
	) >/tmp/try.log 2>&1
	status=$?
	if [ $status -eq 0 ]; then
		echo "TAP ok $tests - $name"
		return
	fi
	echo "TAP not ok $tests - $name"
	echo "TAP # status $status; it printed:"
	sed 's/^/TAP # /' /tmp/try.log | tail -n 40
}

# All tests were tried: the plan comes last, so that a machine that dies on the way has none.
finish() {
	echo "TAP 1..$tests"
}

# same WHAT GOT WANT
same() {
	[ "$2" = "$3" ] || {
		echo "$1: $2, not $3"
		return 1
	}
}

# within WHAT GOT LOW HIGH, whole numbers or not
within() {
	awk -v got="$2" -v low="$3" -v high="$4" \
		'BEGIN { exit !(got != "" && got >= low && got <= high) }' || {
		echo "$1: $2, not from $3 to $4"
		return 1
	}
}

# expected PROGRAM EVENT: what the program's text says that it counts
expected() {
	sed -n "s/^ \* Expect: $2 \([0-9]*\).*/\1/p" "/live/exact/$1.S"
}

# column N EVENT: of the lines that counts wrote to /tmp/counts
column() {
	awk -v n="$1" -v event="$2" '$1 == event { print $n }' /tmp/counts
}

# measure OPTION... -- COMMAND: pmuscope's counts as CSV in /tmp/out.csv; the command's output is kept apart.
measure() {
	pmuscope stat --source perf -x, -o /tmp/out.csv "$@" </dev/null
}

# value NAME [CPU [THREAD [COLUMN]]]: of the rows of /tmp/out.csv without a time, the count of an event; the
# empty CPU and THREAD are the sum. COLUMN 9 is the value, 11 and 12 the ends of its interval, 13 its
# state, 14 the running percentage.
value() {
	awk -F, -v name="$1" -v cpu="${2-}" -v thread="${3-}" -v n="${4-9}" \
		'$1 == "event" && $8 == name && $2 == "" && $3 == cpu && $4 == thread { print $n; exit }' /tmp/out.csv
}

# refused STATUS WORDS COMMAND...: the command ends with that status and says these words on stderr.
refused() {
	want=$1 words=$2
	shift 2
	got=0
	"$@" >/tmp/refused.out 2>/tmp/refused.err || got=$?
	cat /tmp/refused.err
	same 'exit status' "$got" "$want"
	grep -q -- "$words" /tmp/refused.err || {
		echo "it does not say: $words"
		return 1
	}
}

# about WHAT GOT PROGRAM [N]: on RISC-V's machine, N, else what the program's text says, and at most a tenth and what
# starting takes more
about() {
	want=${4-$(expected "$3" INST.RET)}
	within "$1" "$2" "$want" $((want * 11 / 10 + 1000000))
}

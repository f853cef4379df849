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

#!/usr/bin/env bats
# SPDX-License-Identifier: MIT How programs live and end on the modelled core: they keep their
# streams and status, and what ran is counted, however they end. GUESTS has life and life-dynamic,
# built from guest/life.c; COUNT_INSNS is a QEMU plugin that counts instructions and nothing else.

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	life=$GUESTS/life
	out=report.json
}

# counted OPTION...: run life and write the report.
counted() {
	"$PMUSCOPE" stat -e INST_RETIRED,BR_RETIRED,EXC_SVC,CPU_CYCLES,STALL_SLOT,OP_SPEC \
		--per-thread -j -o "$out" "$@"
}

warns() {
	holds "$out" "any('$1' in w for w in r['warnings'])"
}

warns_not() {
	holds "$out" "not any('$1' in w for w in r['warnings'])"
}

# The environment and CPU that pmuscope gives a program.
plain() {
	env -i HOME=/ LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		TERM=dumb "$(command -v qemu-aarch64)" -cpu neoverse-n1 -seed 1 "$@"
}

# same_as_qemu FAULTS OPTION... -- PROGRAM...: INST_RETIRED equals the other plugin's count, less
# the FAULTS instructions that faulted.
same_as_qemu() {
	local faults=$1 options=()
	shift
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	plain "${options[@]}" -plugin "$COUNT_INSNS,out=insns" "$@" >plain.out || :
	counted "${options[@]}" -- "$@" >model.out || :
	cmp plain.out model.out
	holds "$out" "events['INST_RETIRED'] == $(cat insns) - $faults"
}

@test "-e takes perf's names and numbers, too" {
	"$PMUSCOPE" stat -e cycles,instructions,r8,0x11,br_retired -x, -o "$out" -- "$life" exit 0
	[ "$(sed -n 's/^event,.*,\([A-Z_]*\),[0-9]*,events,.*/\1/p' "$out" | tr '\n' ' ')" = "CPU_CYCLES INST_RETIRED BR_RETIRED " ]
}

@test "instructions are counted as QEMU counts them" {
	same_as_qemu 0 -- "$life" exit 0
	same_as_qemu 0 -- "$life" output 5000
	same_as_qemu 0 -- "$life" fork 1000
}

@test "also of a dynamic program" {
	same_as_qemu 0 -L /usr/aarch64-linux-gnu -- "$GUESTS/life-dynamic" output 5000
}

@test "an instruction that faults does not retire" {
	same_as_qemu 1 -- "$life" catch 1
	same_as_qemu 30 -- "$life" catch 30
}

@test "code that changes while it runs" {
	same_as_qemu 0 -- "$life" patch 200
}

@test "the exit status is the program's" {
	run -44 counted -- "$life" exit 300
	holds "$out" "r['exit_status'] == 44"
	run -0 counted -- "$life" exit 0
	run -130 counted -- "$life" exit 130
	holds "$out" "r['exit_status'] == 130"
}

@test "an exit status above 128 is not called a signal" {
	run -150 "$PMUSCOPE" stat -e INST_RETIRED -o report.txt -- "$life" exit 150
	! grep -q 'ended by signal' report.txt
	run -134 "$PMUSCOPE" stat -e INST_RETIRED -o report.txt -- "$life" abort
	grep -q 'ended by signal 6' report.txt
}

@test "abort" {
	run -134 counted -- "$life" abort
	warns "signal 6 (SIGABRT)"
	warns_not "may be missing" # the call that sent the signal was seen
	holds "$out" "events['INST_RETIRED'] > 1000"
	holds "$out" "events['OP_SPEC'] + events['STALL_SLOT'] == 8 * events['CPU_CYCLES']"
}

@test "a segmentation fault" {
	run -139 counted -- "$life" fault
	warns "signal 11 (SIGSEGV)"
	warns "may be missing"
	holds "$out" "events['INST_RETIRED'] > 1000"
}

@test "an illegal instruction names the option that changes the guest's CPU" {
	run -132 counted -- "$life" undefined
	warns "--qemu-cpu max"
	run -0 counted --qemu-cpu max -- "$life" undefined
	warns_not "--qemu-cpu"
}

@test "signal handlers that come in between keep the laws" {
	run -0 counted -- "$life" ticks 50
	# 50 returns from the handler, and the few calls of start and end
	holds "$out" "50 <= events['EXC_SVC'] < 100"
	holds "$out" "events['OP_SPEC'] + events['STALL_SLOT'] == 8 * events['CPU_CYCLES']"
}

@test "a forked child is not counted" {
	run -0 counted -- "$life" fork 1000000 # 3 million instructions in the child
	warns "child processes"
	holds "$out" "1000 < events['INST_RETIRED'] < 100000"
	run -1 counted -- "$life" spawn /bin/false
	warns "child processes"
	holds "$out" "1000 < events['INST_RETIRED'] < 100000"
}

@test "a child is told of, whichever of the two is first" {
	for i in 1 2 3 4 5 6 7 8; do
		run -0 counted -- "$life" part
		warns "child processes"
	done
}

@test "a program that replaces itself is counted until then" {
	run -0 counted -- "$life" exec /bin/echo
	[ "$output" = executed ]
	warns "execve"
	holds "$out" "1000 < events['INST_RETIRED'] < 100000"
}

@test "a failed execve changes nothing" {
	run -8 counted -- "$life" exec /none/such
	warns_not "execve"
	holds "$out" "3000000 < events['INST_RETIRED'] < 3100000"
}

@test "each thread is counted for itself" {
	run -0 counted -- "$life" threads
	holds "$out" "[s['thread'] for s in r['scopes']] == [1, 2, 3, 4, 5]"
	# 300000 instructions in the loop of the first, 600000 of the second, …; the rest is glibc's.
	report "$out" "[s['events'][0]['count'] for s in r['scopes']]" >counts
	python3 - <<'END'
counts = eval(open("counts").read())
loops = sorted(counts[1:])
for i, n in enumerate(loops):
    assert 300000 * (i + 1) < n < 300000 * (i + 1) + 5000, counts
assert 1000 < counts[0] < 100000, counts
END
	holds "$out" "events['INST_RETIRED'] == sum(s['events'][0]['count'] for s in r['scopes'])"
	holds "$out" "r['scopes'][0]['name'] == 'life'"
	holds "$out" "'second' in [s.get('name') for s in r['scopes']]"
}

@test "a thread whose index is used again is another thread" {
	run -0 counted -- "$life" relay 60
	holds "$out" "len(r['scopes']) == 61"
	holds "$out" "all(30 < s['events'][0]['count'] < 2000 for s in r['scopes'][1:])"
}

@test "threads that still run at the end are counted" {
	run -4 counted -- "$life" leave
	holds "$out" "len(r['scopes']) == 2 and r['scopes'][1]['events'][0]['count'] > 1000"
	warns_not "may be missing"
}

@test "large input and output pass through" {
	head -c 200000 /dev/urandom >random
	counted -- "$life" copy <random >copied
	cmp random copied
	run -0 counted -- "$life" copy </dev/null
	counted -- "$life" copy <&-
	counted -- "$life" exit 0 >&-
}

@test "a reader that goes away ends the program, not the report" {
	set +o pipefail
	counted -- "$life" output 10000000 | head -c 10 >/dev/null
	holds "$out" "r['exit_status'] == 141"
	warns "SIGPIPE"
}

# begin WORD...: start life in the background and wait until it says that it is ready; $pid is
# pmuscope's. It must not hold bats' own descriptor, or a failure would hang the run. A shell starts
# what is in the background with SIGINT ignored, which would go on to the program.
begin() {
	env --default-signal=INT "$PMUSCOPE" stat -e INST_RETIRED -j -o "$out" -- "$life" "$@" \
		<"${input:-/dev/null}" >ready 3>&- 8>&- &
	pid=$!
	for _ in $(seq 100); do
		grep -q ready ready && return
		sleep 0.05
	done
	return 1
}

# ended STATUS: wait for it.
ended() {
	local status=0
	wait "$pid" || status=$?
	[ "$status" -eq "$1" ]
}

teardown() {
	[ -z "${pid-}" ] || kill -KILL "$pid" 2>/dev/null || :
}

@test "Ctrl-C gives the report of what ran" {
	begin spin 1000000000000
	kill -INT "$pid"
	ended 130
	warns "signal 2 (SIGINT)"
	holds "$out" "events['INST_RETIRED'] > 1000"
}

@test "a program that handles the signal ends as it likes" {
	begin handle 1000000000000
	kill -TERM "$pid"
	ended 55 # 40 + 15
	holds "$out" "r['exit_status'] == 55 and not r['warnings']"
}

@test "a program that is killed is reported" {
	mkfifo in
	exec 8<>in
	input=in begin wait
	kill -KILL "$(pgrep -P "$pid")"
	ended 137
	exec 8>&-
	warns "signal 9 (SIGKILL)"
	holds "$out" "events['INST_RETIRED'] > 1000"
}

@test "a program does not outlive pmuscope" {
	begin spin 1000000000000
	local guest
	guest=$(pgrep -P "$pid")
	kill -KILL "$pid"
	ended 137
	for _ in $(seq 100); do
		kill -0 "$guest" 2>/dev/null || return 0
		sleep 0.05
	done
	return 1
}

@test "nothing is left behind" {
	mkdir tmp
	ls -A . >../before
	TMPDIR=$PWD/tmp run -134 "$PMUSCOPE" stat -e INST_RETIRED -o ../report.txt -- "$life" abort
	ls -A . >../after
	diff ../before ../after
	[ -z "$(ls -A tmp)" ]
	! ls -A /dev/shm | grep -i -e pmuscope -e qemu
}

@test "a program inherits streams and nothing else" {
	"$PMUSCOPE" stat -e INST_RETIRED -o report.txt -- "$life" inherit 3>&- 4>&- >inherited
	[ "$(head -n 1 inherited)" = 3 ]
	[ "$(sed 1d inherited | sort)" = "HOME=/
LANG=C.UTF-8
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
TERM=dumb" ]
}

@test "variables are added for the program alone" {
	"$PMUSCOPE" stat -e INST_RETIRED -o report.txt --env A=b --env LD_PRELOAD=/none \
		--env HOME=/me -- "$life" inherit >inherited 2>errors
	grep -qx A=b inherited
	grep -qx LD_PRELOAD=/none inherited # QEMU's own loader would complain
	grep -qx HOME=/me inherited
	[ ! -s errors ]
}

# Every count, of all events.
every() {
	"$PMUSCOPE" stat -M General -j -o "$@"
}

@test "two runs are the same, wherever they come from" {
	local program libraries=/usr/aarch64-linux-gnu
	for program in life life-dynamic; do
		"$PMUSCOPE" topdown --all -j -o first -L $libraries -- "$GUESTS/$program" output 100 >o1
		(
			cd /
			ulimit -s 4096
			env -i PATH="$PATH" PMUSCOPE_DATA="${PMUSCOPE_DATA-}" LONG="$(printf %5000d 0)" \
				QEMU_CPU=max QEMU_STACK_SIZE=100000 LD_BIND_NOW=1 nice -n 1 \
				"$PMUSCOPE" topdown --all -j -o "$OLDPWD/second" -L $libraries -- \
				"$GUESTS/$program" output 100 >"$OLDPWD/o2" 7</dev/null
		)
		cmp first second
	done
}

@test "retired counts do not depend on wrong paths" {
	"$PMUSCOPE" stat -e INST_RETIRED,OP_RETIRED,BR_RETIRED,EXC_SVC -x, -o with -- "$life" exit 0
	"$PMUSCOPE" stat -e INST_RETIRED,OP_RETIRED,BR_RETIRED,EXC_SVC -x, -o without \
		--no-wrong-path -- "$life" exit 0
	# Leave out the heading: it has cycles, which depend on these options.
	diff <(grep -v '^#' with) <(grep -v '^#' without)
	grep -q '^event,.*,INST_RETIRED,' with
}

# refused STATUS TEXT WORD...: exit status and message; nothing is written to stdout.
refused() {
	local status=$1 text=$2
	shift 2
	rm -f "$out"
	run --separate-stderr "-$status" "$PMUSCOPE" stat -e INST_RETIRED -j -o "$out" "$@"
	[ -z "$output" ]
	[[ $stderr == *"$text"* ]] || {
		echo "$stderr"
		return 1
	}
	[ ! -e "$out" ]
}

@test "what is no AArch64 program is refused" {
	refused 127 "no such program" -- none-such
	refused 127 "no such program" -- ./none-such
	refused 126 "x86-64" -- /bin/true
	printf '#!/bin/sh\n' >script
	printf 'text\n' >text
	head -c 100 "$life" >cut
	chmod +x script text cut
	refused 126 "is a script" -- ./script
	refused 126 "/bin/sh" -- ./script
	refused 126 "not an ELF" -- ./text
	refused 126 "program headers" -- ./cut
	refused 126 "directory" -- ./
	chmod -x text
	refused 126 "cannot be executed" -- ./text
}

@test "a missing interpreter is named" {
	refused 126 "/lib/ld-linux-aarch64.so.1" -L "$PWD" -- "$GUESTS/life-dynamic" exit 0
	refused 126 "not found under $PWD" -L "$PWD" -- "$GUESTS/life-dynamic" exit 0
}

@test "a missing library is hinted at" {
	mkdir -p root/lib
	cp -L /usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1 root/lib
	run --separate-stderr -127 counted -L root -- "$GUESTS/life-dynamic" exit 0
	[[ $stderr == *"libc.so.6"* ]]
	warns "missing library"
}

@test "a directory of libraries must be one" {
	refused 2 "no directory" -L /none/such -- "$life" exit 0
}

@test "a CPU without a core model runs no programs" {
	run --separate-stderr "$PMUSCOPE" topdown --mcpu neoverse-n2 -- "$EXACT/straight"
	[ "$status" -eq 2 ]
	[[ $stderr == *"there is no core model of neoverse-n2"* ]]
	[[ $stderr == *"programs can be run on: neoverse-n1, neoverse-v1"* ]]
}

@test "a QEMU that will not do is refused" {
	refused 3 "no none-such on PATH" --qemu none-such -- "$life" exit 0
	refused 3 "without plugins" --qemu /bin/true -- "$life" exit 0
	printf '#!/bin/sh\nexit 9\n' >wrapper
	chmod +x wrapper
	refused 3 "did not load the plugin" --qemu ./wrapper -- "$life" exit 0
	refused 126 "CPU none" --qemu-cpu none -- "$life" exit 0
}

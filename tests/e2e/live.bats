#!/usr/bin/env bats
# SPDX-License-Identifier: MIT Measuring with perf_event_open(2), on events that Linux counts
# without a PMU: every machine has them. test-live checks the counts of a PMU, on an emulated one.

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR"
	# A container may forbid the call altogether.
	"$PMUSCOPE" stat --source perf -e page-faults -- true >/dev/null 2>out ||
		skip "perf_event_open is not to be had here: $(head -1 out)"
}

live() {
	run -0 "$PMUSCOPE" stat --source perf -j -o out.json "$@"
}

@test "a command's faults are counted from exec on, and its status is passed through" {
	run -7 "$PMUSCOPE" stat --source perf -j -o out.json -e page-faults,task-clock -- sh -c 'exit 7'
	holds out.json 'r["source"] == "perf" and not r["modelled"] and r["exit_status"] == 7'
	holds out.json 'events["page-faults"] > 10 and events["task-clock"] > 10000'
	run -143 "$PMUSCOPE" stat --source perf -e page-faults -- sh -c 'kill -TERM $$'
	run -127 "$PMUSCOPE" stat --source perf -e page-faults -- ./none
	run -126 "$PMUSCOPE" stat --source perf -e page-faults -- /etc/passwd
}

@test "an event that the machine lacks has no value, and the run goes on" {
	# No PMU has this one.
	run -0 "$PMUSCOPE" stat --source perf -j -o out.json -e page-faults,r3fffffff -- true
	holds out.json 'events["page-faults"] > 10'
	holds out.json 'r["events"][1]["state"] in ("not_supported", "not_counted")' ||
		holds out.json 'events["r3fffffff"] == 0'
}

@test "intervals: a JSON object a line, each with its time, and nothing lost between them" {
	run -0 "$PMUSCOPE" stat --source perf -j -I 50 -o out.json -e task-clock --save s.pms -- \
		sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; sleep 0.12'
	run -0 python3 -c '
import json
rows = [json.loads(line) for line in open("out.json")]
times = [r["time"] for r in rows]
assert len(rows) >= 4 and times == sorted(times), times
assert all(0.01 < b - a < 0.2 for a, b in zip(times, times[1:-1])), times
print(sum(r["events"][0]["count"] for r in rows))'
	sum=$output
	run -0 "$PMUSCOPE" report -j -o saved.json s.pms
	diff out.json saved.json
	run -0 "$PMUSCOPE" report s.pms
	[ "$(sed -n 's/ *task-clock .*//p' <<<"$output" | tr -d ,)" = "$sum" ]
}

@test "rows of short intervals come while the program runs, several at a time" {
	mkfifo rows
	"$PMUSCOPE" stat --source perf -x, -I 2 -o rows -e page-faults -- sleep 1 3>&- &
	pmuscope=$!
	run -0 python3 -c '
import time
lags = []
for line in open("rows", buffering=1):
    if line.startswith("event,"):
        now, at = time.monotonic(), float(line.split(",")[1])
        lags.append(now - at)
# Subtract the start, taken from the earliest row. Allow 50 ms, and what a busy machine adds.
late = sorted(lag - min(lags) for lag in lags)
assert len(late) > 250 and late[len(late) // 2] < 0.1 and late[-1] < 0.5, (len(late), late[-1])'
	wait $pmuscope
}

@test "a reader that is slow delays no reading, and what is missed is said" {
	mkfifo out.json
	"$PMUSCOPE" stat --source perf -j -I 20 -o out.json -e page-faults,task-clock -- sleep 1.2 3>&- &
	pmuscope=$!
	# A pipe that holds a dozen lines, and whose reader sleeps most of the time.
	run -0 python3 -c '
import fcntl, json, time
F_SETPIPE_SZ = 1031
with open("out.json") as file:
    fcntl.fcntl(file, F_SETPIPE_SZ, 4096)
    time.sleep(0.8)
    rows = [json.loads(line) for line in file][:-1]
times = [r["time"] for r in rows]
assert len(rows) > 30, times # on a busy machine some may be missed: the next test has that
assert max(b - a for a, b in zip(times, times[1:])) < 0.3, times'
	wait $pmuscope
	"$PMUSCOPE" stat --source perf -j -I 20 -o late.json -e page-faults -- sleep 0.8 2>err 3>&- &
	pmuscope=$!
	sleep 0.3
	kill -STOP $pmuscope
	sleep 0.15
	kill -CONT $pmuscope
	wait $pmuscope
	grep -q 'not read in time' err
	run -0 python3 -c '
import json, re
rows = [json.loads(line) for line in open("late.json")][:-1]
told = sum(int(re.match("[0-9]+", w)[0]) for r in rows for w in r["warnings"] if "not read in time" in w)
# Each tick is present or reported as missed; a late reading belongs to the tick before it.
assert told >= 5 and len(rows) + told == int(rows[-1]["time"] / 0.02), (len(rows), told, rows[-1]["time"])'
}

@test "a session outlives kill -9 up to the last interval, and says that it was cut off" {
	"$PMUSCOPE" stat --source perf -j -I 20 -o out.json -e page-faults --save s.pms -- sleep 1 3>&- &
	pmuscope=$!
	sleep 0.5
	kill -9 $pmuscope
	! wait $pmuscope
	[ "$(stat -c %a s.pms)" = 600 ]
	run -0 --separate-stderr "$PMUSCOPE" report -j s.pms
	shown=$(wc -l <out.json) saved=${#lines[@]}
	# The interval in progress may be in one and not in the other.
	[ $saved -ge 10 ] && [ $((shown - saved)) -le 1 ] && [ $((saved - shown)) -le 1 ]
	run -0 "$PMUSCOPE" report s.pms
	[[ $output == *"was cut off"* ]]
}

# A shell that causes page faults: the more programs it is told to run, the more faults.
faults() {
	for ((i = 0; i < $1; i++)); do /bin/true; done
}

@test "a process is attached to, and its threads and later children are counted" {
	mkfifo go
	sh -c 'read go <go; for i in 1 2 3 4 5; do /bin/true; done' 3>&- &
	pid=$!
	"$PMUSCOPE" stat -j -o out.json -e page-faults,context-switches -p $pid 3>&- &
	pmuscope=$!
	sleep 0.4
	echo >go
	wait $pmuscope # it ends with the process
	holds out.json 'events["page-faults"] > 5 * 30'
	run -2 "$PMUSCOPE" stat -e page-faults -p 999999999
	[[ $output == *"no process 999999999"* ]]
	run -2 "$PMUSCOPE" stat -e page-faults -p 1x
}

@test "a single thread, and threads told apart" {
	sleep 0.6 3>&- &
	live -t $! -e task-clock --timeout 100
	holds out.json 'events["task-clock"] == 0'
	live --per-thread -p $$ -e task-clock --timeout 100
	holds out.json 'len(r["scopes"]) >= 1 and r["scopes"][0]["thread"] == '$$
}

@test "delay, timeout, and the command's end by it" {
	run -143 "$PMUSCOPE" stat --source perf -j -o out.json -e page-faults --timeout 200 -- sleep 9
	live -D 300 -e task-clock -- sh -c 'i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; sleep 0.5'
	holds out.json 'events["task-clock"] < 5000000' # the loop was over by then
}

@test "--control enables, disables and stops, and is answered" {
	mkfifo ctl ack
	exec 7<>ctl 8<>ack
	"$PMUSCOPE" stat -j -o out.json -e page-faults -D -1 --control fd:7,8 -p $$ 3>&- &
	pmuscope=$!
	answered() {
		echo "$1" >&7
		read -r -t 5 answer <&8
		[[ $answer == *ack ]]
	}
	answered ping
	faults 3
	answered enable
	faults 2
	answered disable
	faults 10
	answered stop
	wait $pmuscope
	exec 7>&- 8>&-
	# Two forks of a shell: tens of faults each, without the faults before or after.
	holds out.json '20 < events["page-faults"]'
	[ "$(report out.json 'events["page-faults"]')" -lt 2000 ]
}

@test "repeated runs give means and their scatter" {
	live -r 3 -e page-faults,task-clock -- sh -c 'echo run >>runs'
	[ "$(wc -l <runs)" -eq 3 ]
	holds out.json 'events["page-faults"] < 500'
	holds out.json '0 < [e for e in r["events"] if e["name"] == "task-clock"][0]["spread"] < 1'
	"$PMUSCOPE" stat -r 3 -e task-clock -o table -- true
	grep -x 'Counts are means of 3 runs; ± is their standard error.' table
	grep -E 'task-clock +measured, ns ± [0-9.e+]+ %$' table
}

@test "user mode and kernel add up" {
	live -e page-faults,page-faults:u,page-faults:k -- true
	holds out.json 'events["page-faults"] == events["page-faults:u"] + events["page-faults:k"]' ||
		holds out.json 'events["page-faults:k"] is None'
	live --all-user -e page-faults -- true
	holds out.json '0 < events["page-faults"]'
}

@test "what makes no sense is said" {
	run -2 "$PMUSCOPE" stat -a -p 1 -e page-faults
	run -2 "$PMUSCOPE" stat -A -e page-faults -- true
	run -2 "$PMUSCOPE" stat --source perf --per-thread -e page-faults -- true
	run -2 "$PMUSCOPE" stat -C 99999 -e page-faults
	run -2 "$PMUSCOPE" stat -C 8191 -e page-faults --timeout 10
	[[ $output == *"not online"* ]]
	run -2 "$PMUSCOPE" stat -G no/such/group -e page-faults --timeout 10
	[[ $output == *"no cgroup"* ]]
	run -2 "$PMUSCOPE" stat -I 0 -- true
	run -2 "$PMUSCOPE" stat --source perf -- # nothing
	[[ $output == *"nothing to measure"* ]]
	run -2 "$PMUSCOPE" stat -e page-fautls -p $$
	[[ $output == *"did you mean page-faults?"* ]]
}

@test "everything on each CPU, told apart" {
	"$PMUSCOPE" stat -a -e cpu-clock -- true 2>/dev/null || skip "CPUs may not be measured here"
	live -a -A -e cpu-clock -- sleep 0.1
	holds out.json 'len(r["scopes"]) == len([s for s in r["scopes"] if "cpu" in s])'
	holds out.json 'sum(s["events"][0]["count"] for s in r["scopes"]) == events["cpu-clock"]'
	holds out.json 'all(0.09e9 < s["events"][0]["count"] < 0.5e9 for s in r["scopes"])'
	# A session and lines of intervals show them apart as well.
	live -a -A -e cpu-clock --save s.pms -- true
	run -0 "$PMUSCOPE" report -j -o saved.json s.pms
	diff out.json saved.json
	run -0 "$PMUSCOPE" stat -a -A -I 50 -e cpu-clock --timeout 120
	[ "$(grep -c '^ *0\.05[0-9]  [0-9]' <<<"$output")" -eq "$(getconf _NPROCESSORS_ONLN)" ]
}

@test "a session that cannot be written on is told, and is the status where no program was run" {
	mkdir gone
	(sleep 0.3 && rm -r gone) 3>&- &
	run -2 "$PMUSCOPE" stat -e page-faults -p $$ -I 50 --timeout 800 --save gone/s.pms -o lines
	[[ $output == *"gone/s.pms: cannot write the session"* ]]
	[ "$(wc -l <lines)" -gt 8 ]
}

@test "a container that forbids counting is named, whoever counts there" {
	"$FORBID" 0 true || skip 'no seccomp here'
	run -3 --separate-stderr "$FORBID" 0 "$PMUSCOPE" stat --source perf -e page-faults -- true
	[[ "$stderr" == *"seccomp"* && "$stderr" != *"sysctl"* ]]
	[ "$(id -u)" -eq 0 ] || skip 'not root: the rest is the same'
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ] || skip 'another level than containers mostly have'
	# The user may count herself at this level: so the level is neither the reason nor the cure.
	run --separate-stderr "$FORBID" 65534 "$PMUSCOPE" stat --source perf -e page-faults -- true
	[ "$status" -ne 125 ] || skip 'that user cannot run it'
	[[ "$stderr" == *"seccomp"* && "$stderr" != *"sysctl"* ]]
	run "$FORBID" 65534 "$PMUSCOPE" doctor
	[[ "$output" == *"seccomp"* && "$output" == *"What may be counted: nothing"* && "$output" != *"sysctl"* ]]
}

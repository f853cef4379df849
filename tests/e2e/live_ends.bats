#!/usr/bin/env bats
# SPDX-License-Identifier: MIT A measurement ends when it is told to, whatever else happens.

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR"
	"$PMUSCOPE" stat --source perf -e page-faults -- true >/dev/null 2>out ||
		skip "perf_event_open is not to be had here: $(head -1 out)"
}

teardown() {
	[ ! -s started ] || kill -9 $(cat started) 2>/dev/null || :
}

# Start a process and end it with the test at the latest.
start() {
	"$@" 3>&- &
	started=$!
	echo $started >>started
}

# wait_for SECONDS PID: wait for its end, at most that long. Sets $status.
wait_for() {
	for ((i = 0; i < $1 * 20; i++)); do
		[ -d "/proc/$2" ] && ! grep -q '^State:.Z' "/proc/$2/status" 2>/dev/null || break
		sleep 0.05
	done
	[ $i -lt $(($1 * 20)) ] || {
		echo "it goes on after $1 s"
		return 1
	}
	status=0
	wait "$2" || status=$?
}

# until_true SECONDS COMMAND...: wait until the command succeeds, at most that long.
until_true() {
	for ((n = 0; n < $1 * 10; n++)); do
		! "${@:2}" || return 0
		sleep 0.1
	done
	echo "not after $1 s: ${*:2}"
	return 1
}

# Start a process with this many waiting threads.
threads() {
	start python3 -c '
import sys, threading, time
for _ in range(int(sys.argv[1]) - 1):
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
open("ready", "w")
time.sleep(60)' "$1"
	threads=$started
	until [ -e ready ]; do sleep 0.05; done
}

@test "intervals that come faster than they can be made are skipped, and the time is kept" {
	threads 250
	for how in -x, -j "" "-x, --save s.pms"; do
		start "$PMUSCOPE" stat $how -o out -e task-clock,page-faults -p $threads --per-thread -I 2 --timeout 300 2>err
		wait_for 8 $started
		[ $status -eq 0 ]
		grep -q 'intervals were skipped.*longer time' err
	done
	# Each tick is present or reported as missed.
	start "$PMUSCOPE" stat -j -o out -e page-faults -p $threads --per-thread -I 2 --timeout 300 2>err
	wait_for 8 $started
	run -0 python3 -c '
import json, re
rows = [json.loads(line) for line in open("out")][:-1]
told = sum(int(re.match("[0-9]+", w)[0]) for r in rows for w in r["warnings"] if "interval" in w)
assert told > 0 and len(rows) + told == int(rows[-1]["time"] / 0.002), (len(rows), told, rows[-1]["time"])'
	for signal in INT TERM; do
		start "$PMUSCOPE" stat -x, -o out -e task-clock,page-faults -p $threads --per-thread -I 2 2>err
		sleep 0.5
		kill -$signal $started
		wait_for 4 $started
		[ $status -eq 0 ]
	done
	start "$PMUSCOPE" stat -x, -o out -e task-clock -p $threads --per-thread -I 2 2>err
	sleep 0.3
	kill $threads
	wait_for 4 $started
}

@test "a program that does not end when the time is up is killed, sooner on another signal" {
	start "$PMUSCOPE" stat --source perf -j -o out.json -e page-faults --timeout 200 -- sh -c 'trap "" TERM; exec sleep 60'
	sleep 0.7
	[ -d /proc/$started ] # it has ten seconds
	kill -INT $started
	wait_for 3 $started
	[ $status -eq 137 ]
	holds out.json 'r["signal"] == 9 and events["page-faults"] > 10'
	# A stopped process is continued, so that it ends.
	start "$PMUSCOPE" stat --source perf -j -o out.json -e page-faults --timeout 200 -- sh -c 'kill -STOP $$; exec sleep 60'
	wait_for 3 $started
	[ $status -eq 143 ]
}

@test "a signal ends repeated runs, and a run that was cut short is not among them" {
	start setsid "$PMUSCOPE" stat --source perf -r 9 -j -o out.json -e page-faults -- \
		sh -c 'echo >>runs; [ $(wc -l <runs) -lt 3 ] || exec sleep 60'
	until [ "$(cat runs 2>/dev/null | wc -l)" = 3 ]; do sleep 0.05; done
	sleep 0.2
	kill -TERM $started
	wait_for 3 $started
	[ $status -eq 143 ]
	[ "$(wc -l <runs)" -eq 3 ]
	holds out.json '"a signal (TERM) ended run 3 of 9: counts are of those before it" in r["warnings"]'
	holds out.json 'r["events"][0].get("spread", 0) < 0.5 and events["page-faults"] > 10'
}

# Processor time of a process in hundredths of a second.
spent() {
	awk '{ sub(/.*\) /, ""); print $12 + $13 }' /proc/"$1"/stat
}

@test "when nobody is left to send commands, nothing waits for them" {
	mkfifo ctl
	exec 7<>ctl
	# A signal before leaves an errno behind.
	start "$PMUSCOPE" stat --source perf -e page-faults --control fd:8 -o out -- \
		sh -c 'trap "" HUP; exec sleep 2' 8<ctl 7>&-
	sleep 0.3
	kill -HUP $started
	sleep 0.2
	exec 7>&-
	sleep 0.2
	before=$(spent $started)
	sleep 0.6
	[ $(($(spent $started) - before)) -lt 10 ]
	wait_for 4 $started
	[ $status -eq 0 ]
	grep -q page-faults out
}

@test "nobody has to read the answers to commands" {
	mkfifo ctl ack
	# The reader goes away.
	exec 7<>ctl
	start head -c 1 ack
	start "$PMUSCOPE" stat --source perf -j -e page-faults --control fd:7,8 -o out.json -- sleep 1 8>ack
	sleep 0.2
	echo ping >&7
	sleep 0.2
	printf 'ping\ndisable\nping\n' >&7
	wait_for 4 $started
	[ $status -eq 0 ]
	holds out.json 'events["page-faults"] > 10'

	# Or the reader reads nothing.
	exec 8<>ack
	start "$PMUSCOPE" stat --source perf -j -e page-faults --control fd:7,8 -o out.json -p $$
	yes ping | head -n 20000 >&7
	echo stop >&7
	wait_for 4 $started
	[ $status -eq 0 ]
	exec 7>&- 8>&-
}

# A pipe that holds few lines, and whose reader waits for a file called read.
stalled_reader() {
	mkfifo "$1"
	start python3 -c '
import fcntl, os, sys, time
F_SETPIPE_SZ = 1031
with open(sys.argv[1]) as file, open(sys.argv[2], "w") as into:
    fcntl.fcntl(file, F_SETPIPE_SZ, 4096)
    while not os.path.exists("read"):
        time.sleep(0.02)
    into.write(file.read())' "$1" "$2"
}

# Times of the intervals of a session
saved_times() {
	"$PMUSCOPE" report -x, "$1" | awk -F, '$1 == "event" && $8 == "page-faults" && $2 != "" { print $2 }'
}

has_saved() {
	[ "$(saved_times "$2" 2>/dev/null | wc -l)" -gt "$1" ]
}

is_finished() {
	"$PMUSCOPE" report "$1" >report 2>&1 && ! grep -q 'cut off' report
}

is_gone() {
	[ ! -d "/proc/$1" ]
}

@test "a signal ends a measurement whose output nobody reads, and the session has it all" {
	stalled_reader rows text
	reader=$started
	start "$PMUSCOPE" stat -j -o rows -I 5 -e page-faults,task-clock --save s.pms -p $$ 2>err
	until_true 8 has_saved 20 s.pms
	kill -INT $started
	wait_for 2 $started
	[ $status -eq 2 ]
	grep -q 'nobody read them' err
	is_finished s.pms
	has_saved 20 s.pms
	kill $reader
	# On standard error, where nobody reads the error message either.
	rm rows
	stalled_reader rows text
	reader=$started
	start "$PMUSCOPE" stat -I 1 -e page-faults,task-clock -p $$ --save s2.pms 2>rows
	until_true 8 has_saved 200 s2.pms
	kill -TERM $started
	wait_for 2 $started
	[ $status -eq 2 ]
	kill $reader
}

@test "a program's end is in time though nobody reads the output, which is whole when somebody does" {
	stalled_reader rows text
	start "$PMUSCOPE" stat --source perf -j -o rows -I 5 -e page-faults --timeout 500 --save s.pms -- \
		sh -c 'echo $$ >child; exec sleep 60'
	until_true 4 [ -s child ]
	until_true 4 is_gone "$(cat child)"
	sleep 0.5
	[ -d /proc/$started ]
	touch read
	wait_for 4 $started
	[ $status -eq 143 ]
	run -0 python3 -c '
import json, re
rows = [json.loads(line) for line in open("text")]
assert all(b["time"] > a["time"] for a, b in zip(rows, rows[1:]))
told = sum(int(re.match("[0-9]+", w)[0]) for r in rows[:-1] for w in r["warnings"] if "interval" in w)
assert len(rows) - 1 + told == int(rows[-2]["time"] / 0.005), (len(rows), told, rows[-2]["time"])
print(len(rows))'
	[ "$(saved_times s.pms | wc -l)" = "$output" ]

	# The program gets the signal, even when nobody reads.
	rm rows read
	stalled_reader rows text
	start "$PMUSCOPE" stat --source perf -j -o rows -I 5 -e page-faults --save s2.pms -- sleep 60
	until_true 8 has_saved 20 s2.pms
	kill -TERM $started
	wait_for 2 $started
	[ $status -eq 143 ]
}

@test "commands are obeyed and a session grows while nobody reads the output" {
	mkfifo ctl
	exec 7<>ctl
	stalled_reader rows text
	start "$PMUSCOPE" stat -j -o rows -I 5 -e page-faults --control fd:7 --save s.pms -p $$
	until_true 8 has_saved 20 s.pms
	kill -9 $started
	wait_for 2 $started
	start "$PMUSCOPE" stat -j -o rows -I 5 -e page-faults --control fd:7 --save s2.pms -p $$
	until_true 8 has_saved 20 s2.pms
	echo stop >&7
	until_true 4 is_finished s2.pms # though the reader is not
	exec 7>&-
	touch read
	wait_for 2 $started
	[ $status -eq 0 ]
}

#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# A measurement ends when it is told to, whatever else is going on.

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR"
	"$PMUSCOPE" stat --source perf -e page-faults -- true >/dev/null 2>out ||
		skip "perf_event_open is not to be had here: $(head -1 out)"
}

teardown() {
	[ ! -s started ] || kill -9 $(cat started) 2>/dev/null || :
}

# Start something that is ended with the test, if it has not ended by then.
start() {
	"$@" 3>&- &
	started=$!
	echo $started >>started
}

# wait_for SECONDS PID: its end, in time. Leaves its status in $status.
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
	# Whoever does goes away.
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

	# Or reads none.
	exec 8<>ack
	start "$PMUSCOPE" stat --source perf -j -e page-faults --control fd:7,8 -o out.json -p $$
	yes ping | head -n 20000 >&7
	echo stop >&7
	wait_for 4 $started
	[ $status -eq 0 ]
	exec 7>&- 8>&-
}

# SPDX-License-Identifier: MIT
# On the machine of sbi.sh: processes and threads that are there already, programs that use the library, and what is
# refused.
processes_are_attached_to() {
	mkfifo /tmp/gate /tmp/crew
	/live/exact/gate </tmp/gate &
	pid=$!
	exec 3>/tmp/gate
	measure -p $pid -e INST.RET:u &
	pmuscope=$!
	sleep 2
	echo >&3
	wait $pmuscope
	cat /tmp/out.csv
	about 'instructions behind the gate' "$(value INST.RET:u)" gate

	/live/exact/crew </tmp/crew 3>&- &
	pid=$!
	exec 4>/tmp/crew
	sleep 1
	measure -p $pid --per-thread -e INST.RET:u &
	pmuscope=$!
	sleep 2
	echo >&4
	sleep 1
	echo >&4
	wait $pmuscope
	cat /tmp/out.csv
	awk -F, '$1 == "event" && $4 != "" { print $9 }' /tmp/out.csv | sort -n >/tmp/each
	about 'the first thread' "$(head -n 1 /tmp/each)" '' 10000006
	about 'the second thread' "$(tail -n 1 /tmp/each)" '' 20000005
}

# Reads are of the same cost each, so what they add goes out of a difference.
a_program_measures_itself() {
	echo "$2" >/proc/sys/kernel/perf_user_access
	for event in INST.RET CYCLES.HART; do
		/live/self $event >/tmp/self
		cat /tmp/self
		same "$event of 1,000 turns more" "$(cat /tmp/self)" "2000 read $1"
	done
}

another_program_is_watched() {
	mkfifo /tmp/gate3
	/live/exact/gate </tmp/gate3 &
	pid=$!
	exec 3>/tmp/gate3
	/live/watch $pid 100 >/tmp/watched &
	watcher=$!
	sleep 1
	echo >&3
	wait $watcher
	cat /tmp/watched
	within 'lines' "$(wc -l </tmp/watched)" 5 20
}

mkdir -p /etc
echo 'nobody:x:65534:65534::/tmp:/bin/sh' >/etc/passwd
as_nobody() {
	su nobody -s /bin/sh -c "$*"
}

what_is_refused() {
	paranoid=/proc/sys/kernel/perf_event_paranoid
	echo 4 >$paranoid # Debian's own: nothing at all without CAP_PERFMON
	refused 3 perf_event_paranoid as_nobody pmuscope stat --source perf -e INST.RET -- true
	echo 2 >$paranoid
	refused 3 perf_event_paranoid as_nobody pmuscope stat --source perf -a -e INST.RET -- true
	as_nobody pmuscope stat --source perf -x, -o /tmp/nobody.csv -e INST.RET -- /live/exact/turns
	grep ',INST.RET,' /tmp/nobody.csv
	sleep 100 &
	refused 3 "process $!" as_nobody pmuscope stat --source perf -p $! -e INST.RET
	kill $!
	refused 2 'no process 99999' measure -p 99999 -e INST.RET
	refused 2 INST.RET measure -e INST.RAT -- true
}

try 'processes and threads are attached to' processes_are_attached_to
try 'a program reads its counters by the kernel' a_program_measures_itself 'by the kernel' 0
try 'a program reads its counters in user space' a_program_measures_itself 'in user space' 1
try 'another program is watched' another_program_is_watched
try 'what is refused' what_is_refused

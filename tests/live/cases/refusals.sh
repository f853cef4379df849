# SPDX-License-Identifier: MIT
# What the kernel refuses, and what becomes of it: sentences that say what to do, and exit status 3.
mkdir /etc
echo 'nobody:x:65534:65534::/tmp:/bin/sh' >/etc/passwd
paranoid=/proc/sys/kernel/perf_event_paranoid

as_nobody() {
	su nobody -s /bin/sh -c "$*"
}

a_user_counts_what_is_hers() {
	echo 2 >$paranoid
	as_nobody pmuscope stat --source perf -x, -o /tmp/nobody.csv -e INST_RETIRED -- /live/exact/loop
	cat /tmp/nobody.csv
	# Under this level the kernel is left out by itself, as perf does.
	grep ',INST_RETIRED' /tmp/nobody.csv | grep -q ",$(expected loop INST_RETIRED),"
	rm /tmp/nobody.csv
}

# In every format, and in the session: a root's run beside it counts the kernel as well.
user_mode_alone_is_said() {
	echo 2 >$paranoid
	as_nobody pmuscope stat --source perf -x, -o /tmp/nobody.csv --save /tmp/nobody.pms \
		-e INST_RETIRED,context-switches -- /live/exact/turns
	cat /tmp/nobody.csv
	for shown in '' '-x,' '-j'; do
		pmuscope report $shown /tmp/nobody.pms >/tmp/shown
		grep -q 'measured in user mode alone' /tmp/shown
	done
	grep -q '"modes": "user"' /tmp/shown
	grep -q '"midr": "0x414fd0c1"' /tmp/shown
	# turns sleeps 30 times
	same 'context switches' "$(sed -n 's/^event,,,,,,,context-switches,//p' /tmp/nobody.csv)" ',events,,,not_counted,,'
	rm /tmp/nobody.csv /tmp/nobody.pms
}

a_user_may_not_watch_the_system() {
	echo 2 >$paranoid
	refused 3 perf_event_paranoid as_nobody pmuscope stat --source perf -a -e INST_RETIRED -- true
	refused 3 perf_event_paranoid as_nobody pmuscope stat --source perf -e INST_RETIRED:k -- true
	echo 4 >$paranoid # Debian's own: nothing at all without CAP_PERFMON
	refused 3 perf_event_paranoid as_nobody pmuscope stat --source perf -e INST_RETIRED -- true
	echo 2 >$paranoid
}

a_foreign_process_is_not_counted() {
	sleep 100 &
	refused 3 "process $!" as_nobody pmuscope stat --source perf -p $! -e INST_RETIRED
	kill $!
}

a_process_that_is_not_there() {
	refused 2 'no process 99999' measure -p 99999 -e INST_RETIRED
}

a_name_that_is_no_event() {
	refused 2 INST_RETIRED measure -e INST_RETIERD -- true
}

few=CPU_CYCLES:u,INST_RETIRED:u,CPU_CYCLES:uk,INST_RETIRED:uk

the_limit_of_descriptors_is_raised() {
	# By root beyond the hard limit, too.
	sh -c "ulimit -n 9; pmuscope stat --source perf -x, -o /tmp/out.csv -e $few -- /live/exact/loop"
	same instructions "$(value INST_RETIRED:u)" "$(expected loop INST_RETIRED)"
}

descriptors_run_out() {
	refused 3 'ulimit -Hn' as_nobody "ulimit -n 12; pmuscope stat --source perf -e $few,$(echo $few | sed s,:u,:uh,g) -- true"
}

try 'a user counts what is hers' a_user_counts_what_is_hers
try 'user mode alone is said' user_mode_alone_is_said
try 'a user may not watch the system' a_user_may_not_watch_the_system
try 'a foreign process is not counted' a_foreign_process_is_not_counted
try 'a process that is not there' a_process_that_is_not_there
try 'a name that is no event' a_name_that_is_no_event
try 'the limit of descriptors is raised' the_limit_of_descriptors_is_raised
try 'descriptors run out' descriptors_run_out

# SPDX-License-Identifier: MIT
# One CPU, where counts are exact: what pmuscope says of programs whose numbers of instructions are known.
programs_are_exact() {
	for program in straight loop fib calls branches turns; do
		measure -e INST_RETIRED:u,CPU_CYCLES:u -- /live/exact/$program
		cat /tmp/out.csv
		same "instructions of $program" "$(value INST_RETIRED:u)" "$(expected $program INST_RETIRED)"
		same "cycles of $program" "$(value CPU_CYCLES:u)" "$(expected $program INST_RETIRED)"
		same 'running percentage' "$(value INST_RETIRED:u '' '' 14)" 100
	done
}

children_and_threads_are_in_it() {
	for program in family crew; do
		measure -e INST_RETIRED:u -- /live/exact/$program
		same "instructions of $program" "$(value INST_RETIRED:u)" "$(expected $program INST_RETIRED)"
	done
}

# Both threads wait behind the gate.
threads_are_told_apart() {
	mkfifo /tmp/crew
	/live/exact/crew </tmp/crew &
	pid=$!
	exec 3>/tmp/crew
	measure -p $pid --per-thread -e INST_RETIRED:u &
	pmuscope=$!
	sleep 2
	echo >&3
	sleep 1
	echo >&3
	wait $pmuscope
	cat /tmp/out.csv
	awk -F, '$1 == "event" && $4 != "" { print $9 }' /tmp/out.csv | sort -n >/tmp/each
	same 'instructions of each' "$(tr '\n' ' ' </tmp/each)" '200005 400004 '
}

a_process_is_attached_to() {
	mkfifo /tmp/gate
	/live/exact/gate </tmp/gate &
	pid=$!
	exec 3>/tmp/gate
	measure -p $pid -e INST_RETIRED:u &
	pmuscope=$!
	sleep 2
	echo >&3
	wait $pmuscope
	cat /tmp/out.csv
	same 'instructions behind the gate' "$(value INST_RETIRED:u)" "$(expected gate INST_RETIRED)"
}

# Two processes, of which one is gone before the other; then a single thread of two.
some_tasks_are_attached_to() {
	mkfifo /tmp/gate1 /tmp/gate2 /tmp/crew2
	/live/exact/gate </tmp/gate1 &
	first=$!
	exec 7>/tmp/gate1
	/live/exact/gate </tmp/gate2 7>&- &
	second=$!
	exec 8>/tmp/gate2
	measure -p $first,$second -e INST_RETIRED:u &
	pmuscope=$!
	sleep 2
	echo >&7
	sleep 1
	echo >&8
	wait $pmuscope
	same 'instructions of both' "$(value INST_RETIRED:u)" $((2 * $(expected gate INST_RETIRED)))

	/live/exact/crew </tmp/crew2 7>&- 8>&- &
	crew=$!
	exec 9>/tmp/crew2
	sleep 1
	thread=$(ls /proc/$crew/task | grep -vx $crew)
	measure -t $thread -e INST_RETIRED:u &
	pmuscope=$!
	sleep 2
	printf '\n\n' >&9
	wait $pmuscope
	cat /tmp/out.csv
	same 'instructions of the second thread' "$(value INST_RETIRED:u)" 400004
}

the_status_is_the_commands() {
	status=0
	measure -e CPU_CYCLES -- sh -c 'exit 7' || status=$?
	same 'exit status' $status 7
	status=0
	measure -e CPU_CYCLES -- sh -c 'kill -9 $$' || status=$?
	same 'exit status of a killed one' $status 137
	status=0
	measure -e CPU_CYCLES -- /no/such/command || status=$?
	same 'exit status of none' $status 127
}

# More events than counters, all of which the machine has.
many() {
	for event in CPU_CYCLES INST_RETIRED; do
		for modes in '' :k :uk :uh :kh :ukh; do
			printf ',%s%s' $event "$modes"
		done
	done
}

scaled_counts_are_within_their_error() {
	want=$(expected turns INST_RETIRED)
	measure --multiplex -e INST_RETIRED:u$(many) -- /live/exact/turns
	cat /tmp/out.csv
	within 'running percentage' "$(value INST_RETIRED:u '' '' 14)" 5 95
	within 'scaled up' "$(value INST_RETIRED:u)" $((want * 98 / 100)) $((want * 102 / 100))
	# Instructions and cycles were counted in other passes, so that ipc, which is 1, has an interval.
	awk -F, '$8 == "ipc"' /tmp/out.csv
	within 'ipc' "$(awk -F, '$8 == "ipc" { print $9; exit }' /tmp/out.csv)" 0.95 1.05
	within 'ipc, lower end' "$(awk -F, '$8 == "ipc" { print $11; exit }' /tmp/out.csv)" 0 1
	within 'ipc, upper end' "$(awk -F, '$8 == "ipc" { print $12; exit }' /tmp/out.csv)" 1 2
}

a_run_for_each_pass_is_exact() {
	measure --multirun -e INST_RETIRED:u$(many) -- /live/exact/loop
	cat /tmp/out.csv
	same 'instructions' "$(value INST_RETIRED:u)" "$(expected loop INST_RETIRED)"
	same 'running percentage' "$(value INST_RETIRED:u '' '' 14)" 100
}

six_counters_are_found() {
	pmuscope stat --source perf -j -o /tmp/out.json -e CPU_CYCLES -- true
	tr ',' '\n' </tmp/out.json | grep counters_available
	tr ',' '\n' </tmp/out.json | grep -q '"counters_available": *6$'
}

intervals_add_up() {
	measure -I 20 -e INST_RETIRED:u -- /live/exact/turns
	grep -v '^#' /tmp/out.csv
	awk -F, '$1 == "event" && $2 != "" { n++; sum += $9 } END { print n, sum }' /tmp/out.csv >/tmp/sum
	read -r n sum </tmp/sum
	same 'sum of the intervals' "$sum" "$(expected turns INST_RETIRED)"
	within 'number of intervals' "$n" 15 25 # 360 ms: 30 times 2 ms and 10 ms
}

intervals_do_not_drift() {
	measure -a -I 10 --timeout 1000 -e CPU_CYCLES
	awk -F, '$1 == "event" && $2 != "" { print $2 }' /tmp/out.csv >/tmp/times
	within 'intervals' "$(wc -l </tmp/times)" 100 101
	# The k-th is at k times 10 ms, and not later and later.
	awk 'NR <= 100 { late = $1 - NR / 100; if (late < 0 || late > 0.002) { print NR, $1; bad = 1 } } END { exit bad }' \
		/tmp/times
}

repeated_runs_have_no_scatter() {
	measure -r 3 -e INST_RETIRED:u -- /live/exact/loop
	cat /tmp/out.csv
	same 'mean' "$(value INST_RETIRED:u)" "$(expected loop INST_RETIRED)"
}

a_delay_leaves_the_start_out() {
	# 30 times 2 ms and 10 ms of sleep: after 120 ms, two thirds are left.
	measure -D 120 -e INST_RETIRED:u -- /live/exact/turns
	cat /tmp/out.csv
	within 'instructions' "$(value INST_RETIRED:u)" 36000000 44000000
}

a_timeout_ends_it() {
	status=0
	measure --timeout 120 -e INST_RETIRED:u -- /live/exact/turns || status=$?
	cat /tmp/out.csv
	same 'exit status' $status 143 # SIGTERM
	within 'instructions' "$(value INST_RETIRED:u)" 16000000 24000000
}

control_switches_it_on_and_off() {
	mkfifo /tmp/control /tmp/ack
	exec 5<>/tmp/control 6<>/tmp/ack
	measure -D -1 --control fd:5,6 -e INST_RETIRED:u -- sh -c '
		/live/exact/turns
		echo enable >&5; read -r answer <&6; echo "$answer"
		/live/exact/loop
		echo disable >&5; read -r answer <&6; echo "$answer"
		/live/exact/turns'
	cat /tmp/out.csv
	# The shell around them is counted too, which is less than one run of turns.
	within 'instructions' "$(value INST_RETIRED:u)" "$(expected loop INST_RETIRED)" 5000000
}

modes_are_told_apart() {
	measure -e INST_RETIRED:u,INST_RETIRED:k,INST_RETIRED -- /live/exact/turns
	cat /tmp/out.csv
	within 'both' "$(value INST_RETIRED)" \
		$(($(value INST_RETIRED:u) + $(value INST_RETIRED:k))) \
		$(($(value INST_RETIRED:u) + $(value INST_RETIRED:k)))
	measure --all-kernel -e INST_RETIRED -- /live/exact/turns
	within 'the kernel alone' "$(value INST_RETIRED)" 1 2000000
}

# Runs of other lengths, each of which has as many instructions as cycles: neither scatters about the other.
a_ratio_does_not_scatter_as_its_parts() {
	rm -f /tmp/nth
	measure -r 4 --all-user -e INST_RETIRED,CPU_CYCLES -- \
		sh -c 'echo >>/tmp/nth; [ "$(wc -l </tmp/nth)" -lt 3 ] || /live/exact/turns'
	cat /tmp/out.csv
	within 'ipc, lower end' "$(awk -F, '$8 == "ipc" { print $11; exit }' /tmp/out.csv)" 0.99 1
	within 'ipc, upper end' "$(awk -F, '$8 == "ipc" { print $12; exit }' /tmp/out.csv)" 1 1.01
}

# Each pass has a run, and the second is much longer.
passes_are_compared() {
	rm -f /tmp/nth
	measure --multirun -e CPU_CYCLES$(many) -- \
		sh -c 'echo >>/tmp/nth; [ "$(wc -l </tmp/nth)" -lt 2 ] || /live/exact/turns'
	cat /tmp/out.csv
	grep -q '^# warning: CPU_CYCLES differs between the [0-9]* passes by [1-9][0-9]* %: the runs were not alike' /tmp/out.csv
}

# Cycles that are counted a second time have a programmable counter, of 32 bits: it overflows twice.
counters_of_32_bits_overflow() {
	measure -a -I 4000 --timeout 10000 -e CPU_CYCLES,CPU_CYCLES:ukh
	cat /tmp/out.csv
	for event in CPU_CYCLES CPU_CYCLES:ukh; do
		within "$event" "$(awk -F, -v name=$event '$1 == "event" && $8 == name { sum += $9 } END { printf "%.0f", sum }' \
			/tmp/out.csv)" 9900000000 10200000000
	done
}

try 'programs of known length are exact' programs_are_exact
try 'children and threads are in it' children_and_threads_are_in_it
try 'threads are told apart' threads_are_told_apart
try 'a process is attached to' a_process_is_attached_to
try 'some tasks are attached to' some_tasks_are_attached_to
try "the exit status is the command's" the_status_is_the_commands
try 'scaled counts are within their error' scaled_counts_are_within_their_error
try 'a run for each pass is exact' a_run_for_each_pass_is_exact
try 'six counters are found' six_counters_are_found
try 'intervals add up' intervals_add_up
try 'intervals do not drift' intervals_do_not_drift
try 'repeated runs have no scatter' repeated_runs_have_no_scatter
try 'a ratio does not scatter as its parts do' a_ratio_does_not_scatter_as_its_parts
try 'passes are compared' passes_are_compared
try 'counters of 32 bits overflow' counters_of_32_bits_overflow
try 'a delay leaves the start out' a_delay_leaves_the_start_out
try 'a timeout ends it' a_timeout_ends_it
try 'control switches it on and off' control_switches_it_on_and_off
try 'modes are told apart' modes_are_told_apart

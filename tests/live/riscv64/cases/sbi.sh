# SPDX-License-Identifier: MIT
# The collector on the SBI PMU of a RISC-V machine whose core there are no codes of: cycles and instructions are what
# it counts. The emulator counts the kernel's instructions too, also where user mode alone is asked for,
# so a program of known length is at least counted in full, and not much more.
type=$(cat /sys/bus/event_source/devices/cpu/type)

# What the other tests rely on: a QEMU or a kernel that does something else fails here, by name.
the_machine_is_as_known() {
	grep . /proc/cpuinfo
	same 'mvendorid' "$(sed -n 's/^mvendorid.*: //p' /proc/cpuinfo)" 0x0
	counts -g 0:0 0:1 -- /live/exact/turns >/tmp/counts
	cat /tmp/counts
	about 'cycles' "$(column 2 0:0)" turns
	about 'instructions' "$(column 2 0:1)" turns
	same 'time that they run' "$(column 4 0:1)" "$(column 3 0:1)"
	counts $type:0x4000 -- /live/exact/turns >/tmp/counts
	cat /tmp/counts
	same 'count of a raw event, and the time it runs' "$(column 2 $type:0x4000) $(column 4 $type:0x4000)" '0 0'
}

programs_are_counted() {
	for program in turns family; do
		measure -e INST.RET:u,CYCLES.HART:u -- /live/exact/$program
		cat /tmp/out.csv
		about "instructions of $program" "$(value INST.RET:u)" $program
		about "cycles of $program" "$(value CYCLES.HART:u)" $program
		same 'running percentage' "$(value INST.RET:u '' '' 14)" 100
	done
	measure -e instructions,cpu-cycles -- /live/exact/turns
	cat /tmp/out.csv
	about 'by the name that Linux has' "$(value INST.RET)" turns
	about 'cycles by that' "$(value CYCLES.HART)" turns
}

# With -icount a cycle is an instruction.
metrics_are_worked_out() {
	measure -M IPC -- /live/exact/turns
	cat /tmp/out.csv
	within IPC "$(awk -F, '$1 == "metric" && $8 == "IPC" { print $9; exit }' /tmp/out.csv)" 0.95 1.05
}

topdown_says_what_it_lacks() {
	pmuscope topdown -x, -o /tmp/topdown.csv -- /live/exact/turns
	grep -v '^metric' /tmp/topdown.csv
	grep -q '^# source: perf: .*measured' /tmp/topdown.csv
	grep -q '^# catalog: riscv' /tmp/topdown.csv
	same 'retiring' "$(awk -F, '$8 == "TOPDOWN.RETIRING.RATE" { print $9 $13; exit }' /tmp/topdown.csv)" undefined
	within 'IPC' "$(awk -F, '$1 == "metric" && $8 == "IPC" { print $9; exit }' /tmp/topdown.csv)" 0.95 1.05
}

codes_that_are_not_known() {
	measure -e INST.RET,INST.LOAD.RET -- /live/exact/turns
	cat /tmp/out.csv
	about 'instructions' "$(value INST.RET)" turns
	same 'loads' "$(value INST.LOAD.RET)$(value INST.LOAD.RET '' '' 13)" not_supported
	grep -q 'no codes of this machine' /tmp/out.csv
}

the_system_is_counted() {
	measure -a -A -e INST.RET -- /live/exact/turns
	cat /tmp/out.csv
	within 'instructions of CPU 0' "$(value INST.RET 0)" "$(expected turns INST.RET)" 500000000
	same 'sum of the CPUs' "$(value INST.RET)" "$(value INST.RET 0)"
}

# Beside an event that the program inherits and that no counter takes, Linux makes all of its groups take turns.
counts_are_scaled() {
	counts $type:0x4000 -- pmuscope stat --source perf -x, -o /tmp/out.csv -e INST.RET,CYCLES.HART -- /live/exact/turns
	cat /tmp/out.csv
	within 'running percentage' "$(value INST.RET '' '' 14)" 5 95
	within 'scaled up' "$(value INST.RET)" 54000000 68000000
	# Both were counted at the same time.
	within IPC "$(awk -F, '$1 == "metric" && $8 == "IPC" { print $9; exit }' /tmp/out.csv)" 0.95 1.05
}

intervals_add_up() {
	measure -I 20 -e INST.RET -- /live/exact/turns
	grep -v '^#' /tmp/out.csv
	awk -F, '$1 == "event" && $2 != "" { n++; sum += $9 } END { print n, sum }' /tmp/out.csv >/tmp/sum
	read -r n sum </tmp/sum
	about 'sum of the intervals' "$sum" turns
	within 'number of intervals' "$n" 15 25 # 360 ms: 30 times 2 ms and 10 ms
}

runs_are_repeated() {
	measure -r 3 -e INST.RET:u -- /live/exact/turns
	cat /tmp/out.csv
	about 'mean' "$(value INST.RET:u)" turns
}

intervals_are_saved() {
	measure -I 50 --save /tmp/s.pms -e INST.RET -- /live/exact/turns
	same 'mode' "$(stat -c %a /tmp/s.pms)" 600
	grep '^event' /tmp/out.csv >/tmp/measured
	within 'intervals' "$(wc -l </tmp/measured)" 6 10 # 360 ms
	pmuscope report -x, -o /tmp/out.csv /tmp/s.pms
	grep '^event,[0-9]' /tmp/out.csv >/tmp/reported
	cmp /tmp/measured /tmp/reported
}

the_status_is_the_commands() {
	status=0
	measure -e CYCLES.HART -- sh -c 'exit 7' || status=$?
	same 'exit status' $status 7
	status=0
	measure -e CYCLES.HART -- /no/such/command || status=$?
	same 'exit status of none' $status 127
}

doctor_finds_the_pmu() {
	pmuscope doctor >/tmp/doctor
	cat /tmp/doctor
	grep -q '^ok  *Hardware counters: cpu' /tmp/doctor
}

try 'the machine is as known' the_machine_is_as_known
try 'the unit test of starting programs' /live/test_run
try 'programs of known length are counted' programs_are_counted
try 'metrics are worked out' metrics_are_worked_out
try 'topdown says what it lacks' topdown_says_what_it_lacks
try 'codes that are not known' codes_that_are_not_known
try 'the system is counted' the_system_is_counted
try 'counts are scaled' counts_are_scaled
try 'intervals add up' intervals_add_up
try 'intervals are saved' intervals_are_saved
try 'runs are repeated' runs_are_repeated
try "the exit status is the command's" the_status_is_the_commands
try 'doctor finds the PMU' doctor_finds_the_pmu

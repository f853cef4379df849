# SPDX-License-Identifier: MIT
# Two cores of two threads each: CPUs 0 and 1 are the first core, 2 and 3 the second.
turns=$(expected turns INST_RETIRED)

the_machine_is_so() {
	same 'siblings of CPU 0' "$(cat /sys/devices/system/cpu/cpu0/topology/thread_siblings_list)" 0-1
	same 'siblings of CPU 2' "$(cat /sys/devices/system/cpu/cpu2/topology/thread_siblings_list)" 2-3
}

# Of a core, what both of its CPUs counted: twice the time that passed.
cores_are_told_apart() {
	measure -a --per-core -e CPU_CYCLES,cpu-clock -- sleep 1
	cat /tmp/out.csv
	awk -F, '$1 == "event" && $3 != "" { print $3 }' /tmp/out.csv | sort -u >/tmp/cores
	same 'how many cores' "$(grep -c '^S[0-9]*-C[0-9]*$' /tmp/cores)" 2
	sum=0
	while read -r core; do
		within "time of $core" "$(value cpu-clock "$core")" 2000000000 2300000000
		within "cycles of $core" "$(value CPU_CYCLES "$core")" 2000000000 2300000000
		sum=$((sum + $(value CPU_CYCLES "$core")))
	done </tmp/cores
	same 'sum of the cores' "$(value CPU_CYCLES)" $sum
}

# Of a core, one CPU alone: that of the list.
a_cpu_of_a_core() {
	measure -C 1-2 --per-core -e cpu-clock -- sleep 1
	cat /tmp/out.csv
	awk -F, '$1 == "event" && $3 != "" { print $9 }' /tmp/out.csv >/tmp/times
	same 'how many cores' "$(grep -c . /tmp/times)" 2
	while read -r time; do
		within 'time of a CPU' "$time" 1000000000 1150000000
	done </tmp/times
}

a_program_runs_on_its_core() {
	measure -a --per-core -e context-switches,INST_RETIRED:u -- taskset 8 /live/exact/turns
	cat /tmp/out.csv
	second=$(awk -F, '$1 == "event" && $3 != "" { print $3 }' /tmp/out.csv | sort -u | tail -n 1)
	within 'instructions of the second core' "$(value INST_RETIRED:u "$second")" "$turns" $((turns * 3 / 2))
}

intervals_have_cores() {
	pmuscope stat -a --per-core -I 500 --timeout 1100 -e cpu-clock >/tmp/lines 2>&1
	cat /tmp/lines
	same 'lines of cores at 0.5 s' "$(grep -c '^ *0\.500  S0-C[0-9]' /tmp/lines)" 2
}

try 'the machine has two cores of two threads' the_machine_is_so
try 'cores are told apart' cores_are_told_apart
try 'a CPU of a core' a_cpu_of_a_core
try 'a program runs on its core' a_program_runs_on_its_core
try 'intervals have cores' intervals_have_cores

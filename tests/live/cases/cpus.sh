# SPDX-License-Identifier: MIT
# Four CPUs. The emulator adds what all of them execute, so counts are about right only where the other CPUs
# idle: a program of known length is at least counted in full, on the CPU that it ran on.
turns=$(expected turns INST_RETIRED)

# on CPU COMMAND...
on() {
	mask=$(printf '%x' $((1 << $1)))
	shift
	taskset "$mask" "$@"
}

# Whatever a test before has left.
all_on() {
	for cpu in 1 2 3; do
		echo 1 >/sys/devices/system/cpu/cpu$cpu/online
	done
}

a_program_is_in_the_system() {
	measure -a -e INST_RETIRED:u -- taskset 4 /live/exact/turns
	within 'instructions of all' "$(value INST_RETIRED:u)" "$turns" $((turns * 3 / 2))
}

cpus_are_told_apart() {
	measure -a -A -e INST_RETIRED:u -- taskset 4 /live/exact/turns
	cat /tmp/out.csv
	within 'instructions of CPU 2' "$(value INST_RETIRED:u 2)" "$turns" $((turns * 3 / 2))
	for cpu in 0 1 3; do
		within "instructions of CPU $cpu" "$(value INST_RETIRED:u $cpu)" 0 $((turns / 2))
	done
	sum=0
	for cpu in 0 1 2 3; do
		sum=$((sum + $(value INST_RETIRED:u $cpu)))
	done
	same 'sum of the CPUs' "$(value INST_RETIRED:u)" $sum
}

some_cpus_only() {
	measure -C 0-1,3 -e INST_RETIRED:u -- taskset 4 /live/exact/turns
	within 'instructions of the others' "$(value INST_RETIRED:u)" 0 $((turns / 2))
	measure -C 2 -e INST_RETIRED:u -- taskset 4 /live/exact/turns
	within 'instructions of CPU 2' "$(value INST_RETIRED:u)" "$turns" $((turns * 3 / 2))
}

threads_move_between_cpus() {
	for mask in 1 2 4 8; do
		measure -e INST_RETIRED:u -- taskset $mask /live/exact/family
	done
	measure -e INST_RETIRED:u -- /live/exact/family
	within 'instructions of a family' "$(value INST_RETIRED:u)" 300065 1200000
}

# During it, CPU 3 goes. What it counted until then stays; the other CPUs go on.
a_cpu_goes_during_a() {
	all_on
	(
		sleep 1
		echo 0 >/sys/devices/system/cpu/cpu3/online
	) &
	measure -a -A -I 200 --timeout 2000 -e INST_RETIRED:u,CPU_CYCLES
	cat /tmp/out.csv
	awk -F, '$1 == "event" && $2 > 1.5 && $3 == 0 && $9 != "" { n++ } END { exit !n }' /tmp/out.csv
	# An interval that it was off in has no count, which is not 0.
	same 'counts of CPU 3 at the end' \
		"$(awk -F, '$1 == "event" && $2 > 1.7 && $2 < 1.9 && $3 == 3 && $8 == "CPU_CYCLES" { print $9 $13 }' \
			/tmp/out.csv)" not_counted
}

# Without intervals the report says how long each was counted.
a_cpu_went() {
	all_on
	(
		sleep 1
		echo 0 >/sys/devices/system/cpu/cpu3/online
	) &
	measure -a -A --timeout 2000 -e CPU_CYCLES
	cat /tmp/out.csv
	grep '^# warning: CPU 3 was counted for [01][.0-9]* of 2 s: it was offline for the rest$' /tmp/out.csv
	within 'cycles of CPU 3' "$(value CPU_CYCLES 3)" 500000000 1500000000
	within 'cycles of CPU 0' "$(value CPU_CYCLES 0)" 1900000000 2100000000
}

# cycles LOW HIGH: those of CPU 3 in the intervals that end between two times
cycles() {
	awk -F, -v low="$1" -v high="$2" '$1 == "event" && $2 > low && $2 < high && $3 == 3 { print $9 "," $13 }' \
		/tmp/out.csv | tail -n 1
}

# CPU 3 is off at first, comes, goes and comes again.
a_cpu_comes_and_goes() {
	all_on
	echo 0 >/sys/devices/system/cpu/cpu3/online
	(
		sleep 1
		echo 1 >/sys/devices/system/cpu/cpu3/online
		sleep 2
		echo 0 >/sys/devices/system/cpu/cpu3/online
		sleep 2
		echo 1 >/sys/devices/system/cpu/cpu3/online
	) &
	measure -a -A -I 200 --timeout 7000 -e CPU_CYCLES
	wait
	awk -F, '$1 != "event" || $3 == 3' /tmp/out.csv
	same 'before it came' "$(cycles 0 1)" ''
	within 'while it was there' "$(cycles 2.3 3 | cut -d, -f1)" 190000000 210000000
	same 'while it was away' "$(cycles 4 5)" ,not_counted
	within 'when it was back' "$(cycles 6.3 7 | cut -d, -f1)" 190000000 210000000
}

# CPUs that are off when it starts are not there, which is no error.
a_cpu_is_off() {
	all_on
	echo 0 >/sys/devices/system/cpu/cpu1/online
	measure -a -A -e INST_RETIRED:u -- taskset 4 /live/exact/turns
	cat /tmp/out.csv
	same 'instructions of CPU 1' "$(value INST_RETIRED:u 1)" ''
	within 'instructions of CPU 2' "$(value INST_RETIRED:u 2)" "$turns" $((turns * 3 / 2))
	refused 2 'CPU 1 is not online' measure -C 1 -e INST_RETIRED:u -- true
}

cores_are_told_apart() {
	measure -a --per-core -e INST_RETIRED:u -- taskset 4 /live/exact/turns
	cat /tmp/out.csv
	awk -F, '$1 == "event" && $9 >= 60000000' /tmp/out.csv | grep -c .
}

# The cgroup's processes on any CPU, and no other ones.
a_cgroup_is_counted() {
	mount -t cgroup2 cgroup2 /sys/fs/cgroup
	echo +pids >/sys/fs/cgroup/cgroup.subtree_control # wakes the implicit controller of perf, too
	mkdir /sys/fs/cgroup/inside
	measure -G inside -e INST_RETIRED:u -- sh -c \
		'/live/exact/turns; echo $$ >/sys/fs/cgroup/inside/cgroup.procs; exec /live/exact/loop'
	cat /tmp/out.csv
	within 'instructions' "$(value INST_RETIRED:u)" "$(expected loop INST_RETIRED)" 2000000
	refused 2 'no cgroup outside' measure -G outside -e INST_RETIRED -- true
}

try 'a program is in the system' a_program_is_in_the_system
try 'CPUs are told apart' cpus_are_told_apart
try 'some CPUs only' some_cpus_only
try 'a process on any CPU' threads_move_between_cpus
try 'cores are told apart' cores_are_told_apart
try 'a cgroup is counted' a_cgroup_is_counted
try 'a CPU goes during -a' a_cpu_goes_during_a
try 'a CPU went while nobody looked' a_cpu_went
try 'a CPU comes and goes' a_cpu_comes_and_goes
try 'a CPU is off' a_cpu_is_off

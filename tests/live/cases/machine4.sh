# SPDX-License-Identifier: MIT
# The machine itself with four CPUs: the PMU is theirs all, and a CPU can go and come back.
it_is_a_neoverse_n1() {
	for cpu in 0 1 2 3; do
		midr=$(cat /sys/devices/system/cpu/cpu$cpu/regs/identification/midr_el1)
		same "MIDR's part number of CPU $cpu" $((midr >> 4 & 0xfff)) $((0xd0c))
	done
	same 'CPUs of the PMU' "$(cat $pmu/cpus)" 0-3
	same 'its events' "$(ls $pmu/events | tr '\n' ' ')" \
		'cpu_cycles inst_retired stall_backend stall_frontend '
}

a_cpu_goes_and_comes_back() {
	echo 0 >/sys/devices/system/cpu/cpu3/online
	same 'CPUs without the last' "$(cat /sys/devices/system/cpu/online)" 0-2
	echo 1 >/sys/devices/system/cpu/cpu3/online
	same 'CPUs again' "$(cat /sys/devices/system/cpu/online)" 0-3
}

try 'four CPUs are Neoverse N1 with a PMUv3' it_is_a_neoverse_n1
try 'a CPU goes and comes back' a_cpu_goes_and_comes_back

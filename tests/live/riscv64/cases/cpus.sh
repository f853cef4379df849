# SPDX-License-Identifier: MIT
# Two CPUs. Without -icount the emulator's counters are the host's time, which no program's length is known in: the
# mechanics of several CPUs.
cpus_are_told_apart() {
	measure -a -A -e INST.RET,CYCLES.HART -- taskset 2 /live/exact/turns
	cat /tmp/out.csv
	for cpu in 0 1; do
		within "instructions of CPU $cpu" "$(value INST.RET $cpu)" 1 1e12
	done
	same 'sum of the CPUs' "$(value INST.RET)" $(($(value INST.RET 0) + $(value INST.RET 1)))
	measure -C 1 -e INST.RET -- true
	same 'CPU 0, which is not asked for' "$(value INST.RET 0)" ''
	within 'CPU 1' "$(value INST.RET)" 1 1e12
}

a_cpu_goes_and_comes_back() {
	cpu1=/sys/devices/system/cpu/cpu1/online
	echo 0 >$cpu1
	measure -a -A -e INST.RET -- true
	cat /tmp/out.csv
	same 'instructions of CPU 1' "$(value INST.RET 1)" ''
	refused 2 'CPU 1 is not online' measure -C 1 -e INST.RET -- true
	echo 1 >$cpu1
	measure -a -A -e INST.RET -- taskset 2 true
	cat /tmp/out.csv
	within 'instructions of CPU 1' "$(value INST.RET 1)" 1 1e12
}

try 'CPUs are told apart' cpus_are_told_apart
try 'a CPU goes and comes back' a_cpu_goes_and_comes_back

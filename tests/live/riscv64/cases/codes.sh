# SPDX-License-Identifier: MIT
# A machine that says that it is a SiFive P550, whose codes there are; but the emulator has none of these events.
the_core_is_known() {
	pmuscope stat --source perf -e INST.RET -- /live/exact/turns >/tmp/table 2>&1
	cat /tmp/table
	grep -q '^SiFive P550, measured' /tmp/table
}

# Linux opens any code, and gives a group with one that there is no counter for no counter at all.
what_the_machine_lacks_takes_nothing_along() {
	measure -e INST.RET,INST.LDST.RET,CYCLES.HART,r4000 -- /live/exact/turns
	cat /tmp/out.csv
	for event in INST.RET CYCLES.HART; do
		within "$event" "$(value $event)" 60000000 67000000
		same "running percentage of $event" "$(value $event '' '' 14)" 100
	done
	same 'loads and stores' "$(value INST.LDST.RET)$(value INST.LDST.RET '' '' 13)" not_supported
	same 'the raw code' "$(value INST.BRJMP.BRANCH.RET)$(value INST.BRJMP.BRANCH.RET '' '' 13)" not_supported
	grep -q 'no counter of this machine takes it' /tmp/out.csv
}

topdown_goes_on_without() {
	pmuscope topdown -x, -o /tmp/topdown.csv -- /live/exact/turns
	grep -v '^metric' /tmp/topdown.csv
	within 'IPC' "$(awk -F, '$1 == "metric" && $8 == "IPC" { print $9; exit }' /tmp/topdown.csv)" 0.95 1.05
}

try 'the core is known' the_core_is_known
try 'what the machine lacks takes nothing along' what_the_machine_lacks_takes_nothing_along
try 'topdown goes on without' topdown_goes_on_without

# SPDX-License-Identifier: MIT
# The machine itself with one CPU, without pmuscope: what its kernel and its emulated PMU do, on which the other
# cases rely. A QEMU or a kernel that does something else fails here first, by name.
t=$(cat $pmu/type)
cycles=$t:0x11 retired=$t:0x08 # the architecture's event numbers, raw

instructions_are_exact() {
	for program in straight loop fib calls branches turns; do
		counts -g $cycles $retired -- /live/exact/$program >/tmp/counts
		cat /tmp/counts
		same "instructions of $program" "$(column 2 $retired)" "$(expected $program INST_RETIRED)"
		same "cycles of $program" "$(column 2 $cycles)" "$(column 2 $retired)"
	done
}

inherited_counts_are_exact() {
	for program in family crew; do
		counts $retired -- /live/exact/$program </dev/null >/tmp/counts
		cat /tmp/counts
		same "instructions of $program" "$(column 2 $retired)" "$(expected $program INST_RETIRED)"
	done
}

six_counters_and_the_cycle_counter() {
	six="$t:0x1 $t:0x2 $t:0x3 $t:0x4 $t:0x5 $retired"
	counts -g $cycles $six -- /live/exact/loop >/tmp/counts
	cat /tmp/counts
	within 'time that cycles and six run' "$(column 4 $retired)" 1 1e12
	# One more: kernels refuse it, or let it in and never run the group.
	for more in "$t:0x6 $six" "$cycles $t:0x6 $six"; do
		counts -g $more -- /live/exact/loop >/tmp/counts
		cat /tmp/counts
		same "time that $more run" "$(column 4 $retired)" "$(column 4 $retired | grep -x 0)"
	done
}

an_event_that_is_not_there_reads_0() {
	counts $t:0x3f -- /live/exact/loop >/tmp/counts # STALL_SLOT
	cat /tmp/counts
	same 'its value' "$(column 2 $t:0x3f)" 0
	within 'its running time' "$(column 4 $t:0x3f)" 1 1e12
}

# The unit test that qemu-user cannot run.
programs_are_started() {
	/live/test_run
}

try 'instructions and cycles are exact' instructions_are_exact
try 'those of children and threads too' inherited_counts_are_exact
try 'six counters and one for cycles' six_counters_and_the_cycle_counter
try 'an event that is not there opens and reads 0' an_event_that_is_not_there_reads_0
try 'the unit test of starting programs' programs_are_started

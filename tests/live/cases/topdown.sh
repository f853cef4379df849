# SPDX-License-Identifier: MIT
# topdown on the Neoverse N1 guest, one CPU: the core is known by its MIDR, and what its PMU lacks is undefined.
out=/tmp/topdown.csv

# metric NAME COLUMN
metric() {
	awk -F, -v name="$1" -v n="$2" '$1 == "metric" && $8 == name { print $n; exit }' $out
}

the_core_is_known_and_measured() {
	pmuscope topdown -x, -o $out -- /live/exact/turns
	grep -v '^metric' $out
	grep -q '^# source: perf: .*measured' $out
	grep -qx '# modelled: false' $out
	grep -q '^# catalog: neoverse-n1' $out
}

cycles_are_instructions() {
	# With -icount a cycle is an instruction; but the two were not counted all the time.
	within ipc "$(metric ipc 9)" 0.9 1.1
}

what_the_pmu_lacks_is_undefined() {
	# events/ has no l1d_cache_refill, and without the lookup it would count 0.
	for name in l1d_cache_mpki branch_mpki; do
		same "state of $name" "$(metric $name 13)" undefined
		same "value of $name" "$(metric $name 9)" ''
		grep "^# undefined: $name" $out
	done
	awk -F, '$1 == "event" && $8 == "L1D_CACHE_REFILL"' $out
	same 'count of L1D_CACHE_REFILL' \
		"$(awk -F, '$1 == "event" && $8 == "L1D_CACHE_REFILL" { print $9 }' $out)" ''
}

# Of codes that the kernel has no names for it cannot tell; ASE_SPEC opens and reads 0.
what_reads_0_is_doubted() {
	pmuscope stat -e ASE_SPEC -x, -o /tmp/ase.csv -- /live/exact/turns
	cat /tmp/ase.csv
	same 'state of ASE_SPEC' "$(awk -F, '$1 == "event" && $8 == "ASE_SPEC" { print $9 $13 }' /tmp/ase.csv)" \
		not_supported
	pmuscope topdown --all -x, -o /tmp/all.csv -- /live/exact/turns
	# All that is shown was tried to be measured: nothing was left out without a reason.
	! grep '^# undefined: .* was not counted$' /tmp/all.csv
	same 'value of simd_percentage' \
		"$(awk -F, '$1 == "metric" && $8 == "simd_percentage" { print $9 $13; exit }' /tmp/all.csv)" undefined
}

# One pass has all that this PMU can count; what it lacks makes no other one.
lacks_make_no_passes() {
	pmuscope topdown -M ipc,branch_mpki,l1d_cache_mpki,l2_cache_mpki,ll_cache_read_mpki,itlb_mpki,dtlb_mpki \
		-x, -o $out -- /live/exact/turns 2>/tmp/err
	cat /tmp/err
	same 'running percentage of ipc' "$(metric ipc 14)" 100
	same 'what is said of passes' "$(cat /tmp/err)" ''
}

the_table_says_measured() {
	pmuscope topdown -- /live/exact/loop >/tmp/table 2>&1
	cat /tmp/table
	grep -qi measured /tmp/table
	! grep -qi modelled /tmp/table
}


# A hypervisor may list what it does not count: here all but what the emulator counts reads 0. What a trial makes
# happen on any core is not there then, and of the others a 0 is no number.
what_is_listed_and_stays_0_is_undefined() {
	mkdir -p /tmp/events
	cp $pmu/events/* /tmp/events
	for event in l1d_cache_refill:0x03 l1d_cache:0x04 br_mis_pred:0x10 br_pred:0x12 inst_spec:0x1b \
		br_retired:0x21 br_mis_pred_retired:0x22 l1d_tlb:0x25 l2d_tlb_refill:0x2d dtlb_walk:0x34 \
		ll_cache_miss_rd:0x37; do
		echo "event=${event#*:}" >/tmp/events/${event%:*}
	done
	mount -o bind /tmp/events $pmu/events
	pmuscope topdown -j -o /tmp/all.json -- /live/exact/turns
	pmuscope topdown -x, -o $out -- /live/exact/turns 2>/tmp/err
	umount $pmu/events
	cat /tmp/err
	grep '^metric\|^# [uf]' $out
	for name in branch_mpki l1d_cache_mpki dtlb_mpki frontend_stalled_cycles; do
		same "state of $name" "$(metric $name 13)" undefined
	done
	within ipc "$(metric ipc 9)" 0.9 1.1
	same 'zeros' "$(awk -F, '$1 == "metric" && $9 == "0"' $out)" ''
	grep '^# undefined: branch_mpki.*in a trial' $out
	grep '"findings": \[\]' /tmp/all.json
}

doctor_finds_the_pmu() {
	pmuscope doctor >/tmp/doctor
	cat /tmp/doctor
	grep -q '^ok  *Hardware counters: armv8_pmuv3' /tmp/doctor
}

try 'the core is known and measured' the_core_is_known_and_measured
try 'cycles are instructions' cycles_are_instructions
try 'what the PMU lacks is undefined' what_the_pmu_lacks_is_undefined
try 'what reads 0 is doubted' what_reads_0_is_doubted
try 'what is listed and stays 0 is undefined' what_is_listed_and_stays_0_is_undefined
try 'lacks make no passes' lacks_make_no_passes
try 'the table says measured' the_table_says_measured
try 'doctor finds the PMU' doctor_finds_the_pmu

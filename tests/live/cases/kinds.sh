# SPDX-License-Identifier: MIT
# Cores of two kinds. The emulator has none such, so /sys is made to say that CPUs 2 and 3 are Neoverse V1 with a
# PMU of their own; both PMUs are the machine's.
type=$(cat $pmu/type)
devices=/tmp/devices
for kind in 0:0-1 1:2-3; do
	mkdir -p $devices/armv8_pmuv3_${kind%:*}/events
	echo "$type" >$devices/armv8_pmuv3_${kind%:*}/type
	echo "${kind#*:}" >$devices/armv8_pmuv3_${kind%:*}/cpus
	cp $pmu/events/* $devices/armv8_pmuv3_${kind%:*}/events
done
mount -o bind $devices /sys/bus/event_source/devices
echo 0x00000000411fd401 >/tmp/midr
for cpu in 2 3; do
	mount -o bind /tmp/midr /sys/devices/system/cpu/cpu$cpu/regs/identification/midr_el1
done

# part CPU FILE: the report of a CPU's catalog, of those in a CSV file
part() {
	awk -v cpu="$1" '/^# catalog: / { on = index($0, cpu) } on' "$2"
}

each_kind_has_its_report_in_a_file() {
	measure -a -A --save /tmp/s.pms -e CPU_CYCLES -- sleep 1 2>/tmp/err
	cat /tmp/err /tmp/out.csv
	part neoverse-n1 /tmp/out.csv >/tmp/n1.csv
	part neoverse-v1 /tmp/out.csv >/tmp/v1.csv
	for kind in n1:0:1 v1:2:3; do
		file=/tmp/${kind%%:*}.csv cpus=${kind#*:}
		same "CPUs in the report of ${kind%%:*}" \
			"$(awk -F, '$1 == "event" && $3 != "" { print $3 }' "$file" | tr '\n' ' ')" \
			"${cpus%:*} ${cpus#*:} "
		within "cycles in the report of ${kind%%:*}" \
			"$(awk -F, '$1 == "event" && $3 == "" { print $9 }' "$file")" 2000000000 2300000000
	done
}

# By the last test: a file each, which holds what was shown.
each_kind_has_its_session() {
	grep -q 'saved to /tmp/s-neoverse-v1.pms' /tmp/err
	[ ! -e /tmp/s.pms ]
	for kind in n1 v1; do
		pmuscope report -x, /tmp/s-neoverse-$kind.pms >/tmp/report.csv
		grep '^event' /tmp/$kind.csv >/tmp/a
		grep '^event' /tmp/report.csv >/tmp/b
		cmp /tmp/a /tmp/b
	done
}

intervals_say_which_kind() {
	pmuscope stat -a -I 500 --timeout 1100 --save /tmp/i.pms -e CPU_CYCLES >/tmp/lines 2>&1
	cat /tmp/lines
	for kind in n1 v1; do
		same "lines of $kind" "$(grep -c "^ *[0-9.]*  neoverse-$kind  *[0-9]" /tmp/lines)" 3
		pmuscope report -j /tmp/i-neoverse-$kind.pms >/tmp/rows
		same "intervals of $kind" "$(grep -c '"time"' /tmp/rows)" 3
	done
	pmuscope stat -a -I 500 --timeout 1100 -x, -o /tmp/i.csv -e CPU_CYCLES
	same 'catalogs named' "$(grep -c '^# catalog: neoverse-[nv]1' /tmp/i.csv)" 6
}

a_program_has_a_report_of_each() {
	pmuscope topdown -o /tmp/both.txt -- /live/exact/turns
	cat /tmp/both.txt
	same 'reports' "$(grep -c '^Neoverse [NV]1, measured' /tmp/both.txt)" 2
}

# Neoverse N1 has no events of slots; V1's are not among the emulator's either, which is another reason.
an_event_of_one_kind_is_not_counted_on_the_other() {
	measure -a --save /tmp/e.pms -e STALL_SLOT,CPU_CYCLES -- sleep 1 2>/tmp/err
	cat /tmp/err /tmp/out.csv
	pmuscope report -x, /tmp/e-neoverse-n1.pms >/tmp/e.csv
	part neoverse-n1 /tmp/out.csv | grep '^event' >/tmp/n1.csv
	part neoverse-v1 /tmp/out.csv | grep '^event' >/tmp/v1.csv
	grep '^event' /tmp/e.csv | cmp - /tmp/n1.csv
	for kind in n1 v1; do
		same "STALL_SLOT of $kind" "$(awk -F, '$8 == "STALL_SLOT" { print $9 $13 }' /tmp/$kind.csv)" not_supported
		within "cycles of $kind" "$(awk -F, '$8 == "CPU_CYCLES" { print $9 }' /tmp/$kind.csv)" 2000000000 2300000000
	done
	pmuscope stat -a -o /tmp/table -e STALL_SLOT,CPU_CYCLES -- sleep 0.1
	cat /tmp/table
	grep -q 'Neoverse N1 cores have no such event' /tmp/table
	# By its code, which one of the two has a name for.
	pmuscope stat -a -x, -o /tmp/out.csv -e r3f -- true
	same 'reports of it' "$(grep -c '^event,,,,,,,STALL_SLOT,' /tmp/out.csv)" 2
	! pmuscope stat -a -e STALL_SLOTH -- true 2>/tmp/err
	cat /tmp/err
	grep -q 'has no event STALL_SLOTH' /tmp/err
}

# frontend_bound is V1's alone, ipc is of both.
a_metric_of_one_kind_is_measured_there() {
	measure -a --save /tmp/m.pms -M frontend_bound,ipc -- sleep 0.2 2>/tmp/err
	cat /tmp/err /tmp/out.csv
	part neoverse-n1 /tmp/out.csv | grep '^metric' >/tmp/n1.csv
	same 'metrics of n1' "$(awk -F, '{ print $8 }' /tmp/n1.csv | tr '\n' ' ')" 'ipc '
	same 'metrics of v1' "$(part neoverse-v1 /tmp/out.csv | awk -F, '$1 == "metric" { print $8 }' | sort | tr '\n' ' ')" \
		'frontend_bound ipc '
	pmuscope report -x, /tmp/m-neoverse-n1.pms | grep '^metric' | cmp - /tmp/n1.csv
	measure -a -M frontend_bound -- true 2>/tmp/err
	cat /tmp/err
	grep -q 'CPUs of PMU armv8_pmuv3_0 are not measured: Neoverse N1 has none of these metrics' /tmp/err
	same 'reports' "$(grep -c '^# catalog: ' /tmp/out.csv)" 1
	! pmuscope stat -a -M frontend_bounds -- true 2>/tmp/err
	cat /tmp/err
	grep -q 'frontend_bounds' /tmp/err
}

one_kind_is_chosen() {
	measure -a -A --mcpu neoverse-v1 --save /tmp/one.pms -e CPU_CYCLES -- sleep 1
	cat /tmp/out.csv
	same 'CPUs' "$(awk -F, '$1 == "event" && $3 != "" { print $3 }' /tmp/out.csv | tr '\n' ' ')" '2 3 '
	[ -e /tmp/one.pms ]
}

# CPU 2, the first of its kind, tells nothing when it is offline; CPU 3 does.
any_cpu_of_a_kind_tells_it() {
	umount /sys/devices/system/cpu/cpu2/regs/identification/midr_el1
	echo 0 >/sys/devices/system/cpu/cpu2/online
	[ ! -e /sys/devices/system/cpu/cpu2/regs/identification/midr_el1 ]
	measure -a -A -e CPU_CYCLES -- sleep 0.1 2>/tmp/err
	cat /tmp/err /tmp/out.csv
	part neoverse-v1 /tmp/out.csv >/tmp/v1.csv
	same CPUs "$(awk -F, '$1 == "event" && $3 != "" { print $3 }' /tmp/v1.csv | tr '\n' ' ')" '3 '
	! grep -q 'not a Neoverse' /tmp/err
}

try 'each kind has its report in a file' each_kind_has_its_report_in_a_file
try 'each kind has its session' each_kind_has_its_session
try 'intervals say which kind' intervals_say_which_kind
try 'a program has a report of each' a_program_has_a_report_of_each
try 'an event of one kind is not counted on the other' an_event_of_one_kind_is_not_counted_on_the_other
try 'a metric of one kind is measured there' a_metric_of_one_kind_is_measured_there
try 'one kind is chosen' one_kind_is_chosen
try 'any CPU of a kind tells it' any_cpu_of_a_kind_tells_it

# SPDX-License-Identifier: MIT
# One CPU, whose counters another measurement uses. It has more events than there are counters, so that Linux lets
# its groups take turns, and what is left for others is another number each few milliseconds.
events() {
	printf 'INST_RETIRED:u'
	for event in CPU_CYCLES INST_RETIRED; do
		for mode in u k uk h; do
			printf ',%s:%s' $event $mode
		done
	done
}

counters_found() {
	pmuscope stat -j -e INST_RETIRED -- true 2>&1 | sed -n 's/.*"counters_available": *\([0-9]*\).*/\1/p'
}

# While others take turns, a trial waits for its own.
the_same_counters_are_found_each_time() {
	pmuscope stat -C 0 --multiplex -e "$(events)" -o /tmp/others --timeout 60000 &
	others=$!
	sleep 0.1
	found=
	for i in 1 2 3 5; do
		found="$found $(counters_found)"
		sleep 0.00$i
	done
	kill $others
	wait $others || :
	echo "found:$found"
	same 'kinds of answers' "$(printf '%s\n' $found | sort -u | wc -l)" 1
}

# A group has all its counters or none, and cycles have a counter of their own.
cycles_are_counted_where_no_other_counter_is_free() {
	hog 6 >/tmp/held &
	hog=$!
	until grep -qs held /tmp/held; do sleep 0.01; done
	measure -e INST_RETIRED:u,CPU_CYCLES -- /live/exact/turns 2>/tmp/err
	counters_found >/tmp/found
	kill $hog
	cat /tmp/err /tmp/out.csv /tmp/found
	within cycles "$(value CPU_CYCLES)" "$(expected turns INST_RETIRED)" 1000000000
	within 'running percentage of cycles' "$(value CPU_CYCLES '' '' 14)" 5 100
	same 'instructions' "$(value INST_RETIRED:u)$(value INST_RETIRED:u '' '' 13)" not_counted
	grep -q 'others have all counters of the PMU' /tmp/err
}

# One less: it is free for whoever measures.
what_is_free_is_found() {
	hog 5 >/tmp/held &
	hog=$!
	until grep -qs held /tmp/held; do sleep 0.01; done
	counters_found >/tmp/found
	kill $hog
	same 'counters' "$(cat /tmp/found)" 1
}

try 'the same counters are found each time' the_same_counters_are_found_each_time
try 'cycles are counted where no other counter is free' cycles_are_counted_where_no_other_counter_is_free
try 'what is free is found' what_is_free_is_found

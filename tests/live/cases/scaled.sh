# SPDX-License-Identifier: MIT
# More events than counters: what passes take turns for is shown scaled up.
many() {
	for event in CPU_CYCLES INST_RETIRED; do
		for modes in '' :k :uk :uh :kh :ukh; do
			printf ',%s%s' $event "$modes"
		done
	done
}
events=INST_RETIRED:u$(many)
want=$(expected turns INST_RETIRED)

# What is shown is the whole of the program, and the interval has its true length. Of half of it, as a counter read
# it, nothing would.
a_count_is_of_all_of_the_time() {
	measure --multiplex -e "$events" -- /live/exact/turns
	grep INST_RETIRED /tmp/out.csv
	same state "$(value INST_RETIRED:u '' '' 13)" scaled
	within 'running percentage' "$(value INST_RETIRED:u '' '' 14)" 1 99
	within instructions "$(value INST_RETIRED:u)" $((want * 8 / 10)) $((want * 12 / 10))
	within 'low end' "$(value INST_RETIRED:u '' '' 11)" 1 "$want"
	high=$(value INST_RETIRED:u '' '' 12) # it has none where there were too few turns
	within 'high end' "${high:-$want}" "$want" 1e12
}

every_format_shows_the_same() {
	pmuscope stat --multiplex -e "$events" --save /tmp/s.pms -x, -o /tmp/out.csv -- /live/exact/turns
	count=$(value INST_RETIRED:u)
	pmuscope report -j /tmp/s.pms >/tmp/json
	pmuscope report -x, /tmp/s.pms | grep '^event,,,,,,,INST_RETIRED:u,' >/tmp/row
	cat /tmp/row
	grep -A4 '"name": "INST_RETIRED:u"' /tmp/json
	grep -A3 '"name": "INST_RETIRED:u"' /tmp/json | grep -q "\"count\": $count,"
	grep -A4 '"name": "INST_RETIRED:u"' /tmp/json | grep -q '"raw": '
	same 'count in the session' "$(cut -d, -f9 /tmp/row)" "$count"
}

repeated_runs_are_scaled_too() {
	measure -r 2 --multiplex -e "$events" -- /live/exact/turns
	grep INST_RETIRED:u, /tmp/out.csv
	# What was not seen was not always like what was. Half of it, as counters read it, would be less.
	within instructions "$(value INST_RETIRED:u)" $((want * 7 / 10)) $((want * 13 / 10))
	within 'low end' "$(value INST_RETIRED:u '' '' 11)" 0 "$want"
	high=$(value INST_RETIRED:u '' '' 12)
	within 'high end' "${high:-$want}" "$want" 1e12
}

# A run for each pass needs no scaling.
runs_of_their_own_are_exact() {
	measure --multirun -e "$events" -- /live/exact/turns
	grep INST_RETIRED:u, /tmp/out.csv
	same instructions "$(value INST_RETIRED:u)" "$want"
	same state "$(value INST_RETIRED:u '' '' 13)" counted
}

try 'a count is of all of the time' a_count_is_of_all_of_the_time
try 'every format shows the same' every_format_shows_the_same
try 'repeated runs are scaled, too' repeated_runs_are_scaled_too
try 'runs of their own are exact' runs_of_their_own_are_exact

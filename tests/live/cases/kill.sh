# SPDX-License-Identifier: MIT
# A session that is saved interval by interval is whole up to the last one, whenever pmuscope is killed.
intervals_outlive_kill_9() {
	for after in 1.1 1.7 2.3; do
		rm -f /tmp/s.pms*
		measure -a -I 100 --save /tmp/s.pms -e CPU_CYCLES,INST_RETIRED &
		pmuscope=$!
		sleep $after
		kill -9 $pmuscope
		wait $pmuscope || :
		ls -l /tmp/s.pms*
		same 'mode' "$(stat -c %a /tmp/s.pms)" 600
		pmuscope report -x, -o /tmp/report.csv /tmp/s.pms
		n=$(awk -F, '$1 == "event" && $8 == "CPU_CYCLES" && $2 != "" && $9 > 0' /tmp/report.csv | wc -l)
		last=$(awk -F, '$1 == "event" && $2 != "" { t = $2 } END { print t }' /tmp/report.csv)
		echo "killed after $after s: $n intervals, the last at $last s"
		within 'intervals that are there' "$n" 2 23
		within 'the last' "$last" $(awk "BEGIN { print $n * 0.1 - 0.02, $n * 0.1 + 0.05 }")
	done
}

try 'intervals outlive kill -9' intervals_outlive_kill_9

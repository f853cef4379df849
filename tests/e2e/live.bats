#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Measuring with perf_event_open(2), on events that Linux counts without a PMU: every machine has
# them. What the counts of a PMU come to is for test-live to see, on an emulated one.

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR"
	# A container may forbid the call altogether.
	"$PMUSCOPE" stat --source perf -e page-faults -- true >/dev/null 2>out ||
		skip "perf_event_open is not to be had here: $(head -1 out)"
}

live() {
	run -0 "$PMUSCOPE" stat --source perf -j -o out.json "$@"
}

@test "a command's faults are counted from exec on, and its status is passed through" {
	run -7 "$PMUSCOPE" stat --source perf -j -o out.json -e page-faults,task-clock -- sh -c 'exit 7'
	holds out.json 'r["source"] == "perf" and not r["modelled"] and r["exit_status"] == 7'
	holds out.json 'events["page-faults"] > 10 and events["task-clock"] > 10000'
	run -143 "$PMUSCOPE" stat --source perf -e page-faults -- sh -c 'kill -TERM $$'
	run -127 "$PMUSCOPE" stat --source perf -e page-faults -- ./none
	run -126 "$PMUSCOPE" stat --source perf -e page-faults -- /etc/passwd
}

@test "an event that the machine lacks has no value, and the run goes on" {
	# No PMU has this one.
	run -0 "$PMUSCOPE" stat --source perf -j -o out.json -e page-faults,r3fffffff -- true
	holds out.json 'events["page-faults"] > 10'
	holds out.json 'r["events"][1]["state"] in ("not_supported", "not_counted")' ||
		holds out.json 'events["r3fffffff"] == 0'
}

@test "intervals: a JSON object a line, each with its time, and nothing lost between them" {
	run -0 "$PMUSCOPE" stat --source perf -j -I 50 -o out.json -e task-clock --save s.pms -- \
		sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; sleep 0.12'
	run -0 python3 -c '
import json
rows = [json.loads(line) for line in open("out.json")]
times = [r["time"] for r in rows]
assert len(rows) >= 4 and times == sorted(times), times
assert all(0.01 < b - a < 0.2 for a, b in zip(times, times[1:-1])), times
print(sum(r["events"][0]["count"] for r in rows))'
	sum=$output
	run -0 "$PMUSCOPE" report -j -o saved.json s.pms
	diff out.json saved.json
	run -0 "$PMUSCOPE" report s.pms
	[ "$(sed -n 's/ *task-clock .*//p' <<<"$output" | tr -d ,)" = "$sum" ]
}

@test "a session outlives kill -9 up to the last interval, and says that it was cut off" {
	"$PMUSCOPE" stat --source perf -j -I 20 -o out.json -e page-faults --save s.pms -- sleep 1 3>&- &
	pmuscope=$!
	sleep 0.5
	kill -9 $pmuscope
	! wait $pmuscope
	[ "$(stat -c %a s.pms)" = 600 ]
	run -0 --separate-stderr "$PMUSCOPE" report -j s.pms
	shown=$(wc -l <out.json) saved=${#lines[@]}
	# The interval in flight may be in one and not in the other.
	[ $saved -ge 10 ] && [ $((shown - saved)) -le 1 ] && [ $((saved - shown)) -le 1 ]
	run -0 "$PMUSCOPE" report s.pms
	[[ $output == *"was cut off"* ]]
}

@test "everything on each CPU, told apart" {
	"$PMUSCOPE" stat -a -e cpu-clock -- true 2>/dev/null || skip "CPUs may not be measured here"
	live -a -A -e cpu-clock -- sleep 0.1
	holds out.json 'len(r["scopes"]) == len([s for s in r["scopes"] if "cpu" in s])'
	holds out.json 'sum(s["events"][0]["count"] for s in r["scopes"]) == events["cpu-clock"]'
	holds out.json 'all(0.09e9 < s["events"][0]["count"] < 0.5e9 for s in r["scopes"])'
}

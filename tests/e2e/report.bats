#!/usr/bin/env bats
# SPDX-License-Identifier: MIT The reports of topdown and stat on a real run, in each format and for
# each selection.

load helpers

program=$EXACT/fib

setup() {
	report=$BATS_TEST_TMPDIR/report
}

@test "the report goes to standard error, or to the file" {
	run -0 --separate-stderr "$PMUSCOPE" topdown -- "$program"
	[ -z "$output" ]
	[[ "$stderr" == *"Where the pipeline slots went"* ]]
	run -0 --separate-stderr "$PMUSCOPE" topdown -o "$report" -- "$program"
	[ -z "$output" ]
	[ -z "$stderr" ]
	grep -q "Where the pipeline slots went" "$report"
}

@test "every format says modelled, which core and which model" {
	for format in table json csv; do
		for command in topdown stat; do
			"$PMUSCOPE" $command --format $format -o "$report" -- "$program" one "two words"
			grep -Eq 'Neoverse V1, modelled \(core model [^)]+\), not measured' "$report"
			grep -q 'two words' "$report"
		done
	done
}

@test "the table keeps to 80 columns in a pipe, has no colours there, and can do with ASCII" {
	for command in topdown stat; do
		"$PMUSCOPE" $command -- "$program" 2>&1 | grep -v '^Command: ' >"$report"
		[ -z "$(LC_ALL=C.UTF-8 grep -E '.{81}|'$'\033' "$report")" ]
		LC_ALL=C "$PMUSCOPE" $command -- "$program" 2>"$report"
		[ -s "$report" ]
		[ -z "$(LC_ALL=C grep -P '[^ -~]' "$report")" ]
	done
}

@test "the findings stand at the end, each with its path, numbers and advice" {
	"$PMUSCOPE" topdown -o "$report" -- "$EXAMPLES/chase"
	grep -q '^Finding 1 (' "$report"
	for part in path numbers advice source; do
		[ "$(grep -c "^  $part  " "$report")" -eq "$(grep -c '^Finding ' "$report")" ]
	done
	[ "$(grep -c '^Finding ' "$report")" -le 3 ]
}

@test "--all shows every group of metrics" {
	"$PMUSCOPE" topdown --all -o "$report" -- "$program"
	# A title stands alone in its row; a group of two nodes also has a reference.
	"$PMUSCOPE" list groups -j | python3 -c '
import json, sys
print(*(g["title"] for g in json.load(sys.stdin) if g["stage"] == 2), sep="\n")' |
		while read -r title; do
			grep -q "$title" "$report" || { echo "missing: $title"; return 1; }
		done
}

@test "JSON has the documented keys" {
	"$PMUSCOPE" topdown -j --per-thread -o "$report" -- "$program"
	holds "$report" '{"pmuscope", "catalog", "source", "modelled", "command", "slots_per_cycle",
		"counters_available", "events", "metrics", "findings", "warnings", "scopes"} <= r.keys()'
	holds "$report" 'r["source"] == "vcore" and r["modelled"] is True and r["slots_per_cycle"] == 8'
	holds "$report" 'r["counters_available"] == 6 and r["catalog"]["name"] == "neoverse-v1"'
	holds "$report" 'all({"name", "code", "count", "enabled_ns", "running_ns"} <= e.keys()
		for e in r["events"])'
	holds "$report" 'all({"name", "group", "stage", "level", "value", "units", "low", "high", "state",
		"run_pct"} <= m.keys() for m in r["metrics"])'
	holds "$report" 'r["run"] == {"instructions": events["INST_RETIRED"], "cycles": events["CPU_CYCLES"],
		"ipc": metrics["ipc"], "threads": 1, "longest_thread_cycles": events["CPU_CYCLES"]}'
	holds "$report" '{m["state"] for m in r["metrics"]} <= {"complete", "undefined"}'
	holds "$report" 'all(("because" in m) == (m["value"] is None) for m in r["metrics"])'
	holds "$report" 'all({"node", "path", "value", "severity", "advice", "evidence"} <= f.keys()
		for f in r["findings"]) and 1 <= len(r["findings"]) <= 3'
	holds "$report" '[s["thread"] for s in r["scopes"]] == [1]'
	holds "$report" 'r["scopes"][0]["metrics"] == r["metrics"]'
}

@test "CSV has the documented columns, with any separator" {
	for separator in ',' ';' '\t'; do
		"$PMUSCOPE" stat -x "$separator" --per-thread -o "$report" -- "$program"
		python3 - "$report" "$separator" <<-'END'
			import csv, sys
			lines = open(sys.argv[1], newline="").read().split("\n")
			first = next(i for i, l in enumerate(lines) if not l.startswith("#"))
			rows = list(csv.reader(lines[first:-1], delimiter=sys.argv[2].replace("\\t", "\t")))
			assert rows[0] == ("kind time cpu thread group stage level name value units low high "
			                   "state run_pct of_hardly_any").split(), rows[0]
			assert not any(l.startswith("#") for l in lines[first:])
			assert all(len(r) == 15 for r in rows)
			assert {r[0] for r in rows[1:]} == {"event", "metric"}
			assert {r[3] for r in rows[1:]} == {"", "1"}
			for r in rows[1:]:
			    assert (r[8] == "") == (r[12] not in ("counted", "complete", "scaled")), r
		END
	done
}

@test "every key and column is in the documentation" {
	"$PMUSCOPE" topdown -j --per-thread -o "$report.json" -- "$program"
	"$PMUSCOPE" topdown -x , -o "$report.csv" -- "$program"
	python3 - "$report.json" "$report.csv" "$SOURCE/docs/use/formats.md" <<-'END'
		import json, re, sys
		def keys(node):
		    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
		        yield from keys(inner)
		    yield from node if isinstance(node, dict) else ()
		told = set(re.findall(r"`([a-z_ ]+)`", open(sys.argv[3]).read()))
		csv = open(sys.argv[2]).read()
		have = set(keys(json.load(open(sys.argv[1]))))
		have |= set(re.search(r"^kind,.*", csv, re.M)[0].split(","))
		have |= set(re.findall(r"^# ([a-z ]+): ", csv, re.M))
		assert have <= told, have - told
	END
}

@test "the formats agree" {
	"$PMUSCOPE" topdown -j -o "$report.json" -- "$program"
	"$PMUSCOPE" topdown -x , -o "$report.csv" -- "$program"
	python3 - "$report.json" "$report.csv" <<-'END'
		import csv, json, sys
		j = json.load(open(sys.argv[1]))
		rows = csv.reader(l for l in open(sys.argv[2], newline="") if not l.startswith("#"))
		next(rows)
		fields = lambda x: "" if x is None else x
		want = [("event", e["name"], fields(e["count"])) for e in j["events"]]
		want += [("metric", m["name"], fields(m["value"])) for m in j["metrics"]]
		got = [(r[0], r[7], r[8] and (int(r[8]) if r[0] == "event" else float(r[8]))) for r in rows]
		assert got == want
	END
}

@test "stat shows counts first, then metrics" {
	"$PMUSCOPE" stat -o "$report" -- "$program"
	[ "$(grep -n ' INST_RETIRED ' "$report" | cut -d: -f1)" -lt \
		"$(grep -n 'Where the pipeline slots went' "$report" | cut -d: -f1)" ]
}

@test "-e alone gives those counts and the metrics that they give" {
	"$PMUSCOPE" stat -j -e CPU_CYCLES,INST_RETIRED -e BR_RETIRED -o "$report" -- "$program"
	holds "$report" 'list(events) == ["CPU_CYCLES", "INST_RETIRED", "BR_RETIRED"]'
	holds "$report" 'list(metrics) == ["ipc"]'
	holds "$report" 'metrics["ipc"] == events["INST_RETIRED"] / events["CPU_CYCLES"]'
	"$PMUSCOPE" stat -j -e br_retired -o "$report" -- "$program"
	holds "$report" 'list(events) == ["BR_RETIRED"] and not metrics and not r["findings"]'
}

@test "-M alone gives those metrics and their counts" {
	"$PMUSCOPE" stat -j -M ipc,Branch_Effectiveness -o "$report" -- "$program"
	holds "$report" 'set(metrics) == {"ipc", "branch_mpki", "branch_misprediction_ratio"}'
	holds "$report" 'set(events) == {"INST_RETIRED", "CPU_CYCLES", "BR_MIS_PRED_RETIRED", "BR_RETIRED"}'
	"$PMUSCOPE" stat -j -e CPU_CYCLES -M ipc -o "$report" -- "$program"
	holds "$report" 'list(events) == ["CPU_CYCLES"] and list(metrics) == ["ipc"]'
}

@test "what is not modelled is undefined, with the reason" {
	"$PMUSCOPE" stat -j -o "$report" -- "$program"
	holds "$report" 'all(e["because"] for e in r["events"] if e["count"] is None)'
	event=$(report "$report" 'next(e["name"] for e in r["events"] if e["state"] == "not_modelled")')
	"$PMUSCOPE" stat -e "$event" -o "$report" -- "$program"
	grep -Eq "^ *— +$event +.*\[1\]$" "$report"
	grep -q '^\[1\] ' "$report"
}

@test "a specification of the modelled core gives the same metrics as its folder" {
	"$PMUSCOPE" topdown -j -o "$report.folder" -- "$program"
	"$PMUSCOPE" topdown -j -o "$report.file" --spec "$SOURCE/cpus/neoverse-v1/telemetry.json" -- "$program"
	python3 - "$report.folder" "$report.file" <<-'END'
		import json, sys
		folder, file = (json.load(open(f)) for f in sys.argv[1:])
		for metric in folder["metrics"] + file["metrics"]: del metric["caveats"] # a file has none
		assert folder["metrics"] == file["metrics"] and folder["events"] == file["events"]
		assert any(m["value"] for m in file["metrics"])
	END
	run -2 --separate-stderr "$PMUSCOPE" topdown --spec "$SOURCE/tests/data/specs/neoverse-n2.json" -- "$program"
	[[ "$stderr" == *"there is no core model of neoverse-n2"*"neoverse-v1"* ]]
}

@test "caveats stand beside the metrics whose events have them" {
	run -0 --separate-stderr "$PMUSCOPE" stat -M l1d_cache_mpki -- "$program"
	[[ "$stderr" =~ "L1D Cache MPKI"[^$'\n']*\[a,\ b\] ]]
	[[ "$stderr" == *"[a] L1D_CACHE_REFILL"* ]]
	"$PMUSCOPE" stat -j -M l1d_cache_mpki,ipc -o "$report" -- "$program"
	python3 - "$report" <<-'END'
		import json, sys
		r = json.load(open(sys.argv[1]))
		ids = {c["id"]: c for c in r["caveats"]}
		metrics = {m["name"]: m["caveats"] for m in r["metrics"]}
		assert metrics["ipc"] == [] and len(metrics["l1d_cache_mpki"]) == 2
		assert all("L1D_CACHE_REFILL" in ids[i]["events"] for i in metrics["l1d_cache_mpki"])
		assert set(ids) == set(metrics["l1d_cache_mpki"])
	END
}

@test "the example of the library prints Stage 1 as topdown has it, of a run and of its session" {
	cd "$BATS_TEST_TMPDIR"
	# The plugin is looked for beside the program that wants it.
	cp "$EXAMPLES/stage1" .
	ln -s "$(dirname "$PMUSCOPE")/pmuscope-vcore.so" .
	[ "$(wc -l <"$SOURCE/examples/stage1.c")" -lt 60 ]
	"$PMUSCOPE" topdown -j -o "$report" --save run.pms -- "$program"
	run -0 ./stage1 "$program"
	ran=$output
	run -0 ./stage1 -f run.pms
	[ "$output" = "$ran" ]
	python3 -c '
import json, sys
rows = [line.split() for line in sys.argv[2].splitlines()]
report = json.load(open(sys.argv[1]))
want = [(m["name"], m["value"]) for m in report["metrics"] if m["stage"] == 1]
assert len(want) >= 4 and len(rows) == len(want), (rows, want)
for row, (name, value) in zip(rows, want):
    assert row[0] == name and (value is None or abs(float(row[1]) - value) <= 0.006), (row, name, value)
' "$report" "$ran"
	run -1 ./stage1
	[[ $output == *"no program to run is named"* ]]
}

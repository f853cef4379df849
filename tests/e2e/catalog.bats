#!/usr/bin/env bats
# SPDX-License-Identifier: MIT Catalogs: lists of a CPU's events and metrics, and specifications
# from elsewhere. Nothing here needs QEMU.

load helpers

specs=$SOURCE/tests/data/specs

# fails_with STATUS TEXT ARGUMENT...: exits so, with TEXT on standard error and nothing on the other.
fails_with() {
	local status_wanted=$1 text=$2
	shift 2
	run "-$status_wanted" --separate-stderr "$PMUSCOPE" "$@"
	echo "stderr: $stderr"
	[ -z "$output" ]
	[[ "$stderr" == *"$text"* ]]
}

@test "a published specification is listed wholly, as it is" {
	for name in n2 v2; do
		for list in events metrics groups tree; do
			run -0 --separate-stderr "$PMUSCOPE" list $list -j --spec "$specs/neoverse-$name.json"
			[ -z "$stderr" ]
			python3 -c '
import json, sys
spec, got = json.load(open(sys.argv[1])), json.loads(sys.argv[2])
what = sys.argv[3]
names = [row["name"] for row in got]
if what in ("events", "metrics"):
    assert names == list(spec[what])
if what == "metrics":
    for row in got:
        assert row["formula"] == spec[what][row["name"]]["formula"]
        assert sorted(row["events"]) == sorted(spec[what][row["name"]]["events"]), row
if what == "groups":
    assert names == [*spec[what]["function"], *spec[what]["metrics"]]
' "$specs/neoverse-$name.json" "$output" $list
		done
	done
}

@test "keys that are not known are said once and kept" {
	sed '0,/"events": {/s//"events_of_2030": 1, "events": {/; s/"units": "MPKI"/"unit_of": 1, &/' \
		"$specs/neoverse-n2.json" >"$BATS_TEST_TMPDIR/spec.json"
	mpki=$(grep -c '"unit_of"' "$BATS_TEST_TMPDIR/spec.json")
	run -0 --separate-stderr "$PMUSCOPE" list events --spec "$BATS_TEST_TMPDIR/spec.json"
	[ "$stderr" = "pmuscope: $BATS_TEST_TMPDIR/spec.json: note: key events_of_2030 is not of the layout (and $mpki more); describe shows it" ]
	[ "${#lines[@]}" -gt 155 ]
	run -0 --separate-stderr "$PMUSCOPE" describe branch_mpki neoverse-n2 --spec "$BATS_TEST_TMPDIR/spec.json"
	[[ "$output" == *"  other      unit_of: 1"* && "$output" == *"  other      events_of_2030: 1"* ]]
	run -0 --separate-stderr "$PMUSCOPE" describe branch_mpki -j --spec "$BATS_TEST_TMPDIR/spec.json"
	[[ "$output" == *'"unit_of": 1'* ]]
}

@test "a specification that is not one is named with the place and what was expected" {
	cd "$BATS_TEST_TMPDIR"
	printf '{"product_configuration": {\n "product_name": "X", "num_slots": "8"}}' >spec.json
	fails_with 2 'spec.json:2:36: product_configuration.num_slots: must be a whole number, not a string' \
		list events --spec spec.json
	printf '{' >spec.json
	fails_with 2 'spec.json:1:' list events --spec spec.json
	fails_with 2 'none.json: No such file' list events --spec none.json
	fails_with 2 '.: ' list events --spec .
	fails_with 2 'spec.json:1:' topdown --source vcore --spec spec.json -- prog
}

# A tree of the shapes that published ones have: a node that nothing leads to, and one that both the root and a node below it name.
# $1: the name of one event in a formula.
odd_core() {
	python3 -c '
import json, sys
def metric(formula): return {"title": "T", "description": "D", "units": "percent of cycles", "formula": formula}
def node(name, *to): return {"name": name, "group": "Top", "next_items": to}
parts = ["back", "core", "interlock", "mem", "cache", "busy"]
events = ["CYCLES", *(part.upper() for part in parts)]
metrics = {part: metric(f"100 * {part.upper()} / CYCLES") for part in parts}
metrics["cache"] = metric(f"100 * {sys.argv[1]} / CYCLES")
json.dump({"document": {}, "product_configuration": {"product_name": "Odd Core", "num_slots": 4},
    "events": {name: {"code": code} for code, name in enumerate(events, 1)}, "metrics": metrics,
    "groups": {"metrics": {"Top": {"title": "Top", "description": "", "metrics": parts}}},
    "methodologies": {"m": {"metric_grouping": {"stage_1": ["Top"]}, "decision_tree": {"root_nodes": ["back"],
        "metrics": [node("busy"), node("back", "core", "mem"), node("core", "interlock"), node("interlock", "mem"),
                    node("mem", "cache"), node("cache")]}}}}, sys.stdout)
' "$1"
}

@test "what a methodology gets wrong is said, and costs no number" {
	cd "$BATS_TEST_TMPDIR"
	odd_core CACHE >odd.json
	printf '%s,,%s,1000,100.00,,\n' 1000 CYCLES 600 BACK 200 CORE 150 INTERLOCK 400 MEM 380 CACHE 50 BUSY >counts.csv
	local tree='methodologies.m.decision_tree.metrics'
	for command in "list tree" "list metrics -j" "describe busy" "plan" "report counts.csv" "check counts.csv"; do
		run -0 --separate-stderr "$PMUSCOPE" $command --spec odd.json
		[ "${stderr_lines[0]}" = "pmuscope: odd.json: warning: $tree[3].next_items[0]: \"mem\" is reached a second time, and is passed over (and 1 more); pmuscope lint odd.json explains" ]
	done
	"$PMUSCOPE" list tree -j --spec odd.json 2>/dev/null >tree.json
	"$PMUSCOPE" report counts.csv -j --spec odd.json 2>/dev/null >report.json
	python3 -c '
import json
assert [(row["name"], row["level"]) for row in json.load(open("tree.json")) if row["kind"] == "metric"] == [
    ("back", 1), ("core", 2), ("interlock", 3), ("mem", 2), ("cache", 3)]
report = json.load(open("report.json"))
got = {row["name"]: row["value"] for row in report["metrics"]}
assert got == {"back": 60, "core": 20, "interlock": 15, "mem": 40, "cache": 38, "busy": 5}, got
assert report["findings"][0]["path"][-1] == "cache", report["findings"]
'
	run -1 --separate-stderr "$PMUSCOPE" lint odd.json
	[[ "$output" == *"mem is reached a second time"*"busy is a node that nothing leads to"* || \
		"$output" == *"busy is a node that nothing leads to"*"mem is reached a second time"* ]]
	# A name that a number needs must exist.
	odd_core CACHES >odd.json
	fails_with 2 'metrics.cache.formula: column 7: unknown event "CACHES"' list tree --spec odd.json
}

@test "a CPU is named once" {
	fails_with 2 "--mcpu and --spec name two CPUs" list events --mcpu riscv --spec x
}

@test "a CPU that there is none of is met with those there are and --spec" {
	fails_with 2 'no CPU "neoverse-n9"' list events --mcpu neoverse-n9
	[[ "$stderr" == *"neoverse-n1, "*"riscv"*"--spec FILE"* ]]
}

@test "a core of an architecture is named behind it" {
	"$PMUSCOPE" describe cycles.hart --mcpu riscv:sifive-p650 | grep -q 'SiFive P650: 0x165 (perf: r165)'
	"$PMUSCOPE" describe riscv:sifive-p650 --mcpu riscv:sifive-p650 | grep -q '^riscv:sifive-p650: RISC-V (SiFive P650)'
	fails_with 2 'no CPU "sifive-p550"' list events --mcpu sifive-p550
	[[ "$stderr" == *"--mcpu riscv:sifive-p550"* ]]
	fails_with 2 'no core "p550"' list events --mcpu riscv:p550
	[[ "$stderr" == *"there are: andes-ax45, "*"sifive-p550, "* ]]
	fails_with 2 'no core "x"' list events --mcpu neoverse-v1:x
}

# Counts of the V1 methodology paper's table 1, of ten thousand branches; formulas of its section 3.2.3.
@test "kinds of branches are metrics" {
	run -0 "$PMUSCOPE" list metrics '*immed*' --mcpu neoverse-v1
	[[ "$output" == *"BR_IMMED_SPEC / (BR_IMMED_SPEC + BR_INDIRECT_SPEC) * 100"* ]]
	printf '%s,,%s,100,100.00,,\n' 4226 BR_IMMED_SPEC 5774 BR_INDIRECT_SPEC 2888 BR_RETURN_SPEC \
		300 INST_SPEC 200 INST_RETIRED 50 BR_RETIRED 400 MEM_ACCESS 100 DTLB_WALK >"$BATS_TEST_TMPDIR/mix.csv"
	for cpu in neoverse-v1 neoverse-v3; do
		"$PMUSCOPE" report "$BATS_TEST_TMPDIR/mix.csv" --mcpu $cpu -j >"$BATS_TEST_TMPDIR/mix.json"
		holds "$BATS_TEST_TMPDIR/mix.json" '[round(metrics["paper_%s_percentage" % n], 2) for n in
			("immediate_branch", "indirect_branch", "return_branch")] == [42.26, 28.86, 28.88]'
	done
	"$PMUSCOPE" report "$BATS_TEST_TMPDIR/mix.csv" --mcpu neoverse-v1 -j -M Paper_Quotients >"$BATS_TEST_TMPDIR/mix.json"
	holds "$BATS_TEST_TMPDIR/mix.json" 'metrics == {"paper_operations_per_instruction": 1.5,
		"paper_data_walks_per_access": 0.25, "paper_branches_per_instruction": 0.25}'
	# A table has them on request.
	! "$PMUSCOPE" report "$BATS_TEST_TMPDIR/mix.csv" --mcpu neoverse-v1 | grep -q "Return Percentage"
	"$PMUSCOPE" report "$BATS_TEST_TMPDIR/mix.csv" --mcpu neoverse-v1 --all | grep -q "Return Percentage *28.9 %"
	"$PMUSCOPE" report "$BATS_TEST_TMPDIR/mix.csv" --mcpu neoverse-v1 -M Paper_Branch_Mix | grep -q "Return Percentage *28.9 %"
}

@test "names with dots are looked up" {
	"$PMUSCOPE" list events --mcpu riscv | grep -q '^INST.MISPRED.RET$'
	"$PMUSCOPE" list metrics -x ';' --spec "$SOURCE/cpus/riscv/telemetry.json" | grep -q ';INST.RET / CYCLES.HART;'
}

# described NAMES... -- EXPRESSION: a Python expression over d, the list of what was described.
described() {
	local names=()
	while [ "$1" != -- ]; do
		names+=("$1")
		shift
	done
	run -0 --separate-stderr "$PMUSCOPE" describe -j "${names[@]}"
	python3 -c '
import json, sys
d = json.loads(sys.argv[1])["described"]
assert eval("(" + sys.argv[2] + ")"), json.dumps(d, indent=1)' "$output" "$2"
}

@test "an event is described by name in any case, by number, and by its older name" {
	for name in CPU_CYCLES cpu_cycles 0x11 0x0011 r11 R11; do
		described $name -- '[e["name"] for e in d] == ["CPU_CYCLES"] and d[0]["code"] == 0x11'
	done
	described L3_CACHE_RD --mcpu neoverse-n1 -- 'd[0]["name"] == "L3D_CACHE_RD"'
	described inst.ret --mcpu riscv -- 'd[0]["name"] == "INST.RET" and d[0]["code"] is None'
	described 0x102 --mcpu riscv -- 'd[0]["name"] == "CACHE.L1I.RD.CODE.MISS" and
		any(c["core"] == "SiFive P550" and c["code"] == 0x102 for c in d[0]["core_codes"])'
	# A code that several cores use means each core's event; with a core named, only its own.
	described 0x1 --mcpu riscv -- '{"CACHE.L1I.RD.CODE.ACCESS", "CACHE.L1I.RD.CODE.MISS"} == {e["name"] for e in d}'
	described 0x1 --mcpu riscv:thead-c9xx -- '[e["name"] for e in d] == ["CACHE.L1I.RD.CODE.ACCESS"] and
		{c["core"] for c in d[0]["core_codes"]} == {"T-Head C9xx"}'
	described riscv --mcpu riscv -- '{"sifive-u74", "andes-ax45", None} <= {c["name"] for c in d[0]["cores"]}'
	"$PMUSCOPE" describe INST.RET --mcpu riscv | grep -q "SiFive P550: instructions, perf's own name"
}

@test "an event is described with relations, errata, caveats and the model" {
	described L1D_TLB --mcpu neoverse-n1 -- 'any(r["lhs"] == "L1D_TLB" and
		r["rhs"] == "L1D_TLB_RD + L1D_TLB_WR" and r["condition"]["errata"] == "1356341" and
		r["condition"]["before"] == "r4p0" for r in d[0]["relations"])'
	described LL_CACHE_RD --mcpu neoverse-n1 -- 'any(c["condition"] == {"configuration":
		"extllc_clear"} for c in d[0]["caveats"]) and d[0]["model"]["counters"] == "LL_CACHE_RD"'
	described LL_CACHE_RD --mcpu neoverse-v3 -- 'd[0]["model"] is None'
	described STALL EXC_IRQ -- 'd[0]["model"] == {"class": "modelled",
		"counters": "STALL_FRONTEND + STALL_BACKEND", "because": None} and
		d[1]["kind"] == "group" and d[2]["model"]["class"] == "not_modelled" and
		d[2]["model"]["because"]'
	"$PMUSCOPE" describe L1D_TLB --mcpu neoverse-n1 | grep -q 'L1D_TLB = L1D_TLB_RD + L1D_TLB_WR'
	# The six that the guide names, and not the ones it only compares with these.
	for event in L1D_TLB L1D_TLB_RD L1D_TLB_WR L1D_CACHE L1D_CACHE_RD L1D_CACHE_WR; do
		"$PMUSCOPE" describe $event --mcpu neoverse-n1 | grep -q '^  errata  *1356341'
	done
	for event in DTLB_WALK L1D_CACHE_REFILL L1D_CACHE_REFILL_RD L1D_CACHE_REFILL_WR MEM_ACCESS_RD MEM_ACCESS_WR; do
		run -1 grep -q '^  errata' <("$PMUSCOPE" describe $event --mcpu neoverse-n1)
	done
}

@test "metrics, groups and CPUs are described, and both groups of one name" {
	described ipc -- 'd[0]["kind"] == "metric" and d[0]["formula"] == "INST_RETIRED / CPU_CYCLES"'
	described General -- '[(g["kind"], g["of"]) for g in d] == [("group", "events"), ("group", "metrics")]'
	described neoverse-n1 -- 'd[0]["kind"] == "cpu" and d[0]["slots_per_cycle"] is None'
	described backend_bound -- 'd[0]["nodes"][0]["level"] == 1 and "DTLB_Effectiveness" in
		d[0]["nodes"][0]["next_items"]'
}

@test "everything of every catalog, and of a specification, can be described" {
	for cpu in $("$PMUSCOPE" list cpus -x ';' | grep -v '^#' | tail -n +2 | cut -d ';' -f 1); do
		names=$(for list in events metrics groups; do
			"$PMUSCOPE" list $list --mcpu "$cpu" -x '|' | grep -v '^#' | tail -n +2 |
				grep -Eo '^[A-Za-z0-9_.]+\|' | tr -d '|'
		done)
		[ "$(wc -w <<<"$names")" -gt 150 ]
		"$PMUSCOPE" describe --mcpu "$cpu" $names >"$BATS_TEST_TMPDIR/text"
		[ -z "$(LC_ALL=C.UTF-8 grep -vE '^ *[^ ]{60,}$' "$BATS_TEST_TMPDIR/text" | LC_ALL=C.UTF-8 grep -E '.{81}')" ]
		"$PMUSCOPE" describe -j --mcpu "$cpu" $names | python3 -m json.tool >/dev/null
	done
	"$PMUSCOPE" describe STALL_SLOT backend_bound --spec "$specs/neoverse-v2.json" | grep -q 'Neoverse V2'
}

@test "what cannot be described" {
	fails_with 2 "describe what?" describe
	fails_with 2 "has no event, metric or group INST_RETIRE" describe INST_RETIRE
	[[ "$stderr" == *"did you mean INST_RETIRED?"* ]]
	fails_with 2 "has no event, metric or group 0xffff" describe 0xffff
	fails_with 2 "not CSV" describe --format csv ipc
	fails_with 2 "describe has no option -x" describe -x ';' ipc
}

@test "a search finds all words, the name first" {
	run -0 --separate-stderr "$PMUSCOPE" search -x ';' TLB walk
	[ -z "$stderr" ]
	rows=$(grep -v '^#' <<<"$output" | tail -n +2)
	[[ "$(head -n 1 <<<"$rows")" == "neoverse-v1;event;DTLB_WALK;name;"* ]]
	grep -q ';metric;dtlb_mpki;description;' <<<"$rows"
	# Every row has both words, and no event with both is missing.
	"$PMUSCOPE" search -j tlb WALK >"$BATS_TEST_TMPDIR/found"
	"$PMUSCOPE" list events -j >"$BATS_TEST_TMPDIR/events"
	python3 - "$BATS_TEST_TMPDIR/found" "$BATS_TEST_TMPDIR/events" <<-'END'
		import json, sys
		found, events = (json.load(open(f)) for f in sys.argv[1:])
		text = {e["name"]: " ".join((e["name"], e["title"], e["description"])).lower() for e in events}
		want = {n for n, t in text.items() if "tlb" in t and "walk" in t}
		assert want == {r["name"] for r in found["results"] if r["kind"] == "event"} and want
		order = [("name", "title", "description").index(r["found_in"]) for r in found["results"] if r["kind"] != "page"]
		assert order == sorted(order)
	END
}

@test "a search over every catalog, and over a specification" {
	run -0 --separate-stderr "$PMUSCOPE" search --mcpu all br_mis_pred_retired -x ';'
	for cpu in neoverse-n1 neoverse-v1 neoverse-v3; do
		grep -q "^$cpu;event;BR_MIS_PRED_RETIRED;name;" <<<"$output"
	done
	[ -z "$("$PMUSCOPE" search retired --mcpu all | LC_ALL=C.UTF-8 grep -v ^riscv | LC_ALL=C.UTF-8 grep -E '.{81}')" ]
	"$PMUSCOPE" search --spec "$specs/neoverse-n2.json" sve | grep -q SVE_
}

@test "a search finds advice and pages by the words that people have" {
	"$PMUSCOPE" search "false sharing" -x ';' | grep -Fxq ';page;docs/use/spe-report.md;title;False sharing'
	"$PMUSCOPE" search "taken locally" -x ';' | grep -Fxq ';page;docs/use/core-neoverse-n1.md;title;Taken locally'
	"$PMUSCOPE" search inclusive -x ';' | grep -q ';page;docs/use/core-neoverse-n1.md;text;Cache sizes'
	"$PMUSCOPE" search "store forwarding" -x ';' | grep -q ';page;docs/'
	"$PMUSCOPE" search huge pages -x ';' | grep -q '^neoverse-v1;advice;'
	fails_with 2 "search for which words?" search ' '
}

@test "a search that finds nothing says so" {
	fails_with 2 "search for which words?" search
	run -1 --separate-stderr "$PMUSCOPE" search -j xyzzy
	[ "$stderr" = "pmuscope: nothing has all of these words" ]
	[[ "$output" == *'"results": []'* ]]
}

@test "lists fit into 80 columns, however long the names" {
	for cpu in neoverse-n1 neoverse-v3 riscv; do
		for list in events metrics groups tree; do
			"$PMUSCOPE" list $list --mcpu $cpu
		done
		"$PMUSCOPE" search retired --mcpu $cpu
	done >"$BATS_TEST_TMPDIR/lists"
	python3 - "$BATS_TEST_TMPDIR/lists" <<-'END'
		import sys
		lines = open(sys.argv[1], encoding="utf-8").read().splitlines()
		assert len(lines) > 2000 and max(map(len, lines)) == 80, [s for s in lines if len(s) > 80]
	END
	# Columns stand side by side where there is room, else one below the other; a tree keeps its
	# branches.
	run -0 "$PMUSCOPE" list metrics IPC branch_mpki
	[ "${lines[1]}" = "branch_mpki  MPKI       BR_MIS_PRED_RETIRED / INST_RETIRED * 1000" ]
	run -0 "$PMUSCOPE" list tree TOPDOWN.FRONTEND_BOUND.RATE --mcpu riscv
	[ "${lines[3]}" = "├─ TOPDOWN.FRONTEND_BOUND.LATENCY.RATE" ]
	[ "${lines[4]}" = "│ │ metric: Frontend Latency" ]
	run -0 "$PMUSCOPE" list metrics IPC --mcpu riscv
	[ "${lines[1]}" = "IPC     per cycle  INST.RET / CYCLES.HART" ]
}

# listed NAMES ARGUMENT...: the list has these names.
listed() {
	local want=$1
	shift
	run -0 --separate-stderr "$PMUSCOPE" list -j "$@"
	python3 -c '
import json, sys
got = [row["name"] for row in json.loads(sys.argv[1])]
assert sorted(got) == sorted(sys.argv[2].split()), got' "$output" "$want"
}

@test "lists are narrowed down by group, name and pattern" {
	listed "MEM_ACCESS REMOTE_ACCESS MEM_ACCESS_RD MEM_ACCESS_WR MEMORY_ERROR" events memory
	listed "ipc" metrics General
	listed "ipc branch_mpki" metrics ipc branch_mpki
	listed "INST_RETIRED CPU_CYCLES" events IPC
	listed "BR_RETIRED BR_MIS_PRED_RETIRED" events 'br_reti?ed' BR_MIS_PRED_RETIRED
	listed "l2_tlb_mpki l2_cache_mpki l2_tlb_miss_ratio l2_cache_miss_ratio" metrics 'L2*'
	listed "L3D_CACHE_RD" events L3_CACHE_RD --mcpu neoverse-n1
	run -0 "$PMUSCOPE" list metrics 0x11 -j
	python3 -c 'import json, sys; m = json.loads(sys.argv[1]); assert len(m) > 5 and all("CPU_CYCLES" in r["events"] for r in m)' "$output"
	run -0 "$PMUSCOPE" list tree retiring -j
	python3 -c 'import json, sys; t = json.loads(sys.argv[1]); assert [n["name"] for n in t] == ["retiring", "Operation_Mix"]' "$output"
	run -0 "$PMUSCOPE" list groups metrics -j
	python3 -c 'import json, sys; g = json.loads(sys.argv[1]); assert g and all(r["kind"] == "metrics" for r in g)' "$output"
	# Deep trees: a node with what is below it, once.
	run -0 "$PMUSCOPE" list tree backend_bound backend_mem_bound --mcpu neoverse-v3 -j
	python3 -c 'import json, sys; t = [n["name"] for n in json.loads(sys.argv[1]) if n["kind"] == "metric"]; assert len(t) == len(set(t)) and t[0] == "backend_bound" and "backend_mem_bound" in t' "$output"
}

@test "a word that fits nothing is met with the nearest" {
	fails_with 2 "no metrics of neoverse-v1 are in a group or have a name like l1d_cache_mpk" list metrics l1d_cache_mpk
	[[ "$stderr" == *"did you mean l1d_cache_mpki?"* ]]
	fails_with 2 "like zz*" list events 'zz*'
	fails_with 2 "takes no neoverse-v1" list cpus neoverse-v1
}

@test "lint is silent on every catalog of ours and on published specifications" {
	for file in "$SOURCE"/cpus/* "$specs"/*.json; do
		run -0 --separate-stderr "$PMUSCOPE" lint "$file"
		[ -z "$output$stderr" ]
	done
}

@test "lint finds what is wrong, in every format, with status 1" {
	cd "$SOURCE/tests/data"
	run -1 --separate-stderr "$PMUSCOPE" lint riscv
	[ -z "$stderr" ]
	[[ "$output" == *"TOPDOWN.BAD_SPECULATION.MISPREDICT.SLOTS"* ]]
	[[ "$output" == *$'\n'"  29  same-formula: "* ]]
	[ -z "$(LC_ALL=C.UTF-8 grep -E '.{81}' <<<"$output")" ]
	run -1 --separate-stderr "$PMUSCOPE" lint -j riscv/topdown.json riscv/topdown_metrics.json
	python3 -c '
import json, sys
f = json.loads(sys.argv[1])["findings"]
assert {"duplicate-code", "same-formula", "unknown-event", "threshold"} <= {r["rule"] for r in f}
for r in f:
    text = open(r["file"]).read().split("\n")[r["line"] - 1][r["column"] - 1:]
    assert text[0] in "\"{[", (r, text)
' "$output"
	run -1 --separate-stderr "$PMUSCOPE" lint -x ';' riscv
	[[ "$output" == *";same-formula;"* ]]
	# Metrics without their events: names cannot be looked up.
	run -1 --separate-stderr "$PMUSCOPE" lint riscv/topdown_metrics.json
	[[ "$output" != *"unknown-event"* ]]
}

@test "lint of what is no specification" {
	fails_with 2 "lint which files?" lint
	echo 3 >"$BATS_TEST_TMPDIR/number.json"
	fails_with 2 "number.json:1:1: " lint "$BATS_TEST_TMPDIR/number.json"
	fails_with 2 "No such file" lint /nonexistent
	mkdir "$BATS_TEST_TMPDIR/empty"
	fails_with 2 "holds no *.json" lint "$BATS_TEST_TMPDIR/empty"
}

@test "names alone, a line each" {
	run -0 --separate-stderr "$PMUSCOPE" list metrics --names General Branch_Effectiveness
	[ "$(sort <<<"$output" | tr '\n' ' ')" = "branch_misprediction_ratio branch_mpki ipc " ]
	[ "$("$PMUSCOPE" list events --names | wc -l)" -eq "$("$PMUSCOPE" list events -j | grep -c '"code"')" ]
	run -0 "$PMUSCOPE" list cpus --names
	[[ "$output" == *neoverse-v1* ]]
}

@test "names that documents have and the catalog has not are explained" {
	fails_with 2 "0200-02 of the core's specification removed" describe stall_backend_l2d --mcpu neoverse-v3
	fails_with 2 "TLBs of further levels" describe TLB.L2.LOAD.MISS --mcpu riscv:sifive-p550
	fails_with 2 "caches of levels beyond 3" describe CACHE.L4.RD.ACCES --mcpu riscv
	fails_with 2 "CACHE.LL.RD.ACCESS is the same of what" describe CACHE.L4.RD.ACCESS --mcpu riscv
	fails_with 2 "caches with names of an implementation's own. CACHE.LL.RD.MISS" \
		describe CACHE.VICTIM.RD.MISS --mcpu riscv
	fails_with 2 "TLBs with names of an implementation's own." describe TLB.WALKER.LOAD.MISS --mcpu riscv
	fails_with 2 "a part of TOPDOWN.BACKEND_BOUND.MEMORY.SLOTS" \
		describe TOPDOWN.backend_bound.MEMORY.STORE_QUEUE.SLOTS --mcpu riscv
	fails_with 2 "did you mean" describe CACHE.L2.RD.ACCES --mcpu riscv
	fails_with 2 "did you mean" describe TOPDOWN.BACKEND.MEMORY.SLOTS --mcpu riscv
	fails_with 2 "did you mean" describe STALL_BACKEND_L2D --mcpu neoverse-v1
}

@test "so are such names in the output of perf stat" {
	printf '%s,100,100.00,,\n' 5,,CACHE.L4.RD.MISS 6,,FOO.BAR 7,,INST.RET >"$BATS_TEST_TMPDIR/stat.csv"
	"$PMUSCOPE" report --mcpu riscv "$BATS_TEST_TMPDIR/stat.csv" -j >"$BATS_TEST_TMPDIR/stat.json"
	holds "$BATS_TEST_TMPDIR/stat.json" '[w for w in r["warnings"] if w.startswith("CACHE.L4.RD.MISS: ")
		and "caches of levels beyond 3" in w and "CACHE.LL.RD.MISS is the same" in w]'
	holds "$BATS_TEST_TMPDIR/stat.json" 'not any(w.startswith("FOO") for w in r["warnings"])'
}

@test "describe of a CPU says which PMU it has" {
	run -0 "$PMUSCOPE" describe neoverse-v3 --mcpu neoverse-v3
	[[ "$output" == *"  PMU        "*"FEAT_PMUv3p7"*"PMMIR_EL1.SLOTS"* ]]
	run -0 "$PMUSCOPE" describe neoverse-v3 --mcpu neoverse-v3 -j
	[[ "$output" == *'"pmu": "'*FEAT_PMUv3p7* ]]
	run -0 "$PMUSCOPE" describe neoverse-v1 --mcpu neoverse-v1
	[[ "$output" != *"  PMU  "* ]]
}

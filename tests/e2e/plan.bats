#!/usr/bin/env bats
# SPDX-License-Identifier: MIT pmuscope plan: its output and its refusals. tests/plan/ checks the
# plans themselves.

load helpers

refuses() {
	local text=$1
	shift
	run -2 --separate-stderr "$PMUSCOPE" plan "$@"
	echo "stderr: $stderr"
	[ -z "$output" ]
	[[ "$stderr" == "pmuscope: "*"$text"* ]]
}

# plan_says EXPRESSION ARGUMENT...: whether the expression holds for the plan, `r`.
plan_says() {
	local expression=$1
	shift
	"$PMUSCOPE" plan -j "$@" >"$BATS_TEST_TMPDIR/plan"
	python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
assert eval(sys.argv[2]), r
' "$BATS_TEST_TMPDIR/plan" "$expression"
}

@test "the plan of a CPU, as JSON" {
	plan_says 'r["catalog"]["name"] == "neoverse-n1" and r["counters"] == 6' --mcpu neoverse-n1
	plan_says 'r["optimal"] is True and r["lower_bound"] == len(r["passes"]) == 6' --mcpu neoverse-n1
	plan_says 'r["fixed"] == ["CPU_CYCLES"] and r["split"] == []' --mcpu neoverse-n1
	plan_says 'all("CPU_CYCLES" in p["events"] for p in r["passes"])' --mcpu neoverse-n1
	plan_says 'not any(m.startswith("guide_") for p in r["passes"] for m in p["metrics"])' \
		--mcpu neoverse-n1
	plan_says 'any(m.startswith("guide_") for p in r["passes"] for m in p["metrics"])' \
		--mcpu neoverse-n1 -M Guide_TLB
}

@test "Level 1 is one pass, the first" {
	plan_says 'r["level1_pass"] == r["stage1_pass"] == 1' --mcpu neoverse-v1
	plan_says 'set(r["passes"][0]["metrics"]) == {"frontend_bound", "backend_bound", "retiring", "bad_speculation"}' \
		--mcpu neoverse-v1
	plan_says 'r["level1_pass"] == 1 and r["stage1_pass"] is None' --mcpu neoverse-v3
	plan_says 'r["level1_pass"] is None' --mcpu neoverse-v1 --counters 5
}

@test "metrics of more events than counters are said" {
	plan_says 'r["split"] == ["bad_speculation"] and r["passes"][0]["metrics"] == []' \
		--mcpu neoverse-v1 -M bad_speculation --counters 3
	run -0 "$PMUSCOPE" plan --mcpu neoverse-v1 -M bad_speculation --counters 3
	[[ "$output" == *"More events than counters"*"bad_speculation"* ]]
}

@test "the table says the passes and why there are no fewer, in 80 columns" {
	for cpu in neoverse-n1 neoverse-v1 neoverse-v3; do
		run -0 --separate-stderr "$PMUSCOPE" plan --mcpu $cpu
		[ -z "$stderr" ]
		for line in "${lines[@]}"; do
			[ "${#line}" -le 80 ]
		done
	done
	run -0 "$PMUSCOPE" plan --mcpu neoverse-n1
	[[ "${lines[0]}" == "Neoverse N1: 31 metrics in 6 passes of 6 counters" ]]
	[[ "$output" == *"Pass 6: "* ]]
	[[ "$output" != *"Pass 7: "* ]]
	[[ "$output" == *"no plan has less than 6 passes"* ]]
	[[ "$output" == *"on counters of their own: CPU_CYCLES"* ]]
}

@test "CSV has a row an event and a row a metric" {
	run -0 "$PMUSCOPE" plan --mcpu neoverse-v1 -M branch_mpki -x ';'
	[[ "$output" == *"pass;kind;name"* ]]
	[[ "$output" == *"1;event;CPU_CYCLES"* ]] || [[ "$output" == *"1;event;INST_RETIRED"* ]]
	[[ "$output" == *"1;metric;branch_mpki"* ]]
	[[ "$output" == *"optimal: yes"* ]]
}

@test "the same plan each time" {
	"$PMUSCOPE" plan --mcpu neoverse-v3 -j >"$BATS_TEST_TMPDIR/one"
	"$PMUSCOPE" plan --mcpu neoverse-v3 -j -o "$BATS_TEST_TMPDIR/two"
	cmp "$BATS_TEST_TMPDIR/one" "$BATS_TEST_TMPDIR/two"
}

@test "a specification from elsewhere is planned" {
	plan_says 'r["optimal"] and r["counters"] == 6' --spec "$SOURCE/tests/data/specs/neoverse-n2.json"
}

@test "what makes no sense is refused" {
	refuses "--counters 0: not a number of counters, 1 to 31" --counters 0
	refuses "--counters 32" --counters 32
	refuses "--counters 6x" --counters 6x
	refuses "ipcc" -M ipcc
	[[ "$stderr" == *"did you mean ipc?"* ]]
	refuses "a plan takes no program" -- ./program
	refuses "plan has no option -e" -e INST_RETIRED
	refuses "an empty name" -M ipc,
	refuses "neoverse-x9" --mcpu neoverse-x9
}

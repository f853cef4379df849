#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# check over counts that were taken elsewhere. Nothing here needs QEMU.

load helpers

setup() {
	data="$SOURCE/tests/data/perf-stat"
	cd "$BATS_TEST_TMPDIR"
}

# counts NAME=VALUE...: as perf stat -x, writes them.
counts() {
	for pair; do
		echo "${pair#*=},,${pair%%=*},1000000,100.00,,"
	done >counts.csv
}

# checked EXPRESSION: `rows` is the list of relations in check.json, `by` the same by id.
checked() {
	python3 - "$1" <<'END'
import json, sys
r = json.load(open("check.json"))
rows = r["relations"]
by = {x["id"]: x for x in rows if x["id"]}
if not eval("(" + sys.argv[1] + ")"):
    print(json.dumps([x for x in rows if x["status"] != "unchecked"], indent=1), r.get("budget"))
    sys.exit("does not hold: " + sys.argv[1])
END
}

@test "counts that obey: status 0" {
	counts STALL_SLOT=30 STALL_SLOT_FRONTEND=10 STALL_SLOT_BACKEND=20 CPU_CYCLES=100
	"$PMUSCOPE" check counts.csv --mcpu neoverse-v1 -j -o check.json
	checked 'by["arch-stall-slot-sum"]["status"] == "kept"'
	checked 'by["arch-stall-slot-sum"]["lhs_value"] == by["arch-stall-slot-sum"]["rhs_value"] == 30'
	checked 'all(x["status"] != "broken" for x in rows)'
	checked 'by["br-return"]["status"] == "unchecked" and by["br-return"]["lhs_value"] is None and
		by["br-return"]["because"] == "BR_RETURN_SPEC was not counted"'
	checked 'all({"kind", "lhs", "rhs", "condition", "section", "status", "lhs_value", "rhs_value",
		"because"} <= x.keys() for x in rows)'
	checked 'len(by) == len(json.load(open("'"$SOURCE"'/cpus/neoverse-v1/relations.json"))["relations"])'
}

@test "counts that do not: status 1, by how much, and why it should hold" {
	counts STALL_SLOT=31 STALL_SLOT_FRONTEND=10 STALL_SLOT_BACKEND=20 CPU_CYCLES=100
	run -1 --separate-stderr "$PMUSCOPE" check counts.csv --mcpu neoverse-v1 -j -o check.json
	[ -z "$stderr" ]
	checked '[x["id"] for x in rows if x["status"] == "broken"] == ["arch-stall-slot-sum"]'
	checked 'by["arch-stall-slot-sum"]["because"] == "the left side is 1 (3.33 %) above the right"'
	checked 'by["arch-stall-slot-sum"]["note"] and by["arch-stall-slot-sum"]["tolerance"] == 0'
	run -1 "$PMUSCOPE" check counts.csv --mcpu neoverse-v1
	[[ "$output" == *"1 broken"*"broken     STALL_SLOT = STALL_SLOT_FRONTEND + STALL_SLOT_BACKEND"* ]]
	[[ "$output" == *"values   31 and 30"*"note"* ]]
	[[ "$output" != *"not counted"* ]]
	run -1 "$PMUSCOPE" check counts.csv --mcpu neoverse-v1 --all
	[[ "$output" == *"BR_RETURN_SPEC was not counted"* ]]
	run -1 "$PMUSCOPE" check counts.csv --mcpu neoverse-v1 -x ';'
	[[ "$output" == *"sum;;arch-stall-slot-sum;STALL_SLOT;STALL_SLOT_FRONTEND + STALL_SLOT_BACKEND;"*";broken;31;30;0;"* ]]
}

@test "Level 1 is held against 100 %" {
	# frontend 1,600 and backend 4,000 of 8,000 slots; 5,601 are said to be empty.
	counts CPU_CYCLES=1000 STALL_SLOT=5601 STALL_SLOT_FRONTEND=1600 STALL_SLOT_BACKEND=4000 \
		OP_RETIRED=1800 OP_SPEC=2400 BR_MIS_PRED=30
	run -1 "$PMUSCOPE" check counts.csv --mcpu neoverse-v1 -j -o check.json
	checked '[round(x["lhs_value"], 9) for x in rows if x["kind"] == "level_1"] == [99.9875]'
	checked '[x["status"] for x in rows if x["kind"] == "level_1"] == ["broken"]'
}

@test "a child of the tree is held against its parent" {
	counts STALL_FRONTEND=50 STALL_FRONTEND_MEMBOUND=51 STALL_FRONTEND_CPUBOUND=50
	run -1 "$PMUSCOPE" check counts.csv --mcpu neoverse-v3 -j -o check.json
	checked '[(x["lhs"], round(x["lhs_value"], 9)) for x in rows
		if x["kind"] == "tree" and x["status"] == "broken"] == [("frontend_mem_bound", 102)]'
}

@test "what BR_PRED counts on Neoverse V1 has to be told" {
	# A hundred branches, all of them predictable, five mispredicted: no core can break what was not measured.
	counts BR_PRED=100 BR_MIS_PRED=5 BR_IMMED_SPEC=80 BR_INDIRECT_SPEC=20
	"$PMUSCOPE" check counts.csv --mcpu neoverse-v1 -j -o check.json
	checked 'by["branches-resolved"]["status"] == "unchecked"'
	run -1 "$PMUSCOPE" check counts.csv --mcpu neoverse-v1 --assume br_pred_right -j -o check.json
	checked '[x["id"] for x in rows if x["status"] == "broken"] == ["branches-resolved"]'
}

@test "sums and equal events of Neoverse V3 that its published specification states" {
	counts L1D_CACHE=100 L1D_CACHE_RD=60 L1D_CACHE_WR=40 L1I_CACHE_LMISS=7 L1I_CACHE_REFILL=7 L2D_CACHE_REFILL_WR=0
	"$PMUSCOPE" check counts.csv --mcpu neoverse-v3 -j -o check.json
	checked 'by["l1d-cache-sum"]["status"] == by["l1i-lmiss-is-refill"]["status"] == "kept"'
	counts L1D_CACHE=100 L1D_CACHE_RD=60 L1D_CACHE_WR=30 L1I_CACHE_LMISS=7 L1I_CACHE_REFILL=9 L2D_CACHE_REFILL_WR=2
	run -1 "$PMUSCOPE" check counts.csv --mcpu neoverse-v3 -j -o check.json
	checked '{"l1d-cache-sum", "l1i-lmiss-is-refill", "l2d-refill-wr-never"} <=
		{x["id"] for x in rows if x["status"] == "broken"}'
}

@test "what loads and stores at once breaks nothing of RISC-V's, nor does a vector without elements" {
	# Ten AMOs among 150 accesses; an eleventh vector load has length 0 and makes no access.
	counts LDST.RET=150 LOAD.RET=100 STORE.RET=60 INST.LOAD.RET=101 CACHE.L1D.RW.ACCESS=150 CACHE.L1D.RD.ACCESS=100 \
		CACHE.L1D.WR.ACCESS=60 TLB.L1D.LDST.ACCESS=150 TLB.L1D.LOAD.ACCESS=100 TLB.L1D.STORE.ACCESS=60
	"$PMUSCOPE" check counts.csv --mcpu riscv -j -o check.json
	checked 'by["inst-load-ret-in-load-ret"]["status"] == "unchecked" and by["load-ret-in-ldst-ret"]["status"] == "kept"'
	run -1 "$PMUSCOPE" check counts.csv --mcpu riscv --assume no_empty_vectors -j -o check.json
	checked '[x["id"] for x in rows if x["status"] == "broken"] == ["inst-load-ret-in-load-ret"]'
	# More than both together breaks the relation.
	counts LDST.RET=161 LOAD.RET=100 STORE.RET=60 CACHE.L1D.RW.ACCESS=99 CACHE.L1D.RD.ACCESS=100
	run -1 "$PMUSCOPE" check counts.csv --mcpu riscv -j -o check.json
	checked '{x["id"] for x in rows if x["status"] == "broken"} == {"load-ret-covers-ldst-ret", "cache-l1d-rd-access-in-cache-l1d-rw-access"}'
}

@test "configurations and revisions have to be told" {
	# On N1 the L3 of direct connect does not count; erratum 1356341 has the TLB's reads wrong.
	counts L1D_TLB=30 L1D_TLB_RD=10 L1D_TLB_WR=21 L3D_CACHE=5
	"$PMUSCOPE" check counts.csv --mcpu neoverse-n1 -j -o check.json
	checked 'by["l1d-tlb-sum"]["status"] == "unchecked" and "1356341" in by["l1d-tlb-sum"]["because"]'
	checked 'by["l1d-tlb-sum"]["condition"] == {"errata": "1356341", "before": "r4p0"}'
	checked 'all(x["status"] == "unchecked" for x in rows if x["condition"])'
	"$PMUSCOPE" check counts.csv --mcpu neoverse-n1 --revision r3p1 -o check.txt
	grep -q "this one is r3p1" check.txt
	run -1 "$PMUSCOPE" check counts.csv --mcpu neoverse-n1 --revision r4p1 -j -o check.json
	checked '[x["id"] for x in rows if x["status"] == "broken"] == ["l1d-tlb-sum"]'
	run -1 "$PMUSCOPE" check counts.csv --mcpu neoverse-n1 --assume direct_connect -j -o check.json
	checked 'all(x["kind"] == "never" and "L3D_CACHE" in x["lhs"]
		for x in rows if x["status"] == "broken")'
	run -2 --separate-stderr "$PMUSCOPE" check counts.csv --mcpu neoverse-n1 --assume indirect
	[[ "$stderr" == *"no configuration \"indirect\""*"direct_connect"* ]]
	run -2 --separate-stderr "$PMUSCOPE" check counts.csv --mcpu neoverse-n1 --revision 3.1
	[[ "$stderr" == *"3.1"* ]]
}

@test "each interval by itself" {
	for end in 1.000100001 2.000100001; do
		for pair in CPU_CYCLES=100 STALL_SLOT=30 STALL_SLOT_FRONTEND=10; do
			echo "     $end,${pair#*=},,${pair%%=*},1000000,100.00,,"
		done
		echo "     $end,$([ $end = 2.000100001 ] && echo 21 || echo 20),,STALL_SLOT_BACKEND,1000000,100.00,,"
	done >intervals.csv
	run -1 "$PMUSCOPE" check intervals.csv --mcpu neoverse-v1 -j -o check.json
	checked '[x.get("time") for x in rows if x["status"] == "broken"] == [None, 2.000100001]'
	run -1 "$PMUSCOPE" check intervals.csv --mcpu neoverse-v1
	[[ "$output" == *"in 2 intervals: 1 broken"*"STALL_SLOT_BACKEND, at 2.000 s"* ]]
	"$PMUSCOPE" report intervals.csv --mcpu neoverse-v1 --save s.pms >/dev/null
	run -1 "$PMUSCOPE" check s.pms -j -o again.json
	cmp check.json again.json
}

@test "counts that shared counters are given room" {
	# Half the time each, not at the same: 60 and 61 can be the same.
	printf '%s\n' "60,,STALL_SLOT,500000000,50.00,," "40,,STALL_SLOT_BACKEND,400000000,40.00,," \
		"21,,STALL_SLOT_FRONTEND,500100000,50.01,," >counts.csv
	"$PMUSCOPE" check counts.csv --mcpu neoverse-v1 -j -o check.json
	checked 'by["arch-stall-slot-sum"]["status"] == "kept" and by["arch-stall-slot-sum"]["tolerance"] > 1'
}

@test "a budget" {
	counts CPU_CYCLES=1000 INST_RETIRED=2000 BR_MIS_PRED_RETIRED=24
	printf 'metric,low,high\n# comment\nipc,1.5,\nbranch_mpki,,12\n' >budget.csv
	"$PMUSCOPE" check counts.csv --mcpu neoverse-v1 --budget budget.csv -j -o check.json
	checked '[(b["metric"], b["value"], b["low"], b["high"], b["status"]) for b in r["budget"]] ==
		[("ipc", 2, 1.5, None, "kept"), ("branch_mpki", 12, None, 12, "kept")]'
	printf 'metric,low,high\nipc,2.5,\n' >budget.csv
	run -1 "$PMUSCOPE" check counts.csv --mcpu neoverse-v1 --budget budget.csv
	[[ "$output" == *"below      ipc: 2 per cycle, at least 2.5"* ]]
	printf 'metric,low,high\nbranch_mpki,,11.5\n' >budget.csv
	run -1 "$PMUSCOPE" check counts.csv --mcpu neoverse-v1 --budget budget.csv -x,
	[[ "$output" == *"budget,,,branch_mpki,..11.5,,above,12,,,"* ]]
	printf 'metric,low,high\nl1d_cache_mpki,,\n' >budget.csv
	run -1 "$PMUSCOPE" check counts.csv --mcpu neoverse-v1 --budget budget.csv -j -o check.json
	checked '[(b["value"], b["status"]) for b in r["budget"]] == [(None, "undefined")] and
		"was not counted" in r["budget"][0]["because"]'
	printf 'metric,low,high\nipc,x,\n' >budget.csv
	run -2 --separate-stderr "$PMUSCOPE" check counts.csv --mcpu neoverse-v1 --budget budget.csv
	[ -z "$output" ]
	[[ "$stderr" == "pmuscope: budget.csv:2: "* ]]
	run -2 --separate-stderr "$PMUSCOPE" check counts.csv --mcpu neoverse-v1 --budget none.csv
	[[ "$stderr" == "pmuscope: none.csv: "* ]]
}

@test "a budget of counts" {
	counts CPU_CYCLES=1000 INST_RETIRED=2000
	printf 'metric,low,high\nINST_RETIRED,,2000\nCPU_CYCLES,1e3,1e3\nr8,2000,\n' >budget.csv
	run -2 --separate-stderr "$PMUSCOPE" check counts.csv --mcpu neoverse-v1 --budget budget.csv
	[[ "$stderr" == "pmuscope: budget.csv:4: r8 has a row already, in line 2" ]]
	sed -i '$d' budget.csv
	"$PMUSCOPE" check counts.csv --mcpu neoverse-v1 --budget budget.csv -j -o check.json
	checked '[(b["metric"], b["value"], b["units"], b["low"], b["high"], b["status"])
		for b in r["budget"]] == [("INST_RETIRED", 2000, "events", None, 2000, "kept"),
			("CPU_CYCLES", 1000, "events", 1000, 1000, "kept")]'
	printf 'metric,low,high\nINST_RETIRED,,1999\n' >budget.csv
	run -1 "$PMUSCOPE" check counts.csv --mcpu neoverse-v1 --budget budget.csv
	[[ "$output" == *"above      INST_RETIRED: 2000 events, at most 1999"* ]]
	printf 'metric,low,high\nLD_SPEC,,\n' >budget.csv
	run -1 "$PMUSCOPE" check counts.csv --mcpu neoverse-v1 --budget budget.csv
	[[ "$output" == *"LD_SPEC was not counted"* ]]
	printf 'metric,low,high\nINST_RETIERD,,1\n' >budget.csv
	run -2 --separate-stderr "$PMUSCOPE" check counts.csv --mcpu neoverse-v1 --budget budget.csv
	[[ "$stderr" == *'no metric or event "INST_RETIERD"'*"did you mean INST_RETIRED?"* ]]
}

@test "the table keeps to 80 columns, and can do with ASCII" {
	"$PMUSCOPE" check "$data/arm-one.csv" --mcpu neoverse-v1 --all -o check.txt || true
	[ -z "$(LC_ALL=C.UTF-8 grep -E '.{81}' check.txt)" ]
	LC_ALL=C "$PMUSCOPE" check "$data/arm-one.csv" --mcpu neoverse-v1 --all -o check.txt || true
	[ -z "$(LC_ALL=C grep -P '[^ -~]' check.txt)" ]
}

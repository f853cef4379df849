#!/usr/bin/env bats
# SPDX-License-Identifier: MIT pmuscope validate: the workloads run, and are compared with figures
# that are not the model's.

load helpers

@test "workloads whose figures agree" {
	run -0 "$PMUSCOPE" validate --all l1d_tlb mul32 l1d_cache
	[[ "${lines[0]}" =~ ^"Neoverse V1, modelled (core model "[0-9]+"), not measured"$ ]]
	[[ "$output" == *"Published: 3 of 3 workloads agree in Stage 1"* ]]
	[[ "$output" != *differs* ]]
	while read -r line; do [ ${#line} -le 80 ]; done <<<"$output"
}

@test "a figure that differs is shown, and is exit status 1" {
	cpu=$BATS_TEST_TMPDIR/data/cpus/neoverse-v1
	mkdir -p "$cpu"
	cp "$SOURCE"/cpus/neoverse-v1/*.json "$cpu"
	cat >"$cpu/workloads.json" <<-'END'
		{"workloads": [{"name": "mul32", "category": "c", "dominant": "retiring", "figures": [
		{"metric": "integer_dp_percentage", "low": 0, "high": 1, "source": "made up"}]}]}
	END
	PMUSCOPE_DATA=$BATS_TEST_TMPDIR/data run -1 "$PMUSCOPE" validate
	[[ "$output" == *"mul32"*"retiring"*"backend_bound"*"differs"* ]]
	[[ "$output" == *"integer_dp_percentage"*"0 to 1"*"83."*"too high"* ]]
}

@test "all there is, as JSON and CSV" {
	"$PMUSCOPE" validate -j fusion >"$BATS_TEST_TMPDIR/out"
	python3 - "$BATS_TEST_TMPDIR/out" <<-'END'
		import json, sys
		r = json.load(open(sys.argv[1]))
		assert r["modelled"] is True and r["source"] == "vcore", r
		w, = r["workloads"]
		assert w["name"] == "fusion" and w["argued"] and w["agrees"]
		assert abs(sum(w["level1"].values()) - 100) < 0.01
		f, = w["figures"]
		assert f["judgement"] == "agrees" and f["low"] <= f["value"] <= f["high"]
		assert r["summary"]["argued"] == {"workloads": 1, "agree": 1, "stage1_agree": 1, "figures": 1, "figures_agree": 1}
	END
	run -0 "$PMUSCOPE" validate --format csv fusion
	[ "${lines[3]}" = workload,name,units,low,high,value,judgement,source ]
	[[ "${lines[2]}" == "# Neoverse V1, modelled (core model "*"), not measured" ]]
	[[ "${lines[4]}" == fusion,ops_per_instruction,* ]]
	[[ "${lines[4]}" != *[0-9]99999999* ]]
}

@test "quickly: the kernel alone, for a twentieth of its turns" {
	"$PMUSCOPE" validate --quick -j fusion >"$BATS_TEST_TMPDIR/out"
	# 12 pairs, of comparison and branch or of AES, of two instructions and one operation each; the loop's own
	# two, whose first is no mere comparison, are two. There is little before the first turn.
	python3 - "$BATS_TEST_TMPDIR/out" <<-'END'
		import json, sys
		w, = json.load(open(sys.argv[1]))["workloads"]
		f, = w["figures"]
		assert abs(f["value"] - 14 / 26) < 0.0005, f
	END
	run -2 "$PMUSCOPE" stat -o "$BATS_TEST_TMPDIR/none" -- "$WORKLOADS/fusion" /0
	[[ "$output" == *"[TURNS | /PART]"* ]]
	run -2 "$PMUSCOPE" stat -o "$BATS_TEST_TMPDIR/none" -- "$WORKLOADS/fusion" 5 5
}

@test "what is wrong is said" {
	run -2 --separate-stderr "$PMUSCOPE" validate mul23
	[[ "$stderr" == *'no workload "mul23"'*"mul32"* ]]
	run -2 --separate-stderr "$PMUSCOPE" validate --mcpu neoverse-n1 mul32
	[[ "$stderr" == *neoverse-n1* ]]
	run -0 "$PMUSCOPE" validate --names
	[ "${#lines[@]}" -ge 53 ]
}

@test "what if the core had other numbers" {
	run -0 --separate-stderr "$PMUSCOPE" stat -e CPU_CYCLES --core-set mul32.latency=20 -j -o "$BATS_TEST_TMPDIR/slow" -- "$WORKLOADS/mul32" 100000
	"$PMUSCOPE" stat -e CPU_CYCLES -j -o "$BATS_TEST_TMPDIR/own" -- "$WORKLOADS/mul32" 100000
	# four products that each wait for their own last one: 20 cycles a turn, not 2
	slow=$(report "$BATS_TEST_TMPDIR/slow" 'events["CPU_CYCLES"]')
	own=$(report "$BATS_TEST_TMPDIR/own" 'events["CPU_CYCLES"]')
	((slow - own > 1700000 && slow - own < 1900000))
	holds "$BATS_TEST_TMPDIR/slow" 'any("mul32.latency=20" in w for w in r["warnings"])'
	run -2 "$PMUSCOPE" stat --core-set mull32.latency=20 -- "$WORKLOADS/mul32" 1
	[[ "$output" == *"did you mean mul32"* ]]
	run -0 "$PMUSCOPE" core show rob_entries 'mul32.*'
	[[ "$output" == *rob_entries*256*"high"* ]]
	run -2 "$PMUSCOPE" core show nothing_like_it
}

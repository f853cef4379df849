#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What would be gained on ideal cores: topdown --why.

load helpers

setup() {
	report=$BATS_TEST_TMPDIR/report.json
}

why() {
	"$PMUSCOPE" topdown --why --source vcore -j -o "$report" "$@"
}

@test "gains are sorted, and of the program's own cycles" {
	why --roi kernel -- "$WORKLOADS/div64" 500
	holds "$report" "r['gains']['cycles'] > 0 and r['gains']['disagreement'] == 0"
	holds "$report" "r['gains']['things'][0]['name'] == 'divide' and r['gains']['things'][0]['percent'] > 50"
	holds "$report" "all(a['cycles'] >= b['cycles'] for a, b in zip(r['gains']['things'], r['gains']['things'][1:]))"
	holds "$report" "all(abs(t['percent'] - 100 * t['cycles'] / r['gains']['cycles']) < 1e-9 for t in r['gains']['things'])"
	holds "$report" "'more times' in r['warnings'][-1] or any('more times' in w for w in r['warnings'])"
}

@test "each gain is what the core with that setting saves" {
	why --roi kernel -- "$WORKLOADS/div64" 500
	"$PMUSCOPE" stat --source vcore -e CPU_CYCLES --core-set divide=ideal --roi kernel -j -o "$BATS_TEST_TMPDIR/one" -- "$WORKLOADS/div64" 500 </dev/null >/dev/null
	cycles=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["events"][0]["count"])' "$BATS_TEST_TMPDIR/one")
	holds "$report" "r['gains']['cycles'] - r['gains']['things'][0]['cycles'] == $cycles"
}

@test "the same report in every run" {
	why --roi kernel -- "$WORKLOADS/forward_fail" 300
	cp "$report" "$BATS_TEST_TMPDIR/first"
	why --roi kernel -- "$WORKLOADS/forward_fail" 300
	cmp "$report" "$BATS_TEST_TMPDIR/first"
}

@test "the table says what would be gained" {
	run -0 "$PMUSCOPE" topdown --why --source vcore -o /dev/stdout --roi kernel -- "$WORKLOADS/forward_fail" 300
	[[ $output == *"What would be gained"* ]]
	[[ $output == *"store forwarding"* ]]
}

@test "the rest of the output is that of one run" {
	run -0 --separate-stderr "$PMUSCOPE" topdown --why --source vcore -o "$report" -- "$EXAMPLES/mispredict" 1
	[ "$(wc -l <<<"$output")" -eq 1 ]
}

@test "--why is of the modelled core" {
	run -2 "$PMUSCOPE" topdown --source perf --why -- true
	[[ $output == *"--why is of the modelled core"* ]]
}

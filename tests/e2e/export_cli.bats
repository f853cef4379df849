#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# pmuscope export, on sessions with a profile and without. export.py checks the formats.
bats_require_minimum_version 1.5.0
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR"
}

@test "what is wrong is said, and nothing is written" {
	run -2 --separate-stderr "$PMUSCOPE" export
	[[ "$stderr" == *"export what?"* ]]
	run -2 --separate-stderr "$PMUSCOPE" export S.pms
	[[ "$stderr" == *"--to FORMAT is missing"* ]]
	run -2 --separate-stderr "$PMUSCOPE" export S.pms --to proof
	[[ "$stderr" == *"did you mean pprof?"* ]]
	run -2 --separate-stderr "$PMUSCOPE" export S.pms --to dwarf-of-old
	[[ "$stderr" == *"none of folded, speedscope, callgrind"* ]]
	run -2 --separate-stderr "$PMUSCOPE" export S.pms --to pprof --value cycles
	[[ "$stderr" == *"--value and --causes are of --to folded"* ]]
	run -2 --separate-stderr "$PMUSCOPE" export S.pms T.pms --to pprof
	[[ "$stderr" == *"T.pms is too much"* ]]
	echo old >out
	run -2 --separate-stderr "$PMUSCOPE" export none.pms --to folded -o out
	[[ "$stderr" == *"none.pms"* ]]
	[ "$(cat out)" = old ]
}

@test "a session without places" {
	printf '1000,,cycles,1,100.00,,\n' >counts
	"$PMUSCOPE" report counts --mcpu neoverse-v1 --save S.pms >report
	echo old >out
	run -2 --separate-stderr "$PMUSCOPE" export S.pms --to folded -o out
	[[ "$stderr" == *"S.pms: the file does not say where in the program its counts are"* ]]
	[ "$(cat out)" = old ]
}

@test "a session with places, in every format" {
	command -v aarch64-linux-gnu-gcc >/dev/null || skip "no aarch64-linux-gnu-gcc"
	cp "$SOURCE/tests/e2e/annotate.c" .
	aarch64-linux-gnu-gcc -O1 -g -o prog annotate.c
	"$PMUSCOPE" report "$SOURCE/tests/data/perf-stat/arm-one.csv" --mcpu neoverse-v1 --save s.pms >/dev/null
	python3 "$SOURCE/tests/e2e/annotate.py" s.pms "$PWD/prog" aarch64-linux-gnu-nm
	for to in folded speedscope callgrind pprof firefox perfetto llvm-sample; do
		"$PMUSCOPE" export s.pms --to $to -o out.$to
		[ -s out.$to ]
		"$PMUSCOPE" export s.pms --to $to | cmp - out.$to
	done
	total=$("$PMUSCOPE" annotate s.pms --by function -j | python3 -c 'import json, sys; print(json.load(sys.stdin)["totals"]["cycles"])')
	[ "$(awk '{ s += $NF } END { print s }' out.folded)" = "$total" ]
	# It has no branches.
	echo old >out
	run -2 --separate-stderr "$PMUSCOPE" export s.pms --to bolt -o out
	[[ "$stderr" == *"no branches between places with symbols"* ]]
	[ "$(cat out)" = old ]
	run -2 --separate-stderr "$PMUSCOPE" export s.pms --to folded --value cycle
	[[ "$stderr" == *cycle* ]]
	run -2 --separate-stderr "$PMUSCOPE" export s.pms --to perfetto -o /dev/full
	[[ "$stderr" == *"/dev/full: cannot write"* ]]
}

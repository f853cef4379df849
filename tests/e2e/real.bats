#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Programs that nobody here wrote: Debian's arm64 packages with their own libraries. They have to run
# to their end, with the right output and exit status, and to get a report that makes sense.

load helpers

setup_file() {
	if ! SYSROOT=$("$SOURCE/tests/e2e/fetch-arm64.sh" 2>"$BATS_FILE_TMPDIR/reason"); then
		REASON=$(cat "$BATS_FILE_TMPDIR/reason")
	fi
	export SYSROOT REASON
}

setup() {
	[ -z "$REASON" ] || skip "$REASON"
	report=$BATS_TEST_TMPDIR/report.json
}

# Run an arm64 program, keeping the report apart from its output.
modelled() {
	rm -f "$BATS_TEST_TMPDIR/s.pms"
	"$PMUSCOPE" topdown -j -o "$report" --save "$BATS_TEST_TMPDIR/s.pms" -L "$SYSROOT" -- "$@"
}

makes_sense() {
	holds "$report" 'r["modelled"] is True'
	holds "$report" '0 < metrics["ipc"] < r["slots_per_cycle"]'
	holds "$report" 'abs(sum(level1.values()) - 100) <= 0.01'
	# Of the tree's first level only frontend_bound may be a little below zero: 4 cycles a
	# misprediction are moved from it to bad_speculation.
	holds "$report" 'all(0 <= level1[n] <= 100 for n in level1 if n != "frontend_bound")'
	# Its counts obey what the documents say of the core's events.
	"$PMUSCOPE" check "$BATS_TEST_TMPDIR/s.pms"
}

@test "sqlite3 answers a query" {
	query='with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
		select count(*), sum(i), sum(i * i) from n where i % 7 = 0;'
	run --separate-stderr modelled "$SYSROOT/usr/bin/sqlite3" :memory: "$query"
	[ "$status" -eq 0 ]
	# 7 k for k = 1..714: 7 x 714 x 715 / 2, and 49 x 714 x 715 x 1429 / 6
	[ "$output" = "714|1786785|5957736785" ]
	makes_sense
}

@test "sqlite3 reads its standard input and its exit status is ours" {
	run --separate-stderr modelled "$SYSROOT/usr/bin/sqlite3" -bail :memory: <<<'select * from nowhere;'
	[ "$status" -eq 1 ]
	[[ "$stderr" == *"no such table: nowhere"* ]]
	makes_sense
}

@test "zstd compresses, and what it decompresses is what was there" {
	seq 1 20000 >"$BATS_TEST_TMPDIR/plain"
	modelled "$SYSROOT/usr/bin/zstd" -q -9 "$BATS_TEST_TMPDIR/plain" -o "$BATS_TEST_TMPDIR/packed"
	makes_sense
	[ "$(stat -c %s "$BATS_TEST_TMPDIR/packed")" -lt 50000 ]
	modelled "$SYSROOT/usr/bin/zstd" -q -d -c <"$BATS_TEST_TMPDIR/packed" >"$BATS_TEST_TMPDIR/again"
	makes_sense
	cmp "$BATS_TEST_TMPDIR/plain" "$BATS_TEST_TMPDIR/again"
}

@test "this machine's gunzip reads what arm64 gzip wrote" {
	seq 1 20000 >"$BATS_TEST_TMPDIR/plain"
	modelled "$SYSROOT/bin/gzip" -9 <"$BATS_TEST_TMPDIR/plain" >"$BATS_TEST_TMPDIR/packed"
	makes_sense
	gunzip <"$BATS_TEST_TMPDIR/packed" | cmp - "$BATS_TEST_TMPDIR/plain"
}

@test "gzip says that a file is damaged, through the model too" {
	seq 1 1000 | gzip | head -c 900 >"$BATS_TEST_TMPDIR/damaged"
	run --separate-stderr modelled "$SYSROOT/bin/gzip" -t <"$BATS_TEST_TMPDIR/damaged"
	[ "$status" -eq 1 ]
	[[ "$stderr" == *"unexpected end of file"* ]]
}

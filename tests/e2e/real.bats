#!/usr/bin/env bats
# SPDX-License-Identifier: MIT Real programs: Debian's arm64 packages with their own libraries. They
# have to run to their end with the right output and exit status, and the report has to make sense.

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

# Run an arm64 program, keeping the report apart from its output. Perl and Python take the seeds of their
# hash tables from the system unless they are told one.
modelled() {
	rm -f "$BATS_TEST_TMPDIR/s.pms"
	"$PMUSCOPE" topdown -j --per-thread -o "$report" --save "$BATS_TEST_TMPDIR/s.pms" -L "$SYSROOT" \
		--env PERL_HASH_SEED=0 --env PYTHONHASHSEED=0 -- "$@"
}

# Count the threads that ran more than a few instructions; the total is their sum.
threads() {
	holds "$report" 'sum(e["count"] for s in r["scopes"] for e in s["events"] if e["name"] == "INST_RETIRED") ==
		events["INST_RETIRED"]'
	report "$report" 'sum(e["count"] > 1000 for s in r["scopes"] for e in s["events"] if e["name"] == "INST_RETIRED")'
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

@test "xz compresses, with one thread and with two" {
	seq 1 6000 >"$BATS_TEST_TMPDIR/plain"
	modelled "$SYSROOT/usr/bin/xz" -1 -c <"$BATS_TEST_TMPDIR/plain" >"$BATS_TEST_TMPDIR/packed"
	makes_sense
	python3 -c 'import lzma, sys; sys.stdout.buffer.write(lzma.open(sys.argv[1]).read())' \
		"$BATS_TEST_TMPDIR/packed" | cmp - "$BATS_TEST_TMPDIR/plain"
	modelled "$SYSROOT/usr/bin/xz" -1 -c -T2 --block-size=10000 <"$BATS_TEST_TMPDIR/plain" >"$BATS_TEST_TMPDIR/packed"
	makes_sense
	python3 -c 'import lzma, sys; sys.stdout.buffer.write(lzma.open(sys.argv[1]).read())' \
		"$BATS_TEST_TMPDIR/packed" | cmp - "$BATS_TEST_TMPDIR/plain"
	holds "$report" 'not [w for w in r["warnings"] if "child" in w]'
	[ "$(threads)" -ge 2 ]
}

@test "bzip2 compresses" {
	seq 1 3000 >"$BATS_TEST_TMPDIR/plain"
	modelled "$SYSROOT/bin/bzip2" -c <"$BATS_TEST_TMPDIR/plain" >"$BATS_TEST_TMPDIR/packed"
	makes_sense
	python3 -c 'import bz2, sys; sys.stdout.buffer.write(bz2.open(sys.argv[1]).read())' \
		"$BATS_TEST_TMPDIR/packed" | cmp - "$BATS_TEST_TMPDIR/plain"
}

@test "perl matches and counts; its counts are the same each time" {
	for turn in 1 2; do
		run --separate-stderr modelled "$SYSROOT/usr/bin/perl" -e '
			$text = join " ", map { chr(97 + $_ % 26) } 1 .. 2600;
			$n{$1}++ while $text =~ /(\w)/g;
			print join(" ", map { "$_=$n{$_}" } sort keys %n), "\n"'
		[ "$status" -eq 0 ]
		[ "$output" = "$(printf '%s=100 ' {a..z} | sed 's/ $//')" ]
		cp "$report" "$report.$turn"
	done
	makes_sense
	cmp "$report.1" "$report.2"
}

# The child's exit status is the parent's business; its instructions are not counted, which is said: of its
# 300000 turns, 10 and more each, none is there. The handler runs in the middle of a loop of the program's own.
@test "perl forks, catches a signal and dies of another" {
	run --separate-stderr modelled "$SYSROOT/usr/bin/perl" -e '
		if (!($child = fork)) { $i++ while $i < 300000; exit 7 }
		waitpid $child, 0;
		$| = 1;
		print $? >> 8, "\n";
		$SIG{USR1} = sub { print "caught\n"; kill "TERM", $$ };
		kill "USR1", $$;
		1 while 1'
	[ "$status" -eq 143 ]
	[ "$output" = $'7\ncaught' ]
	makes_sense
	holds "$report" 'r["signal"] == 15 and [w for w in r["warnings"] if "child processes" in w]'
	holds "$report" 'events["INST_RETIRED"] < 3000000'
	[ "$(threads)" -eq 1 ]
}

# Use _thread, because importing threading takes longer than everything else.
@test "python3 computes, with two threads" {
	run --separate-stderr modelled "$SYSROOT/usr/bin/python3.11" -S -I -c '
import _thread
sums, done = [], _thread.allocate_lock()
done.acquire()
_thread.start_new_thread(lambda: (sums.append(sum(range(3000))), done.release()), ())
done.acquire()
print(sums, 3 ** 200 % 10007, "%.3f" % sum(1 / n for n in range(1, 1000)))'
	[ "$status" -eq 0 ]
	# The sum of 0..2999; the remainder and the other sum as this machine's own Python has them.
	[ "$(threads)" -eq 2 ]
	[ "$output" = "$(python3 -c 'print([2999 * 1500], pow(3, 200, 10007), "%.3f" % sum(1 / n for n in range(1, 1000)))')" ]
	makes_sense
}

# Instructions that QEMU runs only for a guest that has them: SHA-256 and AES. Of both the standards have
# examples: FIPS 180-4's "abc", and SP 800-38A, F.5.1, CTR-AES128, the first block.
@test "openssl uses the instructions for SHA-256 and AES" {
	printf abc >"$BATS_TEST_TMPDIR/abc"
	run --separate-stderr modelled "$SYSROOT/usr/bin/openssl" dgst -sha256 -r "$BATS_TEST_TMPDIR/abc"
	[ "$status" -eq 0 ]
	[[ "$output" == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad "* ]]
	makes_sense
	holds "$report" 'events["CRYPTO_SPEC"] > 0'
	printf '\x6b\xc1\xbe\xe2\x2e\x40\x9f\x96\xe9\x3d\x7e\x11\x73\x93\x17\x2a' >"$BATS_TEST_TMPDIR/block"
	modelled "$SYSROOT/usr/bin/openssl" enc -aes-128-ctr -K 2b7e151628aed2a6abf7158809cf4f3c \
		-iv f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff -in "$BATS_TEST_TMPDIR/block" -out "$BATS_TEST_TMPDIR/secret"
	[ "$(od -An -v -tx1 "$BATS_TEST_TMPDIR/secret" | tr -d ' \n')" = 874d6191b620e3261bef6864990db6ce ]
	makes_sense
}

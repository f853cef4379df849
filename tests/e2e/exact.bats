#!/usr/bin/env bats
# SPDX-License-Identifier: MIT Programs whose counts are known by construction: each source under
# exact/ states the counts to expect and why. The model has to count exactly these.

load helpers

stated() {
	sed -n 's/^ \* Expect: \([A-Z0-9_]*\) \([0-9]*\).*/\1 \2/p' "$SOURCE/tests/e2e/exact/$1.S"
}

# stat_of PROGRAM OUTPUT OPTION...: count the events that the program states.
stat_of() {
	local program=$1 output=$2
	shift 2
	"$PMUSCOPE" stat -e "$(stated "$program" | cut -d' ' -f1 | paste -sd,)" -o "$output" "$@" \
		-- "$EXACT/$program"
}

# counts_as_stated PROGRAM OPTION...
counts_as_stated() {
	local output=$BATS_TEST_TMPDIR/report.json
	[ -n "$(stated "$1")" ]
	stat_of "$1" "$output" -j "${@:2}"
	report "$output" '"\n".join("%s %s" % e for e in events.items())' | sort >"$output.counted"
	stated "$1" | sort | diff -u --label stated --label counted - "$output.counted"
}

@test "no branch, no access" { counts_as_stated straight; }
@test "nested loops" { counts_as_stated loop; }
@test "branches of every kind" { counts_as_stated branches; }
@test "branches that are always predicted" { counts_as_stated calls; }
@test "recursion" { counts_as_stated fib; }
@test "loads of every form" { counts_as_stated loads; }
@test "stores of every form" { counts_as_stated stores; }
@test "aligned accesses" { counts_as_stated accesses; }
@test "unaligned accesses" { counts_as_stated unaligned; }
@test "atomics" { counts_as_stated atomics; }
@test "exclusives" { counts_as_stated exclusives; }
@test "failing" { counts_as_stated failing; }
@test "acquire and release" { counts_as_stated ordered; }
@test "system calls" { counts_as_stated syscalls; }
@test "barriers" { counts_as_stated barriers; }
@test "integer data processing" { counts_as_stated integer; }
@test "vector and floating point" { counts_as_stated vector; }
@test "cryptographic instructions" { counts_as_stated crypto; }
@test "floating-point operations" { counts_as_stated flops; }
@test "those of SVE, on a guest that has it" { counts_as_stated flops_sve --qemu-cpu max; }

@test "prefetches and dc zva" { counts_as_stated unseen; }

# warned PROGRAM TEXT...: the report says each in line 3 on, before any number, in JSON, in a session and in its report.
warned() {
	local program=$1 text out=$BATS_TEST_TMPDIR/out
	shift
	"$PMUSCOPE" topdown --save "$out.pms" -o "$out.txt" -- "$EXACT/$program"
	"$PMUSCOPE" report "$out.pms" -o "$out.again"
	diff "$out.txt" "$out.again"
	"$PMUSCOPE" report "$out.pms" -j -o "$out.json"
	sed '/^$/,$d' "$out.txt" | tr -s '\n ' ' ' >"$out.heading"
	for text in "$@"; do
		grep -qF " ! $text" "$out.heading" || {
			cat "$out.txt"
			return 1
		}
		holds "$out.json" "any(w.startswith('$text') for w in r['warnings'])"
	done
	! grep -q Warnings "$out.txt"
	rm "$out.pms"
}

@test "what the model does not see is said before any number, in every form" {
	warned unseen '3000 prefetch instructions (499.5 in 1000): ' '1000 dc zva instructions' \
		'only 6006 instructions ran'
	warned syscalls '501 system calls (499.5 in 1000): '
	warned threads '4 threads ran, each on a core with caches of its own'
	warned straight 'only '
}

@test "each thread has a core of its own, and the whole is their sum" {
	output=$BATS_TEST_TMPDIR/report.json
	"$PMUSCOPE" stat -j --per-thread -e INST_RETIRED,EXC_SVC -o "$output" -- "$EXACT/threads"
	holds "$output" '[[e["count"] for e in s["events"]] for s in r["scopes"]][1:] == 3 * [[1004, 1]]'
	holds "$output" 'events["INST_RETIRED"] ==
		sum(e["count"] for s in r["scopes"] for e in s["events"] if e["name"] == "INST_RETIRED")'
}

@test "every program here is tested" {
	for source in "$SOURCE"/tests/e2e/exact/*.S; do
		grep -q "[ /]$(basename "$source" .S)[ ;\"]" "$BATS_TEST_FILENAME"
	done
}

@test "branches resolved are those predicted right and wrong" {
	for program in loop branches calls fib; do
		output=$BATS_TEST_TMPDIR/$program.json
		"$PMUSCOPE" stat -j -o "$output" \
			-e BR_PRED,BR_MIS_PRED,BR_IMMED_SPEC,BR_INDIRECT_SPEC,BR_RETURN_SPEC,BR_RETIRED \
			-e BR_MIS_PRED_RETIRED -- "$EXACT/$program"
		holds "$output" 'events["BR_PRED"] + events["BR_MIS_PRED"] ==
			events["BR_IMMED_SPEC"] + events["BR_INDIRECT_SPEC"]'
		holds "$output" 'events["BR_RETURN_SPEC"] <= events["BR_INDIRECT_SPEC"]'
		holds "$output" 'events["BR_MIS_PRED_RETIRED"] <= events["BR_MIS_PRED"]'
		holds "$output" 'events["BR_RETIRED"] <=
			events["BR_IMMED_SPEC"] + events["BR_INDIRECT_SPEC"]'
	done
}

@test "what retires does not depend on the wrong paths" {
	events=INST_RETIRED,OP_RETIRED,BR_RETIRED,BR_MIS_PRED_RETIRED,EXC_SVC
	for program in loop branches fib; do
		"$PMUSCOPE" stat -j -e $events,INST_SPEC -o "$BATS_TEST_TMPDIR/with" -- "$EXACT/$program"
		"$PMUSCOPE" stat -j -e $events,INST_SPEC -o "$BATS_TEST_TMPDIR/without" --no-wrong-path \
			-- "$EXACT/$program"
		for side in with without; do
			report "$BATS_TEST_TMPDIR/$side" \
				'[n + " " + str(c) for n, c in events.items() if n != "INST_SPEC"]' \
				>"$BATS_TEST_TMPDIR/$side.retired"
		done
		cmp "$BATS_TEST_TMPDIR/with.retired" "$BATS_TEST_TMPDIR/without.retired"
		holds "$BATS_TEST_TMPDIR/with" 'events["INST_SPEC"] > events["INST_RETIRED"]'
		holds "$BATS_TEST_TMPDIR/without" 'events["INST_SPEC"] == events["INST_RETIRED"]'
	done
}

@test "two runs print the same bytes in every format" {
	for program in fib branches atomics; do
		for format in table json csv; do
			for run in 1 2; do
				"$PMUSCOPE" topdown --format $format -o "$BATS_TEST_TMPDIR/$run" \
					-- "$EXACT/$program"
				[ -s "$BATS_TEST_TMPDIR/$run" ]
			done
			cmp "$BATS_TEST_TMPDIR/1" "$BATS_TEST_TMPDIR/2"
		done
	done
}

@test "the caller's environment and directory do not change the counts" {
	stat_of fib "$BATS_TEST_TMPDIR/here" -j
	mkdir "$BATS_TEST_TMPDIR/elsewhere"
	cd "$BATS_TEST_TMPDIR/elsewhere"
	SOME_VARIABLE=$(seq 1000) stat_of fib "$BATS_TEST_TMPDIR/there" -j
	cmp "$BATS_TEST_TMPDIR/here" "$BATS_TEST_TMPDIR/there"
}

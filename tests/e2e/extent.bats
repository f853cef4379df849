#!/usr/bin/env bats
# SPDX-License-Identifier: MIT Measuring a part of a program: leaving out the start, one function,
# windows. The sources under extent/ say what each function counts; the exact ones under exact/ what
# a whole program does.

load helpers

setup() {
	report=$BATS_TEST_TMPDIR/report.json
}

counts() {
	"$PMUSCOPE" stat -j -o "$report" -e INST_RETIRED,BR_RETIRED,CPU_CYCLES,OP_SPEC,STALL_SLOT \
		--source vcore "$@"
}

# region PROGRAM FUNCTION ENTERED INSTRUCTIONS BRANCHES
region() {
	counts --roi "$2" -- "$1"
	holds "$report" "r['region']['entered'] == $3"
	holds "$report" "events['INST_RETIRED'] == $4"
	holds "$report" "events['BR_RETIRED'] == $5"
	holds "$report" 'events["OP_SPEC"] + events["STALL_SLOT"] == 8 * events["CPU_CYCLES"]'
}

@test "a function's calls are counted, and nothing else" {
	# Five calls, two each by outer and saver, and one by recover.
	region "$GUESTS/regions" leaf 10 30 10
}
@test "a function with what it calls, and what it ends by" { region "$GUESTS/regions" outer 1 10 4; }
@test "a function that keeps its return address in a register" {
	region "$GUESTS/regions" saver 1 12 4
}
@test "a function that is left by a long jump to its caller" { region "$GUESTS/regions" thrower 1 6 2; }
@test "a function that is left by a long jump past its caller" { region "$GUESTS/regions" deep 1 4 1; }
@test "a function that is left for a handler in its caller" { region "$GUESTS/regions" catcher 1 7 2; }
@test "a function that goes on behind what it catches" { region "$GUESTS/regions" recover 1 14 4; }

@test "exceptions, long jumps, signals and threads in a function, by what it marks" {
	[ -x "$GUESTS/unwinds" ] || skip "no aarch64-linux-gnu-g++"
	# unwinds.cc says how many instructions are marked in each case.
	for row in "n 2" "o 3" "p 3" "w 5" "l 1" "f 1" "r 6" "c 8" "s 4" "a 4" "A 4" "t 3" "h 8"; do
		"$PMUSCOPE" stat -j -o "$report" --source vcore --core-set wrong_path=off -e CRYPTO_SPEC --roi region \
			-- "$GUESTS/unwinds" "${row% *}"
		holds "$report" "'$row' and events['CRYPTO_SPEC'] == ${row#* }"
	done
}

@test "a function that calls itself is entered once" {
	region "$GUESTS/regions" ladder 1 26 14
	region "$EXACT/fib" fib 1 15779 5918
}

@test "what is outside of a region and inside is all there is" {
	counts -- "$GUESTS/regions"
	all=$(report "$report" 'events["INST_RETIRED"]')
	counts --roi leaf -- "$GUESTS/regions"
	holds "$report" "events['INST_RETIRED'] + r['region']['instructions_outside'] == $all"
	"$PMUSCOPE" stat --source vcore --roi leaf -o table -- "$GUESTS/regions"
	tr '\n' ' ' <table | grep -E ' entered [0-9,]+ times?; [0-9,]+ instructions outside were not\.'
}

@test "a function by its address" {
	address=$(aarch64-linux-gnu-nm "$GUESTS/regions" | sed -n 's/^0*\([0-9a-f]*\) . outer$/0x\1/p')
	region "$GUESTS/regions" "$address" 1 10 4
}

@test "each thread enters a function by itself, in any kind of file" {
	for program in twins twins-pie; do
		counts --roi spin --per-thread -L /usr/aarch64-linux-gnu -- "$GUESTS/$program" 100000
		# A loop of two instructions, and at most a handful around it.
		holds "$report" 'r["region"]["entered"] == 3'
		holds "$report" 'all(0 <= e["count"] - 200000 < 10 for s in r["scopes"]
			for e in s["events"] if e["name"] == "INST_RETIRED")'
		holds "$report" 'len(r["scopes"]) == 3'
	done
}

# refused STATUS TEXT OPTION...
refused() {
	local status_wanted=$1 text=$2
	shift 2
	run --separate-stderr "$PMUSCOPE" topdown "$@"
	echo "$stderr"
	[ "$status" -eq "$status_wanted" ]
	[[ "$stderr" == *"$text"* ]]
}

@test "functions that cannot be counted are refused with the reason" {
	vcore="--source vcore --roi"
	refused 2 "the nearest is outer" $vcore outr -- "$GUESTS/regions"
	refused 2 "more than one function" $vcore twin -- "$GUESTS/twins"
	[[ "$stderr" == *"twins.c"*"twins_other.c"* ]]
	refused 2 "inlined wherever it is called" $vcore folded -- "$GUESTS/twins"
	refused 2 "it was stripped" $vcore spin -- "$GUESTS/twins-stripped"
	refused 2 "a shared library's" $vcore printf -L /usr/aarch64-linux-gnu -- "$GUESTS/twins-pie"
	refused 2 "picks one of several" $vcore memcpy -- "$GUESTS/twins"
	refused 2 "no address of an instruction" $vcore 0x400001 -- "$GUESTS/twins"
}

@test "options that do not fit are refused" {
	program=$EXACT/loop
	refused 2 "--sample does not go with it" --source vcore --roi outer --sample 1k,1k,1k -- "$program"
	refused 2 "not a number of instructions" --source vcore --fast-forward 2T -- "$program"
	refused 2 "not a number of instructions" --source vcore --fast-forward -5 -- "$program"
	refused 2 "WARM,DETAIL,SKIP" --source vcore --sample 1k,1k -- "$program"
	refused 2 "WARM,DETAIL,SKIP" --source vcore --sample 1k,1k,9999999999999G -- "$program"
	refused 2 "at least 1000 instructions" --source vcore --sample 1k,999,1k -- "$program"
	refused 2 "of the modelled core" --source perf --sample 1k,1k,1k -- "$program"
}

@test "a function that is never called has no report" {
	run -2 --separate-stderr "$PMUSCOPE" stat -o "$report" --source vcore --roi other_twin --fast-forward 1G \
		-- "$GUESTS/twins"
	[[ "$stderr" == *"pmuscope: --roi other_twin: it was never called after what --fast-forward left out"* ]]
	[ ! -e "$report" ]
}

@test "a function is counted with the compiler's clones of it" {
	region "$GUESTS/clones" work 4 16 4 # 3 + 4 + 5 + 4
	region "$GUESTS/clones" work.constprop.0 2 8 2 # one of them, by its own name
	region "$GUESTS/clones" only 1 6 1
	region "$GUESTS/clones" a::run 1 7 1
	region "$GUESTS/clones" 'a::run(int)' 1 7 1
	region "$GUESTS/clones" worker 1 51 1
	region "$GUESTS/clones" chilly 1 3 2
}

@test "what is run first without the model is left out, to the instruction" {
	# loop: an instruction, then 100 times 1 + 4 x 1000 + 2, then 3. Blocks begin at the first
	# instruction and at each turn of the inner loop, but of the first turn, which is one block with
	# what is before it: 1 + 1 + 4 instructions, then 999 x 4, then 2 and 1 + 4 and so on.
	counts --fast-forward 6 -- "$EXACT/loop"
	holds "$report" 'events["INST_RETIRED"] == 400304 - 6'
	counts --fast-forward 3602 -- "$EXACT/loop"
	holds "$report" 'events["INST_RETIRED"] == 400304 - 3602'
	holds "$report" 'r["fast_forward"] == {"asked": 3602, "ran": 3602}'
	# A limit in the middle of a block includes the rest of the block.
	counts --fast-forward 3603 -- "$EXACT/loop"
	holds "$report" 'events["INST_RETIRED"] == 400304 - 3606'
	counts --fast-forward 1G -- "$EXACT/loop"
	holds "$report" 'r["fast_forward"]["ran"] == 400304'
	holds "$report" 'any("nothing is counted" in w for w in r["warnings"])'
}

@test "what is run first goes before a region and before windows" {
	# Of fib nothing is left when its one call is over; of ladder all, as little runs before it.
	counts --fast-forward 2 --roi ladder -- "$GUESTS/regions"
	holds "$report" 'events["INST_RETIRED"] == 26'
	counts --fast-forward 1000000 --sample 10k,2k,50k -- "$GUESTS/phases"
	holds "$report" 'events["INST_RETIRED"] + r["fast_forward"]["ran"] == 11000008'
	holds "$report" 'r["sampling"]["instructions"] == events["INST_RETIRED"]'
}

sampled() {
	"$PMUSCOPE" stat --source vcore --sample "$@"
}

@test "windows: what is exact is exact, the rest within its interval" {
	sampled 20k,5k,50k -j -o "$report" -- "$GUESTS/phases"
	holds "$report" 'events["INST_RETIRED"] == 11000008'
	# 2,000,000 + 500,000 branches; 500,000 loads and as many stores
	for row in "BR_RETIRED 2500001" "L1D_CACHE_RD 500000" "L1D_CACHE_WR 500000"; do
		holds "$report" "[e['low'] <= ${row#* } <= e['high'] and e['high'] < 1.2 * ${row#* }
			for e in r['events'] if e['name'] == '${row% *}'] == [True]"
	done
	# 10,000,008 instructions behind the start, in periods of 75,000.
	holds "$report" 'r["sampled"] and r["sampling"]["windows"] in (133, 134)'
	holds "$report" '"sampled" in r["heading"]'
	# An event that no window met has no interval.
	holds "$report" '[e["count"] == 0 and e["low"] is None for e in r["events"]
		if e["name"] == "DMB_SPEC"] == [True]'
}

@test "windows without anything between them are the whole" {
	counts -- "$GUESTS/phases"
	whole=$(report "$report" 'sorted(events.items())')
	counts --sample 0,10k,0 -- "$GUESTS/phases"
	holds "$report" "all(abs(a - b) <= 1 for (_, a), (_, b) in zip(sorted(events.items()), $whole))"
	holds "$report" 'all(e["low"] == e["count"] == e["high"] for e in r["events"] if e["count"])'
}

@test "a sampled run counts the same each time, in every format, and obeys what documents say" {
	for format in json csv table; do
		for i in 1 2; do
			sampled 20k,5k,100k --format $format -o "$BATS_TEST_TMPDIR/$format.$i" \
				-- "$GUESTS/phases"
		done
		cmp "$BATS_TEST_TMPDIR/$format.1" "$BATS_TEST_TMPDIR/$format.2"
		grep -qi "sampled" "$BATS_TEST_TMPDIR/$format.1"
	done
	# The block at the start has 5 instructions, the next 333,332 have 3; then 80 periods of 125,000.
	grep -q "the first 1,000,001 instructions and 80 windows of 5,000" "$BATS_TEST_TMPDIR/table.1"
	sampled 20k,5k,100k -j -o "$report" --save "$BATS_TEST_TMPDIR/s.pms" -- "$EXAMPLES/mispredict" \
		>"$BATS_TEST_TMPDIR/out"
	"$PMUSCOPE" check "$BATS_TEST_TMPDIR/s.pms" >"$BATS_TEST_TMPDIR/check"
	grep -q ", 0 broken" "$BATS_TEST_TMPDIR/check"
	"$PMUSCOPE" report -j "$BATS_TEST_TMPDIR/s.pms" | cmp - "$report"
}

@test "one window tells no error, few are said to be few" {
	sampled 1M,1M,2M -j -o "$report" -- "$GUESTS/phases"
	holds "$report" 'any("windows are few" in w for w in r["warnings"])'
	sampled 10k,1M,4490k -j -o "$report" -- "$GUESTS/phases"
	holds "$report" 'r["sampling"]["windows"] == 1'
	holds "$report" 'any("one window alone" in w for w in r["warnings"])'
	holds "$report" 'all(m["low"] is None and m["high"] is None for m in r["metrics"]
		if m["value"] is not None)'
	sampled 10k,1M,4490k -o "$report" -- "$GUESTS/phases"
	grep -q "± ?" "$report"
}

@test "a program that is no longer than its start is counted as a whole" {
	counts -- "$GUESTS/phases"
	whole=$(report "$report" 'sorted(events.items())')
	counts --sample 10k,100k,20M -- "$GUESTS/phases"
	holds "$report" 'r["sampling"]["windows"] == 0 and not r["warnings"]'
	holds "$report" 'r["sampling"]["counted"] == 11000008'
	holds "$report" "sorted(events.items()) == $whole"
	holds "$report" 'all(e["low"] == e["count"] == e["high"] for e in r["events"])'
}

@test "what lies between windows leaves no line behind that was never asked for" {
	sampled 0,2k,20k -j -o "$report" -- "$GUESTS/pairs"
	holds "$report" 'r["sampling"]["windows"] > 60'
	# The start's.
	holds "$report" '512 <= events["L1D_CACHE_REFILL"] < 520'
}

@test "threads have windows of their own" {
	sampled 20k,5k,50k -j --per-thread -o "$report" -- "$GUESTS/twins" 1000000 >"$BATS_TEST_TMPDIR/out"
	# Three loops of two instructions each; of 2,000,000 in a thread half are its start.
	holds "$report" 'events["INST_RETIRED"] > 6000000'
	holds "$report" 'events["INST_RETIRED"] == sum(e["count"] for s in r["scopes"]
		for e in s["events"] if e["name"] == "INST_RETIRED")'
	holds "$report" 'r["sampling"]["windows"] > 36'
}

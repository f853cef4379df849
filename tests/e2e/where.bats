#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What is charged to instructions adds up to what is counted, whatever runs and whatever part of it is
# counted. WHERE_SUMS runs a program with places and without: see where_sums.c.

load helpers

sums() { "$WHERE_SUMS" "$@" >out 2>err || { cat out err; false; }; }

setup() { cd "$BATS_TEST_TMPDIR" || exit; }

@test "whole programs, one thread" {
	for name in atomics barriers branches calls failing ordered syscalls unaligned vector; do
		sums "$GUESTS/$name"
	done
}
@test "threads" { sums -v "$GUESTS/threads"; }
@test "faults that a program survives" { sums "$GUESTS/life" catch; }
@test "code that a program overwrites" { sums "$GUESTS/life" patch; }
@test "a function" { sums -r outer "$GUESTS/regions"; }
@test "what follows the start" { sums -f 100000 "$GUESTS/loop"; }
@test "windows" { sums -s 10000,5000,20000 "$GUESTS/phases"; }
@test "windows of threads" { sums -v -s 10000,1000,0 "$GUESTS/life" threads; }
@test "a program that aborts keeps what it was charged" {
	sums -k -p "$GUESTS/life" abort
	grep -q "/life 0x" out
}
@test "a program that replaces itself keeps what it was charged" {
	sums -k -p "$GUESTS/life" exec /bin/true
	grep -q "/life 0x" out
}

@test "a limit on the size of files leaves less room" {
	(ulimit -f 2000000 && sums "$GUESTS/loop")
}

# By hand: 100 turns of 1000 turns of four instructions, of which each cycle retires all.
@test "a loop's cycles are its instructions'" {
	sums -p "$GUESTS/loop"
	[ "$(awk '$5 == 100000 && $4 > 24900 && $4 < 25500' out | wc -l)" = 4 ]
}

@test "shared libraries are told apart, by addresses that objdump knows" {
	[ -d /usr/aarch64-linux-gnu/lib ] || skip "no libraries of AArch64"
	sums -p -L /usr/aarch64-linux-gnu "$GUESTS/life-dynamic" exit 3
	grep -q '/libc.so.6 0x' out
	grep -q '/ld-linux-aarch64.so.1 0x' out
	# main: the place of the call of do_exit, of which there is one.
	main=$(aarch64-linux-gnu-nm "$GUESTS/life-dynamic" | awk '$3 == "main" { print $1 }')
	grep -q "/life-dynamic $(printf '%#x' "0x$main") life-dynamic [0-9]* 1$" out
	! grep -q '^- ' out
}

@test "topdown names places, and its session keeps them" {
	"$PMUSCOPE" topdown --where --save w.pms -j -o live.json -- "$GUESTS/life" exit 0
	"$PMUSCOPE" report w.pms -j | cmp - live.json
	"$PMUSCOPE" annotate w.pms --by function -j >functions.json
	"$PMUSCOPE" annotate w.pms --by instruction -j >instructions.json
	python3 - <<'END'
import json
live, functions, instructions = (json.load(open(name + ".json")) for name in ("live", "functions", "instructions"))
events = {e["name"]: e["count"] for e in live["events"]}
assert functions["totals"] == instructions["totals"]
assert functions["totals"]["cycles"] == events["CPU_CYCLES"], (functions["totals"], events)
assert functions["totals"]["instructions"] == events["INST_RETIRED"]
for key in functions["totals"]:
    assert sum(row[key] for row in functions["rows"]) == functions["totals"][key], key
assert live["where"]["profile"] == "modelled"
assert live["where"]["functions"][0]["function"] == functions["rows"][0]["function"]
END
	"$PMUSCOPE" topdown --where -- "$GUESTS/life" exit 0 2>table
	grep -q '^Cycles %  Lost %  Mostly to' table
	run -2 "$PMUSCOPE" topdown --where --source perf -- true
	[[ "$output" == *"--where is of the modelled core"* ]]
}

# The guest loads each line of 2 MiB, so reads from memory and walks are found on both cores.
@test "a finding names the lines that lost most to its cause" {
	for core in neoverse-n1 neoverse-v1; do
		"$PMUSCOPE" topdown --mcpu $core --where --save $core.pms -j -o $core.json -- "$GUESTS/lines"
		python3 - "$PMUSCOPE" $core <<'END'
import json, subprocess, sys
pmuscope, core = sys.argv[1:]
causes = {"memory-reads": "slots_be_dram", "dtlb-walks": "slots_be_tlb", "l1d-misses": "slots_be_l2"}
findings = [f for f in json.load(open(core + ".json"))["findings"] if f["id"] in causes]
assert findings
for finding in findings:
    cause = causes[finding["id"]]
    rows = json.loads(subprocess.check_output([pmuscope, "annotate", core + ".pms", "--by", "line", "--sort", cause, "-j"]))["rows"]
    want = [row[cause] for row in rows if row[cause] and row["object"]][:3]
    assert want and [place["slots"] for place in finding["places"]] == want, (finding["places"], want)
END
	done
}

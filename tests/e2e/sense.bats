#!/usr/bin/env bats
# SPDX-License-Identifier: MIT Programs limited by one thing each: the report has to name it. The
# bounds are argued from the core's parameters (cpus/neoverse-v1/core.json) and the program's text,
# not from what the model printed: slots 8 a cycle, decode_width 5, mispredict_penalty 11,
# slc_latency 75, dram_latency 300 cycles.

load helpers

topdown() {
	report=$BATS_TEST_TMPDIR/report.json
	"$PMUSCOPE" topdown -j -o "$report" -- "$@" >/dev/null
	holds "$report" 'abs(sum(level1.values()) - 100) <= 0.01'
}

dominated_by() {
	holds "$report" "max(level1, key=level1.get) == '$1'"
}

# A byte costs a load, a branch and, if odd, an addition; an eighth of a turn's two additions, compare
# and branch; and an eighth of the 6 instructions that made its word: 3.75 instructions, 1.25 branches.
# Half of the bytes are odd at random, so a misprediction comes with every second byte.
# It costs 11 cycles from the branch to its successor. The load that the next branch waits for is
# among these successors: 4 cycles more, 15 in all. Renaming what two bytes need, at a taken branch a
# group, adds up to 7. So a misprediction comes every 15 to 22 cycles.
# - IPC is 7.5 / 22 to 7.5 / 15.
# - Of the 15 to 22 cycles, the formula counts 4 as lost to the misprediction. From its renaming to its
#   end the branch takes 9: 4 to issue, 4 for the load, 1 itself. What is renamed meanwhile is lost;
#   half of the slots at the least, with a predicted taken branch in about 5 operations. (4 + 4.5) / 22.
# - Half of one in 1.25 branches is mispredicted: 40 %.
@test "a branch on a random byte is limited by bad speculation" {
	topdown "$EXAMPLES/mispredict" 30
	dominated_by bad_speculation
	holds "$report" 'level1["bad_speculation"] > 100 * 8.5 / 22'
	holds "$report" '7.5 / 22 < metrics["ipc"] < 7.5 / 15'
	holds "$report" '0.38 < metrics["branch_misprediction_ratio"] < 0.42'
}

# 300000 steps, each a load whose address is the last one's result, at lines scattered over 64 MiB:
# twice the system cache, 16384 pages to the TLB's 2048 entries. No step can take less than the 75
# cycles of a hit in the system cache, and about half of them must miss it: 300 cycles.
# - At the least 300000 x (75 + 300) / 2 = 56 million cycles.
# - Everything else: 1048576 turns of 6 instructions that write the lines, 4 instructions a step and
#   some 30000 of start-up: 7.5 million. In the worst case, one a cycle with the other 7 slots the
#   frontend's, these use 7.5 of 56 + 7.5 million cycles: the backend keeps 88 %.
@test "a pointer chase through 64 MiB is limited by the backend" {
	topdown "$EXAMPLES/chase" 300000
	dominated_by backend_bound
	holds "$report" 'level1["backend_bound"] > 88'
	holds "$report" 'metrics["ipc"] < 7.5 / 56'
}

# A step misses in L2 and asks for its line and, by the prefetcher of the next line, for the one behind it. The
# system cache has room for 524288 lines, those of the last 262144 steps. All 1048576 lines are visited once, in
# no order: the line before this one was in those steps for a quarter of the steps. The others go to memory.
@test "a pointer chase over all of it goes to memory, but for lines that were asked for beside others" {
	topdown "$EXAMPLES/chase"
	holds "$report" 'r["findings"][0]["id"] == "memory-reads"'
	holds "$report" '0.7 < metrics["ll_cache_read_miss_ratio"] < 0.8'
}

# No branch but the one at the end of 262144 instructions: nothing to mispredict. The code is 16 times
# the first-level cache: all lines miss, one for 16 instructions: 62.5 a thousand, less the first and last.
# The decoders give at most 5 instructions a cycle, so 3 of 8 slots are empty: frontend_bound is 37.5 %
# at the least, and retiring 62.5 % at the most.
@test "1 MiB of straight-line code is limited by the frontend" {
	topdown "$EXAMPLES/bigcode"
	dominated_by frontend_bound
	holds "$report" 'level1["frontend_bound"] >= 37.5'
	holds "$report" 'level1["retiring"] <= 62.5'
	holds "$report" 'level1["bad_speculation"] < 1'
	holds "$report" '62 <= metrics["l1i_cache_mpki"] <= 63.5'
}

# A turn of 66 instructions renames into 65 slots (subs and b.ne fuse): 8.1 cycles if every slot is
# used. The 24 integer operations and the fused branch on 4 + 2 ports, the 24 vector operations on 4,
# the 16 loads on 3 need at least 6, 6 and 5.3 cycles: no port is the limit. The taken branch ends a
# group, and may cost a cycle or two more: 8.1 to 11 cycles a turn.
@test "independent operations retire at more than 4 a cycle" {
	topdown "$EXAMPLES/independent"
	dominated_by retiring
	holds "$report" '66 / 11 < metrics["ipc"] <= 66 / (65 / 8)'
	holds "$report" 'level1["retiring"] > 100 * 65 / 8 / 11'
	holds "$report" 'level1["bad_speculation"] < 1'
}

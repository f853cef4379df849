#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Leaving out a mechanism changes the counts that it affects, in the expected direction.

usage: ablation.py PMUSCOPE WORKLOADS PROGRAMS

Each row: the setting, the program and its turns, a sum of events, which way it goes without the
mechanism, and the reason, which follows from the program's text. Every mechanism that the model has is
to have a row. Laws are asserted by the model itself, where it is built with assertions.
"""
import json
import os
import subprocess
import sys

UP, DOWN, ZERO = "up", "down", "zero"
FLUSHED = "OP_SPEC - OP_RETIRED"

ROWS = [
    # prediction
    ("tage", "pattern", "", "BR_MIS_PRED_RETIRED", UP, "a counter cannot know the third turn"),
    ("tage_history", "pattern", "", "BR_MIS_PRED_RETIRED", UP, "nor can a table that sees the branch alone"),
    ("indirect", "pattern", "", "BR_MIS_PRED_RETIRED", UP, "the target is never the one before"),
    ("target_history", "pattern", "", "BR_MIS_PRED_RETIRED", UP, "the targets take turns"),
    ("return_by_path", "deep", "", "BR_MIS_PRED_RETIRED", UP, "calls are nested deeper than the stack"),
    ("ras_entries", "calls", "", "BR_MIS_PRED_RETIRED", UP, "returns go to several callers"),
    ("btb_limits", "l1i_cache", "500", "BR_MIS_PRED_RETIRED", DOWN, "16 ways hold the 13 branches of one set"),
    ("direction_misses", "branch_direct", "2000", "BR_MIS_PRED_RETIRED", DOWN, "random branches go either way"),
    ("target_misses", "branch_indirect", "2000", "BR_MIS_PRED_RETIRED", DOWN, "random jumps go to one of two places"),
    # frontend
    ("group_end", "pattern", "", "STALL_SLOT_FRONTEND", DOWN, "groups are filled behind taken branches"),
    ("branch_pairs", "near_branches", "2000", "CPU_CYCLES", UP, "each jump takes a cycle"),
    ("fetch_queue", "run_ahead", "200", "CPU_CYCLES", UP, "fetch waits for each target"),
    ("indirect_bubble", "indirect_targets", "20000", "CPU_CYCLES", DOWN, "what the path tells comes at once"),
    ("btb_main_bubble", "bubble", "", "CPU_CYCLES", DOWN, "more taken branches than the nano buffer holds"),
    ("fetch_ahead_lines", "itlb", "300", "CPU_CYCLES", UP, "lines are asked for when they are needed"),
    ("mop_cache_windows", "straight_loop", "", "CPU_CYCLES", UP, "five a cycle are decoded, not eight"),
    ("fusion", "fusion", "2000", "OP_RETIRED", UP, "the pairs take two slots"),
    ("cracking", "stores", "", "OP_RETIRED", DOWN, "store pairs and structures take more than one slot"),
    ("wrong_path", "pattern", "", FLUSHED, ZERO, "nothing else is thrown away"),
    ("wrong_path_fetch", "l1i_cache", "500", "L1I_CACHE_REFILL", DOWN, "lines behind mispredicted branches stay out"),
    ("fetch_on", "l1i_cache", "500", "L1I_CACHE_REFILL", DOWN, "lines that never come to rename are left out"),
    ("wrong_path_loads", "wrong_loads", "", "L1D_CACHE_RD", DOWN, "loads behind mispredicted branches stay out"),
    ("l1i_misses", "l1i_cache", "500", "L1I_CACHE_REFILL", ZERO, "each line is there"),
    ("itlb_misses", "itlb", "300", "L1I_TLB_REFILL", ZERO, "no page is looked up"),
    # execution
    ("ports", "wide", "", "CPU_CYCLES", DOWN, "independent additions: four ports, eight slots"),
    ("moves", "moves", "", "CPU_CYCLES", UP, "each waits for the one before"),
    ("blocking", "fpdiv", "2000", "CPU_CYCLES", DOWN, "divisions do not wait for the one before"),
    ("issue_queues", "queue", "", "CPU_CYCLES", DOWN, "what is behind a long chain is renamed"),
    ("barriers", "barriers", "2000", "CPU_CYCLES", DOWN, "dmb makes loads wait"),
    ("acquire_release", "ordered", "", "CPU_CYCLES", DOWN, "each load-acquire waits for the one before"),
    ("atomics", "chained", "", "CPU_CYCLES", DOWN, "each waits for the one before, a load for less long"),
    ("exclusives", "chained", "", "CPU_CYCLES", DOWN, "a store's result is there a cycle earlier"),
    ("system_calls", "system_call", "200", "CPU_CYCLES", DOWN, "the core does not run empty"),
    ("int_latency", "multiply", "", "CPU_CYCLES", DOWN, "each multiplication waits for the one before"),
    ("fp_latency", "fpmul", "2000", "CPU_CYCLES", DOWN, "each multiplication waits for the one before"),
    ("divide_latency", "div64", "2000", "CPU_CYCLES", DOWN, "each division waits for the one before"),
    # loads and stores
    ("store_drain", "store_miss", "", "STALL_SLOT_BACKEND", DOWN, "stores that miss fill the queue"),
    ("store_ports", "memcpy", "20", "CPU_CYCLES", DOWN, "pairs of registers are stored as fast as their addresses go"),
    ("forwarding", "forward", "2000", "CPU_CYCLES", UP, "loads wait until the store is written"),
    ("forward_failures", "forward_fail", "2000", "CPU_CYCLES", DOWN, "loads of two stores' bytes wait no more"),
    ("order_flush", "load_after_store", "300", FLUSHED, DOWN, "no load runs ahead of a store to its address"),
    ("order_predictor", "load_after_store", "300", FLUSHED, UP, "loads run ahead again and again"),
    # caches
    ("l1d_misses", "l1d_cache", "20", "L1D_CACHE_REFILL", ZERO, "each line is there"),
    ("l2_misses", "mem_latency", "3000", "CPU_CYCLES", DOWN, "each load waits for L2 alone"),
    ("slc_misses", "mem_latency", "3000", "CPU_CYCLES", DOWN, "each load waits for the system cache alone"),
    ("write_backs", "store_miss", "", "L1D_CACHE_WB", ZERO, "dirty lines leave without a trace"),
    ("mshr_merge", "merge", "", "L1D_CACHE_REFILL_RD", UP, "eight loads of a line ask eight times"),
    ("stride_degree", "merge", "", "L1D_CACHE_REFILL_RD", UP, "no line is there before it is needed"),
    ("slc_bytes", "l2d_cache", "20", "LL_CACHE_MISS_RD", UP, "nobody has what L2 gives up"),
    ("dram_latency", "mem_latency", "3000", "CPU_CYCLES", DOWN, "each load waits for memory"),
    ("l2_interval", "lines", "", "CPU_CYCLES", DOWN, "lines from L2 as fast as they come"),
    # translation
    ("dtlb_misses", "l1d_tlb", "3000", "L1D_TLB_REFILL", ZERO, "no page is looked up"),
    ("l2_tlb_entries", "l1d_tlb", "3000", "DTLB_WALK", UP, "each page is walked for again"),
    ("l2_tlb_interval", "l1d_tlb", "20000", "CPU_CYCLES", DOWN, "a translation every second cycle is the limit"),
    ("walk_cache_entries", "l2_tlb", "3000", "L2D_CACHE_RD", UP, "each walk reads one more descriptor"),
]


class Counts:
    """Counts of programs under settings; each is run once."""

    def __init__(self, pmuscope, workloads, programs):
        self.pmuscope, self.places, self.kept = pmuscope, (programs, workloads), {}

    def run(self, *words):
        done = subprocess.run([self.pmuscope, *words], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"ablation: {' '.join(words)}: status {done.returncode}\n{done.stderr}")
        return json.loads(done.stdout)

    def program(self, name):
        return next(p for p in (os.path.join(place, name) for place in self.places) if os.path.exists(p))

    def get(self, setting, name, turns):
        key = (setting, name, turns)
        if key not in self.kept:
            words = ["stat", "-j", "-o", "/dev/stdout"] + (["--core-set", setting] if setting else [])
            report = self.run(*words, "--", self.program(name), *turns.split())
            self.kept[key] = {e["name"]: e["count"] for e in report["events"]}
        return self.kept[key]


def agrees(way, own, without):
    return {UP: without > own, DOWN: without < own, ZERO: without == 0 < own}[way]


def main():
    counts = Counts(*sys.argv[1:])
    faults = []
    for name, program, turns, formula, way, why in ROWS:
        own, without = (eval(formula, {}, counts.get(s, program, turns)) for s in (None, name + "=off"))
        if not agrees(way, own, without):
            faults.append(f"{name}: {program}: {formula} is {own}, without it {without}, to be {way}: {why}")
    known = {m["name"] for m in counts.run("core", "show", "-j")["mechanisms"]}
    faults += [f"{name}: has no row here" for name in sorted(known - {row[0] for row in ROWS})]
    print("\n".join(faults) or f"ablation: {len(ROWS)} settings do what they say")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The first gain names what a workload stresses.

usage: why.py PMUSCOPE WORKLOADS [WORKLOAD...]

Each row: the workload, its turns, the cause of the first gain (the thing within it that explains three
quarters of it, as pms_gains_cause finds it), and the reason, which follows from the workload's text. A
list of workloads limits the rows; with none all are run. docs/use/why.md says what the others
are limited by.
"""
import json
import os
import subprocess
import sys

ROWS = [
    ("branch_direct", "4000", "directions", "conditional branches on random bits"),
    ("branch_indirect", "4000", "targets", "jumps to one of two places at random"),
    ("l1d_cache", "40", "l1d", "a chain through twice L1D, which L2 holds"),
    ("mem_latency", "6000", "l2", "a chain through more than the system cache"),
    ("l1d_tlb", "20000", "dtlb", "128 pages in turn"),
    ("l2_tlb", "20000", "dtlb", "more pages than the second TLB holds"),
    ("itlb", "3000", "itlb", "jumps between more pages than the TLB holds"),
    ("store_buffer_full", "2000", "stores", "eight stores in 24 instructions, one line a cycle"),
    ("forward_fail", "4000", "store_forwarding", "loads of two stores' bytes"),
    ("load_after_store", "1000", "order", "loads run ahead of stores to their address"),
    ("div64", "4000", "divide", "a division a turn, each waits for the last"),
    ("fpdiv", "4000", "divide", "two divisions a turn"),
    ("atomics", "4000", "load_latency", "an atomic waits for the one before: 5 of its 7 cycles are a load's"),
    ("barriers", "4000", "barriers", "dmb makes loads wait"),
    ("system_call", "4000", "system_calls", "nothing else"),
    ("instruction_barrier", "4000", "barriers", "isb fetches anew"),
]


def gains_of(pmuscope, program, turns):
    done = subprocess.run([pmuscope, "topdown", "--why", "--roi", "kernel", "-j", "-o", "/dev/stdout", "--", program, turns],
                          capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        sys.exit(f"why: {program}: status {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)["gains"]


def cause(gains):
    outer = [t for t in gains["things"] if not t["within"]]
    found = max(outer, key=lambda t: t["cycles"])
    while True:
        inner = [t for t in gains["things"] if t["within"] == found["name"] and t["name"] != "huge_pages"
                 and t["cycles"] >= 0.75 * found["cycles"]]
        if not inner:
            return found["name"]
        found = max(inner, key=lambda t: t["cycles"])


def main():
    pmuscope, workloads, *only = sys.argv[1:]
    faults, n = [], 0
    for name, turns, want, why in ROWS:
        if only and name not in only:
            continue
        gains = gains_of(pmuscope, os.path.join(workloads, name), turns)
        got, n = cause(gains), n + 1
        if got != want:
            things = ", ".join(f"{t['name']} {t['percent']:.1f}" for t in gains["things"][:6])
            faults.append(f"{name}: {got}, to be {want}: {why}; {things}")
    print("\n".join(faults) or f"why: {n} workloads' first gains are what they stress")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

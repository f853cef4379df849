#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare the model's counts of some programs with its counts when its version was raised last.

usage: model_version.py [--write] PMUSCOPE PROGRAMS EXPECTED

Counts that are others now need another version, so that a user can tell that a report changed because
the model did. EXPECTED has the version in its first line, then a line for each core and program; "-" is an event that the core
does not have. --write rewrites it.
The programs are assembly without a C library and use no stack, so that their counts depend on the model
and on nothing else.
"""
import json
import subprocess
import sys

CORES = ("neoverse-v1", "neoverse-n1")
PROGRAMS = ("loop", "branches", "calls", "loads", "stores", "unaligned", "atomics", "exclusives", "ordered", "barriers",
            "vector", "pattern", "bubble", "straight_loop", "wrong_loads", "wide", "queue", "store_miss", "merge", "lines",
            "chained", "moves")
EVENTS = ("CPU_CYCLES", "INST_RETIRED", "OP_RETIRED", "INST_SPEC", "OP_SPEC", "STALL_SLOT_FRONTEND", "STALL_SLOT_BACKEND",
          "BR_MIS_PRED", "L1I_CACHE_REFILL", "L1D_CACHE", "L1D_CACHE_REFILL", "L1D_CACHE_WB", "L2D_CACHE", "L2D_CACHE_REFILL",
          "L1D_TLB_REFILL", "L2D_TLB_REFILL", "LL_CACHE_MISS_RD")


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"model_version: {' '.join(command)}: status {done.returncode}\n{done.stderr}")
    return done.stdout


def count(pmuscope, programs):
    """Returns the model's version, and a line for each core and program."""
    lines = ["core program " + " ".join(EVENTS)]
    for core in CORES:
        known = json.loads(run(pmuscope, "list", "events", "-j", "--mcpu", core))
        events = [e for e in EVENTS if e in {event["name"] for event in known}]
        for name in PROGRAMS:
            report = json.loads(run(pmuscope, "stat", "-j", "-o", "/dev/stdout", "--mcpu", core, "-e", ",".join(events), "--",
                                    f"{programs}/{name}"))
            counts = {e["name"]: e["count"] for e in report["events"]}
            lines.append(" ".join([core, name] + [str(counts.get(e, "-")) for e in EVENTS]))
    return report["model"]["version"], lines


def differences(before, now):
    for one, other in zip(before, now):
        core, name, *counts = one.split()
        for event, a, b in zip(EVENTS, counts, other.split()[2:]):
            if a != b:
                yield f"  {core} {name}: {event} was {a}, is {b}"
    if len(before) != len(now) or before[0] != now[0]:
        yield "  the programs or events are others"


def main():
    write = sys.argv[1] == "--write"
    pmuscope, programs, expected = sys.argv[1 + write:]
    version, now = count(pmuscope, programs)
    if write:
        with open(expected, "w", encoding="utf-8") as file:
            file.write("\n".join([f"core model {version}"] + now) + "\n")
        return
    with open(expected, encoding="utf-8") as file:
        first, *before = file.read().splitlines()
    if first != f"core model {version}":
        sys.exit(f"model_version: the counts kept are of the {first}, this is {version}: ./dev golden")
    found = list(differences(before, now))
    if found:
        print("\n".join(found[:20]))
        sys.exit(f"model_version: core model {version} counts otherwise than it did: raise PMS_MODEL_VERSION in "
                 "src/vcore/share/share.h, then ./dev golden")


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Facts that a document states of an event, and that the catalog has to tell with it.

    tests/catalog/test_facts.py SOURCE_ROOT

A fact is told when the event's description and its caveats have words that match, and none that
deny it. Each row gives the document's section.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])

# CPU, section, event, what has to be there, what must not.
FACTS = (
    # Arm Neoverse N1 PMU Guide
    ("neoverse-n1", "4.2.1", "L1D_CACHE_REFILL", r"two lines", None),
    ("neoverse-n1", "4.2.4", "L1D_CACHE_RD", r"maintenance and prefetches do not count", None),
    ("neoverse-n1", "4.2.5", "L1D_CACHE_WR", r"DC ZVA", None),
    ("neoverse-n1", "4.2.6", "L1D_CACHE_REFILL_RD", r"maintenance", None),
    ("neoverse-n1", "4.2.10", "L1D_CACHE_WB_VICTIM", r"maintenance", None),
    ("neoverse-n1", "4.4.5", "L2D_CACHE_RD", r"[Ss]noops from outside", None),
    ("neoverse-n1", "4.4.6", "L2D_CACHE_WR", r"[Ss]noops from outside", None),
    ("neoverse-n1", "4.4.6", "L2D_CACHE_WR", r"DC ZVA", None),
    ("neoverse-n1", "4.4.9", "L2D_CACHE_WB_VICTIM", r"maintenance", None),
    ("neoverse-n1", "4.7.1", "MEM_ACCESS", r"[Cc]ache maintenance and prefetches do not count", None),
    ("neoverse-n1", "4.7.2", "BUS_ACCESS", r"[Tt]ransactions", r"^Data beats"),
    ("neoverse-n1", "4.7.5", "BUS_ACCESS_RD", r"[Ss]noops from outside", r"^Data beats"),
    ("neoverse-n1", "4.7.6", "BUS_ACCESS_WR", r"[Ss]noops from outside", r"handed to other cores"),
    ("neoverse-n1", "4.7.7", "MEM_ACCESS_RD", r"[Cc]ache maintenance and prefetches do not count",
     None),
    ("neoverse-n1", "4.7.8", "MEM_ACCESS_WR", r"evictions.*barriers.*CLREX.*AT", None),
    ("neoverse-n1", "4.8.2", "STALL_BACKEND", r"another pipeline", r"hold everything back"),
    ("neoverse-n1", "4.11.1", "BR_MIS_PRED", r"not predicted", None),
    ("neoverse-n1", "4.11.3", "BR_RETIRED", r"write the program counter", None),
    # Arm's telemetry specification of Neoverse V3 (JSON of 2025-08-08)
    ("neoverse-v3", "events", "L1D_CACHE_LMISS_RD", r"count of L1D_CACHE_REFILL_RD", r"at most, not here"),
    ("neoverse-v3", "events", "L1I_CACHE_LMISS", r"count of L1I_CACHE_REFILL", r"longer than a hit"),
    ("neoverse-v3", "events", "L2D_CACHE_LMISS_RD", r"count of L2D_CACHE_REFILL_RD", r"longer than"),
    ("neoverse-v3", "events", "L2D_CACHE_MISS", r"count of L2D_CACHE_REFILL\b", r"unlike in the refills"),
    ("neoverse-v3", "events", "L2D_CACHE_REFILL_WR", r"not count on this core", None),
    ("neoverse-v3", "events", "L2D_CACHE_REFILL_RD", r"stash", None),
    ("neoverse-v3", "events", "MEM_ACCESS", r"maintenance and prefetches", None),
    ("neoverse-v3", "events", "L1D_CACHE_REFILL_RD", r"maintenance", None),
    ("neoverse-v3", "events", "L1D_TLB_REFILL_RD", r"fault.*AT instructions", None),
    ("neoverse-v3", "events", "L1D_TLB_RD", r"maintenance", None),
    ("neoverse-v3", "events", "DTLB_WALK_SMALL", r"part of the way.*maintenance", None),
    ("neoverse-v3", "events", "ITLB_WALK_RD", r"part of the way.*maintenance", None),
    # Arm Neoverse V3 Core Telemetry Specification
    ("neoverse-v3", "6.18", "IMP_L2_CACHE_REFILL_IF", r"layout.*prefetching.*larger L1", None),
    ("neoverse-v3", "6.18", "IMP_CT_FLUSH_BAD_BRANCH", r"wrong path", r"code was replaced"),
    ("neoverse-n1", "4.12.12", "EXC_TRAP_DABORT", r"MMU.*misaligned.*REI.*SError", None),
)


def told(cpu, event):
    folder = ROOT / "cpus" / cpu
    telemetry = json.loads((folder / "telemetry.json").read_text(encoding="utf-8"))
    caveats = json.loads((folder / "caveats.json").read_text(encoding="utf-8"))["caveats"]
    return " ".join([telemetry["events"][event]["description"],
                     *(c["text"] for c in caveats if event in c["events"])])


def main():
    failed = 0
    for cpu, section, event, there, not_there in FACTS:
        text = told(cpu, event)
        if not re.search(there, text):
            failed += 1
            print(f"{cpu}, {event}: nothing says {there!r} ({section})", file=sys.stderr)
        if not_there and re.search(not_there, text):
            failed += 1
            print(f"{cpu}, {event}: says {not_there!r}, against {section}", file=sys.stderr)
    print(f"{len(FACTS)} facts, {failed} not told")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

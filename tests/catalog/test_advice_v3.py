#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The V3's advice: what is said at the end of a walk, and that no weight exceeds its loss.

    tests/catalog/test_advice_v3.py SOURCE_ROOT

The specification gives no measurements: the cases are made up, one for each condition and for
nodes where several compete, with the answer that the "why" of the entries asks for.
"""

import random
import sys

from test_advice import ROOT, heaviest
from check_telemetry import Formula, read_json, with_terms

# Node, metrics that are not zero, the advice: None the fallback.
CASES = (
    ("bad_speculation", {"bad_speculation": 40, "branch_mpki": 20, "ipc": 3},
     "mispredicted-branches"),
    ("bad_speculation", {"bad_speculation": 40, "branch_mpki": 20, "ipc": 3,
                         "l1i_cache_mpki": 400}, "branch-targets-and-code-size"),
    ("bad_speculation", {"bad_speculation": 40, "branch_mpki": 0.1, "ipc": 3}, "order-flushes"),
    ("bad_speculation", {"bad_speculation": 4, "branch_mpki": 0.1, "ipc": 3}, None),
    ("frontend_core_bound", {"frontend_bound": 30, "frontend_core_bound": 80,
                             "branch_percentage": 25}, "taken-branches"),
    ("frontend_core_flush_bound", {"branch_mpki": 10, "ipc": 2}, "refill-after-mispredictions"),
    ("frontend_core_flush_bound", {"branch_mpki": 1, "ipc": 2}, None),
    ("frontend_core_flow_bound", {"branch_percentage": 25}, "dense-branches"),
    ("frontend_mem_tlb_bound", {"itlb_mpki": 2, "l1i_tlb_mpki": 10}, "itlb-walks"),
    ("frontend_mem_tlb_bound", {"itlb_mpki": 0.1, "l1i_tlb_mpki": 10}, None),
    ("frontend_cache_l2i_bound", {"l1d_cache_mpki": 30, "l1i_cache_mpki": 20}, "data-evicts-code"),
    ("frontend_cache_l2i_bound", {"l1d_cache_mpki": 3, "l1i_cache_mpki": 20}, None),
    ("backend_busy_bound", {"integer_dp_percentage": 80, "load_percentage": 10},
     "integer-chains"),
    ("backend_busy_bound", {"scalar_fp_percentage": 40, "integer_dp_percentage": 40,
                            "load_percentage": 20}, "fp-chains"),
    ("backend_busy_bound", {"load_percentage": 60, "integer_dp_percentage": 40}, "l1-loads"),
    ("backend_busy_bound", {"store_percentage": 30, "integer_dp_percentage": 70}, "store-bound"),
    ("backend_busy_bound", {"integer_dp_percentage": 30, "scalar_fp_percentage": 10,
                            "load_percentage": 15, "store_percentage": 10}, None),
    ("backend_mem_tlb_bound", {"dtlb_mpki": 2, "l1d_tlb_mpki": 30}, "dtlb-walks"),
    ("backend_mem_tlb_bound", {"dtlb_mpki": 0.1, "l1d_tlb_mpki": 30}, None),
    ("backend_cache_l2d_bound", {"l2_cache_mpki": 10, "ll_cache_read_mpki": 8}, "memory-reads"),
    ("backend_cache_l2d_bound", {"l2_cache_mpki": 10}, None),
    ("retiring", {"retiring": 70, "integer_dp_percentage": 70}, "scalar-integer"),
    ("retiring", {"retiring": 70, "sve_predicate_percentage": 40, "simd_percentage": 0,
                  "sve_all_percentage": 50, "sve_predicate_empty_percentage": 10,
                  "sve_predicate_partial_percentage": 60}, "idle-lanes"),
    ("retiring", {"retiring": 70, "fp64_percentage": 40, "sve_all_percentage": 60},
     "double-precision"),
)

# Children that make up the whole of their parent; the others may overlap.
SPLITS = (("frontend_core_bound", "frontend_mem_bound"), ("backend_core_bound", "backend_mem_bound"),
          ("frontend_core_flush_bound", "frontend_core_flow_bound"),
          ("frontend_cache_l1i_bound", "frontend_cache_l2i_bound"),
          ("backend_cache_l1d_bound", "backend_cache_l2d_bound"))


def check_cases(advice, names):
    failed = 0
    for node, given, want in CASES:
        # All nodes at 50 %, so that the weights of those below Level 1 are not zero.
        nodes = {name: 50 for name in names if name.endswith("_bound")}
        got = heaviest(advice, node, dict.fromkeys(names, 0) | nodes | given)
        if got != want:
            failed += 1
            print(f"{node}, {given}: {got}, not {want}", file=sys.stderr)
    return failed


def check_weights(advice, names):
    """Below Level 1 a cause does not explain more than its root, flush recovery apart."""
    rng = random.Random(3)
    failed = 0
    for _ in range(200):
        metrics = {name: rng.uniform(0.1, 100) for name in names}
        for a, b in SPLITS:
            metrics[b] = 100 - metrics[a]
        for entry in advice["advice"]:
            side = entry["node"].split("_")[0]
            if side not in ("frontend", "backend") or "flush" in entry["node"]:
                continue
            weight = Formula(entry["weight"]).value(with_terms(advice, metrics))
            if not 0 <= weight <= metrics[f"{side}_bound"] * (1 + 1e-9):
                failed += 1
                print(f"{entry['id']}: weighs {float(weight)} of {metrics[f'{side}_bound']}",
                      file=sys.stderr)
    return failed


def main():
    folder = ROOT / "cpus" / "neoverse-v3"
    advice = read_json(folder / "advice.json")
    names = read_json(folder / "telemetry.json")["metrics"]
    return 1 if check_cases(advice, names) + check_weights(advice, names) else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No advice of any catalog is given for misses that hardly ever happen, however high their ratios.

    tests/catalog/test_advice_few.py SOURCE_ROOT

The V1 methodology paper, section 3.2.3, Miss Ratio 05: 18 % of hardly any accesses to the L2 cache are
no bottleneck. Here each metric of misses is below 0.1 for a thousand instructions, each ratio anything. What holds
even where nothing is missed at all has another reason, and is left out. So is what a high rate of
execution makes of each miss: IPC is that of a program that waits.

Each ratio of misses says in its text which metric to look at first.
"""

import random
import sys

from test_advice import ROOT
from check_telemetry import Formula, read_json, with_terms

CPUS = ("neoverse-n1", "neoverse-n2", "neoverse-v1", "neoverse-v2", "neoverse-v3", "riscv")
RATE_UNITS = ("MPKI", "per thousand instructions")
RATIO_UNITS = {"per cache access": 1, "per TLB access": 1, "per branch": 1, "per refill": 1,
               "percent of branches": 100, "percent of cache accesses": 100,
               "percent of TLB accesses": 100}


def metrics_of(telemetry, rng, most):
    """Values with rates below @most and any ratios; the tree's nodes lose all that they can."""
    values = {}
    for name, metric in telemetry["metrics"].items():
        if metric["units"] in RATE_UNITS:
            values[name] = rng.uniform(0, most)
        elif metric["units"] in RATIO_UNITS:
            values[name] = rng.uniform(0, RATIO_UNITS[metric["units"]]) * (most > 0)
        elif name in ("ipc", "IPC"):
            values[name] = 0.5
        else:
            values[name] = 100.0 if metric["units"].startswith("percent of slots") else 0.0
    return values


def holds(advice, entry, values):
    try:
        return Formula(entry["condition"]).value(with_terms(advice, values)) > 0
    except (KeyError, ZeroDivisionError):
        return False


def check_conditions(cpu, telemetry, advice):
    rng = random.Random(7)
    nothing = [metrics_of(telemetry, rng, 0) for _ in range(3)]
    failed = set()
    conditional = [entry for entry in advice["advice"] if entry["condition"] is not None]
    for _ in range(60):
        few = metrics_of(telemetry, rng, 0.1)
        failed |= {entry["id"] for entry in conditional if holds(advice, entry, few)
                   and not any(holds(advice, entry, none) for none in nothing)}
    return [f"{cpu}: {name} holds for misses that hardly ever happen" for name in sorted(failed)]


def check_texts(cpu, telemetry):
    """A ratio of misses has to name the metric of the same misses for a thousand instructions."""
    rates = {}
    for name, metric in telemetry["metrics"].items():
        if metric["units"] == "MPKI":
            rates.setdefault(Formula(metric["formula"]).names[0], name)
    problems = []
    for name, metric in telemetry["metrics"].items():
        if metric["units"] not in RATIO_UNITS or name.startswith("guide_"):
            continue
        rate = next((rates[event] for event in Formula(metric["formula"]).names
                     if event in rates), None)
        if rate and rate not in metric["description"]:
            problems.append(f"{cpu}: {name} does not name {rate}")
    return problems


def main():
    problems = []
    for cpu in CPUS:
        telemetry = read_json(ROOT / "cpus" / cpu / "telemetry.json")
        problems += check_conditions(cpu, telemetry, read_json(ROOT / "cpus" / cpu / "advice.json"))
        problems += check_texts(cpu, telemetry)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

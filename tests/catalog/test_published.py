#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A catalog against the specification that Arm has published of the same core, both ways.

    tests/catalog/test_published.py SOURCE_ROOT CPU

Facts have to be equal: events with their codes, accesses and kinds, function groups, metrics with
their events, sample events, units and formulas (by exact value for random counts), metric groups,
the decision tree, the core's configuration. DIFFERENT lists what is not, on purpose. Wording must
not be equal: see tools/check_own_words.py.
"""

import pathlib
import random
import sys

ROOT = pathlib.Path(sys.argv[1])
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
from check_own_words import borrowed  # noqa: E402
from check_telemetry import Formula, read_json  # noqa: E402

# (CPU, what, key): (ours, published). docs/model/discrepancies.md gives the reasons.
PREDICATED = ("percent of predicated operations", "percent of operations")
DIFFERENT = {
    ("neoverse-v2", "units", f"sve_predicate_{which}_percentage"): PREDICATED
    for which in ("empty", "full", "partial")
} | {
    ("neoverse-n2", "configuration", "num_counters"): (6, None),
    ("neoverse-v2", "configuration", "num_counters"): (6, None),
}


def methodology(telemetry):
    return telemetry["methodologies"]["topdown_methodology"]


def facts(telemetry):
    """Everything but text and formulas: tables by key."""
    events, metrics, groups = telemetry["events"], telemetry["metrics"], telemetry["groups"]
    return {
        "configuration": telemetry["product_configuration"],
        "code": {name: int(event["code"], 16) for name, event in events.items()},
        "accesses": {name: sorted(event["accesses"]) for name, event in events.items()},
        "kind": {name: (event["architecture_defined"], event["product_defined"])
                 for name, event in events.items()},
        "function group": {name: sorted(group["events"])
                           for name, group in groups["function"].items()},
        "units": {name: metric["units"] for name, metric in metrics.items()},
        "events": {name: sorted(metric["events"]) for name, metric in metrics.items()},
        "samples": {name: sorted(metric["sample_events"]) for name, metric in metrics.items()},
        "metric group": {name: group["metrics"] for name, group in groups["metrics"].items()},
        "grouping": methodology(telemetry)["metric_grouping"],
        "node": {node["name"]: node
                 for node in methodology(telemetry)["decision_tree"]["metrics"]},
        "roots": {"": methodology(telemetry)["decision_tree"]["root_nodes"]},
    }


def compare_facts(cpu, ours, theirs):
    lines, expected = [], {key: pair for key, pair in DIFFERENT.items() if key[0] == cpu}
    ours, theirs = facts(ours), facts(theirs)
    for what, table in ours.items():
        for key in sorted(set(table) | set(theirs[what])):
            got, want = table.get(key), theirs[what].get(key)
            pair = expected.pop((cpu, what, key), None)
            if (got, want) != pair if pair else got != want:
                lines.append(f"{what} {key}: {got}, published {want}")
    return lines + [f"{what} {key}: is no difference any more" for _, what, key in expected]


def compare_formulas(ours, theirs):
    lines, rng = [], random.Random(3)
    for name in sorted(set(ours["metrics"]) & set(theirs["metrics"])):
        one = Formula(ours["metrics"][name]["formula"])
        other = Formula(theirs["metrics"][name]["formula"])
        for _ in range(20):
            counts = {event: rng.randrange(1, 10**9) for event in one.names + other.names}
            if one.value(counts) != other.value(counts):
                lines.append(f"formula {name}: {one.text}, published {other.text}")
                break
    return lines


def differences(cpu, ours, theirs):
    return (compare_facts(cpu, ours, theirs) + compare_formulas(ours, theirs)
            + [f"not in our own words: {line}" for line in borrowed([theirs], ours)])


def change(path, value):
    """A mistake: the value at @path, given with slashes, made another."""
    def mistake(telemetry):
        *parents, last = path.split("/")
        for key in parents:
            telemetry = telemetry[key]
        telemetry[last] = value
    return mistake


def copy_sentence(telemetry):
    # Arm's sentence with other marks and capitals is still Arm's.
    telemetry["events"]["CPU_CYCLES"]["description"] = (
        "Ours. counts CPU clock cycles, (not timer cycles)!")


# Each has to be seen.
MISTAKES = (
    change("events/CPU_CYCLES/code", "0x0012"),
    change("events/CPU_CYCLES/accesses", ["PMU"]),
    change("events/CPU_CYCLES/architecture_defined", False),
    lambda telemetry: telemetry["events"].pop("CHAIN"),
    lambda telemetry: telemetry["metrics"].pop("ipc"),
    change("metrics/ipc/formula", "CPU_CYCLES / INST_RETIRED"),
    change("metrics/ipc/units", "MPKI"),
    change("metrics/ipc/sample_events", ["CPU_CYCLES"]),
    change("metrics/new", {"formula": "CHAIN", "units": "", "events": [], "sample_events": []}),
    lambda telemetry: telemetry["groups"]["metrics"]["MPKI"]["metrics"].pop(),
    lambda telemetry: telemetry["groups"]["function"]["General"]["events"].pop(),
    lambda telemetry: methodology(telemetry)["decision_tree"]["metrics"][0]["next_items"].pop(),
    lambda telemetry: methodology(telemetry)["decision_tree"]["root_nodes"].pop(),
    change("product_configuration/num_slots", 4),
    copy_sentence,
)


def main():
    cpu = sys.argv[2]
    catalog = ROOT / "cpus" / cpu / "telemetry.json"
    theirs = read_json(ROOT / "tests" / "data" / "specs" / f"{cpu}.json")
    found = differences(cpu, read_json(catalog), theirs)
    for i, mistake in enumerate(MISTAKES):
        telemetry = read_json(catalog)
        mistake(telemetry)
        if not differences(cpu, telemetry, theirs):
            found.append(f"mistake {i} was not seen")
    for line in found:
        print(f"{cpu}: {line}", file=sys.stderr)
    return 1 if found else 0


sys.exit(main())

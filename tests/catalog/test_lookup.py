#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A catalog against a table that was transcribed from the lookup chapters of its specification.

    tests/catalog/test_lookup.py SOURCE_ROOT LOOKUP.json CPU

Compares both ways: codes by name, function groups, the metrics that use an event, formulas (by
their exact value for random counts) and metric groups, numbers of members, names that changed.
"""

import pathlib
import random
import sys

ROOT = pathlib.Path(sys.argv[1])
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
from check_telemetry import Formula, read_json  # noqa: E402


def events_of(lookup):
    return {event["name"]: {"code": int(code, 16), "group": event["group"],
                            "metrics": sorted(event["metrics"])}
            for code, event in lookup["events"].items()}


def events_in(telemetry):
    """The same facts from the catalog; the metrics of an event from its metrics' event lists."""
    events = {name: {"code": int(event["code"], 16), "group": None, "metrics": []}
              for name, event in telemetry["events"].items()}
    for name, group in telemetry["groups"]["function"].items():
        for event in group["events"]:
            if event in events:
                events[event]["group"] = name
    for name, metric in sorted(telemetry["metrics"].items()):
        for event in metric["events"]:
            if event in events:
                events[event]["metrics"].append(name)
    return events


def groups_in(telemetry):
    groups = {name: [] for name in telemetry["metrics"]}
    for name, group in telemetry["groups"]["metrics"].items():
        for metric in group["metrics"]:
            groups[metric].append(name)
    return {name: sorted(names) for name, names in groups.items()}


def of_the_specification(telemetry):
    """Without the metrics of another document, which are in groups of their own."""
    groups = telemetry["groups"]["metrics"]
    others = {name for name in groups if name.startswith("Paper_")}
    foreign = {metric for name in others for metric in groups[name]["metrics"]}
    return {**telemetry,
            "metrics": {name: metric for name, metric in telemetry["metrics"].items()
                        if name not in foreign},
            "groups": {**telemetry["groups"], "metrics": {name: group for name, group in groups.items()
                                                          if name not in others}}}


def compare(what, got, want):
    """Two tables by key. Returns lines, one a difference."""
    lines = [f"{what} {key}: not in the specification" for key in sorted(set(got) - set(want))]
    lines += [f"{what} {key}: missing" for key in sorted(set(want) - set(got))]
    lines += [f"{what} {key}: {got[key]}, in the specification {want[key]}"
              for key in sorted(set(got) & set(want)) if got[key] != want[key]]
    return lines


def compare_formulas(telemetry, lookup, events):
    rng = random.Random(2)
    lines = []
    for name, metric in telemetry["metrics"].items():
        if name not in lookup["metrics"]:
            continue
        ours, theirs = Formula(metric["formula"]), Formula(lookup["metrics"][name]["formula"])
        if not set(theirs.names) <= set(events):
            lines.append(f"metric {name}: the specification's formula has an unknown event")
            continue
        for _ in range(20):
            counts = {event: rng.randrange(1, 10**6) for event in events}
            if ours.value(counts) != theirs.value(counts):
                lines.append(f"metric {name}: {metric['formula']}, in the specification "
                             f"{lookup['metrics'][name]['formula']}")
                break
    return lines


def sizes(groups, key):
    return {name: len(group[key]) for name, group in groups.items()}


def aliases_in(telemetry):
    return {alias: int(event["code"], 16) for event in telemetry["events"].values()
            for alias in (event.get("properties") or {}).get("aliases", [])}


def differences(telemetry, lookup):
    telemetry = of_the_specification(telemetry)
    want = events_of(lookup)
    groups = telemetry["groups"]
    renamed = {name: int(code, 16) for name, code in lookup["renamed"].items()}
    aliases = aliases_in(telemetry)
    defined = [event["architecture_defined"] for event in telemetry["events"].values()]
    return (
        compare("event", events_in(telemetry), want)
        + compare("metric", groups_in(telemetry),
                  {name: sorted(metric["groups"]) for name, metric in lookup["metrics"].items()})
        + compare_formulas(telemetry, lookup, want)
        + compare("events in group", sizes(groups["function"], "events"),
                  lookup["function_groups"])
        + compare("metrics in group", sizes(groups["metrics"], "metrics"),
                  lookup["metric_groups"])
        + compare("earlier name", {name: aliases.get(name) for name in renamed}, renamed)
        + compare("events", {"common": defined.count(True), "product": defined.count(False)},
                  {"common": lookup["common"], "product": lookup["product"]}))


def swap_codes(telemetry):
    a, b = telemetry["events"]["L1D_CACHE_RD"], telemetry["events"]["L1D_CACHE_WR"]
    a["code"], b["code"] = b["code"], a["code"]


# Each has to be seen, so that the comparison is known to look at it.
MISTAKES = (
    swap_codes,
    lambda t: t["events"].pop("CHAIN"),
    lambda t: t["metrics"]["ipc"].update(formula="CPU_CYCLES / INST_RETIRED"),
    lambda t: t["metrics"]["ipc"].update(events=["INST_RETIRED"]),
    lambda t: t["groups"]["metrics"]["MPKI"]["metrics"].pop(),
    lambda t: t["groups"]["function"]["General"]["events"].pop(),
)


def main():
    lookup = read_json(sys.argv[2])
    catalog = ROOT / "cpus" / sys.argv[3] / "telemetry.json"
    found = differences(read_json(catalog), lookup)
    for line in found:
        print(line, file=sys.stderr)
    for i, mistake in enumerate(MISTAKES):
        telemetry = read_json(catalog)
        mistake(telemetry)
        if not differences(telemetry, lookup):
            found.append(i)
            print(f"mistake {i} was not seen", file=sys.stderr)
    return 1 if found else 0


sys.exit(main())

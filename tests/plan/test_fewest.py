#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plans as the command gives them, held against all ways to divide small sets of metrics into passes,
and over every catalog. usage: test_fewest.py PMUSCOPE ROOT"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

PMUSCOPE, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
FIXED = {"CPU_CYCLES", "CYCLES.HART", "INST.RET"}

# The fewest passes for 6 counters: shown by tools/plan_bound.py, which solves linear programs with
# another program; see docs/development/plan.md.
FEWEST = {"neoverse-n1": 6, "neoverse-v1": 7, "neoverse-v3": 13, "neoverse-n2": 7,
          "neoverse-v2": 10, "riscv": 18}


def plan(*arguments):
    run = subprocess.run([PMUSCOPE, "plan", "-j", *arguments], capture_output=True, text=True)
    assert run.returncode == 0, (arguments, run.stderr)
    return json.loads(run.stdout)


def check(spec, wanted, counters, got):
    """The plan is one: each metric once, with all its events, in passes that are not too large."""
    needs = {name: set(spec["metrics"][name]["events"]) for name in wanted}
    assert got["counters"] == counters
    seen = []
    for one in got["passes"]:
        events = set(one["events"])
        assert len(events) == len(one["events"])
        assert len(events - FIXED) == one["counters_used"] <= counters
        for name in one["metrics"]:
            assert needs[name] <= events, name
        seen += one["metrics"]
    split = {name for name in wanted if len(needs[name] - FIXED) > counters}
    assert sorted(seen) == sorted(set(wanted) - split)
    assert set(got["split"]) == split
    counted = set().union(*[one["events"] for one in got["passes"]])
    assert counted == set().union(*needs.values())
    assert got["lower_bound"] <= len(got["passes"])
    assert got["optimal"] == (got["lower_bound"] == len(got["passes"]))


def members(spec, group):
    """What a plan has of a group: not what other metrics tell where all events are counted."""
    return [name for name in spec["groups"]["metrics"][group]["metrics"]
            if not spec["metrics"][name].get("properties", {}).get("unless")]


def published(spec):
    stages = spec["methodologies"]["topdown_methodology"]["metric_grouping"].values()
    return sorted({name for stage in stages for group in stage for name in members(spec, group)})


def naive_fewest(sets, counters):
    """Of all ways to divide the sets."""
    best = [0] + [len(sets)] * (2 ** len(sets) - 1)
    fits = [len(set().union(*[s for i, s in enumerate(sets) if chosen >> i & 1])) <= counters
            for chosen in range(2 ** len(sets))]
    for chosen in range(1, 2 ** len(sets)):
        part = chosen
        while part:
            if fits[part]:
                best[chosen] = min(best[chosen], best[chosen & ~part] + 1)
            part = (part - 1) & chosen
    return best[-1]


def specification(needs):
    events = sorted(set().union(*needs.values()))
    text = {"title": "t", "description": "d"}
    return {
        "$schema": "v1.0.schema.json",
        "document": {"timestamp": "01 Jan 00:00:00 2025", "copyright": "none", "confidential": False,
                     "quality": "Test", "license": "MIT", "description": "d"},
        "product_configuration": {
            "product_name": "Test", "part_num": "0x1", "major_revision": "0", "minor_revision": "0",
            "implementer": "0x41", "architecture": "armv8.2", "pmu_architecture": "pmu_v3",
            "num_slots": 4, "num_bus_slots": 0},
        "events": {name: {"code": "0x%04x" % (number + 1), "accesses": ["PMU"],
                          "architecture_defined": True, "product_defined": False, **text}
                   for number, name in enumerate(events)},
        "metrics": {name: {"formula": " + ".join(sorted(needs[name])), "units": "events",
                           "events": sorted(needs[name]), "sample_events": [], **text}
                    for name in needs},
        "groups": {"function": {}, "metrics": {"All": {"metrics": sorted(needs), **text}}},
        "methodologies": {"topdown_methodology": {
            "metric_grouping": {"stage_1": [], "stage_2": ["All"]},
            "decision_tree": {"root_nodes": [], "metrics": []}, **text}},
    }


def test_small():
    """Random metrics over a few events, two of which are popular and one is free."""
    rnd = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "spec.json")
        for run in range(60):
            names = ["E%d" % i for i in range(rnd.randint(4, 12))] + ["CPU_CYCLES"]
            popular = rnd.sample(names, 2)
            needs = {}
            for number in range(rnd.randint(2, 9)):
                needs["m%d" % number] = set(rnd.sample(names, rnd.randint(1, 3)))
                if rnd.random() < 0.5:
                    needs["m%d" % number].add(rnd.choice(popular))
            counters = rnd.randint(4, 7)
            spec = specification(needs)
            path.write_text(json.dumps(spec))
            got = plan("--spec", str(path), "--counters", str(counters))
            check(spec, list(needs), counters, got)
            want = naive_fewest([need - FIXED for need in needs.values()], counters)
            assert got["optimal"] and len(got["passes"]) == want, (run, needs, counters, got, want)


def test_catalogs():
    for folder in sorted(ROOT.glob("cpus/*")):
        spec = json.loads((folder / "telemetry.json").read_text())
        before = None
        for counters in (31, 24, 16, 12, 8, 6, 5, 4, 3, 2):
            got = plan("--mcpu", folder.name, "--counters", str(counters))
            check(spec, published(spec), counters, got)
            assert got["optimal"], (folder.name, counters)
            passes = len(got["passes"])
            assert before is None or passes >= before
            before = passes
            if counters == 6:
                assert passes == FEWEST[folder.name], (folder.name, passes)


def test_choices():
    """Random choices of metrics and groups."""
    rnd = random.Random(11)
    for folder in sorted(ROOT.glob("cpus/*")):
        spec = json.loads((folder / "telemetry.json").read_text())
        groups = spec["groups"]["metrics"]
        for _ in range(6):
            some = rnd.sample(sorted(groups), rnd.randint(0, 3))
            names = rnd.sample(sorted(spec["metrics"]), rnd.randint(1, 20))
            wanted = sorted(set(names).union(*[members(spec, g) for g in some]))
            counters = rnd.randint(2, 31)
            got = plan("--mcpu", folder.name, "-M", ",".join(some + names), "--counters",
                       str(counters))
            check(spec, wanted, counters, got)
            assert got["optimal"], (folder.name, some, names, counters)


for test in (test_small, test_catalogs, test_choices):
    test()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/check_telemetry.py has to see each of these mistakes in an otherwise good folder.

    tests/catalog/test_check_telemetry.py SOURCE_ROOT
"""

import copy
import pathlib
import sys

ROOT = pathlib.Path(sys.argv[1])
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
import check_telemetry  # noqa: E402

DATA = ROOT / "tests" / "data"


class Folder:
    def __init__(self, cpu):
        folder = ROOT / "cpus" / cpu
        self.telemetry = check_telemetry.read_json(folder / "telemetry.json")
        self.advice = check_telemetry.read_json(folder / "advice.json")
        self.events = self.telemetry["events"]
        self.metrics = self.telemetry["metrics"]
        self.groups = self.telemetry["groups"]
        self.topdown = self.telemetry["methodologies"]["topdown_methodology"]
        self.core = {"events": dict(self.events)}


def bad_speculation_as_printed(folder):
    folder.metrics["bad_speculation"]["formula"] = (
        "100 * ((1 - OP_RETIRED / OP_SPEC) * (1 - STALL_SLOT / (CPU_CYCLES * 8)))"
        " + BR_MIS_PRED * 4 / CPU_CYCLES")


def change_formula(metric, old, new):
    def change(folder):
        formula = folder.metrics[metric]["formula"]
        assert old in formula
        folder.metrics[metric]["formula"] = formula.replace(old, new)
    return change


def swap_codes(folder):
    a, b = folder.events["L1D_CACHE"], folder.events["L1D_CACHE_REFILL"]
    a["code"], b["code"] = b["code"], a["code"]


def rename_event(folder):
    folder.events["BR_RETIRE"] = folder.events.pop("BR_RETIRED")


def advice_of(folder, id):
    return next(entry for entry in folder.advice["advice"] if entry["id"] == id)


def put(table, *path_and_value):
    *path, key, value = path_and_value

    def change(folder):
        place = getattr(folder, table)
        for step in path:
            place = place[step]
        place[key] = value
    return change


# What is done to the folder, and words of a complaint that has to come of it.
CASES = (
    ("as printed, Level 1 does not close", bad_speculation_as_printed, "Level 1: sums to"),
    ("no title", lambda f: f.events["CHAIN"].pop("title"), "schema: events/CHAIN"),
    ("a key of its own", put("events", "CHAIN", "note", "x"), "schema: events/CHAIN"),
    ("codes swapped", swap_codes, "L1D_CACHE: is 0x0004 in the architecture"),
    ("a code twice", put("events", "CHAIN", "code", "0x0011"), "has the code of CPU_CYCLES"),
    ("misprinted name", rename_event, "event BR_RETIRE: is not among the architecture's names"),
    ("title of another event", put("events", "L1I_TLB", "title", "L1 data TLB accesses"),
     "does not say 'l1 instruction|code'"),
    ("description names nothing", put("events", "CHAIN", "description", "See NO_SUCH_EVENT."),
     "names NO_SUCH_EVENT"),
    ("misprinted event", change_formula("branch_misprediction_ratio", "BR_RETIRED", "BR_RETIRE"),
     "events: BR_RETIRE is missing"),
    ("formula of another event", change_formula("dtlb_walk_ratio", "DTLB_WALK", "ITLB_WALK"),
     "events: ITLB_WALK is missing"),
    ("parenthesis missing", change_formula("retiring", "8))", "8)"), "')' missing"),
    ("operator missing", change_formula("ipc", " / ", " "), "after the end"),
    ("letters of another alphabet", put("metrics", "ipc", "title", "IP\u0421"), "beyond ASCII"),
    ("wrong factor", change_formula("branch_mpki", "1000", "100"), "is 'MPKI' but computes"),
    ("five slots", put("telemetry", "product_configuration", "num_slots", 5),
     "is 'percent of slots' but computes"),
    ("event in two groups", lambda f: f.groups["function"]["Bus"]["events"].append("CHAIN"),
     "CHAIN is in Bus already"),
    ("event in no group", lambda f: f.groups["function"]["Chain"]["events"].clear(),
     "event CHAIN: is in no function group"),
    ("group of an unknown metric", lambda f: f.groups["metrics"]["MPKI"]["metrics"].append("x"),
     "metric group MPKI: x is not defined"),
    ("metric in no group", lambda f: f.groups["metrics"]["General"]["metrics"].clear(),
     "metric ipc: is in no metric group"),
    ("group in no stage", lambda f: f.topdown["metric_grouping"]["stage_2"].remove("MPKI"),
     "MPKI is missing"),
    ("tree to nowhere",
     lambda f: f.topdown["decision_tree"]["metrics"][0]["next_items"].append("Cache"),
     "node frontend_bound: Cache is not defined"),
    ("root lost", lambda f: f.topdown["decision_tree"]["root_nodes"].remove("retiring"),
     "retiring: cannot be reached"),
    ("advice over an event",
     lambda f: advice_of(f, "l1i-misses").update(condition="L1I_CACHE_REFILL - 1"),
     "l1i-misses: condition: L1I_CACHE_REFILL is not defined"),
    ("advice in a group off the path",
     lambda f: advice_of(f, "l1i-misses").update(group="L1D_Cache_Effectiveness"),
     "frontend_bound does not lead to L1D_Cache_Effectiveness"),
    ("evidence that led to nothing",
     lambda f: advice_of(f, "l1i-misses")["evidence"].append("crypto_percentage"),
     "evidence crypto_percentage is neither"),
    ("no fallback", lambda f: f.advice["advice"].remove(advice_of(f, "retiring-well")),
     "advice for retiring: needs one fallback"),
    ("core.json lacks an event", lambda f: f.core["events"].pop("CHAIN"), "CHAIN is missing"),
)

# The same for a core that counts no slots.
NO_SLOTS = (
    ("an event of slots", lambda f: f.events.update(STALL_SLOT=f.events.pop("STALL_FRONTEND")),
     "event STALL_SLOT: counts slots, and num_slots is 0"),
    ("a share of slots",
     lambda f: f.metrics.update(retiring=f.metrics.pop("guide_dsb_per_cycle")),
     "retiring needs slots, and num_slots is 0"),
    ("unit of another count", put("metrics", "guide_dsb_per_operation", "units", "per cycle"),
     "is 'per cycle' but computes DSB_SPEC / INST_SPEC"),
    ("group out of its stage", lambda f: f.topdown["metric_grouping"]["stage_2"].remove("MPKI"),
     "MPKI is missing"),
)


def main():
    try:
        import jsonschema  # noqa: F401
    except ImportError:
        print("skipped: python3-jsonschema is not installed", file=sys.stderr)
        return 77
    schema = check_telemetry.read_json(DATA / "telemetry-v1.0.schema.json")
    numbers = check_telemetry.read_numbers(DATA / "arm-event-numbers.txt")
    unchanged = (("unchanged", lambda f: None, None),)
    v1, n1 = Folder("neoverse-v1"), Folder("neoverse-n1")
    cases = [(v1, *case) for case in unchanged + CASES]
    cases += [(n1, *case) for case in unchanged + NO_SLOTS]
    failed = 0
    for good, name, change, complaint in cases:
        folder = copy.deepcopy(good)
        change(folder)
        problems = check_telemetry.Check(folder.telemetry, folder.advice, folder.core, numbers,
                                         schema).run()
        seen = any(complaint in problem for problem in problems) if complaint else not problems
        if not seen:
            failed += 1
            print(f"{name}: wanted {complaint!r}, got {problems}", file=sys.stderr)
    print(f"{len(cases) - failed} of {len(cases)} cases")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

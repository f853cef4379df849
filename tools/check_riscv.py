#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check the data of RISC-V: the checks of tools/check_telemetry.py that are not about Arm alone.

    tools/check_riscv.py [--schema FILE] FOLDER

Names have dots, events have no codes (those are of a core, in FOLDER/codes/), and the tree has
four levels whose sums are checked as far as the document says that they are exact.
"""

import argparse
import pathlib
import random
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from check_telemetry import Check, read_json, summary  # noqa: E402

# The form of each unit's formula.
UNITS = {
    "percent of slots": r"100 \* .* / TOPDOWN\.SLOTS",
    "percent of branches": r"100 \* (INST\.MISPRED[\w.]*)\.RET / INST\.BRJMP[\w.]*\.RET",
    "percent of cache accesses": r"100 \* (CACHE[\w.]*)\.MISS / \1\.ACCESS",
    "percent of TLB accesses": r"100 \* (TLB[\w.]*)\.MISS / \1\.ACCESS",
    "MPKI": r"(CACHE[\w.]*\.MISS|TLB[\w.]*\.MISS|INST\.MISPRED[\w.]*) \* 1000 / INST\.RET",
    "per thousand instructions": r"[\w.]+ \* 1000 / INST\.RET",
    "cycles per miss": r"(CACHE[\w.]*\.MISS)\.CYCLES / \1",
    "per cycle": r".* / CYCLES\.HART",
    "operations": r"[^/]*",
    "10^9 operations": r".* / 1000000000",
    "10^12 operations": r".* / 1000000000000",
}

# Parts that make up the whole, by construction of their formulas or by definition of Level 1.
# The others are at most the whole: the document allows for causes that no standard event counts.
BACKEND = "TOPDOWN.BACKEND_BOUND.MEMORY_BOUND."
EXACT = ("TOPDOWN.BAD_SPECULATION", BACKEND + "ADDR_BOUND", BACKEND + "DATA_BOUND")


class RiscvCheck(Check):
    def __init__(self, telemetry, advice, codes, schema):
        super().__init__(telemetry, advice=advice, schema=schema)
        self.codes = codes

    def run(self):
        super().run()
        for path, core in self.codes.items():
            self.check_codes(path, core)
        return self.problems

    def check_events(self):
        owner = {name: name for name in self.telemetry["events"]}
        for name, event in self.telemetry["events"].items():
            where = f"event {name}"
            self.check_text(where, event, "title", "description")
            if not re.fullmatch(r"[A-Z][A-Z0-9]*([._][A-Z0-9]+)*", name):
                self.say(where, "is not a name of capitals, digits, dots and underscores")
            for alias in (event.get("properties") or {}).get("aliases", ()):
                if alias in owner:
                    self.say(where, f"its alias {alias} is a name of {owner[alias]}")
                owner[alias] = name
            if "{" in event["title"] + event["description"]:
                self.say(where, "has a word of the grammar left open")

    def check_units(self, where, metric):
        pattern = UNITS.get(metric["units"])
        if pattern is None:
            self.say(where, f"unit '{metric['units']}' is not one that this tool knows")
        elif not re.fullmatch(pattern, metric["formula"]):
            self.say(where, f"is '{metric['units']}' but computes {metric['formula']}")

    def check_codes(self, path, core):
        identity = () if core.get("any") else ("mvendorid", "marchid")
        for key in ("core", "source", "about", "codes", "names", *identity):
            if not core.get(key):
                self.say(path, f"{key} is missing")
        codes = core.get("codes", {})
        self.known(f"{path}: codes", codes, self.telemetry["events"])
        self.known(f"{path}: generic", core.get("generic", {}), self.telemetry["events"])
        self.known(f"{path}: notes", core.get("notes", {}), codes)
        for name, code in codes.items():
            if not re.fullmatch(r"0x[0-9A-F]+", code) or not int(code, 16):
                self.say(path, f"{name}: code {code} is not of the form 0xAF, or zero")
        for name, code in core.get("names", {}).items():
            if not re.fullmatch(r"0x[0-9A-F]+", code):
                self.say(path, f"{name}: code {code} is not of the form 0xAF")
        for name, code in codes.items():
            if list(codes.values()).count(code) > 1:
                self.say(path, f"{name}: code {code} is used twice")

    def nodes(self):
        tree = self.telemetry["methodologies"]["topdown_methodology"]["decision_tree"]
        return {node["name"]: node for node in tree["metrics"]}, tree["root_nodes"]

    def check_level_1(self):
        """The sums of the tree, over random counts that a core could have."""
        nodes, roots = self.nodes()
        formulas = {name: self.compile(name, self.telemetry["metrics"][name]["formula"])
                    for name in nodes if name in self.telemetry["metrics"]}
        if None in formulas.values() or len(formulas) != len(nodes):
            return
        rng = random.Random(1)
        counted = consistent_counts(rng)
        uncounted = {event for formula in formulas.values() for event in formula.names
                     if event not in counted}
        if uncounted:
            self.say("the tree", f"is over {', '.join(sorted(uncounted))}, which are no states")
            return
        for _ in range(100):
            counts = consistent_counts(rng)
            # A core has some of the levels, and not all of these need to be counted.
            seen = {name: count for name, count in counts.items()
                    if "_MISS." not in name or rng.randrange(2)}
            values = {name: formula.value(seen) for name, formula in formulas.items()
                      if seen.keys() >= set(formula.names) and not self.is_told(name, seen)}
            self.same_sum("Level 1", sum(values[root] for root in roots), 100)
            for name, node in nodes.items():
                below = [item for item in node["next_items"] if item in values]
                if below and name in values:
                    self.check_sum(name, values[name], [values[item] for item in below])
            if self.problems:
                return
            counts["TOPDOWN.SLOTS"] += rng.randrange(1, 1000)
            if sum(formulas[root].value(counts) for root in roots) == 100:
                self.say("Level 1", "closes although slots are missing")

    def is_told(self, name, counts):
        """Whether other metrics show the parts of this one."""
        unless = self.telemetry["metrics"][name].get("properties", {}).get("unless", ())
        return any(event in counts for event in unless)

    def check_sum(self, name, whole, parts):
        if min(parts) < 0:
            self.say(name, "has a negative part although the counts fit")
        if name.removesuffix(".RATE") in EXACT:
            self.same_sum(name, sum(parts), whole)
        elif sum(parts) > whole:
            self.say(name, f"its parts make {float(sum(parts))}, it is {float(whole)}")

    def same_sum(self, name, got, want):
        if got != want:
            self.say(name, f"its parts make {float(got)}, not {float(want)}")


def consistent_counts(rng):
    """Counts in which each slot is in one state, and each state's parts are within it."""

    def part():
        return rng.randrange(10**6)

    def fill(name, *parts):
        """The count of a state: its parts, and a rest that no standard event counts."""
        counts[f"TOPDOWN.{name}.SLOTS"] = (
            sum(counts[f"TOPDOWN.{name}.{one}.SLOTS"] for one in parts) + part())

    counts = {}
    fill("FRONTEND_BOUND.LATENCY.ADDR")
    fill("FRONTEND_BOUND.LATENCY.DATA")
    fill("FRONTEND_BOUND.LATENCY.REDIRECT")
    fill("FRONTEND_BOUND.LATENCY", "ADDR", "DATA", "REDIRECT")
    fill("FRONTEND_BOUND.BANDWIDTH")
    fill("FRONTEND_BOUND", "LATENCY", "BANDWIDTH")
    fill("BAD_SPECULATION.MISPRED")
    fill("BAD_SPECULATION.MEM_ORDERING")
    fill("BAD_SPECULATION", "MISPRED", "MEM_ORDERING")
    fill("BACKEND_BOUND.CORE.SERIALIZING")
    fill("BACKEND_BOUND.CORE", "SERIALIZING")
    # An access that misses a level has missed all levels before it.
    for name, levels in (("ADDR.TLB", ("LL", "L1")), ("DATA", ("LL", "L3", "L2", "L1"))):
        missed = 0
        for one in levels:
            missed += part()
            counts[f"TOPDOWN.BACKEND_BOUND.MEMORY.{name}.{one}_MISS.SLOTS"] = missed
    fill("BACKEND_BOUND.MEMORY.ADDR", "TLB.L1_MISS")
    fill("BACKEND_BOUND.MEMORY.DATA", "L1_MISS")
    fill("BACKEND_BOUND.MEMORY", "ADDR", "DATA")
    fill("BACKEND_BOUND", "MEMORY", "CORE")
    counts["UOP.RET"] = part() + 1
    counts["TOPDOWN.SLOTS"] = counts["UOP.RET"] + sum(
        counts[f"TOPDOWN.{name}.SLOTS"]
        for name in ("FRONTEND_BOUND", "BAD_SPECULATION", "BACKEND_BOUND"))
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--schema", help="the JSON Schema of RISC-V's telemetry.json")
    options = parser.parse_args()
    if options.schema:
        try:
            import jsonschema  # noqa: F401
        except ImportError:
            print("skipped: python3-jsonschema is not installed", file=sys.stderr)
            return 77
    try:
        telemetry = read_json(options.folder / "telemetry.json")
        advice = read_json(options.folder / "advice.json")
        codes = {f"codes/{path.name}": read_json(path)
                 for path in sorted((options.folder / "codes").glob("*.json"))}
        schema = read_json(options.schema) if options.schema else None
    except (OSError, ValueError) as error:
        print(f"{options.folder}: {error}", file=sys.stderr)
        return 2
    problems = RiscvCheck(telemetry, advice, codes, schema).run()
    for problem in problems:
        print(f"{options.folder}: {problem}", file=sys.stderr)
    if not problems:
        print(f"{options.folder}: {summary(telemetry, advice)}, codes of {len(codes)} cores")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

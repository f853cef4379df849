#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The catalog of Neoverse N1 against tables transcribed apart from it, both ways.

    tests/catalog/test_lookup_n1.py SOURCE_ROOT
"""

import copy
import json
import pathlib
import sys

ROOT = pathlib.Path(sys.argv[1])


def read(path):
    return json.loads((ROOT / path).read_text(encoding="utf-8"))


class Comparison:
    def __init__(self, telemetry, lookup):
        self.telemetry, self.guide = telemetry, lookup["guide"]
        self.published = lookup["published"]
        self.problems = []

    def same(self, what, got, want):
        """Two mappings have to have the same keys and values."""
        for key in sorted(set(got) | set(want)):
            if got.get(key) != want.get(key):
                self.problems.append(
                    f"{what} {key}: the catalog has {got.get(key)}, the table {want.get(key)}")

    def run(self):
        self.check_events()
        self.check_appendix()
        self.check_aliases()
        self.check_quotients()
        self.check_published()
        return self.problems

    def name(self, printed):
        return self.published["renamed"].get(printed, printed)

    def codes(self, rows):
        return {self.name(row["name"]): row["code"] for row in rows}

    def catalog_codes(self):
        return {name: event["code"] for name, event in self.telemetry["events"].items()}

    def check_events(self):
        self.same("event", self.catalog_codes(), self.codes(
            self.guide["events"] + self.published["events_not_in_guide"]))
        count = len(self.telemetry["events"]) - len(self.published["events_not_published"])
        self.same("number of", {"published events": count},
                  {"published events": self.published["event_count"]})

    def check_appendix(self):
        """Appendix B gives each event once, but TTBR_WRITE_RETIRED, which it leaves out."""
        want = self.codes(self.guide["events"])
        del want["TTBR_WRITE_RETIRED"]
        self.same("appendix B", self.codes(self.guide["appendix_b"]), want)

    def check_aliases(self):
        got = {alias: name for name, event in self.telemetry["events"].items()
               for alias in (event.get("properties") or {}).get("aliases", [])}
        self.same("alias", got, self.published["renamed"])

    def metrics(self, groups):
        table = self.telemetry["metrics"]
        return {name: table[name] for group in groups
                for name in self.telemetry["groups"]["metrics"][group]["metrics"]}

    def check_quotients(self):
        groups = {"6.1": "Guide_Execution", "6.2": "Guide_TLB", "6.3": "Guide_Cache"}
        for section, group in groups.items():
            got = {metric["title"]: metric["formula"]
                   for metric in self.metrics([group]).values()}
            want = {row["name"]: row["formula"] for row in self.guide["quotients"]
                    if row["section"] == section}
            self.same(f"quotient of {section}", got, want)
        self.same("number of", {"quotients": len(self.metrics(groups.values()))},
                  {"quotients": 42})

    def check_published(self):
        groups = {name: set(group["metrics"])
                  for name, group in self.telemetry["groups"]["metrics"].items()
                  if not name.startswith("Guide_")}
        self.same("metric group", groups,
                  {name: set(metrics) for name, metrics in self.published["groups"].items()})
        got = {name: metric["formula"] for name, metric in self.metrics(groups).items()}
        self.same("published metric", got, self.published["metrics"])


# Each has to be seen, so that the comparison is known to look at it.
MISTAKES = (
    lambda t: t["events"]["LDST_SPEC"].update(code="0x0073"),
    lambda t: t["events"].pop("TTBR_WRITE_RETIRED"),
    lambda t: t["events"].update(STALL=t["events"]["STALL_FRONTEND"]),
    lambda t: t["events"]["L3D_CACHE_RD"].pop("properties"),
    lambda t: t["metrics"]["guide_dsb_per_operation"].update(formula="DSB_SPEC / INST_RETIRED"),
    lambda t: t["metrics"]["guide_dsb_per_cycle"].update(title="DSB rate"),
    lambda t: t["groups"]["metrics"]["Guide_TLB"]["metrics"].pop(),
    lambda t: t["groups"]["metrics"]["MPKI"]["metrics"].pop(),
    lambda t: t["metrics"]["ipc"].update(formula="INST_SPEC / CPU_CYCLES"),
)


def main():
    telemetry = read("cpus/neoverse-n1/telemetry.json")
    lookup = read("tests/data/neoverse-n1-lookup.json")
    problems = Comparison(telemetry, lookup).run()
    for i, mistake in enumerate(MISTAKES):
        wrong = copy.deepcopy(telemetry)
        mistake(wrong)
        if not Comparison(wrong, lookup).run():
            problems.append(f"mistake {i + 1} of this test is not seen")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

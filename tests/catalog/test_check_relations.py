#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/check_relations.py has to see each of these mistakes in otherwise good data.

    tests/catalog/test_check_relations.py SOURCE_ROOT
"""

import copy
import pathlib
import sys

ROOT = pathlib.Path(sys.argv[1])
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
import check_relations  # noqa: E402
from check_relations import read_json  # noqa: E402

FOLDER = ROOT / "cpus" / "neoverse-n1"
LOOKUP = ROOT / "tests" / "data" / "neoverse-n1-lookup.json"


class Data:
    def __init__(self):
        self.events = read_json(FOLDER / "telemetry.json")["events"]
        self.relations = read_json(FOLDER / "relations.json")
        self.caveats = read_json(FOLDER / "caveats.json")
        self.table = check_relations.read_table(ROOT / "docs/development/relations-n1.md")
        self.shared = read_json(check_relations.SHARED)
        self.known = [section["number"] for section in read_json(LOOKUP)["guide"]["sections"]]

    def row(self, name):
        return next(row for row in self.relations["relations"] if row["id"] == name)

    def caveat(self, name):
        return next(row for row in self.caveats["caveats"] if row["id"] == name)

    def drop(self, name):
        self.relations["relations"].remove(self.row(name))

    def edit_table(self, number, column, change):
        row = next(row for row in self.table if row[0] == number)
        change(row[column])

    def drop_from_table(self, number):
        self.table = [row for row in self.table if row[0] != number]


def set_row(name, **values):
    return lambda data: data.row(name).update(values)


# What is done to the data, and words of a complaint that has to come of it.
CASES = (
    ("no such event", set_row("l1d-tlb-sum", rhs="L1D_TLB_RD + L1D_TLB_WRITE"),
     "l1d-tlb-sum: rhs: L1D_TLB_WRITE is no event"),
    ("no formula", set_row("l1d-tlb-sum", rhs="L1D_TLB_RD +"), "a number or a name is missing"),
    ("no such kind", set_row("strex-sum", kind="is"), "kind is is none of"),
    ("never with something", set_row("ldst-never", rhs="LD_SPEC"), "never goes with"),
    ("a part of what never counts", set_row("unaligned-ld", rhs="LDST_SPEC"),
     "unaligned-ld: has a part of LDST_SPEC, which never counts"),
    ("no such origin", set_row("strex-sum", origin="paper"), "neither document nor architecture"),
    ("a key more", set_row("strex-sum", why="x"), "strex-sum: has a key why"),
    ("a key less", lambda d: d.row("strex-sum").pop("note"), "strex-sum: has no note"),
    ("empty note", set_row("strex-sum", note=" "), "note is empty"),
    ("no such configuration", set_row("strex-sum", condition={"configuration": "dsu_l4"}),
     "configuration dsu_l4 is not described"),
    ("half of a pair", set_row("strex-sum", condition={"configuration": "dsu_l3 and x"}),
     "configuration x is not described"),
    ("no revision", set_row("l1d-tlb-sum", condition={"errata": "1356341"}), "an erratum needs"),
    ("bad revision", set_row("l1d-tlb-sum", condition={"errata": "1", "before": "4.0"}),
     "is not of the form r4p0"),
    ("id twice", set_row("l1d-tlb-rd", id="l1d-tlb-wr"), "l1d-tlb-wr: the id is used twice"),
    ("said twice", set_row("l1d-tlb-rd", lhs="L1D_TLB_WR"), "says what l1d-tlb-rd says"),
    ("configuration not needed", lambda d: d.relations["configurations"].update(x="X"),
     "configuration x: no relation"),
    ("shared row lost", lambda d: d.drop("arch-exc-taken"), "arch-exc-taken: is missing"),
    ("shared row changed", set_row("arch-exc-taken", lhs="EXC_RETURN"),
     "arch-exc-taken: differs from"),
    ("shared row of nowhere", set_row("arch-exc-taken", id="arch-x"), "arch-x: is not a shared"),
    ("absent for no reason", lambda d: d.relations["not_here"].update({"arch-x": "x"}),
     "arch-x: is no row"),
    ("caveat about nothing", lambda d: d.caveat("ttbr-kpti").update(events=[]), "about no event"),
    ("caveat about no event", lambda d: d.caveat("ttbr-kpti").update(events=["TTBR"]),
     "TTBR is no event"),
    ("caveat names no event", lambda d: d.caveat("ttbr-kpti").update(text="See TTBR_WRITES."),
     "names TTBR_WRITES"),
    ("section not in the table", lambda d: d.drop_from_table("4.6.3"),
     "section 4.6.3: is in the table 0 times"),
    ("relation not in the table", lambda d: d.edit_table("4.6.3", 1, set.clear),
     "section 4.6.3: l3d-cache-sum is missing"),
    ("relation in another section", lambda d: d.edit_table("4.6.2", 1, lambda s: s.add("br-return")),
     "section 4.6.2: br-return is not stated there"),
    ("caveat not in the table", lambda d: d.edit_table("6.2", 2, set.clear), "ttbr-kpti is missing"),
    ("relation lost", lambda d: d.drop("l3d-cache-sum"),
     "section 4.6.3: l3d-cache-sum is not stated there"),
    ("section of nowhere", set_row("strex-sum", section="4.14"),
     "strex-sum: section 4.14 is not in the table"),
)


def problems(data):
    found = check_relations.Check(data.events, data.relations, data.caveats, data.shared).run()
    if found:
        return found
    return check_relations.check_table(data.table, data.known, data.relations, data.caveats)


def unknown_shared_events():
    """Names in the shared rows that no Arm catalog can have: a row with a misprint goes nowhere."""
    known = read_json(ROOT / "tools" / "arm-events.json")["events"]
    return [f"{row['id']}: {name}" for row in read_json(check_relations.SHARED)["relations"]
            for side in ("lhs", "rhs") for name in check_relations.Formula(row[side]).names
            if name not in known]


def main():
    good, failed = Data(), 0
    for name in unknown_shared_events():
        failed += 1
        print(f"{name} is not in tools/arm-events.json", file=sys.stderr)
    for name, change, complaint in (("unchanged", lambda data: None, None), *CASES):
        data = copy.deepcopy(good)
        change(data)
        found = problems(data)
        if not (any(complaint in one for one in found) if complaint else not found):
            failed += 1
            print(f"{name}: wanted {complaint!r}, got {found}", file=sys.stderr)
    print(f"{len(CASES) + 1 - failed} of {len(CASES) + 1} cases")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

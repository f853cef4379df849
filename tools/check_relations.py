#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check what a CPU's folder says of its events: relations.json and caveats.json.

    tools/check_relations.py [--sections FILE --table FILE] FOLDER...
    tools/check_relations.py --fill FOLDER...

docs/development/catalog.md describes the files. --table is a page of docs/ that maps each section of the
document to the relations and caveats that it states, --sections a list of the document's sections
({"guide": {"sections": [{"number", "title"}]}}): each section has to be in the page, with all the
relations and caveats that name it. --fill writes the relations of tools/arm-relations.json, those
that follow from the architecture's definitions, into relations.json. Prints one line a problem and
exits with 1, or prints what it counted and exits with 0.
"""

import argparse
import json
import pathlib
import re
import sys

from check_telemetry import Formula, FormulaError, read_json

SHARED = pathlib.Path(__file__).with_name("arm-relations.json")
KINDS = ("sum", "equal", "at_least", "subset", "never")
ROW_KEYS = ("id", "kind", "lhs", "rhs", "condition", "section", "note", "origin")
CAVEAT_KEYS = ("id", "events", "condition", "text", "section")


def statement(row):
    return row["kind"], row["lhs"], row["rhs"]


def sections(row):
    return row["section"].split(", ")


def wanted_shared(shared, relations, events):
    """The shared rows that a catalog with these events has to have: those that hold there, and
    that the core's own document does not state already, as strongly or more so."""
    stated = {statement(row) for row in relations["relations"] if row["origin"] == "document"}
    stated |= {("at_least", lhs, rhs) for kind, lhs, rhs in stated if kind in ("sum", "equal")}
    return [row for row in shared["relations"]
            if row["id"] not in relations.get("not_here", {}) and statement(row) not in stated
            and all(name in events for name in
                    Formula(row["lhs"]).names + Formula(row["rhs"]).names)]


class Check:
    """Collects problems over one folder."""

    def __init__(self, events, relations, caveats, shared):
        self.events, self.relations = events, relations
        self.caveats = caveats or {"source": relations["source"], "caveats": []}
        self.shared = shared
        self.names = set(events).union(*((event.get("properties") or {}).get("aliases", [])
                                         for event in events.values()))
        self.problems = []

    def say(self, where, what):
        self.problems.append(f"{where}: {what}")

    def run(self):
        rows, caveats = self.relations["relations"], self.caveats["caveats"]
        for row in rows:
            self.check_row(f"relation {row.get('id')}", row)
        for caveat in caveats:
            self.check_caveat(f"caveat {caveat.get('id')}", caveat)
        if not self.problems:
            self.check_unique("relation", rows)
            self.check_unique("caveat", caveats)
            self.check_statements()
            self.check_configurations()
            self.check_never()
            self.check_shared()
        return self.problems

    def check_keys(self, where, row, keys):
        row_keys = set(row) - {"source"}
        if "source" in row:
            self.check_text(where, row["source"], "source")
        for key in sorted(set(keys) - row_keys):
            self.say(where, f"has no {key}")
        for key in sorted(row_keys - set(keys)):
            self.say(where, f"has a key {key} that docs/development/catalog.md does not know")
        return set(keys) == row_keys

    def check_text(self, where, text, what):
        if not text.strip() or text != text.strip() or not text.isascii():
            self.say(where, f"{what} is empty, has blanks around it or letters beyond ASCII")

    def check_row(self, where, row):
        if not self.check_keys(where, row, ROW_KEYS):
            return
        if row["kind"] not in KINDS:
            self.say(where, f"kind {row['kind']} is none of {', '.join(KINDS)}")
        if (row["kind"] == "never") != (row["rhs"] == "0"):
            self.say(where, "never goes with a right-hand side of 0, and with nothing else")
        if row["origin"] not in ("document", "architecture"):
            self.say(where, f"origin {row['origin']} is neither document nor architecture")
        for side in ("lhs", "rhs"):
            self.check_formula(f"{where}: {side}", row[side])
        for key in ("note", "section"):
            self.check_text(where, row[key], key)
        self.check_condition(where, row["condition"])

    def check_never(self):
        """Nothing is said to be a part of an event that never counts."""
        rows = [row for row in self.relations["relations"] if row["condition"] is None]
        never = {row["lhs"] for row in rows if row["kind"] == "never"}
        for row in rows:
            whole = {"subset": row["rhs"], "at_least": row["lhs"]}.get(row["kind"])
            if whole in never:
                self.say(f"relation {row['id']}", f"has a part of {whole}, which never counts")

    def check_formula(self, where, text):
        try:
            formula = Formula(text)
        except FormulaError as error:
            self.say(where, str(error))
            return
        for name in formula.names:
            if name not in self.events:
                self.say(where, f"{name} is no event of this CPU")

    def check_caveat(self, where, caveat):
        if not self.check_keys(where, caveat, CAVEAT_KEYS):
            return
        if not caveat["events"]:
            self.say(where, "is about no event")
        for name in caveat["events"]:
            if name not in self.events:
                self.say(where, f"{name} is no event of this CPU")
        for key in ("text", "section"):
            self.check_text(where, caveat[key], key)
        for name in re.findall(r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9]\b", caveat["text"]):
            if name not in self.names and not re.search(r"_EL\d$", name):
                self.say(where, f"names {name}, which is no event here")
        self.check_condition(where, caveat["condition"])

    def check_condition(self, where, condition):
        if condition is None:
            return
        if not condition or set(condition) - {"configuration", "errata", "before"}:
            self.say(where, f"condition {condition} has other keys than a condition's")
        for name in condition.get("configuration", "").split(" and "):
            if name and name not in self.relations.get("configurations", {}):
                self.say(where, f"configuration {name} is not described")
        if ("errata" in condition) != ("before" in condition):
            self.say(where, "an erratum needs the revision that it was mended in, and the reverse")
        elif "errata" in condition and not re.fullmatch(r"r\d+p\d+", condition["before"]):
            self.say(where, f"revision {condition['before']} is not of the form r4p0")

    def check_unique(self, what, rows):
        ids = [row["id"] for row in rows]
        for name in sorted({name for name in ids if ids.count(name) > 1}):
            self.say(f"{what} {name}", "the id is used twice")
        for name in ids:
            if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
                self.say(f"{what} {name}", "the id is not of small letters, digits and hyphens")

    def check_statements(self):
        seen = {}
        for row in self.relations["relations"]:
            key = (*statement(row), json.dumps(row["condition"], sort_keys=True))
            if key in seen:
                self.say(f"relation {row['id']}", f"says what {seen[key]} says")
            seen[key] = row["id"]

    def check_configurations(self):
        used = set()
        for row in self.relations["relations"] + self.caveats["caveats"]:
            used.update(((row["condition"] or {}).get("configuration") or "").split(" and "))
        for name, text in self.relations.get("configurations", {}).items():
            self.check_text(f"configuration {name}", text, "its description")
            if name not in used:
                self.say(f"configuration {name}", "no relation and no caveat needs it")

    def check_shared(self):
        shared = {row["id"]: row for row in self.shared["relations"]}
        for name, why in self.relations.get("not_here", {}).items():
            self.check_text(f"not_here {name}", why, "the reason")
            if name not in shared:
                self.say(f"not_here {name}", "is no row of tools/arm-relations.json")
        want = {row["id"]: row for row in
                wanted_shared(self.shared, self.relations, self.events)}
        got = {row["id"]: row for row in self.relations["relations"]
               if row["origin"] == "architecture"}
        for name in sorted(set(want) - set(got)):
            self.say(f"relation {name}", "is missing: run tools/check_relations.py --fill")
        for name in sorted(set(got) - set(want)):
            self.say(f"relation {name}", "is not a shared one, or stated by the document as well")
        for name in sorted(set(got) & set(want)):
            if statement(got[name]) != statement(want[name]):
                self.say(f"relation {name}", "differs from tools/arm-relations.json")


TABLE_ROW = re.compile(r"\| ((?:\d+(?:\.\d+)*)|Appendix [A-Z]) \| ([^|]*) \| ([^|]*) \| ([^|]*) \|")


def read_table(path):
    """Rows of '| 4.1.2 | title | `relation`, ... | `caveat`, ... |'."""
    rows = []
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        if match := TABLE_ROW.fullmatch(line.strip()):
            rows.append((match[1], set(re.findall(r"`([^`]+)`", match[3])),
                         set(re.findall(r"`([^`]+)`", match[4])), match[3]))
    return rows


def check_table(rows, known, relations, caveats):
    problems = []
    numbers = [number for number, *_ in rows]
    for number in known:
        if numbers.count(number) != 1:
            problems.append(f"section {number}: is in the table {numbers.count(number)} times")
    stating = [row for row in relations["relations"] if row["origin"] == "document"]
    for row in stating + caveats["caveats"]:
        for number in sections(row):
            if number not in known or number not in numbers:
                problems.append(f"{row['id']}: section {number} is not in the table")
    for number, *got, text in rows:
        if number not in known:
            problems.append(f"section {number}: is none of the document's")
        for ids, entries in zip(got, (stating, caveats["caveats"])):
            want = {row["id"] for row in entries if number in sections(row)}
            for name in sorted(want ^ ids):
                problems.append(f"section {number}: {name} is " +
                                ("missing" if name in want else "not stated there"))
        if not got[0] and text != "states none":
            problems.append(f"section {number}: says neither a relation nor 'states none'")
    return problems


def fill(folder, relations, events, shared):
    """Keep the document's rows, then the shared ones, each with the condition it has here."""
    old = {row["id"]: row for row in relations["relations"] if row["origin"] == "architecture"}
    kept = [row for row in relations["relations"] if row["origin"] == "document"]
    for row in wanted_shared(shared, relations, events):
        condition = old.get(row["id"], {}).get("condition")
        kept.append({**{key: row[key] for key in ("id", "kind", "lhs", "rhs")},
                     "condition": condition, "section": shared["source"],
                     "note": row["note"], "origin": "architecture"})
    relations["relations"] = kept
    text = json.dumps(relations, indent=2) + "\n"
    (folder / "relations.json").write_text(text, encoding="utf-8")


def check_folder(folder, options, shared):
    """Returns the problems and what was counted."""
    events = read_json(folder / "telemetry.json")["events"]
    relations = read_json(folder / "relations.json")
    path = folder / "caveats.json"
    caveats = read_json(path) if path.exists() else None
    if options.fill:
        fill(folder, relations, events, shared)
    problems = Check(events, relations, caveats, shared).run()
    if options.table and not problems:
        known = [section["number"] for section in
                 read_json(options.sections)["guide"]["sections"]]
        problems += check_table(read_table(options.table), known, relations,
                                caveats or {"caveats": []})
    stated = [row["origin"] for row in relations["relations"]].count("document")
    return problems, (f"{stated} relations from documents, "
                      f"{len(relations['relations']) - stated} from the architecture, "
                      f"{len(caveats['caveats']) if caveats else 0} caveats")


def main():
    parser = argparse.ArgumentParser(description="Check relations.json and caveats.json.")
    parser.add_argument("folders", type=pathlib.Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--fill", action="store_true", help="write the shared relations")
    parser.add_argument("--sections", help="the document's sections, as JSON")
    parser.add_argument("--table", help="the page that maps sections to relations")
    options = parser.parse_args()
    if bool(options.sections) != bool(options.table):
        parser.error("--sections and --table go together")
    failed = False
    for folder in options.folders:
        try:
            problems, counted = check_folder(folder, options, read_json(SHARED))
        except (OSError, ValueError, KeyError) as error:
            print(f"{folder}: {error!r}", file=sys.stderr)
            return 2
        for problem in problems:
            print(f"{folder}: {problem}", file=sys.stderr)
        if not problems:
            print(f"{folder}: {counted}")
        failed |= bool(problems)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

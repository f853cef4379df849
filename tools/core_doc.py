#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write the tables of a core's page in docs/ from its core.json, or check that they are up to date.

usage: core_doc.py [--check] core.json page.md

The page's own words stand outside, its tables between lines "<!-- begin NAME -->" and "<!-- end NAME -->".
What a parameter means comes from params.h, so that it is said once.
"""
import argparse
import json
import pathlib
import re
import sys

import core_base

ROOT = pathlib.Path(__file__).parent.parent
PARAMS_H = ROOT / "src/vcore/share/params.h"


def meanings():
    """(group, name, meaning) of each parameter, in the header's order."""
    group = ""
    for line in PARAMS_H.read_text().splitlines():
        head = re.match(r"\t/\* (.*?) \*/\s*\\$", line)
        row = re.match(r'\tX\((\w+), \d+, \d+,\s+"(.*?)"\)', line)
        if head:
            group = head.group(1)
        elif row:
            yield group, row.group(1), row.group(2) or ""


def mechanisms():
    """(group, name, what is so without it) of each mechanism, in the header's order."""
    group, inside = "", False
    text = re.sub(r'",?\s*\\\n\s+"', '", "', PARAMS_H.read_text())
    for line in text.splitlines():
        inside = "#define PMS_MECHANISMS" in line or (inside and line.strip() != "")
        head = re.match(r"\t/\* (.*?) \*/\s*\\$", line)
        row = re.match(r'\tX\(\w+, "(\w+)", "(.*?)"\)', line)
        if inside and head:
            group = head.group(1)
        elif inside and row:
            yield group, row.group(1), row.group(2)


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    lines += ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def parameters(core):
    parts, groups = [], {}
    for group, name, meaning in meanings():
        row = core["parameters"][name]
        groups.setdefault(group, []).append((f"`{name}`", row["value"], meaning, row["source"]))
    for group, rows in groups.items():
        parts.append(f"### {group[0].upper()}{group[1:]}\n\n"
                     + table(("parameter", "value", "what it is", "source"), rows))
    return "\n\n".join(parts)


def ops(core):
    return table(("class", "latency", "port busy", "ports", "queue", "source"),
                 [(f"`{name}`", row["latency"], row.get("busy", 1), " ".join(row["ports"]) or "none",
                   row["queue"], row["source"]) for name, row in core["ops"].items()])


def ports(core):
    return table(("ports, in the order in which they are taken", "source"),
                 [(" ".join(core["ports"]["names"]), core["ports"]["source"])])


def queues(core):
    return table(("queue", "entries", "source"),
                 [(f"`{name}`", row["entries"], row["source"]) for name, row in core["queues"].items()])


def slots(core):
    groups = {}
    for name, row in core["slots"].items():
        groups.setdefault((row["value"], row["source"]), []).append(f"`{name}`")
    return table(("slots", "forms", "source"),
                 [(value, ", ".join(names), source) for (value, source), names in sorted(groups.items())])


def fusion(core):
    return table(("first", "second", "source"),
                 [(f"`{row['first']}`", f"`{row['second']}`", row["source"]) for row in core["fusion"]])


def of_class(core, kind):
    return {name: row for name, row in core["events"].items() if row["class"] == kind}


def formula(row):
    terms = row["sum"] if "sum" in row else [row["counter"]]
    text = " ".join(("- " if t.startswith("-") else "+ ") + t.removeprefix("-") for t in terms)
    return text.removeprefix("+ ")


def counted(core, kind):
    """Events counted under their own name in one list, the others with what they are made of."""
    rows = {name: row for name, row in of_class(core, kind).items() if "zero" not in row}
    same = [name for name, row in rows.items() if row.get("counter") == name]
    made = [(f"`{name}`", formula(row)) for name, row in rows.items() if name not in same]
    parts = ["Counted under their own name: " + ", ".join(f"`{name}`" for name in same) + "."]
    if made:
        parts.append(table(("event", "is"), made))
    never = {name: row for name, row in of_class(core, kind).items() if "zero" in row}
    if never:
        parts.append("Always 0:\n\n" + by_reason(never, "zero"))
    return "\n\n".join(parts)


def by_reason(rows, key):
    reasons = {}
    for name, row in rows.items():
        reasons.setdefault(row[key], []).append(f"`{name}`")
    return table(("events", "because"), [(", ".join(names), why) for why, names in reasons.items()])


SECTIONS = {
    "mechanisms": lambda core: table(("of", "mechanism", "without it"),
                                     [(group, f"`{name}`", without) for group, name, without in mechanisms()]),
    "parameters": parameters,
    "ports": ports,
    "queues": queues,
    "slots": slots,
    "fusion": fusion,
    "ops": ops,
    "exact": lambda core: counted(core, "exact"),
    "modelled": lambda core: counted(core, "modelled"),
    "not modelled": lambda core: by_reason(of_class(core, "not_modelled"), "because"),
    "rules": lambda core: "\n".join(f"- **{k.replace('_', ' ')}**: {v}" for k, v in core["rules"].items()),
    "limits": lambda core: "\n".join(f"- {text}" for text in core["limits"]),
}


BASE_ONLY = {"mechanisms"}  # the same for each core: the page of a core with a base links to its base's


def fill(page, core):
    def section(found):
        name = found.group(1)
        if name not in SECTIONS:
            raise SystemExit(f"core_doc: no section is called {name!r}")
        return f"<!-- begin {name} -->\n\n{SECTIONS[name](core)}\n\n<!-- end {name} -->"
    return re.sub(r"<!-- begin ([\w ]+) -->\n.*?<!-- end \1 -->", section, page, flags=re.S)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing; exit status 1 if out of date")
    parser.add_argument("core", type=pathlib.Path, metavar="core.json")
    parser.add_argument("page", type=pathlib.Path, metavar="page.md")
    options = parser.parse_args()
    old = options.page.read_text()
    new = fill(old, core_base.read(options.core))
    has_base = "base" in json.loads(options.core.read_text())
    wanted = [name for name in SECTIONS if not (has_base and name in BASE_ONLY)]
    missing = [name for name in wanted if f"<!-- begin {name} -->" not in old]
    for name in missing:
        print(f"{options.page}: the section {name!r} is missing")
    if old != new and options.check:
        print(f"{options.page}: out of date; run tools/core_doc.py {options.core} {options.page}")
    elif old != new:
        options.page.write_text(new)
    return 1 if missing or (options.check and old != new) else 0


if __name__ == "__main__":
    sys.exit(main())

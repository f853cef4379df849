#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One text for one architectural event, in all Arm catalogs.

    tools/event_texts.py --check [--table FILE] CATALOG...
    tools/event_texts.py --fill  [--table FILE] CATALOG...

A CATALOG is a telemetry.json, or the folder that holds the folders of all CPUs (cpus).

The table, tools/arm-events.json, has two parts:

    "events":    {"CPU_CYCLES": {"code", "title", "description"}, ...}      sorted by code
    "overrides": {"neoverse-v1": {"BR_PRED": {"title", "description", "reason"}, ...}, ...}

--check compares each event that a catalog marks as architecture_defined with the table, prints a
line a difference and exits with 1 if there is one. --fill writes title and description from the
table into the catalog. A catalog's name is that of its folder. Events without a code (those of
RISC-V) are passed over.
"""

import argparse
import json
import pathlib
import sys

TABLE = pathlib.Path(__file__).with_name("arm-events.json")
TEXTS = ("title", "description")


def read(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def find(paths):
    for path in paths:
        yield from sorted(path.glob("*/telemetry.json")) if path.is_dir() else [path]


def architectural(telemetry):
    return {name: event for name, event in telemetry["events"].items()
            if event.get("architecture_defined") and "code" in event}


def wanted(table, cpu, name):
    """The texts that CPU's event has to have; None when the table does not know the event."""
    if name not in table["events"]:
        return None
    return {**table["events"][name], **table["overrides"].get(cpu, {}).get(name, {})}


def check_table(table):
    problems = []
    codes = [int(event["code"], 16) for event in table["events"].values()]
    if codes != sorted(set(codes)):
        problems.append("the table is not in the order of codes, or has one twice")
    for cpu, overrides in table["overrides"].items():
        for name, texts in overrides.items():
            where = f"override of {name} for {cpu}"
            if name not in table["events"]:
                problems.append(f"{where}: no such event")
            elif all(texts.get(key) == table["events"][name][key] for key in TEXTS):
                problems.append(f"{where}: says what the table says, so is not needed")
            if not texts.get("reason"):
                problems.append(f"{where}: gives no reason")
    return problems


def check_catalog(table, cpu, telemetry):
    problems = []
    events = architectural(telemetry)
    for name, event in events.items():
        want = wanted(table, cpu, name)
        if not want:
            problems.append(f"{cpu}: {name} is not in the table of architectural events")
            continue
        if int(event["code"], 16) != int(want["code"], 16):
            problems.append(f"{cpu}: {name} is {event['code']}, but {want['code']} in the table")
        for key in TEXTS:
            if event[key] != want[key]:
                problems.append(f"{cpu}: {name}: the {key} is not the table's")
    for name in table["overrides"].get(cpu, {}):
        if name not in events:
            problems.append(f"{cpu}: {name} has an override, but is no event of this CPU")
    return problems


def fill(table, cpu, path, telemetry):
    """Returns the number of events that got new texts."""
    changed = 0
    for name, event in architectural(telemetry).items():
        want = wanted(table, cpu, name)
        if want and any(event.get(key) != want[key] for key in TEXTS):
            event.update({key: want[key] for key in TEXTS})
            changed += 1
    if changed:
        path.write_text(json.dumps(telemetry, indent=2) + "\n", encoding="utf-8")
    return changed


def main():
    parser = argparse.ArgumentParser(description="One text for one architectural event.")
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--check", action="store_true")
    action.add_argument("--fill", action="store_true")
    parser.add_argument("--table", type=pathlib.Path, default=TABLE)
    parser.add_argument("catalogs", type=pathlib.Path, nargs="+", metavar="CATALOG")
    options = parser.parse_args()
    table = read(options.table)
    problems = check_table(table)
    for path in find(options.catalogs):
        cpu, telemetry = path.resolve().parent.name, read(path)
        if options.fill:
            print(f"{cpu}: {fill(table, cpu, path, telemetry)} events filled in")
        problems += check_catalog(table, cpu, telemetry)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

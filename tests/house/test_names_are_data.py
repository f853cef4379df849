#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No event and no core of a catalog is named by a text of the code: cpus/<cpu>/ says which is which.

    tests/house/test_names_are_data.py SOURCE_ROOT

Comments may name both. First the rules are held against lines that it has to see, then against the source.
"""
import json
import pathlib
import re
import sys

SPARED = {
    "src/catalog/roles.c": "the names that architectures prescribe, for a specification without roles",
    "src/vcore/share/counters.h": "the model's own counters; core.json says which event each one is",
    "src/collect/perfstat/event.c": "the kernel's own table: what Linux counts for perf's generic names",
    "src/cli/help.c": "examples of commands, for people",
}
CORES_SPARED = {
    "src/catalog/find.c": "why a catalog lacks a name that documents use",
    "src/cli/help.c": "examples of commands, for people",
    "src/spe/source.c": "which core has which encoding of data sources, by its part number, as perf has it",
    "src/validate/load.c": "a hint, for people",
    "src/vcore/isa/a64/a64_isa.c": "QEMU's CPU",
}
CORE = re.compile(r"(?i)neoverse|cortex|graviton|kunminghu|xiangshan|sifive")
UNSEEN = re.compile(r"/\*.*?\*/|//[^\n]*|(\"(?:\\.|[^\"\\\n])*\")", re.S)
WORD = re.compile(r"[A-Za-z0-9_.]+")


def faults(text, events):
    """(line, event) of each event that a string literal names."""
    for match in UNSEEN.finditer(text):
        for word in WORD.findall(match[1] or ""):
            if word.strip(".") in events:
                yield text.count("\n", 0, match.start()) + 1, word.strip(".")


def cores(text):
    """The line of each core that a string literal names."""
    for match in UNSEEN.finditer(text):
        if CORE.search(match[1] or ""):
            yield text.count("\n", 0, match.start()) + 1


def main(root):
    events = set()
    for path in root.glob("cpus/*/telemetry.json"):
        events.update(json.loads(path.read_text())["events"])
    wrong = []
    for line, seen in (('find(catalog, "INST_RETIRED");', 1), ('"each branch (BR_MIS_PRED), more"', 1),
                       ('{ "CYCLES.HART", "INST.RET" }', 2), ('/* "INST_RETIRED" */', 0), ('"PERFILE2"', 0)):
        if len(list(faults(line, events))) != seen:
            wrong.append(f"the rule does not see: {line}")
    for line, seen in (('if (!strcmp(cpu, "neoverse-v1"))', 1), ('{ "Cortex-X3", 0xd4e }', 1), ('/* Neoverse */', 0)):
        if len(list(cores(line))) != seen:
            wrong.append(f"the rule of cores does not see: {line}")
    used, cores_used = set(), set()
    for path in sorted((root / "src").rglob("*.[ch]")):
        name = path.relative_to(root).as_posix()
        named = list(cores(path.read_text()))
        if named and name in CORES_SPARED:
            cores_used.add(name)
        elif named:
            wrong += [f"{name}:{line}: names a core; let its folder in cpus/ say it" for line in named]
        found = list(faults(path.read_text(), events))
        if name in SPARED:
            used.add(name)
            continue
        wrong += [f"{name}:{line}: names {event}; give it a role in cpus/<cpu>/roles.json"
                  for line, event in found]
    wrong += [f"{name} is spared, and is not there" for name in sorted(set(SPARED) - used)]
    wrong += [f"{name} is spared, and names no core" for name in sorted(set(CORES_SPARED) - cores_used)]
    for fault in wrong:
        print(fault)
    return 1 if wrong or not events else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))

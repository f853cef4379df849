#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hold the names of struct, union and enum types against each other.

usage: check_names.py SOURCE_ROOT

A name that begins with pms_ is seen by every file that includes its header, and by a debugger everywhere: it
has one definition in all of include/ and src/. A function that is declared elsewhere than such a type has
another name than the type. Types that one source file keeps to itself have no prefix, and may repeat.
"""
import collections
import pathlib
import re
import sys

sys.dont_write_bytecode = True
import check_order  # noqa: E402

UNSEEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)
TYPE = re.compile(r"\b(struct|union|enum)\s+(pms_\w+)\s*\{")
FUNCTION = re.compile(r"\b(pms_\w+)\(")


def blank(text):
    return UNSEEN.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def at(root, path, text, offset):
    return f"{path.relative_to(root).as_posix()}:{text.count(chr(10), 0, offset) + 1}"


def folder_of(path, owners):
    """The folder of src/ that a header belongs to."""
    if path.parent.parent.name == "include":
        return owners.get(path.name)
    return "src/" + path.parent.as_posix().rpartition("/src/")[2]


def check(root):
    _, owners = check_order.read_tables((root / check_order.PAGE).read_text())
    types, functions = collections.defaultdict(list), {}
    for folder in ("include", "src"):
        for path in sorted((root / folder).rglob("*.[ch]")):
            text = blank(path.read_text())
            for match in TYPE.finditer(text):
                types[match[2]].append((path, match[1], at(root, path, text, match.start())))
            if path.suffix == ".h":
                for match in FUNCTION.finditer(text):
                    functions.setdefault(match[1], (path, at(root, path, text, match.start())))
    faults = []
    for name, places in sorted(types.items()):
        first = places[0][2]
        faults += [f"{where}: {kind} {name} is defined at {first} as well"
                   for _, kind, where in places[1:]]
        path, where = functions.get(name, (places[0][0], ""))
        if folder_of(path, owners) != folder_of(places[0][0], owners):
            faults.append(f"{where}: the function {name}() has the name of the {places[0][1]} at {first}")
    return faults


def main():
    faults = check(pathlib.Path(sys.argv[1]).resolve())
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()

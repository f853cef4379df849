#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hold each #include of the source against the two tables of folders in docs/architecture.md.

usage: check_order.py SOURCE_ROOT

A folder includes only itself and folders above it in the first table; one without a row of its own is part
of the folder that it is in. A public header stands where the folder does that the second table gives it to,
and that folder defines what the header declares. The command includes public headers alone.
"""
import pathlib
import re
import sys

PAGE = "docs/architecture.md"
PUBLIC = "include/pmuscope"
EVERYTHING = "pmuscope.h"  # includes each public header: for the command and for other programs
COMMAND = "src/cli"
# Known faults, still to be mended: (file, what it includes or declares).
KNOWN = set()

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.M)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
DECLARED = re.compile(r"\b(pms_[a-z0-9_]+)\(")
DEFINED = re.compile(r"^(?!static\b|extern\b)\w[^;={}()]*?\b(pms_[a-z0-9_]+)\([^;{}]*\)\s*\{", re.M)


def read_tables(page):
    """The folders in their order, and the folder of each public header."""
    folders, owners = [], {}
    for line in page.splitlines():
        row = re.match(r"\| `(src/[a-z0-9_/]+)/` \| (.*) \|$", line)
        if not row:
            continue
        headers = re.fullmatch(r"`[a-z_]+\.h`(, `[a-z_]+\.h`)*", row[2])
        if headers:
            owners.update({name: row[1] for name in re.findall(r"[a-z_]+\.h", row[2])})
        else:
            folders.append(row[1])
    return folders, owners


def blank(text):
    """The text without its comments, on the same lines."""
    return COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


class House:
    def __init__(self, root):
        self.root = root
        folders, self.owner = read_tables((root / PAGE).read_text())
        self.floor = {folder: i for i, folder in enumerate(folders)}
        self.sources = sorted((root / "src").rglob("*.[ch]"))
        self.headers = sorted((root / PUBLIC).glob("*.h"))
        self.faults = []

    def fault(self, path, text, offset, words):
        where = path.relative_to(self.root).as_posix()
        self.faults.append(f"{where}:{text.count(chr(10), 0, offset) + 1}: {words}")

    def row(self, folder):
        """The row of a folder: its own, or its parent folder's; None without one."""
        while folder and folder not in self.floor:
            folder = folder.rpartition("/")[0]
        return folder or None

    def folder(self, path):
        name = path.parent.relative_to(self.root).as_posix()
        return self.row(name) or name

    def check_tables(self):
        """Each folder and each public header has a row, and each row names something that exists."""
        folders = {self.folder(path) for path in self.sources}
        headers = {path.name for path in self.headers} - {EVERYTHING}
        owners = set(self.owner.values())
        for words, names in (
                ("the table of folders has no row for", folders - set(self.floor)),
                ("there are no sources in", set(self.floor) - folders),
                ("the table of folders has no row for", owners - set(self.floor) - folders),
                ("no folder has the public header", headers - set(self.owner)),
                ("there is no public header", set(self.owner) - headers)):
            self.faults += [f"{PAGE}: {words} {name}" for name in sorted(names)]

    def target(self, name):
        """The folder that an included file belongs to; None for the system's."""
        if name.startswith("pmuscope/"):
            return self.owner.get(name.split("/", 1)[1])
        return self.row("src/" + name.rpartition("/")[0])

    def check_includes(self, path, folder):
        text = blank(path.read_text())
        for match in INCLUDE.finditer(text):
            name, to, words = match[1], self.target(match[1]), None
            if name == "pmuscope/" + EVERYTHING and folder != COMMAND:
                words = f"{name} is for the command: include the header that is needed"
            elif to is None or to == folder:
                continue
            elif folder == COMMAND and not name.startswith("pmuscope/"):
                words = f"the command includes public headers alone, and not {name}"
            elif self.floor[to] > self.floor[folder]:
                words = f"{folder}/ stands above {to}/ and must not include {name}"
            if words:
                self.fault(path, text, match.start(), words)

    def check_definitions(self):
        """What a public header declares is defined in the folder that has the header, or in one of its own."""
        at = {}
        for path in self.sources:
            if path.suffix == ".c":
                at.update({name: self.folder(path) for name in DEFINED.findall(blank(path.read_text()))})
        for header in self.headers:
            text = blank(header.read_text())
            owner = self.owner.get(header.name)
            for match in DECLARED.finditer(text):
                folder = at.get(match[1], owner)
                if owner and not (folder + "/").startswith(owner + "/"):
                    self.fault(header, text, match.start(),
                               f"{owner}/ declares {match[1]}(), and {folder}/ defines it")

    def check(self):
        self.check_tables()
        if not self.faults:
            for path in self.sources:
                self.check_includes(path, self.folder(path))
            for path in self.headers:
                if path.name != EVERYTHING:
                    self.check_includes(path, self.owner[path.name])
            self.check_definitions()
        return self.faults


def main():
    faults = House(pathlib.Path(sys.argv[1]).resolve()).check()
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()

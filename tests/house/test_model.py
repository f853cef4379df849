#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The core model knows no core, and only its folder of an ISA knows that ISA.

    tests/house/test_model.py SOURCE_ROOT

Comments may cite where a mechanism is from; code may not. First the rules are held against lines that
they have to see, then against the source.
"""
import pathlib
import re
import sys

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
ISA = "src/vcore/isa/a64/"
CHOICE = {"src/vcore/isa/chosen.h", "src/vcore/isa/meson.build"}  # where an ISA is chosen


class Rule:
    """@pattern must not be in the files under @folder, but for those that @spared says."""

    def __init__(self, name, folder, pattern, in_comments, spared, seen):
        self.name, self.folder, self.pattern = name, folder, re.compile(pattern)
        self.in_comments, self.spared, self.seen = in_comments, spared, seen

    def faults(self, text):
        if not self.in_comments:
            text = COMMENT.sub(lambda found: "\n" * found.group(0).count("\n"), text)
        for number, line in enumerate(text.splitlines(), 1):
            if self.pattern.search(line):
                yield number, line.strip()


RULES = [
    # QEMU's CPU that stands in for all of them is the ISA's.
    Rule("names a core", "src/vcore/", r"(?i)neoverse|cortex|kunminghu|xiangshan|\bp550\b|\b[nv][123]\b",
         False, lambda path: path == ISA + "a64_isa.c",
         ('if (!strcmp(name, "Neoverse V1"))', "int v1 = 0;", "enum { N2 };")),
    Rule("names an ISA", "src/vcore/", r"(?i)a64|aarch64|\bnzcv\b|\b(svc|dmb|dsb|isb|prfm|ldp|stp|sve)\b",
         True, lambda path: path.startswith(ISA) or path in CHOICE,
         ("pms_a64_classify(word, &insn);", 'open("/usr/aarch64-linux-gnu");', "/* after isb */")),
    Rule("names what is an ISA's", "src/vcore/",
         r"\bPMS_(OP|REG|FORM|FUSE|SPEC)_(?!COUNT\b|NONE\b|##)[A-Z]",
         False, lambda path: path.startswith(ISA),
         ("case PMS_OP_DMB:", "x >= PMS_REG_V0", "PMS_FORM_LD4_16", "PMS_SPEC_ASE_SPEC")),
    Rule("knows how long an instruction is", "src/vcore/",
         r"pc \+ 4\b|\b4 \* \(uint64_t\)|pc >> [26]\b|& 63\b|UINT64_C\((3|63)\)|words\[16\]",
         False, lambda path: path.startswith(ISA),
         ("next != pc + 4", "core->pc >> 2 & 15", "line & 63", "uint32_t words[16];")),
]


def main(root):
    faults = []
    for rule in RULES:
        faults += [f"the rule {rule.name!r} does not see: {line}" for line in rule.seen
                   if not list(rule.faults(line))]
        for path in sorted((root / rule.folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix not in (".c", ".h", ".build") or rule.spared(name):
                continue
            faults += [f"{name}:{number}: {rule.name}: {line}"
                       for number, line in rule.faults(path.read_text())]
    print("\n".join(faults))
    return 1 if faults else 0


sys.exit(main(pathlib.Path(sys.argv[1])))

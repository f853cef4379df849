#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/check_names.py has to see each of these names that stand for two things.

    tests/house/test_check_names.py SOURCE_ROOT
"""
import pathlib
import sys

import planted

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "tools"))
import check_names  # noqa: E402

GOOD = {
    "docs/architecture.md": "| `src/low/` | what is used |\n| `src/high/` | what uses it |\n\n"
                            "| `src/low/` | `low.h` |\n",
    "include/pmuscope/low.h": "enum pms_low { PMS_LOW };\nstruct pms_part;\nint pms_low(struct pms_part *part);\n",
    "src/low/part.h": "/* struct pms_part { as it was } */\nstruct pms_part {\n\tint n;\n};\nvoid pms_part(void);\n",
    "src/low/a.c": "struct row {\n\tint n;\n};\n",
    "src/low/b.c": "struct row {\n\tint m;\n};\n",
    "src/low/kind.h": "enum pms_kind { PMS_KIND };\n",
}
BREAKS = {
    "two headers define a type": (
        "src/high/high.h", "enum pms_kind {\n", "src/low/kind.h:1: enum pms_kind is defined at src/high/high.h:1"),
    "a source file defines a type of a header": (
        "src/low/z.c", "\nstruct pms_part {\n", "src/low/z.c:2: struct pms_part is defined at src/low/part.h:2"),
    "a private type has the name of a public one": (
        "src/high/high.h", "struct pms_low {\n", "src/high/high.h:1: struct pms_low is defined at include/pmuscope/low.h:1"),
    "a private function has the name of a private type elsewhere": (
        "src/high/other.h", "int pms_kind(void);\n", "src/high/other.h:1: the function pms_kind() has the name of"),
}


planted.run(check_names.check, GOOD, BREAKS)

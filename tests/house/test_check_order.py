#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/check_order.py has to see each of these breaks in an otherwise good house.

    tests/house/test_check_order.py SOURCE_ROOT
"""
import pathlib
import sys

import planted

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "tools"))
import check_order  # noqa: E402

GOOD = {
    "docs/architecture.md": """
| folder | holds |
|---|---|
| `src/base/` | errors |
| `src/low/` | `cpus/`, read |
| `src/low/part/` | a part of it |
| `src/high/` | what uses it |
| `src/cli/` | the command |

| folder | its headers |
|---|---|
| `src/base/` | `error.h` |
| `src/low/` | `low.h`, `lower.h` |
| `src/high/` | `high.h` |
""",
    "include/pmuscope/error.h": "",
    "include/pmuscope/low.h": '#include "pmuscope/error.h"\nint pms_low(void);\nint pms_low_part(void);\n',
    "include/pmuscope/lower.h": "/* as pms_high() has it */\n",
    "include/pmuscope/high.h": '#include "pmuscope/low.h"\nint pms_high(const char *name);\n',
    "include/pmuscope/pmuscope.h": '#include "pmuscope/high.h"\n',
    "src/base/error.c": '#include <stdio.h>\n#include "pmuscope/error.h"\n',
    "src/low/low.h": '/* #include "high/high.h" would be wrong */\n',
    "src/low/low.c": '#include "low/low.h"\n#include "base/error.h"\nint pms_low(void)\n{\n\treturn 0;\n}\n',
    "src/low/part/part.c": '#include "low/low.h"\nint pms_low_part(void)\n{\n\treturn pms_low();\n}\n',
    "src/high/high.c": '#include "low/low.h"\n#include "pmuscope/high.h"\n'
                       "int pms_high(const char *name)\n{\n\treturn !name;\n}\n",
    "src/high/inner/inner.h": '#include "high/high.h"\n',
    "src/cli/main.c": '#include "cli/cli.h"\n',
    "src/cli/cli.h": '#include "pmuscope/pmuscope.h"\n',
}

PAGE = "docs/architecture.md"
# What is put in, in which file, and the fault that it is to be: file, line, words.
BREAKS = {
    "a folder includes one below": (
        "src/low/low.c", '#include "high/high.h"\n', "src/low/low.c:7: src/low/ stands above src/high/"),
    "a header of a folder includes one below": (
        "src/low/low.h", '#include "high/high.h"\n', "src/low/low.h:2: src/low/ stands above src/high/"),
    "a folder includes a part below": (
        "src/low/low.c", '#include "low/part/part.h"\n', "src/low/low.c:7: src/low/ stands above src/low/part/"),
    "a folder without a row includes one below": (
        "src/low/inner/a.c", '#include "high/inner/inner.h"\n',
        "src/low/inner/a.c:1: src/low/ stands above src/high/"),
    "a folder includes a public header of one below": (
        "src/low/low.c", "#include <pmuscope/high.h>\n", "src/low/low.c:7: src/low/ stands above src/high/"),
    "a folder includes everything": (
        "src/high/high.c", '#include "pmuscope/pmuscope.h"\n', "src/high/high.c:7: pmuscope/pmuscope.h is for"),
    "a public header includes one below": (
        "include/pmuscope/low.h", '#  include "pmuscope/high.h"\n',
        "include/pmuscope/low.h:4: src/low/ stands above src/high/"),
    "the command includes a private header": (
        "src/cli/main.c", '#include "base/error.h"\n',
        "src/cli/main.c:2: the command includes public headers alone, and not base/error.h"),
    "a folder declares what one below defines": (
        "include/pmuscope/low.h", "int pms_high(const char *name);\n",
        "include/pmuscope/low.h:4: src/low/ declares pms_high(), and src/high/ defines it"),
    "a folder has no row": ("src/new/new.c", "", f"{PAGE}: the table of folders has no row for src/new"),
    "a row has no folder": (PAGE, "| `src/old/` | gone |\n", f"{PAGE}: there are no sources in src/old"),
    "a public header has no row": (
        "include/pmuscope/new.h", "", f"{PAGE}: no folder has the public header new.h"),
    "a row has no public header": (
        PAGE, "| `src/low/` | `old.h` |\n", f"{PAGE}: there is no public header old.h"),
}


planted.run(lambda root: check_order.House(root).check(), GOOD, BREAKS)

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/mutate.py changes operators, numbers and conditions of code, and nothing else.

    tests/house/test_mutate.py SOURCE_ROOT
"""
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "tools"))
import mutate  # noqa: E402

CODE = '''/* a + b, 1 */
#define ONE(x) \\
	((x) + 1)
static const char *text = "a < 1"; // 2 < 3
int f(int *a, int b)
{
	if (*a < b && (b & 0x10u))
		return -*a;
	return b == '1' ? 010 : x86;
}
'''
# Line, what stands there, what takes its place.
EXPECTED = [
    (7, "*a < b && (b & 0x10u)", "!(*a < b && (b & 0x10u))"),
    (7, "<", "<="),
    (7, "&&", "||"),
    (7, "&", "|"),
    (7, "0x10u", "17u"),
    (9, "==", "!="),
    (9, "010", "9"),
]


def main():
    failures = []
    mutants = list(mutate.mutants_of("src/a.c", CODE))
    found = [(m.line, m.before, m.after) for m in mutants]
    if sorted(found) != sorted(EXPECTED):
        failures.append(f"expected {EXPECTED}, got {found}")
    for m in mutants:
        lines, changed = CODE.split("\n"), mutate.apply(m, CODE).split("\n")
        differ = [i + 1 for i in range(len(lines)) if lines[i] != changed[i]]
        if differ != [m.line]:
            failures.append(f"{m.before} -> {m.after} changes lines {differ} and not {m.line}")
    # The name of a mutant outlives a change elsewhere; twins on equal lines have names of their own.
    moved = mutate.mutants_of("src/a.c", "\n\nint before;\n" + CODE)
    if [m.key for m in moved] != [m.key for m in mutants]:
        failures.append("a line above changes the keys")
    twice = [m.key for m in mutate.mutants_of("src/a.c", CODE + CODE)]
    if len(set(twice)) != 2 * len(mutants):
        failures.append("equal lines have equal keys")
    print("\n".join(failures))
    sys.exit(1 if failures else 0)


main()

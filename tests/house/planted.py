# SPDX-License-Identifier: MIT
"""Breaks planted in a good tree, each of which a checker has to see."""
import pathlib
import sys
import tempfile


def faults_of(check, files):
    """What check(root) says of a tree of these files."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        return check(root)


def run(check, good, breaks):
    """Hold check against the good files, and against each break: {what: (path, text added, fault)}. Ends the program."""
    failures = []
    faults = faults_of(check, good)
    if faults:
        failures.append(f"the good files have faults: {faults}")
    for what, (path, text, fault) in breaks.items():
        faults = faults_of(check, good | {path: good.get(path, "") + text})
        if len(faults) != 1 or not faults[0].startswith(fault):
            failures.append(f"{what}: expected [{fault} ...], got {faults}")
    print("\n".join(failures))
    sys.exit(1 if failures else 0)

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hold both builds of the CSV parser against Python's csv module.

usage: case_study.py EXAMPLES DIRECTORY

Writes tables into DIRECTORY, has EXAMPLES/csv_scalar and csv_neon print their fields under qemu-aarch64,
and compares with what csv.reader makes of them.
"""
import csv
import io
import random
import subprocess
import sys

# Bytes that pass the scalar scan's filter for a token without being one (the token's, plus 64 or so),
# tokens, and others.
LETTERS = "ab lbJMj\u00e9\u2014\U0001f697xyz019"


def field(rng, tokens):
    return "".join(rng.choice(tokens if rng.random() < 0.2 else LETTERS)
                   for _ in range(rng.choice((0, 0, 1, 3, 7, 8, 9, 15, 16, 17, 40))))


def quoted(rng, text):
    """Quote as a writer may: where needed, and sometimes where not."""
    if any(c in text for c in ',"\r\n') or rng.random() < 0.2:
        return '"' + text.replace('"', '""') + '"'
    return text


def escaped(rng, text):
    """The same with escapes; outside quotes and inside."""
    text = "".join("\\" + c if c in ',"\\\r\n' else c for c in text)
    return '"' + text + '"' if rng.random() < 0.2 else text


def table(rng, escape):
    columns = rng.randint(2, 9)  # with one, an empty field is an empty line
    end = rng.choice(("\n", "\r\n", "\r"))
    rows = []
    for _ in range(rng.randint(1, 30)):
        fields = [(escaped if escape else quoted)(rng, field(rng, ',"\r\n\\')) for _ in range(columns)]
        rows.append(",".join(fields) + end)
    last = rows[-1][:-len(end)] if rng.random() < 0.3 else rows[-1]
    return "".join(row + (end if rng.random() < 0.1 else "") for row in rows[:-1]) + last


def python_fields(text, escape):
    dialect = {"escapechar": "\\", "doublequote": False} if escape else {}
    rows = [row for row in csv.reader(io.StringIO(text, newline=""), **dialect) if row]
    return b"".join(b"".join(b"%d:%s" % (len(f.encode()), f.encode()) for f in row) + b";"
                    for row in rows)


def parsed(program, path, escape):
    run = subprocess.run(["qemu-aarch64", program, "--fields", path] + (["\\"] if escape else []),
                         capture_output=True, check=True)
    return run.stdout


def main():
    examples, where = sys.argv[1:3]
    rng = random.Random(20)
    made = subprocess.run(["qemu-aarch64", examples + "/csv_neon", "--table", "201"],
                          capture_output=True, check=True).stdout.decode()
    tables = [(made, False)] + [(table(rng, i % 3 == 2), i % 3 == 2) for i in range(60)]
    for number, (text, escape) in enumerate(tables):
        path = f"{where}/{number}.csv"
        with open(path, "w", newline="") as out:
            out.write(text)
        expected = python_fields(text, escape)
        for name in ("csv_scalar", "csv_neon"):
            if parsed(f"{examples}/{name}", path, escape) != expected:
                sys.exit(f"{name}: table {number} is not parsed as Python does: {path}")
    print(f"{len(tables)} tables, {len(made)} characters in the largest")


if __name__ == "__main__":
    main()

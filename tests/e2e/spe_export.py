#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Read exports of SPE records, and compare them with each other or with spe dump.

    spe_export.py NAME COUNT            NAME.csv, .jsonl, .db and .rowbinary have the same COUNT rows;
                                        the last is read by the columns of NAME.ddl
    spe_export.py --dump DUMP EXPORT    lines of spe dump --records --format jsonl beside those of
                                        spe export --to jsonl
    spe_export.py --symbols PROGRAM EXPORT   functions and lines of EXPORT beside those of addr2line and nm
"""
import csv
import json
import re
import sqlite3
import subprocess
import sys

BYTES = {"UInt8": 1, "UInt16": 2, "UInt32": 4, "UInt64": 8}


def columns(path):
    """Name, type and whether it may be missing, of each column of a CREATE TABLE."""
    with open(path) as ddl:
        found = re.findall(r"^    (\w+) (?:(Nullable)\()?(\w+)\)?,? -- ", ddl.read(), re.M)
    return [(name, type_, bool(null)) for name, null, type_ in found]


def rowbinary(data, table):
    at = 0
    while at < len(data):
        row = {}
        for name, type_, nullable in table:
            if nullable:
                at += 1
                assert data[at - 1] in (0, 1), (at, name)
                if data[at - 1]:
                    continue
            if type_ == "String":
                size = shift = 0
                while True:
                    size |= (data[at] & 127) << shift
                    at, shift = at + 1, shift + 7
                    if data[at - 1] < 128:
                        break
                row[name] = data[at:at + size].decode()
            else:
                size = BYTES[type_]
                row[name] = int.from_bytes(data[at:at + size], "little")
            at += size
        yield row


def same(what, got, want):
    got, want = list(got), list(want)
    assert len(got) == len(want), (what, len(got), len(want))
    for i, (a, b) in enumerate(zip(got, want)):
        assert a == b, (what, i, a, b)


def csv_row(row, numbers):
    row = {k: int(v) if k in numbers else v for k, v in row.items() if v != ""}
    if row.get("events") == 0:
        row["event"] = ""  # the csv module does not tell "" from nothing
    return row


def formats(name, count):
    table = columns(name + ".ddl")
    numbers = {n for n, type_, _ in table if type_ != "String"}
    with open(name + ".rowbinary", "rb") as file:
        want = list(rowbinary(file.read(), table))
    assert len(want) == count and len(table) > 50
    with open(name + ".csv", newline="") as file:
        same("csv", (csv_row(row, numbers) for row in csv.DictReader(file)), want)
    with open(name + ".jsonl") as file:
        same("jsonl", ({k: int(v) if k in numbers else v for k, v in json.loads(line).items()}
                       for line in file), want)
    database = sqlite3.connect(name + ".db")
    database.row_factory = sqlite3.Row
    same("sqlite", ({k: row[k] % 2 ** 64 if k in numbers else row[k]
                     for k in row.keys() if row[k] is not None}
                    for row in database.execute("SELECT * FROM spe")), want)
    assert {row[0] for row in database.execute("SELECT name FROM spe_column")} == {n for n, *_ in table}


def canonical(text):
    address = int(text, 16)
    return address | (255 << 56 if address >> 55 & 1 else 0)


# Names that differ in spe dump.
RENAMED = {"cond": "condition", "ind": "indirect", "at": "atomic", "br_tgt_el": "br_tgt_lvl"}


def as_exported(line):
    """A line of spe dump --records in the words of an export."""
    out = {RENAMED.get(k, k): v for k, v in line.items() if k not in ("ldst", "evl_bits", "ets_bits")}
    for k in ("pc", "br_tgt", "pbt", "vaddr"):
        if k in out:
            out[k] = canonical(out[k])
    if "paddr" in out:
        out["paddr"] = int(out["paddr"], 16)
    if "event" in out:
        out["event"] = ":".join(out["event"])
    for k in ("other_packets", "repeated", "damaged"):
        out.setdefault(k, 0)
    return out


def dump(dumped, exported):
    keys = None
    with open(dumped) as a, open(exported) as b:
        lines = zip(a.readlines(), b.readlines(), strict=True)
    for x, y in lines:
        want, got = as_exported(json.loads(x)), json.loads(y)
        for k, v in want.items():
            if k == "tid":  # the dump's is that of a buffer
                continue
            value = int(got[k]) if isinstance(v, int) else got[k]
            assert value == v, (k, value, v)
        keys = (keys or set()) | got.keys()
    assert len(keys) > 40, keys


def addr2line(program, addresses):
    """For each address its frames, innermost first: function, file, line."""
    out = subprocess.run(["addr2line", "-afie", program], input="\n".join(map(hex, addresses)), text=True,
                         capture_output=True, check=True).stdout
    frames = {}
    for block in re.split(r"^0x(?=[0-9a-f]{16}$)", out, flags=re.M)[1:]:
        address, *lines = block.split("\n")
        places = [re.match(r"(.*):([0-9?]+)", place).groups() for place in lines[1::2]]
        frames[int(address, 16)] = [(f, *p) for f, p in zip(lines[::2], places)]
    return frames


def functions(program):
    """Start, size and names of the functions that nm knows."""
    out = subprocess.run(["nm", "-S", program], text=True, capture_output=True, check=True).stdout
    found = {}
    for start, size, name in re.findall(r"^(\w+) (\w+) [tT] (\w+)$", out, re.M):
        found.setdefault((int(start, 16), int(size, 16)), set()).add(name)
    return found


def symbols(program, exported):
    with open(exported) as file:
        rows = [json.loads(line) for line in file]
    rows = [row for row in rows if "pc" in row and int(row["pc"]) < 1 << 32]
    addresses = {int(row["pc"]): int(row["pc"]) + 0x1000 for row in rows}
    frames, starts = addr2line(program, sorted(set(addresses.values()))), functions(program)
    inlined = known = 0
    for row in rows:
        address = addresses[int(row["pc"])]
        assert int(row["object_offset"]) == address - 0x400000 and row["object"].endswith("/program"), row
        for (start, size), names in starts.items():
            if start <= address < start + size:
                assert row["symbol"] in names and int(row["symbol_offset"]) == address - start, (row, names)
                known += 1
        want = frames[address]
        if want[0][2] in ("?", "0"):
            assert "file" not in row and "line" not in row, (row, want)
            continue
        assert (row["file"].split("/")[-1], str(row["line"])) == (want[0][1].split("/")[-1], want[0][2]), (row, want)
        assert row.get("inlined") == (want[0][0] if len(want) > 1 else None), (row, want)
        inlined += len(want) > 1
    assert known > 100 and inlined > 20, (known, inlined)


if sys.argv[1] == "--symbols":
    symbols(*sys.argv[2:])
elif sys.argv[1] == "--dump":
    dump(*sys.argv[2:])
else:
    formats(sys.argv[1], int(sys.argv[2]))

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Give a session a profile: each instruction of a program's functions counts something of its own.

usage: annotate.py SESSION PROGRAM NM

The instruction at place i of a function, from 0, with its function's weight w (walk 100, mix 10, main 1):
cycles w * (i + 1), instructions w, slots_retired w, slots_be_rob 4 * w in walk, slots_fe_icache 3 * w in mix,
slots_bs_branch w in main, l1d_refill w / 2 at the first instruction of walk. Two threads share them: the
second has a quarter of walk's cycles on top. 7 cycles belong to no instruction.
"""
import sqlite3
import subprocess
import sys

KINDS = [("cycles", "Cycles", "cycles", "none", None), ("instructions", "Instructions", "instructions", "none", None),
         ("slots_retired", "Slots that retired", "slots", "retiring", None),
         ("slots_be_rob", "Backend slots", "slots", "backend_bound", "reorder buffer full"),
         ("slots_fe_icache", "Frontend slots", "slots", "frontend_bound", "L1I misses"),
         ("slots_bs_branch", "Flushed slots", "slots", "bad_speculation", "mispredicted branches"),
         ("l1d_refill", "L1D misses", "events", "none", None)]
CYCLES, INSTRUCTIONS, RETIRED, ROB, ICACHE, BRANCH, REFILL = range(len(KINDS))
WEIGHTS = {"walk": 100, "mix": 10, "main": 1}


def functions(nm, program):
    for line in subprocess.run([nm, "-S", program], check=True, capture_output=True, text=True).stdout.splitlines():
        words = line.split()
        if len(words) == 4 and words[3] in WEIGHTS:
            yield words[3], int(words[0], 16), int(words[1], 16)


def main():
    session, program, nm = sys.argv[1:]
    base = sqlite3.connect(session)
    base.execute("INSERT INTO profile VALUES ('modelled', 1.0, 8, 0)")
    base.executemany("INSERT INTO profile_kind VALUES (?, ?, ?, ?, ?, ?, NULL)", ((i, *k) for i, k in enumerate(KINDS)))
    base.execute("INSERT INTO profile_object VALUES (0, 'file', ?, '')", (program,))
    base.execute("INSERT INTO profile_thread VALUES (0, 9, 9, 'main'), (1, 9, 10, 'worker')")
    rows, values = [], []

    def add(where, thread, counted):
        values.extend((len(rows), kind, value) for kind, value in counted.items() if value)
        rows.append((len(rows), *where, thread))

    for name, start, size in functions(nm, program):
        weight = WEIGHTS[name]
        for i in range(size // 4):
            add((0, start + 4 * i), 0, {
                CYCLES: weight * (i + 1), INSTRUCTIONS: weight, RETIRED: weight, ROB: 4 * weight * (name == "walk"),
                ICACHE: 3 * weight * (name == "mix"), BRANCH: weight * (name == "main"),
                REFILL: weight // 2 * (name == "walk" and i == 0)})
            if name == "walk":
                add((0, start + 4 * i), 1, {CYCLES: weight * (i + 1) // 4})
    add((None, 0), 0, {CYCLES: 7})
    base.executemany("INSERT INTO profile_row VALUES (?, ?, ?, ?, NULL)", rows)
    base.executemany("INSERT INTO profile_value VALUES (?, ?, ?)", values)
    base.commit()
    base.close()


main()

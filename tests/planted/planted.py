#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs with one planted cause each, on one line: whether pmuscope finds it.

usage: planted.py causes PMUSCOPE DIR [NAME...]   what leaving out each part of the core saves
       planted.py lines --record RECORD PMUSCOPE DIR [NAME...]   the line that pmuscope annotate names first
       ... --with gcc-O2,...                      these compilers alone (default: all of COMPILERS)
       ... --quick                                leave out the accused part alone
       ... --write                                write README's table

DIR is where programs are built. A comment marks the line: planted, a colon, and the cause.
"""
import argparse
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CROSS = "aarch64-linux-gnu"
COMPILERS = {
    "gcc-O1": ([CROSS + "-gcc"], [CROSS + "-g++"], "-O1"),
    "gcc-O2": ([CROSS + "-gcc"], [CROSS + "-g++"], "-O2"),
    "gcc-O3": ([CROSS + "-gcc"], [CROSS + "-g++"], "-O3"),
    # Clang gives unrolled loops the line of the loop.
    "clang-O2": (["clang", "--target=" + CROSS, "-fno-unroll-loops"], ["clang++", "--target=" + CROSS, "-fno-unroll-loops"], "-O2"),
}
# Of each cause: the settings of the core that leave it out, or make it as small as the model lets.
IDEAL = {
    "memory": "slc_latency=2,dram_latency=off,dram_interval=off",
    "l2": "l1d_bytes=1048576,l1d_ways=16",
    "page_walk": "l1d_tlb_entries=1024,l2_tlb_entries=16384",
    "branch_direction": "mispredict_penalty=3,fetch_to_rename=1,rename_to_issue=1",
    "branch_target": "mispredict_penalty=3,fetch_to_rename=1,rename_to_issue=1",
    "frontend": "l1i_bytes=1048576,mop_cache_windows=8192,mop_cache_ways=16",
    "store_forward": "forward_failures=off",
    "division": "div32.latency=1,div32.busy=1,div64.latency=1,div64.busy=1",
    "latency": "fp_add.latency=1",
    "system_call": "svc_cycles=off,serialize_cycles=off",
    "barrier": "barriers=off",
    "ports": "ports=off,blocking=off",
}


LEAST = 0.2  # of the cycles: what a planted cause is to be worth


def sources(names):
    every = sorted(n for n in os.listdir(HERE) if n.endswith((".c", ".cc")))
    return [n for n in every if not names or n.split(".")[0] in names]


def planted(source):
    """Returns the line and the cause that the source's comment marks."""
    with open(os.path.join(HERE, source), encoding="utf-8") as file:
        for number, text in enumerate(file, 1):
            found = re.search(r"/\* planted: (\w+) \*/", text)
            if found:
                return number, found.group(1)
    raise SystemExit(f"{source}: no line is marked as planted")


def build(source, compiler, folder, *flags):
    c, cxx, level = COMPILERS[compiler]
    command = cxx if source.endswith(".cc") else c
    out = os.path.join(folder, "-".join([source.split(".")[0], compiler, *(f[2:].lower() for f in flags)]))
    subprocess.run([*command, level, "-g", "-static", "-Wall", "-Wextra", *flags, "-o", out, os.path.join(HERE, source)],
                   check=True)
    return out


def cycles(pmuscope, program, setting=None):
    settings = ["--core-set", setting] if setting else []
    done = subprocess.run([pmuscope, "stat", "-j", "-e", "CPU_CYCLES,INST_RETIRED", *settings, "--", program],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit(f"{program}, {setting}: {done.stderr}")
    counts = {e["name"]: e["count"] for e in json.loads(done.stderr)["events"]}
    return counts["CPU_CYCLES"], counts["INST_RETIRED"]


def gains(pmuscope, program, wanted):
    """Returns what leaving out each of the wanted causes saves, as a share of the cycles."""
    as_is, instructions = cycles(pmuscope, program)
    saved = {IDEAL[c]: 0 for c in wanted}
    for setting in saved:
        saved[setting] = 1 - cycles(pmuscope, program, setting)[0] / as_is
    return as_is, instructions, saved


def causes(pmuscope, folder, names, compilers, quick):
    """Yields the rows of README's table, and whether the planted cause is the largest."""
    for source in sources(names):
        _, cause = planted(source)
        for compiler in compilers:
            program = build(source, compiler, folder)
            as_is, instructions, saved = gains(pmuscope, program, [cause] if quick else IDEAL)
            mine = saved.pop(IDEAL[cause])
            other = max(saved, key=saved.get, default=None)
            second = next((c for c in IDEAL if IDEAL[c] == other), "none")
            mended = 1 - cycles(pmuscope, build(source, compiler, folder, "-DMENDED"))[0] / as_is
            yield mine > max(saved.get(other, 0), LEAST) and mended > LEAST, (
                f"| {source.split('.')[0]} | {compiler} | {instructions / 1e6:.2f} | {as_is / 1e6:.2f} "
                f"| {cause} | {100 * mine:.0f} % | {second}, {100 * saved.get(other, 0):.0f} % "
                f"| {100 * mended:.0f} % |")


def causes_all(given, compilers):
    table = ["| program | built by | M instructions | M cycles | planted | saves without it | next best | mended saves |",
             "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    wrong = 0
    for right, row in causes(given.pmuscope, given.folder, given.names, compilers, given.quick):
        print(row + ("" if right else " <- not the largest, or too little"), flush=True)
        table.append(row)
        wrong += not right
    if given.write:
        with open(os.path.join(HERE, "README.md"), "r+", encoding="utf-8") as file:
            before, rest = file.read().split("<!-- begin causes -->")
            after = rest.split("<!-- end causes -->")[1]
            file.seek(0)
            file.truncate()
            file.write(f"{before}<!-- begin causes -->\n\n" + "\n".join(table) + f"\n\n<!-- end causes -->{after}")
    return 1 if wrong else 0


def first_line(pmuscope, record, program):
    """Returns the line that pmuscope annotate names first, its share, and its costliest instruction."""
    session = program + ".pms"
    if os.path.exists(session):
        os.remove(session)
    subprocess.run([record, session, program], check=True, stdout=subprocess.DEVNULL)
    reports = []
    for by, limit in (("line", "1"), ("instruction", "0")):
        done = subprocess.run([pmuscope, "annotate", session, "--by", by, "--format", "json", "--limit", limit],
                              check=True, capture_output=True, text=True)
        reports.append(json.loads(done.stdout))
    row = reports[0]["rows"][0]
    address = next(r["address"] for r in reports[1]["rows"]
                   if all(r.get(k) == row.get(k) for k in ("file", "line")))
    return row, row["cycles"] / reports[0]["totals"]["cycles"], address


def chain(program, address):
    """Returns the lines of an address, and of the calls that it is inlined by."""
    done = subprocess.run([CROSS + "-addr2line", "-i", "-e", program, address], check=True, capture_output=True,
                          text=True)
    return [f"{os.path.basename(file)}:{line}" for file, line in re.findall(r"(\S+):(\d+)", done.stdout)]


def lines_all(given, compilers):
    """Holds the first line of each program against the planted one; it may be inlined there."""
    wrong = 0
    for source in sources(given.names):
        number, cause = planted(source)
        for compiler in compilers:
            program = build(source, compiler, given.folder)
            row, share, address = first_line(given.pmuscope, given.record, program)
            found = chain(program, address)
            right = f"{source}:{number}" in found
            wrong += not right
            print(f"{source}:{number} {cause} {compiler}: {100 * share:.0f} % of the cycles at {', '.join(found)}"
                  f"{'' if right else ' <- another line'}", flush=True)
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    parser.add_argument("what", choices=["causes", "lines"])
    parser.add_argument("pmuscope")
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--with", dest="compilers", default=",".join(COMPILERS))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--record")
    given = parser.parse_intermixed_args()
    os.makedirs(given.folder, exist_ok=True)
    return (causes_all if given.what == "causes" else lines_all)(given, given.compilers.split(","))


if __name__ == "__main__":
    sys.exit(main())

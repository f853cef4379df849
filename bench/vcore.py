#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Speed and memory of the core model beside plain QEMU, in the same run.

usage: bench/vcore.py BUILD [RUNS]

Runs each program RUNS times (5 when not said) under qemu-aarch64 alone and under pmuscope, and prints
medians of the processor time taken. The instructions, operations and mispredictions are the report's own. The target is 40 million
guest instructions a second for programs with fewer than 10 mispredicted branches a thousand
instructions and 15 million elsewhere, with less than 200 MiB beyond what QEMU takes alone.
"""
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile

from machine import first_line, processor

QEMU = ["qemu-aarch64", "-cpu", "neoverse-n1"]
COUNTED = "INST_RETIRED,OP_SPEC,BR_MIS_PRED_RETIRED"
SQL = ("with recursive n(i) as (select 1 union all select i + 1 from n where i < 60000) "
       "select count(*), sum(i * i) from n where i % 7 = 0;")


def run(argv, stdin):
    """Run once: seconds of processor time, and MiB at the peak of the largest process."""
    with open(stdin) as source:
        child = subprocess.Popen(argv, stdin=source, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"bench: status {child.returncode}: {' '.join(argv)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def programs(build, root, text):
    """Name, options, command and standard input; Debian's programs where they can be fetched."""
    sample = os.path.join(build, "examples", "")
    rows = [("independent", [], [sample + "independent"], os.devnull),
            ("chase", [], [sample + "chase", "300000"], os.devnull),
            ("bigcode", [], [sample + "bigcode"], os.devnull),
            ("mispredict", [], [sample + "mispredict"], os.devnull)]
    fetch = subprocess.run([os.path.join(root, "tests/e2e/fetch-arm64.sh")], capture_output=True,
                           text=True)
    if fetch.returncode:
        print("left out, " + fetch.stderr.strip())
        return rows
    arm64 = fetch.stdout.strip()
    library = ["-L", arm64]
    return rows + [
        ("sqlite3", library, [arm64 + "/usr/bin/sqlite3", ":memory:", SQL], os.devnull),
        ("zstd -9", library, [arm64 + "/usr/bin/zstd", "-q", "-9", "-c"], text),
        ("gzip -9", library, [arm64 + "/bin/gzip", "-9", "-c"], text)]


def measure(pmuscope, row, runs, report):
    """One program: the table's columns."""
    name, library, argv, stdin = row
    plain, model = [], []
    for _ in range(runs):
        plain.append(run(QEMU + library + argv, stdin))
        model.append(run([pmuscope, "stat", "-j", "-e", COUNTED, "-o", report] + library + ["--"] +
                         argv, stdin))
    with open(report) as source:
        counts = {e["name"]: e["count"] for e in json.load(source)["events"]}
    plain_s = statistics.median(s for s, _ in plain)
    times = [s for s, _ in model]
    model_s = statistics.median(times)
    mpki = 1000 * counts["BR_MIS_PRED_RETIRED"] / counts["INST_RETIRED"]
    speed = counts["INST_RETIRED"] / model_s / 1e6
    memory = statistics.median(m for _, m in model) - statistics.median(m for _, m in plain)
    target = 40 if mpki < 10 else 15
    return (name, counts["INST_RETIRED"] / 1e6, mpki, plain_s, model_s,
            100 * (max(times) - min(times)) / model_s, speed, counts["OP_SPEC"] / model_s / 1e6,
            memory, "yes" if speed >= target and memory < 200 else f"no ({target})")


def heading(root, runs):
    """Describe the machine and the versions measured."""
    print(f"machine   {processor()}, {platform.system()} {platform.release()}")
    print(f"compiler  {first_line('cc', '--version')}")
    print(f"qemu      {first_line('qemu-aarch64', '--version')}")
    print(f"commit    {first_line('git', 'describe', '--always', '--dirty', cwd=root)}")
    print(f"runs      {runs}; seconds of processor time, medians; the spread is (max - min) / median\n")


def write_text(path):
    """Make the input of the compressors."""
    with open(path, "w") as out:
        out.writelines(f"{i}\n" for i in range(1, 60001))


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.strip().splitlines()[2])
    build = os.path.abspath(sys.argv[1])
    runs = int(sys.argv[2]) if len(sys.argv) == 3 else 5
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    heading(root, runs)
    print(f"{'program':<12} {'Minstr':>7} {'MPKI':>6} {'plain s':>8} {'model s':>8} {'spread':>7} "
          f"{'Minstr/s':>9} {'Mops/s':>7} {'+MiB':>6}  target met")
    with tempfile.TemporaryDirectory() as scratch:
        text = os.path.join(scratch, "text")
        write_text(text)
        for row in programs(build, root, text):
            print("{:<12} {:7.1f} {:6.2f} {:8.3f} {:8.3f} {:6.1f}% {:9.1f} {:7.1f} {:6.0f}  {}".format(
                *measure(os.path.join(build, "pmuscope"), row, runs,
                         os.path.join(scratch, "report"))), flush=True)


if __name__ == "__main__":
    main()

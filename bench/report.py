#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Time to load a catalog and print a report of counts from a file, beside perf stat report.

usage: bench/report.py BUILD [RUNS]

Reports, for each CPU that has a catalog and for two specifications as Arm publishes them, a file with
a count of every event, so that every metric has a value: RUNS times each (31 when not said), in turns
with `perf stat report` of a recording of 24 events. Prints milliseconds from start to end, medians,
and the processor time of the same runs. The target is less than 20 ms of processor time each; where
nothing else runs, that is the time from start to end too.
"""
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time

from machine import first_line, processor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGET = 20  # ms
RECORDED = "task-clock,page-faults,context-switches,cpu-migrations"


def run(argv):
    """Run once: ms from start to end, and of processor time."""
    start = time.perf_counter()
    child = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"bench: status {child.returncode}: {' '.join(argv)}")
    return 1000 * (time.perf_counter() - start), 1000 * (usage.ru_utime + usage.ru_stime)


def listed(pmuscope, *words):
    done = subprocess.run([pmuscope, "list", *words, "-j"], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def write_counts(path, pmuscope, which):
    """A file as perf stat -x, writes it, with a count of each event."""
    with open(path, "w") as out:
        for i, event in enumerate(listed(pmuscope, "events", *which)):
            out.write(f"{1000003 + 7919 * i},,{event['name']},1000000000,100.00,,\n")


def rows(build, scratch):
    """Name, number of metrics and command of each thing that is timed."""
    pmuscope = os.path.join(build, "pmuscope")
    named = [(cpu["name"], ["--mcpu", cpu["name"]]) for cpu in listed(pmuscope, "cpus")]
    named += [(f"--spec {name}", ["--spec", os.path.join(ROOT, "tests/data/specs", name)])
              for name in ("neoverse-n2.json", "neoverse-v2.json")]
    for name, which in named:
        counts = os.path.join(scratch, name.replace(" ", "") + ".csv")
        write_counts(counts, pmuscope, which)
        yield (name, len(listed(pmuscope, "metrics", *which)),
               [pmuscope, "report", counts, "--all"] + which)
    recording = os.path.join(scratch, "perf.data")
    try:
        run(["perf", "stat", "record", "-o", recording, "-e", ",".join([RECORDED] * 6), "true"])
    except (FileNotFoundError, SystemExit):
        print("left out: perf stat report, as perf records nothing here")
        return
    yield "perf stat report", 0, ["perf", "stat", "report", "-i", recording]


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.strip().splitlines()[2])
    build = os.path.abspath(sys.argv[1])
    runs = int(sys.argv[2]) if len(sys.argv) == 3 else 31
    print(f"machine   {processor()}, {platform.system()} {platform.release()}")
    print(f"compiler  {first_line('cc', '--version')}")
    print(f"perf      {first_line('perf', '--version')}")
    print(f"commit    {first_line('git', 'describe', '--always', '--dirty', cwd=ROOT)}")
    print(f"runs      {runs}; medians; the spread is (max - min) / median of the processor time\n")
    with tempfile.TemporaryDirectory() as scratch:
        timed = [(name, n, argv, []) for name, n, argv in rows(build, scratch)]
        for _ in range(runs):
            for _, _, argv, times in timed:
                times.append(run(argv))
    print(f"{'report':<24} {'metrics':>7} {'ms':>7} {'cpu ms':>7} {'spread':>7}  target met")
    missed = 0
    for name, n, _, times in timed:
        cpu = [c for _, c in times]
        median = statistics.median(cpu)
        met = "-" if not n else "yes" if median < TARGET else f"no ({TARGET})"
        missed += met.startswith("no")
        print(f"{name:<24} {n or '':>7} {statistics.median(w for w, _ in times):>7.1f} "
              f"{median:>7.1f} {100 * (max(cpu) - min(cpu)) / median:>6.0f}%  {met}")
    sys.exit(missed > 0)


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The core model beside cachegrind, and two guest threads beside one.

usage: bench/beside.py BUILD [RUNS]

Cachegrind (valgrind --tool=cachegrind --cache-sim=yes --branch-sim=yes) runs the x86 build of the
same program; it models two levels of caches and a branch predictor, no time. Where this machine
has no such program, its row is left out. The seconds are processor time, the medians of RUNS (3
when not said), of which both take their turns. Then a program runs under the model with one thread
and with two that do as much each: how much more is done in a second of the clock. That number needs
two idle cores; the load is printed beside it.
"""
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import vcore


def native(name, row, root, scratch):
    """The same program for this machine, with its arguments; None when there is none."""
    argv = row[2]
    source = os.path.join(root, "examples", name + ".c")
    if os.path.exists(source):
        binary = os.path.join(scratch, name)
        subprocess.run(["cc", "-O2", "-o", binary, source], check=True)
        return [binary] + argv[1:]
    found = shutil.which(os.path.basename(argv[0]))
    return found and not argv[0].startswith(os.path.join(root, "build")) and [found] + argv[1:]


def cachegrind(argv, stdin, scratch):
    """Seconds of processor time, and instructions."""
    log = os.path.join(scratch, "log")
    seconds, _ = vcore.run(["valgrind", "--tool=cachegrind", "--cache-sim=yes", "--branch-sim=yes",
                            "--cachegrind-out-file=/dev/null", f"--log-file={log}"] + argv, stdin)
    with open(log) as lines:
        refs = re.search(r"I +refs: +([0-9,]+)", lines.read())
    return seconds, int(refs.group(1).replace(",", ""))


def model(pmuscope, row, report):
    """The same of the core model."""
    _, library, argv, stdin = row
    seconds, _ = vcore.run([pmuscope, "stat", "-j", "-e", "INST_RETIRED", "-o", report] + library +
                           ["--"] + argv, stdin)
    with open(report) as source:
        return seconds, int(re.search(r'"count": *([0-9]+)', source.read()).group(1))


def beside(pmuscope, row, argv, runs, scratch):
    ours, theirs = [], []
    for _ in range(runs):
        ours.append(model(pmuscope, row, os.path.join(scratch, "report")))
        theirs.append(cachegrind(argv, row[3], scratch))
    speed = [statistics.median(n / s for s, n in pairs) / 1e6 for pairs in (ours, theirs)]
    print(f"{row[0]:<12} {ours[0][1] / 1e6:8.1f} {speed[0]:9.1f} {theirs[0][1] / 1e6:8.1f} "
          f"{speed[1]:9.1f} {speed[0] / speed[1]:7.2f}", flush=True)


def clock(argv):
    start = time.monotonic()
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - start


def threads(pmuscope, root, runs, scratch):
    binary = os.path.join(scratch, "threads")
    subprocess.run(["aarch64-linux-gnu-gcc", "-O2", "-static", "-pthread", "-o", binary,
                    os.path.join(root, "bench", "threads.c")], check=True)
    command = [pmuscope, "stat", "-j", "-o", os.path.join(scratch, "report"), "--", binary]
    gain = statistics.median(2 * clock(command + ["1"]) / clock(command + ["2"])
                             for _ in range(runs))
    load = os.getloadavg()[0]
    print(f"\ntwo threads do {gain:.2f} times what one does (load {load:.1f} on "
          f"{os.cpu_count()} processors)")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.strip().splitlines()[2])
    build = os.path.abspath(sys.argv[1])
    pmuscope = os.path.join(build, "pmuscope")
    runs = int(sys.argv[2]) if len(sys.argv) == 3 else 3
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    vcore.heading(root, runs)
    print(f"valgrind  {vcore.first_line('valgrind', '--version')}; million instructions, of which "
          "it runs those of x86\n")
    print(f"{'program':<12} {'Minstr':>8} {'Minstr/s':>9} {'x86':>8} {'Minstr/s':>9} {'ratio':>7}")
    with tempfile.TemporaryDirectory() as scratch:
        text = os.path.join(scratch, "text")
        vcore.write_text(text)
        for row in vcore.programs(build, root, text):
            argv = native(row[0], row, root, scratch)
            if argv:
                beside(pmuscope, row, argv, runs, scratch)
        threads(pmuscope, root, runs, scratch)


if __name__ == "__main__":
    main()

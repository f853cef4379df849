#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run fuzz targets for so many seconds of processor time each.

usage: fuzz/run.py [-j N] BUILD SECONDS [TARGET...]

-j N runs N targets at once; without it they run one after another.
What is found goes to BUILD/corpus/TARGET and is built on by the next run. Prints a line a target:
processor time, executions and findings. An input that fails is left in BUILD, and the exit status is 1.
They run at the lowest priority where chrt(1) is there, so that a machine can be used meanwhile.
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import signal
import subprocess
import sys
import time

POLL = 1.0  # seconds
KIB = 1 << 10

# The longest input in bytes. By default libFuzzer stops at 4 KiB or the largest seed, which is too
# short to pass a limit of base/limits.h. Longer inputs are tried less often.
LONGEST = 1 << 20
LONGEST_OF = {
    "a64": 4 * KIB,  # words, each by itself
    "budget": 256 * KIB,
    "core": 256 * KIB,
    "formula": 128 * KIB,  # twice the longest that is compiled
    "spe_filter": 64 * KIB,
    "spe_packet": 256 * KIB,  # four times what is read at once
    "spe_record": 256 * KIB,
}
# Seconds of wall time for one input. None takes a second by itself; the rest allows for a busy
# machine.
TIMEOUT = 60
# MiB, of all allocations and of one. A file may take 64 MiB and 4 times its size; the sanitizers
# keep freed memory, and libFuzzer its corpus.
MOST_MEMORY = 1024
MOST_AT_ONCE = 256


def options(name):
    """The options of libFuzzer for a target."""
    return [f"-max_len={LONGEST_OF.get(name, LONGEST)}",
            "-len_control=20",  # 100 hardly leaves the short inputs in an hour
            f"-timeout={TIMEOUT}", f"-rss_limit_mb={MOST_MEMORY}", f"-malloc_limit_mb={MOST_AT_ONCE}",
            "-print_final_stats=1"]


def cpu_seconds(pid):
    """Processor time of a process that still runs."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run(argv, log, seconds):
    """Fuzz until the time is used. Returns processor time and exit status."""
    idle = ["chrt", "-i", "0"] if shutil.which("chrt") else []
    with open(log, "wb") as out:
        child = subprocess.Popen(idle + argv, stdout=out, stderr=out)
        used = 0.0
        while child.poll() is None:
            try:
                used = cpu_seconds(child.pid)
            except (FileNotFoundError, ProcessLookupError):
                break
            if used >= seconds:
                child.send_signal(signal.SIGINT)  # libFuzzer ends with its statistics
                break
            time.sleep(POLL)
        return used, child.wait()


def fuzz(build, name, seconds):
    """Fuzz one target. Returns whether it failed, and what to print."""
    root = os.path.dirname(os.path.abspath(__file__))
    own = os.path.join(build, "corpus", name)
    log = os.path.join(build, f"{name}.log")
    os.makedirs(own, exist_ok=True)
    used, _ = run([os.path.join(build, "fuzz", "fuzz_" + name), *options(name),
                   f"-artifact_prefix={os.path.join(build, f'found-{name}-')}",
                   own, os.path.join(root, "corpus", name)], log, seconds)
    with open(log, errors="replace") as text:
        text = text.read()
    found = re.findall(r"Test unit written to (\S+)", text)
    runs = re.findall(r"stat::number_of_executed_units:\s*(\d+)", text)
    lines = [f"{name:<12} {used:7.0f} s of processor time, {runs[-1] if runs else '?'} executions, "
             f"{len(found) or 'no'} finding{'s' if len(found) > 1 else ''}"]
    lines += [f"  {path}; {log}" for path in found]
    early = used < seconds  # it ended by itself: that is a failure even where it left no input
    if early and not found:
        lines.append(f"  ended early; {log}")
    return early, "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.strip().splitlines()[2].removeprefix("usage: "))
    parser.add_argument("-j", type=int, default=1, metavar="N")
    parser.add_argument("build", type=os.path.abspath)
    parser.add_argument("seconds", type=float)
    parser.add_argument("targets", nargs="*")
    args = parser.parse_args()
    targets = sorted(n[5:] for n in os.listdir(os.path.join(args.build, "fuzz"))
                     if re.fullmatch(r"fuzz_[a-z0-9_]+", n))
    unknown = set(args.targets) - set(targets)
    if unknown:
        sys.exit(f"fuzz: no target {' '.join(sorted(unknown))}; there are {' '.join(targets)}")
    failed = False
    with concurrent.futures.ThreadPoolExecutor(max(args.j, 1)) as pool:
        for task in concurrent.futures.as_completed(
                [pool.submit(fuzz, args.build, name, args.seconds) for name in args.targets or targets]):
            early, text = task.result()
            print(text, flush=True)
            failed |= early
    sys.exit(1 if failed else 0)


main()

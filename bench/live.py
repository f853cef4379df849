#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cost of measuring, beside perf stat, in turns in the same run:

    bench/live.py BUILD

1. From the start of the tool to the start of the program that it measures, same events.
2. Processor time for a reading of 40 events on every CPU, by -I 1: of pmuscope and of perf.
3. 1,000 intervals of 10 ms beside two programs for each CPU that do nothing but keep it busy, ten times: how many
   were missed, whether they drift, and how many a program misses that only waits for such a timer.

The events are those that Linux counts itself: any machine has them.
"""
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

from machine import first_line, processor

FEW = "task-clock,page-faults,context-switches,cpu-migrations"
KINDS = ["page-faults", "context-switches", "cpu-migrations", "minor-faults", "major-faults",
         "alignment-faults", "emulation-faults"]
MANY = ",".join([kind + mode for mode in ("", ":u", ":k", ":uk", ":h", ":uh") for kind in KINDS][:40])


def tools(build):
    return {"perf": ["perf", "stat"], "pmuscope": [build + "/pmuscope", "stat", "--source", "perf"]}


def to_exec(command):
    start = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    out = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    return (int(out) - start) / 1e6


def start_up(build, runs=40):
    found = {name: [] for name in tools(build)}
    for _ in range(runs):
        for name, tool in tools(build).items():
            found[name].append(to_exec(tool + ["-e", FEW, "--", build + "/bench/stamp"]))
    for name, times in found.items():
        print(f"start to exec, {name:9} least {min(times):6.2f} ms, median {statistics.median(times):6.2f} ms")
    ratio = min(found["pmuscope"]) / min(found["perf"])
    print(f"pmuscope / perf, of the least: {ratio:.2f}")


def cost(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rows(path, event):
    with open(path) as file:
        return sum(f",{event}," in line for line in file)


def readings(build, folder, runs=5):
    found = {name: [] for name in tools(build)}
    for _ in range(runs):
        for name, tool in tools(build).items():
            path = f"{folder}/{name}.csv"
            used = cost(tool + ["-a", "-I", "1", "-x,", "-o", path, "-e", MANY, "--", "sleep", "1"])
            found[name].append(1e6 * used / rows(path, "page-faults"))
    for name, costs in found.items():
        print(f"a reading of 40 events on {os.cpu_count()} CPUs, {name:9} median "
              f"{statistics.median(costs):6.1f} us of processor time")


def stolen():
    """Milliseconds in which another guest of the host used this guest's CPUs."""
    with open("/proc/stat") as file:
        return 1000 * int(file.readline().split()[8]) // os.sysconf("SC_CLK_TCK")


def ticks(build, folder):
    """A tick is missed when it is read after the time of the next one."""
    path, session = folder + "/ticks.json", folder + "/ticks.pms"
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 * os.cpu_count())]
    before = stolen()
    bare = subprocess.Popen([build + "/bench/timer", "1000"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        subprocess.run(tools(build)["pmuscope"] + ["-a", "-A", "-I", "10", "-j", "-o", path, "--save", session,
                                                   "-e", FEW, "--", "sleep", "10.02"],
                       stderr=subprocess.DEVNULL, check=True)
        alone = int(bare.communicate()[0])
    finally:
        for one in busy:
            one.kill()
            one.wait()
    os.remove(session)
    with open(path) as file:
        times = [json.loads(line)["time"] for line in file][:-1]
    due = round(times[-1] / 0.01)
    late = sorted(1000 * (t - int(t / 0.01 + 0.05) * 0.01) for t in times)
    print(f"intervals of 10 ms: {due} were due, {due - len(times)} missed; read late by {late[len(late) // 2]:.2f} ms "
          f"in the median, {late[-1]:.2f} ms at most, the last at {times[-1]:.4f} s; "
          f"{stolen() - before} ms stolen by the host; a bare timer beside it missed {alone} of 1000", flush=True)


def main():
    build = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build")
    os.environ.setdefault("PMUSCOPE_DATA", os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    subprocess.run(["ninja", "-C", build, "--quiet", "pmuscope", "bench/stamp", "bench/timer"], check=True, stdout=subprocess.DEVNULL)
    print(f"{processor()}; {os.uname().release}; {first_line('perf', '--version')}; "
          f"{first_line('cc', '--version')}; commit {first_line('git', 'rev-parse', '--short', 'HEAD')}")
    start_up(build)
    with tempfile.TemporaryDirectory() as folder:
        readings(build, folder)
        for _ in range(10):
            ticks(build, folder)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run fuzz targets for so many seconds of processor time each, one after another.

usage: fuzz/run.py BUILD SECONDS [TARGET...]

What is found goes to BUILD/corpus/TARGET and is built on by the next run. Prints a line a target:
processor time, executions and findings. An input that fails is left in BUILD, and the exit status is 1.
They run at the lowest priority where chrt(1) is there, so that a machine can be used meanwhile.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import time

POLL = 1.0  # seconds


def cpu_seconds(pid):
    """Processor time of a process that is still there."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run(binary, own, given, log, artifacts, seconds):
    """Fuzz until the time is used. Returns processor time and exit status."""
    idle = ["chrt", "-i", "0"] if shutil.which("chrt") else []
    with open(log, "wb") as out:
        child = subprocess.Popen(
            idle + [binary, "-print_final_stats=1", f"-artifact_prefix={artifacts}", own, given],
            stdout=out, stderr=out)
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
    """One target. Returns whether it failed."""
    root = os.path.dirname(os.path.abspath(__file__))
    own = os.path.join(build, "corpus", name)
    log = os.path.join(build, f"{name}.log")
    artifacts = os.path.join(build, f"found-{name}-")
    os.makedirs(own, exist_ok=True)
    used, _ = run(os.path.join(build, "fuzz", "fuzz_" + name), own,
                  os.path.join(root, "corpus", name), log, artifacts, seconds)
    with open(log, errors="replace") as text:
        text = text.read()
    found = re.findall(r"Test unit written to (\S+)", text)
    runs = re.findall(r"stat::number_of_executed_units:\s*(\d+)", text)
    print(f"{name:<12} {used:7.0f} s of processor time, {runs[-1] if runs else '?'} executions, "
          f"{len(found) or 'no'} finding{'s' if len(found) > 1 else ''}", flush=True)
    for path in found:
        print(f"  {path}; {log}", flush=True)
    early = used < seconds  # it ended by itself: that is a failure even where it left no input
    if early and not found:
        print(f"  ended early; {log}", flush=True)
    return early


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip().splitlines()[2])
    build, seconds = os.path.abspath(sys.argv[1]), float(sys.argv[2])
    names = sys.argv[3:] or sorted(n[5:] for n in os.listdir(os.path.join(build, "fuzz"))
                                   if re.fullmatch(r"fuzz_[a-z0-9_]+", n))
    failed = [name for name in names if fuzz(build, name, seconds)]
    sys.exit(1 if failed else 0)


main()

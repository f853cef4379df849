#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Speed and memory of reading Arm SPE, beside Linux perf 6.1, in the same run.

usage: bench/spe.py BUILD [MIB [RUNS]]

The loops: perf's arm_spe_get_packet and arm_spe_decode, compiled with -O2 from Debian's
linux-source-6.1 (fetched into the cache the first time), and ours, over the same stream of MIB (256 when
not said). The commands: perf's and ours, over the same perf.data with that stream, RUNS times in turn (3
when not said); seconds are of processor time, user and system together, and ratios medians over the
runs. The memory: the most resident, for streams of a quarter of the length, of the whole, and of four times it.
"""
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

from machine import first_line, processor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def output(*argv):
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout


def run(argv):
    """Run once: seconds of processor time, MiB at the peak."""
    with open(os.devnull, "wb") as nothing:
        child = subprocess.Popen(argv, stdout=nothing, stderr=nothing)
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"bench: status {child.returncode}: {' '.join(argv)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


class Program:
    """The program that the records point into, and how it is mapped."""

    def __init__(self, path):
        self.path = path
        text = [line.split("]", 1)[1].split() for line in
                output("readelf", "-SW", path).splitlines() if "] .text " in line][0]
        self.text = f"0x{text[2]},0x{text[4]}"
        load = [line.split() for line in output("readelf", "-lW", path).splitlines()
                if line.strip().startswith("LOAD") and " R E " in line][0]
        self.mapping = [load[2], load[5], load[1]]  # address, bytes, offset in the file


def perf_library(scratch):
    """Perf's loops as a library for bench_spe, with their version; None where perf's source is not available."""
    fetch = subprocess.run([os.path.join(ROOT, "bench/perf_source.sh")], capture_output=True,
                           text=True)
    if fetch.returncode:
        print("perf's loops are left out: " + fetch.stderr.strip())
        return None
    source = fetch.stdout.strip()
    decoder = os.path.join(source, "tools/perf/util/arm-spe-decoder")
    library = os.path.join(scratch, "perf_decoder.so")
    subprocess.run(["gcc", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-D_GNU_SOURCE",
                    "-I", os.path.join(source, "tools/include"), "-I", decoder, "-o", library,
                    os.path.join(ROOT, "bench/perf_decoder.c"),
                    os.path.join(decoder, "arm-spe-decoder.c"),
                    os.path.join(decoder, "arm-spe-pkt-decoder.c"),
                    os.path.join(source, "tools/lib/zalloc.c")], check=True)
    with open(os.path.join(source, "version")) as version:
        print(f"perf's    loops: linux-source-6.1 {version.read().strip()}, gcc -O2; "
              f"commands: {first_line('perf', '--version')}\n")
    return library


def loops(build, library, mib):
    for options in ([], ["--mixed"], ["--varied"], ["--tail"], ["--dense"], ["--shapes", "96"],
                    ["--shapes", "200"]):
        beside = ["--perf", library] if library else []
        print(output(os.path.join(build, "bench/bench_spe"), *options, *beside, str(mib)), flush=True)


def make(build, scratch, program, mib):
    """Make a perf.data with a stream of that many MiB."""
    raw, data = os.path.join(scratch, "stream"), os.path.join(scratch, f"{mib}.data")
    output(os.path.join(build, "bench/bench_spe"), "--write", raw, "--text", program.text, str(mib))
    output(os.path.join(build, "bench/spe_perfdata"), data, raw, program.path, *program.mapping)
    os.unlink(raw)
    return data


def has_report(pmuscope):
    """Whether pmuscope was built with symbol support."""
    said = subprocess.run([pmuscope, "spe", "report", "--help"], capture_output=True, text=True)
    return "symbol" in said.stdout


def commands(pmuscope, data):
    """Rows of (ours, theirs, how many times as fast it is to be)."""
    dump = [pmuscope, "spe", "dump", data]
    dumped = ["perf", "report", "-D", "-i", data]
    rows = [(dump, dumped, 10), (dump + ["--format", "jsonl"], dumped, 10)]
    if has_report(pmuscope):
        report = [pmuscope, "spe", "report", "--by", "symbol", data]
        rows += [(report, ["perf", "report", "--itrace=i1i", "--stdio", "-i", data], 5),
                 (report, ["perf", "script", "-i", data], 20)]
    return rows


def words(argv, data):
    return " ".join([os.path.basename(argv[0])] + [w for w in argv[1:] if w not in ("-i", data)])


def measure_commands(pmuscope, data, mib, runs):
    mb = mib * 1.048576
    print(f"{'command':<32} {'MB/s':>6}  {'perf':<34} {'MB/s':>6} {'times':>6}  aim")
    for ours, theirs, aim in commands(pmuscope, data):
        pairs = [(run(ours)[0], run(theirs)[0]) for _ in range(runs)]
        times = statistics.median(b / a for a, b in pairs)
        print("{:<32} {:6.0f}  {:<34} {:6.0f} {:6.1f}  {}: {}".format(
            words(ours, data), mb / statistics.median(a for a, _ in pairs), words(theirs, data),
            mb / statistics.median(b for _, b in pairs), times, aim,
            "met" if times >= aim else "missed"), flush=True)


def measure_memory(build, pmuscope, scratch, program, sizes):
    """MiB resident at most, by command and length."""
    rows = {}
    for mib in sizes:
        data = make(build, scratch, program, mib)
        for argv in ([pmuscope, "spe", "dump", data], [pmuscope, "spe", "dump", "--records", data],
                     *([[pmuscope, "spe", "report", "--by", "symbol", data]]
                       if has_report(pmuscope) else [])):
            rows.setdefault(words(argv, data), []).append(run(argv)[1])
        os.unlink(data)
    print(f"\n{'most resident, MiB':<32}" + "".join(f"{mib:>8} MiB" for mib in sizes))
    for name, peaks in rows.items():
        print(f"{name:<32}" + "".join(f"{peak:12.1f}" for peak in peaks))


def main():
    if len(sys.argv) not in (2, 3, 4):
        sys.exit(__doc__.strip().splitlines()[2])
    build = os.path.abspath(sys.argv[1])
    mib = int(sys.argv[2]) if len(sys.argv) > 2 else 256
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    pmuscope = os.path.join(build, "pmuscope")
    sample = os.path.join(build, "examples", "chase")
    print(f"machine   {processor()}, load {os.getloadavg()[0]:.1f}")
    print(f"compiler  {first_line('cc', '--version')}")
    print(f"commit    {first_line('git', 'describe', '--always', '--dirty', cwd=ROOT)}")
    with tempfile.TemporaryDirectory() as scratch:
        loops(build, perf_library(scratch), mib)
        if not os.path.exists(sample) or not shutil.which("perf"):
            sys.exit("commands are left out: needs Linux perf and the AArch64 samples")
        program = Program(sample)
        data = make(build, scratch, program, mib)
        measure_commands(pmuscope, data, mib, runs)
        os.unlink(data)
        measure_memory(build, pmuscope, scratch, program, (mib // 4, mib, mib * 4))


main()

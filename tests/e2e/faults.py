#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whole commands while memory or disk space runs out, while reads fail, and when they are killed.

usage: faults.py [--long] [--show] PMUSCOPE FAULTS BUILD SOURCE [CASE...]

A run that is disturbed has the output, files and status of one that is not; or it ends with status 2, 3 or 126 and a
message, and leaves no file that was not there before. It never crashes. PMUSCOPE is built without sanitizers, FAULTS is
faults.c as a library, BUILD and SOURCE are where other programs and files are. --long runs all cases, with every place
where memory is allocated and every call of the system; without it, some of them, the same each time. --show prints
what was tried.
"""
import argparse
import concurrent.futures
import importlib
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading

TIMEOUT = 60
QUICK_PLACES = 12  # of a command's allocations
QUICK_CALLS = 3  # of a kind of system call
FRAMES, QUICK_FRAMES = 16, 6  # by which places are told apart
REFUSED = (2, 3, 126)  # what went wrong is said; the last two are of programs that are measured

# Calls of the system that fail. strace(1) makes them fail.
WRITES = ["write", "pwrite64", "writev", "fsync", "fdatasync", "ftruncate", "fallocate", "rename", "renameat",
          "renameat2", "link", "linkat"]
READS = ["read", "pread64", "readv", "mmap", "lseek"]
# Messages of a library that elfutils loads.
FOREIGN = re.compile(rb"^Error in GnuTLS.*\n", re.MULTILINE)
TEMPORARY = re.compile(r"\.pmuscope-")


class Case:
    """A command, and the files that are there before it. Some are of the quick selection."""

    def __init__(self, name, args, stdin=os.devnull, before=None, quick=False):
        self.name, self.args, self.stdin, self.before, self.quick = name, args, stdin, before or {}, quick


class Result:
    def __init__(self, status, stdout, stderr, files):
        self.status, self.stdout, self.stderr, self.files = status, stdout, stderr, files

    def same(self, other):
        return vars(self) == vars(other)


def database(path):
    """The contents of an SQLite file, without parts that differ from run to run."""
    base = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    try:
        text = "\n".join(base.iterdump())
    finally:
        base.close()
    return re.sub(r"\d{4}-\d\d-\d\dT[0-9:.]+Z?", "TIME", text)


def content(path):
    with open(path, "rb") as file:
        data = file.read()
    if data.startswith(b"SQLite format 3"):
        try:
            return database(path)
        except sqlite3.Error as error:
            return f"a damaged database: {error}"
    return data


def difference(got, good):
    """The first thing that differs, for people."""
    parts = [("standard output", got.stdout, good.stdout), ("standard error", got.stderr, good.stderr)]
    parts += [(name, got.files.get(name), good.files.get(name)) for name in sorted({*got.files, *good.files})]
    for name, a, b in parts:
        if a == b:
            continue
        if not isinstance(a, bytes) or not isinstance(b, bytes):
            return name
        lines = [x for x in zip(a.split(b"\n"), b.split(b"\n")) if x[0] != x[1]]
        return f"{name}: {lines[0] if lines else (len(a), len(b))}"
    return f"status {got.status}, {good.status}"


def spread(found, most):
    """So many of a list, evenly."""
    if args.long or len(found) <= most:
        return found
    return [found[i * len(found) // most] for i in range(most)]


failures = []
known = []  # what docs/status.md says
runs = 0


def run(case, wrap=(), extra=None):
    """Once, in a folder of the thread's own."""
    global runs
    runs += 1
    folder = os.path.join(work, f"run-{threading.get_ident()}")
    os.mkdir(folder)
    for name, data in case.before.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
    with open(case.stdin, "rb") as stdin:
        child = subprocess.Popen([*wrap, args.pmuscope, *case.args], cwd=folder, stdin=stdin, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, env=dict(environment, **(extra or {})))
        try:
            stdout, stderr = child.communicate(timeout=TIMEOUT)
            status = child.returncode
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            status, stdout, stderr = "none: it does not end", b"", b""
    stderr = FOREIGN.sub(b"", stderr)
    files = {name: content(os.path.join(folder, name)) for name in sorted(os.listdir(folder))}
    shutil.rmtree(folder)
    return Result(status, stdout, stderr, files)


def leaves(case, got, good):
    """List wrong leftovers: half an output, or an earlier file that is gone."""
    return [n for n in {*got.files, *case.before} if got.files.get(n) not in (case.before.get(n), good.files.get(n))]


def judge(case, good, what, got, killed=False):
    """Check a disturbed run against the promises."""
    reason = None
    if got.same(good) or (got.status == 127 and b"error while loading shared libraries" in got.stderr):
        return  # the second is the dynamic loader's, before there is a pmuscope
    left = leaves(case, got, good)
    if killed:
        left = [n for n in left if not TEMPORARY.match(n)]  # of a file system without files that have no names
    elif got.status == good.status:
        reason = f"status {got.status} with other output: {difference(got, good)}"
    elif got.status not in REFUSED:
        reason = f"status {got.status}"
    elif not got.stderr.strip():
        reason = "no message"
    if not reason and left:
        reason = f"leaves {', '.join(sorted(left))}"
    if reason and is_known(case, what, got):
        known.append(f"{case.name}: {what}")
        reason = None
    if reason:
        failures.append(f"{case.name}: {what}: {reason}; {got.stderr[-200:]!r}{callers(case, what)}")
    if args.show:
        print(f"  {case.name}: {what}: status {got.status} {got.stderr[-80:]!r}", flush=True)


def is_known(case, what, got):
    """Whether the C library's loader ended it, or libdw used a unit's table of abbreviations without memory for it."""
    if got.status == 127 and got.stderr == b"out of memory\n":
        return True
    if got.status != -signal.SIGSEGV or not what.startswith("FAULT_"):
        return False
    traced = run(case, extra={"LD_PRELOAD": args.faults, "FAULT_TRACE": "1", **dict([what.split("=")])})
    frames = [line for line in traced.stderr.split(b"\n") if b"/libdw" in line or b"/pmuscope" in line]
    return len(frames) > 3 and all(b"/libdw" in frame for frame in frames[:4]) and b"(dwarf_get_units+" in frames[3]


def callers(case, what):
    """Which functions of pmuscope asked for the memory, where debug information tells."""
    if not what.startswith("FAULT_"):
        return ""
    traced = run(case, extra={"LD_PRELOAD": args.faults, "FAULT_TRACE": "1", **dict([what.split("=")])})
    path = re.escape(os.path.basename(args.pmuscope))
    frames = re.findall(path + r"\(\+(0x[0-9a-f]+)\)", traced.stderr.decode(errors="replace"))[:8]
    names = subprocess.run(["addr2line", "-f", "-e", args.pmuscope, *frames], capture_output=True, text=True, check=False)
    return " in " + " < ".join(names.stdout.splitlines()[::2])


def allocations(case, good):
    """The numbers of those allocations that are the first from their place in the code."""
    places = os.path.join(work, "places")
    if os.path.exists(places):
        os.unlink(places)
    frames = str(FRAMES if args.long else QUICK_FRAMES)
    got = run(case, extra={"LD_PRELOAD": args.faults, "FAULT_LIST": places, "FAULT_FRAMES": frames})
    if not got.same(good):
        failures.append(f"{case.name}: is another with {args.faults} alone: {difference(got, good)}")
        return []
    with open(places) as file:
        return [int(n) for n in file]


def memory(case, good):
    """Make one allocation fail, or all from there on."""
    for i, n in enumerate(spread(allocations(case, good), QUICK_PLACES)):
        for kind in ("AT", "FROM") if args.long else ("FROM",) if i % 4 == 0 else ("AT",):
            what = f"FAULT_{kind}={n}"
            yield what, (), {"LD_PRELOAD": args.faults, f"FAULT_{kind}": str(n)}


def calls(case, good):
    """The numbers of the calls of the system that are to fail, by name."""
    log = os.path.join(work, "calls")
    trace = "trace=openat," + ",".join("?" + n for n in WRITES + READS)
    got = run(case, ["strace", "-y", "-qq", "-o", log, "-e", trace])
    if not got.same(good):
        failures.append(f"{case.name}: is another under strace alone: {difference(got, good)}")
        return {}
    numbers, counts = {}, {}
    with open(log, errors="replace") as file:
        for line in file:
            match = re.match(r"(\w+)\(", line)
            if not match:
                continue
            name = match[1]
            counts[name] = counts.get(name, 0) + 1
            if name == "openat" and not re.search(r"O_WRONLY|O_RDWR", line):
                continue
            if (name == "mmap" and "MAP_ANONYMOUS" in line) or re.match(r"writev?\(2<", line):
                continue  # the allocator's; messages, of whose loss nobody can be told
            if re.search(r"<[^>]*(/locale/|\.so\b|\.md>|locale\.alias|gconv)", line):
                continue  # the C library's, which goes on without; pages that search passes over
            numbers.setdefault(name, []).append(counts[name])
    return numbers


def system(case, good):
    """Make a system call fail, or kill the command at one."""
    numbers = calls(case, good)
    for call in ["openat", *WRITES, *READS]:
        errors = ["error=EIO"] if call in READS else ["error=ENOSPC", "error=EIO", "signal=KILL"]
        if call == "mmap":
            errors = ["error=ENOMEM"]
        for n in spread(numbers.get(call, []), QUICK_CALLS):
            for error in errors:
                yield (f"{call} {n}: {error}",
                       ["strace", "-qq", "-o", os.devnull, "-e", f"trace={call}", "-e", f"inject={call}:{error}:when={n}"],
                       {})


def redirected(redirections):
    return ["sh", "-c", f'exec "$@" {redirections}', "sh"]


def streams():
    """Run with standard streams closed, or full."""
    for closed in ((2,), (0, 1, 2)) if not args.long else ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)):
        yield f"closed {closed}", redirected(" ".join((f"{n}<&-" if n == 0 else f"{n}>&-") for n in closed)), {}
    yield "standard output is full", redirected(">/dev/full"), {}


def seen(what, got, good):
    """What nobody can see is as it should be, unless the status says otherwise."""
    done = got.status == good.status
    if re.match(r"closed .*\b1\b", what) or (what.endswith("full") and done and not good.stdout):
        got.stdout = good.stdout if done else b""
    if re.match(r"closed .*\b2\b", what):
        got.stderr = good.stderr if done else b"closed"
    return got


def disturb(case, pool):
    good, again = run(case), run(case)
    if not good.same(again) or good.status not in (0, 1):
        failures.append(f"{case.name}: status {good.status}, twice: {difference(again, good)} {again.stderr[-200:]!r}")
        return

    def one(what, wrap, extra):
        got = run(case, wrap, extra)
        judge(case, good, what, seen(what, got, good), killed=what.endswith("KILL"))

    kinds = [streams(), memory(case, good)] + ([system(case, good)] if can_trace else [])
    list(pool.map(lambda each: one(*each), [each for kind in kinds for each in kind]))


def durable(pool):
    """A session that grows while a program runs is whole from its first interval on, whenever its writer is killed."""
    case = Case("durable", ["stat", "--source", "perf", "-e", "alignment-faults", "-I", "10", "-x,", "-o", os.devnull,
                            "--save", "d.pms", "--", "sleep", "0.1"])

    def one(n):
        folder = os.path.join(work, f"durable-{n}")
        os.mkdir(folder)
        kill = ["strace", "-qq", "-o", os.devnull, "-e", "trace=pwrite64", "-e", f"inject=pwrite64:signal=KILL:when={n}"]
        subprocess.run([*kill, args.pmuscope, *case.args], cwd=folder, env=environment, capture_output=True, check=False)
        session = os.path.join(folder, "d.pms")
        if os.path.exists(session):
            report = subprocess.run([args.pmuscope, "report", session, "-x,"], env=environment, capture_output=True,
                                    check=False)
            if report.returncode != 0 or b"alignment-faults" not in report.stdout + report.stderr:
                failures.append(f"durable: killed at write {n}: the session cannot be read: {report.stderr!r}")
        shutil.rmtree(folder)

    list(pool.map(one, range(1, 200) if args.long else range(1, 60, 6)))


def make_sampled(inputs):
    """A recording of a program with symbols and lines."""
    os.environ["SOURCE"] = args.source
    sys.path.insert(0, os.path.join(args.source, "tests/e2e/hostile"))
    elf = importlib.import_module("elf")
    size, starts = 0x400, range(elf.BASE, elf.BASE + 0x400, 64)
    unit = elf.unit(b"".join(elf.function(b"f", at, 64) for at in starts), size)
    program = elf.elf(elf.dwarf(unit, elf.lines(b"\x21" * size)), size, [(b"f", at, 64) for at in starts])
    with open(os.path.join(inputs, "x"), "wb") as file:
        file.write(program)
    elf.sampled(program, range(elf.BASE, elf.BASE + 800, 4), size)["f"](os.path.join(inputs, "sampled.data"))


def make_inputs(inputs):
    """Files to read, by tools of the tests."""
    os.mkdir(inputs)
    tools = os.path.join(args.build, "tests/e2e")
    raw = os.path.join(inputs, "raw")
    subprocess.run([os.path.join(tools, "spe_make"), "7", "400", raw], check=True)
    for name, options in (("spe.data", []), ("pipe.data", ["-p"]), ("packed.data", ["-z"])):
        subprocess.run([os.path.join(tools, "spe_file"), *options, os.path.join(inputs, name), raw], check=True)
    make_sampled(inputs)
    with open(os.path.join(inputs, "budget.csv"), "w") as file:
        file.write("metric,low,high\nipc,0,10\n")
    stat = os.path.join(args.source, "tests/data/perf-stat")
    for name, data in (("one.pms", "arm-one.csv"), ("intervals.pms", "interval.csv")):
        subprocess.run([args.pmuscope, "report", os.path.join(stat, data), "--mcpu", "neoverse-v1", "--save",
                        os.path.join(inputs, name)], check=True, stdout=subprocess.DEVNULL, env=environment)


def report_cases(inputs):
    stat = os.path.join(args.source, "tests/data/perf-stat")
    recorded = os.path.join(args.source, "fuzz/corpus/perf_stat/recorded")
    one = [os.path.join(stat, "arm-one.csv"), "--mcpu", "neoverse-v1"]
    threads = [os.path.join(stat, "arm-threads.csv"), "--mcpu", "neoverse-v1"]
    session, intervals = (os.path.join(inputs, n) for n in ("one.pms", "intervals.pms"))
    old = {"out": b"what was there before\n"}
    return [
        Case("report-text", ["report", *one], quick=True),
        Case("report-threads-json", ["report", *threads, "--per-thread", "-j"]),
        Case("report-json-file", ["report", os.path.join(stat, "one.json"), "--mcpu", "neoverse-n1", "-x,"]),
        Case("report-intervals", ["report", os.path.join(stat, "interval.csv"), "--mcpu", "neoverse-v1"]),
        Case("report-perfdata", ["report", recorded, "--mcpu", "neoverse-v1", "--all"], quick=True),
        Case("report-all", ["report", *one, "--all"]),
        Case("report-session", ["report", session], quick=True),
        Case("report-session-intervals", ["report", intervals, "-j"]),
        Case("report-output", ["report", *one, "-j", "-o", "out"], before=old, quick=True),
        Case("report-save", ["report", *threads, "-x,", "--save", "new.pms"]),
        Case("report-save-session", ["report", intervals, "--save", "new.pms", "-o", "out"], quick=True),
        Case("check-session", ["check", session]),
        Case("check-budget", ["check", *one, "--budget", os.path.join(inputs, "budget.csv"), "-j", "-o", "out"], quick=True),
    ]


def spe_cases(inputs):
    spe, pipe = (os.path.join(inputs, n) for n in ("spe.data", "pipe.data"))
    old = {"out": b"what was there before\n"}
    return [
        *(Case(f"spe-report-{by}", ["spe", "report", "--by", by, spe], quick=by in ("line", "cacheline"))
          for by in ("line", "symbol", "pc", "cacheline", "thread", "data-source", "branch")),
        Case("spe-report-symbols", ["spe", "report", "--by", "line", os.path.join(inputs, "sampled.data")], quick=True),
        Case("spe-report-variables", ["spe", "report", "--by", "data-symbol", os.path.join(inputs, "sampled.data")]),
        Case("spe-export-symbols", ["spe", "export", "--to", "csv", "--symbols", os.path.join(inputs, "sampled.data")]),
        Case("spe-report-pipe", ["spe", "report", "--by", "thread", "-j", "-"], stdin=pipe, quick=True),
        Case("spe-report-packed", ["spe", "report", "--by", "object", os.path.join(inputs, "packed.data"), "-o", "out"]),
        Case("spe-report-csv", ["spe", "report", "--by", "cacheline", "-x,", spe]),
        Case("spe-dump", ["spe", "dump", spe]),
        Case("spe-dump-raw", ["spe", "dump", "--raw", "--format", "jsonl", os.path.join(inputs, "raw")]),
        Case("spe-dump-records", ["spe", "dump", "--records", spe, "-o", "out"], before=old),
        Case("spe-dump-pipe", ["spe", "dump", "--records", "-"], stdin=pipe),
        *(Case(f"spe-export-{to}", ["spe", "export", spe, "--to", to, "-o", "out"], before=old,
               quick=to in ("csv", "sqlite"))
          for to in ("csv", "jsonl", "rowbinary", "sqlite")),
    ]


def catalog_cases():
    return [
        Case("lint", ["lint", os.path.join(args.source, "tests/data/specs/neoverse-n2.json")]),
        Case("lint-perf", ["lint", os.path.join(args.source, "tests/data/riscv"), "-j"], quick=True),
        Case("plan", ["plan", "--mcpu", "neoverse-v1"], quick=True),
        Case("plan-riscv", ["plan", "--mcpu", "riscv", "--counters", "4", "-j", "-o", "out"]),
        Case("list-events", ["list", "events", "--mcpu", "neoverse-v2"]),
        Case("list-tree", ["list", "tree", "--mcpu", "neoverse-v1"], quick=True),
        Case("list-metrics", ["list", "metrics", "--mcpu", "neoverse-n1", "-x,"]),
        Case("search", ["search", "--mcpu", "all", "cache", "miss"]),
        Case("describe", ["describe", "--mcpu", "neoverse-v1", "L1D_CACHE", "ipc"]),
        Case("core-show", ["core", "show", "-j"]),
        Case("help", ["help", "report"]),
        Case("version", ["--version"]),
    ]


def can_count():
    probe = [args.pmuscope, "stat", "--source", "perf", "-e", "alignment-faults", "true"]
    return subprocess.run(probe, capture_output=True, env=environment, check=False).returncode == 0


def measure_cases():
    rows = []
    if can_count():
        rows.append(Case("stat-perf", ["stat", "--source", "perf", "-e", "alignment-faults", "-x,", "-o", "out", "--", "true"]))
    loop = os.path.join(args.build, "tests/e2e/loop")
    if os.path.exists(loop):
        rows.append(Case("topdown", ["topdown", "-j", "-o", "out", "--save", "new.pms", "--", loop]))
    return rows


parser = argparse.ArgumentParser(usage=__doc__.strip().splitlines()[2].removeprefix("usage: "))
parser.add_argument("--long", action="store_true")
parser.add_argument("--show", action="store_true")
for option in ("pmuscope", "faults", "build", "source"):
    parser.add_argument(option, type=os.path.abspath)
parser.add_argument("cases", nargs="*")
args = parser.parse_args()
environment = dict(os.environ, PMUSCOPE_DATA=args.source, LC_ALL="C.UTF-8", COLUMNS="100")
for variable in ("DEBUGINFOD_URLS", "LD_PRELOAD", "ASAN_OPTIONS"):
    environment.pop(variable, None)
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
can_trace = shutil.which("strace") and subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True,
                                                      check=False).returncode == 0
if not can_trace:
    print("strace cannot be used here: calls of the system do not fail, allocations do")
with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(2) as workers:
    make_inputs(os.path.join(work, "inputs"))
    for each in report_cases(f"{work}/inputs") + spe_cases(f"{work}/inputs") + catalog_cases() + measure_cases():
        if each.name in args.cases or (not args.cases and (args.long or each.quick)):
            disturb(each, workers)
            if args.long or args.show:
                print(f"{each.name}: {runs} runs so far, {len(failures)} failures", flush=True)
    if can_trace and can_count() and (not args.cases or "durable" in args.cases):
        durable(workers)
print("\n".join(failures))
print("\n".join(f"known: {each}" for each in known))
print(f"{runs} runs, {len(failures)} failures")
sys.exit(1 if failures else 0)

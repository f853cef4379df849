#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files that somebody made to do harm, through every command that reads their kind.

usage: hostile/run.py [--long] [--open] [--show] [--keep FOLDER] [NAME...]

NAME begins the names of what to run: perfdata/, elf/same. The environment says PMUSCOPE, the command without
sanitizers, MEASURE, measure.c, and SOURCE, the project's root. Whatever a file holds, a command

- ends by itself, with a status that is documented, and a message where it is 2;
- takes at most 4 times the size of its files and 64 MiB of memory;
- takes no more than twice as much processor time for each byte of a file that is four times as large;
- writes no control characters but newlines and tabs where a terminal may be, to standard error in any case;
- changes, adds and removes no file.

--long takes larger files. --open runs those of which it is known that they break this, too.
"""
import argparse
import concurrent.futures
import hashlib
import importlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

import case as cases

MIB = 1 << 20
MOST_MEMORY, MEMORY_FACTOR = 64 * MIB, 4
STEP = 4  # how much larger the second file is
GROWTH = 2  # how much more than its size its time may grow
UNMEASURABLE = 0.08  # seconds of processor time that say nothing
WALL, CPU = 100, 30  # seconds, of one run
ADDRESSES = 6 << 30  # bytes, so that a test that fails leaves the machine usable
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
OUTPUTS = ("out", "new.pms")  # what commands are told to write

failures = []
runs = 0


class Run:
    """How one run of the command went."""

    def __init__(self, argv, folder):
        global runs
        runs += 1
        with tempfile.TemporaryDirectory(dir=work) as own:
            names = [os.path.join(own, name) for name in ("took", "out", "err")]
            limits = [names[0], str(WALL), str(CPU), str(ADDRESSES)]
            data = {}
            if argv[0].startswith("PMUSCOPE_DATA="):
                data, argv = dict([argv[0].split("=", 1)]), argv[1:]
            with open(names[1], "wb") as out, open(names[2], "wb") as err:
                subprocess.run([os.environ["MEASURE"], *limits, os.environ["PMUSCOPE"], *argv], cwd=folder, check=True,
                               stdin=subprocess.DEVNULL, stdout=out, stderr=err, env={**environment, **data})
            with open(names[0]) as took:
                self.status, microseconds, kib = (int(word) for word in took.read().split())
            self.seconds, self.memory = microseconds / 1e6, kib << 10
            self.stdout, self.stderr = (self.begin(name) for name in names[1:])

    @staticmethod
    def begin(name):
        with open(name, "rb") as file:
            return file.read(4 * MIB).decode(errors="replace")


def make(case, *size):
    """The files, in a folder of their own. Returns it and their size."""
    folder = tempfile.mkdtemp(dir=work)
    for name, content in case.make(*size).items():
        path = os.path.join(folder, name)
        if callable(content):
            content(path)
        else:
            with open(path, "wb") as file:
                file.write(content)
    return folder, sum(os.lstat(os.path.join(root, f)).st_size for root, _, files in os.walk(folder) for f in files)


def contents(folder):
    """What is in it."""
    found = {}
    for root, _, files in os.walk(folder):
        for name in files:
            path = os.path.join(root, name)
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    found[os.path.relpath(path, folder)] = hashlib.sha256(file.read()).digest()
            else:
                found[os.path.relpath(path, folder)] = "special"
    return found


def fail(what, text):
    failures.append(f"{what}: {text}")
    if args.show:
        print("FAILED", failures[-1], flush=True)


def goes_to_terminal(argv):
    """CSV and RowBinary are for programs."""
    return not any(word.startswith("-x") or word in ("csv", "rowbinary", "sqlite") for word in argv)


def judge(case, what, argv, size, run):
    """All but time."""
    if args.show:
        print(f"{what}: status {run.status}, {run.seconds:.2f} s, {run.memory / MIB:.0f} MiB of {size / MIB:.2f}: "
              f"{run.stderr[:100]!r}", flush=True)
    if run.status == -9:
        fail(what, f"does not end in {CPU} s of processor time or {WALL} s")
    elif run.status not in case.status:
        fail(what, f"status {run.status}: {run.stderr[-300:]!r}")
    elif run.status == 2 and not re.search("^pmuscope: ", run.stderr, re.MULTILINE):
        fail(what, f"no message: {run.stderr[-300:]!r}")
    if run.memory > MOST_MEMORY + MEMORY_FACTOR * size:
        fail(what, f"{run.memory / MIB:.0f} MiB of memory for {size / MIB:.2f} MiB")
    for name, text in (("standard error", run.stderr), ("standard output", run.stdout if goes_to_terminal(argv) else "")):
        found = CONTROL.search(text)
        if found:
            fail(what, f"{found[0]!r} on {name}: {text[max(0, found.start() - 60):found.end() + 20]!r}")


def command(template, folder):
    return [word.replace("{x}", os.path.join(folder, "x")).replace("{}", os.path.join(folder, "f")) for word in template]


def run_in(folder, case, template):
    """Run it, and look at what became of the files."""
    before = contents(folder)
    run = Run(command(template, folder), folder)
    for name in OUTPUTS:
        if run.status in (0, 1) and os.path.exists(os.path.join(folder, name)):
            os.unlink(os.path.join(folder, name))
    after = contents(folder)
    if after != before:
        changed = sorted(n for n in {*before, *after} if before.get(n) != after.get(n))
        fail(f"{case.name}: {' '.join(template)}", f"changed, added or removed {', '.join(changed)}")
    return run


def once(case):
    folder, size = make(case)
    for template in case.commands:
        judge(case, f"{case.name}: {' '.join(template)}", template, size, run_in(folder, case, template))
    tidy(case, folder)


def tidy(case, folder):
    if args.keep:
        kept = os.path.join(args.keep, case.name.replace("/", "-"))
        shutil.rmtree(kept, ignore_errors=True)
        shutil.move(folder, kept)
    else:
        shutil.rmtree(folder)


def grows(case):
    """In two sizes."""
    largest = case.sizes[1] if args.long else case.sizes[0] * STEP
    small, small_size = make(case, max(largest // STEP, 1))
    large, large_size = make(case, largest)
    for template in case.commands:
        what = f"{case.name} x {largest}: {' '.join(template)}"
        after = run_in(large, case, template)
        judge(case, what, template, large_size, after)
        before = run_in(small, case, template)
        judge(case, f"{case.name} x {largest // STEP}: {' '.join(template)}", template, small_size, before)
        most = GROWTH * max(STEP, large_size / max(small_size, 1))
        # A busy machine disturbs one of them: the least of three is what it takes.
        slow, fast = after.seconds, before.seconds
        for _ in range(2):
            if slow <= most * max(fast, UNMEASURABLE) or after.status == -9:
                break
            slow = min(slow, run_in(large, case, template).seconds)
            fast = min(fast, run_in(small, case, template).seconds)
        if slow > most * max(fast, UNMEASURABLE):
            fail(what, f"{slow:.2f} s, and {fast:.2f} s for a {STEP}th of it ({small_size} and {large_size} bytes)")
    shutil.rmtree(small)
    tidy(case, large)


parser = argparse.ArgumentParser(usage=__doc__.strip().splitlines()[2].removeprefix("usage: "))
for option in ("--long", "--open", "--show"):
    parser.add_argument(option, action="store_true")
parser.add_argument("--keep")
parser.add_argument("names", nargs="*")
args = parser.parse_args()
environment = dict(os.environ, PMUSCOPE_DATA=os.environ["SOURCE"], LC_ALL="C.UTF-8", COLUMNS="120")
environment.pop("DEBUGINFOD_URLS", None)
# meson has malloc fill all that it gives out, so that memory counts which no command has touched: libdw reserves
# blocks of which it uses half.
environment.pop("MALLOC_PERTURB_", None)
for kind in ("perfdata", "elf", "session", "text", "core"):
    importlib.import_module(kind)
chosen = [c for c in cases.CASES if not args.names or c.name.startswith(tuple(args.names))]
known = [c for c in chosen if c.open_because]
with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(2) as workers:
    list(workers.map(lambda each: grows(each) if each.sizes else once(each),
                     [c for c in chosen if args.open or not c.open_because]))
print("\n".join(failures))
print("\n".join(f"open: {c.name}: {c.open_because}" for c in known if not args.open))
print(f"{runs} runs, {len(failures)} failures")
sys.exit(1 if failures else 0)

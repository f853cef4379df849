#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""SPE samples of real arm64 programs, which never ran: a perf.data is made whose program counters lie
in programs that were compiled here, and each sample's process, file, function, lines and inlined calls
must be those that were told, as binutils reads the programs.

    spe_where.py CASE DIRECTORY

SPE_STORY writes the perf.data, SPE_WHERE prints what the library finds, see there."""
import ctypes.util
import http.server
import os
import re
import subprocess
import sys
import threading

PREFIX = "aarch64-linux-gnu-"
# Two programs of the same source, at two levels of optimisation: other code, another build-id.
PROGRAMS = {"one": "-O2", "two": "-O1"}


def run(*words, **options):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


class Program:
    def __init__(self, directory, name):
        self.file = os.path.join(directory, name)
        source = os.path.join(os.environ["SOURCE"], "tests/symbol/program.c")
        run(PREFIX + "gcc", PROGRAMS[name], "-g", "-Wl,--build-id", "-o", self.file, source)
        self.build_id = re.search(r"Build ID: ([0-9a-f]+)", run(PREFIX + "readelf", "-n", self.file))[1]
        # The first segment, which has the code, begins at 0 in the file and in memory.
        segment = re.search(r"LOAD +0x0+ 0x0+ 0x0+ 0x\w+ (0x\w+) R E", run(PREFIX + "readelf", "-lW", self.file))
        self.length = int(segment[1], 16)
        self.functions = []
        for line in run(PREFIX + "nm", "-S", self.file).splitlines():
            m = re.fullmatch(r"(\w+) (\w+) [tT] (hidden|work|main)", line)
            if m:
                self.functions.append((m[3], int(m[1], 16), int(m[2], 16)))
        assert len(self.functions) == 3

    def addresses(self):
        """(offset in the file, function+offset, frames) of each instruction."""
        rows = [(start + at, f"{name}+{at:#x}") for name, start, size in self.functions
                for at in range(0, size, 4)]
        out = run(PREFIX + "addr2line", "-a", "-i", "-f", "-e", self.file, *(hex(a) for a, _ in rows))
        blocks = re.split(r"^0x\w+\n", out, flags=re.M)[1:]
        for (address, place), block in zip(rows, blocks, strict=True):
            lines = block.splitlines()
            frames = [f"{function}@{re.sub(r' .*', '', os.path.basename(where))}"
                      for function, where in zip(lines[::2], lines[1::2])]
            yield address, place, "<".join(frame.replace(":?", ":0") for frame in frames)


class Story:
    """Lines for spe_story, and what spe_where must print of the samples in them."""

    def __init__(self, timeless=False):
        self.lines, self.loads, self.want = [], {}, {}
        self.timeless = timeless

    def tell(self, *words):
        self.lines.append(" ".join(str(w) for w in words))

    def load(self, cpu, ns, pc, context, who, where):
        ticks, rest = divmod(ns - 1000, 40)
        assert not rest
        self.loads.setdefault(cpu, []).append(f"load {cpu} {ticks} {pc:#x} 0x7000 {context}")
        self.want.setdefault(cpu, []).append(f"{'-' if self.timeless else ns} {cpu} {who} {where}")

    def buffers(self, cpu, time, tid):
        self.lines += self.loads.pop(cpu)
        self.tell("aux", cpu, time, 0, tid)

    def write(self, directory, *options):
        file = os.path.join(directory, "perf.data")
        run(os.environ["SPE_STORY"], *options, file, input="\n".join(self.lines) + "\n")
        return file

    def expected(self):
        return [line for cpu in sorted(self.want) for line in self.want[cpu]]


A, B, C = 0xAAAA00000000, 0xBBBB00000000, 0xCCCC00000000


def program_story(one, two, contexts=True, timeless=False):
    """Process 100 has `one` at A and forks 101, which executes `two` at C, so that nothing is at A; process
    200 has `one` at B. 100 and 101 are on CPU 0, 200 on CPU 1."""
    s = Story(timeless)
    places = {p: list(p.addresses()) for p in (one, two)}

    def map_(time, pid, base, program):
        s.tell("mmap", time, pid, hex(base), hex(program.length), 0, program.file, program.build_id)

    def load(cpu, ns, pid, name, base, program, i):
        address, place, frames = places[program][i]
        s.load(cpu, ns, base + address, pid if contexts else "-", f"{pid} {pid} {name}",
               f"{program.file}+{address:#x} {place} {frames}")

    def count(program):
        return len(places[program])

    for i in range(count(one)):
        load(0, 2000 + 40 * i, 100, "first", A, one, i)  # up to 10,000
        load(1, 2000 + 40 * i, 200, "second", B, one, i)
    for i in range(count(one)):
        load(0, 22000 + 40 * i, 101, "first", A, one, i)  # the child, before it executes another
    for i in range(count(two)):
        load(0, 42000 + 40 * i, 101, "third", C, two, i)
    s.load(0, 61000, A + places[one][0][0], 101 if contexts else "-", "101 101 third", "- [unknown]+0x0 -")
    load(0, 62000, 100, "first", A, one, 0)
    # Records of what happened come in no order of time, and after the samples.
    s.buffers(0, 70000, 100)
    map_(41000, 101, C, two)
    s.tell("comm", 40960, 101, 101, "third", "exec")
    s.tell("fork", 21000, 100, 101, 101)
    s.tell("comm", 0, 100, 100, "first")
    map_(0, 100, A, one)
    s.tell("comm", 1500, 200, 200, "second")
    map_(1500, 200, B, one)
    if not contexts:
        for time, cpu, tid, way in [(1500, 0, 100, "in"), (1500, 1, 200, "in"), (21960, 0, 100, "out"),
                                    (21960, 0, 101, "in"), (61960, 0, 101, "out"), (61960, 0, 100, "in")]:
            s.tell("switch", time, cpu, tid, way)
    s.buffers(1, 70000, 200)
    return s


def where(*words):
    """The records that spe_where prints, and what became of each object."""
    lines = run(os.environ["SPE_WHERE"], *words).splitlines()
    objects = dict(line.split()[1:] for line in lines if line.startswith("object "))
    return [line for line in lines if not line.startswith("object ")], objects


def compare(got, want):
    for n, (g, w) in enumerate(zip(got, want)):
        if g != w:
            sys.exit(f"record {n}:\n{g}\nwant\n{w}")
    if len(got) != len(want):
        sys.exit(f"{len(got)} records, want {len(want)}")
    print(f"{len(got)} records are where they should be")


def told(directory, options=(), **how):
    one, two = Program(directory, "one"), Program(directory, "two")
    story = program_story(one, two, **how)
    file = story.write(directory, *options)
    return one, two, story, file


def whole(directory, *options, **how):
    one, two, story, file = told(directory, options, **how)
    got, objects = where(file)
    inlined = sum("<" in line for line in story.expected())
    assert inlined > 50, inlined
    assert objects == {one.file: "lines", two.file: "lines"}, objects
    compare(got, story.expected())


def pipe(directory):
    _, _, story, file = told(directory, ["-p"])
    with open(file, "rb") as stream:
        cat = subprocess.Popen(["cat"], stdin=stream, stdout=subprocess.PIPE)
        out = run(os.environ["SPE_WHERE"], "-", stdin=cat.stdout)
        cat.wait()
    compare([line for line in out.splitlines() if not line.startswith("object ")], story.expected())


def timeless(directory):
    """Without a conversion of times, the AUX records' must do: what was so in the end."""
    _, _, story, file = told(directory, ["-n"], timeless=True)
    got, _ = where(file)
    late = [line for line in story.expected() if " 101 101 " not in line]
    compare([line for line in got if " 101 101 " not in line], late)
    assert all(" 101 101 third " in line for line in got if " 101 101 " in line)


def cut(directory):
    """Records of a file that is cut short are attributed, if the records that explain them are there."""
    one, two, story, file = told(directory)
    ticks = [int(line.split()[2]) for line in story.lines if line.startswith("load 1")]
    half = len(ticks) // 2
    with open(file, "rb") as stream:
        at = stream.read().rindex(b"\x71" + ticks[half].to_bytes(8, "little"))
    os.truncate(file, at)  # before the timestamp, which would end the record
    got, _ = where(file)
    compare(got, story.want[0] + story.want[1][:half])


def symfs(directory):
    """The same tree below another directory, on a machine that has not the files."""
    one, two, story, file = told(directory)
    copy = os.path.join(directory, "copy")
    for program in (one, two):
        target = copy + program.file
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.rename(program.file, target)
    got, objects = where(file)
    assert set(objects.values()) == {"missing"}, objects
    assert all(line.endswith(" [unknown]+0x0 -") for line in got)
    got, objects = where("-s", copy, file)
    assert set(objects.values()) == {"lines"}, objects
    compare(got, story.expected())


def mismatch(directory):
    """Another build under a file's name is not used."""
    one, two, _, file = told(directory)
    os.replace(two.file, one.file)
    got, objects = where(file)
    assert objects == {one.file: "mismatch", two.file: "missing"}, objects
    assert all(line.endswith(" [unknown]+0x0 -") for line in got)


class Server(http.server.BaseHTTPRequestHandler):
    """/buildid/ID/executable, as debuginfod serves it."""
    files, asked = {}, []

    def do_GET(self):
        self.asked.append(self.path)
        m = re.fullmatch(r"/buildid/(\w+)/executable", self.path)
        file = self.files.get(m[1]) if m else None
        if not file:
            self.send_error(404)
            return
        with open(file, "rb") as stream:
            data = stream.read()
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *words):
        pass


def debuginfod(directory):
    """Files come from a server where the environment names one, and only then."""
    if ctypes.util.find_library("debuginfod") is None:
        print("no libdebuginfod here")
        return
    one, two, story, file = told(directory)
    for program in (one, two):
        away = program.file + ".away"
        os.rename(program.file, away)
        Server.files[program.build_id] = away
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    os.environ["DEBUGINFOD_CACHE_PATH"] = os.path.join(directory, "cache")
    os.environ.pop("DEBUGINFOD_URLS", None)
    _, objects = where(file)
    assert set(objects.values()) == {"missing"} and not Server.asked, (objects, Server.asked)
    os.environ["DEBUGINFOD_URLS"] = f"http://127.0.0.1:{server.server_port}/"
    got, objects = where(file)
    server.shutdown()
    assert set(objects.values()) == {"lines"}, (objects, Server.asked)
    compare(got, story.expected())


CASES = {
    "whole": whole,
    "piped": lambda d: whole(d, "-p"),
    "pipe": pipe,
    "compressed": lambda d: whole(d, "-z"),
    "switches": lambda d: whole(d, contexts=False),
    "timeless": timeless,
    "cut": cut,
    "symfs": symfs,
    "mismatch": mismatch,
    "debuginfod": debuginfod,
}

if __name__ == "__main__":
    CASES[sys.argv[1]](sys.argv[2])

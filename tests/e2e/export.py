#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Exported profiles are read by the programs that they are for, and say what was put in.

usage: export.py EXPORT_MAKE FOLDER [TEST...]

A program with names made to break formats is compiled, its instructions get values of their own, and
each format's reader has to find them again, or where it reads JSON, a schema of what it asks for.
"""
import collections
import gzip
import json
import os
import re
import shutil
import subprocess
import sys

import jsonschema

KINDS = ["cycles", "slots_retired", "slots_fe_icache", "slots_be_rob", "instructions"]
# Symbol names, and how a line of text shows them.
HOSTILE = [
    (b"semi;colon", "semi\\x3bcolon"),
    (b"a b 7", "a b 7"),
    (b"(3) number", "(3) number"),
    (b'quo"te', 'quo"te'),
    (b"new\nline", "new\\x0aline"),
    (b"esc\033[31m", "esc\\x1b[31m"),
    (b"no\377utf", "no\\xffutf"),
    (b"back\\slash", "back\\x5cslash"),
    (b"gr\xc3\xbc\xc3\x9fe", "gr\u00fc\u00dfe"),
    (b"right\xe2\x80\xaeleft", "right\\xe2\\x80\\xaeleft"),
    (b"main:5", "main:5"),
]
SOURCE = """
static inline __attribute__((always_inline)) unsigned twice(unsigned x)
{
	return x * 2;
}

__attribute__((noinline)) unsigned leaf(unsigned x)
{
	return twice(x) + 1;
}

int main(int argc, char **argv)
{
	(void)argv;
	return (int)(leaf((unsigned)argc) + leaf(3));
}
"""


class Program:
    """A program of C and of hostile names; its functions with the addresses of their instructions."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "hostile")
        asm, stands = b".text\n", {}
        for i, (name, _) in enumerate(HOSTILE):
            stand = b"q%dZ" % (10 + i) + b"x" * (len(name) - 4)
            stands[stand] = name
            asm += b".globl %s\n.type %s, %%function\n%s:\nnop\nret\n.size %s, 8\n" % (stand, stand, stand, stand)
        with open(self.path + ".S", "wb") as file:
            file.write(asm)
        with open(self.path + ".c", "w", encoding="utf-8") as file:
            file.write(SOURCE)
        subprocess.run(["aarch64-linux-gnu-gcc", "-g", "-O1", "-static", "-o", self.path, self.path + ".S",
                        self.path + ".c"], check=True)
        # No assembler takes all of these names: they are put in where others of their lengths stand.
        with open(self.path, "r+b") as file:
            data = file.read()
            for stand, name in stands.items():
                data = data.replace(b"\0" + stand + b"\0", b"\0" + name + b"\0")
            file.seek(0)
            file.write(data)
        self.symbols = self.read_symbols()

    def read_symbols(self):
        """Returns (address, size) by name, in bytes, from the symbol table itself."""
        with open(self.path, "rb") as file:
            data = file.read()
        word = lambda at, size: int.from_bytes(data[at:at + size], "little")
        sections = [word(0x28, 8) + i * word(0x3a, 2) for i in range(word(0x3c, 2))]
        table = next(s for s in sections if word(s + 4, 4) == 2)
        strings = word(sections[word(table + 0x28, 4)] + 0x18, 8)
        found = {}
        for at in range(word(table + 0x18, 8), word(table + 0x18, 8) + word(table + 0x20, 8), 24):
            start = strings + word(at, 4)
            name = data[start:data.index(b"\0", start)]
            found[name] = (word(at + 8, 8), word(at + 16, 8))
        return found


class Case:
    """A profile: what is put in, and what is to be found again by function."""

    def __init__(self, make, program):
        self.make, self.program = make, program
        self.values = collections.defaultdict(lambda: [0] * len(KINDS))
        self.text = b"object %s\n" % program.path.encode()
        self.text += b"thread 7 7 wor;ker\n"
        number = 0
        for name, shown in HOSTILE + [(b"leaf", "leaf"), (b"main", "main")]:
            address, size = program.symbols[name]
            for at in range(address, address + size, 4):
                number += 1
                values = [number * 100 + i for i in range(len(KINDS))]
                self.text += b"row 0 %d 0 -1 %s\n" % (at, b" ".join(b"%d" % v for v in values))
                self.values[shown] = [a + b for a, b in zip(self.values[shown], values)]
        self.text += b"row -1 0 0 -1 5 0 0 0 0\n"
        self.values["[no instruction]"] = [5, 0, 0, 0, 0]

    def total(self, kind):
        return sum(v[KINDS.index(kind)] for v in self.values.values())

    def export(self, *words, text=None):
        done = subprocess.run([self.make, *words], input=text or self.text, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout


def same(got, want, what):
    assert got == want, f"{what}: got {got!r}, want {want!r}"


# Folded ---------------------------------------------------------------------------------------------

def folded_lines(data):
    """What flamegraph.pl's grammar reads: functions between semicolons, a blank, a number."""
    for line in data.decode("utf-8").splitlines():
        found = re.fullmatch(r"(.+) (\d+)", line)
        assert found and not re.search(r"[\x00-\x1f]", line), f"not folded: {line!r}"
        yield found[1].split(";"), int(found[2])


def test_folded(case):
    for kind in ["cycles", "slots_be_rob"]:
        got = collections.Counter()
        for stack, value in folded_lines(case.export("folded", kind)):
            same(stack[0], "wor\\x3bker", "the thread")
            got[stack[1]] += value
        want = {name: v[KINDS.index(kind)] for name, v in case.values.items() if v[KINDS.index(kind)]}
        same(dict(got), want, kind)
    inlined = [s for s, _ in folded_lines(case.export("folded")) if s[-1] == "twice"]
    same(inlined, [["wor\\x3bker", "leaf", "twice"]], "inlined calls")


def test_folded_causes(case):
    got = collections.Counter()
    for stack, value in folded_lines(case.export("folded", "causes")):
        got[stack[-1]] += value
    same(dict(got), {"[Retired]": case.total("slots_retired"), "[instruction cache]": case.total("slots_fe_icache"),
                     "[reorder buffer full]": case.total("slots_be_rob")}, "slots by cause")


def test_folded_calls(case):
    main, leaf = case.program.symbols[b"main"][0], case.program.symbols[b"leaf"][0]
    text = b"object %s\nframe -1 0 %d\nframe 0 0 %d\n" % (case.program.path.encode(), main, leaf)
    text += b"row 0 %d -1 1 9\nrow 0 %d -1 0 4\nrow 0 %d -1 -1 2\n" % (leaf, leaf, main)
    data = case.export("folded", text=text)
    lines = sorted(re.sub("leaf;twice", "leaf", line) for line in data.decode().splitlines())
    same(lines, ["main 2", "main;leaf 4", "main;leaf;leaf 9"], "calls")
    # Deeper than viewers follow.
    deep = b"object %s\n" % case.program.path.encode()
    for i in range(3000):
        deep += b"frame %d 0 %d\n" % (i - 1, main)
    stack, value = next(folded_lines(case.export("folded", text=deep + b"row 0 %d -1 2999 3\n" % leaf)))
    same((value, len(stack) < 1100, stack[-1] in ("leaf", "twice")), (3, True, True), "deep calls")


# speedscope -----------------------------------------------------------------------------------------

SPEEDSCOPE = {
    "type": "object",
    "required": ["$schema", "shared", "profiles"],
    "properties": {
        "$schema": {"const": "https://www.speedscope.app/file-format-schema.json"},
        "name": {"type": "string"},
        "exporter": {"type": "string"},
        "activeProfileIndex": {"type": "number"},
        "shared": {
            "type": "object",
            "required": ["frames"],
            "properties": {"frames": {"type": "array", "items": {
                "type": "object",
                "required": ["name"],
                "properties": {"name": {"type": "string"}, "file": {"type": "string"},
                               "line": {"type": "number"}, "col": {"type": "number"}}}}},
        },
        "profiles": {"type": "array", "items": {
            "type": "object",
            "required": ["type", "name", "unit", "startValue", "endValue", "samples", "weights"],
            "properties": {
                "type": {"const": "sampled"},
                "name": {"type": "string"},
                "unit": {"enum": ["bytes", "microseconds", "milliseconds", "nanoseconds", "none", "seconds"]},
                "startValue": {"type": "number"},
                "endValue": {"type": "number"},
                "samples": {"type": "array", "items": {"type": "array", "items": {"type": "number"}}},
                "weights": {"type": "array", "items": {"type": "number"}},
            }}},
    },
}


def json_name(shown):
    """A name as JSON has it, from what a line of text shows."""
    data = re.sub(rb"\\x([0-9a-f]{2})", lambda m: bytes([int(m[1], 16)]), shown.encode())
    return data.decode("utf-8", "replace")


def test_speedscope(case):
    file = json.loads(case.export("speedscope"))
    jsonschema.validate(file, SPEEDSCOPE)
    names = [f["name"] for f in file["shared"]["frames"]]
    same([p["name"] for p in file["profiles"]], ["Cycles", "Slots by cause"], "profiles")
    for profile in file["profiles"]:
        same(len(profile["samples"]), len(profile["weights"]), "a weight each")
        same(sum(profile["weights"]), profile["endValue"], "the end")
    got = collections.Counter()
    for sample, weight in zip(file["profiles"][0]["samples"], file["profiles"][0]["weights"]):
        got[names[sample[1]]] += weight
    same(dict(got), {json_name(n): v[0] for n, v in case.values.items()}, "cycles")
    same(file["profiles"][1]["endValue"], sum(case.total(k) for k in KINDS[1:4]), "slots")


# callgrind ------------------------------------------------------------------------------------------

def test_callgrind(case):
    path = case.program.path + ".callgrind"
    with open(path, "wb") as file:
        file.write(case.export("callgrind"))
    done = subprocess.run(["callgrind_annotate", "--threshold=100", path], capture_output=True, check=True)
    same(done.stderr, b"", "complaints")
    text = done.stdout.decode()
    same(re.search(r"Events shown: +(.*)", text)[1].split(), KINDS, "events")
    numbers = r"((?:[\d,]+ *(?:\( *[\d.]+%\))? +)+)"
    total = re.search(numbers + r" *PROGRAM TOTALS", text)
    read = lambda words: [int(n.replace(",", "")) for n in re.sub(r"\([^)]*\)", "", words).split()]
    same(read(total[1]), [case.total(k) for k in KINDS], "totals")
    got = collections.defaultdict(lambda: [0] * len(KINDS))
    for line in text.splitlines():
        found = re.match(r" *" + numbers + r" *[^ ].*?:((?:(?! \[[/?]).)+)(?: \[(?:/.*|\?\?\?)\])?$", line)
        if found and not found[0].startswith("--") and len(read(found[1])) == len(KINDS):
            got[found[2]] = [a + b for a, b in zip(got[found[2]], read(found[1]))]
    same(dict(got), {n.replace("\\x3b", ";"): v for n, v in case.values.items()}, "functions")


# pprof ----------------------------------------------------------------------------------------------

class Message:
    """A message as protoc --decode prints it: each field a list, empty where it is not there."""

    def __init__(self, lines):
        self.fields = collections.defaultdict(list)
        for line in lines:
            name, _, value = line.strip().partition(" ")
            if name == "}":
                return
            if value == "{":
                self.fields[name].append(Message(lines))
            elif value.startswith('"'):
                # Bytes in C's escapes, which Python's are but for UTF-8.
                data = value[1:-1].encode().decode("unicode_escape").encode("latin-1")
                self.fields[name.rstrip(":")].append(data.decode("utf-8"))
            else:
                self.fields[name.rstrip(":")].append(int(value) if value.isdigit() else value)

    def many(self, name):
        return self.fields[name]

    def __getattr__(self, name):
        values = self.fields[name]
        return values[0] if values else 0


class Pprof:
    """A profile as protoc decodes it."""

    def __init__(self, data):
        schema = os.path.join(os.path.dirname(os.path.abspath(__file__)), "export_schema")
        done = subprocess.run(["protoc", "-I", schema, "--decode=Profile", "pprof.proto"], check=True,
                              input=gzip.decompress(data), capture_output=True)
        assert not re.search(rb"^ *\d+[:{ ]", done.stdout, re.M), "fields that the schema does not have"
        self.profile = Message(iter(done.stdout.decode("ascii").splitlines()))
        self.text = self.profile.many("string_table")
        self.functions = {f.id: f for f in self.profile.many("function")}
        self.locations = {l.id: l for l in self.profile.many("location")}

    def check(self):
        """What pprof's own CheckValid asks for."""
        same(self.text[0], "", "the first text")
        mappings = {m.id for m in self.profile.many("mapping")}
        assert 0 not in mappings and 0 not in self.functions and 0 not in self.locations
        for sample in self.profile.many("sample"):
            same(len(sample.many("value")), len(self.profile.many("sample_type")), "values")
            assert all(i in self.locations for i in sample.many("location_id"))
        for location in self.profile.many("location"):
            assert not location.mapping_id or location.mapping_id in mappings
            assert all(l.function_id in self.functions for l in location.many("line"))
        numbers = [n for f in self.profile.many("function") for n in (f.name, f.system_name, f.filename)]
        numbers += [n for t in self.profile.many("sample_type") for n in (t.type, t.unit)]
        numbers += [n for m in self.profile.many("mapping") for n in (m.filename, m.build_id)]
        assert all(0 <= n < len(self.text) for n in numbers)

    def stack(self, sample):
        """The functions of a sample, the innermost first."""
        return [self.text[self.functions[line.function_id].name] for i in sample.many("location_id")
                for line in self.locations[i].many("line")]


def test_pprof(case):
    read = Pprof(case.export("pprof"))
    read.check()
    same([read.text[t.type] for t in read.profile.many("sample_type")], KINDS, "types")
    same(read.text[read.profile.default_sample_type], "cycles", "the default")
    got = collections.defaultdict(lambda: [0] * len(KINDS))
    for sample in read.profile.many("sample"):
        name = read.stack(sample)[-1]
        got[name] = [a + b for a, b in zip(got[name], sample.many("value"))]
        same([(read.text[l.key], read.text[l.str]) for l in sample.many("label")], [("thread", "wor;ker")], "labels")
    same(dict(got), {json_name(n): v for n, v in case.values.items()}, "functions")
    addresses = {l.address for l in read.profile.many("location") if l.mapping_id}
    assert {a for n in (b"leaf", b"main") for a in [case.program.symbols[n][0]]} <= addresses
    lines = [l for loc in read.profile.many("location") for l in loc.many("line") if l.line]
    assert lines, "there are lines"


def test_pprof_calls(case):
    main, leaf = case.program.symbols[b"main"][0], case.program.symbols[b"leaf"][0]
    text = b"object %s\nframe -1 0 %d\n" % (case.program.path.encode(), main)
    text += b"row 0 %d -1 0 9\n" % (leaf + 4)
    read = Pprof(case.export("pprof", text=text))
    read.check()
    same([(read.stack(s)[-2:], s.many("value")) for s in read.profile.many("sample")], [(["leaf", "main"], [9])], "calls")


# Firefox Profiler -----------------------------------------------------------------------------------

def columns(**kinds):
    """The schema of a table: a length, and columns of the kinds."""
    return {"type": "object", "required": ["length", *kinds],
            "properties": {"length": {"type": "integer"}, **{name: {"type": "array", "items": {"type": kind}}
                                                             for name, kind in kinds.items()}}}


NUMBER, MAYBE = "integer", ["null", "integer"]
FIREFOX = {
    "type": "object",
    "required": ["meta", "libs", "threads"],
    "properties": {
        "meta": {"type": "object", "required": ["version", "preprocessedProfileVersion", "interval", "startTime",
                                                "processType", "product", "stackwalk", "markerSchema"],
                 "properties": {"version": {"const": 27}, "preprocessedProfileVersion": {"const": 47}}},
        "libs": {"type": "array"},
        "threads": {"type": "array", "items": {
            "type": "object",
            "required": ["name", "processType", "processStartupTime", "processShutdownTime", "registerTime",
                         "unregisterTime", "pausedRanges", "isMainThread", "pid", "tid", "samples", "markers",
                         "stackTable", "frameTable", "stringArray", "funcTable", "resourceTable", "nativeSymbols"],
            "properties": {
                "pid": {"type": "string"},
                "stringArray": {"type": "array", "items": {"type": "string"}},
                "samples": columns(stack=MAYBE, time="number", weight="number"),
                "stackTable": columns(frame=NUMBER, category=NUMBER, subcategory=NUMBER, prefix=MAYBE),
                "frameTable": columns(address=NUMBER, inlineDepth=NUMBER, category=MAYBE, subcategory=MAYBE,
                                      func=NUMBER, nativeSymbol=MAYBE, innerWindowID=MAYBE, implementation=MAYBE,
                                      line=MAYBE, column=MAYBE),
                "funcTable": columns(name=NUMBER, isJS="boolean", relevantForJS="boolean", resource=NUMBER,
                                     fileName=MAYBE, lineNumber=MAYBE, columnNumber=MAYBE),
                "nativeSymbols": columns(libIndex=NUMBER, address=NUMBER, name=NUMBER, functionSize=MAYBE),
                "resourceTable": columns(lib=MAYBE, name=NUMBER, host=MAYBE, type=NUMBER),
                "markers": columns(data="object", name=NUMBER, startTime=MAYBE, endTime=MAYBE, phase=NUMBER,
                                   category=NUMBER),
            }}},
    },
}


def test_firefox(case):
    file = json.loads(case.export("firefox"))
    jsonschema.validate(file, FIREFOX)
    same([t["name"] for t in file["threads"]], ["Cycles", "Slots by cause"], "threads")
    for thread in file["threads"]:
        for name in ["samples", "stackTable", "frameTable", "funcTable", "nativeSymbols", "resourceTable", "markers"]:
            table = thread[name]
            assert all(len(c) == table["length"] for c in table.values() if isinstance(c, list)), name
        assert all(p is None or p < i for i, p in enumerate(thread["stackTable"]["prefix"])), "parents come first"
    thread, got = file["threads"][0], collections.Counter()
    table, names, strings = thread["stackTable"], thread["funcTable"]["name"], thread["stringArray"]
    for stack, weight in zip(thread["samples"]["stack"], thread["samples"]["weight"]):
        path = []
        while stack is not None:
            path.append(strings[names[thread["frameTable"]["func"][table["frame"][stack]]]])
            stack = table["prefix"][stack]
        got[path[-2]] += weight # behind the thread
    same(dict(got), {json_name(n): v[0] for n, v in case.values.items()}, "cycles")
    same(sum(file["threads"][1]["samples"]["weight"]), sum(case.total(k) for k in KINDS[1:4]), "slots")


# Perfetto -------------------------------------------------------------------------------------------

def test_perfetto(case):
    events = json.loads(case.export("perfetto"))["traceEvents"]
    names = {e["pid"]: e["args"]["name"] for e in events if e["ph"] == "M"}
    same(names, {1: "Cycles", 2: "Slots by cause"}, "processes")
    slices = [e for e in events if e["ph"] == "X"]
    same(len(slices) + len(names), len(events), "no others")
    for pid, total in [(1, case.total("cycles")), (2, sum(case.total(k) for k in KINDS[1:4]))]:
        mine = sorted((e for e in slices if e["pid"] == pid), key=lambda e: (e["ts"], -e["dur"]))
        # Slices of a track nest: none ends behind one that it began in.
        ends = []
        for event in mine:
            while ends and ends[-1] <= event["ts"]:
                ends.pop()
            assert not ends or event["ts"] + event["dur"] <= ends[-1], event
            ends.append(event["ts"] + event["dur"])
        same(max(e["ts"] + e["dur"] for e in mine), total, "the end")
    got = {e["name"]: e["dur"] for e in slices if e["pid"] == 1 and e["name"] not in ("wor;ker", "twice")}
    same(got, {json_name(n): v[0] for n, v in case.values.items()}, "cycles")


# Compilers ------------------------------------------------------------------------------------------

def tool(*names):
    """The first of these programs that there is."""
    return next((shutil.which(n) for n in names if shutil.which(n)), None)


def declared(function):
    """The line of a function of SOURCE."""
    return next(i for i, line in enumerate(SOURCE.splitlines(), 1) if re.search(r"\b%s\(.*\w+\)$" % function, line))


def lines_of(case, address):
    """Function and line of an address, the outermost call first, as addr2line has them."""
    done = subprocess.run(["aarch64-linux-gnu-addr2line", "-i", "-f", "-e", case.program.path, hex(address)],
                          capture_output=True, text=True, check=True)
    words = done.stdout.split("\n")
    pairs = [(words[i], int(re.search(r":(\d+)", words[i + 1])[1])) for i in range(0, len(words) - 1, 2)]
    return pairs[::-1]


def sample_bodies(text):
    """Of a sample profile: count by path of functions and lines; total and head by function."""
    bodies, heads, path = {}, {}, []
    for line in text.splitlines():
        depth = len(line) - len(line.lstrip(" "))
        if not line.strip() or line.startswith("#"):
            continue
        if not depth:
            name, total, head = line.rsplit(":", 2)
            heads[name], path = (int(total), int(head)), [name]
            continue
        offset, rest = line.strip().split(": ")
        path = path[:2 * depth - 1]
        if rest.isdigit():
            bodies[tuple(path + [int(offset)])] = int(rest)
        else:
            path += [int(offset), rest.rsplit(":", 1)[0]]
    return bodies, heads


def test_llvm_sample(case):
    text = case.export("llvm-sample").decode("ascii")
    assert f"# {2 * len(HOSTILE)} instructions are left out" in text, text
    want, entered, number = collections.Counter(), {}, 2 * len(HOSTILE)
    for name in ("leaf", "main"):
        address, size = case.program.symbols[name.encode()]
        for at in range(address, address + size, 4):
            number += 1
            count, path = number * 100 + KINDS.index("instructions"), []
            for function, line in lines_of(case, at):
                path += [function, line - declared(function)]
            want[tuple(path)] = max(want[tuple(path)], count)
            if at == address:
                entered[name] = count
    bodies, heads = sample_bodies(text)
    same(bodies, dict(want), "lines")
    assert any(len(p) > 2 for p in bodies), "what is inlined stands below its caller"
    same({n: h for n, (_, h) in heads.items()}, entered, "entries")
    same({n: t for n, (t, _) in heads.items()},
         {n: sum(c for p, c in want.items() if p[0] == n) for n in entered}, "totals")
    path = case.program.path + ".prof"
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    profdata = tool("llvm-profdata", "llvm-profdata-14")
    done = subprocess.run([profdata, "merge", "--sample", "--text", path, "-o", "-"], capture_output=True, text=True,
                          check=True)
    same(done.stderr, "", "complaints")
    same(sample_bodies(done.stdout), (bodies, heads), "as llvm-profdata reads it")


def test_bolt(case):
    main, leaf = case.program.symbols[b"main"][0], case.program.symbols[b"leaf"][0]
    hostile = case.program.symbols[b"new\nline"][0]
    text = case.text + b"edge %d %d 70 3\nedge %d %d 5 0\nedge %d %d 2 2\n" % (main + 8, leaf, hostile + 4, leaf,
                                                                              hostile, hostile + 4)
    got = sorted(case.export("bolt", text=text).decode("ascii").splitlines())
    same(got, ["0 [unknown] 0 1 leaf 0 0 5", "1 main 8 1 leaf 0 3 70"], "branches")
    bolt = tool("llvm-bolt", "llvm-bolt-16", "llvm-bolt-15")
    if not bolt:
        print("# no llvm-bolt reads it: none is installed")
        return
    # A program that BOLT takes, with relocations; the branch is main's first call of leaf.
    path = case.program.path + "-bolt"
    subprocess.run(["aarch64-linux-gnu-gcc", "-O1", "-Wl,-q", "-o", path, case.program.path + ".c"], check=True)
    symbols = Program.read_symbols(type("Other", (), {"path": path})())
    listing = subprocess.run(["aarch64-linux-gnu-objdump", "-d", path], capture_output=True, text=True, check=True)
    call = int(re.search(r"<main>:.*?\n *([0-9a-f]+):\t\w+ *\tbl\t\w+ <leaf>", listing.stdout, re.S)[1], 16)
    at = symbols[b"leaf"][0]
    text = b"object %s\nrow 0 %d -1 -1 1\nedge %d %d 70 3\n" % (path.encode(), call, call, at)
    with open(path + ".fdata", "wb") as file:
        file.write(case.export("bolt", text=text))
    done = subprocess.run([bolt, path, "-data", path + ".fdata", "-o", path + ".new", "-reorder-blocks=ext-tsp",
                           "-print-profile-stats"], capture_output=True, text=True, check=True)
    assert re.search(r"[12] out of \d+ functions in the binary .* have non-empty execution profile",
                     done.stdout + done.stderr), done.stdout + done.stderr


TESTS = [value for name, value in list(globals().items()) if name.startswith("test_")]


def main():
    make, folder, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    os.makedirs(folder, exist_ok=True)
    case = Case(make, Program(folder))
    for test in TESTS:
        if not names or test.__name__[5:] in names:
            test(case)
            print("ok", test.__name__[5:])


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""Data of real programs that never ran: a perf.data is made whose loads are of their variables, and each
must get the name that readelf reads in the program.

    spe_data.py CASE DIRECTORY

SPE_STORY writes the perf.data, see there. Where the kernel maps a program follows from its program headers:
each segment in whole pages, and what is behind its bytes in memory of no file."""
import collections
import csv
import json
import os
import re
import subprocess
import sys

PMUSCOPE = os.environ["PMUSCOPE"]
SOURCE = """
    int first = 1, table[300] = { 2 };
    static long hidden = 3;
    int zeros[5000];
    static char own;
    const char text[] = "constant";
    extern int alias __attribute__((weak, alias("first")));
    __thread int threads = 4, threads_zero;
    __asm__(".data\\n.globl unsized\\nunsized: .long 5, 6, 7, 8\\n.type unsized, %object\\n");
    extern int unsized;
    int main(int argc, char **argv)
    {
        (void)argv;
        own += table[argc] + text[argc];
        return (int)hidden++ + zeros[argc]++ + own + alias + threads++ + threads_zero + unsized;
    }
"""
CROSS = "aarch64-linux-gnu-gcc"
# Layouts that linkers make: code and data in one file page, code apart from constants, pages of 64 KiB.
LAYOUTS = {
    "fixed": ["gcc", "-no-pie", "-fno-pie"],
    "moved": ["gcc", "-pie", "-fPIE"],
    "together": ["gcc", "-pie", "-fPIE", "-Wl,-z,noseparate-code"],
    "wide": ["gcc", "-pie", "-fPIE", "-Wl,-z,max-page-size=65536"],
    "lld": ["gcc", "-pie", "-fPIE", "-fuse-ld=lld"],
    "arm64": [CROSS, "-pie", "-fPIE"],
    "arm64-lld": [CROSS, "-pie", "-fPIE", "-fuse-ld=lld", "-Wl,-z,max-page-size=65536"],
    "apart": ["gcc", "-pie", "-fPIE"],  # symbols in a file of their own
}


def run(*words, **options):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


class Program:
    def __init__(self, directory, name):
        self.file = os.path.join(directory, name)
        source = self.file + ".c"
        open(source, "w").write(SOURCE)
        self.built = subprocess.run([*LAYOUTS[name], "-O1", "-Wl,--build-id", "-o", self.file, source],
                                    stderr=subprocess.PIPE).returncode == 0
        if not self.built:
            return
        self.loads = []
        for m in re.finditer(r"^ +LOAD +(0x\w+) (0x\w+) 0x\w+ (0x\w+) (0x\w+) (.{3}) ", run("readelf", "-lW", self.file), re.M):
            self.loads.append([int(word, 16) for word in m.groups()[:4]] + ["E" in m[5]])
        assert len(self.loads) >= 2
        self.names = collections.defaultdict(set)  # of (address, size)
        self.threads = []
        for line in run("readelf", "-sW", self.file).splitlines():
            m = re.fullmatch(r" +\d+: (\w+) +(\w+) (\w+) +\w+ +\w+ +(\w+) (\S+)(?: \[.*\])?", line)
            if m and m[3] == "OBJECT" and m[4] not in ("UND", "ABS") and int(m[2], 0):
                self.names[int(m[1], 16), int(m[2], 0)].add(m[5].split("@")[0])
            if m and m[3] == "TLS" and int(m[2], 0):
                self.threads.append((int(m[1], 16), m[5]))
        known = set().union(*self.names.values())
        assert {"first", "table", "hidden", "zeros", "own", "text", "alias"} <= known and len(self.threads) == 2, known
        if name == "apart":
            run("objcopy", "--only-keep-debug", self.file, self.file + ".debug")
            run("strip", self.file)
            run("objcopy", f"--add-gnu-debuglink={self.file}.debug", self.file)

    def addresses(self):
        """Each variable's first byte, its last, and one between; with its names and the offset."""
        for (address, size), names in sorted(self.names.items()):
            for offset in {0, size // 2, size - 1}:
                yield address + offset, names, offset

    def unnamed(self):
        """An address without a name, within the image: a segment's first byte, where its header lies."""
        low = min(load[1] for load in self.loads)
        covered = any(a <= low < a + s for a, s in self.names)
        return None if covered else low


class Story:
    def __init__(self, directory):
        self.directory, self.lines, self.loads, self.want = directory, [], [], []

    def tell(self, *words):
        self.lines.append(" ".join(str(w) for w in words))

    def map(self, pid, program, bias, page, all_of_it):
        """The mappings that the kernel tells: code alone, unless perf record -d asks for all."""
        for offset, address, file_size, size, executable in program.loads:
            start, end = address // page * page, -(-(address + file_size) // page) * page
            if executable or all_of_it:
                self.tell("mmap" if executable else "data", 1500, pid, hex(bias + start), hex(end - start),
                          offset // page * page, program.file)
            behind = -(-(address + size) // page) * page
            if behind > end and all_of_it:
                self.tell("data", 1500, pid, hex(bias + end), hex(behind - end), 0, "//anon")

    def load(self, pid, address, names, offset=None):
        ticks = 100 + len(self.loads)
        self.loads.append(f"load 0 {ticks} {0x10:#x} {address:#x} {pid}")
        self.want.append((names, offset))

    def write(self):
        self.lines += self.loads
        self.tell("aux", 0, 9 * 10**6, 0, 1)
        file = os.path.join(self.directory, "perf.data")
        run(os.environ["SPE_STORY"], file, input="\n".join(self.lines) + "\n")
        return file


def exported(file, *options):
    rows = run(PMUSCOPE, "spe", "export", file, "--to", "csv", "--columns", "pid,vaddr,data_symbol,data_symbol_offset", *options,
               stderr=subprocess.DEVNULL)
    return list(csv.DictReader(rows.splitlines()))


def compare(story, file):
    """Compare the export, the report and filters with the expected places."""
    rows = exported(file)
    assert len(rows) == len(story.want) > 50
    counts = collections.Counter()
    for row, (names, offset) in zip(rows, story.want):
        want = ("", "") if names is None else (row["data_symbol"] if row["data_symbol"] in names else names, str(offset) if offset is not None else "")
        got = row["data_symbol"], row["data_symbol_offset"]
        assert got == want, (hex(int(row["vaddr"])), got, names, offset)
        counts[row["data_symbol"] or "[unknown]"] += 1
    report = json.loads(run(PMUSCOPE, "spe", "report", "--by", "data-symbol", "-j", file))
    found = collections.Counter()
    for row in report["rows"]:
        found[row["data_symbol"]] += row["records"]
    assert found == counts, (found, counts)
    assert report["quality"]["without_key"] == 0
    for name in ("zeros", "[heap]"):
        if counts[name]:
            assert len(exported(file, "--filter", f'data_symbol=="{name}"')) == counts[name]
    assert len(exported(file, "--filter", "data_symbol_offset>=4")) == sum((offset or 0) >= 4 for _, offset in story.want)
    both = json.loads(run(PMUSCOPE, "spe", "report", "--by", "data-symbol,cpu", "-j", file))
    assert {(r["data_symbol"], r["cpu"]) for r in both["rows"]} == {(name, 0) for name in counts}
    table = run(PMUSCOPE, "spe", "report", "--by", "data-symbol", "--limit", "0", file)
    assert "perf.data: Variables\n" in table and " zeros " in table and max(map(len, table.splitlines())) <= 80
    lines = json.loads(run(PMUSCOPE, "spe", "report", "--by", "cacheline", "-j", file))["rows"]
    named = {(None if int(row["vaddr"]) >> 63 else int(row["pid"]), int(row["vaddr"])): (row["data_symbol"], row["data_symbol_offset"])
             for row in rows}
    for line in lines:  # each place of a line has the name that its accesses have
        for spot in line["offsets"]:
            name, at = named[line["pid"], int(line["vaddr"], 16) + spot["offset"]]
            assert spot["data_symbol"] == (name or None) and str(spot["data_symbol_offset"] or 0) == (at or "0"), spot
        assert line["data_symbol"] == line["offsets"][0]["data_symbol"]
    assert sum(spot["records"] for line in lines for spot in line["offsets"]) == len(rows)
    return rows


def tell_program(story, pid, program, bias, page, all_of_it):
    story.tell("comm", 1000, pid, pid, program.file.split("/")[-1])
    story.map(pid, program, bias, page, all_of_it)
    for address, names, offset in program.addresses():
        story.load(pid, bias + address, names, offset)
    unnamed = program.unnamed()
    if unnamed is not None:
        story.load(pid, bias + unnamed, None)
    end = max(address + size for _, address, _, size, _ in program.loads)
    heap = bias + -(-end // page) * page
    if all_of_it:
        story.tell("data", 1600, pid, hex(heap), "0x21000", 0, "[heap]")
        story.tell("data", 1600, pid, "0x7ffc00000000", "0x21000", 0, "[stack]")
        story.tell("data", 1600, pid, "0x7f0000000000", "0x1000", 0, "//anon")
    for address, name in (heap + 64, "[heap]"), (0x7FFC00000040, "[stack]"), (0x7F0000000040, "[anon]"):
        story.load(pid, address, {name} if all_of_it else None)
    story.load(pid, 0xFFFF800000001000, {"[kernel]"})
    story.load(pid, 0x1000, None)
    for address, _ in program.threads:  # offsets in a thread's block, no addresses
        story.load(pid, address + 0x600000000000, None)


def layouts(directory):
    """Each layout at two places, mapped by pages of 4 and of 64 KiB, with and without data mappings told."""
    tried = 0
    for name in LAYOUTS:
        program = Program(directory, name)
        if not program.built:
            print(f"{name}: not built here")
            continue
        pid, story = 100, Story(directory)
        fixed = program.loads[0][1] > 0
        wide = all((load[0] - load[1]) % 65536 == 0 for load in program.loads)
        for page in (4096, 65536) if wide else (4096,):
            for all_of_it in (False, True):
                for bias in (0,) if fixed else (0x550000000000, 0x5566778A0000):
                    tell_program(story, pid, program, bias, page, all_of_it)
                    pid += 1
        compare(story, story.write())
        tried += 1
        print(f"{name}: {len(story.want)} loads in {pid - 100} processes")
    assert tried >= 5


def libraries(directory):
    """Two programs and what is mapped beside and over them: the nearest file below is not always the one."""
    one, two = Program(directory, "moved"), Program(directory, "together")
    story = Story(directory)
    base = 0x7F1234560000
    story.tell("comm", 1000, 100, 100, "both")
    end = -(-max(a + s for _, a, _, s, _ in one.loads) // 4096) * 4096
    for program, bias in (one, base), (two, base + end):  # the second begins where the first ends
        story.map(100, program, bias, 4096, False)
        for address, names, offset in program.addresses():
            story.load(100, bias + address, names, offset)
    for i in range(60):  # behind the second, whatever far away
        story.load(100, base + end + 0x100000 * (i + 1), None)
    # A file without symbols for data, mapped where the second's .bss would be.
    story.tell("comm", 1000, 200, 200, "other")
    story.map(200, two, base, 4096, False)
    bss = next(a for (a, s), names in two.names.items() if "zeros" in names)
    story.tell("data", 1700, 200, hex((base + bss) // 4096 * 4096 + 4096), "0x1000", 0, os.path.join(directory, "moved.c"))
    story.load(200, base + bss, {"zeros"}, 0)
    story.load(200, (base + bss) // 4096 * 4096 + 4096 + 8, None)
    file = story.write()
    compare(story, file)
    # Without the files, no name is invented.
    for program in (one, two):
        os.rename(program.file, program.file + ".away")
    assert all(row["data_symbol"] == "" for row in exported(file))
    report = json.loads(run(PMUSCOPE, "spe", "report", "--by", "data-symbol", "-j", file))
    assert {row["data_symbol"] for row in report["rows"]} == {"[unknown]"}
    table = run(PMUSCOPE, "spe", "report", "--by", "data-symbol", file)
    assert "not found here" in table, table


TELLS = """
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/mman.h>
    int first = 1;
    static long zeros[1000];
    static const char text[] = "constant";
    int main(void)
    {
        int on_stack = 0;
        char *heap = malloc(64), *anon = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        printf("first %p\\nzeros %p\\ntext %p\\nstdout %p\\n", (void *)&first, (void *)&zeros[999], (void *)text,
               (void *)&stdout);
        printf("[heap] %p\\n[stack] %p\\n[anon] %p\\n", (void *)heap, (void *)&on_stack, (void *)anon);
        return 0;
    }
"""


def recorded(directory):
    """A program that tells where its variables were, beside what Linux perf recorded of it."""
    program = os.path.join(directory, "tells")
    open(program + ".c", "w").write(TELLS)
    run("gcc", "-O1", "-o", program, program + ".c")
    # (perf cannot record SPE on other machines than Arm's; what it tells of mappings is the same)
    for options in [], ["-d"]:
        data = os.path.join(directory, "clock.data")
        told = subprocess.run(["perf", "record", "-q", "-e", "cpu-clock", *options, "-o", data, program],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if told.returncode:
            print("perf cannot record here: " + told.stderr)
            return
        story, pid = Story(directory), None
        for line in run("perf", "script", "--show-mmap-events", "-i", data, stderr=subprocess.DEVNULL).splitlines():
            m = re.search(r"PERF_RECORD_MMAP2? (-?\d+)/\d+: \[(0x\w+)\((0x\w+)\) @ (\w+) .*\]: (\S+) (\S+)$", line)
            if m and m[1] != "-1":
                pid = int(m[1])
                story.tell("mmap" if "x" in m[5] else "data", 1500, pid, m[2], m[3], m[4], m[6])
        story.tell("comm", 1000, pid, pid, "tells")
        for line in told.stdout.splitlines():
            name, address = line.split()
            story.load(pid, int(address, 16), name)
        rows = exported(story.write())
        got = {name: row["data_symbol"].split("@")[0] for (name, _), row in zip(story.want, rows)}
        want = {name: name if options or name[0] != "[" else "" for name in got}
        if got["[heap]"] == "[anon]" and options:  # as newer kernels say when the heap begins
            want["[heap]"] = "[anon]"
        assert len(got) == 7 and got == want, (options, got)
        assert rows[1]["data_symbol_offset"] == str(999 * 8)
        print(f"perf record {' '.join(options)}: {got}")


CASES = {"layouts": layouts, "libraries": libraries, "recorded": recorded}

if __name__ == "__main__":
    CASES[sys.argv[1]](sys.argv[2])

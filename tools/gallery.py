#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run Debian's arm64 programs on the modelled core and keep their reports in docs/model/gallery/.

usage: tools/gallery.py BUILD [NAME...]

Each program runs to its end under BUILD/pmuscope. Its output is compared with what this machine's own
program, or Python, makes of the same input; its counts are checked against every relation of the catalog.
The report goes to docs/model/gallery/NAME.txt as it is printed, the shares into the table of
docs/model/gallery/README.md. With names, only these are run, and the table keeps the other rows.
"""
import bz2
import collections
import ctypes
import ctypes.util
import glob
import gzip
import hashlib
import json
import lzma
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parent.parent
GALLERY = ROOT / "docs/model/gallery"
BEGIN, END = "<!-- begin table -->", "<!-- end table -->"

SQL = """create table car(id integer primary key, maker text, year int, price int);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000)
  insert into car select i, 'maker ' || (i * 7919 % 97), 1990 + i % 30, i * 104729 % 30011 from n;
create index by_maker on car(maker, year);
select count(*), sum(a.price - b.price) from car a join car b on b.maker = a.maker and b.year = a.year + 1
  where a.id % 7 = 0;
select year, count(*), avg(price) from car where maker like '%r 1_' group by year order by 3 desc limit 3;
"""

PERL = (r'while (<STDIN>) { $n{lc $1}++ while /(\w+)/g } '
        r'for (sort { $n{$b} <=> $n{$a} || $a cmp $b } keys %n) '
        r'{ print "$n{$_} $_\n"; last if ++$k == 10 }')

PYTHON = """
import sys

class Body:
    def __init__(self, x, v):
        self.x, self.v = x, v

    def step(self, others, dt):
        for other in others:
            if other is not self:
                d = other.x - self.x
                self.v += dt * d / (1.0 + d * d)
        self.x += dt * self.v

words = {}
for line in sys.stdin:
    for word in line.split():
        words[word] = words.get(word, 0) + 1
print(sorted(words.items(), key=lambda item: (-item[1], item[0]))[:3])
bodies = [Body(float(i), 0.0) for i in range(8)]
for turn in range(250):
    for body in bodies:
        body.step(bodies, 0.01)
print([round(body.x, 6) for body in bodies])
sieve = bytearray([1]) * 200000
for i in range(2, 448):
    if sieve[i]:
        sieve[i * i::i] = bytes(len(range(i * i, 200000, i)))
print(sum(sieve) - 2)
"""

AWK = "{ for (i = 1; i <= NF; i++) n[$i] += length($i) } END { for (w in n) s += n[w]; print NR, s }"
GREP = r"(def|class) +_?[a-z]+\(.*self"
KEY = ["-K", "00112233445566778899aabbccddeeff" * 2, "-iv", "0f1e2d3c4b5a69788796a5b4c3d2e1f0"]


def unzstd(data, size):
    """Compress with libzstd, which this machine has because pmuscope needs it."""
    lib = ctypes.CDLL(ctypes.util.find_library("zstd"))
    lib.ZSTD_decompress.restype = ctypes.c_size_t
    lib.ZSTD_decompress.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t]
    out = ctypes.create_string_buffer(size)
    got = lib.ZSTD_decompress(out, size, data, len(data))
    return out.raw[:got] if got <= size else b""


def here(argv, data):
    return subprocess.run(argv, input=data, capture_output=True, check=True).stdout


def top_words(text):
    count = collections.Counter(re.findall(rb"[A-Za-z0-9_]+", text.lower()))
    best = sorted(count.items(), key=lambda item: (-item[1], item[0]))[:10]
    return b"".join(b"%d %s\n" % (n, word) for word, n in best)


def awk_sum(text):
    lines = text.split(b"\n")
    return b"%d %d\n" % (len(lines) - 1, sum(len(w) for line in lines for w in re.split(rb"[ \t]+", line)))


def grep_count(text):
    return b"%d\n" % sum(bool(re.search(GREP.encode(), line)) for line in text.splitlines())


# Name, program, arguments, input (a file of inputs()), and whether its output of that input is right.
ENTRIES = (
    ("sqlite3", "usr/bin/sqlite3", [":memory:"], "query.sql",
     lambda out, data: out == here(["sqlite3", ":memory:"], data)),
    ("perl", "usr/bin/perl", ["-e", PERL], "part", lambda out, data: out == top_words(data)),
    ("python3", "usr/bin/python3.11", ["-S", "program.py"], "part",
     lambda out, data: out == here([sys.executable, "-S", "program.py"], data)),
    ("mawk", "usr/bin/mawk", [AWK], "text", lambda out, data: out == awk_sum(data)),
    ("grep", "bin/grep", ["-c", "-E", GREP], "several", lambda out, data: out == grep_count(data)),
    ("sort", "usr/bin/sort", ["--parallel=1"], "text",
     lambda out, data: out.splitlines() == sorted(data.splitlines())),
    ("gzip", "bin/gzip", ["-6", "-c"], "text", lambda out, data: gzip.decompress(out) == data),
    ("zstd", "usr/bin/zstd", ["-9", "-c", "-q"], "text",
     lambda out, data: unzstd(out, len(data)) == data),
    ("xz", "usr/bin/xz", ["-6", "-c"], "small", lambda out, data: lzma.decompress(out) == data),
    ("unxz", "usr/bin/xz", ["-d", "-c"], "text.xz", lambda out, data: out == lzma.decompress(data)),
    ("bzip2", "bin/bzip2", ["-9", "-c"], "part", lambda out, data: bz2.decompress(out) == data),
    ("openssl-sha256", "usr/bin/openssl", ["dgst", "-sha256", "-r"], "large",
     lambda out, data: out.split()[0].decode() == hashlib.sha256(data).hexdigest()),
    ("openssl-aes", "usr/bin/openssl", ["enc", "-aes-256-ctr", *KEY], "large",
     lambda out, data: here(["openssl", "enc", "-d", "-aes-256-ctr", *KEY], out) == data),
    ("pigz", "usr/bin/pigz", ["-p", "2", "-c"], "text", lambda out, data: gzip.decompress(out) == data),
)


def inputs(tree, where):
    """Real text, the library of Debian's python3.11, whole, in part and many times over; and the programs."""
    text = b"".join(pathlib.Path(name).read_bytes()
                    for name in sorted(glob.glob(f"{tree}/usr/lib/python3.11/*.py")))[:1 << 19]
    text = text[:text.rindex(b"\n") + 1]
    for name, data in (("text", text), ("part", text[:1 << 17]), ("small", text[:1 << 16]),
                       ("several", text * 8), ("large", text * 64),
                       ("text.xz", lzma.compress(text)), ("query.sql", SQL.encode()),
                       ("program.py", PYTHON.encode())):
        pathlib.Path(where, name).write_bytes(data)


def run(pmuscope, where, entry):
    """Run one program, keep its report, return its row of the table."""
    name, program, arguments, source, right = entry
    # Fix the seeds: otherwise these two seed their hash tables at random.
    env = [f"--env={variable}=0" for variable in ("PERL_HASH_SEED", "PYTHONHASHSEED")
           if name.upper()[:4] == variable[:4]]
    command = ["topdown", "-L", "arm64", *env, "--", "arm64/" + program, *arguments]
    own = ["-o", "report", "--save", name + ".pms"]
    with open(os.path.join(where, source), "rb") as stdin:
        done = subprocess.run([pmuscope, "topdown", *own, *command[1:]], cwd=where, stdin=stdin,
                              capture_output=True)
    data = pathlib.Path(where, source).read_bytes()
    if done.returncode:
        sys.exit(f"gallery: {name}: status {done.returncode}: {done.stderr.decode()}")
    if not right(done.stdout, data):
        sys.exit(f"gallery: {name}: its output is wrong")
    subprocess.run([pmuscope, "check", name + ".pms"], cwd=where, check=True, capture_output=True)
    shown = "pmuscope " + " ".join(map(shlex.quote, command)) + " <" + source
    (GALLERY / (name + ".txt")).write_text(f"$ {shown}\n{pathlib.Path(where, 'report').read_text()}")
    report = json.loads(here([pmuscope, "report", "-j", os.path.join(where, name + ".pms")], b""))
    return name, row(name, report)


def row(name, report):
    metrics = {m["name"]: m["value"] for m in report["metrics"]}
    events = {e["name"]: e["count"] for e in report["events"]}
    shares = [f"{metrics[m]:.0f} %" for m in ("retiring", "bad_speculation", "frontend_bound", "backend_bound")]
    return "| " + " | ".join([f"[{name}](#{name}), [report]({name}.txt)", f"{events['INST_RETIRED'] / 1e6:.0f}",
                              f"{metrics['ipc']:.2f}", *shares, f"{metrics['branch_mpki']:.1f}",
                              report["findings"][0]["title"]]) + " |"


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.split("\n\n")[1])
    wanted = sys.argv[2:] or [entry[0] for entry in ENTRIES]
    unknown = set(wanted) - {entry[0] for entry in ENTRIES}
    if unknown:
        sys.exit(f"gallery: no program {', '.join(sorted(unknown))}; there are "
                 + ", ".join(entry[0] for entry in ENTRIES))
    fetch = subprocess.run([ROOT / "tests/e2e/fetch-arm64.sh"], capture_output=True, text=True)
    if fetch.returncode:
        sys.exit("gallery: " + fetch.stderr.strip())
    pmuscope = os.path.abspath(os.path.join(sys.argv[1], "pmuscope"))
    rows = {}
    with tempfile.TemporaryDirectory() as where:
        os.symlink(fetch.stdout.strip(), os.path.join(where, "arm64"))
        inputs(fetch.stdout.strip(), where)
        os.chdir(where)
        for entry in ENTRIES:
            if entry[0] in wanted:
                name, line = run(pmuscope, where, entry)
                rows[name] = line
                print(line, flush=True)
        os.chdir(ROOT)
    write_table(rows)


def write_table(rows):
    """Put these rows into the page's table, and keep the rows of programs that were not run."""
    page = (GALLERY / "README.md").read_text()
    head, rest = page.split(BEGIN)
    table, tail = rest.split(END)
    rows = {m.group(1): m.group(0) for m in re.finditer(r"^\| \[([\w-]+)\].*$", table, re.M)} | rows
    lines = ["| program | million instructions | IPC | retiring | bad speculation | frontend | backend | "
             "branch MPKI | first finding |", "|---|--:|--:|--:|--:|--:|--:|--:|---|"]
    lines += [rows[entry[0]] for entry in ENTRIES if entry[0] in rows]
    (GALLERY / "README.md").write_text(head + BEGIN + "\n\n" + "\n".join(lines) + "\n\n" + END + tail)


if __name__ == "__main__":
    main()

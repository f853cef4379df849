#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Change one thing in src/ at a time, and see whether a test notices.

usage: mutate.py [--seed N] [--count N] [--work FOLDER] [PATH...]
       mutate.py --report [--work FOLDER] [PATH...]

Each change, a mutant, is one operator, number or condition, drawn at random from the files under PATH (src/
without one). A copy of the tree below FOLDER (build/mutants) gets it, and is built there. The unit tests of the
file's folder run first, then those of the command, until one fails. FOLDER/record.jsonl has a line a mutant;
what is there is not done again, so that an interrupted run goes on where it was. Everything runs at idle
priority.

tests/mutants.jsonl has the mutants that change nothing a user could see, each with the reason. They are left out.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
EQUIVALENT = "tests/mutants.jsonl"
# As ./dev test builds: the compiler's warnings are not left to the tests.
MODES = ["-Dbuildtype=debugoptimized", "-Dwerror=true", "-Db_sanitize=address,undefined"]
CPU_SECONDS = 300  # of each process of a test: a longer one is taken to hang
FILE_BYTES = 1 << 30
RESIDENT_MIB = 2048

# Comments, literals and preprocessor lines: replaced by blanks, so that offsets stay.
UNSEEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:\\\n|[^\n])*',
                    re.S | re.M)
# clang-format puts a blank on both sides of binary operators only.
OPERATORS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
    "+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "&": "|", "|": "&", "^": "|", "<<": ">>", ">>": "<<",
    "+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=", "<<=": ">>=", ">>=": "<<=",
}
OPERATOR = re.compile(r"(?<= )(?:" + "|".join(re.escape(o) for o in sorted(OPERATORS, key=len, reverse=True))
                      + r")(?=[ \n])")
NUMBER = re.compile(r"(?<![\w.])(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)(?![\w.])")
CONDITION = re.compile(r"\b(?:if|while) \(")

Mutant = collections.namedtuple("Mutant", "file line column start before after key")


def closing(code, start):
    """Where the parenthesis at @start closes."""
    depth = 0
    for i in range(start, len(code)):
        depth += (code[i] == "(") - (code[i] == ")")
        if not depth:
            return i
    return None


def changes(code):
    """Offset, length and replacement of each change to @code."""
    for match in OPERATOR.finditer(code):
        yield match.start(), len(match[0]), OPERATORS[match[0]]
    for match in NUMBER.finditer(code):
        value = int(match[1], 0) if match[1][:2].lower() == "0x" or not match[1].startswith("0") else int(match[1], 8)
        yield match.start(), len(match[0]), f"{value + 1}{match[2]}"
    for match in CONDITION.finditer(code):
        end = closing(code, match.end() - 1)
        if end:
            yield match.end(), end - match.end(), None


def mutants_of(name, text):
    """Each mutant of a file. Its key names the place by what stands there, which outlives changes elsewhere."""
    code = UNSEEN.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
    seen = collections.Counter()
    for start, length, after in sorted(changes(code), key=lambda c: (c[0], c[1])):
        before = text[start:start + length]
        after = f"!({before})" if after is None else after
        begin = text.rfind("\n", 0, start) + 1
        row = text[begin:text.find("\n", start)]
        place = (name, row.strip(), start - begin, before, after)
        seen[place] += 1
        key = hashlib.sha256(repr((place, seen[place])).encode()).hexdigest()[:16]
        yield Mutant(name, text.count("\n", 0, start) + 1, start - begin + 1, start, before, after, key)


def apply(mutant, text):
    return text[:mutant.start] + mutant.after + text[mutant.start + len(mutant.before):]


def read_lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


class Copy:
    """A copy of the tree to change, and its build."""

    def __init__(self, work):
        self.tree = work / "tree"
        self.build = work / "tree" / "build" / "debug"  # as deep as ./dev test's, for ccache

    def refresh(self):
        """Make the copy equal to the tree; touch only files that differ, so that little is rebuilt."""
        listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True)
        names = {name for name in listed.stdout.splitlines() if (ROOT / name).is_file()}
        for name in names:
            to, bytes_ = self.tree / name, (ROOT / name).read_bytes()
            if not to.exists() or to.read_bytes() != bytes_:
                to.parent.mkdir(parents=True, exist_ok=True)
                to.write_bytes(bytes_)
                to.chmod((ROOT / name).stat().st_mode)
        for folder in ("src", "include", "tests", "cpus"):
            for path in (self.tree / folder).rglob("*"):
                if path.is_file() and path.relative_to(self.tree).as_posix() not in names:
                    path.unlink()
        if not (self.build / "build.ninja").exists():
            subprocess.run(["meson", "setup", self.build, *MODES], cwd=self.tree, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["ninja", "-C", self.build, "--quiet", "-j1"], check=True, stdout=subprocess.DEVNULL)

    def introspect(self, what):
        text = subprocess.run(["meson", "introspect", self.build, what], check=True, capture_output=True, text=True)
        return json.loads(text.stdout)

    def read_tests(self):
        """The tests: by name, with the files that each needs built."""
        files = {target["id"]: target["filename"] for target in self.introspect("--targets")}
        tests = {}
        for test in self.introspect("--tests"):
            suite = test["suite"][0].rpartition(":")[2]
            needs = [name for target in test["depends"] for name in files.get(target, [])]
            needs += [word for word in test["cmd"] if word.startswith(str(self.build)) and os.path.isfile(word)]
            needs = {os.path.relpath(name, self.build) for name in needs if ".." not in name}
            if suite in ("unit", "e2e"):
                tests[test["name"]] = {"suite": suite, "cmd": test["cmd"], "env": test["env"],
                                       "workdir": test["workdir"], "needs": sorted(needs)}
        return tests

    def make(self, targets):
        made = subprocess.run(["ninja", "-C", self.build, "--quiet", "-j1", *targets], capture_output=True)
        return made.returncode == 0


def confine():
    """Limits of a mutant: it could run for ever, or fill the disk or memory."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    pathlib.Path("/proc/self/oom_score_adj").write_text("1000")


# A mutant may signal any process: it sees none but its own, and what it leaves behind ends with it. The shell is
# the first process there, since signals do not end that one.
ALONE = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child", *([] if os.geteuid() == 0 else ["-r"]),
         "sh", "-c", '"$@"; exit $?', "sh"]


def passes(test):
    env = os.environ | test["env"]
    # The sanitizers' options end in what meson sets for its tests.
    env["ASAN_OPTIONS"] = f"halt_on_error=1:abort_on_error=1:print_summary=1:hard_rss_limit_mb={RESIDENT_MIB}"
    env["UBSAN_OPTIONS"] = "halt_on_error=1:abort_on_error=1:print_summary=1:print_stacktrace=1"
    done = subprocess.run([*ALONE, *test["cmd"]], env=env, cwd=test["workdir"], preexec_fn=confine, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return done.returncode in (0, 77)  # 77: skipped


class Hunt:
    def __init__(self, work):
        self.copy = Copy(work)
        self.record = work / "record.jsonl"
        self.tests = {}
        self.trusted, self.broken = set(), set()
        self.kills = collections.Counter(row.get("by") for row in read_lines(self.record))

    def stages(self, file):
        """The tests for a mutant of @file: of its folder, then of the command, the deadliest first."""
        folder = file.split("/")[1] + "/"
        unit = [n for n, t in self.tests.items() if t["suite"] == "unit" and n.startswith(folder)]
        command = [n for n, t in self.tests.items() if t["suite"] == "e2e"]
        return [sorted(names, key=lambda n: -self.kills[n]) for names in (unit, command)]

    def is_trusted(self, name, path, mutant, original):
        """Whether a test passes without the mutant: a test that fails anyway proves nothing."""
        if name not in self.trusted | self.broken:
            path.write_text(original)
            self.copy.make(self.tests[name]["needs"])
            (self.trusted if passes(self.tests[name]) else self.broken).add(name)
            path.write_text(apply(mutant, original))
            self.copy.make(self.tests[name]["needs"])
        return name in self.trusted

    def try_tests(self, mutant, path, original):
        for names in self.stages(mutant.file):
            targets = sorted({need for name in names for need in self.tests[name]["needs"]})
            if names and not self.copy.make(targets):
                return {"end": "stillborn"}
            for name in names:
                # Fail twice before believing: the machine may have been too slow once.
                if name in self.broken or passes(self.tests[name]) or passes(self.tests[name]):
                    continue
                if self.is_trusted(name, path, mutant, original):
                    return {"end": "died", "by": name}
        return {"end": "survived"}

    def try_one(self, mutant):
        path = self.copy.tree / mutant.file
        original = path.read_text()
        begin = time.time()
        try:
            path.write_text(apply(mutant, original))
            result = self.try_tests(mutant, path, original)
        finally:
            path.write_text(original)
        self.kills[result.get("by")] += 1
        row = {"key": mutant.key, "file": mutant.file, "line": mutant.line, "column": mutant.column,
               "code": original.split("\n")[mutant.line - 1].strip(), "before": mutant.before, "after": mutant.after,
               **result, "seconds": round(time.time() - begin)}
        with self.record.open("a") as out:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
        return row


def all_mutants(tree, paths, seed):
    """Every mutant, in an order that depends on the seed alone."""
    found = []
    for path in sorted((tree / "src").rglob("*.[ch]")):
        name = path.relative_to(tree).as_posix()
        if any(name.startswith(p.rstrip("/")) for p in paths):
            found += mutants_of(name, path.read_text())
    return sorted(found, key=lambda m: hashlib.sha256(f"{seed} {m.key}".encode()).digest())


def tell(row):
    by = f" by {row['by']}" if "by" in row else ""
    return (f"{row['file']}:{row['line']}:{row['column']}: {row['before']} -> {row['after']}: "
            f"{row['end']}{by}, {row['seconds']} s: {row['code']}")


def report(rows, paths, equivalent):
    """How many of each folder died, and which survived."""
    rows = [row for row in rows if any(row["file"].startswith(p.rstrip("/")) for p in paths)]
    folders = collections.defaultdict(collections.Counter)
    for row in rows:
        end = "equivalent" if row["key"] in equivalent else row["end"]
        for folder in (row["file"].split("/")[1], "all"):
            folders[folder][end] += 1
    print(f"{'':10}  died  survived  equivalent  stillborn")
    for name in sorted(folders, key=lambda n: (n == "all", n)):
        n = folders[name]
        print(f"{name:10} {n['died']:5} {n['survived']:9} {n['equivalent']:11} {n['stillborn']:10}")
    for row in rows:
        if row["end"] == "survived" and row["key"] not in equivalent:
            print(tell(row), row["key"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=0, help="mutants to try; 0: until there are no more")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build" / "mutants")
    parser.add_argument("--report", action="store_true", help="say what became of those of the record")
    parser.add_argument("paths", nargs="*", default=["src"])
    args = parser.parse_args()
    equivalent = {row["key"] for row in read_lines(ROOT / EQUIVALENT)}
    record = args.work / "record.jsonl"
    if args.report:
        report(read_lines(record), args.paths, equivalent)
        return
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    os.nice(19)
    if subprocess.run([*ALONE, "true"]).returncode:
        sys.exit("mutate.py: mutants need a process namespace of their own, which unshare cannot make here")
    hunt = Hunt(args.work)
    hunt.copy.refresh()
    hunt.tests = hunt.copy.read_tests()
    done = {row["key"] for row in read_lines(record)} | equivalent
    left = [m for m in all_mutants(hunt.copy.tree, args.paths, args.seed) if m.key not in done]
    for mutant in left[:args.count or None]:
        print(tell(hunt.try_one(mutant)), flush=True)


if __name__ == "__main__":
    sys.exit(main())

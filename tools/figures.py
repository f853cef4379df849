#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print the figures of docs/development/structure.md for a tree of the source.

    tools/figures.py [ROOT]

A function goes from its first line to the "}" at the left margin. The comment share is of lines that hold nothing but a comment.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
LADDER = re.compile(r"if \(!rc\)|rc \? rc :")


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))] if values else 0


def functions(lines):
    """(lines, whether it is static, whether a comment stands above) of each."""
    for i, line in enumerate(lines):
        if line != "{" or not i or ")" not in lines[i - 1]:
            continue
        head = i - 1
        while head > 0 and re.match(r"\s", lines[head]):
            head -= 1
        length = lines.index("}", i) - head + 1
        yield length, "static" in lines[head], head > 0 and "*/" in lines[head - 1]


def comment_lines(lines):
    inside, count = False, 0
    for line in lines:
        text = line.strip()
        begins = text.startswith("/*")
        count += inside or begins
        if inside or begins:
            inside = "*/" not in text
    return count


def group(name, *patterns):
    paths = sorted(p for pattern in patterns for p in ROOT.glob(pattern))
    sizes, lengths, comments, bare, long_bare = [], [], 0, 0, 0
    for path in paths:
        lines = path.read_text().split("\n")
        sizes.append(len(lines) - 1)
        comments += comment_lines(lines)
        for length, static, told in functions(lines):
            lengths.append(length)
            bare += static and not told
            long_bare += static and not told and length >= 20
    if not sizes:
        return
    text = (f"{name}: {len(sizes)} files, {sum(sizes)} lines, median {percentile(sizes, .5)}, "
            f"p90 {percentile(sizes, .9)}, max {max(sizes)}; comments {100 * comments // sum(sizes)} %")
    if lengths:
        text += (f"; {len(lengths)} functions, median {percentile(lengths, .5)}, p90 {percentile(lengths, .9)}, "
                 f"p99 {percentile(lengths, .99)}, max {max(lengths)}; static without comment {bare}, of 20 lines {long_bare}")
    print(text)


def main():
    group("src .c", "src/**/*.c")
    group("src .h", "src/**/*.h")
    group("include", "include/**/*.h")
    group("tests .c .h", "tests/**/*.[ch]")
    group("other tests", "tests/**/*.bats", "tests/**/*.py", "tests/**/*.sh", "tests/**/*.S")
    docs = [p for p in ROOT.glob("docs/**/*.md") if "gallery" not in p.parts]
    print(f"docs: {len(docs)} pages, {sum(len(p.read_text().split()) for p in docs)} words")
    readme = (ROOT / "README.md").read_text()
    print(f"README: {len(readme.splitlines())} lines")
    source = [p.read_text() for p in ROOT.glob("src/**/*.[ch]")]
    print("lines of rc ladders:", sum(bool(LADDER.search(line)) for text in source for line in text.split("\n")))
    print('"out of memory":', sum(text.count('"out of memory"') for text in source))
    print("sizeof x / sizeof x[0]:", sum(len(re.findall(r"sizeof\((\w+)\) / sizeof\(\1\[0\]\)", t)) for t in source))
    print("folders of src:", len({p.parent for p in ROOT.glob("src/**/*.c")}))


main()

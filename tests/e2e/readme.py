#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hold the report that a page shows against what the same command prints, and a part of it in another page.

usage: readme.py [--write] BUILD PAGE README

The page's first indented line that begins with "$ build/" is the command; it runs on BUILD in the place of
build/, and what follows, up to the next line that is not indented, is its output. Words are to be the same,
numbers within 2 %: another build of the C library may move a program's start. The README has the same command
and some of the lines in their order, with "…" for the others. --write puts the output there.
"""
import os
import re
import subprocess
import sys
import tempfile

NUMBER = re.compile(r"\d+(?:\.\d+)?")
BLOCK = re.compile(r"    \$ (build/.*)\n((?:    .*\n|\n(?=    ))*)")


def output(build, command):
    """The output that a user sees who types @command in the project's root."""
    with tempfile.TemporaryDirectory() as where:
        os.symlink(os.path.abspath(build), os.path.join(where, "build"))
        done = subprocess.run(command.split(), cwd=where, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"readme: {command}: status {done.returncode}\n{done.stdout}")
    return done.stdout


def is_near(before, now):
    return all(abs(float(a) - float(b)) <= 0.02 * abs(float(a)) for a, b in zip(NUMBER.findall(before), NUMBER.findall(now)))


def difference(before, now):
    """The first line that differs, or None."""
    for a, b in zip(before, now):
        # A number may be shorter by a digit: the spaces before it and the bar's end are not compared.
        if re.split(r"[\d.\s▏▎▍▌▋▊▉█]+", a) != re.split(r"[\d.\s▏▎▍▌▋▊▉█]+", b) or not is_near(a, b):
            return f"  README: {a}\n  now:    {b}"
    return None if len(before) == len(now) else "  the one is longer"


def excerpt(before, now):
    """Each line of a part as it is now, "…" for lines that are left out. None: one is not there any more."""
    found, rest = [], iter(now)
    for line in before:
        if line != "…":
            line = next((other for other in rest if not difference([line], [other])), None)
            if line is None:
                return None
        found.append(line)
    return found


def read(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    shown = BLOCK.search(text)
    if not shown:
        sys.exit(f"readme: {path} shows no command")
    return text, shown, [line[4:] for line in shown[2].splitlines()]


def put(path, text, shown, lines):
    block = "".join(f"    {line}".rstrip() + "\n" for line in lines)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text[:shown.start(2)] + block + text[shown.end(2):])


def main():
    write = sys.argv[1] == "--write"
    build, path, part = sys.argv[1 + write:]
    text, shown, before = read(path)
    part_text, part_shown, lines = read(part)
    now = output(build, shown[1]).splitlines()
    if part_shown[1] != shown[1]:
        sys.exit(f"readme: {part} shows another command than {path}")
    if write:
        put(path, text, shown, now)
    elif found := difference(before, now):
        sys.exit(f"readme: {shown[1]} prints otherwise than {path} shows, see ./dev golden:\n{found}")
    lines = excerpt(lines, now)
    if lines is None:
        sys.exit(f"readme: {part} shows a line that {shown[1]} does not print, or not in this order")
    if write:
        put(part, part_text, part_shown, lines)


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""initramfs.py --root ROOT OUTPUT INSIDE=PATH...: write a gzip-compressed initramfs (cpio, newc).

Each PATH is a file or a folder; INSIDE is where it goes in the archive, for a folder its contents.
Without a PATH, INSIDE is an empty folder. The shared libraries that the programs need are looked up in
ROOT, an unpacked Debian system, and go to /lib. Symbolic links are followed. Owners are root and times 0:
the same files give the same archive.
"""
import argparse
import glob
import gzip
import os
import re
import subprocess
import sys


def entry(number, name, mode, data=b""):
    fields = (number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0)
    header = b"070701" + b"".join(b"%08X" % field for field in fields) + name.encode() + b"\0"
    return header + b"\0" * (-len(header) % 4) + data + b"\0" * (-len(data) % 4)


def gather(inside, path, files):
    """Add path to files, a dictionary of names inside to paths outside (None: a folder)."""
    parts = inside.split("/")
    for i in range(1, len(parts)):
        files.setdefault("/".join(parts[:i]), None)
    if not path or os.path.isdir(path):
        files.setdefault(inside, None)
        for child in sorted(os.listdir(path)) if path else []:
            gather(inside + "/" + child, os.path.join(path, child), files)
    else:
        files[inside] = path


def needed(path):
    """The names of the libraries and the interpreter that an ELF file asks for."""
    with open(path, "rb") as source:
        if source.read(4) != b"\x7fELF":
            return []
    text = subprocess.run(["readelf", "-ldW", path], capture_output=True, text=True, check=True).stdout
    interpreters = re.findall(r"interpreter: (\S+)\]", text)
    return re.findall(r"\(NEEDED\).*\[(.*)\]", text) + [os.path.basename(i) for i in interpreters]


def find_library(root, name):
    for folder in ("lib/*-linux-gnu*", "usr/lib/*-linux-gnu*", "lib", "usr/lib"):
        for path in glob.glob(os.path.join(root, folder, name)):
            return os.path.join(root, os.path.realpath(path))
    sys.exit(f"initramfs: no {name} in {root}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", required=True)
    parser.add_argument("output")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()

    files = {}
    for argument in arguments.files:
        inside, _, path = argument.partition("=")
        gather(inside.strip("/"), path, files)
    waiting = [path for path in files.values() if path]
    while waiting:
        for name in needed(waiting.pop()):
            if "lib/" + name not in files:
                gather("lib/" + name, find_library(arguments.root, name), files)
                waiting.append(files["lib/" + name])

    with gzip.GzipFile(arguments.output, "wb", compresslevel=1, mtime=0) as archive:
        for number, (name, path) in enumerate(sorted(files.items()), 1):
            if path is None:
                archive.write(entry(number, name, 0o40755))
                continue
            mode = 0o100755 if os.access(path, os.X_OK) else 0o100644
            with open(path, "rb") as source:
                archive.write(entry(number, name, mode, source.read()))
        archive.write(entry(0, "TRAILER!!!", 0))


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The built files have the compiler's and linker's protections: see hardening in meson.build.

usage: hardening.py PLAIN FLAGS FILE...

PLAIN is the command as a release has it, FLAGS what the compiler takes of the list in meson.build. FILE is
what is linked, with whatever sanitizers the build has: the command, the library, the plugin.
"""
import re
import struct
import subprocess
import sys

# What a function begins with that may be jumped to. x86-64: endbr64. arm64: bti c, paciasp.
LANDING = {"x86-64": [0xfa1e0ff3], "AArch64": [0xd503245f, 0xd503233f]}
# What touches each page of a large frame: orq $0, and on arm64 str xzr at the end of a page's part.
PROBE = {"x86-64": r"\borq +\$0x0,", "AArch64": r"\bstr\s+xzr, \[sp, #1024\]"}

failures = []


def check(holds, path, text):
    if not holds:
        failures.append(f"{path}: {text}")


def output(*argv):
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout


def machine(path):
    text = output("readelf", "-hW", path)
    return next((m for m in LANDING if m in text.replace("X86-64", "x86-64")), None)


def linked(path, executable):
    """Check the linker's protections."""
    segments, dynamic = output("readelf", "-lW", path), output("readelf", "-dW", path)
    stack = re.search(r"GNU_STACK\s+(?:0x\w+\s+){5}([RWE ]{3})", segments)
    check("GNU_RELRO" in segments, path, "what relocation has written stays writable: no -z relro")
    check(re.search(r"\(FLAGS_1\).*\bNOW\b", dynamic), path, "functions are bound when called: no -z now")
    check(stack and "E" not in stack[1], path, "the stack is executable")
    check(not re.search(r"LOAD.* RWE ", segments), path, "memory is writable and executable")
    check("TEXTREL" not in dynamic, path, "code is relocated")
    check("\nElf file type is DYN" in segments, path, "it lies at a fixed address")
    check(not executable or re.search(r"\(FLAGS_1\).*\bPIE\b", dynamic), path, "it is not PIE")


def functions(path):
    """Name, file offset of the functions that the file offers to others."""
    sections = {}
    for m in re.finditer(r"\[ *(\d+)\] \S+ +\S+ +(\w{16}) (\w+)", output("readelf", "-SW", path)):
        sections[m[1]] = int(m[3], 16) - int(m[2], 16)
    for line in output("readelf", "--dyn-syms", "-W", path).splitlines():
        fields = line.split()
        if len(fields) > 7 and fields[3] == "FUNC" and fields[6] in sections:
            yield fields[7], int(fields[1], 16) + sections[fields[6]]


def landings(path, instructions):
    """Each function that others may call by its address begins so."""
    with open(path, "rb") as file:
        data = file.read()
    begins = {name: struct.unpack_from("<I", data, at)[0] in instructions for name, at in functions(path)}
    wrong = [name for name, right in begins.items() if not right]
    check(begins, path, "no functions to look at")
    check(not wrong, path, f"{len(wrong)} functions do not begin with what an indirect jump has to find: "
          f"{', '.join(wrong[:3])}")


def main():
    plain, flags, files = sys.argv[1], sys.argv[2].split(","), sys.argv[3:]
    on = machine(plain)
    for path in [plain, *files]:
        linked(path, executable=not re.search(r"\.so(\.|$)", path))
    wanted = output("nm", "-D", "--undefined-only", plain)
    if "-fstack-protector-strong" in flags:
        check("__stack_chk_fail" in wanted, plain, "no stack protector")
    if "-D_FORTIFY_SOURCE" in flags:
        for name in ("__snprintf_chk", "__vsnprintf_chk", "__memcpy_chk"):
            check(name in wanted, plain, f"{name} is not called: no _FORTIFY_SOURCE")
    if "-fstack-clash-protection" in flags and on:
        check(re.search(PROBE[on], output("objdump", "-d", "--no-show-raw-insn", plain)), plain,
              "large frames can jump over the guard page")
    if {"-fcf-protection=full", "-mbranch-protection=standard"} & set(flags) and on:
        for path in files:
            if re.search(r"libpmuscope\.so", path):
                landings(path, LANDING[on])
    for text in failures:
        print(text)
    sys.exit(1 if failures else 0)


main()

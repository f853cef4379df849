# SPDX-License-Identifier: MIT
"""Describe the machine on which a measurement was made."""
import platform
import subprocess


def processor():
    with open("/proc/cpuinfo") as info:
        names = [line.split(":", 1)[1].strip() for line in info if line.startswith("model name")]
    return f"{len(names)} x {names[0]}" if names else platform.machine()


def first_line(*argv, cwd=None):
    """The first line that a command prints; "unknown" where there is none."""
    try:
        done = subprocess.run(argv, capture_output=True, text=True, cwd=cwd)
    except FileNotFoundError:
        return "unknown"
    return done.stdout.splitlines()[0] if done.returncode == 0 and done.stdout else "unknown"

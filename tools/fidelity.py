#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write the tables of docs/model/fidelity.md: what each mechanism and each chosen number is worth.

usage: fidelity.py [--mcpu CPU] [--jobs N] [--core NAME] BUILD page.md

Runs pmuscope validate of the build as it is, then once for each mechanism that the model can do
without, and for each parameter that may be 0 and is not; then twice for each number that core.json
marks as chosen: with half of it and with double. Only the first run is in full: the others are
compared with a quick one, like by like. What is between the lines "<!-- begin NAME -->" and
"<!-- end NAME -->" of the page is written, the rest of it kept. Results are kept in BUILD/fidelity
for as long as the model, its numbers and the workloads are the same, so that a run that was
interrupted goes on where it was.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import core_doc

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Pages that repeat the first sentence of the headline.
TOLD = (ROOT / "README.md", ROOT / "docs/status.md")
LOGARITHM = "log2"  # suffix of names whose half is one less
# The conditions of a run: without them two runs would not be comparable.
PARTS = ("pmuscope", "pmuscope-vcore.so")

# The kernels of these compute in registers, in one loop. Settings of memory or of hard branches do
# not affect them.
COMPUTING = {"mul32", "mul64", "mac32", "mac64", "div32", "div64", "fpmul", "fpmac", "fpdiv", "fpsqrt",
             "int2double", "double2int", "fusion", "moves", "queue_full"}
SPARES_COMPUTING = {"prediction", "branch prediction", "loads and stores", "caches", "memory", "translation",
                    "prefetch"}
# These run long, and only settings between the core and memory affect them.
FAR = {"mem_latency", "mem_bandwidth"}
TOUCHES_FAR = {"memory", "translation", "prefetch", "caches"}
# A setting for a class of operations matters only to workloads with such operations.
HAVE_OPS = {"div32": {"div32"}, "div64": {"div64"}, "atomic": {"atomics", "atomics_shared"},
            "load_ex": {"exclusives", "exclusives_shared", "exclusive_chain"},
            "store_ex": {"exclusives", "exclusives_shared", "exclusive_chain"}}


class Runs:
    """pmuscope validate under settings; each is run once."""

    def __init__(self, build, cpu):
        self.command = [str(build / "pmuscope"), "validate", "--mcpu", cpu, "-j"]
        self.build, self.cpu = build, cpu
        digest = hashlib.sha256()
        parts = [build / part for part in PARTS] + sorted((ROOT / "cpus" / cpu).glob("*.json"))
        parts += sorted(p for p in (build / "workloads").iterdir() if p.is_file() and os.access(p, os.X_OK))
        for part in parts:
            digest.update(part.read_bytes())
        self.kept = build / "fidelity" / digest.hexdigest()[:16]
        self.kept.mkdir(parents=True, exist_ok=True)

    def pmuscope(self, *words):
        done = subprocess.run([self.command[0], *words], capture_output=True, text=True,
                              env={**os.environ, "PMUSCOPE_DATA": str(ROOT)})
        if done.returncode not in (0, 1):
            sys.exit(f"fidelity: {' '.join(words)}: status {done.returncode}\n{done.stderr}")
        return done.stdout

    def get(self, setting=None, quick=True, workloads=()):
        """The workloads of a run, by name."""
        words = ["--quick"] * quick + (["--core-set", setting] if setting else []) + list(workloads)
        name = re.sub(r"[^\w.=]+", "_", " ".join(words)) or "own"
        path = self.kept / hashlib.sha256(name.encode()).hexdigest()[:24]
        if not path.exists():
            text = self.pmuscope(*self.command[1:], *words)
            part = path.with_suffix(f".{os.getpid()}.{hash(name) & 0xffff}")
            part.write_text(text)
            part.rename(path)
        return {w["name"]: w for w in json.loads(path.read_text())["workloads"]}


    def of(self, setting, own):
        """A quick run under a setting; workloads that it cannot affect are copied from @own."""
        names = touched(setting, own)
        return {**own, **(self.get(setting, workloads=names) if names else {})}


def short(value):
    return "none" if value is None else f"{value:.3g}" if abs(value) < 100 else f"{value:.0f}"


def figures(trials):
    return {(w["name"], f["name"]): f for w in trials.values() for f in w["figures"]}


def published(trials):
    return [w for w in trials.values() if not w["argued"]]


def tally(trials):
    """How many published workloads are in range in Stage 1, and how many of their figures."""
    rows = published(trials)
    return (sum(w["stage1_agrees"] for w in rows),
            sum(f["judgement"] == "agrees" for w in rows for f in w["figures"]))


def distance(one, other):
    """How far a figure moved, relative to the width of its range, or to its own size where the range is open."""
    a, b = one["value"], other["value"]
    if a is None or b is None:
        return 0 if a is b else float("inf")
    low, high = one.get("low"), one.get("high")
    width = high - low if low is not None and high is not None else abs(a)
    return abs(a - b) / width if width else 0


def moves(own, other, most=3):
    """The figures whose verdict changed, and if there are none, the one that moved the most."""
    before, after = figures(own), figures(other)
    rows = sorted(((distance(before[key], after[key]), key) for key in before if key in after), reverse=True)
    changed = [row for row in rows if (before[row[1]]["judgement"] == "agrees") != (after[row[1]]["judgement"] == "agrees")]
    shown = changed[:most] or [row for row in rows[:1] if row[0] >= 0.02]
    texts = []
    for _, key in shown:
        one, two = before[key], after[key]
        verdict = ""
        if (one["judgement"] == "agrees") != (two["judgement"] == "agrees"):
            verdict = ", now in range" if two["judgement"] == "agrees" else ", breaks"
        texts.append(f"`{key[0]}` {key[1]} {short(one['value'])} → {short(two['value'])}{verdict}")
    more = len(changed) - most
    return "; ".join(texts) + (f"; {more} more" if more > 0 else "") or "nothing by 2 % of a range"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def groups():
    """The group of each parameter and mechanism, by the model's header."""
    return {name: group for rows in (core_doc.meanings(), core_doc.mechanisms()) for group, name, _ in rows}


def touched(setting, names):
    """The workloads that a setting can affect."""
    name = setting.split("=")[0]
    if "." in name:
        return tuple(w for w in names if w in HAVE_OPS.get(name.split(".")[0], ()))
    group = groups()[name]
    return tuple(w for w in names if not (w in COMPUTING and group in SPARES_COMPUTING)
                 and not (w in FAR and group not in TOUCHES_FAR))


def switches(core):
    """(setting, its effect) of each mechanism, and of each parameter that can be 0."""
    rows = [(m["name"], m["without"]) for m in core["mechanisms"]]
    rows += [(n["name"], f"is 0, not {n['value']}") for n in core["numbers"]
             if n["least"] == 0 and n["value"] and "." not in n["name"]]
    return [(name + "=off", text) for name, text in rows]


def variants(number):
    """[(half or double, the value or why there is none)]"""
    value, least, most = number["value"], number["least"], number["most"]
    if number["name"].endswith(LOGARITHM):
        rows = [("half", value - 1), ("double", value + 1)]
    else:
        rows = [("half", value // 2), ("double", value * 2)]
    for kind, other in rows:
        if other < least:
            yield kind, f"{least} is the least"
        elif other > most:
            yield kind, f"{most} is the most"
        elif other == value:
            yield kind, "is 0"
        else:
            yield kind, other


def chosen(core):
    """The unpublished numbers that a workload can reveal."""
    return [n for n in core["numbers"] if n["certainty"] == "chosen"
            and ("." not in n["name"] or n["name"].split(".")[0] in HAVE_OPS)]


def settings(core):
    rows = [setting for setting, _ in switches(core)]
    for number in chosen(core):
        rows += [f"{number['name']}={other}" for _, other in variants(number) if isinstance(other, int)]
    return rows


def ablations(core, runs, own):
    rows = []
    for setting, text in switches(core):
        trials = runs.of(setting, own)
        stage1, good = tally(trials)
        rows.append((f"`{setting}`", text, stage1, good, moves(own, trials)))
    return table(("setting", "without it", "Stage 1", "figures", "what it does"), rows)


def sensitivity(core, runs, own):
    rows = []
    for number in chosen(core):
        for kind, other in variants(number):
            name = f"`{number['name']}`" if kind == "half" else ""
            if not isinstance(other, int):
                rows.append((name, number["value"], other, "", "", "left out"))
                continue
            trials = runs.of(f"{number['name']}={other}", own)
            stage1, good = tally(trials)
            rows.append((name, number["value"], other, stage1, good, moves(own, trials)))
    return table(("number", "is", "if", "Stage 1", "figures", "what it does"), rows)


def wrong(figure):
    ends = [short(figure.get(end)) if figure.get(end) is not None else "" for end in ("low", "high")]
    return f"{figure['name']} {short(figure['value'])}, not {ends[0]} to {ends[1]}"


def headline(full):
    rows, stage1, good = published(full), *tally(full)
    total = sum(len(w["figures"]) for w in rows)
    out = [(f"`{w['name']}`", "; ".join(wrong(f) for f in w["figures"] if f["judgement"] != "agrees")
            or f"largest share {w['largest']}, not {w['dominant']}") for w in rows if not w["agrees"]]
    argued = [w for w in full.values() if w["argued"]]
    standing = (f"**{stage1} of {len(rows)}** workloads are within Arm's ranges in Stage 1, **{good} of {total}** figures in all; "
                f"of those argued from the core {sum(w['agrees'] for w in argued)} of {len(argued)} workloads.")
    return standing, table(("not in range", "which figures"), out)


def events(cpu):
    rows = json.loads((ROOT / "cpus" / cpu / "core.json").read_text())["events"].values()
    n = {kind: sum(r["class"] == kind for r in rows) for kind in ("exact", "modelled", "not_modelled")}
    share = 100 * (n["exact"] + n["modelled"]) / len(rows)
    return (f"Of {len(rows)} events of the core {n['exact']} are exact and {n['modelled']} modelled: **{share:.1f} %**. "
            f"Each of the other {n['not_modelled']} has its reason.")


def fill(page, sections):
    def section(found):
        return f"<!-- begin {found.group(1)} -->\n\n{sections[found.group(1)]}\n\n<!-- end {found.group(1)} -->"
    return re.sub(r"<!-- begin (\w+) -->\n.*?<!-- end \1 -->", section, page, flags=re.S)


def run_all(runs, core, own, jobs):
    """Every run that the tables need; shows progress on a terminal."""
    plan = settings(core)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        waiting = [pool.submit(runs.of, one, own) for one in plan]
        for n, one in enumerate(concurrent.futures.as_completed(waiting), 1):
            one.result()
            if sys.stderr.isatty():
                print(f"\r\033[Krun {n} of {len(plan)}", end="\n" if n == len(plan) else "", file=sys.stderr)
    return len(plan)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mcpu", default="neoverse-v1")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="runs at a time")
    parser.add_argument("build", type=pathlib.Path, metavar="BUILD")
    parser.add_argument("page", type=pathlib.Path, metavar="page.md")
    options = parser.parse_args()
    runs = Runs(options.build.resolve(), options.mcpu)
    core = json.loads(runs.pmuscope("core", "show", "--mcpu", options.mcpu, "-j"))
    begun = time.monotonic()
    full, own = runs.get(quick=False), runs.get()
    n = 2 + run_all(runs, core, own, options.jobs)
    stage1, good = tally(own)
    took = (f"{n} runs of `pmuscope validate`, all but the first with `--quick`, which runs the kernels alone for a twentieth of "
            f"their turns: as it is, **{stage1}** workloads and **{good}** figures are in range so.")
    standing, outside = headline(full)
    for told in TOLD:
        told.write_text(fill(told.read_text(), {"standing": standing}))
    page = fill(options.page.read_text(), {
        "headline": standing + "\n\n" + outside,
        "events": events(options.mcpu),
        "ablations": took + "\n\n" + ablations(core, runs, own),
        "sensitivity": sensitivity(core, runs, own),
    })
    options.page.write_text(page)
    print(f"fidelity: {n} runs in {(time.monotonic() - begun) / 60:.1f} minutes")


if __name__ == "__main__":
    main()

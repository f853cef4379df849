#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run the case study on the modelled core and write what came out into docs/model/case-study.md.

usage: tools/case_study.py BUILD [--print]

Runs BUILD/examples/csv_scalar and csv_neon under BUILD/pmuscope and replaces the page's parts between
"<!-- begin NAME -->" and "<!-- end NAME -->"; --print prints the comparison instead. The published
figures are those of the V1 methodology paper, section 4; each row names its table or figure.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parent.parent
PAGE = ROOT / "docs/model/case-study.md"
SLOTS = 8

# What figures 10 and 14 print, for 200 passes. MiB/s times the time of one pass gives the bytes of
# a pass.
PASS_BYTES = 1100.14 * 2**20 * 10424094e-9
PUBLISHED_RUN = {
    "before": {"cycles": 5454315340, "instructions": 25288198650, "bytes": 200 * PASS_BYTES},
    "after": {"cycles": 2971634240, "instructions": 12771507212, "bytes": 200 * PASS_BYTES},
}

# Figure, its source in the paper, published before and after (None: not published), unit, digits.
ROWS = (
    ("Retiring", "table 4", 53, 48, "%", 1, "retiring"),
    ("Frontend bound", "table 4", 23, 17, "%", 1, "frontend_bound"),
    ("Backend bound", "table 4", 24, 35, "%", 1, "backend_bound"),
    ("Bad speculation", "table 4", 0, 0, "%", 1, "bad_speculation"),
    ("IPC", "table 3", 4.64, 4.30, "", 2, "ipc"),
    ("Operations an instruction", "tables 3, 4: 8 x retiring / IPC", SLOTS * 0.53 / 4.64,
     SLOTS * 0.48 / 4.30, "", 3, "fusion"),
    ("Integer operations", "table 5", 63, 34, "%", 1, "integer_dp_percentage"),
    ("Vector operations", "table 5", 0, 28, "%", 1, "simd_percentage"),
    ("Loads", "table 5", 18, 17, "%", 1, "load_percentage"),
    ("Stores", "table 5", 7, 8, "%", 1, "store_percentage"),
    ("Branches", "table 5", 12, 13, "%", 1, "branch_percentage"),
    ("Branch MPKI", "table 2", 0.01, None, "", 2, "branch_mpki"),
    ("L1D cache MPKI", "table 2", 2.12, None, "", 2, "l1d_cache_mpki"),
    ("L1D cache miss ratio", "table 2", 0.84, None, "%", 2, "l1d_cache_miss_ratio"),
    ("L1I cache MPKI", "table 2", 0.04, None, "", 2, "l1i_cache_mpki"),
    ("L2 cache MPKI", "table 2", 0.26, None, "", 2, "l2_cache_mpki"),
    ("L2 cache miss ratio", "table 2", 2.55, None, "%", 1, "l2_cache_miss_ratio"),
    ("L1D TLB MPKI", "table 2", 0.12, None, "", 2, "l1d_tlb_mpki"),
    ("L2 TLB MPKI", "table 2", 0.05, None, "", 2, "l2_tlb_mpki"),
    ("Data TLB walks, MPKI", "table 2", 0.05, None, "", 2, "dtlb_mpki"),
)


def run(build, program, *arguments):
    """One program: its metrics, its events and the report as text."""
    pmuscope = os.path.abspath(os.path.join(build, "pmuscope"))
    argv = ["build/examples/" + program, *arguments]
    # The report names the command as a user gives it, from the project's root.
    with tempfile.TemporaryDirectory() as where:
        os.makedirs(os.path.join(where, "build"))
        os.symlink(os.path.join(os.path.abspath(build), "examples"),
                   os.path.join(where, "build/examples"))
        saved = os.path.join(where, "s.pms")
        out = subprocess.run([pmuscope, "topdown", "--save", saved, "--", *argv], cwd=where,
                             capture_output=True, text=True, check=True)
        data = subprocess.run([pmuscope, "report", "-j", saved], capture_output=True, text=True,
                              check=True)
    report = json.loads(data.stdout)
    metrics = {m["name"]: m["value"] for m in report["metrics"]}
    events = {e["name"]: e["count"] for e in report["events"]}
    passes, size = re.match(r"csv: (\d+) x (\d+) bytes", out.stdout).groups()
    metrics["fusion"] = events["OP_RETIRED"] / events["INST_RETIRED"]
    for name in metrics:
        if name.endswith("_ratio") and metrics[name] is not None:
            metrics[name] *= 100  # as the paper prints them
    counts = {"cycles": events["CPU_CYCLES"], "instructions": events["INST_RETIRED"],
              "bytes": int(passes) * int(size)}
    return {"metrics": metrics, "counts": counts, "text": out.stderr, "output": out.stdout}


def off(got, published, unit):
    """How far off: points where the figure is a share, else percent of the published figure."""
    if unit == "%":
        return f"{got - published:+.1f} points"
    return f"{100 * (got / published - 1):+.0f} %"


def cells(got, published, unit, digits):
    if published is None:
        return ["–", f"{got:.{digits}f}", "–"]
    return [f"{published:.{digits if unit != '%' or published % 1 else 0}f}", f"{got:.{digits}f}",
            off(got, published, unit)]


def per(counts, above, below):
    return counts[above] / counts[below]


def ratios(scalar, vector):
    """Rows that compare one run with the other, or need the number of bytes."""
    published, got = PUBLISHED_RUN, {"before": scalar["counts"], "after": vector["counts"]}
    for name, above in (("Instructions a byte", "instructions"), ("Cycles a byte", "cycles")):
        row = [name, "figures 10, 14", ""]
        for when in ("before", "after"):
            row += cells(per(got[when], above, "bytes"), per(published[when], above, "bytes"), "", 2)
        yield row
    for name, above, below, over, under in (
            ("IPC, after / before", "instructions", "cycles", "after", "before"),
            ("Speed-up, before / after", "cycles", "bytes", "before", "after"),
            ("Instructions, before / after", "instructions", "bytes", "before", "after")):
        one, other = (per(runs[over], above, below) / per(runs[under], above, below)
                      for runs in (got, published))
        yield [name, "table 3", "times", "", "", "", *cells(one, other, "", 2)]


def comparison(before, after):
    lines = ["| figure | in the paper | unit | before: published | modelled | off | after: published | modelled | off |",
             "|---|---|---|--:|--:|--:|--:|--:|--:|"]
    for name, source, first, second, unit, digits, metric in ROWS:
        row = [name, source, unit, *cells(before["metrics"][metric], first, unit, digits),
               *cells(after["metrics"][metric], second, unit, digits)]
        lines.append("| " + " | ".join(row) + " |")
    for row in ratios(before, after):
        lines.append("| " + " | ".join(row) + " |")
    return "\n".join(lines)


def near(build, before, after):
    """Run with a table that stays in the L1 data cache, as evidence of what is missing."""
    lines = ["| table | build | IPC | retiring | frontend bound | backend bound | bad speculation | speed-up |",
             "|---|---|--:|--:|--:|--:|--:|--:|"]
    small = [run(build, name, "20", "500") for name in ("csv_scalar", "csv_neon")]
    for table, (first, second) in (("12 MB", (before, after)), ("24 KB", small)):
        gain = (first["counts"]["cycles"] / first["counts"]["bytes"]) / (
            second["counts"]["cycles"] / second["counts"]["bytes"])
        for name, one, faster in (("scalar", first, ""), ("vector", second, f"{gain:.2f}")):
            m = one["metrics"]
            lines.append(f"| {table} | {name} | {m['ipc']:.2f} | {m['retiring']:.1f} % | "
                         f"{m['frontend_bound']:.1f} % | {m['backend_bound']:.1f} % | "
                         f"{m['bad_speculation']:.1f} % | {faster} |")
    return "\n".join(lines)


def session(run, program):
    shown = f"$ build/pmuscope topdown -- build/examples/{program}\n{run['output']}{run['text']}"
    # Footnotes are the same for every report; the page leaves them out.
    shown = re.split(r"\n\[a\] ", shown)[0].rstrip()
    return "```\n" + shown + "\n```"


def main():
    if len(sys.argv) not in (2, 3) or (len(sys.argv) == 3 and sys.argv[2] != "--print"):
        sys.exit(__doc__.split("\n\n")[1])
    before, after = (run(sys.argv[1], name) for name in ("csv_scalar", "csv_neon"))
    table = comparison(before, after)
    if len(sys.argv) == 3:
        print(table)
        return
    text = PAGE.read_text()
    for name, part in (("before", session(before, "csv_scalar")), ("after", session(after, "csv_neon")),
                       ("comparison", table), ("near", near(sys.argv[1], before, after))):
        begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
        head, rest = text.split(begin)
        text = head + begin + "\n\n" + part + "\n\n" + end + rest.split(end)[1]
    PAGE.write_text(text)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every metric of every catalog, evaluated by pmuscope and by Python's own arithmetic.

usage: test_evaluate.py PMUSCOPE CPUS

Writes random counts as `perf stat -x,` would, lets `pmuscope report -j` evaluate them, and compares
each value with the formula evaluated in exact fractions: relative error below 1e-12.
"""
import ast
import json
import operator
import pathlib
import random
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
             ast.Div: operator.truediv}
ROUNDS = 5
LIMIT = Fraction(1, 10**12)


def evaluate(node, values):
    if isinstance(node, ast.Expression):
        return evaluate(node.body, values)
    if isinstance(node, ast.BinOp):
        return OPERATORS[type(node.op)](evaluate(node.left, values), evaluate(node.right, values))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -evaluate(node.operand, values)
    if isinstance(node, ast.Name):
        return values[node.id]
    return Fraction(str(node.value))


def expected(formula, counts):
    """The formula's value, None for want of a count; names with dots are made Python's own first."""
    names = sorted(set(re.findall(r"[A-Za-z_][A-Za-z0-9_.]*", formula)), key=len, reverse=True)
    plain = {name: "n%d_" % i for i, name in enumerate(names)}
    text = re.sub(r"[A-Za-z_][A-Za-z0-9_.]*", lambda m: plain[m.group()], formula)
    if not set(names) <= set(counts):
        return None
    values = {plain[name]: Fraction(counts[name]) for name in names}
    try:
        return evaluate(ast.parse(text, mode="eval"), values)
    except ZeroDivisionError:
        return None


def random_counts(folder, events, rng):
    """Zeros too: what divides by one has no value. But a 0 is not believed where a relation of the documents
    says that much more was counted: among large counts no event of a relation is 0."""
    if rng.randrange(2):
        return {name: rng.randrange(0, 20) for name in events}
    file = folder / "relations.json"
    relations = json.loads(file.read_text())["relations"] if file.exists() else []
    related = {name for r in relations for side in ("lhs", "rhs") for name in re.findall(r"[A-Za-z_][A-Za-z0-9_.]*", r[side])}
    return {name: rng.choice([int(name in related)] + [rng.randrange(1, 10**rng.randrange(1, 16))] * 19)
            for name in events}


def check(pmuscope, folder, rng):
    spec = json.loads((folder / "telemetry.json").read_text())
    counts = random_counts(folder, spec["events"], rng)
    # One of the metrics that other metrics stand for: without what those need.
    unless = {name: set(m.get("properties", {}).get("unless", [])) for name, m in spec["metrics"].items()}
    standing = sorted(name for name in unless if unless[name])
    for name in unless[rng.choice(standing)] if standing else ():
        del counts[name]
    counted = set(counts)
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        for name, count in counts.items():
            file.write(f"{count},,{name},1000000,100.00,,\n")
        file.flush()
        run = subprocess.run([pmuscope, "report", file.name, "--mcpu", folder.name, "-j"],
                             capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(f"{folder.name}: status {run.returncode}: {run.stderr}")
    metrics = json.loads(run.stdout)["metrics"]
    wanted = {name for name, m in spec["metrics"].items()
              if set(m["events"]) <= counted and not unless[name] & counted
              and not (unless[name] and expected(m["formula"], counts) is None)}
    missing = wanted - {m["name"] for m in metrics}
    wrong = [f"{folder.name}: {name}: not evaluated" for name in missing]
    wrong += [f"{folder.name}: {m['name']}: shown beside what stands for it"
              for m in metrics if unless[m["name"]] & counted]
    for metric in metrics:
        want = expected(spec["metrics"][metric["name"]]["formula"], counts)
        got = metric["value"]
        if want is None or got is None:
            if want is not None or got is not None:
                wrong.append(f"{folder.name}: {metric['name']}: {got}, expected {want}")
        elif abs(Fraction(got) - want) > LIMIT * abs(want):
            wrong.append(f"{folder.name}: {metric['name']}: {got}, expected {float(want)}")
    return len(metrics), wrong


def main():
    pmuscope, cpus = sys.argv[1], pathlib.Path(sys.argv[2])
    rng, total, wrong = random.Random(1), 0, []
    for folder in sorted(f for f in cpus.iterdir() if (f / "telemetry.json").exists()):
        for _ in range(ROUNDS):
            count, errors = check(pmuscope, folder, rng)
            total += count
            wrong += errors
    print(f"{total} values compared, {len(wrong)} wrong")
    for line in wrong[:40]:
        print(line)
    return bool(wrong) or not total


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prove by another program that plans have the fewest passes. Run by hand; needs cbc (coinor-cbc).

usage: plan_bound.py CPU COUNTERS[,COUNTERS...] [PMUSCOPE]

Reads cpus/CPU/telemetry.json itself, and shares no code with src/plan/. For each number of counters:

1. A linear program over passes, with columns made as needed, gives weights of the sets of events. They
   are rounded to integers, and an integer program finds the greatest weight W that a pass can serve.
   sum / W passes are needed at least. Both programs are CBC's.
2. Where that is less than the passes of the plan, p, all passes are listed that could be among p - 1:
   together those waste no more than (p - 1) * W - sum. An integer program then looks for p - 1 of them
   that serve everything; CBC says that there are none.

With PMUSCOPE, its plan is read and checked as well; without, the bound alone is printed."""
import heapq
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIXED = {"CPU_CYCLES", "CYCLES.HART", "INST.RET"}
SCALE = 10 ** 6


def load(cpu, counters):
    """The sets to serve, as bits of events: those of the published metrics that a pass can hold, the
    events of the others one by one, and of all these the largest."""
    spec = json.loads((ROOT / "cpus" / cpu / "telemetry.json").read_text())
    groups = spec["groups"]["metrics"]
    stages = spec["methodologies"]["topdown_methodology"]["metric_grouping"].values()
    names = {name for stage in stages for group in stage for name in groups[group]["metrics"]}
    needs = {frozenset(spec["metrics"][name]["events"]) - FIXED for name in names} - {frozenset()}
    fit = {need for need in needs if len(need) <= counters}
    fit |= {frozenset([event]) for need in needs - fit for event in need}
    largest = sorted((s for s in fit if not any(s < other for other in fit)), key=sorted)
    number = {event: i for i, event in enumerate(sorted(set().union(*largest)))}
    return [sum(1 << number[event] for event in s) for s in largest], len(number)


def cbc(text):
    """Solve a program in the LP format. Returns the values that are not 0; None: infeasible."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "program.lp")
        path.write_text(text + "\nEnd\n")
        answer = pathlib.Path(folder, "answer")
        subprocess.run(["cbc", str(path), "ratio", "0", "solve", "solu", str(answer)],
                       stdout=subprocess.DEVNULL, check=True)
        lines = answer.read_text().splitlines()
    if lines[0].startswith("Infeasible") or lines[0].startswith("Integer infeasible"):
        return None
    assert lines[0].startswith("Optimal"), lines[0]
    return {f[1]: float(f[2]) for f in (line.replace("**", "").split() for line in lines[1:])}


def rows(terms, sign, right):
    return " + ".join(terms) + f" {sign} {right}"


def members(bits):
    return [i for i in range(bits.bit_length()) if bits >> i & 1]


def served(sets, weights, events):
    return sum(w for s, w in zip(sets, weights) if not s & ~events)


def best_pass(sets, n_events, counters, weights):
    """The pass that serves the greatest weight, by an integer program. Weights are integers."""
    used = [i for i, w in enumerate(weights) if w > 0]
    text = ["Maximize", " o: " + " + ".join(f"{weights[i]} z{i}" for i in used), "Subject To",
            " c: " + rows((f"v{e}" for e in range(n_events)), "<=", counters)]
    text += [f" r{i}_{e}: z{i} - v{e} <= 0" for i in used for e in members(sets[i])]
    text += ["Bounds"] + [f" z{i} <= 1" for i in used]
    text += ["Binary", " " + " ".join(f"v{e}" for e in range(n_events))]
    values = cbc("\n".join(text))
    return sum(1 << e for e in range(n_events) if values.get(f"v{e}", 0) > 0.5)


def some_pass(sets, counters, weights, rnd):
    """A good pass, quickly: greedy by weight per event."""
    events = 0
    while True:
        best = None
        for s in sets:
            more = events | s
            if more == events or bin(more).count("1") > counters:
                continue
            gain = served(sets, weights, more) - served(sets, weights, events)
            rate = gain / bin(more & ~events).count("1") * (0.6 + 0.8 * rnd.random())
            if best is None or rate > best[0]:
                best = rate, more
        if best is None:
            return events
        events = best[1]


def prove_by_weights(sets, n_events, counters):
    """Returns the weights, and the greatest weight that one pass serves."""
    rnd = random.Random(1)
    passes = set(sets) | {some_pass(sets, counters, [1] * len(sets), rnd) for _ in range(40)}
    while True:
        text = ["Maximize", " o: " + " + ".join(f"y{i}" for i in range(len(sets))), "Subject To"]
        for k, one in enumerate(sorted(passes)):
            text.append(f" r{k}: " + rows((f"y{i}" for i, s in enumerate(sets) if not s & ~one),
                                          "<=", 1))
        values = cbc("\n".join(text))
        weights = [max(0, int(values.get(f"y{i}", 0) * SCALE)) for i in range(len(sets))]
        new = {some_pass(sets, counters, weights, rnd) for _ in range(30)}
        new = {one for one in new if served(sets, weights, one) > SCALE * (1 + 1e-5)} - passes
        if not new:
            one = best_pass(sets, n_events, counters, weights)
            if served(sets, weights, one) <= SCALE * (1 + 1e-5):
                return weights, served(sets, weights, one)
            new = {one}
        passes |= new


def list_passes(sets, n_events, counters, weights, least):
    """All passes that serve weight @least or more and cannot be made larger."""
    degree = [sum(s >> e & 1 for s in sets) for e in range(n_events)]
    order = sorted(range(n_events), key=lambda e: -degree[e])
    found = []

    def visit(k, events, left, rest, gain):
        share = {}
        for s, w in rest:
            for e in members(s):
                share[e] = share.get(e, 0) + w / bin(s).count("1")
        if gain + sum(heapq.nlargest(left, share.values())) < least - 1e-3:
            return
        while k < n_events and order[k] not in share:
            k += 1
        if not left or k == n_events:
            if all(not s & ~events or bin(s | events).count("1") > counters for s in sets):
                found.append(events)
            return
        event = 1 << order[k]
        more = gain + sum(w for s, w in rest if s == event)
        inside = [(s & ~event, w) for s, w in rest if s != event]
        visit(k + 1, events | event, left - 1,
              [(s, w) for s, w in inside if bin(s).count("1") <= left - 1], more)
        visit(k + 1, events, left, [(s, w) for s, w in rest if not s & event], gain)

    visit(0, 0, counters, list(zip(sets, weights)), 0)
    return found


def is_possible(sets, passes, most):
    """Whether this number of the passes can serve everything."""
    text = ["Minimize", " o: " + " + ".join(f"x{k}" for k in range(len(passes))), "Subject To",
            " t: " + rows((f"x{k}" for k in range(len(passes))), "<=", most)]
    for i, s in enumerate(sets):
        able = [f"x{k}" for k, one in enumerate(passes) if not s & ~one]
        if not able:
            return False
        text.append(f" r{i}: " + rows(able, ">=", 1))
    text += ["Binary"] + [f" x{k}" for k in range(len(passes))]
    return cbc("\n".join(text)) is not None


def planned(pmuscope, cpu, counters, sets):
    run = subprocess.run([pmuscope, "plan", "-j", "--mcpu", cpu, "--counters", str(counters)],
                         capture_output=True, text=True, check=True)
    plan = json.loads(run.stdout)
    assert all(len(set(one["events"]) - FIXED) <= counters for one in plan["passes"])
    return len(plan["passes"])


def main():
    cpu, numbers = sys.argv[1], [int(word) for word in sys.argv[2].split(",")]
    pmuscope = sys.argv[3] if len(sys.argv) > 3 else None
    for counters in numbers:
        sets, n_events = load(cpu, counters)
        weights, heaviest = prove_by_weights(sets, n_events, counters)
        bound = -(-sum(weights) // heaviest)
        line = f"{cpu} {counters}: {n_events} events, {len(sets)} sets, " \
               f"weights {sum(weights) / heaviest:.3f}, bound {bound}"
        passes = planned(pmuscope, cpu, counters, sets) if pmuscope else bound
        while bound < passes:
            tight = list_passes(sets, n_events, counters, weights,
                                heaviest - (bound * heaviest - sum(weights)))
            possible = is_possible(sets, tight, bound)
            line += f"; {bound} of {len(tight)} passes: {'possible' if possible else 'infeasible'}"
            if possible:
                break
            bound += 1
        if pmuscope:
            line += f"; planned {passes}: {'fewest' if bound == passes else 'NOT PROVED'}"
        print(line, flush=True)


main()

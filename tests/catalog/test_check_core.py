#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/check_core.py finds each fault: every case breaks a copy of Neoverse V1's core.json in one place."""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1])
GOOD = json.loads((ROOT / "cpus/neoverse-v1/core.json").read_text())
EVENTS = (ROOT / "cpus/neoverse-v1/telemetry.json").read_text()


def put(*path_and_value):
    *path, last, value = path_and_value

    def change(core):
        for key in path:
            core = core[key]
        core[last] = value
    return change


def drop(*path):
    def change(core):
        for key in path[:-1]:
            core = core[key]
        del core[path[-1]]
    return change


# what is broken, how, and a part of the message that must name it
CASES = [
    ("nothing", lambda core: None, None),
    ("a section is missing", drop("limits"), "core.limits: is missing"),
    ("a parameter is missing", drop("parameters", "slots"), "parameters.slots: is missing"),
    ("a parameter is unknown", put("parameters", "slot", {"value": 8, "source": "a mistyped name"}),
     "parameters.slot: is not known"),
    ("a value is out of bounds", put("parameters", "slots", "value", 17), "parameters.slots: 17 is not"),
    ("a value is no number", put("parameters", "slots", "value", True), "parameters.slots: True is not"),
    ("a source is missing", drop("parameters", "slots", "source"), "parameters.slots.source: "),
    ("a choice without a reason", put("parameters", "slots", "source", "chosen by guessing"),
     "parameters.slots.source: a chosen number"),
    ("stages do not add up", put("parameters", "fetch_to_rename", "value", 7),
     "mispredict_penalty: is not 1 + fetch_to_rename + rename_to_issue = 13"),
    ("sets are not a power of two", put("parameters", "l1d_bytes", "value", 49152), "parameters.l1d_bytes: its sets"),
    ("latencies are out of order", put("parameters", "l2_latency", "value", 100), "l2_latency: is greater than slc_latency"),
    ("a class is missing", drop("ops", "div64"), "ops.div64: is missing"),
    ("a class is unknown", put("ops", "div128", {}), "ops.div128: is not known"),
    ("a port is unknown", put("ops", "alu", "ports", ["S0", "S2"]), "ops.alu.ports: "),
    ("a port stands twice", put("ops", "alu", "ports", ["S0", "S0"]), "ops.alu.ports: "),
    ("a queue is unknown", put("ops", "alu", "queue", "integer"), "ops.alu.queue: "),
    ("a queue without ports", put("ops", "alu", "ports", []), "ops.alu: has a queue without ports"),
    ("a port is never busy", put("ops", "alu", "busy", 0), "ops.alu.busy: 0 is not"),
    ("a key of a class is mistyped", put("ops", "alu", "latancy", 1), "ops.alu.latancy: is not known"),
    ("an event is missing", drop("events", "L2D_TLB_RD"), "events.L2D_TLB_RD: is missing"),
    ("an event is always 0, and no reason", put("events", "REMOTE_ACCESS", "zero", ""), "events.REMOTE_ACCESS.zero: "),
    ("an event is always 0, and counted", put("events", "REMOTE_ACCESS", "counter", "CPU_CYCLES"),
     "events.REMOTE_ACCESS.counter: is not known"),
    ("an event is unknown", put("events", "CYCLES", {"class": "exact", "counter": "CPU_CYCLES"}),
     "events.CYCLES: is not known"),
    ("a class of event is unknown", put("events", "CPU_CYCLES", "class", "guessed"), "events.CPU_CYCLES.class: "),
    ("a counter is unknown", put("events", "CPU_CYCLES", "counter", "CYCLES"), "events.CPU_CYCLES.CYCLES: "),
    ("a counter is used by no event", put("events", "SW_INCR", "counter", "CPU_CYCLES"),
     "events: no event is made of the counter SW_INCR"),
    ("a sum counts twice", put("events", "L1D_CACHE", "sum", ["L1D_CACHE_RD", "L1D_CACHE_RD"]),
     "events.L1D_CACHE: counts a counter twice"),
    ("a total is not its parts", put("events", "L1D_TLB", "sum", ["L1D_TLB_RD", "L2D_TLB_WR"]),
     "events.L1D_TLB: is not L1D_TLB_RD + L1D_TLB_WR"),
    ("a cause of empty slots is left out", put("events", "STALL_SLOT_BACKEND", "sum", ["BE_SLOT_ROB", "BE_SLOT_IQ"]),
     "events.STALL_SLOT_BACKEND: is not the sum of all BE_SLOT_"),
    ("no reason for an unmodelled event", drop("events", "CHAIN", "because"), "events.CHAIN.because: "),
    ("a limit is no sentence", put("limits", 0, "no"), "limits[0]: should be a sentence"),
]


def check(text):
    """The faults that the tool prints for this core.json."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "core.json"
        path.write_text(text)
        path.with_name("telemetry.json").write_text(EVENTS)
        done = subprocess.run([sys.executable, ROOT / "tools/check_core.py", "--root", ROOT, path],
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr


def failed(name, code, out, want):
    good = (code == 0 and not out) if want is None else (code == 1 and want in out)
    if not good:
        print(f"{name}: status {code}, wanted {want!r}, got:\n{out}")
    return not good


def main():
    failures = 0
    for name, change, want in CASES:
        core = copy.deepcopy(GOOD)
        change(core)
        failures += failed(name, *check(json.dumps(core)), want)
    twice = json.dumps(GOOD).replace('"slots":', '"slots": {}, "slots":', 1)
    failures += failed("a key stands twice", *check(twice), "slots: stands twice")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

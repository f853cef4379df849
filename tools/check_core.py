#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check that a CPU's core.json is complete and agrees with itself.

usage: check_core.py [--root DIR] core.json...

The names come from the headers that the core model is compiled from (parameters and their bounds,
execution classes, ports, queues, counters) and from the telemetry.json beside the core.json (events),
so that neither can gain or lose a name unnoticed. Prints every fault with its place; exit status 1 if
there is one.
"""
import argparse
import json
import pathlib
import re
import sys

import core_base

PARAMS_H = "src/vcore/share/params.h"
COUNTERS_H = "src/vcore/share/counters.h"
INSN_H = "src/vcore/isa/a64/a64_isa.h"

TOP = {"name", "document", "parameters", "ports", "queues", "slots", "fusion", "ops", "events", "rules", "limits"}
CLASSES = {"exact", "modelled", "not_modelled"}

# Counters for the model's own checks and warnings: no event is made of these.
INTERNAL = {
    "FLUSHED_BRANCH", "FLUSHED_ORDER", "FLUSHED_FAULT", "L1D_PREFETCH_FILL", "L2D_NEXT_LINE",
    "L1I_PREFETCH_FILL",
    "UNSEEN_ACCESSES", "UNSEEN_ZEROING", "UNSEEN_PREFETCHES", "ATOMICS", "UNKNOWN_WRONG_PATH", "ODD_SUCCESSORS",
}

# bytes, ways, entry size: the number of sets must be a power of two
CACHES = [
    ("l1i_bytes", "l1i_ways", 64),
    ("l1d_bytes", "l1d_ways", 64),
    ("l2_bytes", "l2_ways", 64),
    ("slc_bytes", "slc_ways", 64),
    ("mop_cache_windows", "mop_cache_ways", None),
    ("btb_main_entries", "btb_main_ways", None),
    ("btb_far_entries", "btb_far_ways", None),
    ("l2_tlb_entries", "l2_tlb_ways", None),
]

# each must not be greater than the next
ORDERS = [
    ("l1d_latency", "l2_latency", "slc_latency", "dram_latency"),
    ("l1d_tlb_entries", "l2_tlb_entries"),
    ("btb_nano_entries", "btb_main_entries"),
    ("decode_width", "fetch_width", "slots"),
    ("l1d_mshrs", "l2_mshrs"),
    ("load_queue", "rob_entries"),
    ("store_queue", "rob_entries"),
]


def macro_body(text, name):
    """The lines of an X-macro: from its #define to the first line without a backslash."""
    found = re.search(r"#define " + name + r"\(X\)((?:.*\\\n)*.*\n)", text)
    if not found:
        raise SystemExit(f"check_core: no {name} in the headers")
    return found.group(1)


class Names:
    """What the headers name."""

    def __init__(self, root):
        read = lambda path: (root / path).read_text()
        params = read(PARAMS_H)
        rows = re.findall(r"X\((\w+), (\d+), (\d+), \"", macro_body(params, "PMS_PARAMS"))
        self.params = {name: (int(least), int(most)) for name, least, most in rows}
        self.ops = set(re.findall(r'X\(\w+, "(\w+)"\)', macro_body(read(INSN_H), "PMS_OPS")))
        isa = read(INSN_H)
        self.forms = set(re.findall(r'X\(\w+, "(\w+)"\)', macro_body(isa, "PMS_FORMS"))) - {"one"}
        self.halves = set(re.findall(r'X\(\w+, "(\w+)"\)', macro_body(isa, "PMS_FUSES"))) - {"none"}
        self.counters = set(re.findall(r"X\((\w+)\)", macro_body(read(COUNTERS_H), "PMS_COUNTERS")))


class Check:
    """One core.json; faults gather in .faults."""

    def __init__(self, path, names):
        self.path, self.names, self.faults = path, names, []
        own = self.load(path)
        self.has_base = "base" in own
        self.core = core_base.complete(own, path)

    def fault(self, place, text):
        self.faults.append(f"{self.path}: {place}: {text}")

    def load(self, path):
        def once(pairs):
            seen = {}
            for key, value in pairs:
                if key in seen:
                    self.fault(key, "stands twice")
                seen[key] = value
            return seen
        return json.loads(path.read_text(), object_pairs_hook=once)

    def same_names(self, place, have, want):
        for name in sorted(want - have):
            self.fault(f"{place}.{name}", "is missing")
        for name in sorted(have - want):
            self.fault(f"{place}.{name}", "is not known")

    def sentence(self, place, text, end=""):
        if not isinstance(text, str) or len(text) < 10 or not text.endswith(end):
            self.fault(place, "should be a sentence")

    def source(self, place, row):
        text = row.get("source")
        self.sentence(place + ".source", text)
        if isinstance(text, str) and text.startswith("chosen") and ", because " not in text:
            self.fault(place + ".source", 'a chosen number says "because"')

    def whole(self, place, value, least, most):
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            self.fault(place, f"{value!r} is not a whole number from {least} to {most}")

    def parameters(self):
        rows = self.core["parameters"]
        self.same_names("parameters", set(rows), set(self.names.params))
        for name, row in rows.items():
            place = "parameters." + name
            self.same_names(place, set(row), {"value", "source"})
            self.source(place, row)
            if name in self.names.params:
                self.whole(place, row.get("value"), *self.names.params[name])

    def value(self, name):
        return self.core["parameters"].get(name, {}).get("value", 0)

    def agreement(self):
        refill = 1 + self.value("fetch_to_rename") + self.value("rename_to_issue")
        if self.value("mispredict_penalty") != refill:
            self.fault("parameters.mispredict_penalty",
                       f"is not 1 + fetch_to_rename + rename_to_issue = {refill}")
        for size, ways, entry in CACHES:
            each = self.value(ways) * (entry or 1)
            sets, rest = divmod(self.value(size), each) if each else (0, 1)
            if self.value(size) and (rest or sets & (sets - 1)):
                self.fault("parameters." + size, f"its sets of {ways} are not a power of two")
        for order in ORDERS:
            for low, high in zip(order, order[1:]):
                if self.value(low) > self.value(high):
                    self.fault("parameters." + low, f"is greater than {high}")

    def ports(self):
        row = self.core["ports"]
        self.same_names("ports", set(row), {"names", "source"})
        self.source("ports", row)
        if len(set(row["names"])) != len(row["names"]) or not 1 <= len(row["names"]) <= 32:
            self.fault("ports.names", "has a name twice, none or more than 32")

    def queues(self):
        for name, row in self.core["queues"].items():
            self.same_names("queues." + name, set(row), {"entries", "source"})
            self.source("queues." + name, row)
            self.whole("queues." + name, row.get("entries"), 1, 127)

    def slots(self):
        for name, row in self.core["slots"].items():
            place = "slots." + name
            if name not in self.names.forms:
                self.fault(place, "is not known")
            self.same_names(place, set(row), {"value", "source"})
            self.source(place, row)
            self.whole(place, row.get("value"), 1 if self.has_base else 2, 15)

    def fusion(self):
        for i, row in enumerate(self.core["fusion"]):
            place = f"fusion[{i}]"
            self.same_names(place, set(row), {"first", "second", "source"})
            self.source(place, row)
            for half in ("first", "second"):
                if row.get(half) not in self.names.halves:
                    self.fault(f"{place}.{half}", "is not known")

    def ops(self):
        rows = self.core["ops"]
        self.same_names("ops", set(rows), self.names.ops)
        for name, row in rows.items():
            place = "ops." + name
            for key in sorted(set(row) - {"latency", "busy", "ports", "queue", "source"}):
                self.fault(f"{place}.{key}", "is not known")
            self.source(place, row)
            self.whole(place + ".latency", row.get("latency"), 0, 255)
            self.whole(place + ".busy", row.get("busy", 1), 1, 255)
            ports = row.get("ports", [])
            if len(set(ports)) != len(ports) or set(ports) - set(self.core["ports"]["names"]):
                self.fault(place + ".ports", "names a port twice or one that there is not")
            if row.get("queue") not in {"none", *self.core["queues"]}:
                self.fault(place + ".queue", "is not a queue")
            if (row.get("queue") == "none") != (not ports):
                self.fault(place, "has a queue without ports or ports without a queue")

    def terms(self, name):
        """The counters that make up an event, sorted; a subtracted one with its sign. None: no value."""
        row = self.core["events"].get(name, {})
        if row.get("class") not in {"exact", "modelled"} or "zero" in row:
            return None
        return sorted([row["counter"]] if "counter" in row else row.get("sum", []))

    def event(self, name, row):
        place = "events." + name
        kind = row.get("class")
        if kind not in CLASSES:
            self.fault(place + ".class", f"{kind!r} is not one of {', '.join(sorted(CLASSES))}")
        elif kind == "not_modelled":
            self.same_names(place, set(row), {"class", "because"})
            self.sentence(place + ".because", row.get("because"), ".")
        elif "zero" in row:
            self.same_names(place, set(row), {"class", "zero"})
            self.sentence(place + ".zero", row["zero"], ".")
        else:
            self.same_names(place, set(row), {"class", "sum" if "sum" in row else "counter"})
            terms = self.terms(name)
            plain = [term.removeprefix("-") for term in terms]
            if len(set(plain)) != len(plain) or ("sum" in row and len(plain) < 2):
                self.fault(place, "counts a counter twice, or is a sum of one")
            for term in sorted(set(plain) - self.names.counters):
                self.fault(f"{place}.{term}", "is not a counter of the model")

    def events(self):
        rows = self.core["events"]
        for name, row in rows.items():
            self.event(name, row)
        used = {t.removeprefix("-") for name in rows for t in self.terms(name) or []}
        unused = set() if self.has_base else self.names.counters - used - INTERNAL
        for name in sorted(unused):
            self.fault("events", f"no event is made of the counter {name}")
        catalog = self.path.with_name("telemetry.json")
        if catalog.exists():
            self.same_names("events", set(rows), set(json.loads(catalog.read_text())["events"]))

    def totals(self):
        """An event that is the sum of two others by definition is made of their counters."""
        rows = self.core["events"]
        pairs = [(name, name + "_RD", name + "_WR") for name in rows]
        pairs += [("STALL_SLOT", "STALL_SLOT_FRONTEND", "STALL_SLOT_BACKEND"),
                  ("STALL", "STALL_FRONTEND", "STALL_BACKEND"),
                  ("UNALIGNED_LDST_SPEC", "UNALIGNED_LD_SPEC", "UNALIGNED_ST_SPEC")]
        for total, one, other in pairs:
            parts = [self.terms(total), self.terms(one), self.terms(other)]
            if None not in parts and parts[0] != sorted(parts[1] + parts[2]):
                self.fault("events." + total, f"is not {one} + {other}")
        for side, prefix in (("FRONTEND", "FE_SLOT_"), ("BACKEND", "BE_SLOT_")):
            causes = sorted(c for c in self.names.counters if c.startswith(prefix))
            if self.terms("STALL_SLOT_" + side) not in (None, causes):
                self.fault("events.STALL_SLOT_" + side, f"is not the sum of all {prefix} causes")

    def run(self):
        self.same_names("core", set(self.core), TOP)
        if TOP - set(self.core):
            return self.faults
        self.sentence("document", self.core["document"])
        self.parameters()
        self.agreement()
        self.ports()
        self.queues()
        self.slots()
        self.fusion()
        self.ops()
        self.events()
        self.totals()
        for name, text in self.core["rules"].items():
            self.sentence("rules." + name, text, ".")
        for i, text in enumerate(self.core["limits"]):
            self.sentence(f"limits[{i}]", text, ".")
        return self.faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent,
                        help="the project's source tree, for the headers")
    parser.add_argument("cores", nargs="+", type=pathlib.Path, metavar="core.json")
    options = parser.parse_args()
    names = Names(options.root)
    faults = [fault for path in options.cores for fault in Check(path, names).run()]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make cpus/riscv/relations.json: what "RISC-V Performance Events" says of its events together.

    tools/riscv_relations.py            write it
    tools/riscv_relations.py --check    exit with 1 if what is there differs from what would be written

The names are built of parts, and so are the relations: a law below holds for every event whose
name has its form. docs/development/catalog.md describes the file. What the document leaves open makes no
relation: whether a MERGE is a MISS as well, and sums of the tree below Level 1.
"""

import argparse
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
from make_riscv import layout  # noqa: E402

TELEMETRY = ROOT / "cpus" / "riscv" / "telemetry.json"
OUTPUT = ROOT / "cpus" / "riscv" / "relations.json"

STAGES = ("RET", "SPEC")
DIRECT = ("DIR.CALL", "DIR.JUMP", "DIR.LJUMP")

# A type or union of transfers, and its parts; each part counts once.
TRANSFERS = {
    "": ("BRANCH", "IND", "DIR", "CORSWAP", "RETURN", "TRAPRET"),
    "BRANCH": ("BRANCH.TK", "BRANCH.NT"),
    "IND": ("IND.CALL", "IND.JUMP", "IND.LJUMP"),
    "DIR": DIRECT,
    "PRED": ("BRANCH", "IND", "CORSWAP", "RETURN"),
    "JUMP": ("IND.JUMP", "IND.LJUMP", "DIR.JUMP", "DIR.LJUMP"),
    "CALL": ("IND.CALL", "DIR.CALL"),
    "RETALL": ("RETURN", "CORSWAP"),
    "CALLALL": ("CALL", "CORSWAP"),
    "UNCOND": ("IND", "DIR", "CORSWAP", "RETURN", "TRAPRET"),
    "TK": ("BRANCH.TK", "UNCOND"),
}


def dotted(*parts):
    return ".".join(part for part in parts if part)


class Relations:
    def __init__(self, events):
        self.events, self.rows = events, []

    def add(self, kind, lhs, rhs, section, note, condition=None):
        """A row over lists of events; none when an event is missing."""
        if not all(name in self.events for name in lhs + rhs):
            return
        mark = {"sum": "is", "equal": "equals", "subset": "in", "at_least": "covers"}[kind]
        name = "-".join([lhs[0], mark, *(rhs if len(rhs) == 1 else ["parts"])])
        self.rows.append({
            "id": name.lower().replace(".", "-").replace("_", "-"), "kind": kind,
            "lhs": " + ".join(lhs), "rhs": " + ".join(rhs), "condition": condition,
            "section": section, "note": note, "origin": "document"})

    def sum(self, whole, parts, section, note):
        parts = [part for part in parts if part in self.events]
        if parts:
            self.add("sum" if len(parts) > 1 else "equal", [whole], parts, section, note)

    def subset(self, part, whole, section, note, condition=None):
        self.add("subset", [part], [whole], section, note, condition)

    def stages(self):
        for name in self.events:
            if name.endswith(".RET"):
                self.subset(name, name[:-3] + "SPEC", "RISC-V Performance Events, introduction",
                            "What retires was executed first: the speculative count has it, too.")

    def categories(self):
        section = "INST (Instruction) Events"
        for stage in STAGES:
            for category in ("BRJMP", "MISPRED", "LOAD", "STORE", "LDST", "MO", "INT", "FP",
                             "RVV", "RVC"):
                self.subset(f"INST.{category}.{stage}", f"INST.{stage}", section,
                            "A category is a part of all instructions.")
            self.union("INST", "", stage, section)

    def union(self, prefix, suffix, stage, section):
        """The loads, the stores, and those that do either or both."""
        self.either(*(dotted(prefix, kind, suffix, stage) for kind in ("LDST", "LOAD", "STORE")),
                    section, "LDST is the union of LOAD and STORE")

    def either(self, whole, one, other, section, note):
        """A union of two, which may share members; equal to one of them where only that exists."""
        if other not in self.events:
            self.sum(whole, [one], section, f"{note}.")
            return
        for part in (one, other):
            self.subset(part, whole, section, f"{note}.")
        self.add("at_least", [one, other], [whole], section,
                 f"{note}; what does both, such as an AMO, is in it once.")

    def transfers(self):
        section = "Control Transfer Instruction Events"
        for stage in STAGES:
            for group in ("BRJMP", "MISPRED"):
                for whole, parts in TRANSFERS.items():
                    self.sum(dotted("INST", group, whole, stage),
                             [dotted("INST", group, part, stage) for part in parts], section,
                             "Each transfer is of one type.")
            for name in TRANSFERS:
                self.subset(dotted("INST.MISPRED", name, stage), dotted("INST.BRJMP", name, stage),
                            section, "Each mispredicted transfer is a transfer.")
            for direction in ("TK", "NT"):
                self.subset(f"INST.MISPRED.BRANCH.{direction}.{stage}",
                            f"INST.BRJMP.BRANCH.{direction}.{stage}", section,
                            "Each mispredicted transfer is a transfer.")
            self.subset(f"INST.MISPRED.{stage}", f"INST.BRJMP.PRED.{stage}", section,
                        "PRED is implicit for MISPRED: only what is predicted can be mispredicted.")

    def qualifiers(self):
        """UC, DSRC.* and ASRC.* of the events that have them, without their stage."""
        names = [name.split(".") for name in self.events if name.startswith("LDST.")]
        return sorted({".".join(parts[1:-1]) for parts in names})

    def memory(self):
        section = "Memory Access Instruction Events; LOAD, STORE, and LDST Events"
        for stage in STAGES:
            for qualifier in self.qualifiers():
                if qualifier:
                    self.union("INST", qualifier, stage, section)
                self.union("", qualifier, stage, section)
                for kind in ("LOAD", "STORE", "LDST"):
                    self.of_kind(kind, qualifier, stage, section)

    def of_kind(self, kind, qualifier, stage, section):
        access = dotted(kind, qualifier, stage)
        self.subset("INST." + access, access, section,
                    "An instruction counts once, each of its accesses counts. A vector instruction of "
                    "length 0 has none.",
                    None if qualifier else {"configuration": "no_empty_vectors"})
        if qualifier:
            for prefix in ("", "INST"):
                self.subset(dotted(prefix, access), dotted(prefix, kind, stage), section,
                            "A source or kind is a part of all.")

    def vectors(self):
        section = "Vector Instruction Events"
        for stage in STAGES:
            for mode in ("", "UNIT", "IDXU", "STRD", "IDXO"):
                self.sum(dotted("INST.RVV.LDST", mode, stage),
                         [dotted("INST.RVV", kind, mode, stage) for kind in ("LOAD", "STORE")],
                         section, "A vector instruction loads or stores, never both.")
                for kind in ("LOAD", "STORE", "LDST"):
                    if mode:
                        self.subset(f"INST.RVV.{kind}.{mode}.{stage}", f"INST.RVV.{kind}.{stage}",
                                    section, "An addressing mode is a part of all.")
            for name in ("LOAD", "STORE", "LDST", "CFG", "ARITH"):
                self.subset(f"INST.RVV.{name}.{stage}", f"INST.RVV.{stage}", section,
                            "A type is a part of all.")
            for name in ("INT", "FP"):
                self.subset(f"INST.RVV.ARITH.{name}.{stage}", f"INST.RVV.ARITH.{stage}", section,
                            "A type is a part of all.")

    def caches(self):
        section = "CACHE Events"
        for cache in ("L1D", "L1I", "L2", "L3", "LL"):
            for result in ("ACCESS", "HIT", "MISS", "MERGE"):
                read = f"CACHE.{cache}.RD.{result}"
                self.either(f"CACHE.{cache}.RW.{result}", read, f"CACHE.{cache}.WR.{result}",
                            section, "RW is the union of RD and WR")
                for part in ("DATA", "PREF", "CODE"):
                    self.subset(f"CACHE.{cache}.RD.{part}.{result}", read, section,
                                "A subset of the reads, by name.")
            for kind in ("RD", "RD.DATA", "RD.PREF", "RD.CODE", "WR", "RW"):
                self.lookups(f"CACHE.{cache}.{kind}", ("HIT", "MISS", "MERGE"), section)
            self.snoops(f"CACHE.{cache}.SNOOP", section)

    def lookups(self, name, results, section):
        for result in results:
            self.subset(f"{name}.{result}", f"{name}.ACCESS", section,
                        "A result of a lookup.")
        self.subset(f"{name}.MISS.CYCLES", "CYCLES.HART", section,
                    "Core cycles, of which some have a miss outstanding.")

    def snoops(self, name, section):
        for result in ("ACCESS", "HIT", "HITM", "MISS"):
            self.sum(f"{name}.{result}", [f"{name}.{side}.{result}" for side in
                                          ("LOCAL", "REMOTE")], section,
                     "Without LOCAL or REMOTE all snoops count.")
        for side in ("", "LOCAL", "REMOTE"):
            self.lookups(dotted(name, side), ("HIT", "HITM", "MISS"), section)

    def tlbs(self):
        section = "TLB Events"
        for tlb in ("L1D", "L1I", "LL"):
            for result in ("ACCESS", "HIT", "MISS", "MERGE"):
                self.either(f"TLB.{tlb}.LDST.{result}", f"TLB.{tlb}.LOAD.{result}",
                            f"TLB.{tlb}.STORE.{result}", section,
                            "LDST is for loads and stores")
            for kind in ("LOAD", "STORE", "LDST", "CODE"):
                self.lookups(f"TLB.{tlb}.{kind}", ("HIT", "MISS", "MERGE"), section)

    def slots(self):
        section = "Topdown Microarchitecture Analysis"
        self.sum("TOPDOWN.SLOTS",
                 [f"TOPDOWN.{name}.SLOTS" for name in
                  ("FRONTEND_BOUND", "BACKEND_BOUND", "BAD_SPECULATION")] + ["UOP.RET"], section,
                 "Level 1 divides all slots; its parts are exact, unlike those of the levels below.")
        memory = "TOPDOWN.BACKEND_BOUND.MEMORY"
        for chain in ((f"{memory}.ADDR", f"{memory}.ADDR.TLB.L1_MISS",
                       f"{memory}.ADDR.TLB.LL_MISS"),
                      (f"{memory}.DATA", *(f"{memory}.DATA.{level}_MISS"
                                           for level in ("L1", "L2", "L3", "LL")))):
            for whole, part in zip(chain, chain[1:]):
                self.subset(f"{part}.SLOTS", f"{whole}.SLOTS", section,
                            "What waits for a miss of a level has missed the levels before it.")


def relations(telemetry):
    made = Relations(telemetry["events"])
    for law in (made.stages, made.categories, made.transfers, made.memory, made.vectors,
                made.caches, made.tlbs, made.slots):
        law()
    configurations = {"no_empty_vectors": "No vector load or store of length 0 is executed"}
    return {"source": "RISC-V Performance Events", "configurations": configurations,
            "relations": made.rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    options = parser.parse_args()
    telemetry = json.loads(TELEMETRY.read_text(encoding="utf-8"))
    text = layout(relations(telemetry)) + "\n"
    if not options.check:
        OUTPUT.write_text(text, encoding="utf-8")
    elif OUTPUT.read_text(encoding="utf-8") != text:
        print(f"{OUTPUT} is not what tools/riscv_relations.py makes: run it", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""RISC-V's catalog against what was written down apart from it.

    tests/catalog/test_riscv.py SOURCE_ROOT

Names against tests/data/riscv-names.txt, both ways; names and formulas against the published event
files (tests/data/riscv-published.txt), with each difference listed here; transfer types against a
classifier of its own, and the relations of transfers against a crowd of them; tools/check_riscv.py against data broken in ways that it has to see.
"""

import copy
import itertools
import json
import pathlib
import random
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
from check_riscv import RiscvCheck  # noqa: E402
from check_telemetry import Formula, read_json  # noqa: E402

RISCV = ROOT / "cpus" / "riscv"
DATA = ROOT / "tests" / "data"
failures = []


def fail(text):
    failures.append(text)


def names_of(text):
    """All names that a line with braces stands for."""
    parts = re.split(r"\{([^}]*)\}", text)
    choices = [part.split(",") if i % 2 else [part] for i, part in enumerate(parts)]
    return ["".join(choice) for choice in itertools.product(*choices)]


def check_names(events):
    want = []
    for line in (DATA / "riscv-names.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            want += names_of(line.removeprefix("+ "))
    for name in {name for name in want if want.count(name) > 1}:
        fail(f"riscv-names.txt: {name} stands there twice")
    for name in sorted(set(want) - set(events)):
        fail(f"event {name} is missing")
    for name in sorted(set(events) - set(want)):
        fail(f"event {name} is one too many")


# Published metrics that are not in the catalog as they are: the name there, and by hand what has
# to be computed, in percent where the published scale is that. docs/model/discrepancies.md gives reasons.
MEMORY = "TOPDOWN.BACKEND_BOUND.MEMORY"
CORRECTED = {
    "CACHE.L1I.MPKI": ("CACHE.L1I.RD.CODE.MPKI", None),
    "TOPDOWN.BAD_SPECULATION": ("TOPDOWN.BAD_SPECULATION.RATE", None),
    "TOPDOWN.BAD_SPECULATION.OTHER.RATE": (
        None, "(TOPDOWN.BAD_SPECULATION.SLOTS - TOPDOWN.BAD_SPECULATION.MISPRED.SLOTS"
        " - TOPDOWN.BAD_SPECULATION.MEM_ORDERING.SLOTS) / TOPDOWN.SLOTS"),
    "TOPDOWN.BACKEND_BOUND.MEMORY_BOUND.ADDR_BOUND.TLB_L2_BOUND.RATE": (
        "TOPDOWN.BACKEND_BOUND.MEMORY_BOUND.ADDR_BOUND.TLB_LL_BOUND.RATE",
        f"({MEMORY}.ADDR.TLB.L1_MISS.SLOTS - {MEMORY}.ADDR.TLB.LL_MISS.SLOTS) / TOPDOWN.SLOTS"),
    "TOPDOWN.BACKEND_BOUND.MEMORY_BOUND.ADDR_BOUND.PAGE_WALK_BOUND.RATE": (
        None, f"{MEMORY}.ADDR.TLB.LL_MISS.SLOTS / TOPDOWN.SLOTS"),
    "TOPDOWN.BACKEND_BOUND.MEMORY_BOUND.DATA_BOUND.EXTERNAL_MEM_BOUND.RATE": (
        None, f"{MEMORY}.DATA.LL_MISS.SLOTS / TOPDOWN.SLOTS"),
}

# Published events that the document's naming leaves no place for.
DROPPED = re.compile(r".*\.ASRC\.\w+\.MERGE(\.RET)?")


def published():
    events, metrics = [], []
    for line in (DATA / "riscv-published.txt").read_text(encoding="utf-8").splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "event":
            events.append(rest)
        elif kind == "metric":
            name, _, formula = rest.partition(" = ")
            metrics.append((name.removesuffix(" 100%"), name.endswith(" 100%"), formula))
    return events, metrics


def check_published_events(events, names):
    aliases = {alias for event in events.values()
               for alias in event.get("properties", {}).get("aliases", ())}
    for name in names:
        known = name in events or name in aliases
        if known == bool(DROPPED.fullmatch(name)):
            fail(f"published event {name}: " + ("is to be left out" if known else "is missing"))


def expand(formula, table):
    """A published formula over metrics with their formulas in their place."""
    for name, _, text in table:
        if name.startswith("RVV."):
            formula = re.sub(rf"(?<![\w.]){re.escape(name)}(?![\w.])", f"({text})", formula)
    return formula


def check_published_metrics(metrics, table):
    rng = random.Random(2)
    for name, percent, text in table:
        ours, corrected = CORRECTED.get(name, (None, None))
        ours = ours or name
        if ours not in metrics:
            fail(f"published metric {name} is missing")
            continue
        want = Formula(expand(expand(corrected or text, table), table))
        got = Formula(metrics[ours]["formula"])
        counts = {event: rng.randrange(1, 10**9) for event in want.names + got.names}
        factor = 100 if percent else 1
        if set(want.names) != set(got.names) or want.value(counts) * factor != got.value(counts):
            fail(f"metric {ours}: {got.text} is not {want.text}, times {factor}")


def jalr_type(rd, rs1):
    """The type of a JALR, written down from the trace specification's hints for return stacks."""
    link = (1, 5)
    if rs1 in link and rd not in link:
        return "RETURN"
    if rs1 in link and rd in link and rs1 != rd:
        return "CORSWAP"
    if rd in link:
        return "IND.CALL"
    return "IND.LJUMP" if rd else "IND.JUMP"


def jal_type(rd):
    return "DIR.CALL" if rd in (1, 5) else "DIR.LJUMP" if rd else "DIR.JUMP"


def holds(rule, opcode, rd, rs1):
    return (opcode in rule["opcodes"]
            and ("rd" not in rule or rd in rule["rd"]) and rd not in rule.get("rd_not", ())
            and ("rs1" not in rule or rs1 in rule["rs1"]) and rs1 not in rule.get("rs1_not", ()))


def check_transfers(transfers, events):
    def types(opcode, rd, rs1):
        return [one["type"] for one in transfers["types"]
                if any(holds(rule, opcode, rd, rs1) for rule in one["rules"])]

    cases = [("JALR", rd, rs1, jalr_type(rd, rs1)) for rd in range(32) for rs1 in range(32)]
    cases += [("JAL", rd, None, jal_type(rd)) for rd in range(32)]
    # The compressed forms are the ones above with rd given: C.JALR links to x1, C.JR to none.
    cases += [("C.JALR", 1, rs1, jalr_type(1, rs1)) for rs1 in range(1, 32)]
    cases += [("C.JR", 0, rs1, jalr_type(0, rs1)) for rs1 in range(1, 32)]
    cases += [("C.J", 0, None, "DIR.JUMP"), ("C.JAL", 1, None, "DIR.CALL"),
              ("CM.JT", None, None, "DIR.JUMP"), ("CM.JALT", None, None, "DIR.CALL"),
              ("CM.POPRET", None, None, "RETURN"), ("CM.POPRETZ", None, None, "RETURN"),
              ("MRET", None, None, "TRAPRET"), ("SRET", None, None, "TRAPRET"),
              ("BEQ", None, 1, "BRANCH"), ("C.BNEZ", None, None, "BRANCH"),
              ("ADDI", 1, 5, None)]
    for opcode, rd, rs1, want in cases:
        if types(opcode, rd, rs1) != ([want] if want else []):
            fail(f"{opcode} rd {rd} rs1 {rs1}: {types(opcode, rd, rs1)}, not {want}")
    for one in transfers["types"] + transfers["unions"]:
        if f"INST.BRJMP.{one['type']}.RET" not in events:
            fail(f"transfer type {one['type']} has no event")
        for part in one.get("of", ()):
            if part not in [other["type"] for other in transfers["types"]]:
                fail(f"union {one['type']}: {part} is no type")


def check_transfer_texts(events):
    """The text of an event says which instructions it counts. By the document's table of types."""
    wanted = {
        "INST.BRJMP.IND.CALL.RET": "JALR (rd x1, rs1 not x5), JALR (rd x5, rs1 not x1), C.JALR (rs1 not x5).",
        "INST.MISPRED.CORSWAP.SPEC": "JALR (rd x1, rs1 x5), JALR (rd x5, rs1 x1), C.JALR (rs1 x5).",
        "INST.BRJMP.DIR.JUMP.RET": "JAL (rd x0), C.J, CM.JT.",
        "INST.BRJMP.BRANCH.NT.RET": "BEQ, BNE, BLT, BGE, BLTU, BGEU, C.BEQZ, C.BNEZ.",
        "INST.BRJMP.RETALL.RET": "Types: RETURN, CORSWAP.",
    }
    for name, text in wanted.items():
        if text not in events[name]["description"]:
            fail(f"{name}: '{text}' is not in '{events[name]['description']}'")


def check_aliases(metrics):
    """Published names of metrics that the catalog has under others."""
    wanted = {
        "TOPDOWN.BAD_SPECULATION": "TOPDOWN.BAD_SPECULATION.RATE",
        "TOPDOWN.BACKEND_BOUND.MEMORY_BOUND.ADDR_BOUND.TLB_L2_BOUND.RATE":
            "TOPDOWN.BACKEND_BOUND.MEMORY_BOUND.ADDR_BOUND.TLB_LL_BOUND.RATE",
        "CACHE.L1I.MPKI": "CACHE.L1I.RD.CODE.MPKI",
    }
    got = {alias: name for name, metric in metrics.items()
           for alias in metric.get("properties", {}).get("aliases", ())}
    if got != wanted:
        fail(f"aliases of metrics: {got}")


def transfer_names(transfers, one, taken):
    """What counts a transfer of a type: the type, those that its name begins with, and unions."""
    names = ["", one["type"]] + [f"{one['type']}.{'TK' if taken else 'NT'}"] * (
        one["type"] == "BRANCH")
    for union in transfers["unions"]:
        if one["type"] in union["of"] or (taken and union.get("and") == f"{one['type']}.TK"):
            names.append(union["type"])
    return names


def check_transfer_relations(transfers, events):
    """A crowd of transfers, counted by transfer-types.json, keeps the relations about them."""
    rng = random.Random(5)
    counts = dict.fromkeys(events, 0)
    for _ in range(2000):
        one = rng.choice(transfers["types"])
        taken = one["type"] != "BRANCH" or rng.random() < 0.5
        missed = one["type"] != "TRAPRET" and not one["type"].startswith("DIR") and \
            rng.random() < 0.3
        for stage in ("RET", "SPEC") if rng.random() < 0.7 else ("SPEC",):
            for group in ["BRJMP"] + ["MISPRED"] * missed:
                for name in transfer_names(transfers, one, taken):
                    event = ".".join(part for part in ("INST", group, name, stage) if part)
                    if event in counts:
                        counts[event] += 1
    holds_when = {"sum": lambda a, b: a == b, "equal": lambda a, b: a == b,
                  "subset": lambda a, b: a <= b, "at_least": lambda a, b: a >= b}
    checked = 0
    for row in read_json(RISCV / "relations.json")["relations"]:
        lhs, rhs = Formula(row["lhs"]), Formula(row["rhs"])
        if all(re.match(r"INST\.(BRJMP|MISPRED)\.", name) for name in lhs.names + rhs.names):
            checked += 1
            if not holds_when[row["kind"]](lhs.value(counts), rhs.value(counts)):
                fail(f"relation {row['id']}: {lhs.value(counts)} and {rhs.value(counts)}")
    if checked < 80:
        fail(f"only {checked} relations of transfers")


def parts():
    return {name: read_json(RISCV / name) for name in ("telemetry.json", "advice.json")}


def rate(telemetry, name):
    return telemetry["metrics"][f"TOPDOWN.{name}.RATE"]


def neighbour(data):
    telemetry = data["telemetry.json"]
    rate(telemetry, "BAD_SPECULATION.OTHER").update(
        formula=rate(telemetry, "BAD_SPECULATION.MEM_ORDERING")["formula"],
        events=rate(telemetry, "BAD_SPECULATION.MEM_ORDERING")["events"])


def unknown_level(data):
    metric = rate(data["telemetry.json"], "FRONTEND_BOUND")
    metric["events"] = ["TOPDOWN.L5_MISS.SLOTS", "TOPDOWN.SLOTS"]
    metric["sample_events"] = ["TOPDOWN.L5_MISS.SLOTS"]
    metric["formula"] = "100 * TOPDOWN.L5_MISS.SLOTS / TOPDOWN.SLOTS"


def swapped(data):
    telemetry = data["telemetry.json"]
    one, other = rate(telemetry, "FRONTEND_BOUND"), rate(telemetry, "FRONTEND_BOUND.LATENCY")
    one["formula"], other["formula"] = other["formula"], one["formula"]
    one["events"], other["events"] = other["events"], one["events"]
    one["sample_events"], other["sample_events"] = other["sample_events"], one["sample_events"]


def missing_factor(data):
    rate(data["telemetry.json"], "RETIRING")["formula"] = "UOP.RET / TOPDOWN.SLOTS"


def extra_event(data):
    rate(data["telemetry.json"], "RETIRING")["events"].append("UOP.SPEC")


def open_word(data):
    data["telemetry.json"]["events"]["INST.RET"]["title"] = "Instructions of {kind}"


def doubled_alias(data):
    data["telemetry.json"]["events"]["INST.RET"]["properties"] = {"aliases": ["UOP.RET"]}


def code_given(data):
    data["telemetry.json"]["events"]["INST.RET"]["code"] = "0x0"


def strange_name(data):
    data["telemetry.json"]["events"]["INST..RET"] = data["telemetry.json"]["events"]["INST.RET"]


def no_fallback(data):
    data["advice.json"]["advice"] = [one for one in data["advice.json"]["advice"]
                                     if one["condition"] is not None]


# How the data is broken, and what has to be said about it.
BROKEN = (
    (neighbour, "BAD_SPECULATION.RATE: its parts make"), (unknown_level, "is not defined"),
    (swapped, "Level 1: its parts make"), (missing_factor, "is 'percent of slots' but"),
    (extra_event, "UOP.SPEC is one too many"), (open_word, "left open"),
    (doubled_alias, "is a name of UOP.RET"), (code_given, "'code' was unexpected"),
    (strange_name, "INST..RET"), (no_fallback, "needs one fallback"),
)

CODES = {"core": "A core", "source": "A manual", "mvendorid": "0x1", "marchid": "0x2",
         "codes": {"INST.RET": "0x1", "UOP.RET": "0x2"}}
BROKEN_CODES = (
    ({"INST.RET": "0x0"}, "or zero"), ({"INST.RET": "0x1", "UOP.RET": "0x1"}, "used twice"),
    ({"INST.NONE": "0x1"}, "not defined"), ({}, "codes is missing"),
)


def check_checker():
    try:
        import jsonschema  # noqa: F401
        schema = read_json(DATA / "telemetry-riscv.schema.json")
    except ImportError:
        schema = None
    whole = parts()
    for damage, want in BROKEN:
        data = copy.deepcopy(whole)
        damage(data)
        if schema is None and damage in (code_given,):
            continue
        problems = RiscvCheck(data["telemetry.json"], data["advice.json"], {}, schema).run()
        if not any(want in problem for problem in problems):
            fail(f"{damage.__name__}: '{want}' is not among {problems[:3]}")
    for codes, want in BROKEN_CODES:
        core = {"codes/a.json": CODES | {"codes": codes}}
        problems = RiscvCheck(whole["telemetry.json"], None, core, None).run()
        if not any(want in problem for problem in problems):
            fail(f"codes {json.dumps(codes)}: '{want}' is not among {problems[:3]}")


def main():
    telemetry = read_json(RISCV / "telemetry.json")
    events, metrics = published()
    check_names(telemetry["events"])
    check_published_events(telemetry["events"], events)
    check_published_metrics(telemetry["metrics"], metrics)
    transfers = read_json(RISCV / "transfer-types.json")
    check_transfers(transfers, telemetry["events"])
    check_transfer_relations(transfers, telemetry["events"])
    check_transfer_texts(telemetry["events"])
    check_aliases(telemetry["metrics"])
    check_checker()
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"{len(telemetry['events'])} names, {len(events)} published ones, "
          f"{len(metrics)} published formulas, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

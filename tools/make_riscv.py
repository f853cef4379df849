#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make cpus/riscv/telemetry.json from the grammar of event names in tools/riscv_events.json, and
from cpus/riscv/transfer-types.json what is a transfer of which type.

    tools/make_riscv.py            write it
    tools/make_riscv.py --check    exit with 1 if what is there differs from what would be written

The table says what its keys mean. The document has metrics for the shares of slots; the others are
those of the published event files, by the same forms.
"""

import argparse
import itertools
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "tools" / "riscv_events.json"
TRANSFERS = ROOT / "cpus" / "riscv" / "transfer-types.json"
OUTPUT = ROOT / "cpus" / "riscv" / "telemetry.json"
NAME = re.compile(r"[A-Z][A-Z0-9_.]*[A-Z0-9]")


def sentence(phrase):
    return phrase[0].upper() + phrase[1:]


def registers(rule):
    """The condition on the registers of a rule: "rd x1, rs1 not x5"; empty where any register fits."""
    words = []
    for key, text in (("rd", "rd"), ("rd_not", "rd not"), ("rs1", "rs1"), ("rs1_not", "rs1 not")):
        if key in rule:
            words.append(f"{text} {' or '.join(f'x{number}' for number in rule[key])}")
    return f" ({', '.join(words)})" if words else ""


def transfer_notes(transfers):
    """The instructions of each type of transfer, in a sentence each."""
    notes = {}
    for one in transfers["types"]:
        rules = ", ".join(", ".join(rule["opcodes"]) + registers(rule) for rule in one["rules"])
        notes[one["type"]] = f"Instructions: {rules}."
    for union in transfers["unions"]:
        types = union["of"] + ([union["and"]] if "and" in union else [])
        notes[union["type"]] = f"Types: {', '.join(types)}."
    for direction in transfers["directions"]:
        notes[direction] = notes[direction.rsplit(".", 1)[0]]
    return notes


class Grammar:
    """Expands the rules of the table into events."""

    def __init__(self, table, transfers):
        self.table = table
        self.transfers = transfer_notes(transfers)
        self.phrases = {}  # by event, for the titles of metrics
        self.events = {}

    def pieces(self, word):
        """The pieces that a word of a path stands for."""
        if not word.startswith("<"):
            return [{"name": word}]
        made = [one for piece in self.table["sets"][word[1:-1]] for one in self.each(piece)]
        if word in ("<transfer_type>", "<transfer_union>"):
            made = [self.explained(piece) for piece in made]
        return made

    def explained(self, piece):
        note = self.transfers.get(piece["name"])
        return piece | {"note": " ".join(filter(None, [piece.get("note"), note]))} if note else piece

    def each(self, piece):
        if "each" not in piece:
            return [piece]
        return [piece | {"name": piece["name"].format(cache=cache),
                         "vars": {"cache": self.table["caches"][cache]["text"]}}
                for cache in piece["each"]]

    def ways(self, rule):
        for way in itertools.product(*(self.pieces(word) for word in rule["path"])):
            offered = set()
            for piece in way:
                if not offered.issuperset(piece.get("needs", ())):
                    break
                offered.update(piece.get("has", ()))
            else:
                yield way

    def event(self, rule, way):
        name = ".".join(piece["name"] for piece in way if piece["name"])
        words = {}
        for piece in way:
            words.update(piece.get("vars", {}))
        noun, clauses, notes, titles, old = rule.get("noun", ""), [], [], [], name
        for piece in way:
            noun = piece.get("noun", noun)
            clauses += [piece["clause"]] if "clause" in piece else []
            notes += [piece["note"]] if "note" in piece and "title" not in piece else []
            titles += [piece["title"]] if "title" in piece else []
            for new, published in piece.get("aliases", ()):
                old = old.replace(new, published)
        notes += [rule["note"]] if "note" in rule else []
        notes += [piece["note"] for piece in way if "title" in piece]
        phrase = " ".join([noun, *clauses]).format(**words)
        self.phrases[name] = phrase
        return name, entry(", ".join([sentence(phrase), *titles]),
                           " ".join([f"Counts {phrase}.", *notes]), [old] if old != name else [])

    def group(self, group):
        made = {}
        for rule in group["rules"]:
            made.update(self.event(rule, way) for way in self.ways(rule))
        return made


def entry(title, description, aliases=()):
    event = {"title": title, "description": description, "accesses": ["PMU"],
             "architecture_defined": True, "product_defined": False}
    if aliases:
        event["properties"] = {"aliases": list(aliases)}
    return event


def slot_event(name):
    return f"TOPDOWN.{name}.SLOTS"


def slot_events(slots):
    events = {slots["total"]["event"]: entry(slots["total"]["title"],
                                             slots["total"]["description"])}
    for state in slots["states"]:
        if "event" in state:
            more = f" {state['more']}" if state["more"] else ""
            events[slot_event(state["event"])] = entry(
                f"Slots lost, {state['title'].lower()}",
                f"Counts slots that were lost because {state['what']}.{more}",
                [slot_event(alias) for alias in state.get("aliases", ())])
    for miss in slots["misses"]:
        events[slot_event(miss["event"])] = entry(
            miss["title"],
            f"Counts slots that were lost because {miss['what']}, whichever level behind it "
            "answered. Less the count of the next level it gives the share of that level.")
    return events


def metric(title, formula, units, description, sample):
    events = []
    for name in NAME.findall(formula):
        if name not in events:
            events.append(name)
    return {"title": title, "formula": formula, "description": description, "units": units,
            "events": sorted(events), "sample_events": sample}


def slot_metric(state, total):
    if "whole" in state:
        events, verb = [state["whole"]], "in which"
    else:
        names = state.get("minus") or [state["event"]]
        events, verb = [slot_event(name) for name in names], "lost because"
    part = events[0] if len(events) == 1 else f"({' - '.join(events)})"
    more = f" {state['more']}" if state["more"] else ""
    made = metric(state["title"], f"100 * {part} / {total}", "percent of slots",
                  f"Share of the slots {verb} {state['what']}.{more}", events[:1])
    if "unless" in state:
        made["properties"] = {"unless": [slot_event(name) for name in state["unless"]]}
    if "metric_aliases" in state:
        made["properties"] = {"aliases": state["metric_aliases"]}
    return made


def slot_name(state):
    return f"TOPDOWN.{state['metric']}.RATE"


def parent(state, states):
    """The state whose name is the longest beginning of this one's; CORE stands for CORE_BOUND."""
    name = state["metric"].replace(".CORE.", ".CORE_BOUND.")
    above = [other for other in states if name.startswith(other["metric"] + ".")]
    return max(above, key=lambda other: len(other["metric"]), default=None)


def level(state, states):
    above = parent(state, states)
    return 1 + level(above, states) if above else 1


def tree(slots):
    """The nodes, children before the groups of Stage 2, and the metrics of each level."""
    states, nodes = slots["states"], []
    levels = {name: [] for name, _, _ in slots["levels"]}
    for state in states:
        group = slots["levels"][level(state, states) - 1][0]
        levels[group].append(slot_name(state))
        below = [slot_name(other) for other in states if parent(other, states) is state]
        nodes.append({"name": slot_name(state), "group": group,
                      "next_items": below + state.get("next", []),
                      "sample_events": slot_metric(state, "")["sample_events"]})
    return nodes, levels


def formed_metrics(group, forms, phrases):
    """Metrics of a group: one for each value of its variable, or as they stand."""
    made = {}
    for value in group.get("each", {"t": [""]})["t"]:
        for form in forms:
            name, formula = form["name"].format(t=value), form["formula"].format(t=value)
            event = form.get("event", "").format(t=value)
            if event in form.get("instead", {}):
                formula = formula.replace(event, form["instead"][event])
                event = form["instead"][event]
            phrase = phrases.get(event, "")
            words = {"t": value, "phrase": phrase, "Phrase": sentence(phrase or " ")}
            first = next(event for event in NAME.findall(formula))
            made[name] = metric(form["title"].format(**words), formula, form["units"],
                                form["description"].format(**words), form.get("sample", [first]))
            if name in form.get("aliases", {}):
                made[name]["properties"] = {"aliases": form["aliases"][name]}
    return made


def group_metrics(table, group, phrases):
    forms = group["metrics"]
    made = formed_metrics(group, table["cache_metrics"] if forms == "cache" else forms, phrases)
    made.update(formed_metrics({}, group.get("more", ()), phrases))
    return made


def methodology(table, nodes):
    roots = [slot_name(state) for state in table["slots"]["states"] if "." not in state["metric"]]
    return {
        "title": "Topdown Methodology",
        "description": "Stage 1 divides all slots into states, level by level; Stage 2 looks for "
                       "the cause of the largest in the groups of metrics that its node of the "
                       "tree leads to. Look at a level only where the one above it is high.",
        "metric_grouping": {"stage_1": [name for name, _, _ in table["slots"]["levels"]],
                            "stage_2": [name for name, group in table["metrics"].items()
                                        if not group.get("apart")]},
        "decision_tree": {"root_nodes": roots, "metrics": nodes},
    }


def document():
    return {
        "timestamp": "20 Nov 07:30:00 2026",
        "copyright": "Copyright (c) 2026 The pmuscope authors",
        "confidential": False,
        "quality": "Beta",
        "license": "MIT",
        "description": "RISC-V's standard events and metrics after \"RISC-V Performance Events\", "
                       "made by tools/make_riscv.py from tools/riscv_events.json; the text is the "
                       "pmuscope project's own. Which events a core has, and under which codes, is "
                       "in codes/. Where the document and the published event files differ, "
                       "docs/model/discrepancies.md says what was chosen and why.",
        "revision": "1",
    }


def telemetry(table, transfers):
    grammar = Grammar(table, transfers)
    events, functions, metrics, groups = {}, {}, {}, {}
    for name, group in table["groups"].items():
        made = grammar.group(group)
        functions[name] = {"title": group["title"], "description": group["description"],
                           "events": list(made)}
        events.update(made)
    made = slot_events(table["slots"])
    functions["TOPDOWN"] = {"title": table["slots"]["title"],
                            "description": table["slots"]["description"], "events": list(made)}
    events.update(made)
    nodes, levels = tree(table["slots"])
    for state in table["slots"]["states"]:
        metrics[slot_name(state)] = slot_metric(state, table["slots"]["total"]["event"])
    for name, title, description in table["slots"]["levels"]:
        groups[name] = {"title": title, "description": description, "metrics": levels[name]}
    for name, group in table["metrics"].items():
        made = group_metrics(table, group, grammar.phrases)
        groups[name] = {"title": group["title"], "description": group["description"],
                        "metrics": list(made)}
        metrics.update(made)
    return {
        "$schema": "telemetry-riscv.schema.json",
        "document": document(),
        # Slots and counters depend on the core: 29 counters are the maximum.
        "product_configuration": {"product_name": "RISC-V", "architecture": "rv64",
                                  "num_slots": 0, "num_counters": 29},
        "events": events,
        "metrics": metrics,
        "groups": {"function": functions, "metrics": groups},
        "methodologies": {"topdown_methodology": methodology(table, nodes)},
    }


def depth(value):
    if not isinstance(value, (dict, list)):
        return 0
    return 1 + max(map(depth, value.values() if isinstance(value, dict) else value), default=0)


def layout(value, indent=""):
    """JSON with a line for each event, metric, group and node: small to read and to load."""
    rows = isinstance(value, list) and depth(value) > 1
    if (depth(value) <= 2 and not rows) or "accesses" in value:
        return json.dumps(value)
    deeper = indent + " "
    lines = [f"{json.dumps(key)}: {layout(part, deeper)}" for key, part in value.items()] \
        if isinstance(value, dict) else [layout(part, deeper) for part in value]
    first, last = "{}" if isinstance(value, dict) else "[]"
    return f",\n{deeper}".join([f"{first}\n{deeper}{lines[0]}", *lines[1:]]) + f"\n{indent}{last}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    options = parser.parse_args()
    made = telemetry(*(json.loads(path.read_text(encoding="utf-8")) for path in (TABLE, TRANSFERS)))
    text = layout(made) + "\n"
    if not options.check:
        OUTPUT.write_text(text, encoding="utf-8")
    elif OUTPUT.read_text(encoding="utf-8") != text:
        print(f"{OUTPUT} is not what tools/make_riscv.py makes: run it", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

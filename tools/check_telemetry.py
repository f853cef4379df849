#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check a CPU's folder of data: the schema, and what no schema can say.

    tools/check_telemetry.py [--schema FILE] [--numbers FILE] FOLDER

FOLDER holds telemetry.json, and may hold advice.json and core.json. Prints one line a problem
and exits with 1, or prints what it counted and exits with 0. Exits with 77, which Meson takes as
skipped, when python3-jsonschema is missing and --schema was asked for.
"""

import argparse
import json
import pathlib
import random
import re
import sys
from fractions import Fraction

import core_base

TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_][\w.]*)|([-+*/()]))")


class FormulaError(Exception):
    pass


class Formula:
    """A formula of the catalog, parsed apart from the C code so that one checks the other.

    sum := product (("+" | "-") product)*   product := factor (("*" | "/") factor)*
    factor := "-" factor | "(" sum ")" | number | name
    """

    def __init__(self, text):
        self.text = text
        self.names = []
        self.tokens = self.split(text)
        self.tree = self.sum()
        if self.tokens:
            raise FormulaError(f"'{self.tokens[0]}' after the end in: {text}")

    @staticmethod
    def split(text):
        tokens, at = [], 0
        while text[at:].strip():
            match = TOKEN.match(text, at)
            if not match:
                raise FormulaError(f"unreadable at column {at + 1} in: {text}")
            tokens.append(match.group(match.lastindex))
            at = match.end()
        return tokens

    def take(self, *wanted):
        if self.tokens and self.tokens[0] in wanted:
            return self.tokens.pop(0)
        return None

    def chain(self, operand, *operators):
        left = operand()
        while operator := self.take(*operators):
            left = (operator, left, operand())
        return left

    def sum(self):
        return self.chain(self.product, "+", "-")

    def product(self):
        return self.chain(self.factor, "*", "/")

    def factor(self):
        if self.take("-"):
            return ("-", Fraction(0), self.factor())
        if self.take("("):
            inner = self.sum()
            if not self.take(")"):
                raise FormulaError(f"')' missing in: {self.text}")
            return inner
        if not self.tokens or self.tokens[0] in "+*/)":
            raise FormulaError(f"a number or a name is missing in: {self.text}")
        token = self.tokens.pop(0)
        if token[0].isdigit():
            return Fraction(token)
        if token not in self.names:
            self.names.append(token)
        return token

    def value(self, values):
        """Exact; raises ZeroDivisionError where the formula is undefined."""
        return self.evaluate(self.tree, values)

    def evaluate(self, node, values):
        if isinstance(node, Fraction):
            return node
        if isinstance(node, str):
            return Fraction(values[node])
        operator, left, right = node[0], *(self.evaluate(part, values) for part in node[1:])
        if operator == "+":
            return left + right
        if operator == "-":
            return left - right
        return left * right if operator == "*" else left / right


def with_terms(advice, metrics):
    """@metrics and the terms of an advice.json. A term's value is its first defined formula."""
    values = dict(metrics)
    for name, term in advice.get("terms", {}).items():
        for text in term["formulas"]:
            try:
                values[name] = Formula(text).value(values)
                break
            except (KeyError, ZeroDivisionError):
                continue
    return values


class Check:
    """Collects problems over one folder."""

    def __init__(self, telemetry, advice=None, core=None, numbers=None, schema=None):
        self.telemetry, self.advice, self.core = telemetry, advice, core
        self.numbers, self.schema = numbers, schema
        self.problems = []

    def say(self, where, what):
        self.problems.append(f"{where}: {what}")

    def run(self):
        if self.schema is not None and not self.check_schema():
            return self.problems
        self.check_events()
        self.check_metrics()
        self.check_function_groups()
        self.check_metric_groups()
        self.check_methodologies()
        self.check_level_1()
        if self.numbers is not None:
            self.check_numbers()
        if self.advice is not None:
            self.check_advice()
        if self.core is not None:
            self.same_names("core.json: events", self.core["events"], self.telemetry["events"])
        return self.problems

    def check_schema(self):
        import jsonschema

        validator = jsonschema.Draft202012Validator(self.schema)
        for error in validator.iter_errors(self.telemetry):
            self.say("schema: " + "/".join(map(str, error.absolute_path)), error.message)
        return not self.problems

    def compile(self, where, text):
        try:
            return Formula(text)
        except FormulaError as error:
            self.say(where, str(error))
            return None

    def known(self, where, names, table):
        for name in names:
            if name not in table:
                self.say(where, f"{name} is not defined")
        for name in sorted({name for name in names if list(names).count(name) > 1}):
            self.say(where, f"{name} is listed more than once")

    def same_names(self, where, got, want):
        for name in sorted(set(got) - set(want)):
            self.say(where, f"{name} is one too many")
        for name in sorted(set(want) - set(got)):
            self.say(where, f"{name} is missing")

    def check_text(self, where, entry, *keys):
        for key in keys:
            text = entry.get(key) or ""
            if not text.strip() or text != text.strip():
                self.say(where, f"{key} is empty or has blanks around it")
            elif not text.isascii():
                self.say(where, f"{key} has letters beyond ASCII, such as Cyrillic ones")

    def check_events(self):
        owner = {}
        for name, event in self.telemetry["events"].items():
            where = f"event {name}"
            self.check_text(where, event, "title", "description")
            if not re.fullmatch(r"[A-Z][A-Z0-9_]*", name):
                self.say(where, "is not a name of capitals, digits and underscores")
            if not re.fullmatch(r"0x[0-9A-F]{4}", event.get("code") or ""):
                self.say(where, f"code {event.get('code')} is not of the form 0x00AF")
                continue
            code = int(event["code"], 16)
            if code in owner:
                self.say(where, f"has the code of {owner[code]}")
            owner[code] = name
            if not event["architecture_defined"] and not event["product_defined"]:
                self.say(where, "is defined neither by the architecture nor by the product")
            for other in re.findall(r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9]\b", event["description"]):
                if not (other in self.telemetry["events"] or other in (self.numbers or {})
                        or re.search(r"_EL\d$", other)):
                    self.say(where, f"the description names {other}, which is no event")

    def check_metrics(self):
        events = self.telemetry["events"]
        for name, metric in self.telemetry["metrics"].items():
            where = f"metric {name}"
            self.check_text(where, metric, "title", "description", "units", "formula")
            formula = self.compile(where, metric["formula"])
            if not formula:
                continue
            self.known(where, metric["events"], events)
            self.known(where, metric["sample_events"], events)
            self.same_names(f"{where}: events", metric["events"], formula.names)
            if not metric["sample_events"]:
                self.say(where, "has no event to sample")
            for event in metric["sample_events"]:
                if event not in formula.names:
                    self.say(where, f"samples {event}, which is not in the formula")
            self.check_units(where, metric)

    def check_units(self, where, metric):
        """The unit has to match the formula's factor and denominator."""
        formula, n = metric["formula"], self.slots()
        slots = rf".*\((CPU_CYCLES \* {n}|{n} \* CPU_CYCLES)\).*"
        needs = {
            "MPKI": r".* / INST_RETIRED \* 1000",
            "percent of slots": rf"100 \* {slots}|{slots} \* 100",
            "percent of cycles": r".* / CPU_CYCLES \* 100",
            "percent of operations": r".* / INST_SPEC \* 100",
            "percent of predicated operations": r".* / SVE_PRED_SPEC \* 100",
            "per cycle": r".* / CPU_CYCLES",
            "operations per cycle": r".*FP_\w+_OPS_SPEC\)? / CPU_CYCLES",
            "per branch": r".* / BR_RETIRED",
            "percent of branches": r".* / \(BR_IMMED_SPEC \+ BR_INDIRECT_SPEC\) \* 100",
            "per memory access": r".* / MEM_ACCESS",
            "per TLB access": r".* / L\w+_TLB(_RD|_WR)?",
            "per cache access": r".* / L\w+_CACHE(_RD|_WR)?",
            "per instruction": r".* / INST_RETIRED",
            "per operation": r".* / INST_SPEC",
            "per exclusive store": r".* / STREX_SPEC",
            "per TTBR write": r".* / TTBR_WRITE_RETIRED",
            "per refill": r".* / L\w+_REFILL",
        }
        for side, l1 in (("frontend", "L1I"), ("backend", "L1D")):
            stall = f"STALL_{side.upper()}"
            for part, cycles in (
                    ("stalled", stall),
                    ("core bound", f"{stall}_CPUBOUND"),
                    ("memory bound", f"{stall}_MEMBOUND"),
                    ("cache bound", rf"\({stall}_{l1} \+ {stall}_MEM\)")):
                needs[f"percent of {side} {part} cycles"] = rf".* / {cycles} \* 100"
        if metric["units"] not in needs:
            self.say(where, f"unit '{metric['units']}' is not one that this tool knows")
        elif not re.fullmatch(needs[metric["units"]], formula):
            self.say(where, f"is '{metric['units']}' but computes {formula}")

    def slots(self):
        return self.telemetry["product_configuration"]["num_slots"]

    def check_function_groups(self):
        seen = {}
        for name, group in self.telemetry["groups"]["function"].items():
            where = f"function group {name}"
            self.check_text(where, group, "title", "description")
            self.known(where, group["events"], self.telemetry["events"])
            for event in group["events"]:
                if event in seen and seen[event] != name:
                    self.say(where, f"{event} is in {seen[event]} already")
                seen[event] = name
        for event in self.telemetry["events"]:
            if event not in seen:
                self.say(f"event {event}", "is in no function group")

    def check_metric_groups(self):
        grouped = set()
        for name, group in self.telemetry["groups"]["metrics"].items():
            where = f"metric group {name}"
            self.check_text(where, group, "title", "description")
            self.known(where, group["metrics"], self.telemetry["metrics"])
            grouped.update(group["metrics"])
        for metric in self.telemetry["metrics"]:
            if metric not in grouped:
                self.say(f"metric {metric}", "is in no metric group")

    def check_methodologies(self):
        groups = self.telemetry["groups"]["metrics"]
        for name, methodology in self.telemetry["methodologies"].items():
            staged = sum(methodology["metric_grouping"].values(), [])
            self.known(f"{name}: metric_grouping", staged, groups)
            self.same_names(f"{name}: metric_grouping", staged, self.to_be_staged(staged))
            self.check_tree(name, methodology)

    def to_be_staged(self, staged):
        """All metric groups except those that no stage has: users ask for these by name."""
        groups = self.telemetry["groups"]["metrics"]
        metrics = {metric for group in staged if group in groups
                   for metric in groups[group]["metrics"]}
        return [name for name, group in groups.items()
                if name in staged or not group["metrics"] or metrics & set(group["metrics"])]

    def check_tree(self, name, methodology):
        tree, groups = methodology["decision_tree"], self.telemetry["groups"]["metrics"]
        nodes = {node["name"]: node for node in tree["metrics"]}
        self.known(f"{name}: root_nodes", tree["root_nodes"], nodes)
        reached = set(tree["root_nodes"])
        for node in tree["metrics"]:
            where = f"{name}: node {node['name']}"
            reached.update(node["next_items"])
            self.known(where, [node["name"]], self.telemetry["metrics"])
            self.known(where, [node["group"]], groups)
            self.known(where, node["next_items"], {**groups, **nodes})
            self.known(where, node["sample_events"], self.telemetry["events"])
            if node["name"] not in groups.get(node["group"], {}).get("metrics", []):
                self.say(where, f"is not a metric of its group {node['group']}")
            for item in node["next_items"]:
                if item in methodology["metric_grouping"].get("stage_1", []):
                    self.say(where, f"leads back to the Stage 1 group {item}")
        for node in set(nodes) - reached:
            self.say(f"{name}: node {node}", "cannot be reached from a root")

    def check_level_1(self):
        """The four shares add up to 100 exactly when STALL_SLOT is the sum of its two parts."""
        names = ("frontend_bound", "backend_bound", "retiring", "bad_speculation")
        metrics = self.telemetry["metrics"]
        if not self.slots():
            self.check_without_slots(names)
            return
        if any(name not in metrics for name in names):
            self.say("Level 1", "one of its four metrics is missing")
            return
        formulas = [self.compile(name, metrics[name]["formula"]) for name in names]
        if None in formulas:
            return
        rng = random.Random(1)
        for _ in range(100):
            counts = self.random_counts(rng)
            for skew in (0, rng.choice((-1, 1)) * rng.randrange(1, 1000)):
                counts["STALL_SLOT"] += skew
                total = sum(formula.value(counts) for formula in formulas)
                if (total == 100) != (skew == 0):
                    self.say("Level 1", f"sums to {float(total)} for {counts}")
                    return

    def check_without_slots(self, names):
        """A core that counts no slots has neither the events nor the shares that need them."""
        for name in names:
            if name in self.telemetry["metrics"]:
                self.say("Level 1", f"{name} needs slots, and num_slots is 0")
        for name in self.telemetry["events"]:
            if "SLOT" in name:
                self.say(f"event {name}", "counts slots, and num_slots is 0")

    def random_counts(self, rng):
        counts = {name: rng.randrange(1, 10**9) for name in self.telemetry["events"]}
        counts["OP_SPEC"] = counts["OP_RETIRED"] + rng.randrange(10**6)
        counts["STALL_SLOT"] = counts["STALL_SLOT_FRONTEND"] + counts["STALL_SLOT_BACKEND"]
        return counts

    def check_numbers(self):
        """Names against the architecture's numbering, typed apart from the catalog."""
        for name, event in self.telemetry["events"].items():
            if name not in self.numbers:
                if event["architecture_defined"]:
                    self.say(f"event {name}", "is not among the architecture's names")
            elif int(event["code"], 16) != self.numbers[name]:
                self.say(f"event {name}", f"is {self.numbers[name]:#06x} in the architecture")
            self.check_title(name, event["title"])

    def check_title(self, name, title):
        """The title has to say what the parts of the name say."""
        words = (
            (r"^L1I_", "l1 instruction|code"), (r"^L1D_", "l1 data"),
            (r"^L2D_", "l2 (cache|tlb)"), (r"^L3D_", "l3 cache"), (r"^LL_", "last level"),
            (r"_TLB", "tlb"), (r"^L\w+_CACHE", "cache|code"), (r"_REFILL", "refill"),
            (r"_(L?MISS)", "miss"), (r"_WB", "write-back"), (r"_INVAL$", "invalidation"),
            (r"^(L[^1]|L1D|MEM|BUS).*_RD$", "read"), (r"^L1I.*_RD", "demand|first hits"), (r"^(L|MEM|BUS).*_WR$", "write"),
            (r"_VICTIM$", "to make room"), (r"_CLEAN$", "for others"), (r"_INNER$", "from the cluster"),
            (r"_OUTER$", "beyond the cluster"), (r"^(?!UNAL|STREX_|SVE_|ASE_SVE|FP_[SF]\w+_OPS)\w+_SPEC$", "speculative"),
            (r"^(BR_\w+|INST|OP)_RETIRED$", "retired|predicted"),
            (r"_MIS_PRED", "mispredicted"), (r"^BR_", "branch|return"), (r"^EXC_", "exception"),
            (r"^STALL_SLOT", "slot"), (r"BACKEND$", "backend"), (r"FRONTEND$", "frontend"),
            (r"^EXC_TRAP", "trapped higher"), (r"^DTLB", "data"),
            (r"^ITLB", "fetch"), (r"^SVE_", "sve"), (r"^SAMPLE_", r"\bspe\b"),
        )
        for pattern, word in words:
            if re.search(pattern, name) and not re.search(word, title.lower()):
                self.say(f"event {name}", f"title '{title}' does not say '{word}'")

    def check_terms(self):
        """The terms of the advice, each with all the names that it comes to."""
        metrics, terms = self.telemetry["metrics"], {}
        for name, term in self.advice.get("terms", {}).items():
            where = f"advice.json: term {name}"
            self.check_text(where, term, "why")
            if name in metrics:
                self.say(where, "is the name of a metric")
            used = []
            for text in term["formulas"]:
                formula = self.compile(where, text)
                used += formula.names if formula else []
            self.known(where, set(used), {**metrics, **terms})
            terms[name] = set(used).union(*(terms.get(one, ()) for one in used))
        return terms

    def check_advice(self):
        metrics, seen, covered = self.telemetry["metrics"], set(), {}
        methodology = next(iter(self.telemetry["methodologies"].values()))
        nodes = {node["name"]: node for node in methodology["decision_tree"]["metrics"]}
        self.check_text("advice.json", self.advice, "source")
        terms = self.check_terms()
        for entry in self.advice["advice"]:
            where = f"advice {entry['id']}"
            self.check_text(where, entry, "id", "title", "text", "source", "why")
            if entry["id"] in seen:
                self.say(where, "the id is used twice")
            seen.add(entry["id"])
            self.known(where, [entry["node"]], nodes)
            next_items = nodes.get(entry["node"], {}).get("next_items", [])
            if entry["group"] is not None and entry["group"] not in next_items:
                self.say(where, f"{entry['node']} does not lead to {entry['group']}")
            self.check_advice_formulas(where, entry, metrics, terms)
            covered.setdefault(entry["node"], []).append(entry["condition"] is None)
        for node in nodes:
            if covered.get(node, []).count(True) != 1:
                self.say(f"advice for {node}", "needs one fallback, without a condition")

    def check_advice_formulas(self, where, entry, metrics, terms):
        used = set(self.telemetry["groups"]["metrics"].get(entry["group"], {}).get("metrics", []))
        used.add(entry["node"])
        for key in ("condition", "weight"):
            if entry[key] is None:
                continue
            formula = self.compile(f"{where}: {key}", entry[key])
            if formula:
                self.known(f"{where}: {key}", formula.names, {**metrics, **terms})
                used.update(formula.names, *(terms.get(name, ()) for name in formula.names))
        self.known(f"{where}: evidence", entry["evidence"], metrics)
        if not entry["evidence"]:
            self.say(where, "gives no evidence")
        for name in entry["evidence"]:
            if entry["condition"] is not None and name not in used:
                self.say(where, f"evidence {name} is neither in its formulas nor in its group")


def read_json(path):
    """As json.load, but a repeated key is an error instead of a silent replacement."""

    def pairs(items):
        keys = [key for key, _ in items]
        for key in keys:
            if keys.count(key) > 1:
                raise ValueError(f"'{key}' stands twice in one object")
        return dict(items)

    with open(path, encoding="utf-8") as file:
        return json.load(file, object_pairs_hook=pairs)


def read_numbers(path):
    """Lines of '0x0011 CPU_CYCLES'; '#' starts a comment."""
    numbers = {}
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            code, name = line.split()
            numbers[name] = int(code, 16)
    return numbers


def summary(telemetry, advice):
    groups = telemetry["groups"]
    return (f"{len(telemetry['events'])} events in {len(groups['function'])} groups, "
            f"{len(telemetry['metrics'])} metrics in {len(groups['metrics'])} groups, "
            f"{len(advice['advice']) if advice else 0} pieces of advice")


def main():
    parser = argparse.ArgumentParser(description="Check a CPU's folder of data.")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--schema", help="Arm's JSON Schema of telemetry specifications")
    parser.add_argument("--numbers", help="the architecture's event numbers, one a line")
    options = parser.parse_args()
    if options.schema:
        try:
            import jsonschema  # noqa: F401
        except ImportError:
            print("skipped: python3-jsonschema is not installed", file=sys.stderr)
            return 77
    try:
        telemetry = read_json(options.folder / "telemetry.json")
        advice, core = (
            read_json(path) if (path := options.folder / name).exists() else None
            for name in ("advice.json", "core.json"))
        core = core and core_base.complete(core, options.folder / "core.json")
        schema = read_json(options.schema) if options.schema else None
        numbers = read_numbers(options.numbers) if options.numbers else None
    except (OSError, ValueError) as error:
        print(f"{options.folder}: {error}", file=sys.stderr)
        return 2
    problems = Check(telemetry, advice, core, numbers, schema).run()
    for problem in problems:
        print(f"{options.folder}: {problem}", file=sys.stderr)
    if not problems:
        print(f"{options.folder}: {summary(telemetry, advice)}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

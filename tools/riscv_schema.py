#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Derive the schema of RISC-V's telemetry.json from that of Arm's.

    tools/riscv_schema.py [--check] ARM_SCHEMA RISCV_SCHEMA

Four changes, and nothing else:
- names of events and metrics may have dots between their parts ("INST.BRJMP.RET");
- an event has no code, and so none is private: codes are of a core, in cpus/riscv/codes/;
- a metric may have properties, as an event may: aliases, and the events that it is not for;
- a name of another form is an error: the original passes over what its patterns do not match.
"""

import argparse
import json
import pathlib
import sys

PLAIN, DOTTED = r"^\w+$", r"^\w+(\.\w+)*$"


def dotted(node):
    """The same schema with names that may have dots."""
    if isinstance(node, dict):
        return {DOTTED if key == PLAIN else key: dotted(value) for key, value in node.items()}
    if isinstance(node, list):
        return [dotted(value) for value in node]
    return DOTTED if node == PLAIN else node


def derive(arm):
    schema = dotted(arm)
    types = schema["$defs"]
    del types["PrivateEvent"]
    event = types["Event"]
    del event["oneOf"], event["properties"]["code"], event["example"]
    types["Metric"]["properties"]["properties"] = event["properties"]["properties"]
    tables = types["PMUSpecification"]["properties"]
    tables["events"]["patternProperties"] = {DOTTED: {"$ref": "#/$defs/Event"}}
    for name in ("events", "metrics"):
        tables[name]["additionalProperties"] = False
    return schema


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    parser.add_argument("arm", type=pathlib.Path)
    parser.add_argument("riscv", type=pathlib.Path)
    options = parser.parse_args()
    text = json.dumps(derive(json.loads(options.arm.read_text(encoding="utf-8"))), indent=4) + "\n"
    if not options.check:
        options.riscv.write_text(text, encoding="utf-8")
    elif options.riscv.read_text(encoding="utf-8") != text:
        print(f"{options.riscv} is not what tools/riscv_schema.py derives: run it", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

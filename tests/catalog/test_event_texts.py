#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/event_texts.py has to see each of these differences, and to repair what --fill can.

    tests/catalog/test_event_texts.py SOURCE_ROOT
"""

import pathlib
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1])
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
import event_texts  # noqa: E402


def event(code, title="Cycle", description="Cycles.", architecture_defined=True):
    return {"code": code, "title": title, "description": description,
            "architecture_defined": architecture_defined}


def good():
    table = {
        "events": {
            "SW_INCR": {"code": "0x0000", "title": "Software", "description": "Writes."},
            "CPU_CYCLES": {"code": "0x0011", "title": "Cycle", "description": "Cycles."},
        },
        "overrides": {"a": {"SW_INCR": {"title": "Software", "description": "Its own.",
                                        "reason": "It differs."}}},
    }
    telemetry = {"events": {
        "SW_INCR": event("0x0000", "Software", "Its own."),
        "CPU_CYCLES": event("0x0011"),
        "IMP_FLUSH": event("0x0120", "Flush", "Of this product.", False),
    }}
    return table, telemetry


CASES = (
    ("another description", "the description is not the table's",
     lambda t, c: c["CPU_CYCLES"].update(description="Ticks.")),
    ("another title", "the title is not the table's",
     lambda t, c: c["CPU_CYCLES"].update(title="Ticks")),
    ("another code", "is 0x0012, but 0x0011 in the table",
     lambda t, c: c["CPU_CYCLES"].update(code="0x0012")),
    ("an event that the table lacks", "is not in the table",
     lambda t, c: c.update(CHAIN=event("0x001E"))),
    ("the table's text where an override is", "the description is not the table's",
     lambda t, c: c["SW_INCR"].update(description="Writes.")),
    ("an override of no event here", "has an override, but is no event of this CPU",
     lambda t, c: c.pop("SW_INCR")),
    ("an override without a reason", "gives no reason",
     lambda t, c: t["overrides"]["a"]["SW_INCR"].pop("reason")),
    ("an override that changes nothing", "so is not needed",
     lambda t, c: (t["overrides"]["a"]["SW_INCR"].update(description="Writes."),
                   c["SW_INCR"].update(description="Writes."))),
    ("an override of an unknown event", "no such event",
     lambda t, c: t["overrides"].update(b={"NONE": {"title": "x", "reason": "y"}})),
    ("a table out of order", "order of codes",
     lambda t, c: t["events"]["SW_INCR"].update(code="0x0012")),
)


def problems(table, telemetry):
    return event_texts.check_table(table) + event_texts.check_catalog(table, "a", telemetry)


def check_cases():
    assert problems(*good()) == []
    for name, want, change in CASES:
        table, telemetry = good()
        change(table, telemetry["events"])
        found = problems(table, telemetry)
        if not any(want in problem for problem in found):
            sys.exit(f"{name}: '{want}' is not among {found}")


def check_fill():
    table, telemetry = good()
    telemetry["events"]["CPU_CYCLES"]["title"] = "Ticks"
    telemetry["events"]["SW_INCR"]["description"] = "Writes."
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "telemetry.json"
        assert event_texts.fill(table, "a", path, telemetry) == 2
        assert event_texts.read(path) == good()[1]
        assert event_texts.fill(table, "a", path, telemetry) == 0


check_cases()
check_fill()

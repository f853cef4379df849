# SPDX-License-Identifier: MIT
"""A core.json with what it takes from its bases, as src/collect/core/base.c puts it together."""
import json
import pathlib

TABLES = ("parameters", "slots", "ops", "rules")  # filled row by row
WHOLES = ("ports", "queues", "fusion", "limits", "document")  # whose order counts
OWN = ("source", "notes")  # nobody else's stand for a row's own


def fill_rows(rows, base):
    """The base's rows where @rows has none, and the members that a row leaves out."""
    for name, row in base.items():
        if name not in rows:
            rows[name] = row
        elif isinstance(row, dict):
            rows[name] = {**{key: value for key, value in row.items() if key not in OWN}, **rows[name]}


def complete(core, path):
    """@core, read from @path, with its bases; events are those of the catalog beside it."""
    name = core.pop("base", None)
    if name is None:
        return core
    path = pathlib.Path(path)
    base = read(path.parent.parent / name / "core.json")
    for key in TABLES:
        fill_rows(core.setdefault(key, {}), base.get(key, {}))
    for key in WHOLES:
        core.setdefault(key, base.get(key))
    catalog = path.with_name("telemetry.json")
    names = json.loads(catalog.read_text())["events"] if catalog.exists() else base["events"]
    events = core.setdefault("events", {})
    events.update({name: row for name, row in base["events"].items() if name in names and name not in events})
    return core


def read(path):
    return complete(json.loads(pathlib.Path(path).read_text()), path)

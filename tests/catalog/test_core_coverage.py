#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""At least 85 % of the events of a modelled core are exact or modelled, and each other one says why not.

usage: test_core_coverage.py ROOT CPU
"""
import json
import pathlib
import sys

LEAST = 85  # percent

root, cpu = pathlib.Path(sys.argv[1]), sys.argv[2]
sys.path.insert(0, str(root / "tools"))
import core_base  # noqa: E402

core = core_base.read(root / "cpus" / cpu / "core.json")
catalog = json.loads((root / "cpus" / cpu / "telemetry.json").read_text())
names = catalog["events"]
rows = {name: core["events"].get(name, {}) for name in names}
counted = [name for name, row in rows.items() if row.get("class") in ("exact", "modelled")]
silent = [name for name, row in rows.items() if name not in counted and not row.get("because")]
share = 100 * len(counted) / len(names)
print(f"{len(counted)} of {len(names)} events are exact or modelled: {share:.1f} %")
if silent:
    print("without a reason:", ", ".join(silent))
sys.exit(share < LEAST or bool(silent))

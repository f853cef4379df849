# SPDX-License-Identifier: MIT
"""Numbers of modelled cores: core.json in a data folder, and the bases that it names."""
import json
import os
import shutil

from case import case

SHOW = [["PMUSCOPE_DATA={}", "core", "show", "--mcpu", "neoverse-v1", *rest] for rest in ([], ["-j"])]
SET = [["PMUSCOPE_DATA={}", "core", "show", "--mcpu", "neoverse-v1", "--core-set", "rob_entries=128,tage=off"]]


def core():
    with open(os.path.join(os.environ["SOURCE"], "cpus/neoverse-v1/core.json")) as file:
        return json.load(file)


def text(value):
    return value if isinstance(value, (bytes, type(os.mkfifo))) else json.dumps(value, separators=(",", ":")).encode()


def data(own, **bases):
    """A data folder f, whose neoverse-v1 has the core.json own; bases are other cores' by the names of their folders."""
    def write(path):
        shutil.copytree(os.path.join(os.environ["SOURCE"], "cpus/neoverse-v1"), os.path.join(path, "cpus/neoverse-v1"))
        os.unlink(os.path.join(path, "cpus/neoverse-v1/core.json"))
        for name, value in {"neoverse-v1": own, **bases}.items():
            os.makedirs(os.path.join(path, "cpus", name), exist_ok=True)
            file, value = os.path.join(path, "cpus", name, "core.json"), text(value)
            if callable(value):
                value(file)
                continue
            with open(file, "wb") as out:
                out.write(value)
    return {"f": write}


def thin(base):
    return {"name": "A", "base": base}


for name, own, bases in (
        ("whole", core(), {}), ("base", thin("b"), {"b": core()}),
        ("own-base", thin("neoverse-v1"), {}), ("round", thin("b"), {"b": thin("c"), "c": thin("b")}),
        ("no-base", thin("b"), {}), ("base-outside", thin("../../../etc"), {}), ("base-long", thin("b" * 100000), {}),
        ("base-number", thin(1), {}), ("base-list", thin("b"), {"b": []}), ("base-cut", thin("b"), {"b": b'{"name":'}),
        ("base-fifo", thin("b"), {"b": os.mkfifo}), ("fifo", os.mkfifo, {}), ("empty", b"", {}), ("list", [], {}),
        ("off", {**core(), "off": [1]}, {}),
        ("tables-are-lists", {**core(), "parameters": [], "ops": []}, {})):
    case(f"core/{name}", SHOW + SET, status=(0,) if name in ("whole", "base") else (2,))(
        lambda own=own, bases=bases: data(own, **bases))


@case("core/row-of-bases", SHOW[:1], (1000, 20000), status=(2,))
def row_of_bases(n):
    return data(thin("b0"), **{f"b{i}": thin(f"b{i + 1}") for i in range(n // 100)}, last={"x": "y" * n})


def much(name, change, **options):
    """Much of something in the last of a row of bases, which each base above is filled in from."""
    def make(n):
        last = core()
        change(last, n)
        return data(thin("b"), b=thin("c"), c=last)
    case(f"core/{name}", SHOW, (2500, 80000), **options)(make)


much("parameters", lambda c, n: c["parameters"].update({f"p{i}": {"value": i, "source": "s"} for i in range(n)}))
much("ops", lambda c, n: c["ops"].update({f"o{i}": {"latency": i} for i in range(n)}))
much("rules", lambda c, n: c["rules"].update({f"r{i}": {"text": "s"} for i in range(n)}))
much("events", lambda c, n: c["events"].update({f"E{i}": {"counter": "x"} for i in range(n)}))
much("ports", lambda c, n: c["ports"].update({f"p{i}": {"names": ["B0"]} for i in range(n)}))
much("queues", lambda c, n: c["queues"].update({f"q{i}": {"entries": 32} for i in range(n)}))
# Values that take the most memory for each byte of the file.
for table in ("parameters", "events", "rules"):
    much(f"small-{table}", lambda c, n, table=table: c.setdefault(table, {}).update({f"{i:x}": {"a": {}} for i in range(n)}))
much("deep", lambda c, n: c.update(parameters=json.loads("[" * min(n // 100, 900) + "]" * min(n // 100, 900))))
much("long-text", lambda c, n: c.update(document="d" * (100 * n)))

@case("core/each-base-has-much", SHOW[:1], (1000, 80000), status=(0, 2))
def each_base_has_much(n):
    """Rows with different names, all of which are kept."""
    cores = [{**core(), "events": {f"{i:x}_{k}": {"a": {}} for i in range(n // 2)}} for k in range(4)]
    for base, own in zip("cde", cores):
        own["base"] = base
    return data(thin("b"), **dict(zip("bcde", cores)))


@case("core/row-for-many-classes", SHOW[:1], (1000, 80000), status=(2,))
def row_for_many_classes(n):
    """A row that stands for those of 40 classes."""
    return data({"name": "A", "ops": {"alu": {f"{i:x}": {"a": {}} for i in range(n)}}})


for name, value in (("many", "rob_entries=128," * 6000 + "rob_entries=1"), ("name", "r" * 100000 + "=1"),
                    ("number", "rob_entries=" + "9" * 100000), ("escapes", "\x1b]0;pwn\x07=\x1b[31m"), ("commas", "," * 100000)):
    case(f"core/set-{name}", [["core", "show", "--core-set", value]])(lambda: {})

# SPDX-License-Identifier: MIT
"""What perf stat prints, budgets, specifications."""
import json
import os

from case import CHECK, PERF_STAT, case

STATS = [*PERF_STAT, *CHECK, ["report", "{}", "--mcpu", "neoverse-v1", "--per-thread", "-j"]]
ESCAPES = "x\x1b]0;pwn\x07\x1b[31m\x9b31m\u202egnp\r"


def stat_lines(name, line, sizes=(1000, 60000), commands=STATS, **options):
    """A file of n lines, each of its number."""
    case(f"stat/{name}", commands, sizes, **options)(lambda n: {"f": "".join(line(i) for i in range(n)).encode()})


stat_lines("names", lambda i: f"{i},,event-{i},1000,100.00,,\n")
stat_lines("codes", lambda i: f"{i},,r{i:x},1000,100.00,,\n")
stat_lines("same", lambda i: f"{i},,cycles,1000,100.00,,\n")
stat_lines("intervals", lambda i: f"     {i}.5,{i},,cycles,1000,100.00,,\n", (250, 4000), PERF_STAT)
stat_lines("intervals-of-names", lambda i: f"     {i}.5,{i},,event-{i},1000,100.00,,\n", (250, 4000), PERF_STAT)
stat_lines("cpus", lambda i: f"CPU{i},{i},,cycles,1000,100.00,,\n", (2000, 8192))
stat_lines("too-many-cpus", lambda i: f"CPU{i},{i},,cycles,1000,100.00,,\n", (10000, 60000))
stat_lines("threads", lambda i: f"prog-{i},{i},,cycles,1000,100.00,,\n", (2000, 8192))
stat_lines("threads-of-intervals", lambda i: f"     {i // 50}.500000000,prog-{i % 50},{i},,cycles,1000,100.00,,\n")
stat_lines("threads-of-long-intervals", lambda i: f"     {i // 4000}.500000000,prog-{i % 4000},{i},,cycles,1000,100.00,,\n", (4000, 40000))
stat_lines("threads-in-disorder", lambda i: f"prog-{i * 3719 % 4000},{i},,cycles,1000,100.00,,\n")
stat_lines("short-lines", lambda i: "1,,r11\n", (100000, 4000000))
stat_lines("json", lambda i: f'{{"counter-value": "{i}", "event": "event-{i}", "event-runtime": 1, "pcnt-running": 1.0}}\n')
stat_lines("json-intervals", lambda i: f'{{"interval": {i}.5, "counter-value": "{i}", "event": "cycles"}}\n', sizes=(250, 4000), commands=PERF_STAT)
stat_lines("checked-intervals", lambda i: f'{{"interval": {i}.5, "counter-value": "{i}", "event": "cycles"}}\n', (250, 4000), CHECK)
stat_lines("plain", lambda i: f"   {i}      event-{i}    #  1.0 K/sec  ( +-  1.00% )\n")
stat_lines("plain-threads", lambda i: f"   prog-{i}    {i}      cycles\n", (2000, 8192))
stat_lines("empty", lambda i: "\n", (100000, 4000000))
stat_lines("separators", lambda i: ",", (100000, 4000000))
stat_lines("one-line", lambda i: "a", (100000, 4000000))
stat_lines("one-field", lambda i: "1000,," + "a" * 999 if i == 0 else "a" * 999, (400, 8000))
stat_lines("deep-json", lambda i: '{"counter-value": [' if i == 0 else "[", (100000, 4000000))
stat_lines("not-counted", lambda i: f"<not counted>,,event-{i % 5000},0,100.00,,\n")
stat_lines("zeros", lambda i: "\0", (100000, 4000000))

NUMBERS = ("nan", "inf", "-inf", "1e308", "1e999", "-5", "0x1p70", "1" + "0" * 30, "18446744073709551616", "", " ", "+", ".")
for number in NUMBERS:
    case(f"stat/number-{number[:12].strip() or len(number)}", STATS)(lambda number=number: {"f": (
        f"{number},,cycles,1000,100.00,,\n1000,,instructions,{number},{number},{number},{number}\n"
        f"{number}.5,{number},,stall_slot,1000,100.00,,\n"
        f'{{"counter-value": "{number}", "event": "cycles", "pcnt-running": {number or 0}}}\n').encode()})

for where, form in (("event", "1,,{},1000,100.00,,\n"), ("value", "{},,cycles,1000,100.00,,\n"),
                    ("thread", "{}-1,5,,cycles,1000,100.00,,\n"), ("unit", "5,{},cycles,1000,100.00,,\n"),
                    ("line", "{}\n")):
    case(f"stat/escapes-{where}", PERF_STAT + [["check", "{}", "--mcpu", "neoverse-v1"]])(
        lambda form=form: {"f": (form.format(ESCAPES) + "5,,cycles,1000,100.00,,\n").encode()})


# Budgets --------------------------------------------------------------------------------------------------

BUDGET = [["check", "{x}", "--mcpu", "neoverse-v1", "--budget", "{}"]]
COUNTS = b"1000,,cycles,1000,100.00,,\n2000,,instructions,1000,100.00,,\n"


def budget(name, text, sizes=None, **options):
    if sizes:
        case(f"budget/{name}", BUDGET, sizes, **options)(
            lambda n: {"f": b"metric,low,high\n" + text(n).encode(), "x": COUNTS})
    else:
        case(f"budget/{name}", BUDGET, **options)(lambda: {"f": text.encode(), "x": COUNTS})


budget("lines", lambda n: "ipc,1,2\n" * n, (10000, 400000))
budget("empty-lines", lambda n: "\n" * n, (100000, 4000000))
budget("one-line", lambda n: "a" * n, (100000, 4000000))
budget("number", lambda n: "ipc," + "9" * n + ",\n", (100000, 4000000))
budget("quotes", lambda n: '"' * n, (100000, 4000000))
budget("escapes-metric", f"metric,low,high\n{ESCAPES},1,2\n", status=(2,))
budget("escapes-heading", f"{ESCAPES},low,high\n", status=(2,))
budget("escapes-number", f"metric,low,high\nipc,{ESCAPES},2\n", status=(2,))
budget("nan", "metric,low,high\nipc,nan,inf\n", status=(2,))
budget("crossed", "metric,low,high\nipc,3,2\n", status=(2,))


# Specifications, in Arm's layout --------------------------------------------------------------------------

SPEC = [["list", "events", "--spec", "{}"], ["list", "metrics", "--spec", "{}", "-x,"], ["list", "tree", "--spec", "{}"],
        ["plan", "--spec", "{}"], ["search", "--spec", "{}", "cycles"], ["describe", "--spec", "{}", "CPU_CYCLES"],
        ["lint", "{}"], ["report", "{x}", "--spec", "{}"], ["check", "{x}", "--spec", "{}"]]
LIST, LINT = SPEC[:3], SPEC[6:7]


def telemetry(change, n):
    with open(os.path.join(os.environ["SOURCE"], "cpus/neoverse-v1/telemetry.json")) as file:
        spec = json.load(file)
    change(spec, n)
    return {"f": json.dumps(spec).encode(), "x": COUNTS}


def spec(name, sizes=None, commands=SPEC):
    def declare(change):
        if sizes:
            case(f"spec/{name}", commands, sizes)(lambda n: telemetry(change, n))
        else:
            case(f"spec/{name}", commands)(lambda: telemetry(change, 0))
        return change
    return declare


def first(table):
    return next(iter(table.values()))


@spec("events", (1000, 60000))
def events(s, n):
    s["events"].update({f"EVENT_{i}": dict(first(s["events"]), code=hex(0x100 + i)) for i in range(n)})


@spec("metrics", (250, 16000))
def metrics(s, n):
    s["metrics"].update({f"metric_{i}": first(s["metrics"]) for i in range(n)})


@spec("metrics-with-their-own-formula", (250, 16000), LINT + SPEC[3:5])
def metrics_apart(s, n):
    s["metrics"].update({f"metric_{i}": dict(first(s["metrics"]), formula=f"CPU_CYCLES / {i + 1}", events=["CPU_CYCLES"])
                         for i in range(n)})


@spec("events-of-one-code", (1000, 60000), LINT + LIST)
def one_code(s, n):
    s["events"].update({f"EVENT_{i}": first(s["events"]) for i in range(n)})


@spec("groups", (250, 4000), LINT + LIST)
def groups(s, n):
    names = list(s["metrics"])
    s["groups"]["metrics"].update({f"group_{i}": {"title": "", "description": "", "metrics": names} for i in range(n)})


@spec("group-of-many", (4000, 60000), LINT + LIST)
def group_of_many(s, n):
    first(s["groups"]["metrics"])["metrics"] = [next(iter(s["metrics"]))] * n


@spec("long-formula", (1000, 60000))
def long_formula(s, n):
    first(s["metrics"])["formula"] = "+".join(["CPU_CYCLES"] * n)


@spec("deep-formula", (1000, 60000))
def deep_formula(s, n):
    first(s["metrics"])["formula"] = "(" * n + "1" + ")" * n


@spec("long-names", (20000, 1000000))
def long_names(s, n):
    s["events"]["E" * n] = first(s["events"])
    s["metrics"]["m" * n] = first(s["metrics"])


@spec("long-text", (20000, 1000000))
def long_text(s, n):
    first(s["events"])["description"] = "word " * n


@spec("tree", (100, 1000))
def tree(s, n):
    root = s["methodologies"]["topdown_methodology"]["decision_tree"]
    name = next(iter(s["metrics"]))
    root["metrics"] = [{"name": name, "group": "", "next_items": [name] * n, "sample_events": []}] * n


@spec("unlike")
def unlike(s, n):
    for key in list(s):
        s[key] = [s[key]] * 3


@spec("numbers")
def numbers(s, n):
    s["product_configuration"] = {k: 1e308 for k in s["product_configuration"]}
    first(s["events"])["code"] = "0x" + "f" * 100000


@spec("escapes", commands=[["list", "events", "--spec", "{}"], *SPEC[2:7]])
def escapes(s, n):
    first(s["events"]).update(title=ESCAPES, description=ESCAPES)
    s["events"]["E" + ESCAPES] = dict(first(s["events"]), code="0x7")
    s["product_configuration"]["product_name"] = ESCAPES
    first(s["metrics"]).update(title=ESCAPES, units=ESCAPES, formula="CPU_CYCLES / " + ESCAPES)


def json_text(name, text, sizes=(100000, 4000000)):
    case(f"spec/{name}", LIST[:1] + LINT, sizes)(lambda n: {"f": text(n)})


json_text("deep-lists", lambda n: b"[" * n)
json_text("deep-objects", lambda n: b'{"a":' * (n // 5))
json_text("keys", lambda n: b"{" + b",".join(b'"k%d":1' % i for i in range(n // 8)) + b"}")
json_text("same-keys", lambda n: b"{" + b",".join([b'"k":1'] * (n // 6)) + b"}")
json_text("list", lambda n: b"[" + b"1," * (n // 2) + b"1]")
json_text("number", lambda n: b'{"a":' + b"9" * n + b"}")
json_text("string", lambda n: b'{"a":"' + b"\\u0041" * (n // 6) + b'"}')
json_text("no-end", lambda n: b'{"a":"' + b"a" * n)
json_text("zeros", lambda n: bytes(n))
case("spec/is-a-fifo", SPEC[:1] + LINT, status=(2,))(lambda: {"f": os.mkfifo})


@case("spec/folder-with-a-fifo", LINT, status=(0, 1, 2))
def folder_with_a_fifo():
    def make(path):
        os.mkdir(path)
        os.mkfifo(os.path.join(path, "a.json"))
    return {"f": make}

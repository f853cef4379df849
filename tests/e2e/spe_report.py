# SPDX-License-Identifier: MIT
"""Reports worked out a second time, from the list of records that a stream was made of.

    spe_report.py make SEED COUNT OUT...    a buffer of COUNT records for each OUT, and OUT.json
    spe_report.py sharing PROGRAM OUT OUT   buffers of two threads that share cache lines, as docs/use/spe-report.md says
    spe_report.py check BY REPORT LIST...   hold REPORT (JSON) against the lists, one for each CPU
    spe_report.py check-table BY TABLE LIST...  hold what the table shows against the lists
    spe_report.py check-filters CSV PMUSCOPE REPORT...   filters by each column, and options like --pid, beside
                                            the rows of an export; REPORT...: spe report's options and file
    spe_report.py check-csv BY CSV REPORT   hold the CSV against the JSON
    spe_report.py functions PROGRAM NAME... addresses from the first to the end of the last
    spe_report.py check-code BY REPORT PROGRAM FIRST LAST LIST...   symbols and lines beside addr2line

Buffers are those of CPUs 0, 1, ..., with the threads 1000, 1001, ... of the process 1000, as
spe_file makes a perf.data of them: code at 0x400000 is mapped from /nonexistent/sample.
"""
import csv, json, math, random, re, subprocess, sys

PID = 1000
BASE, SIZE = 0x400000, 0x10000
NON_SECURE = 1 << 63


def packet(header, value, size):
    return bytes([header]) + value.to_bytes(size, "little")


def encode(r):
    out = b""
    if r["pc"] is not None:
        out += packet(0xB0, NON_SECURE | r["pc"], 8)
    out += packet(0x64, r["tid"], 4)  # the context: the thread, as Linux writes it
    if r["op"] is not None:
        out += packet(0x48 + r["op"][0], r["op"][1], 1)
    if r["events"] is not None:
        out += packet(0x62, r["events"], 4)
    for header, key in ((0x99, "issue"), (0x98, "total")):
        if r[key] is not None:
            out += packet(header, r[key], 2)
    if r["target"] is not None:
        out += packet(0xB1, NON_SECURE | r["target"], 8)
    if r.get("previous") is not None:
        out += packet(0xB4, NON_SECURE | r["previous"], 8)
    if r["va"] is not None:
        out += packet(0xB2, r["va"], 8)
    if r["xlat"] is not None:
        out += packet(0x9A, r["xlat"], 2)
    if r["pa"] is not None:
        out += packet(0xB3, NON_SECURE | r["pa"], 8)
    if r["source"] is not None:
        out += packet(0x43 if r["source"] < 256 else 0x53, r["source"], 1 if r["source"] < 256 else 2)
    out += packet(0x71, r["time"], 8) if r["time"] is not None else b"\x01"
    return out + bytes(-len(out) % 64)


def make_record(rng, cpu, i):
    r = dict.fromkeys(("op", "events", "total", "issue", "xlat", "target", "previous", "va", "pa", "source"))
    r.update(cpu=cpu, tid=PID + cpu, pc=BASE + rng.choice((0, 0x1000)) + 4 * int(rng.expovariate(0.02)),
             time=1000 + i)
    kind = rng.randrange(10)
    if rng.random() < 0.01:
        r["pc"] = None
    elif rng.random() < 0.02:
        r["pc"] = 0xFFFF800010000000 & ((1 << 56) - 1) | 4 * rng.randrange(8)
    if kind < 7:
        r["total"] = min(65535, int(4 + rng.expovariate(1 / rng.choice((5, 50, 3000)))))
        r["issue"] = rng.randrange(r["total"] + 3) if rng.random() < 0.9 else None
        if rng.random() < 0.05:
            r["total"] = None
    events = 1 << 1
    if kind < 4:  # loads and stores
        store = rng.random() < 0.3
        r["op"] = (1, rng.choice((0, 4, 0x1A, 0x06)) | store)
        r["va"] = 0x7000_0000 + 64 * rng.randrange(30) + 8 * rng.randrange(8)
        r["xlat"] = rng.randrange(20) if rng.random() < 0.8 else None
        if rng.random() < 0.1:
            r["pa"] = 0x12_0000_0000 + r["va"]
        events |= 1 << 2 | 1 << 4
        for bit, chance in ((3, 0.3), (5, 0.1), (8, 0.2), (9, 0.1), (10, 0.05)):
            events |= (rng.random() < chance) << bit
        if not store:
            r["source"] = rng.choice((0, 0, 0, 8, 9, 11, 14, 300))
    elif kind < 6:  # branches
        r["op"] = (2, rng.choice((0, 1, 2)))
        taken = rng.random() < 0.6
        if taken:
            r["target"] = BASE + 4 * rng.randrange(6)
        events |= (not taken) << 6 | (rng.random() < 0.2) << 7
        r["previous"] = BASE + 4 * (i % 7) if i % 3 else None  # some cores do not tell
    elif kind < 8:
        r["previous"] = BASE + 8 * (i % 5)
        r["op"] = (0, rng.choice((0, 1, 2)))
        events |= (rng.random() < 0.5) << 6  # of a conditional select: not a branch's
    elif kind < 9:
        r["op"] = (3, 0)
    if rng.random() < 0.95:
        r["events"] = events
    if rng.random() < 0.02:
        r["time"] = None
    return r


def make(seed, count, paths):
    for cpu, path in enumerate(paths):
        rng = random.Random(seed * 100 + cpu)
        records = [make_record(rng, cpu, i) for i in range(count)]
        open(path, "wb").write(b"".join(map(encode, records)))
        json.dump(records, open(path + ".json", "w"))


def access(cpu, time, pc, va, store, source=None):
    return dict(cpu=cpu, tid=PID + cpu, pc=pc, time=time, op=(1, store), events=0x16, total=220, issue=20, xlat=None,
                target=None, va=va, pa=None, source=source)


def sharing(program, paths):
    """Five lines of two threads; times of both run from 0 to 1000."""
    fill, walk = (functions(program, [name])[0] for name in ("fill", "walk"))
    line = 0x70001000
    rows = []  # cpu, first time, how many, where, store, source, function
    rows += [(0, 0, 100, line, 1, None, fill), (1, 5, 80, line + 8, 0, 9, walk)]
    rows += [(0, 0, 50, line + 64, 0, 0, fill)]
    rows += [(0, 0, 30, line + 128, 0, 0, fill), (1, 5, 30, line + 128, 0, 0, walk)]
    rows += [(0, 0, 20, line + 192 + 16, 1, None, fill), (1, 5, 25, line + 192 + 16, 1, None, walk)]
    rows += [(0, 0, 10, line + 256, 1, None, fill), (1, 500, 15, line + 256 + 32, 0, 9, walk)]
    for cpu, path in enumerate(paths):
        records = [access(cpu, first + i * 4, pc, va, store, source)
                   for c, first, n, va, store, source, pc in rows if c == cpu for i in range(n)]
        records.sort(key=lambda r: r["time"])
        open(path, "wb").write(b"".join(map(encode, records)))


# What to expect ----------------------------------------------------------------------------------

NAMES = {0: "l1_data_cache", 8: "l2_cache", 9: "peer_core", 10: "local_cluster", 11: "system_cache",
         12: "peer_cluster", 13: "remote_chip", 14: "dram"}
# By payload, of those that are made.
SUBCLASSES = {(1, 0): "general_purpose_load_store", (1, 4): "simd_fp_load_store",
              (1, 0x1A): "load_store_extended", (1, 6): "load_store_extended", (2, 0): "branch", (0, 0): "other", (3, 0): "reserved"}


def op(r):
    if r["op"] is None:
        return None
    class_, payload = r["op"]
    return ("store" if payload & 1 else "load") if class_ == 1 else {0: "other", 2: "branch", 3: "reserved"}[class_]


def atomic(r):
    return r["op"] is not None and r["op"][0] == 1 and r["op"][1] & ~1 == 6  # of those that are made


def subclass(r):
    class_, payload = r["op"]
    return SUBCLASSES[class_, payload & ~1 if class_ == 1 else 0]


def place(pc):
    """An address in the file, or as it is, with the kernel's upper byte."""
    if BASE <= pc < BASE + SIZE:
        return f"{pc - BASE:#x}", "/nonexistent/sample"
    return f"{pc | (0xFF << 56 if pc >> 55 & 1 else 0):#x}", None


def data_key(r, size):
    if r["pa"] is not None:
        return f"{r['va'] // size * size:#x}", f"{r['pa'] // size * size:#x}", None
    return f"{r['va'] // size * size:#x}", None, PID


def key(by, r):
    """The row that a record belongs to; False for none."""
    if "," in by:
        both = [key(one, r) for one in by.split(",")]
        return False not in both and sum(both, ())
    if by == "pc":
        return r["pc"] is not None and place(r["pc"])
    if by == "object":
        return r["pc"] is not None and (place(r["pc"])[1],)
    if by == "data-source":
        return (r["source"], NAMES.get(r["source"]))
    if by in ("cacheline", "page"):
        return r["va"] is not None and data_key(r, 64 if by == "cacheline" else 4096)
    if by == "data-symbol":  # no file is there that has variables; spe_data.py has some
        return r["va"] is not None and ("[unknown]",)
    if by == "branch":
        return op(r) == "branch" and r["pc"] is not None and place(r["pc"])
    if by == "op":
        return (op(r), op(r) and subclass(r))
    if by == "thread":
        return (r["tid"], PID)
    return (r["cpu"],)


# Symbols are held against addr2line, in check_code.
KEYS = {"pc": ("pc", "object"), "object": ("object",), "data-source": ("data_source", "data_source_name"),
        "cacheline": ("vaddr", "paddr", "pid"), "page": ("vaddr", "paddr", "pid"), "data-symbol": ("data_symbol",), "branch": ("pc", "object"),
        "op": ("op", "subclass"), "thread": ("tid", "pid"), "cpu": ("cpu",)}


def keys_of(by):
    first, *second = (KEYS[one] for one in by.split(","))
    named = first + (("object",) if by.startswith(("page", "cacheline")) else ())  # of the data
    return first + tuple(k if k not in named else "second_" + k for k in sum(second, ()))


def bit(records, n):
    return sum(1 for r in records if r["events"] is not None and r["events"] >> n & 1)


def percentile(values, percent):
    return sorted(values)[math.ceil(percent * len(values) / 100) - 1] if values else None


def ratio(a, b):
    return a / b if b else None


def wilson(k, n, z=1.959963984540054):
    """Ends of the interval, by solving (p - k/n)^2 = z^2 p (1 - p) / n."""
    a, b, c = 1 + z * z / n, -2 * k / n - z * z / n, (k / n) ** 2
    root = math.sqrt(max(0, b * b - 4 * a * c))
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def waits(r):
    """Cycles from issue to completion of a load; None for other records, or without that number."""
    if op(r) != "load" or r["total"] is None or r["issue"] is None:
        return None
    return max(0, r["total"] - r["issue"])


def measures(records, every, period):
    loads = [r for r in records if op(r) == "load"]
    branches = [r for r in records if op(r) == "branch"]
    waited = [r for r in loads if r["total"] is not None and r["issue"] is not None]
    all_waits = sum(waits(r) or 0 for r in every)
    wait = sum(max(0, r["total"] - r["issue"]) for r in waited)
    low, high = wilson(len(records), len(every))
    m = {"records": len(records), "share": ratio(len(records), len(every)), "share_low": low, "share_high": high,
         "operations": len(records) * period if period else None,
         "loads": len(loads), "stores": sum(op(r) == "store" for r in records), "branches": len(branches), "atomics": sum(map(atomic, records)),
         "wait": wait if waited else None, "wait_share": ratio(wait, all_waits), "wait_mean": ratio(wait, len(waited))}
    for name, column in (("total", "total"), ("issue", "issue"), ("xlat", "xlat"), ("wait", None)):
        values = [r[column] for r in records if r[column] is not None] if column else list(map(waits, waited))
        m[name + "_mean"] = ratio(sum(values), len(values))
        m[name + "_max"] = max(values, default=None)
        for p in (50, 90, 99):
            m[f"{name}_p{p}"] = percentile(values, p)
    with_events = any(r["events"] is not None for r in records)
    # Stores may be over before their caches answer (D18.2.6): of stores alone, no event is not known to be none.
    hidden = m["stores"] and not loads
    def seen(n): return bit(records, n) or n in (4, 5) or not hidden
    for name, access, miss in (("l1d", 2, 3), ("l2d", 19, 20), ("llc", 8, 9), ("tlb", 4, 5)):
        a, b = bit(records, access), bit(records, miss)
        miss_name, ratio_name = ("tlb_walk", "tlb_walk_ratio") if name == "tlb" else (name + "_miss", name + "_miss_ratio")
        m[name + "_access"] = a if with_events and bit(every, access) and seen(access) else None
        m[miss_name] = b if with_events and (bit(every, access) or bit(every, miss)) and seen(miss) else None
        m[ratio_name] = ratio(b, a) if seen(miss) else None
    for name, n in (("mispredicted", 7), ("not_taken", 6)):
        m[name] = bit(branches, n) if branches and with_events else None
        m[name.replace("mispredicted", "mispredict") + "_ratio"] = \
            ratio(bit(branches, n), len(branches)) if with_events else None
    m["remote_access"] = bit(records, 10) if with_events and seen(10) else None
    return m


def sources(records):
    found = {}
    for r in records:
        if r["source"] is not None:
            found.setdefault(r["source"], []).append((r["total"], waits(r)))
    means = {}
    for s, t in found.items():
        totals, waited = ([x[i] for x in t if x[i] is not None] for i in (0, 1))
        means[s] = len(t), ratio(sum(totals), len(totals)), sum(waited) if waited else None, ratio(sum(waited), len(waited))
    return means


def same(name, want, got):
    if want is None or got is None:
        return want is None and got is None
    tolerance = 0.01 if name[-4:] in ("_p50", "_p90", "_p99") else 1e-9
    return abs(want - got) <= tolerance * abs(want)


def check(by, report, lists, period):
    report = json.load(open(report))
    every = [r for path in lists for r in json.load(open(path))]
    groups = {}
    for r in every:
        groups.setdefault(key(by, r), []).append(r)
    keyless = groups.pop(False, [])
    every = [r for g in groups.values() for r in g]
    rows = {tuple(row[k] for k in keys_of(by)): row for row in report["rows"]}
    assert len(rows) == len(report["rows"]), "a row twice"
    assert set(rows) == set(groups), set(rows) ^ set(groups)
    for k, records in list(groups.items()) + [("total", every)]:
        row = report["total"] if k == "total" else rows[k]
        for name, want in measures(records, every, period).items():
            assert same(name, want, row[name]), f"{k} {name}: {row[name]}, not {want}"
        if k != "total":
            waited = [w for w in map(waits, records) if w is not None]
            octaves = [sum(w.bit_length() == i for w in waited) for i in range(max(waited, default=0).bit_length() + 1)]
            assert row["wait_histogram"] == (octaves if waited else None), (k, row["wait_histogram"], octaves)
        got = {f["data_source"]: tuple(f[k] for k in ("records", "total_mean", "wait", "wait_mean")) for f in row["from"]}
        want = sources(records)
        assert set(got) == set(want), (k, got, want)
        assert all(same("", w, g) for s in got for w, g in zip(want[s], got[s])), (k, got, want)
        if k != "total" and (by == "branch" or "targets" in row):
            check_targets(row, records)
        if k != "total" and by == "cacheline":
            touches = {}
            for r in records:
                t = (r["tid"], r["va"] % 64, "atomic" if atomic(r) else op(r), r["pc"] is not None and place(r["pc"])[0] or None)
                touches[t] = touches.get(t, 0) + 1
            assert {(t["tid"], t["offset"], t["op"], t["pc"]): t["records"] for t in row["touches"]} == touches, k
            # one COMM, of the first thread
            assert all((t["pid"], t["thread_name"]) == (PID, "sample" if t["tid"] == PID else None) for t in row["touches"]), k
            assert row["threads"] == len({r["tid"] for r in records}), k
            assert row["cpus"] == len({r["cpu"] for r in records}), k
            check_spots(row, records)
    sort = report["pmuscope"]["sort"]
    values = [-1 if row[sort] is None else row[sort] for row in report["rows"]]
    assert values == sorted(values, reverse=True), "not sorted"
    q = report["quality"]
    assert q["without_key"] == len(keyless) and q["reported"] == len(every), q
    assert q["records"] == len(every) + len(keyless) + q["filtered"], q


def check_targets(row, records):
    """Where branches went, and those before."""
    for key, name in ("target", "br_tgt"), ("previous", "pbt"):
        want = {}
        for r in records:
            if r[key] is not None:
                want[place(r[key])[0]] = want.get(place(r[key])[0], 0) + 1
        got = row["targets" if key == "target" else "previous_targets"]
        assert {t[name]: t["records"] for t in got} == want, (key, got, want)
        assert [t["records"] for t in got] == sorted(want.values(), reverse=True)


PEERS = {9, 10, 12, 13}  # sources that are another core's, cluster's or chip's


def check_spots(row, records):
    """The places of a cache line, each from its records alone."""
    spots = {}
    for r in records:
        spots.setdefault(r["va"] % 64, []).append(r)
    assert [s["offset"] for s in row["offsets"]] == sorted(spots, key=lambda o: (-len(spots[o]), o))
    for spot in row["offsets"]:
        of = spots[spot["offset"]]
        waited = [waits(r) for r in of if waits(r) is not None]
        codes = {}
        for r in of:
            if r["pc"] is not None:
                codes[place(r["pc"])[0]] = codes.get(place(r["pc"])[0], 0) + 1
        want = {"records": len(of), "share": len(of) / len(records), "loads": sum(op(r) == "load" for r in of),
                "stores": sum(op(r) == "store" for r in of),
                "peers": sum(op(r) == "load" and r["source"] in PEERS for r in of),
                "wait": sum(waited) if waited else None, "wait_mean": ratio(sum(waited), len(waited)),
                "threads": len({r["tid"] for r in of}), "cpus": len({r["cpu"] for r in of}), "instructions": len(codes),
                "data_symbol": None, "data_symbol_offset": None}
        for name, value in want.items():
            assert spot[name] == value if name.startswith("data") else same(name, value, spot[name]), (name, value, spot)
        none = len(of) - sum(codes.values())
        assert codes.get(spot["pc"], none if spot["pc"] is None else 0) == max([none, *codes.values()]), (codes, spot)


def about(source):
    return NAMES.get(source, f"source_{source}")


def rounded(percent):
    return "<1" if 0 < percent < 0.5 else ">99" if 99.5 <= percent < 100 else f"{percent:.0f}"


def table_row(records, every):
    """A table row's columns before the name: share of the wait, records, two percentiles, two sources."""
    m = measures(records, every, None)
    waited_for = sorted(((cycles, n, s) for s, (n, _, cycles, _) in sources(records).items() if cycles),
                        key=lambda x: (-x[0], -x[1], x[2]))
    share = 100 * m["wait_share"]
    return ("0" if not share else "<0.1" if share < 0.05 else f"{share:.1f}", f"{len(records):,}", m["wait_p50"], m["wait_p90"],
            [f"{about(s)} {rounded(100 * cycles / m['wait'])} %" for cycles, _, s in waited_for[:2]])


def check_table(by, path, lists):
    every = [r for p in lists for r in json.load(open(p)) if key(by, r)]
    rows, heading = {}, None
    for line in open(path):
        found = re.match(r" *(-|<?[\d.]+)  +([\d,]+)  +(-|[\d,]+)  +(-|[\d,]+)  (-|\w+ [<>]?\d+ %)  +(.*)\n", line)
        second = re.match(r" {30,}(\w+ [<>]?\d+ %)", line)
        if found:
            rows[found[6].split(" ")[0]] = last = [*found.groups()[:4], [found[5]]]
        elif second:
            last[4].append(second[1])
        elif "p50" in line:
            heading = before.split() + line.split()
        before = line
    assert heading[:7] == ["load", "cycles", "Data", "from,", "Wait", "%", "Records"], heading
    groups = {}
    for r in every:
        k = key(by, r)
        groups.setdefault(k[0] if by == "pc" else k[0] and k[0].split("/")[-1] or "not", []).append(r)
    assert rows and set(rows) == set(groups), set(rows) ^ set(groups)
    ranks = 0  # rows in which the source of the most records is not the one most waited for
    for k, records in groups.items():
        share, n, p50, p90, two = table_row(records, every)
        got = rows[k]
        assert (got[0], got[1]) == (share, n), (k, got, share, n)
        for want, cell in ((p50, got[2]), (p90, got[3])):
            assert same("_p50", want, None if cell == "-" else int(cell.replace(",", ""))) or \
                abs(want - int(cell.replace(",", ""))) <= 1, (k, want, cell)
        assert got[4] == (two or ["-"]), (k, got[4], two)
        counts = {about(s): v[0] for s, v in sources(records).items()}
        ranks += bool(two) and counts[two[0].split(" ")[0]] < max(counts.values())
    assert ranks or by == "object", "ranked by records, the same would come out"


def check_filters(path, command):
    rows = list(csv.DictReader(open(path, newline="")))

    def taken(*options):
        found = subprocess.run(command + ["--by", "op", "-j", *options], check=True, capture_output=True, text=True).stdout
        return json.loads(found)["quality"]["reported"]

    def expect(want, *options):
        assert want and taken(*options) == want, (options, want, taken(*options))

    columns = 0
    for name in rows[0]:
        values = [row[name] for row in rows if row[name]]
        if not values:
            continue
        columns += 1
        value = max(set(values), key=lambda v: (values.count(v) < len(values), values.count(v), v))
        if name == "event":
            word = value.split(":")[-1]
            expect(sum(word in v.split(":") for v in values), "--filter", f"event=={word}")
            continue
        quoted = value if value.isalnum() or name == "subclass" else '"%s"' % value.replace("\\", "\\\\").replace('"', '\\"')
        if name in ("security_state", "pas", "op", "data_source_name", "br_tgt_security_state", "pbt_security_state"):
            quoted = value
        expect(values.count(value), "--filter", f"{name}=={quoted}")
    assert columns > 35, columns
    for name in ("object", "symbol", "file", "line", "wait", "data_source_name"):
        expect(sum(row[name] != "" for row in rows), "--filter", name)
    expect(sum(row["file"].endswith("/walk.c") for row in rows), "--filter", "file==walk.c")
    expect(sum(row["object"].endswith("/sample") for row in rows), "--filter", "object==sample")
    expect(sum(row["symbol"].startswith("w") for row in rows), "--filter", "symbol=~'w*'")
    expect(sum(row["symbol"] not in ("", "walk") for row in rows), "--filter", "symbol!=walk")
    expect(sum(int(row["wait"] or 0) > 100 for row in rows), "--filter", "wait>100")
    expect(sum(row["tid"] == "1001" and row["op"] == "load" for row in rows), "--filter", "op==load", "--tid", "1001")
    expect(len(rows), "--pid", "7,1000")
    expect(sum(row["cpu"] == "1" for row in rows), "--cpu", "1-5,9")
    expect(sum(row["thread_name"] == "sample" for row in rows), "--comm", 'a"\\,sample')
    times = sorted(int(row["time"]) for row in rows if row["time"])
    span = times[-1] - times[0]
    for low, high in ((10, 20), (0, 50), (99.5, 100)):
        ends = [times[0] + span * int(end * 10) // 1000 for end in (low, high)]
        want = sum(ends[0] <= t and (t < ends[1] or high == 100) for t in times)
        expect(want, "--time", f"{low}%-{high}%")
        seconds = [f"{end // 10**9}.{end % 10**9:09}" for end in ends]
        expect(want - (high == 100) * times.count(times[-1]), "--time", "-".join(seconds))
    expect(sum(t >= times[len(times) // 3] for t in times), "--time", f"{times[len(times) // 3] / 1e9:.9f},")


def functions(program, names):
    found = {}
    for line in subprocess.run(["readelf", "-sW", program], check=True, capture_output=True, text=True).stdout.splitlines():
        words = line.split()
        if len(words) == 8 and words[3] == "FUNC":
            found[words[7]] = int(words[1], 16), int(words[2], 0)
    return found[names[0]][0], sum(found[names[-1]])


def addr2line(program, pcs):
    """Of each address the innermost function and its line, and the function that holds it."""
    places = {}
    for pc in pcs:
        lines = subprocess.run(["addr2line", "-f", "-i", "-e", program, hex(pc)], check=True, capture_output=True,
                               text=True).stdout.split("\n")[:-1]
        places[pc] = lines[0], lines[1].split(" ")[0], lines[-2]
    return places


def check_code(by, report, program, low, high, lists):
    report = json.load(open(report))
    records = [r for path in lists for r in json.load(open(path)) if r["pc"] is not None and low <= r["pc"] < high]
    places = addr2line(program, {r["pc"] for r in records})
    groups = {}
    for r in records:
        inner, line, outer = places[r["pc"]]
        k = (outer,) if by == "symbol" else (hex(r["pc"]),) if by == "pc" else (*line.rsplit(":", 1), inner)
        groups.setdefault(k, []).append(r)
    assert len(groups) > 1
    rows = {(row["symbol"],) if by == "symbol" else (row["address"],) if by == "pc" else (row["file"], str(row["line"]), row["symbol"]): row
            for row in report["rows"]}
    assert set(rows) == set(groups), set(rows) ^ set(groups)
    for k, group in groups.items():
        assert rows[k]["object"] == "/nonexistent/sample"
        check_targets(rows[k], group)
        if by == "pc":  # as objdump has it: the file begins at its first segment's address
            assert rows[k]["address"] == k[0] == hex(int(rows[k]["pc"], 16) + BASE), (k, rows[k]["pc"])
        for name, want in measures(group, records, 1024).items():
            assert same(name, want, rows[k][name]), f"{k} {name}: {rows[k][name]}, not {want}"


def check_csv(by, path, report):
    report = json.load(open(report))
    rows = list(csv.DictReader(line for line in open(path) if not line.startswith("#")))
    assert [r["row"] for r in rows] == ["group"] * len(report["rows"]) + ["total"]
    for row, want in zip(rows, report["rows"] + [report["total"]]):
        for name, value in want.items():
            if name == "wait_histogram":
                assert row[name] == " ".join(map(str, value or [])), (name, row[name], value)
            elif isinstance(value, list) or name not in row:
                assert isinstance(value, list), name
            elif value is None:
                assert row[name] == "", (name, row[name])
            elif isinstance(value, str):
                assert row[name] == value, (name, row[name], value)
            else:
                assert float(row[name]) == value, (name, row[name], value)


def main():
    if sys.argv[1] == "make":
        make(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
    elif sys.argv[1] == "sharing":
        sharing(sys.argv[2], sys.argv[3:])
    elif sys.argv[1] == "check":
        check(sys.argv[2], sys.argv[3], sys.argv[4:], 1024)
    elif sys.argv[1] == "check-table":
        check_table(sys.argv[2], sys.argv[3], sys.argv[4:])
    elif sys.argv[1] == "check-filters":
        check_filters(sys.argv[2], sys.argv[3:])
    elif sys.argv[1] == "functions":
        print("pc>=%d && pc<%d" % functions(sys.argv[2], sys.argv[3:]))
    elif sys.argv[1] == "check-code":
        check_code(*sys.argv[2:5], *functions(sys.argv[4], sys.argv[5:7]), sys.argv[7:])
    else:
        check_csv(*sys.argv[2:])


main()

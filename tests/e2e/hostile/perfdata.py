# SPDX-License-Identifier: MIT
"""perf.data: files with a header and through pipes, compressed or not, with trace data of Arm SPE or counts."""
import struct
import subprocess

from case import CHECK, PERF_STAT, SPE_ALL, case

# Types of records, of the kernel and of the tool.
MMAP, COMM, FORK, MMAP2, AUX, ITRACE_START, SWITCH = 1, 3, 7, 10, 11, 12, 14
ATTR, BUILD_ID, ID_INDEX, AUXTRACE_INFO, AUXTRACE, THREAD_MAP, CPU_MAP = 64, 67, 69, 70, 71, 73, 74
STAT_CONFIG, STAT, STAT_ROUND, FEATURE, COMPRESSED, COMPRESSED2 = 75, 76, 77, 80, 81, 83
ATTR_SIZE, HEADER, ENTRY = 128, 104, 144
PID = 42
ALL_READERS = [*SPE_ALL, *PERF_STAT]
LONGEST = 65528  # of a record


def record(kind, body, misc=0):
    assert len(body) + 8 < 65536
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def text(value):
    """With a zero, in eights."""
    data = (value if isinstance(value, bytes) else value.encode()) + b"\0"
    return data + b"\0" * (-len(data) % 8)


def mmap(start, length, path="a", pid=PID, offset=0):
    return record(MMAP, struct.pack("<iiQQQ", pid, pid, start, length, offset) + text(path))


def mmap2(start, length, path, pid=PID, offset=0, tail=None):
    body = struct.pack("<iiQQQIIQQII", pid, pid, start, length, offset, 8, 1, 99, 0, 5, 2)
    return record(MMAP2, body + (text(path) if tail is None else tail), 2)


def comm(name, pid=PID, tid=PID):
    return record(COMM, struct.pack("<ii", pid, tid) + text(name))


def fork(pid, parent, time=0):
    return record(FORK, struct.pack("<iiiiQ", pid, parent, pid, parent, time))


def trace_info(kind=4, *numbers):
    return record(AUXTRACE_INFO, struct.pack("<II", kind, 0) + struct.pack(f"<{len(numbers) or 2}Q", *(numbers or (1, 8))))


def trace(data, index=0, tid=PID, cpu=-1, size=None):
    """An AUXTRACE record with its data behind it."""
    return record(AUXTRACE, struct.pack("<QQQIiiI", len(data) if size is None else size, 0, 0, index, tid, cpu, 0)) + data


def sample(pc, address=None, context=PID, time=1000, latency=100):
    """The packets of one Arm SPE record: a load."""
    data = b"\xb0" + struct.pack("<Q", pc & 0xff_ffff_ffff_ffff) + b"\x64" + struct.pack("<I", context)
    data += b"\x49\x00" + b"\x52\x16\x00" + b"\x99" + struct.pack("<H", latency) + b"\x98" + struct.pack("<H", latency + 9)
    if address is not None:
        data += b"\xb2" + struct.pack("<Q", address)
    return data + b"\x71" + struct.pack("<Q", time)


def attr(kind=10, size=ATTR_SIZE, config=1, sample_type=3, flags=0):
    return struct.pack("<IIQQQQQ", kind, size, config, 1, sample_type, 0, flags).ljust(ATTR_SIZE, b"\0")


def file(data, attrs=None, ids=b"", features=b"\0" * 32, tail=b""):
    """A file with a header. attrs: pairs of attribute and (offset, size) of its ids, which lie behind the header."""
    attrs = [(attr(), (0, 0))] if attrs is None else attrs
    at = HEADER + len(ids)
    table = b"".join(a + struct.pack("<QQ", *where) for a, where in attrs)
    head = struct.pack("<8sQQQQQQQQ", b"PERFILE2", HEADER, ENTRY, at, len(table), at + len(table), len(data), 0, 0)
    return head + features + ids + table + data + tail


def pipe(data):
    return struct.pack("<8sQ", b"PERFILE2", 16) + data


def with_features(data, numbers):
    """A file with the sections of numbers: {bit: bytes}."""
    bits = sum(1 << n for n in numbers)
    base = file(data, features=bits.to_bytes(32, "little"))
    at = len(base) + 16 * len(numbers)
    table = body = b""
    for n in sorted(numbers):
        table += struct.pack("<QQ", at + len(body), len(numbers[n]))
        body += numbers[n]
    return base + table + body


def packed(data, level=3):
    """As COMPRESSED records."""
    zstd = subprocess.run(["zstd", f"-{level}", "-c", "-q"], input=data, capture_output=True, check=True).stdout
    return b"".join(record(COMPRESSED, zstd[i:i + 60000]) for i in range(0, len(zstd), 60000))


ONE = trace(sample(0x400100))


def recording(data, last=ONE):
    return file(trace_info() + data + last)


# Numbers that lie -----------------------------------------------------------------------------------------

BASE = recording(b"")
EXTREMES = [0, 7, 0xffff, 1 << 31, 1 << 62, 1 << 63, (1 << 64) - 8, (1 << 64) - 1]


def patched(offset, *numbers):
    data = bytearray(BASE)
    struct.pack_into(f"<{len(numbers)}Q", data, offset, *numbers)
    return bytes(data)


def lies():
    """Each field of the header, of the attributes and of records, with each extreme."""
    fields = {"size": 8, "attr_size": 16, "attrs_at": 24, "attrs_size": 32, "data_at": 40, "data_size": 48,
              "types_at": 56, "features": 72, "ids_at": HEADER + ATTR_SIZE, "ids_size": HEADER + ATTR_SIZE + 8,
              "attr": HEADER, "sample_type": HEADER + 24}
    for name, offset in fields.items():
        for n in EXTREMES:
            yield f"{name}-{n:x}", patched(offset, n)
    for n in EXTREMES:
        yield f"aux-{n:x}", recording(b"", trace(b"x" * 64, size=n))
        yield f"info-{n:x}", file(trace_info(4, n, n) + ONE)
        yield f"map-{n:x}", recording(mmap2(n, n, "/x", offset=n))
        yield f"tracing-{n:x}", recording(record(66, struct.pack("<Q", n)))
        yield f"stretch-{n:x}", recording(record(AUX, struct.pack("<QQQ", n, n, n)))
        yield f"index-{n:x}", recording(record(ID_INDEX, struct.pack("<Q", n) + bytes(64)))
        yield f"threads-{n:x}", recording(record(THREAD_MAP, struct.pack("<Q", n) + bytes(64)))
        yield f"cpus-{n:x}", recording(record(CPU_MAP, struct.pack("<HHHxx", 1, n & 0xffff, 8) + bytes(64)))
        yield f"inflate-{n:x}", recording(record(COMPRESSED2, struct.pack("<Q", n) + bytes(64)))
    yield "attrs-over-themselves", patched(24, 0, ENTRY)
    yield "data-over-itself", patched(40, 0, 1 << 62)
    yield "ids-over-all", patched(HEADER + ATTR_SIZE, 0, len(BASE) // 8 * 8)
    yield "zero-record", recording(struct.pack("<IHH", 10, 0, 0))
    yield "short-record", recording(struct.pack("<IHH", 10, 0, 7))
    yield "long-record", recording(struct.pack("<IHH", 10, 0, 0xffff) + b"a" * 100)
    yield "no-zero", recording(mmap2(0, 1 << 20, "", tail=b"A" * 200))
    yield "no-path", recording(mmap2(0, 1 << 20, "", tail=b""))
    yield "no-name", recording(record(COMM, struct.pack("<ii", PID, PID)))
    yield "unknown", recording(record(0xffffffff, bytes(56)) * 1000)
    yield "build-id", recording(record(BUILD_ID, struct.pack("<i", -1) + bytes(24) + b"/x\0"))
    yield "no-zstd", recording(record(COMPRESSED, b"\x28\xb5\x2f\xfd" + bytes(60)))
    yield "packed-twice", recording(packed(packed(mmap(0, 4096))))
    yield "trace-ff", recording(b"", trace(b"\xff" * 65536))
    yield "trace-00", recording(b"", trace(b"\0" * 65536))
    yield "time-back", recording(b"", trace(b"".join(sample(4096, time=(1 << 64) - 1 - i) for i in range(999))))
    yield "pipe-cut", pipe(trace_info() + ONE[:60])
    yield "pipe-feature", pipe(record(FEATURE, struct.pack("<Q", 1 << 63) + bytes(100)) + trace_info() + ONE)
    yield "pipe-attrs", pipe(record(ATTR, struct.pack("<II", 0, 0xffffffff) + bytes(4120)) * 100 + trace_info() + ONE)
    yield "all-features", with_features(trace_info() + ONE, {n: b"\xff" * 64 for n in range(256)})
    yield "features-0", with_features(trace_info() + ONE, {n: b"" for n in range(256)})
    yield "empty", b""
    yield "magic", b"PERFILE2"
    yield "other-order", b"2ELIFREP" + bytes(100)
    for n in range(8, len(BASE), 8):
        yield f"cut-{n}", BASE[:n]


def declare_lies():
    for name, data in lies():
        # Each through two of the readers, so that each reader has all kinds and there are not too many runs.
        n = len(name) + len(data) + sum(name.encode())
        case(f"perfdata/lie-{name}", [ALL_READERS[n % len(ALL_READERS)], ALL_READERS[(n + 2) % len(ALL_READERS)]])(
            lambda data=data: {"f": data})


declare_lies()


# Much of a kind -------------------------------------------------------------------------------------------

REPORT, EXPORT, DUMP, RECORDS = SPE_ALL[:1], SPE_ALL[4:], SPE_ALL[2:3], SPE_ALL[3:4]


@case("perfdata/streams", [*REPORT, *RECORDS], (2000, 30000))
def streams(n):
    return {"f": recording(b"".join(trace(b"\x01", index=i) for i in range(n)))}


@case("perfdata/streams-of-threads", REPORT, (2000, 30000))
def streams_of_threads(n):
    return {"f": recording(b"".join(trace(sample(4096, context=i), tid=i, index=i) for i in range(1, n)))}


@case("perfdata/falling-mappings", [*REPORT, *EXPORT], (10000, 200000))
def falling(n):
    return {"f": recording(b"".join(mmap((n - i) * 0x2000, 0x1000) for i in range(n)))}


@case("perfdata/falling-mappings-packed", REPORT, (10000, 200000))
def falling_packed(n):
    return {"f": recording(packed(b"".join(mmap((n - i) * 0x2000, 0x1000) for i in range(n))))}


@case("perfdata/covering-mapping", [*REPORT, *EXPORT], (4000, 60000))
def covering(n):
    return {"f": recording(mmap(0x1000, 0x7fffffff0000, "all") +
                           b"".join(mmap(0x10000000 + i * 0x2000, 0x1000) for i in range(n)),
                           trace(b"".join(sample(0x7f0000000000 + 4 * i) for i in range(n))))}


@case("perfdata/nested-mappings", [*REPORT, *EXPORT], (4000, 60000))
def nested(n):
    return {"f": recording(b"".join(mmap(0x1000 * i, 0x1000 * (2 * n - 2 * i), f"m{i % 7}") for i in range(n)),
                           trace(b"".join(sample(0x1000 * (2 * n - i) - 4) for i in range(n))))}


@case("perfdata/same-mapping", REPORT, (10000, 200000))
def same(n):
    return {"f": recording(mmap(0x400000, 0x1000) * n, trace(sample(0x400100) * (n // 4)))}


@case("perfdata/many-files", REPORT, (4000, 60000))
def many_files(n):
    return {"f": recording(b"".join(mmap(0x1000 * i, 0x1000, f"/nowhere/file-{i}") for i in range(n)),
                           trace(b"".join(sample(0x1000 * i + 8) for i in range(n))))}


@case("perfdata/chain-of-forks", [*REPORT, *EXPORT], (4000, 60000))
def chain(n):
    return {"f": recording(b"".join(fork(PID + 1 + i, PID + i, i + 1) for i in range(n)),
                           trace(b"".join(sample(0x400100 + 4 * i, context=PID + n) for i in range(n)), tid=PID + n))}


@case("perfdata/forks-of-one", REPORT, (4000, 60000))
def fan(n):
    maps = b"".join(mmap(0x1000 * i, 0x1000) for i in range(200))
    return {"f": recording(maps + b"".join(fork(PID + 1 + i, PID) for i in range(n)),
                           trace(b"".join(sample(0x1000 + i, context=PID + 1 + i) for i in range(n))))}


@case("perfdata/forks-with-mappings", REPORT, (1000, 15000))
def forks_with_mappings(n):
    """Each child maps something and forks the next: it sees the mappings of all before it."""
    data = b"".join(fork(PID + 1 + i, PID + i) + mmap(0x10000 * i, 0x1000, pid=PID + 1 + i) for i in range(n))
    return {"f": recording(data, trace(b"".join(sample(0x10000 * i, context=PID + n) for i in range(n)), tid=PID + n))}


@case("perfdata/many-threads", [*REPORT, [*SPE_ALL[0], "--by", "thread"]], (4000, 60000))
def threads(n):
    return {"f": recording(b"".join(comm(f"t{i}", PID, i) for i in range(1, n)),
                           trace(b"".join(sample(0x400100, context=i) for i in range(1, n))))}


@case("perfdata/new-names", REPORT, (10000, 200000))
def new_names(n):
    return {"f": recording(b"".join(comm(f"name-{i}") for i in range(n)))}


@case("perfdata/long-names-packed", REPORT, (500, 8000))
def long_names(n):
    return {"f": recording(packed(comm("A" * 65000) * n))}


@case("perfdata/long-paths-packed", REPORT, (500, 8000))
def long_paths(n):
    return {"f": recording(packed(b"".join(mmap(0x400000, 0x1000, "/" + "a" * 65000 + str(i)) for i in range(n))))}


@case("perfdata/nothing-packed", [*REPORT, *PERF_STAT], (500, 8000))
def nothing_packed(n):
    return {"f": recording(packed(record(99, bytes(65000)) * n, 19))}


@case("perfdata/colliding-ids", [*REPORT, *PERF_STAT], (10000, 160000))
def colliding(n):
    """Multiples of the inverse of the factor that tables like to spread numbers by."""
    inverse = pow(0x9e3779b97f4a7c15, -1, 1 << 64)
    ids = struct.pack(f"<{n}Q", *(inverse * j % (1 << 64) for j in range(1, n + 1)))
    return {"f": file(trace_info() + ONE, [(attr(), (HEADER, len(ids)))], ids)}


@case("perfdata/many-events", [*REPORT, *PERF_STAT], (4000, 60000))
def many_events(n):
    return {"f": file(trace_info() + ONE, [(attr(), (0, 0))] * n)}


@case("perfdata/ids-of-all", [*REPORT, *PERF_STAT], (300, 4000))
def ids_of_all(n):
    """Every event has the ids of all."""
    ids = struct.pack(f"<{n}Q", *range(n))
    return {"f": file(trace_info() + ONE, [(attr(), (HEADER, len(ids)))] * n, ids)}


@case("perfdata/late-events", [*REPORT, *PERF_STAT], (2000, 30000))
def late_events(n):
    return {"f": pipe(trace_info() + ONE + b"".join(record(ATTR, attr() + struct.pack("<Q", i)) for i in range(n)))}


@case("perfdata/index", REPORT, (2000, 30000))
def index(n):
    rows = struct.pack("<QQQQ", 1, 2, 3, 4) * 2000
    return {"f": recording(record(ID_INDEX, struct.pack("<QQ", 2000, 0) + rows) * (n // 1000))}


@case("perfdata/pmus", [*REPORT, *PERF_STAT], (4000, 60000))
def pmus(n):
    body = struct.pack("<I", n) + b"".join(struct.pack("<II", i, 8) + b"p%06d\0" % i for i in range(n))
    return {"f": with_features(trace_info() + ONE, {15: body})}


@case("perfdata/stretches", [*REPORT, *RECORDS], (10000, 160000))
def stretches(n):
    """AUX records for each byte of the trace, and for many that are not there."""
    return {"f": recording(b"".join(record(AUX, struct.pack("<QQQ", i, 1, i & 3)) for i in range(n)),
                           trace(sample(4096) * (n // 64)))}


@case("perfdata/stretches-back", RECORDS, (10000, 160000))
def stretches_back(n):
    return {"f": recording(b"".join(record(AUX, struct.pack("<QQQ", n - i, 1, 0)) for i in range(n)))}


@case("perfdata/build-ids", REPORT, (4000, 60000))
def build_ids(n):
    rows = b"".join(record(BUILD_ID, struct.pack("<i", -1) + struct.pack("<QQI4x", i, i, i) + text(f"/f{i}"))
                    for i in range(n))
    return {"f": with_features(trace_info() + b"".join(mmap(0x1000 * i, 0x1000, f"/f{i}") for i in range(n)) + ONE,
                               {2: rows})}


@case("perfdata/switches", REPORT, (10000, 160000))
def switches(n):
    return {"f": recording(record(ITRACE_START, struct.pack("<ii", PID, PID)) + record(SWITCH, b"") * n)}


# Much trace -----------------------------------------------------------------------------------------------

BY = ("line", "symbol", "pc", "object", "data-source", "page", "branch", "op", "thread", "cpu", "cacheline")


@case("spe/each-its-place", [["spe", "report", "--by", by, "{}"] for by in BY], (4000, 200000))
def places(n):
    return {"f": recording(b"", trace(b"".join(
        sample(0x400000 + 4096 * i, 0x7f0000000000 + 4096 * i, latency=i & 0xfff, time=i) for i in range(n))))}


@case("spe/each-its-thread", [["spe", "report", "--by", by, "-j", "{}"] for by in ("thread", "cacheline", "pc")],
      (4000, 200000))
def each_thread(n):
    return {"f": recording(b"", trace(b"".join(sample(0x400000 + i, 64 * (i % 7), context=i) for i in range(n))))}


def branch(pc, target, before):
    """The packets of one record: a branch, and the one that was taken before it."""
    return (b"\xb0" + struct.pack("<Q", pc) + b"\x64" + struct.pack("<I", PID) + b"\x4a\x00" + b"\x52\x16\x00" + b"\xb1" +
            struct.pack("<Q", target) + b"\xb4" + struct.pack("<Q", before) + b"\x71" + struct.pack("<Q", 1000))


@case("spe/one-line", [["spe", "report", "--by", "cacheline", *rest, "{}"] for rest in ([], ["-j"])], (12500, 200000))
def one_line(n):
    """All of one row: each instruction touches the same cache line."""
    return {"f": recording(b"", trace(b"".join(sample(0x400000 + i, 64) for i in range(n))))}


@case("spe/one-branch", [["spe", "report", "--by", "branch", *rest, "{}"] for rest in ([], ["-j"])], (12500, 200000))
def one_branch(n):
    return {"f": recording(b"", trace(b"".join(branch(0x400000, 0x500000 + 4 * i, 0x900000 + 4 * i) for i in range(n))))}


@case("spe/writers-of-a-line", [["spe", "report", "--by", "cacheline", *rest, "{}"] for rest in ([], ["-j"])], (12500, 270000))
def writers_of_a_line(n):
    """Each thread stores into the same cache line."""
    def store(i):
        return sample(0x400000, 64 + 8 * (i & 7), context=i, time=1000 + i).replace(b"\x49\x00", b"\x49\x01")
    return {"f": recording(b"", trace(b"".join(store(i) for i in range(1, n)), tid=-1, cpu=0))}


@case("spe/bad-last-record", [*SPE_ALL, ["spe", "report", "--by", "symbol", "-j", "{}"]], (2500, 40000))
def bad_last_record(n):
    """All before it can be read, each at its own instruction of its own absent object."""
    maps = b"".join(mmap(0x1000 * i, 0x1000, f"/nowhere/{i}") for i in range(1, n))
    return {"f": recording(maps, trace(b"".join(sample(0x1000 * i + 4, 64 * i) for i in range(1, n))) + bytes(8))}


@case("spe/bare", [["spe", "dump", "--raw", "{}"], ["spe", "dump", "--raw", "--records", "--format", "jsonl", "{}"],
                   ["spe", "report", "--raw", "{}"], ["spe", "export", "--raw", "--to", "jsonl", "{}"]], (100, 4000))
def bare(n):
    """Every byte as a header, with every byte behind it."""
    return {"f": b"".join(bytes([i * 7 & 0xff, i >> 3 & 0xff, i & 0xff]) for i in range(n * 100))}


for byte in (0x00, 0x01, 0x20, 0x43, 0x71, 0x98, 0xb0, 0xff):
    case(f"spe/bare-{byte:02x}", [["spe", "dump", "--raw", "{}", "--format", "jsonl"], ["spe", "report", "--raw", "{}"],
                                  ["spe", "export", "--raw", "--to", "rowbinary", "{}"]], (10000, 1000000))(
        lambda n, byte=byte: {"f": bytes([byte]) * n})


# Counts ---------------------------------------------------------------------------------------------------

def counter(identity, value, cpu=0, thread=0):
    return record(STAT, struct.pack("<QIIQQQ", identity, cpu, thread, value, value, value))


CONFIG = record(STAT_CONFIG, struct.pack("<QQQQQ", 2, 0, 0, 1, 1))
ROUND = record(STAT_ROUND, struct.pack("<QQ", 0, 10**9))
STATS = [*PERF_STAT, *CHECK, ["report", "{}", "--mcpu", "neoverse-v1", "--per-thread", "-j"]]


def counted(n):
    """Attributes and ids of n events."""
    ids = struct.pack(f"<{n}Q", *range(1000, 1000 + n))
    return [(attr(4, config=0x11), (HEADER + 8 * i, 8)) for i in range(n)], ids


@case("perfdata/far-cpus", STATS, (200, 4000))
def far_cpus(n):
    """Each event on a CPU of a high number, many times over."""
    attrs, ids = counted(min(n, 4096))
    return {"f": file(CONFIG + (counter(1000, 1, 8191) + ROUND) * n, attrs, ids)}


@case("perfdata/all-cpus", STATS, (16, 128))
def all_cpus(n):
    attrs, ids = counted(n)
    return {"f": file(CONFIG + b"".join(counter(1000 + i, 1, cpu) for i in range(n) for cpu in range(n * 8)) + ROUND,
                      attrs, ids)}


@case("perfdata/events-behind-counts", STATS, (200, 4000))
def events_behind(n):
    """Counts of events that come later, in a pipe."""
    late = b"".join(record(ATTR, attr(4, config=0x11) + struct.pack("<Q", 1000 + i)) + counter(1000 + i, 1 << 62)
                    for i in range(n))
    return {"f": pipe(CONFIG + late + ROUND + late)}


@case("perfdata/rounds", STATS, (250, 4000))
def rounds(n):
    attrs, ids = counted(4)
    return {"f": file(CONFIG + b"".join(counter(1000, i) + record(STAT_ROUND, struct.pack("<QQ", 1, i)) for i in range(n)),
                      attrs, ids)}


# What is in the way of who reads it -----------------------------------------------------------------------

ESCAPES = "x\x1b]0;pwn\x07\x1b[31m\x9b31m\u202egnp\r"


@case("perfdata/escapes", [["spe", "report", "--by", by, "{}"] for by in BY] + PERF_STAT, status=(0, 2))
def escapes():
    return {"f": with_features(
        trace_info() + comm(ESCAPES) + mmap2(0x400000, 0x10000, "/no/" + ESCAPES) + ONE,
        {3: struct.pack("<I", 64) + ESCAPES.encode().ljust(64, b"\0"),
         8: struct.pack("<I", 64) + ESCAPES.encode().ljust(64, b"\0")})}

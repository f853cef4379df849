# SPDX-License-Identifier: MIT
"""Reads the same perf.data with perf 6.1 and with pmuscope, and compares every packet.

    spe_perf.py packets|framing|records DIRECTORY

What pmuscope says of a packet is put into perf's words, and must be what perf wrote. Where perf 6.1
says less than there is, the words below leave that out, each with a comment that begins with "perf:".
Needs PMUSCOPE and SPE_FILE (see spe_file.c) in the environment.
"""
import json
import os
import random
import re
import subprocess
import sys


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def without_reserved(words):
    """perf: a previous branch target is a plain number, with the bits [59:56] that mean nothing."""
    m = re.match(r"ADDR 0x([0-9a-f]+) \(4\)$", words)
    return f"ADDR {int(m[1], 16) & ~(0xf << 56):#x} (4)" if m else words


class Stream:
    """Bytes of packets, as a file perf and pmuscope read."""

    def __init__(self, directory, name, content):
        self.content = content
        self.file = os.path.join(directory, name + ".data")
        raw = os.path.join(directory, name + ".spe")
        with open(raw, "wb") as out:
            out.write(content)
        run(os.environ["SPE_FILE"], "-w", self.file, raw)

    def by_perf(self):
        """(offset, length, words) of each packet; zeros in a row as one, as pmuscope has them."""
        packets = []
        text = run("perf", "report", "-D", "-i", self.file).split("ARM SPE data:")[1]
        for line in text.splitlines()[1:]:
            m = re.match(r"\.  ([0-9a-f]{8}):  ((?:[0-9a-f]{2} )+) *(.*)$", line)
            if not m:
                break
            packet = int(m[1], 16), len(m[2].split()), without_reserved(m[3].strip())
            if packet[2] == "PAD" and packets and packets[-1][2] == "PAD":
                last = packets.pop()  # perf: at most 16 zeros a packet
                packet = last[0], last[1] + packet[1], "PAD"
            packets.append(packet)
        return packets

    def by_pmuscope(self):
        out = run(os.environ["PMUSCOPE"], "spe", "dump", "--format", "jsonl", self.file)
        return [json.loads(line) for line in out.splitlines()]


# pmuscope's packets in perf's words --------------------------------------------------------------

EVENTS = {
    0: "EXCEPTION-GEN", 1: "RETIRED", 2: "L1D-ACCESS", 3: "L1D-REFILL", 4: "TLB-ACCESS",
    5: "TLB-REFILL", 6: "NOT-TAKEN", 7: "MISPRED", 8: "LLC-ACCESS", 9: "LLC-REFILL",
    10: "REMOTE-ACCESS", 11: "ALIGNMENT", 17: "SVE-PARTIAL-PRED", 18: "SVE-EMPTY-PRED",
    # perf: 12 to 16 and 19 on have no names and are left out
}

LOADS = {
    "general_purpose_load_store": " GP-REG", "simd_fp_load_store": " SIMD-FP",
    "unspecified_load_store": " UNSPEC-REG", "system_register_load_store": " NV-SYSREG",
    # perf: allocation tags, memory copy and set, GCS and what is reserved are plain loads or stores
}


def flag(packet, key, word):
    return " " + word if packet[key] else ""


def vector(packet):
    bits = packet["evl_bits"]
    return f" EVLEN {4096 if bits is None else bits}"  # perf: "more than 2048" is 4096


def other(p):
    if p["subclass"] == "data_processing_sve_vector":
        return "SVE-OTHER" + vector(p) + flag(p, "fp", "FP") + flag(p, "pred", "PRED")
    # perf: FP and ASE, SME and what is reserved are left out; bit 0 is COND whatever it is of
    return "OTHER COND-SELECT" if p["payload"] & 1 else "OTHER INSN-OTHER"


def load_store(p):
    words = "ST" if p["payload"] & 1 else "LD"
    if p["subclass"] == "load_store_extended":
        return words + flag(p, "at", "AT") + flag(p, "excl", "EXCL") + flag(p, "ar", "AR")
    if p["subclass"] == "load_store_sve_or_sme":
        return words + vector(p) + flag(p, "pred", "PRED") + flag(p, "sg", "SG")
    return words + LOADS.get(p["subclass"], "")


def branch(p):
    # perf: IND is left out when any bit is set that SPEv1p4 gave to CR or GCS, as are these; a
    # reserved subclass is a branch too
    plain = not p["payload"] & 0xfc
    return ("B" + (" COND" if p["payload"] & 1 else "") +
            (" IND" if plain and p["payload"] & 2 else ""))


def operation(p):
    if p["class"] == 3:
        return f"OP-TYPE {p['payload']:#x} (3)"
    return (other, load_store, branch)[p["class"]](p)


def address(p):
    if p["index"] in (0, 1):  # perf: NSE is left out
        word = ("PC", "TGT")[p["index"]]
        return f"{word} {int(p['addr'], 16):#x} el{p['el']} ns={p['ns']}"
    if p["index"] == 2:
        return f"VA {p['tag'] << 56 | int(p['addr'], 16):#x}"
    if p["index"] == 3:  # perf: NSE is left out
        return f"PA {int(p['addr'], 16):#x} ns={p['ns']} ch={p['ch']} pat={p['pat']:x}"
    if p["index"] == 4:
        payload = int(p["addr"], 16) | p["ns"] << 63 | p["el"] << 61 | p["nse"] << 60
    else:
        payload = int(str(p["payload"]), 0)
    return f"ADDR {payload:#x} ({p['index']})"


def counter(p):
    # perf: other counters than these have no name, nor a number
    return f"LAT {p['count']}" + {0: " TOT", 1: " ISSUE", 2: " XLAT"}.get(p["index"], "")


def context(p):
    # perf: the reserved 2 and 3 are EL3 and a level 4
    return f"CONTEXT {int(p['context'], 16):#x} el{p['index'] + 1}"


def signed(value):
    return value - (1 << 64) if value >> 63 else value  # perf: prints 64 bits with their sign


WORDS = {
    "address": address, "context": context, "counter": counter, "operation_type": operation,
    "data_source": lambda p: f"DATA-SOURCE {p['source']}",
    "end": lambda p: "END",
    "padding": lambda p: "PAD",
    "timestamp": lambda p: f"TS {signed(p['ts'])}",
    "events": lambda p: "EV" + "".join(" " + EVENTS[b] for b in p["bits"] if b in EVENTS),
    "reserved_header": lambda p: "Bad packet!",
}


def in_perf_words(packet):
    return packet["offset"], packet["len"], WORDS[packet["type"]](packet)


def compare(stream):
    got = [in_perf_words(p) for p in stream.by_pmuscope()]
    want = stream.by_perf()
    for ours, theirs in zip(got, want):
        if ours != theirs:
            at = theirs[0]
            sys.exit(f"at {at}: bytes {stream.content[at:at + 12].hex(' ')}\n"
                     f"perf:     {theirs}\npmuscope: {ours}")
    if len(got) != len(want):
        sys.exit(f"perf has {len(want)} packets, pmuscope {len(got)}")
    if sum(p[1] for p in got) != len(stream.content):
        sys.exit("the packets do not cover the stream")
    return len(got)


# Streams -----------------------------------------------------------------------------------------

def number(value, size):
    return value.to_bytes(size, "little")


def extended(index, header):
    """The header of an address (b0) or counter (98) with an INDEX of 0 to 31, in its long form."""
    return bytes([0x20 | index >> 3, header | index & 7])


def headers(header):
    return [bytes([header | i]) for i in range(8)] + [extended(i, header) for i in range(32)]


def every_packet(rng):
    """Each header that perf 6.1 and the document agree on the length of, with payloads that set each
    bit alone, all and none, and some at random."""
    def payloads(size):
        bits = 8 * size
        yield from (0, (1 << bits) - 1)
        yield from (1 << i for i in range(bits))
        yield from (rng.getrandbits(bits) for _ in range(4))

    for header in headers(0xb0):
        yield from (header + number(v, 8) for v in payloads(8))
    for header in headers(0x98):
        yield from (header + number(v, 2) for v in payloads(2))
    for index in range(4):
        yield from (bytes([0x64 | index]) + number(v, 4) for v in payloads(4))
    for size in range(4):
        yield from (bytes([0x42 | size << 4]) + number(v, 1 << size) for v in payloads(1 << size))
    for size in range(2):
        yield from (bytes([0x43 | size << 4]) + number(v, 1 << size) for v in payloads(1 << size))
    for class_ in range(4):
        yield from (bytes([0x48 | class_, v]) for v in range(256))
    yield from (b"\x71" + number(v, 8) for v in payloads(8))
    yield b"\x01"
    yield from (bytes(n) for n in (1, 2, 15, 16, 17, 40))


def noise(rng, count):
    """Bytes most of which are no packets; without the first bytes that framing is about."""
    allowed = [h for h in range(256) if h & 0xfc != 0x20 and h not in (0x63, 0x73)]
    return bytes(rng.choice(allowed) for _ in range(count))


def records_of(rng, count, first_tick):
    """Records that perf's decoder takes whole: a timestamp ends each. In user mode, without tags, since
    perf changes the top byte of others."""
    tick = first_tick
    for _ in range(count):
        tick += rng.randrange(1, 1000)
        record = b"\xb0" + number(1 << 63 | rng.getrandbits(47), 8)
        record += bytes([0x49, rng.choice((0, 1, 4, 5))]) + b"\x52" + number(rng.getrandbits(12), 2)
        record += b"\x98" + number(rng.getrandbits(12), 2)
        record += b"\xb2" + number(rng.getrandbits(47), 8) + b"\x43" + number(rng.choice((0, 8, 13)), 1)
        yield record + b"\x71" + number(tick, 8) + bytes(rng.choice((0, 0, 3, 20)))


def tail():
    """A cut packet is told differently: a last End keeps both from seeing one."""
    return b"\x01" + bytes(16)


def packets(directory):
    rng = random.Random(4)
    each = list(every_packet(rng))
    count = compare(Stream(directory, "each", b"".join(each) + tail()))
    mixed = b"".join(rng.choice(each) for _ in range(20000))
    count += compare(Stream(directory, "mixed", mixed + tail()))
    count += compare(Stream(directory, "noise", noise(rng, 30000) + tail()))
    print(f"{count} packets are alike")


# Framing: where perf 6.1 takes other bytes for a packet ------------------------------------------

TS = b"\x71" + number(5, 8)

FRAMING = [
    # name, bytes, perf's words, pmuscope's types
    ("20 00 is an alignment packet for perf: up to the next even address",
     b"\x01\x20\x00" + TS, None, ["end", "reserved_header", "padding", "timestamp"]),
    ("a data source of 4 bytes",
     b"\x63\x01\x01\x01\x01" + TS, ["DATA-SOURCE 16843009", "TS 5"],
     ["reserved_header", "end", "end", "end", "end", "timestamp"]),
    ("a data source of 8 bytes",
     b"\x73" + b"\x01" * 8 + TS, ["DATA-SOURCE 72340172838076673", "TS 5"],
     ["reserved_header"] + ["end"] * 8 + ["timestamp"]),
    ("a packet that the buffer cuts: perf shows its bytes, one by one",
     TS + b"\xb0\xff\xff", ["TS 5"] + ["Bad packet!"] * 3, ["timestamp", "truncated"]),
    ("a cut packet with zeros inside: perf finds padding in it",
     TS + b"\xb0\x00\x00", ["TS 5", "Bad packet!", "PAD"], ["timestamp", "truncated"]),
]


def framing(directory):
    for i, (name, content, theirs, ours) in enumerate(FRAMING):
        stream = Stream(directory, f"framing{i}", content)
        words = [w for _, _, w in stream.by_perf()]
        types = [p["type"] for p in stream.by_pmuscope()]
        if theirs is not None and words != theirs:
            sys.exit(f"{name}: perf has {words}, not {theirs}")
        if theirs is None and words == [in_perf_words(p)[2] for p in stream.by_pmuscope()]:
            sys.exit(f"{name}: perf reads as pmuscope does")
        if types != ours:
            sys.exit(f"{name}: pmuscope has {types}, not {ours}")
        print(f"{name}: {words} against {types}")


# Records -----------------------------------------------------------------------------------------

def samples_by_perf(file):
    """(time in ns, program counter, data address) of each sample that perf makes of a record."""
    text = run("perf", "script", "--itrace=i1i", "--ns", "-F", "time,ip,addr", "-i", file)
    for line in text.splitlines():
        m = re.match(r" *(\d+)\.(\d{9}): +([0-9a-f]+) +([0-9a-f]+)", line)
        if m:
            yield int(m[1]) * 10**9 + int(m[2]), int(m[4], 16), int(m[3], 16)


def samples_by_pmuscope(file):
    out = run(os.environ["PMUSCOPE"], "spe", "dump", "--records", "--format", "jsonl", file)
    for line in out.splitlines():
        record = json.loads(line)
        yield record["time"], int(record["pc"], 16), int(record["vaddr"], 16)


def records(directory):
    rng = random.Random(5)
    stream = Stream(directory, "records", b"".join(records_of(rng, 3000, 1000)))
    theirs, ours = list(samples_by_perf(stream.file)), list(samples_by_pmuscope(stream.file))
    if theirs != ours or len(ours) != 3000:
        sys.exit(f"{len(theirs)} samples, {len(ours)} records:\n" + "\n".join(
            f"{x} {y}" for x, y in list(zip(theirs, ours))[:9] if x != y))
    print(f"{len(ours)} samples are alike")


if __name__ == "__main__":
    {"packets": packets, "framing": framing, "records": records}[sys.argv[1]](sys.argv[2])

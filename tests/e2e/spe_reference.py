#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A second reader of SPE packets, to check `pmuscope spe dump`.

Written from the Arm Architecture Reference Manual (DDI 0487), D18.2, by if and else where the command
has tables. Reads a bare buffer, prints what --format jsonl has to print.

    spe_reference.py decode FILE            one JSON object a packet
    spe_reference.py make SEED COUNT FILE   a stream of COUNT random packets with some damage
"""
import json
import random
import sys

ADDRESSES = {0: "instruction_va", 1: "branch_target", 2: "data_va", 3: "data_pa",
             4: "previous_branch_target"}
COUNTERS = {0: "total_latency", 1: "issue_latency", 2: "translation_latency",
            4: "alternate_clock_issue_latency"}
EVENTS = ("generated_exception architecturally_retired level_1_data_cache_access "
          "level_1_data_cache_refill_or_miss tlb_access tlb_walk not_taken mispredicted "
          "last_level_cache_access last_level_cache_miss remote_access misalignment - - - - transactional "
          "partial_or_empty_predicate empty_predicate level_2_data_cache_access "
          "level_2_data_cache_miss cache_data_modified recently_fetched data_snooped "
          "streaming_sve_mode smcu_or_external_coprocessor_operation").split()
STATES = {(0, 0): "secure", (0, 1): "non_secure", (1, 1): "realm", (1, 0): "reserved"}


def name_of(names, index):
    if index in names:
        return names[index]
    return "implementation_defined" if index in (6, 7) or index > 15 else "reserved"


def address(index, value):
    out = {"name": name_of(ADDRESSES, index)}
    top = value >> 56
    ns, nse = top >> 7, top >> 4 & 1
    addr = "0x%014x" % (value % (1 << 56))
    if index in (0, 1, 4):
        out.update(ns=ns, el=top >> 5 & 3, nse=nse, addr=addr, security_state=STATES[nse, ns])
    elif index == 2:
        out.update(tag=top, addr=addr)
    elif index == 3:
        out.update(ns=ns, ch=top >> 6 & 1, nse=nse, pat=top & 15, addr=addr, pas=STATES[nse, ns])
    else:
        out["payload"] = value
    return out


def counter(index, value):
    out = {"name": name_of(COUNTERS, index), "count": value}
    if value == 0xFFF:
        out["sat12"] = True
    if value == 0xFFFF:
        out["sat16"] = True
    return out


def event_name(bit):
    if bit < 26 and EVENTS[bit] != "-":
        return EVENTS[bit]
    return "%s_%d" % ("reserved" if 32 <= bit <= 47 else "implementation_defined", bit)


def events(sz, value):
    bits = [b for b in range(64) if value >> b & 1]
    return {"sz": sz, "value": "0x%0*x" % (2 << sz, value), "bits": bits,
            "names": [event_name(b) for b in bits]}


def evl(value):
    return {"evl_bits": None if value == 7 else 1 << 5 + value}


def operation(class_, p):
    bit = lambda n: p >> n & 1
    sub, f = "reserved", {}
    if class_ == 0:
        if p < 8:
            sub, f = "other", {"ase": bit(2), "fp": bit(1), "cond": bit(0)}
        elif bit(3) and not bit(0):
            if bit(7):
                ets = (p >> 4 & 7) * 2 + bit(2)
                bits = "whole_za" if ets == 15 else "reserved" if ets > 11 else 2 ** (7 + ets)
                sub, f = "data_processing_sme_array", {"ets": ets, "fp": bit(1), "ets_bits": bits}
            else:
                sub, f = "data_processing_sve_vector", {"evl": p >> 4, "pred": bit(2), "fp": bit(1),
                                                        **evl(p >> 4)}
    elif class_ == 1:
        pairs = {0x00: "general_purpose_load_store", 0x04: "simd_fp_load_store",
                 0x10: "unspecified_load_store", 0x14: "allocation_tag_load_store",
                 0x30: "system_register_load_store", 0x20: "load_store_memory_copy"}
        f = {"ldst": bit(0)}
        if p & ~1 in pairs:
            sub = pairs[p & ~1]
        elif p == 0x25:
            sub = "load_store_memory_set"
        elif p in (0x40, 0x41, 0x44, 0x45):
            sub, f = "load_store_gcs", {"comm": bit(2), "ldst": bit(0)}
        elif p < 0x20 and bit(1):
            sub, f = "load_store_extended", {"ar": bit(4), "excl": bit(3), "at": bit(2), "ldst": bit(0)}
        elif bit(3) and not bit(1):
            sub, f = "load_store_sve_or_sme", {"sg": bit(7), "evl": p >> 4 & 7, "pred": bit(2),
                                               "ldst": bit(0), **evl(p >> 4 & 7)}
        else:
            f = {}
    elif class_ == 2 and p < 0x20:
        sub, f = "branch", {"cr": p >> 3, "gcs": bit(2), "ind": bit(1), "cond": bit(0)}
    return {"class": class_, "subclass": sub, "payload": p, **f}


def kind(header):
    """Type and bytes of payload for a header of one byte, or None."""
    if header == 0x01:
        return "end", 0
    if header == 0x71:
        return "timestamp", 8
    size = 1 << (header >> 4 & 3)
    if header >> 6 == 1:
        low = header & 15
        if low == 2:
            return "events", size
        if low == 3 and size < 3:
            return "data_source", size
        if low & 12 == 8 and size == 1:
            return "operation_type", size
        if low & 12 == 4 and size == 4:
            return "context", size
    if header >> 6 == 2 and header & 8 == 0 and size == 8:
        return "address", size
    if header >> 6 == 2 and header & 8 and size == 2:
        return "counter", size
    return None


def fields(type_, header, high, value):
    short = "extended" if high is not None else "short"
    index = (high or 0) * 8 + (header & 7)
    if type_ == "address":
        return {"format": short, "index": index, **address(index, value)}
    if type_ == "counter":
        return {"format": short, "index": index, **counter(index, value)}
    if type_ == "context":
        names = {0: "contextidr_el1", 1: "contextidr_el2"}
        return {"index": header & 3, "name": names.get(header & 3, "reserved"), "context": "0x%08x" % value}
    if type_ == "events":
        return events(header >> 4 & 3, value)
    if type_ == "data_source":
        return {"sz": header >> 4 & 3, "source": value}
    if type_ == "operation_type":
        return operation(header & 3, value)
    if type_ == "timestamp":
        return {"ts": value}
    return {}


def decode(data):
    at = 0
    while at < len(data):
        header, high, n = data[at], None, 1
        if header == 0:
            end = at
            while end < len(data) and data[end] == 0:
                end += 1
            yield {"type": "padding", "offset": at, "len": end - at}
            at = end
            continue
        found = kind(header)
        if 0x20 <= header <= 0x23:
            if at + 1 == len(data):
                yield {"type": "truncated", "offset": at, "len": 1, "need": 2, "what": "extended_header"}
                return
            found = kind(data[at + 1])
            if found and found[0] in ("address", "counter"):
                high, header, n = header & 3, data[at + 1], 2
            else:
                found = None
        if not found:
            yield {"type": "reserved_header", "offset": at, "len": 1, "byte": header}
            at += 1
            continue
        type_, size = found
        length = n + size
        if at + length > len(data):
            yield {"type": "truncated", "offset": at, "len": len(data) - at, "need": length, "what": type_}
            return
        value = int.from_bytes(data[at + n:at + length], "little")
        yield {"type": type_, "offset": at, "len": length, **fields(type_, header, high, value)}
        at += length


def make(seed, count):
    rng = random.Random(seed)
    headers = [h for h in range(256) if kind(h)]
    out = bytearray()
    for _ in range(count):
        choice = rng.random()
        header = rng.choice(headers)
        if choice < 0.05:
            out += bytes(rng.randrange(1, 70))
        elif choice < 0.08:
            out += rng.randbytes(rng.randrange(1, 9))
        elif choice < 0.15:
            header = rng.choice([h for h in headers if kind(h)[0] in ("address", "counter")])
            out += bytes([rng.randrange(0x20, 0x24), header]) + rng.randbytes(kind(header)[1])
        else:
            size = kind(header)[1]
            ones = rng.random()
            payload = b"\xff" * size if ones < 0.1 else bytes([255, 15] * 4)[:size] if ones < 0.2 \
                else rng.randbytes(size)
            out += bytes([header]) + payload
    return bytes(out[:len(out) - rng.randrange(0, 4)])


def main():
    if sys.argv[1] == "make":
        with open(sys.argv[4], "wb") as out:
            out.write(make(int(sys.argv[2]), int(sys.argv[3])))
        return
    with open(sys.argv[2], "rb") as data:
        for packet in decode(data.read()):
            print(json.dumps(packet, separators=(",", ":")))


main()

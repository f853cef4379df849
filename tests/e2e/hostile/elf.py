# SPDX-License-Identifier: MIT
"""Programs that samples lie in: ELF with symbols and DWARF."""
import os
import struct
import zlib

from case import SPE_ALL, case
from perfdata import mmap2, recording, sample, trace

BASE, TEXT_AT, PAGE = 0x401000, 0x1000, 0x1000
BY_LINE = [["spe", "report", "--by", "line", "{}"]]
READERS = [*BY_LINE, ["spe", "report", "--by", "symbol", "-j", "{}"],
           ["spe", "export", "--to", "csv", "--symbols", "{}"]]
PROGBITS, SYMTAB, STRTAB, COMPRESSED = 1, 2, 3, 0x800
FUNC = 0x12


def leb(n):
    data = b""
    while True:
        data += bytes([n & 0x7f | (0x80 if n > 0x7f else 0)])
        n >>= 7
        if not n:
            return data


def elf(sections, text_size=0x100, symbols=(), interp=None):
    """A program with code of text_size bytes at BASE. sections: {name: bytes} or {name: (bytes, flags)};
    symbols: (name, value, size)."""
    strings, table = b"\0", bytes(24)
    for name, value, size in symbols:
        table += struct.pack("<IBBHQQ", len(strings), FUNC, 0, 1, value, size)
        strings += name + b"\0"
    rows = [(b"", 0, 0, b"", 0, 0, 0), (b".text", PROGBITS, 6, b"\x90" * text_size, 0, 0, 0)]
    if symbols:
        rows += [(b".symtab", SYMTAB, 0, table, 3, 1, 24), (b".strtab", STRTAB, 0, strings, 0, 0, 0)]
    for name, data in sections.items():
        data, flags = data if isinstance(data, tuple) else (data, 0)
        rows.append((name.encode(), PROGBITS, flags, data, 0, 0, 0))
    names = b"".join(r[0] + b"\0" for r in rows) + b".shstrtab\0"
    rows.append((b".shstrtab", STRTAB, 0, names, 0, 0, 0))
    body, headers, name_at = b"", b"", 0
    for name, kind, flags, data, link, info, entry in rows:
        at = TEXT_AT + len(body)
        headers += struct.pack("<IIQQQQIIQQ", name_at, kind, flags, BASE if flags & 2 else 0, at, len(data), link, info,
                               8, entry)
        body += data + b"\0" * (-len(data) % 8)
        name_at += len(name) + 1
    head = b"\x7fELF\x02\x01\x01" + bytes(9)
    head += struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, BASE, 64, TEXT_AT + len(body), 0, 64, 56, 1, 64, len(rows),
                        len(rows) - 1)
    load = struct.pack("<IIQQQQQQ", 1, 5, TEXT_AT, BASE, BASE, text_size, text_size, PAGE)
    return (head + load).ljust(TEXT_AT, b"\0") + body + headers


def sampled(program, addresses, text_size=0x100):
    """The recording f with samples in the program x, at that many addresses."""
    def write(path):
        where = os.path.join(os.path.dirname(path), "x")
        data = recording(mmap2(BASE, text_size + PAGE & -PAGE, where, offset=TEXT_AT),
                         trace(b"".join(sample(a) for a in addresses)))
        with open(path, "wb") as out:
            out.write(data)
    return {"x": program, "f": write}


FEW = [BASE + 4 * i for i in range(10)]


@case("elf/same-symbol", READERS, (10000, 200000))
def same_symbol(n):
    return sampled(elf({}, symbols=[(b"a", BASE, 0)] * n), FEW)


@case("elf/symbols-behind", READERS, (10000, 200000))
def symbols_behind(n):
    return sampled(elf({}, symbols=[(b"a", 0x500000 + i, 0) for i in range(n)]), FEW)


@case("elf/covering-symbol", READERS, (4000, 60000))
def covering_symbol(n):
    size = 16 * n + PAGE
    return sampled(elf({}, size, [(b"all", BASE, 1 << 28)] + [(b"s%d" % i, BASE + 16 + 16 * i, 1) for i in range(n)]),
                   [BASE + 16 * i + 24 for i in range(n)], size)


@case("elf/nested-symbols", READERS, (4000, 60000))
def nested_symbols(n):
    size = 32 * n
    return sampled(elf({}, size, [(b"s%d" % i, BASE + 8 * i, size - 16 * i) for i in range(n)]),
                   [BASE + size - 8 * i - 8 for i in range(n)], size)


@case("elf/doubling-names", READERS, (3, 26))
def doubling_names(n):
    """Each level of the mangled name names the one before it twice: 2^levels letters."""
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    seq = ["" if i == 0 else digits[i - 1] for i in range(min(n * 2, 36))]
    name = "_Z1fSt4pairIiiE" + "".join(f"S_IS{s}_S{s}_E" for s in seq)
    return sampled(elf({}, symbols=[(name.encode(), BASE, 0x100)]), FEW)


for letter, name in (("N", "_Z%s1a"), ("P", "_Z1fI%siEvv"), ("K", "_Z1f%si"), ("F", "_Z1f%svEv"), ("D", "_Z1fDpDp%s"),
                     ("E", "_RNvC1a%s1b"), ("I", "_RI%sC1a"), ("T", "_RT%sEE")):
    case(f"elf/deep-name-{name[:3]}{letter}", BY_LINE, (5000, 200000))(
        lambda n, letter=letter, name=name: sampled(elf({}, symbols=[((name % (letter * n)).encode(), BASE, 0x100)]),
                                                    FEW))


@case("elf/many-mangled", READERS, (2000, 30000))
def many_mangled(n):
    size = 16 * n
    names = [b"_ZN3std6vectorI%d%sE4pushEv" % (len(b"n%d" % i), b"n%d" % i) for i in range(n)]
    return sampled(elf({}, size, [(name, BASE + 16 * i, 16) for i, name in enumerate(names)]),
                   [BASE + 16 * i for i in range(n)], size)


# DWARF 4: one unit, with the lines of all code.

ABBREV = bytes([1, 0x11, 1, 0x10, 0x17, 0x11, 1, 0x12, 7, 3, 8, 0, 0,  # unit: stmt_list, low_pc, high_pc, name
                2, 0x2e, 1, 0x11, 1, 0x12, 7, 3, 8, 0, 0,  # function: low_pc, high_pc, name
                3, 0x1d, 1, 0x31, 0x13, 0x11, 1, 0x12, 7, 0, 0,  # inlined: of what, low_pc, high_pc
                0])


def unit(body, size, lines_at=0):
    data = struct.pack("<HIB", 4, 0, 8) + b"\x01" + struct.pack("<IQQ", lines_at, BASE, size) + b"u.c\0" + body + b"\0"
    return struct.pack("<I", len(data)) + data


def function(name, at, size, children=b""):
    return b"\x02" + struct.pack("<QQ", at, size) + name + b"\0" + children + b"\0"


def lines(program, files=(b"u.c",)):
    """A line table with this program."""
    head = bytes([1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1])
    head += b"\0" + b"".join(f + b"\0\0\0\0" for f in files) + b"\0"
    body = struct.pack("<I", len(head)) + head
    data = struct.pack("<H", 4) + body + b"\0\x09\x02" + struct.pack("<Q", BASE) + program + b"\0\x01\x01"
    return struct.pack("<I", len(data)) + data


def dwarf(units, table, abbrev=ABBREV, **more):
    return {".debug_info": units, ".debug_abbrev": abbrev, ".debug_line": table, **more}


def with_lines(program, size=0x100, body=b"", files=(b"u.c",)):
    return elf(dwarf(unit(body or function(b"f", BASE, size), size), lines(program, files)), size)


@case("dwarf/many-lines", READERS, (50000, 4000000))
def many_lines(n):
    """A byte for each line."""
    return sampled(with_lines(b"\x21" * n, n), FEW, n)


@case("dwarf/lines-of-one-place", READERS, (50000, 4000000))
def lines_of_one_place(n):
    return sampled(with_lines(b"\x12" * n), FEW)


@case("dwarf/lines-back", READERS, (2000, 30000))
def lines_back(n):
    """Sequences from the highest address to the lowest."""
    program = b"".join(b"\0\x09\x02" + struct.pack("<Q", BASE + 16 * (n - i)) + b"\x21\0\x01\x01" for i in range(n))
    return sampled(with_lines(program, 16 * n + 16), FEW, 16 * n + 16)


@case("dwarf/many-files", READERS, (10000, 200000))
def many_line_files(n):
    return sampled(with_lines(b"\x21" * 200, files=[b"f%d" % i for i in range(n)]), FEW)


@case("dwarf/long-folder", READERS, (2000, 30000))
def long_folder(n):
    """Each file of the line table is in a folder with a long name."""
    head = bytes([1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]) + b"d" * (4 * n) + b"\0\0"
    head += b"f\0\x01\0\0" * n + b"\0"
    body = struct.pack("<I", len(head)) + head
    data = struct.pack("<H", 4) + body + b"\0\x09\x02" + struct.pack("<Q", BASE) + b"\x21" * 200 + b"\0\x01\x01"
    return sampled(elf(dwarf(unit(function(b"f", BASE, 0x100), 0x100), struct.pack("<I", len(data)) + data)), FEW)


@case("dwarf/many-programs", READERS, (20, 400))
def many_programs(n):
    """Programs with a line table each, that alone takes little."""
    table = lines(b"\x12" * 100000)
    units = b"".join(struct.pack("<I", len(d)) + d for d in (
        struct.pack("<HIB", 4, 0, 8) + b"\x01" + struct.pack("<IQQ", i * len(table), BASE + 16 * i, 16) + b"u.c\0" + b"\0"
        for i in range(n)))
    return sampled(elf(dwarf(units, table * n), 16 * n), [BASE + 16 * i for i in range(n)], 16 * n)


@case("dwarf/nested-calls", READERS, (1000, 20000))
def nested_calls(n):
    """Functions inlined in each other, all with the same code."""
    inlined = b"\x03" + struct.pack("<IQQ", 0x30, BASE, 0x100)
    return sampled(with_lines(b"\x21" * 200, body=function(b"f", BASE, 0x100, inlined * n + b"\0" * n)), FEW)


@case("dwarf/siblings", READERS, (4000, 60000))
def siblings(n):
    size = 16 * n
    body = b"".join(function(b"f%d" % i, BASE, size) for i in range(n))
    return sampled(with_lines(b"\x21" * 200, size, body), [BASE + 16 * i for i in range(n)], size)


@case("dwarf/many-units", READERS, (2000, 30000))
def many_units(n):
    """Each unit says that it has all the code."""
    units = unit(function(b"f", BASE, 0x100), 0x100) * n
    return sampled(elf(dwarf(units, lines(b"\x21" * 200))), FEW)


@case("dwarf/units-of-one-table", READERS, (300, 4000))
def units_of_one_table(n):
    """Each unit has a part of the code, and all read the same long table."""
    units = b"".join(struct.pack("<I", len(d)) + d for d in (
        struct.pack("<HIB", 4, 0, 8) + b"\x01" + struct.pack("<IQQ", 0, BASE + 16 * i, 16) + b"u.c\0" + b"\0"
        for i in range(n)))
    return sampled(elf(dwarf(units, lines(b"\x21" * (16 * n))), 16 * n), [BASE + 16 * i for i in range(n)], 16 * n)


@case("dwarf/abbreviations", READERS, (4000, 60000))
def abbreviations(n):
    extra = b"".join(leb(i) + b"\x2e\0\0\0" for i in range(4, n))
    return sampled(elf(dwarf(unit(function(b"f", BASE, 0x100), 0x100), lines(b"\x21" * 200), ABBREV[:-1] + extra + b"\0")),
                   FEW)


def inflating(size):
    """A section of zeros, which zlib packs a thousand times smaller."""
    packer = zlib.compressobj(9)
    data = b"".join(packer.compress(bytes(1 << 20)) for _ in range(size >> 20)) + packer.flush()
    return struct.pack("<IIQQ", 1, 0, size, 1) + data, COMPRESSED


for name in (".debug_info", ".debug_line", ".debug_abbrev", ".debug_str", ".debug_ranges", ".debug_loc", ".debug_aranges"):
    case(f"dwarf/packed{name}", BY_LINE, (8 << 20, 1 << 30))(
        lambda n, name=name: sampled(elf({**dwarf(unit(function(b"f", BASE, 0x100), 0x100), lines(b"\x21" * 200)),
                                          name: inflating(n)}), FEW))


@case("dwarf/packed-by-name", BY_LINE, (8 << 20, 1 << 30))
def packed_by_name(n):
    """As binutils packed sections before there was a flag for it."""
    packed, _ = inflating(n)
    sections = dwarf(unit(function(b"f", BASE, 0x100), 0x100), lines(b"\x21" * 200))
    return sampled(elf({**sections, ".zdebug_str": b"ZLIB" + struct.pack(">Q", n) + packed[24:]}), FEW)


@case("dwarf/packed-apart", BY_LINE, (8 << 20, 1 << 30))
def packed_apart(n):
    """The program names a file that has its debug information, packed."""
    apart = elf({**dwarf(unit(function(b"f", BASE, 0x100), 0x100), lines(b"\x21" * 200)), ".debug_str": inflating(n)})
    link = b"debug\0\0\0" + struct.pack("<I", zlib.crc32(apart))
    return {**sampled(elf({".gnu_debuglink": link}, symbols=[(b"f", BASE, 64)]), FEW), "debug": apart}


@case("dwarf/rows-apart", BY_LINE, (50000, 4000000))
def rows_apart(n):
    """The same with a long line table."""
    apart = with_lines(b"\x12" * n)
    link = b"debug\0\0\0" + struct.pack("<I", zlib.crc32(apart))
    return {**sampled(elf({".gnu_debuglink": link}, symbols=[(b"f", BASE, 64)]), FEW), "debug": apart}


@case("dwarf/packed-programs", BY_LINE, (4, 40))
def packed_programs(n):
    """Many programs whose debug information is as much as that of one may be."""
    def write(path):
        folder = os.path.dirname(path)
        maps = b"".join(mmap2(BASE + PAGE * i, PAGE, os.path.join(folder, f"p{i}"), offset=TEXT_AT) for i in range(n))
        with open(path, "wb") as out:
            out.write(recording(maps, trace(b"".join(sample(BASE + PAGE * i) for i in range(n)))))
    program = elf({**dwarf(unit(function(b"f", BASE, 0x100), 0x100), lines(b"\x21" * 200)), ".debug_str": inflating(15 << 20)})
    return {**{f"p{i}": program for i in range(n)}, "f": write}


@case("dwarf/packed-liar", BY_LINE)
def packed_liar():
    """Little that says it becomes much."""
    return sampled(elf({**dwarf(unit(b"", 0x100), lines(b"")),
                        ".debug_info": (struct.pack("<IIQQ", 1, 0, 1 << 40, 1) + zlib.compress(bytes(4096)), COMPRESSED)}),
                   FEW)


# What a program names is not opened, unless it is a file.


def fifo(path):
    os.mkfifo(path)


@case("elf/program-is-a-fifo", READERS, status=(0,))
def program_is_a_fifo():
    return sampled(fifo, FEW)


@case("elf/link-to-a-fifo", READERS, status=(0,))
def link_to_a_fifo():
    return {**sampled(elf({".gnu_debuglink": b"debug\0\0\0" + bytes(4)}, symbols=[(b"f", BASE, 64)]), FEW), "debug": fifo}


@case("elf/its-debug-is-a-fifo", READERS, status=(0,))
def its_debug_is_a_fifo():
    """Where nothing is named, it is looked for by the program's name."""
    return {**sampled(elf({}, symbols=[(b"f", BASE, 64)]), FEW), "x.debug": fifo}


@case("elf/alternative-is-a-fifo", READERS, status=(0,))
def alternative_is_a_fifo():
    return {**sampled(elf({**dwarf(unit(function(b"f", BASE, 0x100), 0x100), lines(b"\x21" * 9)),
                           ".gnu_debugaltlink": b"debug\0" + bytes(20)}), FEW), "debug": fifo}


def beside(path, name):
    return os.path.join(os.path.dirname(path), name).encode()


@case("elf/alternative-elsewhere-is-a-fifo", READERS, status=(0,))
def alternative_elsewhere_is_a_fifo():
    """The function's name is in it."""
    abbrev = ABBREV[:13] + bytes([2, 0x2e, 1, 0x11, 1, 0x12, 7, 3, 0xa1, 0x3e, 0, 0, 0])
    body = b"\x02" + struct.pack("<QQI", BASE, 0x100, 5) + b"\0"
    def write(path):
        with open(path, "wb") as out:
            out.write(elf({**dwarf(unit(body, 0x100), lines(b"\x21" * 9), abbrev),
                           ".gnu_debugaltlink": beside(path, "debug") + b"\0" + bytes(20)}))
    return {**sampled(write, FEW), "debug": fifo}


def skeletons(path, names):
    """A program of units whose contents are in the files with these names."""
    text = b"".join(name + b"\0" for name in names) + bytes(64)
    abbrev = bytes([1, 0x11, 0, 0x11, 1, 0x12, 7, 0xb0, 0x42, 0x0e, 0xb1, 0x42, 7, 0, 0, 0])
    info, at = b"", 0
    for i, name in enumerate(names):
        data = struct.pack("<HIB", 4, 0, 8) + b"\x01" + struct.pack("<QQIQ", BASE + 16 * i, 16, at, 1)
        info += struct.pack("<I", len(data)) + data
        at += len(name) + 1
    with open(path, "wb") as out:
        out.write(elf({".debug_info": info, ".debug_abbrev": abbrev, ".debug_str": text}, 16 * len(names)))


@case("elf/split-is-a-fifo", READERS, status=(0,))
def split_is_a_fifo():
    return {**sampled(lambda path: skeletons(path, [beside(path, "debug")]), FEW), "debug": fifo}


@case("elf/same-split", READERS, (50, 1000), status=(0,))
def same_split(n):
    """Each unit's content is in one or the other of two files."""
    half = struct.pack("<HIB", 4, 0, 8) + b"\x01" + struct.pack("<Q", 1) + b"\0"
    content = elf({".debug_info.dwo": struct.pack("<I", len(half)) + half, ".debug_str.dwo": b"x" * (1 << 20),
                   ".debug_abbrev.dwo": bytes([1, 0x11, 1, 0xb1, 0x42, 7, 0, 0, 0])})
    return {**sampled(lambda path: skeletons(path, [beside(path, "debug"), beside(path, "other")] * (n // 2)),
                      [BASE + 16 * i for i in range(n)], 16 * n), "debug": content, "other": content}


@case("elf/escapes", READERS[:2] + [["spe", "report", "--by", "branch", "{}"]], status=(0,))
def escapes():
    name = b"f\x1b]0;pwn\x07\x1b[31m\xff\xfe\xe2\x80\xae\r\n"
    return sampled(elf({**dwarf(unit(function(name, BASE, 0x80), 0x100), lines(b"\x21" * 200, files=[name]))},
                       symbols=[(name, BASE + 0x10, 0x10), (b"_ZN1\x1b1\x9bE", BASE, 0x10)]), FEW)


def cut_and_bent():
    """A program with all of it, cut short and with each word of its headers bent."""
    whole = with_lines(b"\x21" * 64)
    for n in range(0, len(whole), 211):
        yield f"cut-{n}", whole[:n]
    headers = struct.unpack_from("<Q", whole, 40)[0]
    for at in [*range(16, 120, 4), *range(headers + 64, len(whole), 8)]:
        data = bytearray(whole)
        struct.pack_into("<I", data, at, (0xffffffff, 0x80000000, 0, 0x7ffffff8)[at // 4 % 4])
        yield f"bent-{at}", bytes(data)


for name, program in cut_and_bent():
    case(f"elf/{name}", BY_LINE, status=(0,))(lambda program=program: sampled(program, FEW))


# The kernel's symbols -------------------------------------------------------------------------------------

KERNEL = 0xffffffff81000000
KALLSYMS = [["spe", "report", "--by", "symbol", "--kallsyms", "{x}", "{}"]]


def kernel(listing):
    addresses = [KERNEL + 16 * i for i in range(200)]
    return {"x": listing, "f": recording(b"", trace(b"".join(sample(a) for a in addresses)))}


@case("kallsyms/falling", KALLSYMS, (10000, 200000))
def kallsyms_falling(n):
    return kernel(b"".join(b"%x T f%d\n" % (KERNEL + 16 * (n - i), i) for i in range(n)))


@case("kallsyms/same", KALLSYMS, (10000, 200000))
def kallsyms_same(n):
    return kernel(b"".join(b"%x T f%d\n" % (KERNEL, i) for i in range(n)))


@case("kallsyms/long-name", KALLSYMS, (100000, 4000000))
def kallsyms_long(n):
    return kernel(b"%x T " % KERNEL + b"f" * n + b"\n%x T g" % (KERNEL + 16) + b"\x1b[31m" * (n // 8))


@case("kallsyms/no-end", KALLSYMS, (100000, 4000000))
def kallsyms_no_end(n):
    return kernel(b"f" * n)


@case("kallsyms/zeros", KALLSYMS, (100000, 4000000))
def kallsyms_zeros(n):
    return kernel(bytes(n))

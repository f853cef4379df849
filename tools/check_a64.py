#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare the A64 classifier with GNU objdump, instruction by instruction.

    check_a64.py --dump BUILD/tools/a64_dump [--random N] [--seed S] FILE...

Every word of the executable sections of FILE (AArch64 ELF), and N random words, go through
`objdump -d -M no-aliases` and through a64_dump. What the classifier should say is worked out here
from objdump's text alone: class by mnemonic, registers by operand, branch target by address,
bytes by transfer register. Prints a table of the differences with their explanation.

Exit status: 0 every difference is explained, 1 some is not, 2 error, 77 objdump is not installed.
"""
import argparse
import collections
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

# ---------------------------------------------------------------- classes by mnemonic


def table(text):
    """'class: mnemonic mnemonic' lines to a dictionary."""
    found = {}
    for line in text.strip().splitlines():
        name, _, words = line.partition(':')
        for word in words.split():
            found.setdefault(word, name.strip())
    return found


GENERAL = table('''
    alu: adr adrp movz movn movk csel csinc csinv csneg ccmp ccmn adc adcs sbc sbcs addg subg
    alu: irg gmi subp subps setf8 setf16 rmif and orr eor bic orn eon cfinv axflag xaflag
    shift: lslv lsrv asrv rorv ubfm sbfm rbit rev rev16 rev32 rev64 clz cls
    bitfield: bfm
    mulh: smulh umulh
    crc: crc32b crc32h crc32w crc32x crc32cb crc32ch crc32cw crc32cx
    pauth: pacia pacib pacda pacdb autia autib autda autdb pacga xpaci xpacd
    pauth: paciza pacizb pacdza pacdzb autiza autizb autdza autdzb
    svc: svc
    trap: brk hlt hvc smc dcps1 dcps2 dcps3 eret eretaa eretab drps wfet wfit
    dmb: dmb
    dsb: dsb dssbb pssbb ssbb
    isb: isb sb
    nop: clrex
    branch: b bl br blr ret cbz cbnz tbz tbnz
    branch_pauth: braa brab braaz brabz blraa blrab blraaz blrabz retaa retab
    sys_read: mrs sysl
    sys_write: msr
''')

# Scalar floating point: all registers are b, h, s, d or general.
SCALAR = table('''
    fp_move: fmov fabs fneg fcsel
    fp_cmp: fcmp fcmpe fccmp fccmpe
    fp_add: fadd fsub fmax fmin fmaxnm fminnm
    fp_mul: fmul fnmul
    fp_mac: fmadd fmsub fnmadd fnmsub
    fp_cvt: fcvt bfcvt frintn frintp frintm frintz frinta frintx frinti
    fp_cvt: frint32z frint32x frint64z frint64x
''')

# Advanced SIMD, vector or scalar. The second form ("2") of a widening or narrowing operation is
# looked up without its 2.
SIMD = table('''
    v_alu: add sub and bic orr orn eor bsl bit bif cmgt cmge cmhi cmhs cmtst cmeq cmle cmlt
    v_alu: smax smin umax umin smaxp sminp umaxp uminp addp sabd uabd sabdl uabdl
    v_alu: shadd uhadd srhadd urhadd shsub uhsub sqadd uqadd sqsub uqsub suqadd usqadd
    v_alu: saddl uaddl saddw uaddw ssubl usubl ssubw usubw addhn raddhn subhn rsubhn
    v_alu: saddlp uaddlp cls clz cnt not rbit sqabs sqneg abs neg fabs fneg movi mvni fmov
    v_shift: shl sshl ushl sshr ushr sli sri sshll ushll shll shrn
    v_shift_acc: ssra usra srsra ursra srshr urshr srshl urshl sqshl uqshl sqshlu sqrshl uqrshl
    v_shift_acc: rshrn sqshrn uqshrn sqrshrn uqrshrn sqshrun sqrshrun sqxtn uqxtn sqxtun
    v_shift_acc: saba uaba sabal uabal sadalp uadalp
    v_perm: zip1 zip2 uzp1 uzp2 trn1 trn2 ext rev64 rev32 rev16 xtn
    v_tbl: tbl tbx
    v_mul: mul pmul pmull smull umull sqdmull sqdmulh sqrdmulh
    v_mac: mla mls smlal smlsl umlal umlsl sqdmlal sqdmlsl sqrdmlah sqrdmlsh
    v_mac: sdot udot usdot sudot smmla ummla usmmla
    v_reduce: addv saddlv uaddlv smaxv umaxv sminv uminv fmaxv fminv fmaxnmv fminnmv
    v_fp_add: fadd fsub fabd faddp fmax fmin fmaxnm fminnm fmaxp fminp fmaxnmp fminnmp
    v_fp_add: fcmeq fcmge fcmgt fcmle fcmlt facge facgt
    v_fp_mul: fmul fmulx
    v_fp_mac: fmla fmls fmlal fmlsl fmlal2 fmlsl2 fcmla fcadd frecps frsqrts
    v_fp_mac: bfdot bfmmla bfmlalb bfmlalt
    v_fp_cvt: fcvtn fcvtl fcvtxn bfcvtn scvtf ucvtf frintn frintp frintm frintz frinta frintx
    v_fp_cvt: frinti frint32z frint32x frint64z frint64x
    v_fp_cvt: fcvtns fcvtnu fcvtps fcvtpu fcvtms fcvtmu fcvtzs fcvtzu fcvtas fcvtau
    v_fp_est: frecpe frsqrte frecpx urecpe ursqrte
    crypto_aes: aese aesd aesmc aesimc
    crypto_sha: sha1c sha1p sha1m sha1h sha1su0 sha1su1 sha256h sha256h2 sha256su0 sha256su1
    crypto_sha: sha512h sha512h2 sha512su0 sha512su1 eor3 bcax rax1 xar
    crypto_sha: sm3ss1 sm3tt1a sm3tt1b sm3tt2a sm3tt2b sm3partw1 sm3partw2 sm4e sm4ekey
''')

# The destination is a source too.
KEEPS = set('''
    movk bfm bsl bit bif sli sri ssra usra srsra ursra saba uaba sabal uabal sabal2 uabal2
    sadalp uadalp mla mls smlal smlsl umlal umlsl smlal2 smlsl2 umlal2 umlsl2 sqdmlal sqdmlsl
    sqdmlal2 sqdmlsl2 sqrdmlah sqrdmlsh sdot udot usdot sudot smmla ummla usmmla suqadd usqadd
    fmla fmls fmlal fmlsl fmlal2 fmlsl2 fcmla bfdot bfmmla bfmlalb bfmlalt tbx ins
    aese aesd sha1c sha1p sha1m sha1su0 sha1su1 sha256h sha256h2 sha256su0 sha256su1
    sha512h sha512h2 sha512su0 sha512su1 sm3tt1a sm3tt1b sm3tt2a sm3tt2b sm3partw1 sm3partw2 sm4e
    addhn2 raddhn2 subhn2 rsubhn2 xtn2 sqxtn2 uqxtn2 sqxtun2 shrn2 rshrn2 sqshrn2 uqshrn2
    sqrshrn2 uqrshrn2 sqshrun2 sqrshrun2 fcvtn2 fcvtxn2 bfcvtn2
    pacia pacib pacda pacdb autia autib autda autdb xpaci xpacd
    paciza pacizb pacdza pacdzb autiza autizb autdza autdzb
'''.split())

NO_DESTINATION = set('ccmp ccmn fcmp fcmpe fccmp fccmpe rmif setf8 setf16 msr wfet wfit'.split())
READS_FLAGS = set('''adc adcs sbc sbcs csel csinc csinv csneg ccmp ccmn fcsel fccmp fccmpe
    rmif setf8 setf16 cfinv axflag xaflag'''.split())
WRITES_FLAGS = set('''adds subs ands bics adcs sbcs ccmp ccmn fcmp fcmpe fccmp fccmpe
    rmif setf8 setf16 cfinv axflag xaflag subps fjcvtzs'''.split())

# ---------------------------------------------------------------- operands

REGISTER = re.compile(r'(?<![\w.#])(?:([wx])(\d\d?)|([bhsdqvz])(\d\d?)|(p)(\d\d?)|(w?sp)|([wx]zr))'
                      r'(?:\.(\d*)([bhsdq]))?(?![\w])')
RANGE = re.compile(r'([vz])(\d+)\.(\w+)-[vz](\d+)\.\w+')


def expand_range(match):
    """{v0.4s-v3.4s}: spell the registers out."""
    kind, first, shape, last = match.group(1), int(match[2]), match[3], int(match[4])
    count = (last - first) % 32 + 1
    return ', '.join(f'{kind}{(first + i) % 32}.{shape}' for i in range(count))


def registers(text):
    """Names as a64_dump prints them; the zero register is left out."""
    found = []
    for m in REGISTER.finditer(text):
        if m[1]:
            found.append('x' + m[2])
        elif m[3]:
            found.append('v' + m[4])
        elif m[5]:
            found.append('p' + m[6])
        elif m[7]:
            found.append('sp')
    return found


def split_operands(text):
    """At commas outside of brackets and braces."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in '[{') - (c in ']}')
        if c == ',' and not depth:
            parts.append(text[start:i].strip())
            start = i + 1
    parts.append(text[start:].strip())
    return [p for p in parts if p]


def kind_of(operand):
    """x general, s scalar SIMD&FP, v vector, z or p SVE, '' none."""
    m = REGISTER.search(operand)
    if not m:
        return ''
    if m[1] or m[7] or m[8]:
        return 'x'
    if m[5]:
        return 'p'
    return m[3] if m[3] in 'vz' else 's'


WIDTH = {'b': 1, 'h': 2, 's': 4, 'd': 8, 'q': 16, 'w': 4, 'x': 8}


def width_of(operand):
    return WIDTH[operand.strip('{} ')[0]]


class Want:
    """What objdump's text implies. None: the text does not tell that field."""

    def __init__(self, op=None):
        self.op = op
        self.branch = '-'
        self.disp = 0
        self.mem = set()
        self.bytes = 0
        self.address = []
        self.reads = []
        self.writes = []
        self.writeback = '-'


# ---------------------------------------------------------------- loads and stores

SINGLE = re.compile(r'(ldapurs?|ldapr|ldrs?|ldurs?|ldtrs?|str|stur|sttr|stlur|ldar|ldlar|stlr|'
                    r'stllr|ldxr|ldaxr|stxr|stlxr)(b|h|w)?$')
PAIR = re.compile(r'(ldp|ldpsw|stp|ldnp|stnp|stgp|ldxp|ldaxp|stxp|stlxp)$')
ATOMIC = re.compile(r'(?:ld(?:add|clr|eor|set|smax|smin|umax|umin)|swp|cas|casp)(a?)(l?)(b|h)?$')
STRUCTURE = re.compile(r'(ld|st)([1-4])(r)?$')
TAG = re.compile(r'(stg|stzg|st2g|stz2g|ldg|ldgm|stgm|stzgm)$')
ACQUIRES = ('ldar', 'ldlar', 'ldaxr', 'ldaxp', 'ldapr', 'ldapur')
RELEASES = ('stlr', 'stllr', 'stlxr', 'stlxp', 'stlur')


def set_address(want, operands):
    """Fill in base, index and write-back; returns the operands before the address."""
    at = next(i for i, o in enumerate(operands) if o.startswith('['))
    inside = registers(operands[at])
    want.address = inside + [r for o in operands[at + 1:] for r in registers(o)]
    if operands[at].endswith('!') or len(operands) > at + 1:
        want.writeback = inside[0]
    return operands[:at]


def order_and_kind(want, name):
    want.mem.add('load' if name.startswith('ld') else 'store')
    if name.startswith(ACQUIRES):
        want.mem.add('acquire')
    if name.startswith(RELEASES):
        want.mem.add('release')
    if re.match(r'(ld|st)(a|l)?x', name):
        want.mem.add('exclusive')


def memory_op(want, vector):
    kind = 'load' if 'load' in want.mem else 'store'
    if 'exclusive' in want.mem:
        return kind + '_ex'
    return kind + ('_v' if vector else '')


def want_literal(want, operands, pc, name):
    want.mem = {'load', 'literal'}
    want.disp = (int(operands[1].split()[0], 16) - pc + (1 << 63)) % (1 << 64) - (1 << 63)
    if name == 'prfm':
        want.op, want.mem = 'prefetch', {'hidden', 'literal'}
        return want
    want.op = 'load_v' if kind_of(operands[0]) == 's' else 'load'
    want.bytes = 4 if name == 'ldrsw' else width_of(operands[0])
    want.writes = registers(operands[0])
    return want


def want_single(name, suffix, operands, pc):
    want = Want()
    if not any(o.startswith('[') for o in operands):
        return want_literal(want, operands, pc, name + (suffix or ''))
    order_and_kind(want, name)
    transfer = set_address(want, operands)
    status = registers(transfer.pop(0)) if re.match(r'stl?xr', name) else []
    want.bytes = WIDTH[suffix] if suffix else width_of(transfer[0])
    want.op = memory_op(want, kind_of(transfer[0]) == 's')
    if 'load' in want.mem:
        want.writes = registers(transfer[0])
    else:
        want.reads, want.writes = registers(transfer[0]), status
    return want


def want_pair(name, operands):
    want = Want()
    order_and_kind(want, name)
    want.mem.add('pair')
    transfer = set_address(want, operands)
    status = registers(transfer.pop(0)) if re.match(r'stl?xp', name) else []
    want.bytes = 2 * (4 if name == 'ldpsw' else width_of(transfer[0]))
    want.op = memory_op(want, kind_of(transfer[0]) == 's')
    if want.op == 'load_v' and want.bytes == 32:
        want.op = 'load_vp'  # two operations on the core's load pipelines, where others of a pair take one
    moved = registers(' '.join(transfer))
    if 'load' in want.mem:
        want.writes = moved
    else:
        want.reads, want.writes = moved, status
    return want


def want_atomic(name, match, operands):
    want = Want('atomic')
    want.mem = {'load', 'store'}
    transfer = set_address(want, operands)
    want.bytes = WIDTH[match[3]] if match[3] else width_of(transfer[0])
    if name.startswith('casp'):
        want.mem.add('pair')
        want.bytes *= 2
    if name.startswith('cas'):
        want.reads = registers(' '.join(transfer))
        result = transfer[:len(transfer) // 2]
    else:
        want.reads, result = registers(transfer[0]), transfer[1:]
    want.writes = registers(' '.join(result))
    if match[1] and (want.writes or name.startswith('casp')):
        want.mem.add('acquire')
    if match[2]:
        want.mem.add('release')
    return want


def want_structure(match, operands):
    want = Want()
    want.mem = {'load' if match[1] == 'ld' else 'store'}
    listed = set_address(want, operands)[0]
    moved = registers(listed)
    lane = ']' in listed
    shape = REGISTER.search(listed)
    if lane or match[3]:
        want.bytes = len(moved) * WIDTH[shape[10]]
    else:
        want.bytes = len(moved) * int(shape[9]) * WIDTH[shape[10]]
    many = lane or match[3] or match[2] != '1'
    want.op = match[1].replace('ld', 'load').replace('st', 'store') + ('_vn' if many else '_v')
    if match[1] == 'ld':
        want.writes = moved
        want.reads = moved if lane else []
    else:
        want.reads = moved
    return want


def want_tag(name, operands):
    want = Want('load' if name.startswith('ld') else 'store')
    want.mem = {want.op, 'hidden'}
    transfer = registers(' '.join(set_address(want, operands)))
    want.bytes = 64 if name.endswith('m') else 32 if '2' in name else 16
    if want.op == 'load':
        want.writes = transfer
        want.reads = transfer if name == 'ldg' else []
    else:
        want.reads = transfer
    return want


def want_prefetch(operands, pc):
    if not any(o.startswith('[') for o in operands):
        return want_literal(Want(), operands, pc, 'prfm')
    want = Want('prefetch')
    want.mem = {'hidden'}
    set_address(want, operands)
    return want


def want_memory(name, operands, pc):
    """None when it is no load or store."""
    if name in ('prfm', 'prfum'):
        return want_prefetch(operands, pc)
    if name in ('ldraa', 'ldrab'):
        return want_single('ldr', None, operands, pc)
    for pattern, wanted in ((SINGLE, lambda m: want_single(m[1], m[2], operands, pc)),
                            (PAIR, lambda m: want_pair(name, operands)),
                            (ATOMIC, lambda m: want_atomic(name, m, operands)),
                            (STRUCTURE, lambda m: want_structure(m, operands)),
                            (TAG, lambda m: want_tag(name, operands))):
        match = pattern.match(name)
        if match:
            return wanted(match)
    return None


# ---------------------------------------------------------------- everything else

BRANCH_KINDS = {'b': 'jump', 'bl': 'call', 'br': 'indirect', 'blr': 'indirect_call',
                'ret': 'return', 'cbz': 'cond', 'cbnz': 'cond', 'tbz': 'cond', 'tbnz': 'cond'}


def want_branch(name, operands, pc):
    want = Want(GENERAL.get(name, 'branch'))
    base = re.sub(r'a[ab]z?$', '', name) if want.op == 'branch_pauth' else name
    want.branch = 'cond' if name.startswith('b.') else BRANCH_KINDS[base]
    if want.branch in ('jump', 'call', 'cond'):
        target = int(operands.pop().split()[0], 16)
        want.disp = (target - pc + (1 << 63)) % (1 << 64) - (1 << 63)
    want.reads = registers(' '.join(operands))
    if name.startswith('b.'):
        want.reads = ['nzcv']
    if name == 'ret' and not operands:
        want.reads = ['x30']
    if name in ('retaa', 'retab'):
        want.reads = ['x30', 'sp']
    if 'call' in want.branch:
        want.writes = ['x30']
    return want


# hint #n, n = CRm:op2: the hints that sign or authenticate, with their registers.
HINTS = {7: (['x30'], ['x30'])}
for number in (8, 10, 12, 14):
    HINTS[number] = (['x17', 'x16'], ['x17'])
for number in (24, 26, 28, 30):
    HINTS[number] = (['x30'], ['x30'])
for number in (25, 27, 29, 31):
    HINTS[number] = (['x30', 'sp'], ['x30'])


def want_hint(number):
    want = Want('nop')
    if number in HINTS:
        want.op = 'pauth'
        want.reads, want.writes = HINTS[number]
    if number == 3:
        want.op = 'trap'  # wfi
    return want


def want_sys(operands):
    """sys #op1, Cn, Cm, #op2{, xt}: operations of C7 are on data and instruction caches."""
    want = Want('sys_write')
    want.reads = registers(operands[-1])
    where = tuple(operands[:4])
    if where in (('#3', 'C7', 'C4', '#1'), ('#3', 'C7', 'C4', '#3'), ('#3', 'C7', 'C4', '#4')):
        want.op, want.mem, want.bytes = 'dc_zva', {'store', 'hidden'}, 64
    elif where[1] == 'C7' and int(where[2][1:]) != 8 and int(where[2][1:]) != 9:
        want.op = 'cache_op'
    if want.op != 'sys_write':
        want.address, want.reads = want.reads, []
    return want


def arithmetic_class(name, operands):
    """add, sub, ands, bics: with a shift or an extension they are of another class."""
    tail = operands[-1]
    shifted = re.match(r'(lsl|lsr|asr|ror) #(\d+)$', tail)
    if shifted and operands[-2].startswith('#'):
        return 'alu'  # an immediate
    if shifted and name in ('ands', 'bics'):
        return 'alu' if shifted[2] == '0' else 'alu_shift'
    if shifted:
        amount = int(shifted[2])
        return 'alu' if amount == 0 else 'alu_lsl' if shifted[1] == 'lsl' and amount <= 4 else 'alu_shift'
    if re.match(r'[us]xt[bhwx]', tail) or (len(operands) == 4 and tail.startswith('lsl')):
        return 'alu_shift'
    return 'alu'


def moves(name, operands):
    """mov of zero or of a register, by their proper names."""
    if name == 'movz':
        return operands[1] == '#0x0' and operands[2:] in ([], ['lsl #0'])
    return name == 'orr' and operands[1] in ('wzr', 'xzr') and len(operands) == 3 and operands[2][0] != '#'


def logic_class(operands):
    """and, orr, eor and their negations."""
    shifted = re.match(r'(lsl|lsr|asr|ror) #(\d+)$', operands[-1])
    return 'logic_shift' if shifted and shifted[2] != '0' else 'alu'


def extended_unsaid(operands):
    """add sp, x1, x2: with the stack pointer the register form is the extended one."""
    return 'sp' in registers(' '.join(operands[:2])) and kind_of(operands[2]) == 'x'


def general_class(name, operands):
    bits = '64' if operands and operands[0].startswith('x') else '32'
    if name in ('add', 'sub', 'adds', 'subs', 'ands', 'bics'):
        if name not in ('ands', 'bics') and extended_unsaid(operands):
            return 'alu_shift'
        return arithmetic_class(name, operands)
    if name in ('madd', 'msub', 'smaddl', 'smsubl', 'umaddl', 'umsubl'):
        return ('mul' if operands[3].endswith('zr') else 'mac') + bits
    if name in ('udiv', 'sdiv'):
        return 'div' + bits
    if name == 'extr':
        return 'shift' if operands[1] == operands[2] else 'bitfield'
    if moves(name, operands):
        return 'zero' if name == 'movz' or operands[2] in ('wzr', 'xzr') else 'move'
    if name in ('and', 'orr', 'eor', 'bic', 'orn', 'eon'):
        return logic_class(operands)
    return GENERAL.get(name)


def double(operands):
    return bool(re.match(r'd|v\d+\.[12]d', operands[0]))


def fp_class(name, operands):
    """Scalar floating point or Advanced SIMD, with moves and conversions between files."""
    kinds = [kind_of(o) for o in operands]
    vector = 'v' in kinds
    if name in ('smov', 'umov') or (name == 'fmov' and kinds[0] == 'x'):
        return 'v_to_x'
    if name in ('dup', 'ins', 'fmov') and len(kinds) > 1 and kinds[1] == 'x':
        return 'x_to_v'
    if name in ('dup', 'ins'):
        return 'v_perm'
    if name.startswith('fcvt') and kinds[0] == 'x' or name == 'fjcvtzs':
        return 'fp_to_int'
    if name in ('scvtf', 'ucvtf') and kinds[1] == 'x':
        return 'int_to_fp'
    if name in ('fdiv', 'fsqrt'):
        return ('v_' if vector else '') + 'f' + name.replace('f', 'p_', 1) + \
            ('64' if double(operands) else '32')
    if not vector and name in SCALAR:
        return SCALAR[name]
    return SIMD.get(name) or SIMD.get(re.sub(r'2$', '', name))


def want_data(name, operands):
    want = Want()
    # mrs and msr: look at the special register's name, which may itself look like registers.
    text = [o for o in operands if not re.match(r's\d_\d_c|\w+_el\d|nzcv', o)]
    if name in ('adr', 'adrp'):
        text = text[:1]  # an address may look like a register: d5
    kinds = {kind_of(o) for o in text}
    if kinds & {'s', 'v'}:
        want.op = fp_class(name, operands)
    else:
        want.op = general_class(name, operands)
    listed = [registers(o) for o in text]
    if listed and name not in NO_DESTINATION:
        want.writes = list(listed.pop(0))
        if name in KEEPS or (name in ('orr', 'bic') and operands[1].startswith('#')):
            want.reads = list(want.writes)
    if name == 'fmov' and operands[0].endswith('.d[1]'):
        want.reads = list(want.writes)
    want.reads = [r for group in listed for r in group] + want.reads
    if name in READS_FLAGS or (name == 'mrs' and operands[1] == 'nzcv'):
        want.reads.append('nzcv')
    if name in WRITES_FLAGS or (name == 'msr' and operands[0] == 'nzcv'):
        want.writes.append('nzcv')
    return want


def want_for(name, operands, pc):
    memory = want_memory(name, operands, pc)
    if memory:
        return memory
    if name.startswith('b.') or GENERAL.get(name, '').startswith('branch'):
        return want_branch(name, list(operands), pc)
    if name == 'hint':
        return want_hint(int(operands[0].lstrip('#'), 16))
    if name == 'sys':
        return want_sys(operands)
    if GENERAL.get(name) in ('svc', 'dmb', 'dsb', 'isb', 'nop') or \
            GENERAL.get(name) == 'trap' and not name.startswith('wf'):
        return Want(GENERAL[name])
    return want_data(name, operands)


# ---------------------------------------------------------------- SVE: family and registers

SVE_DIVIDES = ('sdiv', 'sdivr', 'udiv', 'udivr', 'fdiv', 'fdivr', 'fsqrt')
# These read their destination, which objdump does not repeat.
SVE_KEEPS = re.compile(
    r'(mla|mls|mad|msb|f?n?m(la|ls|ad|sb)|cmla|cdot|fcmla|fmla?l?[bt]?|insr|(sq|uq)?(inc|dec)[bhwdp]|'
    r'[su]dot|usdot|sudot|[su]mmla|usmmla|fmmla|bfmmla|bfdot|bfmlal[bt]|fml[as]l[bt]|'
    r'[su]ml[as]l[bt]|sqdml[as]l(b|t|bt)|sqrdml[as]h|sqrdcmlah|[su]abal[bt]|[su]aba|[su]adalp|'
    r'adclb|adclt|sbclb|sbclt|eorbt|eortb|[su]r?sra|sri|sli|tbx|'
    r'r?(add|sub)hnt|(sq|uq)?r?shru?nt|[su]qxtu?nt|fcvtx?nt|bfcvtnt|aesi?mc)$')
SVE_FLAGS = re.compile(r'(ands|bics|eors|orrs|orns|nands|nors|brk(a|b|n|pa|pb)s|ptrues|rdffrs|cmp..|'
                       r'n?match|while..|ptest|pfirst|pnext|cterm..)$')
SVE_NO_DESTINATION = ('ptest', 'ctermeq', 'ctermne', 'setffr', 'wrffr')


def want_sve_memory(want, name, operands):
    """Bytes are those of 128 bits of vector."""
    if name.startswith('prf'):
        want.op, want.mem = 'prefetch', {'hidden'}
        want.reads = registers(operands[1])
        set_address(want, operands)
        want.writeback = '-'
        return
    load = name.startswith('ld')
    vector = re.search(r'\bz\d+\.[sd]', operands[-1])
    want.op = 'sve_' + (('gather' if vector else 'load') if load else
                        ('scatter' if vector else 'store'))
    want.mem = {'load' if load else 'store'}
    moved = registers(operands[0])
    want.address = registers(operands[-1])
    want.reads = registers(' '.join(operands[1:-1]))
    if load:
        want.writes = list(moved)
    else:
        want.reads += moved
    shape = REGISTER.search(operands[0])
    if name in ('ldr', 'str'):
        want.bytes = 2 if kind_of(operands[0]) == 'p' else 16
        return
    size = WIDTH[name[-1]]
    if re.match(r'ld1rs?[bhwd]$', name):
        want.bytes = size
        return
    want.mem.add('hidden')
    if name.startswith('ld1r'):
        want.bytes = 32 if name.startswith('ld1ro') else 16
    else:
        want.bytes = len(moved) * 16 // WIDTH[shape[10]] * size
    if name.startswith(('ldff', 'ldnf')):
        want.reads.append('ffr')
        want.writes.append('ffr')


def want_sve_data(want, name, operands, text):
    want.op = 'sve_div' if name in SVE_DIVIDES else None
    listed = [registers(o) for o in operands]
    if name not in SVE_NO_DESTINATION:
        want.writes = listed.pop(0)
        if '/m' in text or SVE_KEEPS.match(name) or name == 'tbx':
            want.reads = list(want.writes)
    want.reads += [r for group in listed for r in group]
    if SVE_FLAGS.match(name):
        want.writes = want.writes + ['nzcv']
    if name.startswith('cterm'):
        want.reads.append('nzcv')
    if name in ('rdffr', 'rdffrs'):
        want.reads = want.reads + ['ffr']
    if name in ('setffr', 'wrffr'):
        want.writes = ['ffr']


def sve_problem(name, text, got):
    want = Want()
    text = RANGE.sub(expand_range, text)
    operands = split_operands(text)
    if name.startswith(('ld', 'st', 'prf')):
        want_sve_memory(want, name, operands)
    else:
        want_sve_data(want, name, operands, text)
    sve_data = ('sve_alu', 'sve_mul', 'sve_fp', 'sve_pred')
    governed = bool(re.search(r'\bp\d+/[mz]', text)) or \
        bool(re.match(r'st[1-4n]|prf', name))
    pairs = (('class', want.op or got['op'] in sve_data, want.op and got['op'] or True),
             ('access', want.mem, got['mem']), ('bytes', want.bytes, got['bytes']),
             ('address', sorted(want.address), sorted(got['addr'])),
             ('reads', sorted(set(want.address + want.reads)), sorted(set(got['src']))),
             ('writes', sorted(set(want.writes)), sorted(set(got['dst']))),
             ('predicated', governed, governed and 'SVE_PRED_SPEC' in got['spec']),
             ('first fault', name.startswith(('ldff', 'ldnf')), 'SVE_LDFF_SPEC' in got['spec']))
    for field, wanted, found in pairs:
        if wanted != found:
            return field, wanted, found
    return None


# ---------------------------------------------------------------- comparison


def parse_dump(line):
    """One line of a64_dump."""
    f = line.split()
    regs = dict(part.split('=') for part in f[10:])
    names = {k: [] if v == '-' else v.split(',') for k, v in regs.items()}
    return {'op': f[1], 'branch': f[3], 'disp': int(f[4]),
            'mem': set() if f[5] == '-' else set(f[5].split(',')), 'bytes': int(f[6]),
            'fuse': f[7], 'spec': set() if f[9] == '-' else set(f[9].split(',')), 'addr': names['addr'], 'src': names['src'], 'dst': names['dst'],
            'wb': regs['wb']}


SPEC_OF_CLASS = (
    (r'(alu|logic|move|zero|shift|bitfield|mul|mac|div|crc|pauth)', {'DP_SPEC'}),
    (r'fp_|int_to_fp', {'VFP_SPEC'}),
    (r'v_(?!to_x)', {'ASE_SPEC', 'ASE_INST_SPEC'}),
    (r'crypto_', {'CRYPTO_SPEC', 'ASE_INST_SPEC'}),
    (r'(load|store)_vn', {'ASE_INST_SPEC'}),
)
SPEC_OF_NAME = {'dmb': 'DMB_SPEC', 'dsb': 'DSB_SPEC', 'ssbb': 'DSB_SPEC', 'pssbb': 'DSB_SPEC',
                'dssbb': 'DSB_SPEC', 'isb': 'ISB_SPEC', 'smov': 'ASE_INST_SPEC',
                'umov': 'ASE_INST_SPEC', 'dup': 'ASE_INST_SPEC', 'ins': 'ASE_INST_SPEC',
                'ld1': 'ASE_INST_SPEC', 'st1': 'ASE_INST_SPEC'}


def want_specs(name, want):
    """The speculative-operation events that an instruction counts in."""
    specs = set()
    for pattern, names in SPEC_OF_CLASS:
        if re.match(pattern, want.op):
            specs |= names
    if name in SPEC_OF_NAME:
        specs.add(SPEC_OF_NAME[name])
    if want.op in ('load_v', 'load_vp', 'store_v') and want.bytes // (2 if 'pair' in want.mem else 1) == 16:
        specs.add('ASE_INST_SPEC')
    if want.op == 'dc_zva':
        return specs
    for access, plain, ordered, order, exclusive in (
            ('load', 'LD_SPEC', 'RC_LD_SPEC', 'acquire', 'LDREX_SPEC'),
            ('store', 'ST_SPEC', 'RC_ST_SPEC', 'release', 'STREX_SPEC')):
        if access in want.mem:
            specs.add(plain)
            specs |= {ordered} if order in want.mem else set()
            specs |= {exclusive} if 'exclusive' in want.mem else set()
    return specs


def want_fusion(name, operands, want):
    """The halves of the pairs that a core may fuse."""
    if name.startswith('b.'):
        return 'conditional'
    if name in ('aese', 'aesd'):
        return 'aese'
    if name in ('aesmc', 'aesimc') and operands[0] == operands[1]:
        return 'aesmc'
    if name in ('adds', 'subs', 'ands', 'bics') and operands[0].endswith('zr'):
        if '#' not in operands[-1] or operands[2].startswith('#') or operands[-1].endswith(' #0'):
            return 'none' if want.op == 'alu_shift' else 'compare'
    return 'none'


def problem(name, operands, want, got):
    """The first field that differs: (field, wanted, got), or None."""
    if want.op is None:
        return 'mnemonic', 'in the tables of this script', got['op']
    pairs = (('class', want.op, got['op']), ('branch', want.branch, got['branch']),
             ('displacement', want.disp, got['disp']), ('access', want.mem, got['mem']),
             ('bytes', want.bytes, got['bytes']),
             ('address', sorted(want.address), sorted(got['addr'])),
             ('reads', sorted(set(want.address + want.reads)), sorted(set(got['src']))),
             ('writes', sorted(set(want.writes)), sorted(set(got['dst']))),
             ('write-back', want.writeback, got['wb']),
             ('events', want_specs(name, want), got['spec']),
             ('fusion', want_fusion(name, operands, want), got['fuse']))
    for field, wanted, found in pairs:
        if wanted != found:
            return field, wanted, found
    return None


# Known differences: name, reason, and a test of (mnemonic, word, field, ours).
SME = re.compile(r'(fmop|bfmop|[su]+mop|bmop|addha|addva|zero|rdsvl|adds[pv]l|psel|[su]clamp)')
EXPLAINED = (
    ('SME', 'no core described here has it',
     lambda n, w, f, o: f == 'undefined' and ((w >> 25 & 15) == 0 and w >> 31 or SME.match(n))),
    ('memory copy and set (FEAT_MOPS)', 'no core described here has it',
     lambda n, w, f, o: f == 'undefined' and re.match(r'cpy|set[gpme]', n)),
    ('common short sequences (FEAT_CSSC)', 'no core described here has it',
     lambda n, w, f, o: f == 'undefined' and
     n in ('umin', 'umax', 'smin', 'smax', 'abs', 'cnt', 'ctz')),
    ('hinted conditional branch (FEAT_HBC)', 'no core described here has it',
     lambda n, w, f, o: f == 'undefined' and n.startswith('bc.')),
    ('64-byte accesses (FEAT_LS64)', 'no core described here has it',
     lambda n, w, f, o: f == 'undefined' and re.match(r'(ld|st)64b', n)),
    ('transactions (FEAT_TME)', 'no core described here has it',
     lambda n, w, f, o: f == 'undefined' and n in ('tcancel', 'tcommit')),
    ('system instructions with op0 0', 'not allocated; objdump prints any word there as msr or mrs',
     lambda n, w, f, o: f == 'undefined' and n in ('msr', 'mrs') and not w >> 20 & 1
     and not w >> 19 & 1),
    ('fmlal, fmlsl with bit 22', 'not allocated; objdump does not look at the bit',
     lambda n, w, f, o: f == 'undefined' and re.match(r'fml[as]l', n) and w >> 22 & 1),
    ('should-be-one bits of ldar, ldlar, ldapr',
     'constrained unpredictable; taken as if the bits were right, as cores do',
     lambda n, w, f, o: f == 'allocated' and o == 'load'
     and (w & 0x3fe00000 == 0x08c00000 or w & 0x3fe0fc00 == 0x38a0c000)),
    ('ldpsw with overlapping registers', 'constrained unpredictable; taken as it is written',
     lambda n, w, f, o: f == 'allocated' and w & 0xfe400000 == 0x68400000
     and (w & 31 == w >> 10 & 31 or w >> 5 & 31 in (w & 31, w >> 10 & 31))),
    ('SVE by group', 'SVE is told by encoding group, unallocated words in it are not told apart',
     lambda n, w, f, o: f == 'allocated' and w >> 25 & 15 == 2),
)


def explanation(name, word, field, ours):
    for title, why, test in EXPLAINED:
        if test(name, word, field, ours):
            return title, why
    return None


# Encoding spaces that uniformly random words seldom fall into: fixed bits and their value.
REGIONS = (
    (0x7fe00000, 0x5ac00000), (0xffe00000, 0xdac00000),  # one source
    (0x5fe00000, 0x1ac00000),                            # two sources
    (0x1fe00000, 0x1a000000),                            # with carry, flags
    (0xff000000, 0xd4000000), (0xff000000, 0xd5000000),  # exceptions, system
    (0xfffff000, 0xd5033000), (0xfffff01f, 0xd503201f),  # barriers, hints
    (0xfff8f000, 0xd5087000), (0xfff80000, 0xd5180000),  # cache operations, msr
    (0xff1ffc00, 0xd61f0000), (0xfe1f0000, 0xd61f0000),  # branch to a register
    (0x3f000000, 0x08000000), (0x3f207c00, 0x08207c00),  # exclusives, compare and swap
    (0xbf000000, 0x0c000000), (0xbf000000, 0x0d000000),  # structures
    (0xff200000, 0xd9200000), (0x3f200c00, 0x19000000),  # tags, ordered unscaled
    (0x3f200c00, 0x38200000), (0x3b200c00, 0x38200800),  # atomics, register offset
    (0x7f20fc00, 0x1e200000), (0xff207c00, 0x1e204000),  # scalar FP: convert, one source
    (0xff203c00, 0x1e202000), (0xff201c00, 0x1e201000),  # compare, immediate
    (0x7f200000, 0x1e000000),                            # fixed point
    (0x9f3e0c00, 0x0e200800), (0xdf3e0c00, 0x5e200800),  # two registers: vector, scalar
    (0x9f7e0c00, 0x0e780800), (0xdf7e0c00, 0x5e780800),  # of halves
    (0x9f3e0c00, 0x0e300800), (0xdf3e0c00, 0x5e300800),  # across lanes, pairwise
    (0x9f60c400, 0x0e400400), (0xdf60c400, 0x5e400400),  # three halves
    (0x9f208400, 0x0e008400), (0xdf208400, 0x5e008400),  # three registers, extra
    (0x9f200c00, 0x0e200000), (0xdf200c00, 0x5e200000),  # three different
    (0x9fe08400, 0x0e000400), (0xffe0fc00, 0x5e000400),  # copy
    (0x9ff80400, 0x0f000400), (0xdf800400, 0x5f000400),  # immediate, scalar shift
    (0x9f000400, 0x0f000000), (0xdf000400, 0x5f000000),  # by element
    (0xbfe08c00, 0x0e000000), (0xbf208c00, 0x0e000800),  # tbl, permute
    (0xfffe0c00, 0x4e280800), (0xffe08c00, 0x5e000000),  # aes, sha
    (0xfffe0c00, 0x5e280800), (0xff000000, 0xce000000),  # sha, sha3
    (0xff000000, 0x04000000), (0xff000000, 0x05000000),  # SVE integer, permute
    (0xfe000000, 0x24000000), (0xfe000000, 0x44000000),  # SVE predicates, multiply
    (0xfe20e000, 0x64002000), (0xfe000000, 0x64000000),  # SVE floating point
    (0x1e000000, 0x04000000),                            # SVE, loads and stores among it
)


def random_words(count, seed):
    """Random words: half uniform, half spread evenly over the regions."""
    generator = random.Random(seed)
    words = []
    for i in range(count):
        word = generator.getrandbits(32)
        if i % 2:
            mask, value = REGIONS[i // 2 % len(REGIONS)]
            word = word & ~mask | value
        words.append(word)
    return words


class Report:
    def __init__(self):
        self.words = 0
        self.sve = 0
        self.explained = collections.Counter()
        self.why = {}
        self.unexplained = collections.defaultdict(list)

    def add(self, name, text, word, field, wanted, found):
        known = explanation(name, word, field, found)
        if known:
            self.explained[known[0]] += 1
            self.why[known[0]] = known[1]
        else:
            self.unexplained[(name, field)].append((word, text, wanted, found))

    def print(self):
        total = sum(len(v) for v in self.unexplained.values())
        print(f'{self.words} words compared, {self.sve} of them SVE; '
              f'{sum(self.explained.values())} explained differences, {total} unexplained')
        for title, count in self.explained.most_common():
            print(f'  {count:7} {title}: {self.why[title]}')
        for (name, field), found in sorted(self.unexplained.items()):
            word, text, wanted, got = found[0]
            print(f'  unexplained, {len(found)}: {name}: {field}: want {wanted}, got {got}; '
                  f'as in {word:08x} {text}')
        return total


LINE = re.compile(r'\s*([0-9a-f]+):\t([0-9a-f]{8}) \t(.*)')


def disassemble(objdump, path, raw):
    """Yields address, word, text."""
    how = ['-D', '-b', 'binary', '-m', 'aarch64'] if raw else ['-d']
    run = subprocess.Popen([objdump, *how, '-z', '-M', 'no-aliases', path],
                           stdout=subprocess.PIPE, text=True)
    for line in run.stdout:
        match = LINE.match(line)
        if match:
            yield int(match[1], 16), int(match[2], 16), match[3].partition('//')[0].strip()
    if run.wait():
        sys.exit(f'check_a64: {objdump} failed on {path}')


def classify(dump, words):
    with tempfile.NamedTemporaryFile(suffix='.bin') as file:
        file.write(b''.join(w.to_bytes(4, 'little') for w in words))
        file.flush()
        run = subprocess.run([dump, file.name], check=True, capture_output=True, text=True)
    return run.stdout.splitlines()


def compare(report, lines, dumped):
    """The same word with the same text gives the same answer, so check each pair once."""
    seen = {}
    for (pc, word, text), ours in zip(lines, dumped):
        report.words += 1
        key = (word, ours)
        if key in seen and not seen[key]:
            continue
        name, _, rest = text.partition('\t')
        got = parse_dump(ours)
        undefined = name in ('.inst', 'udf') or 'undefined' in text
        if undefined or got['op'] == 'undef':
            if undefined != (got['op'] == 'undef'):
                report.add(name, text, word, 'allocated' if undefined else 'undefined',
                           'undefined' if undefined else 'allocated', got['op'])
            continue
        if word >> 25 & 15 == 2:
            report.sve += 1
            found = sve_problem(name, rest, got)
        else:
            rest = re.sub(r'\s*<[^>]*>', '', RANGE.sub(expand_range, rest))
            operands = split_operands(rest)
            found = problem(name, operands, want_for(name, operands, pc), got)
        seen[key] = found
        if found:
            report.add(name, text, word, *found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--dump', required=True, help='the built tools/a64_dump')
    parser.add_argument('--objdump', default='aarch64-linux-gnu-objdump')
    parser.add_argument('--random', type=int, default=0, metavar='N', help='N random words too')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('file', nargs='*', help='AArch64 ELF files')
    options = parser.parse_args()
    if not shutil.which(options.objdump):
        print(f'check_a64: {options.objdump} is not installed: skipped')
        return 77
    missing = [f for f in options.file if not os.path.exists(f)]
    if missing:
        print(f'check_a64: {missing[0]} is not there: skipped')
        return 77
    unexplained = 0
    for path in options.file:
        report = Report()
        lines = list(disassemble(options.objdump, path, raw=False))
        compare(report, lines, classify(options.dump, [w for _, w, _ in lines]))
        print(f'{path}:')
        unexplained += report.print()
    if options.random:
        report = Report()
        words = random_words(options.random, options.seed)
        with tempfile.NamedTemporaryFile(suffix='.bin') as file:
            file.write(b''.join(w.to_bytes(4, 'little') for w in words))
            file.flush()
            lines = list(disassemble(options.objdump, file.name, raw=True))
        compare(report, lines, classify(options.dump, words))
        print(f'{options.random} random words, seed {options.seed}:')
        unexplained += report.print()
    return 1 if unexplained else 0


if __name__ == '__main__':
    sys.exit(main())

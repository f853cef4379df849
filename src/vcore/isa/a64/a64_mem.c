/* SPDX-License-Identifier: MIT */
/* vcore/isa/a64/a64_mem.c - loads and stores of single registers and pairs, general and SIMD&FP,
 * exclusives, ordered accesses, atomics, memory tags.
 * Source: Arm ARM (DDI 0487), C4.1 "Loads and Stores". */
#include "vcore/isa/a64/a64_table.h"

/* Common fields: size [31:30], V [26], opc [23:22], Rm or Rs [20:16], Rt2 [14:10], Rn, Rt. */
static uint8_t base(uint32_t word)
{
	return (uint8_t)a64_bits(word, 9, 5); /* 31 is sp */
}

static uint8_t rt(uint32_t word)
{
	return a64_x(a64_bits(word, 4, 0));
}

static uint8_t rt2(uint32_t word)
{
	return a64_x(a64_bits(word, 14, 10));
}

static uint8_t rs(uint32_t word)
{
	return a64_x(a64_bits(word, 20, 16));
}

static uint8_t size_bytes(uint32_t word)
{
	return (uint8_t)(1u << a64_bits(word, 31, 30));
}

static void address(struct pms_insn *out, uint8_t reg)
{
	a64_src(out, reg);
	out->n_addr = out->n_src;
}

static void access_is(struct pms_insn *out, unsigned op, unsigned mem, unsigned bytes)
{
	out->op = (uint8_t)op;
	out->mem |= (uint8_t)mem;
	out->mem_size = (uint8_t)bytes;
}

/* What size, V and opc say of a single-register access; index V:size:opc. */
static const struct {
	uint8_t op, bytes;
} singles[32] = {
	{ PMS_OP_STORE, 1 },   { PMS_OP_LOAD, 1 },   { PMS_OP_LOAD, 1 },     { PMS_OP_LOAD, 1 },
	{ PMS_OP_STORE, 2 },   { PMS_OP_LOAD, 2 },   { PMS_OP_LOAD, 2 },     { PMS_OP_LOAD, 2 },
	{ PMS_OP_STORE, 4 },   { PMS_OP_LOAD, 4 },   { PMS_OP_LOAD, 4 },     { PMS_OP_UNDEF, 0 },
	{ PMS_OP_STORE, 8 },   { PMS_OP_LOAD, 8 },   { PMS_OP_PREFETCH, 0 }, { PMS_OP_UNDEF, 0 },
	{ PMS_OP_STORE_V, 1 }, { PMS_OP_LOAD_V, 1 }, { PMS_OP_STORE_V, 16 }, { PMS_OP_LOAD_V, 16 },
	{ PMS_OP_STORE_V, 2 }, { PMS_OP_LOAD_V, 2 }, { PMS_OP_UNDEF, 0 },    { PMS_OP_UNDEF, 0 },
	{ PMS_OP_STORE_V, 4 }, { PMS_OP_LOAD_V, 4 }, { PMS_OP_UNDEF, 0 },    { PMS_OP_UNDEF, 0 },
	{ PMS_OP_STORE_V, 8 }, { PMS_OP_LOAD_V, 8 }, { PMS_OP_UNDEF, 0 },    { PMS_OP_UNDEF, 0 },
};

/* The 128-bit registers are Advanced SIMD's alone; narrower ones are scalar floating point's. */
static void note_vector(struct pms_insn *out, unsigned bytes_each)
{
	if (bytes_each == 16)
		out->spec |= a64_spec(PMS_SPEC_ASE_INST_SPEC);
}

/* Data register and kind of access, after the address. */
static void single_data(uint32_t word, struct pms_insn *out)
{
	bool vector = a64_bit(word, 26);
	unsigned form = (vector ? 16u : 0) | a64_bits(word, 31, 30) << 2 | a64_bits(word, 23, 22);
	uint8_t reg = vector ? a64_v(a64_bits(word, 4, 0)) : rt(word);
	uint8_t op = singles[form].op, bytes = singles[form].bytes;
	switch (op) {
	case PMS_OP_LOAD:
	case PMS_OP_LOAD_V:
		access_is(out, op, PMS_MEM_LOAD, bytes);
		a64_dst(out, reg);
		break;
	case PMS_OP_STORE:
	case PMS_OP_STORE_V:
		access_is(out, op, PMS_MEM_STORE, bytes);
		a64_src(out, reg);
		break;
	default: /* prefetch, or not allocated */
		access_is(out, op, PMS_MEM_HIDDEN, bytes);
		break;
	}
	if (vector)
		note_vector(out, bytes);
}

/* Base and immediate. */
static void fix_offset(uint32_t word, struct pms_insn *out)
{
	address(out, base(word));
	single_data(word, out);
}

static void no_prefetch(struct pms_insn *out)
{
	if (out->op == PMS_OP_PREFETCH)
		a64_undef(out);
}

/* Post- and pre-index. */
static void fix_indexed(uint32_t word, struct pms_insn *out)
{
	fix_offset(word, out);
	out->writeback = base(word);
	no_prefetch(out);
}

/* ldtr, sttr: there is no SIMD&FP form. */
static void fix_unprivileged(uint32_t word, struct pms_insn *out)
{
	fix_offset(word, out);
	no_prefetch(out);
}

static void fix_register(uint32_t word, struct pms_insn *out)
{
	address(out, base(word));
	address(out, rs(word));
	single_data(word, out);
	if (!a64_bit(word, 14)) /* option: the index is of 32 or 64 bits */
		a64_undef(out);
}

/* ldr literal: opc [31:30] is the size, 4 << opc bytes of SIMD&FP. */
static void fix_literal(uint32_t word, struct pms_insn *out)
{
	uint32_t opc = a64_bits(word, 31, 30);
	bool vector = a64_bit(word, 26);
	out->disp = a64_sbits(word, 23, 5) * 4;
	if (opc == 3) {
		access_is(out, vector ? PMS_OP_UNDEF : PMS_OP_PREFETCH,
			  PMS_MEM_HIDDEN | PMS_MEM_LITERAL, 0);
		return;
	}
	access_is(out, vector ? PMS_OP_LOAD_V : PMS_OP_LOAD, PMS_MEM_LOAD | PMS_MEM_LITERAL,
		  vector     ? 4u << opc
		  : opc == 1 ? 8
			     : 4); /* opc 2 is ldrsw */
	a64_dst(out, vector ? a64_v(a64_bits(word, 4, 0)) : rt(word));
	if (vector)
		note_vector(out, out->mem_size);
}

/* Bytes of one register of a pair by V:opc:L; 0: not allocated. */
static const uint8_t pair_bytes[16] = {
	4, 4, 16, 4, 8,	 8,  0, 0, /* w; stgp (a 16-byte granule, once), ldpsw; x */
	4, 4, 8,  8, 16, 16, 0, 0,
};

static void pair_data(uint32_t word, struct pms_insn *out, bool vector)
{
	uint32_t d = a64_bits(word, 4, 0), d2 = a64_bits(word, 14, 10);
	uint8_t first = vector ? a64_v(d) : a64_x(d), second = vector ? a64_v(d2) : a64_x(d2);
	if (out->mem & PMS_MEM_LOAD) {
		a64_dst(out, first);
		a64_dst(out, second);
	} else {
		a64_src(out, first);
		a64_src(out, second);
	}
}

/* ldp, stp, ldnp, stnp, ldpsw, stgp: fields that columns cannot express. */
static void fix_pair(uint32_t word, struct pms_insn *out)
{
	bool vector = a64_bit(word, 26), load = a64_bit(word, 22);
	uint32_t opc = a64_bits(word, 31, 30), mode = a64_bits(word, 24, 23);
	unsigned bytes = pair_bytes[(vector ? 8u : 0) | opc << 1 | (load ? 1u : 0)];
	bool granule = !vector && opc == 1 && !load;
	unsigned op = load ? (!vector	    ? PMS_OP_LOAD
			      : bytes == 16 ? PMS_OP_LOAD_VP
					    : PMS_OP_LOAD_V)
			   : (vector ? PMS_OP_STORE_V : PMS_OP_STORE);
	if (!bytes || (mode == 0 && !vector && opc == 1)) { /* no non-temporal ldpsw, stgp */
		a64_undef(out);
		return;
	}
	address(out, base(word));
	access_is(out, op, (load ? PMS_MEM_LOAD : PMS_MEM_STORE) | PMS_MEM_PAIR,
		  granule ? 16 : 2 * bytes);
	pair_data(word, out, vector);
	if (mode & 1) /* 1 post-index, 3 pre-index */
		out->writeback = base(word);
	if (vector)
		note_vector(out, bytes);
}

/* ldxr, ldaxr; stxr, stlxr. */
static void fix_exclusive(uint32_t word, struct pms_insn *out)
{
	bool load = a64_bit(word, 22), ordered = a64_bit(word, 15);
	bool pair = a64_bit(word, 21);
	unsigned bytes = pair ? 2u * size_bytes(word) : size_bytes(word);
	unsigned mem = PMS_MEM_EXCLUSIVE | (pair ? PMS_MEM_PAIR : 0u);
	address(out, base(word));
	if (load) {
		mem |= PMS_MEM_LOAD | (ordered ? PMS_MEM_ACQUIRE : 0u);
		access_is(out, PMS_OP_LOAD_EX, mem, bytes);
		a64_dst(out, rt(word));
		if (pair)
			a64_dst(out, rt2(word));
		return;
	}
	mem |= PMS_MEM_STORE | (ordered ? PMS_MEM_RELEASE : 0u);
	access_is(out, PMS_OP_STORE_EX, mem, bytes);
	a64_src(out, rt(word));
	if (pair)
		a64_src(out, rt2(word));
	a64_dst(out, rs(word)); /* did it succeed? */
}

/* stlr, stllr, ldar, ldlar, ldapr. */
static void ordered_load(uint32_t word, struct pms_insn *out)
{
	address(out, base(word));
	access_is(out, PMS_OP_LOAD, PMS_MEM_LOAD | PMS_MEM_ACQUIRE, size_bytes(word));
	a64_dst(out, rt(word));
}

static void fix_ordered(uint32_t word, struct pms_insn *out)
{
	if (a64_bit(word, 22)) {
		ordered_load(word, out);
		return;
	}
	address(out, base(word));
	access_is(out, PMS_OP_STORE, PMS_MEM_STORE | PMS_MEM_RELEASE, size_bytes(word));
	a64_src(out, rt(word));
}

/* ldapur, stlur: like unscaled ones, but ordered. */
static void fix_ordered_unscaled(uint32_t word, struct pms_insn *out)
{
	fix_offset(word, out);
	no_prefetch(out);
	out->mem |= out->mem & PMS_MEM_LOAD ? PMS_MEM_ACQUIRE : PMS_MEM_RELEASE;
}

/* An atomic that throws away what it read is not an acquire, whatever its A bit says. */
static unsigned atomic_order(bool acquire, bool release, uint8_t result)
{
	return PMS_MEM_LOAD | PMS_MEM_STORE |
	       (acquire && result != PMS_REG_NONE ? PMS_MEM_ACQUIRE : 0u) |
	       (release ? PMS_MEM_RELEASE : 0u);
}

/* ldadd and the like, swp. */
static void fix_atomic(uint32_t word, struct pms_insn *out)
{
	address(out, base(word));
	access_is(out, PMS_OP_ATOMIC, atomic_order(a64_bit(word, 23), a64_bit(word, 22), rt(word)),
		  size_bytes(word));
	a64_src(out, rs(word));
	a64_dst(out, rt(word));
}

static void fix_cas(uint32_t word, struct pms_insn *out)
{
	address(out, base(word));
	access_is(out, PMS_OP_ATOMIC, atomic_order(a64_bit(word, 22), a64_bit(word, 15), rs(word)),
		  size_bytes(word));
	a64_src(out, rs(word));
	a64_src(out, rt(word));
	a64_dst(out, rs(word));
}

/* casp: even-numbered pairs; [30] is the size. */
static void fix_casp(uint32_t word, struct pms_insn *out)
{
	uint32_t s = a64_bits(word, 20, 16), t = a64_bits(word, 4, 0);
	address(out, base(word));
	access_is(out, PMS_OP_ATOMIC,
		  atomic_order(a64_bit(word, 22), a64_bit(word, 15), (uint8_t)s) | PMS_MEM_PAIR,
		  a64_bit(word, 30) ? 16 : 8);
	a64_src(out, (uint8_t)s);
	a64_src(out, a64_x(s + 1));
	a64_src(out, (uint8_t)t);
	a64_src(out, a64_x(t + 1));
	a64_dst(out, (uint8_t)s);
	a64_dst(out, a64_x(s + 1));
	if (s % 2 || t % 2)
		a64_undef(out);
}

/* ldraa, ldrab: authenticate the base, then load; [11] writes it back. */
static void fix_load_pauth(uint32_t word, struct pms_insn *out)
{
	address(out, base(word));
	access_is(out, PMS_OP_LOAD, PMS_MEM_LOAD, 8);
	a64_dst(out, rt(word));
	if (a64_bit(word, 11))
		out->writeback = base(word);
}

/* stg, st2g, stzg, stz2g: the tag comes from Rt, which may be sp; 16 bytes a granule. */
static void fix_store_tag(uint32_t word, struct pms_insn *out)
{
	address(out, base(word));
	access_is(out, PMS_OP_STORE, PMS_MEM_STORE | PMS_MEM_HIDDEN, a64_bit(word, 23) ? 32 : 16);
	a64_src(out, (uint8_t)a64_bits(word, 4, 0));
	if (a64_bit(word, 10)) /* [11:10]: 1 post-index, 3 pre-index */
		out->writeback = base(word);
}

/* ldg puts the tag into Rt and keeps its other bits. */
static void fix_load_tag(uint32_t word, struct pms_insn *out)
{
	address(out, base(word));
	access_is(out, PMS_OP_LOAD, PMS_MEM_LOAD | PMS_MEM_HIDDEN, 16);
	a64_src(out, rt(word));
	a64_dst(out, rt(word));
}

/* ldgm, stgm, stzgm: as many granules as the implementation says. */
static void fix_tag_block(uint32_t word, struct pms_insn *out)
{
	bool load = a64_bits(word, 23, 22) == 3;
	address(out, base(word));
	access_is(out, load ? PMS_OP_LOAD : PMS_OP_STORE,
		  (load ? PMS_MEM_LOAD : PMS_MEM_STORE) | PMS_MEM_HIDDEN, 64);
	if (load)
		a64_dst(out, rt(word));
	else
		a64_src(out, rt(word));
}

#define FIX(mask, match, fix)                                                                      \
	{                                                                                          \
		mask, match, PMS_OP_NOP, 0, 0, 0, fix                                              \
	}

/* [29:28] 00: exclusives, ordered, compare and swap. */
static const struct a64_row exclusive_rows[] = {
	FIX(0x3fa00000, 0x08000000, fix_exclusive),
	FIX(0xbfa00000, 0x88200000, fix_exclusive), /* pairs: words and doublewords */
	FIX(0x3fa00000, 0x08800000, fix_ordered),
	FIX(0x3fa07c00, 0x08a07c00, fix_cas),
	FIX(0xbfa07c00, 0x08207c00, fix_casp),
};

/* [29:28] 01: literals, tags, ordered unscaled. */
static const struct a64_row literal_rows[] = {
	FIX(0x3b000000, 0x18000000, fix_literal),
	FIX(0x3f200c00, 0x19000000, fix_ordered_unscaled),
	FIX(0xfffffc00, 0xd9200000, fix_tag_block), /* stzgm, stgm, ldgm */
	FIX(0xfffffc00, 0xd9a00000, fix_tag_block),
	FIX(0xfffffc00, 0xd9e00000, fix_tag_block),
	FIX(0xffe00c00, 0xd9600000, fix_load_tag),
	FIX(0xff200400, 0xd9200400, fix_store_tag),
	FIX(0xff200c00, 0xd9200800, fix_store_tag),
};

/* [29:28] 10. */
static const struct a64_row pair_rows[] = {
	FIX(0x3a000000, 0x28000000, fix_pair),
};

/* [29:28] 11: one register. */
static const struct a64_row single_rows[] = {
	FIX(0x3b000000, 0x39000000, fix_offset),
	FIX(0x3b200c00, 0x38000000, fix_offset), /* unscaled */
	FIX(0x3b200400, 0x38000400, fix_indexed),
	FIX(0x3f200c00, 0x38000800, fix_unprivileged),
	FIX(0x3b200c00, 0x38200800, fix_register),
	FIX(0x3f208c00, 0x38200000, fix_atomic),
	FIX(0x3f20fc00, 0x38208000, fix_atomic),   /* swp */
	FIX(0x3fe0fc00, 0x38a0c000, ordered_load), /* ldapr */
	FIX(0xff200400, 0xf8200400, fix_load_pauth),
};

/* Structures of SIMD registers: whole, without and with post-index; lanes, the same. */
static const struct a64_row structure_rows[] = {
	FIX(0xbfbf0000, 0x0c000000, a64_fix_structures),
	FIX(0xbfa00000, 0x0c800000, a64_fix_structures),
	FIX(0xbf9f0000, 0x0d000000, a64_fix_lanes),
	FIX(0xbf800000, 0x0d800000, a64_fix_lanes),
};

static const struct a64_class single_class =
	A64_CLASS(0x3a000000, 0x38000000, single_rows, A64_LANES_ONE);
static const struct a64_class pair_class =
	A64_CLASS(0x3a000000, 0x28000000, pair_rows, A64_LANES_ONE);
static const struct a64_class exclusive_class =
	A64_CLASS(0x3e000000, 0x08000000, exclusive_rows, A64_LANES_ONE);
static const struct a64_class structure_class =
	A64_CLASS(0x3e000000, 0x0c000000, structure_rows, A64_LANES_ONE);
static const struct a64_class literal_class =
	A64_CLASS(0x3a000000, 0x18000000, literal_rows, A64_LANES_ONE);
static const struct a64_class *const mem_classes[] = {
	&single_class, &pair_class, &exclusive_class, &structure_class, &literal_class,
};
const struct a64_group a64_mem = A64_GROUP(mem_classes);

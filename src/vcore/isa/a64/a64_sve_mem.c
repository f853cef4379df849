/* SPDX-License-Identifier: MIT */
/* vcore/isa/a64/a64_sve_mem.c - SVE loads, stores and prefetches.
 * Source: Arm ARM (DDI 0487), C4.1 "SVE Memory - 32-bit Gather and Unsized Contiguous", "SVE
 * Memory - Contiguous Load", "SVE Memory - 64-bit Gather" and "SVE Memory" stores.
 * .mem_size is per 128 bits of vector with all elements active: the vector's length is not in the
 * encoding. Slots: half the micro-operations of Arm's Neoverse V1 software optimization guide. */
#include "vcore/isa/a64/a64_table.h"

enum { LD = PMS_MEM_LOAD | PMS_MEM_HIDDEN, ST = PMS_MEM_STORE | PMS_MEM_HIDDEN };

static void base(uint32_t word, struct pms_insn *out)
{
	a64_src(out, (uint8_t)a64_bits(word, 9, 5));
	out->n_addr = out->n_src;
}

/* Only first-fault loads take the zero register for an index. */
static void base_and_index(uint32_t word, struct pms_insn *out)
{
	a64_src(out, (uint8_t)a64_bits(word, 9, 5));
	a64_src(out, a64_x(a64_bits(word, 20, 16)));
	out->n_addr = out->n_src;
}

static void no_zero_index(uint32_t word, struct pms_insn *out)
{
	if (a64_bits(word, 20, 16) == 31)
		a64_undef(out);
}

/* Vector base in N; scalar base and vector offset. */
static void vector_base(uint32_t word, struct pms_insn *out)
{
	a64_src(out, a64_v(a64_bits(word, 9, 5)));
	out->n_addr = out->n_src;
}

static void vector_offset(uint32_t word, struct pms_insn *out)
{
	a64_src(out, (uint8_t)a64_bits(word, 9, 5));
	a64_src(out, a64_v(a64_bits(word, 20, 16)));
	out->n_addr = out->n_src;
}

static void predicate(uint32_t word, struct pms_insn *out)
{
	a64_src(out, a64_p(a64_bits(word, 12, 10)));
	out->spec |= a64_spec(PMS_SPEC_SVE_PRED_SPEC);
}

/* @registers from D on. */
static void data(uint32_t word, struct pms_insn *out, unsigned mem, unsigned registers,
		 unsigned bytes)
{
	uint32_t first = a64_bits(word, 4, 0);
	out->mem = (uint8_t)mem;
	out->mem_size = (uint8_t)bytes;
	for (unsigned i = 0; i < registers; i++) {
		if (mem & PMS_MEM_LOAD)
			a64_dst(out, a64_v(first + i));
		else
			a64_src(out, a64_v(first + i));
	}
}

/* First-fault and non-fault loads read and write the first-fault register. */
static void first_fault(struct pms_insn *out)
{
	a64_src(out, PMS_REG_FFR);
	a64_dst(out, PMS_REG_FFR);
	out->spec |= a64_spec(PMS_SPEC_SVE_LDFF_SPEC);
}

/* Bytes that 128 bits of vector take from memory. dtype [24:21]: memory size over element size,
 * both log2; where the first is above the second the load extends signs and both are inverted. */
static unsigned dtype_bytes(uint32_t word)
{
	unsigned memory = a64_bits(word, 24, 23), element = a64_bits(word, 22, 21);
	if (memory > element) {
		memory = 3 - memory;
		element = 3 - element;
	}
	return 16u >> (element - memory);
}

static void contiguous(uint32_t word, struct pms_insn *out)
{
	predicate(word, out);
	data(word, out, LD, 1, dtype_bytes(word));
}

static void fix_ld1_index(uint32_t word, struct pms_insn *out)
{
	base_and_index(word, out);
	contiguous(word, out);
	if (a64_bit(word, 13)) /* ldff1 */
		first_fault(out);
	else
		no_zero_index(word, out);
}

static void fix_ld1_imm(uint32_t word, struct pms_insn *out)
{
	base(word, out);
	contiguous(word, out);
	if (a64_bit(word, 20)) /* ldnf1 */
		first_fault(out);
}

/* ld2 to ld4, st2 to st4 and, with one register, the non-temporal ones: [22:21] registers less
 * one. */
static void structures(uint32_t word, struct pms_insn *out, unsigned mem)
{
	unsigned registers = a64_bits(word, 22, 21) + 1;
	predicate(word, out);
	data(word, out, mem, registers, 16 * registers);
	out->form = (uint8_t)((mem == LD ? PMS_FORM_SVE_LD1 : PMS_FORM_SVE_ST1) + registers - 1);
}

static void fix_ldn_index(uint32_t word, struct pms_insn *out)
{
	base_and_index(word, out);
	structures(word, out, LD);
	no_zero_index(word, out);
}

static void fix_ldn_imm(uint32_t word, struct pms_insn *out)
{
	base(word, out);
	structures(word, out, LD);
}

static void fix_stn_index(uint32_t word, struct pms_insn *out)
{
	base_and_index(word, out);
	structures(word, out, ST);
	no_zero_index(word, out);
}

static void fix_stn_imm(uint32_t word, struct pms_insn *out)
{
	base(word, out);
	structures(word, out, ST);
}

/* ld1rq, ld1ro: [21] 32 bytes rather than 16. */
static void fix_ld1rq_index(uint32_t word, struct pms_insn *out)
{
	base_and_index(word, out);
	predicate(word, out);
	data(word, out, LD, 1, a64_bit(word, 21) ? 32 : 16);
	no_zero_index(word, out);
}

static void fix_ld1rq_imm(uint32_t word, struct pms_insn *out)
{
	base(word, out);
	predicate(word, out);
	data(word, out, LD, 1, a64_bit(word, 21) ? 32 : 16);
}

/* ld1r: one element; dtype is split, [24:23] and [14:13]. QEMU reports these accesses. */
static void fix_ld1r(uint32_t word, struct pms_insn *out)
{
	unsigned memory = a64_bits(word, 24, 23);
	if (memory > a64_bits(word, 14, 13))
		memory = 3 - memory;
	base(word, out);
	predicate(word, out);
	data(word, out, PMS_MEM_LOAD, 1, 1u << memory);
}

/* ldr and str of a whole vector: QEMU reports these accesses too. */
static void fix_ldr_z(uint32_t word, struct pms_insn *out)
{
	base(word, out);
	data(word, out, PMS_MEM_LOAD, 1, 16);
}

static void fix_str_z(uint32_t word, struct pms_insn *out)
{
	base(word, out);
	data(word, out, PMS_MEM_STORE, 1, 16);
}

static void fix_ldr_p(uint32_t word, struct pms_insn *out)
{
	base(word, out);
	data(word, out, PMS_MEM_LOAD, 0, 2);
	a64_dst(out, a64_p(a64_bits(word, 3, 0)));
}

static void fix_str_p(uint32_t word, struct pms_insn *out)
{
	base(word, out);
	data(word, out, PMS_MEM_STORE, 0, 2);
	a64_src(out, a64_p(a64_bits(word, 3, 0)));
}

/* Gathers: [24:23] memory size, [30] elements of doublewords rather than words; @sign_extends
 * needs the element to be the larger. */
static void gather(uint32_t word, struct pms_insn *out, bool sign_extends)
{
	unsigned memory = a64_bits(word, 24, 23), element = a64_bit(word, 30) ? 3 : 2;
	predicate(word, out);
	data(word, out, LD, 1, (a64_bit(word, 30) ? 2u : 4u) << memory);
	out->form = PMS_FORM_SVE_GATHER;
	if (memory + (sign_extends ? 1 : 0) > element)
		a64_undef(out);
}

/* [14] zero-extends; [13] first fault. */
static void fix_gather_base(uint32_t word, struct pms_insn *out)
{
	vector_base(word, out);
	gather(word, out, !a64_bit(word, 14));
	if (a64_bit(word, 13))
		first_fault(out);
}

static void fix_gather_offset(uint32_t word, struct pms_insn *out)
{
	vector_offset(word, out);
	gather(word, out, !a64_bit(word, 14));
	if (a64_bit(word, 13))
		first_fault(out);
}

/* There is nothing to scale for bytes. */
static void fix_gather_scaled(uint32_t word, struct pms_insn *out)
{
	fix_gather_offset(word, out);
	if (!a64_bits(word, 24, 23))
		a64_undef(out);
}

/* ldnt1 of a vector base and a register; stnt1. */
static void vector_base_and_register(uint32_t word, struct pms_insn *out)
{
	a64_src(out, a64_v(a64_bits(word, 9, 5)));
	a64_src(out, a64_x(a64_bits(word, 20, 16)));
	out->n_addr = out->n_src;
}

/* Zero extension is [14] among doublewords, [13] among words. */
static void fix_gather_nt(uint32_t word, struct pms_insn *out)
{
	vector_base_and_register(word, out);
	gather(word, out, !a64_bit(word, a64_bit(word, 30) ? 14 : 13));
}

/* Prefetches keep the address alone. */
static void prefetch(uint32_t word, struct pms_insn *out)
{
	out->mem = PMS_MEM_HIDDEN;
	out->spec |= a64_spec(PMS_SPEC_SVE_INST_SPEC);
	predicate(word, out);
}

static void fix_prefetch_imm(uint32_t word, struct pms_insn *out)
{
	base(word, out);
	prefetch(word, out);
}

static void fix_prefetch_index(uint32_t word, struct pms_insn *out)
{
	base_and_index(word, out);
	prefetch(word, out);
	no_zero_index(word, out);
}

static void fix_prefetch_offset(uint32_t word, struct pms_insn *out)
{
	vector_offset(word, out);
	prefetch(word, out);
}

static void fix_prefetch_base(uint32_t word, struct pms_insn *out)
{
	vector_base(word, out);
	prefetch(word, out);
}

/* st1: [24:23] memory size, [22:21] element size. */
static void contiguous_store(uint32_t word, struct pms_insn *out)
{
	unsigned memory = a64_bits(word, 24, 23), element = a64_bits(word, 22, 21);
	predicate(word, out);
	if (memory > element) {
		a64_undef(out);
		return;
	}
	data(word, out, ST, 1, 16u >> (element - memory));
}

static void fix_st1_index(uint32_t word, struct pms_insn *out)
{
	base_and_index(word, out);
	contiguous_store(word, out);
	no_zero_index(word, out);
}

static void fix_st1_imm(uint32_t word, struct pms_insn *out)
{
	base(word, out);
	contiguous_store(word, out);
}

static void scatter(uint32_t word, struct pms_insn *out, bool words)
{
	predicate(word, out);
	data(word, out, ST, 1, (words ? 4u : 2u) << a64_bits(word, 24, 23));
	out->form = words ? PMS_FORM_SVE_SCATTER_W : PMS_FORM_SVE_SCATTER;
}

/* [22]: with extended offsets words; with a vector base [21] says so. */
static void fix_scatter_extended(uint32_t word, struct pms_insn *out)
{
	vector_offset(word, out);
	scatter(word, out, a64_bit(word, 22));
}

static void fix_scatter_offset(uint32_t word, struct pms_insn *out)
{
	vector_offset(word, out);
	scatter(word, out, false);
}

static void fix_scatter_base(uint32_t word, struct pms_insn *out)
{
	vector_base(word, out);
	scatter(word, out, a64_bit(word, 21));
}

static void fix_scatter_nt(uint32_t word, struct pms_insn *out)
{
	vector_base_and_register(word, out);
	scatter(word, out, a64_bit(word, 22));
}

#define MEM(mask, match, op, fix)                                                                  \
	{                                                                                          \
		mask, match, PMS_OP_##op, 0, 0, 0, fix                                             \
	}

static const struct a64_row load_rows[] = {
	/* a4, a5: ld1, ldff1; ld1, ldnf1; ldnt1 and ld2 to ld4; ld1rq, ld1ro */
	MEM(0xfe00c000, 0xa4004000, SVE_LOAD, fix_ld1_index),
	MEM(0xfe00e000, 0xa400a000, SVE_LOAD, fix_ld1_imm),
	MEM(0xfe00e000, 0xa400c000, SVE_LOAD, fix_ldn_index),
	MEM(0xfe10e000, 0xa400e000, SVE_LOAD, fix_ldn_imm),
	MEM(0xfe40e000, 0xa4000000, SVE_LOAD, fix_ld1rq_index),
	MEM(0xfe50e000, 0xa4002000, SVE_LOAD, fix_ld1rq_imm),
	/* 84, 85: ld1r; ldr; prefetches */
	MEM(0xfe408000, 0x84408000, SVE_LOAD, fix_ld1r),
	MEM(0xffc0e000, 0x85804000, SVE_LOAD, fix_ldr_z),
	MEM(0xffc0e010, 0x85800000, SVE_LOAD, fix_ldr_p),
	MEM(0xffc08010, 0x85c00000, PREFETCH, fix_prefetch_imm),
	MEM(0xfe60e010, 0x8400c000, PREFETCH, fix_prefetch_index),
	MEM(0xfe60e010, 0x8400e000, PREFETCH, fix_prefetch_base),
	MEM(0xffa08010, 0x84200000, PREFETCH, fix_prefetch_offset),
	/* gathers of words: vector base; with a register; scalar base, scaled offset or not */
	MEM(0xfe608000, 0x84208000, SVE_GATHER, fix_gather_base),
	MEM(0xfe60c000, 0x84008000, SVE_GATHER, fix_gather_nt),
	MEM(0xff208000, 0x84000000, SVE_GATHER, fix_gather_offset),
	MEM(0xffa08000, 0x84a00000, SVE_GATHER, fix_gather_offset),
	MEM(0xff808000, 0x85000000, SVE_GATHER, fix_gather_offset),
	/* c4, c5: prefetches; gathers of doublewords */
	MEM(0xffa08010, 0xc4200000, PREFETCH, fix_prefetch_offset),
	MEM(0xffe08010, 0xc4608000, PREFETCH, fix_prefetch_offset),
	MEM(0xfe60e010, 0xc400e000, PREFETCH, fix_prefetch_base),
	MEM(0xfe608000, 0xc4208000, SVE_GATHER, fix_gather_base),
	MEM(0xfe60a000, 0xc4008000, SVE_GATHER, fix_gather_nt),
	MEM(0xfe608000, 0xc4408000, SVE_GATHER, fix_gather_offset),
	MEM(0xfe208000, 0xc4000000, SVE_GATHER, fix_gather_offset),
	MEM(0xfe208000, 0xc4200000, SVE_GATHER, fix_gather_scaled),
	MEM(0xfe608000, 0xc4608000, SVE_GATHER, fix_gather_scaled),
};

static const struct a64_row store_rows[] = {
	/* str; st1; stnt1 and st2 to st4 */
	MEM(0xffc0e000, 0xe5804000, SVE_STORE, fix_str_z),
	MEM(0xffc0e010, 0xe5800000, SVE_STORE, fix_str_p),
	MEM(0xfe00e000, 0xe4004000, SVE_STORE, fix_st1_index),
	MEM(0xfe10e000, 0xe400e000, SVE_STORE, fix_st1_imm),
	MEM(0xfe00e000, 0xe4006000, SVE_STORE, fix_stn_index),
	MEM(0xfe10e000, 0xe410e000, SVE_STORE, fix_stn_imm),
	/* scatters: vector base, 64-bit offsets, extended ones, with a register */
	MEM(0xfe40e000, 0xe440a000, SVE_SCATTER, fix_scatter_base),
	MEM(0xfe40e000, 0xe400a000, SVE_SCATTER, fix_scatter_offset),
	MEM(0xfe00a000, 0xe4008000, SVE_SCATTER, fix_scatter_extended),
	MEM(0xfe20e000, 0xe4002000, SVE_SCATTER, fix_scatter_nt),
};

const struct a64_class a64_sve_loads = A64_CLASS(0x9e000000, 0x84000000, load_rows, A64_LANES_ONE);
const struct a64_class a64_sve_stores =
	A64_CLASS(0xfe000000, 0xe4000000, store_rows, A64_LANES_ONE);

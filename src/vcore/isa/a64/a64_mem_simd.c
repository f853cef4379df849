/* SPDX-License-Identifier: MIT */
/* vcore/isa/a64/a64_mem_simd.c - loads and stores of SIMD structures, by register and by lane.
 * Source: Arm ARM (DDI 0487), C4.1 "Advanced SIMD load/store multiple structures" and "single
 * structure". */
#include <assert.h>

#include "vcore/isa/a64/a64_table.h"

/* By opcode [15:12]: registers, and elements in a structure. */
static const struct {
	uint8_t registers, elements;
} forms[16] = {
	[0x0] = { 4, 4 }, [0x2] = { 4, 1 }, [0x4] = { 3, 3 }, [0x6] = { 3, 1 },
	[0x7] = { 1, 1 }, [0x8] = { 2, 2 }, [0xa] = { 2, 1 },
};

/* Base; in a post-indexed form it is written back, after adding Rm or, when that is 31, the size
 * of what was accessed. */
static void address(uint32_t word, struct pms_insn *out)
{
	uint8_t base = (uint8_t)a64_bits(word, 9, 5);
	a64_src(out, base);
	if (a64_bit(word, 23)) {
		a64_src(out, a64_x(a64_bits(word, 20, 16)));
		out->writeback = base;
	}
	out->n_addr = out->n_src;
}

/* @merges: a load keeps what it does not load. */
static void data(uint32_t word, struct pms_insn *out, unsigned registers, bool merges)
{
	bool load = a64_bit(word, 22);
	uint32_t first = a64_bits(word, 4, 0);
	for (unsigned i = 0; i < registers; i++) {
		if (load)
			a64_dst(out, a64_v(first + i));
		if (!load || merges)
			a64_src(out, a64_v(first + i));
	}
	out->mem = load ? PMS_MEM_LOAD : PMS_MEM_STORE;
	out->spec |= a64_spec(PMS_SPEC_ASE_INST_SPEC);
}

static uint8_t structure_form(uint32_t word, unsigned registers, unsigned elements)
{
	unsigned q = a64_bits(word, 30, 30);
	bool load = a64_bit(word, 22);
	assert(registers - 1 < 4 && elements - 1 < 4);
	if (elements == 1)
		return (uint8_t)((load ? PMS_FORM_LD1_1X8 : PMS_FORM_ST1_1X8) +
				 2 * (registers - 1) + q);
	if (!load && elements == 4 && q && a64_bits(word, 11, 10) == 3)
		return PMS_FORM_ST4_16_D; /* it interleaves less */
	return (uint8_t)((load ? PMS_FORM_LD2_8 : PMS_FORM_ST2_8) + 2 * (elements - 2) + q);
}

void a64_fix_structures(uint32_t word, struct pms_insn *out)
{
	unsigned opcode = a64_bits(word, 15, 12), registers = forms[opcode].registers;
	unsigned elements = forms[opcode].elements;
	bool load = a64_bit(word, 22), q = a64_bit(word, 30);
	if (!registers || (elements > 1 && !q && a64_bits(word, 11, 10) == 3)) {
		a64_undef(out);
		return;
	}
	address(word, out);
	data(word, out, registers, false);
	out->mem_size = (uint8_t)(registers * (q ? 16 : 8));
	if (elements > 1)
		out->op = load ? PMS_OP_LOAD_VN : PMS_OP_STORE_VN;
	else
		out->op = load ? PMS_OP_LOAD_V : PMS_OP_STORE_V;
	out->form = structure_form(word, registers, elements);
}

/* Bytes of a lane, by opcode [15:14], S [12] and size [11:10]; 0: not allocated. */
static unsigned lane_bytes(uint32_t word)
{
	uint32_t size = a64_bits(word, 11, 10);
	bool load = a64_bit(word, 22), s = a64_bit(word, 12);
	switch (a64_bits(word, 15, 14)) {
	case 0:
		return 1;
	case 1:
		return size & 1 ? 0 : 2;
	case 2:
		if (size == 1)
			return s ? 0 : 8;
		return size ? 0 : 4;
	default: /* to all lanes: loads only */
		return load && !s ? 1u << size : 0;
	}
}

void a64_fix_lanes(uint32_t word, struct pms_insn *out)
{
	unsigned elements = (a64_bits(word, 13, 13) << 1 | a64_bits(word, 21, 21)) + 1;
	unsigned bytes = lane_bytes(word);
	bool load = a64_bit(word, 22), replicates = a64_bits(word, 15, 14) == 3;
	if (!bytes) {
		a64_undef(out);
		return;
	}
	address(word, out);
	data(word, out, elements, load && !replicates);
	out->mem_size = (uint8_t)(elements * bytes);
	out->op = load ? PMS_OP_LOAD_VN : PMS_OP_STORE_VN;
	assert(elements - 1 < 4);
	out->form = (uint8_t)((load ? PMS_FORM_LD1_LANE : PMS_FORM_ST1_LANE) + elements - 1);
	if (!load && elements == 4 && bytes == 8)
		out->form = PMS_FORM_ST4_LANE_D;
}

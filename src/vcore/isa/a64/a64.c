/* SPDX-License-Identifier: MIT */
#include "vcore/isa/a64/a64.h"
#include "vcore/isa/a64/a64_table.h"

/* By bits [28:25], table C4-1 "Main encoding table for the A64 instruction set". */
static const struct a64_group *const groups[16] = {
	[0x0] = &a64_reserved, [0x2] = &a64_sve,	 [0x4] = &a64_mem,    [0x5] = &a64_dp_reg,
	[0x6] = &a64_mem,      [0x7] = &a64_simd_vector, [0x8] = &a64_dp_imm, [0x9] = &a64_dp_imm,
	[0xa] = &a64_branch,   [0xb] = &a64_branch,	 [0xc] = &a64_mem,    [0xd] = &a64_dp_reg,
	[0xe] = &a64_mem,      [0xf] = &a64_simd_scalar,
};

#define ASE    (1u << PMS_SPEC_ASE_SPEC | 1u << PMS_SPEC_ASE_INST_SPEC)
#define CRYPTO (1u << PMS_SPEC_CRYPTO_SPEC | 1u << PMS_SPEC_ASE_INST_SPEC)
#define DP     (1u << PMS_SPEC_DP_SPEC)
#define VFP    (1u << PMS_SPEC_VFP_SPEC)
#define SVE    (1u << PMS_SPEC_SVE_INST_SPEC)

/* What a class counts in. Loads and stores follow from .mem; barriers, moves between register
 * files and structure loads and stores add theirs in the tables. */
static const uint32_t op_specs[PMS_OP_COUNT] = {
	[PMS_OP_ALU] = DP,	    [PMS_OP_MOVE] = DP,		  [PMS_OP_ZERO] = DP,
	[PMS_OP_ALU_LSL] = DP,	    [PMS_OP_LOGIC_SHIFT] = DP,	  [PMS_OP_ALU_SHIFT] = DP,
	[PMS_OP_SHIFT] = DP,	    [PMS_OP_BITFIELD] = DP,	  [PMS_OP_MUL32] = DP,
	[PMS_OP_MUL64] = DP,	    [PMS_OP_MAC32] = DP,	  [PMS_OP_MAC64] = DP,
	[PMS_OP_MULH] = DP,	    [PMS_OP_DIV32] = DP,	  [PMS_OP_DIV64] = DP,
	[PMS_OP_CRC] = DP,	    [PMS_OP_PAUTH] = DP,	  [PMS_OP_FP_MOVE] = VFP,
	[PMS_OP_FP_CMP] = VFP,	    [PMS_OP_FP_ADD] = VFP,	  [PMS_OP_FP_MUL] = VFP,
	[PMS_OP_FP_MAC] = VFP,	    [PMS_OP_FP_DIV32] = VFP,	  [PMS_OP_FP_DIV64] = VFP,
	[PMS_OP_FP_SQRT32] = VFP,   [PMS_OP_FP_SQRT64] = VFP,	  [PMS_OP_FP_CVT] = VFP,
	[PMS_OP_INT_TO_FP] = VFP,   [PMS_OP_FP_TO_INT] = VFP,	  [PMS_OP_V_ALU] = ASE,
	[PMS_OP_V_SHIFT] = ASE,	    [PMS_OP_V_SHIFT_ACC] = ASE,	  [PMS_OP_V_PERM] = ASE,
	[PMS_OP_V_TBL] = ASE,	    [PMS_OP_V_MUL] = ASE,	  [PMS_OP_V_MAC] = ASE,
	[PMS_OP_V_REDUCE] = ASE,    [PMS_OP_V_FP_ADD] = ASE,	  [PMS_OP_V_FP_MUL] = ASE,
	[PMS_OP_V_FP_MAC] = ASE,    [PMS_OP_V_FP_DIV32] = ASE,	  [PMS_OP_V_FP_DIV64] = ASE,
	[PMS_OP_V_FP_SQRT32] = ASE, [PMS_OP_V_FP_SQRT64] = ASE,	  [PMS_OP_V_FP_CVT] = ASE,
	[PMS_OP_V_FP_EST] = ASE,    [PMS_OP_CRYPTO_AES] = CRYPTO, [PMS_OP_CRYPTO_SHA] = CRYPTO,
	[PMS_OP_SVE_ALU] = SVE,	    [PMS_OP_SVE_MUL] = SVE,	  [PMS_OP_SVE_FP] = SVE,
	[PMS_OP_SVE_DIV] = SVE,	    [PMS_OP_SVE_PRED] = SVE,	  [PMS_OP_SVE_LOAD] = SVE,
	[PMS_OP_SVE_GATHER] = SVE,  [PMS_OP_SVE_STORE] = SVE,	  [PMS_OP_SVE_SCATTER] = SVE,
};

/* dc zva writes memory but is no store instruction, prfm reads none that software could see:
 * neither counts in LD_SPEC or ST_SPEC. */
static uint32_t memory_specs(const struct pms_insn *insn)
{
	uint32_t specs = 0;
	if (!insn->mem || insn->op == PMS_OP_DC_ZVA)
		return 0;
	if (insn->mem & PMS_MEM_LOAD) {
		specs |= a64_spec(PMS_SPEC_LD_SPEC);
		if (insn->mem & PMS_MEM_ACQUIRE)
			specs |= a64_spec(PMS_SPEC_RC_LD_SPEC);
		if (insn->mem & PMS_MEM_EXCLUSIVE)
			specs |= a64_spec(PMS_SPEC_LDREX_SPEC);
	}
	if (insn->mem & PMS_MEM_STORE) {
		specs |= a64_spec(PMS_SPEC_ST_SPEC);
		if (insn->mem & PMS_MEM_RELEASE)
			specs |= a64_spec(PMS_SPEC_RC_ST_SPEC);
		if (insn->mem & PMS_MEM_EXCLUSIVE)
			specs |= a64_spec(PMS_SPEC_STREX_SPEC);
	}
	return specs;
}

static const struct a64_class *class_find(uint32_t word)
{
	const struct a64_group *group = groups[a64_bits(word, 28, 25)];
	if (!group)
		return NULL;
	for (unsigned i = 0; i < group->n_classes; i++)
		if ((word & group->classes[i]->mask) == group->classes[i]->match)
			return group->classes[i];
	return NULL;
}

static const struct a64_row *row_find(const struct a64_class *class, uint32_t word)
{
	unsigned form = a64_bits(word, 23, 22) << 1 | a64_bits(word, 30, 30);
	for (unsigned i = 0; i < class->n_rows; i++) {
		const struct a64_row *row = &class->rows[i];
		if ((word & row->mask) == row->match && (!row->ok || row->ok >> form & 1))
			return row;
	}
	return NULL;
}

/* Add the predicate registers of a row to the sources. */
static void predicates(uint32_t word, uint32_t regs, struct pms_insn *out)
{
	if (regs & RG_3)
		a64_src(out, a64_p(a64_bits(word, 12, 10)));
	if (regs & RG_4)
		a64_src(out, a64_p(a64_bits(word, 13, 10)));
	if (regs & (RG_3 | RG_4))
		out->spec |= a64_spec(PMS_SPEC_SVE_PRED_SPEC);
	if (regs & RP_N)
		a64_src(out, a64_p(a64_bits(word, 8, 5)));
	if (regs & RP_M)
		a64_src(out, a64_p(a64_bits(word, 19, 16)));
	if (regs & RP_D)
		a64_src(out, a64_p(a64_bits(word, 3, 0)));
	if (regs & WP_D)
		a64_dst(out, a64_p(a64_bits(word, 3, 0)));
	if (regs & R_FFR)
		a64_src(out, PMS_REG_FFR);
	if (regs & W_FFR)
		a64_dst(out, PMS_REG_FFR);
}

/* Add the sources of a row, address registers first. */
static void sources(uint32_t word, uint32_t regs, struct pms_insn *out)
{
	uint32_t d = a64_bits(word, 4, 0), n = a64_bits(word, 9, 5);
	uint32_t m = a64_bits(word, 20, 16), a = a64_bits(word, 14, 10);
	if (regs & RX_N)
		a64_src(out, a64_x(n));
	else if (regs & RSP_N)
		a64_src(out, (uint8_t)n);
	else if (regs & RV_N)
		a64_src(out, a64_v(n));
	if (regs & RX_M)
		a64_src(out, a64_x(m));
	else if (regs & RSP_M)
		a64_src(out, (uint8_t)m);
	else if (regs & RV_M)
		a64_src(out, a64_v(m));
	if (regs & RX_A)
		a64_src(out, a64_x(a));
	else if (regs & RV_A)
		a64_src(out, a64_v(a));
	if (regs & RX_D)
		a64_src(out, a64_x(d));
	else if (regs & RV_D)
		a64_src(out, a64_v(d));
	if (regs & R_F)
		a64_src(out, PMS_REG_NZCV);
}

static void destinations(uint32_t word, uint32_t regs, struct pms_insn *out)
{
	uint32_t d = a64_bits(word, 4, 0);
	if (regs & WX_D)
		a64_dst(out, a64_x(d));
	else if (regs & WSP_D)
		a64_dst(out, (uint8_t)d);
	else if (regs & WV_D)
		a64_dst(out, a64_v(d));
	if (regs & W_F)
		a64_dst(out, PMS_REG_NZCV);
	if ((regs & CMP_FUSES) && d == 31)
		out->fuse = PMS_FUSE_COMPARE;
}

static uint8_t elements(uint32_t word, enum a64_lanes lanes)
{
	static const uint8_t halves_in_element[4] = { 1, 1, 2, 4 };
	unsigned halves = a64_bit(word, 30) ? 8 : 4;
	switch (lanes) {
	case A64_LANES_ONE:
		return 1;
	case A64_LANES_SZ:
		return (uint8_t)(halves / (a64_bit(word, 22) ? 4 : 2));
	case A64_LANES_SIZE:
		return (uint8_t)(halves / halves_in_element[a64_bits(word, 23, 22)]);
	case A64_LANES_HALF:
		break;
	}
	return (uint8_t)halves;
}

void pms_a64_classify(uint32_t word, struct pms_insn *out)
{
	const struct a64_class *class = class_find(word);
	const struct a64_row *row = class ? row_find(class, word) : NULL;
	*out = (struct pms_insn){ .op = PMS_OP_UNDEF,
				  .length = PMS_ISA_LONGEST,
				  .writeback = PMS_REG_NONE };
	if (!row)
		return;
	out->op = row->op;
	sources(word, row->regs, out);
	destinations(word, row->regs, out);
	if (row->regs >= RG_3)
		predicates(word, row->regs, out);
	if (row->flops)
		out->fp_ops = (uint8_t)(row->flops * elements(word, class->lanes));
	if (row->fix)
		row->fix(word, out);
	if (out->op == PMS_OP_UNDEF)
		*out = (struct pms_insn){ .op = PMS_OP_UNDEF,
					  .length = PMS_ISA_LONGEST,
					  .writeback = PMS_REG_NONE };
	else
		out->spec |= op_specs[out->op] | memory_specs(out);
}

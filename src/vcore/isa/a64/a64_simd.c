/* SPDX-License-Identifier: MIT */
/* vcore/isa/a64/a64_simd.c - Advanced SIMD with three registers, and the list of all SIMD classes.
 * Source: Arm ARM (DDI 0487), C4.1 "Data Processing -- Scalar Floating-Point and Advanced SIMD".
 * Rows look at the fields within their class. */
#include "vcore/isa/a64/a64_table.h"

#define ANY A64_ANY
#define ROW(u, a, opcode, free, low, width, op, ok, flops, regs, fix)                              \
	{                                                                                          \
		A64_FIELDS(u, a, opcode, free, low, width), PMS_OP_##op, ok, flops, regs, fix      \
	}
#define SAME(u, a, opcode, free, op, ok, flops, regs, fix)                                         \
	ROW(u, a, opcode, free, 11, 5, op, ok, flops, regs, fix)
#define HALF(u, a, opcode, free, op, flops, regs)                                                  \
	ROW(u, a, opcode, free, 11, 3, op, 0, flops, regs, NULL)
#define DIFF(u, opcode, free, op, ok, regs, fix)                                                   \
	ROW(u, ANY, opcode, free, 12, 4, op, ok, 0, regs, fix)
#define EXTRA(u, opcode, free, op, ok, flops, regs, fix)                                           \
	ROW(u, ANY, opcode, free, 11, 4, op, ok, flops, regs, fix)

/* bsl, bit, bif (size 1 to 3 of eor's opcode) read what they write. */
static void fix_select(uint32_t word, struct pms_insn *out)
{
	if (a64_bits(word, 23, 22))
		a64_src(out, a64_v(a64_bits(word, 4, 0)));
}

/* The "2" forms of narrowing operations write the upper half and keep the lower. */
static void fix_narrow(uint32_t word, struct pms_insn *out)
{
	if (a64_bit(word, 30))
		a64_src(out, a64_v(a64_bits(word, 4, 0)));
}

static void fix_div(uint32_t word, struct pms_insn *out)
{
	if (a64_bit(word, 22))
		out->op = PMS_OP_V_FP_DIV64;
}

/* Four singles from halves; Q tells even from odd ones, not the width. */
static void fix_bfmlal(uint32_t word, struct pms_insn *out)
{
	(void)word;
	out->fp_ops = 8;
}

static const struct a64_row same_rows[] = {
	/* add, sub; and, bic, orr, orn; eor, bsl, bit, bif */
	SAME(ANY, ANY, 0x10, 0, V_ALU, OK_BHSD, 0, V_NM, NULL),
	SAME(0, ANY, 0x03, 0, V_ALU, 0, 0, V_NM, NULL),
	SAME(1, ANY, 0x03, 0, V_ALU, 0, 0, V_NM, fix_select),
	/* cmgt, cmge, cmhi, cmhs; cmtst, cmeq */
	SAME(ANY, ANY, 0x06, 1, V_ALU, OK_BHSD, 0, V_NM, NULL),
	SAME(ANY, ANY, 0x11, 0, V_ALU, OK_BHSD, 0, V_NM, NULL),
	/* smax, smin, umax, umin; sabd, uabd; saba, uaba */
	SAME(ANY, ANY, 0x0c, 1, V_ALU, OK_BHS, 0, V_NM, NULL),
	SAME(ANY, ANY, 0x0e, 0, V_ALU, OK_BHS, 0, V_NM, NULL),
	SAME(ANY, ANY, 0x0f, 0, V_SHIFT_ACC, OK_BHS, 0, V_DNM, NULL),
	/* shadd, srhadd; shsub; sqadd, sqsub; and unsigned */
	SAME(ANY, ANY, 0x00, 2, V_ALU, OK_BHS, 0, V_NM, NULL),
	SAME(ANY, ANY, 0x04, 0, V_ALU, OK_BHS, 0, V_NM, NULL),
	SAME(ANY, ANY, 0x01, 4, V_ALU, OK_BHSD, 0, V_NM, NULL),
	/* sshl, ushl; saturating; rounding, both */
	SAME(ANY, ANY, 0x08, 0, V_SHIFT, OK_BHSD, 0, V_NM, NULL),
	SAME(ANY, ANY, 0x09, 0, V_SHIFT_ACC, OK_BHSD, 0, V_NM, NULL),
	SAME(ANY, ANY, 0x0a, 1, V_SHIFT_ACC, OK_BHSD, 0, V_NM, NULL),
	/* mla, mls; mul; pmul; sqdmulh, sqrdmulh */
	SAME(ANY, ANY, 0x12, 0, V_MAC, OK_BHS, 0, V_DNM, NULL),
	SAME(0, ANY, 0x13, 0, V_MUL, OK_BHS, 0, V_NM, NULL),
	SAME(1, ANY, 0x13, 0, V_MUL, OK_B, 0, V_NM, NULL),
	SAME(ANY, ANY, 0x16, 0, V_MUL, OK_HS, 0, V_NM, NULL),
	/* smaxp, sminp, umaxp, uminp; addp */
	SAME(ANY, ANY, 0x14, 1, V_ALU, OK_BHS, 0, V_NM, NULL),
	SAME(0, ANY, 0x17, 0, V_ALU, OK_BHSD, 0, V_NM, NULL),
	/* fmla, fmls; fadd, fsub; fmul; fmulx; fabd, faddp */
	SAME(0, ANY, 0x19, 0, V_FP_MAC, OK_FP0 | OK_FP1, 2, V_DNM, NULL),
	SAME(0, ANY, 0x1a, 0, V_FP_ADD, OK_FP0 | OK_FP1, 1, V_NM, NULL),
	SAME(1, 0, 0x1b, 0, V_FP_MUL, OK_FP0, 1, V_NM, NULL),
	SAME(0, 0, 0x1b, 0, V_FP_MUL, OK_FP0, 1, V_NM, NULL),
	SAME(1, ANY, 0x1a, 0, V_FP_ADD, OK_FP0 | OK_FP1, 1, V_NM, NULL),
	/* fmaxnm, fminnm, also pairwise; fmax, fmin, also pairwise */
	SAME(ANY, ANY, 0x18, 0, V_FP_ADD, OK_FP0 | OK_FP1, 1, V_NM, NULL),
	SAME(ANY, ANY, 0x1e, 0, V_FP_ADD, OK_FP0 | OK_FP1, 1, V_NM, NULL),
	/* fcmeq; fcmge, facge, fcmgt, facgt; fdiv; frecps, frsqrts */
	SAME(0, 0, 0x1c, 0, V_FP_ADD, OK_FP0, 1, V_NM, NULL),
	SAME(1, ANY, 0x1c, 1, V_FP_ADD, OK_FP0 | OK_FP1, 1, V_NM, NULL),
	SAME(1, 0, 0x1f, 0, V_FP_DIV32, OK_FP0, 1, V_NM, fix_div),
	SAME(0, ANY, 0x1f, 0, V_FP_MAC, OK_FP0 | OK_FP1, 2, V_NM, NULL),
	/* fmlal, fmlsl; fmlal2, fmlsl2: singles from halves */
	SAME(0, ANY, 0x1d, 0, V_FP_MAC, OK_B | OK_S, 2, V_DNM, NULL),
	SAME(1, ANY, 0x19, 0, V_FP_MAC, OK_B | OK_S, 2, V_DNM, NULL),
};

/* Half precision: the opcode is three bits, as the low three above. */
static const struct a64_row same_half_rows[] = {
	HALF(0, ANY, 1, 0, V_FP_MAC, 2, V_DNM),	 HALF(0, ANY, 2, 0, V_FP_ADD, 1, V_NM),
	HALF(ANY, 0, 3, 0, V_FP_MUL, 1, V_NM),	 HALF(1, ANY, 2, 0, V_FP_ADD, 1, V_NM),
	HALF(ANY, ANY, 0, 0, V_FP_ADD, 1, V_NM), HALF(ANY, ANY, 6, 0, V_FP_ADD, 1, V_NM),
	HALF(0, 0, 4, 0, V_FP_ADD, 1, V_NM),	 HALF(1, ANY, 4, 1, V_FP_ADD, 1, V_NM),
	HALF(1, 0, 7, 0, V_FP_DIV32, 1, V_NM),	 HALF(0, ANY, 7, 0, V_FP_MAC, 2, V_NM),
};

static const struct a64_row different_rows[] = {
	/* saddl, saddw; ssubl, ssubw; and unsigned */
	DIFF(ANY, 0x0, 1, V_ALU, OK_BHS, V_NM, NULL),
	DIFF(ANY, 0x2, 1, V_ALU, OK_BHS, V_NM, NULL),
	/* addhn, raddhn, subhn, rsubhn; sabal, uabal; sabdl, uabdl */
	DIFF(ANY, 0x4, 2, V_ALU, OK_BHS, V_NM, fix_narrow),
	DIFF(ANY, 0x5, 0, V_SHIFT_ACC, OK_BHS, V_DNM, NULL),
	DIFF(ANY, 0x7, 0, V_ALU, OK_BHS, V_NM, NULL),
	/* smlal, smlsl, umlal, umlsl; sqdmlal, sqdmlsl */
	DIFF(ANY, 0x8, 2, V_MAC, OK_BHS, V_DNM, NULL),
	DIFF(0, 0x9, 2, V_MAC, OK_HS, V_DNM, NULL),
	/* smull, umull; sqdmull; pmull of bytes and of doublewords */
	DIFF(ANY, 0xc, 0, V_MUL, OK_BHS, V_NM, NULL),
	DIFF(0, 0xd, 0, V_MUL, OK_HS, V_NM, NULL),
	DIFF(0, 0xe, 0, V_MUL, OK_B | 0xc0, V_NM, NULL),
};

/* Matrix multiplies need Q, as scalar forms do: OK_SS, OK_SH. */
static const struct a64_row extra_rows[] = {
	/* sqrdmlah, sqrdmlsh; sdot, udot; usdot; smmla, ummla; usmmla */
	EXTRA(1, 0x0, 1, V_MAC, OK_HS, 0, V_DNM, NULL),
	EXTRA(ANY, 0x2, 0, V_MAC, OK_S, 0, V_DNM, NULL),
	EXTRA(0, 0x3, 0, V_MAC, OK_S, 0, V_DNM, NULL),
	EXTRA(ANY, 0x4, 0, V_MAC, OK_SS, 0, V_DNM, NULL),
	EXTRA(0, 0x5, 0, V_MAC, OK_SS, 0, V_DNM, NULL),
	/* fcmla; fcadd */
	EXTRA(1, 0x8, 3, V_FP_MAC, OK_HS | OK_2D, 2, V_DNM, NULL),
	EXTRA(1, 0xc, 2, V_FP_MAC, OK_HS | OK_2D, 1, V_NM, NULL),
	/* bfmmla: 16 products of halves onto four singles; bfdot; bfmlalb, bfmlalt */
	EXTRA(1, 0xd, 0, V_FP_MAC, OK_SH, 4, V_DNM, NULL),
	EXTRA(1, 0xf, 0, V_FP_MAC, OK_H, 2, V_DNM, NULL),
	EXTRA(1, 0xf, 0, V_FP_MAC, 0xc0, 0, V_DNM, fix_bfmlal),
};

static const struct a64_row scalar_same_rows[] = {
	/* add, sub; cmgt, cmge, cmhi, cmhs; cmtst, cmeq; sqadd, sqsub, uqadd, uqsub */
	SAME(ANY, ANY, 0x10, 0, V_ALU, OK_SD, 0, V_NM, NULL),
	SAME(ANY, ANY, 0x06, 1, V_ALU, OK_SD, 0, V_NM, NULL),
	SAME(ANY, ANY, 0x11, 0, V_ALU, OK_SD, 0, V_NM, NULL),
	SAME(ANY, ANY, 0x01, 4, V_ALU, OK_SBHSD, 0, V_NM, NULL),
	/* sshl, ushl; srshl, urshl; saturating, also rounding; sqdmulh, sqrdmulh */
	SAME(ANY, ANY, 0x08, 0, V_SHIFT, OK_SD, 0, V_NM, NULL),
	SAME(ANY, ANY, 0x0a, 0, V_SHIFT_ACC, OK_SD, 0, V_NM, NULL),
	SAME(ANY, ANY, 0x09, 2, V_SHIFT_ACC, OK_SBHSD, 0, V_NM, NULL),
	SAME(ANY, ANY, 0x16, 0, V_MUL, OK_SHS, 0, V_NM, NULL),
	/* fmulx; fabd; fcmeq; fcmge, facge, fcmgt, facgt; frecps, frsqrts */
	SAME(0, 0, 0x1b, 0, V_FP_MUL, 0, 1, V_NM, NULL),
	SAME(1, 1, 0x1a, 0, V_FP_ADD, 0, 1, V_NM, NULL),
	SAME(0, 0, 0x1c, 0, V_FP_ADD, 0, 1, V_NM, NULL),
	SAME(1, ANY, 0x1c, 1, V_FP_ADD, 0, 1, V_NM, NULL),
	SAME(0, ANY, 0x1f, 0, V_FP_MAC, 0, 2, V_NM, NULL),
};

static const struct a64_row scalar_same_half_rows[] = {
	HALF(0, 0, 3, 0, V_FP_MUL, 1, V_NM),   HALF(1, 1, 2, 0, V_FP_ADD, 1, V_NM),
	HALF(0, 0, 4, 0, V_FP_ADD, 1, V_NM),   HALF(1, ANY, 4, 1, V_FP_ADD, 1, V_NM),
	HALF(0, ANY, 7, 0, V_FP_MAC, 2, V_NM),
};

static const struct a64_row scalar_different_rows[] = {
	/* sqdmlal, sqdmlsl; sqdmull */
	DIFF(0, 0x9, 2, V_MAC, OK_SHS, V_DNM, NULL),
	DIFF(0, 0xd, 0, V_MUL, OK_SHS, V_NM, NULL),
};

static const struct a64_row scalar_extra_rows[] = {
	/* sqrdmlah, sqrdmlsh */
	EXTRA(1, 0x0, 1, V_MAC, OK_SHS, 0, V_DNM, NULL),
};

static const struct a64_class three_same =
	A64_CLASS(0x9f200400, 0x0e200400, same_rows, A64_LANES_SZ);
static const struct a64_class three_same_half =
	A64_CLASS(0x9f60c400, 0x0e400400, same_half_rows, A64_LANES_HALF);
static const struct a64_class three_different =
	A64_CLASS(0x9f200c00, 0x0e200000, different_rows, A64_LANES_ONE);
static const struct a64_class three_same_extra =
	A64_CLASS(0x9f208400, 0x0e008400, extra_rows, A64_LANES_SIZE);
static const struct a64_class scalar_three_same =
	A64_CLASS(0xdf200400, 0x5e200400, scalar_same_rows, A64_LANES_ONE);
static const struct a64_class scalar_three_same_half =
	A64_CLASS(0xdf60c400, 0x5e400400, scalar_same_half_rows, A64_LANES_ONE);
static const struct a64_class scalar_three_different =
	A64_CLASS(0xdf200c00, 0x5e200000, scalar_different_rows, A64_LANES_ONE);
static const struct a64_class scalar_three_same_extra =
	A64_CLASS(0xdf208400, 0x5e008400, scalar_extra_rows, A64_LANES_ONE);

/* The order matters: a modified immediate is told from a shift by more bits. */
static const struct a64_class *const vector_classes[] = {
	&three_same,	   &a64_two_misc,     &a64_by_element,	  &a64_mod_imm,
	&a64_shift_imm,	   &a64_copy,	      &a64_permute,	  &a64_ext,
	&three_different,  &a64_across_lanes, &a64_table_lookup,  &a64_aes,
	&three_same_extra, &three_same_half,  &a64_two_misc_half, &a64_sha3,
};
const struct a64_group a64_simd_vector = A64_GROUP(vector_classes);

/* The order matters: conversions are told from the next two by more bits. */
static const struct a64_class *const scalar_classes[] = {
	&a64_fp_convert,
	&a64_fp_data1,
	&a64_fp_data2,
	&a64_fp_data3,
	&a64_fp_fixed_point,
	&scalar_three_same,
	&a64_scalar_two_misc,
	&a64_scalar_by_element,
	&a64_scalar_shift_imm,
	&a64_scalar_pairwise,
	&a64_scalar_copy,
	&a64_sha_two,
	&a64_sha_three,
	&scalar_three_different,
	&scalar_three_same_extra,
	&scalar_three_same_half,
	&a64_scalar_two_misc_half,
};
const struct a64_group a64_simd_scalar = A64_GROUP(scalar_classes);

/* SPDX-License-Identifier: MIT */
/* vcore/isa/a64/a64_simd_two.c - Advanced SIMD with two registers: miscellaneous, across lanes,
 * scalar pairwise. Source: Arm ARM (DDI 0487), C4.1 "Data Processing -- Scalar Floating-Point and
 * Advanced SIMD". Rows look at the fields within their class; the opcode is [16:12]. */
#include "vcore/isa/a64/a64_table.h"

#define ANY A64_ANY
#define TWO(u, a, opcode, free, op, ok, flops, regs, fix)                                          \
	{                                                                                          \
		A64_FIELDS(u, a, opcode, free, 12, 5), PMS_OP_##op, ok, flops, regs, fix           \
	}

enum {
	OK_ACROSS = 0x2f /* a reduction of two words is left to addp */
};

/* The "2" forms of narrowing operations write the upper half and keep the lower. */
static void fix_narrow(uint32_t word, struct pms_insn *out)
{
	if (a64_bit(word, 30))
		a64_src(out, a64_v(a64_bits(word, 4, 0)));
}

/* U and a set with an even opcode would be an eighth rounding mode. */
static void fix_frint(uint32_t word, struct pms_insn *out)
{
	if (a64_bit(word, 29) && a64_bit(word, 23) && !a64_bit(word, 12))
		a64_undef(out);
}

static void fix_convert_half(uint32_t word, struct pms_insn *out)
{
	if (a64_bit(word, 30))
		out->form = PMS_FORM_CVT_8H;
}

static void fix_frint_half(uint32_t word, struct pms_insn *out)
{
	fix_convert_half(word, out);
	fix_frint(word, out);
}

static void fix_sqrt(uint32_t word, struct pms_insn *out)
{
	if (a64_bit(word, 22))
		out->op = PMS_OP_V_FP_SQRT64;
}

/* One comparison less than there are elements; three micro-operations for eight halves. */
static void fix_across_half(uint32_t word, struct pms_insn *out)
{
	fix_convert_half(word, out);
	out->fp_ops = a64_bit(word, 30) ? 7 : 3;
}

static void fix_across_single(uint32_t word, struct pms_insn *out)
{
	(void)word;
	out->fp_ops = 3;
}

static const struct a64_row misc_rows[] = {
	/* rev64, rev32, rev16 */
	TWO(0, ANY, 0x00, 0, V_PERM, OK_BHS, 0, V_N, NULL),
	TWO(1, ANY, 0x00, 0, V_PERM, OK_B | OK_H, 0, V_N, NULL),
	TWO(0, ANY, 0x01, 0, V_PERM, OK_B, 0, V_N, NULL),
	/* saddlp, uaddlp; sadalp, uadalp; suqadd, usqadd */
	TWO(ANY, ANY, 0x02, 0, V_ALU, OK_BHS, 0, V_N, NULL),
	TWO(ANY, ANY, 0x06, 0, V_SHIFT_ACC, OK_BHS, 0, V_DN, NULL),
	TWO(ANY, ANY, 0x03, 0, V_ALU, OK_BHSD, 0, V_DN, NULL),
	/* cls, clz; cnt; not, rbit */
	TWO(ANY, ANY, 0x04, 0, V_ALU, OK_BHS, 0, V_N, NULL),
	TWO(0, ANY, 0x05, 0, V_ALU, OK_B, 0, V_N, NULL),
	TWO(1, ANY, 0x05, 0, V_ALU, OK_B | OK_H, 0, V_N, NULL),
	/* sqabs, sqneg; cmgt, cmge, cmeq, cmle, cmlt with zero; abs, neg */
	TWO(ANY, ANY, 0x07, 0, V_ALU, OK_BHSD, 0, V_N, NULL),
	TWO(ANY, ANY, 0x08, 1, V_ALU, OK_BHSD, 0, V_N, NULL),
	TWO(0, ANY, 0x0a, 0, V_ALU, OK_BHSD, 0, V_N, NULL),
	TWO(ANY, ANY, 0x0b, 0, V_ALU, OK_BHSD, 0, V_N, NULL),
	/* xtn; sqxtun; sqxtn, uqxtn; shll */
	TWO(0, ANY, 0x12, 0, V_PERM, OK_BHS, 0, V_N, fix_narrow),
	TWO(1, ANY, 0x12, 0, V_SHIFT_ACC, OK_BHS, 0, V_N, fix_narrow),
	TWO(ANY, ANY, 0x14, 0, V_SHIFT_ACC, OK_BHS, 0, V_N, fix_narrow),
	TWO(1, ANY, 0x13, 0, V_SHIFT, OK_BHS, 0, V_N, NULL),
	/* fcmgt, fcmeq, fcmge, fcmle with zero; fcmlt; fabs, fneg */
	TWO(ANY, 1, 0x0c, 1, V_FP_ADD, OK_FP1, 1, V_N, NULL),
	TWO(0, 1, 0x0e, 0, V_FP_ADD, OK_FP1, 1, V_N, NULL),
	TWO(ANY, 1, 0x0f, 0, V_ALU, OK_FP1, 0, V_N, NULL),
	/* fcvtn; fcvtxn; bfcvtn; fcvtl */
	TWO(0, 0, 0x16, 0, V_FP_CVT, OK_B | OK_H, 0, V_N, fix_narrow),
	TWO(1, 0, 0x16, 0, V_FP_CVT, OK_H, 0, V_N, fix_narrow),
	TWO(0, 1, 0x16, 0, V_FP_CVT, OK_S, 0, V_N, fix_narrow),
	TWO(0, 0, 0x17, 0, V_FP_CVT, OK_B | OK_H, 0, V_N, NULL),
	/* frint; fcvt to integer; fcvta, scvtf, ucvtf; frint32, frint64 */
	TWO(ANY, ANY, 0x18, 1, V_FP_CVT, OK_FP0 | OK_FP1, 0, V_N, fix_frint),
	TWO(ANY, ANY, 0x1a, 1, V_FP_CVT, OK_FP0 | OK_FP1, 0, V_N, NULL),
	TWO(ANY, 0, 0x1c, 1, V_FP_CVT, OK_FP0, 0, V_N, NULL),
	TWO(ANY, 0, 0x1e, 1, V_FP_CVT, OK_FP0, 0, V_N, NULL),
	/* urecpe, ursqrte; frecpe, frsqrte; fsqrt */
	TWO(ANY, 1, 0x1c, 0, V_FP_EST, OK_S, 0, V_N, NULL),
	TWO(ANY, 1, 0x1d, 0, V_FP_EST, OK_FP1, 1, V_N, NULL),
	TWO(1, 1, 0x1f, 0, V_FP_SQRT32, OK_FP1, 1, V_N, fix_sqrt),
};

static const struct a64_row misc_half_rows[] = {
	/* fcmgt, fcmeq, fcmge, fcmle with zero; fcmlt; fabs, fneg */
	TWO(ANY, 1, 0x0c, 1, V_FP_ADD, 0, 1, V_N, NULL),
	TWO(0, 1, 0x0e, 0, V_FP_ADD, 0, 1, V_N, NULL),
	TWO(ANY, 1, 0x0f, 0, V_ALU, 0, 0, V_N, NULL),
	/* frint; fcvt to integer; fcvta, scvtf, ucvtf */
	TWO(ANY, ANY, 0x18, 1, V_FP_CVT, 0, 0, V_N, fix_frint_half),
	TWO(ANY, ANY, 0x1a, 1, V_FP_CVT, 0, 0, V_N, fix_convert_half),
	TWO(ANY, 0, 0x1c, 1, V_FP_CVT, 0, 0, V_N, fix_convert_half),
	/* frecpe, frsqrte; fsqrt */
	TWO(ANY, 1, 0x1d, 0, V_FP_EST, 0, 1, V_N, NULL),
	TWO(1, 1, 0x1f, 0, V_FP_SQRT32, 0, 1, V_N, NULL),
};

static const struct a64_row across_rows[] = {
	/* saddlv, uaddlv; smaxv, umaxv; sminv, uminv; addv */
	TWO(ANY, ANY, 0x03, 0, V_REDUCE, OK_ACROSS, 0, V_N, NULL),
	TWO(ANY, ANY, 0x0a, 0, V_REDUCE, OK_ACROSS, 0, V_N, NULL),
	TWO(ANY, ANY, 0x1a, 0, V_REDUCE, OK_ACROSS, 0, V_N, NULL),
	TWO(0, ANY, 0x1b, 0, V_REDUCE, OK_ACROSS, 0, V_N, NULL),
	/* fmaxnmv, fminnmv; fmaxv, fminv: of halves, of four singles */
	TWO(0, ANY, 0x0c, 0, V_REDUCE, OK_B | OK_S, 0, V_N, fix_across_half),
	TWO(0, ANY, 0x0f, 0, V_REDUCE, OK_B | OK_S, 0, V_N, fix_across_half),
	TWO(1, ANY, 0x0c, 0, V_REDUCE, OK_SB | OK_SS, 0, V_N, fix_across_single),
	TWO(1, ANY, 0x0f, 0, V_REDUCE, OK_SB | OK_SS, 0, V_N, fix_across_single),
};

static const struct a64_row scalar_misc_rows[] = {
	/* suqadd, usqadd; sqabs, sqneg; compares with zero; abs, neg */
	TWO(ANY, ANY, 0x03, 0, V_ALU, OK_SBHSD, 0, V_DN, NULL),
	TWO(ANY, ANY, 0x07, 0, V_ALU, OK_SBHSD, 0, V_N, NULL),
	TWO(ANY, ANY, 0x08, 1, V_ALU, OK_SD, 0, V_N, NULL),
	TWO(0, ANY, 0x0a, 0, V_ALU, OK_SD, 0, V_N, NULL),
	TWO(ANY, ANY, 0x0b, 0, V_ALU, OK_SD, 0, V_N, NULL),
	/* sqxtn, uqxtn; sqxtun */
	TWO(ANY, ANY, 0x14, 0, V_SHIFT_ACC, OK_SBHS, 0, V_N, NULL),
	TWO(1, ANY, 0x12, 0, V_SHIFT_ACC, OK_SBHS, 0, V_N, NULL),
	/* FP compares with zero; fcvtxn; fcvt to integer; fcvta, scvtf, ucvtf */
	TWO(ANY, 1, 0x0c, 1, V_FP_ADD, 0, 1, V_N, NULL),
	TWO(0, 1, 0x0e, 0, V_FP_ADD, 0, 1, V_N, NULL),
	TWO(1, 0, 0x16, 0, V_FP_CVT, OK_SH, 0, V_N, NULL),
	TWO(ANY, ANY, 0x1a, 1, V_FP_CVT, 0, 0, V_N, NULL),
	TWO(ANY, 0, 0x1c, 1, V_FP_CVT, 0, 0, V_N, NULL),
	/* frecpe, frsqrte; frecpx */
	TWO(ANY, 1, 0x1d, 0, V_FP_EST, 0, 1, V_N, NULL),
	TWO(0, 1, 0x1f, 0, V_FP_EST, 0, 1, V_N, NULL),
};

static const struct a64_row scalar_misc_half_rows[] = {
	/* compares with zero; fcvt to integer; fcvta, scvtf, ucvtf; frecpe, frsqrte; frecpx */
	TWO(ANY, 1, 0x0c, 1, V_FP_ADD, 0, 1, V_N, NULL),
	TWO(0, 1, 0x0e, 0, V_FP_ADD, 0, 1, V_N, NULL),
	TWO(ANY, ANY, 0x1a, 1, V_FP_CVT, 0, 0, V_N, NULL),
	TWO(ANY, 0, 0x1c, 1, V_FP_CVT, 0, 0, V_N, NULL),
	TWO(ANY, 1, 0x1d, 0, V_FP_EST, 0, 1, V_N, NULL),
	TWO(0, 1, 0x1f, 0, V_FP_EST, 0, 1, V_N, NULL),
};

static const struct a64_row pairwise_rows[] = {
	/* addp; then of halves: fmaxnmp, fminnmp; fmaxp, fminp; faddp; then of singles, doubles */
	TWO(0, ANY, 0x1b, 0, V_ALU, OK_SD, 0, V_N, NULL),
	TWO(0, ANY, 0x0c, 0, V_FP_ADD, OK_SB | OK_SS, 1, V_N, NULL),
	TWO(0, ANY, 0x0f, 0, V_FP_ADD, OK_SB | OK_SS, 1, V_N, NULL),
	TWO(0, ANY, 0x0d, 0, V_FP_ADD, OK_SB, 1, V_N, NULL),
	TWO(1, ANY, 0x0c, 0, V_FP_ADD, 0, 1, V_N, NULL),
	TWO(1, ANY, 0x0f, 0, V_FP_ADD, 0, 1, V_N, NULL),
	TWO(1, ANY, 0x0d, 0, V_FP_ADD, OK_SFP0, 1, V_N, NULL),
};

const struct a64_class a64_two_misc = A64_CLASS(0x9f3e0c00, 0x0e200800, misc_rows, A64_LANES_SZ);
const struct a64_class a64_two_misc_half =
	A64_CLASS(0x9f7e0c00, 0x0e780800, misc_half_rows, A64_LANES_HALF);
const struct a64_class a64_across_lanes =
	A64_CLASS(0x9f3e0c00, 0x0e300800, across_rows, A64_LANES_ONE);
const struct a64_class a64_scalar_two_misc =
	A64_CLASS(0xdf3e0c00, 0x5e200800, scalar_misc_rows, A64_LANES_ONE);
const struct a64_class a64_scalar_two_misc_half =
	A64_CLASS(0xdf7e0c00, 0x5e780800, scalar_misc_half_rows, A64_LANES_ONE);
const struct a64_class a64_scalar_pairwise =
	A64_CLASS(0xdf3e0c00, 0x5e300800, pairwise_rows, A64_LANES_ONE);

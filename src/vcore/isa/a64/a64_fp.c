/* SPDX-License-Identifier: MIT */
/* vcore/isa/a64/a64_fp.c - scalar floating point, and conversions from and to general registers.
 * Source: Arm ARM (DDI 0487), C4.1 "Data Processing -- Scalar Floating-Point and Advanced SIMD".
 * FP operations: arithmetic and comparison count one each, fused multiply-add two; moves, sign
 * changes, conversions and roundings count none. */
#include "vcore/isa/a64/a64_table.h"

/* ptype [23:22]: 0 single, 1 double, 3 half; in .ok's terms, with [30] clear. */
enum {
	OK_SD0 = 1 << 0 | 1 << 2,
	OK_SDH = 1 << 0 | 1 << 2 | 1 << 6,
	OK_DOUBLE = 1 << 2,
	OK_NOT_S = 1 << 2 | 1 << 6,
	OK_NOT_D = 1 << 0 | 1 << 6
};

static bool is_double(uint32_t word)
{
	return a64_bits(word, 23, 22) == 1;
}

static void fix_sqrt(uint32_t word, struct pms_insn *out)
{
	if (is_double(word))
		out->op = PMS_OP_FP_SQRT64;
}

static void fix_div(uint32_t word, struct pms_insn *out)
{
	if (is_double(word))
		out->op = PMS_OP_FP_DIV64;
}

/* One source, compare, immediate. */
static const struct a64_row data1_rows[] = {
	/* fmov, fabs, fneg; fsqrt */
	{ 0xff3ffc00, 0x1e204000, PMS_OP_FP_MOVE, OK_SDH, 0, V_N, NULL },
	{ 0xff3ffc00, 0x1e20c000, PMS_OP_FP_MOVE, OK_SDH, 0, V_N, NULL },
	{ 0xff3ffc00, 0x1e214000, PMS_OP_FP_MOVE, OK_SDH, 0, V_N, NULL },
	{ 0xff3ffc00, 0x1e21c000, PMS_OP_FP_SQRT32, OK_SDH, 1, V_N, fix_sqrt },
	/* fcvt to single, double, half; bfcvt */
	{ 0xff3ffc00, 0x1e224000, PMS_OP_FP_CVT, OK_NOT_S, 0, V_N, NULL },
	{ 0xff3ffc00, 0x1e22c000, PMS_OP_FP_CVT, OK_NOT_D, 0, V_N, NULL },
	{ 0xff3ffc00, 0x1e23c000, PMS_OP_FP_CVT, OK_SD0, 0, V_N, NULL },
	{ 0xff3ffc00, 0x1e234000, PMS_OP_FP_CVT, OK_DOUBLE, 0, V_N, NULL },
	/* frintn, p, m, z; a; x, i; 32z, 32x, 64z, 64x */
	{ 0xff3e7c00, 0x1e244000, PMS_OP_FP_CVT, OK_SDH, 0, V_N, NULL },
	{ 0xff3ffc00, 0x1e264000, PMS_OP_FP_CVT, OK_SDH, 0, V_N, NULL },
	{ 0xff3f7c00, 0x1e274000, PMS_OP_FP_CVT, OK_SDH, 0, V_N, NULL },
	{ 0xff3e7c00, 0x1e284000, PMS_OP_FP_CVT, OK_SD0, 0, V_N, NULL },
	/* fcmp, fcmpe; with zero */
	{ 0xff20fc0f, 0x1e202000, PMS_OP_FP_CMP, OK_SDH, 1, RV_N | RV_M | W_F, NULL },
	{ 0xff20fc0f, 0x1e202008, PMS_OP_FP_CMP, OK_SDH, 1, RV_N | W_F, NULL },
	/* fmov immediate */
	{ 0xff201fe0, 0x1e201000, PMS_OP_FP_MOVE, OK_SDH, 0, WV_D, NULL },
};

/* Two sources, conditional compare, select. */
static const struct a64_row data2_rows[] = {
	/* fmul; fdiv; fadd, fsub; fmax, fmin, fmaxnm, fminnm; fnmul */
	{ 0xff20fc00, 0x1e200800, PMS_OP_FP_MUL, OK_SDH, 1, V_NM, NULL },
	{ 0xff20fc00, 0x1e201800, PMS_OP_FP_DIV32, OK_SDH, 1, V_NM, fix_div },
	{ 0xff20ec00, 0x1e202800, PMS_OP_FP_ADD, OK_SDH, 1, V_NM, NULL },
	{ 0xff20cc00, 0x1e204800, PMS_OP_FP_ADD, OK_SDH, 1, V_NM, NULL },
	{ 0xff20fc00, 0x1e208800, PMS_OP_FP_MUL, OK_SDH, 1, V_NM, NULL },
	/* fccmp, fccmpe; fcsel */
	{ 0xff200c00, 0x1e200400, PMS_OP_FP_CMP, OK_SDH, 1, RV_N | RV_M | R_F | W_F, NULL },
	{ 0xff200c00, 0x1e200c00, PMS_OP_FP_MOVE, OK_SDH, 0, V_NM | R_F, NULL },
};

/* fmadd, fmsub, fnmadd, fnmsub */
static const struct a64_row data3_rows[] = {
	{ 0xff000000, 0x1f000000, PMS_OP_FP_MAC, OK_SDH, 2, V_NM | RV_A, NULL },
};

/* With a general register of 64 bits, [30] of .ok's form stays clear: sf is [31]. */
static void fix_move(uint32_t word, struct pms_insn *out)
{
	uint32_t type = a64_bits(word, 23, 22);
	bool wide = a64_bit(word, 31);
	if (type != 3 && type != (wide ? 1u : 0u))
		a64_undef(out);
}

/* fmov to or from the upper half of a vector. */
static const struct a64_row convert_rows[] = {
	/* fmov w,s x,d w,h x,h; the other way; x,v.d[1]; v.d[1],x */
	{ 0x7f3ffc00, 0x1e260000, PMS_OP_V_TO_X, OK_SDH, 0, WX_D | RV_N, fix_move },
	{ 0x7f3ffc00, 0x1e270000, PMS_OP_X_TO_V, OK_SDH, 0, WV_D | RX_N, fix_move },
	{ 0xfffffc00, 0x9eae0000, PMS_OP_V_TO_X, 0, 0, WX_D | RV_N, NULL },
	{ 0xfffffc00, 0x9eaf0000, PMS_OP_X_TO_V, 0, 0, WV_D | RV_D | RX_N, NULL },
	/* fcvtns .. fcvtzu; scvtf, ucvtf; fcvtas, fcvtau; fjcvtzs */
	{ 0x7f26fc00, 0x1e200000, PMS_OP_FP_TO_INT, OK_SDH, 0, WX_D | RV_N, NULL },
	{ 0x7f3efc00, 0x1e220000, PMS_OP_INT_TO_FP, OK_SDH, 0, WV_D | RX_N, NULL },
	{ 0x7f3efc00, 0x1e240000, PMS_OP_FP_TO_INT, OK_SDH, 0, WX_D | RV_N, NULL },
	{ 0xfffffc00, 0x1e7e0000, PMS_OP_FP_TO_INT, 0, 0, WX_D | W_F | RV_N, NULL },
};

/* scale [15:10] is 64 minus the fraction's bits, which a 32-bit register bounds. */
static void fix_fixed_point(uint32_t word, struct pms_insn *out)
{
	if (!a64_bit(word, 31) && !a64_bit(word, 15))
		a64_undef(out);
}

static const struct a64_row fixed_point_rows[] = {
	/* scvtf, ucvtf; fcvtzs, fcvtzu */
	{ 0x7f3e0000, 0x1e020000, PMS_OP_INT_TO_FP, OK_SDH, 0, WV_D | RX_N, fix_fixed_point },
	{ 0x7f3e0000, 0x1e180000, PMS_OP_FP_TO_INT, OK_SDH, 0, WX_D | RV_N, fix_fixed_point },
};

const struct a64_class a64_fp_data1 = A64_CLASS(0xff200c00, 0x1e200000, data1_rows, A64_LANES_ONE);
const struct a64_class a64_fp_data2 = A64_CLASS(0xff200000, 0x1e200000, data2_rows, A64_LANES_ONE);
const struct a64_class a64_fp_data3 = A64_CLASS(0xff000000, 0x1f000000, data3_rows, A64_LANES_ONE);
const struct a64_class a64_fp_convert =
	A64_CLASS(0x7f20fc00, 0x1e200000, convert_rows, A64_LANES_ONE);
const struct a64_class a64_fp_fixed_point =
	A64_CLASS(0x7f200000, 0x1e000000, fixed_point_rows, A64_LANES_ONE);

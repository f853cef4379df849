/* SPDX-License-Identifier: MIT */
/* vcore/isa/a64/a64_simd_imm.c - Advanced SIMD: copies, permutations, table look-ups, immediates,
 * shifts by an immediate, and operations with one element of a register.
 * Source: Arm ARM (DDI 0487), C4.1 "Data Processing -- Scalar Floating-Point and Advanced SIMD". */
#include "vcore/isa/a64/a64_table.h"

#define ANY A64_ANY

static uint8_t vd(uint32_t word)
{
	return a64_v(a64_bits(word, 4, 0));
}

static bool q(uint32_t word)
{
	return a64_bit(word, 30);
}

/* tbl and tbx of one to four registers [14:13] from N on; tbx [12] keeps what is out of range.
 */
static void fix_table(uint32_t word, struct pms_insn *out)
{
	uint32_t first = a64_bits(word, 9, 5), count = a64_bits(word, 14, 13) + 1;
	for (uint32_t i = 1; i < count; i++)
		a64_src(out, a64_v(first + i));
	if (a64_bit(word, 12))
		a64_src(out, vd(word));
	out->form = (uint8_t)((a64_bit(word, 12) ? PMS_FORM_TBX_1 : PMS_FORM_TBL_1) + count - 1);
}

static const struct a64_row table_rows[] = {
	{ 0, 0, PMS_OP_V_TBL, 0, 0, V_NM, fix_table },
};

static void fix_permute(uint32_t word, struct pms_insn *out)
{
	if (a64_bits(word, 23, 22) == 3 && !q(word))
		a64_undef(out);
}

/* opcode [14:12]: uzp1, trn1, zip1 are 1 to 3, the second ones 5 to 7. */
static const struct a64_row permute_rows[] = {
	{ 0x00003000, 0x00001000, PMS_OP_V_PERM, 0, 0, V_NM, fix_permute },
	{ 0x00002000, 0x00002000, PMS_OP_V_PERM, 0, 0, V_NM, fix_permute },
};

static void fix_ext(uint32_t word, struct pms_insn *out)
{
	if (a64_bit(word, 14) && !q(word))
		a64_undef(out);
}

static const struct a64_row ext_rows[] = {
	{ 0, 0, PMS_OP_V_PERM, 0, 0, V_NM, fix_ext },
};

/* Element size, log2 of bytes, from imm5 [20:16]: the lowest set bit; 4 and more: none. */
static unsigned element_log2(uint32_t word)
{
	unsigned log2 = 0;
	while (log2 < 5 && !(a64_bits(word, 20, 16) >> log2 & 1))
		log2++;
	return log2;
}

/* Doublewords need Q. */
static void fix_dup(uint32_t word, struct pms_insn *out)
{
	if (element_log2(word) > (q(word) ? 3u : 2u))
		a64_undef(out);
}

/* Moves between register files are Advanced SIMD instructions, but no data processing. */
static void note_move(struct pms_insn *out)
{
	out->spec |= a64_spec(PMS_SPEC_ASE_INST_SPEC);
}

static void fix_dup_general(uint32_t word, struct pms_insn *out)
{
	note_move(out);
	fix_dup(word, out);
}

static void fix_ins(uint32_t word, struct pms_insn *out)
{
	if (element_log2(word) > 3)
		a64_undef(out);
}

static void fix_ins_general(uint32_t word, struct pms_insn *out)
{
	note_move(out);
	fix_ins(word, out);
}

/* umov to x is of doublewords alone, to w of the smaller ones. */
static void fix_umov(uint32_t word, struct pms_insn *out)
{
	unsigned log2 = element_log2(word);
	note_move(out);
	if (q(word) ? log2 != 3 : log2 > 2)
		a64_undef(out);
}

static void fix_smov(uint32_t word, struct pms_insn *out)
{
	note_move(out);
	if (element_log2(word) > (q(word) ? 2u : 1u))
		a64_undef(out);
}

static const struct a64_row copy_rows[] = {
	/* dup from an element, from a register; smov, umov */
	{ 0x20007800, 0x00000000, PMS_OP_V_PERM, 0, 0, V_N, fix_dup },
	{ 0x20007800, 0x00000800, PMS_OP_X_TO_V, 0, 0, WV_D | RX_N, fix_dup_general },
	{ 0x20007800, 0x00002800, PMS_OP_V_TO_X, 0, 0, WX_D | RV_N, fix_smov },
	{ 0x20007800, 0x00003800, PMS_OP_V_TO_X, 0, 0, WX_D | RV_N, fix_umov },
	/* ins from a register, from an element */
	{ 0x60007800, 0x40001800, PMS_OP_X_TO_V, 0, 0, WV_D | RX_N | RV_D, fix_ins_general },
	{ 0x60000000, 0x60000000, PMS_OP_V_PERM, 0, 0, V_DN, fix_ins },
};

static const struct a64_row scalar_copy_rows[] = {
	{ 0, 0, PMS_OP_V_PERM, 0, 0, V_N, fix_ins },
};

/* cmode [15:12], op [29], o2 [11]. orr and bic (odd cmode below 12) keep the other bits. */
static void fix_mod_imm(uint32_t word, struct pms_insn *out)
{
	uint32_t cmode = a64_bits(word, 15, 12);
	bool op = a64_bit(word, 29), o2 = a64_bit(word, 11);
	if (cmode < 12 && cmode % 2)
		a64_src(out, vd(word));
	if ((o2 && (cmode != 15 || op)) || (cmode == 15 && op && !q(word)))
		a64_undef(out);
}

static const struct a64_row mod_imm_rows[] = {
	{ 0, 0, PMS_OP_V_ALU, 0, 0, WV_D, fix_mod_imm },
};

/* Shifts: immh [22:19] gives the element by its highest set bit. A doubleword needs Q. */
static void fix_shift(uint32_t word, struct pms_insn *out)
{
	if (a64_bit(word, 22) && !q(word))
		a64_undef(out);
}

/* Lengthening ones: of the source's element, which is no doubleword. */
static void fix_long(uint32_t word, struct pms_insn *out)
{
	if (a64_bit(word, 22))
		a64_undef(out);
}

static void fix_narrow(uint32_t word, struct pms_insn *out)
{
	if (q(word)) /* "2": keeps the lower half */
		a64_src(out, vd(word));
	fix_long(word, out);
}

/* Halves, singles, doubles. */
static void fix_scalar_convert(uint32_t word, struct pms_insn *out)
{
	if (a64_bits(word, 22, 19) < 2)
		a64_undef(out);
}

static void fix_convert(uint32_t word, struct pms_insn *out)
{
	if (q(word) && a64_bits(word, 22, 20) == 1)
		out->form = PMS_FORM_CVT_8H;
	fix_scalar_convert(word, out);
	fix_shift(word, out);
}

static void fix_double(uint32_t word, struct pms_insn *out)
{
	if (!a64_bit(word, 22))
		a64_undef(out);
}

static void fix_scalar_shift(uint32_t word, struct pms_insn *out)
{
	if (!a64_bits(word, 22, 19))
		a64_undef(out);
}

static void fix_scalar_narrow(uint32_t word, struct pms_insn *out)
{
	fix_scalar_shift(word, out);
	fix_long(word, out);
}

/* opcode [15:11] */
#define SHIFT(u, opcode, free, op, regs, fix)                                                      \
	{                                                                                          \
		A64_FIELDS(u, ANY, opcode, free, 11, 5), PMS_OP_##op, 0, 0, regs, fix              \
	}

static const struct a64_row shift_rows[] = {
	/* sshr, ushr; shl; sli; sri */
	SHIFT(ANY, 0x00, 0, V_SHIFT, V_N, fix_shift),
	SHIFT(0, 0x0a, 0, V_SHIFT, V_N, fix_shift),
	SHIFT(1, 0x0a, 0, V_SHIFT, V_DN, fix_shift),
	SHIFT(1, 0x08, 0, V_SHIFT, V_DN, fix_shift),
	/* sshll, ushll; shrn; rshrn, sqshrun, sqrshrun; sqshrn, sqrshrn, uqshrn, uqrshrn */
	SHIFT(ANY, 0x14, 0, V_SHIFT, V_N, fix_long),
	SHIFT(0, 0x10, 0, V_SHIFT, V_N, fix_narrow),
	SHIFT(ANY, 0x10, 1, V_SHIFT_ACC, V_N, fix_narrow),
	SHIFT(ANY, 0x12, 1, V_SHIFT_ACC, V_N, fix_narrow),
	/* ssra, usra; srsra, ursra; srshr, urshr; sqshl, uqshl; sqshlu */
	SHIFT(ANY, 0x02, 0, V_SHIFT_ACC, V_DN, fix_shift),
	SHIFT(ANY, 0x06, 0, V_SHIFT_ACC, V_DN, fix_shift),
	SHIFT(ANY, 0x04, 0, V_SHIFT_ACC, V_N, fix_shift),
	SHIFT(ANY, 0x0e, 0, V_SHIFT_ACC, V_N, fix_shift),
	SHIFT(1, 0x0c, 0, V_SHIFT_ACC, V_N, fix_shift),
	/* scvtf, ucvtf; fcvtzs, fcvtzu: fixed point */
	SHIFT(ANY, 0x1c, 0, V_FP_CVT, V_N, fix_convert),
	SHIFT(ANY, 0x1f, 0, V_FP_CVT, V_N, fix_convert),
};

static const struct a64_row scalar_shift_rows[] = {
	/* sshr, ushr; shl; sli; sri */
	SHIFT(ANY, 0x00, 0, V_SHIFT, V_N, fix_double),
	SHIFT(0, 0x0a, 0, V_SHIFT, V_N, fix_double),
	SHIFT(1, 0x0a, 0, V_SHIFT, V_DN, fix_double),
	SHIFT(1, 0x08, 0, V_SHIFT, V_DN, fix_double),
	/* ssra, usra; srsra, ursra; srshr, urshr; sqshl, uqshl; sqshlu */
	SHIFT(ANY, 0x02, 0, V_SHIFT_ACC, V_DN, fix_double),
	SHIFT(ANY, 0x06, 0, V_SHIFT_ACC, V_DN, fix_double),
	SHIFT(ANY, 0x04, 0, V_SHIFT_ACC, V_N, fix_double),
	SHIFT(ANY, 0x0e, 0, V_SHIFT_ACC, V_N, fix_scalar_shift),
	SHIFT(1, 0x0c, 0, V_SHIFT_ACC, V_N, fix_scalar_shift),
	/* sqshrn, sqrshrn, uqshrn, uqrshrn; sqshrun, sqrshrun */
	SHIFT(ANY, 0x12, 1, V_SHIFT_ACC, V_N, fix_scalar_narrow),
	SHIFT(1, 0x10, 1, V_SHIFT_ACC, V_N, fix_scalar_narrow),
	/* scvtf, ucvtf; fcvtzs, fcvtzu: fixed point */
	SHIFT(ANY, 0x1c, 0, V_FP_CVT, V_N, fix_scalar_convert),
	SHIFT(ANY, 0x1f, 0, V_FP_CVT, V_N, fix_scalar_convert),
};

/* M [20] is the register's highest bit unless the element is a half, whose index needs it. Of
 * the sources N is the first, M the second. */
static void low_register(uint32_t word, struct pms_insn *out)
{
	out->src[1] = a64_v(a64_bits(word, 19, 16));
}

static void fix_int_element(uint32_t word, struct pms_insn *out)
{
	if (a64_bits(word, 23, 22) == 1)
		low_register(word, out);
}

/* Size 0 halves, 2 singles, 3 doubles; a double's index has no L [21]. */
static void fix_fp_element(uint32_t word, struct pms_insn *out)
{
	uint32_t size = a64_bits(word, 23, 22);
	if (size == 0)
		low_register(word, out);
	if (size == 3 && a64_bit(word, 21))
		a64_undef(out);
}

static void fix_bfmlal(uint32_t word, struct pms_insn *out)
{
	low_register(word, out);
	out->fp_ops = 8; /* four singles; Q tells even from odd halves */
}

/* Complex numbers: pairs of halves (index H:L, in 64 bits L alone) or of singles (H; needs Q). */
static void fix_fcmla(uint32_t word, struct pms_insn *out)
{
	bool single = a64_bits(word, 23, 22) == 2;
	if (single ? a64_bit(word, 21) || !q(word) : a64_bit(word, 11) && !q(word))
		a64_undef(out);
}

/* opcode [15:12] */
#define ELEMENT(u, opcode, free, op, ok, flops, regs, fix)                                         \
	{                                                                                          \
		A64_FIELDS(u, ANY, opcode, free, 12, 4), PMS_OP_##op, ok, flops, regs, fix         \
	}

enum {
	OK_FP = OK_B | OK_S | OK_2D, /* halves have size 0 */
	OK_SFP = OK_SB | OK_SS | OK_SD,
	OK_D = 0xc0
};

static const struct a64_row element_rows[] = {
	/* fmla, fmls; fmul, fmulx */
	ELEMENT(0, 0x1, 4, V_FP_MAC, OK_FP, 2, V_DNM, fix_fp_element),
	ELEMENT(ANY, 0x9, 0, V_FP_MUL, OK_FP, 1, V_NM, fix_fp_element),
	/* mla, mls; mul; sqdmulh; sqrdmulh; sqrdmlah; sqrdmlsh */
	ELEMENT(1, 0x0, 4, V_MAC, OK_HS, 0, V_DNM, fix_int_element),
	ELEMENT(0, 0x8, 0, V_MUL, OK_HS, 0, V_NM, fix_int_element),
	ELEMENT(0, 0xc, 1, V_MUL, OK_HS, 0, V_NM, fix_int_element),
	ELEMENT(1, 0xd, 0, V_MAC, OK_HS, 0, V_DNM, fix_int_element),
	ELEMENT(1, 0xf, 0, V_MAC, OK_HS, 0, V_DNM, fix_int_element),
	/* smlal, smlsl, umlal, umlsl; sqdmlal, sqdmlsl; smull, umull; sqdmull */
	ELEMENT(ANY, 0x2, 4, V_MAC, OK_HS, 0, V_DNM, fix_int_element),
	ELEMENT(0, 0x3, 4, V_MAC, OK_HS, 0, V_DNM, fix_int_element),
	ELEMENT(ANY, 0xa, 0, V_MUL, OK_HS, 0, V_NM, fix_int_element),
	ELEMENT(0, 0xb, 0, V_MUL, OK_HS, 0, V_NM, fix_int_element),
	/* sdot, udot; sudot, usdot; bfdot; bfmlalb, bfmlalt */
	ELEMENT(ANY, 0xe, 0, V_MAC, OK_S, 0, V_DNM, NULL),
	ELEMENT(0, 0xf, 0, V_MAC, OK_B | OK_S, 0, V_DNM, NULL),
	ELEMENT(0, 0xf, 0, V_FP_MAC, OK_H, 2, V_DNM, NULL),
	ELEMENT(0, 0xf, 0, V_FP_MAC, OK_D, 0, V_DNM, fix_bfmlal),
	/* fmlal, fmlsl; fmlal2, fmlsl2; fcmla */
	ELEMENT(0, 0x0, 4, V_FP_MAC, OK_S, 2, V_DNM, low_register),
	ELEMENT(1, 0x8, 4, V_FP_MAC, OK_S, 2, V_DNM, low_register),
	ELEMENT(1, 0x1, 6, V_FP_MAC, OK_HS, 2, V_DNM, fix_fcmla),
};

static const struct a64_row scalar_element_rows[] = {
	/* fmla, fmls; fmul, fmulx */
	ELEMENT(0, 0x1, 4, V_FP_MAC, OK_SFP, 2, V_DNM, fix_fp_element),
	ELEMENT(ANY, 0x9, 0, V_FP_MUL, OK_SFP, 1, V_NM, fix_fp_element),
	/* sqdmlal, sqdmlsl; sqdmull; sqdmulh, sqrdmulh; sqrdmlah; sqrdmlsh */
	ELEMENT(0, 0x3, 4, V_MAC, OK_SHS, 0, V_DNM, fix_int_element),
	ELEMENT(0, 0xb, 0, V_MUL, OK_SHS, 0, V_NM, fix_int_element),
	ELEMENT(0, 0xc, 1, V_MUL, OK_SHS, 0, V_NM, fix_int_element),
	ELEMENT(1, 0xd, 0, V_MAC, OK_SHS, 0, V_DNM, fix_int_element),
	ELEMENT(1, 0xf, 0, V_MAC, OK_SHS, 0, V_DNM, fix_int_element),
};

const struct a64_class a64_table_lookup =
	A64_CLASS(0xbfe08c00, 0x0e000000, table_rows, A64_LANES_ONE);
const struct a64_class a64_permute = A64_CLASS(0xbf208c00, 0x0e000800, permute_rows, A64_LANES_ONE);
const struct a64_class a64_ext = A64_CLASS(0xbfe08400, 0x2e000000, ext_rows, A64_LANES_ONE);
const struct a64_class a64_copy = A64_CLASS(0x9fe08400, 0x0e000400, copy_rows, A64_LANES_ONE);
const struct a64_class a64_scalar_copy =
	A64_CLASS(0xffe0fc00, 0x5e000400, scalar_copy_rows, A64_LANES_ONE);
const struct a64_class a64_mod_imm = A64_CLASS(0x9ff80400, 0x0f000400, mod_imm_rows, A64_LANES_ONE);
const struct a64_class a64_shift_imm = A64_CLASS(0x9f800400, 0x0f000400, shift_rows, A64_LANES_ONE);
const struct a64_class a64_scalar_shift_imm =
	A64_CLASS(0xdf800400, 0x5f000400, scalar_shift_rows, A64_LANES_ONE);
const struct a64_class a64_by_element =
	A64_CLASS(0x9f000400, 0x0f000000, element_rows, A64_LANES_SIZE);
const struct a64_class a64_scalar_by_element =
	A64_CLASS(0xdf000400, 0x5f000000, scalar_element_rows, A64_LANES_ONE);

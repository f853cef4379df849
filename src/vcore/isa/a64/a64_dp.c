/* SPDX-License-Identifier: MIT */
/* vcore/isa/a64/a64_dp.c - data processing, immediate and register.
 * Source: Arm ARM (DDI 0487), C4.1 "Data Processing -- Immediate" and "-- Register". */
#include "vcore/isa/a64/a64_table.h"

/* A logical immediate is a run of ones in an element of 2 to 64 bits: the element's size is the
 * highest set bit of N:NOT(imms); an element of 1 bit or of all ones is not allocated. */
static void fix_logical_imm(uint32_t word, struct pms_insn *out)
{
	uint32_t n = a64_bits(word, 22, 22), imms = a64_bits(word, 15, 10);
	uint32_t size = n << 6 | (~imms & 0x3f);
	unsigned length = 0;
	while (size >> (length + 1))
		length++;
	uint32_t levels = (1u << length) - 1;
	if (length < 1 || (imms & levels) == levels || (n && !a64_bit(word, 31)))
		a64_undef(out);
}

static void fix_move_wide(uint32_t word, struct pms_insn *out)
{
	if (!a64_bit(word, 31) && a64_bit(word, 22)) /* a shift of 32 or 48 */
		a64_undef(out);
}

/* movn, movz. */
static void fix_move_new(uint32_t word, struct pms_insn *out)
{
	bool zero = a64_bit(word, 30) && !a64_bits(word, 22, 5);
	out->op = zero ? PMS_OP_ZERO : PMS_OP_ALU;
	fix_move_wide(word, out);
}

static void fix_bitfield(uint32_t word, struct pms_insn *out)
{
	bool wide = a64_bit(word, 31);
	if (wide != a64_bit(word, 22) || (!wide && (a64_bit(word, 21) || a64_bit(word, 15))))
		a64_undef(out);
}

/* extr with one source twice is ror: as cheap as a shift. */
static void fix_extr(uint32_t word, struct pms_insn *out)
{
	bool wide = a64_bit(word, 31);
	if (wide != a64_bit(word, 22) || (!wide && a64_bit(word, 15)))
		a64_undef(out);
	else if (a64_bits(word, 9, 5) == a64_bits(word, 20, 16))
		out->op = PMS_OP_SHIFT;
}

static const struct a64_row imm_rows[] = {
	/* adr, adrp */
	{ 0x1f000000, 0x10000000, PMS_OP_ALU, 0, 0, WX_D, NULL },
	/* add, sub; adds, subs */
	{ 0x3f800000, 0x11000000, PMS_OP_ALU, 0, 0, WSP_D | RSP_N, NULL },
	{ 0x3f800000, 0x31000000, PMS_OP_ALU, 0, 0, WX_D | RSP_N | W_F | CMP_FUSES, NULL },
	/* addg, subg */
	{ 0xbfc0c000, 0x91800000, PMS_OP_ALU, 0, 0, WSP_D | RSP_N, NULL },
	/* ands; and, orr, eor */
	{ 0x7f800000, 0x72000000, PMS_OP_ALU, 0, 0, X_N | W_F | CMP_FUSES, fix_logical_imm },
	{ 0x1f800000, 0x12000000, PMS_OP_ALU, 0, 0, WSP_D | RX_N, fix_logical_imm },
	/* movk; movn, movz */
	{ 0x7f800000, 0x72800000, PMS_OP_ALU, 0, 0, WX_D | RX_D, fix_move_wide },
	{ 0x3f800000, 0x12800000, PMS_OP_ALU, 0, 0, WX_D, fix_move_new },
	/* bfm; sbfm, ubfm */
	{ 0x7f800000, 0x33000000, PMS_OP_BITFIELD, 0, 0, X_N | RX_D, fix_bitfield },
	{ 0x3f800000, 0x13000000, PMS_OP_SHIFT, 0, 0, X_N, fix_bitfield },
	{ 0x7fa00000, 0x13800000, PMS_OP_BITFIELD, 0, 0, X_NM, fix_extr },
};

static const struct a64_class imm_class = A64_CLASS(0, 0, imm_rows, A64_LANES_ONE);
static const struct a64_class *const imm_classes[] = { &imm_class };
const struct a64_group a64_dp_imm = A64_GROUP(imm_classes);

/* The amount of a 32-bit shift has five bits. */
static bool bad_shift(uint32_t word)
{
	return !a64_bit(word, 31) && a64_bit(word, 15);
}

static void fix_logical(uint32_t word, struct pms_insn *out)
{
	if (bad_shift(word))
		a64_undef(out);
	else if (a64_bits(word, 15, 10))
		out->op = PMS_OP_LOGIC_SHIFT;
}

/* orr with the zero register and no shift is mov. */
static void fix_orr(uint32_t word, struct pms_insn *out)
{
	fix_logical(word, out);
	bool moves =
		a64_bits(word, 9, 5) == 31 && !a64_bits(word, 23, 22) && !a64_bits(word, 15, 10);
	if (out->op != PMS_OP_UNDEF && moves)
		out->op = a64_bits(word, 20, 16) == 31 ? PMS_OP_ZERO : PMS_OP_MOVE;
}

/* Of those that set the flags only the unshifted ones fuse. */
static void fix_logical_flags(uint32_t word, struct pms_insn *out)
{
	fix_logical(word, out);
	if (out->op != PMS_OP_UNDEF && a64_bits(word, 15, 10)) {
		out->op = PMS_OP_ALU_SHIFT;
		out->fuse = PMS_FUSE_NONE;
	}
}

static void fix_add_shifted(uint32_t word, struct pms_insn *out)
{
	uint32_t type = a64_bits(word, 23, 22), amount = a64_bits(word, 15, 10);
	if (type == 3 || bad_shift(word)) {
		a64_undef(out);
		return;
	}
	if (amount)
		out->fuse = PMS_FUSE_NONE;
	if (amount)
		out->op = type == 0 && amount <= 4 ? PMS_OP_ALU_LSL : PMS_OP_ALU_SHIFT;
}

static void fix_add_extended(uint32_t word, struct pms_insn *out)
{
	if (a64_bits(word, 12, 10) > 4)
		a64_undef(out);
}

/* crc32b, h, w have sf clear, crc32x has it set. */
static void fix_crc(uint32_t word, struct pms_insn *out)
{
	if (a64_bit(word, 31) != (a64_bits(word, 11, 10) == 3))
		a64_undef(out);
}

static void fix_udiv(uint32_t word, struct pms_insn *out)
{
	out->op = a64_bit(word, 31) ? PMS_OP_DIV64 : PMS_OP_DIV32;
}

/* madd with the zero register is mul. */
static void fix_madd(uint32_t word, struct pms_insn *out)
{
	bool accumulates = a64_bits(word, 14, 10) != 31;
	if (a64_bit(word, 31))
		out->op = accumulates ? PMS_OP_MAC64 : PMS_OP_MUL64;
	else
		out->op = accumulates ? PMS_OP_MAC32 : PMS_OP_MUL32;
}

static const struct a64_row reg_rows[] = {
	/* ands, bics; orr; and, bic, orn, eor, eon */
	{ 0x7f000000, 0x6a000000, PMS_OP_ALU, 0, 0, X_NM | W_F | CMP_FUSES, fix_logical_flags },
	{ 0x7f200000, 0x2a000000, PMS_OP_ALU, 0, 0, X_NM, fix_orr },
	{ 0x1f000000, 0x0a000000, PMS_OP_ALU, 0, 0, X_NM, fix_logical },
	/* add, sub, adds, subs: shifted, extended */
	{ 0x3f200000, 0x0b000000, PMS_OP_ALU, 0, 0, X_NM, fix_add_shifted },
	{ 0x3f200000, 0x2b000000, PMS_OP_ALU, 0, 0, X_NM | W_F | CMP_FUSES, fix_add_shifted },
	{ 0x3fe00000, 0x0b200000, PMS_OP_ALU_SHIFT, 0, 0, WSP_D | RSP_N | RX_M, fix_add_extended },
	{ 0x3fe00000, 0x2b200000, PMS_OP_ALU_SHIFT, 0, 0, WX_D | RSP_N | RX_M | W_F,
	  fix_add_extended },
	/* csel, csinc, csinv, csneg */
	{ 0x3fe00800, 0x1a800000, PMS_OP_ALU, 0, 0, X_NM | R_F, NULL },
	/* ccmp, ccmn: register, immediate */
	{ 0x3fe00c10, 0x3a400000, PMS_OP_ALU, 0, 0, RX_N | RX_M | R_F | W_F, NULL },
	{ 0x3fe00c10, 0x3a400800, PMS_OP_ALU, 0, 0, RX_N | R_F | W_F, NULL },
	/* madd, msub; smaddl, smsubl, umaddl, umsubl; smulh, umulh */
	{ 0x7fe00000, 0x1b000000, PMS_OP_MAC32, 0, 0, X_NM | RX_A, fix_madd },
	{ 0xff600000, 0x9b200000, PMS_OP_MAC64, 0, 0, X_NM | RX_A, fix_madd },
	{ 0xff608000, 0x9b400000, PMS_OP_MULH, 0, 0, X_NM, NULL },
	/* lslv, lsrv, asrv, rorv; udiv, sdiv */
	{ 0x7fe0f000, 0x1ac02000, PMS_OP_SHIFT, 0, 0, X_NM, NULL },
	{ 0x7fe0f800, 0x1ac00800, PMS_OP_DIV32, 0, 0, X_NM, fix_udiv },
	/* clz, cls; rbit, rev16; rev; 64-bit rbit, rev16, rev32, rev */
	{ 0x7ffff800, 0x5ac01000, PMS_OP_SHIFT, 0, 0, X_N, NULL },
	{ 0xfffff800, 0x5ac00000, PMS_OP_SHIFT, 0, 0, X_N, NULL },
	{ 0xfffffc00, 0x5ac00800, PMS_OP_SHIFT, 0, 0, X_N, NULL },
	{ 0xfffff000, 0xdac00000, PMS_OP_SHIFT, 0, 0, X_N, NULL },
	/* adc, sbc, adcs, sbcs */
	{ 0x3fe0fc00, 0x1a000000, PMS_OP_ALU, 0, 0, X_NM | R_F, NULL },
	{ 0x3fe0fc00, 0x3a000000, PMS_OP_ALU, 0, 0, X_NM | R_F | W_F, NULL },
	/* crc32, crc32c */
	{ 0x7fe0e000, 0x1ac04000, PMS_OP_CRC, 0, 0, X_NM, fix_crc },
	/* pacia .. autdb; paciza .. autdzb; xpaci, xpacd; pacga */
	{ 0xffffe000, 0xdac10000, PMS_OP_PAUTH, 0, 0, WX_D | RX_D | RSP_N, NULL },
	{ 0xffffe3e0, 0xdac123e0, PMS_OP_PAUTH, 0, 0, WX_D | RX_D, NULL },
	{ 0xfffffbe0, 0xdac143e0, PMS_OP_PAUTH, 0, 0, WX_D | RX_D, NULL },
	{ 0xffe0fc00, 0x9ac03000, PMS_OP_PAUTH, 0, 0, WX_D | RX_N | RSP_M, NULL },
	/* rmif, setf8 and setf16: those keep the flags they do not set */
	{ 0xffe07c10, 0xba000400, PMS_OP_ALU, 0, 0, RX_N | R_F | W_F, NULL },
	{ 0xffffbc1f, 0x3a00080d, PMS_OP_ALU, 0, 0, RX_N | R_F | W_F, NULL },
	/* subp, subps, irg, gmi */
	{ 0xffe0fc00, 0x9ac00000, PMS_OP_ALU, 0, 0, WX_D | RSP_N | RSP_M, NULL },
	{ 0xffe0fc00, 0xbac00000, PMS_OP_ALU, 0, 0, WX_D | RSP_N | RSP_M | W_F, NULL },
	{ 0xffe0fc00, 0x9ac01000, PMS_OP_ALU, 0, 0, WSP_D | RSP_N | RX_M, NULL },
	{ 0xffe0fc00, 0x9ac01400, PMS_OP_ALU, 0, 0, WX_D | RSP_N | RX_M, NULL },
};

static const struct a64_class reg_class = A64_CLASS(0, 0, reg_rows, A64_LANES_ONE);
static const struct a64_class *const reg_classes[] = { &reg_class };
const struct a64_group a64_dp_reg = A64_GROUP(reg_classes);

/* SPDX-License-Identifier: MIT */
/* vcore/isa/a64/a64_sve.c - SVE data processing, coarsely: by encoding group, not by instruction,
 * so that some unallocated words of a group pass for allocated; SVE2 as far as the groups carry it.
 * Source: Arm ARM (DDI 0487), C4.1 "SVE encodings". Registers: the usual fields; destructive
 * forms have Zdn in D and their second operand in N. */
#include "vcore/isa/a64/a64_table.h"

/* Usual sets: merging or destructive under a predicate; compares that write a predicate. */
enum { Z_DNG = V_DN | RG_3, Z_DNMG = V_DNM | RG_3, P_COMPARE = WP_D | W_F | RG_3 };

#define SVE(mask, match, op, flops, regs, fix)                                                     \
	{                                                                                          \
		mask, match, PMS_OP_SVE_##op, 0, flops, regs, fix                                  \
	}

/* Binary under a predicate, [20:19] 10: multiplies, then [18] divides. */
static void fix_mul_div(uint32_t word, struct pms_insn *out)
{
	if (a64_bit(word, 18))
		out->op = PMS_OP_SVE_DIV;
}

/* movprfx /m and /z: [16] merges. */
static void fix_movprfx(uint32_t word, struct pms_insn *out)
{
	if (a64_bit(word, 16))
		a64_src(out, a64_v(a64_bits(word, 4, 0)));
}

/* 04: integer. */
static const struct a64_row integer_rows[] = {
	/* [21] clear: mul and div; other binary ones; movprfx; reductions */
	SVE(0xff38e000, 0x04100000, MUL, 0, Z_DNG, fix_mul_div),
	SVE(0xff20e000, 0x04000000, ALU, 0, Z_DNG, NULL),
	SVE(0xff3ee000, 0x04102000, ALU, 0, V_N | RG_3, fix_movprfx),
	SVE(0xff20e000, 0x04002000, ALU, 0, V_N | RG_3, NULL),
	/* mla, mls, mad, msb; shift by immediate; by vector, by wide elements; unary */
	SVE(0xff204000, 0x04004000, MUL, 0, Z_DNMG, NULL),
	SVE(0xff30e000, 0x04008000, ALU, 0, WV_D | RV_D | RG_3, NULL),
	SVE(0xff30e000, 0x04108000, ALU, 0, Z_DNG, NULL),
	SVE(0xff30e000, 0x0410a000, ALU, 0, Z_DNG, NULL),
	/* [21] set: add, sub; logical; xar; eor3, bcax, bsl: N is the third operand */
	SVE(0xff20e000, 0x04200000, ALU, 0, V_NM, NULL),
	SVE(0xff20fc00, 0x04203000, ALU, 0, V_NM, NULL),
	SVE(0xff20fc00, 0x04203400, ALU, 0, V_DN, NULL),
	SVE(0xff20f800, 0x04203800, ALU, 0, V_DNM, NULL),
	/* index: immediates, register first, register last, registers */
	SVE(0xff20fc00, 0x04204000, ALU, 0, WV_D, NULL),
	SVE(0xff20fc00, 0x04204400, ALU, 0, WV_D | RX_N, NULL),
	SVE(0xff20fc00, 0x04204800, ALU, 0, WV_D | RX_M, NULL),
	SVE(0xff20fc00, 0x04204c00, ALU, 0, WV_D | RX_N | RX_M, NULL),
	/* addvl, addpl; rdvl */
	SVE(0xffa0f800, 0x04205000, PRED, 0, WSP_D | RSP_M, NULL),
	SVE(0xfffff800, 0x04bf5000, PRED, 0, WX_D, NULL),
	/* multiplies; shift by wide elements, by immediate; adr */
	SVE(0xff20e000, 0x04206000, MUL, 0, V_NM, NULL),
	SVE(0xff20f000, 0x04208000, ALU, 0, V_NM, NULL),
	SVE(0xff20f000, 0x04209000, ALU, 0, V_N, NULL),
	SVE(0xff20f000, 0x0420a000, ALU, 0, V_NM, NULL),
	/* ftssel; fexpa; movprfx */
	SVE(0xff20fc00, 0x0420b000, FP, 0, V_NM, NULL),
	SVE(0xff3ffc00, 0x0420b800, FP, 0, V_N, NULL),
	SVE(0xfffffc00, 0x0420bc00, ALU, 0, V_N, NULL),
	/* inc, dec and saturating ones of vectors; cntb; the same of registers */
	SVE(0xff20e000, 0x0420c000, ALU, 0, WV_D | RV_D, NULL),
	SVE(0xff30f800, 0x0420e000, PRED, 0, WX_D, NULL),
	SVE(0xff20e000, 0x0420e000, PRED, 0, WX_D | RX_D, NULL),
};

/* cpy and fcpy of an immediate: the predicate is [19:16]; [14] merges. */
static void fix_copy_imm(uint32_t word, struct pms_insn *out)
{
	if (a64_bit(word, 14))
		a64_src(out, a64_v(a64_bits(word, 4, 0)));
	out->spec |= a64_spec(PMS_SPEC_SVE_PRED_SPEC);
}

/* Two consecutive registers from N on. */
static void fix_two_n(uint32_t word, struct pms_insn *out)
{
	a64_src(out, a64_v(a64_bits(word, 9, 5) + 1));
}

/* 05: bit masks, permutes, selects. */
static const struct a64_row permute_rows[] = {
	/* dupm; logical with an immediate; cpy, fcpy */
	SVE(0xfffc0000, 0x05c00000, ALU, 0, WV_D, NULL),
	SVE(0xff3c0000, 0x05000000, ALU, 0, WV_D | RV_D, NULL),
	SVE(0xff300000, 0x05100000, ALU, 0, WV_D | RP_M, fix_copy_imm),
	/* ext; of two registers; zip, uzp, trn of quadwords */
	SVE(0xffe0e000, 0x05200000, ALU, 0, V_DN, NULL),
	SVE(0xffe0e000, 0x05600000, ALU, 0, V_N, fix_two_n),
	SVE(0xffe0e000, 0x05a00000, ALU, 0, V_NM, NULL),
	/* dup of an element; tbl of two, tbx, tbl */
	SVE(0xff20fc00, 0x05202000, ALU, 0, V_N, NULL),
	SVE(0xff20fc00, 0x05202800, ALU, 0, V_NM, fix_two_n),
	SVE(0xff20fc00, 0x05202c00, ALU, 0, V_DNM, NULL),
	SVE(0xff20fc00, 0x05203000, ALU, 0, V_NM, NULL),
	/* dup, insr from a register; insr from SIMD; rev, unpack */
	SVE(0xff3ffc00, 0x05203800, ALU, 0, WV_D | RSP_N, NULL),
	SVE(0xff3ffc00, 0x05243800, ALU, 0, WV_D | RV_D | RX_N, NULL),
	SVE(0xff3ffc00, 0x05343800, ALU, 0, V_DN, NULL),
	SVE(0xff20fc00, 0x05203800, ALU, 0, V_N, NULL),
	/* predicates: punpk, rev; zip, uzp, trn. Vectors: zip, uzp, trn */
	SVE(0xff30fe10, 0x05304000, PRED, 0, WP_D | RP_N, NULL),
	SVE(0xff30e210, 0x05204000, PRED, 0, WP_D | RP_N | RP_M, NULL),
	SVE(0xff20e000, 0x05206000, ALU, 0, V_NM, NULL),
	/* cpy from SIMD; compact; lasta, lastb to SIMD */
	SVE(0xff3fe000, 0x05208000, ALU, 0, Z_DNG, NULL),
	SVE(0xff3fe000, 0x05218000, ALU, 0, V_N | RG_3, NULL),
	SVE(0xff3ee000, 0x05228000, ALU, 0, V_N | RG_3, NULL),
	/* clasta, clastb, splice; splice of two registers; revb, revh, revw, rbit */
	SVE(0xff3fe000, 0x052d8000, ALU, 0, V_N | RG_3, fix_two_n),
	SVE(0xff30e000, 0x05208000, ALU, 0, Z_DNG, NULL),
	/* lasta, lastb, clasta, clastb to a register; cpy from one */
	SVE(0xff3ee000, 0x0520a000, ALU, 0, WX_D | RV_N | RG_3, NULL),
	SVE(0xff3ee000, 0x0530a000, ALU, 0, WX_D | RX_D | RV_N | RG_3, NULL),
	SVE(0xff3fe000, 0x0528a000, ALU, 0, WV_D | RV_D | RSP_N | RG_3, NULL),
	/* sel */
	SVE(0xff20c000, 0x0520c000, ALU, 0, V_NM | RG_4, NULL),
};

/* S [22]: also sets the flags. */
static void fix_flags(uint32_t word, struct pms_insn *out)
{
	if (a64_bit(word, 22))
		a64_dst(out, PMS_REG_NZCV);
}

/* brka, brkb: M [4] merges. */
static void fix_break(uint32_t word, struct pms_insn *out)
{
	fix_flags(word, out);
	if (a64_bit(word, 4))
		a64_src(out, a64_p(a64_bits(word, 3, 0)));
}

/* ptrues. */
static void fix_ptrue(uint32_t word, struct pms_insn *out)
{
	if (a64_bit(word, 16))
		a64_dst(out, PMS_REG_NZCV);
}

/* 24 and 25: compares, predicates, immediates. */
static const struct a64_row predicate_rows[] = {
	/* compares: with vectors, wide or not; with unsigned, signed immediates */
	SVE(0xff200000, 0x24000000, PRED, 0, P_COMPARE | RV_N | RV_M, NULL),
	SVE(0xff200000, 0x24200000, PRED, 0, P_COMPARE | RV_N, NULL),
	SVE(0xff204000, 0x25000000, PRED, 0, P_COMPARE | RV_N, NULL),
	/* and, bic, orr ..; brkpa, brkpb; brkn; brka, brkb */
	SVE(0xff30c000, 0x25004000, PRED, 0, WP_D | RG_4 | RP_N | RP_M, fix_flags),
	SVE(0xffb0c000, 0x2500c000, PRED, 0, WP_D | RG_4 | RP_N | RP_M, fix_flags),
	SVE(0xffbfc000, 0x25184000, PRED, 0, WP_D | RG_4 | RP_N | RP_D, fix_flags),
	SVE(0xff3fc000, 0x25104000, PRED, 0, WP_D | RG_4 | RP_N, fix_break),
	/* ptest; pfirst; pfalse; ptrue, ptrues; pnext; rdffr, under a predicate and not */
	SVE(0xffffc01f, 0x2550c000, PRED, 0, W_F | RG_4 | RP_N, NULL),
	SVE(0xfffffe10, 0x2558c000, PRED, 0, WP_D | RP_D | RP_N | W_F, NULL),
	SVE(0xfffffff0, 0x2518e400, PRED, 0, WP_D, NULL),
	SVE(0xff3efc10, 0x2518e000, PRED, 0, WP_D, fix_ptrue),
	SVE(0xff3ffe10, 0x2519c400, PRED, 0, WP_D | RP_D | RP_N | W_F, NULL),
	SVE(0xffbffe10, 0x2518f000, PRED, 0, WP_D | RP_N | R_FFR, fix_flags),
	SVE(0xfffffff0, 0x2519f000, PRED, 0, WP_D | R_FFR, NULL),
	/* while; whilerw, whilewr; ctermeq, ctermne: they keep Z and C */
	SVE(0xff20e000, 0x25200000, PRED, 0, WP_D | W_F | RX_N | RX_M, NULL),
	SVE(0xff20fc00, 0x25203000, PRED, 0, WP_D | W_F | RX_N | RX_M, NULL),
	SVE(0xffa0fc0f, 0x25a02000, PRED, 0, W_F | R_F | RX_N | RX_M, NULL),
	/* cntp; wrffr, setffr; inc, dec and saturating ones by a predicate: vectors, registers */
	SVE(0xff38c000, 0x25208000, PRED, 0, WX_D | RG_4 | RP_N, NULL),
	SVE(0xfffffe1f, 0x25289000, PRED, 0, RP_N | W_FFR, NULL),
	SVE(0xffffffff, 0x252c9000, PRED, 0, W_FFR, NULL),
	SVE(0xff38f800, 0x25288000, ALU, 0, WV_D | RV_D | RP_N, NULL),
	SVE(0xff38f800, 0x25288800, PRED, 0, WX_D | RX_D | RP_N, NULL),
	/* wide immediates: dup, fdup; mul; add, sub, max, min */
	SVE(0xff38c000, 0x2538c000, ALU, 0, WV_D, NULL),
	SVE(0xff38e000, 0x2530c000, MUL, 0, WV_D | RV_D, NULL),
	SVE(0xff20c000, 0x2520c000, ALU, 0, WV_D | RV_D, NULL),
};

/* Multiply by an element: of registers 0 to 7, of doublewords 0 to 15. */
static void fix_low_element(uint32_t word, struct pms_insn *out)
{
	out->src[1] = a64_v(a64_bits(word, 18, 16));
}

static void fix_element(uint32_t word, struct pms_insn *out)
{
	if (a64_bits(word, 23, 22) == 3)
		out->src[1] = a64_v(a64_bits(word, 19, 16));
	else
		fix_low_element(word, out);
}

/* "Top" ones [10] write every other element and keep the rest. */
static void fix_top(uint32_t word, struct pms_insn *out)
{
	if (a64_bit(word, 10))
		a64_src(out, a64_v(a64_bits(word, 4, 0)));
}

/* 44: multiply-add. */
static const struct a64_row multiply_rows[] = {
	/* [21] clear: dot products and the like; SVE2: binary and unary under a predicate */
	SVE(0xff208000, 0x44000000, MUL, 0, V_DNM, NULL),
	SVE(0xff20c000, 0x44008000, ALU, 0, Z_DNG, NULL),
	/* [21] set, by element: mul, smullb, sqdmullb, sqdmulh; those that accumulate */
	SVE(0xff20c000, 0x4420c000, MUL, 0, V_NM, fix_element),
	SVE(0xff200000, 0x44200000, MUL, 0, V_DNM, fix_element),
};

/* 45: SVE2's widening, narrowing and accumulating ones; matrix multiplies. */
static const struct a64_row widening_rows[] = {
	/* [21] clear: smullb ..; saddlb, saddwb .. */
	SVE(0xff20e000, 0x45006000, MUL, 0, V_NM, NULL),
	SVE(0xff208000, 0x45000000, ALU, 0, V_NM, NULL),
	/* smmla, ummla, usmmla; eorbt, eortb; saddlbt .. */
	SVE(0xff20fc00, 0x45009800, MUL, 0, V_DNM, NULL),
	SVE(0xff20f800, 0x45009000, ALU, 0, V_DNM, NULL),
	SVE(0xff20f000, 0x45008000, ALU, 0, V_NM, NULL),
	/* sshllb ..; bext, bdep, bgrp; cadd; sabalb, adclb ..; ssra, sri, sli ..; saba, uaba */
	SVE(0xffa0f000, 0x4500a000, ALU, 0, V_N, NULL),
	SVE(0xff20f000, 0x4500b000, ALU, 0, V_NM, NULL),
	SVE(0xff3ef800, 0x4500d800, ALU, 0, V_DN, NULL),
	SVE(0xff20e000, 0x4500c000, ALU, 0, V_DNM, NULL),
	SVE(0xff20f800, 0x4500f800, ALU, 0, V_DNM, NULL),
	SVE(0xff20e000, 0x4500e000, ALU, 0, V_DN, NULL),
	/* [21] set: narrowing by a shift, with saturation, of a sum or difference */
	SVE(0xffa0c000, 0x45200000, ALU, 0, V_N, fix_top),
	SVE(0xffa0e000, 0x45204000, ALU, 0, V_N, fix_top),
	SVE(0xff20e000, 0x45206000, ALU, 0, V_NM, fix_top),
	/* match, nmatch; histseg; histcnt */
	SVE(0xff20e000, 0x45208000, PRED, 0, P_COMPARE | RV_N | RV_M, NULL),
	SVE(0xff20fc00, 0x4520a000, ALU, 0, V_NM, NULL),
	SVE(0xff20e000, 0x4520c000, ALU, 0, V_NM | RG_3, NULL),
	/* aesmc, aesimc; aese, aesd, sm4e; sm4ekey, rax1 */
	SVE(0xfffffbe0, 0x4520e000, ALU, 0, WV_D | RV_D, NULL),
	SVE(0xfffef800, 0x4522e000, ALU, 0, V_DN, NULL),
	SVE(0xffe0f800, 0x4520f000, ALU, 0, V_NM, NULL),
};

/* fdiv, fdivr */
static void fix_fp_binary(uint32_t word, struct pms_insn *out)
{
	if (a64_bits(word, 20, 17) == 6)
		out->op = PMS_OP_SVE_DIV;
}

/* fsqrt; the other unary ones round, convert and are no arithmetic. */
static void fix_fp_unary(uint32_t word, struct pms_insn *out)
{
	if (a64_bits(word, 20, 16) == 0xd) {
		out->op = PMS_OP_SVE_DIV;
		out->fp_ops = (uint8_t)(16u >> a64_bits(word, 23, 22)); /* 128 bits of elements */
	}
}

static const struct a64_row fp_rows[] = {
	/* 64: fcmla, fcadd under a predicate; faddp and other pairwise; fcvtlt, fcvtnt */
	SVE(0xff208000, 0x64000000, FP, 2, Z_DNMG, NULL),
	SVE(0xff3ee000, 0x64008000, FP, 1, Z_DNG, NULL),
	SVE(0xff38e000, 0x64108000, FP, 1, Z_DNG, NULL),
	SVE(0xff3ce000, 0x6408a000, FP, 0, Z_DNG, NULL),
	/* by element: fmla, fmls; fcmla; fmul; bfdot, bfmlal, fmlal; not by element: those, fmmla
	 */
	SVE(0xff20f800, 0x64200000, FP, 2, V_DNM, fix_element),
	SVE(0xff20f000, 0x64201000, FP, 2, V_DNM, fix_element),
	SVE(0xff20fc00, 0x64202000, FP, 1, V_NM, fix_element),
	SVE(0xff20d000, 0x64204000, FP, 2, V_DNM, fix_low_element),
	SVE(0xff20c000, 0x64208000, FP, 2, V_DNM, NULL),
	SVE(0xff20fc00, 0x6420e400, FP, 4, V_DNM, NULL),
	/* 65, [21] set: fmla, fmls, fmad and their kin */
	SVE(0xff200000, 0x65200000, FP, 2, Z_DNMG, NULL),
	/* [21] clear: fadd, fsub, fmul, ftsmul; frecps, frsqrts */
	SVE(0xff20f000, 0x65000000, FP, 1, V_NM, NULL),
	SVE(0xff20f800, 0x65001800, FP, 2, V_NM, NULL),
	/* frecpe, frsqrte; compares with zero; fadda; faddv, fmaxv .. */
	SVE(0xff3efc00, 0x650e3000, FP, 1, V_N, NULL),
	SVE(0xff38e000, 0x65102000, FP, 1, WP_D | RV_N | RG_3, NULL),
	SVE(0xff3fe000, 0x65182000, FP, 1, Z_DNG, NULL),
	SVE(0xff38e000, 0x65002000, FP, 1, V_N | RG_3, NULL),
	/* binary under a predicate; ftmad; with an immediate; unary; compares */
	SVE(0xff30e000, 0x65008000, FP, 1, Z_DNG, fix_fp_binary),
	SVE(0xff38fc00, 0x65108000, FP, 2, V_DN, NULL),
	SVE(0xff38e3c0, 0x65188000, FP, 1, WV_D | RV_D | RG_3, NULL),
	SVE(0xff20e000, 0x6500a000, FP, 0, Z_DNG, fix_fp_unary),
	SVE(0xff204000, 0x65004000, FP, 1, WP_D | RV_N | RV_M | RG_3, NULL),
};

static const struct a64_class integer_class =
	A64_CLASS(0xff000000, 0x04000000, integer_rows, A64_LANES_ONE);
static const struct a64_class permute_class =
	A64_CLASS(0xff000000, 0x05000000, permute_rows, A64_LANES_ONE);
static const struct a64_class predicate_class =
	A64_CLASS(0xfe000000, 0x24000000, predicate_rows, A64_LANES_ONE);
static const struct a64_class multiply_class =
	A64_CLASS(0xff000000, 0x44000000, multiply_rows, A64_LANES_ONE);
static const struct a64_class widening_class =
	A64_CLASS(0xff000000, 0x45000000, widening_rows, A64_LANES_ONE);
static const struct a64_class fp_class = A64_CLASS(0xfe000000, 0x64000000, fp_rows, A64_LANES_SIZE);
static const struct a64_class *const sve_classes[] = {
	&integer_class,	 &permute_class, &predicate_class, &multiply_class,
	&widening_class, &fp_class,	 &a64_sve_stores,  &a64_sve_loads,
};
const struct a64_group a64_sve = A64_GROUP(sve_classes);

/* SPDX-License-Identifier: MIT */
/* Encodings were made by GNU as 2.40 from the text beside them; what they read, write and count is
 * written by hand from the Arm Architecture Reference Manual (DDI 0487) and, for events, from the
 * "Arm Neoverse V1 Core: Performance Analysis Methodology", appendix B1.12. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "vcore/isa/a64/a64.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* "x1 v2 nzcv" from register numbers. */
static void regs_text(const uint8_t *regs, unsigned count, char text[64])
{
	text[0] = 0;
	for (unsigned i = 0; i < count; i++) {
		size_t used = strlen(text);
		const char *gap = i ? " " : "";
		unsigned reg = regs[i];
		if (reg == PMS_REG_SP)
			snprintf(text + used, 64 - used, "%ssp", gap);
		else if (reg == PMS_REG_NZCV)
			snprintf(text + used, 64 - used, "%snzcv", gap);
		else if (reg == PMS_REG_FFR)
			snprintf(text + used, 64 - used, "%sffr", gap);
		else if (reg >= PMS_REG_P0)
			snprintf(text + used, 64 - used, "%sp%u", gap, reg - PMS_REG_P0);
		else if (reg >= PMS_REG_V0)
			snprintf(text + used, 64 - used, "%sv%u", gap, reg - PMS_REG_V0);
		else
			snprintf(text + used, 64 - used, "%sx%u", gap, reg);
	}
}

static void check_regs(const char *text, const struct pms_insn *got, const char *reads,
		       const char *writes)
{
	char have[64];
	regs_text(got->src, got->n_src, have);
	if (strcmp(have, reads))
		fail_msg("%s: reads \"%s\", want \"%s\"", text, have, reads);
	regs_text(got->dst, got->n_dst, have);
	if (strcmp(have, writes))
		fail_msg("%s: writes \"%s\", want \"%s\"", text, have, writes);
}

static void check_op(const char *text, const struct pms_insn *got, enum pms_op want)
{
	if (got->op != want)
		fail_msg("%s: class %s, want %s", text, pms_op_name(got->op), pms_op_name(want));
}

static const struct {
	uint32_t word;
	const char *text;
	enum pms_op op;
	const char *reads, *writes;
} plain[] = {
	{ 0x8b020020, "add x0, x1, x2", PMS_OP_ALU, "x1 x2", "x0" },
	{ 0x8b021020, "add x0, x1, x2, lsl #4", PMS_OP_ALU_LSL, "x1 x2", "x0" },
	{ 0x8b021420, "add x0, x1, x2, lsl #5", PMS_OP_ALU_SHIFT, "x1 x2", "x0" },
	{ 0x4b420420, "sub w0, w1, w2, lsr #1", PMS_OP_ALU_SHIFT, "x1 x2", "x0" },
	{ 0x8b224be0, "add x0, sp, w2, uxtw #2", PMS_OP_ALU_SHIFT, "sp x2", "x0" },
	{ 0xd10083ff, "sub sp, sp, #32", PMS_OP_ALU, "sp", "sp" },
	{ 0xaa0103e0, "mov x0, x1", PMS_OP_MOVE, "x1", "x0" },
	{ 0x2a0103e0, "mov w0, w1", PMS_OP_MOVE, "x1", "x0" },
	{ 0xaa1f03e0, "mov x0, xzr", PMS_OP_ZERO, "", "x0" },
	{ 0xd2800000, "mov x0, #0", PMS_OP_ZERO, "", "x0" },
	{ 0x52800000, "mov w0, #0", PMS_OP_ZERO, "", "x0" },
	{ 0xd2a00000, "movz x0, #0, lsl #16", PMS_OP_ALU, "", "x0" },
	{ 0x92800000, "mov x0, #-1", PMS_OP_ALU, "", "x0" },
	{ 0xaa0107e0, "orr x0, xzr, x1, lsl #1", PMS_OP_LOGIC_SHIFT, "x1", "x0" },
	{ 0xaa4103e0, "orr x0, xzr, x1, lsr #0", PMS_OP_ALU, "x1", "x0" },
	{ 0xaa1f0020, "orr x0, x1, xzr", PMS_OP_ALU, "x1", "x0" },
	{ 0xaa2103e0, "mvn x0, x1", PMS_OP_ALU, "x1", "x0" },
	{ 0x910003e0, "mov x0, sp", PMS_OP_ALU, "sp", "x0" },
	{ 0x52800223, "mov w3, #17", PMS_OP_ALU, "", "x3" },
	{ 0xf2a00023, "movk x3, #1, lsl #16", PMS_OP_ALU, "x3", "x3" },
	{ 0x90000005, "adrp x5, .", PMS_OP_ALU, "", "x5" },
	{ 0xeb02003f, "cmp x1, x2", PMS_OP_ALU, "x1 x2", "nzcv" },
	{ 0xeb1f0020, "subs x0, x1, xzr", PMS_OP_ALU, "x1", "x0 nzcv" },
	{ 0x72001c3f, "tst w1, #0xff", PMS_OP_ALU, "x1", "nzcv" },
	{ 0x927cec3f, "and sp, x1, #-16", PMS_OP_ALU, "x1", "sp" },
	{ 0xeac20c20, "ands x0, x1, x2, ror #3", PMS_OP_ALU_SHIFT, "x1 x2", "x0 nzcv" },
	{ 0xaac20c20, "orr x0, x1, x2, ror #3", PMS_OP_LOGIC_SHIFT, "x1 x2", "x0" },
	{ 0x9a020020, "adc x0, x1, x2", PMS_OP_ALU, "x1 x2 nzcv", "x0" },
	{ 0xba020020, "adcs x0, x1, x2", PMS_OP_ALU, "x1 x2 nzcv", "x0 nzcv" },
	{ 0x9a9f1020, "csel x0, x1, xzr, ne", PMS_OP_ALU, "x1 nzcv", "x0" },
	{ 0x1a9f17e0, "cset w0, eq", PMS_OP_ALU, "nzcv", "x0" },
	{ 0xfa42b020, "ccmp x1, x2, #0, lt", PMS_OP_ALU, "x1 x2 nzcv", "nzcv" },
	{ 0xba43b820, "ccmn x1, #3, #0, lt", PMS_OP_ALU, "x1 nzcv", "nzcv" },
	{ 0x9ac22020, "lsl x0, x1, x2", PMS_OP_SHIFT, "x1 x2", "x0" },
	{ 0x53037c20, "lsr w0, w1, #3", PMS_OP_SHIFT, "x1", "x0" },
	{ 0xb37d0c20, "bfi x0, x1, #3, #4", PMS_OP_BITFIELD, "x1 x0", "x0" },
	{ 0x93c21c20, "extr x0, x1, x2, #7", PMS_OP_BITFIELD, "x1 x2", "x0" },
	{ 0x93c11c20, "ror x0, x1, #7", PMS_OP_SHIFT, "x1 x1", "x0" },
	{ 0xdac00820, "rev32 x0, x1", PMS_OP_SHIFT, "x1", "x0" },
	{ 0x5ac01020, "clz w0, w1", PMS_OP_SHIFT, "x1", "x0" },
	{ 0x1b027c20, "mul w0, w1, w2", PMS_OP_MUL32, "x1 x2", "x0" },
	{ 0x9b027c20, "mul x0, x1, x2", PMS_OP_MUL64, "x1 x2", "x0" },
	{ 0x1b020c20, "madd w0, w1, w2, w3", PMS_OP_MAC32, "x1 x2 x3", "x0" },
	{ 0x9b028c20, "msub x0, x1, x2, x3", PMS_OP_MAC64, "x1 x2 x3", "x0" },
	{ 0x9ba20c20, "umaddl x0, w1, w2, x3", PMS_OP_MAC64, "x1 x2 x3", "x0" },
	{ 0x9b227c20, "smull x0, w1, w2", PMS_OP_MUL64, "x1 x2", "x0" },
	{ 0x9bc27c20, "umulh x0, x1, x2", PMS_OP_MULH, "x1 x2", "x0" },
	{ 0x1ac20820, "udiv w0, w1, w2", PMS_OP_DIV32, "x1 x2", "x0" },
	{ 0x9ac20c20, "sdiv x0, x1, x2", PMS_OP_DIV64, "x1 x2", "x0" },
	{ 0x9ac25c20, "crc32cx w0, w1, x2", PMS_OP_CRC, "x1 x2", "x0" },
	{ 0xdac103e0, "pacia x0, sp", PMS_OP_PAUTH, "sp x0", "x0" },
	{ 0xdac143e4, "xpaci x4", PMS_OP_PAUTH, "x4", "x4" },
	{ 0xd503233f, "paciasp", PMS_OP_PAUTH, "x30 sp", "x30" },
	{ 0xd503219f, "autia1716", PMS_OP_PAUTH, "x17 x16", "x17" },
	{ 0xd500401f, "cfinv", PMS_OP_ALU, "nzcv", "nzcv" },
	{ 0xba018424, "rmif x1, #3, #4", PMS_OP_ALU, "x1 nzcv", "nzcv" },
	{ 0x3a00082d, "setf8 w1", PMS_OP_ALU, "x1 nzcv", "nzcv" },
	{ 0xd53b4200, "mrs x0, nzcv", PMS_OP_SYS_READ, "nzcv", "x0" },
	{ 0xd51b4200, "msr nzcv, x0", PMS_OP_SYS_WRITE, "x0", "nzcv" },
	{ 0xd53bd040, "mrs x0, tpidr_el0", PMS_OP_SYS_READ, "", "x0" },
	{ 0xd51b4400, "msr fpcr, x0", PMS_OP_SYS_WRITE, "x0", "" },
	{ 0xd503201f, "nop", PMS_OP_NOP, "", "" },
	{ 0xd503245f, "bti c", PMS_OP_NOP, "", "" },
	{ 0xd5033f5f, "clrex", PMS_OP_NOP, "", "" },
	{ 0xd5033bbf, "dmb ish", PMS_OP_DMB, "", "" },
	{ 0xd5033f9f, "dsb sy", PMS_OP_DSB, "", "" },
	{ 0xd5033fdf, "isb", PMS_OP_ISB, "", "" },
	{ 0xd4000001, "svc #0", PMS_OP_SVC, "", "" },
	{ 0xd4200020, "brk #1", PMS_OP_TRAP, "", "" },
	{ 0xd50b7423, "dc zva, x3", PMS_OP_DC_ZVA, "x3", "" },
	{ 0xd5087803, "at s1e1r, x3", PMS_OP_SYS_WRITE, "x3", "" },
	{ 0xd50b7a23, "dc cvac, x3", PMS_OP_CACHE_OP, "x3", "" },
	{ 0xd50b7523, "ic ivau, x3", PMS_OP_CACHE_OP, "x3", "" },
	{ 0x54000000, "b.eq .", PMS_OP_BRANCH, "nzcv", "" },
	{ 0xb4000003, "cbz x3, .", PMS_OP_BRANCH, "x3", "" },
	{ 0x37280003, "tbnz w3, #5, .", PMS_OP_BRANCH, "x3", "" },
	{ 0x94000000, "bl .", PMS_OP_BRANCH, "", "x30" },
	{ 0xd63f0060, "blr x3", PMS_OP_BRANCH, "x3", "x30" },
	{ 0xd65f03c0, "ret", PMS_OP_BRANCH, "x30", "" },
	{ 0xd65f0bff, "retaa", PMS_OP_BRANCH_PAUTH, "x30 sp", "" },
	{ 0xd73f0864, "blraa x3, x4", PMS_OP_BRANCH_PAUTH, "x3 x4", "x30" },
	{ 0xd61f087f, "braaz x3", PMS_OP_BRANCH_PAUTH, "x3", "" },
	{ 0x1e604020, "fmov d0, d1", PMS_OP_FP_MOVE, "v1", "v0" },
	{ 0x1e20c020, "fabs s0, s1", PMS_OP_FP_MOVE, "v1", "v0" },
	{ 0x1e6e1000, "fmov d0, #1.0", PMS_OP_FP_MOVE, "", "v0" },
	{ 0x1e62cc20, "fcsel d0, d1, d2, gt", PMS_OP_FP_MOVE, "v1 v2 nzcv", "v0" },
	{ 0x1e622020, "fcmp d1, d2", PMS_OP_FP_CMP, "v1 v2", "nzcv" },
	{ 0x1e202038, "fcmpe s1, #0.0", PMS_OP_FP_CMP, "v1", "nzcv" },
	{ 0x1e621420, "fccmp d1, d2, #0, ne", PMS_OP_FP_CMP, "v1 v2 nzcv", "nzcv" },
	{ 0x1e622820, "fadd d0, d1, d2", PMS_OP_FP_ADD, "v1 v2", "v0" },
	{ 0x1e226820, "fmaxnm s0, s1, s2", PMS_OP_FP_ADD, "v1 v2", "v0" },
	{ 0x1e628820, "fnmul d0, d1, d2", PMS_OP_FP_MUL, "v1 v2", "v0" },
	{ 0x1f420c20, "fmadd d0, d1, d2, d3", PMS_OP_FP_MAC, "v1 v2 v3", "v0" },
	{ 0x1ee21820, "fdiv h0, h1, h2", PMS_OP_FP_DIV32, "v1 v2", "v0" },
	{ 0x1e621820, "fdiv d0, d1, d2", PMS_OP_FP_DIV64, "v1 v2", "v0" },
	{ 0x1e21c020, "fsqrt s0, s1", PMS_OP_FP_SQRT32, "v1", "v0" },
	{ 0x1e61c020, "fsqrt d0, d1", PMS_OP_FP_SQRT64, "v1", "v0" },
	{ 0x1e22c020, "fcvt d0, s1", PMS_OP_FP_CVT, "v1", "v0" },
	{ 0x1e65c020, "frintz d0, d1", PMS_OP_FP_CVT, "v1", "v0" },
	{ 0x9e620020, "scvtf d0, x1", PMS_OP_INT_TO_FP, "x1", "v0" },
	{ 0x1e2303e0, "ucvtf s0, wzr", PMS_OP_INT_TO_FP, "", "v0" },
	{ 0x1e42f420, "scvtf d0, w1, #3", PMS_OP_INT_TO_FP, "x1", "v0" },
	{ 0x1e780020, "fcvtzs w0, d1", PMS_OP_FP_TO_INT, "v1", "x0" },
	{ 0x9e240020, "fcvtas x0, s1", PMS_OP_FP_TO_INT, "v1", "x0" },
	{ 0x9e660020, "fmov x0, d1", PMS_OP_V_TO_X, "v1", "x0" },
	{ 0x9e670020, "fmov d0, x1", PMS_OP_X_TO_V, "x1", "v0" },
	{ 0x9eaf0020, "fmov v0.d[1], x1", PMS_OP_X_TO_V, "x1 v0", "v0" },
	{ 0x4e040c20, "dup v0.4s, w1", PMS_OP_X_TO_V, "x1", "v0" },
	{ 0x4e0c1c20, "mov v0.s[1], w1", PMS_OP_X_TO_V, "x1 v0", "v0" },
	{ 0x6e0c0420, "mov v0.s[1], v1.s[0]", PMS_OP_V_PERM, "v1 v0", "v0" },
	{ 0x0e073c20, "umov w0, v1.b[3]", PMS_OP_V_TO_X, "v1", "x0" },
	{ 0x4e140420, "dup v0.4s, v1.s[2]", PMS_OP_V_PERM, "v1", "v0" },
	{ 0x5e140420, "mov s0, v1.s[2]", PMS_OP_V_PERM, "v1", "v0" },
	{ 0x4ea28420, "add v0.4s, v1.4s, v2.4s", PMS_OP_V_ALU, "v1 v2", "v0" },
	{ 0x6e221c20, "eor v0.16b, v1.16b, v2.16b", PMS_OP_V_ALU, "v1 v2", "v0" },
	{ 0x6e621c20, "bsl v0.16b, v1.16b, v2.16b", PMS_OP_V_ALU, "v1 v2 v0", "v0" },
	{ 0x4e209820, "cmeq v0.16b, v1.16b, #0", PMS_OP_V_ALU, "v1", "v0" },
	{ 0x0e205820, "cnt v0.8b, v1.8b", PMS_OP_V_ALU, "v1", "v0" },
	{ 0x4f000420, "movi v0.4s, #1", PMS_OP_V_ALU, "", "v0" },
	{ 0x4f001420, "orr v0.4s, #1", PMS_OP_V_ALU, "v0", "v0" },
	{ 0x5ef1b820, "addp d0, v1.2d", PMS_OP_V_ALU, "v1", "v0" },
	{ 0x4e31b820, "addv b0, v1.16b", PMS_OP_V_REDUCE, "v1", "v0" },
	{ 0x4f435420, "shl v0.2d, v1.2d, #3", PMS_OP_V_SHIFT, "v1", "v0" },
	{ 0x6f435420, "sli v0.2d, v1.2d, #3", PMS_OP_V_SHIFT, "v1 v0", "v0" },
	{ 0x2f08a420, "ushll v0.8h, v1.8b, #0", PMS_OP_V_SHIFT, "v1", "v0" },
	{ 0x0f0c8420, "shrn v0.8b, v1.8h, #4", PMS_OP_V_SHIFT, "v1", "v0" },
	{ 0x4f0c8420, "shrn2 v0.16b, v1.8h, #4", PMS_OP_V_SHIFT, "v1 v0", "v0" },
	{ 0x4f7d1420, "ssra v0.2d, v1.2d, #3", PMS_OP_V_SHIFT_ACC, "v1 v0", "v0" },
	{ 0x4ee24c20, "sqshl v0.2d, v1.2d, v2.2d", PMS_OP_V_SHIFT_ACC, "v1 v2", "v0" },
	{ 0x2e225020, "uabal v0.8h, v1.8b, v2.8b", PMS_OP_V_SHIFT_ACC, "v1 v2 v0", "v0" },
	{ 0x4e023820, "zip1 v0.16b, v1.16b, v2.16b", PMS_OP_V_PERM, "v1 v2", "v0" },
	{ 0x6e021820, "ext v0.16b, v1.16b, v2.16b, #3", PMS_OP_V_PERM, "v1 v2", "v0" },
	{ 0x4e200820, "rev64 v0.16b, v1.16b", PMS_OP_V_PERM, "v1", "v0" },
	{ 0x0e212820, "xtn v0.8b, v1.8h", PMS_OP_V_PERM, "v1", "v0" },
	{ 0x4e212820, "xtn2 v0.16b, v1.8h", PMS_OP_V_PERM, "v1 v0", "v0" },
	{ 0x4e0763c0, "tbl v0.16b, {v30.16b, v31.16b, v0.16b, v1.16b}, v7.16b", PMS_OP_V_TBL,
	  "v30 v7 v31 v0 v1", "v0" },
	{ 0x4e0710a0, "tbx v0.16b, {v5.16b}, v7.16b", PMS_OP_V_TBL, "v5 v7 v0", "v0" },
	{ 0x4ea29c20, "mul v0.4s, v1.4s, v2.4s", PMS_OP_V_MUL, "v1 v2", "v0" },
	{ 0x6f4f0020, "mla v0.8h, v1.8h, v15.h[0]", PMS_OP_V_MAC, "v1 v15 v0", "v0" },
	{ 0x6fbf0020, "mla v0.4s, v1.4s, v31.s[1]", PMS_OP_V_MAC, "v1 v31 v0", "v0" },
	{ 0x4ee2e020, "pmull2 v0.1q, v1.2d, v2.2d", PMS_OP_V_MUL, "v1 v2", "v0" },
	{ 0x4e829420, "sdot v0.4s, v1.16b, v2.16b", PMS_OP_V_MAC, "v1 v2 v0", "v0" },
	{ 0x4e62d420, "fadd v0.2d, v1.2d, v2.2d", PMS_OP_V_FP_ADD, "v1 v2", "v0" },
	{ 0x6e22f420, "fmaxp v0.4s, v1.4s, v2.4s", PMS_OP_V_FP_ADD, "v1 v2", "v0" },
	{ 0x4fbf9820, "fmul v0.4s, v1.4s, v31.s[3]", PMS_OP_V_FP_MUL, "v1 v31", "v0" },
	{ 0x4e22cc20, "fmla v0.4s, v1.4s, v2.4s", PMS_OP_V_FP_MAC, "v1 v2 v0", "v0" },
	{ 0x4f3f1820, "fmla v0.8h, v1.8h, v15.h[7]", PMS_OP_V_FP_MAC, "v1 v15 v0", "v0" },
	{ 0x6e82cc20, "fcmla v0.4s, v1.4s, v2.4s, #90", PMS_OP_V_FP_MAC, "v1 v2 v0", "v0" },
	{ 0x6e22fc20, "fdiv v0.4s, v1.4s, v2.4s", PMS_OP_V_FP_DIV32, "v1 v2", "v0" },
	{ 0x6e62fc20, "fdiv v0.2d, v1.2d, v2.2d", PMS_OP_V_FP_DIV64, "v1 v2", "v0" },
	{ 0x6ef9f820, "fsqrt v0.8h, v1.8h", PMS_OP_V_FP_SQRT32, "v1", "v0" },
	{ 0x6ee1f820, "fsqrt v0.2d, v1.2d", PMS_OP_V_FP_SQRT64, "v1", "v0" },
	{ 0x4e616820, "fcvtn2 v0.4s, v1.2d", PMS_OP_V_FP_CVT, "v1 v0", "v0" },
	{ 0x5e61d820, "scvtf d0, d1", PMS_OP_V_FP_CVT, "v1", "v0" },
	{ 0x4ee1b820, "fcvtzs v0.2d, v1.2d", PMS_OP_V_FP_CVT, "v1", "v0" },
	{ 0x4ea1d820, "frecpe v0.4s, v1.4s", PMS_OP_V_FP_EST, "v1", "v0" },
	{ 0x4e22fc20, "frecps v0.4s, v1.4s, v2.4s", PMS_OP_V_FP_MAC, "v1 v2", "v0" },
	{ 0x4e284820, "aese v0.16b, v1.16b", PMS_OP_CRYPTO_AES, "v1 v0", "v0" },
	{ 0x4e286820, "aesmc v0.16b, v1.16b", PMS_OP_CRYPTO_AES, "v1", "v0" },
	{ 0x5e020020, "sha1c q0, s1, v2.4s", PMS_OP_CRYPTO_SHA, "v1 v2 v0", "v0" },
	{ 0x5e280820, "sha1h s0, s1", PMS_OP_CRYPTO_SHA, "v1", "v0" },
	{ 0x5e282820, "sha256su0 v0.4s, v1.4s", PMS_OP_CRYPTO_SHA, "v1 v0", "v0" },
	{ 0xce628020, "sha512h q0, q1, v2.2d", PMS_OP_CRYPTO_SHA, "v1 v2 v0", "v0" },
	{ 0xce020c20, "eor3 v0.16b, v1.16b, v2.16b, v3.16b", PMS_OP_CRYPTO_SHA, "v1 v2 v3", "v0" },
	{ 0xce628c20, "rax1 v0.2d, v1.2d, v2.2d", PMS_OP_CRYPTO_SHA, "v1 v2", "v0" },
	{ 0xcec08420, "sm4e v0.4s, v1.4s", PMS_OP_CRYPTO_SHA, "v1 v0", "v0" },
	{ 0x9ac213e0, "irg x0, sp, x2", PMS_OP_ALU, "sp x2", "x0" },
	{ 0xbadf0020, "subps x0, x1, sp", PMS_OP_ALU, "x1 sp", "x0 nzcv" },
	{ 0x04a20020, "add z0.s, z1.s, z2.s", PMS_OP_SVE_ALU, "v1 v2", "v0" },
	{ 0x04800c40, "add z0.s, p3/m, z0.s, z2.s", PMS_OP_SVE_ALU, "v2 v0 p3", "v0" },
	{ 0x04902c20, "movprfx z0.s, p3/z, z1.s", PMS_OP_SVE_ALU, "v1 p3", "v0" },
	{ 0x05a2e420, "sel z0.s, p9, z1.s, z2.s", PMS_OP_SVE_ALU, "v1 v2 p9", "v0" },
	{ 0x04a24c20, "index z0.s, w1, w2", PMS_OP_SVE_ALU, "x1 x2", "v0" },
	{ 0x05e43820, "insr z0.d, x1", PMS_OP_SVE_ALU, "x1 v0", "v0" },
	{ 0x04824c20, "mla z0.s, p3/m, z1.s, z2.s", PMS_OP_SVE_MUL, "v1 v2 v0 p3", "v0" },
	{ 0x04940c40, "sdiv z0.s, p3/m, z0.s, z2.s", PMS_OP_SVE_DIV, "v2 v0 p3", "v0" },
	{ 0x65e20c20, "fmla z0.d, p3/m, z1.d, z2.d", PMS_OP_SVE_FP, "v1 v2 v0 p3", "v0" },
	{ 0x64ff0020, "fmla z0.d, z1.d, z15.d[1]", PMS_OP_SVE_FP, "v1 v15 v0", "v0" },
	{ 0x64bf0020, "fmla z0.s, z1.s, z7.s[3]", PMS_OP_SVE_FP, "v1 v7 v0", "v0" },
	{ 0x65d82c20, "fadda d0, p3, d0, z1.d", PMS_OP_SVE_FP, "v1 v0 p3", "v0" },
	{ 0x65cdac20, "fsqrt z0.d, p3/m, z1.d", PMS_OP_SVE_DIV, "v1 v0 p3", "v0" },
	{ 0x65c24c31, "fcmgt p1.d, p3/z, z1.d, z2.d", PMS_OP_SVE_FP, "v1 v2 p3", "p1" },
	{ 0x2402ac21, "cmpeq p1.b, p3/z, z1.b, z2.b", PMS_OP_SVE_PRED, "v1 v2 p3", "nzcv p1" },
	{ 0x25a30c41, "whilelo p1.s, w2, w3", PMS_OP_SVE_PRED, "x2 x3", "nzcv p1" },
	{ 0x2550e440, "ptest p9, p2.b", PMS_OP_SVE_PRED, "p9 p2", "nzcv" },
	{ 0x2598e3e1, "ptrue p1.s", PMS_OP_SVE_PRED, "", "p1" },
	{ 0x25036441, "and p1.b, p9/z, p2.b, p3.b", PMS_OP_SVE_PRED, "p9 p2 p3", "p1" },
	{ 0x25506441, "brkas p1.b, p9/z, p2.b", PMS_OP_SVE_PRED, "p9 p2", "p1 nzcv" },
	{ 0x2520a440, "cntp x0, p9, p2.b", PMS_OP_SVE_PRED, "p9 p2", "x0" },
	{ 0x0430e3e0, "incb x0", PMS_OP_SVE_PRED, "x0", "x0" },
	{ 0x0421505f, "addvl sp, x1, #2", PMS_OP_SVE_PRED, "x1", "sp" },
	{ 0x2518f041, "rdffr p1.b, p2/z", PMS_OP_SVE_PRED, "p2 ffr", "p1" },
	{ 0x252c9000, "setffr", PMS_OP_SVE_PRED, "", "ffr" },
	{ 0x05a0ac20, "lasta w0, p3, z1.s", PMS_OP_SVE_ALU, "v1 p3", "x0" },
};

static void a64_classes_and_registers(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(plain); i++) {
		struct pms_insn got;
		pms_a64_classify(plain[i].word, &got);
		check_op(plain[i].text, &got, plain[i].op);
		check_regs(plain[i].text, &got, plain[i].reads, plain[i].writes);
	}
}

enum {
	MEM_LD = PMS_MEM_LOAD,
	MEM_ST = PMS_MEM_STORE,
	MEM_ACQ = PMS_MEM_ACQUIRE,
	MEM_REL = PMS_MEM_RELEASE,
	MEM_EX = PMS_MEM_EXCLUSIVE,
	MEM_HID = PMS_MEM_HIDDEN,
	MEM_PAIR = PMS_MEM_PAIR,
	NONE = PMS_REG_NONE
};

static const struct {
	uint32_t word;
	const char *text;
	enum pms_op op;
	unsigned mem, bytes, n_addr;
	const char *reads, *writes;
	unsigned writeback;
} memory[] = {
	{ 0xf9400420, "ldr x0, [x1, #8]", PMS_OP_LOAD, MEM_LD, 8, 1, "x1", "x0", NONE },
	{ 0x39c003e0, "ldrsb w0, [sp]", PMS_OP_LOAD, MEM_LD, 1, 1, "sp", "x0", NONE },
	{ 0xb8404420, "ldr w0, [x1], #4", PMS_OP_LOAD, MEM_LD, 4, 1, "x1", "x0", 1 },
	{ 0x3cc10c20, "ldr q0, [x1, #16]!", PMS_OP_LOAD_V, MEM_LD, 16, 1, "x1", "v0", 1 },
	{ 0x7c5ff020, "ldur h0, [x1, #-1]", PMS_OP_LOAD_V, MEM_LD, 2, 1, "x1", "v0", NONE },
	{ 0xf8625820, "ldr x0, [x1, w2, uxtw #3]", PMS_OP_LOAD, MEM_LD, 8, 2, "x1 x2", "x0", NONE },
	{ 0xb8800820, "ldtrsw x0, [x1]", PMS_OP_LOAD, MEM_LD, 4, 1, "x1", "x0", NONE },
	{ 0xf900003f, "str xzr, [x1]", PMS_OP_STORE, MEM_ST, 8, 1, "x1", "", NONE },
	{ 0x38226820, "strb w0, [x1, x2]", PMS_OP_STORE, MEM_ST, 1, 2, "x1 x2 x0", "", NONE },
	{ 0x3c9f0fe7, "str q7, [sp, #-16]!", PMS_OP_STORE_V, MEM_ST, 16, 1, "sp v7", "", 31 },
	{ 0xa8c10440, "ldp x0, x1, [x2], #16", PMS_OP_LOAD, MEM_LD + MEM_PAIR, 16, 1, "x2", "x0 x1",
	  2 },
	{ 0x69400440, "ldpsw x0, x1, [x2]", PMS_OP_LOAD, MEM_LD + MEM_PAIR, 8, 1, "x2", "x0 x1",
	  NONE },
	{ 0xa9be7bfd, "stp x29, x30, [sp, #-32]!", PMS_OP_STORE, MEM_ST + MEM_PAIR, 16, 1,
	  "sp x29 x30", "", 31 },
	{ 0xad400440, "ldp q0, q1, [x2]", PMS_OP_LOAD_VP, MEM_LD + MEM_PAIR, 32, 1, "x2", "v0 v1",
	  NONE },
	{ 0x6d400440, "ldp d0, d1, [x2]", PMS_OP_LOAD_V, MEM_LD + MEM_PAIR, 16, 1, "x2", "v0 v1",
	  NONE },
	{ 0xac000440, "stnp q0, q1, [x2]", PMS_OP_STORE_V, MEM_ST + MEM_PAIR, 32, 1, "x2 v0 v1", "",
	  NONE },
	{ 0x885f7c20, "ldxr w0, [x1]", PMS_OP_LOAD_EX, MEM_LD + MEM_EX, 4, 1, "x1", "x0", NONE },
	{ 0xc87f8440, "ldaxp x0, x1, [x2]", PMS_OP_LOAD_EX, MEM_LD + MEM_EX + MEM_ACQ + MEM_PAIR,
	  16, 1, "x2", "x0 x1", NONE },
	{ 0x0803fc20, "stlxrb w3, w0, [x1]", PMS_OP_STORE_EX, MEM_ST + MEM_EX + MEM_REL, 1, 1,
	  "x1 x0", "x3", NONE },
	{ 0x88230440, "stxp w3, w0, w1, [x2]", PMS_OP_STORE_EX, MEM_ST + MEM_EX + MEM_PAIR, 8, 1,
	  "x2 x0 x1", "x3", NONE },
	{ 0xc8dffc20, "ldar x0, [x1]", PMS_OP_LOAD, MEM_LD + MEM_ACQ, 8, 1, "x1", "x0", NONE },
	{ 0x489ffc20, "stlrh w0, [x1]", PMS_OP_STORE, MEM_ST + MEM_REL, 2, 1, "x1 x0", "", NONE },
	{ 0xb8bfc020, "ldapr w0, [x1]", PMS_OP_LOAD, MEM_LD + MEM_ACQ, 4, 1, "x1", "x0", NONE },
	{ 0x59802020, "ldapursh x0, [x1, #2]", PMS_OP_LOAD, MEM_LD + MEM_ACQ, 2, 1, "x1", "x0",
	  NONE },
	{ 0xd9008020, "stlur x0, [x1, #8]", PMS_OP_STORE, MEM_ST + MEM_REL, 8, 1, "x1 x0", "",
	  NONE },
	{ 0xf8200041, "ldadd x0, x1, [x2]", PMS_OP_ATOMIC, MEM_LD + MEM_ST, 8, 1, "x2 x0", "x1",
	  NONE },
	{ 0xb8e00041, "ldaddal w0, w1, [x2]", PMS_OP_ATOMIC, MEM_LD + MEM_ST + MEM_ACQ + MEM_REL, 4,
	  1, "x2 x0", "x1", NONE },
	{ 0xb860005f, "staddl w0, [x2]", PMS_OP_ATOMIC, MEM_LD + MEM_ST + MEM_REL, 4, 1, "x2 x0",
	  "", NONE },
	{ 0xf8a083e1, "swpa x0, x1, [sp]", PMS_OP_ATOMIC, MEM_LD + MEM_ST + MEM_ACQ, 8, 1, "sp x0",
	  "x1", NONE },
	{ 0x88a0fc41, "casl w0, w1, [x2]", PMS_OP_ATOMIC, MEM_LD + MEM_ST + MEM_REL, 4, 1,
	  "x2 x0 x1", "x0", NONE },
	{ 0x4864fd06, "caspal x4, x5, x6, x7, [x8]", PMS_OP_ATOMIC,
	  MEM_LD + MEM_ST + MEM_ACQ + MEM_REL + MEM_PAIR, 16, 1, "x8 x4 x5 x6 x7", "x4 x5", NONE },
	{ 0xf9800020, "prfm pldl1keep, [x1]", PMS_OP_PREFETCH, MEM_HID, 0, 1, "x1", "", NONE },
	{ 0xf8201c20, "ldraa x0, [x1, #8]!", PMS_OP_LOAD, MEM_LD, 8, 1, "x1", "x0", 1 },
	{ 0xd920143f, "stg sp, [x1], #16", PMS_OP_STORE, MEM_ST + MEM_HID, 16, 1, "x1 sp", "", 1 },
	{ 0xd9600020, "ldg x0, [x1]", PMS_OP_LOAD, MEM_LD + MEM_HID, 16, 1, "x1 x0", "x0", NONE },
	{ 0x69000820, "stgp x0, x2, [x1]", PMS_OP_STORE, MEM_ST + MEM_PAIR, 16, 1, "x1 x0 x2", "",
	  NONE },
	{ 0xd50b7423, "dc zva, x3", PMS_OP_DC_ZVA, MEM_ST + MEM_HID, 64, 1, "x3", "", NONE },
	{ 0x4c407020, "ld1 {v0.16b}, [x1]", PMS_OP_LOAD_V, MEM_LD, 16, 1, "x1", "v0", NONE },
	{ 0x0cdf2020, "ld1 {v0.8b-v3.8b}, [x1], #32", PMS_OP_LOAD_V, MEM_LD, 32, 1, "x1",
	  "v0 v1 v2 v3", 1 },
	{ 0x4cc2883f, "ld2 {v31.4s, v0.4s}, [x1], x2", PMS_OP_LOAD_VN, MEM_LD, 32, 2, "x1 x2",
	  "v31 v0", 1 },
	{ 0x4c400020, "ld4 {v0.16b-v3.16b}, [x1]", PMS_OP_LOAD_VN, MEM_LD, 64, 1, "x1",
	  "v0 v1 v2 v3", NONE },
	{ 0x4c820c20, "st4 {v0.2d-v3.2d}, [x1], x2", PMS_OP_STORE_VN, MEM_ST, 64, 2,
	  "x1 x2 v0 v1 v2 v3", "", 1 },
	{ 0x0d405820, "ld1 {v0.h}[3], [x1]", PMS_OP_LOAD_VN, MEM_LD, 2, 1, "x1 v0", "v0", NONE },
	{ 0x4d40a420, "ld3 {v0.d, v1.d, v2.d}[1], [x1]", PMS_OP_LOAD_VN, MEM_LD, 24, 1,
	  "x1 v0 v1 v2", "v0 v1 v2", NONE },
	{ 0x4d40c820, "ld1r {v0.4s}, [x1]", PMS_OP_LOAD_VN, MEM_LD, 4, 1, "x1", "v0", NONE },
	{ 0x0d9f9020, "st1 {v0.s}[1], [x1], #4", PMS_OP_STORE_VN, MEM_ST, 4, 1, "x1 v0", "", 1 },
	{ 0xa5424c20, "ld1w {z0.s}, p3/z, [x1, x2, lsl #2]", PMS_OP_SVE_LOAD, MEM_LD + MEM_HID, 16,
	  2, "x1 x2 p3", "v0", NONE },
	{ 0xa460ac20, "ld1b {z0.d}, p3/z, [x1]", PMS_OP_SVE_LOAD, MEM_LD + MEM_HID, 2, 1, "x1 p3",
	  "v0", NONE },
	{ 0xa480afe0, "ld1sw {z0.d}, p3/z, [sp]", PMS_OP_SVE_LOAD, MEM_LD + MEM_HID, 8, 1, "sp p3",
	  "v0", NONE },
	{ 0xa5e26c20, "ldff1d {z0.d}, p3/z, [x1, x2, lsl #3]", PMS_OP_SVE_LOAD, MEM_LD + MEM_HID,
	  16, 2, "x1 x2 p3 ffr", "v0 ffr", NONE },
	{ 0xa540ec3f, "ld3w {z31.s, z0.s, z1.s}, p3/z, [x1]", PMS_OP_SVE_LOAD, MEM_LD + MEM_HID, 48,
	  1, "x1 p3", "v31 v0 v1", NONE },
	{ 0x85c0ec20, "ld1rd {z0.d}, p3/z, [x1]", PMS_OP_SVE_LOAD, MEM_LD, 8, 1, "x1 p3", "v0",
	  NONE },
	{ 0xa5002c20, "ld1rqw {z0.s}, p3/z, [x1]", PMS_OP_SVE_LOAD, MEM_LD + MEM_HID, 16, 1,
	  "x1 p3", "v0", NONE },
	{ 0x85804020, "ldr z0, [x1]", PMS_OP_SVE_LOAD, MEM_LD, 16, 1, "x1", "v0", NONE },
	{ 0x85800025, "ldr p5, [x1]", PMS_OP_SVE_LOAD, MEM_LD, 2, 1, "x1", "p5", NONE },
	{ 0xc5624c20, "ld1w {z0.d}, p3/z, [x1, z2.d, sxtw #2]", PMS_OP_SVE_GATHER, MEM_LD + MEM_HID,
	  8, 2, "x1 v2 p3", "v0", NONE },
	{ 0xc5a1cc40, "ld1d {z0.d}, p3/z, [z2.d, #8]", PMS_OP_SVE_GATHER, MEM_LD + MEM_HID, 16, 1,
	  "v2 p3", "v0", NONE },
	{ 0xe4c0ec20, "st1h {z0.s}, p3, [x1]", PMS_OP_SVE_STORE, MEM_ST + MEM_HID, 8, 1, "x1 p3 v0",
	  "", NONE },
	{ 0xe4626c20, "st4b {z0.b-z3.b}, p3, [x1, x2]", PMS_OP_SVE_STORE, MEM_ST + MEM_HID, 64, 2,
	  "x1 x2 p3 v0 v1 v2 v3", "", NONE },
	{ 0xe5804020, "str z0, [x1]", PMS_OP_SVE_STORE, MEM_ST, 16, 1, "x1 v0", "", NONE },
	{ 0xe5428c20, "st1w {z0.s}, p3, [x1, z2.s, uxtw]", PMS_OP_SVE_SCATTER, MEM_ST + MEM_HID, 16,
	  2, "x1 v2 p3 v0", "", NONE },
	{ 0x85c06c20, "prfd pldl1keep, p3, [x1]", PMS_OP_PREFETCH, MEM_HID, 0, 1, "x1 p3", "",
	  NONE },
};

static void a64_memory(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(memory); i++) {
		struct pms_insn got;
		pms_a64_classify(memory[i].word, &got);
		check_op(memory[i].text, &got, memory[i].op);
		check_regs(memory[i].text, &got, memory[i].reads, memory[i].writes);
		if (got.mem != memory[i].mem || got.mem_size != memory[i].bytes ||
		    got.n_addr != memory[i].n_addr || got.writeback != memory[i].writeback)
			fail_msg("%s: mem %#x size %u addr %u writeback %u", memory[i].text,
				 got.mem, got.mem_size, got.n_addr, got.writeback);
	}
}

/* Displacements by hand: imm26, imm19, imm14 times four. */
static const struct {
	uint32_t word;
	const char *text;
	enum pms_branch branch;
	int32_t disp;
} branches[] = {
	{ 0x14000001, "b .+4", PMS_BRANCH_JUMP, 4 },
	{ 0x17ffffff, "b .-4", PMS_BRANCH_JUMP, -4 },
	{ 0x16000000, "b .-128M", PMS_BRANCH_JUMP, -134217728 },
	{ 0x95ffffff, "bl .+128M-4", PMS_BRANCH_CALL, 134217724 },
	{ 0x54000041, "b.ne .+8", PMS_BRANCH_COND, 8 },
	{ 0x54ffffe0, "b.eq .-4", PMS_BRANCH_COND, -4 },
	{ 0xb4800000, "cbz x0, .-1M", PMS_BRANCH_COND, -1048576 },
	{ 0x357fffe3, "cbnz w3, .+1M-4", PMS_BRANCH_COND, 1048572 },
	{ 0x3603ffe1, "tbz w1, #0, .+32K-4", PMS_BRANCH_COND, 32764 },
	{ 0xb7fc0001, "tbnz x1, #63, .-32K", PMS_BRANCH_COND, -32768 },
	{ 0xd61f0060, "br x3", PMS_BRANCH_INDIRECT, 0 },
	{ 0xd63f0060, "blr x3", PMS_BRANCH_INDIRECT_CALL, 0 },
	{ 0xd65f03c0, "ret", PMS_BRANCH_RETURN, 0 },
	{ 0xd65f0bff, "retaa", PMS_BRANCH_RETURN, 0 },
	{ 0xd71f0864, "braa x3, x4", PMS_BRANCH_INDIRECT, 0 },
	{ 0xd63f0c7f, "blrabz x3", PMS_BRANCH_INDIRECT_CALL, 0 },
	{ 0xd4000001, "svc #0", PMS_BRANCH_NONE, 0 },
	{ 0x58000040, "ldr x0, .+8", PMS_BRANCH_NONE, 8 },
	{ 0x98ffffe0, "ldrsw x0, .-4", PMS_BRANCH_NONE, -4 },
};

static void a64_branches(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(branches); i++) {
		struct pms_insn got;
		pms_a64_classify(branches[i].word, &got);
		if (got.branch != branches[i].branch || got.disp != branches[i].disp)
			fail_msg("%s: kind %u, displacement %d", branches[i].text, got.branch,
				 got.disp);
	}
}

/* By word and one number: what the table's name says. */
struct number {
	uint32_t word;
	const char *text;
	uint32_t want;
};

#define S(name) (1u << PMS_SPEC_##name##_SPEC)

static const struct number specs[] = {
	{ 0x8b020020, "add x0, x1, x2", S(DP) },
	{ 0xaa0103e0, "mov x0, x1", S(DP) },
	{ 0xeb01001f, "cmp x0, x1", S(DP) },
	{ 0xd503233f, "paciasp", S(DP) },
	{ 0xd503201f, "nop", 0 },
	{ 0x14000000, "b .", 0 },
	{ 0xd4000001, "svc #0", 0 },
	{ 0xd53bd040, "mrs x0, tpidr_el0", 0 },
	{ 0xf9400020, "ldr x0, [x1]", S(LD) },
	{ 0xfd400020, "ldr d0, [x1]", S(LD) },
	{ 0x3dc00020, "ldr q0, [x1]", S(LD) + S(ASE_INST) },
	{ 0x4c408820, "ld2 {v0.4s, v1.4s}, [x1]", S(LD) + S(ASE_INST) },
	{ 0xfd000020, "str d0, [x1]", S(ST) },
	{ 0x0d009020, "st1 {v0.s}[1], [x1]", S(ST) + S(ASE_INST) },
	{ 0xad000420, "stp q0, q1, [x1]", S(ST) + S(ASE_INST) },
	{ 0xad400420, "ldp q0, q1, [x1]", S(LD) + S(ASE_INST) },
	{ 0xf9800020, "prfm pldl1keep, [x1]", 0 },
	{ 0xd50b7420, "dc zva, x0", 0 },
	{ 0xc85f7c20, "ldxr x0, [x1]", S(LD) + S(LDREX) },
	{ 0xc85ffc20, "ldaxr x0, [x1]", S(LD) + S(LDREX) + S(RC_LD) },
	{ 0xc8007c41, "stxr w0, x1, [x2]", S(ST) + S(STREX) },
	{ 0xc800fc41, "stlxr w0, x1, [x2]", S(ST) + S(STREX) + S(RC_ST) },
	{ 0xc8dffc20, "ldar x0, [x1]", S(LD) + S(RC_LD) },
	{ 0xf8bfc020, "ldapr x0, [x1]", S(LD) + S(RC_LD) },
	{ 0xc89ffc20, "stlr x0, [x1]", S(ST) + S(RC_ST) },
	{ 0xf8200041, "ldadd x0, x1, [x2]", S(LD) + S(ST) },
	{ 0xc8e0fc41, "casal x0, x1, [x2]", S(LD) + S(ST) + S(RC_LD) + S(RC_ST) },
	{ 0xf820005f, "stadd x0, [x2]", S(LD) + S(ST) },
	{ 0x4ea28420, "add v0.4s, v1.4s, v2.4s", S(ASE) + S(ASE_INST) },
	{ 0x5ee28420, "add d0, d1, d2", S(ASE) + S(ASE_INST) },
	{ 0x0ee2e020, "pmull v0.1q, v1.1d, v2.1d", S(ASE) + S(ASE_INST) },
	{ 0x4e040420, "dup v0.4s, v1.s[0]", S(ASE) + S(ASE_INST) },
	{ 0x4e040c20, "dup v0.4s, w1", S(ASE_INST) },
	{ 0x0e013c20, "umov w0, v1.b[0]", S(ASE_INST) },
	{ 0x9e660020, "fmov x0, d1", 0 },
	{ 0x9e670020, "fmov d0, x1", 0 },
	{ 0x1e604020, "fmov d0, d1", S(VFP) },
	{ 0x1e622820, "fadd d0, d1, d2", S(VFP) },
	{ 0x1e612000, "fcmp d0, d1", S(VFP) },
	{ 0x9e620020, "scvtf d0, x1", S(VFP) },
	{ 0x4e22d420, "fadd v0.4s, v1.4s, v2.4s", S(ASE) + S(ASE_INST) },
	{ 0x4e284820, "aese v0.16b, v1.16b", S(CRYPTO) + S(ASE_INST) },
	{ 0x5e024020, "sha256h q0, q1, v2.4s", S(CRYPTO) + S(ASE_INST) },
	{ 0xd5033bbf, "dmb ish", S(DMB) },
	{ 0xd5033b9f, "dsb ish", S(DSB) },
	{ 0xd5033fdf, "isb", S(ISB) },
	{ 0xd50330ff, "sb", 0 },
	{ 0x04a20020, "add z0.s, z1.s, z2.s", S(SVE_INST) },
	{ 0x04800c40, "add z0.s, p3/m, z0.s, z2.s", S(SVE_INST) + S(SVE_PRED) },
	{ 0xa540ac20, "ld1w {z0.s}, p3/z, [x1]", S(LD) + S(SVE_INST) + S(SVE_PRED) },
	{ 0xa550ac20, "ldnf1w {z0.s}, p3/z, [x1]",
	  S(LD) + S(SVE_INST) + S(SVE_PRED) + S(SVE_LDFF) },
	{ 0xe540ec20, "st1w {z0.s}, p3, [x1]", S(ST) + S(SVE_INST) + S(SVE_PRED) },
	{ 0x85c06c20, "prfd pldl1keep, p3, [x1]", S(SVE_INST) + S(SVE_PRED) },
};

static void a64_spec_events(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(specs); i++) {
		struct pms_insn got;
		pms_a64_classify(specs[i].word, &got);
		if (got.spec != specs[i].want)
			fail_msg("%s: %#x, want %#x", specs[i].text, got.spec, specs[i].want);
	}
}

static const struct number fp_ops[] = {
	{ 0x1e622820, "fadd d0, d1, d2", 1 },
	{ 0x1f020c20, "fmadd s0, s1, s2, s3", 2 },
	{ 0x1e61c020, "fsqrt d0, d1", 1 },
	{ 0x1e612000, "fcmp d0, d1", 1 },
	{ 0x1e604020, "fmov d0, d1", 0 },
	{ 0x1e60c020, "fabs d0, d1", 0 },
	{ 0x9e620020, "scvtf d0, x1", 0 },
	{ 0x4e22d420, "fadd v0.4s, v1.4s, v2.4s", 4 },
	{ 0x0e22d420, "fadd v0.2s, v1.2s, v2.2s", 2 },
	{ 0x4e62d420, "fadd v0.2d, v1.2d, v2.2d", 2 },
	{ 0x4e421420, "fadd v0.8h, v1.8h, v2.8h", 8 },
	{ 0x4e22cc20, "fmla v0.4s, v1.4s, v2.4s", 8 },
	{ 0x4fc21820, "fmla v0.2d, v1.2d, v2.d[1]", 4 },
	{ 0x4f121020, "fmla v0.8h, v1.8h, v2.h[1]", 16 },
	{ 0x4fa21020, "fmla v0.4s, v1.4s, v2.s[1]", 8 },
	{ 0x5fc29820, "fmul d0, d1, v2.d[1]", 1 },
	{ 0x7e70d820, "faddp d0, v1.2d", 1 },
	{ 0x6e30f820, "fmaxv s0, v1.4s", 3 },
	{ 0x4e22ec20, "fmlal v0.4s, v1.4h, v2.4h", 8 },
	{ 0x6e82c420, "fcmla v0.4s, v1.4s, v2.4s, #0", 8 },
	{ 0x6e42fc20, "bfdot v0.4s, v1.8h, v2.8h", 16 },
	{ 0x6e42ec20, "bfmmla v0.4s, v1.8h, v2.8h", 32 },
	{ 0x2ec2fc20, "bfmlalb v0.4s, v1.8h, v2.8h", 8 },
	{ 0x4ea28420, "add v0.4s, v1.4s, v2.4s", 0 },
	{ 0x65e20c20, "fmla z0.d, p3/m, z1.d, z2.d", 4 },
	{ 0x65820020, "fadd z0.s, z1.s, z2.s", 4 },
	{ 0x65408c40, "fadd z0.h, p3/m, z0.h, z2.h", 8 },
	{ 0x65cdac20, "fsqrt z0.d, p3/m, z1.d", 2 },
	{ 0x65d6ac20, "scvtf z0.d, p3/m, z1.d", 0 },
};

static void a64_fp_operations(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(fp_ops); i++) {
		struct pms_insn got;
		pms_a64_classify(fp_ops[i].word, &got);
		if (got.fp_ops != fp_ops[i].want)
			fail_msg("%s: %u, want %u", fp_ops[i].text, got.fp_ops, fp_ops[i].want);
	}
}

static const struct number fuses[] = {
	{ 0xeb01001f, "cmp x0, x1", PMS_FUSE_COMPARE },
	{ 0x71000c1f, "cmp w0, #3", PMS_FUSE_COMPARE },
	{ 0xb1000c1f, "cmn x0, #3", PMS_FUSE_COMPARE },
	{ 0xea01001f, "tst x0, x1", PMS_FUSE_COMPARE },
	{ 0x7200001f, "tst w0, #1", PMS_FUSE_COMPARE },
	{ 0xea21001f, "bics xzr, x0, x1", PMS_FUSE_COMPARE },
	{ 0xeb010002, "subs x2, x0, x1", PMS_FUSE_NONE },
	{ 0xeb01041f, "cmp x0, x1, lsl #1", PMS_FUSE_NONE },
	{ 0xeb21401f, "cmp x0, w1, uxtw", PMS_FUSE_NONE },
	{ 0xea01041f, "tst x0, x1, lsl #1", PMS_FUSE_NONE },
	{ 0xd100041f, "sub sp, x0, #1", PMS_FUSE_NONE },
	{ 0xfa410000, "ccmp x0, x1, #0, eq", PMS_FUSE_NONE },
	{ 0x54000001, "b.ne .", PMS_FUSE_CONDITIONAL },
	{ 0xb4000000, "cbz x0, .", PMS_FUSE_NONE },
	{ 0x4e284820, "aese v0.16b, v1.16b", PMS_FUSE_AESE },
	{ 0x4e285820, "aesd v0.16b, v1.16b", PMS_FUSE_AESE },
	{ 0x4e286800, "aesmc v0.16b, v0.16b", PMS_FUSE_AESMC },
	{ 0x4e287800, "aesimc v0.16b, v0.16b", PMS_FUSE_AESMC },
	{ 0x4e286820, "aesmc v0.16b, v1.16b", PMS_FUSE_NONE },
};

static void a64_fusion(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(fuses); i++) {
		struct pms_insn got;
		pms_a64_classify(fuses[i].word, &got);
		if (got.fuse != fuses[i].want)
			fail_msg("%s: %u, want %u", fuses[i].text, got.fuse, fuses[i].want);
	}
}

static const struct number forms[] = {
	{ 0x8b020020, "add x0, x1, x2", PMS_FORM_ONE },
	{ 0xa9400440, "ldp x0, x1, [x2]", PMS_FORM_ONE },
	{ 0xa9be7bfd, "stp x29, x30, [sp, #-32]!", PMS_FORM_ONE },
	{ 0x4c40a020, "ld1 {v0.16b-v1.16b}, [x1]", PMS_FORM_LD1_2X16 },
	{ 0x4c402020, "ld1 {v0.16b-v3.16b}, [x1]", PMS_FORM_LD1_4X16 },
	{ 0x4c408020, "ld2 {v0.16b-v1.16b}, [x1]", PMS_FORM_LD2_16 },
	{ 0x4c404020, "ld3 {v0.16b-v2.16b}, [x1]", PMS_FORM_LD3_16 },
	{ 0x4c400020, "ld4 {v0.16b-v3.16b}, [x1]", PMS_FORM_LD4_16 },
	{ 0x4c002020, "st1 {v0.16b-v3.16b}, [x1]", PMS_FORM_ST1_4X16 },
	{ 0x0c008020, "st2 {v0.8b-v1.8b}, [x1]", PMS_FORM_ST2_8 },
	{ 0x4c000020, "st4 {v0.16b-v3.16b}, [x1]", PMS_FORM_ST4_16 },
	{ 0x4c000c20, "st4 {v0.2d-v3.2d}, [x1]", PMS_FORM_ST4_16_D },
	{ 0x4d60e820, "ld4r {v0.4s-v3.4s}, [x1]", PMS_FORM_LD4_LANE },
	{ 0x4e056020, "tbl v0.16b, {v1.16b-v4.16b}, v5.16b", PMS_FORM_TBL_4 },
	{ 0x4e057020, "tbx v0.16b, {v1.16b-v4.16b}, v5.16b", PMS_FORM_TBX_4 },
	{ 0xf8200420, "ldraa x0, [x1]", PMS_FORM_ONE },
};

static void a64_forms(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(forms); i++) {
		struct pms_insn got;
		pms_a64_classify(forms[i].word, &got);
		if (got.form != forms[i].want)
			fail_msg("%s: %u, want %u", forms[i].text, got.form, forms[i].want);
	}
}

/* Reserved values of fields, one after another. */
static const struct number undefined[] = {
	{ 0x00000000, "udf #0", 0 },
	{ 0x0000ffff, "udf #0xffff", 0 },
	{ 0x03000000, "op0 0001", 0 },
	{ 0x0b20d400, "add w, extended by 5", 0 },
	{ 0x0bc00000, "add w, ror", 0 },
	{ 0x0b008000, "add w, lsl #32", 0 },
	{ 0x12400000, "and w with N set", 0 },
	{ 0x92fcfc00, "movn x with opc 00 is one", 1 },
	{ 0xb2fc0000, "opc 01 of move wide", 0 },
	{ 0x12c00000, "movn w, lsl #32", 0 },
	{ 0x9240fc00, "and x with all ones", 0 },
	{ 0x13400000, "sbfm w with N set", 0 },
	{ 0xb8c00000, "ldrsw to w", 0 },
	{ 0x38202800, "strb with option 001", 0 },
	{ 0x08217c00, "casp of odd registers", 0 },
	{ 0x0c001000, "structure opcode 0001", 0 },
	{ 0x0c408c00, "ld2 of 1d", 0 },
	{ 0x0ee18400, "add of 1d", 0 },
	{ 0x0e60d400, "fadd of 1d", 0 },
	{ 0x0e000400, "dup without a size", 0 },
	{ 0x2e004000, "ext of 8b from byte 8", 0 },
	{ 0x0f000400, "movi is one", 1 },
	{ 0x0f400400, "sshr of 1d", 0 },
	{ 0x1ea02800, "fadd of reserved type", 0 },
	{ 0xd65f03c1, "ret with low bits", 0 },
	{ 0xd4000000, "exception with LL 00", 0 },
};

static void a64_unallocated(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(undefined); i++) {
		struct pms_insn got;
		pms_a64_classify(undefined[i].word, &got);
		if ((got.op != PMS_OP_UNDEF) != undefined[i].want)
			fail_msg("%s: class %s", undefined[i].text, pms_op_name(got.op));
		if (got.op == PMS_OP_UNDEF)
			assert_true(!got.form && !got.n_src && !got.n_dst && !got.mem &&
				    !got.spec && got.writeback == PMS_REG_NONE);
	}
}

/* Whatever the bits, the record keeps its own rules. */
static void a64_records_are_sound(void **state)
{
	(void)state;
	uint32_t word = 1;
	for (unsigned i = 0; i < 2000000; i++) {
		struct pms_insn got;
		word = word * 1664525u + 1013904223u;
		pms_a64_classify(word ^ word >> 15, &got);
		assert_true(got.op < PMS_OP_COUNT && got.form < PMS_FORM_COUNT);
		assert_true(got.n_src <= sizeof(got.src) && got.n_dst <= sizeof(got.dst));
		assert_true(got.n_addr <= got.n_src);
		for (unsigned k = 0; k < got.n_src; k++)
			assert_true(got.src[k] < PMS_REG_COUNT);
		for (unsigned k = 0; k < got.n_dst; k++)
			assert_true(got.dst[k] < PMS_REG_COUNT);
		assert_true(got.writeback == PMS_REG_NONE || got.writeback <= PMS_REG_SP);
		if (got.mem & (PMS_MEM_LOAD | PMS_MEM_STORE))
			assert_true(got.mem_size > 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a64_classes_and_registers),
		cmocka_unit_test(a64_memory),
		cmocka_unit_test(a64_branches),
		cmocka_unit_test(a64_spec_events),
		cmocka_unit_test(a64_fp_operations),
		cmocka_unit_test(a64_fusion),
		cmocka_unit_test(a64_forms),
		cmocka_unit_test(a64_unallocated),
		cmocka_unit_test(a64_records_are_sound),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

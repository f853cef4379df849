/* SPDX-License-Identifier: MIT */
/* vcore/isa/a64/a64_branch.c - branches, exception generation and system instructions; udf.
 * Source: Arm ARM (DDI 0487), C4.1 "Branches, Exception Generating and System instructions". */
#include "vcore/isa/a64/a64_table.h"

static void branch_to(struct pms_insn *out, enum pms_branch kind, int32_t words)
{
	out->branch = (uint8_t)kind;
	out->disp = words * 4;
}

static void fix_b(uint32_t word, struct pms_insn *out)
{
	bool call = a64_bit(word, 31);
	branch_to(out, call ? PMS_BRANCH_CALL : PMS_BRANCH_JUMP, a64_sbits(word, 25, 0));
	if (call)
		a64_dst(out, 30);
}

static void fix_b_cond(uint32_t word, struct pms_insn *out)
{
	branch_to(out, PMS_BRANCH_COND, a64_sbits(word, 23, 5));
	out->fuse = PMS_FUSE_CONDITIONAL;
}

static void fix_cbz(uint32_t word, struct pms_insn *out)
{
	branch_to(out, PMS_BRANCH_COND, a64_sbits(word, 23, 5));
}

static void fix_tbz(uint32_t word, struct pms_insn *out)
{
	branch_to(out, PMS_BRANCH_COND, a64_sbits(word, 18, 5));
}

static void fix_br(uint32_t word, struct pms_insn *out)
{
	(void)word;
	out->branch = PMS_BRANCH_INDIRECT;
}

static void fix_blr(uint32_t word, struct pms_insn *out)
{
	(void)word;
	out->branch = PMS_BRANCH_INDIRECT_CALL;
	a64_dst(out, 30);
}

static void fix_ret(uint32_t word, struct pms_insn *out)
{
	(void)word;
	out->branch = PMS_BRANCH_RETURN;
}

/* retaa, retab: the address in x30, the modifier in sp. */
static void fix_reta(uint32_t word, struct pms_insn *out)
{
	fix_ret(word, out);
	a64_src(out, 30);
	a64_src(out, PMS_REG_SP);
}

/* braa, blraa: the modifier in Rm, which stands where D is elsewhere, with 31 as sp. */
static void fix_bra(uint32_t word, struct pms_insn *out)
{
	a64_src(out, (uint8_t)a64_bits(word, 4, 0));
	if (a64_bit(word, 21))
		fix_blr(word, out);
	else
		fix_br(word, out);
}

static const struct a64_row branch_rows[] = {
	{ 0x7c000000, 0x14000000, PMS_OP_BRANCH, 0, 0, 0, fix_b },
	{ 0xff000010, 0x54000000, PMS_OP_BRANCH, 0, 0, R_F, fix_b_cond },
	{ 0x7e000000, 0x34000000, PMS_OP_BRANCH, 0, 0, RX_D, fix_cbz },
	{ 0x7e000000, 0x36000000, PMS_OP_BRANCH, 0, 0, RX_D, fix_tbz },
	{ 0xfffffc1f, 0xd65f0000, PMS_OP_BRANCH, 0, 0, RX_N, fix_ret },
	{ 0xfffffc1f, 0xd61f0000, PMS_OP_BRANCH, 0, 0, RX_N, fix_br },
	{ 0xfffffc1f, 0xd63f0000, PMS_OP_BRANCH, 0, 0, RX_N, fix_blr },
	/* retaa, retab; braaz, brabz; blraaz, blrabz; braa, brab, blraa, blrab */
	{ 0xfffffbff, 0xd65f0bff, PMS_OP_BRANCH_PAUTH, 0, 0, 0, fix_reta },
	{ 0xfffff81f, 0xd61f081f, PMS_OP_BRANCH_PAUTH, 0, 0, RX_N, fix_br },
	{ 0xfffff81f, 0xd63f081f, PMS_OP_BRANCH_PAUTH, 0, 0, RX_N, fix_blr },
	{ 0xffdff800, 0xd71f0800, PMS_OP_BRANCH_PAUTH, 0, 0, RX_N, fix_bra },
	/* eret, eretaa, eretab, drps */
	{ 0xffffffff, 0xd69f03e0, PMS_OP_TRAP, 0, 0, 0, NULL },
	{ 0xfffffbff, 0xd69f0bff, PMS_OP_TRAP, 0, 0, 0, NULL },
	{ 0xffffffff, 0xd6bf03e0, PMS_OP_TRAP, 0, 0, 0, NULL },
};

/* Exception generation: opc [23:21], LL [1:0]. */
static const struct a64_row exception_rows[] = {
	{ 0xffe0001f, 0xd4000001, PMS_OP_SVC, 0, 0, 0, NULL },
	/* hvc; smc; brk; hlt; dcps1, dcps2 and dcps3 */
	{ 0xffe0001f, 0xd4000002, PMS_OP_TRAP, 0, 0, 0, NULL },
	{ 0xffe0001f, 0xd4000003, PMS_OP_TRAP, 0, 0, 0, NULL },
	{ 0xffe0001f, 0xd4200000, PMS_OP_TRAP, 0, 0, 0, NULL },
	{ 0xffe0001f, 0xd4400000, PMS_OP_TRAP, 0, 0, 0, NULL },
	{ 0xffe0001d, 0xd4a00001, PMS_OP_TRAP, 0, 0, 0, NULL },
	{ 0xffe0001f, 0xd4a00002, PMS_OP_TRAP, 0, 0, 0, NULL },
};

/* Hints that sign or authenticate: CRm [11:8] says which registers. */
static void fix_hint_pauth(uint32_t word, struct pms_insn *out)
{
	bool x17 = a64_bits(word, 11, 8) == 1;
	uint8_t address = x17 ? 17 : 30;
	a64_src(out, address);
	a64_dst(out, address);
	if (x17)
		a64_src(out, 16);
	else if (a64_bit(word, 5)) /* the sp forms; the z forms have a zero modifier */
		a64_src(out, PMS_REG_SP);
}

static void fix_xpaclri(uint32_t word, struct pms_insn *out)
{
	(void)word;
	a64_src(out, 30);
	a64_dst(out, 30);
}

static void fix_dmb(uint32_t word, struct pms_insn *out)
{
	/* CRm says what in its low bits, the rest says for whom; 0 is reserved and orders all. */
	static const uint8_t orders[] = { PMS_ORDERS_ALL, PMS_ORDERS_LOADS, PMS_ORDERS_STORES,
					  PMS_ORDERS_ALL };
	out->orders = orders[a64_bits(word, 9, 8)];
	out->spec |= a64_spec(PMS_SPEC_DMB_SPEC);
}

static void fix_dsb(uint32_t word, struct pms_insn *out)
{
	(void)word;
	out->spec |= a64_spec(PMS_SPEC_DSB_SPEC);
}

static void fix_isb(uint32_t word, struct pms_insn *out)
{
	(void)word;
	out->spec |= a64_spec(PMS_SPEC_ISB_SPEC);
}

/* dc and ic by address take it in Xt. */
static void fix_cache_op(uint32_t word, struct pms_insn *out)
{
	a64_src(out, a64_x(a64_bits(word, 4, 0)));
	out->n_addr = out->n_src;
}

/* dc zva, gva, gzva: 64 bytes is the block of every core described here. gva writes tags alone. */
static void fix_dc_zva(uint32_t word, struct pms_insn *out)
{
	fix_cache_op(word, out);
	out->mem = PMS_MEM_STORE | PMS_MEM_HIDDEN;
	out->mem_size = 64;
}

static const struct a64_row system_rows[] = {
	/* hints: the pauth ones with CRm 1 and 3, xpaclri, wfi, all others */
	{ 0xffffff3f, 0xd503211f, PMS_OP_PAUTH, 0, 0, 0, fix_hint_pauth },
	{ 0xffffff1f, 0xd503231f, PMS_OP_PAUTH, 0, 0, 0, fix_hint_pauth },
	{ 0xffffffff, 0xd50320ff, PMS_OP_PAUTH, 0, 0, 0, fix_xpaclri },
	{ 0xffffffff, 0xd503207f, PMS_OP_TRAP, 0, 0, 0, NULL },
	{ 0xfffff01f, 0xd503201f, PMS_OP_NOP, 0, 0, 0, NULL },
	/* wfet, wfit */
	{ 0xffffffc0, 0xd5031000, PMS_OP_TRAP, 0, 0, RX_D, NULL },
	/* dmb, dsb, dsb nxs, isb, clrex; sb holds execution as isb does, but is not one */
	{ 0xfffff0ff, 0xd50330bf, PMS_OP_DMB, 0, 0, 0, fix_dmb },
	{ 0xfffff0ff, 0xd503309f, PMS_OP_DSB, 0, 0, 0, fix_dsb },
	{ 0xfffff3ff, 0xd503323f, PMS_OP_DSB, 0, 0, 0, fix_dsb },
	{ 0xfffff0ff, 0xd50330df, PMS_OP_ISB, 0, 0, 0, fix_isb },
	{ 0xffffffff, 0xd50330ff, PMS_OP_ISB, 0, 0, 0, NULL },
	{ 0xfffff0ff, 0xd503305f, PMS_OP_NOP, 0, 0, 0, NULL },
	/* cfinv, xaflag and axflag; msr to a field of PSTATE */
	{ 0xffffffff, 0xd500401f, PMS_OP_ALU, 0, 0, R_F | W_F, NULL },
	{ 0xffffffff, 0xd500403f, PMS_OP_ALU, 0, 0, R_F | W_F, NULL },
	{ 0xffffffff, 0xd500405f, PMS_OP_ALU, 0, 0, R_F | W_F, NULL },
	{ 0xfff8f01f, 0xd500401f, PMS_OP_SYS_WRITE, 0, 0, 0, NULL },
	/* dc zva, gva, gzva; at; the rest of dc and ic; sys, sysl */
	{ 0xffffffe0, 0xd50b7420, PMS_OP_DC_ZVA, 0, 0, 0, fix_dc_zva },
	{ 0xffffffe0, 0xd50b7460, PMS_OP_DC_ZVA, 0, 0, 0, fix_dc_zva },
	{ 0xffffffe0, 0xd50b7480, PMS_OP_DC_ZVA, 0, 0, 0, fix_dc_zva },
	{ 0xfff8fe00, 0xd5087800, PMS_OP_SYS_WRITE, 0, 0, RX_D, NULL },
	{ 0xfff8f000, 0xd5087000, PMS_OP_CACHE_OP, 0, 0, 0, fix_cache_op },
	{ 0xfff80000, 0xd5080000, PMS_OP_SYS_WRITE, 0, 0, RX_D, NULL },
	{ 0xfff80000, 0xd5280000, PMS_OP_SYS_READ, 0, 0, WX_D, NULL },
	/* msr and mrs: nzcv, others */
	{ 0xffffffe0, 0xd51b4200, PMS_OP_SYS_WRITE, 0, 0, RX_D | W_F, NULL },
	{ 0xffffffe0, 0xd53b4200, PMS_OP_SYS_READ, 0, 0, WX_D | R_F, NULL },
	{ 0xfff00000, 0xd5100000, PMS_OP_SYS_WRITE, 0, 0, RX_D, NULL },
	{ 0xfff00000, 0xd5300000, PMS_OP_SYS_READ, 0, 0, WX_D, NULL },
};

static const struct a64_class exception_class =
	A64_CLASS(0xff000000, 0xd4000000, exception_rows, A64_LANES_ONE);
static const struct a64_class system_class =
	A64_CLASS(0xff000000, 0xd5000000, system_rows, A64_LANES_ONE);
static const struct a64_class branch_class = A64_CLASS(0, 0, branch_rows, A64_LANES_ONE);
static const struct a64_class *const branch_classes[] = {
	&exception_class,
	&system_class,
	&branch_class,
};
const struct a64_group a64_branch = A64_GROUP(branch_classes);

/* udf is the one encoding of its group that will never mean anything. */
static const struct a64_row reserved_rows[] = {
	{ 0xffff0000, 0x00000000, PMS_OP_UNDEF, 0, 0, 0, NULL },
};
static const struct a64_class reserved_class = A64_CLASS(0, 0, reserved_rows, A64_LANES_ONE);
static const struct a64_class *const reserved_classes[] = { &reserved_class };
const struct a64_group a64_reserved = A64_GROUP(reserved_classes);

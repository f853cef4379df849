/* SPDX-License-Identifier: MIT */
/* vcore/isa/a64_sve.c - SVE, coarsely: by encoding group, not by instruction.
 * Source: Arm ARM (DDI 0487), C4.1 "SVE encodings". */
#include "vcore/isa/a64_table.h"

static const struct a64_row sve_rows[] = {
	{ 0xff000000, 0x04000000, PMS_OP_SVE_ALU, 0, 0, V_NM | RV_D, NULL },
	{ 0xff000000, 0x05000000, PMS_OP_SVE_ALU, 0, 0, V_NM, NULL },
	{ 0xff000000, 0x24000000, PMS_OP_SVE_PRED, 0, 0, RV_N | RV_M | W_F, NULL },
	{ 0xff000000, 0x25000000, PMS_OP_SVE_PRED, 0, 0, W_F, NULL },
	{ 0xff000000, 0x44000000, PMS_OP_SVE_MUL, 0, 0, V_DNM, NULL },
	{ 0xff000000, 0x45000000, PMS_OP_SVE_ALU, 0, 0, V_NM, NULL },
	{ 0xff000000, 0x64000000, PMS_OP_SVE_FP, 0, 0, V_DNM, NULL },
	{ 0xff000000, 0x65000000, PMS_OP_SVE_FP, 0, 0, V_DNM, NULL },
};

static const struct a64_class sve_class = A64_CLASS(0, 0, sve_rows, A64_LANES_ONE);
static const struct a64_class *const sve_classes[] = { &sve_class };
const struct a64_group a64_sve = A64_GROUP(sve_classes);

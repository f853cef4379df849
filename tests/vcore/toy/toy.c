/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "vcore/isa/isa.h"

const uint8_t pms_op_roles[PMS_OP_COUNT] = { [PMS_OP_TRAP] = PMS_ROLE_TRAP };
const uint8_t pms_op_kinds[PMS_OP_COUNT] = { 0 };
const uint8_t pms_op_beside[PMS_OP_COUNT] = { 0 };
const uint8_t pms_op_stands_in[PMS_OP_COUNT] = { 0 };

/* By kind. */
static const struct {
	uint8_t op, branch, mem;
	uint32_t spec;
} rows[] = {
	[TOY_NOP] = { PMS_OP_NOP, 0, 0, 0 },
	[TOY_ADD] = { PMS_OP_ALU, 0, 0, 1 << PMS_SPEC_DP_SPEC },
	[TOY_COND] = { PMS_OP_BRANCH, PMS_BRANCH_COND, 0, 0 },
	[TOY_JUMP] = { PMS_OP_BRANCH, PMS_BRANCH_JUMP, 0, 0 },
	[TOY_LOAD] = { PMS_OP_LOAD, 0, PMS_MEM_LOAD, 1 << PMS_SPEC_LD_SPEC },
	[TOY_TRAP] = { PMS_OP_TRAP, 0, 0, 0 },
};

void pms_isa_classify(const void *code, struct pms_insn *out)
{
	uint16_t parcel;
	memcpy(&parcel, code, sizeof(parcel));
	unsigned kind = parcel >> 1 & 7;
	kind = kind < sizeof(rows) / sizeof(rows[0]) ? kind : TOY_NOP;
	*out = (struct pms_insn){ .op = rows[kind].op,
				  .branch = rows[kind].branch,
				  .mem = rows[kind].mem,
				  .spec = rows[kind].spec,
				  .writeback = PMS_REG_NONE,
				  .length = parcel & 1 ? 4 : 2,
				  .disp = ((int16_t)parcel >> 4) * PMS_ISA_PARCEL };
	if (kind == TOY_ADD) {
		out->src[out->n_src++] = TOY_SUM;
		out->dst[out->n_dst++] = TOY_SUM;
	} else if (kind == TOY_COND) {
		out->src[out->n_src++] = TOY_VALUE;
	} else if (kind == TOY_LOAD) {
		out->dst[out->n_dst++] = TOY_VALUE;
	}
}

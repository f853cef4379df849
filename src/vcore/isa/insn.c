/* SPDX-License-Identifier: MIT */
#include "vcore/isa/insn.h"

static const char *const op_names[PMS_OP_COUNT] = {
#define X(id, name) name,
	PMS_OPS(X)
#undef X
};

const char *pms_op_name(enum pms_op op)
{
	return (unsigned)op < PMS_OP_COUNT ? op_names[op] : "?";
}

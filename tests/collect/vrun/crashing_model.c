/* SPDX-License-Identifier: MIT */
/* A core model that crashes: in place of the real one in a plugin of its own, for test_vcore.c. */
#include <stdlib.h>

#include "vcore/isa/isa.h"
#include "vcore/model/core.h"

struct pms_block {
	uint64_t pc;
};

struct pms_core {
	unsigned blocks;
	volatile int *nothing;
};

const struct pms_isa pms_isa = { .name = "AArch64", .target = "aarch64" };

void pms_isa_classify(const void *code, struct pms_insn *out)
{
	(void)code;
	*out = (struct pms_insn){ .length = PMS_ISA_LONGEST };
}

enum pms_isa_call pms_isa_call(int64_t number)
{
	(void)number;
	return PMS_ISA_CALL_RETURNS;
}

struct pms_block *pms_block_new(const struct pms_params *params, uint64_t pc, const void *code,
				unsigned count)
{
	struct pms_block *block = malloc(sizeof(*block));
	(void)params, (void)code, (void)count;
	if (block)
		block->pc = pc;
	return block;
}

void pms_block_free(struct pms_block *block)
{
	free(block);
}

uint64_t pms_block_pc(const struct pms_block *block)
{
	return block->pc;
}

bool pms_block_accesses(const struct pms_block *block, unsigned i)
{
	(void)block, (void)i;
	return false;
}

struct pms_core *pms_core_new(const struct pms_params *params, uint64_t *counters,
			      const struct pms_code_source *code)
{
	(void)params, (void)counters, (void)code;
	return calloc(1, sizeof(struct pms_core));
}

void pms_core_free(struct pms_core *core)
{
	free(core);
}

/* CRASH is how. */
void pms_core_run(struct pms_core *core, const struct pms_block *block,
		  const struct pms_access *accesses, size_t n_accesses, enum pms_block_end end,
		  uint64_t next)
{
	(void)block, (void)accesses, (void)n_accesses, (void)end, (void)next;
	if (++core->blocks == 100)
		CRASH;
}

void pms_core_drain(struct pms_core *core)
{
	(void)core;
}

/* The program is counted as a whole, so the rest is not called. */

void pms_core_warm_begin(struct pms_core *core)
{
	(void)core;
}

void pms_core_warm(struct pms_core *core, const struct pms_block *block,
		   const struct pms_access *accesses, size_t n_accesses, enum pms_block_end end,
		   uint64_t next)
{
	(void)core, (void)block, (void)accesses, (void)n_accesses, (void)end, (void)next;
}

void pms_core_follow(struct pms_core *core, const struct pms_block *block, enum pms_block_end end,
		     uint64_t next)
{
	(void)core, (void)block, (void)end, (void)next;
}

void pms_core_follow_data(struct pms_core *core, const struct pms_block *block,
			  const struct pms_access *access)
{
	(void)core, (void)block, (void)access;
}

void pms_core_resume(struct pms_core *core)
{
	(void)core;
}

uint64_t pms_core_slots(const struct pms_core *core)
{
	(void)core;
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Warm the structures before a window of the program is modelled in detail: lines, translations
 * and branches. No operation is timed. The memory needs a time for each access: each is made
 * after the last one has come back. So misses do not queue up, and prefetches do not displace
 * them. */
#include "vcore/model/core.h"

#include <string.h>

#include "vcore/model/rename.h"
#include "vcore/model/state.h"

void pms_core_warm_begin(struct pms_core *core)
{
	pms_core_drain(core);
	core->warm_clock = core->cycle;
	core->warm_line = UINT64_MAX;
	memset(core->followed_code, 0xff, sizeof(core->followed_code));
	memset(core->followed_data, 0xff, sizeof(core->followed_data));
}

void pms_core_resume(struct pms_core *core)
{
	if (core->warm_clock > core->cycle)
		pms_rename_stall(core, core->warm_clock, 0, PMS_COUNTER_BE_SLOT_SERIAL);
	pms_fetch_redirect(core, core->cycle + 1, PMS_COUNTER_FE_SLOT_FETCH);
}

uint64_t pms_core_slots(const struct pms_core *core)
{
	return core->cycle * core->params->slots + core->used;
}

static void warm_code(struct pms_core *core, uint64_t from, uint64_t end)
{
	uint64_t tlb;
	for (uint64_t line = from / PMS_LINE_BYTES; line <= (end - 1) / PMS_LINE_BYTES; line++) {
		if (line == core->warm_line)
			continue;
		core->warm_line = line;
		core->warm_clock =
			pms_memory_fetch(&core->memory, pms_later(from, line * PMS_LINE_BYTES),
					 core->warm_clock, core->warm_clock, &tlb);
	}
	if (!core->params->mop_cache_windows)
		return;
	for (uint64_t window = from / PMS_WINDOW_BYTES; window <= (end - 1) / PMS_WINDOW_BYTES;
	     window++)
		pms_window_held(core, window * PMS_WINDOW_BYTES);
}

static inline void warm_line(struct pms_core *core, const struct pms_access *access,
			     uint64_t address)
{
	uint64_t now = core->warm_clock;
	core->warm_clock = access->store ? pms_memory_store(&core->memory, address, now)
					 : pms_memory_load(&core->memory, address, now);
}

/* @to: what each line that the access touches goes through */
static inline __attribute__((always_inline)) void
pass_access(struct pms_core *core, const struct pms_block *block, const struct pms_access *access,
	    void (*to)(struct pms_core *, const struct pms_access *, uint64_t))
{
	uint64_t last = access->address + access->size - 1;
	to(core, access, access->address);
	/* The prefetcher's strides need every access. */
	if (block->ops[access->insn].kind == PMS_UOP_LOAD)
		pms_memory_train(&core->memory, pms_block_pc_of(block, access->insn),
				 access->address, core->warm_clock);
	if ((access->address ^ last) / PMS_LINE_BYTES)
		to(core, access, last & ~(uint64_t)(PMS_LINE_BYTES - 1));
}

static void warm_branch(struct pms_core *core, const struct pms_block *block, uint64_t next)
{
	const struct pms_uop *uop = &block->ops[block->count - 1];
	uint64_t pc = pms_block_pc_of(block, block->count - 1);
	struct pms_prediction prediction;
	if (uop->kind != PMS_UOP_BRANCH)
		return;
	bool taken = uop->branch != PMS_BRANCH_COND || next != pc + pms_uop_bytes(uop);
	pms_predict(&core->predictor, pc, uop, false, &prediction);
	pms_predict_learn(&core->predictor, pc, uop, &prediction, taken, next);
	pms_predict_follow(&core->predictor, pc, uop, taken, next);
}

PMS_HOT void pms_core_warm(struct pms_core *core, const struct pms_block *block,
			   const struct pms_access *accesses, size_t n_accesses,
			   enum pms_block_end end, uint64_t next)
{
	if (!block->count)
		return;
	core->warm_clock++;
	warm_code(core, block->pc, pms_block_end(block));
	for (size_t i = 0; i < n_accesses; i++)
		pass_access(core, block, &accesses[i], warm_line);
	if (pms_block_led_to(block, end, next))
		warm_branch(core, block, next);
	core->expected = pms_block_end(block);
}

static inline void follow_code(struct pms_core *core, const struct pms_block *block)
{
	uint64_t last = (pms_block_end(block) - 1) / PMS_LINE_BYTES, tlb;
	for (uint64_t line = block->pc / PMS_LINE_BYTES; line <= last; line++) {
		uint64_t *met = &core->followed_code[line % PMS_FOLLOWED];
		if (*met == line)
			continue;
		*met = line;
		core->warm_clock = pms_memory_fetch(&core->memory, line * PMS_LINE_BYTES,
						    core->warm_clock, core->warm_clock, &tlb);
	}
}

PMS_HOT void pms_core_follow(struct pms_core *core, const struct pms_block *block,
			     enum pms_block_end end, uint64_t next)
{
	if (!block->count)
		return;
	follow_code(core, block);
	if (pms_block_led_to(block, end, next))
		warm_branch(core, block, next);
}

static inline void follow_line(struct pms_core *core, const struct pms_access *access,
			       uint64_t address)
{
	uint64_t line = address / PMS_LINE_BYTES;
	uint64_t *met = &core->followed_data[line % PMS_FOLLOWED];
	if (*met >> 1 == line && (*met & 1) >= access->store)
		return;
	*met = line << 1 | access->store;
	core->warm_clock++;
	warm_line(core, access, address);
}

PMS_APART void pms_core_follow_data(struct pms_core *core, const struct pms_block *block,
				    const struct pms_access *access)
{
	pass_access(core, block, access, follow_line);
}

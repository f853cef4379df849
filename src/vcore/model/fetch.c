/* SPDX-License-Identifier: MIT */
/* Fetch: groups of instructions a cycle, out of lines that were asked for ahead of it. */
#include "vcore/model/state.h"

void pms_fetch_redirect(struct pms_core *core, uint64_t cycle, enum pms_counter cause)
{
	core->fetch = cycle - 1; /* the next group adds its cycle */
	core->group_left = 0;
	core->bubble = 0;
	core->pending_cause = cause;
	core->enter = true;
	core->redirect = cycle;
}

/* The frontend runs ahead by lines: this one was asked for when the line so many before it was
 * entered, a line a cycle, and not before the last redirection. */
static void enter_line(struct pms_core *core, uint64_t pc)
{
	uint64_t seq = core->line_seq++, tlb;
	uint64_t behind = core->ahead[(seq - core->params->fetch_ahead_lines) % PMS_AHEAD_RING];
	uint64_t asked = pms_later(core->redirect, pms_later(behind, core->last_asked + 1));
	if (asked > core->fetch + 1 || !core->params->fetch_ahead_lines)
		asked = core->fetch + 1;
	core->last_asked = asked;
	core->line_ready = pms_memory_fetch(&core->memory, pc, asked, core->fetch + 1, &tlb);
	core->line_cause = tlb * 2 > core->line_ready - (core->fetch + 1)
				   ? PMS_COUNTER_FE_SLOT_ITLB
				   : PMS_COUNTER_FE_SLOT_ICACHE;
	core->ahead[seq % PMS_AHEAD_RING] = core->line_ready;
	if (core->line_ready > core->fetch + 1)
		core->group_left = 0;
}

PMS_APART void pms_fetch_window(struct pms_core *core, uint64_t pc)
{
	const struct pms_params *p = core->params;
	if (core->enter || (pc & (p->line_bytes - 1)) == 0)
		enter_line(core, pc);
	core->enter = false;
	bool held = p->mop_cache_windows && pms_window_held(core, pc);
	core->width = held ? p->fetch_width : p->decode_width;
}

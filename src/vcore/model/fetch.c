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

static void enter_window(struct pms_core *core, uint64_t pc)
{
	const struct pms_params *p = core->params;
	if (core->enter || (pc & (p->line_bytes - 1)) == 0)
		enter_line(core, pc);
	core->enter = false;
	core->width = p->fetch_width;
	if (!p->mop_cache_windows) {
		core->width = p->decode_width;
	} else if (!pms_tlb_lookup(&core->mops, pc / PMS_WINDOW_BYTES)) {
		pms_tlb_fill(&core->mops, pc / PMS_WINDOW_BYTES);
		core->width = p->decode_width;
	}
}

static void begin_group(struct pms_core *core)
{
	const struct pms_params *p = core->params;
	uint64_t next = core->fetch + 1 + core->bubble;
	core->bubble = 0;
	core->fe_cause = core->pending_cause;
	core->pending_cause = PMS_COUNTER_FE_SLOT_FETCH;
	if (core->line_ready > next) {
		next = core->line_ready;
		core->fe_cause = core->line_cause;
	}
	/* The queue before rename is full until the instruction that many before has left it. */
	uint64_t room = core->renamed[(uint8_t)(core->insn_seq - p->decode_queue)] + 1;
	if (room > next + p->fetch_to_rename)
		next = room - p->fetch_to_rename;
	core->fetch = next;
	core->group_left = core->width;
}

PMS_APART void pms_fetch_next(struct pms_core *core, uint64_t pc)
{
	if (core->enter || pc % PMS_WINDOW_BYTES == 0)
		enter_window(core, pc);
	if (core->group_left == 0)
		begin_group(core);
}

/* SPDX-License-Identifier: MIT */
/* Fetch: a group of instructions in each cycle, from lines requested ahead of it. */
#include "vcore/model/state.h"

PMS_APART bool pms_lead_follow_unusual(struct pms_lead *lead, const struct pms_lead_rules *rules,
				       uint64_t pc, uint8_t branch, unsigned bubble, uint64_t fetch)
{
	bool together = pms_lead_together(lead, pc, branch);
	lead->second = rules->pairs && !together && branch < PMS_BRANCH_INDIRECT;
	if (together || (rules->at_once && !bubble))
		return true;
	uint64_t seen = lead->cycle + (pms_lead_windows(lead, pc) >> rules->windows_log2);
	lead->cycle = (rules->runs ? seen : fetch) + 1 + bubble;
	return false;
}

void pms_fetch_redirect(struct pms_core *core, uint64_t cycle, enum pms_counter cause)
{
	core->fetch = cycle - 1; /* the next group adds its cycle */
	core->group_left = 0;
	pms_lead_restart(&core->lead, cycle);
	core->pending_cause = cause;
	core->enter = true;
	core->redirect = cycle;
	PMS_CHARGE(if (cause != PMS_COUNTER_FE_SLOT_FETCH) core->charge.refill = core->charge.now);
}

/* Enter a line. The frontend runs ahead: it requested this line when an earlier line was
 * entered, one line a cycle, and not before the last redirection. */
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

PMS_APART void pms_fetch_taken(struct pms_core *core, uint64_t pc, const struct pms_uop *uop,
			       const struct pms_prediction *prediction)
{
	const unsigned bubble = pms_predict_bubble(core->params, prediction);
	const uint64_t queue = core->params->fetch_queue;
	struct pms_lead *lead = &core->lead;
	core->enter = true;
	if (prediction->btb == PMS_BTB_MISS && bubble) {
		/* Fetch ran on to other lines until decode found the target. */
		core->redirect = core->fetch + 1 + bubble;
		pms_lead_restart(lead, core->redirect);
		core->group_left = 0;
		return;
	}
	lead->cycle = pms_later(lead->cycle + queue, core->fetch) - queue;
	if (!pms_lead_follow(lead, &core->lead_rules, pc, uop->branch, bubble, core->fetch))
		core->group_left = 0;
}

PMS_APART void pms_fetch_window(struct pms_core *core, uint64_t pc)
{
	const struct pms_params *p = core->params;
	if (core->enter)
		core->lead.from = pc;
	if (core->enter || pms_line_begins(pc))
		enter_line(core, pc);
	core->enter = false;
	bool held = p->mop_cache_windows && pms_window_held(core, pc);
	core->width = held ? p->fetch_width : p->decode_width;
}

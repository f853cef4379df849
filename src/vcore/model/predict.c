/* SPDX-License-Identifier: MIT */
#include "vcore/model/predict.h"

#include <string.h>

enum { BTB_MOST_ENTRIES = 65536, BTB_MOST_WAYS = 16 };

/* Switch off mechanisms of the predictor. */
static void leave_out(struct pms_predictor *p, const struct pms_params *params)
{
	p->asks_path = !pms_without(params, PMS_MECHANISM_INDIRECT);
	p->returns_by_path = p->asks_path && !pms_without(params, PMS_MECHANISM_RETURN_BY_PATH);
	p->indirect.blind = pms_without(params, PMS_MECHANISM_TARGET_HISTORY);
	if (pms_without(params, PMS_MECHANISM_TAGE_HISTORY))
		pms_tage_forget(&p->tage);
	if (pms_without(params, PMS_MECHANISM_TAGE))
		pms_tage_base_only(&p->tage);
}

/* Returns how many there are before the first 0. */
static unsigned count(const uint32_t *values, unsigned most)
{
	unsigned n = 0;
	while (n < most && values[n])
		n++;
	return n;
}

int pms_predictor_init(struct pms_predictor *p, const struct pms_params *params)
{
	const uint32_t histories[PMS_HISTORY_TABLES] = {
		params->tage_history_1, params->tage_history_2, params->tage_history_3,
		params->tage_history_4, params->tage_history_5, params->tage_history_6,
		params->tage_history_7, params->tage_history_8,
	};
	const uint32_t targets[PMS_INDIRECT_TABLES - 1] = {
		params->indirect_targets_1, params->indirect_targets_2, params->indirect_targets_3,
		params->indirect_targets_4, params->indirect_targets_5,
	};
	const unsigned tables = count(histories, PMS_HISTORY_TABLES);
	bool unlimited = pms_without(params, PMS_MECHANISM_BTB_LIMITS);
	memset(p, 0, sizeof(*p));
	pms_ras_init(&p->now.ras, params->ras_entries);
	pms_history_init(&p->now.history, histories, tables);
	if (pms_tage_init(&p->tage, params->tage_base_log2, tables, params->tage_table_log2) ||
	    pms_indirect_init(&p->indirect, params->indirect_table_log2, targets,
			      count(targets, PMS_INDIRECT_TABLES - 1), params->indirect_outcomes) ||
	    pms_btb_init(&p->btb, params->btb_nano_entries,
			 unlimited ? BTB_MOST_ENTRIES : params->btb_main_entries,
			 unlimited ? BTB_MOST_WAYS : params->btb_main_ways) ||
	    (params->btb_far_entries &&
	     pms_btb_add_far(&p->btb, params->btb_far_entries, params->btb_far_ways))) {
		pms_predictor_release(p);
		return -1;
	}
	leave_out(p, params);
	return 0;
}

void pms_predictor_release(struct pms_predictor *p)
{
	pms_tage_release(&p->tage);
	pms_indirect_release(&p->indirect);
	pms_btb_release(&p->btb);
}

/* Returns the target of a branch whose code does not give it. Fetch must first know that there
 * is a branch: it runs past one that no target buffer holds. */
static uint64_t known_target(const struct pms_prediction *p, uint64_t indirect, uint64_t remembered)
{
	if (p->btb == PMS_BTB_MISS)
		return 0;
	return indirect ? indirect : remembered;
}

/* Find the target of a branch predicted taken. @indirect: the indirect predictor's answer, or 0. */
static void find_target(struct pms_predictor *p, uint64_t pc, const struct pms_uop *uop,
			uint64_t indirect, struct pms_prediction *out)
{
	uint64_t remembered = 0;
	uint8_t kind;
	out->btb = (uint8_t)pms_btb_lookup(&p->btb, pc, &remembered, &kind);
	switch (uop->branch) {
	case PMS_BRANCH_RETURN:
		out->next = pms_ras_pop(&p->now.ras);
		if (!out->next) /* the calls were nested deeper than the stack */
			out->next = known_target(out, indirect, remembered);
		break;
	case PMS_BRANCH_INDIRECT:
	case PMS_BRANCH_INDIRECT_CALL:
		out->next = known_target(out, indirect, remembered);
		break;
	default:
		out->next = pc + (uint64_t)(int64_t)uop->disp;
		break;
	}
	if (uop->branch == PMS_BRANCH_CALL || uop->branch == PMS_BRANCH_INDIRECT_CALL)
		pms_ras_push(&p->now.ras, pc + pms_uop_bytes(uop));
	out->overrides = out->by_path && indirect && indirect != remembered;
	out->runs_on = !out->next; /* no target is known */
	if (out->runs_on)
		out->next = pc + pms_uop_bytes(uop);
}

/* Returns whether the path must predict the branch: its target is in a register, and the return
 * stack does not know it. */
static bool is_by_path(const struct pms_predictor *p, const struct pms_uop *uop)
{
	if (uop->branch == PMS_BRANCH_RETURN)
		return !p->now.ras.held && p->returns_by_path;
	return p->asks_path &&
	       (uop->branch == PMS_BRANCH_INDIRECT || uop->branch == PMS_BRANCH_INDIRECT_CALL);
}

/* Predict a jump whose target came with the branch before it. */
static void predict_second(struct pms_predictor *p, uint64_t pc, const struct pms_uop *uop,
			   struct pms_prediction *out)
{
	out->taken = true;
	out->runs_on = out->by_path = out->overrides = false;
	out->btb = pms_btb_knows(&p->btb, pc) ? PMS_BTB_NANO : PMS_BTB_MISS;
	out->next = pc + (uint64_t)(int64_t)uop->disp;
}

void pms_predict(struct pms_predictor *p, uint64_t pc, const struct pms_uop *uop, bool second,
		 struct pms_prediction *out)
{
	uint64_t indirect = 0;
	if (second) {
		predict_second(p, pc, uop, out);
		return;
	}
	if (uop->branch == PMS_BRANCH_COND) {
		out->taken = pms_tage_predict(&p->tage, &p->now.history, pc, &out->tage);
		out->by_path = false;
		if (!out->taken) {
			out->runs_on = true;
			out->btb = PMS_BTB_NANO; /* nothing to look up */
			out->next = pc + pms_uop_bytes(uop);
			return;
		}
	} else {
		out->taken = true;
		out->by_path = is_by_path(p, uop);
		if (out->by_path)
			indirect = pms_indirect_predict(&p->indirect, &p->now.history, pc,
							&out->indirect);
	}
	find_target(p, pc, uop, indirect, out);
}

void pms_predict_taken(struct pms_predictor *p, uint64_t pc, const struct pms_uop *uop,
		       struct pms_prediction *out)
{
	out->taken = true;
	out->by_path = is_by_path(p, uop);
	find_target(p, pc, uop, 0, out);
}

bool pms_predict_knows(struct pms_predictor *p, const struct pms_params *params, uint64_t pc,
		       const struct pms_uop *uop, uint64_t next, struct pms_prediction *prediction)
{
	const bool way = uop->branch == PMS_BRANCH_COND;
	if (!pms_without(params,
			 way ? PMS_MECHANISM_DIRECTION_MISSES : PMS_MECHANISM_TARGET_MISSES))
		return false;
	if (way && !prediction->taken) {
		find_target(p, pc, uop, 0, prediction);
		prediction->taken = true;
	} else if (way) {
		prediction->taken = false;
	}
	prediction->runs_on = way && !prediction->taken;
	prediction->next = next;
	return true;
}

void pms_predict_follow(struct pms_predictor *p, uint64_t pc, const struct pms_uop *uop, bool taken,
			uint64_t next)
{
	if (uop->branch == PMS_BRANCH_COND)
		pms_history_push(&p->now.history, pc, taken);
	else if (uop->branch != PMS_BRANCH_JUMP && uop->branch != PMS_BRANCH_CALL)
		pms_history_push_target(&p->now.history, pc, next);
}

void pms_predict_learn(struct pms_predictor *p, uint64_t pc, const struct pms_uop *uop,
		       const struct pms_prediction *prediction, bool taken, uint64_t next)
{
	if (uop->branch == PMS_BRANCH_COND)
		pms_tage_update(&p->tage, pc, &prediction->tage, taken);
	else if (prediction->by_path)
		pms_indirect_update(&p->indirect, pc, &prediction->indirect, next);
	if (taken)
		pms_btb_update(&p->btb, pc, next, uop->branch);
}

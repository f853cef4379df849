/* SPDX-License-Identifier: MIT */
/* vcore/model/lead.h - how far branch prediction runs ahead of fetch, on right and wrong paths.
 * Prediction jumps from one taken branch to the next, and queues the blocks between for fetch.
 * So the cost of a target stays hidden while fetch has something to read.
 * Source: Arm, Neoverse V2 platform, Hot Chips 2023 (shared with Neoverse V1: decoupled predict and
 * fetch pipelines, two predicted branches a cycle); Arm, Neoverse N2, Hot Chips 2021 (twice 8
 * instructions a cycle); J. Chen, BTB structure of Neoverse V1, 2025 (which branches make a pair).
 */
#ifndef PMS_VCORE_MODEL_LEAD_H
#define PMS_VCORE_MODEL_LEAD_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "vcore/model/uop.h"

enum {
	PMS_LEAD_WINDOW_LOG2 = 5,
	PMS_LEAD_WINDOWS_LOG2 = 1 /* of windows in a cycle, as a constant for the usual case */
};

/* The abilities of prediction. */
struct pms_lead_rules {
	bool usual;	      /* nothing is switched off */
	bool runs;	      /* prediction may run ahead of fetch */
	bool pairs;	      /* it predicts two branches at once */
	bool at_once;	      /* branches without a bubble are free */
	uint8_t windows_log2; /* log2 of the windows that it covers in a cycle */
};

struct pms_lead {
	uint64_t cycle; /* in which prediction reaches the block that is being fetched */
	uint64_t from;	/* the block's first instruction */
	bool second;	/* a jump at the block's end is predicted with the branch before it */
};

/** Restart prediction in @cycle: nothing is ahead of fetch. */
static inline void pms_lead_restart(struct pms_lead *lead, uint64_t cycle)
{
	lead->cycle = cycle;
	lead->second = false;
}

/** Returns the number of windows, after the first, of the block that ends with the branch at @pc.
 */
static inline uint64_t pms_lead_windows(const struct pms_lead *lead, uint64_t pc)
{
	assert(pc >= lead->from);
	return (pc >> PMS_LEAD_WINDOW_LOG2) - (lead->from >> PMS_LEAD_WINDOW_LOG2);
}

/** Returns whether the branch of kind @branch at @pc, if taken, was predicted together with the
 * branch that led to its block: it must be a jump in the block's first window. */
static inline bool pms_lead_together(const struct pms_lead *lead, uint64_t pc, uint8_t branch)
{
	return lead->second && branch == PMS_BRANCH_JUMP && !pms_lead_windows(lead, pc);
}

/** Do what pms_lead_follow does, where an ability is switched off. */
bool pms_lead_follow_unusual(struct pms_lead *lead, const struct pms_lead_rules *rules, uint64_t pc,
			     uint8_t branch, unsigned bubble, uint64_t fetch);

/**
 * Let prediction follow the taken branch of kind @branch at @pc, which is fetched in cycle @fetch.
 * @bubble: cycles that its target takes beyond one
 * Returns whether the fetch group goes on at the target.
 */
static inline bool pms_lead_follow(struct pms_lead *lead, const struct pms_lead_rules *rules,
				   uint64_t pc, uint8_t branch, unsigned bubble, uint64_t fetch)
{
	if (!rules->usual)
		return pms_lead_follow_unusual(lead, rules, pc, branch, bubble, fetch);
	if (pms_lead_together(lead, pc, branch)) {
		lead->second = false;
		return true;
	}
	lead->second = branch < PMS_BRANCH_INDIRECT;
	lead->cycle += (pms_lead_windows(lead, pc) >> PMS_LEAD_WINDOWS_LOG2) + 1 + bubble;
	return false;
}

#endif

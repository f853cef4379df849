/* SPDX-License-Identifier: MIT */
/* vcore/model/lead.h - how far branch prediction is ahead of fetch. It works on its own: it goes
 * from one taken branch to the next and leaves what lies between to the fetch queue, so that what
 * a target costs is hidden as long as fetch has something to read. On the right path and on wrong
 * ones.
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
	PMS_LEAD_WINDOWS_LOG2 = 1 /* of windows in a cycle: a constant where that is so */
};

/* What prediction is able to. */
struct pms_lead_rules {
	bool usual;	      /* all of it is as it is to be */
	bool runs;	      /* it may be ahead of fetch */
	bool pairs;	      /* it takes two branches at once */
	bool at_once;	      /* branches without a bubble cost nothing */
	uint8_t windows_log2; /* of the windows that it takes in a cycle */
};

struct pms_lead {
	uint64_t cycle; /* in which prediction is at the block that is fetched now */
	uint64_t from;	/* the block's first instruction */
	bool second;	/* a jump that ends the block goes with the branch before it */
};

/** Prediction begins anew in @cycle: nothing is ahead of fetch. */
static inline void pms_lead_restart(struct pms_lead *lead, uint64_t cycle)
{
	lead->cycle = cycle;
	lead->second = false;
}

/** Returns the windows of the block that ends with the branch at @pc, but for the first. */
static inline uint64_t pms_lead_windows(const struct pms_lead *lead, uint64_t pc)
{
	assert(pc >= lead->from);
	return (pc >> PMS_LEAD_WINDOW_LOG2) - (lead->from >> PMS_LEAD_WINDOW_LOG2);
}

/** Returns whether the branch of kind @branch at @pc, if it is taken, was predicted together with
 * the one that led to its block: a jump in the block's first window. */
static inline bool pms_lead_together(const struct pms_lead *lead, uint64_t pc, uint8_t branch)
{
	return lead->second && branch == PMS_BRANCH_JUMP && !pms_lead_windows(lead, pc);
}

/** What pms_lead_follow does where something is left out. */
bool pms_lead_follow_unusual(struct pms_lead *lead, const struct pms_lead_rules *rules, uint64_t pc,
			     uint8_t branch, unsigned bubble, uint64_t fetch);

/**
 * Prediction follows the branch of kind @branch at @pc, which is fetched in cycle @fetch and taken.
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

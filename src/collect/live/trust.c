/* SPDX-License-Identifier: MIT */
/* Decide which events to believe, and which zeros. Three sources describe an event of an Arm
 * PMU: the kernel's list, the catalog, and a trial. The list alone is not enough: hypervisors
 * list events that they do not count, and KVM counts STALL_SLOT and its parts without listing
 * them.
 * Source: Linux, arch/arm64/kvm/pmu-emul.c, kvm_pmu_get_pmceid(). */
#include "collect/live/trust.h"

#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "collect/live/event.h"
#include "collect/live/part.h"
#include "collect/live/trial.h"

/* What PMUv3 requires of a core with a cache and branch prediction. Source: Arm Architecture
 * Reference Manual, Required events. */
static const uint64_t required[] = { 0x03, 0x04, 0x10, 0x12 };

/* Events that a trial causes on any core that has them, even in user mode: accesses and refills
 * of the first cache, branches and wrong predictions, and waiting for both. */
static const uint64_t sure[] = {
	0x03, /* L1D_CACHE_REFILL */
	0x04, /* L1D_CACHE */
	0x08, /* INST_RETIRED */
	0x10, /* BR_MIS_PRED */
	0x11, /* CPU_CYCLES */
	0x12, /* BR_PRED */
	0x13, /* MEM_ACCESS */
	0x16, /* L2D_CACHE */
	0x1b, /* INST_SPEC */
	0x21, /* BR_RETIRED */
	0x22, /* BR_MIS_PRED_RETIRED */
	0x23, /* STALL_FRONTEND */
	0x24, /* STALL_BACKEND */
	0x25, /* L1D_TLB */
	0x3a, /* OP_RETIRED */
	0x3b, /* OP_SPEC */
	0x3c, /* STALL */
	0x3d, /* STALL_SLOT_BACKEND */
	0x3e, /* STALL_SLOT_FRONTEND */
	0x3f, /* STALL_SLOT */
};

static bool is_among(const uint64_t *codes, size_t n, uint64_t code)
{
	for (size_t i = 0; i < n; i++)
		if (codes[i] == code)
			return true;
	return false;
}

/* Try an event, unless an earlier trial has shown that no counter is free. */
static enum pms_perf_trial try_code(const struct pms_live *live, struct pms_perf_part *part,
				    uint64_t code)
{
	if (part->is_starved)
		return PMS_TRIAL_STARVED;
	enum pms_perf_trial outcome = pms_perf_try(live, &part->core, code);
	part->is_starved = outcome == PMS_TRIAL_STARVED;
	return outcome;
}

static bool counts_required(const struct pms_live *live, struct pms_perf_part *part, uint64_t code)
{
	enum pms_perf_trial outcome = try_code(live, part, code);
	if (outcome == PMS_TRIAL_COUNTS || outcome == PMS_TRIAL_ZERO)
		return outcome == PMS_TRIAL_COUNTS;
	return pms_pmu_has(part->core.pmu, code) != 0;
}

/* Returns whether the PMU has every required event. Emulated and restricted PMUs do not: one
 * that lacks a required event may lack any, whatever it lists. */
static bool is_complete(const struct pms_live *live, struct pms_perf_part *part)
{
	for (size_t i = 0; i < sizeof(required) / sizeof(required[0]) && !part->is_complete; i++)
		if (!counts_required(live, part, required[i]))
			part->is_complete = -1;
	if (!part->is_complete)
		part->is_complete = 1;
	return part->is_complete > 0;
}

static enum pms_perf_trust judge(const struct pms_live *live, struct pms_perf_part *part,
				 const struct pms_event *event)
{
	uint64_t code = (uint64_t)event->code;
	int listed = pms_pmu_has(part->core.pmu, code);
	enum pms_perf_trial outcome = try_code(live, part, code);
	if (outcome == PMS_TRIAL_COUNTS)
		return PMS_TRUST_FULL;
	if (!listed)
		return outcome == PMS_TRIAL_ZERO ? PMS_TRUST_UNLISTED_ZERO : PMS_TRUST_UNLISTED;
	if (outcome == PMS_TRIAL_ZERO && is_among(sure, sizeof(sure) / sizeof(sure[0]), code))
		return PMS_TRUST_ZERO;
	if (!is_complete(live, part))
		return listed < 0 && code < PMS_PMU_NAMED && outcome == PMS_TRIAL_ZERO
			       ? PMS_TRUST_UNNAMED_ZERO
			       : PMS_TRUST_PARTIAL;
	return listed > 0 || (part->is_own && !pms_perf_is_raw(event)) ? PMS_TRUST_FULL
								       : PMS_TRUST_FOREIGN;
}

enum pms_perf_trust pms_perf_trust(const struct pms_live *live, struct pms_perf_part *part,
				   size_t event)
{
	if (!part->trust[event])
		part->trust[event] =
			(unsigned char)judge(live, part, pms_catalog_event(part->catalog, event));
	return part->trust[event];
}

int pms_perf_check_trust(const struct pms_perf_part *part, enum pms_perf_trust trust, char *because,
			 size_t size)
{
	const char *name = part->core.pmu->name;
	if (trust == PMS_TRUST_UNLISTED)
		snprintf(because, size, "%s does not list it among its events", name);
	else if (trust == PMS_TRUST_UNLISTED_ZERO)
		snprintf(because, size,
			 "%s does not list it among its events, and in a trial it stayed 0", name);
	else if (trust == PMS_TRUST_UNNAMED_ZERO)
		snprintf(because, size,
			 "in a trial it stayed 0, as do events that every core has: %s is not a "
			 "whole PMU",
			 name);
	else if (trust == PMS_TRUST_ZERO)
		snprintf(because, size,
			 "it stayed 0 in a trial that makes it count on any core that has it");
	else
		return 0;
	return -PMS_EHOST;
}

const char *pms_perf_doubt(enum pms_perf_trust trust)
{
	return trust == PMS_TRUST_PARTIAL
		       ? "it read 0, as events do that a PMU lacks, and this one "
			 "lacks others that every core has"
	       : trust == PMS_TRUST_FOREIGN ? "it read 0, as events do that a core lacks, and "
					      "nothing says that this one has it"
					    : NULL;
}

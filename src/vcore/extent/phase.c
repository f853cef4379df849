/* SPDX-License-Identifier: MIT */
#include "vcore/extent/phase.h"

#include <stdatomic.h>

/* Scatter a number: the finalizer of a common 64-bit hash. */
static uint64_t scatter(uint64_t x)
{
	x ^= x >> 30;
	x *= UINT64_C(0xbf58476d1ce4e5b9);
	x ^= x >> 27;
	x *= UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/* Draw a number from 0 to @most, both included. */
static uint64_t draw(uint64_t seed, uint64_t i, uint64_t most)
{
	uint64_t number = scatter(seed + i * UINT64_C(0x9e3779b97f4a7c15));
	return (uint64_t)((unsigned __int128)number * ((unsigned __int128)most + 1) >> 64);
}

static uint64_t run_in(const struct pms_share_extent *e)
{
	uint64_t wanted = e->detail / 2 > PMS_PHASE_RUN_IN ? e->detail / 2 : PMS_PHASE_RUN_IN;
	return e->warm / 2 < wanted ? e->warm / 2 : wanted;
}

/* Returns the instructions that may lie before or behind a window: the skipped ones or, without
 * any, the warm ones. */
static uint64_t spare(const struct pms_share_extent *e)
{
	return e->skip ? e->skip : e->warm - run_in(e);
}

/* The steps of a period. */
enum { AHEAD, WARM, RUN_IN, DETAIL, BEHIND, STEPS };

static uint64_t step_length(struct pms_phase *p)
{
	const struct pms_share_extent *e = p->extent;
	switch (p->step) {
	case AHEAD:
		p->behind = draw(p->seed, p->period, spare(e));
		return spare(e) - p->behind;
	case WARM:
		return e->skip ? e->warm - run_in(e) : 0;
	case RUN_IN:
		return run_in(e);
	case DETAIL:
		return e->detail;
	default:
		return p->behind;
	}
}

static void sample_begin(struct pms_phase *p)
{
	const struct pms_share_extent *e = p->extent;
	p->first = true;
	p->mode = PMS_MODE_COUNT;
	uint64_t period = e->warm + e->detail + e->skip;
	p->left = (int64_t)(period > PMS_PHASE_START ? period : PMS_PHASE_START);
	p->step = BEHIND;
	p->period = UINT64_MAX; /* the next period is the first with a window */
}

static void sample_next(struct pms_phase *p)
{
	p->first = false;
	static const enum pms_mode modes[STEPS] = { PMS_MODE_FOLLOW, PMS_MODE_WARM, PMS_MODE_RUN,
						    PMS_MODE_COUNT, PMS_MODE_FOLLOW };
	while (p->left <= 0) {
		if (++p->step == STEPS) {
			p->step = AHEAD;
			p->period++;
		}
		p->left += (int64_t)step_length(p);
		p->mode = modes[p->step];
		if (p->mode == PMS_MODE_FOLLOW && !p->extent->skip)
			p->mode = PMS_MODE_WARM;
	}
}

/* Take the next portion to skip. Returns whether there was one. */
static bool forward_next(struct pms_phase *p)
{
	uint64_t all = p->extent->forward;
	uint64_t taken = atomic_load_explicit(p->forward_taken, memory_order_relaxed), portion;
	do {
		portion = all - taken < PMS_PHASE_PORTION ? all - taken : PMS_PHASE_PORTION;
		if (!portion)
			return false;
	} while (!atomic_compare_exchange_weak(p->forward_taken, &taken, taken + portion));
	p->left += (int64_t)portion;
	return true;
}

/* Begin the counted part, once nothing is left to skip. */
static void begin(struct pms_phase *p)
{
	p->forward = false;
	p->left = 0;
	if (p->extent->detail) {
		sample_begin(p);
	} else if (p->extent->n_regions && !p->inside) {
		pms_phase_leave(p);
	} else {
		pms_phase_enter(p);
	}
}

void pms_phase_next(struct pms_phase *p)
{
	while (p->forward && p->left <= 0)
		if (!forward_next(p))
			begin(p);
	if (p->left > 0)
		return;
	if (p->extent->detail) {
		sample_next(p);
		return;
	}
	if (p->mode == PMS_MODE_RUN)
		p->mode = PMS_MODE_WARM;
	p->left = INT64_MAX;
}

void pms_phase_init(struct pms_phase *phase, const struct pms_share_extent *extent,
		    _Atomic uint64_t *forward_taken, unsigned ordinal)
{
	*phase = (struct pms_phase){ .mode = PMS_MODE_SKIP,
				     .extent = extent,
				     .forward_taken = forward_taken,
				     .seed = scatter(ordinal),
				     .forward = true };
	pms_phase_next(phase);
}

void pms_phase_enter(struct pms_phase *p)
{
	p->inside = true;
	if (p->forward)
		return;
	p->mode = PMS_MODE_COUNT;
	p->left = INT64_MAX;
}

void pms_phase_leave(struct pms_phase *p)
{
	p->inside = false;
	if (p->forward)
		return;
	p->mode = PMS_MODE_RUN;
	p->left = PMS_PHASE_RUN_ON;
}

unsigned pms_phase_group(const struct pms_phase *p)
{
	uint64_t round = p->period / PMS_SHARE_GROUPS;
	uint64_t lot = scatter(~p->seed + round);
	/* An odd factor, so that the mapping is one to one. */
	return (unsigned)(p->period * (2 * (lot & 15) + 1) + (lot >> 4)) % PMS_SHARE_GROUPS;
}

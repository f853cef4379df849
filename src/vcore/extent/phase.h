/* SPDX-License-Identifier: MIT */
/* vcore/extent/phase.h - what a thread's instructions are for, in turn: to be left out, to keep the
 * caches warm, to warm all, to get the pipeline going, to be counted. Flow: guest blocks -> [phase]
 * -> model or not.
 *
 * Of a sampled run the start is counted as a whole, as it is like nothing behind it. The rest is
 * cut into periods of warm + detail + skip instructions, which have one window each. Where in its
 * period a window lies is drawn by lot, from numbers that are the same in every run, so that a
 * program with a rhythm of its own is not met at the same point of it each time. */
#ifndef PMS_VCORE_EXTENT_PHASE_H
#define PMS_VCORE_EXTENT_PHASE_H

#include <stdbool.h>
#include <stdint.h>

#include "vcore/share/share.h"

enum pms_mode {
	PMS_MODE_SKIP,	 /* no model */
	PMS_MODE_FOLLOW, /* predictors, and caches and TLBs by lines: pms_core_follow… */
	PMS_MODE_WARM,	 /* the micro-op cache and the prefetcher as well: pms_core_warm */
	PMS_MODE_RUN,	 /* pms_core_run, not counted */
	PMS_MODE_COUNT	 /* the same, counted */
};

/* Before it is counted, the whole model runs through the last of the warm instructions: half as
 * many as a window has, and at least so many, but half of the warm ones at most. That fills the
 * pipeline, and brings back the lines that only wrong paths ask for. */
enum { PMS_PHASE_RUN_IN = 4096 };
/* After a region was left the model goes on for so long, in case it is entered again soon. */
enum { PMS_PHASE_RUN_ON = 10000 };
/* A thread's start has so many instructions, or as many as a period: a program is linked and set up
 * by some hundred thousand, once, which windows of short periods would meet or not. */
enum { PMS_PHASE_START = 1000000 };
/* A thread takes from what the process is to leave out by portions, so as not to share each step.
 */
enum { PMS_PHASE_PORTION = 65536 };

struct pms_phase {
	enum pms_mode mode;
	int64_t left; /* instructions until pms_phase_next */
	const struct pms_share_extent *extent;
	_Atomic uint64_t *forward_taken;
	uint64_t seed;	 /* of the thread */
	uint64_t period; /* number of the period, behind the start */
	uint64_t behind; /* instructions to leave out behind its window */
	uint32_t step;	 /* within it */
	bool forward;	 /* nothing has begun yet */
	bool first;	 /* the start of a sampled run: it is counted, and is no window */
	bool inside;	 /* of the region */
};

/** @ordinal: of the thread, so that threads differ. Both pointers are borrowed. */
void pms_phase_init(struct pms_phase *phase, const struct pms_share_extent *extent,
		    _Atomic uint64_t *forward_taken, unsigned ordinal);

/** Go on to the next mode that has a length, once .left is 0 or less: what was run too much counts
 * for it. */
void pms_phase_next(struct pms_phase *phase);

/** The region is entered, or left. */
void pms_phase_enter(struct pms_phase *phase);
void pms_phase_leave(struct pms_phase *phase);

/** Returns the group, below PMS_SHARE_GROUPS, that the window of the period belongs to. Of any
 * PMS_SHARE_GROUPS in a row that begin at a multiple of it, each is in another one. */
unsigned pms_phase_group(const struct pms_phase *phase);

#endif

/* SPDX-License-Identifier: MIT */
/* vcore/extent/phase.h - the mode of a thread's instructions, in turn: skip, keep the caches
 * warm, warm everything, fill the pipeline, count. Flow: guest blocks -> [phase] -> model or
 * not.
 *
 * A sampled run counts the whole start, since no later part is like it. The rest is cut into
 * periods of warm + detail + skip instructions, with one window each. The window's place in its
 * period is random, from numbers that are the same in every run. So a periodic program is not
 * always met at the same point. */
#ifndef PMS_VCORE_EXTENT_PHASE_H
#define PMS_VCORE_EXTENT_PHASE_H

#include <stdbool.h>
#include <stdint.h>

#include "vcore/share/share.h"

enum pms_mode {
	PMS_MODE_SKIP,	 /* no model */
	PMS_MODE_FOLLOW, /* predictors, and caches and TLBs by lines: pms_core_follow */
	PMS_MODE_WARM,	 /* the micro-op cache and the prefetcher as well: pms_core_warm */
	PMS_MODE_RUN,	 /* pms_core_run, not counted */
	PMS_MODE_COUNT	 /* the same, counted */
};

/* Before a window counts, the whole model runs through the last warm instructions: half a
 * window's length, at least this many, but at most half of the warm ones. That fills the
 * pipeline, and brings back lines that only wrong paths request. */
enum { PMS_PHASE_RUN_IN = 4096 };
/* After leaving a region the model runs on for this long, in case it is soon entered again. */
enum { PMS_PHASE_RUN_ON = 10000 };
/* A thread's start has this many instructions, or a period's. Linking and setting up a program
 * takes some hundred thousand, once, which windows of short periods may or may not meet. */
enum { PMS_PHASE_START = 1000000 };
/* A thread takes its share of the process's skipped instructions in portions, so that threads
 * seldom contend. */
enum { PMS_PHASE_PORTION = 65536 };

struct pms_phase {
	enum pms_mode mode;
	int64_t left; /* instructions until pms_phase_next */
	const struct pms_share_extent *extent;
	_Atomic uint64_t *forward_taken;
	uint64_t seed;	 /* of the thread */
	uint64_t period; /* number of the period after the start */
	uint64_t behind; /* instructions to skip after its window */
	uint32_t step;	 /* step within the period */
	bool forward;	 /* nothing has begun yet */
	bool first;	 /* the start of a sampled run: counted, but no window */
	bool inside;	 /* in the region */
};

/** Begin. @ordinal: of the thread, so that threads differ. Both pointers are borrowed. */
void pms_phase_init(struct pms_phase *phase, const struct pms_share_extent *extent,
		    _Atomic uint64_t *forward_taken, unsigned ordinal);

/** Go on to the next mode with a length, once .left is 0 or less; surplus instructions count for
 * it. */
void pms_phase_next(struct pms_phase *phase);

/** Note that the region is entered, or left. */
void pms_phase_enter(struct pms_phase *phase);
void pms_phase_leave(struct pms_phase *phase);

/** Returns the group, below PMS_SHARE_GROUPS, of the period's window. PMS_SHARE_GROUPS
 * consecutive windows from a multiple of it on fall into different groups. */
unsigned pms_phase_group(const struct pms_phase *phase);

#endif

/* SPDX-License-Identifier: MIT */
/* pmuscope/gains.h - what a program would gain if one thing of the core cost it nothing: its cycles
 * on ideal cores beside those on the core itself (pmuscope/core.h lists the ideal cores). Only a
 * model can tell. Flow: model -> [gains] -> analyse -> show.
 *
 * Source: Fields, Bodik, Hill, Interaction Cost and Shotgun Profiling (2004): cost, and
 * interaction cost. */
#ifndef PMUSCOPE_GAINS_H
#define PMUSCOPE_GAINS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What would be gained with one ideal core. The texts are static. */
struct pms_gain {
	const char *name;    /* as --core-set NAME=ideal takes it: "l1d" */
	const char *title;   /* "L1D" */
	const char *meaning; /* "it has each line of data" */
	int is_group;	     /* 1: of several things, as "all of memory" */
	const char *within;  /* name of the thing whose gain includes this one; NULL: none */
	double cycles;	     /* fewer with it; negative: it takes longer */
	double percent;	     /* of the cycles of the core itself */
};

/** What two things gain together. */
struct pms_gain_pair {
	size_t a, b;	/* indices of their gains */
	double percent; /* fewer with both, of the core's cycles */
	/* Both together less each apart. Negative: they hide each other, so part of each gain is
	 * the same cycles. Positive: each hides the other, and only both give it. */
	double interaction;
};

struct pms_gains {
	double cycles;	      /* of the core itself, in the same conditions */
	size_t n_runs;	      /* of the program, the first report's not among them */
	double disagreement;  /* percent by which the instructions of the runs differ at most */
	struct pms_gain *all; /* groups first, then things: n, each sorted, the largest first */
	size_t n;
	struct pms_gain_pair *pairs; /* n_pairs, the largest interaction first */
	size_t n_pairs;
};

/** A gain below this percentage of the cycles is not worth a change of the program. */
#define PMS_GAIN_WORTH 1.0

/** Returns the gain called @name; NULL: that ideal core was not run. Borrowed. */
const struct pms_gain *pms_gains_find(const struct pms_gains *gains, const char *name);

/** Returns the thing that would gain most and is within no other; NULL: there is none. Borrowed. */
const struct pms_gain *pms_gains_first(const struct pms_gains *gains);

/** Returns the cause of a gain: the thing itself, or the thing within it that explains at least
 * three quarters of it, and so on. Borrowed. */
const struct pms_gain *pms_gains_cause(const struct pms_gains *gains, const struct pms_gain *gain);

void pms_gains_free(struct pms_gains *gains);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: MIT */
/* export/stacks.h - the rows of a profile as a tree of calls.
 * Flow: places -> [stacks] -> formats of flame graphs. */
#ifndef PMS_EXPORT_STACKS_H
#define PMS_EXPORT_STACKS_H

#include "export/places.h"

/** A call path: its parent's, and one function more. */
struct pms_export_stack {
	uint32_t parent; /* PMS_PROFILE_NONE: the function was called by nobody that is known */
	uint32_t label;	 /* functions, then threads, then the causes of kinds */
	uint32_t depth;	 /* stacks from here to the first, 1 of that one */
};

struct pms_export_stacks {
	const struct pms_export_places *places; /* borrowed */
	struct pms_export_stack *rows;		/* each behind its parent */
	size_t n_rows;
	uint32_t *row_stacks;  /* of each row of the profile */
	uint32_t *kind_stacks; /* of each cell of the profile, by cause; NULL: not told apart */
};

/** What stacks are weighed by. */
struct pms_export_weight {
	size_t measure; /* see fold.h */
	int causes;	/* 1: all slots instead, each where their cause is called */
};

/** Make the stacks. @causes: 1: also by cause. Release them even after an error.
 * Returns 0. Errors: -PMS_ENOMEM. */
int pms_export_stacks_init(struct pms_export_stacks *out, const struct pms_export_places *places,
			   int causes, struct pms_error *err);
void pms_export_stacks_release(struct pms_export_stacks *stacks);

/** Returns how deep the deepest stack is. */
size_t pms_export_deepest(const struct pms_export_stacks *stacks);

/** Returns the text of a label: a function's name, a thread's, or a cause. */
const char *pms_export_label(const struct pms_export_stacks *stacks, uint32_t label, char *buffer,
			     size_t size);

/** Returns the weight of each stack without what it calls, to be freed; NULL when out of memory. */
uint64_t *pms_export_weigh(const struct pms_export_stacks *stacks,
			   const struct pms_export_weight *weight);

/** Returns the weight's name for people. */
const char *pms_export_weight_title(const struct pms_export_stacks *stacks,
				    const struct pms_export_weight *weight);

#endif

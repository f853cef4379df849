/* SPDX-License-Identifier: MIT */
/* collect/live/part.h - what a measurement counts of the cores of one kind.
 *
 * A part (cores of one kind) has passes, a pass has members (events). What was counted is added up
 * by row (a slot, which is a member of a pass, or an event) in columns (the total, and each scope).
 * Flow: plan -> [part] -> group -> tally -> sum. */
#ifndef PMS_COLLECT_LIVE_PART_H
#define PMS_COLLECT_LIVE_PART_H

#include <stdbool.h>

#include "collect/live/event.h"

struct pms_live;
struct pms_perf_joined;
struct pms_perf_sum;
struct pms_perf_tally;

struct pms_perf_member {
	size_t event; /* index in the catalog */
	struct perf_event_attr attr;
	char *because; /* why the machine lacks it; NULL: it is there as far as is known */
	bool lacking;  /* it is known without asking the kernel */
	enum pms_count_state state; /* of the count that there is not, where it lacks the event */
	size_t row;		    /* of its event, among the part's rows */
	const char *doubt; /* why a count of 0 says nothing: "it read 0, …"; NULL: it is one */
};

struct pms_perf_pass {
	struct pms_perf_member *members;
	size_t n;
	size_t first;  /* slot of the first member, in the part */
	bool software; /* needs no counter */
};

struct pms_perf_part {
	const struct pms_catalog *catalog;
	struct pms_plan *plan;
	struct pms_perf_core core;
	uint64_t midr;		/* of its cores; 0: not known */
	bool is_foreign;	/* they are not known to be the catalog's, and what is counted
				 * is Linux's own events */
	char core_name[64];	/* whose codes are this machine's; "": the catalog's own */
	unsigned char *lacking; /* by event: 1: it is wanted, and the machine lacks it */
	unsigned char *tried;	/* by event: 1: a trial of it ran, 2: it never did */
	unsigned char *trust;	/* by event: enum pms_perf_trust */
	bool is_own;		/* this machine's cores are the catalog's */
	bool is_starved;	/* a trial never had a counter */
	int is_complete; /* the PMU has all that each has to have: 1 it has, -1 not, 0 not known */
	unsigned counters;	      /* programmable ones that were found free; 0: not known */
	struct pms_perf_pass *passes; /* those of counters come first */
	size_t n_passes;
	bool none_free;	  /* others have all programmable counters */
	bool has_cycles;  /* behind those of the plan, a pass has cycles alone */
	size_t n_counted; /* those of counters: the plan's, less those that the machine's lacks
			   * have left without an event of their own */
	size_t n_slots;	  /* members of passes */
	size_t n_rows;	  /* slots, then events: each once, whatever its passes */
	size_t room;	  /* columns that there is room for */
	struct pms_perf_tally *tallies;	 /* of the run or interval: columns x rows */
	struct pms_perf_sum *sums;	 /* over runs: columns x rows */
	struct pms_perf_joined *joining; /* by event, of the rows behind the slots: of one place */
	double *runs; /* the total's counts by run and slot; NULL: there is one run */
};

/** The most passes that a part has counters for, 1 at least. */
size_t pms_perf_most_passes(const struct pms_live *live);

#endif

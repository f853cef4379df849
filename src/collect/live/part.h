/* SPDX-License-Identifier: MIT */
/* collect/live/part.h - the counts of one kind of cores. A part (cores of one kind) has passes,
 * and a pass has members (events). Counts are added up in rows and columns. A row is a slot (a
 * member of a pass) or an event; a column is the total or a scope.
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
	char *because;		    /* why the machine lacks it; NULL: present as far as is known */
	bool lacking;		    /* known without asking the kernel */
	enum pms_count_state state; /* state of the missing count */
	size_t row;		    /* of its event, among the part's rows */
	const char *doubt; /* why a count of 0 says nothing: "it read 0, …"; NULL: a 0 is a 0 */
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
	bool is_foreign;	/* the cores may not be the catalog's, and only Linux's own
				 * events are counted */
	char core_name[64];	/* core whose codes the machine uses; "": the catalog's own */
	unsigned char *lacking; /* by event: 1: wanted, but missing on this machine */
	unsigned char *tried;	/* by event: 1: its trial ran, 2: its trial never ran */
	unsigned char *trust;	/* by event: enum pms_perf_trust */
	bool is_own;		/* this machine's cores are known to be the catalog's */
	bool is_starved;	/* a trial never had a counter */
	int is_complete;	/* the PMU has every required event: 1 yes, -1 no, 0 not known */
	unsigned counters;	/* programmable counters found free; 0: not known */
	struct pms_perf_pass *passes; /* those that need counters come first */
	size_t n_passes;
	bool none_free;	  /* others hold all programmable counters */
	bool has_cycles;  /* after the plan's passes, one has only cycles */
	size_t n_counted; /* passes that need counters: the plan's, without those whose own
			   * events the machine lacks */
	size_t n_slots;	  /* members of passes */
	size_t n_rows;	  /* slots, then events: each once, whatever its passes */
	size_t room;	  /* columns that there is room for */
	struct pms_perf_tally *tallies;	 /* of the run or interval: columns x rows */
	struct pms_perf_sum *sums;	 /* over runs: columns x rows */
	struct pms_perf_joined *joining; /* by event, of the rows behind the slots: of one place */
	double *runs; /* the total's counts by run and slot; NULL: there is one run */
};

/** Returns the most passes of any part that need counters, at least 1. */
size_t pms_perf_most_passes(const struct pms_live *live);

#endif

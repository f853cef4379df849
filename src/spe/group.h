/* SPDX-License-Identifier: MIT */
/* spe/group.h - sums over the records of one row of a report.
 * Flow: samples -> aggregate -> [group] -> report. */
#ifndef PMS_SPE_GROUP_H
#define PMS_SPE_GROUP_H

#include "pmuscope/spe_report.h"
#include "spe/column.h"
#include "spe/sketch.h"

enum {
	PMS_LANES = 4,	      /* of eight counts: three of events, one of kinds of records */
	PMS_LANES_FULL = 255, /* records that eight bits can count */
	PMS_COUNTS = 8 * PMS_LANES
};

/** The last eight counts: what kind of record it is. */
enum pms_spe_group_kind {
	PMS_KIND_LOAD = 24,
	PMS_KIND_STORE,
	PMS_KIND_BRANCH,
	PMS_KIND_EVENTS,    /* it has an events packet */
	PMS_KIND_WAITED,    /* a load with total and issue latency */
	PMS_KIND_NOT_TAKEN, /* a branch with that event: others have it too, and mean another thing
			     */
	PMS_KIND_MISPREDICTED,
	PMS_KIND_ATOMIC
};

/** Records that had their data from one source. */
struct pms_group_from {
	uint64_t count, sum;
	uint64_t wait;	  /* of the loads among them that waited */
	uint32_t n_total; /* records with a total latency; below 2^32, as a bucket's count */
	uint32_t waited;
};

/* What every record touches comes first, in the order in which it does. Groups of few records are
 * small: a file can ask for one with every ten bytes. */
struct pms_spe_group {
	uint64_t records;
	/* Eight counts in each, of 8 bits, of the last `pending` records: moved to counts before
	 * they overflow. */
	uint64_t lanes[PMS_LANES];
	uint16_t pending;
	uint16_t has_from;	     /* bit n: records of source number n were met, */
	uint32_t n_from;	     /* of so many numbers */
	uint64_t from_at;	     /* bits 4n to 4n + 3: where they are in from */
	struct pms_group_from *from; /* room for the next power of two */
	struct pms_sketch total, issue, translation;
	struct pms_sketch wait; /* total less issue latency of the loads that have both */
	uint64_t *counts;	/* PMS_COUNTS; NULL: lanes have them all */
	uint64_t address; /* what it is about, of the first record: PC or data address, canonical */
	uint32_t space;	  /* of the first record */
};

/** Tell the processor that @group is about to be added to. */
static inline void pms_group_prefetch(const struct pms_spe_group *group)
{
	const char *at = (const char *)group;
	__builtin_prefetch(at, 1);
	__builtin_prefetch(at + 64, 1);
	__builtin_prefetch(at + 128, 1);
	__builtin_prefetch(at + 191, 1); /* groups need not begin with a line of the cache */
}

/** Numbers for the data sources that were met, in the order of their coming; the last is for all
 * beyond. */
struct pms_sources {
	uint8_t number[1 << 16]; /* one more; 0: not met */
	uint16_t source[PMS_SPE_FROM_MOST];
	unsigned count;
};

/** One record, as far as sums are concerned. */
struct pms_group_record {
	uint32_t has;
	uint32_t latencies; /* of those bits, the ones whose distributions are kept */
	uint64_t events;
	uint16_t total, issue, translation, source;
	uint8_t atomic;		 /* 1: reads and writes */
	enum pms_spe_op_word op; /* PMS_SPE_UNKNOWN without an operation */
};

/** Spread the bits of a byte: bit n becomes the lowest bit of byte 7 - n. */
static inline uint64_t pms_lanes_spread(uint64_t byte)
{
	/* Each copy of the byte is one bit further; the products do not overlap in bits 7, 15, …
	 */
	return (byte * UINT64_C(0x8040201008040201) & UINT64_C(0x8080808080808080)) >> 7;
}

/** What memory was short for is not counted: the budget says so. */
void pms_group_add(struct pms_spe_group *group, const struct pms_group_record *record,
		   struct pms_sources *sources, struct pms_sketch_budget *budget);

/** Add all of @other to @group. */
void pms_group_merge(struct pms_spe_group *group, const struct pms_spe_group *other,
		     struct pms_sketch_budget *budget);

/** Work out the numbers of a row; keys, sharing and touches are left alone. */
void pms_group_row(const struct pms_spe_group *group, const struct pms_sources *sources,
		   struct pms_spe_row *row);

void pms_group_release(struct pms_spe_group *group, struct pms_sketch_budget *budget);

#endif

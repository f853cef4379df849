/* SPDX-License-Identifier: MIT */
/* spe/aggregate.h - group the records of batches, and sum over each group. Flow: samples ->
 * filter -> [aggregate] -> report. */
#ifndef PMS_SPE_AGGREGATE_H
#define PMS_SPE_AGGREGATE_H

#include "base/limits.h"
#include "spe/data.h"
#include "spe/group.h"
#include "spe/places.h"
#include "spe/touches.h"
#include "spe/words.h"

enum { PMS_GROUP_CHUNK = 256 };
enum { PMS_LINE_SHIFT = 6 };

/* The high half of a data key: a process, or one of these. */
#define PMS_KEY_PHYSICAL UINT64_C(0xfffffffd)
#define PMS_KEY_KERNEL	 UINT64_C(0xfffffffe)

/** A page of code, and the group of its object. */
struct pms_page_group {
	uint64_t page;
	uint32_t space;
	uint32_t group; /* 0: there is none here; n: n - 1 */
};

/** Pages of code whose groups are remembered. */
enum { PMS_PAGE_GROUPS = 1 << 12 };

struct pms_aggregate {
	enum pms_spe_by by;
	/* Latencies to keep distributions of, as bits of enum pms_spe_has. */
	uint32_t latencies;
	/* With two keys, an aggregate for each key numbers that key's groups; a group here is a
	 * pair of these numbers. Both NULL: there is one key. */
	struct pms_aggregate *pair[2];
	struct pms_places places;
	struct pms_symbols *symbols; /* NULL: not needed; borrowed */
	struct pms_data *data;	     /* what looks up variables; borrowed */
	struct pms_words files;	     /* of source code */
	uint32_t *group_of;	     /* group by the number of its place, where it has one */
	size_t n_group_of;
	struct pms_page_group *pages;  /* PMS_PAGE_GROUPS; NULL: not grouped by object */
	struct pms_table table;	       /* of groups */
	struct pms_spe_group **chunks; /* PMS_GROUP_CHUNK groups each, which never move */
	struct pms_key *keys;	       /* of each group */
	size_t count, most;	       /* groups */
	struct pms_spe_group rest;
	struct pms_sources sources;
	struct pms_touches touches;
	struct pms_sketch_budget budget;
	size_t room; /* bytes that rows, places and touches may still take */
	int targets; /* 1: touches are targets of branches */
	uint64_t keyless, dropped;
	int failed; /* 1: out of memory */
};

/** Begin an aggregate. @most_groups, @most_buckets: 0 for PMS_MOST_SPE_GROUPS,
 * PMS_MOST_SPE_BUCKETS. Errors: -PMS_ENOMEM. */
int pms_aggregate_init(struct pms_aggregate *a, enum pms_spe_by by,
		       const struct pms_place_finder *finder, size_t most_groups,
		       size_t most_buckets);
void pms_aggregate_release(struct pms_aggregate *a);

/** Bound groups, places and touches by the size of the file. Call before adding. Groups beyond
 * the bound go to the rest; touches beyond it are dropped. @buckets: 1: bound buckets too */
void pms_aggregate_bound(struct pms_aggregate *a, uint64_t bytes, int buckets);

/** Group by two keys. Call before adding. Touches are not recorded then. Errors: -PMS_ENOMEM. */
int pms_aggregate_also(struct pms_aggregate *a, enum pms_spe_by also, size_t most_groups);

/** Add a batch.
 * @keep: 1 for each record to add; NULL: add all
 * Returns 0 or -PMS_ENOMEM. */
int pms_aggregate_add(struct pms_aggregate *a, const struct pms_spe_samples_batch *batch,
		      const uint8_t *keep);

static inline struct pms_spe_group *pms_aggregate_group(const struct pms_aggregate *a, size_t i)
{
	return &a->chunks[i / PMS_GROUP_CHUNK][i % PMS_GROUP_CHUNK];
}

#endif

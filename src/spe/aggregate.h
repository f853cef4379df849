/* SPDX-License-Identifier: MIT */
/* spe/aggregate.h - batches of samples into groups.
 * Flow: samples -> filter -> [aggregate] -> report. */
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

/* The high half of the key of data: a process, or one of these. */
#define PMS_KEY_PHYSICAL UINT64_C(0xfffffffd)
#define PMS_KEY_KERNEL	 UINT64_C(0xfffffffe)

/** A page of code, and the group of its object. */
struct pms_page_group {
	uint64_t page;
	uint32_t space;
	uint32_t group; /* 0: there is none here; n: n - 1 */
};

/** Pages that groups of objects are remembered of. */
enum { PMS_PAGE_GROUPS = 1 << 12 };

struct pms_aggregate {
	enum pms_spe_by by;
	/* Latencies that are put together, of those that enum pms_spe_has has bits for. */
	uint32_t latencies;
	/* Of two keys: each has its groups numbered by an aggregate of its own, and a group here is
	 * of two such numbers. Both NULL: there is one key. */
	struct pms_aggregate *pair[2];
	struct pms_places places;
	struct pms_symbols *symbols; /* NULL: of no use to what is asked for; borrowed */
	struct pms_data *data;	     /* what looks up variables; borrowed */
	struct pms_words files;	     /* of source code */
	uint32_t *group_of;	     /* of each place that had one, by the place's number */
	size_t n_group_of;
	struct pms_page_group *pages;  /* PMS_PAGE_GROUPS; NULL: not by object */
	struct pms_table table;	       /* of groups */
	struct pms_spe_group **chunks; /* PMS_GROUP_CHUNK groups each, where they stay */
	struct pms_key *keys;	       /* of each group */
	size_t count, most;	       /* groups */
	struct pms_spe_group rest;
	struct pms_sources sources;
	struct pms_touches touches;
	struct pms_sketch_budget budget;
	size_t room; /* bytes that more rows, places and touches may take */
	int targets; /* 1: touches are targets of branches */
	uint64_t keyless, dropped;
	int failed; /* 1: out of memory */
};

/** @most_groups, @most_buckets: 0 for PMS_MOST_SPE_GROUPS, PMS_MOST_SPE_BUCKETS. Errors:
 * -PMS_ENOMEM. */
int pms_aggregate_init(struct pms_aggregate *a, enum pms_spe_by by,
		       const struct pms_place_finder *finder, size_t most_groups,
		       size_t most_buckets);
void pms_aggregate_release(struct pms_aggregate *a);

/** Before anything is added: take no more than suits a file of @bytes. What is beyond goes to the
 * rest, and to no touches. @buckets: 1 to bound those too. */
void pms_aggregate_bound(struct pms_aggregate *a, uint64_t bytes, int buckets);

/** Before anything is added: put records together by two keys. Touches are not told then.
 * Errors: -PMS_ENOMEM */
int pms_aggregate_also(struct pms_aggregate *a, enum pms_spe_by also, size_t most_groups);

/**
 * Add a batch.
 * @keep: 1 for each record that is meant, NULL: all are
 * Returns 0 or -PMS_ENOMEM.
 */
int pms_aggregate_add(struct pms_aggregate *a, const struct pms_spe_samples_batch *batch,
		      const uint8_t *keep);

static inline struct pms_spe_group *pms_aggregate_group(const struct pms_aggregate *a, size_t i)
{
	return &a->chunks[i / PMS_GROUP_CHUNK][i % PMS_GROUP_CHUNK];
}

#endif

/* SPDX-License-Identifier: MIT */
/* spe/sketch.h - a distribution of latencies: how many, their mean, and percentiles within 1 %.
 * Flow: records -> aggregate -> [sketch] -> report.
 *
 * Counters of SPE have 16 bits at most. Values below 128 have a bucket each. From there
 * each doubling is cut into 64 buckets. So a bucket is at most 1/64 of its values wide, and its
 * middle is within 1/128 (0.8 %) of each. A sketch keeps the stretch of buckets
 * between the least and the greatest value that it met: 704 counts of 4 bytes at most. */
#ifndef PMS_SPE_SKETCH_H
#define PMS_SPE_SKETCH_H

#include <stddef.h>
#include <stdint.h>

enum {
	PMS_SKETCH_EXACT = 128,	  /* values below have a bucket each */
	PMS_SKETCH_BUCKETS = 704, /* 128 + 9 * 64 */
	PMS_SKETCH_BLOCK = 16,	  /* buckets are taken by so many at a time */
	PMS_SKETCH_ALIKE = 8	  /* values that are all the same take no buckets, up to so many */
};

/** Memory that sketches may still take, in bytes: one for all of a report. */
struct pms_sketch_budget {
	size_t left;
	int failed; /* 1: there was less than that, or than what a group needs beside them */
};

/** Zero-initialise before use. As small as it goes: a report has three for each of its groups. */
struct pms_sketch {
	uint32_t *counts;  /* of the buckets first to first + n - 1; n 0: all values are alike */
	uint16_t first, n; /* of one that a bucket found no room in: PMS_SKETCH_LOST and 0 */
	uint16_t least, greatest;
	uint64_t count, sum;
};

enum { PMS_SKETCH_LOST = UINT16_MAX };

/** The bucket of a value. */
static inline unsigned pms_sketch_bucket(unsigned value)
{
	if (value < PMS_SKETCH_EXACT)
		return value;
	unsigned shift = 25U - (unsigned)__builtin_clz(value); /* 128 to 255: 1 */
	return 64 * shift + (value >> shift);
}

/** The middle of a bucket's values, rounded down. */
unsigned pms_sketch_middle(unsigned bucket);

/** Tell the processor that @value is about to be added. */
static inline void pms_sketch_prefetch(const struct pms_sketch *sketch, uint16_t value)
{
	unsigned at = pms_sketch_bucket(value) - sketch->first;
	if (at < sketch->n)
		__builtin_prefetch(&sketch->counts[at], 1);
}

/** Make room for the bucket of @value, the last that was counted. Returns 1, or 0 where it needs
 * none: all values are alike, or memory is short and the sketch lost. */
int pms_sketch_room(struct pms_sketch *sketch, uint16_t value, struct pms_sketch_budget *budget);

/** Let the value that was counted last lie between least and greatest. */
static inline void pms_sketch_widen(struct pms_sketch *sketch, uint16_t value)
{
	if (sketch->count == 1)
		sketch->least = sketch->greatest = value;
	sketch->least = value < sketch->least ? value : sketch->least;
	sketch->greatest = value > sketch->greatest ? value : sketch->greatest;
}

/** Add a value. Count, sum, least and greatest are kept whatever becomes of the buckets. */
static inline void pms_sketch_add(struct pms_sketch *sketch, uint16_t value,
				  struct pms_sketch_budget *budget)
{
	unsigned bucket = pms_sketch_bucket(value);
	sketch->count++;
	sketch->sum += value;
	if (__builtin_expect(value < sketch->least || value > sketch->greatest, 0))
		pms_sketch_widen(sketch, value);
	if (__builtin_expect(bucket - sketch->first >= sketch->n, 0) &&
	    !pms_sketch_room(sketch, value, budget))
		return;
	uint32_t *count = &sketch->counts[bucket - sketch->first];
	*count += *count != UINT32_MAX;
}

/** Add all of @other to @sketch. */
void pms_sketch_merge(struct pms_sketch *sketch, const struct pms_sketch *other,
		      struct pms_sketch_budget *budget);

/**
 * The least value that at least @percent % of the values do not exceed (nearest rank), within 1 %.
 * @percent: above 0, to 100
 * Returns the value, or -1 when there is none: no values, or memory was short.
 */
int pms_sketch_percentile(const struct pms_sketch *sketch, double percent);

/**
 * How many values are 0, 1, 2 to 3, 4 to 7, ..., 32768 to 65535.
 * Returns 1, 0 where that is not known: no values, or memory was short.
 */
int pms_sketch_octaves(const struct pms_sketch *sketch, uint64_t octaves[17]);

void pms_sketch_release(struct pms_sketch *sketch, struct pms_sketch_budget *budget);

#endif

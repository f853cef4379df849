/* SPDX-License-Identifier: MIT */
#include "spe/sketch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

unsigned pms_sketch_middle(unsigned bucket)
{
	if (bucket < PMS_SKETCH_EXACT)
		return bucket;
	unsigned shift = bucket / 64 - 1;
	unsigned least = (bucket - 64 * shift) << shift;
	return least + ((1U << shift) - 1) / 2;
}

static void lose(struct pms_sketch *sketch, struct pms_sketch_budget *budget)
{
	budget->left += sketch->n * sizeof(uint32_t);
	free(sketch->counts);
	sketch->counts = NULL;
	sketch->first = PMS_SKETCH_LOST;
	sketch->n = 0;
}

/* The stretch grows by whole blocks, at either end. */
static int grow(struct pms_sketch *sketch, unsigned bucket, struct pms_sketch_budget *budget)
{
	unsigned first = bucket / PMS_SKETCH_BLOCK * PMS_SKETCH_BLOCK;
	unsigned end = first + PMS_SKETCH_BLOCK;
	if (sketch->first == PMS_SKETCH_LOST)
		return 0;
	if (sketch->n) {
		first = first < sketch->first ? first : sketch->first;
		end = end > (unsigned)sketch->first + sketch->n
			      ? end
			      : (unsigned)sketch->first + sketch->n;
	}
	size_t more = (end - first - sketch->n) * sizeof(uint32_t);
	uint32_t *counts = more <= budget->left ? calloc(end - first, sizeof(*counts)) : NULL;
	budget->failed |= !counts && more <= budget->left;
	if (!counts) {
		lose(sketch, budget);
		return 0;
	}
	budget->left -= more;
	if (sketch->n)
		memcpy(counts + (sketch->first - first), sketch->counts,
		       sketch->n * sizeof(*counts));
	free(sketch->counts);
	sketch->counts = counts;
	sketch->first = (uint16_t)first;
	sketch->n = (uint16_t)(end - first);
	return 1;
}

static void count(struct pms_sketch *sketch, unsigned bucket, uint64_t n)
{
	uint32_t *counts = &sketch->counts[bucket - sketch->first];
	uint32_t left = UINT32_MAX - *counts;
	*counts += n < left ? (uint32_t)n : left;
}

/* Give the first buckets to a sketch whose @n values were all @value. */
static int spread(struct pms_sketch *sketch, uint16_t value, uint64_t n,
		  struct pms_sketch_budget *budget)
{
	unsigned bucket = pms_sketch_bucket(value);
	if (!n)
		return 1;
	if (!grow(sketch, bucket, budget))
		return 0;
	count(sketch, bucket, n);
	return 1;
}

int pms_sketch_room(struct pms_sketch *sketch, uint16_t value, struct pms_sketch_budget *budget)
{
	uint16_t before = sketch->least == value ? sketch->greatest : sketch->least;
	if (sketch->first == PMS_SKETCH_LOST)
		return 0;
	if (!sketch->n && before == value && sketch->count <= PMS_SKETCH_ALIKE)
		return 0;
	if (!sketch->n && !spread(sketch, before, sketch->count - 1, budget))
		return 0;
	return grow(sketch, pms_sketch_bucket(value), budget);
}

static void merge_buckets(struct pms_sketch *sketch, const struct pms_sketch *other,
			  struct pms_sketch_budget *budget)
{
	unsigned last = other->first + other->n - 1U;
	if ((other->first < sketch->first || !sketch->n) && !grow(sketch, other->first, budget))
		return;
	if (last - sketch->first >= sketch->n && !grow(sketch, last, budget))
		return;
	for (unsigned i = 0; i < other->n; i++)
		count(sketch, other->first + i, other->counts[i]);
}

static int fits(const struct pms_sketch *sketch, unsigned bucket)
{
	return bucket - sketch->first < sketch->n;
}

void pms_sketch_merge(struct pms_sketch *sketch, const struct pms_sketch *other,
		      struct pms_sketch_budget *budget)
{
	struct pms_sketch before = *sketch;
	if (!other->count)
		return;
	if (!sketch->count || other->least < sketch->least)
		sketch->least = other->least;
	if (other->greatest > sketch->greatest)
		sketch->greatest = other->greatest;
	sketch->count += other->count;
	sketch->sum += other->sum;
	if (other->first == PMS_SKETCH_LOST)
		lose(sketch, budget);
	else if (sketch->first == PMS_SKETCH_LOST ||
		 (!before.n && !spread(sketch, before.least, before.count, budget)))
		return;
	else if (other->n)
		merge_buckets(sketch, other, budget);
	else if (fits(sketch, pms_sketch_bucket(other->least)) ||
		 grow(sketch, pms_sketch_bucket(other->least), budget))
		count(sketch, pms_sketch_bucket(other->least), other->count);
}

int pms_sketch_percentile(const struct pms_sketch *sketch, double percent)
{
	uint64_t below = 0, rank;
	if (!sketch->count || sketch->first == PMS_SKETCH_LOST)
		return -1;
	rank = (uint64_t)ceil(percent * (double)sketch->count / 100);
	rank = rank < 1 ? 1 : rank > sketch->count ? sketch->count : rank;
	for (unsigned i = 0; i < sketch->n; i++) {
		below += sketch->counts[i];
		if (below >= rank) {
			unsigned value = pms_sketch_middle(sketch->first + i);
			value = value < sketch->least ? sketch->least : value;
			return (int)(value > sketch->greatest ? sketch->greatest : value);
		}
	}
	return sketch->greatest;
}

void pms_sketch_release(struct pms_sketch *sketch, struct pms_sketch_budget *budget)
{
	budget->left += sketch->n * sizeof(uint32_t);
	free(sketch->counts);
	*sketch = (struct pms_sketch){ 0 };
}

/* The bits of a number: 0 has none, 32768 has 16. */
static unsigned octave_of(unsigned value)
{
	return value ? 32U - (unsigned)__builtin_clz(value) : 0;
}

int pms_sketch_octaves(const struct pms_sketch *sketch, uint64_t octaves[17])
{
	memset(octaves, 0, 17 * sizeof(*octaves));
	if (!sketch->count || sketch->first == PMS_SKETCH_LOST)
		return 0;
	/* A bucket lies within one doubling. */
	for (unsigned i = 0; i < sketch->n; i++)
		octaves[octave_of(pms_sketch_middle(sketch->first + i))] += sketch->counts[i];
	if (!sketch->n)
		octaves[octave_of(sketch->least)] = sketch->count;
	return 1;
}

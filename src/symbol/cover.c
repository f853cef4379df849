/* SPDX-License-Identifier: MIT */
#include "symbol/cover.h"

#include <stdlib.h>

#include "base/array.h"
#include "pmuscope/error.h"

#define NONE UINT32_MAX

int pms_ranges_add(struct pms_ranges *r, uint64_t low, uint64_t high, uint32_t row)
{
	if (low >= high)
		return 0;
	void *room = pms_array_room(r->rows, r->count, sizeof(*r->rows));
	if (!room)
		return -PMS_ENOMEM;
	r->rows = room;
	r->rows[r->count++] = (struct pms_range){ low, high, row };
	return 0;
}

void pms_ranges_release(struct pms_ranges *r)
{
	free(r->rows);
	*r = (struct pms_ranges){ 0 };
}

static int order(const void *a, const void *b)
{
	const struct pms_range *x = a, *y = b;
	return x->low < y->low ? -1 : x->low > y->low;
}

/* The ranges that were begun, as a heap: the highest row first. Those that have ended stay in it
 * until they come first. */
struct begun {
	const struct pms_range *ranges;
	size_t *heap;
	size_t count;
};

static uint32_t row_at(const struct begun *b, size_t i)
{
	return b->ranges[b->heap[i]].row;
}

static void exchange(struct begun *b, size_t i, size_t k)
{
	size_t one = b->heap[i];
	b->heap[i] = b->heap[k];
	b->heap[k] = one;
}

static void push(struct begun *b, size_t range)
{
	size_t i = b->count++;
	b->heap[i] = range;
	for (; i && row_at(b, i) > row_at(b, (i - 1) / 2); i = (i - 1) / 2)
		exchange(b, i, (i - 1) / 2);
}

static void pop(struct begun *b)
{
	size_t i = 0, child;
	b->heap[0] = b->heap[--b->count];
	while ((child = 2 * i + 1) < b->count) {
		if (child + 1 < b->count && row_at(b, child + 1) > row_at(b, child))
			child++;
		if (row_at(b, i) >= row_at(b, child))
			break;
		exchange(b, i, child);
		i = child;
	}
}

/* From one address at which something may change to the next: where a range begins, or the one that
 * counts ends. There are two for each range at most. */
static void sweep(struct pms_cover *cover, const struct pms_ranges *ranges, struct begun *b)
{
	size_t next = 0;
	while (next < ranges->count || b->count) {
		uint64_t at = b->count ? b->ranges[b->heap[0]].high : ranges->rows[next].low;
		if (next < ranges->count && ranges->rows[next].low < at)
			at = ranges->rows[next].low;
		while (next < ranges->count && ranges->rows[next].low == at)
			push(b, next++);
		while (b->count && b->ranges[b->heap[0]].high <= at)
			pop(b);
		uint32_t row = b->count ? row_at(b, 0) : NONE;
		if (!cover->count || cover->cuts[cover->count - 1].row != row)
			cover->cuts[cover->count++] = (struct pms_cover_cut){ at, row };
	}
}

int pms_cover_make(struct pms_cover *cover, struct pms_ranges *ranges)
{
	struct begun begun = { .ranges = ranges->rows };
	size_t n = ranges->count;
	*cover = (struct pms_cover){ 0 };
	if (!n)
		return 0;
	begun.heap = reallocarray(NULL, n, sizeof(*begun.heap));
	cover->cuts = reallocarray(NULL, n, 2 * sizeof(*cover->cuts));
	int status = begun.heap && cover->cuts ? 0 : -PMS_ENOMEM;
	if (!status) {
		qsort(ranges->rows, n, sizeof(*ranges->rows), order);
		sweep(cover, ranges, &begun);
	}
	free(begun.heap);
	pms_ranges_release(ranges);
	return status;
}

uint32_t pms_cover_find(const struct pms_cover *cover, uint64_t address)
{
	size_t low = 0, high = cover->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (cover->cuts[middle].from <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? cover->cuts[low - 1].row : NONE;
}

void pms_cover_release(struct pms_cover *cover)
{
	free(cover->cuts);
	*cover = (struct pms_cover){ 0 };
}

/* SPDX-License-Identifier: MIT */
#include "symbol/names.h"
#include "base/array.h"
#include "pmuscope/error.h"

#include <stdlib.h>
#include <string.h>

int pms_names_add(struct pms_names *names, const struct pms_name_at *row)
{
	void *room = pms_array_room(names->rows, names->count, sizeof(*row));
	if (!room)
		return -PMS_ENOMEM;
	names->rows = room;
	names->rows[names->count++] = *row;
	return 0;
}

/* By address; of those that begin together the longest first, then that to be preferred. */
static int order(const void *a, const void *b)
{
	const struct pms_name_at *x = a, *y = b;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	return strcmp(x->name, y->name);
}

void pms_names_settle(struct pms_names *names, uint64_t end)
{
	struct pms_name_at *rows = names->rows;
	size_t kept = 0;
	uint64_t reach = 0;
	if (!names->count)
		return;
	qsort(rows, names->count, sizeof(*rows), order);
	for (size_t i = 0; i < names->count; i++) {
		struct pms_name_at row = rows[i];
		/* Another name for the one before; a label inside of it. */
		if (kept && row.start == rows[kept - 1].start &&
		    (row.end == rows[kept - 1].end || row.end == row.start))
			continue;
		if (row.end == row.start) {
			if (row.start < reach)
				continue;
			size_t next = i + 1;
			while (next < names->count && rows[next].start == row.start)
				next++;
			row.end = next < names->count ? rows[next].start : end;
			if (row.reach && row.end > row.reach)
				row.end = row.reach;
			if (row.end <= row.start)
				continue;
		}
		reach = row.end > reach ? row.end : reach;
		row.reach = reach;
		rows[kept++] = row;
	}
	names->count = kept;
}

const struct pms_name_at *pms_names_find(const struct pms_names *names, uint64_t address)
{
	size_t low = 0, high = names->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (names->rows[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low > 0 && names->rows[low - 1].reach > address; low--)
		if (names->rows[low - 1].end > address)
			return &names->rows[low - 1];
	return NULL;
}

void pms_names_release(struct pms_names *names)
{
	free(names->rows);
	*names = (struct pms_names){ 0 };
}

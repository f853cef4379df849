/* SPDX-License-Identifier: MIT */
#include "symbol/names.h"
#include "base/array.h"
#include "pmuscope/error.h"

#include <stdlib.h>
#include <string.h>

int pms_names_add(struct pms_symbol_names *names, const struct pms_name_at *row)
{
	void *room = pms_array_room(names->rows, names->count, sizeof(*row));
	if (!room)
		return -PMS_ENOMEM;
	names->rows = room;
	names->rows[names->count++] = *row;
	return 0;
}

/* By address; of those that begin together the longest first, then that to be preferred. Names may
 * be as long as the file, and all alike: only so much of them is compared. */
static int order(const void *a, const void *b)
{
	enum { COMPARED = 64 };
	const struct pms_name_at *x = a, *y = b;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	return strncmp(x->name, y->name, COMPARED);
}

/* Where the one without an end ends: at the next one, at its latest, or at @end. */
static uint64_t end_of(const struct pms_name_at *row, const struct pms_name_at *next, uint64_t end)
{
	uint64_t at = next ? next->start : end;
	return row->latest && at > row->latest ? row->latest : at;
}

/* Rows in order: those that count are kept, each with its end. */
static void keep(struct pms_symbol_names *names, uint64_t end)
{
	struct pms_name_at *rows = names->rows;
	size_t kept = 0, next = 0; /* next: the first that begins behind */
	uint64_t reach = 0;
	for (size_t i = 0; i < names->count; i++) {
		struct pms_name_at row = rows[i];
		for (next = next > i ? next : i; next < names->count; next++)
			if (rows[next].start != row.start)
				break;
		/* Another name for the one before; a label inside of it. */
		if (kept && row.start == rows[kept - 1].start &&
		    (row.end == rows[kept - 1].end || row.end == row.start))
			continue;
		if (row.end == row.start && row.start >= reach)
			row.end = end_of(&row, next < names->count ? &rows[next] : NULL, end);
		if (row.end <= row.start)
			continue;
		reach = row.end > reach ? row.end : reach;
		rows[kept++] = row;
	}
	names->count = kept;
}

int pms_names_settle(struct pms_symbol_names *names, uint64_t end)
{
	struct pms_ranges ranges = { 0 };
	int status = 0;
	if (!names->count)
		return 0;
	qsort(names->rows, names->count, sizeof(*names->rows), order);
	keep(names, end);
	for (size_t i = 0; i < names->count && !status; i++)
		status = i < UINT32_MAX ? pms_ranges_add(&ranges, names->rows[i].start,
							 names->rows[i].end, (uint32_t)i)
					: -PMS_ENOMEM;
	status = status ? status : pms_cover_make(&names->cover, &ranges);
	pms_ranges_release(&ranges);
	return status;
}

/* Of those that have the address the one that begins last, and of these the shortest. */
const struct pms_name_at *pms_names_find(const struct pms_symbol_names *names, uint64_t address)
{
	uint32_t row = pms_cover_find(&names->cover, address);
	return row < names->count ? &names->rows[row] : NULL;
}

void pms_names_release(struct pms_symbol_names *names)
{
	free(names->rows);
	pms_cover_release(&names->cover);
	*names = (struct pms_symbol_names){ 0 };
}

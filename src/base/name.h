/* SPDX-License-Identifier: MIT */
/* base/name.h - names that ignore case: compare them, look them up, and find the nearest to a
 * wrong one. Only A-Z and a-z have case, whatever the locale. */
#ifndef PMS_BASE_NAME_H
#define PMS_BASE_NAME_H

#include <stddef.h>
#include <stdint.h>

/** Compare as strcmp does, ignoring case. */
int pms_name_compare(const char *a, const char *b);

struct pms_name_row {
	const char *name; /* borrowed */
	size_t index;	  /* the number that the name stands for */
};

/** Rows for lookups: the owner fills them, then sorts them once. */
struct pms_name_index {
	struct pms_name_row *rows;
	size_t count;
};

void pms_name_index_sort(struct pms_name_index *index);

/** Returns the first row of @name, or, with @behind, the row after its last one. */
size_t pms_name_index_first(const struct pms_name_index *index, const char *name, int behind);

/** Returns the index of @name, the lowest of several; or -PMS_ENAME. */
int64_t pms_name_index_find(const struct pms_name_index *index, const char *name);

/** The candidate nearest to an unknown name, for a hint. */
struct pms_nearest {
	const char *best; /* NULL while none is near enough */
	size_t distance;  /* of best: characters inserted, removed or changed */
};

void pms_nearest_offer(struct pms_nearest *nearest, const char *name, const char *candidate);

/** Append ", @name" to @list, of @size bytes, or @name to an empty one; do nothing where it does
 * not fit as a whole. */
void pms_name_append(char *list, size_t size, const char *name);

#endif

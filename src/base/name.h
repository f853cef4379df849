/* SPDX-License-Identifier: MIT */
/* base/name.h - names without regard to case: compare, look up, and the nearest to a wrong one.
 * Case means A-Z and a-z alone, whatever the locale. */
#ifndef PMS_BASE_NAME_H
#define PMS_BASE_NAME_H

#include <stddef.h>
#include <stdint.h>

/** Compare as strcmp does, without regard to case. */
int pms_name_compare(const char *a, const char *b);

struct pms_name_row {
	const char *name; /* borrowed */
	size_t index;	  /* what it stands for */
};

/** Rows to look up: filled by the owner, then sorted once. */
struct pms_name_index {
	struct pms_name_row *rows;
	size_t count;
};

void pms_name_index_sort(struct pms_name_index *index);

/** Returns where rows of @name begin; with @behind, where they end. */
size_t pms_name_index_first(const struct pms_name_index *index, const char *name, int behind);

/** Returns the index of @name (the lowest where several rows match), or -PMS_ENAME. */
int64_t pms_name_index_find(const struct pms_name_index *index, const char *name);

/** The candidate nearest to a name that is not known, for a hint. */
struct pms_nearest {
	const char *best; /* NULL while none is near enough to be meant */
	size_t distance;  /* of best: characters put in, left out or changed */
};

void pms_nearest_offer(struct pms_nearest *nearest, const char *name, const char *candidate);

/** Append ", @name" to @list, of @size bytes, or @name to an empty one; nothing where it has no
 * room for the whole. */
void pms_name_append(char *list, size_t size, const char *name);

#endif

/* SPDX-License-Identifier: MIT */
#include "base/name.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "pmuscope/error.h"

static int fold(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

int pms_name_compare(const char *a, const char *b)
{
	while (*a && (*a == *b || fold(*a) == fold(*b))) {
		a++;
		b++;
	}
	return fold(*a) - fold(*b);
}

static int row_compare(const void *a, const void *b)
{
	const struct pms_name_row *x = a, *y = b;
	int order = pms_name_compare(x->name, y->name);
	return order ? order : (x->index > y->index) - (x->index < y->index);
}

void pms_name_index_sort(struct pms_name_index *index)
{
	if (index->count)
		qsort(index->rows, index->count, sizeof(index->rows[0]), row_compare);
}

size_t pms_name_index_first(const struct pms_name_index *index, const char *name, int behind)
{
	size_t low = 0, high = index->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (pms_name_compare(index->rows[middle].name, name) < (behind ? 1 : 0))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int64_t pms_name_index_find(const struct pms_name_index *index, const char *name)
{
	size_t low = pms_name_index_first(index, name, 0);
	if (low < index->count && !pms_name_compare(index->rows[low].name, name))
		return (int64_t)index->rows[low].index;
	return -PMS_ENAME;
}

enum { NEAREST_LENGTH = 64 }; /* longer names get no hint, so that the table fits on the stack */

/* Levenshtein distance, one row of the table at a time. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t row[NEAREST_LENGTH + 1];
	for (size_t j = 0; j <= b_length; j++)
		row[j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		size_t diagonal = row[0];
		row[0] = i;
		for (size_t j = 1; j <= b_length; j++) {
			size_t change = diagonal + (fold(a[i - 1]) != fold(b[j - 1]));
			size_t step = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
			diagonal = row[j];
			row[j] = change < step ? change : step;
		}
	}
	return row[b_length];
}

void pms_nearest_offer(struct pms_nearest *nearest, const char *name, const char *candidate)
{
	size_t length = strlen(name), other = strlen(candidate);
	if (length > NEAREST_LENGTH || other > NEAREST_LENGTH)
		return;
	size_t d = distance(name, length, candidate, other);
	/* A name with more than a third wrong is another name; one more error is allowed, since
	 * two swapped letters count as two. */
	if (d > length / 3 + 1 || (nearest->best && d >= nearest->distance))
		return;
	nearest->best = candidate;
	nearest->distance = d;
}

void pms_name_append(char *list, size_t size, const char *name)
{
	size_t used = strlen(list), comma = used ? 2 : 0, length = strlen(name);
	if (used + comma + length >= size)
		return;
	memcpy(list + used, ", ", comma);
	memcpy(list + used + comma, name, length + 1);
}

const char *pms_name_nearest(const char *word, const char *const *names)
{
	struct pms_nearest nearest = { 0 };
	for (; *names; names++)
		pms_nearest_offer(&nearest, word, *names);
	return nearest.best;
}

/* SPDX-License-Identifier: MIT */
#include "plan/sizes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "pmuscope/error.h"
#include "plan/bits.h"
#include "plan/seen.h"

enum { MOST_KINDS = 64, MOST_OF_KIND = 255 };

/* The number of pieces left, of each size. */
struct left {
	unsigned char count[MOST_KINDS];
};

struct sizes {
	size_t size[MOST_KINDS]; /* the largest first */
	size_t n, capacity;
	struct pms_seen seen;
	struct pms_effort *effort;
};

enum answer { NO, YES, OPEN };

static enum answer fits(struct sizes *s, const struct left *left, size_t passes);

/* Fill a group of @passes, with room for @room more events, by pieces from kind @i on. Try every
 * way that leaves out no piece that would fit. @rest passes are for the other groups. */
static enum answer fill_group(struct sizes *s, struct left *left, size_t i, size_t room,
			      size_t rest)
{
	if (i == s->n) {
		for (size_t k = 0; k < s->n; k++)
			if (left->count[k] && s->size[k] <= room)
				return NO;
		return fits(s, left, rest);
	}
	size_t most = room / s->size[i];
	if (most > left->count[i])
		most = left->count[i];
	enum answer answer = NO;
	for (size_t take = most + 1; take-- > 0 && answer == NO;) {
		left->count[i] = (unsigned char)(left->count[i] - take);
		answer = fill_group(s, left, i + 1, room - take * s->size[i], rest);
		left->count[i] = (unsigned char)(left->count[i] + take);
	}
	return answer;
}

/* Put the largest piece into a group: try every number of passes that can hold it. */
static enum answer try_groups(struct sizes *s, const struct left *left, size_t passes)
{
	struct left next = *left;
	size_t first = 0, step = s->capacity - 1;
	enum answer answer = NO;
	while (!next.count[first])
		first++;
	next.count[first]--;
	for (size_t m = 1; m <= passes && answer == NO; m++)
		if (m * step + 1 >= s->size[first])
			answer = fill_group(s, &next, first, m * step + 1 - s->size[first],
					    passes - m);
	return answer;
}

/* Answer whether the pieces fit: by counting, by memory, else by trying groups. */
static enum answer fits(struct sizes *s, const struct left *left, size_t passes)
{
	uint64_t key[MOST_KINDS / 8];
	size_t events = 0, pieces = 0;
	for (size_t i = 0; i < s->n; i++) {
		events += left->count[i] * s->size[i];
		pieces += left->count[i];
	}
	if (!pieces)
		return YES;
	/* A group of m passes holds m * (capacity - 1) + 1 events. There are no more groups than
	 * pieces or passes. */
	size_t groups = pieces < passes ? pieces : passes;
	if (events > passes * (s->capacity - 1) + groups)
		return NO;
	memcpy(key, left->count, sizeof(key));
	if (pms_seen_has(&s->seen, key, passes))
		return NO;
	if (!pms_effort_spend(s->effort, 1 + s->n / 4))
		return OPEN;
	enum answer answer = try_groups(s, left, passes);
	if (answer == NO)
		pms_seen_add(&s->seen, key, passes);
	return answer;
}

static int compare(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	return (x < y) - (x > y);
}

/* Sort the sizes. Returns 0, or 1 when there are too many sizes, or too many pieces of one. */
static int sort_sizes(struct sizes *s, struct left *left, size_t *sizes, size_t n)
{
	qsort(sizes, n, sizeof(*sizes), compare);
	for (size_t i = 0; i < n; i++) {
		assert(sizes[i]);
		if (!s->n || s->size[s->n - 1] != sizes[i]) {
			if (s->n == MOST_KINDS)
				return 1;
			s->size[s->n++] = sizes[i];
		}
		if (left->count[s->n - 1] == MOST_OF_KIND)
			return 1;
		left->count[s->n - 1]++;
	}
	return 0;
}

int64_t pms_sizes_bound(const size_t *sizes, size_t n, size_t capacity, size_t from,
			struct pms_effort *effort)
{
	struct sizes s = { .capacity = capacity, .effort = effort };
	struct left left = { 0 };
	size_t *sorted = calloc(n + 1, sizeof(*sorted));
	if (!sorted)
		return -PMS_ENOMEM;
	memcpy(sorted, sizes, n * sizeof(*sizes));
	s.seen.words = sizeof(left) / sizeof(uint64_t);
	if (capacity > 1 && !sort_sizes(&s, &left, sorted, n))
		while (fits(&s, &left, from) == NO)
			from++;
	pms_seen_release(&s.seen);
	free(sorted);
	return (int64_t)from;
}

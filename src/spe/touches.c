/* SPDX-License-Identifier: MIT */
#include "spe/touches.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { LINE = 64 };

int pms_touches_init(struct pms_touches *touches)
{
	*touches = (struct pms_touches){ 0 };
	return pms_table_init(&touches->table, 1 << 10);
}

void pms_touches_release(struct pms_touches *touches)
{
	pms_table_release(&touches->table);
	free(touches->touches);
	*touches = (struct pms_touches){ 0 };
}

static void add_new(struct pms_touches *all, struct pms_key key, const struct pms_touch *touch)
{
	if (all->count == PMS_MOST_SPE_TOUCHES ||
	    (all->room && !pms_room_take(all->room, PMS_SPE_TOUCH_BYTES))) {
		all->full = 1;
		return;
	}
	struct pms_touch *touches = pms_array_room(all->touches, all->count, sizeof(*touches));
	if (touches)
		all->touches = touches;
	if (!touches || pms_table_add(&all->table, key, (uint32_t)all->count)) {
		all->failed = 1;
		return;
	}
	touches[all->count] = *touch;
	touches[all->count].count = 1;
	touches[all->count++].last = touch->first;
}

void pms_touches_add(struct pms_touches *all, const struct pms_touch *touch)
{
	/* Linux has 8192 CPUs at most. */
	uint64_t cpu = (uint64_t)(touch->cpu + 1) & ((1 << 24) - 1);
	struct pms_key key = { (uint64_t)touch->group << 32 | (uint32_t)touch->tid,
			       cpu << 40 | (uint64_t)touch->place << 8 |
				       (unsigned)touch->offset << 2 | touch->access };
	uint32_t number = pms_table_find(&all->table, key);
	if (number == PMS_TABLE_NONE) {
		add_new(all, key, touch);
		return;
	}
	struct pms_touch *found = &all->touches[number];
	found->count++;
	found->wait += touch->wait;
	found->waited += touch->waited;
	found->loads += touch->loads;
	found->stores += touch->stores;
	found->peers += touch->peers;
	found->timed &= touch->timed;
	found->first = touch->first < found->first ? touch->first : found->first;
	found->last = touch->first > found->last ? touch->first : found->last;
}

/* Ties are settled by everything else, so that reports are the same whatever the order of qsort. */
static int compare(const void *a, const void *b)
{
	const struct pms_touch *x = a, *y = b;
#define BY(value)                                                                                  \
	if ((value(x)) != (value(y)))                                                              \
	return (value(x)) < (value(y)) ? -1 : 1
#define GROUP(t)  (t)->group
#define COUNT(t)  (UINT64_MAX - (t)->count)
#define OFFSET(t) (t)->offset
#define TID(t)	  (t)->tid
#define ACCESS(t) (t)->access
#define PLACE(t)  (t)->place
#define CPU(t)	  (t)->cpu
	BY(GROUP);
	BY(COUNT);
	BY(OFFSET);
	BY(TID);
	BY(ACCESS);
	BY(PLACE);
	BY(CPU);
	return 0;
}

void pms_touches_sort(struct pms_touches *touches)
{
	/* What finds them takes more memory than they do, and is of no use any more. */
	pms_table_release(&touches->table);
	if (touches->count)
		qsort(touches->touches, touches->count, sizeof(touches->touches[0]), compare);
}

size_t pms_touches_of(const struct pms_touches *touches, uint32_t group,
		      const struct pms_touch **first)
{
	size_t low = 0, high = touches->count, n = 0;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (touches->touches[middle].group < group)
			low = middle + 1;
		else
			high = middle;
	}
	*first = touches->touches + low;
	while (low + n < touches->count && touches->touches[low + n].group == group)
		n++;
	return n;
}

/* Sharing -------------------------------------------------------------------------------------- */

/* One thread, at one line: when, and at which offsets. */
struct user {
	int32_t tid;
	int timed;
	uint64_t first, last;
	uint64_t loads, stores; /* bit n: at offset n; atomics are stores */
};

static int compare_users(const void *a, const void *b)
{
	const struct user *x = a, *y = b;
	return (x->tid > y->tid) - (x->tid < y->tid);
}

/* Put touches of the same thread together. Returns the number of users. */
static size_t find_users(const struct pms_touch *touches, size_t n, struct user *users)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++) {
		const struct pms_touch *t = &touches[i];
		uint64_t bit = UINT64_C(1) << t->offset % LINE;
		users[i] = (struct user){ .tid = t->tid,
					  .timed = t->timed,
					  .first = t->first,
					  .last = t->last,
					  .loads = t->access == PMS_SPE_READS ? bit : 0,
					  .stores = t->access == PMS_SPE_READS ? 0 : bit };
	}
	qsort(users, n, sizeof(*users), compare_users);
	for (size_t i = 0; i < n; i++) {
		struct user *into = count ? &users[count - 1] : NULL;
		if (!into || into->tid != users[i].tid) {
			users[count++] = users[i];
			continue;
		}
		into->timed &= users[i].timed;
		into->first = users[i].first < into->first ? users[i].first : into->first;
		into->last = users[i].last > into->last ? users[i].last : into->last;
		into->loads |= users[i].loads;
		into->stores |= users[i].stores;
	}
	return count;
}

enum { SAME = 1, DIFFERENT = 2, WROTE = 4, TOGETHER = 8 };

/* What two threads do to each other: nothing unless one of them stores, and while the other is
 * there too. */
static unsigned pair(const struct user *a, const struct user *b)
{
	uint64_t all_a = a->loads | a->stores, all_b = b->loads | b->stores;
	unsigned found = 0;
	if (!a->stores && !b->stores)
		return 0;
	if (a->timed && b->timed && (a->last < b->first || b->last < a->first))
		return WROTE;
	found = WROTE | TOGETHER;
	if ((a->stores & all_b) || (b->stores & all_a))
		found |= SAME;
	/* A store of one, and a touch of the other elsewhere. */
	if ((a->stores && (all_b & ~a->stores)) || (b->stores && (all_a & ~b->stores)) ||
	    (a->stores & (a->stores - 1) && all_b) || (b->stores & (b->stores - 1) && all_a))
		found |= DIFFERENT;
	return found;
}

/* More threads than this are not compared each with each. */
enum { MOST_USERS = 256 };

int pms_touches_sharing(const struct pms_touch *touches, size_t n, size_t *threads)
{
	unsigned found = 0;
	struct user *users = reallocarray(NULL, n + 1, sizeof(*users));
	*threads = 0;
	if (!users || !n) {
		int failed = !users;
		free(users);
		return failed ? -PMS_ENOMEM : PMS_SPE_SHARING_UNKNOWN;
	}
	size_t count = find_users(touches, n, users);
	int known = users[0].tid >= 0;
	for (size_t i = 0; i < count && i < MOST_USERS && known; i++)
		for (size_t k = 0; k < i; k++)
			found |= pair(&users[i], &users[k]);
	free(users);
	if (!known)
		return PMS_SPE_SHARING_UNKNOWN;
	*threads = count;
	if (count == 1)
		return PMS_SPE_PRIVATE;
	if (!(found & WROTE))
		return PMS_SPE_READ_SHARED;
	if (!(found & TOGETHER))
		return PMS_SPE_TAKEN_IN_TURN;
	return !(found & DIFFERENT) ? PMS_SPE_TRUE_SHARING
	       : found & SAME	    ? PMS_SPE_MIXED_SHARING
				    : PMS_SPE_FALSE_SHARING;
}

/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"
#include "vcore/model/cache.h"

static int64_t fill(struct pms_cache *c, uint64_t line, uint64_t *victim, uint8_t *flags)
{
	uint64_t line_out;
	uint8_t flags_out;
	return pms_cache_fill(c, line, victim ? victim : &line_out, flags ? flags : &flags_out);
}

/* Two sets of two ways: even lines share a set, and odd lines do. */
static void least_recent_of_the_set_leaves(void **state)
{
	(void)state;
	struct pms_cache c;
	uint64_t victim;
	uint8_t flags;
	assert_int_equal(pms_cache_init(&c, 256, 2, 64), 0);
	assert_int_equal(pms_cache_find(&c, 0), -1);
	int64_t zero = fill(&c, 0, &victim, &flags);
	assert_true(victim == PMS_NO_LINE);
	fill(&c, 2, &victim, NULL);
	assert_true(victim == PMS_NO_LINE);
	fill(&c, 1, &victim, NULL);
	assert_true(victim == PMS_NO_LINE);
	assert_int_equal(pms_cache_resident(&c), 3);
	assert_int_equal(pms_cache_find(&c, 0), zero); /* now 2 is the older one */
	c.flags[pms_cache_peek(&c, 2)] = PMS_LINE_DIRTY;
	fill(&c, 4, &victim, &flags);
	assert_int_equal(victim, 2);
	assert_int_equal(flags, PMS_LINE_DIRTY);
	assert_int_equal(pms_cache_resident(&c), 3);
	assert_int_equal(pms_cache_peek(&c, 2), -1);
	assert_true(pms_cache_peek(&c, 1) >= 0);
	pms_cache_release(&c);
}

static void peek_leaves_the_order(void **state)
{
	(void)state;
	struct pms_cache c;
	uint64_t victim;
	assert_int_equal(pms_cache_init(&c, 128, 2, 64), 0);
	fill(&c, 10, NULL, NULL);
	fill(&c, 11, NULL, NULL);
	assert_true(pms_cache_peek(&c, 10) >= 0);
	fill(&c, 12, &victim, NULL);
	assert_int_equal(victim, 10);
	pms_cache_release(&c);
}

static void fill_resets_what_is_kept_of_a_line(void **state)
{
	(void)state;
	struct pms_cache c;
	assert_int_equal(pms_cache_init(&c, 64, 1, 64), 0);
	int64_t i = fill(&c, 5, NULL, NULL);
	c.ready[i] = 99;
	c.flags[i] = PMS_LINE_PREFETCHED;
	int64_t j = fill(&c, 6, NULL, NULL);
	assert_int_equal(i, j);
	assert_int_equal(c.ready[j], 0);
	assert_int_equal(c.flags[j], 0);
	pms_cache_release(&c);
}

static void invalidated_line_is_gone_and_its_place_is_next(void **state)
{
	(void)state;
	struct pms_cache c;
	uint64_t victim;
	uint8_t flags = 77;
	assert_int_equal(pms_cache_init(&c, 128, 2, 64), 0);
	fill(&c, 1, NULL, NULL);
	int64_t i = fill(&c, 2, NULL, NULL);
	c.flags[i] = PMS_LINE_DIRTY;
	assert_false(pms_cache_invalidate(&c, 3, &flags));
	assert_int_equal(flags, 77);
	assert_true(pms_cache_invalidate(&c, 2, &flags));
	assert_int_equal(flags, PMS_LINE_DIRTY);
	assert_int_equal(pms_cache_find(&c, 2), -1); /* though it was the line found last */
	assert_int_equal(pms_cache_resident(&c), 1);
	assert_int_equal(fill(&c, 4, &victim, &flags), i);
	assert_true(victim == PMS_NO_LINE);
	assert_int_equal(flags, 0);
	pms_cache_release(&c);
}

static void line_zero_and_the_highest_are_lines_like_others(void **state)
{
	(void)state;
	struct pms_cache c;
	const uint64_t highest = UINT64_MAX / 64;
	assert_int_equal(pms_cache_init(&c, 4096, 4, 64), 0);
	assert_int_equal(pms_cache_find(&c, 0), -1);
	fill(&c, 0, NULL, NULL);
	fill(&c, highest, NULL, NULL);
	assert_true(pms_cache_find(&c, 0) >= 0);
	assert_true(pms_cache_find(&c, highest) >= 0);
	pms_cache_release(&c);
}

/* The reference: one array a set, most recent first. */
enum { SETS = 4, WAYS_MAX = 16 };
struct naive {
	unsigned ways, held[SETS];
	uint64_t line[SETS][WAYS_MAX];
	uint8_t flags[SETS][WAYS_MAX];
};

static int naive_at(const struct naive *n, uint64_t line)
{
	for (unsigned i = 0; i < n->held[line % SETS]; i++)
		if (n->line[line % SETS][i] == line)
			return (int)i;
	return -1;
}

static void naive_remove(struct naive *n, uint64_t line, unsigned at)
{
	unsigned set = line % SETS;
	n->held[set]--;
	for (unsigned i = at; i < n->held[set]; i++) {
		n->line[set][i] = n->line[set][i + 1];
		n->flags[set][i] = n->flags[set][i + 1];
	}
}

static void naive_front(struct naive *n, uint64_t line, uint8_t flags)
{
	unsigned set = line % SETS;
	for (unsigned i = n->held[set]++; i > 0; i--) {
		n->line[set][i] = n->line[set][i - 1];
		n->flags[set][i] = n->flags[set][i - 1];
	}
	n->line[set][0] = line;
	n->flags[set][0] = flags;
}

static void compare_access(struct pms_cache *c, struct naive *n, uint64_t line, uint8_t mark)
{
	unsigned set = line % SETS;
	int at = naive_at(n, line);
	int64_t i = pms_cache_find(c, line);
	assert_int_equal(i >= 0, at >= 0);
	if (at >= 0) {
		uint8_t flags = n->flags[set][at];
		assert_int_equal(c->flags[i], flags);
		c->flags[i] |= mark;
		naive_remove(n, line, (unsigned)at);
		naive_front(n, line, flags | mark);
		return;
	}
	uint64_t victim, want = PMS_NO_LINE;
	uint8_t flags, want_flags = 0;
	if (n->held[set] == n->ways) {
		want = n->line[set][n->ways - 1];
		want_flags = n->flags[set][n->ways - 1];
		naive_remove(n, want, n->ways - 1);
	}
	naive_front(n, line, 0);
	fill(c, line, &victim, &flags);
	assert_true(victim == want);
	assert_int_equal(flags, want_flags);
}

static void compare_invalidate(struct pms_cache *c, struct naive *n, uint64_t line)
{
	int at = naive_at(n, line);
	uint8_t flags = 0;
	assert_int_equal(pms_cache_invalidate(c, line, &flags), at >= 0);
	if (at >= 0) {
		assert_int_equal(flags, n->flags[line % SETS][at]);
		naive_remove(n, line, (unsigned)at);
	}
}

static void agrees_with_a_naive_cache(void **state)
{
	(void)state;
	static const unsigned ways[] = { 1, 2, 3, 4, 6, 8, 16 };
	for (size_t w = 0; w < sizeof(ways) / sizeof(ways[0]); w++) {
		struct pms_cache c;
		struct naive n = { .ways = ways[w] };
		uint64_t seed = 1;
		assert_int_equal(pms_cache_init(&c, (uint64_t)SETS * ways[w] * 64, ways[w], 64), 0);
		/* Long enough for the 16-bit clocks of sets to run out. */
		for (unsigned i = 0; i < 400000; i++) {
			uint64_t line = random_below(&seed, SETS * (ways[w] + 2));
			uint64_t kind = random_below(&seed, 64);
			if (kind == 0)
				compare_invalidate(&c, &n, line);
			else
				compare_access(&c, &n, line, kind & PMS_LINE_DIRTY);
		}
		assert_int_equal(pms_cache_resident(&c),
				 n.held[0] + n.held[1] + n.held[2] + n.held[3]);
		pms_cache_release(&c);
	}
}

static void release_is_repeatable(void **state)
{
	(void)state;
	struct pms_cache c;
	assert_int_equal(pms_cache_init(&c, 65536, 4, 64), 0);
	pms_cache_release(&c);
	pms_cache_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(least_recent_of_the_set_leaves),
		cmocka_unit_test(peek_leaves_the_order),
		cmocka_unit_test(fill_resets_what_is_kept_of_a_line),
		cmocka_unit_test(invalidated_line_is_gone_and_its_place_is_next),
		cmocka_unit_test(line_zero_and_the_highest_are_lines_like_others),
		cmocka_unit_test(agrees_with_a_naive_cache),
		cmocka_unit_test(release_is_repeatable),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

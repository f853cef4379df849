/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"
#include "vcore/model/tlb.h"

static void least_recent_page_leaves(void **state)
{
	(void)state;
	struct pms_tlb t;
	assert_int_equal(pms_tlb_init(&t, 3, 3), 0); /* not a power of two */
	assert_false(pms_tlb_lookup(&t, 0));	     /* empty, though pages are zeroed */
	pms_tlb_fill(&t, 0);
	pms_tlb_fill(&t, 10);
	pms_tlb_fill(&t, 20);
	assert_true(pms_tlb_lookup(&t, 0)); /* order, oldest first: 10 20 0 */
	pms_tlb_fill(&t, 30);
	assert_false(pms_tlb_lookup(&t, 10));
	assert_true(pms_tlb_lookup(&t, 20));
	assert_true(pms_tlb_lookup(&t, 0));
	assert_true(pms_tlb_lookup(&t, 30));
	pms_tlb_release(&t);
}

/* Four sets of two: pages 1, 5 and 9 meet, page 2 stays. */
static void sets_are_by_the_low_page_bits(void **state)
{
	(void)state;
	struct pms_tlb t;
	assert_int_equal(pms_tlb_init(&t, 8, 2), 0);
	pms_tlb_fill(&t, 2);
	pms_tlb_fill(&t, 1);
	pms_tlb_fill(&t, 5);
	pms_tlb_fill(&t, 9);
	assert_false(pms_tlb_lookup(&t, 1));
	assert_true(pms_tlb_lookup(&t, 2));
	assert_true(pms_tlb_lookup(&t, 5));
	pms_tlb_release(&t);
}

static void entry_stays_with_its_page(void **state)
{
	(void)state;
	struct pms_tlb t;
	assert_int_equal(pms_tlb_init(&t, 4, 4), 0);
	unsigned a = pms_tlb_fill(&t, 100);
	unsigned b = pms_tlb_fill(&t, 200);
	assert_int_not_equal(a, b);
	assert_int_equal(pms_tlb_find(&t, 100), a);
	assert_int_equal(pms_tlb_find(&t, 200), b);
	assert_int_equal(pms_tlb_find(&t, 300), -1);
	pms_tlb_release(&t);
}

/* The reference: stamps by page, and a count of pages newer in the same set. */
enum { PAGES = 256 };
struct naive {
	unsigned sets, ways;
	uint64_t clock, stamp[PAGES]; /* 0: absent */
};

static void naive_fill(struct naive *n, unsigned page)
{
	unsigned held = 0, victim = page;
	for (unsigned p = page % n->sets; p < PAGES; p += n->sets) {
		if (!n->stamp[p])
			continue;
		held++;
		if (victim == page || n->stamp[p] < n->stamp[victim])
			victim = p;
	}
	if (held == n->ways)
		n->stamp[victim] = 0;
	n->stamp[page] = ++n->clock;
}

static void agrees_with_a_naive_buffer(void **state)
{
	(void)state;
	static const struct {
		unsigned entries, ways;
	} shapes[] = { { 1, 1 }, { 40, 40 }, { 48, 48 }, { 96, 96 }, { 64, 4 }, { 80, 5 } };
	for (size_t s = 0; s < sizeof(shapes) / sizeof(shapes[0]); s++) {
		struct pms_tlb t;
		struct naive n = { .sets = shapes[s].entries / shapes[s].ways,
				   .ways = shapes[s].ways };
		uint64_t seed = 2;
		uint16_t hints[PAGES] = { 0 }; /* right or long wrong */
		assert_int_equal(pms_tlb_init(&t, shapes[s].entries, shapes[s].ways), 0);
		for (unsigned i = 0; i < 20000; i++) {
			unsigned page = (unsigned)random_below(&seed, PAGES);
			if (random_below(&seed, 2))
				page %= 32; /* some are used more */
			bool hinted = random_below(&seed, 2);
			bool hit = hinted ? pms_tlb_find_hinted(&t, page, &hints[page]) >= 0
					  : pms_tlb_lookup(&t, page);
			assert_int_equal(hit, n.stamp[page] != 0);
			if (hit) {
				n.stamp[page] = ++n.clock;
				continue;
			}
			naive_fill(&n, page);
			pms_tlb_fill(&t, page);
		}
		pms_tlb_release(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(least_recent_page_leaves),
		cmocka_unit_test(sets_are_by_the_low_page_bits),
		cmocka_unit_test(entry_stays_with_its_page),
		cmocka_unit_test(agrees_with_a_naive_buffer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

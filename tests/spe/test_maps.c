/* SPDX-License-Identifier: MIT */
/* Mappings that overlap in all ways, of processes forked from each other, against a list that is
 * gone through for each question; and what a million of them take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../growth.h"
#include "../vcore/random.h"
#include "spe/maps.h"
#include "spe/mapped.h"

enum { MOST = 200, STRETCHES = 64 };

static void put_edges(struct pms_edges *edges, const struct pms_map *rows, size_t count)
{
	edges->at = calloc(2 * count + 1, sizeof(*edges->at));
	assert_non_null(edges->at);
	for (size_t i = 0; i < count; i++) {
		edges->at[edges->count++] = rows[i].start;
		edges->at[edges->count++] = rows[i].end;
	}
	pms_edges_settle(edges);
}

/* Moments of mappings as a walk gives them: opened one after another, and closed by some at once,
 * the latest first. Returns how many. */
static size_t draw(struct pms_map *rows, uint64_t *random, uint64_t span)
{
	uint32_t open[MOST], n_open = 0, clock = 0;
	size_t n = 1 + (size_t)random_below(random, MOST);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t start = random_below(random, span),
			 length = 1 + random_below(random, span);
		if (random_below(random, 3))
			length = 1 + length % 4;
		rows[i] = (struct pms_map){ .start = start, .end = start + length, .object = i };
		while (n_open && !random_below(random, 3)) {
			uint32_t left = n_open - (uint32_t)random_below(random, 3);
			clock++;
			while (n_open && n_open >= left && n_open-- > 0)
				rows[open[n_open]].gone = clock;
		}
		rows[i].seen = ++clock;
		open[n_open++] = i;
	}
	clock++;
	while (n_open)
		rows[open[--n_open]].gone = clock;
	return n;
}

static void the_last_mapping_that_is_seen_is_found(void **state)
{
	static struct pms_map rows[MOST];
	uint64_t random = 21;
	(void)state;
	for (int round = 0; round < 400; round++) {
		uint64_t span = 1 + random_below(&random, 100);
		struct pms_maps m = { .count = draw(rows, &random, span) };
		put_edges(&m.edges, rows, m.count);
		m.rows = malloc(m.count * sizeof(rows[0]));
		assert_non_null(m.rows);
		memcpy(m.rows, rows, m.count * sizeof(rows[0]));
		assert_int_equal(pms_maps_settle(&m), 0);
		for (int i = 0; i < 500; i++) {
			uint64_t address = random_below(&random, 2 * span + 2);
			uint32_t moment =
				(uint32_t)random_below(&random, rows[m.count - 1].gone + 2);
			const struct pms_map *want = NULL,
					     *got = pms_maps_find(&m, address, moment);
			for (size_t k = 0; k < m.count; k++)
				if (rows[k].start <= address && address < rows[k].end &&
				    rows[k].seen <= moment && moment < rows[k].gone)
					want = &m.rows[k];
			assert_ptr_equal(got, want);
		}
		pms_maps_release(&m);
	}
}

static void where_nothing_is_mapped_nothing_is_found(void **state)
{
	struct pms_maps m = { 0 };
	(void)state;
	assert_int_equal(pms_maps_settle(&m), 0);
	assert_null(pms_maps_find(&m, 0, 0));
	assert_null(pms_maps_find(&m, UINT64_MAX, UINT32_MAX));
	pms_maps_release(&m);
}

/* Each row's number stands for what it means; rows of the same rest agree. */
static int alike(const void *context, uint32_t a, uint32_t b)
{
	(void)context;
	return a % 3 == b % 3;
}

static void pieces_go_over_pieces(void **state)
{
	uint64_t random = 22;
	(void)state;
	for (int round = 0; round < 200; round++) {
		size_t count = 1 + (size_t)random_below(&random, round % 2 ? STRETCHES : 9000);
		uint32_t *of = calloc(count, sizeof(*of)); /* row + 1 of each stretch */
		struct pms_mapped p;
		assert_non_null(of);
		assert_int_equal(pms_mapped_init(&p, count), 0);
		for (uint32_t row = 0; row < 100; row++) {
			uint32_t low = (uint32_t)random_below(&random, count);
			uint32_t high = low + 1 + (uint32_t)random_below(&random, count - low);
			int want = 0;
			if (!random_below(&random, 40)) {
				pms_mapped_clear(&p);
				memset(of, 0, count * sizeof(*of));
			}
			for (uint32_t i = low; i < high; i++) {
				want |= of[i] && !alike(NULL, of[i] - 1, row);
				of[i] = row + 1;
			}
			assert_int_equal(pms_mapped_put(&p, low, high, row, alike, NULL), want);
		}
		pms_mapped_release(&p);
		free(of);
	}
}

/* Each within the one before: every address has as many as there are, up to its own. */
static void a_million_nested_ones_are_no_trouble(void **state)
{
	enum { N = 1000000 };
	growth_needs_a_fast_machine();
	struct pms_maps m = { .rows = calloc(N, sizeof(struct pms_map)), .count = N };
	(void)state;
	assert_non_null(m.rows);
	for (uint32_t i = 0; i < N; i++)
		m.rows[i] = (struct pms_map){ i, 2 * N - i, 0, i, i + 1, N + 1, 0 };
	put_edges(&m.edges, m.rows, N);
	assert_int_equal(pms_maps_settle(&m), 0);
	for (uint32_t i = 0; i < N; i += 7) {
		assert_int_equal(pms_maps_find(&m, i, N)->object, i);
		assert_int_equal(pms_maps_find(&m, 2 * N - 1 - i, N)->object, i);
		assert_int_equal(pms_maps_find(&m, N, i + 1)->object, i);
	}
	pms_maps_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_mapping_that_is_seen_is_found),
		cmocka_unit_test(where_nothing_is_mapped_nothing_is_found),
		cmocka_unit_test(pieces_go_over_pieces),
		cmocka_unit_test(a_million_nested_ones_are_no_trouble),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

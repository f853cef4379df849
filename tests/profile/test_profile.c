/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pmuscope/profile.h"

static const struct pms_profile_kind cycles = {
	"cycles", "Cycles", PMS_PROFILE_CYCLES, PMS_PROFILE_NO_SHARE, NULL, PMS_PROFILE_NONE
};
static const struct pms_profile_kind rob = {
	"slots_be_rob",	       "Slots lost to the reorder buffer",
	PMS_PROFILE_SLOTS,     PMS_PROFILE_BACKEND,
	"reorder buffer full", PMS_PROFILE_NONE
};
static const struct pms_object program = {
	.kind = PMS_OBJECT_FILE, .path = "/bin/prog", .build_id = { 1, 2 }, .build_id_size = 2
};
static const struct pms_object library = { .kind = PMS_OBJECT_FILE, .path = "/lib/c.so" };

static int64_t row_at(struct pms_profile *p, uint32_t object, uint64_t address)
{
	const struct pms_profile_place place = { object, address, PMS_PROFILE_NONE,
						 PMS_PROFILE_NONE };
	return pms_profile_add_row(p, &place);
}

static void values_add_up(void **state)
{
	(void)state;
	struct pms_profile *p = pms_profile_new(PMS_PROFILE_MODELLED);
	assert_int_equal(pms_profile_add_kind(p, &cycles), 0);
	assert_int_equal(pms_profile_add_kind(p, &rob), 1);
	assert_int_equal(pms_profile_add_kind(p, &cycles), 0);
	assert_int_equal(pms_profile_add_object(p, &program), 0);
	assert_int_equal(pms_profile_add_object(p, &library), 1);
	assert_int_equal(pms_profile_add_object(p, &program), 0);
	int64_t row = row_at(p, 0, 0x1000);
	assert_int_equal(row, 0);
	assert_int_equal(row_at(p, 0, 0x1000), 0);
	assert_int_equal(row_at(p, 1, 0x1000), 1);
	assert_int_equal(pms_profile_add(p, row, 1, 5), 0);
	assert_int_equal(pms_profile_add(p, row, 0, 3), 0);
	assert_int_equal(pms_profile_add(p, row, 1, 2), 0);
	assert_int_equal(pms_profile_add(p, 1, 1, 10), 0);
	assert_int_equal(pms_profile_add(p, 1, 0, 0), 0);
	assert_int_equal(pms_profile_value(p, 0, 0), 3);
	assert_int_equal(pms_profile_value(p, 0, 1), 7);
	assert_int_equal(pms_profile_value(p, 1, 0), 0);
	assert_int_equal(pms_profile_sum(p, 0), 3);
	assert_int_equal(pms_profile_sum(p, 1), 17);
	assert_int_equal(p->n_cells, 3); /* a value of 0 takes no room */
	assert_int_equal(pms_profile_find_kind(p, "slots_be_rob"), 1);
	assert_int_equal(pms_profile_find_kind(p, "slots"), -PMS_ENAME);
	assert_string_equal(p->kinds[1].cause, "reorder buffer full");
	assert_string_equal(p->objects[1].path, "/lib/c.so");
	pms_profile_free(p);
}

static void a_sum_stays_at_the_largest_number(void **state)
{
	(void)state;
	struct pms_profile *p = pms_profile_new(PMS_PROFILE_MODELLED);
	pms_profile_add_kind(p, &cycles);
	int64_t row = row_at(p, PMS_PROFILE_NONE, 0);
	assert_int_equal(pms_profile_add(p, row, 0, UINT64_MAX - 1), 0);
	assert_int_equal(pms_profile_add(p, row, 0, 7), 0);
	assert_true(pms_profile_value(p, 0, 0) == UINT64_MAX);
	assert_int_equal(pms_profile_add(p, row_at(p, PMS_PROFILE_NONE, 4), 0, 7), 0);
	assert_true(pms_profile_sum(p, 0) == UINT64_MAX);
	pms_profile_free(p);
}

static void indices_of_nothing_are_refused(void **state)
{
	(void)state;
	struct pms_profile *p = pms_profile_new(PMS_PROFILE_SAMPLED);
	struct pms_profile_kind kind = cycles;
	struct pms_profile_place place = { 0, 0, PMS_PROFILE_NONE, PMS_PROFILE_NONE };
	struct pms_profile_edge edge = { .to_object = PMS_PROFILE_NONE };
	struct pms_profile_frame frame = { 0, PMS_PROFILE_NONE, 4 };
	kind.name = "No name";
	assert_int_equal(pms_profile_add_kind(p, &kind), -PMS_EINVAL);
	kind.name = "cycles";
	kind.samples = 0;
	assert_int_equal(pms_profile_add_kind(p, &kind), -PMS_EINVAL);
	assert_int_equal(pms_profile_add_row(p, &place), -PMS_EINVAL);
	assert_int_equal(pms_profile_add_edge(p, &edge), -PMS_EINVAL);
	assert_int_equal(pms_profile_add_frame(p, &frame), -PMS_EINVAL);
	assert_int_equal(pms_profile_add(p, 0, 0, 1), -PMS_EINVAL);
	assert_int_equal(pms_profile_add(p, -PMS_ENOMEM, 0, 1), -PMS_ENOMEM);
	assert_int_equal(p->n_rows + p->n_kinds + p->n_edges + p->n_frames, 0);
	pms_profile_free(p);
}

static void kinds_are_bounded(void **state)
{
	(void)state;
	struct pms_profile *p = pms_profile_new(PMS_PROFILE_MODELLED);
	char name[16];
	struct pms_profile_kind kind = cycles;
	kind.name = name;
	for (int i = 0; i < 128; i++) {
		snprintf(name, sizeof(name), "k%d", i);
		assert_int_equal(pms_profile_add_kind(p, &kind), i);
	}
	snprintf(name, sizeof(name), "more");
	assert_int_equal(pms_profile_add_kind(p, &kind), -PMS_EINVAL);
	pms_profile_free(p);
}

static void threads_take_the_last_name(void **state)
{
	(void)state;
	struct pms_profile *p = pms_profile_new(PMS_PROFILE_MODELLED);
	const struct pms_profile_thread nameless = { 7, 8, "" }, first = { 7, 8, "first" },
					last = { 7, 8, "last" }, other = { 7, -1, "other" };
	assert_int_equal(pms_profile_add_thread(p, &first), 0);
	assert_int_equal(pms_profile_add_thread(p, &other), 1);
	assert_int_equal(pms_profile_add_thread(p, &last), 0);
	assert_int_equal(pms_profile_add_thread(p, &nameless), 0);
	assert_int_equal(p->n_threads, 2);
	assert_string_equal(p->threads[0].name, "last");
	assert_int_equal(p->threads[1].tid, -1);
	pms_profile_free(p);
}

static void sorting_keeps_values_and_finds_rows_again(void **state)
{
	(void)state;
	struct pms_profile *p = pms_profile_new(PMS_PROFILE_MODELLED);
	pms_profile_add_kind(p, &cycles);
	pms_profile_add_kind(p, &rob);
	pms_profile_add_object(p, &program);
	/* 101 is prime: 7 * i mod 101 visits each of 0 to 100 once. */
	for (uint64_t i = 0; i < 101; i++) {
		int64_t row = row_at(p, 0, 4 * (7 * i % 101));
		pms_profile_add(p, row, 1, i + 1);
		pms_profile_add(p, row, 0, 7 * i % 101 + 1);
	}
	row_at(p, PMS_PROFILE_NONE, 0);
	pms_profile_sort(p);
	for (size_t i = 0; i < 101; i++) {
		assert_int_equal(p->rows[i].place.address, 4 * i);
		assert_int_equal(pms_profile_value(p, i, 0), i + 1);
		assert_int_equal(p->cells[p->rows[i].first].kind, 0);
	}
	assert_int_equal(p->rows[101].place.object, PMS_PROFILE_NONE); /* what has none is last */
	assert_int_equal(row_at(p, 0, 4 * 50), 50);
	assert_int_equal(row_at(p, 0, 4 * 101), 102);
	pms_profile_free(p);
}

static void edges_add_up_and_are_sorted(void **state)
{
	(void)state;
	struct pms_profile *p = pms_profile_new(PMS_PROFILE_MODELLED);
	pms_profile_add_object(p, &program);
	const struct pms_profile_edge back = { 0, 0, 0x20, 0x10, PMS_PROFILE_JUMP, 9, 1, 0 };
	const struct pms_profile_edge call = { 0, 0, 0x18, 0x80, PMS_PROFILE_CALL, 4, 0, 0 };
	assert_int_equal(pms_profile_add_edge(p, &back), 0);
	assert_int_equal(pms_profile_add_edge(p, &call), 0);
	assert_int_equal(pms_profile_add_edge(p, &back), 0);
	pms_profile_sort(p);
	assert_int_equal(pms_profile_add_edge(p, &back), 0);
	assert_int_equal(p->n_edges, 2);
	assert_int_equal(p->edges[0].from, 0x18);
	assert_int_equal(p->edges[1].count, 27);
	assert_int_equal(p->edges[1].mispredicted, 3);
	pms_profile_free(p);
}

/* Two profiles that name their things in different orders. */
static void merging_maps_what_is_the_same(void **state)
{
	(void)state;
	struct pms_profile *a = pms_profile_new(PMS_PROFILE_MODELLED);
	struct pms_profile *b = pms_profile_new(PMS_PROFILE_MODELLED);
	struct pms_error err = { 0 };
	pms_profile_add_kind(a, &cycles);
	pms_profile_add_object(a, &program);
	pms_profile_add(a, row_at(a, 0, 0x40), 0, 5);
	pms_profile_add_kind(b, &rob);
	pms_profile_add_kind(b, &cycles);
	pms_profile_add_object(b, &library);
	pms_profile_add_object(b, &program);
	const struct pms_profile_thread thread = { 1, 2, "t" };
	pms_profile_add_thread(b, &thread);
	const struct pms_profile_frame top = { PMS_PROFILE_NONE, 1, 0x100 };
	const struct pms_profile_frame below = { 0, 0, 0x200 };
	assert_int_equal(pms_profile_add_frame(b, &top), 0);
	assert_int_equal(pms_profile_add_frame(b, &below), 1);
	assert_int_equal(pms_profile_add_frame(b, &below), 1);
	pms_profile_add(b, row_at(b, 1, 0x40), 1, 7);
	const struct pms_profile_place place = { 0, 0x80, 0, 1 };
	pms_profile_add(b, pms_profile_add_row(b, &place), 0, 11);
	const struct pms_profile_edge edge = { 1, 0, 1, 2, PMS_PROFILE_CALL, 3, 1, 0 };
	pms_profile_add_edge(b, &edge);
	b->left_out = 2;
	assert_int_equal(pms_profile_merge(a, b, &err), 0);
	assert_int_equal(a->n_rows, 2);
	assert_int_equal(pms_profile_value(a, 0, 0), 12);
	assert_int_equal(pms_profile_sum(a, 1), 11);
	assert_int_equal(a->rows[1].place.object, 1);
	assert_string_equal(a->objects[1].path, "/lib/c.so");
	assert_int_equal(a->frames[a->rows[1].place.frame].address, 0x200);
	assert_int_equal(a->frames[a->frames[a->rows[1].place.frame].parent].object, 0);
	assert_int_equal(a->edges[0].from_object, 0);
	assert_int_equal(a->edges[0].to_object, 1);
	assert_int_equal(a->left_out, 2);
	b->source = PMS_PROFILE_SAMPLED;
	assert_int_equal(pms_profile_merge(a, b, &err), -PMS_EINVAL);
	pms_profile_free(a);
	pms_profile_free(b);
}

static void names_are_words(void **state)
{
	(void)state;
	assert_string_equal(pms_profile_source_name(PMS_PROFILE_SPE), "spe");
	assert_string_equal(pms_profile_unit_name(PMS_PROFILE_NANOSECONDS), "nanoseconds");
	assert_string_equal(pms_profile_share_name(PMS_PROFILE_BACKEND), "backend_bound");
	assert_string_equal(pms_profile_branch_name(PMS_PROFILE_RETURN), "return");
	assert_string_equal(pms_profile_share_name((enum pms_profile_share)99), "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_add_up),
		cmocka_unit_test(a_sum_stays_at_the_largest_number),
		cmocka_unit_test(indices_of_nothing_are_refused),
		cmocka_unit_test(kinds_are_bounded),
		cmocka_unit_test(threads_take_the_last_name),
		cmocka_unit_test(sorting_keeps_values_and_finds_rows_again),
		cmocka_unit_test(edges_add_up_and_are_sorted),
		cmocka_unit_test(merging_maps_what_is_the_same),
		cmocka_unit_test(names_are_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collect/vrun/tally.h"

/* Of the real catalog, so that scopes have a column for each event. Rules are made up here. */
struct fixture {
	struct pms_catalog *catalog;
	struct pms_core_file core;
	struct pms_share *share;
	struct pms_counts *counts;
	size_t instructions, cycles, neither;
};

static size_t event(const struct fixture *f, const char *name)
{
	int64_t i = pms_catalog_find_event(f->catalog, name);
	assert_true(i >= 0);
	return (size_t)i;
}

static void rule(struct fixture *f, size_t i, enum pms_count_class cls, int second_sign)
{
	struct pms_rule *r = &f->core.rules[i];
	r->state = PMS_COUNTED;
	r->cls = cls;
	r->n_terms = second_sign ? 2 : 1;
	r->terms[0].counter = PMS_COUNTER_INST_RETIRED;
	r->terms[0].sign = 1;
	r->terms[1].counter = PMS_COUNTER_BR_RETIRED;
	r->terms[1].sign = second_sign;
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	if (pms_catalog_load(getenv("SOURCE"), "neoverse-v1", &f->catalog, NULL))
		return -1;
	f->core.n_rules = pms_catalog_events(f->catalog);
	f->core.rules = calloc(f->core.n_rules, sizeof(*f->core.rules));
	f->instructions = event(f, "INST_RETIRED");
	f->cycles = event(f, "CPU_CYCLES");
	f->neither = event(f, "SW_INCR");
	for (size_t i = 0; i < f->core.n_rules; i++)
		rule(f, i, PMS_COUNT_MODELLED, 0);
	rule(f, f->instructions, PMS_COUNT_EXACT, 1);
	rule(f, f->cycles, PMS_COUNT_MODELLED, -1);
	f->core.rules[f->neither].state = PMS_NOT_MODELLED;
	f->core.rules[f->neither].because = strdup("nobody asked");
	f->share = calloc(1, sizeof(*f->share));
	f->counts = pms_counts_new(f->catalog);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	pms_counts_free(f->counts);
	pms_core_file_release(&f->core);
	pms_catalog_free(f->catalog);
	free(f->share);
	free(f);
	return 0;
}

static void thread(struct fixture *f, unsigned i, uint32_t how, uint64_t retired, uint64_t branches)
{
	f->share->n_threads = i + 1;
	f->share->threads[i].state = how;
	f->share->threads[i].tid = 1000 + i;
	f->share->threads[i].counters[PMS_COUNTER_INST_RETIRED] = retired;
	f->share->threads[i].counters[PMS_COUNTER_BR_RETIRED] = branches;
}

static void tally(struct fixture *f, int status)
{
	struct pms_tally_run run = { .program = "./dir/prog",
				     .qemu_cpu = "neoverse-n1",
				     .status = status };
	assert_int_equal(pms_tally(f->counts, &f->core, f->share, &run, NULL), 0);
}

static bool warned(const struct fixture *f, const char *text)
{
	for (size_t i = 0; i < f->counts->n_warnings; i++)
		if (strstr(f->counts->warnings[i], text))
			return true;
	return false;
}

static void threads_are_scopes(void **state)
{
	struct fixture *f = *state;
	thread(f, 0, PMS_THREAD_ENDED, 100, 30);
	thread(f, 1, PMS_THREAD_UNUSED, 0, 0); /* no memory for its model */
	thread(f, 2, PMS_THREAD_ENDED, 50, 7);
	strcpy(f->share->threads[2].name, "worker");
	tally(f, 0);
	const struct pms_counts *c = f->counts;
	assert_int_equal(c->n_scopes, 2);
	assert_int_equal(c->scopes[0].kind, PMS_SCOPE_THREAD);
	assert_int_equal(c->scopes[0].id, 1);
	assert_string_equal(c->scopes[0].name, "prog");
	assert_int_equal(c->scopes[1].id, 3);
	assert_string_equal(c->scopes[1].name, "worker");
	assert_int_equal(c->scopes[0].counts[f->instructions].value, 130);
	assert_int_equal(c->scopes[1].counts[f->instructions].value, 57);
	assert_int_equal(c->scopes[0].counts[f->cycles].value, 70);
	assert_int_equal(c->total.counts[f->instructions].value, 187);
	assert_int_equal(c->total.counts[f->instructions].cls, PMS_COUNT_EXACT);
	assert_int_equal(c->total.counts[f->cycles].value, 113);
	assert_int_equal(c->total.counts[f->cycles].cls, PMS_COUNT_MODELLED);
	assert_int_equal(c->total.counts[f->cycles].enabled_ns, 0);
	assert_int_equal(c->n_warnings, 1); /* that there are two threads */
}

static void what_is_not_modelled_says_why(void **state)
{
	struct fixture *f = *state;
	thread(f, 0, PMS_THREAD_ENDED, 100, 30);
	tally(f, 0);
	assert_int_equal(f->counts->total.counts[f->neither].state, PMS_NOT_MODELLED);
	assert_string_equal(f->counts->total.counts[f->neither].because, "nobody asked");
}

/* Windows of a thread in two groups, half of them each. */
static void windows(struct fixture *f, unsigned i, uint64_t ran, uint64_t retired,
		    uint64_t branches)
{
	thread(f, i, PMS_THREAD_ENDED, retired, branches);
	struct pms_share_thread *t = &f->share->threads[i];
	t->instructions = ran;
	t->windows = 20;
	for (unsigned g = 0; g < 2; g++) {
		t->groups[5 + g][PMS_COUNTER_INST_RETIRED] = (int64_t)retired / 2;
		t->groups[5 + g][PMS_COUNTER_BR_RETIRED] = (int64_t)branches / 2;
	}
}

/* The rule of cycles is made up: instructions less branches. */
static void windows_stand_for_the_whole(void **state)
{
	struct fixture *f = *state;
	rule(f, f->instructions, PMS_COUNT_EXACT, 0);
	f->share->extent.detail = 1000;
	f->share->extent.forward = 5;
	windows(f, 0, 10000, 1000, 300);
	windows(f, 1, 2000, 500, 100);
	windows(f, 2, 77, 0, 0); /* too short for a window */
	f->share->threads[0].forwarded = 5;
	f->share->threads[2].windows = 0;
	tally(f, 0);
	const struct pms_counts *c = f->counts;
	assert_int_equal(c->scopes[0].counts[f->instructions].value, 10000);
	assert_int_equal(c->scopes[0].counts[f->cycles].value, 7000); /* 700 x 10 */
	assert_int_equal(c->scopes[1].counts[f->cycles].value, 1600); /* 400 x 4 */
	assert_int_equal(c->scopes[2].counts[f->instructions].value, 77);
	assert_int_equal(c->scopes[2].counts[f->cycles].state, PMS_NOT_COUNTED);
	assert_non_null(strstr(c->scopes[2].counts[f->cycles].because, "no window"));
	/* All windows together: 1100 of 1500, of 12077 that ran. */
	assert_int_equal(c->total.counts[f->instructions].value, 12077);
	assert_int_equal(c->total.counts[f->instructions].cls, PMS_COUNT_EXACT);
	assert_int_equal(c->total.counts[f->cycles].value, 8856); /* 8856.47 */
	assert_int_equal(c->total.counts[f->cycles].cls, PMS_COUNT_MODELLED);
	assert_int_equal(c->total.counts[f->neither].state, PMS_NOT_MODELLED);
	const struct pms_sample *s = c->total.sample;
	assert_int_equal(s->n_groups, 2);
	assert_int_equal(s->windows, 40);
	assert_int_equal(s->instructions, 12077);
	assert_int_equal(s->counted, 1500);
	assert_true(s->sizes[0] == 750 && s->groups[1][f->cycles] == 550);
	assert_int_equal(c->provenance.extent.forwarded, 5);
	assert_int_equal(c->n_warnings, 1); /* that there are several threads */
}

/* 100 instructions of the start, 60 of them cycles, and 700 of the windows' 1000, which stand for
 * 10,000. A thread that is all start needs no estimate. */
static void the_start_stands_for_itself(void **state)
{
	struct fixture *f = *state;
	rule(f, f->instructions, PMS_COUNT_EXACT, 0);
	f->share->extent.detail = 1000;
	windows(f, 0, 10100, 1000, 300);
	f->share->threads[0].counters[PMS_COUNTER_INST_RETIRED] += 100;
	f->share->threads[0].counters[PMS_COUNTER_BR_RETIRED] += 40;
	thread(f, 1, PMS_THREAD_ENDED, 50, 30);
	f->share->threads[1].instructions = 50;
	tally(f, 0);
	const struct pms_counts *c = f->counts;
	assert_int_equal(c->scopes[0].counts[f->cycles].value, 7060);
	assert_int_equal(c->scopes[1].counts[f->cycles].value, 20);
	/* 80 of both starts, and the windows of the one for all else. */
	assert_int_equal(c->total.counts[f->cycles].value, 7080);
	assert_int_equal(c->total.counts[f->instructions].value, 10150);
	assert_int_equal(c->total.sample->counted, 1150);
	assert_true(c->total.sample->sizes[0] == 500);
	assert_int_equal(c->n_warnings, 1);
}

static void one_window_is_warned_of(void **state)
{
	struct fixture *f = *state;
	f->share->extent.detail = 1000;
	windows(f, 0, 10000, 1000, 300);
	f->share->threads[0].windows = 1;
	memset(f->share->threads[0].groups[6], 0, sizeof(f->share->threads[0].groups[6]));
	tally(f, 0);
	assert_true(warned(f, "one window alone"));
}

/* Killed between two counters: no number is better than one below zero. */
static void a_negative_sum_is_no_count(void **state)
{
	struct fixture *f = *state;
	thread(f, 0, PMS_THREAD_RUNNING, 1, 2);
	tally(f, SIGKILL);
	assert_int_equal(f->counts->total.counts[f->cycles].state, PMS_NOT_COUNTED);
	assert_non_null(f->counts->total.counts[f->cycles].because);
	assert_int_equal(f->counts->total.counts[f->instructions].value, 3);
	assert_true(warned(f, "signal 9 (SIGKILL)"));
	assert_true(warned(f, "1 thread "));
}

static void a_long_name_fits(void **state)
{
	struct fixture *f = *state;
	thread(f, 0, PMS_THREAD_ENDED, 1, 0);
	thread(f, 1, PMS_THREAD_ENDED, 1, 0);
	memset(f->share->threads[1].name, 'w', sizeof(f->share->threads[1].name));
	struct pms_tally_run run = { .program = "/a/program-whose-name-is-longer-than-the-field",
				     .qemu_cpu = "x" };
	assert_int_equal(pms_tally(f->counts, &f->core, f->share, &run, NULL), 0);
	assert_string_equal(f->counts->scopes[0].name, "program-whose-name-is-longer-th");
	assert_string_equal(f->counts->scopes[1].name, "wwwwwwwwwwwwwwww");
}

static void events_of_the_run_are_warned_of(void **state)
{
	static const struct {
		uint32_t events;
		int status;
		const char *text;
	} cases[] = {
		{ PMS_SHARE_FORKED, 0, "child" },
		{ PMS_SHARE_EXECED, 0, "execve" },
		{ PMS_SHARE_THREADS_OUT, 0, "more threads" },
		{ PMS_SHARE_NOMEM, 0, "memory ran out" },
		{ PMS_SHARE_BLIND, 0, "process_vm_readv" },
		{ 0, SIGILL, "--qemu-cpu" },
		{ 0, SIGSEGV, "signal 11 (SIGSEGV)" },
		{ 0, 64, "signal 64" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture *f = *state;
		thread(f, 0, PMS_THREAD_ENDED, 1, 0);
		f->share->events = PMS_SHARE_STARTED | cases[i].events;
		tally(f, cases[i].status);
		if (!warned(f, cases[i].text))
			fail_msg("%s", cases[i].text);
		pms_counts_free(f->counts);
		f->counts = pms_counts_new(f->catalog);
	}
}

/* A counter is warned of from 100 on, and from its share of the instructions on: 1 of 10,000 of
 * what can cost or save hundreds of cycles each, 1 of 1000 of the others. */
static void what_the_model_does_not_see_is_warned_of(void **state)
{
	static const struct {
		enum pms_counter counter;
		const char *text;
		uint64_t count, retired;
		bool warned;
	} cases[] = {
		{ PMS_COUNTER_UNSEEN_PREFETCHES, "99 prefetch instructions", 99, 1000, false },
		{ PMS_COUNTER_UNSEEN_PREFETCHES, "100 prefetch instructions (0.1 in 1000): ", 100,
		  1000000, true },
		{ PMS_COUNTER_UNSEEN_PREFETCHES, "prefetch", 100, 1000001, false },
		{ PMS_COUNTER_UNSEEN_ZEROING,
		  ", by which memset clears memory (1.0 in 1000): ", 100, 100000, true },
		{ PMS_COUNTER_UNSEEN_ZEROING, "dc zva", 100, 101000, false },
		{ PMS_COUNTER_UNSEEN_ACCESSES, "100 loads and stores of SVE", 100, 100000, true },
		{ PMS_COUNTER_UNSEEN_ACCESSES, "SVE", 99, 1000, false }, /* start-up */
		{ PMS_COUNTER_EXC_SVC, "4166 system calls (41.7 in 1000): ", 4166, 100000, true },
		{ PMS_COUNTER_EXC_SVC, "system calls", 999, 1000000, false },
		{ PMS_COUNTER_ATOMICS, "atomic", 90000, 100000, false }, /* one thread */
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture *f = *state;
		thread(f, 0, PMS_THREAD_ENDED, cases[i].retired, 0);
		f->share->threads[0].counters[cases[i].counter] = cases[i].count;
		tally(f, 0);
		if (warned(f, cases[i].text) != cases[i].warned)
			fail_msg("case %zu", i);
		assert_int_equal(f->counts->n_warnings, cases[i].warned);
		f->share->threads[0].counters[cases[i].counter] = 0;
		pms_counts_free(f->counts);
		f->counts = pms_counts_new(f->catalog);
	}
}

/* Of a sampled run, in which a quarter was counted: what it stands for. */
static void what_windows_do_not_see_stands_for_the_whole(void **state)
{
	struct fixture *f = *state;
	rule(f, f->instructions, PMS_COUNT_EXACT, 0);
	f->share->extent.detail = 1000;
	windows(f, 0, 400000, 100000, 300);
	f->share->threads[0].counters[PMS_COUNTER_UNSEEN_PREFETCHES] = 500;
	tally(f, 0);
	assert_true(warned(f, "2000 prefetch instructions (5.0 in 1000): "));
}

/* A second thread that does no hundredth of the work shares nothing to speak of. */
static void threads_that_may_share_are_warned_of(void **state)
{
	static const struct {
		uint64_t first, second, atomics;
		const char *text; /* NULL: nothing is said */
	} cases[] = {
		{ 50000, 50000, 0, "2 threads ran, each on a core with caches of its own" },
		{ 50000, 50000, 1000, "1000 atomic and exclusive instructions (10.0 in 1000)" },
		{ 99000, 1000, 0, "2 threads" },
		{ 99001, 999, 5000, NULL },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture *f = *state;
		thread(f, 0, PMS_THREAD_ENDED, cases[i].first, 0);
		thread(f, 1, PMS_THREAD_ENDED, cases[i].second, 0);
		f->share->threads[1].counters[PMS_COUNTER_ATOMICS] = cases[i].atomics;
		tally(f, 0);
		if (cases[i].text ? !warned(f, cases[i].text) : f->counts->n_warnings)
			fail_msg("case %zu", i);
		if (!cases[i].atomics)
			assert_false(warned(f, "atomic"));
		pms_counts_free(f->counts);
		f->counts = pms_counts_new(f->catalog);
	}
}

static void a_missing_library_is_hinted_at(void **state)
{
	struct fixture *f = *state;
	struct pms_tally_run run = { .program = "p", .qemu_cpu = "x", .status = 127 << 8 };
	assert_int_equal(pms_tally(f->counts, &f->core, f->share, &run, NULL), 0);
	assert_false(warned(f, "library"));
	run.dynamic = true;
	run.sysroot = "/some/root";
	assert_int_equal(pms_tally(f->counts, &f->core, f->share, &run, NULL), 0);
	assert_true(warned(f, "library"));
	assert_true(warned(f, "/some/root"));
}

static void whose_fault_a_crash_is(void **state)
{
	static const struct {
		uint32_t first, second; /* states of two threads */
		int status;
		bool crashed;
	} cases[] = {
		{ PMS_THREAD_IN_MODEL, PMS_THREAD_ENDED, SIGSEGV, true },
		{ PMS_THREAD_IN_MODEL, PMS_THREAD_IN_MODEL, SIGABRT, true },
		{ PMS_THREAD_IN_MODEL, PMS_THREAD_RUNNING, SIGSEGV, false },
		{ PMS_THREAD_RUNNING, PMS_THREAD_ENDED, SIGSEGV, false },
		{ PMS_THREAD_ENDED, PMS_THREAD_ENDED, SIGABRT, false },
		{ PMS_THREAD_IN_MODEL, PMS_THREAD_ENDED, SIGKILL, false },
		{ PMS_THREAD_IN_MODEL, PMS_THREAD_ENDED, SIGINT, false },
		{ PMS_THREAD_IN_MODEL, PMS_THREAD_ENDED, 139 << 8, false }, /* exited */
	};
	struct fixture *f = *state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		thread(f, 0, cases[i].first, 1, 0);
		thread(f, 1, cases[i].second, 1, 0);
		if (pms_tally_model_crashed(f->share, cases[i].status) != cases[i].crashed)
			fail_msg("case %zu", i);
	}
}

/* More slots than there are cannot be read, whatever the plugin wrote. */
static void a_wild_count_of_threads_is_bounded(void **state)
{
	struct fixture *f = *state;
	thread(f, 0, PMS_THREAD_ENDED, 1, 0);
	f->share->n_threads = UINT32_MAX;
	tally(f, 0);
	assert_int_equal(f->counts->n_scopes, 1);
}

static void status_as_a_shell_shows_it(void **state)
{
	(void)state;
	assert_int_equal(pms_tally_exit_status(0), 0);
	assert_int_equal(pms_tally_exit_status(3 << 8), 3);
	assert_int_equal(pms_tally_exit_status(SIGTERM), 143);
	assert_int_equal(pms_tally_exit_status(SIGSEGV | 0x80), 139); /* with a core dump */
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(threads_are_scopes),
		TEST(what_is_not_modelled_says_why),
		TEST(windows_stand_for_the_whole),
		TEST(the_start_stands_for_itself),
		TEST(one_window_is_warned_of),
		TEST(a_negative_sum_is_no_count),
		TEST(a_long_name_fits),
		TEST(events_of_the_run_are_warned_of),
		TEST(what_the_model_does_not_see_is_warned_of),
		TEST(what_windows_do_not_see_stands_for_the_whole),
		TEST(threads_that_may_share_are_warned_of),
		TEST(a_wild_count_of_threads_is_bounded),
		TEST(a_missing_library_is_hinted_at),
		TEST(whose_fault_a_crash_is),
		cmocka_unit_test(status_as_a_shell_shows_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* What groups have read becomes counts: of a machine with two CPUs and two passes, made up by hand.
 * Times are in ns, as the kernel tells them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "collect/live/live.h"
#include "collect/live/sum.h"
#include "collect/live/tally.h"

enum { MOST = 3 }; /* members of a pass */

/* What one pass read at a CPU. value of a member: MISSING: the machine lacks it there. */
enum { MISSING = -1 };
struct reading {
	int cpu;
	size_t pass;
	uint64_t enabled, running;
	int64_t values[MOST];
};

struct machine {
	struct pms_live live;
	struct pms_perf_part part;
	struct pms_perf_pass passes[2];
	struct pms_perf_member members[2][MOST];
	struct pms_perf_cell cells[2];
	struct pms_perf_column columns[3];
	struct pms_perf_group groups[4];
	struct pms_perf_joined joining[2 * MOST];
	uint64_t numbers[4][2 + MOST];
	int fds[4][MOST];
	struct pms_catalog *catalog;
	struct pms_counts *counts;
};

static const char *const names[2][MOST] = { { "CPU_CYCLES", "INST_RETIRED", NULL },
					    { "CPU_CYCLES", "STALL_SLOT", NULL } };
enum { CYCLES, INSTRUCTIONS, STALLS, N_EVENTS };

static void make_members(struct machine *m)
{
	static const size_t event_of[2][2] = { { CYCLES, INSTRUCTIONS }, { CYCLES, STALLS } };
	for (size_t pass = 0; pass < 2; pass++) {
		m->passes[pass] = (struct pms_perf_pass){ .members = m->members[pass],
							  .n = 2,
							  .first = 2 * pass };
		for (size_t i = 0; i < 2; i++) {
			int64_t event = pms_catalog_find_event(m->catalog, names[pass][i]);
			assert_true(event >= 0);
			m->members[pass][i] = (struct pms_perf_member){
				.event = (size_t)event,
				.state = PMS_NOT_SUPPORTED,
				.row = 4 + event_of[pass][i],
			};
		}
	}
}

static void machine_init(struct machine *m)
{
	*m = (struct machine){ 0 };
	assert_int_equal(pms_catalog_load(NULL, "neoverse-v1", &m->catalog, NULL), 0);
	make_members(m);
	m->part = (struct pms_perf_part){ .catalog = m->catalog,
					  .passes = m->passes,
					  .n_passes = 2,
					  .n_counted = 2,
					  .n_slots = 4,
					  .n_rows = 4 + N_EVENTS,
					  .joining = m->joining };
	for (int cpu = 0; cpu < 2; cpu++) {
		m->cells[cpu] = (struct pms_perf_cell){ .pid = -1, .cpu = cpu };
		m->cells[cpu].column = (size_t)cpu + 1;
		m->columns[cpu + 1] = (struct pms_perf_column){ .kind = PMS_SCOPE_CPU, .id = cpu };
	}
	m->live = (struct pms_live){ .parts = &m->part,
				     .n_parts = 1,
				     .columns = m->columns,
				     .n_columns = 3,
				     .cells = m->cells,
				     .n_cells = 2,
				     .groups = m->groups,
				     .runs = 1 };
	assert_int_equal(pms_perf_columns_room(&m->live, NULL), 0);
}

static void put_group(struct machine *m, const struct reading *r)
{
	size_t i = m->live.n_groups++;
	m->groups[i] = (struct pms_perf_group){
		.pass = r->pass, .cell = (size_t)r->cpu, .fds = m->fds[i], .now = m->numbers[i]
	};
	m->numbers[i][0] = r->enabled;
	m->numbers[i][1] = r->running;
	for (size_t k = 0; k < MOST; k++) {
		m->fds[i][k] = r->values[k] == MISSING ? PMS_PERF_LACKS : 100;
		m->numbers[i][2 + k] = r->values[k] == MISSING ? 0 : (uint64_t)r->values[k];
	}
}

/* The counts of one run in which groups read this. */
static void machine_count(struct machine *m, const struct reading *readings, size_t n)
{
	machine_init(m);
	for (size_t i = 0; i < n; i++)
		put_group(m, &readings[i]);
	pms_perf_tally(&m->live, true);
	pms_perf_sum_run(&m->live);
	assert_int_equal(pms_perf_counts(&m->live, 0, false, &m->counts, NULL), 0);
	assert_int_equal(m->counts->n_scopes, 2);
}

static void machine_release(struct machine *m)
{
	pms_counts_free(m->counts);
	free(m->part.tallies);
	free(m->part.sums);
	pms_catalog_free(m->catalog);
}

static const struct pms_count *count_of(const struct machine *m, const struct pms_scope *scope,
					const char *name)
{
	return &scope->counts[pms_catalog_find_event(m->catalog, name)];
}

static const struct pms_count *total_of(const struct machine *m, const char *name)
{
	return count_of(m, &m->counts->total, name);
}

static void assert_near(double got, double want)
{
	if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want))))
		fail_msg("%.17g, want %.17g", got, want);
}

/* CPU 0 had counters for a quarter of 400 ms and read 100: 400. CPU 1 read 200 all of the time. The
 * sum is 600, of which 300 were read; by the sums of times, 300 x 800 / 500 = 480, it would not be
 * what its rows come to. Of the 400, three were missed for each one seen, 400 x 3 / 600. */
static void each_cpu_is_scaled_by_its_own_time(void **state)
{
	(void)state;
	static const struct reading readings[] = {
		{ 0, 0, 400000000, 100000000, { 1000, 100 } },
		{ 1, 0, 400000000, 400000000, { 4000, 200 } },
	};
	struct machine m;
	machine_count(&m, readings, 2);
	const struct pms_count *total = total_of(&m, "INST_RETIRED");
	assert_int_equal(total->state, PMS_COUNTED);
	assert_int_equal(total->value, 300);
	assert_near(pms_count_scaled(total), 600);
	double rows = 0;
	for (size_t i = 0; i < 2; i++)
		rows += pms_count_scaled(count_of(&m, &m.counts->scopes[i], "INST_RETIRED"));
	assert_near(rows, 600);
	assert_true(fabs(pms_count_missed(total) - 2) < 0.01);
	/* 25 windows of 4 ms: 0.03 of the 400 */
	assert_true(fabs(pms_count_phases(total) - 0.03 * 400 * 400 / (600 * 600)) < 1e-4);
	assert_int_equal(total->enabled_ns, 800000000);
	assert_int_equal(total->running_ns, 500000000);
	machine_release(&m);
}

/* Cycles are in both passes. CPU 0 counted them all of the time, in turns: 100 + 300. CPU 1 for
 * three quarters: 40 / 0.75. Instructions had a quarter of CPU 0 and half of CPU 1. */
static void passes_are_joined_where_they_took_turns(void **state)
{
	(void)state;
	static const struct reading readings[] = {
		{ 0, 0, 400000000, 100000000, { 100, 5 } },
		{ 0, 1, 400000000, 300000000, { 300, 7 } },
		{ 1, 0, 400000000, 200000000, { 10, 20 } },
		{ 1, 1, 400000000, 100000000, { 30, 0 } },
	};
	struct machine m;
	machine_count(&m, readings, 4);
	const struct pms_scope *cpus = m.counts->scopes;
	assert_near(pms_count_scaled(count_of(&m, &cpus[0], "CPU_CYCLES")), 400);
	assert_near(pms_count_missed(count_of(&m, &cpus[0], "CPU_CYCLES")), 0);
	assert_near(pms_count_scaled(count_of(&m, &cpus[1], "CPU_CYCLES")), 40 / 0.75);
	assert_near(pms_count_scaled(total_of(&m, "CPU_CYCLES")), 400 + 40 / 0.75);
	assert_near(pms_count_scaled(total_of(&m, "INST_RETIRED")), 5 * 4 + 20 * 2);
	/* Of the passes, each its own: what metrics are made of. */
	assert_int_equal(m.counts->total.n_passes, 2);
	size_t cycles = (size_t)pms_catalog_find_event(m.catalog, "CPU_CYCLES");
	assert_near(pms_count_scaled(&m.counts->total.passes[0][cycles]), 400 + 20);
	assert_near(pms_count_scaled(&m.counts->total.passes[1][cycles]), 400 + 120);
	machine_release(&m);
}

/* Both passes ran at the same time, and saw the same. */
static void what_was_seen_twice_is_one(void **state)
{
	(void)state;
	static const struct reading readings[] = {
		{ 0, 0, 1000, 1000, { 500, 5 } },
		{ 0, 1, 1000, 1000, { 500, 7 } },
		{ 1, 0, 1000, 1000, { 40, 5 } },
		{ 1, 1, 1000, 1000, { 40, 7 } },
	};
	struct machine m;
	machine_count(&m, readings, 4);
	assert_int_equal(total_of(&m, "CPU_CYCLES")->value, 540);
	assert_near(pms_count_scaled(total_of(&m, "CPU_CYCLES")), 540);
	machine_release(&m);
}

/* On CPU 1 others had all the counters: of half of the time nothing is known. Of a twentieth, it is
 * taken for what the rest had, and the interval holds that it was none, or twice as much. */
static void a_cpu_without_a_counter_leaves_no_sum(void **state)
{
	(void)state;
	static const struct reading half[] = {
		{ 0, 0, 1000, 1000, { 500, 5 } },
		{ 1, 0, 1000, 0, { 0, 0 } },
	};
	static const struct reading twentieth[] = {
		{ 0, 0, 19000, 19000, { 500, 190 } },
		{ 1, 0, 1000, 0, { 0, 0 } },
	};
	struct machine m;
	machine_count(&m, half, 2);
	assert_int_equal(total_of(&m, "INST_RETIRED")->state, PMS_NOT_COUNTED);
	assert_non_null(strstr(total_of(&m, "INST_RETIRED")->because, "50 % of the time"));
	const struct pms_scope *cpus = m.counts->scopes;
	assert_int_equal(count_of(&m, &cpus[0], "INST_RETIRED")->value, 5);
	assert_int_equal(count_of(&m, &cpus[1], "INST_RETIRED")->state, PMS_NOT_COUNTED);
	machine_release(&m);
	machine_count(&m, twentieth, 2);
	assert_near(pms_count_scaled(total_of(&m, "INST_RETIRED")), 200);
	assert_true(pms_count_phases(total_of(&m, "INST_RETIRED")) >= 0.05 * 0.05);
	machine_release(&m);
}

/* What one CPU lacks makes the sum undefined, not the other CPU's count. */
static void a_cpu_that_lacks_an_event_leaves_no_sum(void **state)
{
	(void)state;
	static const struct reading readings[] = {
		{ 0, 0, 1000, 1000, { 500, 5 } },
		{ 1, 0, 1000, 1000, { 300, MISSING } },
	};
	static char because[] = "CPU 1 cannot count INST_RETIRED";
	struct machine m;
	machine_init(&m);
	m.members[0][1].because = because;
	for (size_t i = 0; i < 2; i++)
		put_group(&m, &readings[i]);
	pms_perf_tally(&m.live, true);
	pms_perf_sum_run(&m.live);
	assert_int_equal(pms_perf_counts(&m.live, 0, false, &m.counts, NULL), 0);
	assert_int_equal(total_of(&m, "INST_RETIRED")->state, PMS_NOT_SUPPORTED);
	assert_string_equal(total_of(&m, "INST_RETIRED")->because, because);
	assert_int_equal(count_of(&m, &m.counts->scopes[0], "INST_RETIRED")->value, 5);
	assert_int_equal(total_of(&m, "CPU_CYCLES")->value, 800);
	machine_release(&m);
}

/* Of 1.33 ms CPU 1 was counted for 1.30, as it was switched on 0.03 later: it was there all the
 * time. CPU 0, which was switched on first and went after 1 ms, was not. */
static void a_cpu_that_was_switched_on_later_was_not_away(void **state)
{
	(void)state;
	static const struct reading readings[] = {
		{ 0, 0, 1000000, 1000000, { 1000, 100 } },
		{ 1, 0, 1301000, 1301000, { 1301, 130 } },
	};
	struct machine m;
	machine_init(&m);
	for (size_t i = 0; i < 2; i++)
		put_group(&m, &readings[i]);
	m.groups[0].since = 5000000;
	m.groups[1].since = 5030000;
	m.live.now_ns = 6330000;
	pms_perf_tally(&m.live, true);
	assert_int_equal(m.cells[0].due, 1330000);
	assert_int_equal(m.cells[1].due, 1300000);
	assert_true(pms_perf_was_away(&m.cells[0]));
	assert_false(pms_perf_was_away(&m.cells[1]));
	/* Off for a while: what it was on before is due as well. */
	m.groups[1].due = 400000;
	pms_perf_tally(&m.live, true);
	assert_true(pms_perf_was_away(&m.cells[1]));
	machine_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_cpu_is_scaled_by_its_own_time),
		cmocka_unit_test(passes_are_joined_where_they_took_turns),
		cmocka_unit_test(what_was_seen_twice_is_one),
		cmocka_unit_test(a_cpu_without_a_counter_leaves_no_sum),
		cmocka_unit_test(a_cpu_that_lacks_an_event_leaves_no_sum),
		cmocka_unit_test(a_cpu_that_was_switched_on_later_was_not_away),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

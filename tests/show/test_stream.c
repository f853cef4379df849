/* SPDX-License-Identifier: MIT */
/* Intervals as lines, and redrawn. The V1 counts below make level 1 of 1000 cycles of 8 slots: 2000
 * empty slots of the frontend (25 %), 4000 of the backend (50 %), 2000 retired (25 %), no flushes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "pmuscope/show.h"

static const struct {
	const char *event;
	uint64_t value;
} slots[] = { { "CPU_CYCLES", 1000 }, { "STALL_SLOT", 6000 }, { "STALL_SLOT_FRONTEND", 2000 },
	      { "OP_RETIRED", 2000 }, { "OP_SPEC", 2000 },    { "STALL_SLOT_BACKEND", 4000 },
	      { "BR_MIS_PRED", 0 } };

static void put_counts(const struct pms_catalog *catalog, struct pms_scope *scope)
{
	for (size_t i = 0; i < sizeof(slots) / sizeof(slots[0]); i++) {
		int64_t event = pms_catalog_find_event(catalog, slots[i].event);
		assert_true(event >= 0);
		scope->counts[event] =
			(struct pms_count){ .state = PMS_COUNTED, .value = slots[i].value };
	}
}

/* What becomes of the terminal between two intervals. */
struct change {
	unsigned width, rows; /* 0: nothing */
	int anew;
};

/* Two intervals, of a total and one CPU; what was written is the caller's to free. */
static char *draw_with(const struct pms_show_options *options, struct change change)
{
	struct pms_catalog *catalog = NULL;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct pms_stream *stream = pms_stream_new(options);
	assert_int_equal(pms_catalog_load(NULL, "neoverse-v1", &catalog, NULL), 0);
	for (int i = 1; i <= 2; i++) {
		struct pms_report *total = NULL, *cpu = NULL;
		struct pms_counts *counts = pms_counts_new(catalog);
		counts->has_time = 1;
		counts->time = i;
		pms_counts_add_scope(counts, PMS_SCOPE_CPU, 7);
		put_counts(catalog, &counts->scopes[0]);
		pms_counts_sum(counts);
		assert_int_equal(pms_analyse(counts, &counts->total, NULL, &total, NULL), 0);
		assert_int_equal(pms_analyse(counts, &counts->scopes[0], NULL, &cpu, NULL), 0);
		assert_int_equal(pms_stream_put(stream, out, total, &cpu, NULL), 0);
		pms_report_free(cpu);
		pms_report_free(total);
		pms_counts_free(counts);
		if (i == 1 && change.width)
			pms_stream_fit(stream, change.width, change.rows, change.anew);
	}
	pms_stream_free(stream);
	pms_catalog_free(catalog);
	fclose(out);
	return text;
}

static char *draw(const struct pms_show_options *options)
{
	return draw_with(options, (struct change){ 0 });
}

static void each_interval_has_its_line(void **state)
{
	(void)state;
	char *text = draw(&(struct pms_show_options){ .ascii = 1 });
	assert_string_equal(
		text,
		"    time s  cpu    frontend_bound  backend_bound      retiring  bad_speculation\n"
		"     1.000  total            25.0           50.0          25.0                0\n"
		"     1.000  7                25.0           50.0          25.0                0\n"
		"     2.000  total            25.0           50.0          25.0                0\n"
		"     2.000  7                25.0           50.0          25.0                "
		"0\n");
	free(text);
}

/* At 80 columns the label takes 12, the four shares 7 each and a blank one: 39 are left for bars. A
 * column is drawn when its middle lies within: 10 of 25 %, up to 29 of 75 %, 39 of all. */
static void intervals_are_drawn_over_each_other(void **state)
{
	(void)state;
	char *text = draw(&(struct pms_show_options){ .ascii = 1, .redraw = 24 });
	static const char once[] =
		"%s# frontend_bound  = backend_bound  + retiring  . bad_speculation\033[K\n"
		"total       ##########===================++++++++++    25.0   50.0   25.0    0.0\n"
		"cpu 7       ##########===================++++++++++    25.0   50.0   25.0    0.0\n"
		"\033[J";
	char want[2048];
	int n = snprintf(want, sizeof(want), once, "\r1.0 s       ");
	n += snprintf(want + n, sizeof(want) - (size_t)n, "\r\033[3A");
	snprintf(want + n, sizeof(want) - (size_t)n, once, "2.0 s       ");
	assert_string_equal(text, want);
	free(text);
}

static void what_does_not_fit_on_the_terminal_is_counted(void **state)
{
	(void)state;
	char *text = draw(&(struct pms_show_options){ .ascii = 1, .redraw = 4 });
	assert_null(strstr(text, "cpu 7"));
	assert_non_null(strstr(text, "and 1 more\033[K\n"));
	free(text);
}

/* Six rows: they are moved out before the second interval. Two names fit in 50 columns. The bar has
 * 50 - 12 - 2 * 7 - 1 = 23, of which 25 % are 5.75 and 75 % 17.25. */
static void a_narrower_terminal_gets_a_new_picture(void **state)
{
	(void)state;
	char *text = draw_with(&(struct pms_show_options){ .ascii = 1, .redraw = 24 },
			       (struct change){ .width = 50, .rows = 6 });
	assert_non_null(strstr(text, "\033[J\033[6;1H\n\n\n\n\n\n\033[H"
				     "2.0 s       # frontend_bound  = backend_bound\033[K\n"
				     "total       ######===========          25.0   50.0\n"));
	assert_null(strstr(text, "A2.0 s"));
	free(text);
}

/* As wide as before, and drawn below what the shell has written meanwhile. */
static void what_others_wrote_is_not_drawn_over(void **state)
{
	(void)state;
	char *text = draw_with(&(struct pms_show_options){ .ascii = 1, .redraw = 24 },
			       (struct change){ .width = 80, .rows = 24, .anew = 1 });
	assert_non_null(strstr(text, "\033[J\r2.0 s "));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_interval_has_its_line),
		cmocka_unit_test(intervals_are_drawn_over_each_other),
		cmocka_unit_test(what_does_not_fit_on_the_terminal_is_counted),
		cmocka_unit_test(a_narrower_terminal_gets_a_new_picture),
		cmocka_unit_test(what_others_wrote_is_not_drawn_over),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* What is shown, against tests/golden/show. With a directory as argument the files are written
 * there instead: `meson compile -C build golden`. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixture.h"
#include "pmuscope/validate.h"

typedef void writer(struct fixture *f, FILE *out, const struct pms_show_options *options);

static void put_report(struct fixture *f, FILE *out, const struct pms_show_options *options)
{
	struct pms_show_options o = *options;
	size_t events[] = { fixture_event(f, "LL_CACHE_RD"), fixture_event(f, "INST_RETIRED") };
	/* The separator marks those that ask for events by name: the table below cannot hold them.
	 */
	if (o.view == PMS_VIEW_STAT && o.separator == ';') {
		o.events = events;
		o.n_events = 2;
	}
	assert_int_equal(pms_show_report(out, &f->report, &f->scopes, &o, NULL), 0);
}

static void put_events(struct fixture *f, FILE *out, const struct pms_show_options *options)
{
	assert_int_equal(pms_show_list(out, f->catalog, PMS_LIST_EVENTS, options, NULL), 0);
}

static void put_metrics(struct fixture *f, FILE *out, const struct pms_show_options *options)
{
	assert_int_equal(pms_show_list(out, f->catalog, PMS_LIST_METRICS, options, NULL), 0);
}

static void put_groups(struct fixture *f, FILE *out, const struct pms_show_options *options)
{
	assert_int_equal(pms_show_list(out, f->catalog, PMS_LIST_GROUPS, options, NULL), 0);
}

static void put_tree(struct fixture *f, FILE *out, const struct pms_show_options *options)
{
	assert_int_equal(pms_show_list(out, f->catalog, PMS_LIST_TREE, options, NULL), 0);
}

static void put_cpus(struct fixture *f, FILE *out, const struct pms_show_options *options)
{
	const struct pms_catalog *catalogs[] = { f->catalog, f->catalog };
	assert_int_equal(pms_show_cpus(out, catalogs, 2, options, NULL), 0);
}

static void put_checks(struct fixture *f, FILE *out, const struct pms_show_options *options)
{
	static const struct pms_host_check checks[] = {
		{ "QEMU", 1, "qemu-aarch64 7.2.22, plugin API 1", "" },
		{ "Compiler", 0, "none found in any of the folders that are on the search path",
		  "apt-get install gcc-aarch64-linux-gnu" },
		{ "Hardware counters", -1, "", "" },
	};
	(void)f;
	assert_int_equal(pms_show_checks(out, checks, 3, options, NULL), 0);
}

static void put_description(struct fixture *f, FILE *out, const struct pms_show_options *options)
{
	static const char *const names[] = { "ll_cache_rd",  "r21",    "ll_reads",
					     "memory_bound", "Branch", "Cache_Effectiveness",
					     "demo" };
	assert_int_equal(pms_show_description(out, f->catalog, NULL, names, 7, options, NULL), 0);
}

/* Two passes, one metric that fits into none, and a counter of its own for cycles. */
static void put_plan(struct fixture *f, FILE *out, const struct pms_show_options *options)
{
	size_t fixed[] = { fixture_event(f, "CPU_CYCLES") };
	size_t first[] = { fixed[0], fixture_event(f, "STALL_SLOT"),
			   fixture_event(f, "LL_CACHE_RD") };
	size_t second[] = { fixed[0], fixture_event(f, "INST_RETIRED") };
	size_t bound[] = { fixture_metric(f, "frontend_bound"), fixture_metric(f, "retiring") };
	size_t ipc[] = { fixture_metric(f, "ipc") }, split[] = { fixture_metric(f, "ll_reads") };
	struct pms_pass passes[] = { { first, 3, bound, 2, 2 }, { second, 2, ipc, 1, 1 } };
	struct pms_plan plan = { .catalog = f->catalog,
				 .counters = 2,
				 .passes = passes,
				 .n_passes = 2,
				 .n_metrics = 3,
				 .lower_bound = 2,
				 .optimal = 1,
				 .fixed = fixed,
				 .n_fixed = 1,
				 .split = split,
				 .n_split = 1,
				 .level1 = 0,
				 .stage1 = PMS_NO_PASS };
	assert_int_equal(pms_show_plan(out, &plan, options, NULL), 0);
}

static struct pms_check_row check_rows[] = {
	{ .kind = "sum",
	  .sign = "=",
	  .lhs = "A",
	  .rhs = "B + C",
	  .note = "",
	  .status = PMS_CHECK_KEPT,
	  .has_values = 1,
	  .lhs_value = 3,
	  .rhs_value = 3,
	  .tolerance = 0.5 },
	{ .kind = "subset",
	  .sign = "<=",
	  .lhs = "A",
	  .rhs = "B",
	  .note = "What is in both, and longer than a line of eighty columns can be expected to "
		  "hold.",
	  .status = PMS_CHECK_BROKEN,
	  .has_values = 1,
	  .lhs_value = 1.5e20,
	  .rhs_value = 0.1,
	  .because = "1.5e20 more" },
	{ .kind = "never",
	  .sign = "=",
	  .lhs = "C",
	  .rhs = "0",
	  .note = "",
	  .status = PMS_CHECK_UNCHECKED,
	  .reason = PMS_REASON_COUNT,
	  .because = "C was not counted" },
	{ .kind = "at_least",
	  .sign = ">=",
	  .lhs = "C",
	  .rhs = "D, \"quoted\"",
	  .note = "",
	  .status = PMS_CHECK_UNCHECKED,
	  .reason = PMS_REASON_ERRATUM,
	  .because = "the core may have the erratum" },
};

static int copy_check(void *context, size_t i, struct pms_check **out, struct pms_error *err)
{
	struct pms_check *copy = calloc(1, sizeof(*copy));
	(void)i;
	(void)err;
	assert_non_null(copy);
	*copy = *(struct pms_check *)context;
	*out = copy;
	return 0;
}

/* The whole, an interval, and a budget with ends of each kind. */
static void put_verdict(struct fixture *f, FILE *out, const struct pms_show_options *options)
{
	struct pms_check whole = {
		.counts = f->counts, .rows = check_rows, .n_rows = 4, .n_status = { 1, 1, 2 }
	};
	struct pms_check interval = {
		.has_time = 1, .time = 1.25, .rows = check_rows, .n_rows = 2, .n_status = { 1, 1 }
	};
	struct pms_value values[] = {
		{ .state = PMS_VALUE_EXACT, .value = 1.5, .low = 1.5, .high = 1.5 },
		{ .state = PMS_VALUE_SCALED, .value = 0.1, .low = 0, .high = 1 },
		{ .state = PMS_VALUE_UNDEFINED, .because = "STALL_SLOT was not counted" }
	};
	const struct pms_metric *metrics[] = {
		pms_catalog_metric(f->catalog, fixture_metric(f, "ipc")),
		pms_catalog_metric(f->catalog, fixture_metric(f, "branch_mpki")),
		pms_catalog_metric(f->catalog, fixture_metric(f, "retiring"))
	};
	struct pms_budget_row rows[] = {
		{ .metric = metrics[0], .has_low = 1, .low = 1 },
		{ .metric = metrics[1], .has_low = 1, .low = 1, .has_high = 1, .high = 2 },
		{ .metric = metrics[2] }
	};
	struct pms_budget budget = { .rows = rows, .n_rows = 3 };
	struct pms_verdict verdict = { .whole = &whole,
				       .n_intervals = 1,
				       .interval = copy_check,
				       .context = &interval,
				       .n_rows = 2,
				       .n_broken = 1,
				       .budget = &budget,
				       .values = values };
	assert_int_equal(pms_show_verdict(out, &verdict, options, NULL), 0);
}

/* One that agrees and one that has a figure of each kind. */
static void put_trials(struct fixture *f, FILE *out, const struct pms_show_options *options)
{
	const struct pms_metric *retiring =
		pms_catalog_metric(f->catalog, fixture_metric(f, "retiring"));
	const struct pms_metric *ipc = pms_catalog_metric(f->catalog, fixture_metric(f, "ipc"));
	const struct pms_metric *roots[] = { retiring, ipc };
	struct pms_value level1[] = { { .state = PMS_VALUE_EXACT, .value = 75.25 },
				      { .state = PMS_VALUE_UNDEFINED } };
	struct pms_value values[] = { { .state = PMS_VALUE_EXACT, .value = 75.25 },
				      { .state = PMS_VALUE_EXACT, .value = 0.5 },
				      { .state = PMS_VALUE_UNDEFINED, .because = "not counted" } };
	struct pms_figure figures[] = {
		{ .metric = retiring, .has_low = 1, .low = 50, .source = "page 1" },
		{ .metric = ipc,
		  .has_low = 1,
		  .low = 1,
		  .has_high = 1,
		  .high = 2,
		  .source = "p. 2" },
		{ .metric = ipc, .has_high = 1, .high = 3, .source = "argued, \"so\"" }
	};
	struct pms_workload workloads[] = {
		{ .name = "right", .category = "Core", .figures = figures, .n_figures = 1 },
		{ .name = "wrong",
		  .category = "Core",
		  .argued = 1,
		  .dominant = ipc,
		  .figures = figures,
		  .n_figures = 3 }
	};
	struct pms_trial trials[] = { { .workload = &workloads[0],
					.counts = f->counts,
					.values = values,
					.roots = roots,
					.level1 = level1,
					.n_level1 = 2,
					.agrees = 1,
					.stage1_agrees = 1 },
				      { .workload = &workloads[1],
					.counts = f->counts,
					.values = values,
					.roots = roots,
					.level1 = level1,
					.n_level1 = 2,
					.largest = -1 } };
	struct pms_trial *list[] = { &trials[0], &trials[1] };
	assert_int_equal(pms_show_trials(out, list, 2, options, NULL), 0);
}

#define EACH_FORMAT(name, write)                                                                   \
	{ name ".txt", write, { 0 } }, { name "-all.txt", write, { .all = 1, .width = 60 } },      \
		{ name ".json", write, { .format = PMS_FORMAT_JSON } },                            \
	{                                                                                          \
		name ".csv", write,                                                                \
		{                                                                                  \
			.format = PMS_FORMAT_CSV                                                   \
		}                                                                                  \
	}

static const struct golden {
	const char *file;
	writer *write;
	struct pms_show_options options;
} goldens[] = {
	{ "topdown.txt", put_report, { .scopes = 1 } },
	{ "topdown-all.txt", put_report, { .all = 1 } },
	{ "topdown-ascii.txt", put_report, { .ascii = 1, .width = 100 } },
	{ "topdown-colour.txt", put_report, { .colour = 1, .width = 60 } },
	{ "topdown.json", put_report, { .format = PMS_FORMAT_JSON, .scopes = 1 } },
	{ "topdown.csv", put_report, { .format = PMS_FORMAT_CSV, .scopes = 1 } },
	{ "stat.txt", put_report, { .view = PMS_VIEW_STAT } },
	{ "stat-events.txt", put_report, { .view = PMS_VIEW_STAT, .separator = ';', .scopes = 1 } },
	{ "stat-events.csv",
	  put_report,
	  { .format = PMS_FORMAT_CSV, .view = PMS_VIEW_STAT, .separator = ';' } },
	{ "events.txt", put_events, { 0 } },
	{ "events.csv", put_events, { .format = PMS_FORMAT_CSV } },
	{ "metrics.txt", put_metrics, { 0 } },
	{ "metrics.json", put_metrics, { .format = PMS_FORMAT_JSON } },
	{ "groups.txt", put_groups, { 0 } },
	{ "tree.txt", put_tree, { 0 } },
	{ "tree-ascii.txt", put_tree, { .ascii = 1 } },
	{ "tree.json", put_tree, { .format = PMS_FORMAT_JSON } },
	{ "describe.txt", put_description, { 0 } },
	{ "describe-ascii.txt", put_description, { .ascii = 1, .width = 60 } },
	{ "describe.json", put_description, { .format = PMS_FORMAT_JSON } },
	{ "cpus.txt", put_cpus, { 0 } },
	{ "checks.txt", put_checks, { 0 } },
	{ "checks.json", put_checks, { .format = PMS_FORMAT_JSON } },
	EACH_FORMAT("plan", put_plan),
	EACH_FORMAT("verdict", put_verdict),
	EACH_FORMAT("trials", put_trials),
};

#define N_GOLDENS (sizeof(goldens) / sizeof(goldens[0]))

/* To be freed. */
static char *render(const struct golden *golden)
{
	struct fixture_text to;
	struct fixture f;
	FILE *out = fixture_open(&to);
	fixture_init(&f);
	golden->write(&f, out, &golden->options);
	fixture_release(&f);
	return fixture_close(&to);
}

static char *read_file(const char *file)
{
	char path[4096], *text = calloc(1, 1 << 20);
	snprintf(path, sizeof(path), "%s/%s", PMS_GOLDEN, file);
	FILE *in = fopen(path, "r");
	if (!in)
		fail_msg("%s: cannot read; meson compile golden writes it", path);
	assert_non_null(text);
	text[fread(text, 1, (1 << 20) - 1, in)] = 0;
	fclose(in);
	return text;
}

/* The first line that differs, for the message. */
static void same_text(const char *file, const char *got, const char *want)
{
	for (unsigned line = 1; *got || *want; line++) {
		size_t n = strcspn(got, "\n"), m = strcspn(want, "\n");
		if (n != m || memcmp(got, want, n) != 0 || got[n] != want[m])
			fail_msg("%s:%u:\n got: %.*s\nwant: %.*s", file, line, (int)n, got, (int)m,
				 want);
		got += n + (got[n] != 0);
		want += m + (want[m] != 0);
	}
}

static void shown_as_in_the_golden_files(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_GOLDENS; i++) {
		char *got = render(&goldens[i]), *want = read_file(goldens[i].file);
		same_text(goldens[i].file, got, want);
		free(got);
		free(want);
	}
}

static size_t columns(const char *line, size_t bytes)
{
	size_t n = 0;
	for (size_t i = 0; i < bytes; i++)
		n += ((unsigned char)line[i] & 0xc0) != 0x80;
	return n;
}

/* A command line is not wrapped; everything else keeps to the width. */
static void lines_fit_the_width(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_GOLDENS; i++) {
		const struct pms_show_options *o = &goldens[i].options;
		if (o->format != PMS_FORMAT_TABLE || o->colour)
			continue;
		char *text = render(&goldens[i]);
		for (char *line = text; *line; line += strcspn(line, "\n") + 1) {
			size_t n = strcspn(line, "\n");
			if (strncmp(line, "Command: ", 9) != 0 &&
			    columns(line, n) > (o->width ? o->width : 80))
				fail_msg("%s: too wide: %.*s", goldens[i].file, (int)n, line);
			assert_true(!n || line[n - 1] != ' ');
		}
		free(text);
	}
}

static void ascii_is_ascii(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_GOLDENS; i++) {
		if (!goldens[i].options.ascii)
			continue;
		char *text = render(&goldens[i]);
		for (char *c = text; *c; c++)
			assert_in_range((unsigned char)*c, '\n', '~');
		free(text);
	}
}

static void a_locale_without_utf8_gets_ascii(void **state)
{
	struct golden golden = { "", put_report, { .width = 100 } };
	(void)state;
	setlocale(LC_CTYPE, "C");
	char *got = render(&golden);
	setlocale(LC_CTYPE, "C.UTF-8");
	char *want = read_file("topdown-ascii.txt");
	assert_string_equal(got, want);
	free(got);
	free(want);
}

static int write_all(const char *directory)
{
	for (size_t i = 0; i < N_GOLDENS; i++) {
		char path[4096], *text = render(&goldens[i]);
		snprintf(path, sizeof(path), "%s/%s", directory, goldens[i].file);
		FILE *out = fopen(path, "w");
		if (!out || fputs(text, out) < 0 || fclose(out)) {
			perror(path);
			return 1;
		}
		free(text);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shown_as_in_the_golden_files),
		cmocka_unit_test(lines_fit_the_width),
		cmocka_unit_test(ascii_is_ascii),
		cmocka_unit_test(a_locale_without_utf8_gets_ascii),
	};
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return 77; /* meson: skipped */
	return argc > 1 ? write_all(argv[1]) : cmocka_run_group_tests(tests, NULL, NULL);
}

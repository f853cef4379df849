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
};

#define N_GOLDENS (sizeof(goldens) / sizeof(goldens[0]))

/* To be freed. */
static char *render(const struct golden *golden)
{
	char *text = NULL;
	size_t size = 0;
	struct fixture f;
	FILE *out = open_memstream(&text, &size);
	assert_non_null(out);
	fixture_init(&f);
	golden->write(&f, out, &golden->options);
	fixture_release(&f);
	fclose(out);
	return text;
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

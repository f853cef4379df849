/* SPDX-License-Identifier: MIT */
/* Each source is opened, read and closed alike, and gives equal counts for equal inputs: what the
 * PMU and the model count is saved as a session, and written as perf stat writes it. The argument,
 * if there is one, is an AArch64 program for the model; the next the model's plugin. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pmuscope/pmuscope.h"

struct folder {
	char path[64], session[80], text[80];
	char *guest, *plugin; /* NULL: there is none */
};

static struct pms_counts *read_all(const struct pms_measurement_options *options,
				   enum pms_source source, struct pms_measurement **m)
{
	struct pms_error err = { 0 };
	struct pms_counts *counts = NULL;
	if (pms_measurement_open(options, m, &err) || pms_measurement_select(*m, &err) ||
	    pms_measurement_read(*m, NULL, NULL, &counts, &err))
		fail_msg("source %d: %s: %s", (int)source, err.source, err.text);
	assert_int_equal(pms_measurement_source(*m), source);
	assert_int_equal(pms_measurement_parts(*m), 1);
	assert_ptr_equal(counts->catalog, pms_measurement_part(*m, 0)->catalog);
	assert_non_null(pms_measurement_part(*m, 0)->selection);
	return counts;
}

static void save(const struct folder *f, const struct pms_counts *counts,
		 const struct pms_wanted *wanted)
{
	const struct pms_session_view view = { .command = "stat",
					       .events = wanted->events,
					       .n_events = wanted->n_events };
	struct pms_session_writer *writer = NULL;
	struct pms_error err = { 0 };
	unlink(f->session);
	if (pms_session_create(f->session, &view, &writer, &err) ||
	    pms_session_add(writer, counts, &err) || pms_session_finish(writer, &err))
		fail_msg("%s", err.text);
}

/* As perf stat -x, does: value, unit, event, time that it ran, percent of the time. */
static void write_text(const struct folder *f, const struct pms_counts *counts)
{
	FILE *out = fopen(f->text, "w");
	assert_non_null(out);
	for (size_t i = 0; i < pms_catalog_events(counts->catalog); i++) {
		const struct pms_count *count = &counts->total.counts[i];
		if (count->state == PMS_COUNTED)
			fprintf(out, "%" PRIu64 ",,%s,1000,100.00,,\n", count->value,
				pms_catalog_event(counts->catalog, i)->name);
	}
	fclose(out);
}

/* Returns how many events there are counts of, in both alike. */
static size_t same(const struct pms_counts *a, const struct pms_counts *b)
{
	size_t n = 0;
	for (size_t i = 0; i < pms_catalog_events(a->catalog); i++) {
		const char *name = pms_catalog_event(a->catalog, i)->name;
		const struct pms_count *count = &a->total.counts[i];
		int64_t other = pms_catalog_find_event(b->catalog, name);
		if (count->state != PMS_COUNTED)
			continue;
		assert_true(other >= 0);
		if (b->total.counts[other].state != PMS_COUNTED ||
		    b->total.counts[other].value != count->value)
			fail_msg("%s: %" PRIu64 " and %" PRIu64 ", state %d", name, count->value,
				 b->total.counts[other].value, (int)b->total.counts[other].state);
		n++;
	}
	return n;
}

static int can_count(void)
{
	struct pms_measurement_options options = { .source = PMS_SOURCE_PMU };
	static const char *const events[] = { "page-faults" };
	struct pms_measurement *m = NULL;
	char *argv[] = { (char[]){ "true" }, NULL };
	options.live.target.command = argv;
	options.wanted = (struct pms_wanted){ .events = events, .n_events = 1, .counts = 1 };
	int rc = pms_measurement_open(&options, &m, NULL);
	rc = rc ? rc : pms_measurement_prepare(m, NULL);
	rc = rc ? rc : pms_measurement_read(m, NULL, NULL, NULL, NULL);
	pms_measurement_close(m);
	return !rc;
}

static void a_pmu_a_session_and_a_text_give_the_same(void **state)
{
	const struct folder *f = *state;
	static const char *const events[] = { "faults", "context-switches" };
	char *argv[] = { (char[]){ "true" }, NULL };
	struct pms_measurement_options options = { .source = PMS_SOURCE_PMU };
	struct pms_catalog *kernel = NULL;
	struct pms_measurement *pmu = NULL, *session = NULL, *text = NULL;
	if (!can_count())
		skip();
	assert_int_equal(pms_catalog_load_kernel(&kernel, NULL), 0);
	options.catalog = kernel;
	options.wanted = (struct pms_wanted){ .events = events, .n_events = 2, .counts = 1 };
	options.live.target.command = argv;
	struct pms_counts *counted = read_all(&options, PMS_SOURCE_PMU, &pmu);
	const struct pms_measured_part *part = pms_measurement_part(pmu, 0);
	/* Words become the catalog's names, and are what is planned and shown. */
	assert_string_equal(part->wanted.events[0], "page-faults");
	assert_int_equal(part->selection->n_events, 2);
	assert_true(part->selection->no_metrics);
	assert_null(pms_measurement_view(pmu));
	save(f, counted, &part->wanted);
	write_text(f, counted);

	struct pms_measurement_options file = { .file = f->session, .catalog = kernel };
	struct pms_counts *saved = read_all(&file, PMS_SOURCE_FILE, &session);
	assert_int_equal(same(counted, saved), 2);
	/* A session is shown as it was made. */
	assert_int_equal(pms_measurement_part(session, 0)->selection->n_events, 2);
	assert_int_equal(pms_measurement_part(session, 0)->wanted.counts, 1);
	assert_string_equal(pms_measurement_view(session)->command, "stat");
	assert_null(pms_measurement_plan(session, 0));

	file.file = f->text;
	struct pms_counts *told = read_all(&file, PMS_SOURCE_FILE, &text);
	assert_int_equal(same(counted, told), 2);
	/* A file can be read again. */
	pms_counts_free(told);
	assert_int_equal(pms_measurement_read(text, NULL, NULL, &told, NULL), 0);
	assert_int_equal(same(counted, told), 2);

	pms_counts_free(told);
	pms_counts_free(saved);
	pms_counts_free(counted);
	pms_measurement_close(text);
	pms_measurement_close(session);
	pms_measurement_close(pmu);
	pms_catalog_free(kernel);
}

static double first_value(const struct pms_measurement *m, const struct pms_counts *counts,
			  size_t *n)
{
	struct pms_reports *reports = NULL;
	assert_int_equal(
		pms_reports_make(counts, pms_measurement_part(m, 0)->selection, 1, &reports, NULL),
		0);
	assert_int_equal(reports->n_scopes, counts->n_scopes);
	double value = reports->total->results[0].value.value;
	*n = reports->total->n_results;
	pms_reports_free(reports);
	return value;
}

static void a_model_a_session_and_a_text_give_the_same(void **state)
{
	const struct folder *f = *state;
	static const char *const metrics[] = { "retiring" };
	char *argv[] = { f->guest, NULL };
	struct pms_measurement_options options = { .source = PMS_SOURCE_MODEL,
						   .vcore = { .plugin = f->plugin } };
	struct pms_measurement *model = NULL, *session = NULL, *text = NULL;
	size_t n[3];
	if (!f->guest)
		skip();
	options.mcpu = "neoverse-v1";
	options.wanted = (struct pms_wanted){ .metrics = metrics, .n_metrics = 1 };
	options.live.target.command = argv;
	struct pms_counts *counted = read_all(&options, PMS_SOURCE_MODEL, &model);
	assert_true(counted->provenance.modelled);
	save(f, counted, &(struct pms_wanted){ 0 });
	write_text(f, counted);

	options = (struct pms_measurement_options){ .file = f->session };
	options.wanted = (struct pms_wanted){ .metrics = metrics, .n_metrics = 1 };
	struct pms_counts *saved = read_all(&options, PMS_SOURCE_FILE, &session);
	assert_true(saved->provenance.modelled);
	size_t n_events = same(counted, saved);
	assert_true(n_events > 50);

	options.file = f->text;
	options.mcpu = "neoverse-v1";
	struct pms_counts *told = read_all(&options, PMS_SOURCE_FILE, &text);
	assert_int_equal(same(counted, told), n_events);

	double value = first_value(model, counted, &n[0]);
	assert_true(first_value(session, saved, &n[1]) == value);
	assert_true(first_value(text, told, &n[2]) == value);
	assert_int_equal(n[0], 1);
	assert_int_equal(n[1], 1);
	assert_int_equal(n[2], 1);
	pms_counts_free(told);
	pms_counts_free(saved);
	pms_counts_free(counted);
	pms_measurement_close(text);
	pms_measurement_close(session);
	pms_measurement_close(model);
}

struct taken {
	double times[4];
	uint64_t cycles[4];
	size_t n;
};

static int take(void *context, struct pms_counts **counts, struct pms_error *err)
{
	struct taken *t = context;
	int64_t cycles = pms_catalog_find_event(counts[0]->catalog, "CPU_CYCLES");
	(void)err;
	t->times[t->n] = counts[0]->time;
	t->cycles[t->n++] = counts[0]->total.counts[cycles].value;
	pms_counts_free(counts[0]);
	return 0;
}

static int refuse(void *context, struct pms_counts **counts, struct pms_error *err)
{
	++*(int *)context;
	pms_counts_free(counts[0]);
	*err = (struct pms_error){ .status = PMS_EIO };
	return -PMS_EIO;
}

static void intervals_of_a_file_come_in_the_order_of_time(void **state)
{
	const struct folder *f = *state;
	const struct pms_measurement_options options = { .file = f->text, .mcpu = "neoverse-v1" };
	struct pms_measurement *m = NULL;
	struct pms_counts *total = NULL;
	struct taken taken = { .n = 0 };
	int calls = 0;
	FILE *out = fopen(f->text, "w");
	assert_non_null(out);
	fputs("1.000000000,100,,cycles,1000,100.00,,\n2.000000000,23,,cycles,1000,100.00,,\n", out);
	fclose(out);
	assert_int_equal(pms_measurement_open(&options, &m, NULL), 0);
	assert_int_equal(pms_measurement_intervals(m), 2);
	assert_int_equal(pms_measurement_read(m, take, &taken, &total, NULL), 0);
	assert_int_equal(taken.n, 2);
	assert_true(taken.times[0] == 1.0 && taken.times[1] == 2.0);
	assert_int_equal(taken.cycles[0], 100);
	assert_int_equal(taken.cycles[1], 23);
	assert_int_equal(
		total->total.counts[pms_catalog_find_event(total->catalog, "CPU_CYCLES")].value,
		123);
	pms_counts_free(total);
	/* Who takes them may end it. */
	total = NULL;
	struct pms_error err = { 0 };
	assert_int_equal(pms_measurement_read(m, refuse, &calls, &total, &err), -PMS_EIO);
	assert_int_equal(calls, 1);
	assert_null(total);
	assert_int_equal(pms_measurement_interval(m, 2, &total, NULL), -PMS_EINVAL);
	assert_int_equal(pms_measurement_so_far(m, 0, &total, NULL), -PMS_EINVAL);
	pms_measurement_close(m);
}

static void what_makes_no_sense_is_refused(void **state)
{
	static const char *const none[] = { "NO_SUCH_EVENT" }, *const kernels[] = { "faults" };
	static const char *const near[] = { "retirin" };
	static char name[] = "true";
	static char *argv[] = { name, NULL };
	static const struct {
		const char *name;
		struct pms_measurement_options options;
		int want;
		const char *text, *hint;
	} cases[] = {
		{ "no file", { .source = PMS_SOURCE_FILE }, -PMS_EINVAL, "no file of counts", "" },
		{ "no program", { .source = PMS_SOURCE_MODEL }, -PMS_EINVAL, "no program", "" },
		{ "no source", { .source = (enum pms_source)7 }, -PMS_EINVAL, "no source 7", "" },
		{ "two CPUs",
		  { .file = "x", .mcpu = "neoverse-v1", .spec = "x.json" },
		  -PMS_EINVAL,
		  "name one",
		  "" },
		{ "no such file", { .file = "/none" }, -PMS_EIO, "cannot open", "" },
		{ "a program",
		  { .file = "/proc/self/exe" },
		  -PMS_EINVAL,
		  "is a program",
		  "run it" },
		{ "no such CPU",
		  { .source = PMS_SOURCE_MODEL, .mcpu = "z80", .live.target.command = argv },
		  -PMS_ENAME,
		  "z80",
		  "" },
		{ "no such event",
		  { .source = PMS_SOURCE_MODEL,
		    .mcpu = "neoverse-v1",
		    .live.target.command = argv,
		    .wanted = { .events = none, .n_events = 1 } },
		  -PMS_ENAME,
		  "NO_SUCH_EVENT",
		  "" },
		{ "an event of the kernel's",
		  { .source = PMS_SOURCE_MODEL,
		    .mcpu = "neoverse-v1",
		    .live.target.command = argv,
		    .wanted = { .events = kernels, .n_events = 1 } },
		  -PMS_ENAME,
		  "no event of the modelled core",
		  "" },
		{ "no such metric",
		  { .source = PMS_SOURCE_PMU,
		    .mcpu = "neoverse-v1",
		    .live.target.command = argv,
		    .wanted = { .metrics = near, .n_metrics = 1 } },
		  -PMS_ENAME,
		  "retirin",
		  "retiring" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_error err = { 0 };
		struct pms_measurement *m = NULL;
		int rc = pms_measurement_open(&cases[i].options, &m, &err);
		if (rc != cases[i].want || m || !strstr(err.text, cases[i].text) ||
		    !strstr(err.hint, cases[i].hint) || err.status != (enum pms_status) - rc)
			fail_msg("%s: rc %d, \"%s\" (%s)", cases[i].name, rc, err.text, err.hint);
	}
}

/* By hand: of CPU_CYCLES and INST_RETIRED the catalog computes ipc, and what needs more is left
 * out.
 */
static void counts_that_are_there_choose_their_metrics(void **state)
{
	const struct folder *f = *state;
	const struct pms_measurement_options options = { .file = f->text, .mcpu = "neoverse-v1" };
	const struct pms_wanted few = { 0 }, all = { .all = 1 };
	struct pms_measurement *m = NULL;
	struct pms_counts *counts = NULL;
	struct pms_selection *selection = NULL;
	FILE *out = fopen(f->text, "w");
	assert_non_null(out);
	fputs("200,,cpu_cycles,1000,100.00,,\n100,,inst_retired,1000,100.00,,\n", out);
	fclose(out);
	assert_int_equal(pms_measurement_open(&options, &m, NULL), 0);
	assert_int_equal(pms_measurement_read(m, NULL, NULL, &counts, NULL), 0);
	size_t before = counts->n_warnings;
	assert_int_equal(pms_selection_told(counts, &few, &selection, NULL), 0);
	assert_int_equal(selection->analyse.n_names, 1);
	assert_string_equal(selection->analyse.names[0], "ipc");
	assert_int_equal(counts->n_warnings, before + 1);
	pms_selection_free(selection);
	assert_int_equal(pms_selection_told(counts, &all, &selection, NULL), 0);
	assert_int_equal(selection->analyse.n_names, 0);
	assert_int_equal(counts->n_warnings, before + 1);
	pms_selection_free(selection);
	pms_counts_free(counts);
	pms_measurement_close(m);
}

int main(int argc, char **argv)
{
	struct folder f = { "/tmp/pmuscope-measure-XXXXXX", .guest = argc > 1 ? argv[1] : NULL,
			    .plugin = argc > 2 ? argv[2] : NULL };
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(a_pmu_a_session_and_a_text_give_the_same, &f),
		cmocka_unit_test_prestate(a_model_a_session_and_a_text_give_the_same, &f),
		cmocka_unit_test_prestate(intervals_of_a_file_come_in_the_order_of_time, &f),
		cmocka_unit_test(what_makes_no_sense_is_refused),
		cmocka_unit_test_prestate(counts_that_are_there_choose_their_metrics, &f),
	};
	if (!mkdtemp(f.path))
		return 1;
	snprintf(f.session, sizeof(f.session), "%s/s.pms", f.path);
	snprintf(f.text, sizeof(f.text), "%s/stat", f.path);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(f.session);
	unlink(f.text);
	rmdir(f.path);
	return failed;
}

/* SPDX-License-Identifier: MIT */
/* What callers may pass to pms_show_*: a format or a list that there is none of is an error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixture.h"
#include "pmuscope/core.h"
#include "pmuscope/spe_report.h"
#include "pmuscope/validate.h"

typedef int shower(struct fixture *f, FILE *out, const struct pms_show_options *options,
		   struct pms_error *err);

static int show_report(struct fixture *f, FILE *out, const struct pms_show_options *options,
		       struct pms_error *err)
{
	return pms_show_report(out, &f->report, &f->scopes, options, err);
}

static int show_verdict(struct fixture *f, FILE *out, const struct pms_show_options *options,
			struct pms_error *err)
{
	struct pms_check check = { .counts = f->counts };
	struct pms_verdict verdict = { .whole = &check };
	return pms_show_verdict(out, &verdict, options, err);
}

static int show_list(struct fixture *f, FILE *out, const struct pms_show_options *options,
		     struct pms_error *err)
{
	return pms_show_list(out, f->catalog, PMS_LIST_EVENTS, options, err);
}

static int show_cpus(struct fixture *f, FILE *out, const struct pms_show_options *options,
		     struct pms_error *err)
{
	const struct pms_catalog *catalogs[] = { f->catalog };
	return pms_show_cpus(out, catalogs, 1, options, err);
}

static int show_checks(struct fixture *f, FILE *out, const struct pms_show_options *options,
		       struct pms_error *err)
{
	static const struct pms_host_check check = { "QEMU", 1, "found", "" };
	(void)f;
	return pms_show_checks(out, &check, 1, options, err);
}

static int show_search(struct fixture *f, FILE *out, const struct pms_show_options *options,
		       struct pms_error *err)
{
	static const char *const words[] = { "cache" };
	const struct pms_catalog *catalogs[] = { f->catalog };
	return pms_show_search(out, catalogs, 1, NULL, words, 1, options, NULL, err);
}

static int show_description(struct fixture *f, FILE *out, const struct pms_show_options *options,
			    struct pms_error *err)
{
	static const char *const names[] = { "demo" };
	return pms_show_description(out, f->catalog, NULL, names, 1, options, err);
}

static int show_plan(struct fixture *f, FILE *out, const struct pms_show_options *options,
		     struct pms_error *err)
{
	struct pms_plan plan = { .catalog = f->catalog };
	return pms_show_plan(out, &plan, options, err);
}

static int show_trials(struct fixture *f, FILE *out, const struct pms_show_options *options,
		       struct pms_error *err)
{
	struct pms_workload workload = { .name = "none" };
	struct pms_trial trial = { .workload = &workload, .counts = f->counts, .largest = -1 };
	struct pms_trial *trials[] = { &trial };
	return pms_show_trials(out, trials, 1, options, err);
}

/* These look at the options before they look at what there is to show. */
static int show_core(struct fixture *f, FILE *out, const struct pms_show_options *options,
		     struct pms_error *err)
{
	(void)f;
	return pms_show_core(out, NULL, options, err);
}

static int show_lint(struct fixture *f, FILE *out, const struct pms_show_options *options,
		     struct pms_error *err)
{
	(void)f;
	return pms_show_lint(out, NULL, options, err);
}

static int show_spe_report(struct fixture *f, FILE *out, const struct pms_show_options *options,
			   struct pms_error *err)
{
	(void)f;
	return pms_show_spe_report(out, NULL, "file", options, err);
}

static const struct {
	const char *name;
	shower *show;
} showers[] = {
	{ "report", show_report },
	{ "verdict", show_verdict },
	{ "list", show_list },
	{ "cpus", show_cpus },
	{ "checks", show_checks },
	{ "search", show_search },
	{ "description", show_description },
	{ "plan", show_plan },
	{ "trials", show_trials },
	{ "core", show_core },
	{ "lint", show_lint },
	{ "spe report", show_spe_report },
};

static void a_format_that_is_none_is_an_error(void **state)
{
	static const int formats[] = { PMS_FORMAT_CSV + 1, -1, 1000000 };
	for (size_t i = 0; i < sizeof(showers) / sizeof(showers[0]); i++) {
		for (size_t k = 0; k < sizeof(formats) / sizeof(formats[0]); k++) {
			struct pms_show_options options = { .format = (enum pms_format)formats[k] };
			struct pms_error err = { 0 };
			struct fixture_text to;
			FILE *out = fixture_open(&to);
			int rc = showers[i].show(*state, out, &options, &err);
			char *text = fixture_close(&to);
			if (rc != -PMS_EINVAL || err.status != PMS_EINVAL || to.size)
				fail_msg("%s in format %d: %d, %zu bytes", showers[i].name,
					 formats[k], rc, to.size);
			free(text);
		}
	}
}

static void a_list_that_is_none_is_an_error(void **state)
{
	struct fixture *f = *state;
	struct pms_error err = { 0 };
	struct fixture_text to;
	FILE *out = fixture_open(&to);
	assert_int_equal(pms_show_list(out, f->catalog, (enum pms_list)7, NULL, &err), -PMS_EINVAL);
	char *text = fixture_close(&to);
	assert_int_equal(to.size, 0);
	assert_string_equal(err.text, "there is no list 7");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_format_that_is_none_is_an_error, fixture_begin,
						fixture_end),
		cmocka_unit_test_setup_teardown(a_list_that_is_none_is_an_error, fixture_begin,
						fixture_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "catalog.h"
#include "input.h"
#include "output.h"

/* The results of all checks, before any is shown. */
struct findings {
	struct pms_measurement *input;
	const struct cli_options *options;
	struct pms_counts *counts; /* of the whole run */
	struct pms_check *whole;
	size_t n_rows, n_broken; /* over all intervals */
	struct pms_budget budget;
	struct pms_value *values; /* one for each row of the budget */
};

static void release(struct findings *f)
{
	pms_check_free(f->whole);
	free(f->values);
	pms_budget_release(&f->budget);
	pms_counts_free(f->counts);
}

static int check_one(const struct findings *f, const struct pms_counts *counts,
		     struct pms_check **out, struct pms_error *err)
{
	const struct cli_options *o = f->options;
	struct pms_check_options options = {
		.configurations = (const char *const *)o->assumed.words,
		.n_configurations = o->assumed.count,
		.revision = o->revision,
	};
	return pms_check(counts, &options, out, err);
}

/* Check an interval; its counts are not kept. */
static int check_interval(void *context, size_t i, struct pms_check **out, struct pms_error *err)
{
	const struct findings *f = context;
	struct pms_counts *counts = NULL;
	int rc = pms_measurement_interval(f->input, i, &counts, err);
	if (!rc)
		rc = check_one(f, counts, out, err);
	if (!rc)
		(*out)->counts = NULL;
	pms_counts_free(counts);
	return rc;
}

static int check_counts(struct findings *f)
{
	struct pms_error err = { 0 };
	size_t n = pms_measurement_intervals(f->input);
	int status = cli_input_total(f->input, &f->counts);
	if (status)
		return status;
	int rc = check_one(f, f->counts, &f->whole, &err);
	for (size_t i = 0; i < n && !rc; i++) {
		struct pms_check *check = NULL;
		rc = check_interval(f, i, &check, &err);
		f->n_rows += rc ? 0 : check->n_rows;
		f->n_broken += rc ? 0 : check->n_status[PMS_CHECK_BROKEN];
		pms_check_free(check);
	}
	return rc ? cli_error(&err) : CLI_DONE;
}

static int check_budget(struct findings *f, const char *path)
{
	struct pms_error err = { 0 };
	if (pms_budget_load(path, pms_measurement_part(f->input, 0)->catalog, &f->budget, &err))
		return cli_error(&err);
	f->values = calloc(f->budget.n_rows + 1, sizeof(f->values[0]));
	if (!f->values)
		return cli_out_of_memory();
	for (size_t i = 0; i < f->budget.n_rows; i++)
		if (pms_metric_value(f->counts, &f->counts->total, f->budget.rows[i].metric,
				     &f->values[i]))
			return cli_out_of_memory();
	return CLI_DONE;
}

static int put(FILE *out, const void *what, const struct pms_show_options *options,
	       struct pms_error *err)
{
	return pms_show_verdict(out, what, options, err);
}

static int show(struct findings *f)
{
	struct pms_verdict verdict = { .whole = f->whole,
				       .n_intervals = pms_measurement_intervals(f->input),
				       .interval = check_interval,
				       .context = f,
				       .n_rows = f->n_rows,
				       .n_broken = f->n_broken,
				       .budget = f->options->budget ? &f->budget : NULL,
				       .values = f->values };
	return cli_output_put(f->options, put, &verdict);
}

static int all_kept(const struct findings *f)
{
	if (f->n_broken || f->whole->n_status[PMS_CHECK_BROKEN])
		return 0;
	for (size_t i = 0; i < f->budget.n_rows; i++)
		if (pms_budget_status(&f->budget.rows[i], &f->values[i]) != PMS_BUDGET_KEPT)
			return 0;
	return 1;
}

static int check_input(struct pms_measurement *input, const struct cli_options *o)
{
	struct findings f = { .input = input, .options = o };
	int status = cli_output_check(o->output);
	if (!status)
		status = check_counts(&f);
	if (!status && o->budget)
		status = check_budget(&f, o->budget);
	if (!status)
		status = show(&f);
	if (!status && !all_kept(&f))
		status = CLI_FOUND;
	release(&f);
	return status;
}

int cli_check(int argc, char **argv)
{
	struct cli_options o;
	struct pms_measurement *input = NULL;
	int status = cli_options_read(&o, CLI_TAKES_CHECK, argc, argv), go_on = status < 0;
	if (go_on)
		status = cli_input_open(&o, "check", &input);
	if (go_on && !status)
		status = cli_catalog_add_relations(pms_measurement_part(input, 0)->catalog);
	if (go_on && !status)
		status = check_input(input, &o);
	pms_measurement_close(input);
	cli_options_release(&o);
	return status;
}

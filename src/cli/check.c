/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "catalog.h"
#include "input.h"
#include "output.h"

/* What is found out before it is shown. */
struct findings {
	struct pms_counts *whole;
	struct pms_check **checks; /* of the whole, then of each interval */
	size_t n;
	struct pms_budget budget;
	struct pms_value *values; /* for each row of the budget */
};

static void release(struct findings *f)
{
	for (size_t i = 0; i < f->n; i++)
		pms_check_free(f->checks[i]);
	free(f->checks);
	free(f->values);
	pms_budget_release(&f->budget);
	pms_counts_free(f->whole);
}

static int check_one(struct findings *f, const struct pms_counts *counts,
		     const struct cli_options *o)
{
	struct pms_check_options options = {
		.configurations = (const char *const *)o->assumed.words,
		.n_configurations = o->assumed.count,
		.revision = o->revision,
	};
	struct pms_error err = { 0 };
	if (pms_check(counts, &options, &f->checks[f->n], &err))
		return cli_error(&err);
	f->n++;
	return CLI_DONE;
}

/* Of an interval its rows are kept; its counts would fill the memory, with many CPUs. */
static int check_interval(struct findings *f, const struct cli_input *input, size_t i,
			  const struct cli_options *o)
{
	struct pms_counts *counts = NULL;
	int status = cli_input_interval(input, i, &counts);
	if (!status)
		status = check_one(f, counts, o);
	if (!status)
		f->checks[f->n - 1]->counts = NULL;
	pms_counts_free(counts);
	return status;
}

static int check_counts(struct findings *f, const struct cli_input *input,
			const struct cli_options *o)
{
	size_t n = cli_input_intervals(input);
	f->checks = calloc(n + 1, sizeof(struct pms_check *));
	if (!f->checks)
		return cli_out_of_memory();
	int status = cli_input_total(input, &f->whole);
	if (!status)
		status = check_one(f, f->whole, o);
	for (size_t i = 0; i < n && !status; i++)
		status = check_interval(f, input, i, o);
	return status;
}

static int check_budget(struct findings *f, const struct cli_input *input, const char *path)
{
	struct pms_error err = { 0 };
	if (pms_budget_load(path, input->catalog, &f->budget, &err))
		return cli_error(&err);
	f->values = calloc(f->budget.n_rows + 1, sizeof(f->values[0]));
	if (!f->values)
		return cli_out_of_memory();
	for (size_t i = 0; i < f->budget.n_rows; i++)
		if (pms_metric_value(f->whole, &f->whole->total, f->budget.rows[i].metric,
				     &f->values[i]))
			return cli_out_of_memory();
	return CLI_DONE;
}

static int put(FILE *out, const void *what, const struct pms_show_options *options,
	       struct pms_error *err)
{
	return pms_show_verdict(out, what, options, err);
}

static int show(const struct findings *f, const struct cli_options *o)
{
	struct pms_verdict verdict = { .checks = f->checks,
				       .n_checks = f->n,
				       .budget = o->budget ? &f->budget : NULL,
				       .values = f->values };
	return cli_output_put(o, put, &verdict);
}

static int all_kept(const struct findings *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->checks[i]->n_status[PMS_CHECK_BROKEN])
			return 0;
	for (size_t i = 0; i < f->budget.n_rows; i++)
		if (pms_budget_status(&f->budget.rows[i], &f->values[i]) != PMS_BUDGET_KEPT)
			return 0;
	return 1;
}

static int check_input(const struct cli_input *input, const struct cli_options *o)
{
	struct findings f = { 0 };
	int status = cli_output_check(o->output);
	if (!status)
		status = check_counts(&f, input, o);
	if (!status && o->budget)
		status = check_budget(&f, input, o->budget);
	if (!status)
		status = show(&f, o);
	if (!status && !all_kept(&f))
		status = CLI_FOUND;
	release(&f);
	return status;
}

int cli_check(int argc, char **argv)
{
	struct cli_options o;
	struct cli_input input = { 0 };
	int status = cli_options_read(&o, CLI_TAKES_CHECK, argc, argv), go_on = status < 0;
	if (go_on)
		status = cli_input_open(&input, "check", &o);
	if (go_on && !status)
		status = cli_catalog_add_relations(input.catalog);
	if (go_on && !status)
		status = check_input(&input, &o);
	cli_input_close(&input);
	cli_options_release(&o);
	return status;
}

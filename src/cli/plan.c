/* SPDX-License-Identifier: MIT */
#include "catalog.h"
#include "output.h"

static int put(FILE *out, const void *what, const struct pms_show_options *options,
	       struct pms_error *err)
{
	return pms_show_plan(out, what, options, err);
}

static int plan(const struct cli_options *o)
{
	struct pms_plan_options options = { .names = (const char *const *)o->metrics.words,
					    .n_names = o->metrics.count,
					    .counters = (unsigned)o->counters };
	struct pms_error err = { 0 };
	struct pms_catalog *catalog = NULL;
	struct pms_plan *made = NULL;
	int status = cli_output_check(o->output);
	if (!status)
		status = cli_catalog_load(o, 0, &catalog);
	if (!status && pms_plan_make(catalog, &options, &made, &err))
		status = cli_error(&err);
	if (!status)
		status = cli_output_put(o, put, made);
	pms_plan_free(made);
	pms_catalog_free(catalog);
	return status;
}

int cli_plan(int argc, char **argv)
{
	struct cli_options o;
	int status = cli_options_read(&o, CLI_TAKES_PLAN, argc, argv);
	if (status < 0 && o.command[0])
		status = cli_usage("plan", "%s: a plan takes no program; metrics are named by -M",
				   o.command[0]);
	if (status < 0)
		status = plan(&o);
	cli_options_release(&o);
	return status;
}

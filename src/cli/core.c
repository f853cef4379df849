/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "catalog.h"
#include "output.h"

/* A core, and the patterns that select its numbers. */
struct shown {
	const struct pms_core_data *core;
	const char *const *patterns; /* NULL-terminated */
};

static int put(FILE *out, const void *what, const struct pms_show_options *options,
	       struct pms_error *err)
{
	const struct shown *shown = what;
	struct pms_show_options filtered = cli_show_only(options, shown->patterns);
	return pms_show_core(out, shown->core, &filtered, err);
}

static int show(const struct cli_options *o)
{
	struct pms_error err = { 0 };
	struct pms_catalog *catalog = NULL;
	struct pms_core_data *core = NULL;
	int status = cli_output_check(o->output);
	if (!status)
		status = cli_catalog_load(o, 1, &catalog);
	if (!status && pms_core_open(catalog, NULL, o->core_set.words, &core, &err))
		status = cli_error(&err);
	struct shown shown = { core, (const char *const *)(o->command + 1) };
	if (!status)
		status = cli_output_put(o, put, &shown);
	pms_core_close(core);
	pms_catalog_free(catalog);
	return status;
}

int cli_core(int argc, char **argv)
{
	struct cli_options o;
	int status = cli_options_read(&o, CLI_TAKES_CORE, argc, argv);
	if (status < 0 && (!o.command[0] || strcmp(o.command[0], "show") != 0))
		status = o.command[0]
				 ? cli_usage("core", "%s: there is only core show", o.command[0])
				 : cli_usage("core", "what to do? core show");
	if (status < 0)
		status = show(&o);
	cli_options_release(&o);
	return status;
}

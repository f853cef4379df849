/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "catalog.h"
#include "output.h"

static int put(const struct cli_options *o, const struct pms_core *core)
{
	struct pms_error err = { 0 };
	struct cli_output output;
	int status = cli_output_open(&output, o->output, stdout);
	if (status)
		return status;
	struct pms_show_options options = cli_show_options(o, fileno(output.stream));
	options.filter = (const char *const *)(o->command + 1);
	while (options.filter[options.n_filter])
		options.n_filter++;
	if (pms_show_core(output.stream, core, &options, &err))
		status = cli_error(&err);
	int closed = cli_output_close(&output, !status);
	return status ? status : closed;
}

static int show(const struct cli_options *o)
{
	struct pms_error err = { 0 };
	struct pms_catalog *catalog = NULL;
	struct pms_core *core = NULL;
	int status = cli_output_check(o->output);
	if (!status)
		status = cli_catalog_load(o, 1, &catalog);
	if (!status && pms_core_open(catalog, NULL, o->core_set.words, &core, &err))
		status = cli_error(&err);
	if (!status)
		status = put(o, core);
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

/* SPDX-License-Identifier: MIT */
#include "options.h"
#include "output.h"

static int put(FILE *out, const void *what, const struct pms_show_options *options,
	       struct pms_error *err)
{
	return pms_show_lint(out, what, options, err);
}

static int lint(const struct cli_options *o)
{
	struct pms_error err = { 0 };
	struct pms_lint *found = NULL;
	size_t n = 0;
	while (o->command[n])
		n++;
	int status = cli_output_check(o->output);
	if (!status && pms_lint_files((const char *const *)o->command, n, &found, &err))
		status = cli_error(&err);
	if (!status)
		status = cli_output_put(o, put, found);
	if (!status && pms_lint_findings(found))
		status = CLI_FOUND;
	pms_lint_free(found);
	return status;
}

int cli_lint(int argc, char **argv)
{
	struct cli_options o;
	int status = cli_options_read(&o, CLI_TAKES_LINT, argc, argv);
	if (status < 0 && !o.command[0])
		status = cli_usage("lint", "lint which files?");
	if (status < 0)
		status = lint(&o);
	cli_options_release(&o);
	return status;
}

/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "catalog.h"
#include "output.h"

static size_t count(char *const *words)
{
	size_t n = 0;
	while (words[n])
		n++;
	return n;
}

/* One catalog, or all of them where --mcpu says so. */
static int load(const struct cli_options *o, struct cli_catalogs *catalogs)
{
	struct pms_error err = { 0 };
	if (o->mcpu && !strcmp(o->mcpu, "all"))
		return cli_catalogs_load(catalogs, &err) ? cli_error(&err) : CLI_DONE;
	return cli_catalogs_load_one(o, catalogs);
}

static int search(const struct cli_options *o)
{
	struct cli_catalogs catalogs = { 0 };
	struct cli_output output;
	struct pms_error err = { 0 };
	size_t found = 0;
	int status = cli_output_check(o->output);
	if (!status)
		status = load(o, &catalogs);
	if (!status)
		status = cli_output_open(&output, o->output, stdout);
	if (!status) {
		struct pms_show_options options = cli_show_options(o, fileno(output.stream));
		if (pms_show_search(output.stream, catalogs.catalogs, catalogs.count,
				    (const char *const *)o->command, count(o->command), &options,
				    &found, &err))
			status = cli_error(&err);
		else if (!found)
			fputs("pmuscope: nothing has all of these words\n", stderr);
		int closed = cli_output_close(&output, !status);
		status = status ? status : closed ? closed : found ? CLI_DONE : CLI_NO_MATCH;
	}
	cli_catalogs_release(&catalogs);
	return status;
}

int cli_search(int argc, char **argv)
{
	struct cli_options o;
	int status = cli_options_read(&o, CLI_TAKES_SEARCH, argc, argv);
	if (status < 0 && !o.command[0])
		status = cli_usage("search", "search for which words?");
	if (status < 0)
		status = search(&o);
	cli_options_release(&o);
	return status;
}

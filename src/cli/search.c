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

/* Where to search, and what was found. */
struct search {
	const struct cli_catalogs *catalogs;
	char *const *words;
	size_t *found;
};

static int put(FILE *out, const void *what, const struct pms_show_options *options,
	       struct pms_error *err)
{
	const struct search *s = what;
	return pms_show_search(out, s->catalogs->catalogs, s->catalogs->count,
			       (const char *const *)s->words, count(s->words), options, s->found,
			       err);
}

static int search(const struct cli_options *o)
{
	struct cli_catalogs catalogs = { 0 };
	size_t found = 0;
	struct search s = { &catalogs, o->command, &found };
	int status = cli_output_check(o->output);
	if (!status)
		status = load(o, &catalogs);
	if (!status)
		status = cli_output_put(o, put, &s);
	if (!status && !found) {
		fputs("pmuscope: nothing has all of these words\n", stderr);
		status = CLI_NO_MATCH;
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

/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "catalog.h"
#include "output.h"

static int list_cpus(FILE *out, const struct pms_show_options *options, struct pms_error *err)
{
	struct cli_catalogs catalogs = { 0 };
	int rc = cli_catalogs_load(&catalogs, err);
	if (!rc)
		rc = pms_show_cpus(out, catalogs.catalogs, catalogs.count, options, err);
	cli_catalogs_release(&catalogs);
	return rc;
}

/* What can be listed; cpus, the first, is of no catalog. */
static const char *const things[] = { "cpus", "events", "metrics", "groups", "tree", NULL };
static const enum pms_list lists[] = { 0, PMS_LIST_EVENTS, PMS_LIST_METRICS, PMS_LIST_GROUPS,
				       PMS_LIST_TREE };

static int find_thing(const char *word)
{
	for (int i = 0; things[i]; i++)
		if (!strcmp(things[i], word))
			return i;
	return -1;
}

static int no_such_thing(const char *word)
{
	const char *nearest = pms_name_nearest(word, things);
	if (nearest)
		return cli_usage("list", "there is no list of %s; did you mean %s?", word, nearest);
	return cli_usage("list", "there is no list of %s", word);
}

static int put(const struct cli_options *o, const struct pms_catalog *catalog, int thing)
{
	struct pms_error err = { 0 };
	struct cli_output output;
	int status = cli_output_open(&output, o->output, stdout);
	if (status)
		return status;
	struct pms_show_options options = cli_show_options(o, fileno(output.stream));
	options.filter = (const char *const *)o->command + 1;
	while (options.filter[options.n_filter])
		options.n_filter++;
	int rc = thing ? pms_show_list(output.stream, catalog, lists[thing], &options, &err)
		       : list_cpus(output.stream, &options, &err);
	if (rc)
		status = cli_error(&err);
	int closed = cli_output_close(&output, !rc);
	return status ? status : closed;
}

static int list(const struct cli_options *o, int thing)
{
	struct pms_catalog *catalog = NULL;
	int status = cli_output_check(o->output);
	if (!status && thing)
		status = cli_catalog_load(o, 0, &catalog);
	if (!status)
		status = put(o, catalog, thing);
	pms_catalog_free(catalog);
	return status;
}

static int list_word(const struct cli_options *o)
{
	const char *word = o->command[0];
	if (!word)
		return cli_usage("list", "a list of what? cpus, events, metrics, groups or tree");
	int thing = find_thing(word);
	if (thing < 0)
		return no_such_thing(word);
	if (thing == 0 && o->command[1])
		return cli_usage("list", "the list of cpus is short: it takes no %s",
				 o->command[1]);
	return list(o, thing);
}

int cli_list(int argc, char **argv)
{
	struct cli_options o;
	int status = cli_options_read(&o, CLI_TAKES_LIST, argc, argv);
	if (status < 0)
		status = list_word(&o);
	cli_options_release(&o);
	return status;
}

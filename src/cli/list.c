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

/* What can be listed. cpus, the first, needs no catalog. */
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

/* A list, and the patterns that select its rows. */
struct listed {
	const struct pms_catalog *catalog;
	int thing;
	const char *const *patterns; /* NULL-terminated */
};

static int put(FILE *out, const void *what, const struct pms_show_options *options,
	       struct pms_error *err)
{
	const struct listed *listed = what;
	struct pms_show_options filtered = cli_show_only(options, listed->patterns);
	if (!listed->thing)
		return list_cpus(out, &filtered, err);
	return pms_show_list(out, listed->catalog, lists[listed->thing], &filtered, err);
}

static int list(const struct cli_options *o, int thing)
{
	struct pms_catalog *catalog = NULL;
	int status = cli_output_check(o->output);
	if (!status && thing)
		status = cli_catalog_load(o, 0, &catalog);
	struct listed listed = { catalog, thing, (const char *const *)(o->command + 1) };
	if (!status)
		status = cli_output_put(o, put, &listed);
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

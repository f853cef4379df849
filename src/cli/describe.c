/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <strings.h>

#include "catalog.h"
#include "output.h"

/* Returns the CPU that the word names: it is described whatever CPU the options name. */
static const char *cpu_named(const struct pms_names *cpus, const char *word)
{
	for (size_t i = 0; i < cpus->count; i++)
		if (!strcasecmp(cpus->names[i], word))
			return cpus->names[i];
	return NULL;
}

/* Words to describe, and their catalog. */
struct described {
	const struct pms_catalog *catalog;
	char *const *words;
	size_t n;
};

static int put(FILE *out, const void *what, const struct pms_show_options *options,
	       struct pms_error *err)
{
	const struct described *d = what;
	struct pms_error none = { 0 };
	struct pms_vcore_events *model = NULL;
	int rc = pms_vcore_events_load(d->catalog, NULL, &model, &none);
	if (rc && rc != -PMS_ENAME) {
		*err = none;
		return rc;
	}
	rc = pms_show_description(out, d->catalog, model, (const char *const *)d->words, d->n,
				  options, err);
	pms_vcore_events_free(model);
	return rc;
}

/* Describe each word. A word that names a CPU or product selects that catalog. */
static int describe(const struct cli_options *o)
{
	struct cli_options of = *o;
	struct pms_names cpus = { 0 };
	struct pms_catalog *catalog = NULL;
	size_t n = 0;
	while (o->command[n])
		n++;
	int status = cli_output_check(o->output);
	if (!status && n == 1 && !o->spec && pms_catalog_is_product(NULL, o->command[0]))
		of.mcpu = o->command[0];
	else if (!status && n == 1 && !o->spec && !pms_catalog_cpus(NULL, &cpus, NULL))
		of.mcpu =
			cpu_named(&cpus, o->command[0]) ? cpu_named(&cpus, o->command[0]) : o->mcpu;
	if (!status)
		status = cli_catalog_load(&of, 0, &catalog);
	if (!status)
		status = cli_catalog_add_relations(catalog);
	struct described described = { catalog, o->command, n };
	if (!status)
		status = cli_output_put(o, put, &described);
	pms_catalog_free(catalog);
	pms_names_free(&cpus);
	return status;
}

int cli_describe(int argc, char **argv)
{
	struct cli_options o;
	int status = cli_options_read(&o, CLI_TAKES_DESCRIBE, argc, argv);
	if (status < 0 && !o.command[0])
		status = cli_usage("describe",
				   "describe what? An event, a metric, a group or a CPU");
	if (status < 0)
		status = describe(&o);
	cli_options_release(&o);
	return status;
}

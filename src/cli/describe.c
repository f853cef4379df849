/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <strings.h>

#include "catalog.h"
#include "output.h"

/* A word that names a CPU is about that CPU, whichever the others are about. */
static const char *cpu_named(const struct pms_names *cpus, const char *word)
{
	for (size_t i = 0; i < cpus->count; i++)
		if (!strcasecmp(cpus->names[i], word))
			return cpus->names[i];
	return NULL;
}

static int describe(FILE *out, const struct cli_options *o, const struct pms_catalog *catalog,
		    char *const *words, size_t n)
{
	struct pms_error err = { 0 }, none = { 0 };
	struct pms_vcore_events *model = NULL;
	struct pms_show_options options = cli_show_options(o, fileno(out));
	int rc = pms_vcore_events_load(catalog, NULL, &model, &none);
	if (rc && rc != -PMS_ENAME)
		return cli_error(&none);
	rc = pms_show_description(out, catalog, model, (const char *const *)words, n, &options,
				  &err);
	pms_vcore_events_free(model);
	return rc ? cli_error(&err) : CLI_DONE;
}

static int describe_words(FILE *out, const struct cli_options *o)
{
	struct cli_options of = *o;
	struct pms_names cpus = { 0 };
	struct pms_catalog *catalog = NULL;
	size_t n = 0;
	while (o->command[n])
		n++;
	if (n == 1 && !o->spec && !pms_catalog_cpus(NULL, &cpus, NULL))
		of.mcpu =
			cpu_named(&cpus, o->command[0]) ? cpu_named(&cpus, o->command[0]) : o->mcpu;
	int status = cli_catalog_load(&of, 0, &catalog);
	if (!status)
		status = cli_catalog_add_relations(catalog);
	if (!status)
		status = describe(out, o, catalog, o->command, n);
	pms_catalog_free(catalog);
	pms_names_free(&cpus);
	return status;
}

static int put(const struct cli_options *o)
{
	struct cli_output output;
	int status = cli_output_check(o->output);
	if (!status)
		status = cli_output_open(&output, o->output, stdout);
	if (status)
		return status;
	status = describe_words(output.stream, o);
	int closed = cli_output_close(&output, !status);
	return status ? status : closed;
}

int cli_describe(int argc, char **argv)
{
	struct cli_options o;
	int status = cli_options_read(&o, CLI_TAKES_DESCRIBE, argc, argv);
	if (status < 0 && !o.command[0])
		status = cli_usage("describe",
				   "describe what? An event, a metric, a group or a CPU");
	if (status < 0)
		status = put(&o);
	cli_options_release(&o);
	return status;
}

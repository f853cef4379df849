/* SPDX-License-Identifier: MIT */
#include "catalog.h"

static void note_ignored(const char *path, const struct pms_catalog *catalog)
{
	const char *first;
	size_t n = pms_catalog_ignored(catalog, &first);
	if (n == 1)
		fprintf(stderr, "pmuscope: %s: note: ignored key %s\n", path, first);
	else if (n)
		fprintf(stderr, "pmuscope: %s: note: ignored key %s (and %zu more)\n", path, first,
			n - 1);
}

/* A modelled run needs a CPU that there is a model of: the default, unless one is named. */
static int find_cpu(const struct cli_options *o, int modelled, char *cpu, size_t size,
		    struct pms_error *err)
{
	int rc = -PMS_EHOST;
	if (!o->mcpu && !modelled) {
		rc = pms_catalog_host_cpu(NULL, NULL, cpu, size, err);
		if (rc != -PMS_EHOST)
			return rc;
		*err = (struct pms_error){ 0 };
	}
	snprintf(cpu, size, "%s", o->mcpu ? o->mcpu : CLI_DEFAULT_CPU);
	return 0;
}

int cli_catalog_load(const struct cli_options *o, int modelled, struct pms_catalog **out)
{
	struct pms_error err = { 0 };
	char cpu[256];
	int rc;
	if (o->spec) {
		rc = pms_catalog_load_file(o->spec, out, &err);
	} else {
		rc = find_cpu(o, modelled, cpu, sizeof(cpu), &err);
		if (!rc)
			rc = pms_catalog_load(NULL, cpu, out, &err);
	}
	if (rc)
		return cli_error(&err);
	if (o->spec)
		note_ignored(o->spec, *out);
	return CLI_DONE;
}

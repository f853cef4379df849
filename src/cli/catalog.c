/* SPDX-License-Identifier: MIT */
#include "catalog.h"

#include <stdlib.h>

int cli_catalog_load(const struct cli_options *o, int modelled, struct pms_catalog **out)
{
	const struct pms_catalog_choice choice = {
		.mcpu = o->mcpu, .spec = o->spec, .modelled = modelled, .note = cli_take_note
	};
	struct pms_error err = { 0 };
	return pms_catalog_choose(&choice, out, &err) ? cli_error(&err) : CLI_DONE;
}

int cli_catalog_add_relations(struct pms_catalog *catalog)
{
	struct pms_error err = { 0 };
	return pms_catalog_add_relations(NULL, catalog, &err) ? cli_error(&err) : CLI_DONE;
}

static int room(struct cli_catalogs *catalogs, size_t count, struct pms_error *err)
{
	catalogs->catalogs = calloc(count + 1, sizeof(struct pms_catalog *));
	if (catalogs->catalogs)
		return 0;
	*err = (struct pms_error){ .status = PMS_ENOMEM, .text = "out of memory" };
	return -PMS_ENOMEM;
}

int cli_catalogs_load(struct cli_catalogs *catalogs, struct pms_error *err)
{
	struct pms_names names = { 0 };
	int rc = pms_catalog_cpus(NULL, &names, err);
	if (!rc)
		rc = room(catalogs, names.count, err);
	for (size_t i = 0; !rc && i < names.count; i++) {
		struct pms_catalog *catalog = NULL;
		rc = pms_catalog_load_lean(NULL, names.names[i], &catalog, err);
		if (!rc)
			catalogs->catalogs[catalogs->count++] = catalog;
	}
	pms_names_free(&names);
	return rc;
}

int cli_catalogs_load_one(const struct cli_options *o, struct cli_catalogs *catalogs)
{
	struct pms_error err = { 0 };
	struct pms_catalog *catalog = NULL;
	if (room(catalogs, 1, &err))
		return cli_error(&err);
	int status = cli_catalog_load(o, 0, &catalog);
	if (!status)
		catalogs->catalogs[catalogs->count++] = catalog;
	return status;
}

void cli_catalogs_release(struct cli_catalogs *catalogs)
{
	for (size_t i = 0; i < catalogs->count; i++)
		pms_catalog_free((struct pms_catalog *)catalogs->catalogs[i]);
	free(catalogs->catalogs);
	*catalogs = (struct cli_catalogs){ 0 };
}

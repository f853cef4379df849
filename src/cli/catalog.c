/* SPDX-License-Identifier: MIT */
#include "catalog.h"

#include <stdlib.h>

static void note_extras(const char *path, const struct pms_catalog *catalog)
{
	size_t n = pms_catalog_extras(catalog);
	if (!n)
		return;
	char more[48] = "";
	if (n > 1)
		snprintf(more, sizeof(more), " (and %zu more)", n - 1);
	cli_note("%s: note: key %s is not of the layout%s; describe shows it", path,
		 pms_catalog_extra(catalog, 0)->path, more);
}

static void note_flaws(const char *path, const struct pms_catalog *catalog)
{
	size_t n = pms_catalog_flaws(catalog);
	if (!n)
		return;
	const struct pms_flaw *flaw = pms_catalog_flaw(catalog, 0);
	char more[48] = "";
	if (n > 1)
		snprintf(more, sizeof(more), " (and %zu more)", n - 1);
	cli_note("%s: warning: %s: %s, and is passed over%s; pmuscope lint %s explains", path,
		 flaw->path, flaw->text, more, path);
}

/* Whether there is a model of the catalog's CPU. */
static int has_model(const struct pms_catalog *catalog)
{
	struct pms_vcore_events *model = NULL;
	int rc = pms_vcore_events_load(catalog, NULL, &model, NULL);
	pms_vcore_events_free(model);
	return rc != -PMS_ENAME;
}

/* The catalog of this host's CPU. Returns -PMS_EHOST where it is to be the default's: the host does
 * not tell, or a model is needed and there is none of it. */
static int load_host(int modelled, struct pms_catalog **out, struct pms_error *err)
{
	char cpu[256];
	int rc = pms_catalog_host_cpu(NULL, NULL, cpu, sizeof(cpu), err);
	if (rc)
		return modelled ? -PMS_EHOST : rc;
	rc = pms_catalog_load_lean(NULL, cpu, out, err);
	if (rc || !modelled || has_model(*out))
		return rc;
	pms_catalog_free(*out);
	*out = NULL;
	return -PMS_EHOST;
}

int cli_catalog_load(const struct cli_options *o, int modelled, struct pms_catalog **out)
{
	struct pms_error err = { 0 };
	int rc = -PMS_EHOST;
	if (o->spec)
		rc = pms_catalog_load_file(o->spec, out, &err);
	else if (!o->mcpu)
		rc = load_host(modelled, out, &err);
	if (rc == -PMS_EHOST) {
		err = (struct pms_error){ 0 };
		rc = pms_catalog_load_lean(NULL, o->mcpu ? o->mcpu : CLI_DEFAULT_CPU, out, &err);
	}
	if (rc)
		return cli_error(&err);
	if (o->spec) {
		note_extras(o->spec, *out);
		note_flaws(o->spec, *out);
	}
	return CLI_DONE;
}

int cli_catalog_add_relations(struct pms_catalog *catalog)
{
	struct pms_error err = { 0 };
	return pms_catalog_add_relations(NULL, catalog, &err) ? cli_error(&err) : CLI_DONE;
}

static int has_member(const struct pms_group *group, size_t member)
{
	for (size_t i = 0; i < group->n_members; i++)
		if (group->members[i] == member)
			return 1;
	return 0;
}

int cli_is_published(const struct pms_catalog *catalog, size_t metric)
{
	int staged = 0;
	for (size_t i = 0; i < pms_catalog_groups(catalog); i++) {
		const struct pms_group *group = pms_catalog_group(catalog, i);
		if (group->kind != PMS_GROUP_METRICS || !group->stage)
			continue;
		if (has_member(group, metric))
			return 1;
		staged = 1;
	}
	return !staged;
}

size_t cli_published_groups(const struct pms_catalog *catalog, const char **names)
{
	size_t all = 0, n = 0;
	for (size_t i = 0; i < pms_catalog_groups(catalog); i++) {
		const struct pms_group *group = pms_catalog_group(catalog, i);
		all += group->kind == PMS_GROUP_METRICS;
		if (group->kind == PMS_GROUP_METRICS && group->stage)
			names[n++] = group->name;
	}
	return n < all ? n : 0;
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

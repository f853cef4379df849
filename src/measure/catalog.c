/* SPDX-License-Identifier: MIT */
/* Choose the catalog for a measurement or a list. */
#include <stdio.h>

#include "measure/note.h"
#include "pmuscope/measurement.h"

/* Name the keys that no specification should have. */
static void note_extras(const struct pms_catalog_choice *choice, const struct pms_catalog *catalog)
{
	size_t n = pms_catalog_extras(catalog);
	char more[48] = "";
	if (!n)
		return;
	if (n > 1)
		snprintf(more, sizeof(more), " (and %zu more)", n - 1);
	pms_note_printf(choice->note, choice->context,
			"%s: note: key %s is not of the layout%s; describe shows it", choice->spec,
			pms_catalog_extra(catalog, 0)->path, more);
}

static void note_flaws(const struct pms_catalog_choice *choice, const struct pms_catalog *catalog)
{
	size_t n = pms_catalog_flaws(catalog);
	char more[48] = "";
	if (!n)
		return;
	const struct pms_flaw *flaw = pms_catalog_flaw(catalog, 0);
	if (n > 1)
		snprintf(more, sizeof(more), " (and %zu more)", n - 1);
	pms_note_printf(choice->note, choice->context,
			"%s: warning: %s: %s, and is passed over%s; pmuscope lint %s explains",
			choice->spec, flaw->path, flaw->text, more, choice->spec);
}

static int has_model(const struct pms_catalog *catalog)
{
	struct pms_vcore_events *model = NULL;
	int rc = pms_vcore_events_load(catalog, NULL, &model, NULL);
	pms_vcore_events_free(model);
	return rc != -PMS_ENAME;
}

/* Load the catalog of this host's CPU. Returns -PMS_EHOST where the default should be loaded:
 * the host does not name its CPU, or a model is needed and this CPU has none. */
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

int pms_catalog_choose(const struct pms_catalog_choice *choice, struct pms_catalog **out,
		       struct pms_error *err)
{
	struct pms_error of_host = { 0 };
	const char *cpu = choice->mcpu ? choice->mcpu : PMS_DEFAULT_CPU;
	if (choice->spec) {
		int rc = pms_catalog_load_file(choice->spec, out, err);
		if (!rc) {
			note_extras(choice, *out);
			note_flaws(choice, *out);
		}
		return rc;
	}
	int rc = choice->mcpu ? -PMS_EHOST : load_host(choice->modelled, out, &of_host);
	if (rc == -PMS_EHOST)
		return pms_catalog_load_lean(NULL, cpu, out, err);
	if (rc && err && err->status == PMS_OK)
		*err = of_host;
	return rc;
}

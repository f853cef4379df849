/* SPDX-License-Identifier: MIT */
/* A catalog is loaded, or refused with an error that has a place. Everything in a loaded catalog
 * can be read. Input: a telemetry file, then the files of advice, relations, caveats and roles,
 * each after a NUL byte. The last ones may be missing. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "catalog/catalog.h"
#include "catalog/json.h"
#include "pmuscope/catalog.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Check that the texts are there and that every index is one of the catalog's. */
static void read_through(const struct pms_catalog *catalog)
{
	size_t n_events = pms_catalog_events(catalog);
	size_t n_metrics = pms_catalog_metrics(catalog);

	for (size_t i = 0; i < n_events; i++)
		assert(pms_catalog_event(catalog, i)->name);
	for (size_t i = 0; i < n_metrics; i++) {
		const struct pms_metric *metric = pms_catalog_metric(catalog, i);

		assert(metric->n_events == pms_formula_names(metric->program));
		for (size_t slot = 0; slot < metric->n_events; slot++)
			assert(metric->events[slot] < n_events);
	}
	for (size_t i = 0; i < pms_catalog_relations(catalog); i++) {
		const struct pms_relation *relation = pms_catalog_relation(catalog, i);

		assert(relation->lhs.n_events == pms_formula_names(relation->lhs.program));
		for (size_t slot = 0; slot < relation->rhs.n_events; slot++)
			assert(relation->rhs.events[slot] < n_events);
	}
	for (size_t i = 0; i < pms_catalog_caveats(catalog); i++)
		assert(pms_catalog_caveat(catalog, i)->text);
	for (unsigned role = 0; role < PMS_CATALOG_ROLES; role++) {
		int64_t found = pms_catalog_find_role(catalog, (enum pms_catalog_role)role);

		assert(found < (int64_t)(role == PMS_CATALOG_RETIRING ? n_metrics : n_events));
	}
}

/* Add a file of the folder, when the input has one. */
static int add_file(struct pms_catalog *catalog, const char *file, const uint8_t *data,
		    size_t length, struct pms_error *err)
{
	struct pms_json json = { 0 };
	int rc = pms_json_parse(file, (const char *)data, length, &json, err);

	if (!rc)
		rc = pms_catalog_add(catalog, file, &json, err);
	pms_json_release(&json);
	return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const files[] = { "advice.json", "relations.json", "caveats.json",
					     "roles.json" };
	const uint8_t *end = size ? memchr(data, 0, size) : NULL;
	struct pms_json telemetry = { 0 };
	struct pms_catalog *catalog = NULL;
	struct pms_error err = { 0 };
	int rc = pms_json_parse("telemetry", (const char *)data, end ? (size_t)(end - data) : size,
				&telemetry, &err);

	if (!rc)
		rc = pms_catalog_build("fuzz", &telemetry, &catalog, &err);
	for (size_t i = 0; !rc && end && i < sizeof(files) / sizeof(files[0]); i++) {
		size -= (size_t)(end + 1 - data);
		data = end + 1;
		end = size ? memchr(data, 0, size) : NULL;
		rc = add_file(catalog, files[i], data, end ? (size_t)(end - data) : size, &err);
	}
	if (!rc)
		read_through(catalog);
	else
		assert(err.status == (enum pms_status) - rc && err.text[0] && err.source[0]);
	pms_catalog_free(catalog);
	pms_json_release(&telemetry);
	return 0;
}

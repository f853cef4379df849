/* SPDX-License-Identifier: MIT */
/* A catalog is loaded, or refused with an error that has a place; one that was loaded can be read
 * through. Input: a telemetry file, then, after a NUL byte, an advice file; the second may be
 * missing. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "catalog/catalog.h"
#include "catalog/json.h"
#include "pmuscope/catalog.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = size ? memchr(data, 0, size) : NULL;
	size_t length = end ? (size_t)(end - data) : size;
	struct pms_json telemetry = { 0 };
	struct pms_json advice = { 0 };
	struct pms_catalog *catalog = NULL;
	struct pms_error err = { 0 };
	int rc = pms_json_parse("telemetry", (const char *)data, length, &telemetry, &err);

	if (!rc && end)
		rc = pms_json_parse("advice", (const char *)end + 1, size - length - 1, &advice,
				    &err);
	if (!rc)
		rc = pms_catalog_build("fuzz", &telemetry, &catalog, &err);
	if (!rc && end)
		rc = pms_catalog_add(catalog, "advice.json", &advice, &err);
	if (!rc)
		read_through(catalog);
	else
		assert(err.status == (enum pms_status) - rc && err.text[0] && err.source[0]);
	pms_catalog_free(catalog);
	pms_json_release(&telemetry);
	pms_json_release(&advice);
	return 0;
}

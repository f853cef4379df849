/* SPDX-License-Identifier: MIT */
/* Any text is a budget, or is refused with an error that names its line. An accepted budget keeps
 * the rules of budgets. */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/catalog.h"
#include "catalog/json.h"
#include "pmuscope/check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define METRIC(name)                                                                               \
	"\"" name "\":{\"title\":\"\",\"description\":\"\",\"units\":\"\",\"formula\":\"E\"}"

static const char telemetry[] =
	"{\"document\":{},\"product_configuration\":{\"product_name\":\"F\"},"
	"\"events\":{\"E\":{}},\"metrics\":{" METRIC("ipc") "," METRIC("a") "," METRIC(
		"b.c") "},"
		       "\"groups\":{\"function\":{},\"metrics\":{}},\"methodologies\":{}}";

static struct pms_catalog *make_catalog(void)
{
	struct pms_json json = { 0 };
	struct pms_catalog *catalog = NULL;
	int rc = pms_json_parse("telemetry", telemetry, strlen(telemetry), &json, NULL);

	if (!rc)
		rc = pms_catalog_build("f", &json, &catalog, NULL);
	assert(!rc);
	pms_json_release(&json);
	return catalog;
}

static void check_rows(const struct pms_budget *budget, const struct pms_catalog *catalog)
{
	/* Each metric and event has at most one row. */
	assert(budget->n_rows <= pms_catalog_metrics(catalog) + pms_catalog_events(catalog));
	for (size_t i = 0; i < budget->n_rows; i++) {
		const struct pms_budget_row *row = &budget->rows[i];

		assert(row->metric->name[0] && row->line > 1);
		assert(!row->has_low || isfinite(row->low));
		assert(!row->has_high || isfinite(row->high));
		assert(!row->has_low || !row->has_high || row->low <= row->high);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pms_catalog *catalog = make_catalog();
	struct pms_budget budget;
	struct pms_error err = { 0 };
	char *text = malloc(size + 1);

	assert(text);
	memcpy(text, data, size);
	text[size] = '\0';
	int rc = pms_budget_parse("fuzz", text, catalog, &budget, &err);
	if (!rc)
		check_rows(&budget, catalog);
	else
		assert(err.status == (enum pms_status) - rc && err.text[0] && err.source[0] &&
		       err.line);
	pms_budget_release(&budget);
	pms_catalog_free(catalog);
	free(text);
	return 0;
}

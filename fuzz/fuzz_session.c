/* SPDX-License-Identifier: MIT */
/* Any bytes are a session or refused with an error that names the file; every set of counts of a
 * session is read, or refused in the same way. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "catalog/catalog.h"
#include "catalog/json.h"
#include "pmuscope/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define EVENT(name) "\"" name "\":{\"code\":\"1\",\"title\":\"\",\"description\":\"\"}"

static const char telemetry[] =
	"{\"document\":{},\"product_configuration\":{\"product_name\":\"F\"},"
	"\"events\":{" EVENT("CPU_CYCLES") "," EVENT("INST_RETIRED") "," EVENT(
		"L1D_CACHE") "},"
			     "\"metrics\":{},\"groups\":{\"function\":{},\"metrics\":{}},"
			     "\"methodologies\":{}}";

static struct pms_catalog *make_catalog(void)
{
	struct pms_json json = { 0 };
	struct pms_catalog *catalog = NULL;
	struct pms_error err = { 0 };
	int rc = pms_json_parse("telemetry", telemetry, strlen(telemetry), &json, &err);

	if (!rc)
		rc = pms_catalog_build("f", &json, &catalog, &err);
	assert(!rc);
	pms_json_release(&json);
	return catalog;
}

static void check_scope(const struct pms_counts *counts, const struct pms_scope *scope)
{
	assert(memchr(scope->name, 0, sizeof(scope->name)));
	for (size_t i = 0; i < pms_catalog_events(counts->catalog); i++) {
		const struct pms_count *count = &scope->counts[i];

		assert(count->state <= PMS_NOT_MODELLED && count->cls <= PMS_COUNT_MODELLED);
		assert(count->scaled - count->scaled == 0 && count->spread - count->spread == 0);
	}
}

static void check_counts(struct pms_session *session, size_t interval,
			 const struct pms_catalog *catalog)
{
	struct pms_counts *counts = NULL;
	struct pms_error err = { 0 };
	int rc = interval ? pms_session_interval(session, interval - 1, catalog, &counts, &err)
			  : pms_session_total(session, catalog, &counts, &err);

	if (rc) {
		assert(err.status == (enum pms_status) - rc && err.text[0]);
		return;
	}
	check_scope(counts, &counts->total);
	for (size_t i = 0; i < counts->n_scopes; i++)
		check_scope(counts, &counts->scopes[i]);
	pms_counts_free(counts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pms_session *session = NULL;
	struct pms_error err = { 0 };
	int rc = pms_session_open_bytes("fuzz", data, size, &session, &err);

	if (rc) {
		assert(err.status == (enum pms_status) - rc && err.text[0] && err.source[0]);
		return 0;
	}
	struct pms_catalog *catalog = make_catalog();
	size_t n = pms_session_intervals(session);

	assert(pms_session_cpu(session) && pms_session_view(session)->command);
	for (size_t i = 0; i <= n && i < 16; i++)
		check_counts(session, i, catalog);
	pms_catalog_free(catalog);
	pms_session_close(session);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Output of perf stat, or a file of perf stat record, is read, or refused with an error that names
 * the file. When it is read, every interval and the total can be made, and every metric has a value
 * or a reason. */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "catalog/catalog.h"
#include "catalog/json.h"
#include "pmuscope/analyse.h"
#include "pmuscope/collect.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A core with one metric. */
#define EVENT(name, code)                                                                          \
	"\"" name "\":{\"code\":\"" code "\",\"title\":\"\",\"description\":\"\","                 \
	"\"accesses\":[\"PMU\"],\"architecture_defined\":true,\"product_defined\":false}"
static const char telemetry[] =
	"{\"document\":{\"revision\":\"1\"},"
	"\"product_configuration\":{\"product_name\":\"F\",\"num_slots\":8,\"num_counters\":6},"
	"\"events\":{" EVENT("CPU_CYCLES", "0x0011") "," EVENT("INST_RETIRED", "0x0008") "," EVENT(
		"STALL_SLOT", "0x003f") "},"
					"\"metrics\":{\"ipc\":{\"title\":\"\",\"description\":\"\","
					"\"units\":\"per cycle\","
					"\"formula\":\"INST_RETIRED / "
					"CPU_CYCLES\",\"events\":[\"CPU_CYCLES\",\"INST_RETIRED\"],"
					"\"sample_events\":[]}},"
					"\"groups\":{\"function\":{},\"metrics\":{\"G\":{\"title\":"
					"\"\",\"description\":\"\","
					"\"metrics\":[\"ipc\"]}}},"
					"\"methodologies\":{\"topdown_methodology\":{\"title\":"
					"\"\",\"description\":\"\","
					"\"metric_grouping\":{\"stage_1\":[],\"stage_2\":[\"G\"]},"
					"\"decision_tree\":{\"root_nodes\":[],\"metrics\":[]}}}}";

static void check_scope(struct pms_counts *counts, const struct pms_scope *scope)
{
	struct pms_value value;

	if (pms_metric_value(counts, scope, pms_catalog_metric(counts->catalog, 0), &value))
		return;
	assert(memchr(scope->name, 0, sizeof(scope->name)));
	if (value.state == PMS_VALUE_UNDEFINED)
		assert(value.because && value.because[0]);
	else
		assert(isfinite(value.value) && value.run_pct > 0 && value.run_pct <= 100);
	for (size_t i = 0; i < pms_catalog_events(counts->catalog); i++)
		assert(scope->counts[i].state != PMS_COUNTED || !scope->counts[i].because);
}

static void check_counts(struct pms_counts *counts)
{
	check_scope(counts, &counts->total);
	for (size_t i = 0; i < counts->n_scopes; i++)
		check_scope(counts, &counts->scopes[i]);
	pms_counts_free(counts);
}

static void read_through(const struct pms_perf_stat *stat)
{
	size_t n = pms_perf_stat_intervals(stat);
	struct pms_counts *counts = NULL;

	for (size_t i = 0; i < n; i++) {
		assert(!pms_perf_stat_interval(stat, i, &counts, NULL) && counts->has_time);
		check_counts(counts);
	}
	assert(!pms_perf_stat_total(stat, &counts, NULL) && !counts->has_time);
	check_counts(counts);
}

/* Read bytes that start as a perf.data does. */
static void read_data(const uint8_t *data, size_t size, const struct pms_catalog *catalog)
{
	struct pms_perfdata *file = NULL;
	struct pms_perf_stat *stat = NULL;
	struct pms_error err = { 0 };
	int rc = pms_perfdata_open_bytes(data, size, "input", &file, &err);

	if (!rc)
		rc = pms_perf_stat_open_data(file, "input", catalog, &stat, &err);
	if (!rc)
		read_through(stat);
	else
		assert(err.status == (enum pms_status) - rc && err.text[0]);
	pms_perf_stat_free(stat);
	pms_perfdata_close(file);
}

static void read_text(const uint8_t *data, size_t size, const struct pms_catalog *catalog)
{
	struct pms_perf_stat *stat = NULL;
	struct pms_error err = { 0 };
	FILE *in = size ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;

	if (in && !pms_perf_stat_open(in, "input", catalog, &stat, &err))
		read_through(stat);
	else if (in)
		assert(err.status == PMS_EPARSE && err.text[0] && !strcmp(err.source, "input"));
	if (in)
		fclose(in);
	pms_perf_stat_free(stat);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pms_json json = { 0 };
	struct pms_catalog *catalog = NULL;
	struct pms_error err = { 0 };
	int rc = pms_json_parse("telemetry", telemetry, sizeof(telemetry) - 1, &json, &err);

	assert(!rc && !pms_catalog_build("fuzz", &json, &catalog, &err));
	if (pms_perfdata_is(data, size))
		read_data(data, size, catalog);
	else
		read_text(data, size, catalog);
	pms_catalog_free(catalog);
	pms_json_release(&json);
	return 0;
}

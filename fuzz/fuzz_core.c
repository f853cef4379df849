/* SPDX-License-Identifier: MIT */
/* A core.json is loaded, or refused with an error that has a place; a loaded core keeps within the
 * bounds that the model relies on. */
#include <assert.h>
#include <string.h>

#include "collect/core/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = { "CPU_CYCLES", "L1D_CACHE", "REMOTE_ACCESS" };
enum { EVENTS = sizeof(names) / sizeof(names[0]) };
static const struct pms_core_events events = { .names = names, .count = EVENTS };

static void bounds_hold(const struct pms_core_file *file)
{
	for (unsigned i = 0; i < pms_param_count; i++) {
		uint32_t value;

		memcpy(&value, (const char *)&file->params + pms_param_rows[i].offset,
		       sizeof(value));
		assert(value >= pms_param_rows[i].least && value <= pms_param_rows[i].most);
	}
	for (unsigned i = 0; i < PMS_OP_COUNT; i++)
		assert(file->params.op[i].queue <= file->params.n_queues &&
		       file->params.op[i].busy);
	for (size_t i = 0; i < file->n_rules; i++)
		assert(file->rules[i].state == PMS_COUNTED ? file->rules[i].n_terms > 0
							   : file->rules[i].because != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pms_json json = { 0 };
	struct pms_core_file file;
	struct pms_error err = { 0 };
	int rc = pms_json_parse("core.json", (const char *)data, size, &json, &err);

	if (!rc)
		rc = pms_core_file_read(&json, &events, &file, &err);
	if (!rc) {
		bounds_hold(&file);
		pms_core_file_release(&file);
	} else {
		assert(err.status == (enum pms_status) - rc && err.text[0] && err.source[0]);
	}
	pms_json_release(&json);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Filters of SPE records: the text up to a zero byte, then a batch of records to evaluate it over.
 */
#include <stdlib.h>
#include <string.h>

#include "spe/filter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct pms_spe_batch records;
	static struct pms_spe_samples_batch batch;
	struct pms_spe_filter *filter;
	struct pms_error err = { 0 };
	uint8_t keep[PMS_SPE_BATCH];
	size_t length = strnlen((const char *)data, size);
	char *text = strndup((const char *)data, size);
	if (!text)
		return 0;
	size -= length;
	memset(&records, 0, sizeof(records));
	memcpy(&records.has, data + length,
	       size < sizeof(records) - offsetof(struct pms_spe_batch, has)
		       ? size
		       : sizeof(records) - offsetof(struct pms_spe_batch, has));
	records.count = size ? 1 + data[length + size - 1] : PMS_SPE_BATCH;
	batch.records = &records;
	for (size_t i = 0; i < PMS_SPE_BATCH; i++)
		batch.knows[i] = (uint8_t)i;
	int rc = pms_spe_filter_compile(
		text, size & 1 ? PMS_SPE_ENCODING_NEOVERSE : PMS_SPE_ENCODING_UNKNOWN, &filter,
		&err);
	/* An error has a place in the text; a compiled filter gives 0 or 1. */
	if (rc && (err.column < 1 || err.column > length + 1))
		abort();
	if (!rc) {
		pms_spe_filter_apply(filter, NULL, &batch, keep);
		for (size_t i = 0; i < records.count; i++)
			if (keep[i] > 1)
				abort();
		pms_spe_filter_free(filter);
	}
	free(text);
	return 0;
}

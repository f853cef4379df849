/* SPDX-License-Identifier: MIT */
/* Read samples of a perf.data whose threads and mappings may be anything. Each record has a thread
 * and an address space that exist. Its place lies where it says. A second reading gives the
 * same. */
#include <assert.h>
#include <string.h>

#include "pmuscope/spe_samples.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t touch_text(const char *text)
{
	uint64_t sum = 0;
	for (; *text; text++)
		sum = sum * 31 + (unsigned char)*text;
	return sum;
}

static uint64_t touch_place(const struct pms_spe_samples *samples, uint32_t space, uint64_t address)
{
	struct pms_place place;
	int known = pms_spe_samples_place(samples, space, address, &place);
	assert(known == (place.object != NULL));
	if (!known)
		return 1;
	assert(place.address == address && place.start <= address);
	assert(place.object == pms_spe_samples_object(samples, place.index));
	assert(place.object->build_id_size <= sizeof(place.object->build_id));
	return place.offset + place.object->kind + touch_text(place.object->path);
}

static uint64_t touch_batch(const struct pms_spe_samples *samples,
			    const struct pms_spe_samples_batch *b)
{
	uint64_t sum = b->stream + b->midr;
	assert(b->records->count > 0 && b->records->count <= PMS_SPE_BATCH);
	for (size_t i = 0; i < b->records->count; i++) {
		const struct pms_spe_thread *t = pms_spe_samples_thread(samples, b->thread[i]);
		assert(!t || (b->knows[i] & PMS_SPE_KNOWS_TID && t->tid == b->tid[i]));
		assert(!(b->knows[i] & PMS_SPE_KNOWS_PID) || b->knows[i] & PMS_SPE_KNOWS_TID);
		sum = sum * 31 + b->ns[i] + b->knows[i] + (uint32_t)b->pid[i] + b->space[i];
		sum += t ? touch_text(t->comm) : 0;
		sum += touch_place(samples, b->space[i], pms_spe_canonical(b->records->pc[i]));
		sum += touch_place(samples, b->space[i], pms_spe_canonical(b->records->va[i]));
	}
	return sum;
}

/* Read all samples and sum them up, so that two readings can be compared. */
static uint64_t read_all(const uint8_t *data, size_t size, struct pms_spe_quality *quality)
{
	const struct pms_spe_samples_batch *batch;
	struct pms_spe_samples *samples;
	struct pms_error err = { 0 };
	uint64_t sum = 0, records = 0;
	if (pms_spe_samples_open_bytes(data, size, "fuzz", NULL, &samples, &err)) {
		assert(err.status != PMS_OK && err.text[0]);
		return 0;
	}
	int rc;
	while ((rc = pms_spe_samples_next(samples, &batch, &err)) > 0) {
		sum = sum * 31 + touch_batch(samples, batch);
		records += batch->records->count;
	}
	assert(rc == 0 || err.text[0]);
	pms_spe_samples_quality(samples, quality);
	assert(quality->summary.records == records);
	assert(quality->without_time <= records && quality->without_tid <= records);
	sum += touch_text(quality->arch) + touch_text(quality->cpuid);
	/* These texts are borrowed from the samples, which are closed next. */
	quality->arch = quality->cpuid = quality->hostname = quality->os_release = "";
	memset(quality->recorded, 0, sizeof(quality->recorded));
	pms_spe_samples_close(samples);
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pms_spe_quality first, second;
	memset(&first, 0, sizeof(first));
	memset(&second, 0, sizeof(second));
	uint64_t sum = read_all(data, size, &first);
	assert(sum == read_all(data, size, &second));
	assert(first.summary.records == second.summary.records);
	return 0;
}

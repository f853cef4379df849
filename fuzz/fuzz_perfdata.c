/* SPDX-License-Identifier: MIT */
/* A perf.data is read without leaving its bytes. Borrowed texts and arrays end where they say. A
 * second reading gives the same as the first. */
#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "pmuscope/perfdata.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Read every byte, so that a sanitizer sees dangling or short borrowed memory. */
static uint64_t touch(const uint8_t *bytes, size_t size)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < size; i++)
		sum = sum * 31 + bytes[i];
	return sum;
}

static uint64_t touch_text(const char *text)
{
	return touch((const uint8_t *)text, strlen(text));
}

/* Read every field and borrowed byte of a record, for the sanitizers. */
static uint64_t touch_record(const struct pms_perfdata_record *r)
{
	uint64_t sum = r->type + r->offset + r->id.time + touch(r->bytes, r->size);
	switch (r->type) {
	case PMS_PERFDATA_MMAP:
	case PMS_PERFDATA_MMAP2:
		assert(r->mmap.build_id_size <= 20);
		return sum + touch_text(r->mmap.path) +
		       touch(r->mmap.build_id, r->mmap.build_id_size);
	case PMS_PERFDATA_COMM:
		return sum + touch_text(r->comm.name);
	case PMS_PERFDATA_SAMPLE:
		return sum + r->sample.ip +
		       touch(r->sample.callchain, 8 * (size_t)r->sample.n_callchain) +
		       touch(r->sample.raw, r->sample.raw_size) +
		       touch(r->sample.aux, (size_t)r->sample.aux_size);
	case PMS_PERFDATA_AUXTRACE:
		return sum + r->auxtrace.offset + touch(r->auxtrace.data, r->auxtrace.size);
	default:
		return sum;
	}
}

/* Read every field and borrowed byte of the file's description, for the sanitizers. */
static uint64_t touch_info(const struct pms_perfdata_info *info)
{
	uint64_t sum =
		touch_text(info->hostname) + touch_text(info->arch) + touch_text(info->cpuid);
	for (size_t i = 0; i < info->n_cmdline; i++)
		sum += touch_text(info->cmdline[i]);
	for (size_t i = 0; i < info->n_events; i++) {
		sum += touch_text(info->events[i].name);
		for (size_t k = 0; k < info->events[i].n_ids; k++)
			sum += info->events[i].ids[k];
	}
	for (size_t i = 0; i < info->n_build_ids; i++)
		sum += touch_text(info->build_ids[i].path);
	for (size_t i = 0; i < info->n_pmus; i++)
		sum += touch_text(info->pmus[i].name);
	for (size_t i = 0; i < info->n_threads; i++)
		sum += touch_text(info->threads[i].name);
	for (size_t i = 0; i < info->n_cpus; i++)
		sum += info->cpus[i];
	for (size_t i = 0; i < info->n_id_index; i++)
		sum += info->id_index[i].id;
	for (size_t i = 0; i < info->n_auxtrace_private; i++)
		sum += info->auxtrace_private[i];
	return sum;
}

static uint64_t read_all(struct pms_perfdata *file, int *end)
{
	struct pms_perfdata_record record;
	struct pms_error err = { 0 };
	uint64_t sum = 0;
	while ((*end = pms_perfdata_next(file, &record, &err)) == 1)
		sum = sum * 31 + touch_record(&record);
	assert(err.status == (enum pms_status) - *end);
	const struct pms_perfdata_stats *s = pms_perfdata_stats(file);
	assert(strlen(s->cut_text) < sizeof(s->cut_text));
	assert(!s->cut == !s->cut_text[0]);
	return sum + s->records + s->malformed + s->unidentified + s->auxtrace_bytes;
}

/* Read the same bytes as through a pipe, all of them read ahead: the counts must be equal. */
static void read_piped(const uint8_t *data, size_t size, const struct pms_perfdata_stats *want,
		       int want_end)
{
	struct pms_perfdata *file;
	int ends[2], end;
	if (pipe(ends))
		return;
	close(ends[1]);
	int rc = pms_perfdata_open_fd(ends[0], "pipe", data, size, &file, NULL);
	assert(!rc);
	read_all(file, &end);
	const struct pms_perfdata_stats *got = pms_perfdata_stats(file);
	assert(end == want_end);
	assert(got->records == want->records && got->malformed == want->malformed &&
	       got->unknown == want->unknown && got->unidentified == want->unidentified &&
	       got->auxtrace_bytes == want->auxtrace_bytes && got->cut == want->cut &&
	       got->cut_at == want->cut_at);
	pms_perfdata_close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pms_perfdata *file;
	struct pms_error err = { 0 };
	int rc = pms_perfdata_open_bytes(data, size, "input", &file, &err), first_end, second_end;
	uint64_t ns;

	assert(err.status == (enum pms_status) - rc);
	if (rc)
		return 0;
	const struct pms_perfdata_info *info = pms_perfdata_info(file);
	size_t events = info->n_events;
	uint64_t first = read_all(file, &first_end);
	touch_info(info);
	pms_perfdata_time(&info->time_conv, size, &ns);
	if (info->pipe)
		read_piped(data, size, pms_perfdata_stats(file), first_end);
	assert(!pms_perfdata_rewind(file, NULL));
	uint64_t second = read_all(file, &second_end);
	/* The second reading knows events from the start that the first met among the records. */
	assert(first == second || info->n_events > events);
	assert(first_end == second_end);
	pms_perfdata_close(file);
	return 0;
}

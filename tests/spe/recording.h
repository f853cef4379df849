/* SPDX-License-Identifier: MIT */
/* A perf.data made for a test: records of threads and mappings, and buffers of SPE records. */
#ifndef TESTS_SPE_RECORDING_H
#define TESTS_SPE_RECORDING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "pmuscope/spe_samples.h"

enum { RECORDING_PMU = 9, RECORDING_MOST = 1 << 16 };

struct recording {
	char path[64];
	struct pms_perfdata_writer *writer;
	struct pms_perfdata_info info;
	struct pms_perfdata_event events[2];
	uint64_t ids[2];
	uint64_t ends[8]; /* of the buffers written, by CPU */
	/* A buffer that is being made. */
	uint8_t bytes[RECORDING_MOST];
	size_t length;
};

/* What every recording has; a test may change r->info and r->events before recording_begin. One
 * tick of the counter is 40 ns, and tick 0 at 1000. */
static inline void recording_init(struct recording *r)
{
	static const struct pms_perfdata_pmu pmus[] = { { RECORDING_PMU, "arm_spe_0" } };
	static const uint64_t numbers[] = { RECORDING_PMU, 0 };
	const uint64_t type =
		PMS_PERFDATA_IDENTIFIER | PMS_PERFDATA_TID | PMS_PERFDATA_TIME | PMS_PERFDATA_CPU;
	memset(r, 0, sizeof(*r));
	r->ids[0] = 100;
	r->ids[1] = 101;
	r->events[0] = (struct pms_perfdata_event){ .name = "arm_spe_0//",
						    .type = RECORDING_PMU,
						    .config = 1,
						    .sample_period = 1024,
						    .sample_type = type,
						    .flags = PMS_PERFDATA_FLAG_SAMPLE_ID_ALL,
						    .ids = &r->ids[0],
						    .n_ids = 1 };
	r->events[1] = r->events[0];
	r->events[1].name = "dummy:u";
	r->events[1].type = 1;
	r->events[1].config = 9;
	r->events[1].ids = &r->ids[1];
	r->info = (struct pms_perfdata_info){
		.arch = "aarch64",
		.cpuid = "0x00000000410fd401", /* Neoverse V1 */
		.events = r->events,
		.n_events = 2,
		.pmus = pmus,
		.n_pmus = 1,
		.time_conv = { .known = 1, .shift = 10, .mult = 40960, .zero = 1000 },
		.auxtrace_type = PMS_PERFDATA_AUXTRACE_ARM_SPE,
		.auxtrace_private = numbers,
		.n_auxtrace_private = 2,
	};
}

static inline void recording_begin(struct recording *r)
{
	struct pms_error err = { 0 };
	strcpy(r->path, "/tmp/pmuscope-test-XXXXXX");
	int fd = mkstemp(r->path);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(pms_perfdata_create(r->path, &r->info, &r->writer, &err), 0);
}

static inline void recording_put(struct recording *r, const struct pms_perfdata_record *record)
{
	struct pms_error err = { 0 };
	if (pms_perfdata_write(r->writer, record, &err))
		fail_msg("%s", err.text);
}

static inline struct pms_perfdata_record recording_record(uint32_t type, uint64_t time, int32_t tid)
{
	return (struct pms_perfdata_record){
		.type = type, .id = { .pid = tid, .tid = tid, .time = time, .id = 101 }
	};
}

static inline void recording_map(struct recording *r, uint64_t time, int32_t pid, uint64_t start,
				 uint64_t length, uint64_t offset, const char *path)
{
	struct pms_perfdata_record m = recording_record(PMS_PERFDATA_MMAP2, time, pid);
	m.misc = pid == -1 ? 1 : 2;
	m.mmap = (struct pms_perfdata_mmap){ .pid = pid,
					     .tid = pid,
					     .start = start,
					     .length = length,
					     .file_offset = offset,
					     .path = path,
					     .prot = 5,
					     .flags = 2 };
	recording_put(r, &m);
}

static inline void recording_comm(struct recording *r, uint64_t time, int32_t pid, int32_t tid,
				  const char *name, int exec)
{
	struct pms_perfdata_record m = recording_record(PMS_PERFDATA_COMM, time, tid);
	m.misc = exec ? PMS_PERFDATA_MISC_COMM_EXEC : 0;
	m.comm = (struct pms_perfdata_comm){ pid, tid, exec, name };
	recording_put(r, &m);
}

static inline void recording_fork(struct recording *r, uint64_t time, int32_t parent, int32_t pid,
				  int32_t tid)
{
	struct pms_perfdata_record m = recording_record(PMS_PERFDATA_FORK, time, parent);
	m.task = (struct pms_perfdata_task){ pid, parent, tid, parent, time };
	recording_put(r, &m);
}

static inline void recording_switch(struct recording *r, uint64_t time, uint32_t cpu, int32_t tid,
				    int out)
{
	struct pms_perfdata_record m = recording_record(PMS_PERFDATA_SWITCH, time, tid);
	m.misc = out ? PMS_PERFDATA_MISC_SWITCH_OUT : 0;
	m.id.cpu = cpu;
	recording_put(r, &m);
}

static inline void recording_packet(struct recording *r, unsigned header, uint64_t payload,
				    unsigned size)
{
	assert_true(r->length + 1 + size <= RECORDING_MOST);
	r->bytes[r->length++] = (uint8_t)header;
	for (unsigned i = 0; i < size; i++)
		r->bytes[r->length++] = (uint8_t)(payload >> 8 * i);
}

/* A load at @pc with a time in ticks; @context: -1 for none. 64 bytes. */
static inline void recording_load(struct recording *r, uint64_t pc, uint64_t ticks, int64_t context)
{
	recording_packet(r, 0xb0, pc | (uint64_t)1 << 63, 8);
	if (context >= 0)
		recording_packet(r, 0x64, (uint64_t)context, 4);
	recording_packet(r, 0x49, 0, 1);
	recording_packet(r, 0x52, 0x12, 2);
	recording_packet(r, 0x98, 7, 2);
	recording_packet(r, 0x43, 0xe, 1);
	recording_packet(r, 0x71, ticks, 8);
	while (r->length % 64)
		r->bytes[r->length++] = 0;
}

/* The buffer made since the last time, with its AUX record. @cpu or @tid may be -1. */
static inline void recording_buffer(struct recording *r, int32_t cpu, int32_t tid, uint64_t time,
				    uint64_t flags)
{
	unsigned index = cpu >= 0 ? (unsigned)cpu : 7;
	struct pms_perfdata_record m = recording_record(PMS_PERFDATA_AUX, time, tid);
	m.id.cpu = cpu >= 0 ? (uint32_t)cpu : 0;
	m.id.id = 100;
	m.aux = (struct pms_perfdata_aux){ r->ends[index], r->length, flags };
	recording_put(r, &m);
	m = (struct pms_perfdata_record){ .type = PMS_PERFDATA_AUXTRACE };
	m.auxtrace = (struct pms_perfdata_auxtrace){ .cpu = cpu,
						     .tid = tid,
						     .idx = index,
						     .offset = r->ends[index],
						     .data = r->bytes,
						     .size = r->length };
	recording_put(r, &m);
	r->ends[index] += r->length;
	r->length = 0;
}

static inline void recording_end(struct recording *r)
{
	struct pms_error err = { 0 };
	if (pms_perfdata_finish(r->writer, &err))
		fail_msg("%s", err.text);
}

static inline struct pms_spe_samples *recording_open(struct recording *r,
						     const struct pms_spe_samples_options *options)
{
	struct pms_spe_samples *samples;
	struct pms_error err = { 0 };
	recording_end(r);
	if (pms_spe_samples_open(r->path, options, &samples, &err))
		fail_msg("%s: %s", err.source, err.text);
	unlink(r->path);
	return samples;
}

#endif

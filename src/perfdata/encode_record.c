/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "perfdata/describe.h"
#include "perfdata/encode.h"

enum { USER_TYPES = 64, RECORD_MAX = 65535, AUXTRACE_FIELDS = 40 };

size_t pms_record_begin(struct pms_bytes *into, uint32_t type, uint16_t misc)
{
	size_t begin = into->size;
	pms_put(into, type, 4);
	pms_put(into, misc, 2);
	pms_put(into, 0, 2);
	return begin;
}

int pms_record_end(struct pms_bytes *into, size_t begin)
{
	size_t size = into->size - begin;
	if (into->bad)
		return -PMS_ENOMEM;
	if (size > RECORD_MAX)
		return -PMS_EINVAL;
	pms_put_at(into, begin + 6, size, 2);
	return 0;
}

static void put_pair(struct pms_bytes *into, int32_t first, int32_t second)
{
	pms_put(into, (uint32_t)first, 4);
	pms_put(into, (uint32_t)second, 4);
}

static void put_range(const struct pms_perfdata_mmap *m, struct pms_bytes *into)
{
	put_pair(into, m->pid, m->tid);
	pms_put(into, m->start, 8);
	pms_put(into, m->length, 8);
	pms_put(into, m->file_offset, 8);
}

static void mmap_encode(const struct pms_perfdata_record *r, struct pms_bytes *into)
{
	put_range(&r->mmap, into);
	pms_put_text(into, into->size, r->mmap.path, 8);
}

static void mmap2_encode(const struct pms_perfdata_record *r, struct pms_bytes *into)
{
	const struct pms_perfdata_mmap *m = &r->mmap;
	put_range(m, into);
	if (r->misc & PMS_PERFDATA_MISC_MMAP_BUILD_ID) {
		size_t size = m->build_id ? m->build_id_size : 0;
		pms_put(into, size, 4);
		pms_put_bytes(into, m->build_id, size);
		pms_put_zeros(into, 20 - size);
	} else {
		pms_put(into, m->major, 4);
		pms_put(into, m->minor, 4);
		pms_put(into, m->inode, 8);
		pms_put(into, m->inode_generation, 8);
	}
	pms_put(into, m->prot, 4);
	pms_put(into, m->flags, 4);
	pms_put_text(into, into->size, m->path, 8);
}

static void comm_encode(const struct pms_perfdata_record *r, struct pms_bytes *into)
{
	put_pair(into, r->comm.pid, r->comm.tid);
	pms_put_text(into, into->size, r->comm.name, 8);
}

static void task_encode(const struct pms_perfdata_record *r, struct pms_bytes *into)
{
	put_pair(into, r->task.pid, r->task.parent_pid);
	put_pair(into, r->task.tid, r->task.parent_tid);
	pms_put(into, r->task.time, 8);
}

static void aux_encode(const struct pms_perfdata_record *r, struct pms_bytes *into)
{
	pms_put(into, r->aux.offset, 8);
	pms_put(into, r->aux.size, 8);
	pms_put(into, r->aux.flags, 8);
}

/* misc says whether the thread comes or leaves, so the body needs no field for it. */
static void switch_encode(const struct pms_perfdata_record *r, struct pms_bytes *into)
{
	if (r->type == PMS_PERFDATA_SWITCH_CPU_WIDE)
		put_pair(into, r->switch_.pid, r->switch_.tid);
}

static void itrace_start_encode(const struct pms_perfdata_record *r, struct pms_bytes *into)
{
	put_pair(into, r->itrace_start.pid, r->itrace_start.tid);
}

static void lost_encode(const struct pms_perfdata_record *r, struct pms_bytes *into)
{
	pms_put(into, r->lost.id, 8);
	pms_put(into, r->lost.count, 8);
}

static void lost_samples_encode(const struct pms_perfdata_record *r, struct pms_bytes *into)
{
	pms_put(into, r->lost.count, 8);
}

static void auxtrace_encode(const struct pms_perfdata_record *r, struct pms_bytes *into)
{
	const struct pms_perfdata_auxtrace *a = &r->auxtrace;
	pms_put(into, a->size + a->left, 8); /* the writer checked the sum */
	pms_put(into, a->offset, 8);
	pms_put(into, a->reference, 8);
	pms_put(into, a->idx, 4);
	put_pair(into, a->tid, a->cpu);
	pms_put(into, 0, 4);
}

static void nothing_encode(const struct pms_perfdata_record *r, struct pms_bytes *into)
{
	(void)r;
	(void)into;
}

static const struct {
	uint32_t type;
	void (*encode)(const struct pms_perfdata_record *r, struct pms_bytes *into);
} types[] = {
	{ PMS_PERFDATA_MMAP, mmap_encode },
	{ PMS_PERFDATA_LOST, lost_encode },
	{ PMS_PERFDATA_COMM, comm_encode },
	{ PMS_PERFDATA_EXIT, task_encode },
	{ PMS_PERFDATA_FORK, task_encode },
	{ PMS_PERFDATA_MMAP2, mmap2_encode },
	{ PMS_PERFDATA_AUX, aux_encode },
	{ PMS_PERFDATA_ITRACE_START, itrace_start_encode },
	{ PMS_PERFDATA_SWITCH, switch_encode },
	{ PMS_PERFDATA_SWITCH_CPU_WIDE, switch_encode },
	{ PMS_PERFDATA_LOST_SAMPLES, lost_samples_encode },
	{ PMS_PERFDATA_FINISHED_ROUND, nothing_encode },
	{ PMS_PERFDATA_AUXTRACE, auxtrace_encode },
};

/* Put the fields that samples and trailers share, in their common order. */
static void put_id(uint64_t type, const struct pms_perfdata_id *id, struct pms_bytes *into)
{
	if (type & PMS_PERFDATA_ID)
		pms_put(into, id->id, 8);
	if (type & PMS_PERFDATA_STREAM_ID)
		pms_put(into, id->stream_id, 8);
	if (type & PMS_PERFDATA_CPU)
		pms_put(into, id->cpu, 8);
}

static void trailer_encode(uint64_t type, const struct pms_perfdata_id *id, struct pms_bytes *into)
{
	if (type & PMS_PERFDATA_TID)
		put_pair(into, id->pid, id->tid);
	if (type & PMS_PERFDATA_TIME)
		pms_put(into, id->time, 8);
	put_id(type, id, into);
	if (type & PMS_PERFDATA_IDENTIFIER)
		pms_put(into, id->id, 8);
}

static void place_encode(uint64_t type, const struct pms_perfdata_record *r, struct pms_bytes *into)
{
	if (type & PMS_PERFDATA_IDENTIFIER)
		pms_put(into, r->id.id, 8);
	if (type & PMS_PERFDATA_IP)
		pms_put(into, r->sample.ip, 8);
	if (type & PMS_PERFDATA_TID)
		put_pair(into, r->id.pid, r->id.tid);
	if (type & PMS_PERFDATA_TIME)
		pms_put(into, r->id.time, 8);
	if (type & PMS_PERFDATA_ADDR)
		pms_put(into, r->sample.addr, 8);
	put_id(type, &r->id, into);
	if (type & PMS_PERFDATA_PERIOD)
		pms_put(into, r->sample.period, 8);
}

static void block(struct pms_bytes *into, uint64_t count, size_t width, const uint8_t *at,
		  size_t size)
{
	if (size > RECORD_MAX) /* too long for a record: pms_record_end will refuse it */
		size = RECORD_MAX + 1;
	pms_put(into, count, width);
	if (at)
		pms_put_bytes(into, at, size);
	else
		pms_put_zeros(into, size);
}

/* Put the fields of a sample in the order of the kernel, after those that place_encode put. */
static void rest_encode(uint64_t type, const struct pms_perfdata_sample *s, struct pms_bytes *into)
{
	static const struct {
		uint32_t bit;
		size_t at;
	} numbers[] = {
		{ PMS_PERFDATA_WEIGHT | PMS_PERFDATA_WEIGHT_STRUCT,
		  offsetof(struct pms_perfdata_sample, weight) },
		{ PMS_PERFDATA_DATA_SRC, offsetof(struct pms_perfdata_sample, data_src) },
		{ PMS_PERFDATA_TRANSACTION, offsetof(struct pms_perfdata_sample, transaction) },
		{ PMS_PERFDATA_PHYS_ADDR, offsetof(struct pms_perfdata_sample, phys_addr) },
		{ PMS_PERFDATA_CGROUP, offsetof(struct pms_perfdata_sample, cgroup) },
		{ PMS_PERFDATA_DATA_PAGE_SIZE,
		  offsetof(struct pms_perfdata_sample, data_page_size) },
		{ PMS_PERFDATA_CODE_PAGE_SIZE,
		  offsetof(struct pms_perfdata_sample, code_page_size) },
	};
	if (type & PMS_PERFDATA_CALLCHAIN)
		block(into, s->n_callchain, 8, s->callchain, 8 * (size_t)s->n_callchain);
	if (type & PMS_PERFDATA_RAW)
		block(into, s->raw_size, 4, s->raw, s->raw_size);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		uint64_t value;
		memcpy(&value, (const char *)s + numbers[i].at, sizeof(value));
		if (type & numbers[i].bit)
			pms_put(into, value, 8);
	}
	if (type & PMS_PERFDATA_AUX_DATA)
		block(into, s->aux_size, 8, s->aux, (size_t)s->aux_size);
}

static bool sample_encode(uint64_t type, const struct pms_perfdata_record *r,
			  struct pms_bytes *into)
{
	if (type & (PMS_PERFDATA_READ | PMS_PERFDATA_BRANCH_STACK | PMS_PERFDATA_REGS_USER |
		    PMS_PERFDATA_STACK_USER | PMS_PERFDATA_REGS_INTR))
		return false;
	if (r->sample.n_callchain > RECORD_MAX || r->sample.aux_size > RECORD_MAX)
		return false;
	place_encode(type, r, into);
	rest_encode(type, &r->sample, into);
	return true;
}

static bool fields_encode(uint64_t sample_type, const struct pms_perfdata_record *r,
			  struct pms_bytes *into)
{
	if (r->type == PMS_PERFDATA_SAMPLE)
		return sample_encode(sample_type, r, into);
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (types[i].type != r->type)
			continue;
		types[i].encode(r, into);
		return true;
	}
	return false;
}

int pms_record_encode(const struct pms_perfdata_info *info, const struct pms_perfdata_record *r,
		      struct pms_bytes *into)
{
	const struct pms_perfdata_event *event = &info->events[r->event < 0 ? 0 : r->event];
	size_t begin = pms_record_begin(into, r->type, r->misc);
	if (!fields_encode(event->sample_type, r, into)) {
		into->size = begin;
		return -PMS_EINVAL;
	}
	if (r->type < USER_TYPES && r->type != PMS_PERFDATA_SAMPLE &&
	    info->events[0].flags & PMS_PERFDATA_FLAG_SAMPLE_ID_ALL)
		trailer_encode(event->sample_type, &r->id, into);
	int rc = pms_record_end(into, begin);
	if (rc)
		into->size = begin;
	return rc;
}

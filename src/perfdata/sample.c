/* SPDX-License-Identifier: MIT */
/* Decode samples, and the trailers of other records. The event's sample_type has a bit for each
 * field; the order is the one that perf_event_open(2) gives under PERF_RECORD_SAMPLE. */
#include "perfdata/record.h"

/* Bits of read_format. */
enum {
	READ_ENABLED = 1 << 0,
	READ_RUNNING = 1 << 1,
	READ_ID = 1 << 2,
	READ_GROUP = 1 << 3,
	READ_LOST = 1 << 4
};

/* Bits of branch_sample_type: a hardware index before the entries, counters after them. */
enum { BRANCH_HW_INDEX = 1 << 17, BRANCH_COUNTERS = 1 << 19 };

static void skip(struct cursor *c, uint64_t count, uint64_t size)
{
	uint64_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes))
		c->bad = true;
	else
		take_bytes(c, bytes);
}

static void read_skip(const struct pms_perfdata_event *event, struct cursor *c)
{
	uint64_t format = event->read_format;
	uint64_t count = format & READ_GROUP ? take_u64(c) : 1;
	skip(c, (uint64_t)__builtin_popcountll(format & (READ_ENABLED | READ_RUNNING)), 8);
	skip(c, count, 8 + 8 * (uint64_t)__builtin_popcountll(format & (READ_ID | READ_LOST)));
}

static void callchain_read(struct cursor *c, struct pms_perfdata_sample *s)
{
	uint64_t count = take_u64(c);
	if (count > c->left / 8) {
		c->bad = true;
		return;
	}
	s->callchain = take_bytes(c, 8 * count);
	s->n_callchain = count;
}

static void raw_read(struct cursor *c, struct pms_perfdata_sample *s)
{
	uint32_t size = take_u32(c);
	s->raw = take_bytes(c, size);
	s->raw_size = s->raw ? size : 0;
}

static void branches_skip(const struct pms_perfdata_event *event, struct cursor *c)
{
	uint64_t count = take_u64(c);
	if (event->branch_sample_type & BRANCH_HW_INDEX)
		take_u64(c);
	skip(c, count, 24);
	if (event->branch_sample_type & BRANCH_COUNTERS)
		skip(c, count, 8);
}

/* Skip registers; an ABI of 0 has none. */
static void registers_skip(uint64_t mask, struct cursor *c)
{
	if (take_u64(c))
		skip(c, (uint64_t)__builtin_popcountll(mask), 8);
}

/* Skip a copied stack: its size, the bytes, and how many of them are valid. */
static void stack_skip(struct cursor *c)
{
	uint64_t size = take_u64(c);
	if (size) {
		take_bytes(c, size);
		take_u64(c);
	}
}

static void aux_read(struct cursor *c, struct pms_perfdata_sample *s)
{
	uint64_t size = take_u64(c);
	s->aux = take_bytes(c, size);
	s->aux_size = s->aux ? size : 0;
}

static void thread_read(struct cursor *c, struct pms_perfdata_id *id)
{
	id->pid = take_s32(c);
	id->tid = take_s32(c);
}

static void cpu_read(struct cursor *c, struct pms_perfdata_id *id)
{
	id->cpu = take_u32(c);
	take_u32(c); /* reserved */
}

/* Decode a sample's first part: fields that a trailer can have too. */
static void place_decode(uint64_t type, struct cursor *c, struct pms_perfdata_record *r)
{
	if (type & PMS_PERFDATA_IDENTIFIER)
		r->id.id = take_u64(c);
	if (type & PMS_PERFDATA_IP)
		r->sample.ip = take_u64(c);
	if (type & PMS_PERFDATA_TID)
		thread_read(c, &r->id);
	if (type & PMS_PERFDATA_TIME)
		r->id.time = take_u64(c);
	if (type & PMS_PERFDATA_ADDR)
		r->sample.addr = take_u64(c);
	if (type & PMS_PERFDATA_ID)
		r->id.id = take_u64(c);
	if (type & PMS_PERFDATA_STREAM_ID)
		r->id.stream_id = take_u64(c);
	if (type & PMS_PERFDATA_CPU)
		cpu_read(c, &r->id);
	if (type & PMS_PERFDATA_PERIOD)
		r->sample.period = take_u64(c);
}

/* Decode its second part: blocks that begin with their length. */
static void blocks_decode(const struct pms_perfdata_event *event, struct cursor *c,
			  struct pms_perfdata_sample *s)
{
	uint64_t type = event->sample_type;
	if (type & PMS_PERFDATA_READ)
		read_skip(event, c);
	if (type & PMS_PERFDATA_CALLCHAIN)
		callchain_read(c, s);
	if (type & PMS_PERFDATA_RAW)
		raw_read(c, s);
	if (type & PMS_PERFDATA_BRANCH_STACK)
		branches_skip(event, c);
	if (type & PMS_PERFDATA_REGS_USER)
		registers_skip(event->sample_regs_user, c);
	if (type & PMS_PERFDATA_STACK_USER)
		stack_skip(c);
}

/* Decode its third part: fields that newer kernels added. */
static void memory_decode(const struct pms_perfdata_event *event, struct cursor *c,
			  struct pms_perfdata_sample *s)
{
	uint64_t type = event->sample_type;
	if (type & (PMS_PERFDATA_WEIGHT | PMS_PERFDATA_WEIGHT_STRUCT))
		s->weight = take_u64(c);
	if (type & PMS_PERFDATA_DATA_SRC)
		s->data_src = take_u64(c);
	if (type & PMS_PERFDATA_TRANSACTION)
		s->transaction = take_u64(c);
	if (type & PMS_PERFDATA_REGS_INTR)
		registers_skip(event->sample_regs_intr, c);
	if (type & PMS_PERFDATA_PHYS_ADDR)
		s->phys_addr = take_u64(c);
	if (type & PMS_PERFDATA_CGROUP)
		s->cgroup = take_u64(c);
	if (type & PMS_PERFDATA_DATA_PAGE_SIZE)
		s->data_page_size = take_u64(c);
	if (type & PMS_PERFDATA_CODE_PAGE_SIZE)
		s->code_page_size = take_u64(c);
	if (type & PMS_PERFDATA_AUX_DATA)
		aux_read(c, s);
}

static uint32_t id_bits(uint64_t type)
{
	return (uint32_t)type &
	       (PMS_PERFDATA_TID | PMS_PERFDATA_TIME | PMS_PERFDATA_ID | PMS_PERFDATA_STREAM_ID |
		PMS_PERFDATA_CPU | PMS_PERFDATA_IDENTIFIER);
}

bool pms_sample_decode(const struct pms_perfdata_event *event, struct cursor *body,
		       struct pms_perfdata_record *record)
{
	place_decode(event->sample_type, body, record);
	blocks_decode(event, body, &record->sample);
	memory_decode(event, body, &record->sample);
	record->id.have = id_bits(event->sample_type);
	return !body->bad;
}

bool pms_trailer_decode(uint64_t sample_type, struct cursor *body, struct pms_perfdata_id *id)
{
	uint64_t type = id_bits(sample_type);
	size_t size = 8 * (size_t)__builtin_popcountll(type);
	if (body->left < size)
		return false;
	body->left -= size;
	struct cursor c = { body->at + body->left, size, false };
	if (type & PMS_PERFDATA_TID)
		thread_read(&c, id);
	if (type & PMS_PERFDATA_TIME)
		id->time = take_u64(&c);
	if (type & PMS_PERFDATA_ID)
		id->id = take_u64(&c);
	if (type & PMS_PERFDATA_STREAM_ID)
		id->stream_id = take_u64(&c);
	if (type & PMS_PERFDATA_CPU)
		cpu_read(&c, id);
	if (type & PMS_PERFDATA_IDENTIFIER)
		id->id = take_u64(&c);
	id->have = (uint32_t)type;
	return true;
}

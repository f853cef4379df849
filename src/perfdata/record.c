/* SPDX-License-Identifier: MIT */
#include "perfdata/record.h"

/* Types below this come from the kernel and may have a trailer. */
enum { USER_TYPES = 64 };

static void mmap_decode(struct cursor *c, struct pms_perfdata_record *r)
{
	struct pms_perfdata_mmap *m = &r->mmap;
	m->pid = take_s32(c);
	m->tid = take_s32(c);
	m->start = take_u64(c);
	m->length = take_u64(c);
	m->file_offset = take_u64(c);
	m->path = take_text(c);
}

/* Take the file's identity: device and inode, or a build-id in the same 24 bytes. */
static void identity_decode(struct cursor *c, struct pms_perfdata_record *r)
{
	struct pms_perfdata_mmap *m = &r->mmap;
	if (r->misc & PMS_PERFDATA_MISC_MMAP_BUILD_ID) {
		uint32_t size = take_u32(c) & 0xff; /* the size, and three reserved bytes */
		const uint8_t *id = take_bytes(c, 20);
		c->bad |= size > 20;
		m->build_id = size ? id : NULL;
		m->build_id_size = (uint8_t)size;
		return;
	}
	m->major = take_u32(c);
	m->minor = take_u32(c);
	m->inode = take_u64(c);
	m->inode_generation = take_u64(c);
}

static void mmap2_decode(struct cursor *c, struct pms_perfdata_record *r)
{
	struct pms_perfdata_mmap *m = &r->mmap;
	m->pid = take_s32(c);
	m->tid = take_s32(c);
	m->start = take_u64(c);
	m->length = take_u64(c);
	m->file_offset = take_u64(c);
	identity_decode(c, r);
	m->prot = take_u32(c);
	m->flags = take_u32(c);
	m->path = take_text(c);
}

static void lost_decode(struct cursor *c, struct pms_perfdata_record *r)
{
	r->lost.id = take_u64(c);
	r->lost.count = take_u64(c);
}

static void lost_samples_decode(struct cursor *c, struct pms_perfdata_record *r)
{
	r->lost.count = take_u64(c);
}

static void comm_decode(struct cursor *c, struct pms_perfdata_record *r)
{
	r->comm.pid = take_s32(c);
	r->comm.tid = take_s32(c);
	r->comm.exec = (r->misc & PMS_PERFDATA_MISC_COMM_EXEC) != 0;
	r->comm.name = take_text(c);
}

static void task_decode(struct cursor *c, struct pms_perfdata_record *r)
{
	r->task.pid = take_s32(c);
	r->task.parent_pid = take_s32(c);
	r->task.tid = take_s32(c);
	r->task.parent_tid = take_s32(c);
	r->task.time = take_u64(c);
}

static void aux_decode(struct cursor *c, struct pms_perfdata_record *r)
{
	r->aux.offset = take_u64(c);
	r->aux.size = take_u64(c);
	r->aux.flags = take_u64(c);
}

static void itrace_start_decode(struct cursor *c, struct pms_perfdata_record *r)
{
	r->itrace_start.pid = take_s32(c);
	r->itrace_start.tid = take_s32(c);
}

static void switch_decode(struct cursor *c, struct pms_perfdata_record *r)
{
	r->switch_ = (struct pms_perfdata_switch){
		.out = (r->misc & PMS_PERFDATA_MISC_SWITCH_OUT) != 0, .pid = -1, .tid = -1
	};
	if (r->type == PMS_PERFDATA_SWITCH_CPU_WIDE) {
		r->switch_.pid = take_s32(c);
		r->switch_.tid = take_s32(c);
	}
}

/* Decode the record alone: its data follows, and the reader cuts that into pieces. */
static void auxtrace_decode(struct cursor *c, struct pms_perfdata_record *r)
{
	r->auxtrace.left = take_u64(c);
	r->auxtrace.offset = take_u64(c);
	r->auxtrace.reference = take_u64(c);
	r->auxtrace.idx = take_u32(c);
	r->auxtrace.tid = take_s32(c);
	r->auxtrace.cpu = take_s32(c);
}

/* The types by number. Those without a decoder are passed on as bytes; their names are for
 * printing. */
static const struct type {
	const char *name;
	void (*decode)(struct cursor *c, struct pms_perfdata_record *r);
} types[] = {
	[1] = { "MMAP", mmap_decode },
	[2] = { "LOST", lost_decode },
	[3] = { "COMM", comm_decode },
	[4] = { "EXIT", task_decode },
	[5] = { "THROTTLE", NULL },
	[6] = { "UNTHROTTLE", NULL },
	[7] = { "FORK", task_decode },
	[8] = { "READ", NULL },
	[9] = { "SAMPLE", NULL }, /* see pms_record_decode */
	[10] = { "MMAP2", mmap2_decode },
	[11] = { "AUX", aux_decode },
	[12] = { "ITRACE_START", itrace_start_decode },
	[13] = { "LOST_SAMPLES", lost_samples_decode },
	[14] = { "SWITCH", switch_decode },
	[15] = { "SWITCH_CPU_WIDE", switch_decode },
	[16] = { "NAMESPACES", NULL },
	[17] = { "KSYMBOL", NULL },
	[18] = { "BPF_EVENT", NULL },
	[19] = { "CGROUP", NULL },
	[20] = { "TEXT_POKE", NULL },
	[21] = { "AUX_OUTPUT_HW_ID", NULL },
	[64] = { "HEADER_ATTR", NULL },
	[65] = { "HEADER_EVENT_TYPE", NULL },
	[66] = { "HEADER_TRACING_DATA", NULL },
	[67] = { "HEADER_BUILD_ID", NULL },
	[68] = { "FINISHED_ROUND", NULL },
	[69] = { "ID_INDEX", NULL },
	[70] = { "AUXTRACE_INFO", NULL },
	[71] = { "AUXTRACE", auxtrace_decode },
	[72] = { "AUXTRACE_ERROR", NULL },
	[73] = { "THREAD_MAP", NULL },
	[74] = { "CPU_MAP", NULL },
	[75] = { "STAT_CONFIG", NULL },
	[76] = { "STAT", NULL },
	[77] = { "STAT_ROUND", NULL },
	[78] = { "EVENT_UPDATE", NULL },
	[79] = { "TIME_CONV", NULL },
	[80] = { "HEADER_FEATURE", NULL },
	[81] = { "COMPRESSED", NULL },
	[82] = { "FINISHED_INIT", NULL },
	[83] = { "COMPRESSED2", NULL },
	[84] = { "BPF_METADATA", NULL },
};

static const struct type *type_find(uint32_t type)
{
	return type < sizeof(types) / sizeof(types[0]) && types[type].name ? &types[type] : NULL;
}

const char *pms_perfdata_type_name(uint32_t type)
{
	const struct type *found = type_find(type);
	return found ? found->name : NULL;
}

/* Find a record's event, whose sample_type says how the record is laid out. A single event has
 * all records; of several, the id decides if all have it in the same place. Also set `layout` to
 * an event with the same layout, even where the id belongs to no event, as in records that perf
 * makes up. */
static void identify(const struct pms_perfdata_description *d, struct cursor body, bool is_sample,
		     int *event, int *layout)
{
	uint64_t type = d->info.n_events ? d->events[0].sample_type : 0;
	int at = is_sample ? pms_sample_id_at(type) : pms_trailer_id_at(type);
	*event = d->info.n_events == 1 ? 0 : -1;
	*layout = d->mixed_types || !d->info.n_events ? -1 : 0;
	if (d->info.n_events < 2 || at < 0 || (is_sample ? d->mixed_samples : d->mixed_trailers))
		return;
	size_t need = 8 * ((size_t)at + is_sample);
	if (body.left < need)
		return;
	const uint8_t *id = is_sample ? body.at + need - 8 : body.at + body.left - need;
	uint64_t number = little(id, 8);
	*event = pms_description_event_of(d, number);
	if (*event >= 0)
		*layout = *event;
	else if (!number)
		*layout = 0; /* records made up by perf have id 0 and the first event's layout */
}

static enum pms_decoded sample_decode(const struct pms_perfdata_description *d, struct cursor *body,
				      struct pms_perfdata_record *r)
{
	int layout;
	identify(d, *body, true, &r->event, &layout);
	if (layout < 0)
		return PMS_DECODED_UNIDENTIFIED;
	return pms_sample_decode(&d->events[layout], body, r) ? PMS_DECODED : PMS_DECODED_MALFORMED;
}

/* Take off the trailer before the body is decoded: texts come last and fill up the body with
 * zeros, so their end cannot be told from a trailer. */
static enum pms_decoded trailer_decode(const struct pms_perfdata_description *d,
				       struct cursor *body, struct pms_perfdata_record *r)
{
	int layout;
	if (!d->info.n_events || !(d->events[0].flags & PMS_PERFDATA_FLAG_SAMPLE_ID_ALL))
		return PMS_DECODED;
	identify(d, *body, false, &r->event, &layout);
	if (layout < 0)
		return PMS_DECODED_UNIDENTIFIED;
	return pms_trailer_decode(d->events[layout].sample_type, body, &r->id)
		       ? PMS_DECODED
		       : PMS_DECODED_MALFORMED;
}

enum pms_decoded pms_record_decode(const struct pms_perfdata_description *d,
				   struct pms_perfdata_record *r)
{
	struct pms_perfdata_record blank = { .type = r->type,
					     .misc = r->misc,
					     .offset = r->offset,
					     .bytes = r->bytes,
					     .size = r->size,
					     .event = -1 };
	struct cursor body = { r->bytes + 8, r->size - 8, false };
	const struct type *type = type_find(r->type);
	enum pms_decoded how = PMS_DECODED;
	*r = blank;
	if (!type)
		return PMS_DECODED_UNKNOWN;
	if (r->type == PMS_PERFDATA_SAMPLE)
		return sample_decode(d, &body, r);
	if (r->type < USER_TYPES)
		how = trailer_decode(d, &body, r);
	if (how == PMS_DECODED_MALFORMED || !type->decode)
		return how;
	type->decode(&body, r);
	return body.bad ? PMS_DECODED_MALFORMED : how;
}

/* SPDX-License-Identifier: MIT */
#include "perfdata/describe.h"

#include <stdlib.h>

#include "base/array.h"

enum {
	ATTR_MIN = 64,	   /* the size of the attribute in its first version */
	EVENTS_MAX = 65536 /* perf fails far earlier, at the limit of open files */
};

void pms_description_init(struct pms_perfdata_description *d)
{
	*d = (struct pms_perfdata_description){ 0 };
	struct pms_perfdata_info *info = &d->info;
	info->hostname = info->os_release = info->perf_version = info->arch = "";
	info->cpu_description = info->cpuid = "";
}

void pms_description_release(struct pms_perfdata_description *d)
{
	free(d->events);
	free(d->build_ids);
	free(d->id_index);
	pms_numbers_release(&d->event_of_id);
	pms_arena_release(&d->arena);
}

static bool spend(struct pms_perfdata_description *d, size_t count, size_t size)
{
	size_t bytes, all;
	if (__builtin_mul_overflow(count, size, &bytes) ||
	    __builtin_add_overflow(bytes, d->used, &all) ||
	    all > PMS_MOST_DESCRIPTION_BYTES + 2 * d->file_size)
		return false;
	d->used = all;
	return true;
}

void *pms_description_keep(struct pms_perfdata_description *d, size_t count, size_t size)
{
	return spend(d, count, size) ? pms_arena_alloc(&d->arena, count, size) : NULL;
}

void *pms_description_room(struct pms_perfdata_description *d, void *array, size_t count,
			   size_t size)
{
	return spend(d, 1, size) ? pms_array_room(array, count, size) : NULL;
}

const char *pms_description_text(struct pms_perfdata_description *d, const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = pms_description_keep(d, size, 1);
	return copy ? memcpy(copy, text, size) : NULL;
}

static size_t bits(uint64_t value)
{
	return (size_t)__builtin_popcountll(value);
}

int pms_sample_id_at(uint64_t sample_type)
{
	if (sample_type & PMS_PERFDATA_IDENTIFIER)
		return 0;
	if (!(sample_type & PMS_PERFDATA_ID))
		return -1;
	return (int)bits(sample_type & (PMS_PERFDATA_IP | PMS_PERFDATA_TID | PMS_PERFDATA_TIME |
					PMS_PERFDATA_ADDR));
}

int pms_trailer_id_at(uint64_t sample_type)
{
	if (sample_type & PMS_PERFDATA_IDENTIFIER)
		return 1;
	if (!(sample_type & PMS_PERFDATA_ID))
		return -1;
	return 1 + (int)bits(sample_type & (PMS_PERFDATA_STREAM_ID | PMS_PERFDATA_CPU));
}

int pms_description_event_of(const struct pms_perfdata_description *d, uint64_t id)
{
	uint32_t event = pms_numbers_get(&d->event_of_id, id);
	return event == PMS_NO_ROW ? -1 : (int)event;
}

static bool id_add(struct pms_perfdata_description *d, uint64_t id, size_t event)
{
	size_t before = d->event_of_id.n_slots;
	return !pms_numbers_set(&d->event_of_id, id, (uint32_t)event) &&
	       spend(d, d->event_of_id.n_slots - before, sizeof(*d->event_of_id.slots));
}

/* Read the kernel's attribute. It grew over the years: fields that an old file lacks are zero. */
static void attr_read(struct cursor c, struct pms_perfdata_event *event)
{
	event->type = take_u32(&c);
	take_u32(&c); /* the attribute's own size */
	event->config = take_u64(&c);
	event->sample_period = take_u64(&c);
	event->sample_type = take_u64(&c);
	event->read_format = take_u64(&c);
	event->flags = take_u64(&c);
	take_u64(&c); /* wakeup, breakpoint type */
	event->config1 = take_u64(&c);
	event->config2 = take_u64(&c);
	event->branch_sample_type = take_u64(&c);
	event->sample_regs_user = take_u64(&c);
	event->sample_stack_user = take_u32(&c);
	event->clock = take_s32(&c);
	event->sample_regs_intr = take_u64(&c);
	take_u64(&c); /* watermark, stack depth */
	take_u64(&c); /* bytes of traces in samples */
	take_u64(&c); /* data of signals */
	event->config3 = take_u64(&c);
}

static void layout_note(struct pms_perfdata_description *d, uint64_t sample_type)
{
	uint64_t first = d->events[0].sample_type;
	d->mixed_types |= sample_type != first;
	d->mixed_samples |= pms_sample_id_at(sample_type) != pms_sample_id_at(first);
	d->mixed_trailers |= pms_trailer_id_at(sample_type) != pms_trailer_id_at(first);
}

int pms_description_event(struct pms_perfdata_description *d, struct cursor attr, struct cursor ids)
{
	size_t index = d->info.n_events, n_ids = ids.left / 8;
	if (attr.bad || ids.bad || attr.left < ATTR_MIN || ids.left % 8 || index >= EVENTS_MAX)
		return -PMS_EPARSE;
	uint64_t *copy = pms_description_keep(d, n_ids, sizeof(*copy));
	void *room = copy ? pms_description_room(d, d->events, index, sizeof(*d->events)) : NULL;
	if (!room)
		return -PMS_ENOMEM;
	d->info.events = d->events = room;
	struct pms_perfdata_event *event = &d->events[index];
	*event = (struct pms_perfdata_event){ .name = "", .ids = copy, .n_ids = n_ids };
	attr_read(attr, event);
	for (size_t i = 0; i < n_ids; i++) {
		copy[i] = take_u64(&ids);
		if (!id_add(d, copy[i], index))
			return -PMS_ENOMEM;
	}
	d->info.n_events++;
	layout_note(d, event->sample_type);
	return 0;
}

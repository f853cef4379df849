/* SPDX-License-Identifier: MIT */
#include "perfdata/spans.h"

#include <stdlib.h>

#include "base/array.h"

/* 112 MiB of rows. Each AUX record of a real file announces a good part of a buffer. */
enum { SPANS_MAX = 1 << 20 };

/* In a stream the records about a buffer come shortly before it: older ones can go. */
enum { STREAM_SPANS = 4096 };

static int list_add(struct pms_span_list *list, size_t count, const struct pms_span *span)
{
	void *room = pms_array_room(list->rows, count, sizeof(*span));
	if (!room)
		return -PMS_ENOMEM;
	list->rows = room;
	list->rows[count] = *span;
	list->sorted = false;
	return 0;
}

int pms_spans_add(struct pms_spans *spans, const struct pms_perfdata_record *r)
{
	struct pms_span span = { .owner = -1,
				 .start = r->aux.offset,
				 .flags = r->aux.flags,
				 .time = r->id.time,
				 .have = r->id.have &
					 (PMS_PERFDATA_TID | PMS_PERFDATA_TIME | PMS_PERFDATA_CPU),
				 .cpu = r->id.cpu,
				 .pid = r->id.pid,
				 .tid = r->id.tid };
	if (!r->aux.size || spans->count >= SPANS_MAX ||
	    __builtin_add_overflow(r->aux.offset, r->aux.size, &span.end))
		return 0;
	if (spans->stream && spans->count == STREAM_SPANS)
		spans->count = 0;
	span.owner = r->id.have & PMS_PERFDATA_CPU ? (int64_t)r->id.cpu : -1;
	int rc = list_add(&spans->by_cpu, spans->count, &span);
	span.owner = r->id.have & PMS_PERFDATA_TID ? r->id.tid : -1;
	if (!rc)
		rc = list_add(&spans->by_tid, spans->count, &span);
	if (!rc)
		spans->count++;
	return rc;
}

static int order(const void *a, const void *b)
{
	const struct pms_span *x = a, *y = b;
	if (x->owner != y->owner)
		return x->owner < y->owner ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

static const struct pms_span *sorted(struct pms_span_list *list, size_t count)
{
	if (count && !list->sorted)
		qsort(list->rows, count, sizeof(*list->rows), order);
	list->sorted = true;
	return list->rows;
}

/* The number of spans that begin at or before an offset of a buffer, or belong to one before it. */
static size_t upto(const struct pms_span *rows, size_t count, const struct pms_span *place)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (order(&rows[middle], place) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct pms_perfdata_id id_of(const struct pms_span *span)
{
	return (struct pms_perfdata_id){ .have = span->have,
					 .pid = span->pid,
					 .tid = span->tid,
					 .time = span->time,
					 .cpu = span->cpu };
}

void pms_spans_cut(struct pms_spans *spans, struct pms_perfdata_auxtrace *piece)
{
	bool thread = piece->cpu < 0;
	struct pms_span place = { .owner = thread ? piece->tid : piece->cpu,
				  .start = piece->offset };
	const struct pms_span *rows =
		sorted(thread ? &spans->by_tid : &spans->by_cpu, spans->count);
	uint64_t room = piece->size;
	size_t next = upto(rows, spans->count, &place);
	const struct pms_span *in =
		next && rows[next - 1].owner == place.owner ? &rows[next - 1] : NULL;
	piece->described = in && in->end > piece->offset;
	piece->flags = piece->described ? in->flags : 0;
	piece->aux_id = piece->described ? id_of(in) : (struct pms_perfdata_id){ 0 };
	if (piece->described && in->end - piece->offset < room)
		room = in->end - piece->offset;
	if (next < spans->count && rows[next].owner == place.owner &&
	    rows[next].start - piece->offset < room)
		room = rows[next].start - piece->offset;
	piece->ends_aux = piece->described && in->end - piece->offset == room;
	piece->size = (size_t)room;
}

void pms_spans_release(struct pms_spans *spans)
{
	free(spans->by_cpu.rows);
	free(spans->by_tid.rows);
	*spans = (struct pms_spans){ 0 };
}

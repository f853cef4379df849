/* SPDX-License-Identifier: MIT */
#include "perfdata/spans.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/limits.h"

/* In a stream, records about a buffer come shortly before it: older ones may be dropped. */
enum { STREAM_SPANS = 4096 };

/* The place of a span: its buffer's owner, and its offset there. */
struct place {
	int64_t owner;
	uint64_t start;
};

static struct place place_of(const struct pms_span *span, enum pms_span_order by)
{
	bool known = span->have & (by == PMS_SPANS_BY_CPU ? PMS_PERFDATA_CPU : PMS_PERFDATA_TID);
	int64_t owner = by == PMS_SPANS_BY_CPU ? (int64_t)span->cpu : span->tid;
	return (struct place){ known ? owner : -1, span->start };
}

static int compare(struct place x, struct place y)
{
	if (x.owner != y.owner)
		return x.owner < y.owner ? -1 : 1;
	return x.start < y.start ? -1 : x.start > y.start;
}

/* Returns how many spans begin at or before @place in an order. */
static size_t upto(const struct pms_spans *spans, enum pms_span_order by, struct place place)
{
	size_t low = 0, high = spans->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct pms_span *row = &spans->rows[spans->order[by][middle]];
		if (compare(place_of(row, by), place) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int by_cpu(const void *a, const void *b, void *rows)
{
	const struct pms_span *all = rows;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	int order =
		compare(place_of(&all[i], PMS_SPANS_BY_CPU), place_of(&all[k], PMS_SPANS_BY_CPU));
	return order ? order : i < k ? -1 : i > k;
}

static int by_tid(const void *a, const void *b, void *rows)
{
	const struct pms_span *all = rows;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	int order =
		compare(place_of(&all[i], PMS_SPANS_BY_TID), place_of(&all[k], PMS_SPANS_BY_TID));
	return order ? order : i < k ? -1 : i > k;
}

static void sort(struct pms_spans *spans)
{
	if (spans->count && !spans->sorted) {
		qsort_r(spans->order[PMS_SPANS_BY_CPU], spans->count, sizeof(uint32_t), by_cpu,
			spans->rows);
		qsort_r(spans->order[PMS_SPANS_BY_TID], spans->count, sizeof(uint32_t), by_tid,
			spans->rows);
	}
	spans->sorted = true;
}

static int room(struct pms_spans *spans)
{
	struct pms_span *rows = pms_array_room(spans->rows, spans->count, sizeof(*rows));
	if (!rows)
		return -PMS_ENOMEM;
	spans->rows = rows;
	for (unsigned by = 0; by < PMS_SPAN_ORDERS; by++) {
		uint32_t *order =
			pms_array_room(spans->order[by], spans->count, sizeof(*spans->order[by]));
		if (!order)
			return -PMS_ENOMEM;
		spans->order[by] = order;
	}
	return 0;
}

/* Insert the last span into an order at once: a stream is asked after every span. */
static void insert(struct pms_spans *spans, enum pms_span_order by)
{
	uint32_t *order = spans->order[by], last = (uint32_t)spans->count;
	size_t at = upto(spans, by, place_of(&spans->rows[last], by));
	memmove(order + at + 1, order + at, (spans->count - at) * sizeof(*order));
	order[at] = last;
}

static uint64_t most(const struct pms_spans *spans)
{
	return PMS_MOST_SPANS + spans->file_size / PMS_SPAN_FILE_BYTES;
}

int pms_spans_add(struct pms_spans *spans, const struct pms_perfdata_record *r)
{
	struct pms_span span = { .start = r->aux.offset,
				 .flags = r->aux.flags,
				 .time = r->id.time,
				 .have = r->id.have &
					 (PMS_PERFDATA_TID | PMS_PERFDATA_TIME | PMS_PERFDATA_CPU),
				 .cpu = r->id.cpu,
				 .pid = r->id.pid,
				 .tid = r->id.tid };
	if (!r->aux.size || spans->count >= most(spans) ||
	    __builtin_add_overflow(r->aux.offset, r->aux.size, &span.end))
		return 0;
	if (spans->stream && spans->count == STREAM_SPANS)
		spans->count = 0;
	if (room(spans))
		return -PMS_ENOMEM;
	spans->rows[spans->count] = span;
	for (unsigned by = 0; by < PMS_SPAN_ORDERS; by++) {
		if (spans->stream)
			insert(spans, by);
		else
			spans->order[by][spans->count] = (uint32_t)spans->count;
	}
	spans->sorted = spans->stream;
	spans->count++;
	return 0;
}

static struct pms_perfdata_id id_of(const struct pms_span *span)
{
	return (struct pms_perfdata_id){ .have = span->have,
					 .pid = span->pid,
					 .tid = span->tid,
					 .time = span->time,
					 .cpu = span->cpu };
}

/* Returns the @i-th span of an order if it has this owner, else NULL. */
static const struct pms_span *span_of(const struct pms_spans *spans, enum pms_span_order by,
				      size_t i, int64_t owner)
{
	const struct pms_span *span = i < spans->count ? &spans->rows[spans->order[by][i]] : NULL;
	return span && place_of(span, by).owner == owner ? span : NULL;
}

void pms_spans_cut(struct pms_spans *spans, struct pms_perfdata_auxtrace *piece)
{
	enum pms_span_order by = piece->cpu < 0 ? PMS_SPANS_BY_TID : PMS_SPANS_BY_CPU;
	struct place place = { piece->cpu < 0 ? piece->tid : piece->cpu, piece->offset };
	uint64_t size = piece->size;
	sort(spans);
	size_t next = upto(spans, by, place);
	const struct pms_span *in = next ? span_of(spans, by, next - 1, place.owner) : NULL;
	const struct pms_span *then = span_of(spans, by, next, place.owner);
	piece->described = in && in->end > piece->offset;
	piece->flags = piece->described ? in->flags : 0;
	piece->aux_id = piece->described ? id_of(in) : (struct pms_perfdata_id){ 0 };
	if (piece->described && in->end - piece->offset < size)
		size = in->end - piece->offset;
	if (then && then->start - piece->offset < size)
		size = then->start - piece->offset;
	piece->ends_aux = piece->described && in->end - piece->offset == size;
	piece->size = (size_t)size;
}

void pms_spans_release(struct pms_spans *spans)
{
	free(spans->rows);
	for (unsigned by = 0; by < PMS_SPAN_ORDERS; by++)
		free(spans->order[by]);
	*spans = (struct pms_spans){ 0 };
}

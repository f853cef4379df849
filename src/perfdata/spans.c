/* SPDX-License-Identifier: MIT */
#include "perfdata/spans.h"

#include <stdlib.h>

#include "base/array.h"

/* 40 MiB of rows. Each AUX record of a real file announces a good part of a buffer. */
enum { SPANS_MAX = 1 << 20 };

/* In a stream the records about a buffer come shortly before it: older ones can go. */
enum { STREAM_SPANS = 4096 };

int pms_spans_add(struct pms_spans *spans, const struct pms_perfdata_record *r)
{
	struct pms_span span = { r->aux.offset, 0, r->aux.flags, -1, -1 };
	if (!r->aux.size || spans->count >= SPANS_MAX ||
	    __builtin_add_overflow(r->aux.offset, r->aux.size, &span.end))
		return 0;
	if (spans->stream && spans->count == STREAM_SPANS)
		spans->count = 0;
	if (r->id.have & PMS_PERFDATA_CPU)
		span.cpu = r->id.cpu;
	if (r->id.have & PMS_PERFDATA_TID)
		span.tid = r->id.tid;
	void *room = pms_array_room(spans->rows, spans->count, sizeof(span));
	if (!room)
		return -PMS_ENOMEM;
	spans->rows = room;
	spans->rows[spans->count++] = span;
	spans->sorted = false;
	return 0;
}

static int order(int64_t key_a, uint64_t a, int64_t key_b, uint64_t b)
{
	if (key_a != key_b)
		return key_a < key_b ? -1 : 1;
	return a < b ? -1 : a > b;
}

static int by_cpu(const void *a, const void *b)
{
	const struct pms_span *x = a, *y = b;
	return order(x->cpu, x->start, y->cpu, y->start);
}

static int by_tid(const void *a, const void *b)
{
	const struct pms_span *x = a, *y = b;
	return order(x->tid, x->start, y->tid, y->start);
}

static void sort(struct pms_spans *spans, bool tid)
{
	if (spans->sorted && spans->by_tid == tid)
		return;
	spans->by_tid = tid;
	spans->sorted = true;
	if (spans->count)
		qsort(spans->rows, spans->count, sizeof(*spans->rows), tid ? by_tid : by_cpu);
}

static int64_t key_of(const struct pms_spans *spans, size_t i)
{
	return spans->by_tid ? spans->rows[i].tid : spans->rows[i].cpu;
}

/* The number of spans that begin at or before an offset of a buffer, or belong to one before it. */
static size_t upto(const struct pms_spans *spans, int64_t key, uint64_t offset)
{
	size_t low = 0, high = spans->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (order(key_of(spans, middle), spans->rows[middle].start, key, offset) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void pms_spans_cut(struct pms_spans *spans, struct pms_perfdata_auxtrace *piece)
{
	bool tid = piece->cpu < 0;
	int64_t key = tid ? piece->tid : piece->cpu;
	uint64_t room = piece->size;
	sort(spans, tid);
	size_t next = upto(spans, key, piece->offset);
	const struct pms_span *in =
		next && key_of(spans, next - 1) == key ? &spans->rows[next - 1] : NULL;
	piece->described = in && in->end > piece->offset;
	piece->flags = piece->described ? in->flags : 0;
	if (piece->described && in->end - piece->offset < room)
		room = in->end - piece->offset;
	if (next < spans->count && key_of(spans, next) == key &&
	    spans->rows[next].start - piece->offset < room)
		room = spans->rows[next].start - piece->offset;
	piece->ends_aux = piece->described && in->end - piece->offset == room;
	piece->size = (size_t)room;
}

void pms_spans_release(struct pms_spans *spans)
{
	free(spans->rows);
	*spans = (struct pms_spans){ 0 };
}

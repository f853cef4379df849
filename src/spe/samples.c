/* SPDX-License-Identifier: MIT */
/* A file of samples: gone through once for its history, then again for its records. */
#include "spe/samples.h"
#include "base/array.h"
#include "base/status.h"
#include "spe/input.h"

#include <stdlib.h>

enum { PROGRESS_STEP = 1 << 20 };

static int progress(struct pms_spe_samples *s, uint64_t done, uint64_t total, struct pms_error *err)
{
	if (!s->options.progress || done - s->reported < PROGRESS_STEP)
		return 0;
	s->reported = done;
	if (s->options.progress(s->options.context, done, total))
		return pms_fail(err, PMS_EIO, "stopped");
	return 0;
}

/* Note whether traces are of several streams. */
static void meet_trace(struct pms_spe_samples *s, const struct pms_perfdata_auxtrace *trace)
{
	if (!s->n_traces++)
		s->first = *trace;
	s->several |= trace->cpu != s->first.cpu || trace->tid != s->first.tid ||
		      trace->idx != s->first.idx;
}

/* The first time through: everything but the traces. What is damaged is met again when they are
 * read; what the system refused need not be. */
static int read_records(struct pms_spe_samples *s, struct pms_error *err)
{
	const struct pms_perfdata_info *info = pms_perfdata_info(s->perfdata);
	struct pms_perfdata_record record;
	struct pms_error why = { 0 };
	int got, status = 0;
	while (!status && (got = pms_perfdata_next(s->perfdata, &record, &why)) > 0) {
		status = pms_history_add(&s->history, &record);
		if (!status && record.type == PMS_PERFDATA_SAMPLE)
			status = pms_samples_population(s, info, &record);
		if (record.type == PMS_PERFDATA_AUXTRACE)
			meet_trace(s, &record.auxtrace);
	}
	if (status)
		return pms_no_memory(err);
	if (got != -PMS_ENOMEM && got != -PMS_EIO)
		return 0;
	if (err && !err->status)
		*err = why;
	return got;
}

static int read_history(struct pms_spe_samples *s, struct pms_error *err)
{
	const struct pms_perfdata_info *info = pms_perfdata_info(s->perfdata);
	pms_perfdata_skip_traces(s->perfdata, 1);
	int status = read_records(s, err);
	if (status)
		return status;
	status = pms_samples_pmus(s, info);
	if (!status)
		status = pms_history_settle(&s->history, info);
	if (!status)
		status = pms_samples_cores(s, info);
	if (status)
		return pms_no_memory(err);
	pms_perfdata_skip_traces(s->perfdata, 0);
	return pms_perfdata_rewind(s->perfdata, err);
}

/* @status: of opening the file */
static int begin(struct pms_spe_samples *s, int status, struct pms_spe_samples **out,
		 struct pms_error *err)
{
	if (!status) {
		s->input = pms_spe_file_input(s->file);
		s->perfdata = pms_spe_file_perfdata(s->file);
	}
	if (!status && s->perfdata)
		status = read_history(s, err);
	if (status)
		pms_spe_samples_close(s);
	*out = status ? NULL : s;
	return status;
}

static struct pms_spe_samples *samples_new(const struct pms_spe_samples_options *options)
{
	struct pms_spe_samples *s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->decoder = pms_spe_decoder_new(0);
	if (!s->decoder) {
		free(s);
		return NULL;
	}
	if (options)
		s->options = *options;
	return s;
}

int pms_spe_samples_open(const char *path, const struct pms_spe_samples_options *options,
			 struct pms_spe_samples **out, struct pms_error *err)
{
	struct pms_spe_samples *s = samples_new(options);
	*out = NULL;
	if (!s)
		return pms_no_memory(err);
	return begin(s, pms_spe_file_open_twice(path, s->options.raw, &s->file, err), out, err);
}

int pms_spe_samples_open_bytes(const void *bytes, size_t size, const char *name,
			       const struct pms_spe_samples_options *options,
			       struct pms_spe_samples **out, struct pms_error *err)
{
	struct pms_spe_samples *s = samples_new(options);
	*out = NULL;
	if (!s)
		return pms_no_memory(err);
	return begin(s, pms_spe_file_open_bytes(bytes, size, name, s->options.raw, &s->file, err),
		     out, err);
}

uint64_t pms_samples_bytes(const struct pms_spe_samples *s)
{
	return s->perfdata ? pms_perfdata_size(s->perfdata) : pms_spe_file_bytes(s->file);
}

/* Room for the stream of the buffer. */
static int stream_room(struct pms_spe_samples *s)
{
	while (s->n_streams <= s->buffer.stream) {
		void *room = pms_array_room(s->streams, s->n_streams, sizeof(*s->streams));
		if (!room)
			return -PMS_ENOMEM;
		s->streams = room;
		s->streams[s->n_streams++] = (struct pms_samples_stream){ 0 };
	}
	return 0;
}

/* Let the decoder go on with another stream where that was left. */
static void turn_to(struct pms_spe_samples *s, size_t number)
{
	struct pms_spe_decoder *d = s->decoder;
	struct pms_samples_stream *from = &s->streams[s->stream], *to = &s->streams[number];
	if (from == to)
		return;
	from->cursor = d->reader.cursor;
	from->record = d->record;
	d->reader.cursor = to->cursor;
	d->record = to->record;
	s->stream = number;
}

static int is_others(const struct pms_spe_samples *s)
{
	return s->options.parts && s->buffer.stream % s->options.parts != s->options.part;
}

static int begin_buffer(struct pms_spe_samples *s, struct pms_error *err)
{
	const struct pms_spe_buffer *b = &s->buffer;
	if (stream_room(s))
		return pms_no_memory(err);
	struct pms_samples_stream *stream = &s->streams[b->stream];
	turn_to(s, b->stream);
	if (!stream->begun)
		pms_spe_reader_break(&s->decoder->reader, b->offset);
	else if (b->breaks)
		pms_spe_decoder_break(s->decoder, b->offset);
	stream->begun = 1;
	return 1;
}

/* One damaged record ends the reading, but does not cost the records before it. */
static int end_early(struct pms_spe_samples *s, int status, const struct pms_error *found,
		     struct pms_error *err)
{
	if (status == -PMS_EPARSE && pms_spe_decoder_summary(s->decoder)->records) {
		s->damage = *found;
		return 0;
	}
	if (err && !err->status)
		*err = *found;
	return status;
}

/* The next buffer that is to be decoded. Returns 1, 0 at the end, or -status. */
static int next_buffer(struct pms_spe_samples *s, struct pms_error *err)
{
	struct pms_error found = { 0 };
	int status;
	s->used = 0;
	s->buffer.length = 0;
	if (s->damage.status)
		return 0;
	do {
		s->buffer.length = 0;
		status = s->input.next(s->input.context, &s->buffer, &found);
	} while (status > 0 && is_others(s));
	return status > 0 ? begin_buffer(s, err) : end_early(s, status, &found, err);
}

static void end_streams(struct pms_spe_samples *s)
{
	for (size_t i = 0; i < s->n_streams; i++) {
		turn_to(s, i);
		pms_spe_decode_end(s->decoder);
	}
}

void pms_samples_decode(struct pms_spe_samples *s, struct pms_samples_decoded *to)
{
	size_t used;
	to->records.count = 0;
	to->err = (struct pms_error){ 0 };
	to->status = s->used < s->buffer.length ? 1 : next_buffer(s, &to->err);
	if (to->status <= 0) {
		end_streams(s);
		return;
	}
	const struct pms_spe_buffer *b = &s->buffer;
	pms_spe_decode(s->decoder, b->bytes + s->used, b->length - s->used, &used, &to->records);
	s->used += used;
	to->buffer = *b;
	to->done = b->offset + s->used;
	if (!s->perfdata)
		return;
	to->piece = *b->piece;
	to->buffer.piece = &to->piece;
	to->time_conv = pms_perfdata_info(s->perfdata)->time_conv;
	/* The reader stands behind the piece. */
	to->done = pms_perfdata_position(s->perfdata) - (b->length - s->used);
}

/* Tell the batch which core its records are of. */
static void put_core(struct pms_spe_samples *s)
{
	const struct pms_spe_buffer *b = &s->decoded->buffer;
	s->batch.stream = b->stream;
	s->batch.cpu = b->cpu;
	s->batch.midr = pms_samples_midr(s, b->cpu);
	s->batch.encoding = s->options.encoding != PMS_SPE_ENCODING_UNKNOWN
				    ? s->options.encoding
				    : pms_spe_encoding_of_midr(s->batch.midr);
}

int pms_spe_samples_next(struct pms_spe_samples *s, const struct pms_spe_samples_batch **batch,
			 struct pms_error *err)
{
	if (!s->begun)
		pms_samples_ahead_begin(s);
	s->begun = 1;
	do {
		if (s->ahead)
			s->decoded = pms_samples_ahead_next(s->ahead);
		else
			pms_samples_decode(s, s->decoded = &s->own);
		int status = s->decoded->status;
		if (status > 0)
			status = progress(s, s->decoded->done,
					  s->perfdata ? pms_perfdata_size(s->perfdata) : 0, err);
		else if (status && err && !err->status)
			*err = s->decoded->err;
		if (status || !s->decoded->status)
			return status;
	} while (!s->decoded->records.count);
	put_core(s);
	s->batch.records = &s->decoded->records;
	*batch = &s->batch;
	return pms_samples_attribute(s) ? pms_no_memory(err) : 1;
}

const struct pms_spe_thread *pms_spe_samples_thread(const struct pms_spe_samples *samples,
						    uint32_t thread)
{
	const struct pms_spe_history *h = &samples->history;
	return thread < h->n_threads ? &h->threads[thread].thread : NULL;
}

int pms_spe_samples_place(const struct pms_spe_samples *samples, uint32_t space, uint64_t address,
			  struct pms_place *place)
{
	return pms_history_place(&samples->history, space, address, place);
}

size_t pms_spe_samples_n_objects(const struct pms_spe_samples *samples)
{
	return samples->history.objects.count;
}

const struct pms_object *pms_spe_samples_object(const struct pms_spe_samples *samples, size_t index)
{
	const struct pms_objects *o = &samples->history.objects;
	return index < o->count ? &o->rows[index].object : NULL;
}

void pms_spe_samples_close(struct pms_spe_samples *s)
{
	if (!s)
		return;
	pms_samples_ahead_end(s->ahead);
	pms_spe_decoder_free(s->decoder);
	free(s->streams);
	free(s->cores);
	pms_numbers_release(&s->pmus);
	pms_history_release(&s->history);
	pms_spe_file_close(s->file);
	free(s);
}

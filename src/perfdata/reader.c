/* SPDX-License-Identifier: MIT */
/* Read an open perf.data: one record after another, compressed ones too, and the data of
 * AUXTRACE records in pieces. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/status.h"
#include "perfdata/header.h"
#include "perfdata/inflate.h"
#include "perfdata/record.h"
#include "perfdata/spans.h"

enum { RECORD_HEADER = 8 };

/* Bytes after a record that belong to it but not to its size. */
struct trailing {
	uint64_t left;
	bool to_skip; /* 1: step over the bytes; 0: they are trace data */
};

struct pms_perfdata {
	struct pms_perfdata_source source;
	struct pms_perfdata_description description;
	struct pms_perfdata_stats stats;
	struct pms_inflate inflate;
	struct pms_spans spans;
	uint64_t data;		    /* where the records begin */
	uint64_t compressed_offset; /* of the compressed record being read */
	uint64_t inflated;	    /* records that came out of compressed ones */
	struct trailing trailing;
	struct pms_perfdata_record auxtrace; /* the record whose data is being given in pieces */
	uint8_t *auxtrace_bytes;	     /* that record's bytes */
	struct pms_perfdata_stats header_stats;
	uint64_t described; /* records whose description was read: a second reading skips them */
	bool scanning;	    /* read AUX records alone: see scan */
	bool scanned;
	bool skips_traces;
	char name[256];
};

static int open_again(const struct pms_perfdata *f, struct pms_perfdata **out,
		      struct pms_error *err);

/* A record's bytes, not yet decoded. */
struct frame {
	const uint8_t *bytes; /* NULL: no record */
	size_t size;
	uint64_t offset;
	bool inflated;
};

static uint32_t frame_type(const uint8_t *bytes)
{
	return (uint32_t)little(bytes, 4);
}

static size_t frame_size(const uint8_t *bytes)
{
	return (size_t)little(bytes + 6, 2);
}

static int size_bad(struct pms_error *err, uint64_t offset, const char *where, size_t size)
{
	return pms_fail_offset(err, PMS_EPARSE, offset,
			       "a record at offset %" PRIu64
			       "%s says to be %zu bytes long, less than "
			       "its header: nothing after it can be read",
			       offset, where, size);
}

/* Get the next record of the file itself. */
static int frame_from_source(struct pms_perfdata *f, struct frame *out, struct pms_error *err)
{
	const uint8_t *at;
	size_t got;
	*out = (struct frame){ .offset = f->source.offset };
	int rc = pms_source_peek(&f->source, RECORD_HEADER, &at, &got, err);
	if (rc || !got)
		return rc;
	size_t size = got < RECORD_HEADER ? RECORD_HEADER : frame_size(at);
	if (size < RECORD_HEADER)
		return size_bad(err, out->offset, "", size);
	rc = pms_source_peek(&f->source, size, &at, &got, err);
	if (rc)
		return rc;
	if (got < size) {
		pms_cut(&f->stats, out->offset,
			"the last record is not whole: %zu bytes are missing", size - got);
		return 0;
	}
	out->bytes = at;
	out->size = size;
	pms_source_step(&f->source, size);
	return 0;
}

/* Get the next decompressed record, if all of it is there. */
static int frame_from_inflate(struct pms_perfdata *f, struct frame *out, struct pms_error *err)
{
	struct pms_inflate *in = &f->inflate;
	*out = (struct frame){ .offset = f->compressed_offset, .inflated = true };
	if (in->have < RECORD_HEADER)
		return 0;
	const uint8_t *at = in->buffer + in->at;
	size_t size = frame_size(at);
	if (size < RECORD_HEADER)
		return size_bad(err, out->offset, " (compressed)", size);
	if (in->have < size)
		return 0;
	out->bytes = at;
	out->size = size;
	in->at += size;
	in->have -= size;
	f->inflated++;
	return 0;
}

static bool is_compressed(uint32_t type)
{
	return type == PMS_PERFDATA_COMPRESSED || type == PMS_PERFDATA_COMPRESSED2;
}

/* Begin to decompress a record: its bytes are checked here and decompressed when a record is
 * asked for. */
static int compressed_begin(struct pms_perfdata *f, const struct frame *frame,
			    struct pms_error *err)
{
	struct cursor c = { frame->bytes + RECORD_HEADER, frame->size - RECORD_HEADER, false };
	uint64_t size =
		frame_type(frame->bytes) == PMS_PERFDATA_COMPRESSED2 ? take_u64(&c) : c.left;
	const uint8_t *bytes = take_bytes(&c, size);
	if (!bytes)
		return pms_fail_offset(err, PMS_EPARSE, frame->offset,
				       "a compressed record at offset %" PRIu64
				       " says to have more bytes than it has",
				       frame->offset);
	f->compressed_offset = frame->offset;
	f->description.info.compressed = 1;
	f->stats.compressed_bytes += size;
	int rc = pms_inflate_feed(&f->inflate, bytes, (size_t)size, err);
	if (rc && err)
		err->offset = frame->offset;
	return rc;
}

/* Refuse more bytes or records than any recording compresses into so few: a small file could
 * otherwise keep the reader busy for ever. */
static int inflation_check(const struct pms_perfdata *f, struct pms_error *err)
{
	uint64_t packed = f->stats.compressed_bytes;
	if (f->stats.decompressed_bytes / PMS_MOST_INFLATION > packed &&
	    f->stats.decompressed_bytes > PMS_FREE_INFLATED)
		return pms_fail_offset(err, PMS_EPARSE, f->compressed_offset,
				       "the compressed records at offset %" PRIu64
				       " become more than %d times as long",
				       f->compressed_offset, PMS_MOST_INFLATION);
	if (f->inflated / PMS_MOST_INFLATED_RECORDS > packed &&
	    f->inflated > PMS_FREE_INFLATED_RECORDS)
		return pms_fail_offset(err, PMS_EPARSE, f->compressed_offset,
				       "the compressed records at offset %" PRIu64
				       " hold more than %d records a byte",
				       f->compressed_offset, PMS_MOST_INFLATED_RECORDS);
	return 0;
}

static int inflate_more(struct pms_perfdata *f, size_t *grown, struct pms_error *err)
{
	bool first = err && err->status == PMS_OK;
	int rc = pms_inflate_more(&f->inflate, grown, err);
	if (rc && first)
		err->offset = f->compressed_offset;
	f->stats.decompressed_bytes += *grown;
	return rc ? rc : inflation_check(f, err);
}

/* Get the next record, from the file or out of a compressed record. */
static int frame_next(struct pms_perfdata *f, struct frame *out, struct pms_error *err)
{
	for (;;) {
		int rc = frame_from_inflate(f, out, err);
		if (rc || out->bytes)
			return rc;
		size_t grown;
		rc = inflate_more(f, &grown, err);
		if (rc)
			return rc;
		if (grown)
			continue;
		rc = frame_from_source(f, out, err);
		if (rc)
			return rc;
		if (!out->bytes && f->inflate.have)
			pms_cut(&f->stats, out->offset,
				"the last compressed record ends inside of a record");
		if (!out->bytes || !is_compressed(frame_type(out->bytes)))
			return 0;
		rc = compressed_begin(f, out, err);
		if (rc)
			return rc;
	}
}

/* Expect @size bytes after the record. A compressed record cannot have such bytes: it is
 * damaged. */
static int trailing_begin(struct pms_perfdata *f, const struct frame *frame, uint64_t size,
			  bool to_skip, struct pms_error *err)
{
	if (frame->inflated)
		return pms_fail_offset(
			err, PMS_EPARSE, frame->offset,
			"a compressed record at offset %" PRIu64 " has %s inside, which cannot be",
			frame->offset, pms_perfdata_type_name(frame_type(frame->bytes)));
	f->trailing = (struct trailing){ size, to_skip };
	return 0;
}

/* Step over bytes; fewer are there when the file is cut short. */
static int skip(struct pms_perfdata *f, uint64_t count, struct pms_error *err)
{
	uint64_t skipped;
	int rc = count ? pms_source_skip(&f->source, count, &skipped, err) : 0;
	if (count && !rc && skipped < count)
		pms_cut(&f->stats, f->source.offset,
			"%" PRIu64 " bytes after the last record are missing", count - skipped);
	return rc;
}

/* Read all AUX records of a file before its first buffer is given: they may stand after the
 * buffer that they describe. In a stream, buffers know only the AUX records before them. */
static int scan(struct pms_perfdata *f, struct pms_error *err)
{
	struct pms_perfdata *other = NULL;
	struct pms_perfdata_record record;
	f->scanned = true;
	if (pms_source_streams(&f->source) || f->scanning)
		return 0;
	int rc = open_again(f, &other, err);
	if (rc)
		return rc;
	assert(other);
	other->scanning = true;
	/* Damage will be found again by the actual reading; what the system refused may not be. */
	struct pms_error why = { 0 };
	do
		rc = pms_perfdata_next(other, &record, &why);
	while (rc == 1);
	int refused = rc == -PMS_ENOMEM || rc == -PMS_EIO;
	f->spans = other->spans;
	other->spans = (struct pms_spans){ 0 };
	pms_perfdata_close(other);
	if (refused && err && !err->status)
		*err = why;
	return refused ? rc : 0;
}

static void traces_missing(struct pms_perfdata *f, uint64_t count)
{
	pms_cut(&f->stats, f->source.offset, "%" PRIu64 " bytes of a trace buffer are missing",
		count);
}

/* Step over all data of the AUXTRACE record, and give the record once. */
static int traces_skip(struct pms_perfdata *f, struct pms_perfdata_record *out,
		       struct pms_error *err)
{
	uint64_t left = f->trailing.left, skipped;
	int rc = pms_source_skip(&f->source, left, &skipped, err);
	f->trailing.left = 0;
	if (rc)
		return rc;
	f->stats.auxtrace_bytes += skipped;
	if (skipped < left)
		traces_missing(f, left - skipped);
	*out = f->auxtrace;
	out->auxtrace.left = 0;
	return 1;
}

/* Look at the bytes for a piece. A short rest is read with its surroundings, a long one is
 * mapped. */
static int traces_peek(struct pms_perfdata *f, const uint8_t **at, size_t *got,
		       struct pms_error *err)
{
	uint64_t left = f->trailing.left;
	int rc = left < PMS_SOURCE_WINDOW ? pms_source_peek(&f->source, (size_t)left, at, got, err)
					  : pms_source_peek_much(&f->source, at, got, err);
	if (!rc && *got > left)
		*got = (size_t)left;
	return rc;
}

/* Give one more piece of the AUXTRACE record's data. */
static int piece_next(struct pms_perfdata *f, struct pms_perfdata_record *out,
		      struct pms_error *err)
{
	struct pms_perfdata_auxtrace *piece = &f->auxtrace.auxtrace;
	uint64_t left = f->trailing.left, skipped;
	if (f->skips_traces)
		return traces_skip(f, out, err);
	piece->size = 0;
	int rc = left ? traces_peek(f, &piece->data, &piece->size, err) : 0;
	if (rc)
		return rc;
	if (left && !piece->size) {
		traces_missing(f, left);
		f->trailing.left = 0;
		return 0;
	}
	pms_spans_cut(&f->spans, piece);
	rc = pms_source_skip(&f->source, piece->size, &skipped, err);
	f->trailing.left = left - piece->size;
	f->stats.auxtrace_bytes += piece->size;
	piece->left = f->trailing.left;
	*out = f->auxtrace;
	piece->offset += piece->size; /* the next piece's offset; auxtrace_begin checked that it
					 cannot wrap */
	return rc ? rc : 1;
}

/* Keep the record for its pieces: the buffer drops it while they are read. */
static int auxtrace_keep(struct pms_perfdata *f, const struct pms_perfdata_record *record,
			 struct pms_error *err)
{
	uint8_t *bytes = realloc(f->auxtrace_bytes, record->size);
	if (!bytes)
		return pms_no_memory(err);
	f->auxtrace_bytes = memcpy(bytes, record->bytes, record->size);
	f->auxtrace = *record;
	f->auxtrace.bytes = bytes;
	f->auxtrace.auxtrace.data = (const uint8_t *)"";
	return 0;
}

static int auxtrace_begin(struct pms_perfdata *f, const struct frame *frame,
			  const struct pms_perfdata_record *record, struct pms_error *err)
{
	uint64_t size = record->auxtrace.left, end;
	if (__builtin_add_overflow(record->auxtrace.offset, size, &end))
		return pms_fail_offset(err, PMS_EPARSE, frame->offset,
				       "a trace buffer at offset %" PRIu64
				       " is longer than can be: %" PRIu64 " bytes",
				       frame->offset, size);
	int rc = f->scanned ? 0 : scan(f, err);
	if (!rc)
		rc = trailing_begin(f, frame, size, f->scanning, err);
	if (!rc && !f->scanning)
		rc = auxtrace_keep(f, record, err);
	f->stats.auxtrace_records++;
	return rc;
}

static void saturate(uint64_t *sum, uint64_t count)
{
	if (__builtin_add_overflow(*sum, count, sum))
		*sum = UINT64_MAX;
}

static void count_aux(struct pms_perfdata_stats *s, const struct pms_perfdata_aux *aux)
{
	s->aux_records++;
	saturate(&s->aux_bytes, aux->size);
	s->aux_truncated += !!(aux->flags & PMS_PERFDATA_AUX_TRUNCATED);
	s->aux_overwritten += !!(aux->flags & PMS_PERFDATA_AUX_OVERWRITE);
	s->aux_partial += !!(aux->flags & PMS_PERFDATA_AUX_PARTIAL);
	s->aux_collided += !!(aux->flags & PMS_PERFDATA_AUX_COLLISION);
}

static bool count_record(struct pms_perfdata_stats *s, const struct pms_perfdata_record *r,
			 enum pms_decoded how)
{
	s->records++;
	s->unknown += how == PMS_DECODED_UNKNOWN;
	s->unidentified += how == PMS_DECODED_UNIDENTIFIED;
	if (how == PMS_DECODED_MALFORMED) {
		if (!s->malformed++)
			s->malformed_at = r->offset;
		return false;
	}
	if (r->type == PMS_PERFDATA_AUX)
		count_aux(s, &r->aux);
	else if (r->type == PMS_PERFDATA_LOST)
		saturate(&s->lost_events, r->lost.count);
	else if (r->type == PMS_PERFDATA_LOST_SAMPLES)
		saturate(&s->lost_samples, r->lost.count);
	return true;
}

/* Count a malformed description for later readings too: a description is read only once. */
static void description_malformed(struct pms_perfdata *f, uint64_t offset)
{
	if (!f->stats.malformed++)
		f->stats.malformed_at = offset;
	if (!f->header_stats.malformed++)
		f->header_stats.malformed_at = offset;
}

static int describe(struct pms_perfdata *f, const struct pms_perfdata_record *r)
{
	if (pms_source_streams(&f->source))
		f->description.file_size = f->source.offset;
	return pms_description_record(&f->description, r->type, r->bytes, r->size);
}

/* Let a record act on the reader before the caller gets it: AUX spans, trace data, description. */
static int heed(struct pms_perfdata *f, const struct frame *frame,
		const struct pms_perfdata_record *r, struct pms_error *err)
{
	int rc = 0;
	if (r->type == PMS_PERFDATA_AUX && (f->scanning || pms_source_streams(&f->source)))
		rc = pms_spans_add(&f->spans, r);
	else if (r->type == PMS_PERFDATA_AUXTRACE)
		return auxtrace_begin(f, frame, r, err);
	else if (r->type == PMS_PERFDATA_HEADER_TRACING_DATA && frame->size >= 12)
		return trailing_begin(f, frame, (little(frame->bytes + 8, 4) + 7) & ~UINT64_C(7),
				      true, err);
	else if (f->stats.records > f->described)
		rc = describe(f, r);
	if (f->stats.records > f->described)
		f->described = f->stats.records;
	if (rc == -PMS_EPARSE)
		description_malformed(f, r->offset);
	if (rc == -PMS_ENOMEM)
		return pms_fail_offset(err, PMS_ENOMEM, r->offset,
				       "what the file says of itself takes too much memory");
	return 0;
}

/* Find the next record for the caller, past malformed ones and bytes to step over. */
static int record_next(struct pms_perfdata *f, struct pms_perfdata_record *out,
		       struct pms_error *err)
{
	for (;;) {
		struct frame frame;
		if (f->trailing.left && !f->trailing.to_skip)
			return piece_next(f, out, err);
		int rc = skip(f, f->trailing.left, err);
		f->trailing.left = 0;
		if (!rc)
			rc = frame_next(f, &frame, err);
		if (rc || !frame.bytes)
			return rc;
		*out = (struct pms_perfdata_record){ .type = frame_type(frame.bytes),
						     .misc = (uint16_t)little(frame.bytes + 4, 2),
						     .offset = frame.offset,
						     .bytes = frame.bytes,
						     .size = frame.size };
		if (!count_record(&f->stats, out, pms_record_decode(&f->description, out)))
			continue;
		rc = heed(f, &frame, out, err);
		if (rc)
			return rc;
		if (out->type == PMS_PERFDATA_AUXTRACE)
			return f->scanning ? 1 : piece_next(f, out, err);
		return 1;
	}
}

int pms_perfdata_next(struct pms_perfdata *file, struct pms_perfdata_record *out,
		      struct pms_error *err)
{
	bool first = err && err->status == PMS_OK;
	int rc = record_next(file, out, err);
	if (rc < 0 && first && !err->source[0])
		snprintf(err->source, sizeof(err->source), "%s", file->name);
	return rc;
}

static struct pms_perfdata *file_new(const char *name)
{
	struct pms_perfdata *f = calloc(1, sizeof(*f));
	if (f) {
		snprintf(f->name, sizeof(f->name), "%s",
			 strcmp(name, "-") != 0 ? name : "standard input");
		f->source.fd = -1;
	}
	return f;
}

/* Finish opening. @rc: result of opening the source */
static int begin(struct pms_perfdata *f, int rc, bool first, struct pms_perfdata **out,
		 struct pms_error *err)
{
	pms_description_init(&f->description);
	f->description.file_size = f->source.size;
	if (!rc)
		rc = pms_header_read(&f->source, &f->description, &f->stats, err);
	f->spans.stream = pms_source_streams(&f->source);
	f->spans.file_size = f->source.size;
	f->data = f->source.offset;
	f->header_stats = f->stats;
	if (!rc) {
		*out = f;
		return 0;
	}
	if (first)
		snprintf(err->source, sizeof(err->source), "%s", f->name);
	pms_perfdata_close(f);
	return rc;
}

int pms_perfdata_open(const char *path, struct pms_perfdata **out, struct pms_error *err)
{
	bool first = err && err->status == PMS_OK;
	struct pms_perfdata *f = file_new(path);
	if (!f)
		return pms_no_memory(err);
	return begin(f, pms_source_open(&f->source, path, err), first, out, err);
}

int pms_perfdata_open_fd(int fd, const char *name, const void *first_bytes, size_t n_first,
			 struct pms_perfdata **out, struct pms_error *err)
{
	bool first = err && err->status == PMS_OK;
	struct pms_perfdata *f = file_new(name);
	if (!f) {
		close(fd);
		return pms_no_memory(err);
	}
	return begin(f, pms_source_open_fd(&f->source, fd, first_bytes, n_first, err), first, out,
		     err);
}

int pms_perfdata_open_bytes(const void *bytes, size_t size, const char *name,
			    struct pms_perfdata **out, struct pms_error *err)
{
	bool first = err && err->status == PMS_OK;
	struct pms_perfdata *f = file_new(name);
	if (!f)
		return pms_no_memory(err);
	pms_source_bytes(&f->source, bytes, size);
	return begin(f, 0, first, out, err);
}

/* Open a second reader of the same bytes, from their start. */
static int open_again(const struct pms_perfdata *f, struct pms_perfdata **out,
		      struct pms_error *err)
{
	struct pms_perfdata *other = file_new(f->name);
	if (!other)
		return pms_no_memory(err);
	return begin(other, pms_source_again(&other->source, &f->source, err), false, out, err);
}

int pms_perfdata_rewind(struct pms_perfdata *file, struct pms_error *err)
{
	if (pms_source_streams(&file->source))
		return pms_fail(err, PMS_EINVAL, "a stream cannot be read twice");
	pms_source_seek(&file->source, file->data);
	file->stats = file->header_stats;
	file->trailing = (struct trailing){ 0 };
	file->inflated = 0;
	pms_inflate_release(&file->inflate);
	return 0;
}

const struct pms_perfdata_info *pms_perfdata_info(const struct pms_perfdata *file)
{
	return &file->description.info;
}

const struct pms_perfdata_stats *pms_perfdata_stats(const struct pms_perfdata *file)
{
	return &file->stats;
}

void pms_perfdata_skip_traces(struct pms_perfdata *file, int skip)
{
	file->skips_traces = skip != 0;
}

int pms_perfdata_event_of(const struct pms_perfdata *file, uint64_t id)
{
	return pms_description_event_of(&file->description, id);
}

const char *pms_perfdata_pmu_name(const struct pms_perfdata_info *info, uint32_t type)
{
	for (size_t i = 0; i < info->n_pmus; i++)
		if (info->pmus[i].type == type)
			return info->pmus[i].name;
	return NULL;
}

uint64_t pms_perfdata_size(const struct pms_perfdata *file)
{
	return file->source.size;
}

uint64_t pms_perfdata_position(const struct pms_perfdata *file)
{
	return file->source.offset;
}

void pms_perfdata_close(struct pms_perfdata *file)
{
	if (!file)
		return;
	pms_source_close(&file->source);
	pms_description_release(&file->description);
	pms_inflate_release(&file->inflate);
	pms_spans_release(&file->spans);
	free(file->auxtrace_bytes);
	free(file);
}

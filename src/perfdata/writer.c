/* SPDX-License-Identifier: MIT */
/* Write a perf.data: records as they come, trace data in pieces, at the end the sections and
 * header. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/array.h"
#include "base/status.h"
#include "perfdata/describe.h"
#include "perfdata/encode.h"

enum {
	FILE_HEADER = 104,
	PIPE_HEADER = 16,
	USER_TYPES = 64,
	COMPRESSED_RECORD = 60000, /* compressed bytes in one record: its length has 16 bits */
	INDEX_MAX = 1 << 24	   /* AUXTRACE records in the index */
};

/* Where an AUXTRACE record lies, and its size without the data. */
struct index_row {
	uint64_t offset, size;
};

struct pms_perfdata_writer {
	const struct pms_perfdata_info *info;
	FILE *stream;
	uint64_t offset;	/* bytes written */
	uint64_t data;		/* where the records begin */
	uint64_t trace_left;	/* bytes of the last AUXTRACE record still to come */
	struct pms_bytes bytes; /* a record being built, or the sections */
	struct pms_bytes plain; /* records to be compressed */
	ZSTD_CCtx *zstd;
	struct index_row *index;
	size_t n_index;
	char name[256];
};

static int write_bytes(struct pms_perfdata_writer *w, const void *bytes, size_t size,
		       struct pms_error *err)
{
	if (size && fwrite(bytes, 1, size, w->stream) != size)
		return pms_fail_at(err, PMS_EIO, w->name, 0, 0, "cannot be written: %s",
				   strerror(errno));
	w->offset += size;
	return 0;
}

static int refuse(struct pms_perfdata_writer *w, int rc, struct pms_error *err, const char *text)
{
	if (rc == -PMS_ENOMEM)
		return pms_fail_at(err, PMS_ENOMEM, w->name, 0, 0, "out of memory");
	return pms_fail_at(err, (enum pms_status) - rc, w->name, 0, 0, "%s", text);
}

/* Write the gathered bytes and empty the buffer. */
static int write_gathered(struct pms_perfdata_writer *w, struct pms_error *err)
{
	int rc = w->bytes.bad ? refuse(w, -PMS_ENOMEM, err, "")
			      : write_bytes(w, w->bytes.at, w->bytes.size, err);
	w->bytes.size = 0;
	return rc;
}

/* Write one record of compressed bytes. *done: the compressor is empty */
static int compress_step(struct pms_perfdata_writer *w, ZSTD_inBuffer *in, bool *done,
			 struct pms_error *err)
{
	size_t begin = pms_record_begin(&w->bytes, PMS_PERFDATA_COMPRESSED, 0),
	       header = w->bytes.size;
	pms_put_zeros(&w->bytes, COMPRESSED_RECORD);
	if (w->bytes.bad)
		return refuse(w, -PMS_ENOMEM, err, "");
	ZSTD_outBuffer out = { w->bytes.at + header, COMPRESSED_RECORD, 0 };
	size_t left = ZSTD_compressStream2(w->zstd, &out, in, ZSTD_e_flush);
	if (ZSTD_isError(left))
		return pms_fail_at(err, PMS_ENOMEM, w->name, 0, 0, "cannot be compressed: %s",
				   ZSTD_getErrorName(left));
	*done = !left;
	w->bytes.size = header + out.pos;
	pms_record_end(&w->bytes, begin);
	if (!out.pos)
		w->bytes.size = 0;
	return write_gathered(w, err);
}

/* Compress the waiting records into the file. */
static int compress(struct pms_perfdata_writer *w, struct pms_error *err)
{
	ZSTD_inBuffer in = { w->plain.at, w->plain.size, 0 };
	bool done = !w->plain.size;
	int rc = 0;
	while (!rc && !done)
		rc = compress_step(w, &in, &done, err);
	w->plain.size = 0;
	return rc;
}

static int index_add(struct pms_perfdata_writer *w, uint64_t size, struct pms_error *err)
{
	if (w->info->pipe || w->n_index >= INDEX_MAX)
		return 0;
	void *room = pms_array_room(w->index, w->n_index, sizeof(*w->index));
	if (!room)
		return refuse(w, -PMS_ENOMEM, err, "");
	w->index = room;
	w->index[w->n_index++] = (struct index_row){ w->offset, size };
	return 0;
}

/* Write the record at its first piece: its size covers all pieces. */
static int auxtrace_begin(struct pms_perfdata_writer *w, const struct pms_perfdata_record *r,
			  struct pms_error *err)
{
	uint64_t size;
	if (__builtin_add_overflow(r->auxtrace.size, r->auxtrace.left, &size) || size > INT64_MAX)
		return refuse(w, -PMS_EINVAL, err, "a trace buffer is longer than can be");
	int rc = pms_record_encode(w->info, r, &w->bytes);
	if (rc)
		return refuse(w, rc, err, "");
	rc = index_add(w, w->bytes.size, err);
	w->trace_left = size;
	return rc ? rc : write_gathered(w, err);
}

static int auxtrace_write(struct pms_perfdata_writer *w, const struct pms_perfdata_record *r,
			  struct pms_error *err)
{
	int rc = w->trace_left ? 0 : compress(w, err);
	if (!rc && !w->trace_left)
		rc = auxtrace_begin(w, r, err);
	if (rc)
		return rc;
	if (r->auxtrace.size > w->trace_left ||
	    r->auxtrace.left != w->trace_left - r->auxtrace.size)
		return refuse(w, -PMS_EINVAL, err,
			      "a piece of a trace buffer does not follow the one before it");
	w->trace_left -= r->auxtrace.size;
	return write_bytes(w, r->auxtrace.data, r->auxtrace.size, err);
}

/* Append a record to @into: from its bytes if it has them, else from its fields. */
static int record_put(struct pms_perfdata_writer *w, const struct pms_perfdata_record *r,
		      struct pms_bytes *into, struct pms_error *err)
{
	if (!r->bytes) {
		int rc = pms_record_encode(w->info, r, into);
		return rc ? refuse(w, rc, err,
				   "a record has no fields that can be written, or too "
				   "many for its length")
			  : 0;
	}
	if (r->size < 8)
		return refuse(w, -PMS_EINVAL, err, "a record is shorter than its header");
	size_t begin = pms_record_begin(into, r->type, r->misc);
	pms_put_bytes(into, r->bytes + 8, r->size - 8);
	int rc = pms_record_end(into, begin);
	return rc ? refuse(w, rc, err, "a record is too long") : 0;
}

int pms_perfdata_describes(uint32_t type)
{
	static const uint32_t types[] = {
		PMS_PERFDATA_HEADER_ATTR,     PMS_PERFDATA_HEADER_TRACING_DATA,
		PMS_PERFDATA_HEADER_BUILD_ID, PMS_PERFDATA_ID_INDEX,
		PMS_PERFDATA_AUXTRACE_INFO,   PMS_PERFDATA_THREAD_MAP,
		PMS_PERFDATA_CPU_MAP,	      PMS_PERFDATA_EVENT_UPDATE,
		PMS_PERFDATA_TIME_CONV,	      PMS_PERFDATA_HEADER_FEATURE,
		PMS_PERFDATA_COMPRESSED,      PMS_PERFDATA_COMPRESSED2,
	};
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (types[i] == type)
			return 1;
	return 0;
}

int pms_perfdata_write(struct pms_perfdata_writer *w, const struct pms_perfdata_record *r,
		       struct pms_error *err)
{
	if (pms_perfdata_describes(r->type) || r->event >= (int)w->info->n_events)
		return refuse(w, -PMS_EINVAL, err,
			      "a record is one that the description makes, or "
			      "of an event that there is not");
	if (r->type == PMS_PERFDATA_AUXTRACE)
		return auxtrace_write(w, r, err);
	if (w->trace_left)
		return refuse(w, -PMS_EINVAL, err, "a record comes inside of a trace buffer");
	if (w->info->compressed && r->type < USER_TYPES) {
		int rc = record_put(w, r, &w->plain, err);
		return !rc && w->plain.size > PMS_COMPRESSED_MAX / 2 ? compress(w, err) : rc;
	}
	int rc = compress(w, err);
	if (!rc)
		rc = record_put(w, r, &w->bytes, err);
	return rc ? rc : write_gathered(w, err);
}

static void put_section(struct pms_bytes *into, uint64_t offset, uint64_t size)
{
	pms_put(into, offset, 8);
	pms_put(into, size, 8);
}

/* Put the header with @data_size, which is 0 until the end. Ids follow it, then the events, then
 * the data. */
static void put_file_header(struct pms_perfdata_writer *w, uint64_t data_size,
			    const uint8_t bits[PMS_FEATURES / 8])
{
	uint64_t attrs = w->info->n_events * (uint64_t)(pms_attr_size(w->info) + 16);
	pms_put_bytes(&w->bytes, "PERFILE2", 8);
	pms_put(&w->bytes, FILE_HEADER, 8);
	pms_put(&w->bytes, pms_attr_size(w->info) + 16, 8);
	put_section(&w->bytes, w->data - attrs, attrs);
	put_section(&w->bytes, w->data, data_size);
	put_section(&w->bytes, 0, 0);
	pms_put_bytes(&w->bytes, bits, PMS_FEATURES / 8);
}

static int file_begin(struct pms_perfdata_writer *w, struct pms_error *err)
{
	static const uint8_t no_sections[PMS_FEATURES / 8];
	uint64_t ids = 0;
	for (size_t i = 0; i < w->info->n_events; i++)
		ids += 8 * w->info->events[i].n_ids;
	w->data = FILE_HEADER + ids + w->info->n_events * (uint64_t)(pms_attr_size(w->info) + 16);
	put_file_header(w, 0, no_sections);
	for (size_t i = 0; i < w->info->n_events; i++)
		for (size_t k = 0; k < w->info->events[i].n_ids; k++)
			pms_put(&w->bytes, w->info->events[i].ids[k], 8);
	uint64_t at = FILE_HEADER;
	for (size_t i = 0; i < w->info->n_events; i++) {
		pms_attr_encode(&w->info->events[i], pms_attr_size(w->info), &w->bytes);
		put_section(&w->bytes, at, 8 * w->info->events[i].n_ids);
		at += 8 * w->info->events[i].n_ids;
	}
	return write_gathered(w, err);
}

static int pipe_begin(struct pms_perfdata_writer *w, struct pms_error *err)
{
	pms_put_bytes(&w->bytes, "PERFILE2", 8);
	pms_put(&w->bytes, PIPE_HEADER, 8);
	return write_gathered(w, err);
}

/* Whether all events have their ids at one place: readers find an event by nothing else. */
static bool layouts_agree(const struct pms_perfdata_info *info)
{
	const struct pms_perfdata_event *e = info->events;
	for (size_t i = 1; i < info->n_events; i++)
		if (pms_sample_id_at(e[i].sample_type) < 0 ||
		    pms_sample_id_at(e[i].sample_type) != pms_sample_id_at(e[0].sample_type) ||
		    pms_trailer_id_at(e[i].sample_type) != pms_trailer_id_at(e[0].sample_type))
			return false;
	return info->n_events > 0;
}

static int stream_open(struct pms_perfdata_writer *w, const char *path, struct pms_error *err)
{
	if (!strcmp(path, "-")) {
		int fd = dup(STDOUT_FILENO);
		w->stream = fd >= 0 ? fdopen(fd, "wb") : NULL;
		if (!w->stream && fd >= 0)
			close(fd);
	} else {
		w->stream = fopen(path, "wb");
	}
	if (!w->stream)
		return pms_fail_at(err, PMS_EIO, w->name, 0, 0, "cannot be written: %s",
				   strerror(errno));
	return 0;
}

static void writer_free(struct pms_perfdata_writer *w)
{
	if (w->stream)
		fclose(w->stream);
	ZSTD_freeCCtx(w->zstd);
	pms_bytes_release(&w->bytes);
	pms_bytes_release(&w->plain);
	free(w->index);
	free(w);
}

/* Refuse what cannot be written before the file at @path is opened, and so replaced. */
static int begin(struct pms_perfdata_writer *w, const char *path, struct pms_error *err)
{
	if (!layouts_agree(w->info))
		return refuse(w, -PMS_EINVAL, err,
			      "there are no events, or their ids lie in different "
			      "places");
	if (!strcmp(path, "-") && !w->info->pipe)
		return refuse(w, -PMS_EINVAL, err,
			      "only the form for pipes goes to standard output");
	w->zstd = w->info->compressed ? ZSTD_createCCtx() : NULL;
	if (w->info->compressed && !w->zstd)
		return refuse(w, -PMS_ENOMEM, err, "");
	int rc = stream_open(w, path, err);
	if (!rc)
		rc = w->info->pipe ? pipe_begin(w, err) : file_begin(w, err);
	if (rc)
		return rc;
	rc = pms_description_encode(w->info, &w->bytes);
	return rc ? refuse(w, rc, err, "the description is too long for its records")
		  : write_gathered(w, err);
}

int pms_perfdata_create(const char *path, const struct pms_perfdata_info *info,
			struct pms_perfdata_writer **out, struct pms_error *err)
{
	struct pms_perfdata_writer *w = calloc(1, sizeof(*w));
	if (!w)
		return pms_no_memory(err);
	w->info = info;
	snprintf(w->name, sizeof(w->name), "%s", strcmp(path, "-") != 0 ? path : "standard output");
	int rc = begin(w, path, err);
	if (rc)
		writer_free(w);
	else
		*out = w;
	return rc;
}

/* Write the index of AUXTRACE records, by which perf finds them. */
static bool index_section(const struct pms_perfdata_writer *w, struct pms_bytes *into)
{
	if (!w->n_index)
		return false;
	pms_put(into, w->n_index, 8);
	for (size_t i = 0; i < w->n_index; i++)
		put_section(into, w->index[i].offset, w->index[i].size);
	return true;
}

/* Put all sections one after another. @offsets: receives where each begins, and the end */
static size_t sections_put(struct pms_perfdata_writer *w, struct pms_bytes *into,
			   uint8_t bits[PMS_FEATURES / 8], size_t offsets[PMS_FEATURES + 1])
{
	size_t count = 0;
	for (unsigned i = 0; i < PMS_FEATURES; i++) {
		offsets[count] = into->size;
		if (i == PMS_FEATURE_AUXTRACE ? !index_section(w, into)
					      : !pms_section_encode(w->info, i, into))
			continue;
		bits[i / 8] |= (uint8_t)(1u << i % 8);
		count++;
	}
	offsets[count] = into->size;
	return count;
}

/* Write the sections behind the data, then the header again, now with the data's size. */
static int file_end(struct pms_perfdata_writer *w, struct pms_error *err)
{
	uint8_t bits[PMS_FEATURES / 8] = { 0 };
	size_t offsets[PMS_FEATURES + 1];
	struct pms_bytes content = { 0 };
	uint64_t data_end = w->offset;
	size_t count = sections_put(w, &content, bits, offsets);
	for (size_t i = 0; i < count; i++)
		put_section(&w->bytes, data_end + 16 * count + offsets[i],
			    offsets[i + 1] - offsets[i]);
	pms_put_bytes(&w->bytes, content.at, content.size);
	w->bytes.bad |= content.bad;
	pms_bytes_release(&content);
	int rc = write_gathered(w, err);
	if (rc)
		return rc;
	if (fseek(w->stream, 0, SEEK_SET))
		return pms_fail_at(err, PMS_EIO, w->name, 0, 0, "cannot be written: %s",
				   strerror(errno));
	put_file_header(w, data_end - w->data, bits);
	return write_gathered(w, err);
}

int pms_perfdata_finish(struct pms_perfdata_writer *w, struct pms_error *err)
{
	int rc = w->trace_left ? refuse(w, -PMS_EINVAL, err, "a trace buffer is not complete")
			       : compress(w, err);
	if (!rc && !w->info->pipe)
		rc = file_end(w, err);
	if (!rc && fflush(w->stream))
		rc = pms_fail_at(err, PMS_EIO, w->name, 0, 0, "cannot be written: %s",
				 strerror(errno));
	writer_free(w);
	return rc;
}

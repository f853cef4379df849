/* SPDX-License-Identifier: MIT */
/* pprof's profile.proto, compressed by gzip. Its messages are few and their fields numbers, texts
 * and each other, so they are written here; a text's number is its place among the texts, which
 * are written as they are first needed.
 * Source: google/pprof, proto/profile.proto; "Encoding" of Protocol Buffers. */
#include "base/limits.h"
#include "base/numbers.h"
#include "base/status.h"
#include "base/utf8.h"
#include "export/export.h"
#include "pmuscope/fold.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ZLIB_CONST
#include <zlib.h>

/* Fields of message Profile. */
enum {
	SAMPLE_TYPE = 1,
	SAMPLE = 2,
	MAPPING = 3,
	LOCATION = 4,
	FUNCTION = 5,
	STRING_TABLE = 6,
	PERIOD_TYPE = 11,
	PERIOD = 12,
	COMMENT = 13,
	DEFAULT_SAMPLE_TYPE = 14
};

/* A message while its length is not yet known. */
struct message {
	char *bytes;
	size_t size, room;
	int failed; /* 1: out of memory */
};

/* The state while a profile is written. */
struct writing {
	struct pms_exporting *x;
	struct pms_sink packed; /* compressed, and passed on */
	z_stream zlib;
	struct message message, inner;
	struct pms_numbers texts; /* where a text lies, to its number */
	uint64_t n_texts;
	uint64_t *values;
	uint32_t *kinds;
	size_t n_kinds;
	int failed;
};

/* Wire format ---------------------------------------------------------------------------------- */

static void put_bytes(struct message *m, const void *bytes, size_t size)
{
	if (m->room - m->size < size) {
		size_t room = 2 * (m->size + size) + 64;
		char *grown = realloc(m->bytes, room);
		if (!grown) {
			m->failed = 1;
			return;
		}
		m->bytes = grown;
		m->room = room;
	}
	memcpy(m->bytes + m->size, bytes, size);
	m->size += size;
}

/* Write a number into @out, of 10 bytes: 7 bits each, the lowest first. Returns their count. */
static size_t varint(uint64_t value, unsigned char *out)
{
	size_t n = 0;
	while (value >= 0x80) {
		out[n++] = (unsigned char)(value | 0x80);
		value >>= 7;
	}
	out[n++] = (unsigned char)value;
	return n;
}

static void put_varint(struct message *m, uint64_t value)
{
	unsigned char bytes[10];
	put_bytes(m, bytes, varint(value, bytes));
}

enum { WIRE_VARINT = 0, WIRE_LENGTH = 2 };

static void put_number(struct message *m, unsigned field, uint64_t value)
{
	if (!value)
		return; /* as a field that is not there */
	put_varint(m, field << 3 | WIRE_VARINT);
	put_varint(m, value);
}

/* End @inner, and make it a field of @m. */
static void put_inner(struct message *m, unsigned field, struct message *inner)
{
	put_varint(m, field << 3 | WIRE_LENGTH);
	put_varint(m, inner->size);
	put_bytes(m, inner->bytes ? inner->bytes : "", inner->size);
	inner->size = 0;
}

/* End the message, and make it a field of the profile. */
static void end_message(struct writing *w, unsigned field)
{
	unsigned char head[20];
	size_t n = varint(field << 3 | WIRE_LENGTH, head);
	n += varint(w->message.size, head + n);
	pms_sink_put(&w->packed, head, n);
	pms_sink_put(&w->packed, w->message.bytes ? w->message.bytes : "", w->message.size);
	w->message.size = 0;
}

static void put_field(struct writing *w, unsigned field, uint64_t value)
{
	unsigned char bytes[20];
	size_t n = varint(field << 3 | WIRE_VARINT, bytes);
	n += varint(value, bytes + n);
	pms_sink_put(&w->packed, bytes, n);
}

/* Texts ---------------------------------------------------------------------------------------- */

/* Write a text, made UTF-8. */
static void text_write(struct writing *w, const char *text)
{
	struct message *m = &w->inner;
	while (*text) {
		size_t length = pms_utf8_length(text);
		if (length)
			put_bytes(m, text, length);
		else
			put_bytes(m, "\xef\xbf\xbd", 3);
		text += length ? length : 1;
	}
	unsigned char head[20];
	size_t n = varint(STRING_TABLE << 3 | WIRE_LENGTH, head);
	n += varint(m->size, head + n);
	pms_sink_put(&w->packed, head, n);
	pms_sink_put(&w->packed, m->bytes ? m->bytes : "", m->size);
	m->size = 0;
}

/* Returns the number of a text that stays where it is; "" is 0. */
static uint64_t text_number(struct writing *w, const char *text)
{
	if (!*text)
		return 0;
	uint32_t known = pms_numbers_get(&w->texts, (uintptr_t)text);
	if (known != PMS_NO_ROW)
		return known;
	text_write(w, text);
	if (pms_numbers_set(&w->texts, (uintptr_t)text, (uint32_t)w->n_texts))
		w->failed = 1;
	return w->n_texts++;
}

/* The number of a text that is gone when this returns. */
static uint64_t passing_text_number(struct writing *w, const char *text)
{
	text_write(w, text);
	return w->n_texts++;
}

/* Messages ------------------------------------------------------------------------------------- */

static void put_value_type(struct writing *w, struct message *m,
			   const struct pms_profile_kind *kind)
{
	put_number(m, 1, text_number(w, kind->name));
	put_number(m, 2, text_number(w, pms_profile_unit_name(kind->unit)));
}

static void put_kinds(struct writing *w)
{
	const struct pms_profile *profile = w->x->profile;
	for (size_t i = 0; i < profile->n_kinds; i++) {
		if (!pms_profile_sum(profile, i))
			continue;
		w->kinds[w->n_kinds++] = (uint32_t)i;
		put_value_type(w, &w->message, &profile->kinds[i]);
		end_message(w, SAMPLE_TYPE);
	}
	size_t usual = pms_profile_measure_usual(profile);
	if (usual < profile->n_kinds)
		put_field(w, DEFAULT_SAMPLE_TYPE, text_number(w, profile->kinds[usual].name));
}

static void put_mappings(struct writing *w)
{
	const struct pms_profile *profile = w->x->profile;
	for (size_t i = 0; i < profile->n_objects; i++) {
		const struct pms_object *object = &profile->objects[i];
		char id[2 * sizeof(object->build_id) + 1] = "";
		for (unsigned j = 0; j < object->build_id_size; j++)
			for (int half = 0; half < 2; half++)
				id[2 * j + (unsigned)half] =
					"0123456789abcdef"[object->build_id[j] >> (half ? 0 : 4) &
							   15];
		uint64_t build_id = id[0] ? passing_text_number(w, id) : 0;
		put_number(&w->message, 1, i + 1);
		put_number(&w->message, 3, UINT64_MAX >> 1); /* addresses are the file's own */
		put_number(&w->message, 5, text_number(w, object->path));
		put_number(&w->message, 6, build_id);
		for (unsigned has = 7; has <= 10;
		     has++) /* functions, files, lines, inlined calls */
			put_number(&w->message, has, 1);
		end_message(w, MAPPING);
	}
}

static void put_functions(struct writing *w)
{
	for (size_t i = 0; i < w->x->places.n_functions; i++) {
		const struct pms_export_function *function = &w->x->places.functions[i];
		uint64_t name = text_number(w, function->name);
		put_number(&w->message, 1, i + 1);
		put_number(&w->message, 2, name);
		put_number(&w->message, 3, name);
		put_number(&w->message, 4, text_number(w, function->file));
		end_message(w, FUNCTION);
	}
}

static void put_locations(struct writing *w)
{
	const struct pms_export_places *p = &w->x->places;
	for (size_t i = 0; i < p->n_spots; i++) {
		const struct pms_export_spot *spot = &p->spots[i];
		put_number(&w->message, 1, i + 1);
		if (spot->object != PMS_PROFILE_NONE)
			put_number(&w->message, 2, (uint64_t)spot->object + 1);
		put_number(&w->message, 3, spot->address);
		for (uint32_t j = 0; j < spot->count; j++) {
			const struct pms_export_line *line = &p->lines[spot->first + j];
			put_number(&w->inner, 1, (uint64_t)line->function + 1);
			put_number(&w->inner, 2, line->line);
			put_inner(&w->message, 4, &w->inner);
		}
		end_message(w, LOCATION);
	}
}

static uint64_t thread_text(struct writing *w, const struct pms_profile_thread *thread)
{
	char text[32];
	if (thread->name[0])
		return text_number(w, thread->name);
	snprintf(text, sizeof(text), "%d", (int)thread->tid);
	return passing_text_number(w, text);
}

/* Write a row as a sample. @thread_key: the text "thread" */
static void put_sample(struct writing *w, size_t row, uint64_t thread_key, const uint64_t *threads)
{
	const struct pms_profile *profile = w->x->profile;
	const struct pms_export_places *p = &w->x->places;
	const struct pms_profile_place *place = &profile->rows[row].place;
	uint32_t first = profile->rows[row].first, depth = 0;
	put_varint(&w->inner, (uint64_t)p->row_spots[row] + 1);
	for (uint32_t at = place->frame; at != PMS_PROFILE_NONE && depth < PMS_MOST_EXPORT_DEPTH;
	     at = profile->frames[at].parent, depth++)
		put_varint(&w->inner, (uint64_t)p->frame_spots[at] + 1);
	put_inner(&w->message, 1, &w->inner);
	for (uint32_t i = first; i != PMS_PROFILE_NONE; i = profile->cells[i].next)
		w->values[profile->cells[i].kind] = profile->cells[i].value;
	for (size_t i = 0; i < w->n_kinds; i++)
		put_varint(&w->inner, w->values[w->kinds[i]]);
	put_inner(&w->message, 2, &w->inner);
	for (uint32_t i = first; i != PMS_PROFILE_NONE; i = profile->cells[i].next)
		w->values[profile->cells[i].kind] = 0;
	if (place->thread != PMS_PROFILE_NONE) {
		put_number(&w->inner, 1, thread_key);
		put_number(&w->inner, 2, threads[place->thread]);
		put_inner(&w->message, 3, &w->inner);
	}
	end_message(w, SAMPLE);
}

static int put_samples(struct writing *w)
{
	const struct pms_profile *profile = w->x->profile;
	uint64_t *threads = calloc(profile->n_threads + 1, sizeof(*threads));
	if (!threads)
		return -PMS_ENOMEM;
	uint64_t key = text_number(w, "thread");
	for (size_t i = 0; i < profile->n_threads; i++)
		threads[i] = thread_text(w, &profile->threads[i]);
	for (size_t i = 0; i < profile->n_rows; i++)
		put_sample(w, i, key, threads);
	free(threads);
	return 0;
}

/* Compression ---------------------------------------------------------------------------------- */

/* Compress what the sink has. Returns 0, or -1 when deflate fails, which only memory makes it. */
static int squeeze(struct writing *w, const void *bytes, size_t length, int flush)
{
	unsigned char out[4096];
	w->zlib.next_in = bytes;
	w->zlib.avail_in = (uInt)length;
	do {
		w->zlib.next_out = out;
		w->zlib.avail_out = sizeof(out);
		if (deflate(&w->zlib, flush) == Z_STREAM_ERROR)
			return -1;
		pms_sink_put(&w->x->sink, out, sizeof(out) - w->zlib.avail_out);
	} while (!w->zlib.avail_out);
	return 0;
}

static int take_packed(void *context, const void *bytes, size_t length)
{
	return squeeze(context, bytes, length, Z_NO_FLUSH);
}

static int write_profile(struct writing *w)
{
	text_write(w, "");
	w->n_texts = 1;
	put_kinds(w);
	put_mappings(w);
	put_functions(w);
	put_locations(w);
	int rc = put_samples(w);
	if (w->x->options->title)
		put_field(w, COMMENT, text_number(w, w->x->options->title));
	put_field(w, COMMENT, text_number(w, pms_profile_source_name(w->x->profile->source)));
	if (pms_sink_end(&w->packed) || squeeze(w, "", 0, Z_FINISH))
		rc = -PMS_ENOMEM;
	return rc || w->message.failed || w->inner.failed || w->failed ? -PMS_ENOMEM : 0;
}

int pms_export_pprof(struct pms_exporting *x)
{
	enum { GZIP = 16 };
	struct writing *w = calloc(1, sizeof(*w));
	int rc = -PMS_ENOMEM;
	if (!w)
		return pms_no_memory(x->err);
	w->x = x;
	w->packed.write = take_packed;
	w->packed.context = w;
	w->values = calloc(x->profile->n_kinds + 1, sizeof(*w->values));
	w->kinds = calloc(x->profile->n_kinds + 1, sizeof(*w->kinds));
	if (w->values && w->kinds &&
	    deflateInit2(&w->zlib, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + GZIP, 8,
			 Z_DEFAULT_STRATEGY) == Z_OK) {
		rc = write_profile(w);
		deflateEnd(&w->zlib);
	}
	pms_numbers_release(&w->texts);
	free(w->message.bytes);
	free(w->inner.bytes);
	free(w->values);
	free(w->kinds);
	free(w);
	return rc ? pms_no_memory(x->err) : 0;
}

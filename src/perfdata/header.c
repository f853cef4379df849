/* SPDX-License-Identifier: MIT */
#include "perfdata/header.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"

enum {
	MAGIC_SIZE = 8,
	PIPE_HEADER = 16,
	FILE_HEADER = 104,	    /* magic, two sizes, three sections, 256 bits */
	SECTION = 16,		    /* offset and size */
	STRIDE_MAX = 4096 + SECTION /* of an attribute: the kernel accepts no longer one */
};

static const char magic[] = "PERFILE2";
static const char magic_swapped[] = "2ELIFREP";
static const char magic_old[] = "PERFFILE";

struct section {
	uint64_t offset, size;
};

int pms_perfdata_is(const void *bytes, size_t size)
{
	return size >= MAGIC_SIZE &&
	       (!memcmp(bytes, magic, MAGIC_SIZE) || !memcmp(bytes, magic_swapped, MAGIC_SIZE) ||
		!memcmp(bytes, magic_old, MAGIC_SIZE));
}

int pms_fail_offset(struct pms_error *err, enum pms_status status, uint64_t offset,
		    const char *format, ...)
{
	char text[sizeof(err->text)];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (err && err->status == PMS_OK)
		err->offset = offset;
	return pms_fail(err, status, "%s", text);
}

void pms_cut(struct pms_perfdata_stats *stats, uint64_t offset, const char *format, ...)
{
	if (stats->cut)
		return;
	va_list args;
	va_start(args, format);
	vsnprintf(stats->cut_text, sizeof(stats->cut_text), format, args);
	va_end(args);
	stats->cut = 1;
	stats->cut_at = offset;
}

static struct section section_take(struct cursor *c)
{
	struct section section = { .offset = take_u64(c) };
	section.size = take_u64(c);
	return section;
}

static bool is_inside(const struct pms_perfdata_source *source, struct section s)
{
	return s.offset <= source->size && s.size <= source->size - s.offset;
}

/* Load a section's bytes, PMS_MOST_SECTION_BYTES at most, to be freed. */
static int section_load(const struct pms_perfdata_source *source, struct section s,
			struct cursor *out, uint8_t **bytes, struct pms_error *err)
{
	size_t size = s.size < PMS_MOST_SECTION_BYTES ? (size_t)s.size : PMS_MOST_SECTION_BYTES;
	*bytes = malloc(size ? size : 1);
	if (!*bytes)
		return pms_no_memory(err);
	*out = (struct cursor){ *bytes, size, false };
	return pms_source_copy(source, s.offset, *bytes, size, err);
}

static int magic_check(const uint8_t *at, size_t got, struct pms_error *err)
{
	if (got >= MAGIC_SIZE && !memcmp(at, magic_swapped, MAGIC_SIZE)) {
		pms_fail(err, PMS_EPARSE, "was written on a big-endian machine, which is not read");
		pms_hint(err, "read it on a machine of that byte order with perf script");
	} else if (got >= MAGIC_SIZE && !memcmp(at, magic_old, MAGIC_SIZE)) {
		pms_fail(err, PMS_EPARSE,
			 "has the first format of perf.data, from before 2012, "
			 "which is not read");
	} else if (got < MAGIC_SIZE || memcmp(at, magic, MAGIC_SIZE) != 0) {
		pms_fail(err, PMS_EPARSE,
			 "is not a perf.data file: it does not begin with PERFILE2");
	} else {
		return 0;
	}
	return -PMS_EPARSE;
}

/* Read an event's attribute and the section behind it, which says where its ids are. */
static int event_read(const struct pms_perfdata_source *source, uint64_t offset, size_t stride,
		      struct pms_perfdata_description *d, struct pms_error *err)
{
	uint8_t bytes[STRIDE_MAX], *loaded = NULL;
	struct cursor attr = { bytes, stride - SECTION, false }, ids = { 0 };
	struct cursor entry = { bytes + attr.left, SECTION, false };
	int rc = pms_source_copy(source, offset, bytes, stride, err);
	if (rc)
		return rc;
	struct section s = section_take(&entry);
	if (s.size > PMS_MOST_SECTION_BYTES && is_inside(source, s))
		return pms_fail_offset(err, PMS_ENOMEM, offset,
				       "an event has more ids than fit into %d MiB",
				       PMS_MOST_SECTION_BYTES >> 20);
	ids.bad = !is_inside(source, s);
	if (!ids.bad)
		rc = section_load(source, s, &ids, &loaded, err);
	if (!rc) {
		rc = pms_description_event(d, attr, ids);
		if (rc)
			pms_fail_offset(err, (enum pms_status) - rc, offset,
					rc == -PMS_ENOMEM
						? "there are too many events for the memory"
						: "an event's ids do not fit into the file");
	}
	free(loaded);
	return rc;
}

static int events_read(const struct pms_perfdata_source *source, struct section attrs,
		       uint64_t stride, struct pms_perfdata_description *d, struct pms_error *err)
{
	int rc = 0;
	if (!is_inside(source, attrs) || stride < 64 + SECTION || stride > STRIDE_MAX ||
	    attrs.size % stride)
		return pms_fail_offset(err, PMS_EPARSE, 24,
				       "the header's list of events does not fit: %" PRIu64
				       " bytes at %" PRIu64 ", %" PRIu64 " each",
				       attrs.size, attrs.offset, stride);
	for (uint64_t at = 0; !rc && at < attrs.size; at += stride)
		rc = event_read(source, attrs.offset + at, (size_t)stride, d, err);
	return rc;
}

/* Read one section after the data. A damaged one counts as malformed; the others stay readable. */
static int section_read(const struct pms_perfdata_source *source, struct section s,
			unsigned feature, struct pms_perfdata_description *d,
			struct pms_perfdata_stats *stats, struct pms_error *err)
{
	struct cursor c;
	uint8_t *bytes = NULL;
	if (!is_inside(source, s)) {
		pms_cut(stats, source->size, "section %u of the header lies beyond the end",
			feature);
		return 0;
	}
	if (!pms_description_has_feature(feature))
		return 0;
	int rc = section_load(source, s, &c, &bytes, err);
	if (rc) {
		free(bytes);
		return rc;
	}
	rc = pms_description_feature(d, feature, c);
	free(bytes);
	if (rc == -PMS_ENOMEM)
		return pms_fail_offset(err, PMS_ENOMEM, s.offset,
				       "section %u of the header takes too much memory", feature);
	if (rc && !stats->malformed++)
		stats->malformed_at = s.offset;
	return 0;
}

/* Read an entry of the section list; false where the file ends before it. */
static bool entry_read(const struct pms_perfdata_source *source, uint64_t at, struct section *out,
		       int *rc, struct pms_error *err)
{
	uint8_t bytes[SECTION];
	struct cursor c = { bytes, SECTION, false };
	if (!is_inside(source, (struct section){ at, SECTION }))
		return false;
	*rc = pms_source_copy(source, at, bytes, SECTION, err);
	*out = section_take(&c);
	return !*rc;
}

/* Read the sections. Their list follows the data: offset and size of each section whose bit is
 * set. */
static int sections_read(const struct pms_perfdata_source *source, uint64_t at, const uint8_t *bits,
			 struct pms_perfdata_description *d, struct pms_perfdata_stats *stats,
			 struct pms_error *err)
{
	int rc = 0;
	for (unsigned i = 0; !rc && i < PMS_FEATURES; i++) {
		if (!(bits[i / 8] >> i % 8 & 1))
			continue;
		struct section entry;
		if (!entry_read(source, at, &entry, &rc, err)) {
			if (!rc)
				pms_cut(stats, source->size,
					"the list of sections after the data is missing");
			return rc;
		}
		rc = section_read(source, entry, i, d, stats, err);
		at += SECTION; /* below the file's size, so this cannot wrap */
	}
	return rc;
}

/* Whether the file has no records: its section list stands where the data would, and the first
 * section begins right behind the list. No record looks like that. */
static bool is_empty(const struct pms_perfdata_source *source, uint64_t data, const uint8_t *bits,
		     int *rc, struct pms_error *err)
{
	uint64_t count = 0;
	struct section entry;
	for (unsigned i = 0; i < PMS_FEATURES; i++)
		count += bits[i / 8] >> i % 8 & 1;
	return source->size == data || (entry_read(source, data, &entry, rc, err) &&
					entry.offset == data + SECTION * count);
}

/* Find where the data ends. A recording that was killed never wrote the data's size: its data
 * runs to the end of the file. */
static int data_bound(struct pms_perfdata_source *source, struct section data, const uint8_t *bits,
		      struct pms_perfdata_stats *stats, struct pms_error *err)
{
	int rc = 0;
	pms_source_seek(source, data.offset);
	source->end = source->size;
	if (!data.size && !is_empty(source, data.offset, bits, &rc, err))
		pms_cut(stats, source->size,
			"perf record did not finish the file: it has no size of the data and no "
			"sections");
	else if (data.size > source->size - data.offset)
		pms_cut(stats, source->size, "%" PRIu64 " bytes of data are missing",
			data.size - (source->size - data.offset));
	else
		source->end = data.offset + data.size;
	return rc;
}

/* Read a file's header in an order that survives a killed recording: events, data, sections if
 * any. */
static int file_read(struct pms_perfdata_source *source, const uint8_t *at,
		     struct pms_perfdata_description *d, struct pms_perfdata_stats *stats,
		     struct pms_error *err)
{
	struct cursor c = { at + MAGIC_SIZE + 8, FILE_HEADER - MAGIC_SIZE - 8, false };
	uint64_t stride = take_u64(&c);
	struct section attrs = section_take(&c), data = section_take(&c);
	uint8_t bits[PMS_FEATURES / 8];
	section_take(&c); /* event types: used by the first format alone */
	memcpy(bits, take_bytes(&c, sizeof(bits)), sizeof(bits));
	if (data.offset > source->size)
		return pms_fail_offset(err, PMS_EPARSE, 40,
				       "the data begins at %" PRIu64 ", after the file's end",
				       data.offset);
	int rc = events_read(source, attrs, stride, d, err);
	if (!rc)
		rc = data_bound(source, data, bits, stats, err);
	if (!rc && !stats->cut)
		rc = sections_read(source, source->end, bits, d, stats, err);
	return rc;
}

int pms_header_read(struct pms_perfdata_source *source, struct pms_perfdata_description *d,
		    struct pms_perfdata_stats *stats, struct pms_error *err)
{
	const uint8_t *at;
	size_t got;
	int rc = pms_source_peek(source, FILE_HEADER, &at, &got, err);
	if (!rc)
		rc = magic_check(at, got, err);
	if (rc)
		return rc;
	uint64_t size = got < PIPE_HEADER ? 0 : little(at + MAGIC_SIZE, 8);
	if (size == PIPE_HEADER) {
		d->info.pipe = 1;
		pms_source_step(source, PIPE_HEADER);
		return 0;
	}
	if (got < PIPE_HEADER || (!pms_source_streams(source) && got < FILE_HEADER))
		return pms_fail_offset(err, PMS_EPARSE, got, "is cut short inside of its header");
	if (size != FILE_HEADER)
		return pms_fail_offset(err, PMS_EPARSE, MAGIC_SIZE,
				       "its header says to be %" PRIu64
				       " bytes long; %u or %u is known",
				       size, FILE_HEADER, PIPE_HEADER);
	if (pms_source_streams(source)) {
		pms_fail(err, PMS_EPARSE, "a perf.data file cannot be read from a pipe");
		pms_hint(err, "give the file's name, or record with perf record -o -");
		return -PMS_EPARSE;
	}
	return file_read(source, at, d, stats, err);
}

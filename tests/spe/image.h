/* SPDX-License-Identifier: MIT */
/* A perf.data in memory, made of bytes as they lie in files: millions of records in no time, and
 * such as nobody writes. */
#ifndef TESTS_SPE_IMAGE_H
#define TESTS_SPE_IMAGE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct image {
	uint8_t *bytes;
	size_t length, room;
};

static inline void image_put(struct image *im, uint64_t value, unsigned size)
{
	if (im->length + size > im->room) {
		im->room = 2 * im->room + 4096;
		im->bytes = realloc(im->bytes, im->room);
		assert_non_null(im->bytes);
	}
	for (unsigned i = 0; i < size; i++)
		im->bytes[im->length++] = (uint8_t)(value >> 8 * i);
}

static inline void image_text(struct image *im, const char *text)
{
	for (size_t i = 0; i <= strlen(text); i++)
		image_put(im, (uint8_t)text[i], 1);
}

/* The size of a record is filled in at its end. Returns where it begins. */
static inline size_t image_record(struct image *im, uint32_t type, uint16_t misc)
{
	size_t at = im->length;
	image_put(im, type, 4);
	image_put(im, misc, 2);
	image_put(im, 0, 2);
	return at;
}

static inline void image_record_end(struct image *im, size_t at)
{
	size_t size = im->length - at;
	assert_true(size < 1 << 16);
	im->bytes[at + 6] = (uint8_t)size;
	im->bytes[at + 7] = (uint8_t)(size >> 8);
}

enum { IMAGE_HEADER = 104, IMAGE_EVENT = 128, IMAGE_DATA = IMAGE_HEADER + IMAGE_EVENT + 16 };

/* A header with one event, whose records have no trailers, and Arm SPE's AUXTRACE_INFO. */
static inline void image_begin(struct image *im)
{
	const uint64_t header[] = { IMAGE_HEADER, IMAGE_EVENT + 16, IMAGE_HEADER, IMAGE_EVENT + 16,
				    IMAGE_DATA };
	*im = (struct image){ 0 };
	for (const char *magic = "PERFILE2"; *magic; magic++)
		image_put(im, (uint8_t)*magic, 1);
	for (size_t i = 0; i < sizeof(header) / sizeof(header[0]); i++)
		image_put(im, header[i], 8);
	while (im->length < IMAGE_HEADER)
		image_put(im, 0, 8); /* the data's size, and what there is none of */
	image_put(im, 10, 4);	     /* type */
	image_put(im, IMAGE_EVENT, 4);
	image_put(im, 1, 8); /* config */
	image_put(im, 1, 8); /* period */
	image_put(im, 3, 8); /* sample_type */
	while (im->length < IMAGE_DATA)
		image_put(im, 0, 8);
	size_t at = image_record(im, 70, 0);
	image_put(im, 4, 8); /* type: Arm SPE */
	image_put(im, 10, 8);
	image_put(im, 0, 8);
	image_record_end(im, at);
}

static inline void image_map(struct image *im, int32_t pid, uint64_t start, uint64_t length,
			     const char *path)
{
	size_t at = image_record(im, 1, 2);
	image_put(im, (uint32_t)pid, 4);
	image_put(im, (uint32_t)pid, 4);
	image_put(im, start, 8);
	image_put(im, length, 8);
	image_put(im, 0, 8);
	image_text(im, path);
	image_record_end(im, at);
}

/* A piece of the trace buffer of thread @tid. */
static inline void image_trace(struct image *im, uint32_t idx, int32_t tid, uint64_t offset,
			       const void *bytes, size_t size)
{
	size_t at = image_record(im, 71, 0);
	image_put(im, size, 8);
	image_put(im, offset, 8);
	image_put(im, 0, 8);
	image_put(im, idx, 4);
	image_put(im, (uint32_t)tid, 4);
	image_put(im, UINT32_MAX, 4); /* no CPU */
	image_put(im, 0, 4);
	image_record_end(im, at);
	for (size_t i = 0; i < size; i++)
		image_put(im, ((const uint8_t *)bytes)[i], 1);
}

static inline void image_end(struct image *im)
{
	uint64_t size = im->length - IMAGE_DATA;
	for (unsigned i = 0; i < 8; i++)
		im->bytes[48 + i] = (uint8_t)(size >> 8 * i);
}

#endif

/* SPDX-License-Identifier: MIT */
/* perf.data files put together field by field for the tests, at the offsets that the format gives.
 */
#ifndef PMS_TESTS_PERFDATA_IMAGE_H
#define PMS_TESTS_PERFDATA_IMAGE_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

enum { IMAGE_MAX = 1 << 20, IMAGE_DATA = 104 + 2 * (64 + 16) };

struct image {
	uint8_t bytes[IMAGE_MAX];
	size_t size;
	size_t record; /* where the last record begins */
};

static inline void put_at(struct image *image, size_t at, uint64_t value, size_t size)
{
	assert(at + size <= IMAGE_MAX);
	for (size_t i = 0; i < size; i++)
		image->bytes[at + i] = (uint8_t)(value >> 8 * i);
}

static inline void put(struct image *image, uint64_t value, size_t size)
{
	put_at(image, image->size, value, size);
	image->size += size;
}

static inline void put_bytes(struct image *image, const void *bytes, size_t size)
{
	assert(image->size + size <= IMAGE_MAX);
	memcpy(image->bytes + image->size, bytes, size);
	image->size += size;
}

/* A text with its zero, filled up to 8 bytes. */
static inline void put_text(struct image *image, const char *text)
{
	put_bytes(image, text, strlen(text) + 1);
	while (image->size % 8)
		put(image, 0, 1);
}

static inline void image_pipe(struct image *image)
{
	memset(image, 0, sizeof(*image));
	put_bytes(image, "PERFILE2", 8);
	put(image, 16, 8);
}

/* An attribute of 64 bytes, the oldest and shortest. */
static inline void put_attr(struct image *image, uint32_t type, uint64_t sample_type,
			    uint64_t flags)
{
	put(image, type, 4);
	put(image, 64, 4);
	put(image, 0, 8);   /* config */
	put(image, 100, 8); /* sample_period */
	put(image, sample_type, 8);
	put(image, 0, 8); /* read_format */
	put(image, flags, 8);
	put(image, 0, 8);
	put(image, 0, 8);
}

/* A file of two events of one sample_type, whose ids are 11 and 12. Records follow, then
 * image_finish. */
static inline void image_file(struct image *image, uint64_t sample_type, uint64_t flags)
{
	memset(image, 0, sizeof(*image));
	put_bytes(image, "PERFILE2", 8);
	put(image, 104, 8);
	put(image, 64 + 16, 8); /* of an attribute with the section of its ids */
	put(image, 104, 8);
	put(image, 2 * (64 + 16), 8);
	put(image, IMAGE_DATA + 16, 8);
	image->size = 104;
	for (uint32_t i = 0; i < 2; i++) {
		put_attr(image, 1 + i, sample_type, flags);
		put(image, IMAGE_DATA + 8 * i, 8);
		put(image, 8, 8);
	}
	put(image, 11, 8);
	put(image, 12, 8);
}

/* The data's size goes into the header. Sections may follow, see put_section. */
static inline void image_finish(struct image *image)
{
	put_at(image, 48, image->size - (IMAGE_DATA + 16), 8);
}

/* The first n features, each of which has its bit, are listed after the data; their content comes
 * after that by put_section_begin and put_section_end, in the same order. */
static inline size_t image_sections(struct image *image, const unsigned *features, size_t n)
{
	size_t list = image->size;
	for (size_t i = 0; i < n; i++)
		image->bytes[72 + features[i] / 8] |= (uint8_t)(1u << features[i] % 8);
	image->size += 16 * n;
	return list;
}

static inline void section_begin(struct image *image, size_t list, size_t i)
{
	put_at(image, list + 16 * i, image->size, 8);
}

static inline void section_end(struct image *image, size_t list, size_t i)
{
	uint64_t begin = 0;
	for (size_t k = 8; k > 0; k--)
		begin = begin << 8 | image->bytes[list + 16 * i + k - 1];
	put_at(image, list + 16 * i + 8, image->size - begin, 8);
}

/* A text behind its length, as sections have them. */
static inline void put_string(struct image *image, const char *text)
{
	put(image, (strlen(text) + 1 + 63) / 64 * 64, 4);
	size_t begin = image->size;
	put_bytes(image, text, strlen(text) + 1);
	while ((image->size - begin) % 64)
		put(image, 0, 1);
}

static inline void record_begin(struct image *image, uint32_t type, uint16_t misc)
{
	image->record = image->size;
	put(image, type, 4);
	put(image, misc, 2);
	put(image, 0, 2);
}

static inline void record_end(struct image *image)
{
	put_at(image, image->record + 6, image->size - image->record, 2);
}

/* The trailer of TID, TIME, CPU and IDENTIFIER. */
enum { TRAILER = 1 << 1 | 1 << 2 | 1 << 7 | 1 << 16 };

static inline void put_trailer(struct image *image, int32_t pid, int32_t tid, uint64_t time,
			       uint32_t cpu, uint64_t id)
{
	put(image, (uint32_t)pid, 4);
	put(image, (uint32_t)tid, 4);
	put(image, time, 8);
	put(image, cpu, 8);
	put(image, id, 8);
}

static inline void put_aux(struct image *image, uint64_t offset, uint64_t size, uint64_t flags,
			   uint32_t cpu, int32_t tid)
{
	record_begin(image, 11, 0);
	put(image, offset, 8);
	put(image, size, 8);
	put(image, flags, 8);
	put_trailer(image, tid, tid, 1000, cpu, 11);
	record_end(image);
}

static inline void put_auxtrace(struct image *image, uint64_t size, uint64_t offset, uint32_t idx,
				int32_t tid, int32_t cpu)
{
	record_begin(image, 71, 0);
	put(image, size, 8);
	put(image, offset, 8);
	put(image, 77, 8); /* reference */
	put(image, idx, 4);
	put(image, (uint32_t)tid, 4);
	put(image, (uint32_t)cpu, 4);
	put(image, 0, 4);
	record_end(image);
}

#endif

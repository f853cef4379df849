/* SPDX-License-Identifier: MIT */
/* An image under the reader, and what is to come out of it. Include after cmocka.h. */
#ifndef PMS_TESTS_PERFDATA_OPENED_H
#define PMS_TESTS_PERFDATA_OPENED_H

#include <stdlib.h>

#include "image.h"
#include "pmuscope/perfdata.h"

enum { ID_ALL = 1 << 18 }; /* the flag sample_id_all of events */

/* What is under test, on a copy of exactly the image's bytes, so that a sanitizer sees a read past
 * its end. */
struct opened {
	uint8_t *copy;
	struct pms_perfdata *file;
	struct pms_error err;
	struct pms_perfdata_record record;
};

static inline int open_image(struct opened *o, const struct image *image)
{
	memset(o, 0, sizeof(*o));
	o->copy = malloc(image->size ? image->size : 1);
	memcpy(o->copy, image->bytes, image->size);
	return pms_perfdata_open_bytes(o->copy, image->size, "image", &o->file, &o->err);
}

static inline int next(struct opened *o)
{
	return pms_perfdata_next(o->file, &o->record, &o->err);
}

static inline void close_image(struct opened *o)
{
	pms_perfdata_close(o->file);
	free(o->copy);
}

/* The next record is there and of this type. */
static inline void expect(struct opened *o, uint32_t type)
{
	assert_int_equal(next(o), 1);
	assert_int_equal(o->record.type, type);
}

/* A piece of trace data: its bytes are the numbers from `from` on. */
static inline void piece(struct opened *o, uint64_t offset, size_t size, int described,
			 uint64_t flags, int ends, uint8_t from)
{
	expect(o, PMS_PERFDATA_AUXTRACE);
	const struct pms_perfdata_auxtrace *a = &o->record.auxtrace;
	assert_int_equal(a->offset, offset);
	assert_int_equal(a->size, size);
	assert_int_equal(a->described, described);
	assert_int_equal(a->flags, flags);
	assert_int_equal(a->ends_aux, ends);
	for (size_t i = 0; i < size; i++)
		assert_int_equal(a->data[i], (uint8_t)(from + i));
}

static inline void put_trace(struct image *image, uint8_t from, size_t size)
{
	for (size_t i = 0; i < size; i++)
		put(image, (uint8_t)(from + i), 1);
}

#endif

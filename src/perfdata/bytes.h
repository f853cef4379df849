/* SPDX-License-Identifier: MIT */
/* perfdata/bytes.h - append little-endian fields to memory that grows. When memory runs out the
 * bytes turn bad, and further fields are ignored: check once, at the end. */
#ifndef PMS_PERFDATA_BYTES_H
#define PMS_PERFDATA_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Zero-initialise before use. */
struct pms_bytes {
	uint8_t *at;
	size_t size, capacity;
	bool bad;
};

void pms_put_bytes(struct pms_bytes *bytes, const void *from, size_t size);
void pms_put_zeros(struct pms_bytes *bytes, size_t size);
/** Append the low @size bytes of @value. */
void pms_put(struct pms_bytes *bytes, uint64_t value, size_t size);
/** Overwrite @size bytes at @at with the low bytes of @value. */
void pms_put_at(struct pms_bytes *bytes, size_t at, uint64_t value, size_t size);
/** Append a text and its zero, padded with zeros to a multiple of @align, counted from @begin. */
void pms_put_text(struct pms_bytes *bytes, size_t begin, const char *text, size_t align);
/** Append a text with its length in front, padded to 64 bytes, as sections hold texts. */
void pms_put_string(struct pms_bytes *bytes, const char *text);

void pms_bytes_release(struct pms_bytes *bytes);

#endif

/* SPDX-License-Identifier: MIT */
/* perfdata/bytes.h - little-endian fields put one after another into memory that grows. What does
 * not fit the memory makes it bad, and nothing is put from then on: check once, at the end. */
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
/** The low @size bytes of a number. */
void pms_put(struct pms_bytes *bytes, uint64_t value, size_t size);
/** The same, over what is there. */
void pms_put_at(struct pms_bytes *bytes, size_t at, uint64_t value, size_t size);
/** A text with its end, filled up with zeros to a multiple of @align from @begin on. */
void pms_put_text(struct pms_bytes *bytes, size_t begin, const char *text, size_t align);
/** A text behind its length, filled up to 64 bytes, as sections have them. */
void pms_put_string(struct pms_bytes *bytes, const char *text);

void pms_bytes_release(struct pms_bytes *bytes);

#endif

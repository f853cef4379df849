/* SPDX-License-Identifier: MIT */
/* perfdata/inflate.h - decompress records. All compressed records of a file form one zstd
 * stream, and a record may begin in one of them and end in the next. Flow: source -> [inflate]
 * -> reader. */
#ifndef PMS_PERFDATA_INFLATE_H
#define PMS_PERFDATA_INFLATE_H

#include <stddef.h>
#include <stdint.h>

#include "pmuscope/error.h"

/** Zero-initialise before use. */
struct pms_inflate {
	struct ZSTD_DCtx_s *stream;
	uint8_t *buffer;
	size_t at, have;      /* the decompressed bytes to be read next */
	const uint8_t *input; /* compressed bytes not yet read, borrowed */
	size_t left;
	int more; /* 1: the output was full, so more bytes may come without input */
};

/** Hand over compressed bytes, after all earlier ones were used up. Returns 0. Errors:
 * -PMS_ENOMEM. */
int pms_inflate_feed(struct pms_inflate *inflate, const uint8_t *bytes, size_t size,
		     struct pms_error *err);

/** Decompress until the buffer is full or the input used up. *grown: bytes gained; 0 when no more
 * can be gained. Returns 0. Errors: -PMS_EPARSE. */
int pms_inflate_more(struct pms_inflate *inflate, size_t *grown, struct pms_error *err);

void pms_inflate_release(struct pms_inflate *inflate);

#endif

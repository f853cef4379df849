/* SPDX-License-Identifier: MIT */
/* perfdata/inflate.h - records out of compressed ones. All of a file's are one zstd stream, and a
 * record may begin in one and end in another.
 * Flow: source -> [inflate] -> reader. */
#ifndef PMS_PERFDATA_INFLATE_H
#define PMS_PERFDATA_INFLATE_H

#include <stddef.h>
#include <stdint.h>

#include "pmuscope/error.h"

/** Zero-initialise before use. */
struct pms_inflate {
	struct ZSTD_DCtx_s *stream;
	uint8_t *buffer;
	size_t at, have;      /* decompressed bytes in the buffer that are next */
	const uint8_t *input; /* compressed bytes to come, borrowed */
	size_t left;
	int more; /* the stream had no room: there may be bytes without input */
};

/** Hand over compressed bytes; those before must have been used up.
 * Errors: -PMS_ENOMEM. */
int pms_inflate_feed(struct pms_inflate *inflate, const uint8_t *bytes, size_t size,
		     struct pms_error *err);

/** Decompress until the buffer is full or the input used up. *grown: bytes gained; 0 when there is
 * no more to gain. Errors: -PMS_EPARSE. */
int pms_inflate_more(struct pms_inflate *inflate, size_t *grown, struct pms_error *err);

void pms_inflate_release(struct pms_inflate *inflate);

#endif

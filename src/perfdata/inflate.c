/* SPDX-License-Identifier: MIT */
#include "perfdata/inflate.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/limits.h"
#include "base/status.h"

/* Four times the largest record: at most every fourth record is moved to the front in parts. */
enum { BUFFER = 256 << 10 };

static bool begin(struct pms_inflate *inflate)
{
	ZSTD_DStream *stream = ZSTD_createDStream();
	inflate->stream = stream;
	inflate->buffer = malloc(BUFFER);
	return stream && inflate->buffer &&
	       !ZSTD_isError(
		       ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, PMS_MOST_WINDOW_BITS));
}

int pms_inflate_feed(struct pms_inflate *inflate, const uint8_t *bytes, size_t size,
		     struct pms_error *err)
{
	assert(!inflate->left);
	if (!inflate->stream && !begin(inflate)) {
		pms_inflate_release(inflate);
		return pms_no_memory(err);
	}
	inflate->input = bytes;
	inflate->left = size;
	return 0;
}

static int refused(size_t rc, struct pms_error *err)
{
	if (ZSTD_getErrorCode(rc) == ZSTD_error_memory_allocation)
		return pms_no_memory(err);
	if (ZSTD_getErrorCode(rc) != ZSTD_error_frameParameter_windowTooLarge)
		return pms_fail(err, PMS_EPARSE, "compressed bytes are damaged: %s",
				ZSTD_getErrorName(rc));
	pms_fail(err, PMS_EPARSE, "compressed records take more memory than %d MiB",
		 (1 << PMS_MOST_WINDOW_BITS) >> 20);
	pms_hint(err, "record with perf record -z and a level of 19 or less");
	return -PMS_EPARSE;
}

int pms_inflate_more(struct pms_inflate *inflate, size_t *grown, struct pms_error *err)
{
	*grown = 0;
	if (!inflate->left && !inflate->more)
		return 0;
	if (inflate->have)
		memmove(inflate->buffer, inflate->buffer + inflate->at, inflate->have);
	inflate->at = 0;
	ZSTD_inBuffer in = { inflate->input, inflate->left, 0 };
	ZSTD_outBuffer out = { inflate->buffer, BUFFER, inflate->have };
	do {
		size_t before = in.pos + out.pos;
		size_t rc = ZSTD_decompressStream(inflate->stream, &out, &in);
		if (ZSTD_isError(rc))
			return refused(rc, err);
		if (in.pos + out.pos == before)
			break;
	} while (in.pos < in.size && out.pos < out.size);
	inflate->input += in.pos;
	inflate->left -= in.pos;
	inflate->more = out.pos == out.size;
	*grown = out.pos - inflate->have;
	inflate->have = out.pos;
	return 0;
}

void pms_inflate_release(struct pms_inflate *inflate)
{
	ZSTD_freeDStream(inflate->stream);
	free(inflate->buffer);
	*inflate = (struct pms_inflate){ 0 };
}

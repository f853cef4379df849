/* SPDX-License-Identifier: MIT */
/* base/memstream.h - a stream that writes a text into memory, and reports when memory ran out.
 * open_memstream() of the C library drops bytes then, and neither ferror() nor fclose() reports
 * it. */
#ifndef PMS_BASE_MEMSTREAM_H
#define PMS_BASE_MEMSTREAM_H

#include <stdio.h>

/**
 * Open a stream for writing from the beginning to the end.
 * @text: receives the text when the stream is closed, with a final zero; free it
 * @size: receives its length in bytes, without the zero
 * Until then they are NULL and 0. Returns the stream, or NULL when out of memory.
 */
FILE *pms_memstream_open(char **text, size_t *size);

/**
 * Close a stream of pms_memstream_open.
 * Returns 0, or -PMS_ENOMEM: some of the text is lost, and *text is NULL.
 */
int pms_memstream_close(FILE *stream);

#endif

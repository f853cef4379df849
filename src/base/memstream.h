/* SPDX-License-Identifier: MIT */
/* base/memstream.h - a stream that writes a text into memory, and tells when memory ran out.
 * That of the C library, open_memstream(), leaves bytes out then, and neither ferror() nor fclose()
 * know of it. */
#ifndef PMS_BASE_MEMSTREAM_H
#define PMS_BASE_MEMSTREAM_H

#include <stdio.h>

/**
 * Open a stream for writing from the beginning to the end.
 * @text: the text once the stream is closed, with a zero behind it; to be freed
 * @size: its bytes, without the zero
 * Until the stream is closed they are NULL and 0. Returns it, or NULL when out of memory.
 */
FILE *pms_memstream_open(char **text, size_t *size);

/**
 * Close a stream of pms_memstream_open.
 * Returns 0, or -PMS_ENOMEM: something that was written is missing, and *text is NULL.
 */
int pms_memstream_close(FILE *stream);

#endif

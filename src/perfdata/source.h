/* SPDX-License-Identifier: MIT */
/* perfdata/source.h - bytes in a row, from a mapped file, memory or a stream.
 * Flow: [source] -> inflate -> reader. */
#ifndef PMS_PERFDATA_SOURCE_H
#define PMS_PERFDATA_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmuscope/error.h"

/** What a stream can look ahead: more than the largest record, 64 KiB. */
enum { PMS_SOURCE_WINDOW = 1 << 20 };

struct pms_source {
	const uint8_t *map; /* NULL: a stream */
	uint64_t size;	    /* of the map */
	uint64_t end;	    /* reading ends here; of a stream UINT64_MAX */
	uint64_t offset;    /* of the next byte */
	uint64_t dropped;   /* pages of the map before this were given back */
	bool drops;	    /* the map is of a file, whose pages can be given back */
	bool owned;	    /* unmap it */
	int fd;		    /* of a stream, else -1 */
	uint8_t *buffer;    /* of a stream: PMS_SOURCE_WINDOW bytes */
	size_t at, have;    /* the bytes in the buffer that are next */
};

/**
 * Open a file, or standard input for "-".
 * Errors: -PMS_EIO, -PMS_ENOMEM; -PMS_EPARSE a directory.
 */
int pms_source_open(struct pms_source *source, const char *path, struct pms_error *err);

/** The same for a descriptor, which is taken over. @first: what was read of a stream already; more
 * than PMS_SOURCE_WINDOW is -PMS_EINVAL. */
int pms_source_open_fd(struct pms_source *source, int fd, const void *first, size_t n_first,
		       struct pms_error *err);

void pms_source_bytes(struct pms_source *source, const void *bytes, size_t size);

/**
 * Look at the next bytes.
 * @want: 1..PMS_SOURCE_WINDOW
 * @at:   where they are: of a map valid until close, of a stream until the next call
 * @got:  at least @want, except before the end; may be more
 * Errors: -PMS_EIO.
 */
int pms_source_peek(struct pms_source *source, size_t want, const uint8_t **at, size_t *got,
		    struct pms_error *err);

/** Step over @count of the bytes that pms_source_peek showed. */
void pms_source_step(struct pms_source *source, size_t count);

void pms_source_close(struct pms_source *source);

#endif

/* SPDX-License-Identifier: MIT */
/* perfdata/source.h - bytes in a row, from a file, memory or a stream.
 * Flow: [source] -> inflate -> reader.
 * What is looked at more than once is read into a buffer: mapped bytes change when somebody writes
 * to the file, and those that somebody cuts off end the process by SIGBUS. */
#ifndef PMS_PERFDATA_SOURCE_H
#define PMS_PERFDATA_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmuscope/error.h"

/** How far one can look ahead: more than the largest record, 64 KiB. */
enum { PMS_SOURCE_WINDOW = 1 << 18 };

/** How much of a file is mapped at once, by pms_source_peek_much. */
enum { PMS_SOURCE_MAP = 4 << 20 };

enum pms_source_kind { PMS_SOURCE_MEMORY, PMS_SOURCE_FILE, PMS_SOURCE_STREAM };

struct pms_perfdata_source {
	enum pms_source_kind kind;
	const uint8_t *memory; /* the caller's */
	uint64_t size;	       /* of the file or the memory, when it was opened; of a stream 0 */
	uint64_t end;	       /* reading ends here; of a stream UINT64_MAX */
	uint64_t offset;       /* of the next byte */
	int fd;		       /* of a file or a stream, else -1 */
	uint8_t *buffer;       /* of a file or a stream */
	size_t room;	       /* its bytes */
	size_t at, have;       /* the bytes in the buffer that are next */
	const uint8_t *map;    /* part of a file, from map_from on; NULL: none */
	uint64_t map_from;
	size_t map_size;
};

/**
 * Open a file, or standard input for "-".
 * Errors: -PMS_EIO, -PMS_ENOMEM; -PMS_EPARSE a directory.
 */
int pms_source_open(struct pms_perfdata_source *source, const char *path, struct pms_error *err);

/** The same for a descriptor, which is taken over. @first: what was read of a stream already; more
 * than 1 MiB is -PMS_EINVAL. */
int pms_source_open_fd(struct pms_perfdata_source *source, int fd, const void *first,
		       size_t n_first, struct pms_error *err);

void pms_source_bytes(struct pms_perfdata_source *source, const void *bytes, size_t size);

/** Open what @other, which is no stream, reads, to read it from its start on as well. Errors:
 * -PMS_EIO, -PMS_ENOMEM. */
int pms_source_again(struct pms_perfdata_source *source, const struct pms_perfdata_source *other,
		     struct pms_error *err);

/** Whether its bytes come once and in their order alone. */
static inline bool pms_source_streams(const struct pms_perfdata_source *source)
{
	return source->kind == PMS_SOURCE_STREAM;
}

/**
 * Look at the next bytes.
 * @want: 1..PMS_SOURCE_WINDOW
 * @at:   where they are: in memory valid until close, else until the next call
 * @got:  at least @want, except before the end; may be more
 * Errors: -PMS_EIO, also when a file has become shorter than it was.
 */
int pms_source_peek(struct pms_perfdata_source *source, size_t want, const uint8_t **at,
		    size_t *got, struct pms_error *err);

/**
 * The same where there are many bytes to come, which are not looked at twice: a file's are mapped,
 * since copying them takes a tenth of the time that it takes to decode them. When somebody shortens
 * the file, that is an error here, or SIGBUS while they are looked at.
 * @got: at least as many as pms_source_peek of PMS_SOURCE_WINDOW gives; step over them by
 *       pms_source_skip
 */
int pms_source_peek_much(struct pms_perfdata_source *source, const uint8_t **at, size_t *got,
			 struct pms_error *err);

/** Step over @count of the bytes that pms_source_peek showed. */
void pms_source_step(struct pms_perfdata_source *source, size_t count);

/** Step over @count bytes unseen. @skipped: fewer before the end. Errors: as pms_source_peek. */
int pms_source_skip(struct pms_perfdata_source *source, uint64_t count, uint64_t *skipped,
		    struct pms_error *err);

/** Go back to a place of what is no stream. */
void pms_source_seek(struct pms_perfdata_source *source, uint64_t offset);

/** Copy bytes from anywhere in what is no stream; they lie inside of its size. Errors: as
 * pms_source_peek. */
int pms_source_copy(const struct pms_perfdata_source *source, uint64_t offset, void *into,
		    size_t size, struct pms_error *err);

void pms_source_close(struct pms_perfdata_source *source);

#endif

/* SPDX-License-Identifier: MIT */
/* perfdata/source.h - read bytes in order from a file, memory or a stream. Flow: [source] ->
 * inflate -> reader.
 * Bytes that are looked at twice are read into a buffer. Mapped bytes would change when somebody
 * writes to the file, and end the process by SIGBUS when somebody shortens it. */
#ifndef PMS_PERFDATA_SOURCE_H
#define PMS_PERFDATA_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmuscope/error.h"

/** How far pms_source_peek looks ahead: more than the largest record, 64 KiB. */
enum { PMS_SOURCE_WINDOW = 1 << 18 };

/** The most bytes of a file that pms_source_peek_much maps at once. */
enum { PMS_SOURCE_MAP = 4 << 20 };

enum pms_source_kind { PMS_SOURCE_MEMORY, PMS_SOURCE_FILE, PMS_SOURCE_STREAM };

struct pms_perfdata_source {
	enum pms_source_kind kind;
	const uint8_t *memory; /* owned by the caller */
	uint64_t size;	       /* bytes of the file or memory when opened; 0 of a stream */
	uint64_t end;	       /* where reading ends; UINT64_MAX of a stream */
	uint64_t offset;       /* place of the next byte */
	int fd;		       /* descriptor of a file or stream, else -1 */
	uint8_t *buffer;       /* used for files and streams */
	size_t room;	       /* bytes of the buffer */
	size_t at, have;       /* the next bytes, within the buffer */
	const uint8_t *map;    /* part of a file, from map_from on; NULL: nothing is mapped */
	uint64_t map_from;
	size_t map_size;
};

/** Open a file, or standard input for "-".
 * Returns 0. Errors: -PMS_EIO, -PMS_ENOMEM; -PMS_EPARSE a directory. */
int pms_source_open(struct pms_perfdata_source *source, const char *path, struct pms_error *err);

/** As pms_source_open, for a descriptor, which is taken over. @first: bytes already read from a
 * stream. Errors: also -PMS_EINVAL more than 1 MiB of them. */
int pms_source_open_fd(struct pms_perfdata_source *source, int fd, const void *first,
		       size_t n_first, struct pms_error *err);

void pms_source_bytes(struct pms_perfdata_source *source, const void *bytes, size_t size);

/** Open the input of @other, which is no stream, once more, to read it from its start. Returns 0.
 * Errors: -PMS_EIO, -PMS_ENOMEM. */
int pms_source_again(struct pms_perfdata_source *source, const struct pms_perfdata_source *other,
		     struct pms_error *err);

/** Returns whether the bytes come once only, in order. */
static inline bool pms_source_streams(const struct pms_perfdata_source *source)
{
	return source->kind == PMS_SOURCE_STREAM;
}

/** Look at the next bytes.
 * @want: 1..PMS_SOURCE_WINDOW
 * @at:   receives where they are: in memory valid until close, else until the next call
 * @got:  receives at least @want, fewer at the end; may be more
 * Returns 0. Errors: -PMS_EIO, also when a file has become shorter than it was. */
int pms_source_peek(struct pms_perfdata_source *source, size_t want, const uint8_t **at,
		    size_t *got, struct pms_error *err);

/** Look at many bytes, each of them once. A file's bytes are mapped: copying them would take a
 * tenth of the time of decoding them. When somebody shortens the file, this call fails, or
 * SIGBUS ends the process while it looks at the bytes. Step over the bytes with pms_source_skip.
 * @got: receives at least as many bytes as pms_source_peek of PMS_SOURCE_WINDOW gives
 * Returns and errors: as pms_source_peek. */
int pms_source_peek_much(struct pms_perfdata_source *source, const uint8_t **at, size_t *got,
			 struct pms_error *err);

/** Step over @count of the bytes that pms_source_peek gave. */
void pms_source_step(struct pms_perfdata_source *source, size_t count);

/** Step over @count bytes without looking at them. @skipped: fewer at the end. Returns and
 * errors: as pms_source_peek. */
int pms_source_skip(struct pms_perfdata_source *source, uint64_t count, uint64_t *skipped,
		    struct pms_error *err);

/** Go to a place. The source is no stream. */
void pms_source_seek(struct pms_perfdata_source *source, uint64_t offset);

/** Copy bytes from anywhere within the size of a source that is no stream. Returns and errors: as
 * pms_source_peek. */
int pms_source_copy(const struct pms_perfdata_source *source, uint64_t offset, void *into,
		    size_t size, struct pms_error *err);

void pms_source_close(struct pms_perfdata_source *source);

#endif

/* SPDX-License-Identifier: MIT */
#include "perfdata/source.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"

enum { FIRST_MOST = 1 << 20 };

static int buffer_new(struct pms_perfdata_source *source, size_t room, struct pms_error *err)
{
	source->buffer = malloc(room);
	source->room = room;
	return source->buffer ? 0 : pms_no_memory(err);
}

static int file_begin(struct pms_perfdata_source *source, int fd, uint64_t size,
		      struct pms_error *err)
{
	source->kind = PMS_SOURCE_FILE;
	source->size = source->end = size;
	source->fd = fd;
	return buffer_new(source, PMS_SOURCE_WINDOW, err);
}

static int stream_begin(struct pms_perfdata_source *source, int fd, const void *first,
			size_t n_first, struct pms_error *err)
{
	source->kind = PMS_SOURCE_STREAM;
	source->end = UINT64_MAX;
	source->fd = fd;
	int rc = buffer_new(source, n_first > PMS_SOURCE_WINDOW ? n_first : PMS_SOURCE_WINDOW, err);
	if (!rc && n_first)
		memcpy(source->buffer, first, n_first);
	source->have = rc ? 0 : n_first;
	return rc;
}

int pms_source_open_fd(struct pms_perfdata_source *source, int fd, const void *first,
		       size_t n_first, struct pms_error *err)
{
	struct stat st;
	int rc;
	*source = (struct pms_perfdata_source){ .fd = -1 };
	if (n_first > FIRST_MOST) {
		rc = pms_fail(err, PMS_EINVAL, "too much was read of the stream already");
	} else if (fstat(fd, &st)) {
		rc = pms_fail(err, PMS_EIO, "%s", strerror(errno));
	} else if (S_ISDIR(st.st_mode)) {
		rc = pms_fail(err, PMS_EPARSE,
			      "is a directory, as perf record --threads writes; that "
			      "form is not read");
		pms_hint(err, "record without --threads");
	} else if (S_ISREG(st.st_mode)) {
		rc = file_begin(source, fd, (uint64_t)st.st_size, err);
	} else {
		rc = stream_begin(source, fd, first, n_first, err);
	}
	if (source->fd < 0)
		close(fd);
	return rc;
}

int pms_source_open(struct pms_perfdata_source *source, const char *path, struct pms_error *err)
{
	*source = (struct pms_perfdata_source){ .fd = -1 };
	int fd = strcmp(path, "-") != 0 ? open(path, O_RDONLY | O_CLOEXEC) : dup(STDIN_FILENO);
	if (fd < 0)
		return pms_fail(err, PMS_EIO, "cannot be opened: %s", strerror(errno));
	return pms_source_open_fd(source, fd, NULL, 0, err);
}

void pms_source_bytes(struct pms_perfdata_source *source, const void *bytes, size_t size)
{
	*source = (struct pms_perfdata_source){
		.kind = PMS_SOURCE_MEMORY, .memory = bytes, .size = size, .end = size, .fd = -1
	};
}

int pms_source_again(struct pms_perfdata_source *source, const struct pms_perfdata_source *other,
		     struct pms_error *err)
{
	assert(!pms_source_streams(other));
	if (other->kind == PMS_SOURCE_MEMORY) {
		pms_source_bytes(source, other->memory, (size_t)other->size);
		return 0;
	}
	*source = (struct pms_perfdata_source){ .fd = -1 };
	int fd = fcntl(other->fd, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		return pms_fail(err, PMS_EIO, "cannot be opened: %s", strerror(errno));
	return file_begin(source, fd, other->size, err);
}

/* Read until @need bytes are there or the input ends; never more than @room. @offset: where to
 * read, in a file */
static int read_until(const struct pms_perfdata_source *source, uint64_t offset, uint8_t *into,
		      size_t need, size_t room, size_t *got, struct pms_error *err)
{
	*got = 0;
	while (*got < need) {
		uint8_t *to = into + *got;
		size_t left = room - *got;
		ssize_t n = source->kind == PMS_SOURCE_FILE
				    ? pread(source->fd, to, left, (off_t)(offset + *got))
				    : read(source->fd, to, left);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return pms_fail(err, PMS_EIO, "cannot be read: %s", strerror(errno));
		if (!n)
			break;
		*got += (size_t)n;
	}
	return 0;
}

static int shortened(const struct pms_perfdata_source *source, uint64_t offset,
		     struct pms_error *err)
{
	int rc = pms_fail(err, PMS_EIO,
			  "was cut while it was read: it had %" PRIu64
			  " bytes, and ends at %" PRIu64 " now",
			  source->size, offset);
	pms_hint(err, "read it again when nothing writes to it");
	return rc;
}

/* Fill the buffer behind its content with as much of the file as fits, in one read. */
static int fill_from_file(struct pms_perfdata_source *source, size_t want, struct pms_error *err)
{
	uint64_t from = source->offset + source->have, left = source->end - from;
	size_t room = source->room - source->have, size = left < room ? (size_t)left : room, got;
	size_t missing = want - source->have;
	uint8_t *into = source->buffer + source->have;
	int rc = read_until(source, from, into, size, size, &got, err);
	source->have += got;
	if (!rc && got < size && got < missing)
		rc = shortened(source, from + got, err);
	return rc;
}

/* Read until the buffer has @want bytes, or the stream ends. */
static int fill_from_stream(struct pms_perfdata_source *source, size_t want, struct pms_error *err)
{
	size_t end = source->at + source->have, got;
	int rc = read_until(source, 0, source->buffer + end, want - source->have,
			    source->room - end, &got, err);
	source->have += got;
	return rc;
}

static int fill(struct pms_perfdata_source *source, size_t want, struct pms_error *err)
{
	bool is_file = source->kind == PMS_SOURCE_FILE;
	if (source->at && (is_file || source->room - source->at < want)) {
		memmove(source->buffer, source->buffer + source->at, source->have);
		source->at = 0;
	}
	return is_file ? fill_from_file(source, want, err) : fill_from_stream(source, want, err);
}

int pms_source_peek(struct pms_perfdata_source *source, size_t want, const uint8_t **at,
		    size_t *got, struct pms_error *err)
{
	assert(want > 0 && want <= PMS_SOURCE_WINDOW);
	uint64_t left = source->end - source->offset;
	if (source->kind == PMS_SOURCE_MEMORY) {
		*at = source->memory + source->offset;
		*got = (size_t)left;
		return 0;
	}
	int rc = source->have < want && source->have < left ? fill(source, want, err) : 0;
	*at = source->buffer + source->at;
	*got = source->have < left ? source->have : (size_t)left;
	return rc;
}

static void map_release(struct pms_perfdata_source *source)
{
	if (source->map)
		munmap((void *)(uintptr_t)source->map, source->map_size);
	source->map = NULL;
}

/* Whether the map holds enough of the next bytes: PMS_SOURCE_WINDOW, or all up to the end. */
static bool map_is_there(const struct pms_perfdata_source *source)
{
	if (!source->map || source->offset < source->map_from)
		return false;
	uint64_t within = source->offset - source->map_from, left = source->end - source->offset;
	return within < source->map_size && (source->map_size - within >= PMS_SOURCE_WINDOW ||
					     source->map_size - within >= left);
}

/* Map the next bytes, from the start of their page. False where the file system cannot. */
static bool map_next(struct pms_perfdata_source *source)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t from = source->offset / page * page, left = source->end - from;
	size_t size = left < PMS_SOURCE_MAP ? (size_t)left : PMS_SOURCE_MAP;
	map_release(source);
	void *map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, source->fd, (off_t)from);
	if (map == MAP_FAILED)
		return false;
	source->map = map;
	source->map_from = from;
	source->map_size = size;
	return true;
}

int pms_source_peek_much(struct pms_perfdata_source *source, const uint8_t **at, size_t *got,
			 struct pms_error *err)
{
	uint64_t left = source->end - source->offset;
	size_t window = left < PMS_SOURCE_WINDOW ? (size_t)left : PMS_SOURCE_WINDOW;
	struct stat st;
	if (source->kind != PMS_SOURCE_FILE || left < PMS_SOURCE_WINDOW ||
	    (!map_is_there(source) && !map_next(source)))
		return pms_source_peek(source, window ? window : 1, at, got, err);
	if (fstat(source->fd, &st))
		return pms_fail(err, PMS_EIO, "cannot be read: %s", strerror(errno));
	uint64_t within = source->offset - source->map_from;
	if ((uint64_t)st.st_size < source->map_from + source->map_size)
		return shortened(source, (uint64_t)st.st_size, err);
	*at = source->map + within;
	*got = source->map_size - (size_t)within;
	return 0;
}

void pms_source_step(struct pms_perfdata_source *source, size_t count)
{
	source->offset += count;
	assert(source->offset <= source->end);
	if (source->kind == PMS_SOURCE_MEMORY)
		return;
	assert(count <= source->have);
	source->have -= count;
	source->at = source->have ? source->at + count : 0;
}

int pms_source_skip(struct pms_perfdata_source *source, uint64_t count, uint64_t *skipped,
		    struct pms_error *err)
{
	uint64_t left = source->end - source->offset;
	*skipped = 0;
	if (!pms_source_streams(source)) {
		*skipped = count < left ? count : left;
		pms_source_seek(source, source->offset + *skipped);
		return 0;
	}
	while (*skipped < count) {
		const uint8_t *at;
		size_t got;
		int rc = pms_source_peek(source, 1, &at, &got, err);
		if (rc || !got)
			return rc;
		size_t step = got < count - *skipped ? got : (size_t)(count - *skipped);
		pms_source_step(source, step);
		*skipped += step;
	}
	return 0;
}

void pms_source_seek(struct pms_perfdata_source *source, uint64_t offset)
{
	assert(!pms_source_streams(source) && offset <= source->end);
	uint64_t ahead = offset - source->offset;
	bool is_there = offset >= source->offset && ahead < source->have;
	source->at = is_there ? source->at + (size_t)ahead : 0;
	source->have = is_there ? source->have - (size_t)ahead : 0;
	source->offset = offset;
}

int pms_source_copy(const struct pms_perfdata_source *source, uint64_t offset, void *into,
		    size_t size, struct pms_error *err)
{
	size_t got;
	assert(offset <= source->size && size <= source->size - offset);
	if (source->kind == PMS_SOURCE_MEMORY) {
		if (size)
			memcpy(into, source->memory + offset, size);
		return 0;
	}
	int rc = read_until(source, offset, into, size, size, &got, err);
	return !rc && got < size ? shortened(source, offset + got, err) : rc;
}

void pms_source_close(struct pms_perfdata_source *source)
{
	map_release(source);
	if (source->fd >= 0)
		close(source->fd);
	free(source->buffer);
	*source = (struct pms_perfdata_source){ .fd = -1 };
}

/* SPDX-License-Identifier: MIT */
#include "perfdata/source.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"

/* Pages of a map that were read are given back by this many bytes, so that a long file does not
 * fill the memory. They stay readable: the file has them. */
enum { DROP = 16 << 20 };

static int map_file(struct pms_source *source, int fd, uint64_t size, struct pms_error *err)
{
	if (size > SIZE_MAX)
		return pms_fail(err, PMS_EIO, "is too large for this machine's addresses");
	if (size) {
		void *map = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (map == MAP_FAILED)
			return pms_fail(err, PMS_EIO, "cannot be mapped: %s", strerror(errno));
		source->map = map;
		source->owned = source->drops = true;
	} else {
		source->map = (const uint8_t *)"";
	}
	source->size = source->end = size;
	return 0;
}

static int buffer_stream(struct pms_source *source, int fd, const void *first, size_t n_first,
			 struct pms_error *err)
{
	source->buffer = malloc(PMS_SOURCE_WINDOW);
	if (!source->buffer)
		return pms_fail(err, PMS_ENOMEM, "out of memory");
	if (n_first)
		memcpy(source->buffer, first, n_first);
	source->have = n_first;
	source->fd = fd;
	source->end = UINT64_MAX;
	return 0;
}

int pms_source_open_fd(struct pms_source *source, int fd, const void *first, size_t n_first,
		       struct pms_error *err)
{
	struct stat st;
	int rc;
	*source = (struct pms_source){ .fd = -1 };
	if (n_first > PMS_SOURCE_WINDOW) {
		rc = pms_fail(err, PMS_EINVAL, "too much was read of the stream already");
	} else if (fstat(fd, &st)) {
		rc = pms_fail(err, PMS_EIO, "%s", strerror(errno));
	} else if (S_ISDIR(st.st_mode)) {
		rc = pms_fail(err, PMS_EPARSE,
			      "is a directory, as perf record --threads writes; that "
			      "form is not read");
		pms_hint(err, "record without --threads");
	} else if (S_ISREG(st.st_mode)) {
		rc = map_file(source, fd, (uint64_t)st.st_size, err);
	} else {
		rc = buffer_stream(source, fd, first, n_first, err);
	}
	if (source->fd < 0)
		close(fd);
	return rc;
}

int pms_source_open(struct pms_source *source, const char *path, struct pms_error *err)
{
	*source = (struct pms_source){ .fd = -1 };
	int fd = strcmp(path, "-") != 0 ? open(path, O_RDONLY | O_CLOEXEC) : dup(STDIN_FILENO);
	if (fd < 0)
		return pms_fail(err, PMS_EIO, "cannot be opened: %s", strerror(errno));
	return pms_source_open_fd(source, fd, NULL, 0, err);
}

void pms_source_bytes(struct pms_source *source, const void *bytes, size_t size)
{
	*source = (struct pms_source){ .map = bytes, .size = size, .end = size, .fd = -1 };
}

/* Read until @want bytes are in the buffer, or the stream ends. */
static int fill(struct pms_source *source, size_t want, struct pms_error *err)
{
	if (PMS_SOURCE_WINDOW - source->at < want) {
		memmove(source->buffer, source->buffer + source->at, source->have);
		source->at = 0;
	}
	while (source->have < want) {
		size_t end = source->at + source->have;
		ssize_t n = read(source->fd, source->buffer + end, PMS_SOURCE_WINDOW - end);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return pms_fail(err, PMS_EIO, "cannot be read: %s", strerror(errno));
		if (!n)
			break;
		source->have += (size_t)n;
	}
	return 0;
}

int pms_source_peek(struct pms_source *source, size_t want, const uint8_t **at, size_t *got,
		    struct pms_error *err)
{
	assert(want > 0 && want <= PMS_SOURCE_WINDOW);
	if (source->map) {
		*at = source->map + source->offset;
		*got = (size_t)(source->end - source->offset);
		return 0;
	}
	int rc = source->have < want ? fill(source, want, err) : 0;
	*at = source->buffer + source->at;
	*got = source->have;
	return rc;
}

/* Best effort: the pages are this process's share of the page cache. */
static void drop_behind(struct pms_source *source, uint64_t offset)
{
	uint64_t behind = offset / DROP * DROP;
	if (behind <= source->dropped)
		return;
	madvise((void *)(source->map + source->dropped), (size_t)(behind - source->dropped),
		MADV_DONTNEED);
	source->dropped = behind;
}

void pms_source_step(struct pms_source *source, size_t count)
{
	if (source->drops) /* what is stepped over now is yet to be looked at */
		drop_behind(source, source->offset);
	source->offset += count;
	if (source->map) {
		assert(source->offset <= source->end);
		return;
	}
	assert(count <= source->have);
	source->have -= count;
	source->at = source->have ? source->at + count : 0;
}

void pms_source_close(struct pms_source *source)
{
	if (source->owned)
		munmap((void *)source->map, (size_t)source->size);
	if (source->fd >= 0)
		close(source->fd);
	free(source->buffer);
	*source = (struct pms_source){ .fd = -1 };
}

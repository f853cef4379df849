/* SPDX-License-Identifier: MIT */
/* A bare SPE buffer in a file or a pipe, read piece by piece. */
#include "base/status.h"
#include "pmuscope/spe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 1 << 18 };

struct pms_spe_file {
	char *path;
	int fd;
	uint64_t offset; /* of what is read next */
	size_t first;	 /* bytes read already when the file was opened, to know what it is */
	uint8_t bytes[PIECE];
};

/* Up to PIECE bytes, fewer at the end alone. */
static int fill(struct pms_spe_file *file, size_t *length, struct pms_error *err)
{
	size_t n = 0;
	while (n < PIECE) {
		ssize_t got = read(file->fd, file->bytes + n, PIECE - n);
		if (!got)
			break;
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return pms_fail_at(err, PMS_EIO, file->path, 0, 0, "cannot read: %s",
					   strerror(errno));
		n += (size_t)got;
	}
	*length = n;
	return 0;
}

static int next(void *context, struct pms_spe_buffer *buffer, struct pms_error *err)
{
	struct pms_spe_file *file = context;
	size_t length = file->first;
	file->first = 0;
	int status = length ? 0 : fill(file, &length, err);
	if (status)
		return status;
	*buffer = (struct pms_spe_buffer){
		.bytes = file->bytes, .length = length, .offset = file->offset, .cpu = -1, .tid = -1
	};
	file->offset += length;
	return length > 0;
}

/* The magic that perf.data files begin with, in either byte order. */
static int is_perf_data(const struct pms_spe_file *file)
{
	return file->first >= 8 &&
	       (!memcmp(file->bytes, "PERFILE2", 8) || !memcmp(file->bytes, "2ELIFREP", 8));
}

int pms_spe_file_open(const char *path, int raw, struct pms_spe_file **file, struct pms_error *err)
{
	struct pms_spe_file *f = calloc(1, sizeof(*f));
	int status = 0;
	*file = NULL;
	if (!f)
		return pms_fail(err, PMS_ENOMEM, "out of memory");
	int standard = !strcmp(path, "-");
	f->fd = -1;
	f->path = strdup(standard ? "standard input" : path);
	if (!f->path) {
		free(f);
		return pms_fail(err, PMS_ENOMEM, "out of memory");
	}
	f->fd = standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	if (f->fd < 0)
		status = pms_fail_at(err, PMS_EIO, f->path, 0, 0, "cannot open: %s",
				     strerror(errno));
	else
		status = fill(f, &f->first, err);
	if (!status && !raw && is_perf_data(f))
		status = pms_fail_at(err, PMS_EPARSE, f->path, 0, 0,
				     "a perf.data file, not a bare SPE buffer");
	if (status) {
		pms_spe_file_close(f);
		return status;
	}
	*file = f;
	return 0;
}

struct pms_spe_input pms_spe_file_input(struct pms_spe_file *file)
{
	return (struct pms_spe_input){ .next = next, .context = file };
}

void pms_spe_file_close(struct pms_spe_file *file)
{
	if (!file)
		return;
	if (file->fd >= 0)
		close(file->fd);
	free(file->path);
	free(file);
}

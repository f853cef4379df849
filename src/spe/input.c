/* SPDX-License-Identifier: MIT */
/* Read SPE bytes: a bare buffer in a file or a pipe, piece by piece, or the trace buffers of a
 * perf.data. */
#include "base/array.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "base/status.h"
#include "spe/input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 18 };

/* A stream of a perf.data: the buffer of a CPU or a thread. */
struct stream {
	uint32_t idx;
	int32_t cpu, tid;
	uint64_t end;  /* offset behind its last bytes */
	int broken;    /* 1: the next bytes do not follow these */
	uint32_t next; /* of the same hash; PMS_NO_ROW: none */
};

struct pms_spe_file {
	char *path;
	int fd;			       /* -1: none, or the perf.data's */
	uint64_t offset;	       /* of what is read next */
	size_t first;		       /* bytes read while opening the file, to recognise it */
	struct pms_perfdata *perfdata; /* NULL: a bare buffer */
	const uint8_t *memory;	       /* a bare buffer there; NULL: in a file */
	size_t n_memory;
	struct stream *streams;
	size_t n_streams, last;		    /* last: which was given last */
	struct pms_hash_key key;	    /* of the hashes of streams */
	struct pms_numbers by_hash;	    /* the newest stream of each */
	uint64_t left_out;		    /* bytes of streams beyond the bound */
	struct pms_perfdata_auxtrace piece; /* that was given last */
	uint8_t bytes[PIECE];
};

/* Read PIECE bytes, fewer only at the end. */
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

static int next_bare(void *context, struct pms_spe_buffer *buffer, struct pms_error *err)
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

static int is_of(const struct stream *s, const struct pms_perfdata_auxtrace *piece)
{
	return s->idx == piece->idx && s->cpu == piece->cpu && s->tid == piece->tid;
}

static uint64_t hash_of(struct pms_spe_file *file, const struct pms_perfdata_auxtrace *piece)
{
	const uint32_t of[] = { piece->idx, (uint32_t)piece->cpu, (uint32_t)piece->tid };
	if (!file->n_streams)
		file->key = pms_hash_draw();
	return pms_hash_bytes(&file->key, of, sizeof(of));
}

/* Find the number of @piece's stream, most often the last one given. A new stream gets the next
 * number, up to the bound. Returns 1, 0 where there is no more room, -PMS_ENOMEM. */
static int stream_of(struct pms_spe_file *file, const struct pms_perfdata_auxtrace *piece,
		     size_t *number)
{
	*number = file->last;
	if (file->n_streams && is_of(&file->streams[file->last], piece))
		return 1;
	uint64_t hash = hash_of(file, piece);
	uint32_t first = pms_numbers_get(&file->by_hash, hash), i = first;
	while (i != PMS_NO_ROW && !is_of(&file->streams[i], piece))
		i = file->streams[i].next;
	*number = file->last = i != PMS_NO_ROW ? i : file->n_streams;
	if (i != PMS_NO_ROW)
		return 1;
	if (file->n_streams == PMS_MOST_SPE_STREAMS) {
		file->last = 0;
		return 0;
	}
	struct stream *streams =
		pms_array_room(file->streams, file->n_streams, sizeof(struct stream));
	if (streams)
		file->streams = streams;
	if (!streams || pms_numbers_set(&file->by_hash, hash, (uint32_t)file->n_streams))
		return -PMS_ENOMEM;
	streams[file->n_streams++] = (struct stream){ .idx = piece->idx,
						      .cpu = piece->cpu,
						      .tid = piece->tid,
						      .end = piece->offset,
						      .next = first };
	return 1;
}

/* Returns 1 with the piece as a buffer, 0 where its stream is beyond the bound, -PMS_ENOMEM. */
static int take_piece(struct pms_spe_file *file, const struct pms_perfdata_auxtrace *piece,
		      struct pms_spe_buffer *buffer, struct pms_error *err)
{
	/* After these the device starts anew, perhaps inside a record. */
	const uint64_t breaking =
		PMS_PERFDATA_AUX_TRUNCATED | PMS_PERFDATA_AUX_PARTIAL | PMS_PERFDATA_AUX_OVERWRITE;
	size_t number;
	int taken = stream_of(file, piece, &number);
	if (taken < 0)
		return pms_no_memory(err);
	if (!taken) {
		file->left_out += piece->size;
		return 0;
	}
	struct stream *s = &file->streams[number];
	*buffer = (struct pms_spe_buffer){ .bytes = piece->data,
					   .length = piece->size,
					   .offset = piece->offset,
					   .stream = number,
					   .breaks = s->broken || s->end != piece->offset,
					   .cpu = piece->cpu,
					   .tid = piece->tid,
					   .piece = &file->piece };
	file->piece = *piece;
	s->end = piece->offset + piece->size;
	s->broken = piece->described && piece->ends_aux && piece->flags & breaking;
	return 1;
}

static int next_of_perfdata(void *context, struct pms_spe_buffer *buffer, struct pms_error *err)
{
	struct pms_spe_file *file = context;
	struct pms_perfdata_record record;
	int status;
	while ((status = pms_perfdata_next(file->perfdata, &record, err)) > 0) {
		if (record.type != PMS_PERFDATA_AUXTRACE || !record.auxtrace.size)
			continue;
		uint32_t type = pms_perfdata_info(file->perfdata)->auxtrace_type;
		if (type != PMS_PERFDATA_AUXTRACE_ARM_SPE)
			return pms_fail_at(err, PMS_EPARSE, file->path, 0, 0,
					   "its traces are not Arm SPE's, but of type %" PRIu32,
					   type);
		status = take_piece(file, &record.auxtrace, buffer, err);
		if (status)
			return status;
	}
	if (status || file->n_streams)
		return status;
	const struct pms_perfdata_stats *stats = pms_perfdata_stats(file->perfdata);
	status = pms_fail_at(err, PMS_EPARSE, file->path, 0, 0, "it has no Arm SPE buffers");
	if (stats->cut)
		pms_hint(err, "it is cut short at byte %" PRIu64 ": %s", stats->cut_at,
			 stats->cut_text);
	pms_hint(err, "record them with: perf record -e arm_spe_0// -- PROGRAM");
	return status;
}

static int next_in_memory(void *context, struct pms_spe_buffer *buffer, struct pms_error *err)
{
	struct pms_spe_file *file = context;
	(void)err;
	*buffer = (struct pms_spe_buffer){
		.bytes = file->memory, .length = file->n_memory, .cpu = -1, .tid = -1
	};
	file->n_memory = 0;
	return buffer->length > 0;
}

static int open_bare(struct pms_spe_file *file, const char *path, struct pms_error *err)
{
	int standard = !strcmp(path, "-");
	file->path = strdup(standard ? "standard input" : path);
	if (!file->path)
		return pms_no_memory(err);
	file->fd = standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	if (file->fd < 0)
		return pms_fail_at(err, PMS_EIO, file->path, 0, 0, "cannot open: %s",
				   strerror(errno));
	return fill(file, &file->first, err);
}

static int write_all(int fd, const uint8_t *bytes, size_t length)
{
	while (length) {
		ssize_t n = write(fd, bytes, length);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		bytes += n;
		length -= (size_t)n;
	}
	return 0;
}

/* Open a file that vanishes when it is closed. Returns -1 with errno. */
static int scratch_open(const char *directory)
{
	int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
		return fd;
	char name[4096];
	if (snprintf(name, sizeof(name), "%s/pmuscope-XXXXXX", directory) >= (int)sizeof(name)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0)
		unlink(name);
	return fd;
}

/* Copy everything from a pipe to a file, and read the file instead. */
static int spool(struct pms_spe_file *f, struct pms_error *err)
{
	const char *directory = getenv("TMPDIR");
	struct stat st;
	if (fstat(f->fd, &st) || S_ISREG(st.st_mode))
		return 0;
	directory = directory && directory[0] ? directory : "/tmp";
	int fd = scratch_open(directory), status = 0;
	if (fd < 0)
		status =
			pms_fail_at(err, PMS_EIO, directory, 0, 0,
				    "cannot keep what comes through the pipe: %s", strerror(errno));
	for (size_t length = f->first; !status && length;) {
		if (write_all(fd, f->bytes, length))
			status = pms_fail_at(err, PMS_EIO, directory, 0, 0,
					     "cannot keep what comes through the pipe: %s",
					     strerror(errno));
		else
			status = fill(f, &length, err);
	}
	if (status)
		pms_hint(err, "let TMPDIR name a directory that has room for all of it");
	if (fd >= 0) {
		close(f->fd);
		f->fd = fd;
		f->first = 0;
	}
	return status;
}

static int open_file(const char *path, int raw, int twice, struct pms_spe_file **file,
		     struct pms_error *err)
{
	struct pms_spe_file *f = calloc(1, sizeof(*f));
	*file = NULL;
	if (!f)
		return pms_no_memory(err);
	f->fd = -1;
	int status = open_bare(f, path, err);
	if (!status && !raw && pms_perfdata_is(f->bytes, f->first)) {
		status = twice ? spool(f, err) : 0;
		if (!status) {
			status = pms_perfdata_open_fd(f->fd, f->path, f->bytes, f->first,
						      &f->perfdata, err);
			f->fd = -1; /* the reader's */
		}
	}
	if (status) {
		pms_spe_file_close(f);
		return status;
	}
	*file = f;
	return 0;
}

int pms_spe_file_open(const char *path, int raw, struct pms_spe_file **file, struct pms_error *err)
{
	return open_file(path, raw, 0, file, err);
}

int pms_spe_file_open_twice(const char *path, int raw, struct pms_spe_file **file,
			    struct pms_error *err)
{
	return open_file(path, raw, 1, file, err);
}

int pms_spe_file_open_bytes(const void *bytes, size_t size, const char *name, int raw,
			    struct pms_spe_file **file, struct pms_error *err)
{
	struct pms_spe_file *f = calloc(1, sizeof(*f));
	*file = NULL;
	if (f)
		f->path = strdup(name);
	if (!f || !f->path) {
		free(f);
		return pms_no_memory(err);
	}
	f->fd = -1;
	f->memory = bytes;
	f->n_memory = size;
	if (!raw && pms_perfdata_is(bytes, size)) {
		int status = pms_perfdata_open_bytes(bytes, size, name, &f->perfdata, err);
		if (status) {
			pms_spe_file_close(f);
			return status;
		}
	}
	*file = f;
	return 0;
}

uint64_t pms_spe_file_bytes(const struct pms_spe_file *file)
{
	struct stat st;
	if (file->memory)
		return file->n_memory;
	return file->fd >= 0 && !fstat(file->fd, &st) && S_ISREG(st.st_mode) ? (uint64_t)st.st_size
									     : 0;
}

struct pms_perfdata *pms_spe_file_perfdata(const struct pms_spe_file *file)
{
	return file->perfdata;
}

struct pms_spe_input pms_spe_file_input(struct pms_spe_file *file)
{
	return (struct pms_spe_input){ .next = file->perfdata ? next_of_perfdata
					       : file->memory ? next_in_memory
							      : next_bare,
				       .context = file };
}

const struct pms_perfdata_stats *pms_spe_file_stats(const struct pms_spe_file *file)
{
	return file->perfdata ? pms_perfdata_stats(file->perfdata) : NULL;
}

uint64_t pms_spe_file_left_out(const struct pms_spe_file *file)
{
	return file->left_out;
}

void pms_spe_file_close(struct pms_spe_file *file)
{
	if (!file)
		return;
	if (file->fd >= 0)
		close(file->fd);
	pms_perfdata_close(file->perfdata);
	pms_numbers_release(&file->by_hash);
	free(file->streams);
	free(file->path);
	free(file);
}

/* SPDX-License-Identifier: MIT */
#include "session/image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/status.h"

enum {
	HEADER = 100,  /* bytes of a database's header */
	VERSIONS = 18, /* offset of the two bytes that tell whether the database uses a log */
	WITH_LOG = 2,  /* their value if it does */
	LOG_HEADER = 32,
	FRAME = 24, /* bytes before each page in the log */
	JOURNAL_HEADER = 28,
	LEAST_SECTOR = 512,
	LONGEST_NAME = 4096, /* of a file, as Linux's PATH_MAX; SQLite's limit is lower */
	TRIES = 200,
	PAUSE = 10,    /* ms: the wait for a writer before the next try */
	AGAIN = -1000, /* not a status: the file changed while it was read */
};

/* A session while it is copied. */
struct copy {
	struct pms_vfs *v;
	const char *name;
	unsigned char header[HEADER];
	uint32_t page; /* bytes of a page */
	unsigned char *bytes;
	size_t size;
	struct pms_error *err;
};

/* A file beside the session: log or journal. */
struct beside {
	char name[4096 + 16];
	int fd; /* -1: there is none, or it is empty */
	int is_there;
	uint64_t size;
};

static uint32_t big32(const unsigned char *b)
{
	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static uint32_t little32(const unsigned char *b)
{
	return (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}

static int no_memory(const struct copy *c)
{
	int rc = pms_fail_at(c->err, PMS_ENOMEM, c->name, 0, 0,
			     "out of memory: a session that was not finished is read as a whole");
	pms_hint(c->err, "sqlite3 FILE 'PRAGMA journal_mode = DELETE' finishes one of your own");
	return rc;
}

/* Open files beside the session. They are found by name, so only regular files of the session's
 * own user are trusted. */

static int not_trusted(const struct copy *c, const struct beside *b, const char *why)
{
	int rc = pms_fail_at(c->err, PMS_EIO, b->name, 0, 0,
			     "%s: the session beside it is not read", why);
	pms_hint(c->err, "move it away if it is none of the session's");
	return rc;
}

static int check_beside(const struct copy *c, const struct beside *b, const struct stat *st)
{
	struct stat session;
	if (!S_ISREG(st->st_mode))
		return not_trusted(c, b, "is not a regular file");
	if (stat(pms_vfs_path(c->v), &session) || session.st_uid != st->st_uid)
		return not_trusted(c, b, "is another user's");
	return 0;
}

static int open_beside(const struct copy *c, const char *suffix, struct beside *b)
{
	struct stat st;
	*b = (struct beside){ .fd = -1 };
	snprintf(b->name, sizeof(b->name), "%s%s", pms_vfs_path(c->v), suffix);
	if (lstat(b->name, &st))
		return errno == ENOENT ? 0 : not_trusted(c, b, strerror(errno));
	b->is_there = 1;
	int rc = check_beside(c, b, &st);
	if (rc || !st.st_size)
		return rc;
	b->fd = open(b->name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (b->fd < 0 && errno == ENOENT)
		return AGAIN;
	if (b->fd < 0 || fstat(b->fd, &st))
		return not_trusted(c, b, strerror(errno));
	b->size = (uint64_t)st.st_size;
	return check_beside(c, b, &st); /* it may have been replaced */
}

static void close_beside(struct beside *b)
{
	if (b->fd >= 0)
		close(b->fd);
	b->fd = -1;
}

static int read_beside(const struct beside *b, void *bytes, size_t n, uint64_t offset)
{
	return b->fd >= 0 && pread(b->fd, bytes, n, (off_t)offset) == (ssize_t)n ? 0 : -1;
}

/* Copying the file's pages. */

/* Grow or shrink the image, within the limit; new pages are zero. */
static int resize(struct copy *c, uint64_t size)
{
	if (size > PMS_MOST_SESSION_COPY) {
		int rc =
			pms_fail_at(c->err, PMS_EIO, c->name, 0, 0,
				    "was not finished and has more than %lld MiB, the most that is "
				    "read of such a one",
				    (long long)(PMS_MOST_SESSION_COPY >> 20));
		pms_hint(c->err,
			 "sqlite3 FILE 'PRAGMA journal_mode = DELETE' finishes one of your own");
		return rc;
	}
	unsigned char *bytes = realloc(c->bytes, size ? size : 1);
	if (!bytes)
		return no_memory(c);
	if (size > c->size)
		memset(bytes + c->size, 0, size - c->size);
	c->bytes = bytes;
	c->size = size;
	return 0;
}

static int copy_file(struct copy *c)
{
	enum { CHUNK = 1 << 20 };
	sqlite3_int64 size = pms_vfs_size(c->v);
	int rc = size < 0 ? AGAIN : resize(c, (uint64_t)size);
	for (size_t done = 0, n; !rc && done < c->size; done += n) {
		n = c->size - done < CHUNK ? c->size - done : CHUNK;
		if (pms_vfs_read(c->v, c->bytes + done, (int)n, (sqlite3_int64)done))
			rc = AGAIN; /* the file has become shorter */
	}
	return rc;
}

/* Give the image as many pages as its last change says. Each page must be in the file or beside
 * it: a larger number is a lie. */
static int set_pages(struct copy *c, const struct beside *b, uint32_t n)
{
	uint64_t size = (uint64_t)n * c->page;
	if (size > c->size + b->size)
		return pms_fail_at(c->err, PMS_EPARSE, b->name, 0, 0,
				   "is damaged: it has not all pages of the session");
	return resize(c, size);
}

/* The log: pages in the order in which they were written, with a running checksum. Only the
 * frames up to the last commit count. */

struct log {
	struct beside file;
	unsigned char header[LOG_HEADER];
	int is_big; /* byte order of the checksums' words */
	unsigned char *frame;
	uint64_t n_frames; /* frames that count */
	uint32_t n_pages;  /* pages of the session after the last of them */
};

static void add_up(const struct log *log, const unsigned char *bytes, size_t n, uint32_t sum[2])
{
	uint32_t (*word)(const unsigned char *) = log->is_big ? big32 : little32;
	for (size_t i = 0; i + 8 <= n; i += 8) {
		sum[0] += word(bytes + i) + sum[1];
		sum[1] += word(bytes + i + 4) + sum[0];
	}
}

/* Returns whether the log has an intact header with the session's page size. */
static int read_log_header(const struct copy *c, struct log *log)
{
	enum { MAGIC = 0x377f0682, VERSION = 3007000 };
	uint32_t sum[2] = { 0, 0 };
	unsigned char *h = log->header;
	if (read_beside(&log->file, h, LOG_HEADER, 0) || (big32(h) & ~1u) != MAGIC ||
	    big32(h + 4) != VERSION || big32(h + 8) != c->page)
		return 0;
	log->is_big = big32(h) & 1;
	add_up(log, h, 24, sum);
	return sum[0] == big32(h + 24) && sum[1] == big32(h + 28);
}

static uint64_t frame_at(const struct copy *c, uint64_t i)
{
	return LOG_HEADER + i * (FRAME + (uint64_t)c->page);
}

/* Find the last commit whose frames are all intact. */
static void scan_log(const struct copy *c, struct log *log)
{
	uint32_t sum[2] = { big32(log->header + 24), big32(log->header + 28) };
	const unsigned char *f = log->frame;
	log->n_frames = 0;
	for (uint64_t i = 0;; i++) {
		if (read_beside(&log->file, log->frame, FRAME + c->page, frame_at(c, i)) ||
		    !big32(f) || memcmp(f + 8, log->header + 16, 8) != 0)
			return;
		add_up(log, f, 8, sum);
		add_up(log, f + FRAME, c->page, sum);
		if (sum[0] != big32(f + 16) || sum[1] != big32(f + 20))
			return;
		if (big32(f + 4)) {
			log->n_frames = i + 1;
			log->n_pages = big32(f + 4);
		}
	}
}

static int apply_log(struct copy *c, struct log *log)
{
	scan_log(c, log);
	int rc = log->n_frames ? set_pages(c, &log->file, log->n_pages) : 0;
	for (uint64_t i = 0; !rc && i < log->n_frames; i++) {
		if (read_beside(&log->file, log->frame, FRAME + c->page, frame_at(c, i)))
			return AGAIN;
		uint64_t offset = ((uint64_t)big32(log->frame) - 1) * c->page;
		if (offset + c->page <= c->size)
			memcpy(c->bytes + offset, log->frame + FRAME, c->page);
	}
	return rc;
}

/* Whether the name still leads to the opened file. */
static int is_in_place(const struct beside *b)
{
	struct stat opened, named;
	return !fstat(b->fd, &opened) && !lstat(b->name, &named) && opened.st_dev == named.st_dev &&
	       opened.st_ino == named.st_ino;
}

/* Copy file and log without a lock, while the writer may go on. Pages that it moves from the log
 * to the file stay in the log, unless it restarts the log; that changes the log's header, and
 * the copy is repeated. */
static int copy_with_log(struct copy *c, struct log *log)
{
	unsigned char before[LOG_HEADER];
	log->frame = malloc(FRAME + (size_t)c->page);
	if (!log->frame)
		return no_memory(c);
	int rc = copy_file(c);
	if (!rc)
		rc = apply_log(c, log);
	memcpy(before, log->header, sizeof(before));
	if (!rc && (!read_log_header(c, log) || !is_in_place(&log->file) ||
		    memcmp(before, log->header, sizeof(before)) != 0))
		rc = AGAIN;
	free(log->frame);
	return rc;
}

/* The journal: pages as they were before an unfinished transaction, in segments with a header
 * each. */

struct journal {
	struct beside file;
	uint32_t sector;
	unsigned char header[JOURNAL_HEADER];
	unsigned char *record;
};

static const unsigned char journal_magic[8] = { 0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7 };

/* Whether the journal has to be applied: a first byte of 0 marks a finished one. */
static int is_left(const struct beside *b)
{
	unsigned char first;
	return !read_beside(b, &first, 1, 0) && first;
}

/* Whether the transaction spans several databases: the journal then ends with the name of a file
 * that lists them. Rolling back such a transaction needs the others. */
static int names_another(const struct beside *b)
{
	unsigned char tail[16], name[LONGEST_NAME];
	if (b->size <= sizeof(tail) || read_beside(b, tail, sizeof(tail), b->size - sizeof(tail)) ||
	    memcmp(tail + 8, journal_magic, sizeof(journal_magic)) != 0)
		return 0;
	/* A journal cut inside a header can end like this, too: SQLite checks length and sum. */
	uint32_t length = big32(tail), sum = big32(tail + 4);
	if (!length || length > sizeof(name) || length > b->size - sizeof(tail) ||
	    read_beside(b, name, length, b->size - sizeof(tail) - length))
		return 0;
	for (uint32_t i = 0; i < length; i++)
		sum -= name[i] < 128 ? name[i] : name[i] - 256u; /* SQLite sums signed chars */
	return !sum;
}

/* Read a header; each fills a sector, whose size the first header gives. Returns 1 when there is
 * none. */
static int read_journal_header(struct journal *j, uint64_t at)
{
	uint64_t sector = j->sector ? j->sector : LEAST_SECTOR;
	return at + sector > j->file.size || read_beside(&j->file, j->header, JOURNAL_HEADER, at) ||
	       memcmp(j->header, journal_magic, sizeof(journal_magic)) != 0;
}

static uint32_t record_sum(const struct copy *c, const struct journal *j)
{
	uint32_t sum = big32(j->header + 12);
	for (uint32_t i = c->page; i > 200;) {
		i -= 200;
		sum += j->record[4 + i];
	}
	return sum;
}

/* Put back the pages of one segment, whose records start at *at. Returns whether another segment
 * may follow. */
static int put_back(struct copy *c, struct journal *j, uint64_t *at)
{
	size_t size = (size_t)c->page + 8;
	uint64_t n = big32(j->header + 8);
	if (n == UINT32_MAX) /* it runs to the journal's end */
		n = UINT64_MAX;
	for (uint64_t i = 0; i < n; i++, *at += size) {
		if (read_beside(&j->file, j->record, size, *at))
			return 0;
		uint32_t page = big32(j->record);
		if (!page || record_sum(c, j) != big32(j->record + 4 + c->page))
			return 0;
		uint64_t offset = ((uint64_t)page - 1) * c->page;
		if (offset + c->page <= c->size)
			memcpy(c->bytes + offset, j->record + 4, c->page);
	}
	return 1;
}

static int apply_journal(struct copy *c, struct journal *j)
{
	uint64_t at = 0;
	int rc = 0, more = 1;
	while (!rc && more && !read_journal_header(j, at)) {
		if (!at) {
			j->sector = big32(j->header + 20);
			if (big32(j->header + 24) != c->page || j->sector < LEAST_SECTOR ||
			    j->sector > 65536 || (j->sector & (j->sector - 1)))
				return pms_fail_at(c->err, PMS_EPARSE, j->file.name, 0, 0,
						   "is damaged, or no journal of the session's");
			rc = set_pages(c, &j->file, big32(j->header + 16));
		}
		at += j->sector;
		if (!rc)
			more = put_back(c, j, &at);
		at = (at + j->sector - 1) / j->sector * j->sector;
	}
	return rc;
}

static int copy_with_journal(struct copy *c, struct journal *j)
{
	if (names_another(&j->file)) {
		int rc = pms_fail_at(c->err, PMS_EIO, j->file.name, 0, 0,
				     "names another file to be deleted: the session beside it is "
				     "not read, and nothing was touched");
		pms_hint(c->err, "pmuscope writes no such journal: move it away");
		return rc;
	}
	j->record = malloc((size_t)c->page + 8);
	if (!j->record)
		return no_memory(c);
	int rc = copy_file(c);
	if (!rc)
		rc = apply_journal(c, j);
	free(j->record);
	return rc;
}

/* Choosing what to copy. */

static int read_header(struct copy *c)
{
	static const char magic[16] = "SQLite format 3";
	if (pms_vfs_read(c->v, c->header, HEADER, 0) ||
	    memcmp(c->header, magic, sizeof(magic)) != 0)
		return -1;
	c->page = (uint32_t)c->header[16] << 8 | c->header[17];
	c->page = c->page == 1 ? 65536 : c->page;
	return c->page < 512 || (c->page & (c->page - 1)) ? -1 : 0;
}

static int has_log(const struct copy *c)
{
	return c->header[VERSIONS] == WITH_LOG || c->header[VERSIONS + 1] == WITH_LOG;
}

/* Apply the journal of a writer that was ended. The file is locked. *found: there was one to
 * apply */
static int try_journal(struct copy *c, int *found)
{
	struct journal j = { 0 };
	int rc = open_beside(c, "-journal", &j.file);
	*found = !rc && is_left(&j.file) && !pms_vfs_is_reserved(c->v);
	if (*found)
		rc = copy_with_journal(c, &j);
	close_beside(&j.file);
	return rc;
}

static int try_log(struct copy *c, int *found, int *missing)
{
	struct log log = { 0 };
	int rc = open_beside(c, "-wal", &log.file);
	*missing = !rc && !log.file.is_there;
	*found = !rc && read_log_header(c, &log);
	if (*found) {
		pms_vfs_unlock(c->v); /* do not make the writer wait */
		rc = copy_with_log(c, &log);
	}
	close_beside(&log.file);
	return rc;
}

/* Copy a file that uses a log but has none: its writer may begin a log at any time, so locks
 * protect nothing. */
static int copy_alone(struct copy *c)
{
	struct log log = { 0 };
	int rc = copy_file(c);
	if (!rc)
		rc = open_beside(c, "-wal", &log.file);
	if (rc)
		return rc;
	rc = read_log_header(c, &log) ? AGAIN : 0;
	close_beside(&log.file);
	return rc;
}

/* Try once to get a consistent image: with the log, with the journal, alone, or not needed at
 * all. */
static int try_read(struct copy *c, struct pms_image *out)
{
	int found = 0, missing = 0;
	int locked = pms_vfs_lock(c->v);
	if (locked)
		return locked > 0 ? AGAIN
				  : pms_fail_at(c->err, PMS_EIO, c->name, 0, 0,
						"cannot lock the session against writers");
	if (read_header(c))
		return 0; /* not an SQLite file, or damaged: let SQLite say so */
	int rc = has_log(c) ? try_log(c, &found, &missing) : 0;
	if (!rc && !found)
		rc = try_journal(c, &found);
	if (!rc && !found && has_log(c)) {
		rc = copy_alone(c);
		found = 1;
	}
	if (rc || found)
		pms_vfs_unlock(c->v);
	if (rc || !found)
		return rc;
	*out = (struct pms_image){ c->bytes, c->size, missing };
	pms_image_settle(out->bytes, out->size);
	return 1;
}

int pms_image_read(struct pms_vfs *v, const char *name, struct pms_image *out,
		   struct pms_error *err)
{
	struct copy c = { .v = v, .name = name, .err = err };
	int rc = AGAIN;
	for (int i = 0; rc == AGAIN && i < TRIES; i++) {
		if (i)
			sqlite3_sleep(PAUSE);
		rc = try_read(&c, out);
	}
	if (rc == 1)
		return 1;
	free(c.bytes);
	if (rc == AGAIN) {
		rc = pms_fail_at(err, PMS_EIO, name, 0, 0,
				 "cannot read the session: somebody is writing it");
		pms_hint(err, "try again when the measurement has ended");
	}
	return rc;
}

void pms_image_settle(unsigned char *bytes, size_t size)
{
	if (size >= HEADER)
		bytes[VERSIONS] = bytes[VERSIONS + 1] = 1;
}

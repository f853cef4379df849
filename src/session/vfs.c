/* SPDX-License-Identifier: MIT */
#include "session/vfs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The bytes that SQLite locks for reading. */
enum { LOCKS = 0x40000002, N_LOCKS = 510 };

struct pms_vfs {
	sqlite3_vfs base; /* must be first */
	char name[32];
	sqlite3_vfs *system;
	char *path;	    /* path of the file that is read; SQLite borrows it */
	sqlite3_file *real; /* the file that is read; NULL: fd is written */
	int fd;
	const char *in_place; /* name that fd's file is opened by; NULL: fd itself is used */
};

/* SQLite's handle of the file, in SQLite's memory. */
struct handle {
	sqlite3_file base; /* must be first */
	struct pms_vfs *v;
};

static struct pms_vfs *of_file(sqlite3_file *file)
{
	return ((struct handle *)file)->v;
}

/* Leave the file open: pms_vfs_free closes it. */
static int file_close(sqlite3_file *file)
{
	(void)file;
	return SQLITE_OK;
}

static int file_sector(sqlite3_file *file)
{
	(void)file;
	return 0; /* SQLite's default */
}

static int file_control(sqlite3_file *file, int operation, void *what)
{
	(void)file;
	(void)operation;
	(void)what;
	return SQLITE_NOTFOUND;
}

/* Reading: SQLite's own file, without the calls that write. */

static int real_read(sqlite3_file *file, void *bytes, int n, sqlite3_int64 offset)
{
	sqlite3_file *real = of_file(file)->real;
	return real->pMethods->xRead(real, bytes, n, offset);
}

static int real_size(sqlite3_file *file, sqlite3_int64 *size)
{
	sqlite3_file *real = of_file(file)->real;
	return real->pMethods->xFileSize(real, size);
}

static int real_lock(sqlite3_file *file, int level)
{
	sqlite3_file *real = of_file(file)->real;
	return level > SQLITE_LOCK_SHARED ? SQLITE_READONLY : real->pMethods->xLock(real, level);
}

static int real_unlock(sqlite3_file *file, int level)
{
	sqlite3_file *real = of_file(file)->real;
	return real->pMethods->xUnlock(real, level);
}

static int no_write(sqlite3_file *file, const void *bytes, int n, sqlite3_int64 offset)
{
	(void)file;
	(void)bytes;
	(void)n;
	(void)offset;
	return SQLITE_READONLY;
}

static int no_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	(void)file;
	(void)size;
	return SQLITE_READONLY;
}

static int no_sync(sqlite3_file *file, int flags)
{
	(void)file;
	(void)flags;
	return SQLITE_OK;
}

static int not_reserved(sqlite3_file *file, int *reserved)
{
	(void)file;
	*reserved = 0;
	return SQLITE_OK;
}

static int no_traits(sqlite3_file *file)
{
	(void)file;
	return 0;
}

static const sqlite3_io_methods reading = {
	.iVersion = 1, /* version 1 has no shared memory, so no log either */
	.xClose = file_close,
	.xRead = real_read,
	.xWrite = no_write,
	.xTruncate = no_truncate,
	.xSync = no_sync,
	.xFileSize = real_size,
	.xLock = real_lock,
	.xUnlock = real_unlock,
	.xCheckReservedLock = not_reserved,
	.xFileControl = file_control,
	.xSectorSize = file_sector,
	.xDeviceCharacteristics = no_traits,
};

/* Writing: the descriptor of a file that nobody else knows. */

static int fd_read(sqlite3_file *file, void *bytes, int n, sqlite3_int64 offset)
{
	size_t done = 0;
	while (done < (size_t)n) {
		ssize_t got = pread(of_file(file)->fd, (char *)bytes + done, (size_t)n - done,
				    (off_t)(offset + (sqlite3_int64)done));
		if (got < 0 && errno != EINTR)
			return SQLITE_IOERR_READ;
		if (!got)
			break;
		done += got > 0 ? (size_t)got : 0;
	}
	memset((char *)bytes + done, 0, (size_t)n - done); /* SQLite expects zeros there */
	return done < (size_t)n ? SQLITE_IOERR_SHORT_READ : SQLITE_OK;
}

static int fd_write(sqlite3_file *file, const void *bytes, int n, sqlite3_int64 offset)
{
	for (size_t done = 0; done < (size_t)n;) {
		ssize_t put = pwrite(of_file(file)->fd, (const char *)bytes + done,
				     (size_t)n - done, (off_t)(offset + (sqlite3_int64)done));
		if (put < 0 && errno != EINTR)
			return errno == ENOSPC || errno == EDQUOT ? SQLITE_FULL
								  : SQLITE_IOERR_WRITE;
		done += put > 0 ? (size_t)put : 0;
	}
	return SQLITE_OK;
}

static int fd_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	return ftruncate(of_file(file)->fd, (off_t)size) ? SQLITE_IOERR_TRUNCATE : SQLITE_OK;
}

static int fd_sync(sqlite3_file *file, int flags)
{
	(void)flags;
	return fsync(of_file(file)->fd) ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

static int fd_size(sqlite3_file *file, sqlite3_int64 *size)
{
	struct stat st;
	if (fstat(of_file(file)->fd, &st))
		return SQLITE_IOERR_FSTAT;
	*size = st.st_size;
	return SQLITE_OK;
}

static int no_lock(sqlite3_file *file, int level)
{
	(void)file;
	(void)level;
	return SQLITE_OK;
}

static const sqlite3_io_methods writing = {
	.iVersion = 1,
	.xClose = file_close,
	.xRead = fd_read,
	.xWrite = fd_write,
	.xTruncate = fd_truncate,
	.xSync = fd_sync,
	.xFileSize = fd_size,
	.xLock = no_lock,
	.xUnlock = no_lock,
	.xCheckReservedLock = not_reserved,
	.xFileControl = file_control,
	.xSectorSize = file_sector,
	.xDeviceCharacteristics = no_traits,
};

/* What SQLite asks of the system. */

static struct pms_vfs *of_vfs(sqlite3_vfs *base)
{
	return (struct pms_vfs *)base;
}

/* Whether SQLite opened the descriptor's file: SQLite's lock then shows on it. */
static int is_same(const struct pms_vfs *v, sqlite3_file *file)
{
	struct flock lock = {
		.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = LOCKS, .l_len = N_LOCKS
	};
	if (file->pMethods->xLock(file, SQLITE_LOCK_SHARED))
		return 0;
	int same = !fcntl(v->fd, F_OFD_GETLK, &lock) && lock.l_type != F_UNLCK;
	file->pMethods->xUnlock(file, SQLITE_LOCK_NONE);
	return same;
}

static int open_in_place(struct pms_vfs *v, const char *name, sqlite3_file *file, int flags,
			 int *out)
{
	int rc = v->system->xOpen(v->system, name, file, flags, out);
	if (rc || !(flags & SQLITE_OPEN_MAIN_DB) || is_same(v, file))
		return rc;
	file->pMethods->xClose(file);
	file->pMethods = NULL;
	return SQLITE_CANTOPEN;
}

static int vfs_open(sqlite3_vfs *base, const char *name, sqlite3_file *file, int flags, int *out)
{
	struct pms_vfs *v = of_vfs(base);
	struct handle *handle = (struct handle *)file;
	if (v->in_place)
		return open_in_place(v, name, file, flags, out);
	handle->base.pMethods = NULL;
	if (!(flags & SQLITE_OPEN_MAIN_DB))
		return SQLITE_CANTOPEN;
	handle->v = v;
	handle->base.pMethods = v->real ? &reading : &writing;
	if (out)
		*out = v->real ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
	return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *base, const char *name, int sync)
{
	struct pms_vfs *v = of_vfs(base);
	return v->in_place ? v->system->xDelete(v->system, name, sync) : SQLITE_IOERR_DELETE;
}

/* Hide all other files, except the log of a file written in place. We use no journal: one there
 * is foreign. */
static int vfs_access(sqlite3_vfs *base, const char *name, int flags, int *out)
{
	struct pms_vfs *v = of_vfs(base);
	const char *end = name + strlen(name);
	*out = 0;
	if (!v->in_place || (end - name > 8 && !strcmp(end - 8, "-journal")))
		return SQLITE_OK;
	return v->system->xAccess(v->system, name, flags, out);
}

static int vfs_full_name(sqlite3_vfs *base, const char *name, int n, char *out)
{
	(void)base;
	sqlite3_snprintf(n, out, "%s", name);
	return SQLITE_OK;
}

static int vfs_random(sqlite3_vfs *base, int n, char *out)
{
	sqlite3_vfs *system = of_vfs(base)->system;
	return system->xRandomness(system, n, out);
}

static int vfs_sleep(sqlite3_vfs *base, int us)
{
	sqlite3_vfs *system = of_vfs(base)->system;
	return system->xSleep(system, us);
}

static int vfs_time(sqlite3_vfs *base, double *days)
{
	sqlite3_vfs *system = of_vfs(base)->system;
	return system->xCurrentTime(system, days);
}

static int vfs_error(sqlite3_vfs *base, int n, char *out)
{
	(void)base;
	(void)n;
	(void)out;
	return errno;
}

/* Make a file system with only the calls that one database needs. */
static struct pms_vfs *vfs_new(void)
{
	struct pms_vfs *v = calloc(1, sizeof(*v));
	sqlite3_vfs *system = sqlite3_vfs_find(NULL);
	if (!v || !system) {
		free(v);
		return NULL;
	}
	snprintf(v->name, sizeof(v->name), "pmuscope-%p", (void *)v);
	v->system = system;
	v->fd = -1;
	v->base = (sqlite3_vfs){
		.iVersion = 1,
		.szOsFile = system->szOsFile > (int)sizeof(struct handle)
				    ? system->szOsFile
				    : (int)sizeof(struct handle),
		.mxPathname = system->mxPathname,
		.zName = v->name,
		.xOpen = vfs_open,
		.xDelete = vfs_delete,
		.xAccess = vfs_access,
		.xFullPathname = vfs_full_name,
		.xRandomness = vfs_random,
		.xSleep = vfs_sleep,
		.xCurrentTime = vfs_time,
		.xGetLastError = vfs_error,
	};
	return v;
}

/* Open the file by its real name: SQLite resolves links when it completes a name, not later. */
static int open_real(struct pms_vfs *v, const char *path)
{
	sqlite3_file *real = calloc(1, (size_t)v->system->szOsFile);
	char *full = calloc(1, (size_t)v->system->mxPathname + 2);
	int out = 0;
	v->path = full;
	if (!real || !full ||
	    (v->system->xFullPathname(v->system, path, v->system->mxPathname + 1, full) & 0xff) !=
		    SQLITE_OK) {
		free(real);
		errno = real && full ? ENAMETOOLONG : ENOMEM;
		return -1;
	}
	errno = 0;
	if (v->system->xOpen(v->system, full, real, SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_READONLY,
			     &out)) {
		free(real);
		errno = errno ? errno : EIO;
		return -1;
	}
	v->real = real;
	return 0;
}

int pms_vfs_open(const char *path, struct pms_vfs **out)
{
	struct stat st;
	if (stat(path, &st))
		return -1;
	errno = EINVAL;
	if (!S_ISREG(st.st_mode))
		return -1;
	struct pms_vfs *v = vfs_new();
	errno = ENOMEM;
	if (!v)
		return -1;
	if (open_real(v, path)) {
		int error = errno;
		pms_vfs_free(v);
		errno = error;
		return -1;
	}
	*out = v;
	return 0;
}

struct pms_vfs *pms_vfs_of(int fd)
{
	struct pms_vfs *v = vfs_new();
	if (v)
		v->fd = fd;
	return v;
}

struct pms_vfs *pms_vfs_in_place(int fd, const char *name)
{
	struct pms_vfs *v = pms_vfs_of(fd);
	if (v)
		v->in_place = name;
	return v;
}

const char *pms_vfs_path(const struct pms_vfs *v)
{
	return v->path;
}

void pms_vfs_free(struct pms_vfs *v)
{
	if (!v)
		return;
	if (v->real) {
		v->real->pMethods->xUnlock(v->real, SQLITE_LOCK_NONE);
		v->real->pMethods->xClose(v->real);
	}
	free(v->real);
	free(v->path);
	free(v);
}

int pms_vfs_database(struct pms_vfs *v, sqlite3 **db)
{
	int rc = sqlite3_vfs_register(&v->base, 0);
	if (!rc)
		rc = sqlite3_open_v2(v->in_place ? v->in_place : "session", db,
				     SQLITE_OPEN_NOMUTEX | (v->real ? SQLITE_OPEN_READONLY
								    : SQLITE_OPEN_READWRITE),
				     v->name);
	/* Only the open call looks the VFS up by its name. */
	sqlite3_vfs_unregister(&v->base);
	return rc;
}

int pms_vfs_lock(struct pms_vfs *v)
{
	int rc = v->real->pMethods->xLock(v->real, SQLITE_LOCK_SHARED);
	return (rc & 0xff) == SQLITE_BUSY ? 1 : rc ? -1 : 0;
}

void pms_vfs_unlock(struct pms_vfs *v)
{
	v->real->pMethods->xUnlock(v->real, SQLITE_LOCK_NONE);
}

int pms_vfs_is_reserved(struct pms_vfs *v)
{
	int reserved = 0;
	return !v->real->pMethods->xCheckReservedLock(v->real, &reserved) && reserved;
}

sqlite3_int64 pms_vfs_size(struct pms_vfs *v)
{
	sqlite3_int64 size;
	return v->real->pMethods->xFileSize(v->real, &size) ? -1 : size;
}

int pms_vfs_read(struct pms_vfs *v, void *bytes, int n, sqlite3_int64 offset)
{
	return v->real->pMethods->xRead(v->real, bytes, n, offset) ? -1 : 0;
}

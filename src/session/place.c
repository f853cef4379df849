/* SPDX-License-Identifier: MIT */
#include "session/place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"

static int cannot_create(const struct pms_session_place *place, struct pms_error *err)
{
	return pms_fail_at(err, PMS_EIO, place->path, 0, 0, "cannot create the session: %s",
			   strerror(errno));
}

static int is_there(const struct pms_session_place *place, struct pms_error *err)
{
	int rc = pms_fail_at(err, PMS_EIO, place->path, 0, 0,
			     "is there already: no file is overwritten");
	pms_hint(err, "give the session another name, or remove the file first");
	return rc;
}

/* Refuse a place where an earlier session left files: SQLite would take them for the new
 * session's. */
static int check_beside(const struct pms_session_place *place, struct pms_error *err)
{
	static const char *const suffixes[] = { "-journal", "-wal", "-shm" };
	char name[NAME_MAX + 16];
	struct stat st;
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		snprintf(name, sizeof(name), "%s%s", place->name, suffixes[i]);
		if (fstatat(place->folder, name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		int rc = pms_fail_at(err, PMS_EIO, place->path, 0, 0,
				     "cannot create the session: %s of an earlier one is there",
				     name);
		pms_hint(err, "give the session another name, or remove that file first");
		return rc;
	}
	return 0;
}

static int check_free(const struct pms_session_place *place, struct pms_error *err)
{
	struct stat st;
	if (!fstatat(place->folder, place->name, &st, AT_SYMLINK_NOFOLLOW))
		return is_there(place, err);
	return errno == ENOENT ? check_beside(place, err) : cannot_create(place, err);
}

/* Name the folder by its descriptor where /proc exists: that stays right even if the folder is
 * renamed. */
static int make_whole(struct pms_session_place *place, const char *name, struct pms_error *err)
{
	char own[32];
	snprintf(own, sizeof(own), "/proc/self/fd/%d/", place->folder);
	const char *before = place->path[0] == '/' ? "" : "./";
	int length = access(own, F_OK) ? asprintf(&place->whole, "%s%s", before, place->path)
				       : asprintf(&place->whole, "%s%s", own, name);
	if (length < 0) {
		place->whole = NULL;
		return pms_no_memory(err);
	}
	place->name = place->whole + (size_t)length - strlen(name);
	return 0;
}

static int open_folder(struct pms_session_place *place, struct pms_error *err)
{
	const char *slash = strrchr(place->path, '/');
	const char *name = slash ? slash + 1 : place->path;
	size_t length = slash ? (size_t)(name - place->path) : 0;
	char *folder = length ? strndup(place->path, length) : strdup(".");
	if (!folder)
		return pms_no_memory(err);
	errno = !*name ? EISDIR : strlen(name) > NAME_MAX ? ENAMETOOLONG : 0;
	if (!errno)
		place->folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int number = errno;
	free(folder);
	errno = number;
	return place->folder < 0 ? cannot_create(place, err) : make_whole(place, name, err);
}

int pms_place_open(struct pms_session_place *place, const char *path, struct pms_error *err)
{
	*place = PMS_NO_PLACE;
	place->path = path;
	int rc = open_folder(place, err);
	if (!rc)
		rc = check_free(place, err);
	if (rc)
		return rc;
	place->fd = pms_beside_nameless(place->folder);
	if (place->fd < 0)
		place->fd = pms_beside_named(place->folder, place->temporary);
	if (place->fd < 0 || fchmod(place->fd, 0600)) /* whatever the umask says */
		return cannot_create(place, err);
	return 0;
}

void pms_place_close(struct pms_session_place *place)
{
	if (place->temporary[0])
		unlinkat(place->folder, place->temporary, 0);
	if (place->fd >= 0)
		close(place->fd);
	if (place->folder >= 0)
		close(place->folder);
	free(place->whole);
	*place = PMS_NO_PLACE;
}

/* Rename without replacing anything. File systems that cannot do so in one step get a check
 * first. */
static int rename_temporary(struct pms_session_place *place)
{
	struct stat st;
	int rc = renameat2(place->folder, place->temporary, place->folder, place->name,
			   RENAME_NOREPLACE);
	if (rc && (errno == EINVAL || errno == ENOSYS)) {
		errno = EEXIST;
		if (fstatat(place->folder, place->name, &st, AT_SYMLINK_NOFOLLOW))
			rc = renameat(place->folder, place->temporary, place->folder, place->name);
	}
	if (!rc)
		place->temporary[0] = 0;
	return rc;
}

int pms_place_settle(struct pms_session_place *place, struct pms_error *err)
{
	int rc = check_free(place, err);
	if (rc)
		return rc;
	rc = place->temporary[0] ? rename_temporary(place)
				 : pms_beside_link(place->fd, place->folder, place->name);
	if (rc)
		return errno == EEXIST ? is_there(place, err) : cannot_create(place, err);
	return 0;
}

/* The header's version bytes: section 1.3.3 of "Database File Format" of sqlite.org. */
enum { VERSIONS = 18, WITHOUT_LOG = 1, WITH_LOG = 2 };

/* The bytes that SQLite locks. A write lock on all of them keeps others from opening the file. */
enum { FIRST_LOCK = 0x40000000, N_LOCKS = 512 };

int pms_place_set_log(struct pms_session_place *place, int has_log, struct pms_error *err)
{
	unsigned char versions[2];
	char log[NAME_MAX + 16];
	struct stat st;
	struct flock all = {
		.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = FIRST_LOCK, .l_len = N_LOCKS
	};
	if (!has_log && fcntl(place->fd, F_OFD_SETLK, &all))
		return 0;
	snprintf(log, sizeof(log), "%s-wal", place->name);
	int in_use = !has_log && !fstatat(place->folder, log, &st, AT_SYMLINK_NOFOLLOW);
	memset(versions, has_log ? WITH_LOG : WITHOUT_LOG, sizeof(versions));
	int rc = !in_use && (pwrite(place->fd, versions, sizeof(versions), VERSIONS) !=
				     (ssize_t)sizeof(versions) ||
			     fsync(place->fd))
			 ? pms_fail_at(err, PMS_EIO, place->path, 0, 0,
				       "cannot write the session: %s", strerror(errno))
			 : 0;
	all.l_type = F_UNLCK;
	if (!has_log)
		fcntl(place->fd, F_OFD_SETLK, &all);
	return rc;
}

/* SPDX-License-Identifier: MIT */
#include "place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINKS = 40 }; /* the limit of Linux */

static int is_trap(const char *path, const char *what)
{
	struct pms_error err = { .status = PMS_EIO };
	snprintf(err.source, sizeof(err.source), "%s", path);
	snprintf(err.text, sizeof(err.text), "cannot write: %s", strerror(EACCES));
	snprintf(err.hint, sizeof(err.hint),
		 "%s is another user's, in a folder where anybody may put files; name a file in a "
		 "folder of your own",
		 what);
	return cli_error(&err);
}

/* Returns whether another user owns the file in a shared folder. Elsewhere only the folder's
 * owner could have put it there, who can do anything there anyway. */
static int is_others(const struct cli_place *place, const struct stat *st, uid_t owner_of_folder)
{
	return place->shared && st->st_uid != geteuid() && st->st_uid != owner_of_folder;
}

/* Returns the number of our own descriptor that a link of /proc/self/fd stands for; -1: none.
 * Opening such a name anew would write the file from its beginning. */
static int own_descriptor(const struct cli_place *place, const struct stat *folder)
{
	struct stat own;
	char *end;
	if (stat("/proc/self/fd", &own) || own.st_dev != folder->st_dev ||
	    own.st_ino != folder->st_ino)
		return -1;
	long number = strtol(place->name, &end, 10);
	return *place->name && !*end && number >= 0 && number <= INT_MAX ? (int)number : -1;
}

/* Open the folder of @path, which is relative to the folder held so far, and keep the last name.
 * Returns 0, or -1 and errno. */
static int enter(struct cli_place *place, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char folder[PATH_MAX];
	if (!*path || strlen(path) >= PATH_MAX || strlen(name) > NAME_MAX) {
		errno = *path ? ENAMETOOLONG : ENOENT;
		return -1;
	}
	if (slash)
		snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path + 1), path);
	else
		snprintf(folder, sizeof(folder), ".");
	int at = openat(place->folder < 0 ? AT_FDCWD : place->folder, folder,
			O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (at < 0)
		return -1;
	cli_place_release(place);
	place->folder = at;
	snprintf(place->name, sizeof(place->name), "%s", name);
	return 0;
}

/* Classify the file once no link is left. */
static int settle(struct cli_place *place, const char *path, uid_t owner_of_folder)
{
	place->kind = S_ISREG(place->st.st_mode) ? CLI_PLACE_FILE : CLI_PLACE_OTHER;
	if (S_ISDIR(place->st.st_mode))
		return cli_cannot_write(path, EISDIR);
	if ((S_ISREG(place->st.st_mode) || S_ISFIFO(place->st.st_mode)) &&
	    is_others(place, &place->st, owner_of_folder))
		return is_trap(path, "it");
	return CLI_DONE;
}

/* Look at the name in the folder. Returns -1 for a link, with its target; else CLI_DONE, or the
 * exit status after a message. */
static int look(struct cli_place *place, const char *path, char target[PATH_MAX])
{
	struct stat folder;
	if (fstat(place->folder, &folder))
		return cli_cannot_write(path, errno);
	place->shared = folder.st_mode & S_ISVTX && folder.st_mode & (S_IWOTH | S_IWGRP);
	place->descriptor = own_descriptor(place, &folder);
	if (place->descriptor >= 0) {
		place->kind = CLI_PLACE_OURS;
		return CLI_DONE;
	}
	if (!*place->name)
		return cli_cannot_write(path, EISDIR);
	if (fstatat(place->folder, place->name, &place->st, AT_SYMLINK_NOFOLLOW)) {
		place->kind = CLI_PLACE_NEW;
		return errno == ENOENT ? CLI_DONE : cli_cannot_write(path, errno);
	}
	if (!S_ISLNK(place->st.st_mode))
		return settle(place, path, folder.st_uid);
	if (is_others(place, &place->st, folder.st_uid))
		return is_trap(path, "the link");
	ssize_t length = readlinkat(place->folder, place->name, target, PATH_MAX - 1);
	if (length < 0)
		return cli_cannot_write(path, errno);
	target[length] = 0;
	return -1;
}

int cli_place_find(struct cli_place *place, const char *path)
{
	char target[PATH_MAX] = "";
	const char *next = path;
	*place = (struct cli_place){ .folder = -1 };
	for (int links = 0; links <= MOST_LINKS; links++) {
		if (enter(place, next))
			return cli_cannot_write(path, errno);
		int status = look(place, path, target);
		if (status >= 0)
			return status;
		next = target;
	}
	return cli_cannot_write(path, ELOOP);
}

void cli_place_release(struct cli_place *place)
{
	if (place->folder >= 0)
		close(place->folder);
	place->folder = -1;
}

/* Remove setuid and setgid: whoever can write the file could otherwise run code as its owner. */
static void drop_privilege(int fd)
{
	struct stat st;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_mode & (S_ISUID | S_ISGID))
		fchmod(fd, st.st_mode & 0777);
}

int cli_place_open(const struct cli_place *place, int flags)
{
	int modes = place->kind == CLI_PLACE_OURS ? fcntl(place->descriptor, F_GETFL) : 0;
	if (place->kind != CLI_PLACE_OURS) {
		int fd = openat(place->folder, place->name,
				O_WRONLY | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC | flags, 0666);
		if (fd >= 0)
			drop_privilege(fd);
		return fd;
	}
	if (modes >= 0 && ((modes & O_ACCMODE) == O_RDONLY || modes & O_PATH)) {
		errno = EBADF;
		return -1;
	}
	return fcntl(place->descriptor, F_DUPFD_CLOEXEC, 0);
}

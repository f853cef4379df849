/* SPDX-License-Identifier: MIT */
#include "pmuscope/beside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum { TRIES = 100, LINK = 32 };

void pms_beside_name(char name[PMS_BESIDE_NAME])
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	unsigned char bytes[6] = { 0 };
	if (getrandom(bytes, sizeof(bytes), 0) < 0)
		memset(bytes, getpid() & 0xff, sizeof(bytes));
	char *at = stpcpy(name, ".pmuscope-");
	for (size_t i = 0; i < sizeof(bytes); i++)
		*at++ = letters[bytes[i] % (sizeof(letters) - 1)];
	*at = 0;
}

/* Name the file of @fd in /proc: linking that path is the only way to give the file a name. */
static void link_of(char link[LINK], int fd)
{
	snprintf(link, LINK, "/proc/self/fd/%d", fd);
}

int pms_beside_nameless(int folder)
{
	char link[LINK];
	int fd = openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	link_of(link, fd);
	if (!access(link, F_OK))
		return fd;
	close(fd); /* there is no /proc here */
	return -1;
}

int pms_beside_named(int folder, char name[PMS_BESIDE_NAME])
{
	int fd = -1;
	for (int i = 0; i < TRIES && fd < 0; i++) {
		pms_beside_name(name);
		fd = openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd < 0)
		name[0] = 0;
	return fd;
}

int pms_beside_link(int fd, int folder, const char *name)
{
	char link[LINK];
	link_of(link, fd);
	return linkat(AT_FDCWD, link, folder, name, AT_SYMLINK_FOLLOW);
}

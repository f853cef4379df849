/* SPDX-License-Identifier: MIT */
#include "base/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Open the file of an O_PATH descriptor, so that nobody can swap it meanwhile. */
static int open_again(int place, const char *path)
{
	char own[64];
	snprintf(own, sizeof(own), "/proc/self/fd/%d", place);
	int fd = open(own, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT) /* there is no /proc */
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	return fd;
}

int pms_regular_open(const char *path)
{
	struct stat st;
	int place = open(path, O_PATH | O_CLOEXEC), fd = -1;
	if (place < 0)
		return -1;
	if (!fstat(place, &st)) {
		errno = EINVAL;
		if (S_ISREG(st.st_mode))
			fd = open_again(place, path);
	}
	int error = errno;
	close(place);
	errno = error;
	return fd;
}

const char *pms_regular_reason(int error)
{
	return error == EINVAL ? "is not a regular file" : strerror(error);
}

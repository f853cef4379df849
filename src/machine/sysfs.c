/* SPDX-License-Identifier: MIT */
#include "machine/sysfs.h"

#include "base/number.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int pms_sysfs_text(const char *root, const char *path, char *text, size_t size)
{
	char *whole = NULL;
	if (asprintf(&whole, "%s%s", root, path) < 0) {
		errno = ENOMEM;
		return -1;
	}
	int fd = open(whole, O_RDONLY | O_CLOEXEC);
	free(whole);
	if (fd < 0)
		return -1;
	ssize_t n = read(fd, text, size);
	int number = n < 0 ? errno : (size_t)n == size ? ENOBUFS : 0;
	close(fd);
	if (number) {
		errno = number;
		return -1;
	}
	text[n] = 0;
	text[strcspn(text, "\n")] = 0;
	return 0;
}

int pms_sysfs_number(const char *root, const char *path, uint64_t *number)
{
	char text[64];
	if (pms_sysfs_text(root, path, text, sizeof(text)))
		return -1;
	if (pms_number_read(text, " \t", number))
		return 0;
	errno = EINVAL;
	return -1;
}

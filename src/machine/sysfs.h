/* SPDX-License-Identifier: MIT */
/* machine/sysfs.h - read the small files below /sys and /proc. */
#ifndef PMS_MACHINE_SYSFS_H
#define PMS_MACHINE_SYSFS_H

#include <stddef.h>
#include <stdint.h>

/** Read the first line of @path below @root ("" for the host itself), without its line end.
 * Returns 0, or -1 and errno; ENOBUFS: it is longer than @size. */
int pms_sysfs_text(const char *root, const char *path, char *text, size_t size);

/** Read the number in @path, written as in C. Returns 0, or -1 and errno. */
int pms_sysfs_number(const char *root, const char *path, uint64_t *number);

#endif

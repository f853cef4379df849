/* SPDX-License-Identifier: MIT */
/* machine/sysfs.h - the small files below /sys and /proc. */
#ifndef PMS_MACHINE_SYSFS_H
#define PMS_MACHINE_SYSFS_H

#include <stddef.h>
#include <stdint.h>

/** The first line of @path below @root ("" for the host itself), without its end.
 * Returns 0, or -1 and errno; ENOBUFS: it is longer than @size. */
int pms_sysfs_text(const char *root, const char *path, char *text, size_t size);

/** The number in it, as C writes numbers. Returns 0, or -1 and errno. */
int pms_sysfs_number(const char *root, const char *path, uint64_t *number);

#endif

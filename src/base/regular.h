/* SPDX-License-Identifier: MIT */
/* base/regular.h - open files by names that other files state. */
#ifndef PMS_BASE_REGULAR_H
#define PMS_BASE_REGULAR_H

/**
 * Open a regular file for reading; links are followed. Other files are never opened: a FIFO would
 * wait for a writer, and a device may react. Returns a close-on-exec descriptor, or -1 with errno:
 * EINVAL where @path exists but is no regular file.
 */
int pms_regular_open(const char *path);

/** Returns the reason for an errno of pms_regular_open, for a message. */
const char *pms_regular_reason(int error);

#endif

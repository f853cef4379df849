/* SPDX-License-Identifier: MIT */
/* base/regular.h - opening files by names that somebody else wrote down. */
#ifndef PMS_BASE_REGULAR_H
#define PMS_BASE_REGULAR_H

/**
 * Open a regular file for reading; links are followed. What is no regular file is not opened at
 * all: a FIFO would wait for a writer, and a device may act on being opened. Returns a descriptor
 * that a new program does not inherit, or -1 with errno: EINVAL where @path is there and no regular
 * file.
 */
int pms_regular_open(const char *path);

/** What the errno of pms_regular_open means, for a message. */
const char *pms_regular_reason(int error);

#endif

/* SPDX-License-Identifier: MIT */
/* symbol/snapshot.h - a copy of what libdw reads of a file. It maps files, and a mapped file that
 * somebody cuts short ends the process with SIGBUS. */
#ifndef PMS_SYMBOL_SNAPSHOT_H
#define PMS_SYMBOL_SNAPSHOT_H

/**
 * Take @fd, an ELF file, and return a descriptor of a copy in memory that nobody can cut short: its
 * headers, symbols and debug information. Code and data are holes. Returns @fd itself where it
 * is such a copy, there can be none, or too much would have to be copied (PMS_MOST_SNAPSHOT_BYTES).
 */
int pms_snapshot_take(int fd);

#endif

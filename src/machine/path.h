/* SPDX-License-Identifier: MIT */
/* machine/path.h - find programs. */
#ifndef PMS_MACHINE_PATH_H
#define PMS_MACHINE_PATH_H

#include <stddef.h>

#include "pmuscope/error.h"

enum { PMS_PATH_MAX = 4096 };

/**
 * Find a program as execvp(3) does.
 * @name: with a slash it is a path; else it is looked up in each directory of @path
 * @path: value of PATH; NULL: the system's default
 * @out:  PMS_PATH_MAX bytes; written only on success
 * Returns 0. Errors: -PMS_ENOEXEC no such program, -PMS_EEXEC it exists, but is a directory, may
 *         not be executed, or has too long a path.
 */
int pms_path_find(const char *name, const char *path, char *out, struct pms_error *err);

/** Record that there is no program @name; the hint says how to name one in the current directory.
 * Returns -PMS_ENOEXEC. */
int pms_path_absent(const char *name, struct pms_error *err);

#endif

/* SPDX-License-Identifier: MIT */
/* machine/path.h - where programs are. */
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
 * Returns 0. Errors: -PMS_ENOEXEC no such program, -PMS_EEXEC there is one, but it is a directory,
 *         may not be executed, or its path is too long.
 */
int pms_path_find(const char *name, const char *path, char *out, struct pms_error *err);

/** Say that there is no program @name, and how one in the current directory is named. Returns
 * -PMS_ENOEXEC. */
int pms_path_absent(const char *name, struct pms_error *err);

#endif

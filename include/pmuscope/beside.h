/* SPDX-License-Identifier: MIT */
/* pmuscope/beside.h - write a file next to its final place, until it is complete. The file has
 * no name (O_TMPFILE) where the file system allows that: nothing is left however the program
 * ends. Else it is named .pmuscope-XXXXXX, and its writer must remove it. */
#ifndef PMUSCOPE_BESIDE_H
#define PMUSCOPE_BESIDE_H

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of a name from pms_beside_name, with the final zero. */
enum { PMS_BESIDE_NAME = 32 };

/** Make a random name for an unfinished file. */
void pms_beside_name(char name[PMS_BESIDE_NAME]);

/** Open a file without a name in @folder, which only its user may read or write. Returns a
 * descriptor, or -1, also where it could not be given a name later. */
int pms_beside_nameless(int folder);
/** Open such a file with a name, which @name receives; "" on failure. Returns a descriptor, or -1
 * and errno. */
int pms_beside_named(int folder, char name[PMS_BESIDE_NAME]);

/** Give the file of @fd the name @name in @folder. Returns 0, or -1 and errno: EEXIST where the
 * name is taken. */
int pms_beside_link(int fd, int folder, const char *name);

#ifdef __cplusplus
}
#endif
#endif

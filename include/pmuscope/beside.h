/* SPDX-License-Identifier: MIT */
/* pmuscope/beside.h - a file beside the one that it is for, until it is complete.
 * It has no name (O_TMPFILE) where the file system has such files, so that nothing is left whatever
 * ends the program; else .pmuscope-XXXXXX, which its writer has to remove. */
#ifndef PMUSCOPE_BESIDE_H
#define PMUSCOPE_BESIDE_H

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of a name that pms_beside_name makes, with the zero behind it. */
enum { PMS_BESIDE_NAME = 32 };

/** Make a name for a file that is not complete, by chance. */
void pms_beside_name(char name[PMS_BESIDE_NAME]);

/** Open a file without a name in the folder @folder, for its user alone. Returns a descriptor, or
 * -1 where it could not be given a name later, either. */
int pms_beside_nameless(int folder);
/** The same with a name, which @name receives; "" on failure. Returns a descriptor, or -1 and
 * errno.
 */
int pms_beside_named(int folder, char name[PMS_BESIDE_NAME]);

/** Give the file that @fd is open for the name @name in @folder. Returns 0, or -1 and errno: EEXIST
 * where something has that name. */
int pms_beside_link(int fd, int folder, const char *name);

#ifdef __cplusplus
}
#endif
#endif

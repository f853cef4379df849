/* SPDX-License-Identifier: MIT */
/* session/vfs.h - one file as all that SQLite can open. SQLite looks beside a database for journals
 * and logs, follows what they name, deletes and creates files; of a file that somebody else wrote,
 * none of that may happen. */
#ifndef PMS_SESSION_VFS_H
#define PMS_SESSION_VFS_H

#include <sqlite3.h>

struct pms_vfs; /* opaque; ends with pms_vfs_free */

/**
 * Open @path to be read. It is SQLite's own file, with its locks: other connections of this process
 * keep theirs when it is closed. What is no regular file is not opened.
 * Returns 0, or -1 with errno: EINVAL where @path is no regular file.
 */
int pms_vfs_open(const char *path, struct pms_vfs **out);
/** Take @fd, an empty file open for reading and writing, to be written. It is borrowed, and nobody
 * else is to use the file. Returns NULL when out of memory. */
struct pms_vfs *pms_vfs_of(int fd);
/**
 * Take the database that @fd is open for, whose name is @name, to be written under that name by
 * SQLite itself, with a log. The database is in the mode that has one, nobody had it under this
 * name before, and @fd stays open for longer. Both are borrowed. Whoever puts another file in its
 * place gets an error, not ours to write. Returns NULL when out of memory.
 */
struct pms_vfs *pms_vfs_in_place(int fd, const char *name);
/** Databases of it are closed. @v may be NULL. */
void pms_vfs_free(struct pms_vfs *v);

/** Open the file as a database, which one thread uses at a time. Returns as sqlite3_open_v2. */
int pms_vfs_database(struct pms_vfs *v, sqlite3 **db);

/* Of a file that was opened with pms_vfs_open. */

/** Its name without links. */
const char *pms_vfs_path(const struct pms_vfs *v);
/** Lock the file against writers, as every reader of SQLite does. Returns 0; 1: one is at work; -1:
 * it cannot be locked. */
int pms_vfs_lock(struct pms_vfs *v);
void pms_vfs_unlock(struct pms_vfs *v);
/** Whether some other connection is about to write, so that the journal is its own. */
int pms_vfs_is_reserved(struct pms_vfs *v);
/** Size in bytes, or -1. */
sqlite3_int64 pms_vfs_size(struct pms_vfs *v);
/** Read @n bytes at @offset. Returns 0, or -1 when they are not there. */
int pms_vfs_read(struct pms_vfs *v, void *bytes, int n, sqlite3_int64 offset);

#endif

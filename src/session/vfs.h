/* SPDX-License-Identifier: MIT */
/* session/vfs.h - a VFS in which SQLite can open one file alone. SQLite looks beside a database
 * for journals and logs, follows names in them, deletes and creates files: none of that may
 * happen for a file that somebody else wrote. */
#ifndef PMS_SESSION_VFS_H
#define PMS_SESSION_VFS_H

#include <sqlite3.h>

struct pms_vfs; /* opaque; ends with pms_vfs_free */

/** Open @path for reading. It is opened by SQLite's own code, so closing it leaves the locks of
 * other connections of this process alone. Only regular files are opened.
 * @out: free with pms_vfs_free
 * Returns 0, or -1 with errno: EINVAL where @path is no regular file. */
int pms_vfs_open(const char *path, struct pms_vfs **out);
/** Make a VFS that writes @fd, an empty file open for reading and writing, which nobody else
 * uses. @fd is borrowed. Returns NULL when out of memory. */
struct pms_vfs *pms_vfs_of(int fd);
/** Make a VFS in which SQLite itself writes the database that @fd has open, under @name and with
 * a log. The database is marked as one with a log, nobody opened it under this name before, and
 * @fd stays open for longer. Both are borrowed. If another file is put in its place, opening
 * fails rather than write to that file. Returns NULL when out of memory. */
struct pms_vfs *pms_vfs_in_place(int fd, const char *name);
/** Free the VFS after its databases are closed. @v may be NULL. */
void pms_vfs_free(struct pms_vfs *v);

/** Open the file as a database for one thread at a time. Returns as sqlite3_open_v2. */
int pms_vfs_database(struct pms_vfs *v, sqlite3 **db);

/* For files opened with pms_vfs_open. */

/** Returns the file's name without links. */
const char *pms_vfs_path(const struct pms_vfs *v);
/** Lock the file against writers, as every reader of SQLite does. Returns 0; 1: a writer is at
 * work; -1: it cannot be locked. */
int pms_vfs_lock(struct pms_vfs *v);
void pms_vfs_unlock(struct pms_vfs *v);
/** Returns whether another connection is about to write: the journal is then in use. */
int pms_vfs_is_reserved(struct pms_vfs *v);
/** Returns the size in bytes, or -1. */
sqlite3_int64 pms_vfs_size(struct pms_vfs *v);
/** Read @n bytes at @offset. Returns 0, or -1 when the file has fewer. */
int pms_vfs_read(struct pms_vfs *v, void *bytes, int n, sqlite3_int64 offset);

#endif

/* SPDX-License-Identifier: MIT */
/* session/image.h - copy a session's pages into memory where the file alone lacks the newest:
 * its writer is at work, or was ended. The log (FILE-wal) then has the newest pages, or the
 * journal (FILE-journal) the last consistent ones. SQLite itself would repair the files, and
 * delete and create some; this code changes none. Source: "Database File Format" of sqlite.org,
 * sections 1.3, 3 and 4. */
#ifndef PMS_SESSION_IMAGE_H
#define PMS_SESSION_IMAGE_H

#include <stddef.h>

#include "pmuscope/error.h"
#include "session/vfs.h"

struct pms_image {
	unsigned char *bytes; /* owned: free() */
	size_t size;
	int log_missing; /* 1: the file uses a log, but there is none beside it */
};

/** Make an image of @v's file if the file alone is not enough.
 * @name: of the session, for errors
 * @out:  written only where 1 is returned
 * Returns 1: read the image; 0: read the file, which is locked against writers.
 * Errors: -PMS_EIO a writer goes on writing, or a file beside the session cannot be read or
 * trusted; -PMS_EPARSE the journal or log does not fit; -PMS_ENOMEM. */
int pms_image_read(struct pms_vfs *v, const char *name, struct pms_image *out,
		   struct pms_error *err);

/** Mark the @size bytes of a database as one without a log, so that SQLite looks for none. */
void pms_image_settle(unsigned char *bytes, size_t size);

#endif

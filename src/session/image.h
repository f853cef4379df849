/* SPDX-License-Identifier: MIT */
/* session/image.h - a session's pages in memory, where the file alone does not have them: its
 * writer is at work, or was ended. The newest pages are then in its log (FILE-wal), or the last
 * whole ones in its journal (FILE-journal). SQLite would put the files themselves in order, and
 * delete and create files for that; here nothing is changed. Source: "Database File Format" of
 * sqlite.org, sections 1.3, 3 and 4. */
#ifndef PMS_SESSION_IMAGE_H
#define PMS_SESSION_IMAGE_H

#include <stddef.h>

#include "pmuscope/error.h"
#include "session/vfs.h"

struct pms_image {
	unsigned char *bytes; /* owned: free() */
	size_t size;
	int log_missing; /* 1: the file is one with a log, and there is none beside it */
};

/**
 * Read what @v needs beside its file, if it needs anything.
 * @name: of the session, for errors
 * @out:  written only where 1 is returned
 * Returns 1: the image is what is to be read; 0: the file is, and is locked against writers.
 * Errors: -PMS_EIO somebody goes on writing, or a file beside it cannot be read or is not to be
 *         trusted; -PMS_EPARSE the journal or log does not fit; -PMS_ENOMEM.
 */
int pms_image_read(struct pms_vfs *v, const char *name, struct pms_image *out,
		   struct pms_error *err);

/** Take @size bytes of a database for an image: they are changed so that SQLite looks for no log.
 */
void pms_image_settle(unsigned char *bytes, size_t size);

#endif

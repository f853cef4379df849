/* SPDX-License-Identifier: MIT */
/* session/place.h - create a file without a name, and give it its name later. The file is ours
 * from the start: nobody can replace it, even in a folder of theirs. */
#ifndef PMS_SESSION_PLACE_H
#define PMS_SESSION_PLACE_H

#include "pmuscope/beside.h"
#include "pmuscope/error.h"

struct pms_session_place {
	const char *path;		 /* as the caller gave it; borrowed */
	char *whole;			 /* the path for SQLite to open */
	const char *name;		 /* the last part of path */
	int folder;			 /* descriptor of the folder */
	int fd;				 /* descriptor of the file, for reading and writing */
	char temporary[PMS_BESIDE_NAME]; /* the file's name for now; "": it has none */
};

#define PMS_NO_PLACE ((struct pms_session_place){ .folder = -1, .fd = -1 })

/** Open an empty file, accessible to the user alone, in the folder of @path.
 * @place: always close it, even after an error
 * Returns 0. Errors: -PMS_EIO something is at @path, an earlier session left files beside it, or
 * the file cannot be created; -PMS_ENOMEM. */
int pms_place_open(struct pms_session_place *place, const char *path, struct pms_error *err);
/** Close the place. A file without its final name is removed. */
void pms_place_close(struct pms_session_place *place);

/** Give the file its name unless something is there by now. Returns 0. Errors: -PMS_EIO. */
int pms_place_settle(struct pms_session_place *place, struct pms_error *err);

/** Mark the file, a database that nobody has open, as one with or without a log. A file in use
 * stays as it is. Returns 0. Errors: -PMS_EIO. */
int pms_place_set_log(struct pms_session_place *place, int has_log, struct pms_error *err);

#endif

/* SPDX-License-Identifier: MIT */
/* session/place.h - a file that has no name yet, and the place where it is to get one. It belongs
 * to us from the start: nobody can put another in its stead, even in a folder of theirs. */
#ifndef PMS_SESSION_PLACE_H
#define PMS_SESSION_PLACE_H

#include "pmuscope/beside.h"
#include "pmuscope/error.h"

struct pms_session_place {
	const char *path;		 /* as it was given; borrowed */
	char *whole;			 /* by which SQLite is to open it */
	const char *name;		 /* in the folder; its end */
	int folder;			 /* descriptor */
	int fd;				 /* of the file, for reading and writing */
	char temporary[PMS_BESIDE_NAME]; /* its name for now; "": it has none */
};

#define PMS_NO_PLACE ((struct pms_session_place){ .folder = -1, .fd = -1 })

/**
 * Open an empty file, for the user alone, in the folder of @path.
 * @out: to be closed, whatever is returned
 * Errors: -PMS_EIO there is something at @path, or left beside it by an earlier session; or the
 * file cannot be created. -PMS_ENOMEM.
 */
int pms_place_open(struct pms_session_place *place, const char *path, struct pms_error *err);
/** Without a name yet, the file is gone. */
void pms_place_close(struct pms_session_place *place);

/** Give the file its name, unless something has come there meanwhile. Errors: -PMS_EIO */
int pms_place_settle(struct pms_session_place *place, struct pms_error *err);

/** Say in the file, a database that nobody has open, whether it has a log. One that is in use stays
 * as it is. Errors: -PMS_EIO */
int pms_place_set_log(struct pms_session_place *place, int has_log, struct pms_error *err);

#endif

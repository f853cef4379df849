/* SPDX-License-Identifier: MIT */
/* session/tables.h - check that a file's tables are a session's before reading anything in them. */
#ifndef PMS_SESSION_TABLES_H
#define PMS_SESSION_TABLES_H

#include "session/row.h"

/** Check that the database is a session of a known version, that its tables are ours to the
 * letter, and that their pages are whole. Foreign tables, views and indices may stand beside
 * them: nothing of theirs is evaluated.
 * Returns 0. Errors: -PMS_EPARSE, -PMS_ENOMEM, -PMS_EIO. */
int pms_tables_check(struct pms_session *s, struct pms_error *err);

#endif

/* SPDX-License-Identifier: MIT */
/* session/tables.h - whether a file's tables are a session's, before anything in them is read. */
#ifndef PMS_SESSION_TABLES_H
#define PMS_SESSION_TABLES_H

#include "session/row.h"

/**
 * Check that the database is a session of a version that can be read, that its tables are ours to
 * the letter, and that their pages are whole. Tables, views and indices of others' may stand
 * beside them: nothing of them is evaluated.
 * Errors: -PMS_EPARSE, -PMS_ENOMEM, -PMS_EIO.
 */
int pms_tables_check(struct pms_session *s, struct pms_error *err);

#endif

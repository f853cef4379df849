/* SPDX-License-Identifier: MIT */
/* session/schema.h - the tables of a session and their words, shared by writer and reader.
 * docs/use/session.md describes them for users: a change here is a new version there. */
#ifndef PMS_SESSION_SCHEMA_H
#define PMS_SESSION_SCHEMA_H

#include <stddef.h>

#include "pmuscope/counts.h"

enum {
	PMS_SESSION_APPLICATION = 0x504d5363, /* application_id of the file: "PMSc" */
	PMS_SESSION_VERSION = 4		      /* user_version; 1 to 3 can be read too */
};

struct pms_session_table {
	const char *kind; /* "table", "view" */
	const char *name;
	const char *sql; /* the statement that creates it, as SQLite keeps it */
	int since;	 /* first version that has it; 0: all versions */
};

/** The tables, in an order in which they can be created. */
extern const struct pms_session_table pms_session_tables[];
extern const size_t pms_session_n_tables;

/** Words for the values of an enum. */
struct pms_session_words {
	const char *const *words;
	size_t count;
};

extern const struct pms_session_words pms_session_states;  /* of enum pms_count_state */
extern const struct pms_session_words pms_session_classes; /* of enum pms_count_class */
extern const struct pms_session_words pms_session_scopes;  /* of enum pms_scope_kind */

/* Of a profile: enum pms_profile_source, unit, share and branch, and enum pms_object_kind. */
extern const struct pms_session_words pms_session_sources, pms_session_units, pms_session_shares,
	pms_session_branches, pms_session_objects;

/** Numbers of a pass and a run in pms_session_scopes, after the kinds of scopes. */
enum { PMS_SESSION_PASS = PMS_SCOPE_NODE + 1, PMS_SESSION_RUN };

/** Returns the number of @word; -1: there is no such word. */
int pms_session_word(const struct pms_session_words *words, const char *word);

#endif

/* SPDX-License-Identifier: MIT */
/* session/schema.h - the tables of a session and the words in them, shared by writer and reader.
 * docs/use/session.md describes them for users; a change here is a new version there. */
#ifndef PMS_SESSION_SCHEMA_H
#define PMS_SESSION_SCHEMA_H

#include <stddef.h>

#include "pmuscope/counts.h"

enum {
	PMS_SESSION_APPLICATION = 0x504d5363, /* application_id of the file: "PMSc" */
	PMS_SESSION_VERSION = 3		      /* user_version; 1 and 2 are read as well */
};

struct pms_session_table {
	const char *kind; /* "table", "view" */
	const char *name;
	const char *sql; /* that creates it, as SQLite keeps it */
	int since;	 /* first version that has it; 0: all have */
};

/** In an order in which they can be created. */
extern const struct pms_session_table pms_session_tables[];
extern const size_t pms_session_n_tables;

/** Words for the values of an enum, by its number. */
struct pms_session_words {
	const char *const *words;
	size_t count;
};

extern const struct pms_session_words pms_session_states;  /* of enum pms_count_state */
extern const struct pms_session_words pms_session_classes; /* of enum pms_count_class */
extern const struct pms_session_words pms_session_scopes;  /* of enum pms_scope_kind */

/** What a pass of a scope and a run are among pms_session_scopes: behind the kinds of scopes. */
enum { PMS_SESSION_PASS = PMS_SCOPE_NODE + 1, PMS_SESSION_RUN };

/** Returns the number of @word, or -1. */
int pms_session_word(const struct pms_session_words *words, const char *word);

#endif

/* SPDX-License-Identifier: MIT */
/* pmuscope/session.h - keep counts in a file, to show, check and compare them later.
 * Flow: counts -> [session] -> analyse -> show.
 * A session is an SQLite file; docs/use/session.md describes its tables. */
#ifndef PMUSCOPE_SESSION_H
#define PMUSCOPE_SESSION_H

#include <stddef.h>
#include <stdint.h>

#include "pmuscope/counts.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How the counts were shown when they were saved, so that they can be shown the same way again. */
struct pms_session_view {
	const char *command;	   /* the subcommand: "topdown", "stat", "report" */
	const char *const *events; /* names given with -e, n_events of them */
	size_t n_events;
	const char *const *metrics; /* names given with -M, n_metrics of them */
	size_t n_metrics;
	int level;	     /* -l; 0: all */
	int per_thread, all; /* --per-thread (or -A, --per-core), --all */
};

/* Writing. */

struct pms_session_writer; /* opaque; ends with pms_session_finish or pms_session_discard */

/** Check that a session can be created at @path: nothing is there, and the directory can be
 * written. Leaves nothing behind. Returns 0. Errors: -PMS_EIO. */
int pms_session_check(const char *path, struct pms_error *err);

/** Start to write a session. Until it is finished nothing is at @path: the data is in a file
 * beside it that only the user can read.
 * @view: copied
 * @out:  written only on success
 * Returns 0. Errors: -PMS_EIO it cannot be created, or something is there already; -PMS_ENOMEM. */
int pms_session_create(const char *path, const struct pms_session_view *view,
		       struct pms_session_writer **out, struct pms_error *err);

/** Start a session for a long measurement, which is whole at every moment. Add counts of the
 * whole first: that puts the session at @path. From then on each pms_session_add is kept,
 * however this process ends. Adding counts of the whole again replaces them. Until the session
 * is finished, they carry a warning that the measurement was cut off. Returns, and errors: as
 * pms_session_create. */
int pms_session_create_durable(const char *path, const struct pms_session_view *view,
			       struct pms_session_writer **out, struct pms_error *err);

/** Add counts: those of the whole, whose provenance becomes the session's, or of an interval
 * (has_time), in the order of time. Exactly one set is of the whole; all are of one catalog.
 * Returns 0. Errors: -PMS_EINVAL a second whole in a session that is not durable, -PMS_EIO,
 * -PMS_ENOMEM. */
int pms_session_add(struct pms_session_writer *writer, const struct pms_counts *counts,
		    struct pms_error *err);

/** Put the session in its place, complete and on disk, and free @writer, even on failure. Returns
 * 0. Errors: -PMS_EINVAL no counts of the whole, -PMS_EIO. After an error nothing is left
 * behind, except a durable session as far as it was kept. */
int pms_session_finish(struct pms_session_writer *writer, struct pms_error *err);
/** Give up and free @writer, which may be NULL. Nothing is left behind, except a durable session
 * as far as it was kept. */
void pms_session_discard(struct pms_session_writer *writer);

/* Reading. */

struct pms_session; /* opaque; owned by the caller of pms_session_open */

/** Open a session without changing any file. If its writer has not finished it or is at work, its
 * present state is read into memory, with FILE-wal or FILE-journal beside it.
 * @out: written only on success; free with pms_session_close
 * Returns 0. Errors: -PMS_EIO it cannot be read, is being written, or files beside it cannot be
 * trusted; -PMS_EPARSE it is no session, damaged, or of an unknown version; -PMS_ENOMEM. */
int pms_session_open(const char *path, struct pms_session **out, struct pms_error *err);
/** As pms_session_open, for @size bytes in memory, which are copied. @name: for errors */
int pms_session_open_bytes(const char *name, const void *bytes, size_t size,
			   struct pms_session **out, struct pms_error *err);
void pms_session_close(struct pms_session *session);

/* Return what the session says of itself, borrowed until it is closed. */
const char *pms_session_cpu(const struct pms_session *session); /* "neoverse-v1" */
/** Returns the path of the specification that was given with --spec; NULL: the CPU has a folder. */
const char *pms_session_spec(const struct pms_session *session);
const struct pms_session_view *pms_session_view(const struct pms_session *session);

/** Returns the number of intervals; 0 when there is only the whole. */
size_t pms_session_intervals(const struct pms_session *session);

/** Load the counts of the whole, or of interval @i.
 * @catalog: of the session's CPU, or to be used instead; borrowed, must outlive @out. Events
 *       that it lacks are left out, with a warning in the whole.
 * @out: written only on success; free with pms_counts_free
 * Returns 0. Errors: -PMS_EINVAL no such interval; -PMS_EPARSE damaged; -PMS_EIO, -PMS_ENOMEM. */
int pms_session_total(struct pms_session *session, const struct pms_catalog *catalog,
		      struct pms_counts **out, struct pms_error *err);
int pms_session_interval(struct pms_session *session, size_t i, const struct pms_catalog *catalog,
			 struct pms_counts **out, struct pms_error *err);

#ifdef __cplusplus
}
#endif
#endif

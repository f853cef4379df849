/* SPDX-License-Identifier: MIT */
/* pmuscope/session.h - counts kept in a file, to be shown, checked and compared later.
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

/** How the counts were shown when they were saved, so that they can be shown that way again. */
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

/** Whether a session can be created at @path: nothing is there yet, and the directory can be
 * written. Leaves nothing behind. Returns 0. Errors: -PMS_EIO. */
int pms_session_check(const char *path, struct pms_error *err);

/**
 * Start to write a session. Until it is finished there is nothing at @path: what is written lies in
 * a file beside it, which only the user can read.
 * @view: copied
 * @out:  written only on success
 * Returns 0. Errors: -PMS_EIO cannot be created, or something is there already; -PMS_ENOMEM.
 */
int pms_session_create(const char *path, const struct pms_session_view *view,
		       struct pms_session_writer **out, struct pms_error *err);

/**
 * Start a session that is whole at every moment, for measurements that go on: counts of the whole
 * are added first, which puts it at @path, and from then on each pms_session_add is kept for good,
 * however this process ends. Counts of the whole may be added again, which replaces them; until it
 * is finished there is a warning with them that it was cut off. Returns, and errors: as
 * pms_session_create.
 */
int pms_session_create_durable(const char *path, const struct pms_session_view *view,
			       struct pms_session_writer **out, struct pms_error *err);

/**
 * Add the counts of the whole, whose provenance is the session's, or of an interval (has_time), in
 * the order of time. One, and one alone, is of the whole; all are of one catalog.
 * Returns 0. Errors: -PMS_EINVAL a second one of the whole of a session that is not durable,
 *         -PMS_EIO, -PMS_ENOMEM.
 */
int pms_session_add(struct pms_session_writer *writer, const struct pms_counts *counts,
		    struct pms_error *err);

/** Put the session in its place, complete and on disk, and free @writer, whatever is returned.
 * Returns 0. Errors: -PMS_EINVAL no counts of the whole, -PMS_EIO; nothing is left behind. */
int pms_session_finish(struct pms_session_writer *writer, struct pms_error *err);
/** Give up: nothing is left behind, but of a durable session what was added. @writer may be NULL.
 */
void pms_session_discard(struct pms_session_writer *writer);

/* Reading. */

struct pms_session; /* opaque; owned by the caller of pms_session_open */

/**
 * Open a session. No file is changed by it. One that its writer has not finished, or is writing, is
 * read into memory as it is now, with what FILE-wal or FILE-journal beside it have.
 * @out: written only on success; free with pms_session_close
 * Returns 0. Errors: -PMS_EIO cannot be read, is being written, or what is beside it is not to be
 *         trusted; -PMS_EPARSE is no session, is damaged, or is of a version that this library does
 *         not know; -PMS_ENOMEM.
 */
int pms_session_open(const char *path, struct pms_session **out, struct pms_error *err);
/** The same of @size bytes in memory, which are copied; @name is what errors name. */
int pms_session_open_bytes(const char *name, const void *bytes, size_t size,
			   struct pms_session **out, struct pms_error *err);
void pms_session_close(struct pms_session *session);

/* Borrowed until the session is closed. */
const char *pms_session_cpu(const struct pms_session *session); /* "neoverse-v1" */
/** Path of the specification that was given with --spec; NULL: the CPU has a folder. */
const char *pms_session_spec(const struct pms_session *session);
const struct pms_session_view *pms_session_view(const struct pms_session *session);

/** Returns the number of intervals; 0 when there is the whole alone. */
size_t pms_session_intervals(const struct pms_session *session);

/**
 * Counts of the whole, or of interval @i.
 * @catalog: of the session's CPU, or one that is to be taken for it; borrowed, must outlive @out.
 *           Of events that it does not have nothing is said but a warning, with the whole.
 * @out:     written only on success; free with pms_counts_free
 * Returns 0. Errors: -PMS_EINVAL no such interval; -PMS_EPARSE damaged; -PMS_EIO, -PMS_ENOMEM.
 */
int pms_session_total(struct pms_session *session, const struct pms_catalog *catalog,
		      struct pms_counts **out, struct pms_error *err);
int pms_session_interval(struct pms_session *session, size_t i, const struct pms_catalog *catalog,
			 struct pms_counts **out, struct pms_error *err);

#ifdef __cplusplus
}
#endif
#endif

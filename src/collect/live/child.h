/* SPDX-License-Identifier: MIT */
/* collect/live/child.h - the command that is measured. */
#ifndef PMS_COLLECT_LIVE_CHILD_H
#define PMS_COLLECT_LIVE_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "pmuscope/error.h"

struct pms_perf_child {
	pid_t pid;  /* 0: none */
	int go;	    /* write to it to start the command; -1: it was started */
	int held;   /* the other end of go, kept so that a killed child breaks no pipe; -1:
		     * closed */
	int failed; /* receives the errno of exec, or ends when exec worked; -1: closed */
};

/** Fork the child, and let it wait. @mask: its signal mask; @files: its limit of descriptors. */
int pms_perf_child_fork(struct pms_perf_child *child, char *const *argv, const sigset_t *mask,
			const struct rlimit *files, struct pms_error *err);
/** Start the waiting command. Errors: -PMS_ENOEXEC, -PMS_EEXEC. */
int pms_perf_child_start(struct pms_perf_child *child, const char *name, struct pms_error *err);
/** End a child that was never started. */
void pms_perf_child_drop(struct pms_perf_child *child);
/** Returns whether the command has ended, and reaps it then. @status: of waitpid(2), written only
 * then. */
bool pms_perf_child_ended(pid_t pid, int *status);
/** Ask the command to end, even when it is stopped. */
void pms_perf_child_end(pid_t pid);
/** Kill the command and reap it. @pid may be 0. */
void pms_perf_child_reap(pid_t pid, int *status);

#endif

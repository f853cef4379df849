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
	int go;	    /* to be written to when it may start; -1: it was */
	int held;   /* the other end of go, so that one who was killed breaks no pipe; -1: closed */
	int failed; /* tells the errno of exec, or ends when that worked; -1: closed */
};

/** Fork, and let it wait. @mask: its signals; @files: its limit of descriptors. */
int pms_perf_child_fork(struct pms_perf_child *child, char *const *argv, const sigset_t *mask,
			const struct rlimit *files, struct pms_error *err);
/** Let it run. Errors: -PMS_ENOEXEC, -PMS_EEXEC. */
int pms_perf_child_start(struct pms_perf_child *child, const char *name, struct pms_error *err);
/** End one that was never started. */
void pms_perf_child_drop(struct pms_perf_child *child);
/** Whether a command has ended; then it is waited for. @status: of waitpid(2), written only then.
 */
bool pms_perf_child_ended(pid_t pid, int *status);
/** Ask it to end, also when it is stopped. */
void pms_perf_child_end(pid_t pid);
/** Kill it, and wait for it. @pid may be 0. */
void pms_perf_child_reap(pid_t pid, int *status);

#endif

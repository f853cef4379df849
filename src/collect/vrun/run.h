/* SPDX-License-Identifier: MIT */
/* collect/vrun/run.h - run a command to its end, passing on the signals meant for it. */
#ifndef PMS_COLLECT_VRUN_RUN_H
#define PMS_COLLECT_VRUN_RUN_H

#include "pmuscope/error.h"

#include <sys/types.h>

enum { PMS_STREAMS = 3, PMS_CREW_MOST = 256 };

/** A command to run. */
struct pms_child {
	const char *path;
	char *const *argv, *const *env;
	int keep_fd;	    /* a descriptor that it inherits although it is close-on-exec here */
	const int *streams; /* descriptors for its standard streams; NULL: this process's */
	int status;	    /* receives what waitpid(2) gave */
	pid_t pid;	    /* private, as is the next */
	int pid_fd;
};

/**
 * Run a command to its end, with this process's signal mask and directory, and without
 * address-space randomization where the host allows that. While it runs, SIGINT, SIGTERM, SIGHUP
 * and SIGQUIT do not end the calling thread. The terminal sends its signals to the program as well;
 * other signals are passed on.
 * Returns 0. Errors: -PMS_EHOST the program cannot be started.
 */
int pms_run(struct pms_child *child, struct pms_error *err);

/** Commands to run beside each other. */
struct pms_crew {
	unsigned most; /* at once; PMS_CREW_MOST at most */
	/* Give the next command, or NULL in *child when there is none. Returns 0 or an error. */
	int (*next)(void *context, struct pms_child **child, struct pms_error *err);
	/* Take a command that has ended. Returns 0 or an error. */
	int (*ended)(void *context, struct pms_child *child, struct pms_error *err);
	/* Take a command that was given, but could not be started, or was killed after an error. */
	void (*dropped)(void *context, struct pms_child *child);
	void *context;
};

/** Run commands to their ends, as pms_run. A signal is passed on to all, and none is started after
 * it. After an error the others are killed. Returns 0. Errors: as pms_run, and of the functions. */
int pms_run_crew(const struct pms_crew *crew, struct pms_error *err);

#endif

/* SPDX-License-Identifier: MIT */
/* collect/vrun/run.h - run a command to its end, passing on the signals meant for it. */
#ifndef PMS_COLLECT_VRUN_RUN_H
#define PMS_COLLECT_VRUN_RUN_H

#include "pmuscope/error.h"

/**
 * Run @path with @argv and @env, with this process's standard streams, signal mask and directory,
 * and without address-space randomization where the host allows that. While it runs, SIGINT,
 * SIGTERM, SIGHUP and SIGQUIT do not end the calling thread. The terminal sends its signals to the
 * program as well; other signals are passed on.
 * @keep_fd: a descriptor that the program inherits although it is close-on-exec here
 * @status:  receives what waitpid(2) gave
 * Returns 0. Errors: -PMS_EHOST the program cannot be started.
 */
int pms_run(const char *path, char *const *argv, char *const *env, int keep_fd, int *status,
	    struct pms_error *err);

#endif

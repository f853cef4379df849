/* SPDX-License-Identifier: MIT */
/* cli/progress.h - a line on a terminal that shows the progress of a long job. It stays hidden
 * where standard error is no terminal, and for jobs of less than a second. */
#ifndef PMS_CLI_PROGRESS_H
#define PMS_CLI_PROGRESS_H

#include <stdint.h>
#include <time.h>

struct cli_progress {
	const char *what; /* "exporting" */
	int shown;	  /* 1: the line is shown */
	int hidden;	  /* 1: no terminal, or not ours */
	struct timespec begin, last;
};

/** Begin. @what: a verb, borrowed. @busy: 1: output goes to the terminal too, so show nothing */
void cli_progress_begin(struct cli_progress *progress, const char *what, int busy);

/** Show @done of @total bytes; total 0: not known. May be called at any rate. */
void cli_progress_show(struct cli_progress *progress, uint64_t done, uint64_t total);

/** Remove the line. */
void cli_progress_end(struct cli_progress *progress);

#endif

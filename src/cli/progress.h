/* SPDX-License-Identifier: MIT */
/* cli/progress.h - a line on a terminal that says how far a long job is. Nothing is shown where
 * standard error is no terminal, nor of what is done within a second. */
#ifndef PMS_CLI_PROGRESS_H
#define PMS_CLI_PROGRESS_H

#include <stdint.h>
#include <time.h>

struct cli_progress {
	const char *what; /* "exporting" */
	int shown;	  /* 1: the line is there */
	int hidden;	  /* 1: no terminal to show it on */
	struct timespec begin, last;
};

/** @what: a verb, borrowed. @busy: 1: what is written goes to the terminal too, so show nothing */
void cli_progress_begin(struct cli_progress *progress, const char *what, int busy);

/** Show @done of @total bytes, 0 when that is not known. May be called as often as one likes. */
void cli_progress_show(struct cli_progress *progress, uint64_t done, uint64_t total);

/** Take the line away. */
void cli_progress_end(struct cli_progress *progress);

#endif

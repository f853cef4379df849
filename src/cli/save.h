/* SPDX-License-Identifier: MIT */
/* cli/save.h - save counts in a session, for --save. */
#ifndef PMS_CLI_SAVE_H
#define PMS_CLI_SAVE_H

#include <signal.h>

#include "options.h"

/** Check that a session can be created at @path, before anything is run; NULL, for none, always
 * can. Returns CLI_DONE, or the exit status after a message. */
int cli_save_check(const struct cli_options *o, const char *path);

/** A session being written. Signals that would end us are held, so that no part of it is left. */
struct cli_save {
	struct pms_session_writer *writer; /* NULL: nothing to save, or it failed */
	sigset_t signals;
	int status; /* the first failure, after its message */
};

/** Start a session at @path; NULL: none. @command: the subcommand; @wanted: what it showed */
void cli_save_begin(struct cli_save *save, const struct cli_options *o, const char *path,
		    const char *command, const struct pms_wanted *wanted);
/** Add counts: first the whole, then each interval. */
void cli_save_add(struct cli_save *save, const struct pms_counts *counts);
/** Finish. @keep: 0: discard it. Returns CLI_DONE, or the exit status after a message. */
int cli_save_end(struct cli_save *save, int keep);

#endif

/* SPDX-License-Identifier: MIT */
/* cli/output.h - where a report goes: a stream, or a file that is complete or untouched. */
#ifndef PMS_CLI_OUTPUT_H
#define PMS_CLI_OUTPUT_H

#include <signal.h>
#include <stdio.h>

#include "options.h"

struct cli_output {
	FILE *stream;
	char *path;	 /* of the file, links resolved; NULL: the stream is somebody else's */
	char *temporary; /* beside it, to be renamed; NULL: written in place (a pipe, a terminal) */
	sigset_t signals; /* those to go back to when it is closed */
};

/** Let signals that would end us wait. @old: receives those to go back to with sigprocmask. */
void cli_hold_signals(sigset_t *old);

/** Whether a signal that would end us waits: what takes long is then to stop. */
int cli_stopped(void);

/** Whether @path can be written, before anything is run. NULL, for the default stream, can.
 * Leaves nothing behind. Returns 0, or the exit status after a message. */
int cli_output_check(const char *path);

/** Open for writing. @stream is the default, for a NULL @path. From here to cli_output_close,
 * signals that would end us wait, so that no temporary file is left. Returns as above. */
int cli_output_open(struct cli_output *output, const char *path, FILE *stream);

/** Finish. @keep: 1: put the file in place; 0: leave what was there. Returns as above. */
int cli_output_close(struct cli_output *output, int keep);

/** Writes @what, a library's structure, as the options of show.h say. Returns as pms_show_... */
typedef int cli_writer(FILE *out, const void *what, const struct pms_show_options *options,
		       struct pms_error *err);

/** Open the output that the options name, have @what written to it, and finish. Returns as above.
 */
int cli_output_put(const struct cli_options *o, cli_writer *write, const void *what);

#endif

/* SPDX-License-Identifier: MIT */
/* cli/output.h - where a report goes: a stream, or a file that is complete or untouched.
 *
 * What is written goes into a file without a name, in the folder of the one that it is for; when it
 * is complete it gets the name. So nothing is left, whatever ends us. File systems that have no
 * such files get one with a name, .pmuscope-XXXXXX, which signals remove (but not SIGKILL).
 *
 * A file that is there is replaced by one of the same owner and permissions, but without setuid,
 * setgid and sticky bits. Where that cannot be (it has other names or an access control list, its
 * owner would be another, its folder takes no files), what is complete is copied into it. */
#ifndef PMS_CLI_OUTPUT_H
#define PMS_CLI_OUTPUT_H

#include <stdio.h>

#include "options.h"
#include "place.h"

struct cli_output {
	FILE *stream;
	const char *path;		 /* as it was given; NULL: the stream is somebody else's */
	struct cli_place place;		 /* that it stands for */
	int is_new;			 /* 1: the stream's file is to get the place's name */
	int target;			 /* file to copy the stream's into; -1: none */
	char temporary[PMS_BESIDE_NAME]; /* in the folder; "": it has none, or is written in place
					  */
};

/** Whether @path can be written, before anything is run. NULL, for the default stream, can.
 * Leaves nothing behind. Returns 0, or the exit status after a message. */
int cli_output_check(const char *path);

/** Open for writing; @path is borrowed. @stream is the default, for a NULL @path. Returns as above.
 */
int cli_output_open(struct cli_output *output, const char *path, FILE *stream);

/** The same for a writer that needs a file's name: it has the one in @temporary, and is the user's
 * alone when it is complete. Refused where it would be copied. */
int cli_output_open_named(struct cli_output *output, const char *path);

/** Finish. @keep: 1: put the file in place; 0: leave what was there. Returns as above. */
int cli_output_close(struct cli_output *output, int keep);

/** Open @path for what is written as it comes, and is to be seen at once. NULL after a message. */
FILE *cli_output_stream(const char *path);

/** Writes @what, a library's structure, as the options of show.h say. Returns as pms_show_... */
typedef int cli_writer(FILE *out, const void *what, const struct pms_show_options *options,
		       struct pms_error *err);

/** Open the output that the options name, have @what written to it, and finish. Returns as above.
 */
int cli_output_put(const struct cli_options *o, cli_writer *write, const void *what);

#endif

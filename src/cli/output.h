/* SPDX-License-Identifier: MIT */
/* cli/output.h - where a report goes: a stream, or a file that is complete or untouched.
 *
 * Output goes into a file without a name, in the final folder; once complete, it gets the name.
 * So nothing is left, whatever ends us. File systems without nameless files get
 * .pmuscope-XXXXXX instead, which signals remove (but not SIGKILL).
 *
 * An existing file is replaced by one with the same owner and permissions, but without setuid,
 * setgid and sticky bits. Some files cannot be replaced: they have other names or an access
 * control list, the owner would change, or the folder takes no files. The complete output is
 * copied into those. */
#ifndef PMS_CLI_OUTPUT_H
#define PMS_CLI_OUTPUT_H

#include <stdio.h>

#include "options.h"
#include "place.h"

struct cli_output {
	FILE *stream;
	const char *path;		 /* as given; NULL: the stream belongs to somebody else */
	struct cli_place place;		 /* where the path leads */
	int error;			 /* errno of what could not be written; 0: nothing */
	int is_new;			 /* 1: the stream's file will get the place's name */
	int target;			 /* file to copy the output into; -1: none */
	char temporary[PMS_BESIDE_NAME]; /* in the folder; "": no name, or written in place */
};

/** Check that @path can be written, before anything is run; NULL, for the default stream, always
 * can. Leaves nothing behind. Returns 0, or the exit status after a message. */
int cli_output_check(const char *path);

/** Open for writing; @path is borrowed. @stream: used where @path is NULL. Returns as
 * cli_output_check. */
int cli_output_open(struct cli_output *output, const char *path, FILE *stream);

/** Open for a writer that needs a file name: @temporary holds it. Only the user may read the
 * complete file. A place that needs copying is refused. */
int cli_output_open_named(struct cli_output *output, const char *path);

/** Write bytes, or what is left in buffers. Return 0, or -1 and keep the reason. */
int cli_output_write(struct cli_output *output, const void *bytes, size_t length);
int cli_output_flush(struct cli_output *output);

/** Finish. @keep: 1: put the file in place; 0: leave the old one. Returns as cli_output_check. */
int cli_output_close(struct cli_output *output, int keep);

/** Open @path for output that must be seen at once. Returns NULL after a message. */
FILE *cli_output_stream(const char *path);

/** Writes @what, a structure of the library, with the options of show.h. Returns as pms_show_... */
typedef int cli_writer(FILE *out, const void *what, const struct pms_show_options *options,
		       struct pms_error *err);

/** Open the output that the options name, write @what to it, and finish. Returns as
 * cli_output_check. */
int cli_output_put(const struct cli_options *o, cli_writer *write, const void *what);

#endif

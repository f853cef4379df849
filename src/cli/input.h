/* SPDX-License-Identifier: MIT */
/* cli/input.h - a file of counts: a session, or the output of perf stat. */
#ifndef PMS_CLI_INPUT_H
#define PMS_CLI_INPUT_H

#include "options.h"

struct cli_input {
	const char *name;	     /* of the file, for messages */
	struct pms_catalog *catalog; /* of the counts' CPU */
	char host[64];		     /* that CPU, where it is this host's for want of a better */
	/* One of the two. */
	struct pms_session *session;
	struct pms_perf_stat *stat;
};

/**
 * Open the file that a subcommand is about, its only argument; - is standard input.
 * The catalog is the one that --mcpu or --spec names, else the session's, else that of this host's
 * CPU, which the first counts have a warning of.
 * @command: the subcommand
 * Release with cli_input_close, whatever is returned. Returns CLI_DONE, or the exit status after a
 * message.
 */
int cli_input_open(struct cli_input *input, const char *command, const struct cli_options *o);
void cli_input_close(struct cli_input *input);

/** Returns the number of intervals; 0 when there is the whole alone. */
size_t cli_input_intervals(const struct cli_input *input);
/* Counts of the whole, of an interval; free with pms_counts_free. They return CLI_DONE, or the exit
 * status after a message. */
int cli_input_total(const struct cli_input *input, struct pms_counts **out);
int cli_input_interval(const struct cli_input *input, size_t i, struct pms_counts **out);
/** An interval, with what is wrong in @err instead of a message. */
int cli_input_read_interval(const struct cli_input *input, size_t i, struct pms_counts **out,
			    struct pms_error *err);

#endif

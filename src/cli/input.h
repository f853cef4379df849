/* SPDX-License-Identifier: MIT */
/* cli/input.h - open the file of counts for a subcommand. */
#ifndef PMS_CLI_INPUT_H
#define PMS_CLI_INPUT_H

#include "options.h"

/**
 * Open the only argument of a subcommand, a file of counts; - is standard input.
 * @command: the subcommand
 * @out:     close with pms_measurement_close; NULL on failure
 * Returns CLI_DONE, or the exit status after a message.
 */
int cli_input_open(const struct cli_options *o, const char *command, struct pms_measurement **out);

/** Read the counts of the whole; free with pms_counts_free. Returns as cli_input_open. */
int cli_input_total(struct pms_measurement *input, struct pms_counts **out);
/** Read the counts of interval @i. Returns as cli_input_open. */
int cli_input_interval(struct pms_measurement *input, size_t i, struct pms_counts **out);

#endif

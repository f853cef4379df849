/* SPDX-License-Identifier: MIT */
/* cli/input.h - the file of counts that a subcommand is about. */
#ifndef PMS_CLI_INPUT_H
#define PMS_CLI_INPUT_H

#include "options.h"

/**
 * Open the file that a subcommand is about, its only argument; - is standard input.
 * @command: the subcommand
 * @out:     close with pms_measurement_close; NULL where it was not opened
 * Returns CLI_DONE, or the exit status after a message.
 */
int cli_input_open(const struct cli_options *o, const char *command, struct pms_measurement **out);

/** Counts of the whole; free with pms_counts_free. Returns as above. */
int cli_input_total(struct pms_measurement *input, struct pms_counts **out);
/** Counts of an interval. Returns as above. */
int cli_input_interval(struct pms_measurement *input, size_t i, struct pms_counts **out);

#endif

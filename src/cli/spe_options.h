/* SPDX-License-Identifier: MIT */
/* cli/spe_options.h - options that the commands of `pmuscope spe` share. */
#ifndef PMS_CLI_SPE_OPTIONS_H
#define PMS_CLI_SPE_OPTIONS_H

#include "cli.h"
#include "parse.h"

/** The values read. */
struct cli_spe_options {
	int raw;
	enum pms_spe_encoding encoding; /* from --mcpu; UNKNOWN: not given */
	struct pms_spe_pick pick;
	const char *file; /* NULL: not named */
};

/** A command, and its own options. */
struct cli_spe_command {
	const char *name;      /* "spe dump" */
	int picks;	       /* 1: it takes the options that select records */
	struct cli_table rows; /* its own */
};

/** Read options and the file name, in any order. Returns -1 to go on, else the exit status. */
int cli_spe_options_read(const struct cli_spe_command *command, struct cli_spe_options *o, int argc,
			 char **argv);

#endif

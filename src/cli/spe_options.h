/* SPDX-License-Identifier: MIT */
/* cli/spe_options.h - what the commands of `pmuscope spe` have in common on the command line. */
#ifndef PMS_CLI_SPE_OPTIONS_H
#define PMS_CLI_SPE_OPTIONS_H

#include <getopt.h>

#include "cli.h"

/** Options of all of them, by these numbers; a command's own begin at 256. */
enum {
	CLI_SPE_RAW = 512,
	CLI_SPE_MCPU,
	CLI_SPE_PID,
	CLI_SPE_TID,
	CLI_SPE_CPU,
	CLI_SPE_COMM,
	CLI_SPE_TIME
};

/** Rows for a command's table of options. */
#define CLI_SPE_LONGS                                                                              \
	{ "help", 0, NULL, 'h' }, { "raw", 0, NULL, CLI_SPE_RAW },                                 \
	{                                                                                          \
		"mcpu", 1, NULL, CLI_SPE_MCPU                                                      \
	}

/** Those that pick records. */
#define CLI_SPE_PICKS                                                                              \
	{ "pid", 1, NULL, CLI_SPE_PID }, { "tid", 1, NULL, CLI_SPE_TID },                          \
		{ "cpu", 1, NULL, CLI_SPE_CPU }, { "comm", 1, NULL, CLI_SPE_COMM },                \
	{                                                                                          \
		"time", 1, NULL, CLI_SPE_TIME                                                      \
	}

/** What was read. */
struct cli_spe_options {
	int raw;
	enum pms_spe_encoding encoding; /* of --mcpu; UNKNOWN: not given */
	struct pms_spe_pick pick;
	const char *file; /* NULL: none is named */
};

/** A command, and how it takes its own options. */
struct cli_spe_command {
	const char *name;   /* "spe dump" */
	const char *shorts; /* as getopt_long has them, from ":h" on */
	const struct option *longs;
	/* Take optarg of an option that is the command's. Returns -1 to go on, else the exit
	 * status. */
	int (*take)(void *context, int option);
	void *context;
};

/** Read options and the file, which may come in any order. Returns -1 to go on, else the exit
 * status. */
int cli_spe_options_read(const struct cli_spe_command *command, struct cli_spe_options *o, int argc,
			 char **argv);

#endif

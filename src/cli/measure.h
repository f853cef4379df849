/* SPDX-License-Identifier: MIT */
/* cli/measure.h - run a program, analyse what it did and show it: all of topdown, most of stat. */
#ifndef PMS_CLI_MEASURE_H
#define PMS_CLI_MEASURE_H

#include "options.h"

/** What differs between the two. */
struct cli_measure {
	const char *name; /* of the subcommand */
	enum pms_view view;
	enum cli_takes takes;
};

int cli_measure(const struct cli_measure *measure, int argc, char **argv);

#endif

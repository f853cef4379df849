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

/** Whether programs are run on the modelled core unless something else is asked for: a host with a
 * PMU of its own measures, and never falls back to a model in silence. */
int cli_is_modelled(const struct cli_options *o);

int cli_measure(const struct cli_measure *measure, int argc, char **argv);

#endif

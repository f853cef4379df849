/* SPDX-License-Identifier: MIT */
/* cli/measure.h - run a program, analyse its counts and show them: all of topdown, most of stat. */
#ifndef PMS_CLI_MEASURE_H
#define PMS_CLI_MEASURE_H

#include "options.h"

/** The differences between topdown and stat. */
struct cli_measure {
	const char *name; /* of the subcommand */
	enum pms_view view;
	enum cli_takes takes;
};

/** Returns whether programs run on the modelled core unless the user asks otherwise. A host with
 * a PMU of its own measures; it never falls back to a model silently. */
int cli_is_modelled(const struct cli_options *o);

int cli_measure(const struct cli_measure *measure, int argc, char **argv);

#endif

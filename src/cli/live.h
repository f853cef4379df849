/* SPDX-License-Identifier: MIT */
/* cli/live.h - measure with this machine's PMU: topdown and stat with --source perf. */
#ifndef PMS_CLI_LIVE_H
#define PMS_CLI_LIVE_H

#include "measure.h"

/** Measure, show and save. Returns the exit status: a command's own, once it has started. */
int cli_live(const struct cli_options *o, const struct cli_measure *measure);

#endif

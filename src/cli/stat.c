/* SPDX-License-Identifier: MIT */
#include "measure.h"

int cli_stat(int argc, char **argv)
{
	static const struct cli_measure stat = { "stat", PMS_VIEW_STAT, CLI_TAKES_STAT };
	return cli_measure(&stat, argc, argv);
}

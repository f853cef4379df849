/* SPDX-License-Identifier: MIT */
#include "measure.h"

int cli_topdown(int argc, char **argv)
{
	static const struct cli_measure topdown = { "topdown", PMS_VIEW_TOPDOWN,
						    CLI_TAKES_TOPDOWN };
	return cli_measure(&topdown, argc, argv);
}

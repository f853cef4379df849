/* SPDX-License-Identifier: MIT */
#include "pmuscope/pmuscope.h"

const char *pms_version(void)
{
	return PMS_VERSION;
}

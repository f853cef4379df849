/* SPDX-License-Identifier: MIT */
#include "pmuscope/version.h"

const char *pms_version(void)
{
	return PMS_VERSION;
}

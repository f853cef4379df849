/* SPDX-License-Identifier: MIT */
#include "vcore/model/rename.h"

PMS_APART void pms_rename_stall(struct pms_core *core, uint64_t to, uint64_t fetched,
				enum pms_counter cause)
{
	pms_rename_pass(core, to, fetched, cause);
	pms_calendar_advance(&core->calendar, to);
}

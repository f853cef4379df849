/* SPDX-License-Identifier: MIT */
/* The core of core_numbers.h, with what A64 adds. */
#ifndef CORE_FIXTURE_H
#define CORE_FIXTURE_H

#include "core_numbers.h"

static inline struct pms_params fixture_params(void)
{
	struct pms_params p = core_numbers();
	p.form_slots[PMS_FORM_LD4_16] = 4;
	p.form_slots[PMS_FORM_ST4_16] = 6;
	p.pairs[PMS_FUSE_COMPARE] = 1u << PMS_FUSE_CONDITIONAL;
	p.pairs[PMS_FUSE_AESE] = 1u << PMS_FUSE_AESMC;
	return p;
}

#endif

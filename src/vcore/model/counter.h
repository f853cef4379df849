/* SPDX-License-Identifier: MIT */
/* vcore/model/counter.h - saturating counters of the predictors. */
#ifndef PMS_VCORE_MODEL_COUNTER_H
#define PMS_VCORE_MODEL_COUNTER_H

#include <stdbool.h>

/* use_alt of a predictor with tagged tables: from the threshold on, its new entries are not
 * believed, but the tables below are. */
enum { PMS_USE_ALT_MAX = 15, PMS_USE_ALT_THRESHOLD = 8 };

/** Returns @value one step @up or down, within 0 and @most. */
static inline unsigned pms_step(unsigned value, unsigned most, bool up)
{
	return up ? value + (value < most) : value - (value > 0);
}

#endif

/* SPDX-License-Identifier: MIT */
/* plan/bound.h - what every packing needs at least, cheaply.
 * Flow: packing -> [bound] -> search. */
#ifndef PMS_PLAN_BOUND_H
#define PMS_PLAN_BOUND_H

#include "plan/packing.h"

/** Passes that every packing has at least, by counting events, those that sets of many different
 * ones share as often as they have to be counted. 0 when out of memory, which is true as well. */
size_t pms_packing_bound(const struct pms_packing *packing);

#endif

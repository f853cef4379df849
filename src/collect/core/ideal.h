/* SPDX-License-Identifier: MIT */
/* collect/core/ideal.h - the ideal cores, by name. pmuscope/core.h lists them. */
#ifndef PMS_COLLECT_CORE_IDEAL_H
#define PMS_COLLECT_CORE_IDEAL_H

#include "pmuscope/core.h"

/** Returns the ideal core called @name; NULL: there is none. Static storage. */
const struct pms_core_ideal *pms_core_ideal_find(const char *name);

#endif

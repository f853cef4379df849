/* SPDX-License-Identifier: MIT */
/* collect/core_set.h - a core that differs from its core.json, for what-if questions. */
#ifndef PMS_COLLECT_CORE_SET_H
#define PMS_COLLECT_CORE_SET_H

#include <jansson.h>

#include "pmuscope/error.h"

/**
 * Set one number of a core.json before it is read.
 * @setting: "NAME=NUMBER" of a parameter, "NAME=off" for 0; "CLASS.latency=NUMBER",
 *           "CLASS.busy=NUMBER" of a class of operations; or "NAME=off" of a mechanism of the
 *           model (PMS_MECHANISMS), which "NAME=on" takes back
 * Returns 0. Errors: -PMS_ENAME there is none such (the hint has the nearest); -PMS_EINVAL no
 *         number, or out of range; -PMS_ENOMEM.
 */
int pms_core_set(json_t *root, const char *setting, struct pms_error *err);

#endif

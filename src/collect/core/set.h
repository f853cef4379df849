/* SPDX-License-Identifier: MIT */
/* collect/core/set.h - change numbers of a core.json, for what-if questions. */
#ifndef PMS_COLLECT_CORE_SET_H
#define PMS_COLLECT_CORE_SET_H

#include <stdint.h>

#include <jansson.h>

#include "pmuscope/error.h"

/**
 * Set numbers of a core.json before it is read.
 * @settings: ends with NULL. Each is "NAME=NUMBER" of a parameter, "NAME=off" for 0;
 *            "CLASS.latency=NUMBER", "CLASS.busy=NUMBER" of a class of operations;
 * "iq_QUEUE=NUMBER" of an issue queue; "FORM.slots=NUMBER" of a form of instructions; "NAME=off"
 *            of a mechanism of the model (PMS_MECHANISMS), which "NAME=on" takes back; or
 *            "NAME=ideal" of an ideal core, for its settings. K and M behind a number are 1024
 *            and 1048576.
 * Returns 0. Errors: -PMS_ENAME there is none such (the hint has the nearest); -PMS_EINVAL no
 *         number, out of range, or without any effect; -PMS_ENOMEM.
 */
int pms_core_set(json_t *root, char *const *settings, struct pms_error *err);

/** Returns the smallest mispredict_penalty, in cycles, that has an effect on the core in @root. */
uint32_t pms_core_least_penalty(const json_t *root);

#endif

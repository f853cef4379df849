/* SPDX-License-Identifier: MIT */
/* collect/core/base.h - a core.json that states only its differences from another core. Flow:
 * core.json -> [base] -> a whole core.json -> json. */
#ifndef PMS_COLLECT_CORE_BASE_H
#define PMS_COLLECT_CORE_BASE_H

#include "catalog/json.h"

/* Key for the events of a base, which the catalog may lack. */
#define PMS_CORE_BASE_EVENTS "events of the base"

/**
 * Fill in what @json leaves out: from the core.json of the CPU that its "base" names, from that
 * one's base and so on; then for each class of operations without a row the row of the class that
 * stands in for it (pms_op_stands_in). A row of the file takes the place of its base's, member by
 * member; a number without a source of its own is refused later, as in any file.
 * @json: of a file CPUS/NAME/core.json, where the base is CPUS/BASE/core.json
 * Returns 0. Errors: -PMS_EPARSE with the place of "base": no name of a folder, a core that is its
 *         own base, or more than PMS_MOST_CORE_BASES; -PMS_EPARSE where they have more values
 *         together than one file may have; those of pms_json_load; -PMS_ENOMEM.
 */
int pms_core_complete(struct pms_json *json, struct pms_error *err);

#endif

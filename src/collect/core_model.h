/* SPDX-License-Identifier: MIT */
/* collect/core_model.h - find the model of a catalog's CPU, and say how it counts each event.
 * Flow: catalog, core.json -> [core_model] -> the launcher; show. */
#ifndef PMS_COLLECT_CORE_MODEL_H
#define PMS_COLLECT_CORE_MODEL_H

#include "collect/core_json.h"

/**
 * Load the core.json of the CPU that @catalog is of, with rules for the catalog's events.
 * @data: the data directory; NULL: as pms_catalog_load finds it
 * Returns 0; release with pms_core_file_release. Errors: -PMS_ENAME there is no model of this CPU
 *         (the hint lists those there are), and those of pms_core_file_load.
 */
int pms_core_load(const struct pms_catalog *catalog, const char *data, struct pms_core_file *out,
		  struct pms_error *err);

#endif

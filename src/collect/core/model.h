/* SPDX-License-Identifier: MIT */
/* collect/core/model.h - find the model of a catalog's CPU, and say how it counts each event.
 * Flow: catalog, core.json -> [core_model] -> the launcher; show. */
#ifndef PMS_COLLECT_CORE_MODEL_H
#define PMS_COLLECT_CORE_MODEL_H

#include "collect/core/json.h"

/**
 * Load the core.json of the CPU that @catalog is of, with rules for the catalog's events.
 * @data: the data directory; NULL: as pms_catalog_load finds it
 * @settings: changes to the file, as for pms_core_set; NULL: none
 * Returns 0; release with pms_core_file_release. Errors: -PMS_ENAME there is no model of this CPU
 *         (the hint lists those there are), and those of pms_core_file_load and pms_core_set.
 */
int pms_core_load(const struct pms_catalog *catalog, const char *data, char *const *settings,
		  struct pms_core_file *out, struct pms_error *err);

/** Load only the text, with the changes. Release with pms_json_release. Errors: as pms_core_load.
 */
int pms_core_text(const struct pms_catalog *catalog, const char *data, char *const *settings,
		  struct pms_json *json, struct pms_error *err);

/** Read the text of pms_core_text. Errors: as pms_core_file_read. */
int pms_core_read(const struct pms_catalog *catalog, const struct pms_json *json,
		  struct pms_core_file *out, struct pms_error *err);

#endif

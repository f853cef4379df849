/* SPDX-License-Identifier: MIT */
/* plan/choose.h - choose the metrics to plan, and those of them that belong together.
 * Flow: catalog -> [choose] -> plan. */
#ifndef PMS_PLAN_CHOOSE_H
#define PMS_PLAN_CHOOSE_H

#include "pmuscope/plan.h"

/**
 * Mark the metrics that @options ask for.
 * @wanted: by the catalog's metrics, zeroed; receives 1 for each
 * Errors: -PMS_ENAME as pms_plan_make.
 */
int pms_choose_metrics(const struct pms_catalog *catalog, const struct pms_plan_options *options,
		       unsigned char *wanted, struct pms_error *err);

/** Mark the metrics of @wanted that are shown in Stage 1, or in its Level 1. @marked: zeroed. */
void pms_choose_stage1(const struct pms_catalog *catalog, const unsigned char *wanted,
		       unsigned char *marked);
void pms_choose_level1(const struct pms_catalog *catalog, const unsigned char *wanted,
		       unsigned char *marked);

#endif

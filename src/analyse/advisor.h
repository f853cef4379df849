/* SPDX-License-Identifier: MIT */
/* analyse/advisor.h - what the formulas of advice give over the metrics of a report.
 * Flow: metrics -> [advisor] -> findings. */
#ifndef PMS_ANALYSE_ADVISOR_H
#define PMS_ANALYSE_ADVISOR_H

#include "base/arena.h"
#include "pmuscope/analyse.h"

struct pms_advisor {
	const struct pms_catalog *catalog;
	const struct pms_value *values; /* of every metric, borrowed */
	const struct pms_scope *scope;	/* whose counts they are of, borrowed */
	struct pms_operand *terms;	/* of every term of the catalog */
	struct pms_operand *operands;	/* room for the formula with the most names */
};

/** @values: of every metric of the catalog, by its index. Errors: -PMS_ENOMEM. */
int pms_advisor_init(struct pms_advisor *advisor, const struct pms_catalog *catalog,
		     const struct pms_value *values, const struct pms_scope *scope,
		     struct pms_arena *arena, struct pms_error *err);

/** Percent of slots; 0 where it is not defined. */
double pms_advisor_weight(const struct pms_advisor *advisor, const struct pms_advice *advice);

/** Whether its condition is defined and above 0. */
int pms_advisor_holds(const struct pms_advisor *advisor, const struct pms_advice *advice);

/** Whether its condition uses a ratio of hardly any accesses. @bases: as of pms_base_of, by metric
 */
int pms_advisor_rests_on_few(const struct pms_advisor *advisor, const struct pms_advice *advice,
			     const double *bases);

/** Mark the events that were not counted and that its condition, where that is not defined, needs.
 * @marks: by event of the catalog */
void pms_advisor_missing(const struct pms_advisor *advisor, const struct pms_advice *advice,
			 unsigned char *marks);

/** The same of a metric without a value. */
void pms_advisor_missing_of(const struct pms_advisor *advisor, size_t metric, unsigned char *marks);

#endif

/* SPDX-License-Identifier: MIT */
/* analyse/advisor.h - evaluates the formulas of advice over the metrics of a report.
 * Flow: metrics -> [advisor] -> findings. */
#ifndef PMS_ANALYSE_ADVISOR_H
#define PMS_ANALYSE_ADVISOR_H

#include "base/arena.h"
#include "pmuscope/analyse.h"

struct pms_advisor {
	const struct pms_catalog *catalog;
	const struct pms_value *values; /* of every metric, borrowed */
	const struct pms_scope *scope;	/* the scope of the values, borrowed */
	struct pms_operand *terms;	/* of every term of the catalog */
	struct pms_operand *operands;	/* room for the formula with the most names */
};

/** @values: of every metric of the catalog, by its index. Errors: -PMS_ENOMEM. */
int pms_advisor_init(struct pms_advisor *advisor, const struct pms_catalog *catalog,
		     const struct pms_value *values, const struct pms_scope *scope,
		     struct pms_arena *arena, struct pms_error *err);

/** Returns the advice's weight, percent of slots; 0 where it is not defined. */
double pms_advisor_weight(const struct pms_advisor *advisor, const struct pms_advice *advice);

/** Returns whether the advice's condition is defined and above 0. */
int pms_advisor_holds(const struct pms_advisor *advisor, const struct pms_advice *advice);

/** Returns whether the advice's condition uses a ratio of hardly any accesses. @bases: as of
 * pms_base_of, by metric
 */
int pms_advisor_rests_on_few(const struct pms_advisor *advisor, const struct pms_advice *advice,
			     const double *bases);

/** When the advice's condition is not defined, mark the uncounted events that it needs.
 * @marks: by event of the catalog */
void pms_advisor_missing(const struct pms_advisor *advisor, const struct pms_advice *advice,
			 unsigned char *marks);

/** Mark the uncounted events that a metric without a value needs. */
void pms_advisor_missing_of(const struct pms_advisor *advisor, size_t metric, unsigned char *marks);

#endif

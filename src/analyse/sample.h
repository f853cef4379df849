/* SPDX-License-Identifier: MIT */
/* analyse/sample.h - how far off numbers from the windows of a sampled run may be.
 * Flow: counts -> [sample] -> values of metrics, checks.
 * Source: W. G. Cochran, "Sampling Techniques", chapters 6 (ratio estimators) and 4.6, 11.20
 * (variance from random groups). */
#ifndef PMS_ANALYSE_SAMPLE_H
#define PMS_ANALYSE_SAMPLE_H

#include "pmuscope/counts.h"
#include "pmuscope/formula.h"

/** A formula over events, with its operands. */
struct pms_sampled {
	const struct pms_formula *program;
	const size_t *events; /* of its slots, n_events of them */
	size_t n_events;
	const struct pms_operand *operands; /* of its slots */
};

/** Returns whether the scatter of the windows tells the error of an estimate. */
int pms_sample_tells(const struct pms_sample *sample);

/** Compute the variance of a formula's value, with the covariance of its events. Returns 0, or
 * -PMS_ENOMEM, or -PMS_EINVAL where the formula has no value. @variance: meaningless unless
 * pms_sample_tells */
int pms_sample_variance(const struct pms_sample *sample, const struct pms_sampled *of,
			double *variance);

/** Compute half of the 95 % interval of a formula's value, by Student's t; infinite where the
 * windows do not tell it. Returns as pms_sample_variance. */
int pms_sample_half(const struct pms_sample *sample, const struct pms_sampled *of, double *half);

/** Returns the share of the instructions that was counted, 0 to 1. */
double pms_sample_share(const struct pms_sample *sample);

#endif

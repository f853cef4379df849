/* SPDX-License-Identifier: MIT */
/* A total is estimated as the count of the start, plus N / n times the count x of the windows. N is
 * the number of instructions after the start, n the number in windows. The count of window g
 * differs by e = x_g - (x / n) n_g from the count at the mean rate. The estimate's error is N / n
 * times the sum of these errors. A formula's error is, to first order, its change when its events
 * change by their errors together: so events that rise and fall together do not add uncertainty.
 * Windows are put into groups by lot, so that a group has some of every part of the run. */
#include "analyse/sample.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "pmuscope/analyse.h"

int pms_sample_tells(const struct pms_sample *sample)
{
	return sample->n_groups >= 2 || sample->counted >= sample->instructions;
}

static double total_size(const struct pms_sample *sample)
{
	double sum = 0;
	for (size_t g = 0; g < sample->n_groups; g++)
		sum += sample->sizes[g];
	return sum;
}

/* Returns the instructions that the windows stand for: all but those of the start. */
static double stands_for(const struct pms_sample *sample)
{
	return (double)sample->instructions - ((double)sample->counted - total_size(sample));
}

double pms_sample_share(const struct pms_sample *sample)
{
	if (sample->counted >= sample->instructions)
		return 1;
	return (double)sample->counted / (double)sample->instructions;
}

/* The 0.975 quantile of Student's t. */
static double student(double freedom)
{
	static const double quantiles[] = { 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
					    2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
					    2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
					    2.060,  2.056, 2.052, 2.048, 2.045, 2.042 };
	enum { MOST = sizeof(quantiles) / sizeof(quantiles[0]) };
	/* Later quantiles are less than 0.2 % lower. */
	return quantiles[(size_t)fmin(fmax(freedom, 1), MOST) - 1];
}

static double total_count(const struct pms_sample *sample, size_t event)
{
	double sum = 0;
	for (size_t g = 0; g < sample->n_groups; g++)
		sum += sample->groups[g][event];
	return sum;
}

/* Returns the count of group @g's windows beyond the mean rate, scaled up to the whole. */
static double excess(const struct pms_sample *sample, size_t g, size_t event, double count,
		     double size)
{
	double scale = stands_for(sample) / size;
	return scale * (sample->groups[g][event] - count / size * sample->sizes[g]);
}

/* The scatter of the groups. */
struct scatter {
	double squares, fourths; /* sums of powers */
};

static void scatter_add(struct scatter *scatter, double off)
{
	scatter->squares += off * off;
	scatter->fourths += off * off * off * off;
}

/* Returns the variance of the estimate; the part of the run that was counted has no error. */
static double variance_of(const struct pms_sample *sample, const struct scatter *scatter)
{
	double n = (double)sample->n_groups;
	double left = 1 - total_size(sample) / stands_for(sample);
	return n < 2 || left <= 0 ? 0 : n / (n - 1) * scatter->squares * left;
}

/* Returns half of a 95 % interval. The fourth powers give the variance of the variance, and so its
 * degrees of freedom: at most one less than there are groups. A burst that only one group met has
 * about two. */
static double half_of(const struct pms_sample *sample, const struct scatter *scatter)
{
	double n = (double)sample->n_groups;
	double variance = variance_of(sample, scatter);
	if (variance <= 0)
		return 0;
	double kurtosis = n * scatter->fourths / (scatter->squares * scatter->squares);
	double freedom = kurtosis > 1 ? fmin(n - 1, 2 * n / (kurtosis - 1)) : n - 1;
	return student(freedom) * sqrt(variance);
}

/* Whether an event that no window met matters beside the uncertainty of the events that they met.
 * The windows do not tell how rare such an event is. */
static int matters(const struct pms_sampled *of, size_t i, double *direction, double variance)
{
	double change = 0;
	for (size_t j = 0; j < of->n_events; j++)
		direction[j] = j == i ? of->operands[i].value : 0;
	if (pms_formula_along(of->program, of->operands, direction, &change))
		return 0;
	return variance == 0 || change * change > variance / 4;
}

/* Compute the groups' scatter in a formula's value. @unmet: whether events that no window met
 * matter. */
static int scatter_of(const struct pms_sample *sample, const struct pms_sampled *of,
		      struct scatter *scatter, int *unmet)
{
	double size = total_size(sample), change = 0;
	double *counts = calloc(2 * (of->n_events + 1), sizeof(counts[0]));
	int rc = counts ? 0 : -PMS_ENOMEM;
	double *direction = counts + of->n_events + 1;
	for (size_t i = 0; i < of->n_events && !rc; i++)
		counts[i] = total_count(sample, of->events[i]);
	for (size_t g = 0; g < sample->n_groups && !rc; g++) {
		for (size_t i = 0; i < of->n_events; i++)
			direction[i] = excess(sample, g, of->events[i], counts[i], size);
		if (pms_formula_along(of->program, of->operands, direction, &change))
			rc = -PMS_EINVAL;
		scatter_add(scatter, change);
	}
	double variance = variance_of(sample, scatter);
	for (size_t i = 0; i < of->n_events && !rc && pms_sample_share(sample) < 1; i++)
		*unmet |= counts[i] == 0 && matters(of, i, direction, variance);
	free(counts);
	return rc;
}

int pms_sample_variance(const struct pms_sample *sample, const struct pms_sampled *of,
			double *variance)
{
	struct scatter scatter = { 0, 0 };
	int unmet = 0, rc = scatter_of(sample, of, &scatter, &unmet);
	*variance = variance_of(sample, &scatter);
	return rc;
}

int pms_sample_half(const struct pms_sample *sample, const struct pms_sampled *of, double *half)
{
	struct scatter scatter = { 0, 0 };
	int unmet = 0, rc = scatter_of(sample, of, &scatter, &unmet);
	*half = unmet || !pms_sample_tells(sample) ? INFINITY : half_of(sample, &scatter);
	return rc;
}

int pms_sample_interval(const struct pms_scope *scope, size_t event, double *low, double *high)
{
	const struct pms_sample *sample = scope->sample;
	const struct pms_count *count = &scope->counts[event];
	if (!sample || count->state != PMS_COUNTED || !pms_sample_tells(sample))
		return 0;
	double size = total_size(sample), total = total_count(sample, event);
	struct scatter scatter = { 0, 0 };
	for (size_t g = 0; g < sample->n_groups; g++)
		scatter_add(&scatter, excess(sample, g, event, total, size));
	if (total == 0 && pms_sample_share(sample) < 1)
		return 0; /* it is rare; the windows do not tell how rare */
	double half = half_of(sample, &scatter);
	*low = fmax(0, pms_count_scaled(count) - half);
	*high = pms_count_scaled(count) + half;
	return 1;
}

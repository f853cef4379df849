/* SPDX-License-Identifier: MIT */
/* A total is estimated as what was counted at the start, and N / n times what the windows counted,
 * N being the instructions that ran behind the start and n those in windows. What window g counted
 * differs by e = x_g - (x / n) n_g from what its instructions would have counted at the mean rate,
 * and the estimate's error is N / n times the sum of such errors. Of a formula it is, to first
 * order, how its value changes when its events change by theirs together: so numbers that go up and
 * down with each other do not make each other uncertain. Windows are put together in groups by lot,
 * so that a group has some of every part of the run. */
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

/* The instructions that the windows stand for: all but those of the start. */
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
	/* The next ones are less than 0.2 % lower. */
	return quantiles[(size_t)fmin(fmax(freedom, 1), MOST) - 1];
}

static double total_count(const struct pms_sample *sample, size_t event)
{
	double sum = 0;
	for (size_t g = 0; g < sample->n_groups; g++)
		sum += sample->groups[g][event];
	return sum;
}

/* What group @g's windows counted of an event beyond the mean, scaled up to the whole. */
static double excess(const struct pms_sample *sample, size_t g, size_t event, double count,
		     double size)
{
	double scale = stands_for(sample) / size;
	return scale * (sample->groups[g][event] - count / size * sample->sizes[g]);
}

/* How the groups are off. */
struct scatter {
	double squares, fourths; /* sums of powers */
};

static void scatter_add(struct scatter *scatter, double off)
{
	scatter->squares += off * off;
	scatter->fourths += off * off * off * off;
}

/* What was counted needs no estimate. */
static double variance_of(const struct pms_sample *sample, const struct scatter *scatter)
{
	double n = (double)sample->n_groups;
	double left = 1 - total_size(sample) / stands_for(sample);
	return n < 2 || left <= 0 ? 0 : n / (n - 1) * scatter->squares * left;
}

/* Half of a 95 % interval. A variance has as many degrees of freedom as its own variance tells,
 * which the fourth powers do: one less than there are groups at most; of a burst that one group met
 * about two, which makes the interval as wide as that of a number that was drawn once. */
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

/* Whether what no window met, so that the windows do not tell how rare it is, matters beside the
 * uncertainty of what they met: all of it is from the start, or there is none. */
static int matters(const struct pms_sampled *of, size_t i, double *direction, double variance)
{
	double change = 0;
	for (size_t j = 0; j < of->n_events; j++)
		direction[j] = j == i ? of->operands[i].value : 0;
	if (pms_formula_along(of->program, of->operands, direction, &change))
		return 0;
	return variance == 0 || change * change > variance / 4;
}

/* How the groups are off in a formula's value. @unmet: whether what no window met matters there. */
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
		return 0; /* it is rare; how rare the windows do not tell */
	double half = half_of(sample, &scatter);
	*low = fmax(0, pms_count_scaled(count) - half);
	*high = pms_count_scaled(count) + half;
	return 1;
}

/* SPDX-License-Identifier: MIT */
/* How a metric scatters over repeated runs: compute it for each run by itself, so that a change
 * common to its events (a longer run) is not taken for an error. */
#include "analyse/report.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"

/* Half of a 95 % interval in standard errors, of the mean of n values whose scatter is known from
 * these alone: Student's distribution with n - 1 degrees of freedom, two-sided. Behind the table,
 * its expansion about the normal distribution, which is right to the last digit shown there. */
double pms_student_95(size_t n)
{
	static const double table[] = { 12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646,
					2.3060,	 2.2622, 2.2281, 2.2010, 2.1788, 2.1604, 2.1448,
					2.1314,	 2.1199, 2.1098, 2.1009, 2.0930, 2.0860 };
	const double z = PMS_NORMAL_95;
	if (n < 2)
		return INFINITY;
	size_t freedom = n - 1;
	if (freedom <= sizeof(table) / sizeof(table[0]))
		return table[freedom - 1];
	double v = (double)freedom;
	return z + (pow(z, 3) + z) / (4 * v) +
	       (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * v * v) +
	       (3 * pow(z, 7) + 19 * pow(z, 5) + 17 * pow(z, 3) - 15 * z) / (384 * v * v * v);
}

static const struct pms_runs *runs_of(const struct pms_scope *scope, const struct pms_count *counts)
{
	for (size_t i = 0; i < scope->n_runs; i++) {
		const struct pms_runs *runs = &scope->runs[i];
		const struct pms_count *of = !scope->n_passes ? scope->counts
					     : runs->pass < scope->n_passes
						     ? scope->passes[runs->pass]
						     : NULL;
		if (of == counts)
			return runs;
	}
	return NULL;
}

/* Find each event of the metric among the events of the runs. Returns 0 when one is missing. */
static int find_places(const struct pms_runs *runs, const struct pms_metric *metric, size_t *places)
{
	for (size_t i = 0; i < metric->n_events; i++) {
		size_t at = 0;
		while (at < runs->n_events && runs->events[at] != metric->events[i])
			at++;
		if (at == runs->n_events)
			return 0;
		places[i] = at;
	}
	return 1;
}

/* Running sums that keep small differences of large values. */
struct scatter {
	size_t n;
	double mean, squares;
};

static void scatter_add(struct scatter *s, double value)
{
	double from_mean = value - s->mean;
	s->mean += from_mean / (double)++s->n;
	s->squares += from_mean * (value - s->mean);
}

static void add_runs(struct scatter *s, const struct pms_runs *runs,
		     const struct pms_metric *metric, const size_t *places,
		     struct pms_operand *operands)
{
	for (size_t run = 0; run < runs->n_runs; run++) {
		double value, variance;
		for (size_t i = 0; i < metric->n_events; i++)
			operands[i] = (struct pms_operand){
				.value = runs->values[run * runs->n_events + places[i]],
				.defined = 1
			};
		if (pms_formula_eval(metric->program, operands, &value, &variance, NULL) ==
		    PMS_DEFINED)
			scatter_add(s, value);
	}
}

int pms_runs_half(const struct pms_scope *scope, const struct pms_count *counts,
		  const struct pms_metric *metric, double *half)
{
	const struct pms_runs *runs = runs_of(scope, counts);
	struct scatter s = { 0 };
	size_t *places = calloc(metric->n_events + 1, sizeof(*places));
	struct pms_operand *operands = calloc(metric->n_events + 1, sizeof(*operands));
	int failed = !places || !operands;
	int have = !failed && runs && find_places(runs, metric, places);
	if (have)
		add_runs(&s, runs, metric, places, operands);
	free(places);
	free(operands);
	if (!have || s.n < 2)
		return failed ? -PMS_ENOMEM : 0;
	double variance = s.squares / (double)(s.n - 1);
	*half = pms_student_95(s.n) * sqrt(variance / (double)s.n);
	return 1;
}

double pms_runs_widening(const struct pms_scope *scope)
{
	size_t least = 0;
	for (size_t i = 0; i < scope->n_runs; i++)
		if (scope->runs[i].n_runs > 1 && (!least || scope->runs[i].n_runs < least))
			least = scope->runs[i].n_runs;
	return least ? pms_student_95(least) / PMS_NORMAL_95 : 1;
}

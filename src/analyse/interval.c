/* SPDX-License-Identifier: MIT */
/* 95 % intervals of counts that had a counter for a part of the time.
 *
 * A scaled count M has an error by chance, and by missed phases. If N events really happened, M
 * would have a variance of N u + N^2 r, u being pms_count_missed and r pms_count_phases. The
 * interval holds every N that makes M likely:
 *
 *	(M - N)^2 <= z^2 (N u + N^2 r)
 *
 * which is a quadratic inequality in N, as Wilson's interval of a share is. It has no negative N;
 * of a count that read 0 it ends at about 4 u, the rule of three for two-sided intervals; and it
 * has no upper end where z^2 r >= 1: fewer than four windows tell nothing of the phases. The
 * interval does not begin below the events that were seen.
 *
 * The interval of a metric: put one count at an end of its interval, leave the others, and see how
 * far the formula moves. These moves are independent errors: take the root of the sum of squares.
 * Where no move leads below 0, take differences of logarithms. Source: Zou and Donner,
 * "Construction of confidence limits about effect measures: A general approach", Statistics in
 * Medicine 27(10), 2008. */
#include "analyse/report.h"

#include <math.h>

struct pms_ends pms_count_ends(const struct pms_count *count, int one_pass, double widening)
{
	const double square = PMS_NORMAL_95 * PMS_NORMAL_95;
	double is = pms_count_scaled(count), missed = pms_count_missed(count);
	double over_runs = PMS_NORMAL_95 * is * count->spread * widening;
	double phases = one_pass ? 0 : pms_count_phases(count);
	struct pms_ends ends = { is, is };
	if (missed > 0) {
		/* a N^2 - b N + is^2 <= 0 */
		double a = 1 - square * phases, b = 2 * is + square * missed;
		double root = sqrt(b * b - 4 * a * is * is);
		ends.low = fmax(2 * is * is / (b + root), fmin(is, (double)count->value));
		ends.high = a > 0 ? (b + root) / (2 * a) : INFINITY;
	}
	ends.low = fmax(0, is - hypot(is - ends.low, over_runs));
	ends.high = is + hypot(ends.high - is, over_runs);
	return ends;
}

/* Evaluate the formula with one operand moved. NAN: it has no value there. */
static double value_at(const struct pms_formula *program, struct pms_operand *operands, size_t i,
		       double there)
{
	double is = operands[i].value, value;
	operands[i].value = there;
	enum pms_undefined why = pms_formula_eval(program, operands, &value, NULL, NULL);
	operands[i].value = is;
	return why ? NAN : value;
}

/* Evaluate the formula when an operand has no upper end: it goes to a limit, as shares do, or to
 * infinity. */
static double value_beyond(const struct pms_formula *program, struct pms_operand *operands,
			   size_t i, double value)
{
	const double far = 1e12 * (1 + operands[i].value);
	double there = value_at(program, operands, i, far);
	double further = value_at(program, operands, i, 10 * far);
	if (fabs(further - value) > 5 * fabs(there - value))
		return copysign(INFINITY, further - value);
	return further;
}

/* The combined errors of all operands, downwards and upwards. */
struct reach {
	double down, up;	 /* sums of squares of differences */
	double log_down, log_up; /* of logarithms */
	int is_positive;	 /* no way leads below 0 */
};

static void reach_add(struct reach *r, double value, double a, double b)
{
	/* No value: a divisor can be 0, so the quotient can be anything. */
	double low = isnan(a) || isnan(b) ? -INFINITY : fmin(value, fmin(a, b));
	double high = isnan(a) || isnan(b) ? INFINITY : fmax(value, fmax(a, b));
	r->down += (value - low) * (value - low);
	r->up += (high - value) * (high - value);
	r->is_positive &= value > 0 && low >= 0;
	if (!r->is_positive)
		return;
	r->log_down += pow(log(value / low), 2);
	r->log_up += pow(log(high / value), 2);
}

static struct pms_ends reach_ends(const struct reach *r, double value)
{
	if (r->is_positive)
		return (struct pms_ends){ value * exp(-sqrt(r->log_down)),
					  value * exp(sqrt(r->log_up)) };
	return (struct pms_ends){ value - sqrt(r->down), value + sqrt(r->up) };
}

struct pms_ends pms_formula_ends(const struct pms_formula *program, struct pms_operand *operands,
				 const struct pms_ends *ends, double value)
{
	struct reach reach = { .is_positive = 1 };
	for (size_t i = 0; i < pms_formula_names(program); i++) {
		if (!(ends[i].high > ends[i].low))
			continue;
		double low = value_at(program, operands, i, ends[i].low);
		double high = isfinite(ends[i].high) ? value_at(program, operands, i, ends[i].high)
						     : value_beyond(program, operands, i, value);
		reach_add(&reach, value, low, high);
	}
	return reach_ends(&reach, value);
}

int pms_count_interval(const struct pms_scope *scope, size_t event, double *low, double *high)
{
	const struct pms_count *count = &scope->counts[event];
	*low = -INFINITY;
	*high = INFINITY;
	if (count->state != PMS_COUNTED)
		return 0;
	if (scope->sample) {
		pms_sample_interval(scope, event, low, high);
		return 1;
	}
	struct pms_ends ends = pms_count_ends(count, 0, pms_runs_widening(scope));
	*low = ends.low;
	*high = ends.high;
	return ends.high > ends.low;
}

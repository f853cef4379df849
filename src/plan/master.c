/* SPDX-License-Identifier: MIT */
/* The revised simplex method over columns that are made when they are needed (Gilmore and Gomory,
 * "A linear programming approach to the cutting-stock problem", 1961). A column is what one pass
 * serves; its cost is 1. A row is a set, to be served once or more.
 *
 * Floating point decides only the way. The bound is proved in integers: for weights w of the sets,
 * whatever they are, no pass serves more than the greatest weight W that pms_pattern_best finds, so
 * at least sum(w) / W passes are needed. The simplex method's dual values make good weights. */
#include "plan/master.h"

#include <stdlib.h>
#include <string.h>

#include "pmuscope/error.h"
#include "base/array.h"
#include "plan/bits.h"

#define SCALE	  1e9  /* integers to a whole pass */
#define TOLERANCE 1e-7 /* of a reduced cost */
#define SMALLEST  1e-9 /* that may be divided by */

#define SURPLUS ((size_t)-1) /* a basic column that takes from a row what is served too often */

struct pms_master {
	const struct pms_problem *problem;
	size_t n, words; /* rows; words of a set of rows */
	uint64_t *columns;
	size_t n_columns;
	size_t *basis;	 /* the column that is basic in each row, or SURPLUS */
	size_t *surplus; /* where that is so: of which row */
	double *inverse; /* of the basis, n * n by rows */
	double *amount;	 /* of each basic column */
	double *dual, *direction;
	int64_t *weights;
	int64_t heaviest;
	int64_t *priced;  /* weights while a column is made */
	uint64_t *events; /* of the column that is made */
	uint64_t *made;	  /* its rows */
};

static uint64_t *column(const struct pms_master *m, size_t i)
{
	return m->columns + i * m->words;
}

static int is_surplus(const struct pms_master *m, size_t row)
{
	return m->basis[row] == SURPLUS;
}

static int append(struct pms_master *m, const uint64_t *rows)
{
	uint64_t *grown = pms_array_room(m->columns, m->n_columns, m->words * sizeof(*m->columns));
	if (!grown)
		return -PMS_ENOMEM;
	m->columns = grown;
	pms_bits_copy(column(m, m->n_columns++), rows, m->words);
	return 0;
}

/* The first basis: each set by itself. Rows ask for slightly different amounts, all near 1, because
 * equal ones make the method turn in circles; the bound does not depend on them. */
static int start(struct pms_master *m)
{
	for (size_t i = 0; i < m->n; i++) {
		pms_bits_zero(m->made, m->words);
		pms_bits_set(m->made, i);
		int rc = append(m, m->made);
		if (rc)
			return rc;
		m->basis[i] = i;
		m->inverse[i * m->n + i] = 1;
		m->amount[i] = 1 + 1e-4 * (double)((i * 37 + 11) % 101) / 101;
	}
	return 0;
}

struct pms_master *pms_master_new(const struct pms_problem *problem)
{
	size_t n = problem->packing.n_sets;
	struct pms_master *m = calloc(1, sizeof(*m));
	if (!m)
		return NULL;
	*m = (struct pms_master){ .problem = problem, .n = n, .words = pms_bits_words(n) };
	m->basis = calloc(n, sizeof(*m->basis));
	m->surplus = calloc(n, sizeof(*m->surplus));
	m->inverse = calloc(n * n, sizeof(*m->inverse));
	m->amount = calloc(n, sizeof(*m->amount));
	m->dual = calloc(n, sizeof(*m->dual));
	m->direction = calloc(n, sizeof(*m->direction));
	m->weights = calloc(n, sizeof(*m->weights));
	m->priced = calloc(n, sizeof(*m->priced));
	m->events = calloc(problem->packing.words, sizeof(*m->events));
	m->made = calloc(m->words, sizeof(*m->made));
	int made = m->basis && m->surplus && m->inverse && m->amount && m->dual && m->direction &&
		   m->weights && m->priced && m->events && m->made;
	if (!made || start(m)) {
		pms_master_free(m);
		return NULL;
	}
	return m;
}

void pms_master_free(struct pms_master *m)
{
	if (!m)
		return;
	free(m->columns);
	free(m->basis);
	free(m->surplus);
	free(m->inverse);
	free(m->amount);
	free(m->dual);
	free(m->direction);
	free(m->weights);
	free(m->priced);
	free(m->events);
	free(m->made);
	free(m);
}

/* Whether row @i may be served beside all of @rows. */
static int fits(const struct pms_problem *problem, const uint64_t *rows, size_t words, size_t i)
{
	for (size_t j = pms_bits_next(rows, words, 0); j != PMS_BITS_END;
	     j = pms_bits_next(rows, words, j + 1))
		if (pms_problem_apart(problem, i, j))
			return 0;
	return 1;
}

/* What a pass of @events serves of the sets that @weights picks out (NULL: all), as far as they may
 * be together: a column in m->made. */
static void make_rows(struct pms_master *m, const uint64_t *events, const int64_t *weights)
{
	const struct pms_packing *packing = &m->problem->packing;
	pms_bits_zero(m->made, m->words);
	for (int rest = 0; rest <= 1; rest++)
		for (size_t i = 0; i < m->n; i++)
			if ((!weights || (weights[i] > 0) != rest) &&
			    pms_bits_within(pms_packing_set(packing, i), events, packing->words) &&
			    fits(m->problem, m->made, m->words, i))
				pms_bits_set(m->made, i);
}

int pms_master_offer(struct pms_master *m, const uint64_t *events)
{
	make_rows(m, events, NULL);
	return append(m, m->made);
}

/* Two sets of weight that the pass would serve and may not: *@i and *@j. */
static int find_clash(const struct pms_master *m, const uint64_t *events, size_t *i, size_t *j)
{
	const struct pms_packing *packing = &m->problem->packing;
	for (*i = 0; *i < m->n; ++*i) {
		if (m->priced[*i] <= 0 ||
		    !pms_bits_within(pms_packing_set(packing, *i), events, packing->words))
			continue;
		for (*j = *i + 1; *j < m->n; ++*j)
			if (m->priced[*j] > 0 && pms_problem_apart(m->problem, *i, *j) &&
			    pms_bits_within(pms_packing_set(packing, *j), events, packing->words))
				return 1;
	}
	return 0;
}

/* The best column by m->priced that is worth more than @least, in m->made. Where the best pass
 * serves two sets that are to be apart, once the one and once the other is taken out.
 * Returns its weight, @least when there is none, or as pms_pattern_best. */
static int64_t price(struct pms_master *m, struct pms_pattern *pattern, struct pms_effort *effort,
		     int64_t least)
{
	size_t clash[2];
	int64_t best =
		pms_pattern_best(pattern, &m->problem->packing, m->priced, effort, m->events);
	if (best <= least)
		return best < 0 ? best : least;
	if (!find_clash(m, m->events, &clash[0], &clash[1])) {
		make_rows(m, m->events, m->priced);
		return best;
	}
	best = least;
	for (int i = 0; i < 2 && best >= 0; i++) {
		int64_t weight = m->priced[clash[i]];
		m->priced[clash[i]] = 0;
		best = price(m, pattern, effort, best);
		m->priced[clash[i]] = weight;
	}
	return best;
}

static void compute_dual(struct pms_master *m)
{
	memset(m->dual, 0, m->n * sizeof(*m->dual));
	for (size_t row = 0; row < m->n; row++)
		for (size_t i = 0; i < m->n && !is_surplus(m, row); i++)
			m->dual[i] += m->inverse[row * m->n + i];
}

/* The direction of a column: the inverse times it. */
static void compute_direction(struct pms_master *m, const uint64_t *rows)
{
	for (size_t k = 0; k < m->n; k++) {
		m->direction[k] = 0;
		for (size_t i = pms_bits_next(rows, m->words, 0); i != PMS_BITS_END;
		     i = pms_bits_next(rows, m->words, i + 1))
			m->direction[k] += m->inverse[k * m->n + i];
	}
}

/* Bring what m->direction is of into the basis. Returns the row that it is basic in, or m->n when
 * rounding left nothing to go on with. */
static size_t enter(struct pms_master *m)
{
	size_t out = m->n, n = m->n;
	for (size_t k = 0; k < n; k++)
		if (m->direction[k] > SMALLEST &&
		    (out == n ||
		     m->amount[k] * m->direction[out] < m->amount[out] * m->direction[k]))
			out = k;
	if (out == n)
		return n;
	double by = m->direction[out];
	m->amount[out] /= by;
	for (size_t i = 0; i < n; i++)
		m->inverse[out * n + i] /= by;
	for (size_t k = 0; k < n; k++) {
		double times = m->direction[k];
		if (k == out || times == 0)
			continue;
		m->amount[k] -= times * m->amount[out];
		if (m->amount[k] < 0) /* by rounding alone */
			m->amount[k] = 0;
		for (size_t i = 0; i < n; i++)
			m->inverse[k * n + i] -= times * m->inverse[out * n + i];
	}
	return out;
}

/* A set whose dual value is negative is served too often: its surplus enters. */
static int enter_surplus(struct pms_master *m)
{
	size_t worst = 0;
	for (size_t i = 1; i < m->n; i++)
		if (m->dual[i] < m->dual[worst])
			worst = i;
	if (m->dual[worst] >= -TOLERANCE)
		return 0;
	for (size_t k = 0; k < m->n; k++)
		m->direction[k] = -m->inverse[k * m->n + worst];
	size_t row = enter(m);
	if (row == m->n)
		return 0;
	m->basis[row] = SURPLUS;
	m->surplus[row] = worst;
	return 1;
}

static double worth(const struct pms_master *m, const uint64_t *rows)
{
	double sum = 0;
	for (size_t i = pms_bits_next(rows, m->words, 0); i != PMS_BITS_END;
	     i = pms_bits_next(rows, m->words, i + 1))
		sum += m->dual[i];
	return sum;
}

static int enter_column(struct pms_master *m, size_t which)
{
	compute_direction(m, column(m, which));
	size_t row = enter(m);
	if (row == m->n)
		return 0;
	m->basis[row] = which;
	return 1;
}

/* The best of the columns that there are. */
static int enter_known(struct pms_master *m)
{
	size_t best = 0;
	double most = 0;
	for (size_t i = 0; i < m->n_columns; i++) {
		double is = worth(m, column(m, i));
		if (is > most) {
			most = is;
			best = i;
		}
	}
	return most > 1 + TOLERANCE && enter_column(m, best);
}

static int64_t weigh(struct pms_master *m)
{
	int64_t sum = 0;
	for (size_t i = 0; i < m->n; i++) {
		m->priced[i] = m->dual[i] > 0 ? (int64_t)(m->dual[i] * SCALE) : 0;
		sum += m->priced[i];
	}
	return sum;
}

/* Make the best column and raise the bound by it. Returns 1 when it entered, 0 when none is better
 * than those that there are. */
static int enter_new(struct pms_master *m, struct pms_pattern *pattern, struct pms_effort *effort,
		     size_t *bound)
{
	int64_t sum = weigh(m), best = price(m, pattern, effort, 0);
	if (best < 0)
		return (int)best;
	size_t needed = best ? (size_t)((sum + best - 1) / best) : 0;
	if (needed > *bound)
		*bound = needed;
	memcpy(m->weights, m->priced, m->n * sizeof(*m->weights));
	m->heaviest = best ? best : 1;
	if ((double)best <= SCALE * (1 + 10 * TOLERANCE))
		return 0;
	if (append(m, m->made))
		return -PMS_ENOMEM;
	return enter_column(m, m->n_columns - 1);
}

int pms_master_solve(struct pms_master *m, struct pms_pattern *pattern, size_t enough,
		     struct pms_effort *effort, size_t *bound)
{
	*bound = 0;
	for (;;) {
		if (!pms_effort_spend(effort, 1 + m->n * m->n / 256))
			return -PMS_EINVAL;
		compute_dual(m);
		if (enter_surplus(m) || enter_known(m))
			continue;
		int rc = enter_new(m, pattern, effort, bound);
		if (rc < 0)
			return rc;
		if (*bound >= enough)
			return 0;
		if (!rc)
			return 1;
	}
}

const int64_t *pms_master_weights(const struct pms_master *m)
{
	return m->weights;
}

int64_t pms_master_heaviest(const struct pms_master *m)
{
	return m->heaviest;
}

size_t pms_master_basis(const struct pms_master *m)
{
	return m->n;
}

const uint64_t *pms_master_column(const struct pms_master *m, size_t k, double *amount)
{
	*amount = m->amount[k];
	return is_surplus(m, k) ? NULL : column(m, m->basis[k]);
}

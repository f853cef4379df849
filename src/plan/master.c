/* SPDX-License-Identifier: MIT */
/* The revised simplex method over columns that are made when they are needed (Gilmore and Gomory,
 * "A linear programming approach to the cutting-stock problem", 1961). A column is what one pass
 * serves; its cost is 1. A row is a set, to be served once or more, or a piece, of which as many
 * events are to be counted over all passes as it needs at least.
 *
 * Floating point decides only the way. The bound is proved in integers: for weights of the rows,
 * whatever they are, no pass has more than the greatest weight that pms_pattern_best finds. So at
 * least the total of the rows divided by that weight are needed. The simplex method's dual values
 * make good weights. */
#include "plan/master.h"

#include <stdlib.h>
#include <string.h>

#include "pmuscope/error.h"
#include "base/array.h"
#include "plan/bits.h"

#define SCALE	  1e9  /* integer units of a whole pass */
#define TOLERANCE 1e-7 /* tolerance of a reduced cost */
#define SMALLEST  1e-9 /* smallest divisor */

#define SURPLUS ((size_t)-1) /* a basic column that takes up the excess of a row */

struct pms_master {
	const struct pms_problem *problem;
	size_t n_sets, n;	   /* rows of sets; n: rows of sets and pieces */
	size_t words, event_words; /* of a set of sets, and of a set of events */
	size_t stride;		   /* a column: the sets, then the events */
	uint64_t *columns;
	size_t n_columns;
	size_t *basis;	 /* the column that is basic in each row, or SURPLUS */
	size_t *surplus; /* for a SURPLUS: its row */
	double *inverse; /* of the basis, n * n by rows */
	double *amount;	 /* of each basic column */
	double *dual, *direction;
	struct pms_weights weights;
	struct pms_weights priced; /* while a column is made */
	int64_t *event_weights;
	uint64_t *made; /* a column */
};

static uint64_t *column(const struct pms_master *m, size_t i)
{
	return m->columns + i * m->stride;
}

static int is_surplus(const struct pms_master *m, size_t row)
{
	return m->basis[row] == SURPLUS;
}

static int append(struct pms_master *m)
{
	uint64_t *grown = pms_array_room(m->columns, m->n_columns, m->stride * sizeof(*m->columns));
	if (!grown)
		return -PMS_ENOMEM;
	m->columns = grown;
	pms_bits_copy(column(m, m->n_columns++), m->made, m->stride);
	return 0;
}

/* Returns a column's entry in the row of a piece. */
static size_t count_of(const struct pms_master *m, const uint64_t *col, size_t piece)
{
	const uint64_t *events = m->problem->pieces.pieces[piece].events;
	size_t n = 0;
	for (size_t w = 0; w < m->event_words; w++)
		n += (size_t)__builtin_popcountll(col[m->words + w] & events[w]);
	return n;
}

/* Make the column of a single set: 1 in its own row, and its events in the rows of pieces. */
static int start_set(struct pms_master *m, size_t i)
{
	pms_bits_zero(m->made, m->stride);
	pms_bits_set(m->made, i);
	pms_bits_copy(m->made + m->words, pms_packing_set(&m->problem->packing, i), m->event_words);
	int rc = append(m);
	/* Rows demand slightly different amounts, all near 1, because equal amounts make the method
	 * cycle. The bound does not depend on them. */
	m->basis[i] = i;
	m->inverse[i * m->n + i] = 1;
	m->amount[i] = 1 + 1e-4 * (double)((i * 37 + 11) % 101) / 101;
	for (size_t k = 0; !rc && k < m->n - m->n_sets; k++) {
		size_t row = m->n_sets + k, count = count_of(m, m->made, k);
		m->inverse[row * m->n + i] = (double)count;
		m->amount[row] += (double)count * m->amount[i];
	}
	return rc;
}

/* Make the first basis: each set by itself, and the surplus that pieces get by that. */
static int start(struct pms_master *m)
{
	for (size_t row = m->n_sets; row < m->n; row++) {
		m->basis[row] = SURPLUS;
		m->surplus[row] = row;
		m->inverse[row * m->n + row] = -1;
		m->amount[row] = -(double)m->problem->pieces.pieces[row - m->n_sets].needs;
	}
	for (size_t i = 0; i < m->n_sets; i++) {
		int rc = start_set(m, i);
		if (rc)
			return rc;
	}
	return 0;
}

static int make_weights(struct pms_weights *weights, const struct pms_problem *problem)
{
	weights->sets = calloc(problem->packing.n_sets + 1, sizeof(*weights->sets));
	weights->pieces = calloc(problem->pieces.n + 1, sizeof(*weights->pieces));
	return weights->sets && weights->pieces ? 0 : -PMS_ENOMEM;
}

struct pms_master *pms_master_new(const struct pms_problem *problem)
{
	const struct pms_packing *packing = &problem->packing;
	size_t n = packing->n_sets + problem->pieces.n;
	struct pms_master *m = calloc(1, sizeof(*m));
	if (!m)
		return NULL;
	*m = (struct pms_master){ .problem = problem,
				  .n_sets = packing->n_sets,
				  .n = n,
				  .words = pms_bits_words(packing->n_sets),
				  .event_words = packing->words };
	m->stride = m->words + m->event_words;
	m->basis = calloc(n, sizeof(*m->basis));
	m->surplus = calloc(n, sizeof(*m->surplus));
	m->inverse = calloc(n * n, sizeof(*m->inverse));
	m->amount = calloc(n, sizeof(*m->amount));
	m->dual = calloc(n, sizeof(*m->dual));
	m->direction = calloc(n, sizeof(*m->direction));
	m->event_weights = calloc(packing->n_events, sizeof(*m->event_weights));
	m->made = calloc(m->stride, sizeof(*m->made));
	int made = m->basis && m->surplus && m->inverse && m->amount && m->dual && m->direction &&
		   m->event_weights && m->made;
	if (!made || make_weights(&m->weights, problem) || make_weights(&m->priced, problem) ||
	    start(m)) {
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
	free(m->weights.sets);
	free(m->weights.pieces);
	free(m->priced.sets);
	free(m->priced.pieces);
	free(m->event_weights);
	free(m->made);
	free(m);
}

/* What a pass of the events of m->made serves. */
static void make_rows(struct pms_master *m)
{
	const struct pms_packing *packing = &m->problem->packing;
	const uint64_t *events = m->made + m->words;
	pms_bits_zero(m->made, m->words);
	for (size_t i = 0; i < m->n_sets; i++)
		if (pms_bits_within(pms_packing_set(packing, i), events, packing->words))
			pms_bits_set(m->made, i);
}

/* The best column by m->priced, in m->made. Returns its weight, or as pms_pattern_best. */
static int64_t price(struct pms_master *m, struct pms_pattern *pattern, struct pms_effort *effort)
{
	int64_t best = pms_pattern_best(pattern, &m->problem->packing, m->priced.sets,
					m->event_weights, effort, m->made + m->words);
	if (best > 0)
		make_rows(m);
	return best;
}

static void compute_dual(struct pms_master *m)
{
	memset(m->dual, 0, m->n * sizeof(*m->dual));
	for (size_t row = 0; row < m->n; row++)
		for (size_t i = 0; i < m->n && !is_surplus(m, row); i++)
			m->dual[i] += m->inverse[row * m->n + i];
}

/* Compute the direction of a column: the inverse times the column. */
static void compute_direction(struct pms_master *m, const uint64_t *col)
{
	for (size_t k = 0; k < m->n; k++) {
		const double *row = m->inverse + k * m->n;
		m->direction[k] = 0;
		for (size_t i = pms_bits_next(col, m->words, 0); i != PMS_BITS_END;
		     i = pms_bits_next(col, m->words, i + 1))
			m->direction[k] += row[i];
	}
	for (size_t p = 0; p < m->n - m->n_sets; p++) {
		double count = (double)count_of(m, col, p);
		for (size_t k = 0; k < m->n && count > 0; k++)
			m->direction[k] += count * m->inverse[k * m->n + m->n_sets + p];
	}
}

/* Bring the column of m->direction into the basis. Returns its row, or m->n when rounding left no
 * row to choose. */
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

/* Enter the surplus of a row with a negative dual value: the row is served too often. */
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

static double worth(const struct pms_master *m, const uint64_t *col)
{
	double sum = 0;
	for (size_t i = pms_bits_next(col, m->words, 0); i != PMS_BITS_END;
	     i = pms_bits_next(col, m->words, i + 1))
		sum += m->dual[i];
	for (size_t p = 0; p < m->n - m->n_sets; p++)
		sum += m->dual[m->n_sets + p] * (double)count_of(m, col, p);
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

/* Enter the best of the known columns. */
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

static int64_t to_weight(double dual)
{
	return dual > 0 ? (int64_t)(dual * SCALE) : 0;
}

/* Turn the dual values into weights: of rows, and of the events of pieces. */
static void weigh(struct pms_master *m)
{
	const struct pms_problem *problem = m->problem;
	struct pms_weights *weights = &m->priced;
	weights->total = 0;
	for (size_t i = 0; i < m->n_sets; i++) {
		weights->sets[i] = to_weight(m->dual[i]);
		weights->total += weights->sets[i];
	}
	memset(m->event_weights, 0, problem->packing.n_events * sizeof(*m->event_weights));
	for (size_t p = 0; p < problem->pieces.n; p++) {
		const struct pms_piece *piece = &problem->pieces.pieces[p];
		weights->pieces[p] = to_weight(m->dual[m->n_sets + p]);
		weights->total += weights->pieces[p] * (int64_t)piece->needs;
		for (size_t e = pms_bits_next(piece->events, m->event_words, 0); e != PMS_BITS_END;
		     e = pms_bits_next(piece->events, m->event_words, e + 1))
			m->event_weights[e] = weights->pieces[p];
	}
}

static void keep_weights(struct pms_master *m)
{
	memcpy(m->weights.sets, m->priced.sets, m->n_sets * sizeof(*m->weights.sets));
	memcpy(m->weights.pieces, m->priced.pieces,
	       (m->n - m->n_sets) * sizeof(*m->weights.pieces));
	m->weights.total = m->priced.total;
	m->weights.heaviest = m->priced.heaviest;
}

/* Make the best column and raise the bound by it. Returns 1 when it entered, 0 when none is better
 * than the known ones. */
static int enter_new(struct pms_master *m, struct pms_pattern *pattern, struct pms_effort *effort,
		     size_t *bound)
{
	weigh(m);
	int64_t best = price(m, pattern, effort);
	if (best < 0)
		return (int)best;
	m->priced.heaviest = best ? best : 1;
	size_t needed = (size_t)((m->priced.total + m->priced.heaviest - 1) / m->priced.heaviest);
	if (needed > *bound)
		*bound = needed;
	keep_weights(m);
	if ((double)best <= SCALE * (1 + 10 * TOLERANCE))
		return 0;
	if (append(m))
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

const struct pms_weights *pms_master_weights(const struct pms_master *m)
{
	return &m->weights;
}

/* SPDX-License-Identifier: MIT */
/* A greedy filling takes easy sets first, and leaves sets that fit with nothing to its last passes.
 * So raise the weights of these sets and fill anew: sequential value correction, known from stock
 * cutting. */
#include "plan/fill.h"

#include <stdlib.h>

#include "pmuscope/error.h"
#include "plan/bits.h"

#define UNIT 1000000 /* a whole event's weight */

int pms_fill_weights(const struct pms_packing *packing, int64_t *weights)
{
	unsigned *degree = calloc(packing->n_events, sizeof(*degree));
	if (!degree)
		return -PMS_ENOMEM;
	for (size_t i = 0; i < packing->n_sets; i++)
		for (size_t e = 0; e < packing->n_events; e++)
			degree[e] += (unsigned)pms_bits_has(pms_packing_set(packing, i), e);
	for (size_t i = 0; i < packing->n_sets; i++) {
		weights[i] = 0;
		for (size_t e = 0; e < packing->n_events; e++)
			if (pms_bits_has(pms_packing_set(packing, i), e))
				weights[i] += UNIT / degree[e];
		if (!weights[i])
			weights[i] = 1;
	}
	free(degree);
	return 0;
}

/* Mark the sets that the pass holds as served. Returns how many it served first. */
static size_t serve(const struct pms_packing *packing, const uint64_t *pass, int64_t *left)
{
	size_t n = 0;
	for (size_t i = 0; i < packing->n_sets; i++)
		if (left[i] && pms_bits_within(pms_packing_set(packing, i), pass, packing->words)) {
			left[i] = 0;
			n++;
		}
	return n;
}

/* Raise each weight half of the way to the set's cost in its pass, by half at most: sets in a
 * poorly used pass become dear. */
static void correct(int64_t *weights, const int64_t *pass_weights, const size_t *pass_of,
		    size_t n_sets)
{
	for (size_t i = 0; i < n_sets; i++) {
		int64_t used = pass_weights[pass_of[i]], full = pass_weights[0];
		if (used <= 0 || used >= full)
			continue;
		double dearer = (double)weights[i] * (1 + (double)full / (double)used) / 2;
		double most = (double)weights[i] * 1.5;
		weights[i] = (int64_t)(dearer < most ? dearer : most);
	}
}

/* Fill passes one after the other, then correct the weights for the next filling. */
static int64_t fill(struct pms_pattern *pattern, const struct pms_packing *packing,
		    int64_t *weights, size_t most, struct pms_effort *effort, uint64_t *passes,
		    int64_t *left, int64_t *pass_weights, size_t *pass_of)
{
	size_t n = 0, todo = packing->n_sets;
	while (todo && n <= most) {
		uint64_t *pass = passes + n * packing->words;
		int64_t got = pms_pattern_best(pattern, packing, left, NULL, effort, pass);
		if (got < 0)
			return got;
		for (size_t i = 0; i < packing->n_sets; i++)
			if (left[i] &&
			    pms_bits_within(pms_packing_set(packing, i), pass, packing->words))
				pass_of[i] = n;
		todo -= serve(packing, pass, left);
		pass_weights[n++] = got;
	}
	if (!todo)
		correct(weights, pass_weights, pass_of, packing->n_sets);
	return (int64_t)n;
}

int64_t pms_fill(struct pms_pattern *pattern, const struct pms_packing *packing, int64_t *weights,
		 size_t most, struct pms_effort *effort, uint64_t *passes)
{
	size_t n = packing->n_sets;
	int64_t *left = calloc(n, sizeof(*left)), *pass_weights = calloc(n, sizeof(*pass_weights));
	size_t *pass_of = calloc(n, sizeof(*pass_of));
	int64_t rc = -PMS_ENOMEM;
	if (left && pass_weights && pass_of) {
		for (size_t i = 0; i < n; i++)
			left[i] = weights[i];
		rc = fill(pattern, packing, weights, most, effort, passes, left, pass_weights,
			  pass_of);
	}
	free(left);
	free(pass_weights);
	free(pass_of);
	return rc;
}

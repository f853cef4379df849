/* SPDX-License-Identifier: MIT */
/* Keep the counts of each repeated run apart, because metrics are computed for each run too. */
#include "collect/live/runs.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "collect/live/live.h"
#include "collect/live/part.h"
#include "collect/live/tally.h"

/* Returns the place of a run's scaled count in a slot; NaN: no count. */
static double *place(const struct pms_perf_part *part, size_t run, size_t slot)
{
	return &part->runs[run * part->n_slots + slot];
}

int pms_perf_runs_init(struct pms_live *live, struct pms_error *err)
{
	for (size_t i = 0; i < live->n_parts && live->runs > 1; i++) {
		struct pms_perf_part *part = &live->parts[i];
		double *runs =
			reallocarray(part->runs, live->runs, (part->n_slots + 1) * sizeof(*runs));
		if (!runs)
			return pms_no_memory(err);
		part->runs = runs;
		for (size_t k = 0; k < live->runs * part->n_slots; k++)
			runs[k] = NAN;
	}
	return 0;
}

void pms_perf_runs_keep(struct pms_live *live, size_t run)
{
	for (size_t i = 0; i < live->n_parts; i++) {
		struct pms_perf_part *part = &live->parts[i];
		for (size_t slot = 0; slot < part->n_slots && part->runs; slot++) {
			struct pms_count count;
			if (pms_perf_tally_count(&part->tallies[slot], &count))
				*place(part, run, slot) = pms_count_scaled(&count);
		}
	}
}

/* Slots of events that were counted together. */
struct together {
	size_t *slots, *events;
	size_t n;
};

static int was_counted(const struct pms_perf_part *part, size_t n_runs, size_t slot)
{
	for (size_t run = 0; run < n_runs; run++)
		if (!isnan(*place(part, run, slot)))
			return 1;
	return 0;
}

/* Add the slots of a pass that were counted in at least one run. */
static void add_pass(struct together *t, const struct pms_perf_part *part, size_t n_runs,
		     size_t pass)
{
	const struct pms_perf_pass *from = &part->passes[pass];
	for (size_t i = 0; i < from->n; i++) {
		if (!was_counted(part, n_runs, from->first + i))
			continue;
		t->slots[t->n] = from->first + i;
		t->events[t->n++] = from->members[i].event;
	}
}

static int has_all(const struct pms_perf_part *part, size_t run, const struct together *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (isnan(*place(part, run, t->slots[i])))
			return 0;
	return 1;
}

/* Leave out runs without one of the events. */
static int fill(const struct pms_perf_part *part, size_t n_runs, size_t pass,
		const struct together *t, struct pms_scope *scope)
{
	size_t n = 0;
	for (size_t run = 0; run < n_runs; run++)
		n += (size_t)has_all(part, run, t);
	if (n < 2 || !t->n)
		return 0;
	struct pms_runs *runs = pms_scope_add_runs(scope, pass, t->events, t->n, n);
	if (!runs)
		return -PMS_ENOMEM;
	double *into = runs->values;
	for (size_t run = 0; run < n_runs; run++)
		for (size_t i = 0; i < t->n && has_all(part, run, t); i++)
			*into++ = *place(part, run, t->slots[i]);
	return 0;
}

/* With several passes, keep one run list per pass; otherwise one list holds everything. */
int pms_perf_runs_fill(const struct pms_live *live, const struct pms_perf_part *part,
		       struct pms_scope *scope)
{
	size_t sets = part->n_counted > 1 ? part->n_counted : 1;
	bool apart = sets > 1 || part->has_cycles;
	struct together t = { .slots = calloc(part->n_slots + 1, sizeof(*t.slots)),
			      .events = calloc(part->n_slots + 1, sizeof(*t.events)) };
	int rc = t.slots && t.events ? 0 : -PMS_ENOMEM;
	for (size_t i = 0; i < sets && part->runs && !rc; i++) {
		t.n = 0;
		for (size_t pass = apart ? i : 0; pass < (apart ? i + 1 : part->n_passes); pass++)
			add_pass(&t, part, live->runs, pass);
		rc = fill(part, live->runs, i, &t, scope);
	}
	free(t.slots);
	free(t.events);
	return rc;
}

/* SPDX-License-Identifier: MIT */
/* The core model as a source: it runs one program. */
#include "base/status.h"
#include "measure/measurement.h"
#include "pmuscope/why.h"

static const double least_disagreement = 0.01; /* percent of instructions */

static int open_model(struct pms_measurement *m, struct pms_error *err)
{
	return pms_measurement_choose(m, m->options.mcpu, m->options.spec, 1, err);
}

/* Find the catalog's name for a word. A word that is no event of the core is refused, because it
 * would be appended to the catalog. */
static int resolve_event(struct pms_measurement *m, const char *word, const char **name,
			 struct pms_error *err)
{
	struct pms_catalog *catalog = m->parts[0].shown.catalog;
	size_t of_core = pms_catalog_events(catalog);
	int64_t event = pms_live_event(catalog, word, err);
	if (event < 0)
		return (int)event;
	if ((size_t)event >= of_core) {
		pms_fail(err, PMS_ENAME,
			 "%.200s is no event of the modelled core, which counts in user mode alone",
			 word);
		pms_hint(err,
			 "pmuscope list events shows all; --source perf counts Linux's own, too");
		return -PMS_ENAME;
	}
	*name = pms_arena_dup(&m->arena, pms_catalog_event(catalog, (size_t)event)->name);
	return *name ? 0 : pms_no_memory(err);
}

static int resolve(struct pms_measurement *m, struct pms_error *err)
{
	struct pms_wanted *wanted = &m->parts[0].shown.wanted;
	const char **names;
	*wanted = m->options.wanted;
	names = pms_arena_alloc(&m->arena, wanted->n_events + 1, sizeof(*names));
	int rc = names ? 0 : pms_no_memory(err);
	for (size_t i = 0; i < wanted->n_events && !rc; i++)
		rc = resolve_event(m, wanted->events[i], &names[i], err);
	wanted->events = names;
	return rc;
}

/* Fail for a function that never ran: there is nothing to report. */
static int never_entered(const struct pms_provenance *run, struct pms_error *err)
{
	const struct pms_extent *extent = &run->extent;
	pms_fail(err, PMS_EINVAL, "--roi %.200s: it was never called%s", extent->region,
		 extent->forward ? " after what --fast-forward left out" : "");
	if (run->signal)
		pms_hint(err, "signal %d ended the program before", run->signal);
	else
		pms_hint(err, "name a function that the program calls: where the compiler has "
			      "inlined this one, its caller");
	return -PMS_EINVAL;
}

/* Run the program on ideal cores, and keep what they gain with the counts. */
static int add_gains(struct pms_measurement *m, struct pms_counts *counts, struct pms_error *err)
{
	struct pms_gains *gains = NULL;
	if (counts->provenance.signal)
		return pms_counts_warn(counts, "the program was ended by a signal: what would be "
					       "gained was not measured");
	int rc = pms_why(counts->catalog, m->options.live.target.command, &m->options.vcore,
			 m->options.progress, m->options.context, &gains, err);
	if (rc)
		return rc;
	counts->gains = gains;
	if (!gains)
		return pms_counts_warn(counts, "a signal came before what would be gained was "
					       "known");
	rc = pms_counts_warn(counts,
			     "the program ran %zu more times for what would be gained, without "
			     "input unless that is a file: what it does to files and to the "
			     "network it did each time",
			     gains->n_runs);
	if (!rc && gains->disagreement >= least_disagreement)
		rc = pms_counts_warn(counts,
				     "its runs differ by up to %.2g %% of their instructions: "
				     "gains of that size may be chance",
				     gains->disagreement);
	return rc;
}

static int read_model(struct pms_measurement *m, pms_live_put *put, void *context,
		      struct pms_counts **totals, struct pms_error *err)
{
	struct pms_counts *counts = NULL;
	(void)put; /* a modelled run has no intervals */
	(void)context;
	int rc = pms_collect_vcore(m->parts[0].shown.catalog, m->options.live.target.command,
				   &m->options.vcore, &counts, err);
	if (!rc && counts->provenance.extent.region && !counts->provenance.extent.entries)
		rc = never_entered(&counts->provenance, err);
	if (!rc && m->options.why)
		rc = add_gains(m, counts, err);
	if (rc || !totals)
		pms_counts_free(counts);
	else
		totals[0] = counts;
	return rc;
}

const struct pms_measurement_source pms_source_model = {
	.open = open_model, .resolve = resolve, .read = read_model, .selects = 1
};

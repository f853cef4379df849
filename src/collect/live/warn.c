/* SPDX-License-Identifier: MIT */

#include "collect/live/warn.h"

#include <string.h>

#include "collect/live/group.h"
#include "collect/live/live.h"
#include "collect/live/tally.h"
#include "collect/live/target.h"

int pms_perf_warn_returned(const struct pms_live *live, struct pms_counts *counts)
{
	return live->returned ? pms_counts_warn(counts,
						"%u CPUs came online during the measurement, and "
						"are counted from up to a second later on",
						live->returned)
			      : 0;
}

int pms_perf_warn_newcomers(const struct pms_live *live, struct pms_counts *counts)
{
	const struct pms_perf_newcomers *new = &live->newcomers;
	if (!new->n)
		return 0;
	return pms_counts_warn(
		counts,
		"%zu thread%s (%s) started while the others were attached to, and may "
		"not be counted, nor what they start; -a, -G and a program that is "
		"measured from its start miss none",
		new->n, new->n > 1 ? "s" : "", new->text);
}

int pms_perf_warn_missed(const struct pms_live *live, const struct pms_perf_missed *missed,
			 struct pms_counts *counts)
{
	unsigned late = missed->late, skipped = missed->skipped;
	int rc = 0;
	if (late)
		rc = pms_counts_warn(counts,
				     "%u interval%s not read in time, and %s in the one that "
				     "followed%s",
				     late, late > 1 ? "s were" : " was", late > 1 ? "are" : "is",
				     live->hurried ? ""
						   : "; with CAP_SYS_NICE, or as root, they are "
						     "read before other programs run");
	if (skipped && !rc)
		rc = pms_counts_warn(counts,
				     "%u interval%s skipped, and %s in the one that followed: they "
				     "came faster than they can be written; give -I a longer time",
				     skipped, skipped > 1 ? "s were" : " was",
				     skipped > 1 ? "are" : "is");
	return rc;
}

int pms_perf_warn_interrupted(const struct pms_live *live, struct pms_counts *counts)
{
	const char *name = sigabbrev_np(live->interrupted);
	if (live->n_done == live->runs)
		return 0;
	return live->n_done ? pms_counts_warn(counts,
					      "a signal (%s) ended run %zu of %zu: counts are of "
					      "those before it",
					      name, live->n_done + 1, live->runs)
			    : pms_counts_warn(counts,
					      "a signal (%s) ended the first of %zu runs: counts "
					      "are of it until then",
					      name, live->runs);
}

/* Warn of offline CPUs: their counters are lost, and start anew when they are back. */
int pms_perf_warn_offline(const struct pms_live *live, size_t part, struct pms_counts *counts)
{
	int rc = 0;
	for (size_t i = 0; i < live->n_cells && !rc; i++) {
		const struct pms_perf_cell *cell = &live->cells[i];
		/* A cgroup's time is the time in which it runs there. */
		if (cell->cpu >= 0 && !cell->flags && pms_perf_cell_is_of(live, cell, part) &&
		    pms_perf_was_away(cell))
			rc = pms_counts_warn(counts,
					     "CPU %d was counted for %.3g of %.3g s: it was "
					     "offline for the rest",
					     cell->cpu, (double)cell->enabled / 1e9,
					     (double)cell->due / 1e9);
	}
	return rc;
}

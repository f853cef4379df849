/* SPDX-License-Identifier: MIT */
/* Runs that were counted in part. In a sampled run, each thread's start is counted whole; behind
 * it, windows count n of the N instructions. The estimated total is the start's count plus N / n
 * times the windows' count. A process uses all threads' windows together, because threads
 * shorter than a period have a window only by chance. */
#include "collect/vrun/tally.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

/* The counters of one column, in groups. */
struct column {
	uint64_t instructions, windows;
	uint64_t sum[PMS_COUNTER_COUNT];
	int64_t groups[PMS_SHARE_GROUPS][PMS_COUNTER_COUNT];
};

static void column_add(struct column *column, const struct pms_share_thread *thread)
{
	column->instructions += thread->instructions;
	column->windows += thread->windows;
	for (unsigned i = 0; i < PMS_COUNTER_COUNT; i++)
		column->sum[i] += thread->counters[i];
	for (unsigned g = 0; g < PMS_SHARE_GROUPS; g++)
		for (unsigned i = 0; i < PMS_COUNTER_COUNT; i++)
			column->groups[g][i] += thread->groups[g][i];
}

static bool has_any(const struct column *column, unsigned group)
{
	return column->groups[group][PMS_COUNTER_INST_RETIRED] > 0;
}

static bool is_instructions(const struct pms_rule *rule)
{
	return rule->state == PMS_COUNTED && rule->n_terms == 1 && rule->terms[0].sign > 0 &&
	       rule->terms[0].counter == PMS_COUNTER_INST_RETIRED;
}

static double group_count(const struct pms_rule *rule, const int64_t *counters)
{
	int64_t sum = 0;
	for (unsigned i = 0; i < rule->n_terms; i++)
		sum += rule->terms[i].sign * counters[rule->terms[i].counter];
	return (double)sum;
}

/* Returns the windows' count of an event, over all groups. */
static double windows_count(const struct pms_sample *sample, size_t event)
{
	double sum = 0;
	for (size_t g = 0; g < sample->n_groups; g++)
		sum += sample->groups[g][event];
	return sum;
}

static double windows_size(const struct pms_sample *sample)
{
	double sum = 0;
	for (size_t g = 0; g < sample->n_groups; g++)
		sum += sample->sizes[g];
	return sum;
}

/* Keep the windows' counts by group, from which the report works out the scatter. */
static int sample_fill(struct pms_counts *counts, struct pms_scope *scope,
		       const struct pms_core_file *core, const struct column *column)
{
	unsigned n = 0;
	for (unsigned g = 0; g < PMS_SHARE_GROUPS; g++)
		n += has_any(column, g);
	struct pms_sample *sample = pms_scope_add_sample(counts, scope, n);
	if (!sample)
		return -PMS_ENOMEM;
	sample->instructions = column->instructions;
	sample->counted = column->sum[PMS_COUNTER_INST_RETIRED];
	sample->windows = column->windows;
	for (unsigned g = 0, to = 0; g < PMS_SHARE_GROUPS; g++) {
		if (!has_any(column, g))
			continue;
		for (size_t i = 0; i < core->n_rules; i++)
			if (core->rules[i].state == PMS_COUNTED)
				sample->groups[to][i] =
					group_count(&core->rules[i], column->groups[g]);
		sample->sizes[to++] = (double)column->groups[g][PMS_COUNTER_INST_RETIRED];
	}
	return 0;
}

/* Scale the windows' counts up to the whole. */
static int estimate(struct pms_counts *counts, const struct pms_sample *sample, size_t event,
		    const struct pms_rule *rule, struct pms_count *count)
{
	double in_windows = windows_size(sample);
	double behind = (double)(sample->instructions - sample->counted) + in_windows;
	if (count->state != PMS_COUNTED)
		return 0;
	if (is_instructions(rule)) {
		count->value = sample->instructions;
		return 0;
	}
	if (sample->counted == sample->instructions)
		return 0;
	count->cls = PMS_COUNT_MODELLED;
	if (in_windows == 0) {
		*count = (struct pms_count){ .state = PMS_NOT_COUNTED };
		count->because = pms_counts_keep(counts, "no window of the sampled run was on it");
		return count->because ? 0 : -PMS_ENOMEM;
	}
	double counted = windows_count(sample, event);
	count->scaled = (double)count->value - counted + counted * (behind / in_windows);
	count->value = (uint64_t)llround(count->scaled);
	return 0;
}

static int scope_estimate(struct pms_counts *counts, struct pms_scope *scope,
			  const struct pms_core_file *core, const struct column *column)
{
	int rc = sample_fill(counts, scope, core, column);
	for (size_t i = 0; i < core->n_rules && !rc; i++)
		rc = estimate(counts, scope->sample, i, &core->rules[i], &scope->counts[i]);
	return rc;
}

int pms_tally_sample(struct pms_counts *counts, const struct pms_core_file *core,
		     const struct pms_share *share)
{
	struct column *all = calloc(1, sizeof(*all)), *one = calloc(1, sizeof(*one));
	int rc = all && one ? 0 : -PMS_ENOMEM;
	for (size_t i = 0; i < counts->n_scopes && !rc; i++) {
		const struct pms_share_thread *thread = &share->threads[counts->scopes[i].id - 1];
		memset(one, 0, sizeof(*one));
		column_add(one, thread);
		column_add(all, thread);
		rc = scope_estimate(counts, &counts->scopes[i], core, one);
	}
	for (size_t i = 0; i < core->n_rules && !rc && counts->n_scopes; i++)
		rc = pms_tally_count(counts, &core->rules[i], all->sum, &counts->total.counts[i]);
	if (!rc && counts->n_scopes)
		rc = scope_estimate(counts, &counts->total, core, all);
	free(all);
	free(one);
	return rc;
}

static int forward_warning(struct pms_counts *counts, const struct pms_extent *extent, uint64_t ran)
{
	if (!extent->forward || ran)
		return 0;
	return pms_counts_warn(counts,
			       "the program ran %" PRIu64 " instructions, and the first %" PRIu64
			       " were to be left out: nothing is counted",
			       extent->forwarded, extent->forward);
}

static int region_warnings(struct pms_counts *counts, const struct pms_extent *extent,
			   const struct pms_tally_run *run)
{
	int rc = 0;
	if (!extent->region)
		return 0;
	if (!extent->entries)
		rc = pms_counts_warn(counts, "%s was never called%s: nothing is counted",
				     extent->region,
				     extent->forward ? " after what was left out" : "");
	if (!rc && run->n_inlined)
		rc = pms_counts_warn(
			counts, "%s was inlined in %zu place%s as well: these are not counted",
			extent->region, run->n_inlined, run->n_inlined == 1 ? "" : "s");
	return rc;
}

/* Warn where the windows are too few to trust the estimate. */
static int sample_warnings(struct pms_counts *counts, uint64_t ran)
{
	enum { FEW = 10 };
	const struct pms_sample *sample = counts->total.sample;
	if (!sample || !ran)
		return 0;
	if (sample->counted == ran)
		return 0;
	if (!sample->windows)
		return pms_counts_warn(counts,
				       "no window of the sampled run was on the program's %" PRIu64
				       " instructions: take shorter periods",
				       ran);
	if (sample->n_groups < 2)
		return pms_counts_warn(counts,
				       "one window alone was counted: how far off the numbers are "
				       "is not known; take shorter periods");
	if (sample->windows >= FEW)
		return 0;
	return pms_counts_warn(counts,
			       "%" PRIu64 " windows are few: the intervals are wide, and hold only "
			       "if no window is like no other; take shorter periods",
			       sample->windows);
}

int pms_tally_extent(struct pms_counts *counts, const struct pms_share *share,
		     const struct pms_tally_run *run)
{
	struct pms_extent *extent = &counts->provenance.extent;
	uint64_t ran = 0, counted = 0;
	for (uint32_t i = 0; i < pms_tally_threads(share); i++) {
		const struct pms_share_thread *thread = &share->threads[i];
		extent->forwarded += thread->forwarded;
		extent->entries += share->extent.n_regions ? thread->windows : 0;
		ran += thread->instructions;
		counted += thread->counters[PMS_COUNTER_INST_RETIRED];
	}
	extent->outside = share->extent.n_regions && ran > counted ? ran - counted : 0;
	int rc = forward_warning(counts, extent, ran);
	if (!rc)
		rc = region_warnings(counts, extent, run);
	return rc ? rc : sample_warnings(counts, ran);
}

/* SPDX-License-Identifier: MIT */
/* From what groups read to counts: differences added up by column and slot, then over runs, then
 * over the passes that an event is in. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/status.h"
#include "collect/perf_live.h"

enum { ENABLED, RUNNING, VALUES };

int pms_perf_columns_room(struct pms_live *live, struct pms_error *err)
{
	for (size_t i = 0; i < live->n_parts; i++) {
		struct pms_perf_part *part = &live->parts[i];
		size_t had = part->room * part->n_slots, want = live->n_columns * part->n_slots;
		struct pms_perf_tally *tallies =
			reallocarray(part->tallies, want + 1, sizeof(*tallies));
		if (tallies)
			part->tallies = tallies;
		struct pms_perf_sum *sums = reallocarray(part->sums, want + 1, sizeof(*sums));
		if (sums)
			part->sums = sums;
		if (!tallies || !sums)
			return pms_fail(err, PMS_ENOMEM, "out of memory");
		if (want > had)
			memset(sums + had, 0, (want - had) * sizeof(*sums));
		part->room = live->n_columns;
	}
	return 0;
}

static void add_to(struct pms_perf_tally *tally, uint64_t value, uint64_t enabled, uint64_t running)
{
	tally->value += value;
	tally->enabled += enabled;
	tally->running += running;
	tally->groups++;
}

static void tally_group(struct pms_live *live, struct pms_perf_group *g, bool whole)
{
	struct pms_perf_part *part = &live->parts[g->part];
	const struct pms_perf_pass *pass = &part->passes[g->pass];
	size_t own = live->cells[g->cell].column;
	uint64_t base[VALUES] = { whole ? 0 : g->before[ENABLED], whole ? 0 : g->before[RUNNING] };
	for (size_t i = 0; i < pass->n; i++) {
		if (g->fds[i] < 0)
			continue;
		size_t slot = pass->first + i;
		uint64_t value = g->now[VALUES + i] - (whole ? 0 : g->before[VALUES + i]);
		uint64_t enabled = g->now[ENABLED] - base[ENABLED];
		uint64_t running = g->now[RUNNING] - base[RUNNING];
		add_to(&part->tallies[slot], value, enabled, running);
		if (own)
			add_to(&part->tallies[own * part->n_slots + slot], value, enabled, running);
	}
}

void pms_perf_tally(struct pms_live *live, bool whole)
{
	for (size_t i = 0; i < live->n_parts; i++)
		memset(live->parts[i].tallies, 0,
		       live->n_columns * live->parts[i].n_slots * sizeof(struct pms_perf_tally));
	for (size_t i = 0; i < live->n_groups; i++) {
		struct pms_perf_group *g = &live->groups[i];
		size_t n = live->parts[g->part].passes[g->pass].n + VALUES;
		tally_group(live, g, whole);
		if (!whole)
			memcpy(g->before, g->now, n * sizeof(g->now[0]));
	}
}

static double scaled_up(const struct pms_perf_tally *t)
{
	if (!t->running || t->running >= t->enabled)
		return (double)t->value;
	return (double)t->value * ((double)t->enabled / (double)t->running);
}

static void sum_add(struct pms_perf_sum *sum, const struct pms_perf_tally *t)
{
	double scaled = scaled_up(t);
	if (!t->groups)
		return;
	add_to(&sum->tally, t->value, t->enabled, t->running);
	sum->scaled += scaled;
	sum->squares += scaled * scaled;
	sum->runs++;
}

void pms_perf_sum_run(struct pms_live *live)
{
	for (size_t i = 0; i < live->n_parts; i++) {
		struct pms_perf_part *part = &live->parts[i];
		for (size_t k = 0; k < live->n_columns * part->n_slots; k++)
			sum_add(&part->sums[k], &part->tallies[k]);
	}
}

void pms_perf_sums_clear(struct pms_live *live)
{
	for (size_t i = 0; i < live->n_parts; i++)
		memset(live->parts[i].sums, 0,
		       live->n_columns * live->parts[i].n_slots * sizeof(struct pms_perf_sum));
}

static uint64_t mean(uint64_t total, unsigned n)
{
	return n > 1 ? (total + n / 2) / n : total;
}

/* Standard error of the mean of n values, over their mean. */
static double relative_error(double sum, double squares, unsigned n)
{
	if (n < 2 || !(sum > 0))
		return 0;
	double average = sum / n;
	double variance = (squares - sum * average) / (n - 1);
	return variance > 0 ? sqrt(variance / n) / average : 0;
}

static const char *no_counter(struct pms_counts *counts)
{
	return pms_counts_keep(counts,
			       "it never had a counter: others had them all, or the run was short");
}

/* What a slot's sum comes to, a run. */
static struct pms_count count_of(struct pms_counts *counts, const struct pms_perf_sum *sum)
{
	const struct pms_perf_tally *t = &sum->tally;
	struct pms_count count = { .state = PMS_COUNTED, .cls = PMS_COUNT_MEASURED };
	count.value = mean(t->value, sum->runs);
	count.enabled_ns = mean(t->enabled, sum->runs);
	count.running_ns = mean(t->running, sum->runs);
	if (t->enabled && !t->running) {
		count = (struct pms_count){ .enabled_ns = count.enabled_ns };
		count.because = no_counter(counts);
	} else if (sum->runs > 1) {
		count.spread = relative_error(sum->scaled, sum->squares, sum->runs);
		if (t->running < t->enabled)
			count.scaled = sum->scaled / sum->runs;
	}
	return count;
}

/* An event of several passes that took turns: what it saw in all of them. */
static void join_turns(struct pms_perf_sum *into, const struct pms_perf_sum *from)
{
	if (!into->runs) {
		*into = *from;
		return;
	}
	uint64_t enabled = into->tally.enabled;
	if (from->tally.enabled > enabled)
		enabled = from->tally.enabled;
	add_to(&into->tally, from->tally.value, 0, from->tally.running);
	into->tally.enabled = enabled;
	if (into->tally.running > enabled)
		into->tally.running = enabled;
	into->scaled += from->scaled;
	into->squares += from->squares;
}

/* The same of passes that had a run each: more runs of the same. */
static void join_runs(struct pms_perf_sum *into, const struct pms_perf_sum *from)
{
	add_to(&into->tally, from->tally.value, from->tally.enabled, from->tally.running);
	into->scaled += from->scaled;
	into->squares += from->squares;
	into->runs += from->runs;
}

/* Where an event is counted: the slots of a part, in the order of its passes. */
static const struct pms_perf_member *member_of(const struct pms_perf_part *part, size_t slot)
{
	size_t pass = 0;
	while (slot >= part->passes[pass].first + part->passes[pass].n)
		pass++;
	return &part->passes[pass].members[slot - part->passes[pass].first];
}

static int fill_column(const struct pms_live *live, const struct pms_perf_part *part, size_t column,
		       struct pms_counts *counts, struct pms_scope *scope)
{
	struct pms_perf_sum *joined =
		calloc(pms_catalog_events(part->catalog) + 1, sizeof(*joined));
	if (!joined)
		return -PMS_ENOMEM;
	for (size_t slot = 0; slot < part->n_slots; slot++) {
		const struct pms_perf_sum *sum = &part->sums[column * part->n_slots + slot];
		struct pms_perf_sum *into = &joined[member_of(part, slot)->event];
		if (sum->runs)
			(live->multirun ? join_runs : join_turns)(into, sum);
	}
	for (size_t slot = 0; slot < part->n_slots; slot++) {
		const struct pms_perf_member *member = member_of(part, slot);
		struct pms_count *count = &scope->counts[member->event];
		if (joined[member->event].runs)
			*count = count_of(counts, &joined[member->event]);
		else if (member->because)
			*count = (struct pms_count){ .state = PMS_NOT_SUPPORTED,
						     .because = pms_counts_keep(counts,
										member->because) };
		else if (!count->because)
			count->because = pms_counts_keep(counts, "nothing was there to count");
	}
	free(joined);
	return 0;
}

static int keep_command(const struct pms_live *live, struct pms_provenance *p)
{
	char *const *argv = live->options.target.command;
	size_t n = 0;
	while (argv && argv[n])
		n++;
	if (!argv)
		return 0;
	p->command = calloc(n + 1, sizeof(*p->command));
	for (size_t i = 0; p->command && i < n; i++)
		if (!(p->command[i] = strdup(argv[i])))
			return -PMS_ENOMEM;
	return p->command ? 0 : -PMS_ENOMEM;
}

static int fill_provenance(const struct pms_live *live, const struct pms_perf_part *part,
			   struct pms_counts *counts)
{
	struct pms_provenance *p = &counts->provenance;
	const struct pms_cpu *cpu = pms_catalog_cpu(part->catalog);
	snprintf(p->source, sizeof(p->source), "perf");
	snprintf(p->core, sizeof(p->core), "%s",
		 part->core_name[0] ? part->core_name : cpu->product);
	p->counters_available = part->plan ? part->plan->counters : 0;
	p->exit_status = WIFSIGNALED(live->status) ? 128 + WTERMSIG(live->status)
						   : WEXITSTATUS(live->status);
	p->signal = WIFSIGNALED(live->status) ? WTERMSIG(live->status) : 0;
	return keep_command(live, p);
}

int pms_perf_counts(struct pms_live *live, size_t index, bool interval, struct pms_counts **out,
		    struct pms_error *err)
{
	const struct pms_perf_part *part = &live->parts[index];
	struct pms_counts *counts = pms_counts_new(part->catalog);
	int rc = counts ? fill_provenance(live, part, counts) : -PMS_ENOMEM;
	for (size_t i = 1; i < live->n_columns && !rc; i++) {
		const struct pms_perf_column *column = &live->columns[i];
		struct pms_scope *scope = pms_counts_add_scope(counts, column->kind, column->id);
		rc = scope ? 0 : -PMS_ENOMEM;
		if (scope)
			memcpy(scope->name, column->name, sizeof(scope->name));
		if (scope)
			rc = fill_column(live, part, i, counts, scope);
	}
	if (!rc)
		rc = fill_column(live, part, 0, counts, &counts->total);
	if (rc) {
		pms_counts_free(counts);
		return pms_fail(err, PMS_ENOMEM, "out of memory");
	}
	counts->has_time = interval;
	counts->time = interval ? (double)(pms_perf_now() - live->start_ns) / 1e9 : 0;
	*out = counts;
	return 0;
}

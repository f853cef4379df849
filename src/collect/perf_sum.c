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
		/* The time of a CPU stands still while it is offline, and while counting is off. */
		if (!enabled && !whole && live->cells[g->cell].cpu >= 0)
			continue;
		add_to(&part->tallies[slot], value, enabled, running);
		if (own)
			add_to(&part->tallies[own * part->n_slots + slot], value, enabled, running);
	}
}

static uint64_t longest_of_pass(const struct pms_perf_part *part, const struct pms_perf_pass *pass,
				size_t column)
{
	uint64_t longest = 0;
	for (size_t i = 0; i < pass->n; i++) {
		uint64_t ran = part->tallies[column * part->n_slots + pass->first + i].running;
		longest = ran > longest ? ran : longest;
	}
	return longest;
}

/* Where there are cores of several kinds, the kernel's time enabled holds what a task spent on the
 * others, where there was nothing to count. Its time on these is what the passes had together. */
static void leave_out_others(const struct pms_live *live, struct pms_perf_part *part)
{
	for (size_t column = 0; column < live->n_columns; column++) {
		uint64_t here = 0;
		for (size_t i = 0; i < part->n_passes; i++)
			if (!part->passes[i].software)
				here += longest_of_pass(part, &part->passes[i], column);
		for (size_t i = 0; i < part->n_passes; i++)
			for (size_t k = 0; k < part->passes[i].n && !part->passes[i].software;
			     k++) {
				struct pms_perf_tally *t =
					&part->tallies[column * part->n_slots +
						       part->passes[i].first + k];
				t->enabled = t->enabled < here ? t->enabled : here;
			}
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
		if (whole && g->now[ENABLED] > live->cells[g->cell].enabled)
			live->cells[g->cell].enabled = g->now[ENABLED];
		if (!whole)
			memcpy(g->before, g->now, n * sizeof(g->now[0]));
	}
	for (size_t i = 0; i < live->n_parts && live->pmus.count > 1; i++)
		leave_out_others(live, &live->parts[i]);
}

double pms_perf_scaled_up(const struct pms_perf_tally *t)
{
	if (!t->running || t->running >= t->enabled)
		return (double)t->value;
	return (double)t->value * ((double)t->enabled / (double)t->running);
}

static void sum_add(struct pms_perf_sum *sum, const struct pms_perf_tally *t)
{
	double scaled = pms_perf_scaled_up(t);
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

static double mix(double a, double b, double weight_a, double weight_b)
{
	return weight_a + weight_b > 0 ? (a * weight_a + b * weight_b) / (weight_a + weight_b) : a;
}

/* An event of several passes that took turns: what it saw in all of them. */
static void join_turns(struct pms_perf_sum *into, const struct pms_perf_sum *from)
{
	struct pms_perf_tally *t = &into->tally;
	double ran = (double)t->running, runs_now = (double)from->tally.running;
	if (!into->runs) {
		*into = *from;
		return;
	}
	if (from->tally.enabled > t->enabled)
		t->enabled = from->tally.enabled;
	add_to(t, from->tally.value, 0, from->tally.running);
	into->scaled = mix(into->scaled, from->scaled, ran, runs_now);
	into->squares = mix(into->squares, from->squares, ran, runs_now);
}

/* Passes that had counters at the same time saw the same thing twice. */
static void undo_overlap(struct pms_perf_tally *t)
{
	if (t->running <= t->enabled)
		return;
	t->value = (uint64_t)llround((double)t->value * ((double)t->enabled / (double)t->running));
	t->running = t->enabled;
}

/* The same of passes that had a run each: more runs of the same. */
static void join_runs(struct pms_perf_sum *into, const struct pms_perf_sum *from)
{
	add_to(&into->tally, from->tally.value, from->tally.enabled, from->tally.running);
	into->scaled += from->scaled;
	into->squares += from->squares;
	into->runs += from->runs;
}

static const struct pms_perf_member *member_of(const struct pms_perf_part *part, size_t slot)
{
	size_t pass = 0;
	while (slot >= part->passes[pass].first + part->passes[pass].n)
		pass++;
	return &part->passes[pass].members[slot - part->passes[pass].first];
}

/* Why there is no count, of a member that was not counted. */
static struct pms_count no_count_of(struct pms_counts *counts, const struct pms_perf_member *member)
{
	if (member->because)
		return (struct pms_count){ .state = PMS_NOT_SUPPORTED,
					   .because = pms_counts_keep(counts, member->because) };
	return (struct pms_count){ .because = pms_counts_keep(
					   counts, "nothing was there to count: a task had ended, "
						   "a CPU was offline, or counting was off") };
}

static struct pms_count member_count(struct pms_counts *counts, const struct pms_perf_sum *sum,
				     const struct pms_perf_member *member)
{
	if (!sum->runs)
		return no_count_of(counts, member);
	if (!member->doubtful || sum->tally.value)
		return count_of(counts, sum);
	return (struct pms_count){
		.state = PMS_NOT_SUPPORTED,
		.because = pms_counts_keep(counts, "it read 0, as events do that a PMU lacks, and "
						   "this one lacks others that every core has"),
	};
}

static int fill_pass(const struct pms_perf_part *part, const struct pms_perf_pass *pass,
		     size_t column, struct pms_counts *counts, struct pms_scope *scope)
{
	struct pms_count *into = pms_scope_add_pass(counts, scope);
	const struct pms_perf_sum *sums = &part->sums[column * part->n_slots + pass->first];
	if (!into)
		return -PMS_ENOMEM;
	for (size_t i = 0; i < pass->n; i++)
		into[pass->members[i].event] = member_count(counts, &sums[i], &pass->members[i]);
	return 0;
}

/* Where there are several passes, each metric is worked out from its own. */
static int fill_passes(const struct pms_perf_part *part, size_t column, struct pms_counts *counts,
		       struct pms_scope *scope)
{
	int rc = 0;
	if (part->n_counted < 2)
		return 0;
	for (size_t i = 0; i < part->n_counted && !rc; i++)
		rc = fill_pass(part, &part->passes[i], column, counts, scope);
	return rc;
}

/* What each event came to over the passes that it is in. Returns NULL when out of memory. */
static struct pms_perf_sum *join(const struct pms_live *live, const struct pms_perf_part *part,
				 size_t column)
{
	size_t n = pms_catalog_events(part->catalog);
	struct pms_perf_sum *joined = calloc(n + 1, sizeof(*joined));
	for (size_t slot = 0; joined && slot < part->n_slots; slot++) {
		const struct pms_perf_sum *sum = &part->sums[column * part->n_slots + slot];
		struct pms_perf_sum *into = &joined[member_of(part, slot)->event];
		if (sum->runs)
			(live->multirun ? join_runs : join_turns)(into, sum);
	}
	for (size_t i = 0; joined && i < n; i++)
		undo_overlap(&joined[i].tally);
	return joined;
}

static int fill_column(const struct pms_live *live, const struct pms_perf_part *part, size_t column,
		       struct pms_counts *counts, struct pms_scope *scope)
{
	struct pms_perf_sum *joined = join(live, part, column);
	if (!joined)
		return -PMS_ENOMEM;
	for (size_t slot = 0; slot < part->n_slots; slot++) {
		const struct pms_perf_member *member = member_of(part, slot);
		scope->counts[member->event] = member_count(counts, &joined[member->event], member);
	}
	free(joined);
	return fill_passes(part, column, counts, scope);
}

/* An event that several passes counted says how alike they were: the same program at other times.
 * Beyond this share of its mean it is worth a warning; runs of one program mostly differ by less.
 */
static const double alike = 0.05;

/* The least and the most that passes saw of an event; returns how many did. */
static unsigned range_of(const struct pms_perf_part *part, size_t event, double *least,
			 double *most)
{
	unsigned n = 0;
	for (size_t slot = 0; slot < part->n_slots; slot++) {
		const struct pms_perf_sum *sum = &part->sums[slot];
		if (member_of(part, slot)->event != event || !sum->runs || !sum->tally.running)
			continue;
		double value = sum->scaled / sum->runs;
		*least = n && *least < value ? *least : value;
		*most = n && *most > value ? *most : value;
		n++;
	}
	return n;
}

static int compare_passes(const struct pms_live *live, const struct pms_perf_part *part,
			  struct pms_counts *counts)
{
	for (size_t i = 0; part->plan && i < part->plan->n_fixed; i++) {
		double least = 0, most = 0;
		size_t event = part->plan->fixed[i];
		unsigned n = range_of(part, event, &least, &most);
		if (n < 2 || !(most - least > alike * most))
			continue;
		if (pms_counts_warn(
			    counts,
			    "%s differs between the %u passes by %.0f %%: %s, and numbers of "
			    "different passes do not fit together to more than that",
			    pms_catalog_event(part->catalog, event)->name, n,
			    100 * (most - least) / most,
			    live->multirun ? "the runs were not alike"
					   : "the program changed while they took turns"))
			return -PMS_ENOMEM;
	}
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
	p->counters_available = part->counters;
	p->exit_status = WIFSIGNALED(live->status) ? 128 + WTERMSIG(live->status)
						   : WEXITSTATUS(live->status);
	p->signal = WIFSIGNALED(live->status) ? WTERMSIG(live->status) : 0;
	return keep_command(live, p);
}

/* Of cores of several kinds, a part tells apart its own alone. */
static bool is_column_of(const struct pms_live *live, size_t column, size_t part)
{
	for (size_t i = 0; i < live->n_cells; i++)
		if (live->cells[i].column == column &&
		    pms_perf_cell_is_of(live, &live->cells[i], part))
			return true;
	return false;
}

int pms_perf_counts(struct pms_live *live, size_t index, bool interval, struct pms_counts **out,
		    struct pms_error *err)
{
	const struct pms_perf_part *part = &live->parts[index];
	struct pms_counts *counts = pms_counts_new(part->catalog);
	int rc = counts ? fill_provenance(live, part, counts) : -PMS_ENOMEM;
	for (size_t i = 1; i < live->n_columns && !rc; i++) {
		const struct pms_perf_column *column = &live->columns[i];
		if (!is_column_of(live, i, index))
			continue;
		struct pms_scope *scope = pms_counts_add_scope(counts, column->kind, column->id);
		rc = scope ? 0 : -PMS_ENOMEM;
		if (scope)
			memcpy(scope->name, column->name, sizeof(scope->name));
		if (scope)
			rc = fill_column(live, part, i, counts, scope);
	}
	if (!rc)
		rc = fill_column(live, part, 0, counts, &counts->total);
	if (!rc && !interval)
		rc = pms_perf_runs_fill(live, part, &counts->total);
	if (!rc && !interval)
		rc = compare_passes(live, part, counts);
	if (rc) {
		pms_counts_free(counts);
		return pms_fail(err, PMS_ENOMEM, "out of memory");
	}
	counts->has_time = interval;
	counts->time = interval ? (double)(live->now_ns - live->start_ns) / 1e9 : 0;
	*out = counts;
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Turn tallies into counts: add them up over runs, and give them to the events of columns and
 * passes. */
#include "collect/live/sum.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/status.h"
#include "collect/live/event.h"
#include "collect/live/live.h"
#include "collect/live/part.h"
#include "collect/live/runs.h"
#include "collect/live/tally.h"
#include "collect/live/target.h"

int pms_perf_columns_room(struct pms_live *live, struct pms_error *err)
{
	for (size_t i = 0; i < live->n_parts; i++) {
		struct pms_perf_part *part = &live->parts[i];
		size_t had = part->room * part->n_rows, want = live->n_columns * part->n_rows;
		struct pms_perf_tally *tallies =
			reallocarray(part->tallies, want + 1, sizeof(*tallies));
		if (tallies)
			part->tallies = tallies;
		struct pms_perf_sum *sums = reallocarray(part->sums, want + 1, sizeof(*sums));
		if (sums)
			part->sums = sums;
		if (!tallies || !sums)
			return pms_no_memory(err);
		if (want > had)
			memset(sums + had, 0, (want - had) * sizeof(*sums));
		part->room = live->n_columns;
	}
	return 0;
}

/* Add a run. Its counts' errors weigh by the size of its count. */
static void sum_add(struct pms_perf_sum *sum, const struct pms_perf_tally *t)
{
	struct pms_count count;
	double never = pms_perf_tally_never(t);
	sum->places += t->places;
	sum->lacks |= t->lacks;
	sum->never = never > sum->never ? never : sum->never;
	if (!pms_perf_tally_count(t, &count))
		return;
	double scaled = pms_count_scaled(&count);
	sum->value += count.value;
	sum->enabled += count.enabled_ns;
	sum->running += count.running_ns;
	sum->missed += count.missed * (scaled + 1);
	sum->phases += count.phases * (scaled + 1);
	sum->scaled += scaled;
	sum->squares += scaled * scaled;
	sum->runs++;
}

void pms_perf_sum_run(struct pms_live *live)
{
	for (size_t i = 0; i < live->n_parts; i++) {
		struct pms_perf_part *part = &live->parts[i];
		for (size_t k = 0; k < live->n_columns * part->n_rows; k++)
			sum_add(&part->sums[k], &part->tallies[k]);
	}
}

void pms_perf_sums_clear(struct pms_live *live)
{
	for (size_t i = 0; i < live->n_parts; i++)
		memset(live->parts[i].sums, 0,
		       live->n_columns * live->parts[i].n_rows * sizeof(struct pms_perf_sum));
}

static uint64_t mean(uint64_t total, unsigned n)
{
	return n > 1 ? (total + n / 2) / n : total;
}

/* Returns the standard error of the mean of n values, over their mean. */
static double relative_error(double sum, double squares, unsigned n)
{
	if (n < 2 || !(sum > 0))
		return 0;
	double average = sum / n;
	double variance = (squares - sum * average) / (n - 1);
	return variance > 0 ? sqrt(variance / n) / average : 0;
}

/* Returns the count of a row for one run, from the sum. */
static struct pms_count count_of(const struct pms_perf_sum *sum)
{
	double weight = sum->scaled + sum->runs;
	struct pms_count count = { .state = PMS_COUNTED, .cls = PMS_COUNT_MEASURED };
	count.value = mean(sum->value, sum->runs);
	count.enabled_ns = mean(sum->enabled, sum->runs);
	count.running_ns = mean(sum->running, sum->runs);
	count.missed = sum->missed / weight;
	count.phases = sum->phases / weight;
	count.spread = relative_error(sum->scaled, sum->squares, sum->runs);
	if (sum->running < sum->enabled)
		count.scaled = sum->scaled / sum->runs;
	return count;
}

/* Format a reason such as "nothing was there", which the counts keep. */
__attribute__((format(printf, 2, 3))) static const char *reason(struct pms_counts *counts,
								const char *format, ...)
{
	char text[256];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return pms_counts_keep(counts, text);
}

/* Returns the missing count of a member, with its reason. */
static struct pms_count no_count_of(struct pms_counts *counts, const struct pms_perf_sum *sum,
				    const struct pms_perf_member *member)
{
	struct pms_count none = { 0 };
	if (member->because && (sum->lacks || !sum->places)) {
		none.state = member->state;
		none.because = pms_counts_keep(counts, member->because);
	} else if (sum->never >= 1) {
		none.because = reason(counts, "it never had a counter: others had them all, or "
					      "the run was short");
	} else if (sum->never > 0) {
		none.because = reason(counts,
				      "it never had a counter on CPUs or in threads that make %.0f "
				      "%% of the time: others had them all",
				      100 * sum->never);
	} else {
		none.because = reason(counts, "nothing was there to count: a task had ended, a "
					      "CPU was offline, or counting was off");
	}
	return none;
}

/* Returns whether a 0 is doubtful: an event that counted anywhere exists, so its 0 on a CPU or
 * in a pass is real. */
static bool is_doubted(const struct pms_perf_part *part, const struct pms_perf_sum *sum,
		       const struct pms_perf_member *member)
{
	return member->doubt && !sum->value && !part->sums[member->row].value;
}

static struct pms_count member_count(const struct pms_perf_part *part, struct pms_counts *counts,
				     const struct pms_perf_sum *sum,
				     const struct pms_perf_member *member)
{
	if (!sum->runs)
		return no_count_of(counts, sum, member);
	if (!is_doubted(part, sum, member))
		return count_of(sum);
	return (struct pms_count){ .state = PMS_NOT_SUPPORTED,
				   .because = pms_counts_keep(counts, member->doubt) };
}

static int fill_pass(const struct pms_perf_part *part, const struct pms_perf_pass *pass,
		     size_t column, struct pms_counts *counts, struct pms_scope *scope)
{
	struct pms_count *into = pms_scope_add_pass(counts, scope);
	const struct pms_perf_sum *sums = &part->sums[column * part->n_rows + pass->first];
	if (!into)
		return -PMS_ENOMEM;
	for (size_t i = 0; i < pass->n; i++)
		into[pass->members[i].event] =
			member_count(part, counts, &sums[i], &pass->members[i]);
	return 0;
}

/* Fill in each pass where there are several: a metric is computed from its own pass. */
static int fill_passes(const struct pms_perf_part *part, size_t column, struct pms_counts *counts,
		       struct pms_scope *scope)
{
	int rc = 0;
	if (part->n_counted < 2 && !part->has_cycles)
		return 0;
	for (size_t i = 0; i < part->n_counted && !rc; i++)
		rc = fill_pass(part, &part->passes[i], column, counts, scope);
	return rc;
}

/* Fill a column. An event of several passes is put in several times, with the same count. */
static int fill_column(const struct pms_perf_part *part, size_t column, struct pms_counts *counts,
		       struct pms_scope *scope)
{
	const struct pms_perf_sum *sums = &part->sums[column * part->n_rows];
	for (size_t i = 0; i < part->n_passes; i++)
		for (size_t k = 0; k < part->passes[i].n; k++) {
			const struct pms_perf_member *member = &part->passes[i].members[k];
			scope->counts[member->event] =
				member_count(part, counts, &sums[member->row], member);
		}
	return fill_passes(part, column, counts, scope);
}

/* Events counted by several passes show how alike the passes were: the same program at different
 * times. A difference beyond this share of the mean is worth a warning; runs of one program
 * mostly differ by less. */
static const double alike = 0.05;

/* Find the least and the greatest count of an event over the passes. Returns how many counted
 * it. */
static unsigned range_of(const struct pms_perf_part *part, size_t event, double *least,
			 double *most)
{
	unsigned n = 0;
	for (size_t i = 0; i < part->n_passes; i++)
		for (size_t k = 0; k < part->passes[i].n; k++) {
			const struct pms_perf_sum *sum = &part->sums[part->passes[i].first + k];
			if (part->passes[i].members[k].event != event || !sum->runs ||
			    !sum->running)
				continue;
			double value = sum->scaled / sum->runs;
			*least = n && *least < value ? *least : value;
			*most = n && *most > value ? *most : value;
			n++;
		}
	return n;
}

/* Warn where passes differ so much that metrics across them would mislead. */
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

/* Name the counted modes, "user", where not all were, for events that do not count time. */
static void describe_modes(const struct pms_live *live, const struct pms_perf_part *part,
			   char *text, size_t size)
{
	static const char *const names[] = { "user", "kernel", "hypervisor" };
	enum { ALL = PMS_LIVE_USER | PMS_LIVE_KERNEL | PMS_LIVE_HYPERVISOR };
	bool has_modes = false;
	for (size_t i = 0; i < part->n_passes; i++)
		for (size_t k = 0; k < part->passes[i].n; k++)
			has_modes |= !pms_perf_is_clock(
				pms_catalog_event(part->catalog, part->passes[i].members[k].event));
	*text = 0;
	for (size_t i = 0; i < 3 && has_modes && live->modes != ALL && !part->core.whole; i++) {
		size_t length = strlen(text);
		if (live->modes & 1U << i)
			snprintf(text + length, size - length, "%s%s", length ? "+" : "", names[i]);
	}
}

void pms_perf_describe(const struct pms_live *live, const struct pms_perf_part *part,
		       struct pms_provenance *p)
{
	const struct pms_cpu *cpu = pms_catalog_cpu(part->catalog);
	snprintf(p->source, sizeof(p->source), "perf");
	snprintf(p->core, sizeof(p->core), "%s%.40s", part->is_foreign ? "this machine, no " : "",
		 part->core_name[0] ? part->core_name : cpu->product);
	describe_modes(live, part, p->modes, sizeof(p->modes));
	p->midr = part->midr;
}

static int fill_provenance(const struct pms_live *live, const struct pms_perf_part *part,
			   struct pms_counts *counts)
{
	struct pms_provenance *p = &counts->provenance;
	pms_perf_describe(live, part, p);
	p->counters_available = part->counters;
	p->exit_status = WIFSIGNALED(live->status) ? 128 + WTERMSIG(live->status)
						   : WEXITSTATUS(live->status);
	p->signal = WIFSIGNALED(live->status) ? WTERMSIG(live->status) : 0;
	return keep_command(live, p);
}

/* Returns whether a column belongs to a part: with several kinds of cores, a part has only its
 * own. */
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
			rc = fill_column(part, i, counts, scope);
	}
	if (!rc)
		rc = fill_column(part, 0, counts, &counts->total);
	if (!rc && !interval)
		rc = pms_perf_runs_fill(live, part, &counts->total);
	if (!rc && !interval)
		rc = compare_passes(live, part, counts);
	if (rc) {
		pms_counts_free(counts);
		return pms_no_memory(err);
	}
	counts->has_time = interval;
	counts->time = interval ? (double)(live->now_ns - live->start_ns) / 1e9 : 0;
	*out = counts;
	return 0;
}

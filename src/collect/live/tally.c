/* SPDX-License-Identifier: MIT */
/* Turn readings into tallies: differences, added up by column and row. Each place scales its own
 * readings, because its counters ran for a share of time of their own. */
#include "collect/live/tally.h"

#include <math.h>
#include <string.h>

#include "collect/live/group.h"
#include "collect/live/live.h"
#include "collect/live/part.h"
#include "collect/live/target.h"

enum { ENABLED, RUNNING, VALUES };

/* Where an event had no counter, it is assumed to happen as often as elsewhere, and that error
 * grows with the time. Beyond this share of the time there is no count. */
static const double most_never = 0.1;

/* Add the reading of one place. */
static void add_to(struct pms_perf_tally *tally, const struct pms_count *read)
{
	tally->places++;
	if (read->enabled_ns && !read->running_ns)
		tally->never += read->enabled_ns;
	else if (tally->sum.state == PMS_COUNTED)
		pms_count_add(&tally->sum, read);
	else
		tally->sum = *read;
}

/* Add a reading to the total and to the place's own column. */
static void add_row(struct pms_perf_part *part, size_t own, size_t row,
		    const struct pms_perf_joined *what)
{
	const size_t columns[] = { 0, own };
	for (size_t i = 0; i < (own ? 2 : 1); i++) {
		struct pms_perf_tally *tally = &part->tallies[columns[i] * part->n_rows + row];
		tally->lacks |= what->lacks;
		if (what->read.state == PMS_COUNTED)
			add_to(tally, &what->read);
	}
}

/* Returns the counts of a pass since the last interval, or since the start. */
static struct pms_count difference(const struct pms_perf_group *g, size_t i, bool whole)
{
	static const uint64_t none[VALUES] = { 0 };
	const uint64_t *before = whole ? none : g->before;
	return (struct pms_count){
		.state = PMS_COUNTED,
		.value = g->now[VALUES + i] - (whole ? 0 : g->before[VALUES + i]),
		.enabled_ns = g->now[ENABLED] - before[ENABLED],
		.running_ns = g->now[RUNNING] - before[RUNNING],
	};
}

/* Join the readings of an event's passes that took turns. */
static void join(struct pms_perf_joined *into, const struct pms_count *read)
{
	struct pms_count *c = &into->read;
	c->state = PMS_COUNTED;
	c->value += read->value;
	c->running_ns += read->running_ns;
	c->enabled_ns = c->enabled_ns > read->enabled_ns ? c->enabled_ns : read->enabled_ns;
}

/* Undo the double count of passes that had counters at the same time. */
static void undo_overlap(struct pms_count *c)
{
	if (c->running_ns <= c->enabled_ns)
		return;
	double share = (double)c->enabled_ns / (double)c->running_ns;
	c->value = (uint64_t)llround((double)c->value * share);
	c->running_ns = c->enabled_ns;
}

static const struct pms_perf_pass *pass_of(const struct pms_live *live,
					   const struct pms_perf_group *g)
{
	return &live->parts[g->part].passes[g->pass];
}

/* Returns the time of a task on this kind of cores. The kernel's enabled time includes the other
 * kinds, where nothing could be counted, so the passes' joint time here is used. */
static uint64_t time_here(const struct pms_live *live, const struct pms_perf_group *groups,
			  size_t n, bool whole)
{
	uint64_t here = 0;
	if (live->pmus.count < 2)
		return UINT64_MAX;
	for (size_t i = 0; i < n; i++)
		if (!pass_of(live, &groups[i])->software)
			here += difference(&groups[i], 0, whole).running_ns;
	return here;
}

/* Add what a group read to the tallies of its events. */
static void tally_group(struct pms_live *live, const struct pms_perf_group *g, uint64_t here,
			bool whole)
{
	struct pms_perf_part *part = &live->parts[g->part];
	const struct pms_perf_pass *pass = pass_of(live, g);
	const struct pms_perf_cell *cell = &live->cells[g->cell];
	for (size_t i = 0; i < pass->n; i++) {
		struct pms_perf_joined one = { .lacks = g->fds[i] == PMS_PERF_LACKS };
		struct pms_perf_joined *all = &part->joining[pass->members[i].row - part->n_slots];
		if (g->fds[i] >= 0) {
			one.read = difference(g, i, whole);
			if (!pass->software && one.read.enabled_ns > here)
				one.read.enabled_ns = here;
		}
		/* A CPU's time stands still while it is offline, and while counting is off. */
		if (!one.read.enabled_ns && !whole && cell->cpu >= 0)
			one.read.state = PMS_NOT_COUNTED;
		all->lacks |= one.lacks;
		if (one.read.state == PMS_COUNTED)
			join(all, &one.read);
		add_row(part, cell->column, pass->first + i, &one);
	}
}

/* Add up the groups of a part at a cell. */
static void tally_cell(struct pms_live *live, const struct pms_perf_group *groups, size_t n,
		       bool whole)
{
	struct pms_perf_part *part = &live->parts[groups->part];
	uint64_t here = time_here(live, groups, n, whole);
	memset(part->joining, 0, (part->n_rows - part->n_slots) * sizeof(part->joining[0]));
	for (size_t i = 0; i < n; i++)
		tally_group(live, &groups[i], here, whole);
	for (size_t row = part->n_slots; row < part->n_rows; row++) {
		struct pms_perf_joined *joined = &part->joining[row - part->n_slots];
		undo_overlap(&joined->read);
		add_row(part, live->cells[groups->cell].column, row, joined);
	}
}

void pms_perf_tally(struct pms_live *live, bool whole)
{
	for (size_t i = 0; i < live->n_parts; i++)
		memset(live->parts[i].tallies, 0,
		       live->n_columns * live->parts[i].n_rows * sizeof(struct pms_perf_tally));
	for (size_t i = 0, end; i < live->n_groups; i = end) {
		const struct pms_perf_group *first = &live->groups[i];
		for (end = i + 1; end < live->n_groups && live->groups[end].cell == first->cell &&
				  live->groups[end].part == first->part;)
			end++;
		tally_cell(live, first, end - i, whole);
	}
	for (size_t i = 0; i < live->n_groups; i++) {
		struct pms_perf_group *g = &live->groups[i];
		struct pms_perf_cell *cell = &live->cells[g->cell];
		if (whole && g->now[ENABLED] >= cell->enabled) {
			cell->enabled = g->now[ENABLED];
			cell->due = g->due;
			if (g->since && live->now_ns > g->since)
				cell->due += live->now_ns - g->since;
		}
		if (!whole)
			memcpy(g->before, g->now,
			       (pass_of(live, g)->n + VALUES) * sizeof(g->now[0]));
	}
}

bool pms_perf_was_away(const struct pms_perf_cell *cell)
{
	return cell->enabled < cell->due - cell->due / 100;
}

double pms_perf_tally_never(const struct pms_perf_tally *t)
{
	return t->never ? (double)t->never / ((double)t->never + (double)t->sum.enabled_ns) : 0;
}

bool pms_perf_tally_count(const struct pms_perf_tally *t, struct pms_count *count)
{
	double never = pms_perf_tally_never(t), seen = 1 - never;
	if (t->sum.state != PMS_COUNTED || t->lacks || never > most_never)
		return false;
	*count = t->sum;
	if (!t->never)
		return true;
	count->missed = pms_count_missed(&t->sum) / seen + never / seen;
	count->phases = pms_count_phases(&t->sum) + never * never;
	count->scaled = pms_count_scaled(&t->sum) / seen;
	count->enabled_ns += t->never;
	return true;
}

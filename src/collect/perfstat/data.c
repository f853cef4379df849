/* SPDX-License-Identifier: MIT */
#include "collect/perfstat/data.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/limits.h"
#include "base/memstream.h"
#include "base/numbers.h"
#include "base/status.h"

/* Records of perf stat, which a reader of samples ignores. */
enum { STAT_CONFIG = 75, STAT = 76, STAT_ROUND = 77 };
enum { CONFIG_AGGREGATION = 0, CONFIG_INTERVAL = 1 };
enum { AGGREGATION_NONE = 0 };

/* What one or several counters add up to since counting began. */
struct sum {
	uint64_t value, enabled, running;
};

/* An event on a CPU, or on all of them together. Only cells that the file mentions exist. */
struct cell {
	uint32_t cpu, event;
	struct sum now, before; /* before: at the end of the interval before */
	bool is_told;		/* in this round */
};

struct reader {
	struct pms_perfdata *file;
	const struct pms_perfdata_info *info; /* records that describe may add events to it */
	struct pms_stat_text *text;
	const struct pms_catalog *catalog;
	struct pms_error *err;
	int per_cpu, has_intervals;
	struct cell *cells;
	size_t n_cells;
	struct pms_numbers by_place; /* cells, by CPU and event */
	uint32_t *told;		     /* cells of this round */
	size_t n_told;
};

static uint64_t u64_at(const struct pms_perfdata_record *record, size_t offset)
{
	uint64_t value = 0;
	for (size_t i = 0; i < 8; i++)
		value |= (uint64_t)record->bytes[offset + i] << 8 * i;
	return value;
}

static int damaged(const struct reader *r, const struct pms_perfdata_record *record,
		   const char *what)
{
	int rc = pms_fail_at(r->err, PMS_EPARSE, r->text->source, 0, 0, "%s", what);
	if (r->err)
		r->err->offset = record->offset;
	return rc;
}

/* Write an event's name. perf leaves out the name of an event that it could not open, when
 * writing to a pipe. */
static void put_name(FILE *out, const struct pms_perfdata_event *event)
{
	static const char *const hardware[] = { "cycles",
						"instructions",
						"cache-references",
						"cache-misses",
						"branches",
						"branch-misses",
						"bus-cycles",
						"stalled-cycles-frontend",
						"stalled-cycles-backend" };
	enum { HARDWARE = 0, RAW = 4, NO_USER = 1 << 4, NO_KERNEL = 1 << 5 };
	uint64_t modes = event->flags & (NO_USER | NO_KERNEL);
	if (event->name[0]) {
		fputs(event->name, out);
		return;
	}
	if (event->type == HARDWARE && event->config < sizeof(hardware) / sizeof(hardware[0]))
		fputs(hardware[event->config], out);
	else if (event->type == RAW)
		fprintf(out, "r%" PRIx64, event->config);
	else
		fprintf(out, "type %" PRIu32 " config %#" PRIx64, event->type, event->config);
	fputs(modes == NO_USER ? ":k" : modes == NO_KERNEL ? ":u" : "", out);
}

/* Make the text that holds the names and the command, one behind the zero of the other. */
static int keep_words(struct reader *r)
{
	struct pms_stat_text *t = r->text;
	size_t size = 0;
	FILE *out = pms_memstream_open(&t->text, &size);
	if (!out)
		return pms_no_memory(r->err);
	for (size_t i = 0; i < r->info->n_events; i++) {
		put_name(out, &r->info->events[i]);
		fputc(0, out);
	}
	for (size_t i = 0; i < r->info->n_cmdline; i++)
		fprintf(out, "%s%s", i ? " " : "", r->info->cmdline[i]);
	return pms_memstream_close(out) ? pms_no_memory(r->err) : 0;
}

/* Name the events at the end: in a file from a pipe, records give the names after the events. */
static int name_events(struct reader *r)
{
	struct pms_stat_text *t = r->text;
	int rc = keep_words(r);
	const char *at = t->text;
	t->names = rc ? NULL : calloc(r->info->n_events + 1, sizeof(t->names[0]));
	if (!t->names)
		return rc ? rc : pms_no_memory(r->err);
	for (; t->n_names < r->info->n_events; t->n_names++) {
		struct pms_stat_name *name = &t->names[t->n_names];
		name->name = (struct pms_stat_view){ at, strlen(at) };
		name->event = pms_stat_event_find(r->catalog, at, name->name.length, &name->mode);
		at += name->name.length + 1;
	}
	t->command = (struct pms_stat_view){ at, strlen(at) };
	return 0;
}

static int read_config(struct reader *r, const struct pms_perfdata_record *record)
{
	uint64_t n = record->size >= 16 ? u64_at(record, 8) : UINT64_MAX;
	if (n > (record->size - 16) / 16)
		return damaged(r, record, "a STAT_CONFIG record that does not hold what it says");
	for (size_t i = 0; i < n; i++) {
		uint64_t value = u64_at(record, 24 + 16 * i);
		if (u64_at(record, 16 + 16 * i) == CONFIG_AGGREGATION)
			r->per_cpu = value == AGGREGATION_NONE;
		else if (u64_at(record, 16 + 16 * i) == CONFIG_INTERVAL)
			r->has_intervals = value != 0;
	}
	return 0;
}

/* Returns the cell of an event on a CPU, NULL when out of memory. */
static struct cell *cell_at(struct reader *r, uint32_t cpu, uint32_t event)
{
	uint64_t place = (uint64_t)cpu << 32 | event;
	uint32_t row = pms_numbers_get(&r->by_place, place);
	if (row != PMS_NO_ROW)
		return &r->cells[row];
	struct cell *cells = pms_array_room(r->cells, r->n_cells, sizeof(cells[0]));
	if (cells)
		r->cells = cells;
	if (!cells || pms_numbers_set(&r->by_place, place, (uint32_t)r->n_cells))
		return NULL;
	cells[r->n_cells] = (struct cell){ .cpu = cpu, .event = event };
	return &cells[r->n_cells++];
}

/* Add a reading to its cell, and note the cell for the end of the round. */
static int tell(struct reader *r, uint32_t cpu, uint32_t event, const struct sum *reading)
{
	struct cell *cell = cell_at(r, cpu, event);
	if (!cell)
		return -PMS_ENOMEM;
	if (!cell->is_told) {
		uint32_t *told = pms_array_room(r->told, r->n_told, sizeof(told[0]));
		if (!told)
			return -PMS_ENOMEM;
		r->told = told;
		told[r->n_told++] = (uint32_t)(cell - r->cells);
	}
	cell->is_told = true;
	cell->now.value += reading->value;
	cell->now.enabled += reading->enabled;
	cell->now.running += reading->running;
	return 0;
}

/* A counter's reading; those of several CPUs or threads add up. */
static int read_stat(struct reader *r, const struct pms_perfdata_record *record)
{
	if (record->size < 48)
		return damaged(r, record, "a STAT record that is cut off");
	int event = pms_perfdata_event_of(r->file, u64_at(record, 8));
	uint32_t cpu = (uint32_t)u64_at(record, 16);
	const struct sum reading = { u64_at(record, 24), u64_at(record, 32), u64_at(record, 40) };
	if (event < 0)
		return damaged(r, record, "a STAT record of no event");
	if (!r->per_cpu || cpu == UINT32_MAX)
		cpu = 0;
	if (cpu > INT32_MAX)
		return damaged(r, record, "a STAT record of a CPU that cannot be");
	if (tell(r, cpu, (uint32_t)event, &reading))
		return pms_no_memory(r->err);
	return 0;
}

/* Fill a line as perf stat prints it: scaled up to the time enabled. */
static void fill_line(struct pms_stat_line *line, const struct sum *now, const struct sum *before)
{
	uint64_t running = now->running - before->running;
	uint64_t enabled = now->enabled - before->enabled;
	line->has_run = 1;
	line->run_ns = running;
	line->state = PMS_NOT_COUNTED;
	if (!running || enabled < running)
		return;
	line->state = PMS_COUNTED;
	line->run_pct = 100 * (double)running / (double)enabled;
	line->value = (double)(now->value - before->value) * (double)enabled / (double)running;
}

static int by_cpu_and_event(const void *a, const void *b, void *cells)
{
	const struct cell *x = (const struct cell *)cells + *(const uint32_t *)a;
	const struct cell *y = (const struct cell *)cells + *(const uint32_t *)b;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->event < y->event ? -1 : x->event > y->event;
}

/* End a round: make records of all readings since the last one. */
static int end_round(struct reader *r, double time)
{
	int rc = 0;
	if (r->n_told)
		qsort_r(r->told, r->n_told, sizeof(r->told[0]), by_cpu_and_event, r->cells);
	for (size_t i = 0; i < r->n_told && !rc; i++) {
		struct cell *cell = &r->cells[r->told[i]];
		struct pms_stat_line line = { .has_time = r->has_intervals, .time = time };
		line.kind = r->per_cpu ? PMS_SCOPE_CPU : PMS_SCOPE_TOTAL;
		line.id = (int64_t)cell->cpu;
		fill_line(&line, &cell->now, &cell->before);
		rc = pms_stat_text_add(r->text, &line, cell->event, r->err);
		if (r->has_intervals)
			cell->before = cell->now;
		cell->now = (struct sum){ 0 };
		cell->is_told = false;
	}
	r->n_told = 0;
	return rc;
}

static int read_round(struct reader *r, const struct pms_perfdata_record *record)
{
	if (record->size < 24)
		return damaged(r, record, "a STAT_ROUND record that is cut off");
	double time = (double)u64_at(record, 16) / 1e9;
	if (!r->has_intervals)
		r->text->elapsed = time;
	return end_round(r, time);
}

/* Returns the place and time of the last count. */
static struct pms_stat_line last_line(const struct pms_stat_text *t)
{
	const struct pms_stat_record *last = &t->records[t->n_records - 1];
	const struct pms_stat_scope *scope = &t->scopes[last->scope];
	return (struct pms_stat_line){ .has_time = last->has_time,
				       .time = last->time,
				       .kind = scope->kind,
				       .id = scope->id,
				       .value = last->value,
				       .has_run = last->has_run,
				       .run_ns = last->run_ns,
				       .run_pct = last->run_pct };
}

/* Add events without an id, which could not be opened. */
static int add_unsupported(struct reader *r)
{
	int rc = 0;
	for (size_t i = 0; i < r->info->n_events && !rc; i++)
		if (!r->info->events[i].n_ids && r->text->n_records) {
			struct pms_stat_line line = last_line(r->text);
			line.state = PMS_NOT_SUPPORTED;
			rc = pms_stat_text_add(r->text, &line, i, r->err);
		}
	return rc;
}

static int check_events(struct reader *r)
{
	if (r->info->n_events <= PMS_MOST_STAT_NAMES)
		return 0;
	return pms_fail_at(r->err, PMS_EPARSE, r->text->source, 0, 0,
			   "more than %d different events", PMS_MOST_STAT_NAMES);
}

static int read_record(struct reader *r, const struct pms_perfdata_record *record)
{
	switch (record->type) {
	case STAT_CONFIG:
		return read_config(r, record);
	case STAT:
		return read_stat(r, record);
	case STAT_ROUND:
		return read_round(r, record);
	default: /* one that describes, perhaps */
		return check_events(r);
	}
}

static int read_records(struct reader *r)
{
	struct pms_perfdata_record record;
	int rc = check_events(r);
	pms_perfdata_skip_traces(r->file, 1);
	while (!rc && (rc = pms_perfdata_next(r->file, &record, r->err)) > 0) {
		r->text->size += record.size;
		rc = read_record(r, &record);
	}
	/* Use readings after the last round, left by a killed perf; with intervals they belong
	 * to none. */
	if (!rc && !r->has_intervals)
		rc = end_round(r, 0);
	return rc ? rc : add_unsupported(r);
}

static int read_file(struct reader *r)
{
	int rc = read_records(r);
	if (!rc)
		rc = name_events(r);
	if (rc || r->text->n_records)
		return rc;
	pms_fail_at(r->err, PMS_EPARSE, r->text->source, 0, 0,
		    "a perf.data file without counts: it holds samples");
	pms_hint(r->err, "pass a session, what perf stat record wrote, or the output of perf stat; "
			 "pmuscope spe report reads SPE samples");
	return -PMS_EPARSE;
}

int pms_stat_data_read(struct pms_perfdata *file, const char *source,
		       const struct pms_catalog *catalog, struct pms_stat_text *text,
		       struct pms_error *err)
{
	struct reader r = { .file = file,
			    .info = pms_perfdata_info(file),
			    .text = text,
			    .catalog = catalog,
			    .err = err };
	*text = (struct pms_stat_text){ .source = strdup(source) };
	if (!text->source)
		return pms_no_memory(err);
	int rc = read_file(&r);
	free(r.cells);
	free(r.told);
	pms_numbers_release(&r.by_place);
	return rc;
}

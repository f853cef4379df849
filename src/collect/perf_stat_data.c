/* SPDX-License-Identifier: MIT */
#include "collect/perf_stat_data.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/limits.h"
#include "base/status.h"

/* Records of perf stat, which hold nothing that a sampling reader would look for. */
enum { STAT_CONFIG = 75, STAT = 76, STAT_ROUND = 77 };
enum { CONFIG_AGGREGATION = 0, CONFIG_INTERVAL = 1 };
enum { AGGREGATION_NONE = 0 };

/* What a counter, or several together, have come to since counting began. */
struct sum {
	uint64_t value, enabled, running;
	int is_told; /* in this round */
};

struct reader {
	struct pms_perfdata *file;
	const struct pms_perfdata_info *info;
	struct pms_stat_text *text;
	const struct pms_catalog *catalog;
	struct pms_error *err;
	int per_cpu, has_intervals;
	size_t n_cpus;	    /* that there is room for; 1 for the sum of all */
	struct sum *sums;   /* by CPU and event */
	struct sum *before; /* the same, at the end of the interval before */
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

/* Text that the names and the command are parts of. */
static int keep_words(struct reader *r)
{
	struct pms_stat_text *t = r->text;
	size_t size = 0;
	FILE *out = open_memstream(&t->text, &size);
	if (!out)
		return pms_fail(r->err, PMS_ENOMEM, "out of memory");
	for (size_t i = 0; i < r->info->n_events; i++)
		fputs(r->info->events[i].name, out);
	for (size_t i = 0; i < r->info->n_cmdline; i++)
		fprintf(out, "%s%s", i ? " " : "", r->info->cmdline[i]);
	return fclose(out) ? pms_fail(r->err, PMS_ENOMEM, "out of memory") : 0;
}

static int name_events(struct reader *r)
{
	struct pms_stat_text *t = r->text;
	const char *at = t->text;
	t->names = calloc(r->info->n_events + 1, sizeof(t->names[0]));
	if (!t->names)
		return pms_fail(r->err, PMS_ENOMEM, "out of memory");
	for (; t->n_names < r->info->n_events; t->n_names++) {
		struct pms_stat_name *name = &t->names[t->n_names];
		name->name = (struct pms_view){ at, strlen(r->info->events[t->n_names].name) };
		name->event = pms_stat_event_find(r->catalog, at, name->name.length, &name->mode);
		at += name->name.length;
	}
	t->command = (struct pms_view){ at, strlen(at) };
	return 0;
}

static struct sum *more(struct sum *sums, size_t from, size_t to)
{
	struct sum *room = reallocarray(sums, to, sizeof(*sums));
	if (room)
		memset(room + from, 0, (to - from) * sizeof(*room));
	return room;
}

static int grow(struct reader *r, size_t n_cpus)
{
	size_t n = r->info->n_events, from = r->n_cpus * n, to = n_cpus * n;
	struct sum *sums = more(r->sums, from, to);
	if (sums)
		r->sums = sums;
	struct sum *before = more(r->before, from, to);
	if (before)
		r->before = before;
	if (!sums || !before)
		return pms_fail(r->err, PMS_ENOMEM, "out of memory");
	r->n_cpus = n_cpus;
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

static int64_t find_event(const struct reader *r, uint64_t id)
{
	for (size_t i = 0; i < r->info->n_events; i++)
		for (size_t k = 0; k < r->info->events[i].n_ids; k++)
			if (r->info->events[i].ids[k] == id)
				return (int64_t)i;
	return -1;
}

/* A counter's reading; those of several CPUs or threads add up. */
static int read_stat(struct reader *r, const struct pms_perfdata_record *record)
{
	if (record->size < 48)
		return damaged(r, record, "a STAT record that is cut off");
	int64_t event = find_event(r, u64_at(record, 8));
	uint32_t cpu = (uint32_t)u64_at(record, 16);
	size_t column = r->per_cpu && cpu < PMS_MOST_STAT_SCOPES ? cpu : 0;
	if (event < 0)
		return damaged(r, record, "a STAT record of no event");
	int rc = column < r->n_cpus ? 0 : grow(r, column + 1);
	if (rc)
		return rc;
	struct sum *sum = &r->sums[column * r->info->n_events + (size_t)event];
	sum->value += u64_at(record, 24);
	sum->enabled += u64_at(record, 32);
	sum->running += u64_at(record, 40);
	sum->is_told = 1;
	return 0;
}

/* As perf stat prints it: scaled up to the time that it was enabled. */
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

static int add_line(struct reader *r, const struct pms_stat_line *line, size_t event)
{
	struct pms_stat_text *t = r->text;
	struct pms_stat_record *records =
		pms_array_room(t->records, t->n_records, sizeof(records[0]));
	if (!records)
		return pms_fail(r->err, PMS_ENOMEM, "out of memory");
	t->records = records;
	records[t->n_records] = (struct pms_stat_record){ .line = *line, .name = event };
	records[t->n_records++].line.event = t->names[event].name;
	if (t->n_records > PMS_MOST_STAT_RECORDS)
		return pms_fail_at(r->err, PMS_EPARSE, t->source, 0, 0, "too many counts");
	return 0;
}

/* Everything that was read since the round before. */
static int end_round(struct reader *r, double time)
{
	int rc = 0;
	for (size_t i = 0; i < r->n_cpus * r->info->n_events && !rc; i++) {
		struct sum *now = &r->sums[i];
		struct pms_stat_line line = { .has_time = r->has_intervals, .time = time };
		line.kind = r->per_cpu ? PMS_SCOPE_CPU : PMS_SCOPE_TOTAL;
		line.id = r->per_cpu ? (int64_t)(i / r->info->n_events) : 0;
		fill_line(&line, now, &r->before[i]);
		if (now->is_told)
			rc = add_line(r, &line, i % r->info->n_events);
		if (now->is_told && r->has_intervals)
			r->before[i] = *now;
		*now = (struct sum){ 0 };
	}
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

/* An event without an id could not be opened. */
static int add_unsupported(struct reader *r)
{
	int rc = 0;
	for (size_t i = 0; i < r->info->n_events && !rc; i++)
		if (!r->info->events[i].n_ids && r->text->n_records) {
			struct pms_stat_line line = r->text->records[r->text->n_records - 1].line;
			line.state = PMS_NOT_SUPPORTED;
			rc = add_line(r, &line, i);
		}
	return rc;
}

static int read_records(struct reader *r)
{
	struct pms_perfdata_record record;
	int rc = pms_perfdata_next(r->file, &record, r->err);
	while (rc > 0) {
		rc = record.type == STAT_CONFIG	 ? read_config(r, &record)
		     : record.type == STAT	 ? read_stat(r, &record)
		     : record.type == STAT_ROUND ? read_round(r, &record)
						 : 0;
		rc = rc ? rc : pms_perfdata_next(r->file, &record, r->err);
	}
	/* Readings that no round ends: perf was killed; of intervals, they are of none. */
	if (!rc && !r->has_intervals)
		rc = end_round(r, 0);
	return rc ? rc : add_unsupported(r);
}

static int read_file(struct reader *r)
{
	int rc = keep_words(r);
	if (!rc)
		rc = name_events(r);
	if (!rc)
		rc = grow(r, 1);
	if (!rc)
		rc = read_records(r);
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
		return pms_fail(err, PMS_ENOMEM, "out of memory");
	int rc = r.info->n_events > PMS_MOST_STAT_NAMES
			 ? pms_fail_at(err, PMS_EPARSE, source, 0, 0, "too many different events")
			 : read_file(&r);
	free(r.sums);
	free(r.before);
	return rc;
}

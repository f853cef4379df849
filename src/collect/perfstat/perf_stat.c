/* SPDX-License-Identifier: MIT */
/* Put the counts of perf stat together by interval, scope and event of the catalog. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/limits.h"
#include "base/memstream.h"
#include "base/status.h"
#include "catalog/find.h"
#include "collect/perfstat/count.h"
#include "collect/perfstat/data.h"
#include "collect/perfstat/text.h"
#include "pmuscope/collect.h"

struct pms_perf_stat {
	const struct pms_catalog *catalog;
	struct pms_stat_text text;
	size_t *starts; /* the first record of each interval, and the end */
	size_t n_intervals;
	enum pms_stat_mode mode; /* the mode whose counts are taken */
	unsigned char *seen;	 /* for each event: bits of the modes that it is counted in */
	size_t most_kept;	 /* the first so many scopes are kept apart */
	size_t most_at_once;	 /* this many of the others are added up at a time */
};

#define BIT(mode) (1u << (mode))

/* Returns whether an event has a count for the mode: both single modes are as good as the sum. */
static int has_mode(unsigned seen, enum pms_stat_mode mode)
{
	unsigned apart = BIT(PMS_STAT_USER) | BIT(PMS_STAT_KERNEL);
	return (seen & BIT(mode)) || (mode == PMS_STAT_ALL && (seen & apart) == apart);
}

/* Choose the mode in which most events are counted; of equal ones the more inclusive. */
static void choose_mode(struct pms_perf_stat *p)
{
	size_t counts[PMS_STAT_MODES] = { 0 };
	for (size_t i = 0; i < p->text.n_names; i++)
		if (p->text.names[i].event >= 0)
			p->seen[p->text.names[i].event] |=
				(unsigned char)BIT(p->text.names[i].mode);
	for (size_t event = 0; event < pms_catalog_events(p->catalog); event++)
		for (unsigned mode = 0; mode < PMS_STAT_MODES; mode++)
			counts[mode] += has_mode(p->seen[event], mode) != 0;
	p->mode = PMS_STAT_ALL;
	for (unsigned mode = 1; mode < PMS_STAT_MODES; mode++)
		if (counts[mode] > counts[p->mode])
			p->mode = mode;
}

/* Returns whether a record is part of its event's count. */
static int is_wanted(const struct pms_perf_stat *p, const struct pms_stat_name *name)
{
	if (name->event < 0)
		return 0;
	if (name->mode == p->mode)
		return 1;
	unsigned seen = p->seen[name->event];
	return p->mode == PMS_STAT_ALL && !(seen & BIT(PMS_STAT_ALL)) &&
	       has_mode(seen, PMS_STAT_ALL);
}

/* Find the start of each interval: each count carries its time. */
static int find_intervals(struct pms_perf_stat *p, struct pms_error *err)
{
	const struct pms_stat_record *records = p->text.records;
	size_t n = 0;
	for (size_t i = 0; i <= p->text.n_records; i++) {
		int is_start =
			!i || i == p->text.n_records || records[i].time != records[i - 1].time;
		size_t *starts = is_start ? pms_array_room(p->starts, n, sizeof(starts[0])) : NULL;
		if (is_start && !starts)
			return pms_no_memory(err);
		if (is_start) {
			p->starts = starts;
			starts[n++] = i;
		}
	}
	p->n_intervals = n - 1;
	return 0;
}

static struct pms_perf_stat *stat_new(const struct pms_catalog *catalog, struct pms_error *err)
{
	struct pms_perf_stat *p = calloc(1, sizeof(*p));
	unsigned char *seen = calloc(pms_catalog_events(catalog) + 1, 1);
	if (!p || !seen) {
		free(p);
		free(seen);
		pms_no_memory(err);
		return NULL;
	}
	p->catalog = catalog;
	p->seen = seen;
	return p;
}

/* Find how many scopes fit into memory. With intervals, one is in memory beside the sum. */
static void find_room(struct pms_perf_stat *p)
{
	size_t events = pms_catalog_events(p->catalog) + 1;
	size_t column = events * (sizeof(struct pms_count) + 1) + sizeof(struct pms_scope);
	size_t taken = p->text.n_records * sizeof(p->text.records[0]);
	size_t room = PMS_FREE_STAT_BYTES + 3 * p->text.size;
	size_t columns = taken < room ? (room - taken) / column : 0;
	if (pms_perf_stat_intervals(p))
		columns /= 2;
	p->most_at_once = columns / 4 + 1;
	p->most_kept = columns - columns / 4;
	if (p->most_kept > p->text.n_scopes - 1)
		p->most_kept = p->text.n_scopes - 1;
}

/* Put together what was read, or release it on an error. */
static int settle(struct pms_perf_stat *p, int rc, struct pms_perf_stat **out,
		  struct pms_error *err)
{
	if (!rc)
		rc = find_intervals(p, err);
	if (rc) {
		pms_perf_stat_free(p);
		return rc;
	}
	choose_mode(p);
	find_room(p);
	*out = p;
	return 0;
}

int pms_perf_stat_open(FILE *in, const char *name, const struct pms_catalog *catalog,
		       struct pms_perf_stat **out, struct pms_error *err)
{
	struct pms_perf_stat *p = stat_new(catalog, err);
	if (!p)
		return -PMS_ENOMEM;
	return settle(p, pms_stat_text_read(in, name, catalog, &p->text, err), out, err);
}

int pms_perf_stat_open_data(struct pms_perfdata *file, const char *name,
			    const struct pms_catalog *catalog, struct pms_perf_stat **out,
			    struct pms_error *err)
{
	struct pms_perf_stat *p = stat_new(catalog, err);
	if (!p)
		return -PMS_ENOMEM;
	return settle(p, pms_stat_data_read(file, name, catalog, &p->text, err), out, err);
}

void pms_perf_stat_free(struct pms_perf_stat *stat)
{
	if (!stat)
		return;
	pms_stat_text_release(&stat->text);
	free(stat->starts);
	free(stat->seen);
	free(stat);
}

size_t pms_perf_stat_intervals(const struct pms_perf_stat *stat)
{
	return stat->text.records[0].has_time ? stat->n_intervals : 0;
}

/* Split the command of perf's heading at blanks, since perf quotes nothing. */
static char **split_command(struct pms_stat_view command)
{
	char **words = NULL, **room;
	size_t n = 0;
	while (1) {
		command = pms_view_trim(command);
		size_t length = 0;
		while (length < command.length && command.at[length] != ' ')
			length++;
		char *word = length ? strndup(command.at, length) : NULL;
		room = pms_array_room(words, n, sizeof(words[0]));
		if (room)
			words = room;
		if (!room || (length && !word)) {
			free(word);
			break;
		}
		words[n++] = word;
		if (!length)
			return words;
		command.at += length;
		command.length -= length;
	}
	while (n)
		free(words[--n]);
	free(words);
	return NULL;
}

static int fill_provenance(const struct pms_perf_stat *p, struct pms_counts *counts)
{
	struct pms_provenance *v = &counts->provenance;
	snprintf(v->source, sizeof(v->source), "file");
	snprintf(v->core, sizeof(v->core), "%s", pms_catalog_cpu(p->catalog)->product);
	v->file = strdup(p->text.source);
	if (p->text.command.length)
		v->command = split_command(p->text.command);
	return v->file && (v->command || !p->text.command.length) ? 0 : -PMS_ENOMEM;
}

static double length_of(const struct pms_perf_stat *p, size_t i)
{
	if (!pms_perf_stat_intervals(p))
		return p->text.elapsed;
	double end = p->text.records[p->starts[i]].time;
	double start = i ? p->text.records[p->starts[i - 1]].time : 0;
	return end > start ? end - start : end;
}

/* A thread or CPU of an interval. */
struct column {
	uint32_t scope; /* in the text */
	bool is_kept;	/* kept apart, not only in the total */
	bool is_alive;	/* something was counted */
	size_t place;	/* index among the kept ones, or among the others */
};

/* Counts while they are put together. */
struct builder {
	const struct pms_perf_stat *p;
	size_t interval;
	size_t n_events; /* plus one, so that arrays are never empty */
	struct pms_counts *counts;
	struct column *columns; /* in order of appearance */
	size_t n_columns, n_kept;
	struct pms_numbers by_scope; /* rows of columns */
	size_t last;		     /* column of the record before */
	bool is_total_alive, is_any_alive;
	double length; /* of the interval or of everything, s; 0: not told */
};

/* Consecutive columns, while records are put into them. */
struct block {
	bool is_kept;
	size_t first, n;
	struct pms_count *counts; /* counts of columns that are not kept */
	unsigned char *filled;	  /* for each column and event: the modes that are in its count; the
				   * last column is the total */
};

enum { TOTAL = 0 }; /* scope of the text */

/* Returns the column of a scope; the number of columns when there is none. */
static size_t find_column(struct builder *b, uint32_t scope)
{
	if (b->last < b->n_columns && b->columns[b->last].scope == scope)
		return b->last;
	uint32_t row = pms_numbers_get(&b->by_scope, scope);
	if (row == PMS_NO_ROW)
		return b->n_columns;
	return b->last = row;
}

/* Add a column, and its index among the kept columns or among the others. */
static int add_column_of(struct builder *b, uint32_t scope)
{
	struct column *columns = pms_array_room(b->columns, b->n_columns, sizeof(columns[0]));
	if (columns)
		b->columns = columns;
	if (!columns || pms_numbers_set(&b->by_scope, scope, (uint32_t)b->n_columns))
		return -PMS_ENOMEM;
	bool is_kept = scope <= b->p->most_kept;
	size_t place = is_kept ? b->n_kept : b->n_columns - b->n_kept;
	columns[b->n_columns++] =
		(struct column){ .scope = scope, .is_kept = is_kept, .place = place };
	if (!is_kept)
		return 0;
	const struct pms_stat_scope *from = &b->p->text.scopes[scope];
	struct pms_scope *to = pms_counts_add_scope(b->counts, from->kind, from->id);
	if (!to)
		return -PMS_ENOMEM;
	memcpy(to->name, from->name, sizeof(to->name));
	b->n_kept++;
	return 0;
}

/* Find the columns with wanted counts, and those that ran. */
static int find_columns(struct builder *b)
{
	const struct pms_stat_text *t = &b->p->text;
	size_t start = b->p->starts[b->interval], end = b->p->starts[b->interval + 1];
	int rc = 0;
	for (size_t k = start; k < end && !rc; k++) {
		const struct pms_stat_record *record = &t->records[k];
		if (record->scope != TOTAL && is_wanted(b->p, &t->names[record->name]) &&
		    find_column(b, record->scope) == b->n_columns)
			rc = add_column_of(b, record->scope);
	}
	for (size_t k = start; k < end && !rc; k++) {
		const struct pms_stat_record *record = &t->records[k];
		size_t i = find_column(b, record->scope);
		if (record->state != PMS_COUNTED)
			continue;
		b->is_total_alive |= record->scope == TOTAL;
		if (i == b->n_columns)
			continue;
		b->columns[i].is_alive = true;
		b->is_any_alive = true;
	}
	return rc;
}

static struct pms_count *column_counts(const struct builder *b, const struct block *block,
				       size_t place)
{
	return block->is_kept ? b->counts->scopes[place].counts
			      : block->counts + (place - block->first) * b->n_events;
}

/* Put a record into its column, if the block has that. */
static int put_record(struct builder *b, const struct block *block,
		      const struct pms_stat_record *record)
{
	const struct pms_stat_name *name = &b->p->text.names[record->name];
	size_t event = (size_t)name->event, row = block->n;
	struct pms_count *counts = b->counts->total.counts;
	if (record->scope == TOTAL && !block->is_kept)
		return 0;
	if (record->scope != TOTAL) {
		const struct column *column = &b->columns[find_column(b, record->scope)];
		if (column->is_kept != block->is_kept || column->place < block->first ||
		    column->place - block->first >= block->n)
			return 0;
		row = column->place - block->first;
		counts = column_counts(b, block, column->place);
	}
	return pms_stat_count_put(&counts[event], &block->filled[row * b->n_events + event],
				  (unsigned char)BIT(name->mode), record, b->length, b->counts);
}

static int fill_block(struct builder *b, const struct block *block)
{
	const struct pms_stat_text *t = &b->p->text;
	int rc = 0;
	for (size_t k = b->p->starts[b->interval]; k < b->p->starts[b->interval + 1] && !rc; k++)
		if (is_wanted(b->p, &t->names[t->records[k].name]))
			rc = put_record(b, block, &t->records[k]);
	return rc;
}

/* Add up the block's columns that ran, or all where none did. */
static void add_block(struct builder *b, const struct block *block, struct pms_count *sum,
		      bool *is_new)
{
	for (size_t i = 0; i < b->n_columns; i++) {
		const struct column *column = &b->columns[i];
		if (column->is_kept != block->is_kept || column->place < block->first ||
		    column->place - block->first >= block->n ||
		    (b->is_any_alive && !column->is_alive))
			continue;
		const struct pms_count *from = column_counts(b, block, column->place);
		for (size_t event = 0; event + 1 < b->n_events; event++)
			if (*is_new)
				sum[event] = from[event];
			else
				pms_count_add(&sum[event], &from[event]);
		*is_new = false;
	}
}

/* What is not told apart is put together for the total, some columns at a time. */
static int add_others(struct builder *b, struct pms_count *sum, bool *is_new)
{
	size_t n = b->n_columns - b->n_kept, most = b->p->most_at_once;
	struct block block = { .n = n < most ? n : most };
	if (!n)
		return 0;
	block.counts = calloc(block.n * b->n_events, sizeof(block.counts[0]));
	block.filled = calloc(block.n * b->n_events, 1);
	int rc = block.counts && block.filled ? 0 : -PMS_ENOMEM;
	while (block.first < n && !rc) {
		memset(block.counts, 0, block.n * b->n_events * sizeof(block.counts[0]));
		memset(block.filled, 0, block.n * b->n_events);
		rc = fill_block(b, &block);
		if (!rc)
			add_block(b, &block, sum, is_new);
		block.first += block.n;
	}
	free(block.counts);
	free(block.filled);
	return rc;
}

/* Use a count without a scope, beside others with one, as its event's total. */
static void fill_rest(struct pms_count *sum, const struct pms_count *rest, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (sum[i].state == PMS_NOT_COUNTED && !sum[i].because)
			sum[i] = rest[i];
}

/* Fill the kept columns, and the total of all that ran. */
static int fill(struct builder *b, struct pms_count *sum)
{
	struct pms_count *total = b->counts->total.counts;
	struct block block = { .is_kept = true, .n = b->n_kept };
	bool is_new = true;
	block.filled = calloc(b->n_kept + 1, b->n_events);
	int rc = block.filled ? fill_block(b, &block) : -PMS_ENOMEM;
	free(block.filled);
	if (rc || !b->n_columns)
		return rc;
	add_block(b, &block, sum, &is_new);
	rc = add_others(b, sum, &is_new);
	if (rc)
		return rc;
	fill_rest(sum, total, b->n_events - 1);
	memcpy(total, sum, (b->n_events - 1) * sizeof(sum[0]));
	return 0;
}

static void builder_release(struct builder *b)
{
	free(b->columns);
	pms_numbers_release(&b->by_scope);
	pms_counts_free(b->counts);
}

/* Build interval @i, or everything without intervals. Always release @b. */
static int build(struct builder *b, const struct pms_perf_stat *p, size_t i)
{
	*b = (struct builder){ .p = p, .interval = i, .length = length_of(p, i) };
	b->n_events = pms_catalog_events(p->catalog) + 1;
	b->counts = pms_counts_new(p->catalog);
	struct pms_count *sum = calloc(b->n_events, sizeof(sum[0]));
	int rc = b->counts && sum ? fill_provenance(p, b->counts) : -PMS_ENOMEM;
	if (!rc)
		rc = find_columns(b);
	if (!rc)
		rc = fill(b, sum);
	free(sum);
	return rc;
}

/* "task-clock, page-faults": names for which @is holds, joined. Returns how many there are, or
 * -PMS_ENOMEM and NULL. */
static int64_t list_names(const struct pms_perf_stat *p,
			  int (*is)(const struct pms_perf_stat *, const struct pms_stat_name *),
			  char **text)
{
	enum { MOST = 24 };
	size_t size, n = 0;
	FILE *out = pms_memstream_open(text, &size);
	if (!out)
		return -PMS_ENOMEM;
	for (size_t i = 0; i < p->text.n_names; i++) {
		const struct pms_stat_name *name = &p->text.names[i];
		if (is(p, name) && n++ < MOST)
			fprintf(out, "%s%.*s", n > 1 ? ", " : "", (int)name->name.length,
				name->name.at);
	}
	if (n > MOST)
		fprintf(out, " and %zu more", n - MOST);
	return pms_memstream_close(out) ? -PMS_ENOMEM : (int64_t)n;
}

static int is_unknown(const struct pms_perf_stat *p, const struct pms_stat_name *name)
{
	(void)p;
	return name->event < 0;
}

static int is_of_other_mode(const struct pms_perf_stat *p, const struct pms_stat_name *name)
{
	return name->event >= 0 && !is_wanted(p, name);
}

/* Returns whether the first interval counts an event twice, by one name or by two. */
static int is_repeated(const struct pms_perf_stat *p, const struct pms_stat_name *name)
{
	const struct pms_stat_text *t = &p->text;
	const struct pms_stat_record *first = NULL;
	if (!is_wanted(p, name))
		return 0;
	for (size_t k = p->starts[0]; k < p->starts[1]; k++) {
		const struct pms_stat_record *record = &t->records[k];
		const struct pms_stat_name *other = &t->names[record->name];
		if (other->event != name->event || other->mode != name->mode)
			continue;
		if (!first && other != name)
			return 0; /* reported with the first of its names */
		if (first && first->scope == record->scope)
			return 1;
		if (!first)
			first = record;
	}
	return 0;
}

static int warn_of(const struct pms_perf_stat *p, struct pms_counts *counts, const char *before,
		   int (*is)(const struct pms_perf_stat *, const struct pms_stat_name *),
		   const char *after)
{
	char *names;
	int64_t n = list_names(p, is, &names);
	int rc = n > 0 ? pms_counts_warn(counts, "%s%s%s", before, names, after) : (int)n;
	free(names);
	return rc;
}

/* Warn of names that the catalog lacks and documents explain. The first few are enough. */
static int warn_of_absent(const struct pms_perf_stat *p, struct pms_counts *counts)
{
	enum { MOST = 3 };
	char name[128], why[PMS_ABSENT_MAX];
	int rc = 0;
	for (size_t i = 0, n = 0; i < p->text.n_names && n < MOST && !rc; i++) {
		const struct pms_stat_view *text = &p->text.names[i].name;
		if (!is_unknown(p, &p->text.names[i]) || text->length >= sizeof(name))
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)text->length, text->at);
		if (!pms_find_absent(p->catalog, name, why))
			continue;
		rc = pms_counts_warn(counts, "%s: %s", name, why);
		n++;
	}
	return rc;
}

/* Warn of every count that was left out or could be misread. */
static int warn(const struct pms_perf_stat *p, struct pms_counts *counts)
{
	static const char *const modes[] = { [PMS_STAT_ALL] = "in both modes",
					     [PMS_STAT_USER] = "in user mode (:u)",
					     [PMS_STAT_KERNEL] = "in the kernel (:k)" };
	char text[256];
	snprintf(text, sizeof(text), "No events of the core in the catalog of %s, and left out: ",
		 pms_catalog_cpu(p->catalog)->product);
	int cores = pms_catalog_code_cores(p->catalog) && !pms_catalog_cpu(p->catalog)->core;
	int rc = warn_of(
		p, counts, text, is_unknown,
		cores ? ". Codes and names of a single core are known with its name: --mcpu "
			"riscv:CORE, of the cores that pmuscope describe riscv lists"
		      : "");
	if (!rc)
		rc = warn_of_absent(p, counts);
	snprintf(text, sizeof(text), ": most others were counted %s", modes[p->mode]);
	if (!rc)
		rc = warn_of(p, counts,
			     "Left out, because counted in another mode: ", is_of_other_mode, text);
	if (!rc)
		rc = warn_of(
			p, counts,
			"Counted more than once, of which the count that ran longest is taken: ",
			is_repeated, "");
	size_t n_scopes = p->text.n_scopes - 1;
	if (!rc && n_scopes > p->most_kept)
		rc = pms_counts_warn(
			counts,
			"%zu of the file's %zu threads or CPUs are in the total, but "
			"not told apart: they take more than %d MiB and the file 4 times",
			n_scopes - p->most_kept, n_scopes, PMS_FREE_STAT_BYTES >> 20);
	if (!rc && p->mode != PMS_STAT_ALL)
		rc = pms_counts_warn(counts, "The counts were taken %s alone", modes[p->mode]);
	return rc;
}

static int give(struct builder *b, int rc, struct pms_counts **out, struct pms_error *err)
{
	if (!rc) {
		*out = b->counts;
		b->counts = NULL;
	}
	builder_release(b);
	return rc ? pms_no_memory(err) : 0;
}

int pms_perf_stat_interval(const struct pms_perf_stat *stat, size_t i, struct pms_counts **out,
			   struct pms_error *err)
{
	struct builder b;
	if (i >= pms_perf_stat_intervals(stat))
		return pms_fail(err, PMS_EINVAL, "there is no interval %zu", i);
	int rc = build(&b, stat, i);
	if (!rc) {
		b.counts->has_time = 1;
		b.counts->time = stat->text.records[stat->starts[i]].time;
		rc = i ? 0 : warn(stat, b.counts);
	}
	return give(&b, rc, out, err);
}

/* Add an interval's column to the column of the whole, which may be new. */
static int add_column(struct pms_counts *to, struct pms_scope *total, int is_new,
		      const struct pms_scope *from)
{
	for (size_t i = 0; i < pms_catalog_events(to->catalog); i++) {
		struct pms_count part = from->counts[i];
		if (part.because && !(part.because = pms_counts_keep(to, part.because)))
			return -PMS_ENOMEM;
		if (is_new)
			total->counts[i] = part;
		else
			pms_count_add(&total->counts[i], &part);
	}
	return 0;
}

/* The sum over intervals, while they are added up. */
struct adder {
	struct pms_counts *counts;
	struct pms_numbers by_scope; /* rows of its scopes, by scope of the text */
	bool has_any;
};

static int add_scope(struct adder *to, uint32_t scope, const struct pms_scope *from)
{
	uint32_t i = pms_numbers_get(&to->by_scope, scope);
	int is_new = i == PMS_NO_ROW;
	if (is_new) {
		i = (uint32_t)to->counts->n_scopes;
		if (pms_numbers_set(&to->by_scope, scope, i) ||
		    !pms_counts_add_scope(to->counts, from->kind, from->id))
			return -PMS_ENOMEM;
		memcpy(to->counts->scopes[i].name, from->name, sizeof(from->name));
	}
	return add_column(to->counts, &to->counts->scopes[i], is_new, from);
}

/* Add an interval. One in which nothing ran is skipped, unless there is no other. */
static int add_interval(struct adder *to, const struct builder *b)
{
	int rc = 0;
	if (!b->is_total_alive && !b->is_any_alive)
		return 0;
	for (size_t i = 0; i < b->n_columns && !rc; i++) {
		const struct column *column = &b->columns[i];
		if (column->is_alive && column->is_kept)
			rc = add_scope(to, column->scope, &b->counts->scopes[column->place]);
	}
	if (!rc)
		rc = add_column(to->counts, &to->counts->total, !to->has_any, &b->counts->total);
	to->has_any = true;
	return rc;
}

/* Build @all, the sum of all intervals. Always release @all. */
static int build_sum(struct builder *all, const struct pms_perf_stat *p)
{
	struct adder sum = { .counts = pms_counts_new(p->catalog) };
	int rc = sum.counts ? fill_provenance(p, sum.counts) : -PMS_ENOMEM;
	for (size_t i = 0; i < p->n_intervals && !rc; i++) {
		struct builder b;
		rc = build(&b, p, i);
		if (!rc)
			rc = add_interval(&sum, &b);
		builder_release(&b);
	}
	pms_numbers_release(&sum.by_scope);
	*all = (struct builder){ .counts = sum.counts };
	if (rc || sum.has_any)
		return rc;
	/* Where nothing ran at all, the first interval is enough. */
	pms_counts_free(sum.counts);
	return build(all, p, 0);
}

int pms_perf_stat_total(const struct pms_perf_stat *stat, struct pms_counts **out,
			struct pms_error *err)
{
	struct builder all;
	int rc = stat->n_intervals > 1 ? build_sum(&all, stat) : build(&all, stat, 0);
	if (!rc)
		rc = warn(stat, all.counts);
	return give(&all, rc, out, err);
}

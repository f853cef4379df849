/* SPDX-License-Identifier: MIT */
/* The counts of perf stat put together: by interval, scope and event of the catalog. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/limits.h"
#include "base/memstream.h"
#include "base/status.h"
#include "catalog/find.h"
#include "collect/perf_stat_data.h"
#include "collect/perf_stat_text.h"
#include "pmuscope/collect.h"

struct pms_perf_stat {
	const struct pms_catalog *catalog;
	struct pms_stat_text text;
	size_t *starts; /* of each interval its first record, and the end */
	size_t n_intervals;
	enum pms_stat_mode mode; /* that the events are taken of */
	unsigned char *seen;	 /* of each event: a bit for each mode that it is counted in */
};

#define BIT(mode) (1u << (mode))

/* Both modes for themselves are as good as both at once. */
static int has_mode(unsigned seen, enum pms_stat_mode mode)
{
	unsigned apart = BIT(PMS_STAT_USER) | BIT(PMS_STAT_KERNEL);
	return (seen & BIT(mode)) || (mode == PMS_STAT_ALL && (seen & apart) == apart);
}

/* The mode that most events are counted in; of equals, the one that holds more. */
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

/* Whether a record is part of what its event is taken to be. */
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

/* Where each interval starts: a time is told at each of its counts. */
static int find_intervals(struct pms_perf_stat *p, struct pms_error *err)
{
	const struct pms_stat_record *records = p->text.records;
	size_t n = 0;
	for (size_t i = 0; i <= p->text.n_records; i++) {
		int is_start = !i || i == p->text.n_records ||
			       records[i].line.time != records[i - 1].line.time;
		size_t *starts = is_start ? pms_array_room(p->starts, n, sizeof(starts[0])) : NULL;
		if (is_start && !starts)
			return pms_fail(err, PMS_ENOMEM, "out of memory");
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
		pms_fail(err, PMS_ENOMEM, "out of memory");
		return NULL;
	}
	p->catalog = catalog;
	p->seen = seen;
	return p;
}

/* Put together what was read, or give it up. */
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
	return stat->text.records[0].line.has_time ? stat->n_intervals : 0;
}

/* Counts while they are put together. Column 0 is that of no scope, the others are the scopes. */
struct builder {
	const struct pms_perf_stat *p;
	struct pms_counts *counts;
	unsigned char *filled; /* for each column and event: the modes that are in its count */
	unsigned char *alive;  /* for each column: anything at all was counted */
	size_t last;	       /* column of the record before */
	double length;	       /* of the interval or of everything, s; 0: not told */
};

static struct pms_scope *column(const struct builder *b, size_t i)
{
	return i ? &b->counts->scopes[i - 1] : &b->counts->total;
}

static void scope_name(char name[32], const struct pms_stat_line *line)
{
	/* The kernel's names of threads have 15 characters. */
	snprintf(name, 32, "%.*s", (int)(line->scope.length < 31 ? line->scope.length : 31),
		 line->scope.at ? line->scope.at : "");
}

static int is_scope(const struct pms_scope *scope, const struct pms_stat_line *line,
		    const char *name)
{
	return scope->kind == line->kind && scope->id == line->id && !strcmp(scope->name, name);
}

/* The column of a line, the number of columns when there is none yet. */
static size_t find_column(const struct builder *b, const struct pms_stat_line *line)
{
	size_t n = b->counts->n_scopes;
	char name[32];
	if (line->kind == PMS_SCOPE_TOTAL)
		return 0;
	scope_name(name, line);
	for (size_t i = 0; i < n; i++) {
		size_t k = (b->last + i) % n;
		if (is_scope(&b->counts->scopes[k], line, name))
			return k + 1;
	}
	return n + 1;
}

static int grow(struct builder *b, const struct pms_stat_line *line)
{
	size_t events = pms_catalog_events(b->p->catalog) + 1, columns = b->counts->n_scopes + 1;
	unsigned char *filled = reallocarray(b->filled, columns + 1, events);
	if (filled)
		b->filled = filled;
	unsigned char *alive = reallocarray(b->alive, columns + 1, 1);
	if (alive)
		b->alive = alive;
	struct pms_scope *scope =
		filled && alive ? pms_counts_add_scope(b->counts, line->kind, line->id) : NULL;
	if (!scope)
		return -PMS_ENOMEM;
	scope_name(scope->name, line);
	memset(filled + columns * events, 0, events);
	alive[columns] = 0;
	return 0;
}

static double running_share(const struct pms_stat_line *line)
{
	/* Rounded to 0.00 or, by some versions, cut to it: something was counted. */
	return line->run_pct > 0 ? line->run_pct / 100 : 0.00005;
}

static uint64_t to_integer(double value)
{
	return value >= 0x1p63 ? (uint64_t)1 << 63 : (uint64_t)llround(value);
}

/* perf's scaled count, taken apart into what a counter saw and the times. */
static struct pms_count convert(const struct pms_stat_line *line, double length)
{
	double share = running_share(line);
	struct pms_count count = { .state = PMS_COUNTED, .cls = PMS_COUNT_MEASURED };
	double running = line->has_run ? (double)line->run_ns : length * 1e9 * share;
	count.value = to_integer(line->value * share);
	count.running_ns = to_integer(running);
	count.enabled_ns = to_integer(running / share);
	if (share < 1 && !count.running_ns) {
		/* No time is told: any will do that has the share. */
		count.running_ns = to_integer(1e9 * share);
		count.enabled_ns = 1000000000;
	}
	count.loose_times = share < 1 && !line->has_run;
	if (share < 1 || (double)count.value < line->value || (double)count.value > line->value)
		count.scaled = line->value;
	count.spread = line->spread;
	return count;
}

static const char *no_count(struct builder *b, const struct pms_stat_line *line)
{
	if (line->state == PMS_NOT_SUPPORTED)
		return pms_counts_keep(b->counts, "perf stat says <not supported>");
	if (line->run_pct < 100)
		return pms_counts_keep(b->counts,
				       "perf stat says <not counted>, as it never had a counter");
	return pms_counts_keep(b->counts, "perf stat says <not counted>");
}

/* Of two counts of the same, the one that is a count, and then the one that ran longer. */
static int is_better(const struct pms_count *a, const struct pms_count *b)
{
	if ((a->state == PMS_COUNTED) != (b->state == PMS_COUNTED))
		return a->state == PMS_COUNTED;
	double enabled_a = fmax(1, (double)a->enabled_ns),
	       enabled_b = fmax(1, (double)b->enabled_ns);
	double share_a = (double)a->running_ns / enabled_a;
	double share_b = (double)b->running_ns / enabled_b;
	return share_a > share_b;
}

static int add_count(struct builder *b, size_t i, const struct pms_stat_record *record)
{
	const struct pms_stat_name *name = &b->p->text.names[record->name];
	size_t event = (size_t)name->event;
	struct pms_count *slot = &column(b, i)->counts[event];
	unsigned char *filled = &b->filled[i * (pms_catalog_events(b->p->catalog) + 1) + event];
	struct pms_count count = { .state = record->line.state };
	if (count.state == PMS_COUNTED)
		count = convert(&record->line, b->length);
	else if (!(count.because = no_count(b, &record->line)))
		return -PMS_ENOMEM;
	if (!*filled || (*filled == BIT(name->mode) && is_better(&count, slot)))
		*slot = count;
	else if (!(*filled & BIT(name->mode)))
		pms_count_add(slot, &count);
	*filled |= (unsigned char)BIT(name->mode);
	return 0;
}

static int add_record(struct builder *b, const struct pms_stat_record *record)
{
	size_t i = find_column(b, &record->line);
	if (i > PMS_MOST_STAT_SCOPES)
		return -PMS_EPARSE;
	if (i > b->counts->n_scopes && grow(b, &record->line))
		return -PMS_ENOMEM;
	b->last = i;
	return add_count(b, i, record);
}

static void mark_alive(struct builder *b, const struct pms_stat_record *record)
{
	size_t i = find_column(b, &record->line);
	if (i > b->counts->n_scopes)
		return;
	b->last = i;
	b->alive[i] |= record->line.state == PMS_COUNTED;
}

/* A command as one line, in perf's heading: split at the blanks, since perf quotes nothing. */
static char **split_command(struct pms_view command)
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
	double end = p->text.records[p->starts[i]].line.time;
	double start = i ? p->text.records[p->starts[i - 1]].line.time : 0;
	return end > start ? end - start : end;
}

static void builder_release(struct builder *b)
{
	free(b->filled);
	free(b->alive);
	pms_counts_free(b->counts);
}

static int builder_init(struct builder *b, const struct pms_perf_stat *p, size_t i)
{
	*b = (struct builder){ .p = p, .length = length_of(p, i) };
	b->counts = pms_counts_new(p->catalog);
	b->filled = calloc(pms_catalog_events(p->catalog) + 1, 1);
	b->alive = calloc(1, 1);
	return b->counts && b->filled && b->alive ? fill_provenance(p, b->counts) : -PMS_ENOMEM;
}

/* What has no scope of its own, beside others that have one: it is the total of its event. */
static void fill_rest(struct pms_scope *total, const struct pms_count *rest, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (total->counts[i].state == PMS_NOT_COUNTED && !total->counts[i].because)
			total->counts[i] = rest[i];
}

/* The total over the scopes that ran. */
static int sum(struct builder *b)
{
	struct pms_counts *counts = b->counts;
	size_t n = counts->n_scopes, events = pms_catalog_events(b->p->catalog), running = 0;
	struct pms_scope *scopes = calloc(n + 1, sizeof(scopes[0]));
	struct pms_scope *all = counts->scopes;
	struct pms_count *rest = calloc(events + 1, sizeof(rest[0]));
	if (scopes && rest) {
		memcpy(rest, counts->total.counts, events * sizeof(rest[0]));
		for (size_t i = 0; i < n; i++)
			if (b->alive[i + 1])
				scopes[running++] = all[i];
		if (running) {
			counts->scopes = scopes;
			counts->n_scopes = running;
		}
		pms_counts_sum(counts);
		counts->scopes = all;
		counts->n_scopes = n;
		fill_rest(&counts->total, rest, events);
	}
	int rc = scopes && rest ? 0 : -PMS_ENOMEM;
	free(scopes);
	free(rest);
	return rc;
}

/* Interval @i, or everything where there are none. Release @b whatever is returned. */
static int build(struct builder *b, const struct pms_perf_stat *p, size_t i)
{
	const struct pms_stat_text *t = &p->text;
	int rc = builder_init(b, p, i);
	for (size_t k = p->starts[i]; k < p->starts[i + 1] && !rc; k++)
		if (is_wanted(p, &t->names[t->records[k].name]))
			rc = add_record(b, &t->records[k]);
	for (size_t k = p->starts[i]; k < p->starts[i + 1] && !rc; k++)
		mark_alive(b, &t->records[k]);
	return rc ? rc : sum(b);
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

/* The same event by two names, or twice by one, in the first interval. */
static int is_repeated(const struct pms_perf_stat *p, const struct pms_stat_name *name)
{
	const struct pms_stat_text *t = &p->text;
	const struct pms_stat_line *first = NULL;
	if (!is_wanted(p, name))
		return 0;
	for (size_t k = p->starts[0]; k < p->starts[1]; k++) {
		const struct pms_stat_line *line = &t->records[k].line;
		const struct pms_stat_name *other = &t->names[t->records[k].name];
		if (other->event != name->event || other->mode != name->mode)
			continue;
		if (!first && other != name)
			return 0; /* told of by the first of its names */
		if (first && first->kind == line->kind && first->id == line->id &&
		    pms_view_equals(first->scope, line->scope))
			return 1;
		if (!first)
			first = line;
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

/* Of names that the catalog lacks, but documents speak of: why. A few tell of all. */
static int warn_of_absent(const struct pms_perf_stat *p, struct pms_counts *counts)
{
	enum { MOST = 3 };
	char name[128], why[PMS_ABSENT_MAX];
	int rc = 0;
	for (size_t i = 0, n = 0; i < p->text.n_names && n < MOST && !rc; i++) {
		const struct pms_view *text = &p->text.names[i].name;
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
	if (rc == -PMS_EPARSE)
		return pms_fail_at(err, PMS_EPARSE, NULL, 0, 0,
				   "more than %d threads or CPUs are told apart",
				   PMS_MOST_STAT_SCOPES);
	return rc ? pms_fail(err, PMS_ENOMEM, "out of memory") : 0;
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
		b.counts->time = stat->text.records[stat->starts[i]].line.time;
		rc = i ? 0 : warn(stat, b.counts);
	}
	return give(&b, rc, out, err);
}

/* Add a column of an interval to that of everything, which is new or has some already. */
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

static int add_scope(struct pms_counts *to, const struct pms_scope *from)
{
	size_t i = 0;
	while (i < to->n_scopes &&
	       (to->scopes[i].kind != from->kind || to->scopes[i].id != from->id ||
		strcmp(to->scopes[i].name, from->name) != 0))
		i++;
	int is_new = i == to->n_scopes;
	if (is_new && i < PMS_MOST_STAT_SCOPES && !pms_counts_add_scope(to, from->kind, from->id))
		return -PMS_ENOMEM;
	if (i >= PMS_MOST_STAT_SCOPES)
		return -PMS_EPARSE;
	memcpy(to->scopes[i].name, from->name, sizeof(from->name));
	return add_column(to, &to->scopes[i], is_new, from);
}

/* An interval in which nothing ran adds nothing, unless there is no other. */
static int add_interval(struct pms_counts *to, const struct builder *b, int *is_new)
{
	int rc = 0, ran = b->alive[0];
	for (size_t i = 0; i < b->counts->n_scopes; i++)
		ran |= b->alive[i + 1];
	if (!ran)
		return 0;
	for (size_t i = 0; i < b->counts->n_scopes && !rc; i++)
		if (b->alive[i + 1])
			rc = add_scope(to, &b->counts->scopes[i]);
	if (!rc)
		rc = add_column(to, &to->total, *is_new, &b->counts->total);
	*is_new = 0;
	return rc;
}

/* The sum over all intervals in @all, which holds the first. */
static int add_intervals(struct builder *all, const struct pms_perf_stat *p)
{
	struct pms_counts *counts = pms_counts_new(p->catalog);
	int is_new = 1, rc = counts ? fill_provenance(p, counts) : -PMS_ENOMEM;
	for (size_t i = 0; i < p->n_intervals && !rc; i++) {
		struct builder b;
		rc = build(&b, p, i);
		if (!rc)
			rc = add_interval(counts, &b, &is_new);
		builder_release(&b);
	}
	/* Where nothing ran at all, the first interval says what there is to say. */
	struct pms_counts *other = is_new ? counts : all->counts;
	if (!is_new)
		all->counts = counts;
	pms_counts_free(other);
	return rc;
}

int pms_perf_stat_total(const struct pms_perf_stat *stat, struct pms_counts **out,
			struct pms_error *err)
{
	struct builder all;
	int rc = build(&all, stat, 0);
	if (!rc && stat->n_intervals > 1)
		rc = add_intervals(&all, stat);
	if (!rc)
		rc = warn(stat, all.counts);
	return give(&all, rc, out, err);
}

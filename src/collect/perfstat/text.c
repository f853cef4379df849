/* SPDX-License-Identifier: MIT */
#include "collect/perfstat/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/limits.h"
#include "base/status.h"

enum { SHOWN = 60 };

static const char wanted[] =
	"pmuscope reads the output of perf stat: plain, with -j or with -x SEP of one "
	"character; not with --metric-only";

struct reader {
	struct pms_stat_text *text;
	const struct pms_catalog *catalog;
	struct pms_error *err;
	const char *start;
	struct pms_stat_view left; /* not read yet */
	size_t last_name;	   /* of the record before: events come in the same order again */
	int in_table;		   /* between the heading of a table and its end */
};

/* Returns the line of @at. Lines are counted only for errors. */
static unsigned line_number(const struct reader *r, const char *at)
{
	unsigned line = 1;
	for (const char *c = r->start; c < at; c++)
		line += *c == '\n';
	return line;
}

static int fail_at(struct reader *r, struct pms_stat_view at, const char *what)
{
	size_t shown = at.length < SHOWN ? at.length : SHOWN;
	const char *end = memchr(at.at, '\n', shown);
	if (end)
		shown = (size_t)(end - at.at);
	return pms_fail_at(r->err, PMS_EPARSE, r->text->source, line_number(r, at.at), 0,
			   "%s: \"%.*s%s\"", what, (int)shown, at.at,
			   shown < at.length && !end ? "..." : "");
}

/* Returns the index of a name. Errors: -PMS_EPARSE there are too many, -PMS_ENOMEM. */
static int64_t find_name(struct reader *r, struct pms_stat_view name)
{
	struct pms_stat_text *t = r->text;
	for (size_t i = 0; i < t->n_names; i++) {
		size_t k = (r->last_name + 1 + i) % t->n_names;
		if (pms_view_equals(t->names[k].name, name))
			return (int64_t)k;
	}
	if (t->n_names == PMS_MOST_STAT_NAMES) { /* before making room, which moves the array */
		char what[64];
		snprintf(what, sizeof(what), "more than %d different events", PMS_MOST_STAT_NAMES);
		return fail_at(r, name, what);
	}
	struct pms_stat_name *names = pms_array_room(t->names, t->n_names, sizeof(names[0]));
	if (!names)
		return pms_no_memory(r->err);
	t->names = names;
	struct pms_stat_name *added = &names[t->n_names];
	added->name = name;
	added->event = pms_stat_event_find(r->catalog, name.at, name.length, &added->mode);
	return (int64_t)t->n_names++;
}

/* Refuse counts of several cgroups: no scope tells them apart, and one may include another. */
static int check_cgroup(struct reader *r, const struct pms_stat_line *line)
{
	if (!r->text->n_records)
		r->text->cgroup = line->cgroup;
	if (pms_view_equals(r->text->cgroup, line->cgroup))
		return 0;
	fail_at(r, line->cgroup.length ? line->cgroup : r->text->cgroup,
		"counts of more than one cgroup");
	pms_hint(r->err, "run perf stat once for each cgroup");
	return -PMS_EPARSE;
}

static int add_record(struct reader *r, const struct pms_stat_line *line)
{
	int64_t name = find_name(r, line->event);
	if (name < 0)
		return (int)name;
	r->last_name = (size_t)name;
	int rc = check_cgroup(r, line);
	return rc ? rc : pms_stat_text_add(r->text, line, r->last_name, r->err);
}

static int take(struct reader *r, struct pms_stat_view at, enum pms_stat_kind kind,
		const struct pms_stat_line *line)
{
	if (kind == PMS_STAT_BAD) {
		fail_at(r, at, "this is no count of perf stat");
		pms_hint(r->err, "%s", wanted);
		return -PMS_EPARSE;
	}
	return kind == PMS_STAT_COUNT ? add_record(r, line) : 0;
}

/* Take the next line off. Returns 0 at the end. */
static int next_line(struct reader *r, struct pms_stat_view *line)
{
	if (!r->left.length)
		return 0;
	const char *end = memchr(r->left.at, '\n', r->left.length);
	size_t length = end ? (size_t)(end - r->left.at) : r->left.length;
	*line = (struct pms_stat_view){ r->left.at, length };
	r->left.at += length + (end != NULL);
	r->left.length -= length + (end != NULL);
	*line = pms_view_trim(*line);
	return 1;
}

static int read_csv(struct reader *r, char separator)
{
	struct pms_stat_view line;
	struct pms_stat_line count;
	int rc = 0;
	while (!rc && next_line(r, &line))
		if (line.length && line.at[0] != '#')
			rc = take(r, line, pms_stat_read_csv(line, separator, &count), &count);
	return rc;
}

static int read_json(struct reader *r)
{
	struct pms_stat_line count;
	int rc = 0;
	while (!rc && r->left.length) {
		enum pms_stat_kind kind = pms_stat_read_json(&r->left, &count);
		rc = take(r, r->left, kind, &count);
	}
	return rc;
}

static const char heading[] = "Performance counter stats for ";
static const char elapsed[] = "seconds time elapsed";

/* Read "Performance counter stats for 'sleep 1' (3 runs):". It names a command, unless it says
 * "process id '1'" or 'system wide'. */
static void read_heading(struct pms_stat_text *t, struct pms_stat_view line)
{
	struct pms_stat_view rest = { line.at + sizeof(heading) - 1,
				      line.length - sizeof(heading) + 1 };
	size_t end = rest.length;
	while (end > 1 && rest.at[end - 1] != '\'')
		end--;
	if (end < 3 || rest.at[0] != '\'')
		return;
	rest = (struct pms_stat_view){ rest.at + 1, end - 2 };
	if (!pms_view_starts(rest, "system wide") && !pms_view_starts(rest, "CPU(s) "))
		t->command = rest;
}

static int has_text(struct pms_stat_view view, const char *text)
{
	return view.at && memmem(view.at, view.length, text, strlen(text)) != NULL;
}

/* Read a line of the table, which lies between its heading and the elapsed time. The program's
 * own output may surround it, because both go to standard error. */
static int read_table_line(struct reader *r, struct pms_stat_view line)
{
	struct pms_stat_line count;
	if (pms_view_starts(line, heading)) {
		read_heading(r->text, line);
		r->in_table = 1;
		return 0;
	}
	if (!r->in_table || !line.length || line.at[0] == '#')
		return 0;
	if (has_text(line, elapsed)) {
		size_t blank = strcspn(line.at, " ");
		pms_view_number((struct pms_stat_view){ line.at, blank }, &r->text->elapsed);
		r->in_table = 0;
		return 0;
	}
	return take(r, line, pms_stat_read_table(line, &count), &count);
}

static int read_table(struct reader *r, int in_table)
{
	struct pms_stat_view line;
	int rc = 0;
	r->text->is_table = 1;
	r->in_table = in_table;
	while (!rc && next_line(r, &line))
		rc = read_table_line(r, line);
	return rc;
}

/* Returns whether a line is the heading of -I: "#  time  counts unit events". */
static int is_interval_heading(struct pms_stat_view line)
{
	return line.length && line.at[0] == '#' && has_text(line, " time ") &&
	       has_text(line, " counts ");
}

/* Recognise the format: a heading anywhere means a table; else the first telling line decides. */
static int read_any(struct reader *r)
{
	struct pms_stat_view all = r->left, line = { 0 };
	int has_heading = 0, in_table = 0;
	while (!has_heading && next_line(r, &line)) {
		has_heading = pms_view_starts(line, heading);
		in_table |= is_interval_heading(line);
	}
	for (r->left = all; next_line(r, &line) && (!line.length || line.at[0] == '#');)
		continue;
	r->left = all;
	if (line.length && (line.at[0] == '{' || line.at[0] == '['))
		return read_json(r);
	char separator = pms_stat_find_separator(line);
	if (separator && !in_table)
		return read_csv(r, separator);
	return read_table(r, in_table || !has_heading);
}

/* Drop counts without a time beside intervals: they are a summary. */
static void drop_summary(struct pms_stat_text *t)
{
	int has_times = 0;
	size_t kept = 0;
	for (size_t i = 0; i < t->n_records; i++)
		has_times |= t->records[i].has_time;
	for (size_t i = 0; i < t->n_records; i++)
		if (!has_times || t->records[i].has_time)
			t->records[kept++] = t->records[i];
	t->n_records = kept;
}

static int check(struct reader *r)
{
	if (!r->text->n_records) {
		pms_fail_at(r->err, PMS_EPARSE, r->text->source, 0, 0,
			    "there are no counts of perf stat in it");
		pms_hint(r->err, "%s", wanted);
		return -PMS_EPARSE;
	}
	drop_summary(r->text);
	return 0;
}

/* Read all of @in. Returns its length, or a negative status. */
static int64_t slurp(FILE *in, struct pms_stat_text *t, struct pms_error *err)
{
	size_t length = 0, room = 0;
	do {
		if (room - length < 2) {
			room = room ? 2 * room : 1 << 16;
			char *grown = realloc(t->text, room);
			if (!grown)
				return pms_no_memory(err);
			t->text = grown;
		}
		length += fread(t->text + length, 1, room - length - 1, in);
	} while (!feof(in) && !ferror(in) && length <= PMS_MOST_STAT_BYTES);
	t->text[length] = 0;
	if (ferror(in))
		return pms_fail_at(err, PMS_EIO, t->source, 0, 0, "cannot read: %s",
				   strerror(errno));
	if (length > PMS_MOST_STAT_BYTES)
		return pms_fail_at(err, PMS_EIO, t->source, 0, 0, "larger than %d MiB",
				   PMS_MOST_STAT_BYTES >> 20);
	return (int64_t)length;
}

static int check_text(struct reader *r)
{
	const char *zero = memchr(r->left.at, 0, r->left.length);
	if (!zero)
		return 0;
	pms_fail_at(r->err, PMS_EPARSE, r->text->source, line_number(r, zero), 0,
		    "not text: a zero byte");
	if (pms_view_starts(r->left, "PERFILE2"))
		pms_hint(r->err, "this is a perf.data file; the output of perf stat is wanted");
	return -PMS_EPARSE;
}

int pms_stat_text_read(FILE *in, const char *source, const struct pms_catalog *catalog,
		       struct pms_stat_text *text, struct pms_error *err)
{
	struct reader r = { .text = text, .catalog = catalog, .err = err };
	*text = (struct pms_stat_text){ .source = strdup(source) };
	if (!text->source)
		return pms_no_memory(err);
	int64_t length = slurp(in, text, err);
	if (length < 0)
		return (int)length;
	text->size = (size_t)length;
	r.start = text->text;
	r.left = (struct pms_stat_view){ text->text, (size_t)length };
	int rc = check_text(&r);
	if (!rc)
		rc = read_any(&r);
	return rc ? rc : check(&r);
}

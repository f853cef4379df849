/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/limits.h"
#include "base/name.h"
#include "base/status.h"
#include "pmuscope/check.h"

enum { FIELDS = 3 };
static const char heading[] = "metric,low,high";

/* A budget while it is read. */
struct reader {
	const char *name;
	unsigned line;
	const struct pms_catalog *catalog;
	struct pms_budget *budget;
	locale_t numbers; /* reads a decimal point, whatever the caller's locale */
	int has_heading;
	unsigned *lines; /* line of the row of each metric, then of each event; 0: none */
	struct pms_error *err;
};

static char *trim(char *text)
{
	static const char blanks[] = " \t\r";
	text += strspn(text, blanks);
	for (size_t n = strlen(text); n && strchr(blanks, text[n - 1]); n--)
		text[n - 1] = 0;
	return text;
}

/* Split at commas, in place. Returns the number of fields, of which the first three are kept. */
static size_t split(char *text, char *fields[FIELDS])
{
	size_t n = 0;
	for (char *next = text; next; n++) {
		char *field = next;
		next = strchr(field, ',');
		if (next)
			*next++ = 0;
		if (n < FIELDS)
			fields[n] = trim(field);
	}
	return n;
}

static int no_metric(struct reader *r, const char *word)
{
	struct pms_nearest nearest = { 0 };
	for (size_t i = 0; i < pms_catalog_events(r->catalog); i++)
		pms_nearest_offer(&nearest, word, pms_catalog_event(r->catalog, i)->name);
	for (size_t i = 0; i < pms_catalog_metrics(r->catalog); i++)
		pms_nearest_offer(&nearest, word, pms_catalog_metric(r->catalog, i)->name);
	int rc = pms_fail_at(r->err, PMS_ENAME, r->name, r->line, 0,
			     "%s has no metric or event \"%s\"", pms_catalog_cpu(r->catalog)->name,
			     word);
	if (nearest.best)
		pms_hint(r->err, "did you mean %s?", nearest.best);
	else
		pms_hint(r->err, "pmuscope list metrics and pmuscope list events show all");
	return rc;
}

/* A metric that stands for the count of an event, with what it points to. */
struct own {
	struct pms_metric metric;
	struct pms_formula *program;
	size_t event;
};

/* Returns a metric whose value is an event's count; NULL: out of memory. */
static struct pms_metric *metric_of_event(const struct pms_catalog *catalog, size_t event)
{
	const struct pms_event *e = pms_catalog_event(catalog, event);
	struct own *own = calloc(1, sizeof(*own));
	if (!own || pms_formula_compile(e->name, NULL, &own->program, NULL)) {
		free(own);
		return NULL;
	}
	own->event = event;
	own->metric = (struct pms_metric){ .name = e->name,
					   .title = e->title,
					   .description = e->description,
					   .formula = e->name,
					   .units = "events",
					   .program = own->program,
					   .events = &own->event,
					   .n_events = 1 };
	return &own->metric;
}

static void free_own(struct pms_metric *metric)
{
	struct own *own = (struct own *)metric; /* its first member */
	if (own)
		pms_formula_free(own->program);
	free(own);
}

/* Find the metric that a row names, or else the event. @line: receives where its line is kept */
static int find_metric(struct reader *r, const char *word, struct pms_budget_row *row,
		       unsigned **line)
{
	int64_t metric = pms_catalog_find_metric(r->catalog, word);
	int64_t event = metric < 0 ? pms_catalog_find_event_word(r->catalog, word) : -1;
	if (metric >= 0) {
		row->metric = pms_catalog_metric(r->catalog, (size_t)metric);
		*line = &r->lines[metric];
		return 0;
	}
	if (event < 0)
		return no_metric(r, word);
	row->own = metric_of_event(r->catalog, (size_t)event);
	row->metric = row->own;
	*line = &r->lines[pms_catalog_metrics(r->catalog) + (size_t)event];
	return row->own ? 0 : pms_no_memory(r->err);
}

static int read_end(struct reader *r, const char *what, const char *text, int *has, double *value)
{
	char *end;
	*has = *text != 0;
	if (!*has)
		return 0;
	*value = strtod_l(text, &end, r->numbers);
	if (*end || !isfinite(*value))
		return pms_fail_at(r->err, PMS_EPARSE, r->name, r->line, 0,
				   "the %s end, \"%s\", is not a number", what, text);
	return 0;
}

/* @line: where the metric has a row already, 0 for nowhere */
static int check_row(struct reader *r, const struct pms_budget_row *row, const char *metric,
		     unsigned line)
{
	if (line)
		return pms_fail_at(r->err, PMS_EPARSE, r->name, r->line, 0,
				   "%s has a row already, in line %u", metric, line);
	if (row->has_low && row->has_high && row->low > row->high)
		return pms_fail_at(r->err, PMS_EPARSE, r->name, r->line, 0,
				   "the low end is above the high one");
	return 0;
}

static int keep_row(struct reader *r, const struct pms_budget_row *row)
{
	struct pms_budget_row *room =
		pms_array_room(r->budget->rows, r->budget->n_rows, sizeof(room[0]));
	if (!room)
		return pms_no_memory(r->err);
	r->budget->rows = room;
	r->budget->rows[r->budget->n_rows++] = *row;
	return 0;
}

static int read_row(struct reader *r, char *fields[FIELDS])
{
	struct pms_budget_row row = { .line = r->line };
	unsigned *line = NULL;
	int rc = find_metric(r, fields[0], &row, &line);
	if (!rc)
		rc = read_end(r, "low", fields[1], &row.has_low, &row.low);
	if (!rc)
		rc = read_end(r, "high", fields[2], &row.has_high, &row.high);
	if (!rc)
		rc = check_row(r, &row, fields[0], *line);
	if (!rc)
		rc = keep_row(r, &row);
	if (!rc)
		*line = r->line;
	if (rc)
		free_own(row.own);
	return rc;
}

/* Read one row, or pass over an empty line or a comment; errors name the line. */
static int read_line(struct reader *r, char *line)
{
	char *fields[FIELDS];
	line = trim(line);
	if (!*line || *line == '#')
		return 0;
	size_t n = split(line, fields);
	if (n != FIELDS)
		return pms_fail_at(r->err, PMS_EPARSE, r->name, r->line, 0,
				   "%zu field%s instead of the three of %s", n, n == 1 ? "" : "s",
				   heading);
	if (r->has_heading)
		return read_row(r, fields);
	r->has_heading = 1;
	if (strcmp(fields[0], "metric") != 0 || strcmp(fields[1], "low") != 0 ||
	    strcmp(fields[2], "high") != 0)
		return pms_fail_at(r->err, PMS_EPARSE, r->name, r->line, 0,
				   "the first line is not the heading %s", heading);
	return 0;
}

/* Read the rows of a text, in place, and number its lines for errors. */
static int read_lines(struct reader *r, char *text)
{
	static const char mark[] = "\xef\xbb\xbf"; /* a BOM, as some editors write */
	int rc = 0;
	if (!strncmp(text, mark, strlen(mark)))
		text += strlen(mark);
	while (text && !rc) {
		char *line = text;
		text = strchr(line, '\n');
		if (text)
			*text++ = 0;
		r->line++;
		rc = read_line(r, line);
	}
	if (!rc && !r->has_heading)
		rc = pms_fail_at(r->err, PMS_EPARSE, r->name, r->line, 0, "there is no heading %s",
				 heading);
	return rc;
}

int pms_budget_parse(const char *name, const char *text, const struct pms_catalog *catalog,
		     struct pms_budget *out, struct pms_error *err)
{
	struct reader r = { .name = name, .catalog = catalog, .budget = out, .err = err };
	*out = (struct pms_budget){ 0 };
	char *copy = strdup(text);
	r.numbers = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
	r.lines = calloc(pms_catalog_metrics(catalog) + pms_catalog_events(catalog) + 1,
			 sizeof(r.lines[0]));
	int rc = copy && r.numbers && r.lines ? read_lines(&r, copy) : pms_no_memory(err);
	if (r.numbers)
		freelocale(r.numbers);
	free(r.lines);
	free(copy);
	return rc;
}

/* @text: of PMS_MOST_BUDGET_BYTES + 1 bytes */
static int read_file(const char *path, char *text, struct pms_error *err)
{
	FILE *file = fopen(path, "re");
	size_t length = file ? fread(text, 1, PMS_MOST_BUDGET_BYTES + 1, file) : 0;
	int rc = 0;
	if (!file || ferror(file))
		rc = pms_fail_at(err, PMS_EIO, path, 0, 0, "cannot read: %s", strerror(errno));
	else if (length > PMS_MOST_BUDGET_BYTES)
		rc = pms_fail_at(err, PMS_EIO, path, 0, 0, "is larger than %d MiB",
				 PMS_MOST_BUDGET_BYTES >> 20);
	else if (memchr(text, 0, length))
		rc = pms_fail_at(err, PMS_EPARSE, path, 0, 0, "is not a text file");
	else
		text[length] = 0;
	if (file)
		fclose(file);
	return rc;
}

int pms_budget_load(const char *path, const struct pms_catalog *catalog, struct pms_budget *out,
		    struct pms_error *err)
{
	*out = (struct pms_budget){ 0 };
	char *text = malloc(PMS_MOST_BUDGET_BYTES + 1);
	if (!text)
		return pms_no_memory(err);
	int rc = read_file(path, text, err);
	if (!rc)
		rc = pms_budget_parse(path, text, catalog, out, err);
	free(text);
	return rc;
}

void pms_budget_release(struct pms_budget *budget)
{
	for (size_t i = 0; i < budget->n_rows; i++)
		free_own(budget->rows[i].own);
	free(budget->rows);
	*budget = (struct pms_budget){ 0 };
}

enum pms_budget_status pms_budget_status(const struct pms_budget_row *row,
					 const struct pms_value *value)
{
	if (value->state == PMS_VALUE_UNDEFINED)
		return PMS_BUDGET_UNDEFINED;
	if (row->has_low && value->value < row->low)
		return PMS_BUDGET_BELOW;
	if (row->has_high && value->value > row->high)
		return PMS_BUDGET_ABOVE;
	return PMS_BUDGET_KEPT;
}

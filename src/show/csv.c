/* SPDX-License-Identifier: MIT */
/* Columns: kind,time,cpu,thread,group,stage,level,name,value,units,low,high,state,run_pct,
 * of_hardly_any.
 * Lines that start with # come first and are for people. */
#include "show/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/field.h"
#include "base/memstream.h"
#include "base/status.h"
#include "base/utf8.h"
#include "show/extent.h"
#include "show/formats.h"
#include "show/label.h"
#include "show/size.h"
#include "show/text.h"

#define KEY_MAX ((size_t)2 * PMS_NUMBER_MAX)

/* What the rows of a report have in common. */
struct rows {
	FILE *out;
	const struct pms_report *report;
	const struct pms_show_options *options;
	char id[PMS_NUMBER_MAX], time[PMS_NUMBER_MAX];
};

struct row {
	const char *kind;
	const char *group, *stage, *level; /* "" for an event */
	const char *name, *value, *units, *low, *high, *state, *run_pct;
	const char *of_hardly_any; /* "" where the value stands for something */
};

/* Where the text has a character that asks for quotes, or that is shown as something else, or
 * ends. */
static const char *find_special(const char *text, const struct pms_show_options *options)
{
	size_t n = 1;
	while (*text && *text != '"' && *text != '\r' && *text != '\n' &&
	       *text != options->separator && (!options->terminal || (n = pms_utf8_plain(text))))
		text += n;
	return text;
}

static void put_field(FILE *out, const char *text, const struct pms_show_options *options)
{
	const char *special = find_special(text, options);
	const char *guard = pms_field_is_formula(text) ? "'" : "";
	if (*text != '#' && !*special) {
		fputs_unlocked(guard, out);
		fwrite_unlocked(text, 1, (size_t)(special - text), out);
		return;
	}
	putc_unlocked('"', out);
	fputs_unlocked(guard, out);
	while (*text) {
		if (*text == '"')
			putc_unlocked('"', out);
		if (options->terminal)
			text += pms_text_put(out, text, 0);
		else
			putc_unlocked(*text++, out);
	}
	putc_unlocked('"', out);
}

/* The stream is locked once a row: an interval has hundreds of fields, and comes often. */
void pms_csv_row(FILE *out, const char *const *fields, size_t n,
		 const struct pms_show_options *options)
{
	flockfile(out);
	for (size_t i = 0; i < n; i++) {
		if (i)
			putc_unlocked(options->separator, out);
		put_field(out, fields[i], options);
	}
	putc_unlocked('\n', out);
	funlockfile(out);
}

/* A CPU's number, or the name of several that were put together. */
static const char *cpus_of(const struct pms_scope *scope, const char *id)
{
	if (scope->kind == PMS_SCOPE_TOTAL || scope->kind == PMS_SCOPE_THREAD)
		return "";
	return scope->name[0] ? scope->name : id;
}

static void put_row(const struct rows *rows, const struct row *row)
{
	const struct pms_scope *scope = rows->report->scope;
	const char *fields[] = { row->kind,
				 rows->time,
				 cpus_of(scope, rows->id),
				 scope->kind == PMS_SCOPE_THREAD ? rows->id : "",
				 row->group,
				 row->stage,
				 row->level,
				 row->name,
				 row->value,
				 row->units,
				 row->low,
				 row->high,
				 row->state,
				 row->run_pct,
				 row->of_hardly_any };
	pms_csv_row(rows->out, fields, sizeof(fields) / sizeof(fields[0]), rows->options);
}

static void put_event(const struct rows *rows, size_t index)
{
	const struct pms_report *report = rows->report;
	const struct pms_count *count = &report->scope->counts[index];
	int counted = count->state == PMS_COUNTED;
	char value[PMS_NUMBER_MAX] = "", run[PMS_NUMBER_MAX] = "";
	char low[PMS_NUMBER_MAX] = "", high[PMS_NUMBER_MAX] = "";
	double ends[2];
	/* Of a count that is no estimate both ends are itself. */
	int estimated = pms_count_interval(report->scope, index, &ends[0], &ends[1]);
	if (counted) {
		pms_text_integer(value, pms_label_count(count));
		pms_text_double(run, pms_label_run_pct(report->scope, count));
	}
	if (estimated && isfinite(ends[0]))
		pms_text_double(low, ends[0]);
	if (estimated && isfinite(ends[1]))
		pms_text_double(high, ends[1]);
	const struct pms_event *event = pms_catalog_event(report->counts->catalog, index);
	struct row row = { .kind = "event",
			   .group = "",
			   .stage = "",
			   .level = "",
			   .name = event->name,
			   .value = value,
			   .units = pms_label_event_is_ns(event) ? "ns" : "events",
			   .low = estimated ? low : value,
			   .high = estimated ? high : value,
			   .state = pms_label_state_of(count),
			   .run_pct = run,
			   .of_hardly_any = "" };
	put_row(rows, &row);
}

static void put_metric(const struct rows *rows, const struct pms_result *result)
{
	const struct pms_catalog *catalog = rows->report->counts->catalog;
	const struct pms_metric *metric = pms_catalog_metric(catalog, result->metric);
	const struct pms_value *v = &result->value;
	char stage[PMS_NUMBER_MAX], level[PMS_NUMBER_MAX];
	char numbers[5][PMS_NUMBER_MAX] = { "", "", "", "", "" };
	snprintf(stage, sizeof(stage), "%d", result->stage);
	snprintf(level, sizeof(level), "%d", result->level);
	if (v->state != PMS_VALUE_UNDEFINED) {
		pms_text_double(numbers[0], v->value);
		pms_text_double(numbers[3], v->run_pct);
	}
	if (v->state != PMS_VALUE_UNDEFINED && isfinite(v->low))
		pms_text_double(numbers[1], v->low);
	if (v->state != PMS_VALUE_UNDEFINED && isfinite(v->high))
		pms_text_double(numbers[2], v->high);
	if (pms_result_is_of_hardly_any(result))
		pms_text_double(numbers[4], result->base);
	struct row row = { .kind = "metric",
			   .group = pms_catalog_group(catalog, result->group)->name,
			   .stage = stage,
			   .level = level,
			   .name = metric->name,
			   .value = numbers[0],
			   .units = metric->units,
			   .low = numbers[1],
			   .high = numbers[2],
			   .state = pms_label_value_state(&rows->report->counts->provenance,
							  v->state),
			   .run_pct = numbers[3],
			   .of_hardly_any = numbers[4] };
	put_row(rows, &row);
}

static void put_report(FILE *out, const struct pms_report *report,
		       const struct pms_show_options *options)
{
	struct rows rows = { .out = out, .report = report, .options = options };
	size_t next = 0, event;
	snprintf(rows.id, sizeof(rows.id), "%lld", (long long)report->scope->id);
	if (report->counts->has_time)
		pms_text_double(rows.time, report->counts->time);
	while (pms_label_next_event(report, options, &next, &event))
		put_event(&rows, event);
	for (size_t i = 0; i < report->n_results; i++)
		put_metric(&rows, &report->results[i]);
}

/* What a comment is about: of an interval, with its end. */
static void make_key(char key[KEY_MAX], const char *what, const struct pms_counts *counts)
{
	char time[PMS_NUMBER_MAX];
	pms_text_double(time, counts->time);
	if (counts->has_time)
		snprintf(key, KEY_MAX, "%s at %s s", what, time);
	else
		snprintf(key, KEY_MAX, "%s", what);
}

void pms_csv_comment(FILE *out, const char *key, const char *text)
{
	fprintf(out, "# %s: ", key);
	while (*text)
		text += pms_text_put(out, text, 0);
	fputc('\n', out);
}

void pms_csv_catalog(FILE *out, const struct pms_catalog *catalog)
{
	const struct pms_cpu *cpu = pms_catalog_cpu(catalog);
	char text[512];
	snprintf(text, sizeof(text), "%s %s", cpu->name, cpu->version);
	pms_csv_comment(out, "catalog", text);
}

static int put_command(FILE *out, const struct pms_provenance *p)
{
	char *text = NULL;
	size_t size = 0;
	FILE *memory = p->command ? pms_memstream_open(&text, &size) : NULL;
	if (!memory)
		return p->command ? -PMS_ENOMEM : 0;
	pms_text_command(memory, p->command);
	int rc = pms_memstream_close(memory) ? -PMS_ENOMEM : 0;
	if (!rc)
		pms_csv_comment(out, "command", text);
	free(text);
	return rc;
}

static void put_warnings(FILE *out, const char *key, char *const *warnings, size_t n)
{
	for (size_t i = 0; i < n; i++)
		pms_csv_comment(out, key, warnings[i]);
}

/* Reasons have no column: one line for each metric without a value. */
static void put_undefined(FILE *out, const struct pms_report *report)
{
	char key[KEY_MAX];
	make_key(key, "undefined", report->counts);
	for (size_t i = 0; i < report->n_results; i++) {
		const struct pms_result *r = &report->results[i];
		char text[512];
		if (r->value.state != PMS_VALUE_UNDEFINED)
			continue;
		snprintf(text, sizeof(text), "%s: %s",
			 pms_catalog_metric(report->counts->catalog, r->metric)->name,
			 r->value.because ? r->value.because : "no reason given");
		pms_csv_comment(out, key, text);
	}
}

static void put_findings(FILE *out, const struct pms_report *report)
{
	const struct pms_catalog *catalog = report->counts->catalog;
	char key[KEY_MAX];
	make_key(key, "finding", report->counts);
	for (size_t i = 0; i < report->n_findings; i++) {
		const struct pms_finding *f = &report->findings[i];
		const struct pms_tree_node *node = pms_catalog_node(catalog, f->node);
		char text[512], value[PMS_NUMBER_MAX];
		pms_text_double(value, f->value);
		snprintf(text, sizeof(text), "%s %s (%s)%s%s",
			 pms_catalog_metric(catalog, node->metric)->name, value,
			 pms_label_severity(f->severity), f->advice ? ": " : "",
			 f->advice ? f->advice->title : "");
		pms_csv_comment(out, key, text);
	}
	/* Why there is none. */
	make_key(key, "no finding", report->counts);
	if (report->no_finding)
		pms_csv_comment(out, key, report->no_finding);
}

static void put_size_count(FILE *out, const char *key, const struct pms_count *count)
{
	char text[PMS_NUMBER_MAX];
	if (!count)
		return;
	pms_text_integer(text, pms_label_count(count));
	pms_csv_comment(out, key, text);
}

/* Not of intervals: what heads them all would be the first one's. */
static void put_size(FILE *out, const struct pms_counts *counts)
{
	struct pms_size size;
	char text[PMS_NUMBER_MAX];
	if (counts->has_time)
		return;
	pms_size_find(&size, counts);
	put_size_count(out, "instructions", size.instructions);
	put_size_count(out, "cycles", size.cycles);
	pms_text_double(text, pms_size_ipc(&size));
	if (pms_size_ipc(&size) > 0)
		pms_csv_comment(out, "ipc", text);
	if (size.threads)
		fprintf(out, "# threads: %zu\n", size.threads);
	put_size_count(out, "longest thread cycles", size.longest);
}

static void put_extent(FILE *out, const struct pms_counts *counts)
{
	char text[512];
	if (counts->provenance.modelled)
		fprintf(out, "# sampled: %s\n", counts->total.sample ? "true" : "false");
	for (size_t i = 0; i < PMS_EXTENT_LINES; i++)
		if (pms_extent_line(text, sizeof(text), counts, i))
			pms_csv_comment(out, pms_extent_key(i), strchr(text, ':') + 2);
}

int pms_csv_provenance(FILE *out, const struct pms_counts *counts)
{
	const struct pms_provenance *p = &counts->provenance;
	const struct pms_cpu *cpu = pms_catalog_cpu(counts->catalog);
	char text[512];
	fprintf(out, "# pmuscope %s\n", PMS_VERSION);
	int n = snprintf(text, sizeof(text), "%s: ", p->source);
	if (n > 0 && (size_t)n < sizeof(text))
		pms_label_heading(text + n, sizeof(text) - (size_t)n, counts);
	pms_csv_comment(out, "source", text);
	fprintf(out, "# modelled: %s\n", p->modelled ? "true" : "false");
	snprintf(text, sizeof(text), "%s %s", p->core, p->model_version);
	if (p->modelled)
		pms_csv_comment(out, "core model", text);
	put_size(out, counts);
	put_extent(out, counts);
	pms_csv_catalog(out, counts->catalog);
	int rc = put_command(out, p);
	if (!p->file)
		fprintf(out, "# exit status: %d\n", p->exit_status);
	if (p->signal)
		fprintf(out, "# signal: %d\n", p->signal);
	if (cpu->slots)
		fprintf(out, "# slots per cycle: %u\n", cpu->slots);
	if (p->counters_available)
		fprintf(out, "# counters available: %u\n", p->counters_available);
	return rc;
}

/* What is said of one report, or of one interval. */
static void put_comments(FILE *out, const struct pms_report *report)
{
	const struct pms_counts *counts = report->counts;
	char key[KEY_MAX];
	make_key(key, "warning", counts);
	put_findings(out, report);
	put_warnings(out, "warning", counts->warnings, counts->n_warnings);
	put_warnings(out, key, report->warnings, report->n_warnings);
	put_undefined(out, report);
}

int pms_show_csv(FILE *out, const struct pms_report *report, const struct pms_scope_reports *scopes,
		 const struct pms_show_options *options, struct pms_error *err)
{
	static const char *const columns[] = {
		"kind",	 "time",  "cpu", "thread", "group", "stage",   "level",	       "name",
		"value", "units", "low", "high",   "state", "run_pct", "of_hardly_any"
	};
	if (!options->continued && pms_csv_provenance(out, report->counts))
		return pms_fail(err, PMS_ENOMEM, "out of memory");
	put_comments(out, report);
	if (!options->continued)
		pms_csv_row(out, columns, sizeof(columns) / sizeof(columns[0]), options);
	put_report(out, report, options);
	for (size_t i = 0; scopes && options->scopes && i < report->counts->n_scopes; i++) {
		const struct pms_report *of = scopes->get(scopes->context, i, err);
		if (!of)
			return -PMS_ENOMEM;
		put_report(out, of, options);
	}
	return 0;
}

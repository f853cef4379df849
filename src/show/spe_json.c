/* SPDX-License-Identifier: MIT */
/* Write a report of SPE samples as JSON and as CSV, with every measure. Rows are written one by
 * one: there may be as many as cache lines. docs/use/spe-report.md documents the keys. */
#include "show/spe_report.h"

#include <stdlib.h>

#include "base/memstream.h"
#include <string.h>

#include "base/status.h"
#include "base/utf8.h"
#include "show/csv.h"
#include "show/text.h"

/* JSON ----------------------------------------------------------------------------------------- */

/* Write a text that is not UTF-8, which JSON requires: U+FFFD for each bad byte, and beside it
 * all bytes in hexadecimal. */
static void set_bytes(struct pms_document *d, json_t *object, const char *key, const char *text)
{
	char *shown = NULL, *digits = NULL, name[64];
	size_t size = 0;
	FILE *out = open_memstream(&shown, &size);
	for (size_t i = 0, n; out && text[i]; i += n) {
		n = pms_utf8_length(text + i);
		fwrite(n ? text + i : "\xef\xbf\xbd", 1, n ? n : 3, out);
		n += !n;
	}
	int bad = !out || fclose(out);
	out = open_memstream(&digits, &size);
	for (size_t i = 0; out && text[i]; i++)
		fprintf(out, "%02x", (unsigned char)text[i]);
	bad |= !out || fclose(out);
	snprintf(name, sizeof(name), "%s_bytes", key);
	pms_document_set(d, object, key, bad ? NULL : json_string(shown));
	pms_document_set(d, object, name, bad ? NULL : json_string(digits));
	free(shown);
	free(digits);
}

/* Write a name from the recording or a program, which may hold any bytes. */
static void set_name(struct pms_document *d, json_t *object, const char *key, const char *text)
{
	if (text && !pms_utf8_valid(text))
		set_bytes(d, object, key, text);
	else
		pms_document_set(d, object, key, pms_document_string(text));
}

static void set_key(struct pms_document *d, json_t *object, const struct pms_spe_key *key,
		    const char *text)
{
	if (text && key->number)
		pms_document_set(d, object, key->name,
				 pms_document_count(strtoull(text, NULL, 10)));
	else
		set_name(d, object, key->name, text);
}

static json_t *measure_value(const struct pms_spe_report *report, const struct pms_spe_row *row,
			     size_t i)
{
	double value;
	if (!pms_spe_measure_get(report, row, i, &value))
		return json_null();
	int whole = value >= 0 && value < 0x1p63 && value == (double)(uint64_t)value;
	return whole && pms_spe_measure(i)->unit != PMS_SPE_FRACTION
		       ? pms_document_count((uint64_t)value)
		       : pms_document_real(value);
}

/* Where the row's data came from, with the mean wait for each source. */
static json_t *from_array(struct pms_document *d, const struct pms_spe_report *report,
			  const struct pms_spe_row *row)
{
	json_t *array = json_array();
	for (size_t i = 0; i < row->n_from; i++) {
		const struct pms_spe_from *f = &row->from[i];
		const char *name = f->source < 0
					   ? NULL
					   : pms_spe_source_name(pms_spe_report_encoding(report),
								 (unsigned)f->source);
		json_t *object = json_object();
		pms_document_set(d, object, "data_source",
				 f->source < 0 ? json_null()
					       : pms_document_count((uint64_t)f->source));
		pms_document_set(d, object, "data_source_name", pms_document_string(name));
		pms_document_set(d, object, "records", pms_document_count(f->count));
		pms_document_set(d, object, "total_mean",
				 f->n_total ? pms_document_real((double)f->sum / (double)f->n_total)
					    : json_null());
		pms_document_set(d, object, "wait",
				 f->waited ? pms_document_count(f->wait) : json_null());
		pms_document_set(d, object, "wait_mean",
				 f->waited ? pms_document_real((double)f->wait / (double)f->waited)
					   : json_null());
		pms_document_append(d, array, object);
	}
	return array;
}

/* Write the histogram up to the last octave that has loads. */
static json_t *histogram_array(struct pms_document *d, const struct pms_spe_row *row)
{
	json_t *array = row->has_histogram ? json_array() : json_null();
	size_t n = row->has_histogram ? PMS_SPE_OCTAVES : 0;
	while (n && !row->histogram[n - 1])
		n--;
	for (size_t i = 0; i < n; i++)
		pms_document_append(d, array, pms_document_count(row->histogram[i]));
	return array;
}

static json_t *thread_value(int32_t number)
{
	return number < 0 ? json_null() : pms_document_count((uint64_t)number);
}

static void set_code(struct pms_document *d, json_t *object, const struct pms_spe_code *code)
{
	pms_document_set(d, object, "address", pms_document_string(code->address));
	set_name(d, object, "object", code->object);
	set_name(d, object, "symbol", code->function);
	set_name(d, object, "file", code->file);
	pms_document_set(d, object, "line",
			 code->line ? pms_document_count(code->line) : json_null());
}

/* A number of threads or CPUs; 0 is unknown. */
static json_t *how_many(size_t n)
{
	return n ? pms_document_count(n) : json_null();
}

/* A row's touches of a cache line or targets of a branch. A recording may have very many. */
struct touches {
	const struct pms_spe_touch *touches;
	const char *target; /* the key of a branch's target; NULL: touches of a cache line */
};

static json_t *touch_object(void *context, size_t i)
{
	const struct touches *of = context;
	const struct pms_spe_touch *t = &of->touches[i];
	json_t *object = json_object();
	struct pms_document d;
	pms_document_init(&d, object);
	if (of->target) {
		pms_document_set(&d, object, of->target, pms_document_string(t->code.pc));
	} else {
		pms_document_set(&d, object, "pid", thread_value(t->pid));
		pms_document_set(&d, object, "tid", thread_value(t->tid));
		set_name(&d, object, "thread_name", *t->comm ? t->comm : NULL);
		pms_document_set(&d, object, "offset", pms_document_count(t->offset));
		pms_document_set(&d, object, "op", json_string(pms_spe_access_name(t->access)));
		pms_document_set(&d, object, "pc", pms_document_string(t->code.pc));
	}
	set_code(&d, object, &t->code);
	pms_document_set(&d, object, "records", pms_document_count(t->count));
	if (!d.failed)
		return object;
	json_decref(object);
	return NULL;
}

/* What happened at each offset of a cache line: the evidence for its sharing verdict. */
static json_t *spots_array(struct pms_document *d, const struct pms_spe_row *row)
{
	json_t *array = json_array();
	for (size_t i = 0; i < row->n_spots; i++) {
		const struct pms_spe_spot *s = &row->spots[i];
		json_t *object = json_object();
		pms_document_set(d, object, "offset", pms_document_count(s->offset));
		pms_document_set(d, object, "records", pms_document_count(s->records));
		pms_document_set(d, object, "share",
				 pms_document_real((double)s->records / (double)row->records));
		pms_document_set(d, object, "loads", pms_document_count(s->loads));
		pms_document_set(d, object, "stores", pms_document_count(s->stores));
		pms_document_set(d, object, "peers", pms_document_count(s->peers));
		pms_document_set(d, object, "wait",
				 s->waited ? pms_document_count(s->wait) : json_null());
		pms_document_set(d, object, "wait_mean",
				 s->waited ? pms_document_real((double)s->wait / (double)s->waited)
					   : json_null());
		pms_document_set(d, object, "threads", how_many(s->threads));
		pms_document_set(d, object, "cpus", how_many(s->cpus));
		set_name(d, object, "data_symbol", s->data_symbol);
		pms_document_set(d, object, "data_symbol_offset",
				 s->has_data_offset ? pms_document_count(s->data_offset)
						    : json_null());
		pms_document_set(d, object, "instructions", pms_document_count(s->instructions));
		pms_document_set(d, object, "pc", pms_document_string(s->code.pc));
		set_code(d, object, &s->code);
		pms_document_append(d, array, object);
	}
	return array;
}

static void set_measures(struct pms_document *d, json_t *object,
			 const struct pms_spe_report *report, const struct pms_spe_row *row)
{
	for (size_t i = 0; i < pms_spe_measures(); i++)
		pms_document_set(d, object, pms_spe_measure(i)->name,
				 measure_value(report, row, i));
	pms_document_set(d, object, "from", from_array(d, report, row));
}

/* Write a row as one line: its keys, its measures, then the parts that only its kind of report
 * has. */
static int put_row(FILE *out, const struct pms_spe_report *report, const struct pms_spe_row *row,
		   struct pms_error *err)
{
	struct touches touches = { row->touches, NULL }, previous = { row->previous, "pbt" };
	struct pms_document_array arrays[2];
	struct pms_document d;
	json_t *object = json_object();
	size_t n, n_arrays = 0;
	const struct pms_spe_key *keys = pms_spe_report_keys(report, &n);
	pms_document_init(&d, object);
	for (size_t i = 0; i < n; i++)
		set_key(&d, object, &keys[i], row->keys[i]);
	if (row->rest)
		pms_document_set(&d, object, "rest", json_true());
	set_measures(&d, object, report, row);
	pms_document_set(&d, object, "wait_histogram", histogram_array(&d, row));
	if (pms_spe_report_is(report, PMS_SPE_BY_CACHELINE)) {
		pms_document_set(&d, object, "sharing",
				 json_string(pms_spe_sharing_name(row->sharing)));
		pms_document_set(&d, object, "threads", how_many(row->threads));
		pms_document_set(&d, object, "cpus", how_many(row->cpus));
		pms_document_set(&d, object, "offsets", spots_array(&d, row));
		pms_document_set(&d, object, "touches", json_array());
		arrays[n_arrays++] =
			(struct pms_document_array){ touch_object, &touches, row->n_touches };
	}
	if (pms_spe_report_has_targets(report)) {
		touches.target = "br_tgt";
		pms_document_set(&d, object, "targets", json_array());
		pms_document_set(&d, object, "previous_targets", json_array());
		arrays[n_arrays++] =
			(struct pms_document_array){ touch_object, &touches, row->n_touches };
		arrays[n_arrays++] =
			(struct pms_document_array){ touch_object, &previous, row->n_previous };
	}
	return pms_document_finish_arrays(&d, arrays, n_arrays, 1, out, err);
}

static int put_total(FILE *out, const struct pms_spe_report *report, struct pms_error *err)
{
	struct pms_document d;
	json_t *object = json_object();
	pms_document_init(&d, object);
	set_measures(&d, object, report, pms_spe_report_total(report));
	return pms_document_finish_line(&d, out, err);
}

static json_t *known(int is, uint64_t value)
{
	return is ? pms_document_count(value) : json_null();
}

/* Write how good the sample is. A number that the file cannot tell is null, not 0. */
static int put_quality(FILE *out, const struct pms_spe_report *report, struct pms_error *err)
{
	const struct pms_spe_quality *q = pms_spe_report_quality(report);
	const struct pms_spe_accounts *a = pms_spe_report_accounts(report);
	const struct pms_spe_population *p = &q->population;
	const struct pms_perfdata_stats *s = &q->stats;
	const int file = !q->raw;
	const struct {
		const char *key;
		int known;
		uint64_t value;
	} rows[] = {
		{ "records", 1, q->summary.records },
		{ "reported", 1, a->reported },
		{ "filtered", 1, a->dropped },
		{ "without_key", 1, a->keyless },
		{ "rest", 1, a->rest },
		{ "groups", 1, a->groups },
		{ "groups_bound", 1, a->most_groups },
		{ "streams", 1, q->streams },
		{ "period", a->period != 0, a->period },
		{ "sample_pop", p->known_pop, p->pop },
		{ "sample_feed", p->known_feed, p->feed },
		{ "sample_filtrate", p->known_filtrate, p->filtrate },
		{ "sample_collision", p->known_collision, p->collision },
		{ "aux_records", file, s->aux_records },
		{ "aux_collided", file, s->aux_collided },
		{ "aux_truncated", file, s->aux_truncated },
		{ "aux_partial", file, s->aux_partial },
		{ "aux_overwritten", file, s->aux_overwritten },
		{ "bytes_missing", file,
		  s->aux_bytes > s->auxtrace_bytes ? s->aux_bytes - s->auxtrace_bytes : 0 },
		{ "lost_events", file, s->lost_events },
		{ "lost_samples", file, s->lost_samples },
		{ "cut_at", s->cut, s->cut_at },
		{ "damaged_at", q->damage != NULL, q->damage ? q->damage->offset : 0 },
		{ "bytes_left_out", 1, q->bytes_left_out },
		{ "tasks_left_out", file, q->tasks_left_out },
		{ "names_cut", file, q->names_cut },
		{ "undecodable_bytes", 1, q->undecodable },
		{ "damaged", 1, q->summary.damaged },
		{ "unfinished", 1, q->summary.unfinished },
		{ "repeated", 1, q->summary.repeated },
		{ "without_thread", 1, q->without_tid },
		{ "without_time", 1, q->without_time },
	};
	struct pms_document d;
	json_t *object = json_object();
	pms_document_init(&d, object);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		pms_document_set(&d, object, rows[i].key, known(rows[i].known, rows[i].value));
	return pms_document_finish_line(&d, out, err);
}

static int put_about(FILE *out, const struct pms_spe_report *report, const char *file,
		     struct pms_error *err)
{
	struct pms_document d;
	enum pms_spe_by also;
	char by[64];
	json_t *object = json_object();
	pms_document_init(&d, object);
	pms_document_set(&d, object, "version", json_string(PMS_VERSION));
	pms_document_set(&d, object, "file", pms_document_string(file));
	snprintf(by, sizeof(by), "%s", pms_spe_by_name(pms_spe_report_by(report)));
	if (pms_spe_report_also(report, &also))
		snprintf(by + strlen(by), sizeof(by) - strlen(by), ",%s", pms_spe_by_name(also));
	pms_document_set(&d, object, "by", json_string(by));
	pms_document_set(&d, object, "sort",
			 json_string(pms_spe_measure(pms_spe_report_sort(report))->name));
	return pms_document_finish_line(&d, out, err);
}

int pms_show_spe_json(FILE *out, struct pms_spe_report *report, const char *file,
		      const struct pms_show_options *options, struct pms_error *err)
{
	(void)options;
	fputs("{\"pmuscope\":", out);
	int rc = put_about(out, report, file, err);
	fputs(",\"rows\":[\n", out);
	for (size_t i = 0; i < pms_spe_report_rows(report) && !rc; i++) {
		const struct pms_spe_row *row = pms_spe_report_row(report, i);
		fputs(i ? "," : "", out);
		rc = row ? put_row(out, report, row, err) : pms_no_memory(err);
	}
	fputs("],\"total\":", out);
	rc = rc ? rc : put_total(out, report, err);
	fputs(",\"quality\":", out);
	rc = rc ? rc : put_quality(out, report, err);
	fputs("}\n", out);
	return rc;
}

/* CSV ------------------------------------------------------------------------------------------ */

enum { FIELDS = 96 };

/* Returns the sources of data, the largest first, as "name:records". */
static char *from_text(const struct pms_spe_report *report, const struct pms_spe_row *row)
{
	char *text = NULL;
	size_t size = 0;
	FILE *memory = pms_memstream_open(&text, &size);
	for (size_t i = 0; i < row->n_from && memory; i++) {
		const struct pms_spe_from *f = &row->from[i];
		const char *name = f->source < 0
					   ? "others"
					   : pms_spe_source_name(pms_spe_report_encoding(report),
								 (unsigned)f->source);
		fputs(i ? " " : "", memory);
		if (name)
			fputs(name, memory);
		else
			fprintf(memory, "%d", f->source);
		fprintf(memory, ":%llu", (unsigned long long)f->count);
	}
	return memory && !pms_memstream_close(memory) ? text : NULL;
}

/* Write loads by doublings of their wait, with blanks between, up to the last doubling that has
 * some. */
static void histogram_text(char text[PMS_SPE_OCTAVES * 21], const struct pms_spe_row *row)
{
	size_t n = row->has_histogram ? PMS_SPE_OCTAVES : 0, length = 0;
	text[0] = 0;
	while (n && !row->histogram[n - 1])
		n--;
	for (size_t i = 0; i < n; i++)
		length += (size_t)sprintf(text + length, "%s%llu", i ? " " : "",
					  (unsigned long long)row->histogram[i]);
}

/* Write a row of CSV. The arrays of JSON become one field each, or are left out. */
static int csv_row(FILE *out, const struct pms_spe_report *report, const struct pms_spe_row *row,
		   const char *kind, const struct pms_show_options *options)
{
	const char *fields[FIELDS];
	char numbers[FIELDS][PMS_NUMBER_MAX], threads[PMS_NUMBER_MAX] = "",
					      cpus[PMS_NUMBER_MAX] = "",
					      histogram[PMS_SPE_OCTAVES * 21];
	size_t n = 0, n_keys;
	char *from = from_text(report, row);
	pms_spe_report_keys(report, &n_keys);
	if (!from)
		return -PMS_ENOMEM;
	fields[n++] = kind;
	for (size_t i = 0; i < n_keys; i++)
		fields[n++] = row->keys[i] ? row->keys[i] : "";
	for (size_t i = 0; i < pms_spe_measures(); i++) {
		double value;
		numbers[n][0] = 0;
		if (pms_spe_measure_get(report, row, i, &value))
			pms_text_double(numbers[n], value);
		fields[n] = numbers[n];
		n++;
	}
	fields[n++] = from;
	histogram_text(histogram, row);
	fields[n++] = histogram;
	if (row->threads)
		snprintf(threads, sizeof(threads), "%zu", row->threads);
	if (row->cpus)
		snprintf(cpus, sizeof(cpus), "%zu", row->cpus);
	if (pms_spe_report_is(report, PMS_SPE_BY_CACHELINE)) {
		fields[n++] = row->n_touches ? pms_spe_sharing_name(row->sharing) : "";
		fields[n++] = threads;
		fields[n++] = cpus;
	}
	pms_csv_row(out, fields, n, options);
	free(from);
	return 0;
}

static void csv_heading(FILE *out, const struct pms_spe_report *report,
			const struct pms_show_options *options)
{
	const char *fields[FIELDS] = { "row" };
	size_t n = 1, n_keys;
	const struct pms_spe_key *keys = pms_spe_report_keys(report, &n_keys);
	for (size_t i = 0; i < n_keys; i++)
		fields[n++] = keys[i].name;
	for (size_t i = 0; i < pms_spe_measures(); i++)
		fields[n++] = pms_spe_measure(i)->name;
	fields[n++] = "from";
	fields[n++] = "wait_histogram";
	if (pms_spe_report_is(report, PMS_SPE_BY_CACHELINE)) {
		fields[n++] = "sharing";
		fields[n++] = "threads";
		fields[n++] = "cpus";
	}
	pms_csv_row(out, fields, n, options);
}

static void csv_comment(void *context, const char *name, const char *text)
{
	pms_csv_comment(context, name, text);
}

int pms_show_spe_csv(FILE *out, struct pms_spe_report *report, const char *file,
		     const struct pms_show_options *options, struct pms_error *err)
{
	fprintf(out, "# pmuscope %s\n", PMS_VERSION);
	pms_csv_comment(out, "file", file);
	pms_spe_quality_lines(report, csv_comment, out);
	csv_heading(out, report, options);
	int rc = 0;
	for (size_t i = 0; i < pms_spe_report_rows(report) && !rc; i++) {
		const struct pms_spe_row *row = pms_spe_report_row(report, i);
		rc = row ? csv_row(out, report, row, row->rest ? "rest" : "group", options)
			 : -PMS_ENOMEM;
	}
	rc = rc ? rc : csv_row(out, report, pms_spe_report_total(report), "total", options);
	return rc ? pms_no_memory(err) : 0;
}

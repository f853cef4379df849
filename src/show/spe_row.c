/* SPDX-License-Identifier: MIT */
/* The rows of a report of SPE samples: programs get every measure, people those of the view that
 * fit. */
#include "show/spe_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/utf8.h"
#include "show/grid.h"
#include "show/spe_text.h"

enum { SOURCES = 2, TARGETS_SHOWN = 4, COLUMNS_MOST = 128 };

struct columns;

/* Sets a row's cell in @column. @which: the key or measure */
typedef void setter(const struct columns *columns, const struct pms_spe_row *row,
		    struct pms_out_item *to, size_t column, size_t which);

/* The columns of a report, and how each one's cells are set. */
struct columns {
	struct pms_spe_report *report;
	unsigned width;
	size_t n;
	struct pms_out_field fields[COLUMNS_MOST];
	struct {
		setter *set; /* NULL: the column before sets it too */
		size_t which;
	} how[COLUMNS_MOST];
};

static void add(struct columns *c, struct pms_out_field field, setter *set, size_t which)
{
	c->fields[c->n] = field;
	c->how[c->n].set = set;
	c->how[c->n++].which = which;
}

/* Keys ----------------------------------------------------------------------------------------- */

/* Write U+FFFD for each byte of @name that is not UTF-8, and all its bytes as digits. */
static void put_bytes(struct pms_out_item *row, size_t column, const char *name)
{
	size_t length = strlen(name);
	char *shown = pms_out_room(row, 3 * length + 1, 1);
	char *digits = pms_out_room(row, 2 * length + 1, 1);
	if (!shown || !digits)
		return;
	pms_out_cell(row, column, pms_out_of_text(shown));
	pms_out_cell(row, column + 1, pms_out_of_text(digits));
	for (size_t i = 0; i < length; i++)
		sprintf(digits + 2 * i, "%02x", (unsigned char)name[i]);
	for (size_t n; *name; name += n + !n) {
		n = pms_utf8_length(name);
		shown = mempcpy(shown, n ? name : "\xef\xbf\xbd", n ? n : 3);
	}
}

void pms_spe_put_name(struct pms_out_item *row, size_t column, const char *name)
{
	if (name && pms_outline_is_in(row, PMS_IN_JSON) && !pms_utf8_valid(name))
		put_bytes(row, column, name);
	else
		pms_out_cell(row, column, pms_out_of_text(name));
}

static void set_name(const struct columns *c, const struct pms_spe_row *row,
		     struct pms_out_item *to, size_t column, size_t which)
{
	(void)c;
	pms_spe_put_name(to, column, row->keys[which]);
}

static void set_number(const struct columns *c, const struct pms_spe_row *row,
		       struct pms_out_item *to, size_t column, size_t which)
{
	const char *text = row->keys[which];
	(void)c;
	pms_out_cell(to, column,
		     text ? pms_out_of_count(strtoull(text, NULL, 10)) : pms_out_of_nothing());
}

static void set_kind(const struct columns *c, const struct pms_spe_row *row,
		     struct pms_out_item *to, size_t column, size_t which)
{
	int total = row == pms_spe_report_total(c->report);
	(void)which;
	pms_out_cell(to, column, pms_out_of_text(total ? "total" : row->rest ? "rest" : "group"));
}

static void set_rest(const struct columns *c, const struct pms_spe_row *row,
		     struct pms_out_item *to, size_t column, size_t which)
{
	(void)c;
	(void)which;
	if (row->rest)
		pms_out_cell(to, column, pms_out_of_truth(1));
}

/* Numbers -------------------------------------------------------------------------------------- */

static struct pms_out_datum measure_datum(const struct pms_out_item *to,
					  const struct pms_spe_report *report,
					  const struct pms_spe_row *row, size_t which)
{
	double value;
	if (!pms_spe_measure_get(report, row, which, &value))
		return pms_out_of_nothing();
	int whole = value >= 0 && value < 0x1p63 && value == (double)(uint64_t)value;
	return whole && pms_outline_is_in(to, PMS_IN_JSON) &&
			       pms_spe_measure(which)->unit != PMS_SPE_FRACTION
		       ? pms_out_of_count((uint64_t)value)
		       : pms_out_of_real(value);
}

static void set_measure(const struct columns *c, const struct pms_spe_row *row,
			struct pms_out_item *to, size_t column, size_t which)
{
	char text[PMS_NUMBER_MAX];
	if (!pms_outline_is_in(to, PMS_FOR_PEOPLE)) {
		pms_out_cell(to, column, measure_datum(to, c->report, row, which));
		return;
	}
	pms_spe_measure_text(text, c->report, row, pms_spe_measure(which)->name);
	pms_out_cell_print(to, column, "%s", text);
}

/* For JSON: where the row's data came from, with the mean wait for each source. */
static struct pms_out_datum from_table(struct pms_out_item *of, const struct pms_spe_report *report,
				       const struct pms_spe_row *row)
{
	static const struct pms_out_field fields[] = {
		{ "data_source", NULL, NULL, 0 }, { "data_source_name", NULL, NULL, 0 },
		{ "records", NULL, NULL, 0 },	  { "total_mean", NULL, NULL, 0 },
		{ "wait", NULL, NULL, 0 },	  { "wait_mean", NULL, NULL, 0 }
	};
	enum { N = sizeof(fields) / sizeof(fields[0]) };
	struct pms_out_item *table = pms_out_detached_table(of, fields, N);
	for (size_t i = 0; i < row->n_from; i++) {
		const struct pms_spe_from *f = &row->from[i];
		struct pms_out_item *line = pms_out_row(table, N);
		if (f->source >= 0) {
			unsigned source = (unsigned)f->source;
			pms_out_cell(line, 0, pms_out_of_count(source));
			pms_out_cell(line, 1,
				     pms_out_of_text(pms_spe_source_name(
					     pms_spe_report_encoding(report), source)));
		}
		pms_out_cell(line, 2, pms_out_of_count(f->count));
		if (f->n_total)
			pms_out_cell(line, 3, pms_out_of_real((double)f->sum / (double)f->n_total));
		if (!f->waited)
			continue;
		pms_out_cell(line, 4, pms_out_of_count(f->wait));
		pms_out_cell(line, 5, pms_out_of_real((double)f->wait / (double)f->waited));
	}
	return pms_out_of_item(table);
}

/* For CSV: the same, the largest first, as "name:records". */
static struct pms_out_datum from_words(struct pms_out_item *of, const struct pms_spe_report *report,
				       const struct pms_spe_row *row)
{
	struct pms_out_words words = pms_out_words(of);
	for (size_t i = 0; i < row->n_from; i++) {
		const struct pms_spe_from *f = &row->from[i];
		const char *name = f->source < 0
					   ? "others"
					   : pms_spe_source_name(pms_spe_report_encoding(report),
								 (unsigned)f->source);
		unsigned long long count = f->count;
		pms_out_words_add(&words, name ? pms_out_print(of, "%s:%llu", name, count)
					       : pms_out_print(of, "%d:%llu", f->source, count));
	}
	return pms_out_of_text(pms_out_words_join(&words, " "));
}

/* Write the two sources with most wait, "dram 61 %, l2_cache 20 %"; a narrow table puts the second
 * below. */
static void print_from(const struct columns *c, const struct pms_spe_row *row,
		       struct pms_out_item *to, size_t column)
{
	struct pms_spe_from from[PMS_SPE_FROM_MOST];
	char shares[SOURCES][PMS_SPE_SHARE] = { "-", "" };
	size_t n = pms_spe_waited_for(from, row);
	for (size_t i = 0; i < n && i < SOURCES; i++)
		pms_spe_share_text(shares[i], c->report, row, &from[i]);
	const char *between = n < SOURCES ? "" : c->width >= PMS_SPE_WIDE ? ", " : "\n";
	pms_out_cell_print(to, column, "%s%s%s", shares[0], between, shares[1]);
}

static void set_from(const struct columns *c, const struct pms_spe_row *row,
		     struct pms_out_item *to, size_t column, size_t which)
{
	(void)which;
	if (pms_outline_is_in(to, PMS_FOR_PEOPLE))
		print_from(c, row, to, column);
	else if (pms_outline_is_in(to, PMS_IN_JSON))
		pms_out_cell(to, column, from_table(to, c->report, row));
	else
		pms_out_cell(to, column, from_words(to, c->report, row));
}

/* Write tenths of the row's loads, rounded up, for each doubling of their wait: "..139..." */
static void print_histogram(struct pms_out_item *to, size_t column, const struct pms_spe_row *row)
{
	char text[PMS_SPE_OCTAVES + 1] = "";
	for (size_t i = 0; i < PMS_SPE_OCTAVES; i++) {
		uint64_t n = row->histogram[i], all = row->waiting.count;
		uint64_t tenths = row->has_histogram && all ? (n * 10 + all - 1) / all : 0;
		text[i] = tenths ? (char)('0' + (tenths > 9 ? 9 : tenths)) : '.';
	}
	pms_out_cell_print(to, column, "%s", text);
}

/* Loads by doublings of their wait, up to the last doubling that has some. */
static void set_histogram(const struct columns *c, const struct pms_spe_row *row,
			  struct pms_out_item *to, size_t column, size_t which)
{
	size_t n = row->has_histogram ? PMS_SPE_OCTAVES : 0;
	struct pms_out_words words = pms_out_words(to);
	int json = pms_outline_is_in(to, PMS_IN_JSON);
	struct pms_out_item *list = json && n ? pms_out_detached_list(to) : NULL;
	(void)c;
	(void)which;
	if (pms_outline_is_in(to, PMS_FOR_PEOPLE)) {
		print_histogram(to, column, row);
		return;
	}
	while (n && !row->histogram[n - 1])
		n--;
	for (size_t i = 0; i < n; i++)
		if (json)
			pms_out_element(list, pms_out_of_count(row->histogram[i]));
		else
			pms_out_words_add(
				&words,
				pms_out_print(to, "%llu", (unsigned long long)row->histogram[i]));
	pms_out_cell(to, column,
		     json ? pms_out_of_item(list)
			  : pms_out_of_text(pms_out_words_join(&words, " ")));
}

/* Cache lines and branches --------------------------------------------------------------------- */

static void set_sharing(const struct columns *c, const struct pms_spe_row *row,
			struct pms_out_item *to, size_t column, size_t which)
{
	(void)c;
	(void)which;
	if (row->n_touches || pms_outline_is_in(to, PMS_IN_JSON))
		pms_out_cell(to, column, pms_out_of_text(pms_spe_sharing_name(row->sharing)));
}

/* Set the number of threads, of CPUs. */
static void set_sharers(const struct columns *c, const struct pms_spe_row *row,
			struct pms_out_item *to, size_t column, size_t which)
{
	size_t n = which ? row->cpus : row->threads;
	(void)c;
	pms_out_cell(to, column, pms_out_when(n > 0, pms_out_of_count(n)));
}

static void set_spots(const struct columns *c, const struct pms_spe_row *row,
		      struct pms_out_item *to, size_t column, size_t which)
{
	(void)c;
	(void)which;
	pms_out_cell(to, column, pms_out_of_item(pms_spe_spots(to, NULL, row)));
}

static void set_touches(const struct columns *c, const struct pms_spe_row *row,
			struct pms_out_item *to, size_t column, size_t which)
{
	(void)c;
	pms_out_cell(to, column,
		     pms_out_of_item(pms_spe_touches(to, (enum pms_spe_touched)which, row)));
}

static void set_about(const struct columns *c, const struct pms_spe_row *row,
		      struct pms_out_item *to, size_t column, size_t which)
{
	char text[PMS_SPE_TEXT];
	(void)which;
	pms_spe_about_text(text, c->report, row);
	pms_out_cell_print(to, column, "%s", text);
}

/* Columns -------------------------------------------------------------------------------------- */

static struct pms_out_field field(const char *json, const char *csv)
{
	return (struct pms_out_field){ .json = json, .csv = csv };
}

/* What programs get: keys, all measures, and what only this kind of report has. */
static void add_for_programs(struct columns *c, struct pms_out_item *of)
{
	size_t n;
	const struct pms_spe_key *keys = pms_spe_report_keys(c->report, &n);
	add(c, field(NULL, "row"), set_kind, 0);
	for (size_t i = 0; i < n; i++) {
		add(c, field(keys[i].name, keys[i].name), keys[i].number ? set_number : set_name,
		    i);
		if (!keys[i].number)
			add(c,
			    (struct pms_out_field){
				    .json = pms_out_print(of, "%s_bytes", keys[i].name),
				    .flags = PMS_OUT_OPTIONAL },
			    NULL, 0);
	}
	add(c, (struct pms_out_field){ .json = "rest", .flags = PMS_OUT_OPTIONAL }, set_rest, 0);
	for (size_t i = 0; i < pms_spe_measures(); i++)
		add(c, field(pms_spe_measure(i)->name, pms_spe_measure(i)->name), set_measure, i);
	add(c, field("from", "from"), set_from, 0);
	add(c, field("wait_histogram", "wait_histogram"), set_histogram, 0);
	if (pms_spe_report_is(c->report, PMS_SPE_BY_CACHELINE)) {
		add(c, field("sharing", "sharing"), set_sharing, 0);
		add(c, field("threads", "threads"), set_sharers, 0);
		add(c, field("cpus", "cpus"), set_sharers, 1);
		add(c, field("offsets", NULL), set_spots, 0);
		add(c, field("touches", NULL), set_touches, PMS_SPE_TOUCHED);
	}
	if (pms_spe_report_has_targets(c->report)) {
		add(c, field("targets", NULL), set_touches, PMS_SPE_TARGETS);
		add(c, field("previous_targets", NULL), set_touches, PMS_SPE_PREVIOUS);
	}
}

static void add_measure(struct columns *c, const char *name, const char *title)
{
	add(c, (struct pms_out_field){ .title = title, .flags = PMS_GRID_RIGHT }, set_measure,
	    (size_t)pms_spe_measure_find(name));
}

/* Add the measure that rows are sorted by, unless the reader sees it in the view. */
static void add_order(struct columns *c, struct pms_out_item *of)
{
	const struct pms_spe_view *view = pms_spe_view(c->report);
	const struct pms_spe_measure *sort = pms_spe_measure(pms_spe_report_sort(c->report));
	for (size_t i = 0; i < PMS_SPE_VIEW_MOST && view->columns[i].measure; i++)
		/* wait_share sorts as wait does */
		if ((!view->columns[i].wide || c->width >= PMS_SPE_WIDE) &&
		    !strncmp(view->columns[i].measure, sort->name, strlen(sort->name)))
			return;
	add_measure(
		c, sort->name,
		pms_out_print(of, "%s%s", sort->title, sort->unit == PMS_SPE_FRACTION ? " %" : ""));
}

/* Whether to show sources: in a narrow table, a histogram or targets take their place. */
static int has_sources(const struct columns *c)
{
	int crowded = pms_spe_report_histogram(c->report) || pms_spe_report_targets(c->report);
	return pms_spe_view(c->report)->from && (c->width >= PMS_SPE_WIDE || !crowded);
}

/* What people see: the view's measures that fit, then what the row is about. */
static void add_for_people(struct columns *c, struct pms_out_item *of)
{
	const struct pms_spe_view *view = pms_spe_view(c->report);
	const char *subject = pms_spe_view_subject(pms_spe_report_by(c->report));
	enum pms_spe_by also;
	add_order(c, of);
	for (size_t i = 0; i < PMS_SPE_VIEW_MOST && view->columns[i].measure; i++)
		if (!view->columns[i].wide || c->width >= PMS_SPE_WIDE)
			add_measure(c, view->columns[i].measure, view->columns[i].title);
	if (pms_spe_report_histogram(c->report))
		add(c, (struct pms_out_field){ .title = "tenths of loads\n01248 64  1K  32K" },
		    set_histogram, 0);
	if (has_sources(c))
		add(c,
		    (struct pms_out_field){ .title = "Data from,\nof the wait",
					    .flags = PMS_OUT_LINES },
		    set_from, 0);
	if (pms_spe_report_also(c->report, &also))
		subject = pms_out_print(of, "%s\nand %s", subject, pms_spe_by_name(also));
	add(c, (struct pms_out_field){ .title = subject, .flags = PMS_GRID_WRAP }, set_about, 0);
}

/* Rows ----------------------------------------------------------------------------------------- */

static void put_row(const struct columns *c, struct pms_out_item *parent,
		    const struct pms_spe_row *row)
{
	struct pms_out_item *to = pms_out_row(parent, c->n);
	for (size_t i = 0; i < c->n && to; i++)
		if (c->how[i].set)
			c->how[i].set(c, row, to, i, c->how[i].which);
}

/* Add places that branches went to, a line below the row for each: "61.5 % to 0x401136 walk.c:5
 * walk". */
static void put_targets(const struct columns *c, struct pms_out_item *parent, const char *way,
			const struct pms_spe_touch *touches, size_t n)
{
	uint64_t all = 0;
	for (size_t i = 0; i < n; i++)
		all += touches[i].count;
	for (size_t i = 0; i < n && i < TARGETS_SHOWN; i++) {
		const struct pms_spe_code *to = &touches[i].code;
		char share[PMS_NUMBER_MAX], text[PMS_SPE_TEXT] = "", target[PMS_SPE_TEXT] = "";
		pms_text_value(share, 100 * (double)touches[i].count / (double)all,
			       "percent of records");
		pms_spe_append(text, "", share);
		pms_spe_append(text, " % ", way);
		pms_spe_append(text, " ",
			       to->address ? to->address
			       : to->pc	   ? to->pc
					   : "not known");
		if (to->file || (to->function && to->function[0] != '['))
			pms_spe_code_text(target, to);
		pms_spe_append(text, " ", *target ? target : NULL);
		pms_out_cell_print(pms_out_row(parent, c->n), c->n - 1, "  %s", text);
	}
	if (n > TARGETS_SHOWN)
		pms_out_cell_print(pms_out_row(parent, c->n), c->n - 1, "  and %zu more",
				   n - TARGETS_SHOWN);
}

static int make_row(void *context, struct pms_out_item *parent, size_t i, struct pms_error *err)
{
	const struct columns *c = context;
	if (i >= pms_spe_report_rows(c->report))
		return 0;
	const struct pms_spe_row *row = pms_spe_report_row(c->report, i);
	if (!row)
		return pms_no_memory(err);
	put_row(c, parent, row);
	if (pms_outline_is_in(parent, PMS_FOR_PEOPLE) && pms_spe_report_targets(c->report) &&
	    pms_spe_report_has_targets(c->report)) {
		put_targets(c, parent, "to", row->touches, row->n_touches);
		put_targets(c, parent, "before, to", row->previous, row->n_previous);
	}
	return 1;
}

void pms_spe_put_rows(struct pms_out_item *parent, struct pms_spe_report *report)
{
	struct columns *c = pms_out_room(parent, 1, sizeof(*c));
	if (!c)
		return;
	c->report = report;
	c->width = parent->outline->options->width;
	if (pms_outline_is_in(parent, PMS_FOR_PEOPLE))
		add_for_people(c, parent);
	else
		add_for_programs(c, parent);
	struct pms_out_item *table = pms_out_table(parent, PMS_EVERYWHERE, "rows", c->fields, c->n);
	pms_out_set_side_by_side(table);
	pms_out_each(table, PMS_EVERYWHERE, NULL, make_row, c);
	if (pms_outline_is_in(parent, PMS_IN_CSV))
		put_row(c, table, pms_spe_report_total(report));
}

void pms_spe_put_total(struct pms_out_item *parent, const struct pms_spe_report *report)
{
	const struct pms_spe_row *row = pms_spe_report_total(report);
	struct pms_out_item *total = pms_out_group(parent, PMS_IN_JSON, "total");
	for (size_t i = 0; total && i < pms_spe_measures(); i++)
		pms_out_member(total, pms_spe_measure(i)->name,
			       measure_datum(total, report, row, i));
	pms_out_member(total, "from", from_table(total, report, row));
}

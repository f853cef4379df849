/* SPDX-License-Identifier: MIT */
/* Write a report of SPE samples for people, 80 columns wide: for each row some measures, then
 * its subject; at the end how good the sample is. */
#include "show/spe_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "show/grid.h"
#include "show/page.h"
#include "show/text.h"

enum { MEASURES_MOST = 9, TEXT = 1024, SHARE = 2 * PMS_NUMBER_MAX };

/* From WIDE columns on, sources stand side by side; below, one above the other. */
enum { WIDE = 110, SOURCES = 2 };

/* The most targets shown of a branch. */
enum { TARGETS_SHOWN = 4 };

/* The columns of one kind of report. */
struct view {
	const char *heading;
	struct {
		const char *measure;
		const char *above; /* a word above several columns */
		const char *title;
		int wide;	  /* 1: show only from WIDE columns on */
	} columns[MEASURES_MOST]; /* ends with a NULL */
	int from;		  /* 1: show where data came from */
};

/* Two columns under the words "load cycles": the wait of the loads that waited. */
#define LOAD_CYCLES                                                                                \
	{ "wait_p50", "load", "p50", 0 },                                                          \
	{                                                                                          \
		"wait_p90", "cycles", "p90", 0                                                     \
	}

#define WAITING(heading)                                                                           \
	{                                                                                          \
		heading,                                                                           \
			{ { "wait_share", "", "Wait %", 0 },                                       \
			  { "records", "", "Records", 0 },                                         \
			  LOAD_CYCLES,                                                             \
			  { "l1d_miss_ratio", "", "L1D miss %", 1 } },                             \
			1                                                                          \
	}

#define RUNNING(heading)                                                                           \
	{                                                                                          \
		heading, { { "records", "", "Records", 0 },                                        \
			   { "share", "", "Share %", 0 },                                          \
			   { "wait_share", "", "Wait %", 0 },                                      \
			   LOAD_CYCLES,                                                            \
			   { "l1d_miss_ratio", "L1D", "miss %", 0 },                               \
			   { "mispredict_ratio", "", "Mispred. %", 0 } },                          \
			0                                                                          \
	}

static const struct view views[PMS_SPE_BYS] = {
	[PMS_SPE_BY_LINE] = WAITING("Lines of code"),
	[PMS_SPE_BY_SYMBOL] = WAITING("Functions"),
	[PMS_SPE_BY_PC] = WAITING("Instructions"),
	[PMS_SPE_BY_OBJECT] = WAITING("Programs and libraries"),
	[PMS_SPE_BY_SOURCE] = { "Where loads had their data from",
				{ { "records", "", "Records", 0 },
				  { "share", "", "Share %", 0 },
				  { "wait_share", "", "Wait %", 0 },
				  { "wait_mean", "load", "mean", 0 },
				  { "wait_p50", "cycles", "p50", 0 },
				  { "wait_p90", "", "p90", 0 },
				  { "wait_p99", "", "p99", 0 },
				  { "wait_max", "", "max", 0 } },
				0 },
	[PMS_SPE_BY_CACHELINE] = { "Cache lines, first those that threads write while others use "
				   "them",
				   { { NULL, NULL, NULL, 0 } },
				   0 },
	[PMS_SPE_BY_PAGE] = { "Pages of 4 KiB",
			      { { "wait_share", "", "Wait %", 0 },
				{ "loads", "", "Loads", 0 },
				{ "stores", "", "Stores", 0 },
				{ "tlb_walk", "", "Walks", 0 },
				LOAD_CYCLES,
				{ "xlat_mean", "transl.", "mean", 0 } },
			      0 },
	[PMS_SPE_BY_VARIABLE] = WAITING("Variables"),
	[PMS_SPE_BY_BRANCH] = { "Branches",
				{ { "mispredicted", "", "Mispred.", 0 },
				  { "mispredict_ratio", "", "Mispred. %", 0 },
				  { "records", "", "Records", 0 },
				  { "not_taken_ratio", "", "Not taken %", 0 },
				  { "total_p50", "cycles", "p50", 0 } },
				0 },
	[PMS_SPE_BY_OP] = { "Kinds of operations",
			    { { "records", "", "Records", 0 },
			      { "share", "", "Share %", 0 },
			      { "total_mean", "total", "mean", 0 },
			      { "total_p50", "cycles", "p50", 0 },
			      { "total_p90", "", "p90", 0 },
			      { "total_p99", "", "p99", 0 },
			      { "total_max", "", "max", 0 } },
			    0 },
	[PMS_SPE_BY_THREAD] = RUNNING("Threads"),
	[PMS_SPE_BY_CPU] = RUNNING("CPUs"),
};

/* For reports by two keys. */
static const struct view pair_view = WAITING("");

static const struct view *view_of(const struct pms_spe_report *report)
{
	enum pms_spe_by also;
	return pms_spe_report_also(report, &also) ? &pair_view : &views[pms_spe_report_by(report)];
}

uint32_t pms_show_spe_report_unused(enum pms_format format,
				    const struct pms_spe_report_options *options)
{
	const struct view *view = options->has_also ? &pair_view : &views[options->by];
	uint32_t all = PMS_SPE_HAS_TOTAL | PMS_SPE_HAS_ISSUE | PMS_SPE_HAS_TRANSLATION;
	if (format != PMS_FORMAT_TABLE)
		return 0;
	for (size_t i = 0; i < MEASURES_MOST && view->columns[i].measure; i++)
		all &= ~pms_spe_measure_latency(
			(size_t)pms_spe_measure_find(view->columns[i].measure));
	return all;
}

/* Cells ---------------------------------------------------------------------------------------- */

static void measure_text(char text[PMS_NUMBER_MAX], const struct pms_spe_report *report,
			 const struct pms_spe_row *row, const char *name)
{
	double value;
	size_t i = (size_t)pms_spe_measure_find(name);
	enum pms_spe_unit unit = pms_spe_measure(i)->unit;
	if (!pms_spe_measure_get(report, row, i, &value))
		snprintf(text, PMS_NUMBER_MAX, "-");
	else if (unit == PMS_SPE_FRACTION)
		pms_text_value(text, 100 * value, "percent of records");
	else if (value >= 1000 || value == (double)(uint64_t)value)
		pms_text_count(text, (uint64_t)(value + 0.5));
	else
		snprintf(text, PMS_NUMBER_MAX, "%.1f", value);
}

static void source_text(char text[PMS_NUMBER_MAX], const struct pms_spe_report *report, int source)
{
	const char *name =
		source < 0 ? "others"
			   : pms_spe_source_name(pms_spe_report_encoding(report), (unsigned)source);
	if (name)
		snprintf(text, PMS_NUMBER_MAX, "%s", name);
	else
		snprintf(text, PMS_NUMBER_MAX, "source_%d", source);
}

/* Order by wait, then by records, largest first. */
static int compare_from(const void *a, const void *b)
{
	const struct pms_spe_from *x = a, *y = b;
	if (x->wait != y->wait)
		return x->wait < y->wait ? 1 : -1;
	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return (x->source > y->source) - (x->source < y->source);
}

/* Sort the sources that loads waited for into @from. Returns their number. */
static size_t waited_for(struct pms_spe_from from[PMS_SPE_FROM_MOST], const struct pms_spe_row *row)
{
	size_t n = 0;
	memcpy(from, row->from, row->n_from * sizeof(from[0]));
	qsort(from, row->n_from, sizeof(from[0]), compare_from);
	while (n < row->n_from && from[n].wait)
		n++;
	return n;
}

/* Write "dram 61 %", a share of the row's wait. */
static void share_text(char text[SHARE], const struct pms_spe_report *report,
		       const struct pms_spe_row *row, const struct pms_spe_from *from)
{
	char name[PMS_NUMBER_MAX], share[PMS_NUMBER_MAX];
	source_text(name, report, from->source);
	pms_text_share(share, 100 * (double)from->wait / (double)row->wait);
	snprintf(text, SHARE, "%s %s", name, share);
}

/* Set the two sources with most wait, "dram 61 %, l2_cache 20 %"; a narrow table puts the second
 * below. */
static void set_from(struct pms_grid *grid, struct pms_grid_line *line, size_t column,
		     const struct pms_spe_report *report, const struct pms_spe_row *row)
{
	struct pms_spe_from from[PMS_SPE_FROM_MOST];
	char first[SHARE], second[SHARE];
	size_t n = waited_for(from, row);
	if (!n) {
		pms_grid_set(grid, line, column, "-");
		return;
	}
	share_text(first, report, row, &from[0]);
	if (n == 1) {
		pms_grid_set(grid, line, column, "%s", first);
		return;
	}
	share_text(second, report, row, &from[1]);
	if (grid->width >= WIDE)
		pms_grid_set(grid, line, column, "%s, %s", first, second);
	else
		pms_grid_set_two(grid, line, column, first, second);
}

/* Returns a path's last part. */
static const char *short_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

/* One of the row's keys, with its texts. */
struct about {
	enum pms_spe_by by;
	const char *const *texts;
};

/* Returns the text of the key with this name; NULL where there is none. */
static const char *key_text(const struct about *about, const char *name)
{
	size_t n;
	const struct pms_spe_key *keys = pms_spe_keys(about->by, &n);
	for (size_t i = 0; i < n; i++)
		if (!strcmp(keys[i].name, name))
			return about->texts[i];
	return NULL;
}

/* Append a word, with @before in front unless the cell is empty. NULL: append nothing. */
static void append(char text[TEXT], const char *before, const char *word)
{
	size_t length = strlen(text);
	if (word)
		snprintf(text + length, TEXT - length, "%s%s", length ? before : "", word);
}

/* Write "list.c:42 walk", a line with its function, or as much as is known. */
static void code_text(char text[TEXT], const struct pms_spe_code *code)
{
	if (code->file) {
		char number[PMS_NUMBER_MAX];
		snprintf(number, sizeof(number), "%u", code->line);
		append(text, " ", short_name(code->file));
		append(text, ":", number);
		append(text, " ", code->function);
		return;
	}
	append(text, " ", code->function);
	if (code->object)
		append(text, " in ", short_name(code->object));
}

static struct pms_spe_code code_of(const struct about *about)
{
	const char *line = key_text(about, "line");
	return (struct pms_spe_code){ .pc = key_text(about, "pc"),
				      .address = key_text(about, "address"),
				      .object = key_text(about, "object"),
				      .function = key_text(about, "symbol"),
				      .file = key_text(about, "file"),
				      .line = line ? (unsigned)strtoul(line, NULL, 10) : 0 };
}

static void target_text(char text[TEXT], const struct pms_spe_row *row)
{
	if (!row->targets)
		return;
	const struct pms_spe_code *to = &row->touches[0].code;
	char number[PMS_NUMBER_MAX], target[TEXT] = "";
	code_text(target, to);
	append(text, " to ", to->address ? to->address : to->pc);
	append(text, " ", *target ? target : NULL);
	snprintf(number, sizeof(number), "%zu more", row->targets - 1);
	append(text, ", ", row->targets > 1 ? number : NULL);
}

/* Write a key's known texts; of an object's path, write the name alone. */
static void key_about(char text[TEXT], const struct about *about, const struct pms_spe_row *row)
{
	size_t n;
	const struct pms_spe_key *keys = pms_spe_keys(about->by, &n);
	struct pms_spe_code code = code_of(about);
	*text = 0;
	if (about->by <= PMS_SPE_BY_PC || about->by == PMS_SPE_BY_BRANCH) {
		append(text, "", code.address ? code.address : code.pc);
		code_text(text, &code);
		if (about->by == PMS_SPE_BY_BRANCH)
			target_text(text, row);
		n = 0;
	}
	for (size_t i = 0; i < n; i++)
		if (about->texts[i])
			append(text,
			       !strcmp(keys[i].name, "pid")	? " pid "
			       : !strcmp(keys[i].name, "paddr") ? " physical "
								: " ",
			       !strcmp(keys[i].name, "object") ? short_name(about->texts[i])
							       : about->texts[i]);
	if (!*text)
		snprintf(text, TEXT, "%s",
			 row->rest			  ? "all others"
			 : about->by == PMS_SPE_BY_SOURCE ? "no data source"
							  : "not known");
}

/* Write all keys of the row into one cell. */
static void about_text(char text[TEXT], const struct pms_spe_report *report,
		       const struct pms_spe_row *row)
{
	struct about about = { pms_spe_report_by(report), row->keys };
	char second[TEXT];
	size_t n;
	key_about(text, &about, row);
	pms_spe_keys(about.by, &n);
	about.texts += n;
	if (row->rest || !pms_spe_report_also(report, &about.by))
		return;
	key_about(second, &about, row);
	append(text, ", ", second);
}

/* Tables --------------------------------------------------------------------------------------- */

static const char *about_title(enum pms_spe_by by)
{
	static const char *const titles[PMS_SPE_BYS] = {
		[PMS_SPE_BY_LINE] = "Line",	    [PMS_SPE_BY_SYMBOL] = "Function",
		[PMS_SPE_BY_PC] = "Instruction",    [PMS_SPE_BY_OBJECT] = "Object",
		[PMS_SPE_BY_SOURCE] = "Source",	    [PMS_SPE_BY_CACHELINE] = "Line",
		[PMS_SPE_BY_VARIABLE] = "Variable", [PMS_SPE_BY_PAGE] = "Page",
		[PMS_SPE_BY_BRANCH] = "Branch",	    [PMS_SPE_BY_OP] = "Operation",
		[PMS_SPE_BY_THREAD] = "Thread",	    [PMS_SPE_BY_CPU] = "CPU",
	};
	return titles[by];
}

/* The columns that fit, and in front the sort measure where no column shows its order. */
struct columns {
	struct {
		const char *measure;
		const char *above;
		char title[PMS_NUMBER_MAX];
	} rows[MEASURES_MOST + 1];
	size_t n;
};

/* Choose columns by width, and make sure that the reader sees the measure that rows are sorted
 * by. */
static void choose_columns(struct columns *columns, const struct pms_spe_report *report,
			   unsigned width)
{
	const struct view *view = view_of(report);
	const struct pms_spe_measure *sort = pms_spe_measure(pms_spe_report_sort(report));
	int sorted = 0;
	columns->n = 1; /* the first place is for the sort measure */
	for (size_t i = 0; i < MEASURES_MOST && view->columns[i].measure; i++) {
		if (view->columns[i].wide && width < WIDE)
			continue;
		/* wait_share sorts as wait does */
		sorted |= !strncmp(view->columns[i].measure, sort->name, strlen(sort->name));
		columns->rows[columns->n].measure = view->columns[i].measure;
		columns->rows[columns->n].above = view->columns[i].above;
		snprintf(columns->rows[columns->n++].title, PMS_NUMBER_MAX, "%s",
			 view->columns[i].title);
	}
	if (sorted) {
		memmove(columns->rows, columns->rows + 1, --columns->n * sizeof(columns->rows[0]));
		return;
	}
	columns->rows[0].measure = sort->name;
	columns->rows[0].above = "";
	snprintf(columns->rows[0].title, PMS_NUMBER_MAX, "%s%s", sort->title,
		 sort->unit == PMS_SPE_FRACTION ? " %" : "");
}

/* Whether to show sources: in a narrow table, a histogram or targets take their place. */
static int has_sources(const struct pms_spe_report *report, unsigned width)
{
	int crowded = pms_spe_report_histogram(report) || pms_spe_report_targets(report);
	return view_of(report)->from && (width >= WIDE || !crowded);
}

/* Write tenths of the row's loads, rounded up, for each doubling of their wait: "..139..." */
static void histogram_text(char text[PMS_SPE_OCTAVES + 1], const struct pms_spe_row *row)
{
	for (size_t i = 0; i < PMS_SPE_OCTAVES; i++) {
		uint64_t n = row->histogram[i], all = row->waiting.count;
		uint64_t tenths = row->has_histogram && all ? (n * 10 + all - 1) / all : 0;
		text[i] = tenths ? (char)('0' + (tenths > 9 ? 9 : tenths)) : '.';
	}
	text[PMS_SPE_OCTAVES] = 0;
}

/* Places that branches went to, a line below the row for each: "61.5 % to 0x401136 walk.c:5 walk".
 */
static void grid_targets(struct pms_grid *grid, size_t column, const char *way,
			 const struct pms_spe_touch *touches, size_t n)
{
	uint64_t all = 0;
	for (size_t i = 0; i < n; i++)
		all += touches[i].count;
	for (size_t i = 0; i < n && i < TARGETS_SHOWN; i++) {
		const struct pms_spe_code *to = &touches[i].code;
		char share[PMS_NUMBER_MAX], text[TEXT] = "", target[TEXT] = "";
		pms_text_value(share, 100 * (double)touches[i].count / (double)all,
			       "percent of records");
		append(text, "", share);
		append(text, " % ", way);
		append(text, " ", to->address ? to->address : to->pc ? to->pc : "not known");
		if (to->file || (to->function && to->function[0] != '['))
			code_text(target, to);
		append(text, " ", *target ? target : NULL);
		pms_grid_set(grid, pms_grid_line(grid, NULL), column, "  %s", text);
	}
	if (n > TARGETS_SHOWN)
		pms_grid_set(grid, pms_grid_line(grid, NULL), column, "  and %zu more",
			     n - TARGETS_SHOWN);
}

static void grid_row(struct pms_grid *grid, const struct pms_spe_report *report,
		     const struct columns *columns, const struct pms_spe_row *row)
{
	struct pms_grid_line *line = pms_grid_line(grid, NULL);
	char number[PMS_NUMBER_MAX], text[TEXT];
	size_t n = 0;
	for (; n < columns->n; n++) {
		measure_text(number, report, row, columns->rows[n].measure);
		pms_grid_set(grid, line, n, "%s", number);
	}
	if (pms_spe_report_histogram(report)) {
		histogram_text(number, row);
		pms_grid_set(grid, line, n++, "%s", number);
	}
	if (has_sources(report, grid->width))
		set_from(grid, line, n++, report, row);
	about_text(text, report, row);
	pms_grid_set(grid, line, n, "%s", text);
	if (!pms_spe_report_targets(report) || !pms_spe_report_has_targets(report))
		return;
	grid_targets(grid, n, "to", row->touches, row->n_touches);
	grid_targets(grid, n, "before, to", row->previous, row->n_previous);
}

/* Set titles as two lines of the table: the grid's own titles have one line. */
static void put_titles(struct pms_grid *grid, const struct pms_spe_report *report,
		       const struct columns *columns)
{
	enum pms_spe_by by = pms_spe_report_by(report), also;
	struct pms_grid_line *above = pms_grid_line(grid, NULL), *line = pms_grid_line(grid, NULL);
	size_t n = 0;
	for (; n < columns->n; n++) {
		pms_grid_set(grid, above, n, "%s", columns->rows[n].above);
		pms_grid_set(grid, line, n, "%s", columns->rows[n].title);
	}
	if (pms_spe_report_histogram(report)) {
		pms_grid_set(grid, above, n, "tenths of loads");
		pms_grid_set(grid, line, n++, "01248 64  1K  32K");
	}
	if (has_sources(report, grid->width)) {
		pms_grid_set(grid, above, n, "Data from,");
		pms_grid_set(grid, line, n++, "of the wait");
	}
	int two = pms_spe_report_also(report, &also);
	pms_grid_set(grid, two ? above : line, n, "%s", about_title(by));
	if (two)
		pms_grid_set(grid, line, n, "and %s", pms_spe_by_name(also));
}

/* Print one line per row. Rows are fetched one at a time, so large reports take little memory. */
static int put_rows(FILE *out, struct pms_spe_report *report,
		    const struct pms_show_options *options)
{
	struct pms_column titles[MEASURES_MOST + 4];
	struct columns columns;
	struct pms_grid grid;
	size_t n = 0;
	int rc = 0;
	choose_columns(&columns, report, options->width);
	for (; n < columns.n; n++)
		titles[n] = (struct pms_column){ "", PMS_GRID_RIGHT };
	if (pms_spe_report_histogram(report))
		titles[n++] = (struct pms_column){ "", 0 };
	if (has_sources(report, options->width))
		titles[n++] = (struct pms_column){ "", PMS_GRID_WRAP };
	titles[n++] = (struct pms_column){ "", PMS_GRID_WRAP };
	pms_grid_init(&grid, options, titles, n);
	grid.side_by_side = 1;
	put_titles(&grid, report, &columns);
	for (size_t i = 0; i < pms_spe_report_rows(report) && !rc; i++) {
		const struct pms_spe_row *row = pms_spe_report_row(report, i);
		if (row)
			grid_row(&grid, report, &columns, row);
		else
			rc = -PMS_ENOMEM;
	}
	rc = rc ? rc : pms_grid_print(&grid, 0, out);
	pms_grid_release(&grid);
	return rc;
}

/* Cache lines ---------------------------------------------------------------------------------- */

enum { USERS_SHOWN = 8 };

/* Returns what a sharing verdict means, in words. */
static const char *verdict(enum pms_spe_sharing sharing)
{
	static const char *const texts[] = {
		[PMS_SPE_SHARING_UNKNOWN] = "which threads touch it is not known",
		[PMS_SPE_PRIVATE] = "one thread alone touches it",
		[PMS_SPE_READ_SHARED] = "several threads read it, none was seen to write",
		[PMS_SPE_TAKEN_IN_TURN] = "several threads touch it, one after another",
		[PMS_SPE_TRUE_SHARING] = "threads write and touch the same place of it at the same "
					 "time: they share data",
		[PMS_SPE_FALSE_SHARING] = "threads touch different places of it at the same time, "
					  "and some write: false sharing. Put what each thread "
					  "writes into cache lines of its own",
		[PMS_SPE_MIXED_SHARING] = "threads write the same place of it and touch others at "
					  "the same time: they share data, and false sharing with "
					  "what lies beside it",
	};
	return texts[sharing];
}

/* Touches by one thread at one offset with one kind of access, over all instructions. */
struct user {
	const struct pms_spe_touch *touch;
	uint64_t count;
	size_t instructions;
};

static int same_user(const void *a, const void *b)
{
	const struct pms_spe_touch *x = ((const struct user *)a)->touch,
				   *y = ((const struct user *)b)->touch;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return (x->access > y->access) - (x->access < y->access);
}

static int by_user(const void *a, const void *b)
{
	const struct user *x = a, *y = b;
	int order = same_user(x, y);
	return order ? order : (x->touch > y->touch) - (x->touch < y->touch);
}

/* Put touches of the same user together: sorted, since there may be as many as threads. */
static size_t find_users(const struct pms_spe_row *row, struct user *users)
{
	size_t n = 0;
	for (size_t i = 0; i < row->n_touches; i++)
		users[i] = (struct user){ &row->touches[i], row->touches[i].count, 1 };
	qsort(users, row->n_touches, sizeof(*users), by_user);
	for (size_t i = 0; i < row->n_touches; i++) {
		if (n && !same_user(&users[n - 1], &users[i])) {
			users[n - 1].count += users[i].count;
			users[n - 1].instructions++;
		} else {
			users[n++] = users[i];
		}
	}
	return n;
}

static int compare_users(const void *a, const void *b)
{
	const struct user *x = a, *y = b;
	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return (x->touch > y->touch) - (x->touch < y->touch);
}

/* Print who touches the line, how often, and from which code. */
static void user_row(struct pms_grid *grid, const struct user *user)
{
	struct pms_grid_line *line = pms_grid_line(grid, NULL);
	const struct pms_spe_touch *touch = user->touch;
	char number[PMS_NUMBER_MAX], text[TEXT] = "";
	pms_text_count(number, user->count);
	pms_grid_set(grid, line, 0, "%u", touch->offset);
	pms_grid_set(grid, line, 1, "%s", pms_spe_access_name(touch->access));
	pms_grid_set(grid, line, 2, "%s", number);
	if (touch->tid < 0)
		pms_grid_set(grid, line, 3, "not known");
	else
		pms_grid_set(grid, line, 3, "%" PRId32 " %s", touch->tid, touch->comm);
	code_text(text, &touch->code);
	if (user->instructions > 1) {
		snprintf(number, sizeof(number), "%zu more", user->instructions - 1);
		append(text, ", ", number);
	}
	pms_grid_set(grid, line, 4, "%s", *text ? text : "not known");
}

/* Print the users of a line, the busiest first, up to USERS_SHOWN. */
static int put_users(FILE *out, const struct pms_spe_row *row,
		     const struct pms_show_options *options)
{
	static const struct pms_column columns[] = { { "  Offset", PMS_GRID_RIGHT },
						     { "Access", 0 },
						     { "Records", PMS_GRID_RIGHT },
						     { "Thread", 0 },
						     { "Code", PMS_GRID_WRAP } };
	struct user *users = reallocarray(NULL, row->n_touches, sizeof(*users));
	struct pms_grid grid;
	if (!users)
		return -PMS_ENOMEM;
	size_t n = find_users(row, users);
	qsort(users, n, sizeof(*users), compare_users);
	pms_grid_init(&grid, options, columns, sizeof(columns) / sizeof(columns[0]));
	grid.side_by_side = 1;
	for (size_t i = 0; i < n && i < USERS_SHOWN; i++)
		user_row(&grid, &users[i]);
	int rc = pms_grid_print(&grid, 1, out);
	pms_grid_release(&grid);
	if (n > USERS_SHOWN)
		fprintf(out, "  and %zu more\n", n - USERS_SHOWN);
	free(users);
	return rc;
}

/* Write "counters+0x40", the variable at a place. */
static void data_text(char text[TEXT], const struct pms_spe_spot *spot)
{
	char offset[PMS_NUMBER_MAX];
	append(text, "", spot->data_symbol ? spot->data_symbol : "not known");
	if (!spot->has_data_offset || !spot->data_offset)
		return;
	snprintf(offset, sizeof(offset), "+0x%" PRIx64, spot->data_offset);
	append(text, "", offset);
}

/* Print one offset of a line. "-" means not known, which is not 0. */
static void spot_row(struct pms_grid *grid, const struct pms_spe_row *row,
		     const struct pms_spe_spot *spot)
{
	struct pms_grid_line *line = pms_grid_line(grid, NULL);
	const uint64_t counts[] = {
		spot->loads,   spot->stores,
		spot->peers,   spot->waited ? (spot->wait + spot->waited / 2) / spot->waited : 0,
		spot->threads, spot->cpus
	};
	const int known[] = { 1, 1, 1, spot->waited != 0, spot->threads != 0, spot->cpus != 0 };
	char number[PMS_NUMBER_MAX], text[TEXT] = "";
	pms_grid_set(grid, line, 0, "%u", spot->offset);
	pms_text_value(number, 100 * (double)spot->records / (double)row->records,
		       "percent of records");
	pms_grid_set(grid, line, 1, "%s", number);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		pms_text_count(number, counts[i]);
		pms_grid_set(grid, line, 2 + i, "%s", known[i] ? number : "-");
	}
	data_text(text, spot);
	pms_grid_set(grid, line, 8, "%s", text);
}

/* Print the places touched in a line: how often, how long loads wait, by how many threads. */
static int put_spots(FILE *out, const struct pms_spe_row *row,
		     const struct pms_show_options *options)
{
	static const struct pms_column columns[] = {
		{ "  Offset", PMS_GRID_RIGHT }, { "Share %", PMS_GRID_RIGHT },
		{ "Loads", PMS_GRID_RIGHT },	{ "Stores", PMS_GRID_RIGHT },
		{ "Peers", PMS_GRID_RIGHT },	{ "Wait", PMS_GRID_RIGHT },
		{ "Threads", PMS_GRID_RIGHT },	{ "CPUs", PMS_GRID_RIGHT },
		{ "Variable", PMS_GRID_WRAP }
	};
	struct pms_grid grid;
	pms_grid_init(&grid, options, columns, sizeof(columns) / sizeof(columns[0]));
	grid.side_by_side = 1;
	for (size_t i = 0; i < row->n_spots && i < USERS_SHOWN; i++)
		spot_row(&grid, row, &row->spots[i]);
	int rc = pms_grid_print(&grid, 1, out);
	pms_grid_release(&grid);
	if (row->n_spots > USERS_SHOWN)
		fprintf(out, "  and %zu more\n", row->n_spots - USERS_SHOWN);
	fputc('\n', out);
	return rc;
}

/* Append "1 load", "2 loads". */
static void append_count(char text[TEXT], uint64_t count, const char *what)
{
	char number[PMS_NUMBER_MAX];
	pms_text_count(number, count);
	append(text, ", ", number);
	append(text, " ", what);
	append(text, "", count == 1 ? NULL : "s");
}

/* Write what was sampled of a line: "80 loads, 100 stores, 2 of these atomic". Operations of
 * class "other" may have a data address and are counted as neither. */
static void accesses_text(char text[TEXT], const struct pms_spe_row *row)
{
	uint64_t others = row->records - row->loads - row->stores;
	char number[PMS_NUMBER_MAX];
	*text = 0;
	append_count(text, row->loads, "load");
	append_count(text, row->stores, "store");
	pms_text_count(number, row->atomics);
	append(text, ", ", row->atomics ? number : NULL);
	append(text, " ", row->atomics ? "of these atomic" : NULL);
	if (!others)
		return;
	append_count(text, others, "operation");
	append(text, " ", "of another kind");
}

static int put_line(struct pms_page *page, const struct pms_spe_report *report,
		    const struct pms_spe_row *row)
{
	char about[TEXT], text[TEXT], number[PMS_NUMBER_MAX];
	about_text(about, report, row);
	accesses_text(text, row);
	if (row->waiting.count) {
		measure_text(number, report, row, "wait_p50");
		append(text, "; half of the loads wait ", number);
		measure_text(number, report, row, "wait_share");
		append(text, " cycles or fewer; ", number);
		append(text, " ", "% of the wait");
	}
	pms_page_heading(page, "%s", about);
	pms_page_text(page, "  ", "%s; %s.", text, verdict(row->sharing));
	int rc = row->n_spots ? put_spots(page->out, row, page->options) : 0;
	return !rc && row->n_touches ? put_users(page->out, row, page->options) : rc;
}

static int put_lines(struct pms_page *page, struct pms_spe_report *report)
{
	int rc = 0;
	for (size_t i = 0; i < pms_spe_report_rows(report) && !rc; i++) {
		const struct pms_spe_row *row = pms_spe_report_row(report, i);
		rc = row ? put_line(page, report, row) : -PMS_ENOMEM;
		fputc('\n', page->out);
	}
	return rc;
}

/* The whole ------------------------------------------------------------------------------------ */

static void put_quality(void *context, const char *name, const char *text)
{
	char first[64];
	snprintf(first, sizeof(first), "  %-20s ", name);
	pms_page_text(context, first, "%s", text);
}

/* Sum up the loads of the whole report: their mean wait, and the sources that they waited for. */
static void put_loads(struct pms_page *page, const struct pms_spe_report *report)
{
	enum { SOURCES_OF_ALL = 4 };
	const struct pms_spe_row *total = pms_spe_report_total(report);
	struct pms_spe_from from[PMS_SPE_FROM_MOST];
	size_t n = waited_for(from, total);
	char text[TEXT] = "", share[SHARE], part[2 * SHARE], loads[PMS_NUMBER_MAX],
	     mean[PMS_NUMBER_MAX];
	if (!total->waited)
		return;
	for (size_t i = 0; i < n && i < SOURCES_OF_ALL; i++) {
		share_text(share, report, total, &from[i]);
		snprintf(part, sizeof(part), "%s (%.0f cycles each)", share,
			 (double)from[i].wait / (double)from[i].waited);
		append(text, ", ", part);
	}
	pms_text_count(loads, total->loads);
	measure_text(mean, report, total, "wait_mean");
	pms_page_text(page, "",
		      "%s load%s, which took %s cycles from issue to completion on average.%s%s%s",
		      loads, total->loads == 1 ? "" : "s", mean,
		      *text ? " What they waited for, by cycles: " : "", text, *text ? "." : "");
}

/* Head the report: file and kind, the loads, and how many rows are shown in which order. */
static void put_heading(struct pms_page *page, const struct pms_spe_report *report,
			const char *file)
{
	const struct pms_spe_accounts *a = pms_spe_report_accounts(report);
	const struct pms_spe_measure *sort = pms_spe_measure(pms_spe_report_sort(report));
	size_t shown = pms_spe_report_rows(report) - (a->rest > 0);
	enum pms_spe_by also;
	int two = pms_spe_report_also(report, &also);
	if (two)
		pms_page_heading(page, "%s: by %s and %s", file,
				 pms_spe_by_name(pms_spe_report_by(report)), pms_spe_by_name(also));
	else
		pms_page_heading(page, "%s: %s", file, view_of(report)->heading);
	if (view_of(report)->from)
		put_loads(page, report);
	if (shown < a->groups)
		pms_page_text(page, "", "The first %zu of %zu by %s (%s); --limit 0 shows all.",
			      shown, a->groups, sort->name, sort->text);
	else if (a->groups > 1)
		pms_page_text(page, "", "By %s (%s).", sort->name, sort->text);
	fputc('\n', page->out);
}

int pms_show_spe_table(FILE *out, struct pms_spe_report *report, const char *file,
		       const struct pms_show_options *options, struct pms_error *err)
{
	struct pms_page page;
	int rc = 0;
	pms_page_init(&page, out, options);
	put_heading(&page, report, file);
	if (!pms_spe_report_rows(report))
		pms_page_text(&page, "", "No records to show.");
	else if (pms_spe_report_is(report, PMS_SPE_BY_CACHELINE))
		rc = put_lines(&page, report);
	else
		rc = put_rows(out, report, options);
	fputc('\n', out);
	pms_page_heading(&page, "How good the sample is");
	pms_spe_quality_lines(report, put_quality, &page);
	rc = page.failed ? -PMS_ENOMEM : rc;
	pms_page_release(&page);
	return rc ? pms_no_memory(err) : 0;
}

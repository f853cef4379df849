/* SPDX-License-Identifier: MIT */
/* A report of SPE samples to read, 80 columns wide: some measures of each row, then what the row is
 * about; at the end how good the sample is. */
#include "show/spe_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "show/grid.h"
#include "show/page.h"
#include "show/text.h"

enum { MEASURES_MOST = 9, TEXT = 1024 };

/* Two sources where there is room for them. */
enum { WIDE = 110 };

/* What the table of a kind of report shows. */
struct view {
	const char *heading;
	struct {
		const char *measure, *title;
		int wide;	  /* 1: only where there is room */
	} columns[MEASURES_MOST]; /* up to a NULL */
	int from;		  /* 1: where data came from */
};

#define WAITING(heading)                                                                           \
	{                                                                                          \
		heading,                                                                           \
			{ { "wait_share", "Wait %", 0 },                                           \
			  { "records", "Records", 0 },                                             \
			  { "total_p50", "p50", 0 },                                               \
			  { "total_p90", "p90", 0 },                                               \
			  { "l1d_miss_ratio", "L1D miss %", 1 } },                                 \
			1                                                                          \
	}

#define RUNNING(heading)                                                                           \
	{                                                                                          \
		heading, { { "records", "Records", 0 },                                            \
			   { "share", "Share %", 0 },                                              \
			   { "wait_share", "Wait %", 0 },                                          \
			   { "total_p90", "p90", 0 },                                              \
			   { "l1d_miss_ratio", "L1D miss %", 0 },                                  \
			   { "mispredict_ratio", "Mispred. %", 0 } },                              \
			0                                                                          \
	}

static const struct view views[PMS_SPE_BYS] = {
	[PMS_SPE_BY_LINE] = WAITING("Lines of code"),
	[PMS_SPE_BY_SYMBOL] = WAITING("Functions"),
	[PMS_SPE_BY_PC] = WAITING("Instructions"),
	[PMS_SPE_BY_OBJECT] = WAITING("Programs and libraries"),
	[PMS_SPE_BY_SOURCE] = { "Where loads had their data from",
				{ { "records", "Records", 0 },
				  { "share", "Share %", 0 },
				  { "wait_share", "Wait %", 0 },
				  { "total_mean", "mean", 0 },
				  { "total_p50", "p50", 0 },
				  { "total_p90", "p90", 0 },
				  { "total_p99", "p99", 0 },
				  { "total_max", "max", 0 } },
				0 },
	[PMS_SPE_BY_CACHELINE] = { "Cache lines, first those that threads write while others use "
				   "them",
				   { { NULL, NULL, 0 } },
				   0 },
	[PMS_SPE_BY_PAGE] = { "Pages of 4 KiB",
			      { { "wait_share", "Wait %", 0 },
				{ "loads", "Loads", 0 },
				{ "stores", "Stores", 0 },
				{ "tlb_walk", "Walks", 0 },
				{ "total_p50", "p50", 0 },
				{ "total_p90", "p90", 0 },
				{ "xlat_mean", "transl.", 0 } },
			      0 },
	[PMS_SPE_BY_BRANCH] = { "Branches",
				{ { "mispredicted", "Mispred.", 0 },
				  { "mispredict_ratio", "Mispred. %", 0 },
				  { "records", "Records", 0 },
				  { "not_taken_ratio", "Not taken %", 0 },
				  { "total_p50", "p50", 0 } },
				0 },
	[PMS_SPE_BY_OP] = { "Kinds of operations",
			    { { "records", "Records", 0 },
			      { "share", "Share %", 0 },
			      { "total_mean", "mean", 0 },
			      { "total_p50", "p50", 0 },
			      { "total_p90", "p90", 0 },
			      { "total_p99", "p99", 0 },
			      { "total_max", "max", 0 } },
			    0 },
	[PMS_SPE_BY_THREAD] = RUNNING("Threads"),
	[PMS_SPE_BY_CPU] = RUNNING("CPUs"),
};

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
		snprintf(text, PMS_NUMBER_MAX, "source %d", source);
}

/* "dram 61 %, l2_cache 20 %": the first @most, of the records that have a source. */
static void from_text(char text[TEXT], const struct pms_spe_report *report,
		      const struct pms_spe_row *row, size_t most)
{
	uint64_t all = 0;
	size_t length = 0;
	for (size_t i = 0; i < row->n_from; i++)
		all += row->from[i].count;
	snprintf(text, TEXT, "-");
	for (size_t i = 0; i < row->n_from && i < most; i++) {
		char name[PMS_NUMBER_MAX];
		source_text(name, report, row->from[i].source);
		length += (size_t)snprintf(text + length, TEXT - length, "%s%s %.0f %%",
					   i ? ", " : "", name,
					   100 * (double)row->from[i].count / (double)all);
	}
}

/* The file's name without its folders. */
static const char *short_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

/* The text of the key that has this name, NULL where there is none. */
static const char *key_text(const struct pms_spe_report *report, const struct pms_spe_row *row,
			    const char *name)
{
	size_t n;
	const struct pms_spe_key *keys = pms_spe_keys(pms_spe_report_by(report), &n);
	for (size_t i = 0; i < n; i++)
		if (!strcmp(keys[i].name, name))
			return row->keys[i];
	return NULL;
}

/* Append a word to a cell: a blank, or @before, between it and what is there. NULL: nothing. */
static void append(char text[TEXT], const char *before, const char *word)
{
	size_t length = strlen(text);
	if (word)
		snprintf(text + length, TEXT - length, "%s%s", length ? before : "", word);
}

/* "list.c:42 walk": a line with its function, or what is known instead. */
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

static struct pms_spe_code code_of_row(const struct pms_spe_report *report,
				       const struct pms_spe_row *row)
{
	const char *line = key_text(report, row, "line");
	return (struct pms_spe_code){ .pc = key_text(report, row, "pc"),
				      .object = key_text(report, row, "object"),
				      .function = key_text(report, row, "symbol"),
				      .file = key_text(report, row, "file"),
				      .line = line ? (unsigned)strtoul(line, NULL, 10) : 0 };
}

static void target_text(char text[TEXT], const struct pms_spe_row *row)
{
	if (!row->targets)
		return;
	const struct pms_spe_code *to = &row->touches[0].code;
	char number[PMS_NUMBER_MAX], target[TEXT] = "";
	code_text(target, to);
	append(text, " to ", to->pc);
	append(text, " ", *target ? target : NULL);
	snprintf(number, sizeof(number), "%zu more", row->targets - 1);
	append(text, ", ", row->targets > 1 ? number : NULL);
}

/* What the row is about, in one cell: keys that are known, a path by its name alone. */
static void about_text(char text[TEXT], const struct pms_spe_report *report,
		       const struct pms_spe_row *row)
{
	enum pms_spe_by by = pms_spe_report_by(report);
	size_t n;
	const struct pms_spe_key *keys = pms_spe_keys(by, &n);
	struct pms_spe_code code = code_of_row(report, row);
	*text = 0;
	if (by <= PMS_SPE_BY_PC || by == PMS_SPE_BY_BRANCH) {
		append(text, "", code.pc);
		code_text(text, &code);
		target_text(text, row);
		n = 0;
	}
	for (size_t i = 0; i < n; i++)
		if (row->keys[i])
			append(text,
			       !strcmp(keys[i].name, "pid")	? " pid "
			       : !strcmp(keys[i].name, "paddr") ? " physical "
								: " ",
			       !strcmp(keys[i].name, "object") ? short_name(row->keys[i])
							       : row->keys[i]);
	if (!*text)
		snprintf(text, TEXT, "%s",
			 row->rest		   ? "all others"
			 : by == PMS_SPE_BY_SOURCE ? "no data source"
						   : "not known");
}

/* Tables --------------------------------------------------------------------------------------- */

static const char *about_title(enum pms_spe_by by)
{
	static const char *const titles[PMS_SPE_BYS] = {
		[PMS_SPE_BY_LINE] = "Line",	 [PMS_SPE_BY_SYMBOL] = "Function",
		[PMS_SPE_BY_PC] = "Instruction", [PMS_SPE_BY_OBJECT] = "Object",
		[PMS_SPE_BY_SOURCE] = "Source",	 [PMS_SPE_BY_CACHELINE] = "Line",
		[PMS_SPE_BY_PAGE] = "Page",	 [PMS_SPE_BY_BRANCH] = "Branch",
		[PMS_SPE_BY_OP] = "Operation",	 [PMS_SPE_BY_THREAD] = "Thread",
		[PMS_SPE_BY_CPU] = "CPU",
	};
	return titles[by];
}

/* The columns that a table has room for, and what it is sorted by if that is none of them. */
struct columns {
	struct {
		const char *measure;
		char title[PMS_NUMBER_MAX];
	} rows[MEASURES_MOST + 1];
	size_t n;
};

static void choose_columns(struct columns *columns, const struct pms_spe_report *report,
			   unsigned width)
{
	const struct view *view = &views[pms_spe_report_by(report)];
	const struct pms_spe_measure *sort = pms_spe_measure(pms_spe_report_sort(report));
	int sorted = 0;
	columns->n = 1; /* the first is for the order */
	for (size_t i = 0; i < MEASURES_MOST && view->columns[i].measure; i++) {
		if (view->columns[i].wide && width < WIDE)
			continue;
		/* wait_share is in the order of wait too. */
		sorted |= !strncmp(view->columns[i].measure, sort->name, strlen(sort->name));
		columns->rows[columns->n].measure = view->columns[i].measure;
		snprintf(columns->rows[columns->n++].title, PMS_NUMBER_MAX, "%s",
			 view->columns[i].title);
	}
	if (sorted) {
		memmove(columns->rows, columns->rows + 1, --columns->n * sizeof(columns->rows[0]));
		return;
	}
	columns->rows[0].measure = sort->name;
	snprintf(columns->rows[0].title, PMS_NUMBER_MAX, "%s%s", sort->title,
		 sort->unit == PMS_SPE_FRACTION ? " %" : "");
}

static void grid_row(struct pms_grid *grid, const struct pms_spe_report *report,
		     const struct columns *columns, const struct pms_spe_row *row)
{
	struct libscols_line *line = pms_grid_line(grid, NULL);
	char number[PMS_NUMBER_MAX], text[TEXT];
	size_t n = 0;
	for (; n < columns->n; n++) {
		measure_text(number, report, row, columns->rows[n].measure);
		pms_grid_set(grid, line, n, "%s", number);
	}
	if (views[pms_spe_report_by(report)].from) {
		from_text(text, report, row, grid->width < WIDE ? 1 : 2);
		pms_grid_set(grid, line, n++, "%s", text);
	}
	about_text(text, report, row);
	pms_grid_set(grid, line, n, "%s", text);
}

static int put_rows(FILE *out, struct pms_spe_report *report,
		    const struct pms_show_options *options)
{
	enum pms_spe_by by = pms_spe_report_by(report);
	struct pms_column titles[MEASURES_MOST + 3];
	struct columns columns;
	struct pms_grid grid;
	size_t n = 0;
	int rc = 0;
	choose_columns(&columns, report, options->width);
	for (; n < columns.n; n++)
		titles[n] = (struct pms_column){ columns.rows[n].title, SCOLS_FL_RIGHT };
	if (views[by].from)
		titles[n++] = (struct pms_column){ "Data from", 0 };
	titles[n++] = (struct pms_column){ about_title(by), SCOLS_FL_WRAP };
	pms_grid_init(&grid, options, titles, n);
	grid.side_by_side = 1;
	for (size_t i = 0; i < pms_spe_report_rows(report) && !rc; i++) {
		const struct pms_spe_row *row = pms_spe_report_row(report, i);
		if (row)
			grid_row(&grid, report, &columns, row);
		else
			rc = -PMS_ENOMEM;
	}
	rc = rc ? rc : pms_grid_print(&grid, 1, out);
	pms_grid_release(&grid);
	return rc;
}

/* Cache lines ---------------------------------------------------------------------------------- */

enum { USERS_SHOWN = 8 };

/* What to make of it, in words. */
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

/* Touches of one thread at one offset, whatever the instructions: the first has the most. */
struct user {
	const struct pms_spe_touch *touch;
	uint64_t count;
	size_t instructions;
};

static size_t find_users(const struct pms_spe_row *row, struct user *users)
{
	size_t n = 0, k;
	for (size_t i = 0; i < row->n_touches; i++) {
		const struct pms_spe_touch *t = &row->touches[i];
		for (k = 0; k < n; k++)
			if (users[k].touch->tid == t->tid && users[k].touch->offset == t->offset &&
			    users[k].touch->access == t->access)
				break;
		if (k == n)
			users[n++] = (struct user){ t, 0, 0 };
		users[k].count += t->count;
		users[k].instructions++;
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

static void user_row(struct pms_grid *grid, const struct user *user)
{
	struct libscols_line *line = pms_grid_line(grid, NULL);
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

static int put_users(FILE *out, const struct pms_spe_row *row,
		     const struct pms_show_options *options)
{
	static const struct pms_column columns[] = { { "  Offset", SCOLS_FL_RIGHT },
						     { "Access", 0 },
						     { "Records", SCOLS_FL_RIGHT },
						     { "Thread", 0 },
						     { "Code", SCOLS_FL_WRAP } };
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

static int put_line(struct pms_page *page, const struct pms_spe_report *report,
		    const struct pms_spe_row *row)
{
	char about[TEXT], loads[PMS_NUMBER_MAX], stores[PMS_NUMBER_MAX], p50[PMS_NUMBER_MAX],
		atomics[PMS_NUMBER_MAX + 16] = "", wait[PMS_NUMBER_MAX];
	about_text(about, report, row);
	pms_text_count(loads, row->loads);
	pms_text_count(stores, row->stores);
	if (row->atomics)
		snprintf(atomics, sizeof(atomics), ", %" PRIu64 " of these atomic", row->atomics);
	measure_text(p50, report, row, "total_p50");
	measure_text(wait, report, row, "wait_share");
	pms_page_heading(page, "%s", about);
	pms_page_text(page, "  ",
		      "%s loads, %s stores%s; half take %s cycles or fewer; %s %% of the "
		      "wait; %s.",
		      loads, stores, atomics, p50, wait, verdict(row->sharing));
	return row->n_touches ? put_users(page->out, row, page->options) : 0;
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

/* What the loads of the whole report come to. */
static void put_loads(struct pms_page *page, const struct pms_spe_report *report)
{
	enum { SOURCES = 4 };
	const struct pms_spe_row *total = pms_spe_report_total(report);
	char text[TEXT] = "", part[128], loads[PMS_NUMBER_MAX], mean[PMS_NUMBER_MAX];
	uint64_t all = 0;
	if (!total->waited)
		return;
	for (size_t i = 0; i < total->n_from; i++)
		all += total->from[i].count;
	for (size_t i = 0; i < total->n_from && i < SOURCES; i++) {
		const struct pms_spe_from *f = &total->from[i];
		char name[PMS_NUMBER_MAX];
		source_text(name, report, f->source);
		snprintf(part, sizeof(part), "%s %.0f %%", name,
			 100 * (double)f->count / (double)all);
		append(text, ", ", part);
		if (f->n_total) {
			snprintf(part, sizeof(part), "%.0f cycles",
				 (double)f->sum / (double)f->n_total);
			append(text, " after ", part);
		}
	}
	pms_text_count(loads, total->loads);
	measure_text(mean, report, total, "wait_mean");
	pms_page_text(page, "",
		      "%s loads, which took %s cycles from issue to completion on "
		      "average.%s%s%s",
		      loads, mean, *text ? " Their data came from " : "", text, *text ? "." : "");
}

static void put_heading(struct pms_page *page, const struct pms_spe_report *report,
			const char *file)
{
	const struct pms_spe_accounts *a = pms_spe_report_accounts(report);
	const struct pms_spe_measure *sort = pms_spe_measure(pms_spe_report_sort(report));
	size_t shown = pms_spe_report_rows(report) - (a->rest > 0);
	pms_page_heading(page, "%s: %s", file, views[pms_spe_report_by(report)].heading);
	if (views[pms_spe_report_by(report)].from)
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
	else if (pms_spe_report_by(report) == PMS_SPE_BY_CACHELINE)
		rc = put_lines(&page, report);
	else
		rc = put_rows(out, report, options);
	fputc('\n', out);
	pms_page_heading(&page, "How good the sample is");
	pms_spe_quality_lines(report, put_quality, &page);
	rc = page.failed ? -PMS_ENOMEM : rc;
	pms_page_release(&page);
	return rc ? pms_fail(err, PMS_ENOMEM, "out of memory") : 0;
}

/* SPDX-License-Identifier: MIT */
/* Cache lines in reports of SPE samples: the places touched in one, who touches it, and what that
 * says of sharing. Targets of branches are touches too. */
#include "show/spe_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "show/grid.h"
#include "show/spe_text.h"

enum { SHOWN = 8, USER_FIELDS = 5 }; /* users and places shown to people */

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

static int compare_who(const struct pms_spe_touch *x, const struct pms_spe_touch *y)
{
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return (x->access > y->access) - (x->access < y->access);
}

static int by_user(const void *a, const void *b)
{
	const struct pms_spe_touch *const *x = a, *const *y = b;
	int order = compare_who(*x, *y);
	return order ? order : (*x > *y) - (*x < *y);
}

static int is_busier(const struct user *x, const struct user *y)
{
	return x->count != y->count ? x->count > y->count : x->touch < y->touch;
}

/* Insert a user among the @n busiest, of which SHOWN are kept. */
static void keep_busiest(struct user *busiest, size_t n, const struct user *user)
{
	size_t at = n < SHOWN ? n : SHOWN;
	for (; at && is_busier(user, &busiest[at - 1]); at--)
		if (at < SHOWN)
			busiest[at] = busiest[at - 1];
	if (at < SHOWN)
		busiest[at] = *user;
}

/* Find the SHOWN busiest users, the busiest first. Touches of the same user are put together by
 * sorting, since there may be as many as threads. Returns the number of all users. */
static size_t find_users(const struct pms_spe_row *row, const struct pms_spe_touch **touches,
			 struct user busiest[SHOWN])
{
	size_t users = 0, n = row->n_touches;
	struct user user = { 0 };
	for (size_t i = 0; i < n; i++)
		touches[i] = &row->touches[i];
	qsort((void *)touches, n, sizeof(touches[0]), by_user);
	for (size_t i = 0; i < n; i++) {
		if (!user.touch)
			user.touch = touches[i];
		user.count += touches[i]->count;
		user.instructions++;
		if (i + 1 < n && !compare_who(touches[i], touches[i + 1]))
			continue;
		keep_busiest(busiest, users++, &user);
		user = (struct user){ 0 };
	}
	return users;
}

/* Say who touches the line, how often, and from which code. */
static void put_user(struct pms_out_item *table, const struct user *user)
{
	struct pms_out_item *row = pms_out_row(table, USER_FIELDS);
	const struct pms_spe_touch *touch = user->touch;
	char number[PMS_NUMBER_MAX], text[PMS_SPE_TEXT] = "";
	pms_text_count(number, user->count);
	pms_out_cell(row, 0, pms_out_of_count(touch->offset));
	pms_out_cell(row, 1, pms_out_of_text(pms_spe_access_name(touch->access)));
	pms_out_cell_print(row, 2, "%s", number);
	if (touch->tid < 0)
		pms_out_cell(row, 3, pms_out_of_text("not known"));
	else
		pms_out_cell_print(row, 3, "%" PRId32 " %s", touch->tid, touch->comm);
	pms_spe_code_text(text, &touch->code);
	if (user->instructions > 1) {
		snprintf(number, sizeof(number), "%zu more", user->instructions - 1);
		pms_spe_append(text, ", ", number);
	}
	pms_out_cell_print(row, 4, "%s", *text ? text : "not known");
}

/* For people: add the users of a line, the busiest first, up to SHOWN. */
static void put_users(struct pms_out_item *parent, const struct pms_spe_row *row)
{
	static const struct pms_out_field fields[USER_FIELDS] = {
		{ NULL, NULL, "  Offset", PMS_GRID_RIGHT },
		{ NULL, NULL, "Access", 0 },
		{ NULL, NULL, "Records", PMS_GRID_RIGHT },
		{ NULL, NULL, "Thread", 0 },
		{ NULL, NULL, "Code", PMS_GRID_WRAP }
	};
	struct user busiest[SHOWN];
	const struct pms_spe_touch **touches =
		reallocarray(NULL, row->n_touches, sizeof(touches[0]));
	if (!touches) {
		parent->outline->failed = 1;
		return;
	}
	size_t n = find_users(row, touches, busiest);
	free((void *)touches);
	struct pms_out_item *table =
		pms_out_table(parent, PMS_FOR_PEOPLE, NULL, fields, USER_FIELDS);
	pms_out_set_side_by_side(table);
	for (size_t i = 0; i < n && i < SHOWN; i++)
		put_user(table, &busiest[i]);
	if (n > SHOWN)
		pms_out_line(parent, "  and %zu more", n - SHOWN);
}

/* Write "counters+0x40", the variable at a place. */
static void data_text(char text[PMS_SPE_TEXT], const struct pms_spe_spot *spot)
{
	char offset[PMS_NUMBER_MAX];
	pms_spe_append(text, "", spot->data_symbol ? spot->data_symbol : "not known");
	if (!spot->has_data_offset || !spot->data_offset)
		return;
	snprintf(offset, sizeof(offset), "+0x%" PRIx64, spot->data_offset);
	pms_spe_append(text, "", offset);
}

/* Append "1 load", "2 loads". */
static void append_count(char text[PMS_SPE_TEXT], uint64_t count, const char *what)
{
	char number[PMS_NUMBER_MAX];
	pms_text_count(number, count);
	pms_spe_append(text, ", ", number);
	pms_spe_append(text, " ", what);
	pms_spe_append(text, "", count == 1 ? NULL : "s");
}

/* Write what was sampled of a line: "80 loads, 100 stores, 2 of these atomic". Operations of
 * class "other" may have a data address and are counted as neither. */
static void accesses_text(char text[PMS_SPE_TEXT], const struct pms_spe_row *row)
{
	uint64_t others = row->records - row->loads - row->stores;
	char number[PMS_NUMBER_MAX];
	*text = 0;
	append_count(text, row->loads, "load");
	append_count(text, row->stores, "store");
	pms_text_count(number, row->atomics);
	pms_spe_append(text, ", ", row->atomics ? number : NULL);
	pms_spe_append(text, " ", row->atomics ? "of these atomic" : NULL);
	if (!others)
		return;
	append_count(text, others, "operation");
	pms_spe_append(text, " ", "of another kind");
}

/* Places ----------------------------------------------------------------------------------------
 */

/* The fields that tell of code, for JSON. */
#define CODE_FIELDS                                                                                \
	{ "address", NULL, NULL, 0 }, PMS_SPE_NAME("object"), PMS_SPE_NAME("symbol"),              \
		PMS_SPE_NAME("file"),                                                              \
	{                                                                                          \
		"line", NULL, NULL, 0                                                              \
	}

/* Set the cells of CODE_FIELDS from @column on. Returns the column after them. */
static size_t put_code(struct pms_out_item *row, size_t column, const struct pms_spe_code *code)
{
	const char *const names[] = { code->object, code->function, code->file };
	pms_out_cell(row, column++, pms_out_of_text(code->address));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		pms_spe_put_name(row, column, names[i]);
		column += PMS_SPE_NAME_FIELDS;
	}
	pms_out_cell(row, column++, pms_out_when(code->line != 0, pms_out_of_count(code->line)));
	return column;
}

static const struct pms_out_field spot_fields[] = { { "offset", NULL, "  Offset", PMS_GRID_RIGHT },
						    { "records", NULL, NULL, 0 },
						    { "share", NULL, "Share %", PMS_GRID_RIGHT },
						    { "loads", NULL, "Loads", PMS_GRID_RIGHT },
						    { "stores", NULL, "Stores", PMS_GRID_RIGHT },
						    { "peers", NULL, "Peers", PMS_GRID_RIGHT },
						    { "wait", NULL, NULL, 0 },
						    { "wait_mean", NULL, "Wait", PMS_GRID_RIGHT },
						    { "threads", NULL, "Threads", PMS_GRID_RIGHT },
						    { "cpus", NULL, "CPUs", PMS_GRID_RIGHT },
						    PMS_SPE_NAME("data_symbol"),
						    { "data_symbol_offset", NULL, NULL, 0 },
						    { "instructions", NULL, NULL, 0 },
						    { "pc", NULL, NULL, 0 },
						    CODE_FIELDS,
						    { NULL, NULL, "Variable", PMS_GRID_WRAP } };
enum { SPOT_FIELDS = sizeof(spot_fields) / sizeof(spot_fields[0]) };

/* Set a number that is not known where it is 0, which people see as "-". */
static void put_count(struct pms_out_item *line, size_t column, int known,
		      struct pms_out_datum datum, uint64_t shown)
{
	char number[PMS_NUMBER_MAX];
	pms_text_count(number, shown);
	pms_out_cell(line, column, pms_out_when(known, datum));
	pms_out_cell_print(line, column, "%s", known ? number : "-");
}

/* Add one place of a line: its counts, what lies there, and the code that touches it most. */
static void put_spot(struct pms_out_item *table, const struct pms_spe_row *row,
		     const struct pms_spe_spot *s)
{
	struct pms_out_item *line = pms_out_row(table, SPOT_FIELDS);
	double share = (double)s->records / (double)row->records;
	double mean = s->waited ? (double)s->wait / (double)s->waited : 0;
	uint64_t rounded = s->waited ? (s->wait + s->waited / 2) / s->waited : 0;
	char text[PMS_SPE_TEXT] = "", number[PMS_NUMBER_MAX];
	size_t n = 0;
	pms_text_value(number, 100 * share, "percent of records");
	data_text(text, s);
	pms_out_cell(line, n++, pms_out_of_count(s->offset));
	pms_out_cell(line, n++, pms_out_of_count(s->records));
	pms_out_cell(line, n, pms_out_of_real(share));
	pms_out_cell_print(line, n++, "%s", number);
	put_count(line, n++, 1, pms_out_of_count(s->loads), s->loads);
	put_count(line, n++, 1, pms_out_of_count(s->stores), s->stores);
	put_count(line, n++, 1, pms_out_of_count(s->peers), s->peers);
	pms_out_cell(line, n++, pms_out_when(s->waited != 0, pms_out_of_count(s->wait)));
	put_count(line, n++, s->waited != 0, pms_out_of_real(mean), rounded);
	put_count(line, n++, s->threads != 0, pms_out_of_count(s->threads), s->threads);
	put_count(line, n++, s->cpus != 0, pms_out_of_count(s->cpus), s->cpus);
	pms_spe_put_name(line, n, s->data_symbol);
	n += PMS_SPE_NAME_FIELDS;
	pms_out_cell(line, n++, pms_out_when(s->has_data_offset, pms_out_of_count(s->data_offset)));
	pms_out_cell(line, n++, pms_out_of_count(s->instructions));
	pms_out_cell(line, n++, pms_out_of_text(s->code.pc));
	n = put_code(line, n, &s->code);
	pms_out_cell_print(line, n, "%s", text);
}

struct pms_out_item *pms_spe_spots(struct pms_out_item *of, struct pms_out_item *parent,
				   const struct pms_spe_row *row)
{
	struct pms_out_item *table =
		parent ? pms_out_table(parent, PMS_EVERYWHERE, NULL, spot_fields, SPOT_FIELDS)
		       : pms_out_detached_table(of, spot_fields, SPOT_FIELDS);
	size_t n = parent && row->n_spots > SHOWN ? SHOWN : row->n_spots;
	pms_out_set_side_by_side(table);
	for (size_t i = 0; i < n; i++)
		put_spot(table, row, &row->spots[i]);
	if (parent && row->n_spots > n)
		pms_out_line(parent, "  and %zu more", row->n_spots - n);
	return table;
}

/* Touches ---------------------------------------------------------------------------------------
 */

static const struct pms_out_field touch_fields[] = { { "pid", NULL, NULL, 0 },
						     { "tid", NULL, NULL, 0 },
						     PMS_SPE_NAME("thread_name"),
						     { "offset", NULL, NULL, 0 },
						     { "op", NULL, NULL, 0 },
						     { "pc", NULL, NULL, 0 },
						     CODE_FIELDS,
						     { "records", NULL, NULL, 0 } };
static const struct pms_out_field target_fields[] = { { "br_tgt", NULL, NULL, 0 },
						      CODE_FIELDS,
						      { "records", NULL, NULL, 0 } };
static const struct pms_out_field previous_fields[] = { { "pbt", NULL, NULL, 0 },
							CODE_FIELDS,
							{ "records", NULL, NULL, 0 } };
enum {
	TOUCH_FIELDS = sizeof(touch_fields) / sizeof(touch_fields[0]),
	TARGET_FIELDS = sizeof(target_fields) / sizeof(target_fields[0])
};

struct touches {
	const struct pms_spe_touch *first;
	size_t n;
};

/* Thousands may touch a line, or be where a branch goes: each is made when it is written. */
static int make_touch(void *context, struct pms_out_item *parent, size_t i, struct pms_error *err)
{
	const struct touches *of = context;
	(void)err;
	if (i >= of->n)
		return 0;
	const struct pms_spe_touch *t = &of->first[i];
	struct pms_out_item *row = pms_out_row(parent, TOUCH_FIELDS);
	pms_out_cell(row, 0, pms_out_when(t->pid >= 0, pms_out_of_integer(t->pid)));
	pms_out_cell(row, 1, pms_out_when(t->tid >= 0, pms_out_of_integer(t->tid)));
	pms_spe_put_name(row, 2, *t->comm ? t->comm : NULL);
	pms_out_cell(row, 4, pms_out_of_count(t->offset));
	pms_out_cell(row, 5, pms_out_of_text(pms_spe_access_name(t->access)));
	pms_out_cell(row, 6, pms_out_of_text(t->code.pc));
	pms_out_cell(row, put_code(row, 7, &t->code), pms_out_of_count(t->count));
	return 1;
}

static int make_target(void *context, struct pms_out_item *parent, size_t i, struct pms_error *err)
{
	const struct touches *of = context;
	(void)err;
	if (i >= of->n)
		return 0;
	struct pms_out_item *row = pms_out_row(parent, TARGET_FIELDS);
	pms_out_cell(row, 0, pms_out_of_text(of->first[i].code.pc));
	pms_out_cell(row, put_code(row, 1, &of->first[i].code),
		     pms_out_of_count(of->first[i].count));
	return 1;
}

struct pms_out_item *pms_spe_touches(struct pms_out_item *of, enum pms_spe_touched what,
				     const struct pms_spe_row *row)
{
	static const struct {
		const struct pms_out_field *fields;
		size_t n;
		pms_out_item_maker *make;
	} kinds[] = { [PMS_SPE_TOUCHED] = { touch_fields, TOUCH_FIELDS, make_touch },
		      [PMS_SPE_TARGETS] = { target_fields, TARGET_FIELDS, make_target },
		      [PMS_SPE_PREVIOUS] = { previous_fields, TARGET_FIELDS, make_target } };
	struct pms_out_item *table = pms_out_detached_table(of, kinds[what].fields, kinds[what].n);
	struct touches *touches = pms_out_room(of, 1, sizeof(*touches));
	if (!touches)
		return NULL;
	*touches = what == PMS_SPE_PREVIOUS ? (struct touches){ row->previous, row->n_previous }
					    : (struct touches){ row->touches, row->n_touches };
	pms_out_each(table, PMS_IN_JSON, NULL, kinds[what].make, touches);
	return table;
}

/* The line --------------------------------------------------------------------------------------
 */

void pms_spe_put_line(struct pms_out_item *parent, const struct pms_spe_report *report,
		      const struct pms_spe_row *row)
{
	char about[PMS_SPE_TEXT], text[PMS_SPE_TEXT], number[PMS_NUMBER_MAX];
	pms_spe_about_text(about, report, row);
	accesses_text(text, row);
	if (row->waiting.count) {
		pms_spe_measure_text(number, report, row, "wait_p50");
		pms_spe_append(text, "; half of the loads wait ", number);
		pms_spe_measure_text(number, report, row, "wait_share");
		pms_spe_append(text, " cycles or fewer; ", number);
		pms_spe_append(text, " ", "% of the wait");
	}
	pms_out_heading(parent, "%s", about);
	pms_out_paragraph(parent, "  ", "%s; %s.", text, verdict(row->sharing));
	if (row->n_spots) {
		pms_spe_spots(parent, parent, row);
		pms_out_gap(parent);
	}
	if (row->n_touches)
		put_users(parent, row);
	pms_out_gap(parent);
}

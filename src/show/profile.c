/* SPDX-License-Identifier: MIT */
/* Show a profile put together by function, line and so on. */
#include "show/grid.h"
#include "show/label.h"
#include "show/place.h"
#include "show/provenance.h"
#include "show/render.h"
#include "show/text.h"

struct subject {
	const struct pms_counts *counts;
	const struct pms_fold *fold;
	size_t limit; /* rows; 0: all */
};

enum {
	SHARE,
	LOST,
	CAUSE,
	ABOUT,
	FUNCTION,
	FILE_NAME,
	LINE,
	ADDRESS,
	OBJECT,
	KIND,
	PID,
	TID,
	THREAD,
	N_KEYS
};

static const char *const headings[PMS_FOLDS] = { "Functions", "Lines of code", "Instructions",
						 "Programs and libraries", "Threads" };
static const char *const titles[PMS_FOLDS] = { "Function", "Line", "Instruction", "Object",
					       "Thread" };

/* Which keys programs get, by what rows are put together by. */
static const unsigned keys_of[PMS_FOLDS] = {
	[PMS_FOLD_FUNCTION] = 1 << FUNCTION | 1 << ADDRESS | 1 << OBJECT,
	[PMS_FOLD_LINE] = 1 << FILE_NAME | 1 << LINE | 1 << FUNCTION | 1 << OBJECT,
	[PMS_FOLD_INSTRUCTION] =
		1 << ADDRESS | 1 << OBJECT | 1 << FUNCTION | 1 << FILE_NAME | 1 << LINE,
	[PMS_FOLD_OBJECT] = 1 << OBJECT | 1 << KIND,
	[PMS_FOLD_THREAD] = 1 << PID | 1 << TID | 1 << THREAD,
};

static void make_keys(struct pms_out_field keys[N_KEYS], const struct pms_fold *f, char *share)
{
	static const char *const names[N_KEYS] = {
		[FUNCTION] = "function", [FILE_NAME] = "file", [LINE] = "line",
		[ADDRESS] = "address",	 [OBJECT] = "object",  [KIND] = "kind",
		[PID] = "pid",		 [TID] = "tid",	       [THREAD] = "thread",
	};
	struct pms_profile_measure sort = pms_profile_measure(f->profile, f->sort);
	int has_slots = pms_profile_measures(f->profile) > f->profile->n_kinds;
	snprintf(share, PMS_NUMBER_MAX, "%.40s %%", sort.title);
	for (size_t i = 0; i < N_KEYS; i++) {
		const char *name = keys_of[f->by] >> i & 1 ? names[i] : NULL;
		keys[i] = (struct pms_out_field){ name, name, NULL, 0 };
	}
	keys[SHARE] = (struct pms_out_field){ NULL, NULL, share, PMS_GRID_RIGHT };
	if (has_slots) {
		keys[LOST] = (struct pms_out_field){ NULL, NULL, "Lost %", PMS_GRID_RIGHT };
		keys[CAUSE] = (struct pms_out_field){ NULL, NULL, "Mostly to", 0 };
	}
	keys[ABOUT] = (struct pms_out_field){ NULL, NULL, titles[f->by], PMS_GRID_WRAP };
}

static const char *address_text(struct pms_out_item *of, const struct pms_fold_row *row)
{
	return pms_out_print(of, "0x%llx", (unsigned long long)row->address);
}

/* Returns what a row is about, for people. */
static const char *about(struct pms_out_item *of, const struct pms_fold *f,
			 const struct pms_fold_row *row)
{
	const struct pms_profile *p = f->profile;
	if (f->by == PMS_FOLD_THREAD) {
		const struct pms_profile_thread *t =
			row->thread == PMS_PROFILE_NONE ? NULL : &p->threads[row->thread];
		return t ? pms_out_print(of, "%d %s", t->tid, t->name) : "not known";
	}
	if (row->object == PMS_PROFILE_NONE)
		return "no instruction";
	const char *object = pms_place_short(p->objects[row->object].path);
	const char *line = pms_place_line(of, row->file, row->line);
	if (f->by == PMS_FOLD_OBJECT)
		return object;
	if (f->by == PMS_FOLD_INSTRUCTION)
		return pms_out_print(of, "%s %s %s", address_text(of, row), line ? line : "",
				     row->function);
	if (f->by == PMS_FOLD_LINE && line)
		return pms_out_print(of, "%s %s", line, row->function);
	return pms_out_print(of, "%s in %s", row->function, object);
}

static void set_keys(struct pms_out_item *item, const struct pms_fold *f,
		     const struct pms_fold_row *row)
{
	const struct pms_profile *p = f->profile;
	pms_out_cell(item, FUNCTION, pms_out_of_text(row->function));
	pms_out_cell(item, FILE_NAME, pms_out_of_text(row->file));
	pms_out_cell(item, LINE, pms_out_when(row->line > 0, pms_out_of_count(row->line)));
	if (row->object != PMS_PROFILE_NONE) {
		const struct pms_object *object = &p->objects[row->object];
		pms_out_cell(item, ADDRESS, pms_out_of_text(address_text(item, row)));
		pms_out_cell(item, OBJECT, pms_out_of_text(object->path));
		pms_out_cell(item, KIND, pms_out_of_text(pms_object_kind_name(object->kind)));
	}
	if (row->thread != PMS_PROFILE_NONE) {
		const struct pms_profile_thread *t = &p->threads[row->thread];
		pms_out_cell(item, PID, pms_out_when(t->pid >= 0, pms_out_of_integer(t->pid)));
		pms_out_cell(item, TID, pms_out_when(t->tid >= 0, pms_out_of_integer(t->tid)));
		pms_out_cell(item, THREAD, pms_out_of_text(t->name));
	}
}

static void put_row(struct pms_out_item *table, size_t n, const struct pms_fold *f,
		    const struct pms_fold_row *row)
{
	const struct pms_profile *p = f->profile;
	struct pms_out_item *item = pms_out_row(table, n);
	if (!item)
		return;
	pms_place_set_percent(item, SHARE, pms_profile_measure_get(p, row->values, f->sort),
			      pms_profile_measure_get(p, f->totals, f->sort));
	pms_place_set_percent(item, LOST, pms_profile_lost(p, row->values),
			      pms_profile_lost(p, f->totals));
	pms_place_set_cause(item, CAUSE, p, row->values);
	pms_out_cell_print(item, ABOUT, "%s", about(item, f, row));
	set_keys(item, f, row);
	pms_place_set_measures(item, N_KEYS, p, row->values);
}

static void put_totals(struct pms_out_item *root, const struct pms_fold *f)
{
	struct pms_out_item *totals = pms_out_group(root, PMS_IN_JSON, "totals");
	for (size_t i = 0; i < pms_profile_measures(f->profile); i++)
		pms_out_member(totals, pms_profile_measure(f->profile, i).name,
			       pms_out_of_count(pms_profile_measure_get(f->profile, f->totals, i)));
}

static void say_heading(struct pms_out_item *root, const struct subject *s)
{
	char heading[512];
	pms_label_heading(heading, sizeof(heading), s->counts);
	pms_out_heading(root, "%s by %s: %s", headings[s->fold->by],
			pms_profile_measure(s->fold->profile, s->fold->sort).name, heading);
	pms_out_gap(root);
}

static int build(struct pms_outline *outline, void *subject, struct pms_error *err)
{
	const struct subject *s = subject;
	const struct pms_fold *f = s->fold;
	struct pms_out_item *root = outline->root;
	struct pms_out_field keys[N_KEYS];
	char share[PMS_NUMBER_MAX];
	size_t n, shown = s->limit && s->limit < f->n_rows ? s->limit : f->n_rows;
	(void)err;
	make_keys(keys, f, share);
	keys[SHARE].title = pms_out_print(root, "%s", share);
	struct pms_out_field *fields = pms_place_fields(root, f->profile, keys, N_KEYS, &n);
	pms_provenance_counts(root, PMS_FOR_PROGRAMS, s->counts, 1);
	pms_out_fact(root, "profile", "profile",
		     pms_out_of_text(pms_profile_source_name(f->profile->source)));
	pms_out_fact(root, "by", "by", pms_out_of_text(pms_fold_by_name(f->by)));
	pms_out_fact(root, "sort", "sort",
		     pms_out_of_text(pms_profile_measure(f->profile, f->sort).name));
	pms_out_fact(root, "scale", "scale", pms_out_of_real(f->profile->scale));
	put_totals(root, f);
	say_heading(root, s);
	struct pms_out_item *table =
		fields ? pms_out_table(root, PMS_EVERYWHERE, "rows", fields, n) : NULL;
	for (size_t i = 0; i < shown; i++)
		put_row(table, n, f, &f->rows[i]);
	if (shown < f->n_rows && pms_outline_is_in(root, PMS_FOR_PEOPLE)) {
		pms_out_gap(root);
		pms_out_paragraph(root, NULL, "%zu more with --limit 0", f->n_rows - shown);
	}
	return 0;
}

int pms_show_profile(FILE *out, const struct pms_counts *counts, const struct pms_fold *fold,
		     size_t limit, const struct pms_show_options *options, struct pms_error *err)
{
	struct subject subject = { counts, fold, limit };
	return pms_show_built(out, options, build, &subject, err);
}

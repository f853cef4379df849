/* SPDX-License-Identifier: MIT */
/* Each row of the profile gets a key; rows of equal keys are put together. */
#include "pmuscope/fold.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/numbers.h"
#include "base/status.h"
#include "profile/filter.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct pms_fold_private {
	struct pms_arena arena; /* values */
	struct pms_hash_key key;
	struct pms_numbers groups; /* by hash, to the first of the same one */
	uint32_t *next;		   /* row of the same hash, for each row */
};

static const char *const names[] = { "function", "line", "instruction", "object", "thread" };

const char *pms_fold_by_name(enum pms_fold_by by)
{
	return (size_t)by < COUNT(names) ? names[by] : "?";
}

int pms_fold_by_find(const char *name, enum pms_fold_by *by)
{
	for (size_t i = 0; i < COUNT(names); i++)
		if (!strcmp(names[i], name)) {
			*by = (enum pms_fold_by)i;
			return 1;
		}
	return 0;
}

/* Keys ----------------------------------------------------------------------------------------- */

/* What tells groups apart: number is a function's start or an address. */
struct key {
	uint32_t object, thread;
	uint64_t number;
	const char *function, *file;
	unsigned line;
};

static struct key key_of(enum pms_fold_by by, const struct pms_profile_place *place,
			 const struct pms_symbol *symbol)
{
	struct key key = { .object = place->object, .thread = PMS_PROFILE_NONE };
	if (by == PMS_FOLD_THREAD)
		return (struct key){ .object = PMS_PROFILE_NONE, .thread = place->thread };
	if (by == PMS_FOLD_OBJECT || place->object == PMS_PROFILE_NONE)
		return key;
	key.function = symbol->function;
	if (by == PMS_FOLD_INSTRUCTION) {
		key.number = place->address;
	} else if (by == PMS_FOLD_LINE && symbol->n_frames && symbol->frames[0].file[0]) {
		const struct pms_frame *frame = &symbol->frames[0];
		key.file = frame->file;
		key.line = frame->line;
		if (frame->function[0])
			key.function = frame->function;
	} else {
		key.number = symbol->known ? symbol->start : UINT64_MAX;
	}
	return key;
}

static uint64_t hash_text(const struct pms_fold *f, const char *text)
{
	return text ? pms_hash_bytes(&f->owned->key, text, strlen(text)) : 0;
}

static uint64_t hash_of(const struct pms_fold *f, const struct key *key)
{
	const uint64_t words[] = { (uint64_t)key->object << 32 | key->thread, key->number,
				   hash_text(f, key->function), hash_text(f, key->file),
				   key->line };
	return pms_hash_bytes(&f->owned->key, words, sizeof(words));
}

static int same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* A row has its key's parts; @keys has the numbers. */
static int is_of(const struct pms_fold_row *row, uint64_t number, const struct key *key)
{
	return row->object == key->object && row->thread == key->thread && number == key->number &&
	       row->line == key->line && same_text(row->function, key->function) &&
	       same_text(row->file, key->file);
}

/* Fold ----------------------------------------------------------------------------------------- */

/* The fold while it is made. */
struct folding {
	struct pms_fold *fold;
	struct pms_symbols *symbols;
	const struct pms_fold_options *options;
	struct pms_profile_filter *filter; /* NULL: none */
	uint64_t *numbers;		   /* of each row's key */
	uint64_t *values;		   /* of one row, for the filter */
};

static int add_group(struct folding *g, const struct key *key, uint64_t hash, uint32_t head)
{
	struct pms_fold *f = g->fold;
	size_t n = f->n_rows;
	if (n >= PMS_PROFILE_NONE)
		return -PMS_ENOMEM;
	struct pms_fold_row *rows = pms_array_room(f->rows, n, sizeof(*rows));
	if (rows)
		f->rows = rows;
	uint64_t *numbers = pms_array_room(g->numbers, n, sizeof(*numbers));
	if (numbers)
		g->numbers = numbers;
	uint32_t *next = pms_array_room(f->owned->next, n, sizeof(*next));
	if (next)
		f->owned->next = next;
	uint64_t *values = pms_arena_alloc(&f->owned->arena, f->profile->n_kinds, sizeof(*values));
	if (!rows || !numbers || !next || !values ||
	    pms_numbers_set(&f->owned->groups, hash, (uint32_t)n))
		return -PMS_ENOMEM;
	numbers[n] = key->number;
	next[n] = head;
	rows[n] = (struct pms_fold_row){ .object = key->object,
					 .thread = key->thread,
					 .address = UINT64_MAX,
					 .function = key->function,
					 .file = key->file,
					 .line = key->line,
					 .values = values };
	f->n_rows++;
	return 0;
}

/* Find the group of a key, or make one. Errors: -PMS_ENOMEM. */
static int64_t group_of(struct folding *g, const struct key *key)
{
	struct pms_fold *f = g->fold;
	uint64_t hash = hash_of(f, key);
	uint32_t head = pms_numbers_get(&f->owned->groups, hash);
	for (uint32_t i = head; i != PMS_NO_ROW; i = f->owned->next[i])
		if (is_of(&f->rows[i], g->numbers[i], key))
			return i;
	int rc = add_group(g, key, hash, head);
	return rc ? rc : (int64_t)f->n_rows - 1;
}

static uint64_t sum_of(uint64_t a, uint64_t b)
{
	uint64_t sum;
	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static int needs_symbols(enum pms_fold_by by)
{
	return by <= PMS_FOLD_INSTRUCTION;
}

static int find_symbol(struct folding *g, const struct pms_profile_place *place,
		       struct pms_symbol *symbol)
{
	const struct pms_profile *p = g->fold->profile;
	*symbol = (struct pms_symbol){ .function = "[unknown]" };
	if (!g->symbols || place->object == PMS_PROFILE_NONE ||
	    (!needs_symbols(g->options->by) && !g->filter))
		return 0;
	return pms_symbols_at(g->symbols, &p->objects[place->object], place->address, symbol);
}

/* An instruction's line is told, but does not tell it from others. */
static void set_line(struct pms_fold_row *row, const struct pms_symbol *symbol)
{
	if (!symbol->n_frames || !symbol->frames[0].file[0])
		return;
	row->file = symbol->frames[0].file;
	row->line = symbol->frames[0].line;
}

static void add_cells(struct pms_fold *f, const struct pms_profile_row *row, uint64_t *values)
{
	const struct pms_profile_cell *cells = f->profile->cells;
	for (uint32_t c = row->first; c != PMS_PROFILE_NONE; c = cells[c].next)
		values[cells[c].kind] = sum_of(values[cells[c].kind], cells[c].value);
}

static int fold_row(struct folding *g, size_t i)
{
	struct pms_fold *f = g->fold;
	const struct pms_profile_row *row = &f->profile->rows[i];
	struct pms_symbol symbol;
	int rc = find_symbol(g, &row->place, &symbol);
	add_cells(f, row, f->totals);
	if (!rc && g->filter) {
		memset(g->values, 0, f->profile->n_kinds * sizeof(*g->values));
		add_cells(f, row, g->values);
		if (!pms_profile_filter_has(g->filter, f->profile, &row->place, &symbol, g->values))
			return 0;
	}
	if (!rc && g->options->pick) {
		int picked = g->options->pick(g->options->context, f->profile, i,
					      needs_symbols(f->by) ? &symbol : NULL);
		if (picked <= 0)
			return picked;
	}
	struct key key = key_of(f->by, &row->place, &symbol);
	int64_t group = rc ? rc : group_of(g, &key);
	if (group < 0)
		return (int)group;
	struct pms_fold_row *to = &f->rows[group];
	add_cells(f, row, to->values);
	add_cells(f, row, f->kept);
	to->instructions++;
	if (row->place.address < to->address)
		to->address = row->place.address;
	return 0;
}

/* Lines of instructions are set at the end: until then they would be taken for a part of the key.
 */
static int set_lines(struct folding *g)
{
	struct pms_fold *f = g->fold;
	int rc = 0;
	for (size_t i = 0; i < f->n_rows && !rc && f->by == PMS_FOLD_INSTRUCTION; i++) {
		struct pms_fold_row *row = &f->rows[i];
		const struct pms_profile_place place = { .object = row->object,
							 .address = row->address };
		struct pms_symbol symbol;
		rc = find_symbol(g, &place, &symbol);
		if (!rc)
			set_line(row, &symbol);
	}
	return rc;
}

/* Sort ----------------------------------------------------------------------------------------- */

struct in_order {
	uint64_t value;
	const struct pms_fold_row *row;
};

/* Where the measure is the same: by object and address, then by thread, so that the order does not
 * depend on the profile's. */
static int compare(const void *a, const void *b)
{
	const struct in_order *x = a, *y = b;
	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	if (x->row->object != y->row->object)
		return x->row->object < y->row->object ? -1 : 1;
	if (x->row->address != y->row->address)
		return x->row->address < y->row->address ? -1 : 1;
	if (x->row->thread != y->row->thread)
		return x->row->thread < y->row->thread ? -1 : 1;
	return (x->row->line > y->row->line) - (x->row->line < y->row->line);
}

static int sort_rows(struct pms_fold *f)
{
	struct in_order *all = reallocarray(NULL, f->n_rows + 1, sizeof(*all));
	struct pms_fold_row *sorted = reallocarray(NULL, f->n_rows + 1, sizeof(*sorted));
	int rc = all && sorted ? 0 : -PMS_ENOMEM;
	for (size_t i = 0; i < f->n_rows && !rc; i++)
		all[i] = (struct in_order){
			pms_profile_measure_get(f->profile, f->rows[i].values, f->sort), &f->rows[i]
		};
	if (!rc && f->n_rows)
		qsort(all, f->n_rows, sizeof(*all), compare);
	for (size_t i = 0; i < f->n_rows && !rc; i++)
		sorted[i] = *all[i].row;
	free(all);
	if (rc) {
		free(sorted);
		return rc;
	}
	free(f->rows);
	f->rows = sorted;
	return 0;
}

static struct pms_fold *fold_new(const struct pms_profile *profile, enum pms_fold_by by)
{
	struct pms_fold *f = calloc(1, sizeof(*f));
	if (!f)
		return NULL;
	f->profile = profile;
	f->by = by;
	f->owned = calloc(1, sizeof(*f->owned));
	if (f->owned) {
		f->owned->key = pms_hash_draw();
		f->totals = pms_arena_alloc(&f->owned->arena, profile->n_kinds, sizeof(uint64_t));
		f->kept = pms_arena_alloc(&f->owned->arena, profile->n_kinds, sizeof(uint64_t));
	}
	if (f->totals && f->kept)
		return f;
	pms_fold_free(f);
	return NULL;
}

int pms_fold_make(const struct pms_profile *profile, struct pms_symbols *symbols,
		  const struct pms_fold_options *options, struct pms_fold **out,
		  struct pms_error *err)
{
	int sort = options->sort ? pms_profile_measure_find(profile, options->sort, err)
				 : (int)pms_profile_measure_usual(profile);
	if (sort < 0)
		return sort;
	struct folding g = { .symbols = symbols, .options = options };
	int rc = options->filter ? pms_profile_filter_make(profile, options->filter, &g.filter, err)
				 : 0;
	if (rc)
		return rc;
	g.fold = fold_new(profile, options->by);
	g.values = calloc(profile->n_kinds + 1, sizeof(*g.values));
	rc = g.fold && g.values ? 0 : -PMS_ENOMEM;
	if (g.fold)
		g.fold->sort = (size_t)sort;
	for (size_t i = 0; i < profile->n_rows && !rc; i++)
		rc = fold_row(&g, i);
	if (!rc)
		rc = set_lines(&g);
	if (!rc)
		rc = sort_rows(g.fold);
	free(g.numbers);
	free(g.values);
	pms_profile_filter_free(g.filter);
	if (!rc) {
		*out = g.fold;
		return 0;
	}
	pms_fold_free(g.fold);
	return rc == -PMS_ENOMEM ? pms_no_memory(err) : rc;
}

void pms_fold_free(struct pms_fold *f)
{
	if (!f)
		return;
	if (f->owned) {
		pms_arena_release(&f->owned->arena);
		pms_numbers_release(&f->owned->groups);
		free(f->owned->next);
	}
	free(f->owned);
	free(f->rows);
	free(f);
}

/* SPDX-License-Identifier: MIT */
#include "show/outline.h"

#include <stdarg.h>
#include <string.h>

/* Items ---------------------------------------------------------------------------------------- */

void pms_outline_init(struct pms_outline *outline, const struct pms_show_options *options)
{
	*outline = (struct pms_outline){ .options = options };
	pms_outline_again(outline);
}

void pms_outline_again(struct pms_outline *outline)
{
	pms_arena_clear(&outline->arena);
	outline->root = pms_arena_alloc(&outline->arena, 1, sizeof(*outline->root));
	outline->failed = !outline->root;
	if (outline->root)
		*outline->root =
			(struct pms_out_item){ .kind = PMS_OUT_ITEM_GROUP, .outline = outline };
}

void pms_outline_release(struct pms_outline *outline)
{
	pms_arena_release(&outline->arena);
	outline->root = NULL;
}

int pms_outline_is_in(const struct pms_out_item *parent, unsigned places)
{
	return parent && (places & 1U << parent->outline->options->format);
}

void *pms_out_room(struct pms_out_item *of, size_t n, size_t size)
{
	void *room = of ? pms_arena_alloc(&of->outline->arena, n, size) : NULL;
	if (of && !room)
		of->outline->failed = 1;
	return room;
}

__attribute__((format(printf, 2, 0))) static char *print(struct pms_out_item *of,
							 const char *format, va_list args)
{
	char *text = of ? pms_arena_vprintf(&of->outline->arena, format, args) : NULL;
	if (of && !text)
		of->outline->failed = 1;
	return text;
}

char *pms_out_print(struct pms_out_item *of, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *text = print(of, format, args);
	va_end(args);
	return text;
}

static struct pms_out_item *detached(struct pms_out_item *of, enum pms_out_item_kind kind)
{
	struct pms_out_item *item = pms_out_room(of, 1, sizeof(*item));
	if (item) {
		item->kind = kind;
		item->outline = of->outline;
	}
	return item;
}

/* Add an item as @parent's last child. Returns NULL where the format has no place for it. */
static struct pms_out_item *add(struct pms_out_item *parent, unsigned places,
				enum pms_out_item_kind kind, const char *key)
{
	if (!pms_outline_is_in(parent, places))
		return NULL;
	struct pms_out_item *item = detached(parent, kind);
	if (!item)
		return NULL;
	item->key = key;
	if (parent->last)
		parent->last->next = item;
	else
		parent->first = item;
	parent->last = item;
	return item;
}

struct pms_out_item *pms_out_group(struct pms_out_item *parent, unsigned places, const char *key)
{
	return add(parent, places, PMS_OUT_ITEM_GROUP, key);
}

struct pms_out_item *pms_out_list(struct pms_out_item *parent, unsigned places, const char *key)
{
	return add(parent, places, PMS_OUT_ITEM_LIST, key);
}

struct pms_out_item *pms_out_each(struct pms_out_item *parent, unsigned places, const char *key,
				  pms_out_item_maker *make, void *context)
{
	struct pms_out_item *item = add(parent, places, PMS_OUT_ITEM_EACH, key);
	if (item) {
		item->each.make = make;
		item->each.context = context;
	}
	return item;
}

struct pms_out_item *pms_out_detached_group(struct pms_out_item *of)
{
	return detached(of, PMS_OUT_ITEM_GROUP);
}

struct pms_out_item *pms_out_detached_list(struct pms_out_item *of)
{
	return detached(of, PMS_OUT_ITEM_LIST);
}

static struct pms_out_item *set_fields(struct pms_out_item *table,
				       const struct pms_out_field *fields, size_t n)
{
	if (table) {
		table->table.fields = fields;
		table->table.n_fields = n;
	}
	return table;
}

struct pms_out_item *pms_out_detached_table(struct pms_out_item *of,
					    const struct pms_out_field *fields, size_t n)
{
	return set_fields(detached(of, PMS_OUT_ITEM_TABLE), fields, n);
}

static void add_datum(struct pms_out_item *parent, unsigned places, const char *key,
		      const char *csv, struct pms_out_datum datum)
{
	struct pms_out_item *item = add(parent, places, PMS_OUT_ITEM_DATUM, key);
	if (item) {
		item->csv = csv;
		item->datum = datum;
	}
}

void pms_out_member(struct pms_out_item *parent, const char *key, struct pms_out_datum datum)
{
	add_datum(parent, PMS_IN_JSON, key, NULL, datum);
}

void pms_out_comment(struct pms_out_item *parent, const char *key, struct pms_out_datum datum)
{
	if (datum.kind != PMS_OUT_DATUM_NONE)
		add_datum(parent, PMS_IN_CSV, NULL, key, datum);
}

void pms_out_comment_print(struct pms_out_item *parent, const char *key, const char *format, ...)
{
	va_list args;
	if (!pms_outline_is_in(parent, PMS_IN_CSV))
		return;
	va_start(args, format);
	add_datum(parent, PMS_IN_CSV, NULL, key, pms_out_of_text(print(parent, format, args)));
	va_end(args);
}

void pms_out_fact(struct pms_out_item *parent, const char *key, const char *csv,
		  struct pms_out_datum datum)
{
	pms_out_member(parent, key, datum);
	pms_out_comment(parent, csv, datum);
}

void pms_out_element(struct pms_out_item *list, struct pms_out_datum datum)
{
	add_datum(list, PMS_IN_JSON, NULL, NULL, datum);
}

/* For people ----------------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 0))) static struct pms_out_item *
say(struct pms_out_item *parent, enum pms_out_item_kind kind, const char *format, va_list args)
{
	struct pms_out_item *item = add(parent, PMS_FOR_PEOPLE, kind, NULL);
	char *text = print(item, format, args);
	if (item)
		item->text.text = text ? text : "";
	return item;
}

void pms_out_heading(struct pms_out_item *parent, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	say(parent, PMS_OUT_ITEM_HEADING, format, args);
	va_end(args);
}

void pms_out_line(struct pms_out_item *parent, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	say(parent, PMS_OUT_ITEM_LINE, format, args);
	va_end(args);
}

struct pms_out_item *pms_out_paragraph(struct pms_out_item *parent, const char *label,
				       const char *format, ...)
{
	va_list args;
	va_start(args, format);
	struct pms_out_item *item = say(parent, PMS_OUT_ITEM_TEXT, format, args);
	va_end(args);
	if (item)
		item->label = label;
	return item;
}

void pms_out_gap(struct pms_out_item *parent)
{
	add(parent, PMS_IN_TABLE, PMS_OUT_ITEM_GAP, NULL);
}

void pms_out_set_labels(struct pms_out_item *group, unsigned indent, unsigned labels)
{
	if (group) {
		group->group.indent = indent;
		group->group.labels = labels;
	}
}

void pms_out_set_flags(struct pms_out_item *paragraph, int flags)
{
	if (paragraph)
		paragraph->text.flags = flags;
}

void pms_out_set_folded(struct pms_out_item *item, int is_folded)
{
	if (item)
		item->is_folded = is_folded;
}

void pms_out_footnotes(struct pms_out_item *parent)
{
	add(parent, PMS_FOR_PEOPLE, PMS_OUT_ITEM_FOOTNOTES, NULL);
}

/* Tables and trees ----------------------------------------------------------------------------- */

struct pms_out_item *pms_out_table(struct pms_out_item *parent, unsigned places, const char *key,
				   const struct pms_out_field *fields, size_t n)
{
	return set_fields(add(parent, places, PMS_OUT_ITEM_TABLE, key), fields, n);
}

void pms_out_set_side_by_side(struct pms_out_item *table)
{
	if (table)
		table->table.side_by_side = 1;
}

struct pms_out_item *pms_out_row(struct pms_out_item *parent, size_t n)
{
	struct pms_out_item *row = add(parent, PMS_EVERYWHERE, PMS_OUT_ITEM_ROW, NULL);
	struct pms_out_cell *cells = pms_out_room(row, n, sizeof(*cells));
	if (row)
		row->row.cells = cells;
	return cells ? row : NULL;
}

void pms_out_cell_print(struct pms_out_item *row, size_t column, const char *format, ...)
{
	va_list args;
	if (!pms_outline_is_in(row, PMS_FOR_PEOPLE))
		return;
	va_start(args, format);
	row->row.cells[column].shown = print(row, format, args);
	va_end(args);
}

void pms_out_row_colour(struct pms_out_item *row, const char *colour)
{
	if (row)
		row->row.colour = colour;
}

struct pms_out_item *pms_out_tree(struct pms_out_item *parent)
{
	return add(parent, PMS_FOR_PEOPLE, PMS_OUT_ITEM_TREE, NULL);
}

struct pms_out_item *pms_out_branch(struct pms_out_item *parent,
				    const struct pms_out_branch *branch)
{
	struct pms_out_item *item = add(parent, PMS_FOR_PEOPLE, PMS_OUT_ITEM_BRANCH, NULL);
	struct pms_out_branch *copy = pms_out_room(item, 1, sizeof(*copy));
	if (!copy)
		return NULL;
	*copy = *branch;
	item->branch = copy;
	return item;
}

/* Words ---------------------------------------------------------------------------------------- */

struct pms_out_words pms_out_words(struct pms_out_item *of)
{
	return (struct pms_out_words){ .of = of };
}

/* Double the room at each power of two: the arena keeps the outgrown arrays until the end. */
void pms_out_words_add(struct pms_out_words *words, const char *word)
{
	unsigned n = words->n;
	if (!word)
		return;
	if (!(n & (n - 1))) {
		const char **list = pms_out_room(words->of, n ? 2 * (size_t)n : 1, sizeof(*list));
		if (!list)
			return;
		if (n)
			memcpy(list, words->list, n * sizeof(*list));
		words->list = list;
	}
	words->list[words->n++] = word;
}

struct pms_out_datum pms_out_of_words(const struct pms_out_words *words)
{
	return (struct pms_out_datum){ .kind = PMS_OUT_DATUM_WORDS,
				       .n_words = words->n,
				       .words = words->list };
}

const char *pms_out_words_join(const struct pms_out_words *words, const char *between)
{
	size_t size = 1;
	for (unsigned i = 0; i < words->n; i++)
		size += strlen(words->list[i]) + strlen(between);
	char *text = pms_out_room(words->of, size, 1), *end = text;
	if (!text)
		return "";
	for (unsigned i = 0; i < words->n; i++) {
		end = stpcpy(end, i ? between : "");
		end = stpcpy(end, words->list[i]);
	}
	return text;
}

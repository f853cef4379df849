/* SPDX-License-Identifier: MIT */
/* show/outline.h - a command's output before any format: a tree of items that say what they are,
 * in which formats they stand, and under which names. Flow: builder -> [outline] -> renderers.
 *
 * A builder makes one outline for all formats; show/render.h has a renderer for each format. An
 * item without a place in the current format is not made. Its function then returns NULL, which
 * every other function here accepts as a parent, so builders need no checks. The same happens
 * when memory runs out, and the outline remembers it. Texts are borrowed until the outline is
 * released, except that functions with a printf format make texts that the outline owns. */
#ifndef PMS_SHOW_OUTLINE_H
#define PMS_SHOW_OUTLINE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "pmuscope/show.h"

/** The formats an item stands in; bits. */
enum {
	PMS_IN_TABLE = 1 << PMS_FORMAT_TABLE,
	PMS_IN_JSON = 1 << PMS_FORMAT_JSON,
	PMS_IN_CSV = 1 << PMS_FORMAT_CSV,
	PMS_FOR_PEOPLE = PMS_IN_TABLE,
	PMS_FOR_PROGRAMS = PMS_IN_JSON | PMS_IN_CSV,
	PMS_EVERYWHERE = PMS_FOR_PEOPLE | PMS_FOR_PROGRAMS
};

/* Values --------------------------------------------------------------------------------------- */

struct pms_out_item;

enum pms_out_datum_kind {
	PMS_OUT_DATUM_NONE,    /* null in JSON, empty elsewhere */
	PMS_OUT_DATUM_TEXT,    /* not NULL */
	PMS_OUT_DATUM_COUNT,   /* a whole number */
	PMS_OUT_DATUM_INTEGER, /* a whole number, maybe negative */
	PMS_OUT_DATUM_CODE,    /* a whole number, hexadecimal except in JSON */
	PMS_OUT_DATUM_REAL,    /* a real; null in JSON when not finite */
	PMS_OUT_DATUM_TRUTH,
	PMS_OUT_DATUM_WORDS, /* an array in JSON, elsewhere joined by blanks */
	PMS_OUT_DATUM_NOTE,  /* the reason for a missing value: people see the number of a note */
	PMS_OUT_DATUM_ITEM   /* a group, list or table, for JSON */
};

struct pms_out_datum {
	enum pms_out_datum_kind kind;
	unsigned n_words;
	union {
		const char *text; /* of TEXT and NOTE */
		uint64_t count;
		int64_t integer; /* of INTEGER and CODE */
		double real;
		int truth;
		const char *const *words;
		struct pms_out_item *item;
	};
};

/* Inline, because a report has thousands of values. */

static inline struct pms_out_datum pms_out_of_nothing(void)
{
	return (struct pms_out_datum){ .kind = PMS_OUT_DATUM_NONE };
}

/** Makes a datum of a text; none of NULL. */
static inline struct pms_out_datum pms_out_of_text(const char *text)
{
	return (struct pms_out_datum){ .kind = text ? PMS_OUT_DATUM_TEXT : PMS_OUT_DATUM_NONE,
				       .text = text };
}

static inline struct pms_out_datum pms_out_of_count(uint64_t count)
{
	return (struct pms_out_datum){ .kind = PMS_OUT_DATUM_COUNT, .count = count };
}

static inline struct pms_out_datum pms_out_of_integer(int64_t integer)
{
	return (struct pms_out_datum){ .kind = PMS_OUT_DATUM_INTEGER, .integer = integer };
}

static inline struct pms_out_datum pms_out_of_code(int64_t code)
{
	return (struct pms_out_datum){ .kind = PMS_OUT_DATUM_CODE, .integer = code };
}

static inline struct pms_out_datum pms_out_of_real(double real)
{
	return (struct pms_out_datum){ .kind = PMS_OUT_DATUM_REAL, .real = real };
}

static inline struct pms_out_datum pms_out_of_truth(int truth)
{
	return (struct pms_out_datum){ .kind = PMS_OUT_DATUM_TRUTH, .truth = truth != 0 };
}

static inline struct pms_out_datum pms_out_of_note(const char *because)
{
	return (struct pms_out_datum){ .kind = PMS_OUT_DATUM_NOTE, .text = because };
}

/** Makes a datum of an item; none of NULL. */
static inline struct pms_out_datum pms_out_of_item(struct pms_out_item *item)
{
	return (struct pms_out_datum){ .kind = item ? PMS_OUT_DATUM_ITEM : PMS_OUT_DATUM_NONE,
				       .item = item };
}

/** Returns @datum if @defined, else none. */
static inline struct pms_out_datum pms_out_when(int defined, struct pms_out_datum datum)
{
	return defined ? datum : pms_out_of_nothing();
}

/* Items ---------------------------------------------------------------------------------------- */

enum pms_out_item_kind {
	PMS_OUT_ITEM_GROUP,    /* things that belong together: an object in JSON */
	PMS_OUT_ITEM_LIST,     /* groups or data: an array in JSON */
	PMS_OUT_ITEM_EACH,     /* like a list, but each item is made when it is written; in a table
				  of any format: rows */
	PMS_OUT_ITEM_DATUM,    /* a value with a name: a member in JSON, a comment in CSV */
	PMS_OUT_ITEM_HEADING,  /* wrapped, for people */
	PMS_OUT_ITEM_TEXT,     /* a paragraph with its label */
	PMS_OUT_ITEM_LINE,     /* a line that is never wrapped, to be pasted */
	PMS_OUT_ITEM_GAP,      /* an empty line */
	PMS_OUT_ITEM_TABLE,    /* rows with the same columns */
	PMS_OUT_ITEM_ROW,      /* a table's row, with its rows below it */
	PMS_OUT_ITEM_TREE,     /* metrics, each below the one it is a part of */
	PMS_OUT_ITEM_BRANCH,   /* a place in the tree, with its branches below it */
	PMS_OUT_ITEM_FOOTNOTES /* where the tree's footnotes are printed */
};

/* Flags of a paragraph. */
enum {
	PMS_OUT_BULLET = 1,  /* an item of the list that the label introduces */
	PMS_OUT_FURTHER = 2, /* continues the item above it */
};

/** A column's or value's name in each format; NULL: it does not stand in that format. */
struct pms_out_field {
	const char *json, *csv;
	const char *title; /* for people; a line break in it makes titles of two lines */
	int flags;	   /* PMS_GRID_* of show/grid.h, PMS_OUT_OPTIONAL, PMS_OUT_LINES */
};

enum {
	PMS_OUT_OPTIONAL = 256, /* leave the JSON member out where there is no value */
	PMS_OUT_LINES = 512 /* for people, each line break in a cell's text begins another line */
};

/** A column with one name for JSON and CSV. */
#define PMS_OUT_FIELD(name, title, flags)                                                          \
	{                                                                                          \
		name, name, title, flags                                                           \
	}

struct pms_out_cell {
	struct pms_out_datum datum;
	const char *shown; /* text for people in place of the datum; NULL: show the datum */
};

/** A metric's value, as people see it. */
struct pms_out_quantity {
	const struct pms_value *value;
	const char *units;
	int is_estimate; /* of a sampled run: say no share of time beside the interval */
};

/* What a branch of the tree shows. */
enum pms_out_branch_kind {
	PMS_OUT_BRANCH_SHARE, /* a share of the whole, which a bar can show */
	PMS_OUT_BRANCH_VALUE,
	PMS_OUT_BRANCH_TITLE, /* a title for the branches below it */
	PMS_OUT_BRANCH_SEE    /* a reference to branches shown elsewhere */
};

enum { PMS_OUT_MOST_FOOTNOTES = 8 };

struct pms_out_branch {
	enum pms_out_branch_kind kind;
	const char *title;
	struct pms_out_quantity quantity; /* for SHARE and VALUE */
	const char *instead;		  /* text in place of the quantity; NULL: none */
	const char *const *footnotes;	  /* what the value does not tell */
	size_t n_footnotes;		  /* at most PMS_OUT_MOST_FOOTNOTES */
	const size_t *findings;		  /* numbers of the findings that end here */
	size_t n_findings;
	const char *colour; /* as show/grid.h has it; NULL: none */
};

struct pms_outline;

/** Make the @i-th item, from 0, below @parent. Returns 1, 0 when there are no more, or an error. */
typedef int pms_out_item_maker(void *context, struct pms_out_item *parent, size_t i,
			       struct pms_error *err);

struct pms_out_item {
	enum pms_out_item_kind kind;
	struct pms_outline *outline;
	struct pms_out_item *next, *first, *last; /* sibling, first child, last child */
	const char *key;   /* name in JSON; NULL: it has none, or is not in JSON */
	const char *csv;   /* key of a CSV comment; NULL: the comment is its text alone */
	const char *label; /* label of a paragraph */
	int is_folded;	   /* people see it only with options->all */
	union {
		struct pms_out_datum datum;
		struct {
			unsigned indent, labels; /* columns of indent, columns of labels */
		} group;
		struct {
			const char *text;
			int flags;
		} text;
		struct {
			const struct pms_out_field *fields;
			size_t n_fields;
			int side_by_side; /* as of show/grid.h */
		} table;
		struct {
			struct pms_out_cell *cells; /* one per column */
			const char *colour;	    /* as show/grid.h has it; NULL: none */
		} row;
		struct pms_out_branch *branch;
		struct {
			pms_out_item_maker *make;
			void *context;
		} each;
	};
};

/* How JSON is laid out. */
enum pms_out_layout {
	PMS_OUT_INDENTED,
	PMS_OUT_ON_ONE_LINE,
	PMS_OUT_ON_LINES /* each object in the root a line, and each row of a table in the root */
};

struct pms_outline {
	struct pms_arena arena;
	const struct pms_show_options *options; /* with all defaults filled in */
	struct pms_out_item *root;		/* a group; a list where the JSON is an array */
	const char *const *columns; /* columns of CSV; NULL: use the first table in CSV */
	size_t n_columns;
	int is_continued; /* 1: write CSV without its line of column names */
	enum pms_out_layout layout;
	int failed; /* out of memory */
};

/** Begin an outline for options->format. Always release it, even after a failure. */
void pms_outline_init(struct pms_outline *outline, const struct pms_show_options *options);
void pms_outline_release(struct pms_outline *outline);
/** Begin again, in the memory of what was there. */
void pms_outline_again(struct pms_outline *outline);
/** Returns 1 where @parent was made and its outline's format is one of @places. */
int pms_outline_is_in(const struct pms_out_item *parent, unsigned places);

/* Each function below adds an item as @parent's last child and returns the item. */

struct pms_out_item *pms_out_group(struct pms_out_item *parent, unsigned places, const char *key);
struct pms_out_item *pms_out_list(struct pms_out_item *parent, unsigned places, const char *key);
struct pms_out_item *pms_out_each(struct pms_out_item *parent, unsigned places, const char *key,
				  pms_out_item_maker *make, void *context);
/* Make an item that has no parent yet; pms_out_of_item makes a datum of it. */
struct pms_out_item *pms_out_detached_group(struct pms_out_item *of);
struct pms_out_item *pms_out_detached_list(struct pms_out_item *of);
struct pms_out_item *pms_out_detached_table(struct pms_out_item *of,
					    const struct pms_out_field *fields, size_t n);

/** Add a member in JSON, or a comment in CSV. */
void pms_out_member(struct pms_out_item *parent, const char *key, struct pms_out_datum datum);
void pms_out_comment(struct pms_out_item *parent, const char *key, struct pms_out_datum datum);
__attribute__((format(printf, 3, 4))) void
pms_out_comment_print(struct pms_out_item *parent, const char *key, const char *format, ...);
/** Add both: the member always, the comment only where there is a value. */
void pms_out_fact(struct pms_out_item *parent, const char *key, const char *csv,
		  struct pms_out_datum datum);
/** Add a value to an array. */
void pms_out_element(struct pms_out_item *list, struct pms_out_datum datum);

/* Items for people. */
__attribute__((format(printf, 2, 3))) void pms_out_heading(struct pms_out_item *parent,
							   const char *format, ...);
__attribute__((format(printf, 2, 3))) void pms_out_line(struct pms_out_item *parent,
							const char *format, ...);
__attribute__((format(printf, 3, 4))) struct pms_out_item *
pms_out_paragraph(struct pms_out_item *parent, const char *label, const char *format, ...);
void pms_out_gap(struct pms_out_item *parent);
/** Set how a group's paragraphs stand: @indent columns in, behind labels of @labels columns. */
void pms_out_set_labels(struct pms_out_item *group, unsigned indent, unsigned labels);
/** Set PMS_OUT_BULLET, PMS_OUT_FURTHER. */
void pms_out_set_flags(struct pms_out_item *paragraph, int flags);
void pms_out_set_folded(struct pms_out_item *item, int is_folded);

/** Add a table. @fields, @n of them, are borrowed. */
struct pms_out_item *pms_out_table(struct pms_out_item *parent, unsigned places, const char *key,
				   const struct pms_out_field *fields, size_t n);
/** Keep the last column beside the others, however narrow. */
void pms_out_set_side_by_side(struct pms_out_item *table);
/** Add a row of @n columns. @parent: the table, or the row that this one belongs below. */
struct pms_out_item *pms_out_row(struct pms_out_item *parent, size_t n);
static inline void pms_out_cell(struct pms_out_item *row, size_t column, struct pms_out_datum datum)
{
	if (row)
		row->row.cells[column].datum = datum;
}
/** Set the text that people see instead of the cell's datum. */
__attribute__((format(printf, 3, 4))) void
pms_out_cell_print(struct pms_out_item *row, size_t column, const char *format, ...);
/** Colour a row. @colour: "bold", … as show/grid.h has it; NULL: none */
void pms_out_row_colour(struct pms_out_item *row, const char *colour);

struct pms_out_item *pms_out_tree(struct pms_out_item *parent);
/** Add a branch, which is copied. @parent: the tree, or the branch that this one belongs below. */
struct pms_out_item *pms_out_branch(struct pms_out_item *parent,
				    const struct pms_out_branch *branch);
void pms_out_footnotes(struct pms_out_item *parent);

/* Texts that the outline owns ------------------------------------------------------------------ */

/** Returns a formatted text; NULL when out of memory. */
__attribute__((format(printf, 2, 3))) char *pms_out_print(struct pms_out_item *of,
							  const char *format, ...);
/** Returns room for @n elements of @size bytes; NULL when out of memory or where @of is NULL. */
void *pms_out_room(struct pms_out_item *of, size_t n, size_t size);

/** A list of words that grows. */
struct pms_out_words {
	struct pms_out_item *of;
	const char **list;
	unsigned n;
};

/** Begin an empty list, owned by the outline of @of. */
struct pms_out_words pms_out_words(struct pms_out_item *of);
/** Add a word, which is borrowed. NULL is ignored. */
void pms_out_words_add(struct pms_out_words *words, const char *word);
struct pms_out_datum pms_out_of_words(const struct pms_out_words *words);
/** Returns all words with @between between them; "" where there are none. */
const char *pms_out_words_join(const struct pms_out_words *words, const char *between);

#endif

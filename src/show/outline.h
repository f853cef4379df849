/* SPDX-License-Identifier: MIT */
/* show/outline.h - what a command shows, before any format: a tree of items that say what they are,
 * in which formats they stand, and under which names. Flow: builder -> [outline] -> renderers.
 *
 * A builder makes one outline for all formats, and show/render.h has a renderer for each. An item
 * that the format at hand does not have is not made: its function returns NULL, which every other
 * function here takes for a parent, so that builders need not look. So it is when memory runs out,
 * which the outline remembers. Texts are borrowed until the outline is released unless the function
 * has a format, whose text the outline owns. */
#ifndef PMS_SHOW_OUTLINE_H
#define PMS_SHOW_OUTLINE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "pmuscope/show.h"

/** Where an item stands; bits. */
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
	PMS_OUT_DATUM_INTEGER, /* the same, which can be negative */
	PMS_OUT_DATUM_CODE,    /* the same, in hexadecimal but for JSON */
	PMS_OUT_DATUM_REAL,    /* in JSON null when it is not finite */
	PMS_OUT_DATUM_TRUTH,
	PMS_OUT_DATUM_WORDS, /* an array in JSON, elsewhere blanks between */
	PMS_OUT_DATUM_NOTE,  /* why there is no value: people get the number of a note */
	PMS_OUT_DATUM_ITEM   /* a group or a list, for JSON */
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

/* Inline: a report has thousands of values. */

static inline struct pms_out_datum pms_out_of_nothing(void)
{
	return (struct pms_out_datum){ .kind = PMS_OUT_DATUM_NONE };
}

/** NULL is none. */
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

/** NULL is none. */
static inline struct pms_out_datum pms_out_of_item(struct pms_out_item *item)
{
	return (struct pms_out_datum){ .kind = item ? PMS_OUT_DATUM_ITEM : PMS_OUT_DATUM_NONE,
				       .item = item };
}

/** @datum if @defined, else none. */
static inline struct pms_out_datum pms_out_when(int defined, struct pms_out_datum datum)
{
	return defined ? datum : pms_out_of_nothing();
}

/* Items ---------------------------------------------------------------------------------------- */

enum pms_out_item_kind {
	PMS_OUT_ITEM_GROUP,    /* things that belong together: an object in JSON */
	PMS_OUT_ITEM_LIST,     /* groups or data: an array in JSON */
	PMS_OUT_ITEM_EACH,     /* the same of items that are made one after the other */
	PMS_OUT_ITEM_DATUM,    /* a value with a name: a member in JSON, a comment in CSV */
	PMS_OUT_ITEM_HEADING,  /* for people, wrapped */
	PMS_OUT_ITEM_TEXT,     /* a paragraph, with its label */
	PMS_OUT_ITEM_LINE,     /* a line that stays whole, to be pasted */
	PMS_OUT_ITEM_GAP,      /* an empty line */
	PMS_OUT_ITEM_TABLE,    /* rows of the same columns */
	PMS_OUT_ITEM_ROW,      /* one of them, maybe with others below it */
	PMS_OUT_ITEM_TREE,     /* metrics, each below what it is a part of */
	PMS_OUT_ITEM_BRANCH,   /* one of its places, with those below it */
	PMS_OUT_ITEM_FOOTNOTES /* where the tree's footnotes stand */
};

/* Of a paragraph. */
enum {
	PMS_OUT_BULLET = 1,  /* an item of a list that the label is of */
	PMS_OUT_FURTHER = 2, /* goes on with the item above it */
};

/** A column, or the name of a value: what it is called in each format; NULL: it is not there. */
struct pms_out_field {
	const char *json, *csv;
	const char *title; /* for people */
	int flags;	   /* PMS_GRID_* of show/grid.h, PMS_OUT_OPTIONAL */
};

enum { PMS_OUT_OPTIONAL = 256 }; /* in JSON there is no member where there is no value */

/** A column of the same name in JSON and CSV. */
#define PMS_OUT_FIELD(name, title, flags)                                                          \
	{                                                                                          \
		name, name, title, flags                                                           \
	}

struct pms_out_cell {
	struct pms_out_datum datum;
	const char *shown; /* what people read in its place; NULL: the datum says it */
};

/** Something that a metric came to, for people. */
struct pms_out_quantity {
	const struct pms_value *value;
	const char *units;
	int is_estimate; /* of a sample: its interval has no share of the time */
};

/* What a place of the tree is. */
enum pms_out_branch_kind {
	PMS_OUT_BRANCH_SHARE, /* of the whole: it can be drawn */
	PMS_OUT_BRANCH_VALUE,
	PMS_OUT_BRANCH_TITLE, /* of those below it */
	PMS_OUT_BRANCH_SEE    /* they are shown elsewhere */
};

enum { PMS_OUT_MOST_FOOTNOTES = 8 };

struct pms_out_branch {
	enum pms_out_branch_kind kind;
	const char *title;
	struct pms_out_quantity quantity; /* of SHARE and VALUE */
	const char *instead;		  /* what is said in place of the quantity; NULL: nothing */
	const char *const *footnotes;	  /* what the value does not say */
	size_t n_footnotes;		  /* at most PMS_OUT_MOST_FOOTNOTES */
	const size_t *findings;		  /* the numbers of those that end here */
	size_t n_findings;
	const char *colour; /* of show/grid.h; NULL: none */
};

struct pms_outline;

/** Make the @i-th item, from 0, below @parent. Returns 1, or 0 when there is none, or an error. */
typedef int pms_out_item_maker(void *context, struct pms_out_item *parent, size_t i,
			       struct pms_error *err);

struct pms_out_item {
	enum pms_out_item_kind kind;
	struct pms_outline *outline;
	struct pms_out_item *next, *first, *last; /* its neighbour, its children */
	const char *key;   /* in JSON; NULL: it has no name, or is not there */
	const char *csv;   /* of a comment; NULL: the text is all of it */
	const char *label; /* of a paragraph */
	int is_folded;	   /* shown to people who ask for all */
	union {
		struct pms_out_datum datum;
		struct {
			unsigned indent, labels; /* columns before labels, and that they take */
		} group;
		struct {
			const char *text;
			int flags;
		} text;
		struct {
			const struct pms_out_field *fields;
			size_t n_fields;
		} table;
		struct {
			struct pms_out_cell *cells; /* one for each column */
			const char *colour;	    /* of show/grid.h; NULL: none */
		} row;
		struct pms_out_branch *branch;
		struct {
			pms_out_item_maker *make;
			void *context;
		} each;
	};
};

struct pms_outline {
	struct pms_arena arena;
	const struct pms_show_options *options; /* complete */
	struct pms_out_item *root;		/* a group, or where JSON is an array a list */
	const char *const *columns; /* of CSV; NULL: those of the first table that is in CSV */
	size_t n_columns;
	int is_continued; /* 1: CSV without the names of the columns */
	int is_line;	  /* 1: JSON is one line */
	int failed;	  /* out of memory */
};

/** Begin an outline for options->format. Always release it. */
void pms_outline_init(struct pms_outline *outline, const struct pms_show_options *options);
void pms_outline_release(struct pms_outline *outline);
/** 1 where @parent was made and its outline has a format of @places. */
int pms_outline_is_in(const struct pms_out_item *parent, unsigned places);

/* Each of the following makes an item behind the others below @parent and returns it. */

struct pms_out_item *pms_out_group(struct pms_out_item *parent, unsigned places, const char *key);
struct pms_out_item *pms_out_list(struct pms_out_item *parent, unsigned places, const char *key);
struct pms_out_item *pms_out_each(struct pms_out_item *parent, unsigned places, const char *key,
				  pms_out_item_maker *make, void *context);
/** The same of none: it becomes a datum. */
struct pms_out_item *pms_out_detached_group(struct pms_out_item *of);

/** A member in JSON, and a comment in CSV. */
void pms_out_member(struct pms_out_item *parent, const char *key, struct pms_out_datum datum);
void pms_out_comment(struct pms_out_item *parent, const char *key, struct pms_out_datum datum);
__attribute__((format(printf, 3, 4))) void
pms_out_comment_print(struct pms_out_item *parent, const char *key, const char *format, ...);
/** Both; the comment only where there is a value. */
void pms_out_fact(struct pms_out_item *parent, const char *key, const char *csv,
		  struct pms_out_datum datum);
/** A value of an array. */
void pms_out_element(struct pms_out_item *list, struct pms_out_datum datum);

/* For people. */
__attribute__((format(printf, 2, 3))) void pms_out_heading(struct pms_out_item *parent,
							   const char *format, ...);
__attribute__((format(printf, 2, 3))) void pms_out_line(struct pms_out_item *parent,
							const char *format, ...);
__attribute__((format(printf, 3, 4))) struct pms_out_item *
pms_out_paragraph(struct pms_out_item *parent, const char *label, const char *format, ...);
void pms_out_gap(struct pms_out_item *parent);
/** How the paragraphs of a group stand: behind labels of so many columns, behind an indent. */
void pms_out_set_labels(struct pms_out_item *group, unsigned indent, unsigned labels);
/** PMS_OUT_BULLET, PMS_OUT_FURTHER. */
void pms_out_set_flags(struct pms_out_item *paragraph, int flags);
void pms_out_set_folded(struct pms_out_item *item, int is_folded);

/** @fields, @n of them, are borrowed. */
struct pms_out_item *pms_out_table(struct pms_out_item *parent, unsigned places, const char *key,
				   const struct pms_out_field *fields, size_t n);
/** @parent: the table, of @n columns, or a row of it that this one belongs below. */
struct pms_out_item *pms_out_row(struct pms_out_item *parent, size_t n);
static inline void pms_out_cell(struct pms_out_item *row, size_t column, struct pms_out_datum datum)
{
	if (row)
		row->row.cells[column].datum = datum;
}
/** What people read in the place of the cell's datum. */
__attribute__((format(printf, 3, 4))) void
pms_out_cell_print(struct pms_out_item *row, size_t column, const char *format, ...);
/** @colour: "bold", … as show/grid.h has it; NULL: none */
void pms_out_row_colour(struct pms_out_item *row, const char *colour);

struct pms_out_item *pms_out_tree(struct pms_out_item *parent);
/** @branch is copied. @parent: the tree, or a branch that this one belongs below. */
struct pms_out_item *pms_out_branch(struct pms_out_item *parent,
				    const struct pms_out_branch *branch);
void pms_out_footnotes(struct pms_out_item *parent);

/* Texts that the outline owns ------------------------------------------------------------------ */

/** NULL when out of memory. */
__attribute__((format(printf, 2, 3))) char *pms_out_print(struct pms_out_item *of,
							  const char *format, ...);
/** Room for @n elements of @size bytes; NULL when out of memory, or where @of was not made. */
void *pms_out_room(struct pms_out_item *of, size_t n, size_t size);

/** Words as they are put together. */
struct pms_out_words {
	struct pms_out_item *of;
	const char **list;
	unsigned n;
};

/** None yet, for an outline that @of is in. */
struct pms_out_words pms_out_words(struct pms_out_item *of);
/** @word is borrowed. */
void pms_out_words_add(struct pms_out_words *words, const char *word);
struct pms_out_datum pms_out_of_words(const struct pms_out_words *words);
/** All words with @between between them; "" of none. */
const char *pms_out_words_join(const struct pms_out_words *words, const char *between);

#endif

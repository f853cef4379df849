/* SPDX-License-Identifier: MIT */
/* show/grid.h - tables and trees, with one error to check at the end.
 * Cells are cleaned (show/text.h) as they are set. */
#ifndef PMS_SHOW_GRID_H
#define PMS_SHOW_GRID_H

#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"
#include "pmuscope/show.h"

enum {
	PMS_GRID_TREE = 1,  /* of a column: branches lead to its cells */
	PMS_GRID_RIGHT = 2, /* its cells end below each other */
	PMS_GRID_WRAP = 4,  /* of the last one: its cells take several lines where they must */
};

struct pms_column {
	const char *title; /* must outlive the call only */
	int flags;	   /* PMS_GRID_* */
};

struct pms_grid_line;

struct pms_grid {
	struct pms_arena arena;
	struct pms_column *columns; /* NULL when out of memory */
	size_t n_columns, n_shown;
	struct pms_grid_line *first, *last; /* as they were added */
	struct pms_grid_line *roots, *last_root;
	unsigned width;
	int ascii, colour;
	int side_by_side; /* 1: the last column stays beside the others, however narrow: its longer
			     words lose their middle. 0: each line's cells come below one another */
	int failed;
};

/** Always release, even when it failed. @n columns, 1 or more. */
void pms_grid_init(struct pms_grid *grid, const struct pms_show_options *options,
		   const struct pms_column *columns, size_t n);
void pms_grid_release(struct pms_grid *grid);

/** A new line under @parent (NULL: at the root), below the others there. Returns it, or NULL, which
 * the calls below take. */
struct pms_grid_line *pms_grid_line(struct pms_grid *grid, struct pms_grid_line *parent);

__attribute__((format(printf, 4, 5))) void pms_grid_set(struct pms_grid *grid,
							struct pms_grid_line *line, size_t column,
							const char *format, ...);

/** Set a cell of two lines. The column is one to wrap. */
void pms_grid_set_two(struct pms_grid *grid, struct pms_grid_line *line, size_t column,
		      const char *first, const char *second);

/** Colour a line: "bold", "red", "green", "brown". No effect without colours. */
void pms_grid_colour(struct pms_grid *grid, struct pms_grid_line *line, const char *colour);

/** Write it, without blanks at the ends of lines; nothing of a grid without lines. @titles: 1: with
 * those of the columns.
 * Returns 0 or -PMS_ENOMEM, and has then written nothing. */
int pms_grid_print(struct pms_grid *grid, int titles, FILE *out);

#endif

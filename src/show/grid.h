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
	PMS_GRID_TREE = 1,  /* of a column: draw branches before its cells */
	PMS_GRID_RIGHT = 2, /* align its cells to the right */
	PMS_GRID_WRAP = 4,  /* of the last column: its cells may take several lines */
};

struct pms_column {
	const char *title; /* borrowed for the call alone */
	int flags;	   /* PMS_GRID_* */
};

struct pms_grid_line;

struct pms_grid {
	struct pms_arena arena;
	struct pms_column *columns; /* NULL when out of memory */
	size_t n_columns, n_shown;
	struct pms_grid_line *first, *last; /* in the order they were added */
	struct pms_grid_line *roots, *last_root;
	unsigned width;
	int ascii, colour;
	int side_by_side; /* 1: the last column stays beside the others, however narrow: its longer
			     words lose their middle. 0: each line's cells come below one another */
	int failed;
};

/** Begin a grid of @n columns, 1 or more. Always release it, even when it failed. */
void pms_grid_init(struct pms_grid *grid, const struct pms_show_options *options,
		   const struct pms_column *columns, size_t n);
void pms_grid_release(struct pms_grid *grid);

/** Add a line below the others under @parent (NULL: at the root). Returns the line, or NULL,
 * which the functions below accept. */
struct pms_grid_line *pms_grid_line(struct pms_grid *grid, struct pms_grid_line *parent);

__attribute__((format(printf, 4, 5))) void pms_grid_set(struct pms_grid *grid,
							struct pms_grid_line *line, size_t column,
							const char *format, ...);

/** Set a cell of several lines, with line breaks between them. */
void pms_grid_set_lines(struct pms_grid *grid, struct pms_grid_line *line, size_t column,
			const char *text);

/** Colour a line: "bold", "red", "green", "brown". No effect without colours. */
void pms_grid_colour(struct pms_grid *grid, struct pms_grid_line *line, const char *colour);

/** Write the grid without blanks at the ends of lines; a grid without lines writes nothing.
 * @titles: 1: begin with the columns' titles
 * Returns 0 or -PMS_ENOMEM, and has then written nothing. */
int pms_grid_print(struct pms_grid *grid, int titles, FILE *out);

#endif

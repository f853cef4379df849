/* SPDX-License-Identifier: MIT */
/* show/grid.h - tables and trees by libsmartcols, with one error to check at the end.
 * Cells are cleaned (show/text.h) as they are set. */
#ifndef PMS_SHOW_GRID_H
#define PMS_SHOW_GRID_H

#include <stdio.h>

#include <libsmartcols/libsmartcols.h>

#include "pmuscope/show.h"

struct pms_grid {
	struct libscols_table *table; /* NULL when out of memory */
	unsigned width;
	int ascii, colour;
	int side_by_side; /* 1: the last column stays beside the others, however narrow: its longer
			     words lose their middle. 0: each line's cells come below one another */
	int failed;
};

struct pms_column {
	const char *title; /* must outlive the call only */
	int flags;	   /* SCOLS_FL_TREE, SCOLS_FL_RIGHT, SCOLS_FL_WRAP */
};

/** Always release, even when it failed. @n columns. */
void pms_grid_init(struct pms_grid *grid, const struct pms_show_options *options,
		   const struct pms_column *columns, size_t n);
void pms_grid_release(struct pms_grid *grid);

/** A new line under @parent (NULL: at the root). Returns it, or NULL, which the calls below take.
 */
struct libscols_line *pms_grid_line(struct pms_grid *grid, struct libscols_line *parent);

__attribute__((format(printf, 4, 5))) void pms_grid_set(struct pms_grid *grid,
							struct libscols_line *line, size_t column,
							const char *format, ...);

/** Set a cell of two lines. The column is one to wrap. */
void pms_grid_set_two(struct pms_grid *grid, struct libscols_line *line, size_t column,
		      const char *first, const char *second);

/** Colour a line by its name in terminal-colors.d(5): "bold", "red". No effect without colours. */
void pms_grid_colour(struct pms_grid *grid, struct libscols_line *line, const char *colour);

/** Write it, without blanks at the ends of lines. @titles: 1: with those of the columns.
 * Returns 0 or -PMS_ENOMEM. */
int pms_grid_print(struct pms_grid *grid, int titles, FILE *out);

#endif

/* SPDX-License-Identifier: MIT */
/* show/list.h - a list of rows with named columns, in each format. */
#ifndef PMS_SHOW_LIST_H
#define PMS_SHOW_LIST_H

#include <stdio.h>

#include "pmuscope/show.h"

enum pms_list_kind {
	PMS_LIST_TEXT,
	PMS_LIST_NUMBER, /* a cell without text is null in JSON, empty elsewhere */
	PMS_LIST_WORDS	 /* separated by blanks: an array in JSON */
};

struct pms_list_column {
	const char *key;   /* in JSON and CSV */
	const char *title; /* in the table; NULL: not shown there */
	enum pms_list_kind kind;
	int flags; /* PMS_GRID_* of show/grid.h */
};

struct pms_list_table {
	const char *key; /* of the array in JSON; NULL: the array is all there is */
	const struct pms_catalog *catalog; /* named in JSON and CSV; NULL: none */
	const struct pms_list_column *columns;
	size_t n_columns;
	char **cells;	 /* n_columns for each row; NULL: empty */
	size_t *parents; /* of each row: index or PMS_NO_PARENT */
	size_t n_rows;
	int failed; /* out of memory */
};

#define PMS_NO_PARENT ((size_t)-1)

void pms_list_init(struct pms_list_table *list, const char *key, const struct pms_catalog *catalog,
		   const struct pms_list_column *columns, size_t n);
void pms_list_release(struct pms_list_table *list);
/** Append an empty row. Returns its index. */
size_t pms_list_row(struct pms_list_table *list, size_t parent);
/** Append to a cell of the last row. */
__attribute__((format(printf, 3, 4))) void pms_list_add(struct pms_list_table *list, size_t column,
							const char *format, ...);
/** Errors: -PMS_ENOMEM. */
int pms_list_put(FILE *out, const struct pms_list_table *list,
		 const struct pms_show_options *options, struct pms_error *err);

#endif

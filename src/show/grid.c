/* SPDX-License-Identifier: MIT */
#include "show/grid.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "show/text.h"

void pms_grid_init(struct pms_grid *grid, const struct pms_show_options *options,
		   const struct pms_column *columns, size_t n)
{
	*grid = (struct pms_grid){ .table = scols_new_table(),
				   .width = options->width,
				   .ascii = options->ascii,
				   .colour = options->colour };
	if (!grid->table) {
		grid->failed = 1;
		return;
	}
	/* A width of our own whatever the stream is: the same report in a pipe and on a terminal.
	 */
	scols_table_set_termforce(grid->table, SCOLS_TERMFORCE_ALWAYS);
	scols_table_set_termwidth(grid->table, options->width);
	scols_table_enable_ascii(grid->table, options->ascii);
	scols_table_enable_colors(grid->table, options->colour);
	scols_table_set_column_separator(grid->table, "  ");
	for (size_t i = 0; i < n; i++) {
		struct libscols_column *column =
			scols_table_new_column(grid->table, columns[i].title, 0, columns[i].flags);
		if (!column || scols_column_set_safechars(column, "\n") ||
		    scols_column_set_wrapfunc(column, scols_wrapnl_chunksize,
					      scols_wrapnl_nextchunk, NULL))
			grid->failed = 1;
	}
}

void pms_grid_release(struct pms_grid *grid)
{
	scols_unref_table(grid->table);
	grid->table = NULL;
}

struct libscols_line *pms_grid_line(struct pms_grid *grid, struct libscols_line *parent)
{
	struct libscols_line *line =
		grid->failed ? NULL : scols_table_new_line(grid->table, parent);
	if (!line)
		grid->failed = 1;
	return line;
}

/* "├─ Retiring": the library puts no blank after its branches. */
static int is_branch(struct pms_grid *grid, struct libscols_line *line, size_t column)
{
	return scols_line_get_parent(line) &&
	       scols_column_is_tree(scols_table_get_column(grid->table, column));
}

void pms_grid_set(struct pms_grid *grid, struct libscols_line *line, size_t column,
		  const char *format, ...)
{
	va_list args;
	if (grid->failed || !line)
		return;
	va_start(args, format);
	char *text = pms_text_format(is_branch(grid, line, column) ? " " : "", grid->ascii, format,
				     args);
	va_end(args);
	if (!text || scols_line_refer_data(line, column, text)) {
		free(text);
		grid->failed = 1;
	}
}

void pms_grid_colour(struct pms_grid *grid, struct libscols_line *line, const char *colour)
{
	if (grid->colour && line && colour && scols_line_set_color(line, colour))
		grid->failed = 1;
}

/* Columns that the widest cell of @column takes, its title among them. */
static size_t column_width(struct pms_grid *grid, size_t column)
{
	struct libscols_column *c = scols_table_get_column(grid->table, column);
	size_t widest = pms_text_width(scols_column_get_name(c));
	for (size_t i = 0; i < scols_table_get_nlines(grid->table); i++) {
		struct libscols_line *line = scols_table_get_line(grid->table, i);
		const char *text = scols_line_get_column_data(line, c);
		size_t width = text ? pms_text_width(text) : 0;
		widest = width > widest ? width : widest;
	}
	return widest;
}

/* Break the lines of a cell between words: the library alone breaks within them. */
static void wrap_cell(struct pms_grid *grid, struct libscols_line *line, size_t column,
		      size_t width)
{
	const char *text = scols_cell_get_data(scols_line_get_cell(line, column));
	char *wrapped = NULL;
	size_t size = 0;
	FILE *memory = text ? open_memstream(&wrapped, &size) : NULL;
	if (!text)
		return;
	if (memory)
		pms_text_wrap(memory, "", text, (unsigned)width);
	if (!memory || fclose(memory) || scols_line_set_data(line, column, wrapped))
		grid->failed = 1;
	free(wrapped);
}

/* The last column may be one to wrap: into what the others leave of the width. */
static void wrap_last(struct pms_grid *grid)
{
	enum { LEAST = 20 };
	size_t last = scols_table_get_ncols(grid->table) - 1, others = 0;
	if (!scols_column_is_wrap(scols_table_get_column(grid->table, last)))
		return;
	for (size_t i = 0; i < last; i++)
		others += column_width(grid, i) + 2;
	size_t width = others + LEAST > grid->width ? LEAST : grid->width - others;
	for (size_t i = 0; i < scols_table_get_nlines(grid->table); i++)
		wrap_cell(grid, scols_table_get_line(grid->table, i), last, width);
}

int pms_grid_print(struct pms_grid *grid, int titles, FILE *out)
{
	char *text = NULL;
	if (!grid->failed) {
		wrap_last(grid);
		scols_table_enable_noheadings(grid->table, !titles);
	}
	if (grid->failed || scols_print_table_to_string(grid->table, &text))
		return -PMS_ENOMEM;
	for (char *line = text, *end; *line; line = end + (*end != 0)) {
		end = line + strcspn(line, "\n");
		char *last = end;
		while (last > line && last[-1] == ' ')
			last--;
		fwrite(line, 1, (size_t)(last - line), out);
		fputc('\n', out);
	}
	free(text);
	return 0;
}

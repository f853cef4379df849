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
	scols_table_enable_noencoding(grid->table, 1); /* cells are clean: it would escape twice */
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

void pms_grid_set_two(struct pms_grid *grid, struct libscols_line *line, size_t column,
		      const char *first, const char *second)
{
	char *texts[] = { pms_text_clean(first, grid->ascii), pms_text_clean(second, grid->ascii) };
	char *both = NULL;
	if (grid->failed || !line || !texts[0] || !texts[1] ||
	    asprintf(&both, "%s\n%s", texts[0], texts[1]) < 0 ||
	    scols_line_refer_data(line, column, both)) {
		free(both);
		grid->failed = 1;
	}
	free(texts[0]);
	free(texts[1]);
}

void pms_grid_colour(struct pms_grid *grid, struct libscols_line *line, const char *colour)
{
	if (grid->colour && line && colour && scols_line_set_color(line, colour))
		grid->failed = 1;
}

static size_t depth_of(const struct libscols_line *line)
{
	size_t depth = 0;
	while ((line = scols_line_get_parent(line)))
		depth++;
	return depth;
}

/* Columns that the widest line of a cell takes. */
static size_t cell_width(const char *text)
{
	size_t widest = 0, width = 0;
	for (; text && *text; text++) {
		width = *text == '\n' ? 0 : width + ((*text & 0xc0) != 0x80);
		widest = width > widest ? width : widest;
	}
	return widest;
}

/* Columns that the widest cell of @column takes, its title and the tree's branches among them. */
static size_t column_width(struct pms_grid *grid, size_t column)
{
	struct libscols_column *c = scols_table_get_column(grid->table, column);
	size_t widest = pms_text_width(scols_column_get_name(c));
	for (size_t i = 0; i < scols_table_get_nlines(grid->table); i++) {
		struct libscols_line *line = scols_table_get_line(grid->table, i);
		const char *text = scols_line_get_column_data(line, c);
		size_t branches = scols_column_is_tree(c) ? 2 * depth_of(line) : 0;
		size_t width = branches + cell_width(text);
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

/* Write a word of @n bytes in @width columns at most: both ends of one that is longer. */
static void put_word(const struct pms_grid *grid, const char *word, size_t n, size_t width,
		     FILE *out)
{
	const char *cut = grid->ascii ? ".." : "…";
	size_t left = width - pms_text_width(cut), head = (left + 1) / 2, tail = left / 2;
	if (n <= width) {
		fwrite(word, 1, n, out);
		return;
	}
	/* Not inside of a character. */
	while (head && ((unsigned char)word[head] & 0xc0) == 0x80)
		head--;
	while (tail && ((unsigned char)word[n - tail] & 0xc0) == 0x80)
		tail--;
	fprintf(out, "%.*s%s%.*s", (int)head, word, cut, (int)tail, word + n - tail);
}

/* Give a cell words that fit into @width. */
static void shorten_cell(struct pms_grid *grid, struct libscols_line *line, size_t column,
			 size_t width)
{
	const char *text = scols_cell_get_data(scols_line_get_cell(line, column));
	char *shortened = NULL;
	size_t size = 0;
	FILE *out = text ? open_memstream(&shortened, &size) : NULL;
	if (!text)
		return;
	for (size_t n; out && *text; text += n) {
		n = strspn(text, " ");
		fwrite(text, 1, n, out);
		text += n;
		n = strcspn(text, " ");
		put_word(grid, text, n, width, out);
	}
	if (!out || fclose(out) || scols_line_refer_data(line, column, shortened)) {
		free(shortened);
		grid->failed = 1;
	}
}

/* Of the longest word in a column, which is not broken. */
static size_t word_width(struct pms_grid *grid, size_t column)
{
	size_t longest = 0;
	for (size_t i = 0; i < scols_table_get_nlines(grid->table); i++) {
		const char *text = scols_cell_get_data(
			scols_line_get_cell(scols_table_get_line(grid->table, i), column));
		for (size_t n; text && *text; text += n + (text[n] == ' ')) {
			n = strcspn(text, " ");
			longest = n > longest ? n : longest;
		}
	}
	return longest;
}

static int is_last_child(struct libscols_line *line)
{
	struct libscols_iter *iter = scols_new_iter(SCOLS_ITER_BACKWARD);
	struct libscols_line *last = NULL;
	int is_last = iter && !scols_line_next_child(scols_line_get_parent(line), iter, &last) &&
		      last == line;
	scols_free_iter(iter);
	return is_last;
}

/* The tree's branches that go on beside what stands below a line. The root comes first. */
static void put_branches(const struct pms_grid *grid, struct libscols_line *line, FILE *out)
{
	struct libscols_line *parent = scols_line_get_parent(line);
	if (!parent)
		return;
	put_branches(grid, parent, out);
	fputs(is_last_child(line) ? "  " : grid->ascii ? "| " : "│ ", out);
}

/* That which leads to the line itself, as the library draws it. */
static void put_branch(const struct pms_grid *grid, struct libscols_line *line, FILE *out)
{
	struct libscols_line *parent = scols_line_get_parent(line);
	if (!parent)
		return;
	put_branches(grid, parent, out);
	if (is_last_child(line))
		fputs(grid->ascii ? "`-" : "└─", out);
	else
		fputs(grid->ascii ? "|-" : "├─", out);
}

/* A line's cells from the second on, as one text: the units and then the formula, "a: b". */
static char *rest_of(const struct pms_grid *grid, struct libscols_line *line)
{
	char *text = NULL;
	size_t size = 0, n = scols_table_get_ncols(grid->table);
	FILE *out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	for (size_t i = 1; i < n; i++) {
		const char *cell = scols_cell_get_data(scols_line_get_cell(line, i));
		if (cell && cell[0])
			fprintf(out, "%s%s", !ftell(out) ? "" : i < n - 1 ? ", " : ": ", cell);
	}
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

/* A number in the first column stands before the paragraph, a name above it. */
static void put_stacked(const struct pms_grid *grid, struct libscols_line *line, const char *rest,
			size_t number_width, FILE *out)
{
	unsigned branches = (unsigned)(2 * depth_of(line));
	const char *first = scols_cell_get_data(scols_line_get_cell(line, 0));
	char number[32];
	if (number_width) {
		snprintf(number, sizeof(number), "%*s  ", (int)number_width, first ? first : "");
		pms_text_wrap(out, number, rest, grid->width);
		return;
	}
	put_branch(grid, line, out);
	fputs(first ? first : "", out);
	if (!rest[0])
		return;
	fputc('\n', out);
	put_branches(grid, line, out);
	pms_text_wrap(out, scols_line_has_children(line) && !grid->ascii ? "│ " : "  ", rest,
		      grid->width > branches ? grid->width - branches : 1);
}

/* All of a line in its first cell. */
static void stack_line(struct pms_grid *grid, struct libscols_line *line, size_t number_width)
{
	char *text = NULL, *rest = rest_of(grid, line);
	size_t size = 0;
	FILE *out = rest ? open_memstream(&text, &size) : NULL;
	if (out)
		put_stacked(grid, line, rest, number_width, out);
	if (!out || fclose(out) || scols_line_refer_data(line, 0, text)) {
		free(text);
		grid->failed = 1;
	}
	free(rest);
}

/* Where the columns do not fit side by side, each line has its first cell, and the others below.
 * The branches are drawn here: what the library puts before the second line of a cell differs
 * between 2.38 and 2.41. */
static void stack(struct pms_grid *grid)
{
	struct libscols_column *first = scols_table_get_column(grid->table, 0);
	int flags = scols_column_get_flags(first);
	size_t number_width = flags & SCOLS_FL_RIGHT ? column_width(grid, 0) : 0;
	for (size_t i = 0; i < scols_table_get_nlines(grid->table); i++)
		stack_line(grid, scols_table_get_line(grid->table, i), number_width);
	for (size_t i = 1; i < scols_table_get_ncols(grid->table); i++)
		scols_column_set_flags(scols_table_get_column(grid->table, i), SCOLS_FL_HIDDEN);
	scols_column_set_flags(first, (flags & ~SCOLS_FL_RIGHT & ~SCOLS_FL_TREE) | SCOLS_FL_WRAP);
}

/* The last column may be one to wrap: into what the others leave of the width, if that is enough to
 * read. */
static void wrap_last(struct pms_grid *grid)
{
	enum { LEAST = 26, NARROWEST = 12 };
	size_t last = scols_table_get_ncols(grid->table) - 1, others = 0;
	if (!scols_column_is_wrap(scols_table_get_column(grid->table, last)))
		return;
	size_t least = word_width(grid, last);
	least = least > LEAST ? least : LEAST;
	for (size_t i = 0; i < last; i++)
		others += column_width(grid, i) + 2;
	size_t left = grid->width > others ? grid->width - others : 0;
	if (last && left < least && !grid->side_by_side) {
		stack(grid);
		return;
	}
	left = left > NARROWEST ? left : NARROWEST;
	for (size_t i = 0; i < scols_table_get_nlines(grid->table); i++) {
		struct libscols_line *line = scols_table_get_line(grid->table, i);
		if (grid->side_by_side)
			shorten_cell(grid, line, last, left);
		wrap_cell(grid, line, last, left);
	}
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

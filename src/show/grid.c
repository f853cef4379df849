/* SPDX-License-Identifier: MIT */
#include "show/grid.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memstream.h"
#include "base/status.h"
#include "show/text.h"

struct pms_grid_line {
	struct pms_grid_line *parent, *children, *last_child;
	struct pms_grid_line *sibling; /* the next line below the same parent */
	struct pms_grid_line *next;    /* the line that was added after this one */
	const char *colour;	       /* the sequence that switches it on; NULL: none */
	char *cells[];		       /* NULL: empty. Lines of one cell end with newlines */
};

static const char gap[] = "  "; /* between columns */

void pms_grid_init(struct pms_grid *grid, const struct pms_show_options *options,
		   const struct pms_column *columns, size_t n)
{
	*grid = (struct pms_grid){ .width = options->width,
				   .ascii = options->ascii,
				   .colour = options->colour,
				   .n_columns = n,
				   .n_shown = n };
	grid->columns = pms_arena_alloc(&grid->arena, n, sizeof(grid->columns[0]));
	grid->failed = !grid->columns;
	for (size_t i = 0; i < n && !grid->failed; i++) {
		char *title = pms_text_clean(columns[i].title, grid->ascii);
		grid->columns[i].flags = columns[i].flags;
		grid->columns[i].title = title ? pms_arena_dup(&grid->arena, title) : NULL;
		grid->failed = !grid->columns[i].title;
		free(title);
	}
}

void pms_grid_release(struct pms_grid *grid)
{
	for (struct pms_grid_line *line = grid->first; line; line = line->next)
		for (size_t i = 0; i < grid->n_columns; i++)
			free(line->cells[i]);
	pms_arena_release(&grid->arena);
	*grid = (struct pms_grid){ .failed = 1 };
}

/* Append a line to a list linked by @sibling. */
static void append(struct pms_grid_line **first, struct pms_grid_line **last,
		   struct pms_grid_line *line)
{
	if (*last)
		(*last)->sibling = line;
	else
		*first = line;
	*last = line;
}

struct pms_grid_line *pms_grid_line(struct pms_grid *grid, struct pms_grid_line *parent)
{
	size_t size = sizeof(struct pms_grid_line) + grid->n_columns * sizeof(char *);
	struct pms_grid_line *line = grid->failed ? NULL : pms_arena_alloc(&grid->arena, 1, size);
	if (!line) {
		grid->failed = 1;
		return NULL;
	}
	line->parent = parent;
	if (parent)
		append(&parent->children, &parent->last_child, line);
	else
		append(&grid->roots, &grid->last_root, line);
	if (grid->last)
		grid->last->next = line;
	else
		grid->first = line;
	grid->last = line;
	return line;
}

/* Set a cell to @text and take ownership of the text. */
static void set_cell(struct pms_grid *grid, struct pms_grid_line *line, size_t column, char *text)
{
	if (!text)
		grid->failed = 1;
	free(line->cells[column]);
	line->cells[column] = text;
}

static const char *cell(const struct pms_grid_line *line, size_t column)
{
	return line->cells[column] ? line->cells[column] : "";
}

static int has(const struct pms_grid *grid, size_t column, int flag)
{
	return (grid->columns[column].flags & flag) != 0;
}

void pms_grid_set(struct pms_grid *grid, struct pms_grid_line *line, size_t column,
		  const char *format, ...)
{
	va_list args;
	if (grid->failed || !line)
		return;
	/* "├─ Retiring" */
	const char *first = line->parent && has(grid, column, PMS_GRID_TREE) ? " " : "";
	va_start(args, format);
	set_cell(grid, line, column, pms_text_format(first, grid->ascii, format, args));
	va_end(args);
}

void pms_grid_set_lines(struct pms_grid *grid, struct pms_grid_line *line, size_t column,
			const char *text)
{
	char *clean = NULL;
	size_t size;
	if (grid->failed || !line)
		return;
	FILE *out = pms_memstream_open(&clean, &size);
	while (out && *text)
		if (*text == '\n')
			fputc(*text++, out);
		else
			text += pms_text_put(out, text, grid->ascii);
	if (out)
		pms_memstream_close(out);
	/* A grid may have many cells, and the stream's text more room than it needs. */
	set_cell(grid, line, column, clean ? strdup(clean) : NULL);
	free(clean);
}

void pms_grid_colour(struct pms_grid *grid, struct pms_grid_line *line, const char *colour)
{
	static const struct {
		const char *name, *code;
	} colours[] = { { "bold", "\033[1m" },
			{ "red", "\033[31m" },
			{ "green", "\033[32m" },
			{ "brown", "\033[33m" } };
	for (size_t i = 0; i < sizeof(colours) / sizeof(colours[0]); i++)
		if (grid->colour && line && colour && !strcmp(colour, colours[i].name))
			line->colour = colours[i].code;
}

static size_t depth_of(const struct pms_grid_line *line)
{
	size_t depth = 0;
	while ((line = line->parent))
		depth++;
	return depth;
}

/* Returns the columns of the widest line of a cell. */
static size_t text_width(const char *text)
{
	size_t widest = 0;
	while (1) {
		size_t bytes = strcspn(text, "\n"), width = pms_text_columns(text, bytes);
		widest = width > widest ? width : widest;
		if (!text[bytes])
			return widest;
		text += bytes + 1;
	}
}

/* Returns the columns of the widest cell, counting its tree branches and the title. */
static size_t column_width(const struct pms_grid *grid, size_t column)
{
	size_t widest = pms_text_width(grid->columns[column].title);
	for (const struct pms_grid_line *line = grid->first; line; line = line->next) {
		size_t branches = has(grid, column, PMS_GRID_TREE) ? 2 * depth_of(line) : 0;
		size_t width = branches + text_width(cell(line, column));
		widest = width > widest ? width : widest;
	}
	return widest;
}

/* Break a cell's lines between words. */
static void wrap_cell(struct pms_grid *grid, struct pms_grid_line *line, size_t column,
		      size_t width)
{
	char *wrapped;
	size_t size;
	if (!line->cells[column])
		return;
	FILE *memory = pms_memstream_open(&wrapped, &size);
	if (memory) {
		pms_text_wrap(memory, "", line->cells[column], (unsigned)width);
		pms_memstream_close(memory);
	}
	set_cell(grid, line, column, wrapped);
}

/* Write a word of @n bytes in at most @width columns: a longer one loses its middle. */
static void put_word(const struct pms_grid *grid, const char *word, size_t n, size_t width,
		     FILE *out)
{
	const char *cut = grid->ascii ? ".." : "…";
	size_t left = width - pms_text_width(cut), head = (left + 1) / 2, tail = left / 2;
	if (n <= width) {
		fwrite(word, 1, n, out);
		return;
	}
	/* Do not cut inside a UTF-8 character. */
	while (head && ((unsigned char)word[head] & 0xc0) == 0x80)
		head--;
	while (tail && ((unsigned char)word[n - tail] & 0xc0) == 0x80)
		tail--;
	fprintf(out, "%.*s%s%.*s", (int)head, word, cut, (int)tail, word + n - tail);
}

/* Shorten a cell's words to fit @width. */
static void shorten_cell(struct pms_grid *grid, struct pms_grid_line *line, size_t column,
			 size_t width)
{
	const char *text = line->cells[column];
	char *shortened;
	size_t size;
	if (!text)
		return;
	FILE *out = pms_memstream_open(&shortened, &size);
	for (size_t n; out && *text; text += n) {
		n = strspn(text, " ");
		fwrite(text, 1, n, out);
		text += n;
		n = strcspn(text, " ");
		put_word(grid, text, n, width, out);
	}
	if (out)
		pms_memstream_close(out);
	set_cell(grid, line, column, shortened);
}

/* Returns the columns of the longest word, which wrapping cannot break. */
static size_t word_width(const struct pms_grid *grid, size_t column)
{
	size_t longest = 0;
	for (const struct pms_grid_line *line = grid->first; line; line = line->next) {
		const char *text = cell(line, column);
		for (size_t n; *text; text += n + (text[n] == ' ')) {
			n = strcspn(text, " ");
			longest = n > longest ? n : longest;
		}
	}
	return longest;
}

/* Draw the branches that pass by, from the root's down to the line's own. */
static void put_branches(const struct pms_grid *grid, const struct pms_grid_line *line, FILE *out)
{
	if (!line->parent)
		return;
	put_branches(grid, line->parent, out);
	fputs(!line->sibling ? gap : grid->ascii ? "| " : "│ ", out);
}

/* Draw the branches that lead to the line itself. */
static void put_branch(const struct pms_grid *grid, const struct pms_grid_line *line, FILE *out)
{
	if (!line->parent)
		return;
	put_branches(grid, line->parent, out);
	if (line->sibling)
		fputs(grid->ascii ? "|-" : "├─", out);
	else
		fputs(grid->ascii ? "`-" : "└─", out);
}

/* Join a line's cells from the second on: units with commas, then ": " and the formula. */
static char *rest_of(const struct pms_grid *grid, const struct pms_grid_line *line)
{
	char *text;
	size_t size, n = grid->n_columns, put = 0;
	FILE *out = pms_memstream_open(&text, &size);
	if (!out)
		return NULL;
	for (size_t i = 1; i < n; i++)
		if (cell(line, i)[0])
			fprintf(out, "%s%s", !put++ ? "" : i < n - 1 ? ", " : ": ", cell(line, i));
	pms_memstream_close(out);
	return text;
}

/* Put a number before the paragraph, a name above it. */
static void put_stacked(const struct pms_grid *grid, const struct pms_grid_line *line,
			const char *rest, size_t number_width, FILE *out)
{
	unsigned branches = (unsigned)(2 * depth_of(line));
	char number[32];
	if (number_width) {
		snprintf(number, sizeof(number), "%*s  ", (int)number_width, cell(line, 0));
		pms_text_wrap(out, number, rest, grid->width);
		return;
	}
	put_branch(grid, line, out);
	fputs(cell(line, 0), out);
	if (!rest[0])
		return;
	fputc('\n', out);
	put_branches(grid, line, out);
	pms_text_wrap(out, line->children && !grid->ascii ? "│ " : gap, rest,
		      grid->width > branches ? grid->width - branches : 1);
}

/* Move all cells of a line into its first cell. */
static void stack_line(struct pms_grid *grid, struct pms_grid_line *line, size_t number_width)
{
	char *text = NULL, *rest = rest_of(grid, line);
	size_t size;
	FILE *out = rest ? pms_memstream_open(&text, &size) : NULL;
	if (out) {
		put_stacked(grid, line, rest, number_width, out);
		pms_memstream_close(out);
	}
	set_cell(grid, line, 0, text);
	free(rest);
}

/* Stack the cells of each line: used where the columns do not fit side by side. */
static void stack(struct pms_grid *grid)
{
	size_t number_width = has(grid, 0, PMS_GRID_RIGHT) ? column_width(grid, 0) : 0;
	for (struct pms_grid_line *line = grid->first; line; line = line->next)
		stack_line(grid, line, number_width);
	grid->columns[0].flags = 0;
	grid->n_shown = 1;
}

/* Wrap the last column into the width that the others leave; stack the cells where that is too
 * narrow to read. */
static void wrap_last(struct pms_grid *grid)
{
	enum { LEAST = 26, NARROWEST = 12 };
	size_t last = grid->n_columns - 1, others = 0;
	if (!has(grid, last, PMS_GRID_WRAP))
		return;
	size_t least = word_width(grid, last);
	least = least > LEAST ? least : LEAST;
	for (size_t i = 0; i < last; i++)
		others += column_width(grid, i) + strlen(gap);
	size_t left = grid->width > others ? grid->width - others : 0;
	if (last && left < least && !grid->side_by_side) {
		stack(grid);
		return;
	}
	left = left > NARROWEST ? left : NARROWEST;
	for (struct pms_grid_line *line = grid->first; line; line = line->next) {
		if (grid->side_by_side)
			shorten_cell(grid, line, last, left);
		wrap_cell(grid, line, last, left);
	}
}

/* Drawing -------------------------------------------------------------------------------------- */

/* The state of a row while it is written. */
struct row {
	const struct pms_grid *grid;
	const char *colour; /* NULL: none */
	const size_t *widths;
	const char **cells; /* the part of each cell that is still to be written */
	size_t owed;	    /* blanks to write only if something follows them */
	FILE *out;
};

static void put_owed(struct row *row)
{
	fprintf(row->out, "%*s", (int)row->owed, "");
	row->owed = 0;
}

/* Draw the branches before a cell's first line, or before a further one. Returns their columns. */
static size_t put_tree(struct row *row, const struct pms_grid_line *line, int is_first)
{
	size_t columns = 2 * depth_of(line);
	put_owed(row);
	if (is_first) {
		put_branch(row->grid, line, row->out);
		return columns;
	}
	put_branches(row->grid, line, row->out);
	if (!line->children)
		return columns;
	fputs(row->grid->ascii ? "| " : "│ ", row->out);
	return columns + 2;
}

/* Write a cell's next line, behind @branches columns of branches. */
static void put_cell(struct row *row, size_t column, size_t branches)
{
	const char *text = row->cells[column];
	size_t bytes = strcspn(text, "\n"), taken = branches + pms_text_columns(text, bytes);
	size_t width = row->widths[column], blanks = width > taken ? width - taken : 0;
	int is_last = column + 1 == row->grid->n_shown;
	int is_right = has(row->grid, column, PMS_GRID_RIGHT);
	row->owed += is_right ? blanks : 0;
	if (bytes)
		put_owed(row);
	fwrite(text, 1, bytes, row->out);
	row->owed += (is_right ? 0 : blanks) + strlen(gap);
	if (is_last)
		row->owed = 0;
	row->cells[column] = text + bytes + (text[bytes] == '\n');
}

/* Write one row of the line's cells. Returns whether the cells have more. */
static int put_row(struct row *row, const struct pms_grid_line *line, int is_first)
{
	int left = 0;
	if (row->colour)
		fputs(row->colour, row->out);
	for (size_t i = 0; i < row->grid->n_shown; i++) {
		int branches = line && has(row->grid, i, PMS_GRID_TREE);
		put_cell(row, i, branches ? put_tree(row, line, is_first) : 0);
		left |= *row->cells[i] != 0;
	}
	fputs(row->colour ? "\033[0m\n" : "\n", row->out);
	return left;
}

static void put_line(struct row *row, const struct pms_grid_line *line)
{
	row->colour = line->colour;
	for (size_t i = 0; i < row->grid->n_shown; i++)
		row->cells[i] = cell(line, i);
	for (int is_first = 1; put_row(row, line, is_first);)
		is_first = 0;
}

static void put_titles(struct row *row)
{
	row->colour = NULL;
	for (size_t i = 0; i < row->grid->n_shown; i++)
		row->cells[i] = row->grid->columns[i].title;
	put_row(row, NULL, 1);
}

/* Returns the line to draw next: the first child, else the next sibling of the line or of its
 * nearest ancestor that has one. */
static const struct pms_grid_line *below(const struct pms_grid_line *line)
{
	if (line->children)
		return line->children;
	while (line && !line->sibling)
		line = line->parent;
	return line ? line->sibling : NULL;
}

int pms_grid_print(struct pms_grid *grid, int titles, FILE *out)
{
	if (!grid->failed)
		wrap_last(grid);
	size_t *widths = pms_arena_alloc(&grid->arena, grid->n_columns, sizeof(*widths));
	const char **cells = pms_arena_alloc(&grid->arena, grid->n_columns, sizeof(*cells));
	if (grid->failed || !widths || !cells)
		return -PMS_ENOMEM;
	struct row row = { .grid = grid, .widths = widths, .cells = cells, .out = out };
	for (size_t i = 0; i < grid->n_shown; i++)
		widths[i] = column_width(grid, i);
	if (titles && grid->roots)
		put_titles(&row);
	for (const struct pms_grid_line *line = grid->roots; line; line = below(line))
		put_line(&row, line);
	return 0;
}

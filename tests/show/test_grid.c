/* SPDX-License-Identifier: MIT */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "show/grid.h"

/* The grid as it is written; releases it. To be freed. */
static char *printed(struct pms_grid *grid, int titles)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	assert_non_null(out);
	assert_int_equal(pms_grid_print(grid, titles, out), 0);
	fclose(out);
	pms_grid_release(grid);
	return text;
}

static void expect(struct pms_grid *grid, int titles, const char *text)
{
	char *got = printed(grid, titles);
	assert_string_equal(got, text);
	free(got);
}

static const struct pms_column tree[] = { { "name", PMS_GRID_TREE },
					  { "value", PMS_GRID_RIGHT },
					  { "", 0 } };

/* Lines below a parent need not follow it. */
static void make_tree(struct pms_grid *grid, const struct pms_show_options *options)
{
	pms_grid_init(grid, options, tree, 3);
	struct pms_grid_line *a = pms_grid_line(grid, NULL), *b = pms_grid_line(grid, NULL);
	struct pms_grid_line *aa = pms_grid_line(grid, a), *ab = pms_grid_line(grid, a);
	struct pms_grid_line *aaa = pms_grid_line(grid, aa), *ba = pms_grid_line(grid, b);
	pms_grid_set(grid, a, 0, "a");
	pms_grid_set(grid, a, 1, "%d", 1000);
	pms_grid_set(grid, b, 0, "b");
	pms_grid_set(grid, b, 2, "unit");
	pms_grid_set(grid, aa, 0, "aa");
	pms_grid_set(grid, ab, 0, "ab");
	pms_grid_set(grid, ab, 1, "%d", 7);
	pms_grid_set(grid, aaa, 0, "aaa");
	pms_grid_set(grid, aaa, 1, "1.5");
	pms_grid_set(grid, ba, 0, "ba");
	pms_grid_colour(grid, ab, "bold");
}

static void trees_have_branches(void **state)
{
	(void)state;
	struct pms_show_options options = { .width = 60 };
	struct pms_grid grid;
	make_tree(&grid, &options);
	expect(&grid, 1,
	       "name      value\n"
	       "a          1000\n"
	       "├─ aa\n"
	       "│ └─ aaa    1.5\n"
	       "└─ ab         7\n"
	       "b                unit\n"
	       "└─ ba\n");
	options.ascii = 1;
	make_tree(&grid, &options);
	expect(&grid, 0,
	       "a          1000\n"
	       "|- aa\n"
	       "| `- aaa    1.5\n"
	       "`- ab         7\n"
	       "b                unit\n"
	       "`- ba\n");
}

/* As far as the last column, in which nothing is. */
static void colours_take_the_whole_line(void **state)
{
	(void)state;
	struct pms_show_options options = { .width = 60, .colour = 1 };
	struct pms_grid grid;
	make_tree(&grid, &options);
	char *got = printed(&grid, 0);
	assert_non_null(strstr(got, "\n\033[1m└─ ab         7\033[0m\n"));
	free(got);
}

static const struct pms_column wrapped[] = { { "N", PMS_GRID_RIGHT },
					     { "KEY", 0 },
					     { "WHAT", PMS_GRID_WRAP } };

static void make_wrapped(struct pms_grid *grid, unsigned width)
{
	struct pms_show_options options = { .width = width };
	pms_grid_init(grid, &options, wrapped, 3);
	struct pms_grid_line *line = pms_grid_line(grid, NULL);
	pms_grid_set(grid, line, 0, "12");
	pms_grid_set(grid, line, 1, "first");
	pms_grid_set(grid, line, 2, "of words that need more than a line of the table");
	line = pms_grid_line(grid, NULL);
	pms_grid_set(grid, line, 0, "3");
	pms_grid_set(grid, line, 2, "short");
}

static void long_cells_are_wrapped(void **state)
{
	(void)state;
	struct pms_grid grid;
	make_wrapped(&grid, 40);
	expect(&grid, 1,
	       " N  KEY    WHAT\n"
	       "12  first  of words that need more than\n"
	       "           a line of the table\n"
	       " 3         short\n");
}

/* Less than 26 columns are left: one below the other. */
static void narrow_tables_are_stacked(void **state)
{
	(void)state;
	struct pms_grid grid;
	make_wrapped(&grid, 30);
	expect(&grid, 0,
	       "12  first: of words that need\n"
	       "    more than a line of the\n"
	       "    table\n"
	       " 3  short\n");
}

/* Words that are longer than 12 columns lose their middle. */
static void some_stay_side_by_side(void **state)
{
	(void)state;
	struct pms_grid grid;
	make_wrapped(&grid, 20);
	grid.side_by_side = 1;
	struct pms_grid_line *line = pms_grid_line(&grid, NULL);
	pms_grid_set(&grid, line, 2, "abcdefghijklmnopqrstuvwxyz");
	expect(&grid, 0,
	       "12  first  of words\n"
	       "           that need\n"
	       "           more than a\n"
	       "           line of the\n"
	       "           table\n"
	       " 3         short\n"
	       "           abcdef…vwxyz\n");
}

static void nothing_is_written_without_lines(void **state)
{
	(void)state;
	struct pms_show_options options = { .width = 60 };
	struct pms_grid grid;
	pms_grid_init(&grid, &options, wrapped, 3);
	expect(&grid, 1, "");
}

/* Of the terminal: two for such a character, none for an accent that is put on another. */
static void wide_characters_take_two_columns(void **state)
{
	(void)state;
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		skip();
	struct pms_show_options options = { .width = 60 };
	struct pms_grid grid;
	pms_grid_init(&grid, &options, tree, 3);
	struct pms_grid_line *line = pms_grid_line(&grid, NULL);
	pms_grid_set(&grid, line, 0, "日本");
	pms_grid_set(&grid, line, 2, "x");
	line = pms_grid_line(&grid, NULL);
	pms_grid_set(&grid, line, 0, "e\u0301a");
	pms_grid_set(&grid, line, 2, "y");
	line = pms_grid_line(&grid, NULL);
	pms_grid_set(&grid, line, 0, "\033[2J");
	pms_grid_set(&grid, line, 2, "z");
	expect(&grid, 0,
	       "日本            x\n"
	       "e\u0301a              y\n"
	       "\\x1b[2J         z\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trees_have_branches),
		cmocka_unit_test(colours_take_the_whole_line),
		cmocka_unit_test(long_cells_are_wrapped),
		cmocka_unit_test(narrow_tables_are_stacked),
		cmocka_unit_test(some_stay_side_by_side),
		cmocka_unit_test(nothing_is_written_without_lines),
		cmocka_unit_test(wide_characters_take_two_columns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

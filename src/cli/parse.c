/* SPDX-License-Identifier: MIT */
#include "parse.h"

#include <getopt.h>
#include <string.h>

#include "cli.h"

/* getopt_long(3) returns a row's letter, or a number from FIRST on. */
enum { FIRST = 256, MOST_ROWS = 96, N_TABLES = 3 };

static const struct cli_row help = { "help", 'h', ~0u, CLI_CALL, 0, NULL, 0 };

/* A row, and the options that it sets. */
struct place {
	const struct cli_row *row;
	void *options;
};

/* All rows of a parser, by number. */
struct places {
	struct place places[MOST_ROWS];
	size_t n;
};

static void find_places(const struct cli_parser *p, struct places *all)
{
	all->places[0] = (struct place){ &help, NULL };
	all->n = 1;
	for (size_t i = 0; i < N_TABLES; i++)
		for (size_t k = 0; k < p->tables[i].n && all->n < MOST_ROWS; k++)
			all->places[all->n++] =
				(struct place){ &p->tables[i].rows[k], p->tables[i].options };
}

static int has_value(const struct cli_row *row)
{
	return row->kind == CLI_TEXT || row->kind == CLI_VALUE;
}

static int is_taken(const struct cli_parser *p, const struct cli_row *row)
{
	return (row->takes & p->takes) != 0;
}

/* Build the tables of getopt_long(3). A leading + ends the options at the first other word; a
 * leading colon keeps it from printing. */
static void make_tables(const struct cli_parser *p, const struct places *all, char *letters,
			struct option *longs)
{
	if (p->stops)
		*letters++ = '+';
	*letters++ = ':';
	for (size_t i = 0; i < all->n; i++) {
		const struct cli_row *row = all->places[i].row;
		if (!is_taken(p, row))
			continue;
		if (row->letter)
			*letters++ = row->letter;
		if (row->letter && has_value(row))
			*letters++ = ':';
		if (row->name)
			*longs++ = (struct option){ row->name, has_value(row), NULL,
						    row->letter ? row->letter : FIRST + (int)i };
	}
	*letters = 0;
	*longs = (struct option){ 0 };
}

/* Returns the row that getopt_long(3) has found; NULL: none. */
static const struct place *find_place(const struct places *all, int option)
{
	for (size_t i = 0; i < all->n; i++)
		if (option >= FIRST ? (size_t)(option - FIRST) == i
				    : option && all->places[i].row->letter == option)
			return &all->places[i];
	return NULL;
}

/* Refuse an unknown option, which another command may have. */
static int unknown(const struct cli_parser *p, const struct places *all, const char *word)
{
	const char *names[MOST_ROWS + 1];
	size_t n = 0, length = strcspn(word, "=");
	for (size_t i = 0; i < all->n; i++) {
		const struct cli_row *row = all->places[i].row;
		if (!row->name)
			continue;
		if (is_taken(p, row))
			names[n++] = row->name;
		else if (!strncmp(row->name, word, length) && !row->name[length])
			return cli_usage(p->command, "%s has no option --%s", p->command,
					 row->name);
	}
	names[n] = NULL;
	const char *nearest = pms_name_nearest(word, names);
	if (nearest)
		return cli_usage(p->command, "unknown option --%s; did you mean --%s?", word,
				 nearest);
	return cli_usage(p->command, "unknown option --%s", word);
}

static int no_value(const struct cli_parser *p, const struct cli_row *row)
{
	if (row->letter)
		return cli_usage(p->command, "-%c needs a value", row->letter);
	return cli_usage(p->command, "--%s needs a value", row->name);
}

/* Refuse what getopt_long(3) refuses. @word: the argument that held it */
static int refuse(const struct cli_parser *p, const struct places *all, int missing,
		  const char *word)
{
	const struct place *place = find_place(all, optopt);
	int is_long = !strncmp(word, "--", 2);
	if (missing && place)
		return no_value(p, place->row);
	if (is_long && place)
		return cli_usage(p->command, "--%s takes no value", place->row->name);
	if (is_long)
		return unknown(p, all, word + 2);
	if (place)
		return cli_usage(p->command, "%s has no option -%c", p->command, optopt);
	return cli_usage(p->command, "unknown option -%c", optopt);
}

/* Apply an option to the member or function of its row. */
static int take(const struct cli_parser *p, const struct place *place, const char *value)
{
	const struct cli_row *row = place->row;
	char *options = place->options;
	if (row == &help) {
		cli_help_print(stdout, p->command);
		return CLI_DONE;
	}
	if (row->given)
		*(int *)(void *)(options + row->given) = 1;
	switch (row->kind) {
	case CLI_FLAG:
		*(int *)(void *)(options + row->at) = 1;
		return -1;
	case CLI_TEXT:
		*(const char **)(void *)(options + row->at) = value;
		return -1;
	default:
		return row->take(options, p->command, value);
	}
}

int cli_parse(const struct cli_parser *p, int argc, char **argv)
{
	struct places all;
	char letters[2 + 2 * MOST_ROWS + 1];
	struct option longs[MOST_ROWS + 1];
	int option, status = -1;
	find_places(p, &all);
	make_tables(p, &all, letters, longs);
	opterr = 0;
	while (status < 0 && (option = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		const struct place *place = find_place(&all, option);
		if (option == '?' || option == ':' || !place)
			status = refuse(p, &all, option == ':', argv[optind - 1]);
		else if (optarg && !*optarg && !p->takes_nothing)
			status = no_value(p, place->row);
		else
			status = take(p, place, optarg ? optarg : "");
	}
	return status;
}

const struct cli_row *cli_row_of(const struct cli_parser *p, const char *word)
{
	size_t length = strcspn(word, "=");
	struct places all;
	find_places(p, &all);
	for (size_t i = 0; i < all.n; i++) {
		const struct cli_row *row = all.places[i].row;
		if (!is_taken(p, row) || word[0] != '-')
			continue;
		if (row->letter && word[1] == row->letter && !word[2])
			return row;
		if (word[1] == '-' && row->name && length == strlen(row->name) + 2 &&
		    !strncmp(word + 2, row->name, length - 2))
			return row;
	}
	return NULL;
}

/* SPDX-License-Identifier: MIT */
/* cli/parse.h - the options of every command, as rows of tables. */
#ifndef PMS_CLI_PARSE_H
#define PMS_CLI_PARSE_H

#include <stddef.h>

/** What a row does with its option. */
enum cli_kind {
	CLI_FLAG, /* sets an int to 1 */
	CLI_TEXT, /* sets a const char * to the value, which is borrowed */
	CLI_CALL, /* calls `take` with an empty value */
	CLI_VALUE /* calls `take` with the value */
};

/** Take an option's value. @options: as the table has it. Returns -1 to go on, else the exit status
 * after a message. */
typedef int cli_take(void *options, const char *command, const char *value);

/** An option. */
struct cli_row {
	const char *name; /* "json"; NULL: it has a letter alone */
	char letter;	  /* 'j'; 0: it has a name alone */
	unsigned takes;	  /* bits of the commands that take it */
	enum cli_kind kind;
	size_t at;	/* of CLI_FLAG and CLI_TEXT: where the member is in the options */
	cli_take *take; /* of CLI_CALL and CLI_VALUE */
	size_t given;	/* where an int is that is set to 1 as well; 0: there is none */
};

/** Rows, and the options that they are about. */
struct cli_table {
	const struct cli_row *rows;
	size_t n;
	void *options;
};

/** How a command reads its words. Each takes -h and --help, too. */
struct cli_parser {
	const char *command; /* "spe dump" */
	struct cli_table tables[3];
	unsigned takes;	   /* the command's bit; the only one of tables of its own */
	int stops;	   /* 1: options end at the first other word, which is a program to run */
	int takes_nothing; /* 1: a value may be empty */
};

/**
 * Read the options of argv[0], up to -- or to the last word.
 * Returns -1 to go on, with optind at the first word that is no option; else the exit status: help
 * was printed, or a message.
 */
int cli_parse(const struct cli_parser *parser, int argc, char **argv);

/** The row that a word stands for as it is: "-o", "--all", "--save=x"; NULL: none. */
const struct cli_row *cli_row_of(const struct cli_parser *parser, const char *word);

#endif

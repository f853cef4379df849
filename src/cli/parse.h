/* SPDX-License-Identifier: MIT */
/* cli/parse.h - the options of every command, as rows of tables. */
#ifndef PMS_CLI_PARSE_H
#define PMS_CLI_PARSE_H

#include <stddef.h>

/** How a row handles its option. */
enum cli_kind {
	CLI_FLAG, /* sets an int to 1 */
	CLI_TEXT, /* sets a const char * to the value, which is borrowed */
	CLI_CALL, /* calls `take` with an empty value */
	CLI_VALUE /* calls `take` with the value */
};

/** Take the value of an option. @options: from the table. Returns -1 to go on, else the exit
 * status after a message. */
typedef int cli_take(void *options, const char *command, const char *value);

/** An option. */
struct cli_row {
	const char *name; /* "json"; NULL: only a letter */
	char letter;	  /* 'j'; 0: only a name */
	unsigned takes;	  /* bits of the commands that have it */
	enum cli_kind kind;
	size_t at;	/* for CLI_FLAG and CLI_TEXT: offset of the member in the options */
	cli_take *take; /* for CLI_CALL and CLI_VALUE */
	size_t given;	/* offset of an int that is also set to 1; 0: none */
};

/** Rows, and the options that they set. */
struct cli_table {
	const struct cli_row *rows;
	size_t n;
	void *options;
};

/** How a command reads its words. Every command takes -h and --help. */
struct cli_parser {
	const char *command; /* "spe dump" */
	struct cli_table tables[3];
	unsigned takes;	   /* the command's bit; the only bit in tables of its own */
	int stops;	   /* 1: the first other word is a program, and ends the options */
	int takes_nothing; /* 1: a value may be empty */
};

/**
 * Read the options of the command argv[0], up to -- or to the last word.
 * Returns -1 to go on, with optind at the first word that is no option; else the exit status: help
 * was printed, or a message.
 */
int cli_parse(const struct cli_parser *parser, int argc, char **argv);

/** Returns the row that a word such as "-o", "--all" or "--save=x" stands for; NULL: none. */
const struct cli_row *cli_row_of(const struct cli_parser *parser, const char *word);

#endif

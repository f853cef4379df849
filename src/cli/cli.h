/* SPDX-License-Identifier: MIT */
/* cli/cli.h - what the subcommands share. They read options, call the library and print: no more.
 */
#ifndef PMS_CLI_CLI_H
#define PMS_CLI_CLI_H

#include <stdio.h>

#include "commands.h"
#include "pmuscope/pmuscope.h"

/** Exit statuses where no program was run, or none could be started, as env(1) has them. */
enum {
	CLI_DONE = 0,
	CLI_FOUND = 1,	  /* a contradiction was found, or a relation or a budget is not kept */
	CLI_NO_MATCH = 1, /* of search, as of grep(1) */
	CLI_USAGE = 2,	  /* usage or input */
	CLI_HOST = 3,	  /* this machine cannot do it */
	CLI_NOT_RUNNABLE = 126,
	CLI_NOT_FOUND = 127
};

/* One file each. argv[0] is the subcommand's name. They return the exit status. */
#define CLI_RUN(name, bit) int cli_##name(int argc, char **argv);
CLI_COMMANDS(CLI_RUN)
#undef CLI_RUN

/* The same for the commands of spe; argv[0] is "dump". */
int cli_spe_dump(int argc, char **argv);
int cli_spe_export(int argc, char **argv);

/** Print what a perf.data says of buffers that are not as they should be, on standard error. */
void cli_spe_losses(const struct pms_perfdata_stats *stats);

/** Print to standard error what a bound on hostile files left out, if anything: bytes of traces,
 * and records of threads and mappings. */
void cli_spe_left_out(uint64_t bytes, uint64_t tasks);

/** Say where the file is damaged, if it is. Returns the exit status, when its output is whole. */
int cli_spe_damage(const struct pms_spe_quality *quality);
int cli_spe_report(int argc, char **argv);

/** Print the help of a subcommand ("spe", "spe dump"), or of the whole for NULL. Returns 0, or -1
 * for no such one. */
int cli_help_print(FILE *out, const char *command);
/** Names of the subcommands, NULL-terminated. */
const char *const *cli_command_names(void);

/* message.c: what people are told, on standard error. Texts from files and command lines are clean,
 * as pms_text_clean has them, whatever is in them. */

/** Print "pmuscope: file:line:column: text" and the hint. Returns the exit status that fits. */
int cli_error(const struct pms_error *err);
/** The same for what errno says of a file that is written. @path: NULL: of a stream */
int cli_cannot_write(const char *path, int number);
/** Print "pmuscope: …", which is no error; and the same on another stream. */
__attribute__((format(printf, 1, 2))) void cli_note(const char *format, ...);
__attribute__((format(printf, 2, 3))) void cli_note_to(FILE *out, const char *format, ...);
/** The same of what the library notes: a pms_note. */
void cli_take_note(void *context, const char *text);
/** The same as cli_error, for want of memory. */
int cli_out_of_memory(void);
/** Refuse @word, which is no command: with the nearest, or with what there is instead of one that
 * other profilers have. Returns CLI_USAGE. */
int cli_unknown_command(const char *word);
/** Print "pmuscope: …" for wrong usage of @command (NULL: of the whole), and where its help is.
 * Returns CLI_USAGE. */
__attribute__((format(printf, 2, 3))) int cli_usage(const char *command, const char *format, ...);

#endif

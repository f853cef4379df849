/* SPDX-License-Identifier: MIT */
/* cli/cli.h - functions that the subcommands share. They only read options, call the library and
 * print. */
#ifndef PMS_CLI_CLI_H
#define PMS_CLI_CLI_H

#include <stdio.h>

#include "commands.h"
#include "pmuscope/pmuscope.h"

/** Exit statuses where no program was run or started, as of env(1). */
enum {
	CLI_DONE = 0,
	CLI_FOUND = 1,	  /* a contradiction, or a broken relation or budget */
	CLI_NO_MATCH = 1, /* search found nothing, as in grep(1) */
	CLI_USAGE = 2,	  /* wrong usage or input */
	CLI_HOST = 3,	  /* this machine lacks something */
	CLI_NOT_RUNNABLE = 126,
	CLI_NOT_FOUND = 127
};

/* Each subcommand has a file. argv[0] is its name. It returns the exit status. */
#define CLI_RUN(name, bit) int cli_##name(int argc, char **argv);
CLI_COMMANDS(CLI_RUN)
#undef CLI_RUN

/* The commands of spe; argv[0] is "dump" and so on. */
int cli_spe_dump(int argc, char **argv);
int cli_spe_export(int argc, char **argv);

/** Print on standard error which buffers a perf.data reports as lost or truncated. */
void cli_spe_losses(const struct pms_perfdata_stats *stats);

/** Print on standard error what a limit against hostile files left out, if anything: bytes of
 * traces, and records of threads and mappings. */
void cli_spe_left_out(uint64_t bytes, uint64_t tasks);

/** Say where the file is damaged, if it is. Returns the exit status for complete output. */
int cli_spe_damage(const struct pms_spe_quality *quality);
int cli_spe_report(int argc, char **argv);

/** Print the help of a subcommand ("spe", "spe dump"), or of pmuscope for NULL. Returns 0, or -1
 * for an unknown one. */
int cli_help_print(FILE *out, const char *command);
/** Returns the names of the subcommands, NULL-terminated. */
const char *const *cli_command_names(void);

/* message.c: messages on standard error. Texts from files and command lines are always cleaned,
 * as by pms_text_clean. */

/** Print "pmuscope: file:line:column: text" and the hint. Returns the exit status for the error. */
int cli_error(const struct pms_error *err);
/** Report the errno @number of a file that is written. @path: NULL: a stream. Returns the exit
 * status. */
int cli_cannot_write(const char *path, int number);
/** Print "pmuscope: …" for something that is no error; cli_note_to() prints it on another stream.
 */
__attribute__((format(printf, 1, 2))) void cli_note(const char *format, ...);
__attribute__((format(printf, 2, 3))) void cli_note_to(FILE *out, const char *format, ...);
/** Print a note of the library: a pms_note. */
void cli_take_note(void *context, const char *text);
/** Report that memory ran out. Returns the exit status. */
int cli_out_of_memory(void);
/** Refuse @word, which is no command. Names the nearest command, or the equivalent of another
 * profiler's command. Returns CLI_USAGE. */
int cli_unknown_command(const char *word);
/** Print "pmuscope: …" for wrong usage of @command (NULL: pmuscope itself), and where its help
 * is. Returns CLI_USAGE. */
__attribute__((format(printf, 2, 3))) int cli_usage(const char *command, const char *format, ...);

#endif

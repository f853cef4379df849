/* SPDX-License-Identifier: MIT */
/* cli/commands.h - the subcommands, in the order of the help. A new one needs a row here, a file
 * with its cli_... function, a page in help.c, and its bit in the rows of options.c that it
 * takes. */
#ifndef PMS_CLI_COMMANDS_H
#define PMS_CLI_COMMANDS_H

/* clang-format off */
#define CLI_COMMANDS(X) \
	X(topdown, TOPDOWN) \
	X(stat, STAT) \
	X(report, REPORT) \
	X(annotate, ANNOTATE) \
	X(check, CHECK) \
	X(list, LIST) \
	X(search, SEARCH) \
	X(describe, DESCRIBE) \
	X(lint, LINT) \
	X(spe, SPE) \
	X(export, EXPORT) \
	X(plan, PLAN) \
	X(validate, VALIDATE) \
	X(core, CORE) \
	X(doctor, DOCTOR) \
	X(help, HELP)
/* clang-format on */

#endif

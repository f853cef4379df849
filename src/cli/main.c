/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "interrupt.h"
#include "mapped.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
} commands[] = {
#define ROW(name, bit) { #name, cli_##name },
	CLI_COMMANDS(ROW)
#undef ROW
};

#define N_COMMANDS (sizeof(commands) / sizeof(commands[0]))

const char *const *cli_command_names(void)
{
#define NAME(name, bit) #name,
	static const char *const names[] = { CLI_COMMANDS(NAME) NULL };
#undef NAME
	return names;
}

/* Whether main() ends the process. */
static bool ended;

static int version(void)
{
	struct pms_names cpus = { 0 };
	struct pms_error err = { 0 };
	int rc = pms_catalog_cpus(NULL, &cpus, &err);
	if (rc == -PMS_ENOMEM)
		return cli_error(&err);
	printf("pmuscope %s\n", pms_version());
	if (!rc) {
		fputs("cpus:", stdout);
		for (size_t i = 0; i < cpus.count; i++)
			printf(" %s", cpus.names[i]);
		putchar('\n');
	}
	pms_names_free(&cpus);
	return CLI_DONE;
}

static int unknown(const char *word)
{
	if (word[0] == '-')
		return cli_usage(NULL, "unknown option %s", word);
	return cli_unknown_command(word);
}

/* Fill closed standard streams with descriptors that can be neither read nor written. Otherwise
 * the next opened file would take a stream's number and its output. A program that is run finds
 * the streams closed. */
static void keep_standard_numbers(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/", O_PATH | O_CLOEXEC) < 0)
			return; /* no descriptor is left, so nothing else can be opened */
}

/* Make a file that reaches the limit of `ulimit -f` a failed write. An empty handler does it;
 * ignoring the signal would be inherited by the programs we run. */
static void on_limit(int number)
{
	(void)number;
}

static void take_size_limit(void)
{
	struct sigaction action;
	if (sigaction(SIGXFSZ, NULL, &action) || action.sa_handler != SIG_DFL)
		return;
	action = (struct sigaction){ .sa_handler = on_limit, .sa_flags = SA_RESTART };
	sigaction(SIGXFSZ, &action, NULL);
}

/* libdw ends the process where it has no memory, with a status and a message of its own. */
static void on_exit_of_others(void)
{
	if (ended)
		return;
	cli_guard_remove();
	fputs("pmuscope: out of memory\n", stderr);
	_exit(CLI_USAGE);
}

/* Closing standard output reveals earlier failed writes. */
static int flushed(int status)
{
	errno = 0;
	if (status || !(fflush(stdout) || ferror(stdout)))
		return status;
	return cli_cannot_write("standard output", errno ? errno : EIO);
}

static int run(int argc, char **argv)
{
	/* Only for characters: numbers look the same everywhere. */
	setlocale(LC_CTYPE, "");
	if (argc < 2) {
		cli_help_print(stderr, NULL);
		return CLI_USAGE;
	}
	if (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help"))
		return cli_help_print(stdout, NULL);
	if (!strcmp(argv[1], "--version"))
		return version();
	for (size_t i = 0; i < N_COMMANDS; i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	return unknown(argv[1]);
}

int main(int argc, char **argv)
{
	keep_standard_numbers();
	take_size_limit();
	cli_watch_mapped();
	atexit(on_exit_of_others);
	int status = flushed(run(argc, argv));
	ended = true;
	return status;
}

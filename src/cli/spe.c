/* SPDX-License-Identifier: MIT */
/* pmuscope spe: a command of commands. */
#include <string.h>

#include "cli.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} commands[] = {
	{ "dump", cli_spe_dump },
	{ "export", cli_spe_export },
	{ "report", cli_spe_report },
};

enum { N_COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static int unknown(const char *word)
{
	const char *names[N_COMMANDS + 1] = { NULL };
	for (size_t i = 0; i < N_COMMANDS; i++)
		names[i] = commands[i].name;
	const char *nearest = pms_name_nearest(word, names);
	if (nearest)
		return cli_usage("spe", "spe has no %s; did you mean %s?", word, nearest);
	return cli_usage("spe", "spe has no %s", word);
}

int cli_spe(int argc, char **argv)
{
	if (argc < 2)
		return cli_usage("spe", "spe does what?");
	if (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help"))
		return cli_help_print(stdout, "spe");
	for (size_t i = 0; i < N_COMMANDS; i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	return unknown(argv[1]);
}

/* SPDX-License-Identifier: MIT */
#include "spe_options.h"

#include <getopt.h>

static int take_mcpu(void *options, const char *command, const char *value)
{
	struct cli_spe_options *o = options;
	o->encoding = pms_spe_encoding_of_core(value);
	if (o->encoding)
		return -1;
	return cli_usage(command, "--mcpu %s: its data sources are not known", value);
}

#define AT(member)   offsetof(struct cli_spe_options, member)
#define TEXT(member) 1, CLI_TEXT, AT(member), NULL, 0

static const struct cli_row common[] = {
	{ "raw", 0, 1, CLI_FLAG, AT(raw), NULL, 0 },
	{ "mcpu", 0, 1, CLI_VALUE, 0, take_mcpu, 0 },
};

static const struct cli_row picks[] = {
	{ "pid", 0, TEXT(pick.pid) },	{ "tid", 0, TEXT(pick.tid) },
	{ "cpu", 0, TEXT(pick.cpu) },	{ "comm", 0, TEXT(pick.comm) },
	{ "time", 0, TEXT(pick.time) },
};

int cli_spe_options_read(const struct cli_spe_command *command, struct cli_spe_options *o, int argc,
			 char **argv)
{
	const struct cli_parser parser = {
		.command = command->name,
		.tables = { { common, sizeof(common) / sizeof(common[0]), o },
			    { picks, command->picks ? sizeof(picks) / sizeof(picks[0]) : 0, o },
			    command->rows },
		.takes = 1,
		.takes_nothing = 1
	};
	int status = cli_parse(&parser, argc, argv);
	if (status >= 0)
		return status;
	if (optind + 1 < argc)
		return cli_usage(command->name, "one file at a time, not %s as well",
				 argv[optind + 1]);
	o->file = optind < argc ? argv[optind] : NULL;
	return -1;
}

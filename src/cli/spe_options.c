/* SPDX-License-Identifier: MIT */
#include "spe_options.h"

static int read_mcpu(const struct cli_spe_command *command, struct cli_spe_options *o)
{
	o->encoding = pms_spe_encoding_of_core(optarg);
	if (o->encoding)
		return -1;
	return cli_usage(command->name, "--mcpu %s: its data sources are not known", optarg);
}

/* Options that the commands share are taken here, others by the command. */
static int take(const struct cli_spe_command *command, struct cli_spe_options *o, int option)
{
	struct pms_spe_pick *pick = &o->pick;
	const char **const picks[] = { &pick->pid, &pick->tid, &pick->cpu, &pick->comm,
				       &pick->time };
	switch (option) {
	case 'h':
		cli_help_print(stdout, command->name);
		return CLI_DONE;
	case CLI_SPE_RAW:
		o->raw = 1;
		return -1;
	case CLI_SPE_MCPU:
		return read_mcpu(command, o);
	default:
		if (option < CLI_SPE_PID)
			return command->take(command->context, option);
		*picks[option - CLI_SPE_PID] = optarg;
		return -1;
	}
}

int cli_spe_options_read(const struct cli_spe_command *command, struct cli_spe_options *o, int argc,
			 char **argv)
{
	int option, status = -1;
	opterr = 0;
	while (status < 0 &&
	       (option = getopt_long(argc, argv, command->shorts, command->longs, NULL)) != -1) {
		if (option == '?' || option == ':')
			status = cli_refuse(command->name, command->longs, option == ':',
					    argv[optind - 1]);
		else
			status = take(command, o, option);
	}
	if (status >= 0)
		return status;
	if (optind + 1 < argc)
		return cli_usage(command->name, "one file at a time, not %s as well",
				 argv[optind + 1]);
	o->file = optind < argc ? argv[optind] : NULL;
	return -1;
}

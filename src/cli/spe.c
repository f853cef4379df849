/* SPDX-License-Identifier: MIT */
/* pmuscope spe: a command of commands. */
#include <inttypes.h>
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

void cli_spe_losses(const struct pms_perfdata_stats *s)
{
	const struct {
		uint64_t count;
		const char *what;
	} rows[] = { { s->aux_truncated, "truncated" },
		     { s->aux_partial, "with gaps" },
		     { s->aux_collided, "with collisions" },
		     { s->aux_overwritten, "overwritten" } };
	fprintf(stderr, "%" PRIu64 " stretches of trace", s->aux_records);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].count)
			fprintf(stderr, ", %" PRIu64 " %s", rows[i].count, rows[i].what);
	fputc('\n', stderr);
	if (s->aux_bytes > s->auxtrace_bytes)
		fprintf(stderr, "%" PRIu64 " bytes of trace are not in the file\n",
			s->aux_bytes - s->auxtrace_bytes);
	if (s->cut)
		fprintf(stderr, "the file is cut short at byte %" PRIu64 ": %s\n", s->cut_at,
			s->cut_text);
}

void cli_spe_left_out(uint64_t bytes, uint64_t tasks)
{
	if (bytes)
		fprintf(stderr,
			"%" PRIu64 " bytes of trace left out: those of buffers beyond the first "
			"262144\n",
			bytes);
	if (tasks)
		fprintf(stderr,
			"%" PRIu64 " records of threads and mappings left out, beyond what is "
			"kept: some code has no name\n",
			tasks);
}

int cli_spe_damage(const struct pms_spe_quality *quality)
{
	struct pms_error err;
	if (!quality->damage)
		return CLI_DONE;
	err = *quality->damage;
	if (!err.hint[0])
		snprintf(err.hint, sizeof(err.hint), "what stands before it is in the output");
	return cli_error(&err);
}

/* SPDX-License-Identifier: MIT */
#include "options.h"
#include "output.h"

enum { MOST_CHECKS = 64 };

struct checks {
	struct pms_host_check list[MOST_CHECKS];
	size_t n;
};

static int put(FILE *out, const void *what, const struct pms_show_options *options,
	       struct pms_error *err)
{
	const struct checks *checks = what;
	return pms_show_checks(out, checks->list, checks->n, options, err);
}

static int show(const struct cli_options *o)
{
	struct checks checks;
	struct pms_vcore_options vcore = { .qemu = o->qemu };
	int status = cli_output_check(o->output);
	if (status)
		return status;
	checks.n = pms_host_checks(&vcore, checks.list, MOST_CHECKS);
	checks.n = checks.n < MOST_CHECKS ? checks.n : MOST_CHECKS;
	status = cli_output_put(o, put, &checks);
	for (size_t i = 0; i < checks.n && status == CLI_DONE; i++)
		if (checks.list[i].ok == 0)
			status = CLI_HOST;
	return status;
}

int cli_doctor(int argc, char **argv)
{
	struct cli_options o;
	int status = cli_options_read(&o, CLI_TAKES_DOCTOR, argc, argv);
	if (status < 0 && o.command[0])
		status = cli_usage("doctor", "doctor takes no arguments");
	if (status < 0)
		status = show(&o);
	cli_options_release(&o);
	return status;
}

/* SPDX-License-Identifier: MIT */
#include "options.h"
#include "output.h"

enum { MOST_CHECKS = 64 };

static int show(const struct cli_options *o, const struct pms_host_check *checks, size_t n)
{
	struct pms_error err = { 0 };
	struct cli_output output;
	int status = cli_output_check(o->output);
	if (!status)
		status = cli_output_open(&output, o->output, stdout);
	if (status)
		return status;
	struct pms_show_options options = cli_show_options(o, fileno(output.stream));
	if (pms_show_checks(output.stream, checks, n, &options, &err))
		status = cli_error(&err);
	int closed = cli_output_close(&output, !status);
	return status ? status : closed;
}

int cli_doctor(int argc, char **argv)
{
	struct pms_host_check checks[MOST_CHECKS];
	struct cli_options o;
	int status = cli_options_read(&o, CLI_TAKES_DOCTOR, argc, argv);
	if (status < 0 && o.command[0])
		status = cli_usage("doctor", "doctor takes no arguments");
	if (status < 0) {
		struct pms_vcore_options vcore = { .qemu = o.qemu };
		size_t n = pms_host_checks(&vcore, checks, MOST_CHECKS);
		n = n < MOST_CHECKS ? n : MOST_CHECKS;
		status = show(&o, checks, n);
		for (size_t i = 0; i < n && status == CLI_DONE; i++)
			if (checks[i].ok == 0)
				status = CLI_HOST;
	}
	cli_options_release(&o);
	return status;
}

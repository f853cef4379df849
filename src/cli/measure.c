/* SPDX-License-Identifier: MIT */
#include "measure.h"

#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "catalog.h"
#include "output.h"
#include "render.h"
#include "save.h"

/* Returns -1 to go on, else the exit status. */
static int check_source(enum cli_source source)
{
	static const char *const own[] = { "aarch64", "arm", "riscv" }; /* perf's default here */
	struct pms_error err = { .status = PMS_EHOST };
	struct utsname host;
	int has_own = 0;
	if (uname(&host))
		host.machine[0] = 0;
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		has_own |= !strncmp(host.machine, own[i], strlen(own[i]));
	if (source == CLI_SOURCE_VCORE || (source == CLI_SOURCE_DEFAULT && !has_own))
		return -1;
	if (source == CLI_SOURCE_PERF && !has_own)
		snprintf(err.text, sizeof(err.text),
			 "--source perf measures on Arm and RISC-V machines; this one is %s",
			 host.machine);
	else
		snprintf(err.text, sizeof(err.text), "live measurement is not in this version");
	snprintf(err.hint, sizeof(err.hint),
		 "pass --source vcore to run the program on a modelled core instead");
	return cli_error(&err);
}

static void save(const struct pms_counts *counts, const struct cli_options *o, const char *command)
{
	struct cli_save save;
	cli_save_begin(&save, o, command);
	cli_save_add(&save, counts);
	cli_save_end(&save, 1);
}

static int run(const struct pms_catalog *catalog, const struct cli_selection *s,
	       const struct cli_options *o, const struct cli_measure *measure)
{
	struct pms_vcore_options vcore = { .qemu = o->qemu,
					   .sysroot = o->sysroot,
					   .qemu_cpu = o->qemu_cpu,
					   .env = o->env.words,
					   .no_wrong_path = o->no_wrong_path };
	struct pms_error err = { 0 };
	struct pms_counts *counts = NULL;
	if (pms_collect_vcore(catalog, o->command, &vcore, &counts, &err))
		return cli_error(&err);
	/* Neither report nor session can change the status: that is the program's own. */
	int status = counts->provenance.exit_status;
	save(counts, o, measure->name);
	cli_render(counts, s, o, measure->view, stderr);
	pms_counts_free(counts);
	return status;
}

static int load_and_run(const struct cli_options *o, const struct cli_measure *measure)
{
	struct pms_catalog *catalog = NULL;
	struct cli_selection selection = { 0 };
	int status = cli_catalog_load(o, 1, &catalog);
	if (status)
		return status;
	status = cli_select(&selection, catalog, o, measure->view);
	if (status < 0)
		status = cli_output_check(o->output);
	if (status == CLI_DONE)
		status = cli_save_check(o);
	if (status == CLI_DONE)
		status = run(catalog, &selection, o, measure);
	cli_selection_release(&selection);
	pms_catalog_free(catalog);
	return status;
}

int cli_measure(const struct cli_measure *measure, int argc, char **argv)
{
	struct cli_options o;
	int status = cli_options_read(&o, measure->takes, argc, argv);
	if (status < 0 && !o.command[0])
		status = cli_usage(measure->name, "no program to run");
	if (status < 0)
		status = check_source(o.source);
	if (status < 0)
		status = load_and_run(&o, measure);
	cli_options_release(&o);
	return status;
}

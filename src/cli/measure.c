/* SPDX-License-Identifier: MIT */
#include "measure.h"

#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "live.h"
#include "output.h"
#include "render.h"
#include "save.h"

int cli_is_foreign(struct utsname *host)
{
	static const char *const own[] = { "aarch64", "arm", "riscv" };
	if (uname(host))
		snprintf(host->machine, sizeof(host->machine), "unknown");
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (!strncmp(host->machine, own[i], strlen(own[i])))
			return 0;
	return 1;
}

int cli_is_modelled(const struct cli_options *o)
{
	struct utsname host;
	if (o->source != CLI_SOURCE_DEFAULT)
		return o->source == CLI_SOURCE_VCORE;
	return !o->live.given && cli_is_foreign(&host);
}

/* What only a model can do. */
static const char *model_option(const struct cli_options *o)
{
	if (o->forward)
		return "--fast-forward";
	return o->region ? "--roi" : o->detail ? "--sample" : NULL;
}

int cli_counts_what_runs(const struct cli_options *o)
{
	const struct cli_live_options *live = &o->live;
	return live->pids.count || live->tids.count || live->all_cpus || live->cpus || live->cgroup;
}

/* Why the modelled core does not take an option of measurements. */
static const char *no_live_option(const struct cli_options *o)
{
	if (cli_counts_what_runs(o))
		return "the modelled core runs one program from its start; options that count what "
		       "runs already need --source perf, this machine's PMU";
	return "the modelled core runs one program; options of measurements need --source perf";
}

static int save(const struct pms_counts *counts, const struct cli_options *o, const char *command)
{
	struct cli_save save;
	cli_save_begin(&save, o, command);
	cli_save_add(&save, counts);
	return cli_save_end(&save, 1);
}

/* There is nothing to report of a function that did not run. */
static int never_entered(const struct pms_provenance *run)
{
	const struct pms_extent *extent = &run->extent;
	struct pms_error err = { .status = PMS_EINVAL };
	snprintf(err.text, sizeof(err.text), "--roi %.200s: it was never called%s", extent->region,
		 extent->forward ? " after what --fast-forward left out" : "");
	if (run->signal)
		snprintf(err.hint, sizeof(err.hint), "signal %d ended the program before",
			 run->signal);
	else
		snprintf(err.hint, sizeof(err.hint),
			 "name a function that the program calls: where the compiler has inlined "
			 "this one, its caller");
	return cli_error(&err);
}

static int run(const struct pms_catalog *catalog, const struct cli_selection *s,
	       const struct cli_options *o, const struct cli_measure *measure)
{
	struct pms_vcore_options vcore = { .qemu = o->qemu,
					   .sysroot = o->sysroot,
					   .qemu_cpu = o->qemu_cpu,
					   .env = o->env.words,
					   .core_set = o->core_set.words,
					   .forward = o->forward,
					   .region = o->region,
					   .warm = o->warm,
					   .detail = o->detail,
					   .skip = o->skip,
					   .no_wrong_path = o->no_wrong_path };
	struct pms_error err = { 0 };
	struct pms_counts *counts = NULL;
	if (pms_collect_vcore(catalog, o->command, &vcore, &counts, &err))
		return cli_error(&err);
	if (counts->provenance.extent.region && !counts->provenance.extent.entries) {
		int status = never_entered(&counts->provenance);
		pms_counts_free(counts);
		return status;
	}
	/* The status is the program's own, unless it is 0 and the report is lost. */
	int status = counts->provenance.exit_status;
	int saved = save(counts, o, measure->name);
	int shown = cli_render(&(struct cli_shown){ counts, s }, 1, o, measure->view, stderr);
	pms_counts_free(counts);
	return status ? status : saved ? saved : shown;
}

/* The name that the catalog has for what a word means; a word for what is none of the core's events
 * would have it grow. */
static int resolve_event(struct pms_catalog *catalog, char **word)
{
	struct pms_error err = { 0 };
	size_t of_core = pms_catalog_events(catalog);
	int64_t event = pms_live_event(catalog, *word, &err);
	if (event >= 0 && (size_t)event >= of_core) {
		err.status = PMS_ENAME;
		snprintf(err.text, sizeof(err.text),
			 "%.200s is no event of the modelled core, which counts in user mode alone",
			 *word);
		snprintf(err.hint, sizeof(err.hint),
			 "pmuscope list events shows all; --source perf counts Linux's own, too");
	}
	if (err.status != PMS_OK)
		return cli_error(&err);
	char *name = strdup(pms_catalog_event(catalog, (size_t)event)->name);
	if (!name)
		return cli_out_of_memory();
	free(*word);
	*word = name;
	return CLI_DONE;
}

static int resolve_events(struct pms_catalog *catalog, struct cli_words *words)
{
	int status = CLI_DONE;
	for (size_t i = 0; i < words->count && status == CLI_DONE; i++)
		status = resolve_event(catalog, &words->words[i]);
	return status;
}

static int load_and_run(struct cli_options *o, const struct cli_measure *measure)
{
	struct pms_catalog *catalog = NULL;
	struct cli_selection selection = { 0 };
	int status = cli_catalog_load(o, 1, &catalog);
	if (status == CLI_DONE)
		status = resolve_events(catalog, &o->events);
	if (status == CLI_DONE)
		status = cli_select(&selection, catalog, o, measure->view);
	if (status < 0)
		status = cli_output_check(o->output);
	if (status == CLI_DONE)
		status = cli_select_planned(&selection, catalog, o);
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
	if (status < 0 && !cli_is_modelled(&o) && model_option(&o))
		status = cli_usage(measure->name,
				   "%s is of the modelled core; a PMU counts all that runs: add "
				   "--source vcore",
				   model_option(&o));
	else if (status < 0 && !cli_is_modelled(&o))
		status = cli_live(&o, measure);
	else if (status < 0 && o.live.given)
		status = cli_usage(measure->name, "%s", no_live_option(&o));
	else if (status < 0 && !o.command[0])
		status = cli_usage(measure->name, "no program to run");
	else if (status < 0)
		status = load_and_run(&o, measure);
	cli_options_release(&o);
	return status;
}

/* SPDX-License-Identifier: MIT */
#include "measure.h"

#include "live.h"
#include "output.h"
#include "render.h"
#include "save.h"

int cli_is_modelled(const struct cli_options *o)
{
	if (o->source != CLI_SOURCE_DEFAULT)
		return o->source == CLI_SOURCE_VCORE;
	return !o->live.given && pms_source_of_host() == PMS_SOURCE_MODEL;
}

/* Returns an option that only a model can obey. */
static const char *model_option(const struct cli_options *o)
{
	if (o->forward)
		return "--fast-forward";
	if (o->where)
		return "--where";
	if (o->why)
		return "--why";
	return o->region ? "--roi" : o->detail ? "--sample" : NULL;
}

static int counts_what_runs(const struct cli_options *o)
{
	const struct cli_live_options *live = &o->live;
	return live->pids.count || live->tids.count || live->all_cpus || live->cpus || live->cgroup;
}

/* Returns an option that the modelled core refuses, because it is for measurements. */
static const char *no_live_option(const struct cli_options *o)
{
	if (counts_what_runs(o))
		return "the modelled core runs one program from its start; options that count what "
		       "runs already need --source perf, this machine's PMU";
	return "the modelled core runs one program; options of measurements need --source perf";
}

static int save(const struct pms_counts *counts, const struct cli_options *o, const char *command,
		const struct pms_wanted *wanted)
{
	struct cli_save save;
	cli_save_begin(&save, o, o->save, command, wanted);
	cli_save_add(&save, counts);
	return cli_save_end(&save, 1);
}

static struct pms_vcore_options model_options(const struct cli_options *o)
{
	return (struct pms_vcore_options){ .qemu = o->qemu,
					   .sysroot = o->sysroot,
					   .qemu_cpu = o->qemu_cpu,
					   .env = o->env.words,
					   .core_set = o->core_set.words,
					   .forward = o->forward,
					   .region = o->region,
					   .warm = o->warm,
					   .detail = o->detail,
					   .skip = o->skip,
					   .no_wrong_path = o->no_wrong_path,
					   .places = o->where };
}

/* Measure and show. The status is the program's own, unless that is 0 and the report is lost. */
static int run(struct pms_measurement *m, const struct cli_options *o,
	       const struct cli_measure *measure)
{
	const struct pms_measured_part *part = pms_measurement_part(m, 0);
	struct pms_error err = { 0 };
	struct pms_counts *counts = NULL;
	if (pms_measurement_read(m, NULL, NULL, &counts, &err))
		return cli_error(&err);
	int status = counts->provenance.exit_status;
	int saved = save(counts, o, measure->name, &part->wanted);
	int shown = cli_render(&(struct cli_shown){ counts, part->selection }, 1, o, measure->view,
			       stderr);
	pms_counts_free(counts);
	return status ? status : saved ? saved : shown;
}

/* Run the program on the modelled core. The output files are checked first: a run may take long. */
static int run_model(const struct cli_options *o, const struct cli_measure *measure)
{
	const struct pms_measurement_options options = {
		.source = PMS_SOURCE_MODEL,
		.mcpu = o->mcpu,
		.spec = o->spec,
		.wanted = cli_wanted(o, measure->view == PMS_VIEW_STAT),
		.live = { .target = { .command = o->command } },
		.vcore = model_options(o),
		.why = o->why,
		.note = cli_take_note
	};
	struct pms_error err = { 0 };
	struct pms_measurement *m = NULL;
	if (pms_measurement_open(&options, &m, &err))
		return cli_error(&err);
	int status = cli_output_check(o->output);
	if (!status)
		status = cli_save_check(o, o->save);
	if (!status)
		status = run(m, o, measure);
	pms_measurement_close(m);
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
		status = run_model(&o, measure);
	cli_options_release(&o);
	return status;
}

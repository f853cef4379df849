/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "catalog.h"
#include "measure.h"
#include "output.h"

/* The chosen workloads and their results. */
struct validation {
	const struct cli_options *options;
	struct pms_catalog *catalog;
	struct pms_workloads *workloads;
	size_t *wanted, n;
	struct pms_counts **counts;
	struct pms_trial **trials;
	size_t n_done;
};

static void release(struct validation *v)
{
	for (size_t i = 0; i < v->n_done; i++) {
		pms_trial_free(v->trials[i]);
		pms_counts_free(v->counts[i]);
	}
	free(v->trials);
	free(v->counts);
	free(v->wanted);
	pms_workloads_free(v->workloads);
	pms_catalog_free(v->catalog);
}

/* Choose the named workloads, or all. */
static int choose(struct validation *v)
{
	struct pms_error err = { 0 };
	char **names = v->options->command;
	size_t all = pms_workloads_count(v->workloads), named = 0;
	while (names[named])
		named++;
	v->n = named ? named : all;
	v->wanted = calloc(v->n + 1, sizeof(v->wanted[0]));
	v->trials = calloc(v->n + 1, sizeof(v->trials[0]));
	v->counts = calloc(v->n + 1, sizeof(struct pms_counts *));
	if (!v->wanted || !v->trials || !v->counts)
		return cli_out_of_memory();
	for (size_t i = 0; i < v->n; i++) {
		int64_t found =
			named ? pms_workload_find(v->workloads, names[i], &err) : (int64_t)i;
		if (found < 0)
			return cli_error(&err);
		v->wanted[i] = (size_t)found;
	}
	return CLI_DONE;
}

/* Show progress on a terminal, on one line that the next call overwrites. */
static void progress(const struct validation *v, const char *name)
{
	if (!isatty(STDERR_FILENO))
		return;
	char *clean = pms_text_clean(name ? name : "", 0);
	fputs("\r\033[K", stderr);
	if (name)
		fprintf(stderr, "workload %zu of %zu: %s", v->n_done + 1, v->n, clean ? clean : "");
	free(clean);
}

/* Run one workload and keep its counts. A workload that fails ends the validation. */
static int run_one(struct validation *v, const struct pms_workload *workload)
{
	const struct cli_options *o = v->options;
	const struct pms_workload_how how = {
		.modelled = cli_is_modelled(o),
		.quick = o->quick,
		.vcore = { .qemu = o->qemu, .qemu_cpu = o->qemu_cpu, .core_set = o->core_set.words }
	};
	struct pms_error err = { 0 };
	struct pms_counts *counts = NULL;
	char path[PATH_MAX];
	if (pms_workload_run(workload, v->catalog, &how, &counts, &err))
		return cli_error(&err);
	v->counts[v->n_done] = counts;
	int status = counts->provenance.exit_status;
	if (status && !pms_workload_path(workload->name, path, sizeof(path), &err))
		cli_note("%s ended with status %d", path, status);
	else if (!status && pms_trial_make(workload, counts, &v->trials[v->n_done], &err))
		status = cli_error(&err);
	if (status)
		pms_counts_free(counts);
	else
		v->n_done++;
	return status;
}

static int run_all(struct validation *v)
{
	int status = CLI_DONE;
	for (size_t i = 0; !status && i < v->n; i++) {
		const struct pms_workload *workload = pms_workload(v->workloads, v->wanted[i]);
		progress(v, workload->name);
		status = run_one(v, workload);
	}
	progress(v, NULL);
	return status;
}

static int put(FILE *out, const void *what, const struct pms_show_options *options,
	       struct pms_error *err)
{
	const struct validation *v = what;
	return pms_show_trials(out, v->trials, v->n_done, options, err);
}

static int all_agree(const struct validation *v)
{
	for (size_t i = 0; i < v->n_done; i++)
		if (!v->trials[i]->agrees)
			return 0;
	return 1;
}

static int put_names(const struct validation *v)
{
	for (size_t i = 0; i < pms_workloads_count(v->workloads); i++)
		puts(pms_workload(v->workloads, i)->name);
	return CLI_DONE;
}

static int load(struct validation *v)
{
	struct pms_error err = { 0 };
	int status = cli_catalog_load(v->options, cli_is_modelled(v->options), &v->catalog);
	if (!status && pms_workloads_load(v->catalog, NULL, &v->workloads, &err))
		status = cli_error(&err);
	return status ? status : choose(v);
}

/* Run the workloads and show whether the model agrees with the expected values. */
static int validate(const struct cli_options *o)
{
	struct validation v = { .options = o };
	int status = cli_output_check(o->output);
	if (!status)
		status = load(&v);
	if (!status && o->names) {
		status = put_names(&v);
		release(&v);
		return status;
	}
	if (!status)
		status = run_all(&v);
	if (!status)
		status = cli_output_put(o, put, &v);
	if (!status && !all_agree(&v))
		status = CLI_FOUND;
	release(&v);
	return status;
}

int cli_validate(int argc, char **argv)
{
	struct cli_options o;
	int status = cli_options_read(&o, CLI_TAKES_VALIDATE, argc, argv);
	if (status < 0)
		status = validate(&o);
	cli_options_release(&o);
	return status;
}

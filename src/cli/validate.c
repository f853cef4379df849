/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "catalog.h"
#include "measure.h"
#include "output.h"

/* Which are run, and what became of those that were. */
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

/* Those that are named; all where none is. */
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

/* On a terminal alone, in the one line that the next call writes over. */
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

/* What one workload needs, on this machine's own PMU. */
struct wanted {
	const char **metrics; /* of the catalog */
	size_t *events;	      /* of figures that are no metric of the catalog */
	size_t n_metrics, n_events;
};

static int is_catalogs(const struct validation *v, const struct pms_metric *metric)
{
	return pms_catalog_find_metric(v->catalog, metric->name) >= 0;
}

static int want(struct wanted *w, const struct validation *v, const struct pms_workload *workload)
{
	size_t most_events = 0, nodes = pms_catalog_nodes(v->catalog);
	for (size_t i = 0; i < workload->n_figures; i++)
		most_events += workload->figures[i].metric->n_events;
	w->metrics = calloc(nodes + workload->n_figures + 1, sizeof(w->metrics[0]));
	w->events = calloc(most_events + 1, sizeof(w->events[0]));
	if (!w->metrics || !w->events)
		return cli_out_of_memory();
	for (size_t i = 0; i < nodes; i++) {
		const struct pms_tree_node *node = pms_catalog_node(v->catalog, i);
		if (node->level == 1)
			w->metrics[w->n_metrics++] =
				pms_catalog_metric(v->catalog, node->metric)->name;
	}
	for (size_t i = 0; i < workload->n_figures; i++) {
		const struct pms_metric *metric = workload->figures[i].metric;
		if (is_catalogs(v, metric))
			w->metrics[w->n_metrics++] = metric->name;
		for (size_t k = 0; !is_catalogs(v, metric) && k < metric->n_events; k++)
			w->events[w->n_events++] = metric->events[k];
	}
	return CLI_DONE;
}

/* Each pass has a run of its own, so that the counts are exact. */
static int measure(const struct validation *v, const struct wanted *w, char **argv,
		   struct pms_counts **counts)
{
	struct pms_live_part part = { .catalog = v->catalog,
				      .plan = { .names = w->metrics,
						.n_names = w->n_metrics,
						.events = w->events,
						.n_events = w->n_events } };
	struct pms_live_options options = { .target = { .command = argv },
					    .passes = PMS_PASSES_MULTIRUN,
					    .ack_fd = -1 };
	struct pms_error err = { 0 };
	struct pms_live *live = NULL;
	int rc = pms_live_open(&part, 1, &options, &live, &err);
	if (!rc)
		rc = pms_live_run(live, NULL, NULL, counts, &err);
	pms_live_close(live);
	return rc ? cli_error(&err) : CLI_DONE;
}

static int count_live(const struct validation *v, const struct pms_workload *workload, char **argv,
		      struct pms_counts **counts)
{
	struct wanted w = { 0 };
	int status = want(&w, v, workload);
	if (!status)
		status = measure(v, &w, argv, counts);
	free(w.metrics);
	free(w.events);
	return status;
}

/* Quickly: of fewer turns the kernel alone, since what comes before it would count for more. */
static int count_modelled(const struct validation *v, char **argv, struct pms_counts **counts)
{
	struct pms_vcore_options vcore = { .qemu = v->options->qemu,
					   .qemu_cpu = v->options->qemu_cpu,
					   .core_set = v->options->core_set.words,
					   .region = v->options->quick ? "kernel" : NULL };
	struct pms_error err = { 0 };
	return pms_collect_vcore(v->catalog, argv, &vcore, counts, &err) ? cli_error(&err)
									 : CLI_DONE;
}

static int run_one(struct validation *v, const struct pms_workload *workload)
{
	struct pms_error err = { 0 };
	struct pms_counts *counts = NULL;
	char path[PATH_MAX], part[] = "/20"; /* see workloads/driver.c */
	char *argv[] = { path, v->options->quick ? part : NULL, NULL };
	if (pms_workload_path(workload->name, path, sizeof(path), &err))
		return cli_error(&err);
	int status = cli_is_modelled(v->options) ? count_modelled(v, argv, &counts)
						 : count_live(v, workload, argv, &counts);
	if (status)
		return status;
	v->counts[v->n_done] = counts;
	status = counts->provenance.exit_status;
	if (status)
		cli_note("%s ended with status %d", path, status);
	else if (pms_trial_make(workload, counts, &v->trials[v->n_done], &err))
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

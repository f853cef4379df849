/* SPDX-License-Identifier: MIT */
/* Run a workload, and count what its figures need. */
#include <limits.h>
#include <stdlib.h>

#include "base/status.h"
#include "pmuscope/live.h"
#include "pmuscope/validate.h"

/* The metrics and events that one workload needs on this machine's PMU. */
struct needed {
	const char **metrics; /* of the catalog */
	size_t *events;	      /* for figures whose metric the catalog does not have */
	size_t n_metrics, n_events;
};

static void add_figure(struct needed *n, const struct pms_catalog *catalog,
		       const struct pms_metric *metric)
{
	if (pms_catalog_find_metric(catalog, metric->name) >= 0) {
		n->metrics[n->n_metrics++] = metric->name;
		return;
	}
	for (size_t i = 0; i < metric->n_events; i++)
		n->events[n->n_events++] = metric->events[i];
}

/* List what to count: Level 1 for the largest share, and the metrics of the figures. */
static int find_needed(struct needed *n, const struct pms_catalog *catalog,
		       const struct pms_workload *workload, struct pms_error *err)
{
	size_t most_events = 0, nodes = pms_catalog_nodes(catalog);
	for (size_t i = 0; i < workload->n_figures; i++)
		most_events += workload->figures[i].metric->n_events;
	n->metrics = calloc(nodes + workload->n_figures + 1, sizeof(n->metrics[0]));
	n->events = calloc(most_events + 1, sizeof(n->events[0]));
	if (!n->metrics || !n->events)
		return pms_no_memory(err);
	for (size_t i = 0; i < nodes; i++) {
		const struct pms_tree_node *node = pms_catalog_node(catalog, i);
		if (node->level == 1)
			n->metrics[n->n_metrics++] =
				pms_catalog_metric(catalog, node->metric)->name;
	}
	for (size_t i = 0; i < workload->n_figures; i++)
		add_figure(n, catalog, workload->figures[i].metric);
	return 0;
}

/* Run the workload once for each pass, so that the counts are exact. */
static int measure(const struct pms_catalog *catalog, const struct needed *n, char **argv,
		   struct pms_counts **out, struct pms_error *err)
{
	struct pms_live_part part = { .catalog = catalog,
				      .plan = { .names = n->metrics,
						.n_names = n->n_metrics,
						.events = n->events,
						.n_events = n->n_events } };
	struct pms_live_options options = { .target = { .command = argv },
					    .passes = PMS_PASSES_MULTIRUN,
					    .ack_fd = -1 };
	struct pms_live *live = NULL;
	int rc = pms_live_open(&part, 1, &options, &live, err);
	if (!rc)
		rc = pms_live_run(live, NULL, NULL, out, err);
	pms_live_close(live);
	return rc;
}

static int run_live(const struct pms_workload *workload, const struct pms_catalog *catalog,
		    char **argv, struct pms_counts **out, struct pms_error *err)
{
	struct needed n = { 0 };
	int rc = find_needed(&n, catalog, workload, err);
	if (!rc)
		rc = measure(catalog, &n, argv, out, err);
	free(n.metrics);
	free(n.events);
	return rc;
}

int pms_workload_run(const struct pms_workload *workload, const struct pms_catalog *catalog,
		     const struct pms_workload_how *how, struct pms_counts **out,
		     struct pms_error *err)
{
	char path[PATH_MAX], part[] = "/20"; /* see workloads/driver.c */
	char *argv[] = { path, how->quick ? part : NULL, NULL };
	struct pms_vcore_options vcore = how->vcore;
	int rc = pms_workload_path(workload->name, path, sizeof(path), err);
	if (rc)
		return rc;
	if (!how->modelled)
		return run_live(workload, catalog, argv, out, err);
	/* With fewer turns count the kernel alone, since the start would weigh more. */
	vcore.region = how->quick ? "kernel" : NULL;
	return pms_collect_vcore(catalog, argv, &vcore, out, err);
}

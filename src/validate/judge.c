/* SPDX-License-Identifier: MIT */
/* Compare the counts of a run with the figures of its workload, and find a workload's program. */
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/status.h"
#include "pmuscope/validate.h"

enum pms_judgement pms_figure_judge(const struct pms_figure *figure, const struct pms_value *value)
{
	if (value->state == PMS_VALUE_UNDEFINED)
		return PMS_NO_VALUE;
	if (figure->has_low && value->value < figure->low)
		return PMS_TOO_LOW;
	return figure->has_high && value->value > figure->high ? PMS_TOO_HIGH : PMS_AGREES;
}

static int take_level1(struct pms_trial *trial, const struct pms_catalog *catalog)
{
	for (size_t i = 0; i < pms_catalog_nodes(catalog); i++) {
		const struct pms_tree_node *node = pms_catalog_node(catalog, i);
		if (node->level != 1)
			continue;
		const struct pms_metric *metric = pms_catalog_metric(catalog, node->metric);
		struct pms_value value;
		if (pms_metric_value(trial->counts, &trial->counts->total, metric, &value))
			return -PMS_ENOMEM;
		if (value.state != PMS_VALUE_UNDEFINED &&
		    (trial->largest < 0 || value.value > trial->level1[trial->largest].value))
			trial->largest = (int64_t)trial->n_level1;
		trial->roots[trial->n_level1] = metric;
		trial->level1[trial->n_level1++] = value;
	}
	return 0;
}

/* Whether the largest share is the expected one. */
static int dominates(const struct pms_trial *trial)
{
	const struct pms_metric *dominant = trial->workload->dominant;
	return !dominant || (trial->largest >= 0 && trial->roots[trial->largest] == dominant);
}

static int is_level1(const struct pms_trial *trial, const struct pms_metric *metric)
{
	for (size_t i = 0; i < trial->n_level1; i++)
		if (trial->roots[i] == metric)
			return 1;
	return 0;
}

static int judge(struct pms_trial *trial)
{
	const struct pms_workload *workload = trial->workload;
	trial->agrees = trial->stage1_agrees = dominates(trial);
	for (size_t i = 0; i < workload->n_figures; i++) {
		const struct pms_figure *figure = &workload->figures[i];
		if (pms_metric_value(trial->counts, &trial->counts->total, figure->metric,
				     &trial->values[i]))
			return -PMS_ENOMEM;
		int agrees = pms_figure_judge(figure, &trial->values[i]) == PMS_AGREES;
		trial->agrees &= agrees;
		if (is_level1(trial, figure->metric))
			trial->stage1_agrees &= agrees;
	}
	return 0;
}

int pms_trial_make(const struct pms_workload *workload, struct pms_counts *counts,
		   struct pms_trial **out, struct pms_error *err)
{
	const struct pms_catalog *catalog = counts->catalog;
	struct pms_trial *trial = calloc(1, sizeof(*trial));
	if (trial) {
		trial->values = calloc(workload->n_figures + 1, sizeof(trial->values[0]));
		trial->level1 = calloc(pms_catalog_nodes(catalog) + 1, sizeof(trial->level1[0]));
		trial->roots = calloc(pms_catalog_nodes(catalog) + 1, sizeof(trial->roots[0]));
	}
	if (!trial || !trial->values || !trial->level1 || !trial->roots) {
		pms_trial_free(trial);
		return pms_no_memory(err);
	}
	trial->workload = workload;
	trial->counts = counts;
	trial->largest = -1;
	if (take_level1(trial, catalog) || judge(trial)) {
		pms_trial_free(trial);
		return pms_no_memory(err);
	}
	*out = trial;
	return 0;
}

void pms_trial_free(struct pms_trial *trial)
{
	if (!trial)
		return;
	free(trial->values);
	free(trial->level1);
	free(trial->roots);
	free(trial);
}

int pms_workload_path(const char *name, char *path, size_t size, struct pms_error *err)
{
	static const char *const places[] = { "/workloads", "/../" PMS_LIBDIR "/pmuscope/workloads",
					      "/../lib/pmuscope/workloads" };
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (length < 0)
		return pms_fail(err, PMS_EHOST, "/proc is not mounted, so %s cannot be found",
				name);
	self[length] = 0;
	const char *dir = dirname(self);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		int n = snprintf(path, size, "%s%s/%s", dir, places[i], name);
		if (n > 0 && (size_t)n < size && !access(path, X_OK))
			return 0;
	}
	int rc = pms_fail(err, PMS_EHOST, "the workload %s was not built", name);
	pms_hint(err, "install gcc-aarch64-linux-gnu and build again with ./dev build");
	return rc;
}

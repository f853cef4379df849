/* SPDX-License-Identifier: MIT */
/* The walk of the decision tree: from the roots of Stage 1 to one to three findings.
 *
 * The rule, which docs/use/methodology.md tells users:
 * 1. A root is a loss unless it is retiring, the share of slots that did useful work. A loss is
 *    worth a finding from 10 % of the slots: without it the program would run at most 1.11 times as
 *    fast (1 / (1 - 0.1)), and smaller losses are within the error of the formulas' own estimates.
 * 2. From a root, walk down while one child explains at least half of what its parent loses. Treat
 *    the part that no child explains as a child of its own: where it is the larger part, the walk
 *    ends above it.
 * 3. Take the heaviest advice that holds for the node where the walk ends. Without any, take the
 *    general advice of the node, or of the node above. But take none where missing counts might
 *    have made other advice hold, unless the general advice holds in any case.
 * 4. Give the remaining room to a second cause of the same loss, when it is in another group and
 *    weighs 10 % of the slots itself.
 * 5. When no loss is worth a finding, the finding is retiring: how to do the work in fewer
 *    operations. It is also added, last, when more than half of the slots retire and advice holds.
 *    Both need a whole Level 1: every share has a value, and no tenth of the slots is missing.
 * 6. Where that gives no finding, the report says why.
 *
 * Where the gains with ideal cores are known, they tell what an advice that names one may save, in
 * place of the estimates. Advice that would gain next to nothing, where something else gains, is
 * contradicted, and not given.
 */
#include "analyse/report.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/advisor.h"
#include "analyse/walk.h"
#include "base/memstream.h"
#include "base/name.h"
#include "base/status.h"

enum { MOST_FINDINGS = 3 };

static const double worth = 10;	      /* percent of slots: at best 1.11 times as fast */
static const double high = 100.0 / 3; /* percent of slots: at best 1.5 times as fast */
static const double busy = 50;	      /* percent of slots that retire */

struct walk {
	struct pms_report *report;
	const struct pms_catalog *catalog;
	struct pms_error *err;
	struct pms_finding found[MOST_FINDINGS];
	size_t n_found;
	struct pms_advisor advisor;
};

static const struct pms_value *node_value(const struct walk *w, size_t node)
{
	const struct pms_tree_node *n = pms_catalog_node(w->catalog, node);
	return &pms_report_store(w->report)->values[n->metric];
}

static const char *node_name(const struct walk *w, size_t node)
{
	return pms_catalog_metric(w->catalog, pms_catalog_node(w->catalog, node)->metric)->name;
}

/* Whether a finding at this root names the group already: a second cause needs another group. */
static int is_taken(const struct walk *w, size_t root, const char *group)
{
	for (size_t i = 0; i < w->n_found; i++) {
		const struct pms_advice *advice = w->found[i].advice;
		if (w->found[i].path[0] == root && advice && advice->group && group &&
		    !pms_name_compare(advice->group, group))
			return 1;
	}
	return 0;
}

/* Returns the gain that the advice is about; NULL: it is not known. */
static const struct pms_gain *gain_of(const struct walk *w, const struct pms_advice *advice)
{
	const struct pms_gains *gains = w->report->counts->gains;
	return gains && advice && advice->gain[0] ? pms_gains_find(gains, advice->gain) : NULL;
}

/* Returns whether the gains contradict the advice. What was not run is within a group that gains
 * nothing. */
static int is_contradicted(const struct walk *w, const struct pms_advice *advice)
{
	const struct pms_gains *gains = w->report->counts->gains;
	const struct pms_gain *first = gains ? pms_gains_first(gains) : NULL;
	const struct pms_gain *gain = gain_of(w, advice);
	if (!first || first->percent < PMS_GAIN_WORTH || !advice->gain[0])
		return 0;
	return !gain || gain->percent < PMS_GAIN_WORTH;
}

/* Find the heaviest advice that holds for a node and whose group is not taken yet; NULL: none. */
static const struct pms_advice *heaviest(const struct walk *w, size_t root, size_t at)
{
	const struct pms_advice *best = NULL;
	const char *node = node_name(w, at);
	double best_weight = 0;
	for (size_t i = 0; i < pms_catalog_advices(w->catalog); i++) {
		const struct pms_advice *advice = pms_catalog_advice(w->catalog, i);
		if (pms_name_compare(advice->node, node) || is_taken(w, root, advice->group) ||
		    !pms_advisor_holds(&w->advisor, advice))
			continue;
		const struct pms_gain *gain = gain_of(w, advice);
		double weight = gain ? gain->percent : pms_advisor_weight(&w->advisor, advice);
		if (is_contradicted(w, advice))
			continue;
		/* A ratio can be high even where next to nothing was counted. */
		if (weight < worth && pms_advisor_rests_on_few(&w->advisor, advice,
							       pms_report_store(w->report)->bases))
			continue;
		if (!best || weight > best_weight) {
			best = advice;
			best_weight = weight;
		}
	}
	return best;
}

/* Find the node's general advice, for when no condition holds. */
static const struct pms_advice *otherwise(const struct walk *w, const char *node)
{
	for (size_t i = 0; i < pms_catalog_advices(w->catalog); i++) {
		const struct pms_advice *advice = pms_catalog_advice(w->catalog, i);
		if (!advice->condition && !pms_name_compare(advice->node, node))
			return advice;
	}
	return NULL;
}

/* List the uncounted events that would tell the causes of a loss apart: events that advice for the
 * node needs, and events of the nodes below when none of these has a value. */
static int find_missing(const struct walk *w, size_t at, struct pms_finding *finding)
{
	struct pms_arena *arena = &pms_report_store(w->report)->arena;
	const struct pms_tree_node *node = pms_catalog_node(w->catalog, at);
	size_t n = pms_catalog_events(w->catalog), known = 0;
	unsigned char *marks = pms_arena_alloc(arena, n, 1);
	size_t *missing = pms_arena_alloc(arena, n, sizeof(missing[0]));
	if (!marks || !missing)
		return pms_no_memory(w->err);
	for (size_t i = 0; i < pms_catalog_advices(w->catalog); i++) {
		const struct pms_advice *advice = pms_catalog_advice(w->catalog, i);
		if (!pms_name_compare(advice->node, node_name(w, at)))
			pms_advisor_missing(&w->advisor, advice, marks);
	}
	for (size_t i = 0; i < node->n_children; i++)
		known += node_value(w, node->children[i])->state != PMS_VALUE_UNDEFINED;
	for (size_t i = 0; i < node->n_children && !known; i++)
		pms_advisor_missing_of(&w->advisor,
				       pms_catalog_node(w->catalog, node->children[i])->metric,
				       marks);
	for (size_t i = 0; i < n; i++)
		if (marks[i])
			missing[finding->n_missing++] = i;
	finding->missing = missing;
	return 0;
}

/* Choose the advice for the end of a path, or for the nearest node above that has some. */
static const struct pms_advice *choose_advice(const struct walk *w, const size_t *path, size_t n)
{
	const struct pms_advice *advice = NULL;
	for (size_t i = n; i > 0 && !advice; i--) {
		advice = heaviest(w, path[0], path[i - 1]);
		if (!advice)
			advice = otherwise(w, node_name(w, path[i - 1]));
	}
	return advice;
}

static int64_t finding_group(const struct walk *w, const struct pms_finding *finding)
{
	const struct pms_tree_node *node = pms_catalog_node(w->catalog, finding->node);
	if (finding->advice && finding->advice->group)
		return pms_catalog_find_group(w->catalog, PMS_GROUP_METRICS,
					      finding->advice->group);
	/* A single group to look at next needs no advice to choose it. */
	return node->n_next_groups == 1 ? (int64_t)node->next_groups[0] : -1;
}

static enum pms_severity severity(double share, int is_loss)
{
	if (!is_loss || share < worth)
		return PMS_SEVERITY_INFO;
	return share >= high ? PMS_SEVERITY_HIGH : PMS_SEVERITY_MODERATE;
}

static int is_loss(const struct walk *w, size_t root)
{
	int64_t useful = pms_catalog_find_role(w->catalog, PMS_CATALOG_RETIRING);
	return useful < 0 || pms_catalog_node(w->catalog, root)->metric != (size_t)useful;
}

/* Find the row that shows a metric, preferably in the finding's group; SIZE_MAX: not shown, or no
 * value. */
static size_t row_of(const struct walk *w, size_t metric, int64_t group)
{
	size_t row = SIZE_MAX;
	for (size_t i = 0; i < w->report->n_results; i++) {
		const struct pms_result *result = &w->report->results[i];
		if (result->metric != metric || result->value.state == PMS_VALUE_UNDEFINED)
			continue;
		if (row == SIZE_MAX || (int64_t)result->group == group)
			row = i;
	}
	return row;
}

static void add_evidence(size_t *rows, size_t *count, size_t row)
{
	for (size_t i = 0; i < *count; i++)
		if (rows[i] == row)
			return;
	if (row != SIZE_MAX)
		rows[(*count)++] = row;
}

/* List the rows of the nodes walked, then the rows that the advice names. */
static int fill_evidence(struct walk *w, struct pms_finding *finding)
{
	size_t most = finding->n_path + (finding->advice ? finding->advice->n_evidence : 0);
	size_t *rows = pms_arena_alloc(&pms_report_store(w->report)->arena, most, sizeof(rows[0]));
	if (!rows)
		return pms_no_memory(w->err);
	for (size_t i = 0; i < finding->n_path; i++) {
		const struct pms_tree_node *node = pms_catalog_node(w->catalog, finding->path[i]);
		add_evidence(rows, &finding->n_evidence,
			     row_of(w, node->metric, (int64_t)node->group));
	}
	for (size_t i = 0; finding->advice && i < finding->advice->n_evidence; i++)
		add_evidence(rows, &finding->n_evidence,
			     row_of(w, finding->advice->evidence[i], finding->group));
	finding->evidence = rows;
	return 0;
}

/* Compute a finding's share: the slots that its node loses, as far as its advice explains them. */
static double own_share(const struct walk *w, const struct pms_tree_path *path,
			const struct pms_advice *advice)
{
	double share = path->shares[path->n - 1];
	if (gain_of(w, advice))
		return gain_of(w, advice)->percent;
	return is_loss(w, path->nodes[0]) && advice && advice->weight
		       ? fmin(share, pms_advisor_weight(&w->advisor, advice))
		       : share;
}

/* Fill a finding, and drop general advice that missing counts might have overruled. */
static int add_finding(struct walk *w, const struct pms_tree_path *path,
		       const struct pms_advice *advice)
{
	size_t n = path->n;
	assert(n > 0);
	size_t *copy = pms_arena_alloc(&pms_report_store(w->report)->arena, n, sizeof(copy[0]));
	if (!copy)
		return pms_no_memory(w->err);
	for (size_t i = 0; i < n; i++)
		copy[i] = path->nodes[i];
	struct pms_finding *finding = &w->found[w->n_found++];
	*finding = (struct pms_finding){
		.node = copy[n - 1],
		.path = copy,
		.n_path = n,
		.share = own_share(w, path, advice),
		.is_gain = gain_of(w, advice) != NULL,
		.unexplained = path->unexplained,
	};
	finding->value = node_value(w, finding->node)->value;
	finding->severity = severity(finding->share, is_loss(w, copy[0]));
	finding->advice = advice;
	if (is_loss(w, copy[0]) && !(advice && advice->condition)) {
		int rc = find_missing(w, finding->node, finding);
		if (rc)
			return rc;
		if (finding->n_missing && advice && !advice->is_partial)
			finding->advice = NULL;
	}
	finding->group = finding_group(w, finding);
	return fill_evidence(w, finding);
}

static void walk_down(const struct walk *w, size_t root, struct pms_tree_path *path)
{
	pms_tree_walk(w->catalog, pms_report_store(w->report)->values, root, worth, path);
}

/* Make one finding for a root. @only_with_advice: make none without advice. */
static int find_at(struct walk *w, size_t root, int only_with_advice)
{
	struct pms_tree_path path;
	walk_down(w, root, &path);
	const struct pms_advice *advice = choose_advice(w, path.nodes, path.n);
	return advice || !only_with_advice ? add_finding(w, &path, advice) : 0;
}

/* Add a second cause of the loss at a root that has a finding. */
static int find_second(struct walk *w, size_t root)
{
	struct pms_tree_path path;
	walk_down(w, root, &path);
	const struct pms_advice *advice = heaviest(w, root, path.nodes[path.n - 1]);
	const struct pms_gain *gain = gain_of(w, advice);
	if (!advice || !advice->group ||
	    (gain ? gain->percent : pms_advisor_weight(&w->advisor, advice)) < worth)
		return 0;
	return add_finding(w, &path, advice);
}

static double loss_share(const struct walk *w, const struct pms_finding *finding)
{
	return is_loss(w, finding->path[0]) ? finding->share : 0;
}

/* Sort the most costly first; keep the order of equals. */
static void sort_findings(struct walk *w)
{
	for (size_t i = 1; i < w->n_found; i++) {
		struct pms_finding moving = w->found[i];
		size_t at = i;
		for (; at > 0 && loss_share(w, &w->found[at - 1]) < loss_share(w, &moving); at--)
			w->found[at] = w->found[at - 1];
		w->found[at] = moving;
	}
}

/* List the roots with a value, the largest first. Returns how many. */
static size_t sorted_roots(const struct walk *w, size_t *roots)
{
	size_t count = 0;
	for (size_t i = 0; i < pms_catalog_nodes(w->catalog); i++) {
		const struct pms_value *value = node_value(w, i);
		if (pms_catalog_node(w->catalog, i)->level != 1 ||
		    value->state == PMS_VALUE_UNDEFINED)
			continue;
		size_t at = count++;
		for (; at > 0 && node_value(w, roots[at - 1])->value < value->value; at--)
			roots[at] = roots[at - 1];
		roots[at] = i;
	}
	return count;
}

/* Make a finding for each loss that is large enough, then for second causes while there is room. */
static int find_losses(struct walk *w, const size_t *roots, size_t n_roots)
{
	int rc = 0;
	size_t n_losses = 0;
	for (size_t i = 0; !rc && i < n_roots && w->n_found < MOST_FINDINGS; i++) {
		if (node_value(w, roots[i])->value < worth)
			break;
		if (is_loss(w, roots[i]))
			rc = find_at(w, roots[i], 0);
		n_losses = i + 1;
	}
	for (size_t i = 0; !rc && i < n_losses && w->n_found < MOST_FINDINGS; i++)
		if (is_loss(w, roots[i]))
			rc = find_second(w, roots[i]);
	return rc;
}

/* Returns the percent of slots that the roots do not account for; 0 for a core without slot
 * events. */
static double missing_slots(const struct walk *w, const size_t *roots, size_t n_roots)
{
	double sum = 0;
	for (size_t i = 0; i < n_roots; i++) {
		size_t metric = pms_catalog_node(w->catalog, roots[i])->metric;
		if (!pms_metric_is_slot_share(pms_catalog_metric(w->catalog, metric)))
			return 0;
		sum += node_value(w, roots[i])->value;
	}
	return n_roots > 1 ? 100 - sum : 0;
}

static size_t most_roots(const struct walk *w)
{
	size_t n = 0;
	for (size_t i = 0; i < pms_catalog_nodes(w->catalog); i++)
		n += pms_catalog_node(w->catalog, i)->level == 1;
	return n;
}

/* Whether every possible loss is known: only then are the other slots used well. */
static int is_whole(const struct walk *w, const size_t *roots, size_t n_roots)
{
	return n_roots == most_roots(w) && fabs(missing_slots(w, roots, n_roots)) < worth;
}

static void list_unknown(const struct walk *w, FILE *out)
{
	const char *between = "; without a value: ";
	for (size_t i = 0; i < pms_catalog_nodes(w->catalog); i++) {
		if (pms_catalog_node(w->catalog, i)->level != 1 ||
		    node_value(w, i)->state != PMS_VALUE_UNDEFINED)
			continue;
		fprintf(out, "%s%s", between, node_name(w, i));
		between = ", ";
	}
}

/* Write why there is no finding: "no loss reaches 10 % of the cycles", and what is not known. */
static void write_why(const struct walk *w, const size_t *roots, size_t n_roots, FILE *out)
{
	int whole = is_whole(w, roots, n_roots);
	if (!n_roots) {
		fputs("none of the shares of Level 1 has a value", out);
		return;
	}
	size_t metric = pms_catalog_node(w->catalog, roots[0])->metric;
	const char *of = strrchr(pms_catalog_metric(w->catalog, metric)->units, ' ');
	fprintf(out, "no loss %sreaches %.0f %% of the%s", whole ? "" : "that is known ", worth,
		of ? of : " time");
	list_unknown(w, out);
	if (!whole && n_roots == most_roots(w))
		fprintf(out, "; Level 1 adds up to %.1f %% of them",
			100 - missing_slots(w, roots, n_roots));
}

static int explain_none(struct walk *w, const size_t *roots, size_t n_roots)
{
	char *text = NULL;
	size_t size = 0;
	FILE *memory = pms_memstream_open(&text, &size);
	if (memory)
		write_why(w, roots, n_roots, memory);
	if (memory && !pms_memstream_close(memory))
		w->report->no_finding = pms_arena_dup(&pms_report_store(w->report)->arena, text);
	free(text);
	return w->report->no_finding ? 0 : pms_no_memory(w->err);
}

/* Report the retiring share when no loss is large enough, where the core counts it. */
static int find_retiring(struct walk *w, const size_t *roots, size_t n_roots)
{
	for (size_t i = 0; i < n_roots && is_whole(w, roots, n_roots); i++)
		if (!is_loss(w, roots[i]))
			return w->n_found && node_value(w, roots[i])->value < busy
				       ? 0
				       : find_at(w, roots[i], w->n_found > 0);
	return 0;
}

int pms_report_findings(struct pms_report *report, const struct pms_catalog *catalog,
			struct pms_error *err)
{
	struct pms_arena *arena = &pms_report_store(report)->arena;
	struct walk w = { .report = report, .catalog = catalog, .err = err };
	if (!pms_report_has_stage_1(report))
		return 0;
	size_t *roots = pms_arena_alloc(arena, pms_catalog_nodes(catalog), sizeof(roots[0]));
	report->findings = pms_arena_alloc(arena, MOST_FINDINGS, sizeof(report->findings[0]));
	if (!roots || !report->findings)
		return pms_no_memory(w.err);
	int rc = pms_advisor_init(&w.advisor, catalog, pms_report_store(report)->values,
				  report->scope, arena, err);
	if (rc)
		return rc;
	size_t n_roots = sorted_roots(&w, roots);
	rc = find_losses(&w, roots, n_roots);
	if (!rc)
		sort_findings(&w);
	if (!rc && w.n_found < MOST_FINDINGS)
		rc = find_retiring(&w, roots, n_roots);
	if (!rc && !w.n_found)
		rc = explain_none(&w, roots, n_roots);
	for (size_t i = 0; i < w.n_found; i++)
		report->findings[i] = w.found[i];
	report->n_findings = w.n_found;
	return rc;
}

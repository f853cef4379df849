/* SPDX-License-Identifier: MIT */
/* Show a plan: its passes, and the proof that fewer do not suffice. */
#include "show/formats.h"
#include "show/provenance.h"
#include "show/render.h"

static const char *event_name(const struct pms_plan *plan, size_t i)
{
	return pms_catalog_event(plan->catalog, i)->name;
}

static const char *metric_name(const struct pms_plan *plan, size_t i)
{
	return pms_catalog_metric(plan->catalog, i)->name;
}

typedef const char *name_of(const struct pms_plan *plan, size_t i);

static struct pms_out_words words_of(struct pms_out_item *of, const struct pms_plan *plan,
				     name_of *name, const size_t *indices, size_t n)
{
	struct pms_out_words words = pms_out_words(of);
	for (size_t i = 0; i < n; i++)
		pms_out_words_add(&words, name(plan, indices[i]));
	return words;
}

static void say_names(struct pms_out_item *group, const char *label, const struct pms_plan *plan,
		      name_of *name, const size_t *indices, size_t n)
{
	struct pms_out_words words = words_of(group, plan, name, indices, n);
	pms_out_paragraph(group, label, "%s", pms_out_words_join(&words, " "));
}

static void put_names(struct pms_out_item *object, const char *key, const struct pms_plan *plan,
		      name_of *name, const size_t *indices, size_t n)
{
	struct pms_out_words words = words_of(object, plan, name, indices, n);
	pms_out_member(object, key, pms_out_of_words(&words));
}

/* For people ----------------------------------------------------------------------------------- */

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void say_heading(struct pms_out_item *root, const struct pms_plan *plan)
{
	size_t metrics = plan->n_metrics + plan->n_split;
	pms_out_heading(root, "%s: %zu metric%s in %zu pass%s of %u counter%s",
			pms_catalog_cpu(plan->catalog)->product, metrics, plural(metrics),
			plan->n_passes, plan->n_passes == 1 ? "" : "es", plan->counters,
			plural(plan->counters));
}

static struct pms_out_item *names_group(struct pms_out_item *root)
{
	struct pms_out_item *group = pms_out_group(root, PMS_FOR_PEOPLE, NULL);
	pms_out_set_labels(group, 2, 9);
	return group;
}

static void say_pass(struct pms_out_item *root, const struct pms_plan *plan, size_t i)
{
	const struct pms_pass *pass = &plan->passes[i];
	const char *what = i == plan->stage1   ? ", all of Stage 1"
			   : i == plan->level1 ? ", all of Level 1"
					       : "";
	struct pms_out_item *group = names_group(root);
	pms_out_gap(group);
	pms_out_heading(group, "Pass %zu: %u counter%s%s", i + 1, pass->counters,
			plural(pass->counters), what);
	say_names(group, "events", plan, event_name, pass->events + plan->n_fixed,
		  pass->n_events - plan->n_fixed);
	if (pass->n_metrics)
		say_names(group, "metrics", plan, metric_name, pass->metrics, pass->n_metrics);
}

static void say_proof(struct pms_out_item *root, const struct pms_plan *plan)
{
	if (plan->optimal)
		pms_out_paragraph(root, NULL,
				  "This is the fewest: no plan has less than %zu pass%s.",
				  plan->lower_bound, plan->lower_bound == 1 ? "" : "es");
	else
		pms_out_paragraph(root, NULL,
				  "Perhaps not the fewest: the search was given up after a while. "
				  "No plan has less than %zu passes.",
				  plan->lower_bound);
}

static void say_notes(struct pms_out_item *root, const struct pms_plan *plan)
{
	pms_out_gap(root);
	say_proof(root, plan);
	if (plan->n_fixed)
		say_names(root, "In every pass, on counters of their own: ", plan, event_name,
			  plan->fixed, plan->n_fixed);
	if (plan->level1 == PMS_NO_PASS && plan->n_passes > 1)
		pms_out_paragraph(root, NULL,
				  "No pass has all of Level 1: its shares need not add up.");
	if (!plan->n_split)
		return;
	pms_out_paragraph(root, NULL,
			  "More events than counters: values of these are put together from "
			  "several passes.");
	say_names(names_group(root), "metrics", plan, metric_name, plan->split, plan->n_split);
}

/* For programs --------------------------------------------------------------------------------- */

static void put_passes(struct pms_out_item *root, const struct pms_plan *plan)
{
	struct pms_out_item *list = pms_out_list(root, PMS_IN_JSON, "passes");
	for (size_t i = 0; i < plan->n_passes; i++) {
		const struct pms_pass *pass = &plan->passes[i];
		struct pms_out_item *object = pms_out_group(list, PMS_IN_JSON, NULL);
		put_names(object, "events", plan, event_name, pass->events, pass->n_events);
		put_names(object, "metrics", plan, metric_name, pass->metrics, pass->n_metrics);
		pms_out_member(object, "counters_used", pms_out_of_count(pass->counters));
	}
}

static struct pms_out_datum pass_number(size_t pass)
{
	return pms_out_when(pass != PMS_NO_PASS, pms_out_of_count(pass + 1));
}

static void put_facts(struct pms_out_item *root, const struct pms_plan *plan)
{
	pms_out_comment_print(root, NULL, "counters: %u, lower bound: %zu, optimal: %s",
			      plan->counters, plan->lower_bound, plan->optimal ? "yes" : "no");
	pms_out_member(root, "counters", pms_out_of_count(plan->counters));
	pms_out_member(root, "lower_bound", pms_out_of_count(plan->lower_bound));
	pms_out_member(root, "optimal", pms_out_of_truth(plan->optimal));
	put_names(root, "fixed", plan, event_name, plan->fixed, plan->n_fixed);
	put_names(root, "split", plan, metric_name, plan->split, plan->n_split);
	pms_out_member(root, "level1_pass", pass_number(plan->level1));
	pms_out_member(root, "stage1_pass", pass_number(plan->stage1));
}

enum { PASS, KIND, NAME, N };

static void put_rows(struct pms_out_item *table, const struct pms_plan *plan, name_of *name,
		     size_t pass, const char *kind, const size_t *indices, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct pms_out_item *row = pms_out_row(table, N);
		pms_out_cell(row, PASS, pass_number(pass));
		pms_out_cell(row, KIND, pms_out_of_text(kind));
		pms_out_cell(row, NAME, pms_out_of_text(name(plan, indices[i])));
	}
}

/* CSV has one row for each name in a pass. */
static void put_table(struct pms_out_item *root, const struct pms_plan *plan)
{
	static const struct pms_out_field fields[] = {
		[PASS] = PMS_OUT_FIELD("pass", NULL, 0),
		[KIND] = PMS_OUT_FIELD("kind", NULL, 0),
		[NAME] = PMS_OUT_FIELD("name", NULL, 0),
	};
	struct pms_out_item *table = pms_out_table(root, PMS_IN_CSV, NULL, fields, N);
	for (size_t i = 0; i < plan->n_passes; i++) {
		const struct pms_pass *pass = &plan->passes[i];
		put_rows(table, plan, event_name, i, "event", pass->events, pass->n_events);
		put_rows(table, plan, metric_name, i, "metric", pass->metrics, pass->n_metrics);
	}
	put_rows(table, plan, metric_name, PMS_NO_PASS, "split", plan->split, plan->n_split);
}

static int build(struct pms_outline *outline, void *subject, struct pms_error *err)
{
	const struct pms_plan *plan = subject;
	struct pms_out_item *root = outline->root;
	(void)err;
	pms_provenance_version(root);
	pms_provenance_catalog(root, PMS_FOR_PROGRAMS, plan->catalog);
	put_passes(root, plan);
	put_facts(root, plan);
	put_table(root, plan);
	say_heading(root, plan);
	for (size_t i = 0; i < plan->n_passes; i++)
		say_pass(root, plan, i);
	say_notes(root, plan);
	return 0;
}

int pms_show_plan(FILE *out, const struct pms_plan *plan, const struct pms_show_options *options,
		  struct pms_error *err)
{
	return pms_show_built(out, options, build, (void *)plan, err);
}

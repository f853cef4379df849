/* SPDX-License-Identifier: MIT */
/* A plan as table, JSON or CSV. */
#include <stdlib.h>
#include <string.h>

#include "base/memstream.h"
#include "base/status.h"
#include "show/csv.h"
#include "show/document.h"
#include "show/formats.h"
#include "show/page.h"

static const char *event_name(const struct pms_plan *plan, size_t i)
{
	return pms_catalog_event(plan->catalog, i)->name;
}

static const char *metric_name(const struct pms_plan *plan, size_t i)
{
	return pms_catalog_metric(plan->catalog, i)->name;
}

typedef const char *name_of(const struct pms_plan *plan, size_t i);

/* Names with blanks between them. Returns NULL when out of memory; to be freed. */
static char *join(const struct pms_plan *plan, name_of *name, const size_t *indices, size_t n)
{
	char *text = NULL;
	size_t size = 0;
	FILE *stream = pms_memstream_open(&text, &size);
	if (!stream)
		return NULL;
	for (size_t i = 0; i < n; i++)
		fprintf(stream, "%s%s", i ? " " : "", name(plan, indices[i]));
	if (pms_memstream_close(stream)) {
		free(text);
		return NULL;
	}
	return text;
}

static void put_names(struct pms_page *page, const char *first, const struct pms_plan *plan,
		      name_of *name, const size_t *indices, size_t n)
{
	char *text = join(plan, name, indices, n);
	if (text)
		pms_page_text(page, first, "%s", text);
	else
		page->failed = 1;
	free(text);
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void put_heading(struct pms_page *page, const struct pms_plan *plan)
{
	size_t metrics = plan->n_metrics + plan->n_split;
	pms_page_heading(page, "%s: %zu metric%s in %zu pass%s of %u counter%s",
			 pms_catalog_cpu(plan->catalog)->product, metrics, plural(metrics),
			 plan->n_passes, plan->n_passes == 1 ? "" : "es", plan->counters,
			 plural(plan->counters));
}

static void put_pass(struct pms_page *page, const struct pms_plan *plan, size_t i)
{
	const struct pms_pass *pass = &plan->passes[i];
	const char *what = i == plan->stage1   ? ", all of Stage 1"
			   : i == plan->level1 ? ", all of Level 1"
					       : "";
	pms_page_line(page, "%s", "");
	pms_page_heading(page, "Pass %zu: %u counter%s%s", i + 1, pass->counters,
			 plural(pass->counters), what);
	put_names(page, "  events   ", plan, event_name, pass->events + plan->n_fixed,
		  pass->n_events - plan->n_fixed);
	if (pass->n_metrics)
		put_names(page, "  metrics  ", plan, metric_name, pass->metrics, pass->n_metrics);
}

static void put_proof(struct pms_page *page, const struct pms_plan *plan)
{
	if (plan->optimal)
		pms_page_text(page, "", "This is the fewest: no plan has less than %zu pass%s.",
			      plan->lower_bound, plan->lower_bound == 1 ? "" : "es");
	else
		pms_page_text(page, "",
			      "Perhaps not the fewest: the search was given up after a while. No "
			      "plan has less than %zu passes.",
			      plan->lower_bound);
}

static void put_notes(struct pms_page *page, const struct pms_plan *plan)
{
	pms_page_line(page, "%s", "");
	put_proof(page, plan);
	if (plan->n_fixed)
		put_names(page, "In every pass, on counters of their own: ", plan, event_name,
			  plan->fixed, plan->n_fixed);
	if (plan->level1 == PMS_NO_PASS && plan->n_passes > 1)
		pms_page_text(page, "", "No pass has all of Level 1: its shares need not add up.");
	if (!plan->n_split)
		return;
	pms_page_text(page, "",
		      "More events than counters: values of these are put together from several "
		      "passes.");
	put_names(page, "  metrics  ", plan, metric_name, plan->split, plan->n_split);
}

static int put_table(FILE *out, const struct pms_plan *plan, const struct pms_show_options *options)
{
	struct pms_page page;
	pms_page_init(&page, out, options);
	put_heading(&page, plan);
	for (size_t i = 0; i < plan->n_passes; i++)
		put_pass(&page, plan, i);
	put_notes(&page, plan);
	int rc = page.failed ? -PMS_ENOMEM : 0;
	pms_page_release(&page);
	return rc;
}

static json_t *names(struct pms_document *document, const struct pms_plan *plan, name_of *name,
		     const size_t *indices, size_t n)
{
	json_t *array = json_array();
	for (size_t i = 0; i < n; i++)
		pms_document_append(document, array, pms_document_string(name(plan, indices[i])));
	return array;
}

static json_t *pass_number(size_t pass)
{
	return pass == PMS_NO_PASS ? json_null() : json_integer((json_int_t)pass + 1);
}

static json_t *passes(struct pms_document *document, const struct pms_plan *plan)
{
	json_t *array = json_array();
	for (size_t i = 0; i < plan->n_passes; i++) {
		const struct pms_pass *pass = &plan->passes[i];
		json_t *object = json_object();
		pms_document_set(document, object, "events",
				 names(document, plan, event_name, pass->events, pass->n_events));
		pms_document_set(
			document, object, "metrics",
			names(document, plan, metric_name, pass->metrics, pass->n_metrics));
		pms_document_set(document, object, "counters_used", json_integer(pass->counters));
		pms_document_append(document, array, object);
	}
	return array;
}

static int put_json(FILE *out, const struct pms_plan *plan, struct pms_error *err)
{
	const struct pms_cpu *cpu = pms_catalog_cpu(plan->catalog);
	json_t *root = json_object();
	struct pms_document d;
	pms_document_init(&d, root);
	pms_document_set(&d, root, "pmuscope", json_pack("{s:s}", "version", PMS_VERSION));
	pms_document_set(&d, root, "catalog",
			 json_pack("{s:o, s:o}", "name", pms_document_string(cpu->name), "version",
				   pms_document_string(cpu->version)));
	pms_document_set(&d, root, "passes", passes(&d, plan));
	pms_document_set(&d, root, "counters", json_integer(plan->counters));
	pms_document_set(&d, root, "lower_bound", json_integer((json_int_t)plan->lower_bound));
	pms_document_set(&d, root, "optimal", json_boolean(plan->optimal));
	pms_document_set(&d, root, "fixed",
			 names(&d, plan, event_name, plan->fixed, plan->n_fixed));
	pms_document_set(&d, root, "split",
			 names(&d, plan, metric_name, plan->split, plan->n_split));
	pms_document_set(&d, root, "level1_pass", pass_number(plan->level1));
	pms_document_set(&d, root, "stage1_pass", pass_number(plan->stage1));
	return pms_document_finish(&d, out, err);
}

static void put_rows(FILE *out, const struct pms_plan *plan, name_of *name, const char *pass,
		     const char *kind, const size_t *indices, size_t n,
		     const struct pms_show_options *options)
{
	for (size_t i = 0; i < n; i++) {
		const char *fields[] = { pass, kind, name(plan, indices[i]) };
		pms_csv_row(out, fields, 3, options);
	}
}

static int put_csv(FILE *out, const struct pms_plan *plan, const struct pms_show_options *options)
{
	static const char *const titles[] = { "pass", "kind", "name" };
	fprintf(out, "# pmuscope %s\n", PMS_VERSION);
	pms_csv_catalog(out, plan->catalog);
	fprintf(out, "# counters: %u, lower bound: %zu, optimal: %s\n", plan->counters,
		plan->lower_bound, plan->optimal ? "yes" : "no");
	pms_csv_row(out, titles, 3, options);
	for (size_t i = 0; i < plan->n_passes; i++) {
		const struct pms_pass *pass = &plan->passes[i];
		char number[24];
		snprintf(number, sizeof(number), "%zu", i + 1);
		put_rows(out, plan, event_name, number, "event", pass->events, pass->n_events,
			 options);
		put_rows(out, plan, metric_name, number, "metric", pass->metrics, pass->n_metrics,
			 options);
	}
	put_rows(out, plan, metric_name, "", "split", plan->split, plan->n_split, options);
	return 0;
}

int pms_show_plan(FILE *out, const struct pms_plan *plan, const struct pms_show_options *options,
		  struct pms_error *err)
{
	struct pms_show_options o = pms_show_complete(options);
	if (pms_show_check(options, err))
		return -PMS_EINVAL;
	locale_t numbers, old = pms_show_enter(&numbers);
	int rc = 0;
	if (o.format == PMS_FORMAT_JSON)
		rc = put_json(out, plan, err);
	else
		rc = o.format == PMS_FORMAT_CSV ? put_csv(out, plan, &o) : put_table(out, plan, &o);
	if (rc)
		rc = pms_fail(err, PMS_ENOMEM, "out of memory");
	return pms_show_leave(old, numbers, out, rc, err);
}

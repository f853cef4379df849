/* SPDX-License-Identifier: MIT */
/* What became of workloads, in each format. */
#include <string.h>

#include "base/status.h"
#include "pmuscope/validate.h"
#include "show/csv.h"
#include "show/document.h"
#include "show/formats.h"
#include "show/grid.h"
#include "show/label.h"
#include "show/page.h"
#include "show/text.h"

enum { NAME, EXPECTED, GOT, VERDICT, N_COLUMNS };

static const char *const judgements[] = { [PMS_AGREES] = "agrees",
					  [PMS_TOO_LOW] = "too low",
					  [PMS_TOO_HIGH] = "too high",
					  [PMS_NO_VALUE] = "no value" };

static const char *largest(const struct pms_trial *trial)
{
	return trial->largest < 0 ? NULL : trial->roots[trial->largest]->name;
}

static enum pms_judgement judge(const struct pms_trial *trial, size_t figure)
{
	return pms_figure_judge(&trial->workload->figures[figure], &trial->values[figure]);
}

/* What a summary counts. */
struct tally {
	size_t n, agree, stage1; /* workloads */
	size_t figures, agreeing;
};

static struct tally count(struct pms_trial *const *trials, size_t n, int argued)
{
	struct tally t = { 0 };
	for (size_t i = 0; i < n; i++) {
		if (trials[i]->workload->argued != argued)
			continue;
		t.n++;
		t.agree += trials[i]->agrees != 0;
		t.stage1 += trials[i]->stage1_agrees != 0;
		t.figures += trials[i]->workload->n_figures;
		for (size_t k = 0; k < trials[i]->workload->n_figures; k++)
			t.agreeing += judge(trials[i], k) == PMS_AGREES;
	}
	return t;
}

/* Table. */

static void put_ends(struct pms_grid *grid, struct pms_grid_line *line,
		     const struct pms_figure *figure)
{
	if (!figure->has_high)
		pms_grid_set(grid, line, EXPECTED, "%.4g or more", figure->low);
	else if (!figure->has_low)
		pms_grid_set(grid, line, EXPECTED, "%.4g or less", figure->high);
	else
		pms_grid_set(grid, line, EXPECTED, "%.4g to %.4g", figure->low, figure->high);
}

static void put_value(struct pms_grid *grid, struct pms_grid_line *line,
		      const struct pms_value *value)
{
	if (value->state != PMS_VALUE_UNDEFINED)
		pms_grid_set(grid, line, GOT, "%.4g", value->value);
}

static void put_figure(struct pms_grid *grid, struct pms_grid_line *parent,
		       const struct pms_trial *trial, size_t i)
{
	const struct pms_figure *figure = &trial->workload->figures[i];
	struct pms_grid_line *line = pms_grid_line(grid, parent);
	pms_grid_set(grid, line, NAME, "%s", figure->metric->name);
	put_ends(grid, line, figure);
	put_value(grid, line, &trial->values[i]);
	pms_grid_set(grid, line, VERDICT, "%s", judgements[judge(trial, i)]);
}

/* A share of Level 1 of which nothing is expected but that it is, or is not, the largest. */
static void put_share(struct pms_grid *grid, struct pms_grid_line *parent,
		      const struct pms_trial *trial, size_t i)
{
	const struct pms_metric *metric = trial->roots[i];
	for (size_t k = 0; k < trial->workload->n_figures; k++)
		if (trial->workload->figures[k].metric == metric)
			return;
	struct pms_grid_line *line = pms_grid_line(grid, parent);
	pms_grid_set(grid, line, NAME, "%s", metric->name);
	put_value(grid, line, &trial->level1[i]);
}

static void put_trial(struct pms_grid *grid, const struct pms_trial *trial, int all)
{
	const struct pms_workload *w = trial->workload;
	struct pms_grid_line *line = pms_grid_line(grid, NULL);
	pms_grid_set(grid, line, NAME, "%s", w->name);
	pms_grid_set(grid, line, EXPECTED, "%s", w->dominant ? w->dominant->name : "");
	if (largest(trial))
		pms_grid_set(grid, line, GOT, "%s", largest(trial));
	pms_grid_set(grid, line, VERDICT, "%s", trial->agrees ? "agrees" : "differs");
	pms_grid_colour(grid, line, trial->agrees ? "bold" : "red");
	for (size_t i = 0; all && i < trial->n_level1; i++)
		put_share(grid, line, trial, i);
	for (size_t i = 0; i < w->n_figures; i++)
		if (all || judge(trial, i) != PMS_AGREES)
			put_figure(grid, line, trial, i);
}

static void put_summary(struct pms_page *page, struct pms_trial *const *trials, size_t n)
{
	struct tally published = count(trials, n, 0), argued = count(trials, n, 1);
	pms_page_line(page, "%s", "");
	if (published.n)
		pms_page_text(
			page, "",
			"Published: %zu of %zu workloads agree in Stage 1, %zu of %zu figures "
			"in all.",
			published.stage1, published.n, published.agreeing, published.figures);
	if (argued.n)
		pms_page_text(page, "",
			      "Argued from the core: %zu of %zu workloads agree in Stage 1, %zu of "
			      "%zu figures in all.",
			      argued.stage1, argued.n, argued.agreeing, argued.figures);
}

static int put_table(FILE *out, struct pms_trial *const *trials, size_t n,
		     const struct pms_show_options *options)
{
	static const struct pms_column columns[] = { [NAME] = { "WORKLOAD", PMS_GRID_TREE },
						     [EXPECTED] = { "EXPECTED", 0 },
						     [GOT] = { "GOT", 0 },
						     [VERDICT] = { "VERDICT", 0 } };
	struct pms_page page;
	struct pms_grid grid;
	char heading[512];
	pms_page_init(&page, out, options);
	pms_label_heading(heading, sizeof(heading), trials[0]->counts);
	pms_page_heading(&page, "%s", heading);
	pms_page_line(&page, "%s", "");
	pms_grid_init(&grid, options, columns, N_COLUMNS);
	for (size_t i = 0; i < n; i++)
		put_trial(&grid, trials[i], options->all);
	int rc = pms_grid_print(&grid, 1, out);
	pms_grid_release(&grid);
	put_summary(&page, trials, n);
	if (page.failed)
		rc = -PMS_ENOMEM;
	pms_page_release(&page);
	return rc;
}

/* JSON. */

static json_t *end(int has, double value)
{
	return has ? pms_document_real(value) : json_null();
}

static json_t *figure_object(struct pms_document *d, const struct pms_trial *trial, size_t i)
{
	const struct pms_figure *figure = &trial->workload->figures[i];
	const struct pms_value *value = &trial->values[i];
	json_t *object = json_object();
	pms_document_set(d, object, "name", pms_document_string(figure->metric->name));
	pms_document_set(d, object, "units", pms_document_string(figure->metric->units));
	pms_document_set(d, object, "low", end(figure->has_low, figure->low));
	pms_document_set(d, object, "high", end(figure->has_high, figure->high));
	pms_document_set(d, object, "value",
			 end(value->state != PMS_VALUE_UNDEFINED, value->value));
	pms_document_set(d, object, "judgement", json_string(judgements[judge(trial, i)]));
	pms_document_set(d, object, "source", pms_document_string(figure->source));
	if (value->because)
		pms_document_set(d, object, "because", pms_document_string(value->because));
	return object;
}

static json_t *level1_object(struct pms_document *d, const struct pms_trial *trial)
{
	json_t *object = json_object();
	for (size_t i = 0; i < trial->n_level1; i++)
		pms_document_set(
			d, object, trial->roots[i]->name,
			end(trial->level1[i].state != PMS_VALUE_UNDEFINED, trial->level1[i].value));
	return object;
}

static json_t *trial_object(struct pms_document *d, const struct pms_trial *trial)
{
	const struct pms_workload *w = trial->workload;
	json_t *object = json_object(), *figures = json_array();
	pms_document_set(d, object, "name", pms_document_string(w->name));
	pms_document_set(d, object, "category", pms_document_string(w->category));
	pms_document_set(d, object, "argued", json_boolean(w->argued));
	pms_document_set(d, object, "dominant",
			 pms_document_string(w->dominant ? w->dominant->name : NULL));
	pms_document_set(d, object, "largest", pms_document_string(largest(trial)));
	pms_document_set(d, object, "agrees", json_boolean(trial->agrees));
	pms_document_set(d, object, "stage1_agrees", json_boolean(trial->stage1_agrees));
	pms_document_set(d, object, "level1", level1_object(d, trial));
	for (size_t i = 0; i < w->n_figures; i++)
		pms_document_append(d, figures, figure_object(d, trial, i));
	pms_document_set(d, object, "figures", figures);
	return object;
}

static json_t *tally_object(struct pms_document *d, struct tally t)
{
	json_t *object = json_object();
	pms_document_set(d, object, "workloads", pms_document_count(t.n));
	pms_document_set(d, object, "agree", pms_document_count(t.agree));
	pms_document_set(d, object, "stage1_agree", pms_document_count(t.stage1));
	pms_document_set(d, object, "figures", pms_document_count(t.figures));
	pms_document_set(d, object, "figures_agree", pms_document_count(t.agreeing));
	return object;
}

static int put_json(FILE *out, struct pms_trial *const *trials, size_t n, struct pms_error *err)
{
	json_t *root_object = json_object(), *array = json_array(), *summary = json_object();
	struct pms_document d;
	pms_document_init(&d, root_object);
	pms_json_provenance(&d, root_object, trials[0]->counts);
	json_object_del(root_object, "command"); /* each has its own */
	for (size_t i = 0; i < n; i++)
		pms_document_append(&d, array, trial_object(&d, trials[i]));
	pms_document_set(&d, root_object, "workloads", array);
	pms_document_set(&d, summary, "published", tally_object(&d, count(trials, n, 0)));
	pms_document_set(&d, summary, "argued", tally_object(&d, count(trials, n, 1)));
	pms_document_set(&d, root_object, "summary", summary);
	return pms_document_finish(&d, out, err);
}

/* CSV. */

static void print_end(char text[PMS_NUMBER_MAX], int has, double value)
{
	text[0] = 0;
	if (has)
		pms_text_double(text, value);
}

static void put_row(FILE *out, const struct pms_trial *trial, size_t i,
		    const struct pms_show_options *options)
{
	const struct pms_figure *figure = &trial->workload->figures[i];
	char low[PMS_NUMBER_MAX], high[PMS_NUMBER_MAX], value[PMS_NUMBER_MAX];
	print_end(low, figure->has_low, figure->low);
	print_end(high, figure->has_high, figure->high);
	print_end(value, trial->values[i].state != PMS_VALUE_UNDEFINED, trial->values[i].value);
	const char *fields[] = { trial->workload->name,
				 figure->metric->name,
				 figure->metric->units,
				 low,
				 high,
				 value,
				 judgements[judge(trial, i)],
				 figure->source };
	pms_csv_row(out, fields, sizeof(fields) / sizeof(fields[0]), options);
}

static int put_csv(FILE *out, struct pms_trial *const *trials, size_t n,
		   const struct pms_show_options *options)
{
	static const char *const titles[] = { "workload", "name",  "units",	"low",
					      "high",	  "value", "judgement", "source" };
	char heading[512];
	pms_label_heading(heading, sizeof(heading), trials[0]->counts);
	fprintf(out, "# pmuscope %s\n", PMS_VERSION);
	pms_csv_catalog(out, trials[0]->counts->catalog);
	fputs("# ", out);
	for (const char *at = heading; *at;)
		at += pms_text_put(out, at, 0);
	fputc('\n', out);
	pms_csv_row(out, titles, sizeof(titles) / sizeof(titles[0]), options);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < trials[i]->workload->n_figures; k++)
			put_row(out, trials[i], k, options);
	return 0;
}

int pms_show_trials(FILE *out, struct pms_trial *const *trials, size_t n,
		    const struct pms_show_options *options, struct pms_error *err)
{
	struct pms_show_options o = pms_show_complete(options);
	if (pms_show_check(options, err))
		return -PMS_EINVAL;
	locale_t numbers, old = pms_show_enter(&numbers);
	int rc = 0;
	if (o.format == PMS_FORMAT_JSON)
		rc = put_json(out, trials, n, err);
	else
		rc = o.format == PMS_FORMAT_CSV ? put_csv(out, trials, n, &o)
						: put_table(out, trials, n, &o);
	if (rc)
		rc = pms_fail(err, PMS_ENOMEM, "out of memory");
	return pms_show_leave(old, numbers, out, rc, err);
}

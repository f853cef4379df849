/* SPDX-License-Identifier: MIT */
/* Show how workloads did against their expected figures. */
#include "pmuscope/validate.h"
#include "show/grid.h"
#include "show/label.h"
#include "show/provenance.h"
#include "show/render.h"

struct trials {
	struct pms_trial *const *list;
	size_t n;
};

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

/* The numbers of a summary. */
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

/* For people ----------------------------------------------------------------------------------- */

static void print_ends(struct pms_out_item *row, const struct pms_figure *figure)
{
	if (!figure->has_high)
		pms_out_cell_print(row, EXPECTED, "%.4g or more", figure->low);
	else if (!figure->has_low)
		pms_out_cell_print(row, EXPECTED, "%.4g or less", figure->high);
	else
		pms_out_cell_print(row, EXPECTED, "%.4g to %.4g", figure->low, figure->high);
}

static struct pms_out_datum value_of(const struct pms_value *value)
{
	return pms_out_when(value->state != PMS_VALUE_UNDEFINED, pms_out_of_real(value->value));
}

/* Fold away figures that agree. */
static void say_figure(struct pms_out_item *above, const struct pms_trial *trial, size_t i)
{
	const struct pms_figure *figure = &trial->workload->figures[i];
	struct pms_out_item *row = pms_out_row(above, N_COLUMNS);
	pms_out_set_folded(row, judge(trial, i) == PMS_AGREES);
	pms_out_cell(row, NAME, pms_out_of_text(figure->metric->name));
	print_ends(row, figure);
	pms_out_cell(row, GOT, value_of(&trial->values[i]));
	pms_out_cell(row, VERDICT, pms_out_of_text(judgements[judge(trial, i)]));
}

/* Show a share of Level 1 without an expected figure: it matters only for which share is
 * largest. */
static void say_share(struct pms_out_item *above, const struct pms_trial *trial, size_t i)
{
	const struct pms_metric *metric = trial->roots[i];
	for (size_t k = 0; k < trial->workload->n_figures; k++)
		if (trial->workload->figures[k].metric == metric)
			return;
	struct pms_out_item *row = pms_out_row(above, N_COLUMNS);
	pms_out_set_folded(row, 1);
	pms_out_cell(row, NAME, pms_out_of_text(metric->name));
	pms_out_cell(row, GOT, value_of(&trial->level1[i]));
}

static void say_trial(struct pms_out_item *table, const struct pms_trial *trial)
{
	const struct pms_workload *w = trial->workload;
	struct pms_out_item *row = pms_out_row(table, N_COLUMNS);
	pms_out_cell(row, NAME, pms_out_of_text(w->name));
	pms_out_cell(row, EXPECTED, pms_out_of_text(w->dominant ? w->dominant->name : NULL));
	pms_out_cell(row, GOT, pms_out_of_text(largest(trial)));
	pms_out_cell(row, VERDICT, pms_out_of_text(trial->agrees ? "agrees" : "differs"));
	pms_out_row_colour(row, trial->agrees ? "bold" : "red");
	for (size_t i = 0; i < trial->n_level1; i++)
		say_share(row, trial, i);
	for (size_t i = 0; i < w->n_figures; i++)
		say_figure(row, trial, i);
}

static void say_tally(struct pms_out_item *root, const char *what, struct tally t)
{
	if (t.n)
		pms_out_paragraph(root, NULL,
				  "%s: %zu of %zu workloads agree in Stage 1, %zu of %zu figures "
				  "in all.",
				  what, t.stage1, t.n, t.agreeing, t.figures);
}

static void say_trials(struct pms_out_item *root, const struct trials *trials)
{
	static const struct pms_out_field fields[] = {
		[NAME] = { NULL, NULL, "WORKLOAD", PMS_GRID_TREE },
		[EXPECTED] = { NULL, NULL, "EXPECTED", 0 },
		[GOT] = { NULL, NULL, "GOT", 0 },
		[VERDICT] = { NULL, NULL, "VERDICT", 0 },
	};
	char heading[512];
	pms_label_heading(heading, sizeof(heading), trials->list[0]->counts);
	pms_out_heading(root, "%s", heading);
	pms_out_gap(root);
	struct pms_out_item *table = pms_out_table(root, PMS_FOR_PEOPLE, NULL, fields, N_COLUMNS);
	for (size_t i = 0; table && i < trials->n; i++)
		say_trial(table, trials->list[i]);
	pms_out_gap(root);
	say_tally(root, "Published", count(trials->list, trials->n, 0));
	say_tally(root, "Argued from the core", count(trials->list, trials->n, 1));
}

/* For programs --------------------------------------------------------------------------------- */

enum { WORKLOAD, FIGURE, UNITS, LOW, HIGH, VALUE, JUDGEMENT, SOURCE, BECAUSE, N_FIELDS };

static const char *const csv_columns[] = { "workload", "name",	"units",     "low",
					   "high",     "value", "judgement", "source" };

/* One row per figure. JSON gives the reason for a missing value; CSV leaves the field empty. */
static void put_figures(struct pms_out_item *object, const struct pms_trial *trial)
{
	static const struct pms_out_field fields[] = {
		[WORKLOAD] = { NULL, "workload", NULL, 0 },
		[FIGURE] = PMS_OUT_FIELD("name", NULL, 0),
		[UNITS] = PMS_OUT_FIELD("units", NULL, 0),
		[LOW] = PMS_OUT_FIELD("low", NULL, 0),
		[HIGH] = PMS_OUT_FIELD("high", NULL, 0),
		[VALUE] = PMS_OUT_FIELD("value", NULL, 0),
		[JUDGEMENT] = PMS_OUT_FIELD("judgement", NULL, 0),
		[SOURCE] = PMS_OUT_FIELD("source", NULL, 0),
		[BECAUSE] = { "because", NULL, NULL, PMS_OUT_OPTIONAL },
	};
	struct pms_out_item *table =
		pms_out_table(object, PMS_FOR_PROGRAMS, "figures", fields, N_FIELDS);
	for (size_t i = 0; i < trial->workload->n_figures; i++) {
		const struct pms_figure *figure = &trial->workload->figures[i];
		struct pms_out_item *row = pms_out_row(table, N_FIELDS);
		pms_out_cell(row, WORKLOAD, pms_out_of_text(trial->workload->name));
		pms_out_cell(row, FIGURE, pms_out_of_text(figure->metric->name));
		pms_out_cell(row, UNITS, pms_out_of_text(figure->metric->units));
		pms_out_cell(row, LOW, pms_out_when(figure->has_low, pms_out_of_real(figure->low)));
		pms_out_cell(row, HIGH,
			     pms_out_when(figure->has_high, pms_out_of_real(figure->high)));
		pms_out_cell(row, VALUE, value_of(&trial->values[i]));
		pms_out_cell(row, JUDGEMENT, pms_out_of_text(judgements[judge(trial, i)]));
		pms_out_cell(row, SOURCE, pms_out_of_text(figure->source));
		pms_out_cell(row, BECAUSE, pms_out_of_text(trial->values[i].because));
	}
}

static void put_trial(struct pms_out_item *list, const struct pms_trial *trial)
{
	const struct pms_workload *w = trial->workload;
	struct pms_out_item *object = pms_out_group(list, PMS_FOR_PROGRAMS, NULL);
	pms_out_member(object, "name", pms_out_of_text(w->name));
	pms_out_member(object, "category", pms_out_of_text(w->category));
	pms_out_member(object, "argued", pms_out_of_truth(w->argued));
	pms_out_member(object, "dominant", pms_out_of_text(w->dominant ? w->dominant->name : NULL));
	pms_out_member(object, "largest", pms_out_of_text(largest(trial)));
	pms_out_member(object, "agrees", pms_out_of_truth(trial->agrees));
	pms_out_member(object, "stage1_agrees", pms_out_of_truth(trial->stage1_agrees));
	struct pms_out_item *level1 = pms_out_group(object, PMS_IN_JSON, "level1");
	for (size_t i = 0; i < trial->n_level1; i++)
		pms_out_member(level1, trial->roots[i]->name, value_of(&trial->level1[i]));
	put_figures(object, trial);
}

static void put_tally(struct pms_out_item *summary, const char *key, struct tally t)
{
	struct pms_out_item *object = pms_out_group(summary, PMS_IN_JSON, key);
	pms_out_member(object, "workloads", pms_out_of_count(t.n));
	pms_out_member(object, "agree", pms_out_of_count(t.agree));
	pms_out_member(object, "stage1_agree", pms_out_of_count(t.stage1));
	pms_out_member(object, "figures", pms_out_of_count(t.figures));
	pms_out_member(object, "figures_agree", pms_out_of_count(t.agreeing));
}

static void put_trials(struct pms_out_item *root, const struct trials *trials)
{
	const struct pms_counts *counts = trials->list[0]->counts;
	char heading[512];
	/* In JSON each workload has its own command, so the head names none. CSV says less. */
	pms_provenance_counts(root, PMS_IN_JSON, counts, 0);
	struct pms_out_item *comments = pms_out_group(root, PMS_IN_CSV, NULL);
	pms_label_heading(heading, sizeof(heading), counts);
	pms_provenance_version(comments);
	pms_provenance_catalog(comments, PMS_IN_CSV, counts->catalog);
	pms_out_comment_print(comments, NULL, "%s", heading);
	struct pms_out_item *list = pms_out_list(root, PMS_FOR_PROGRAMS, "workloads");
	for (size_t i = 0; list && i < trials->n; i++)
		put_trial(list, trials->list[i]);
	struct pms_out_item *summary = pms_out_group(root, PMS_IN_JSON, "summary");
	put_tally(summary, "published", count(trials->list, trials->n, 0));
	put_tally(summary, "argued", count(trials->list, trials->n, 1));
}

static int build(struct pms_outline *outline, void *subject, struct pms_error *err)
{
	(void)err;
	outline->columns = csv_columns;
	outline->n_columns = sizeof(csv_columns) / sizeof(csv_columns[0]);
	put_trials(outline->root, subject);
	say_trials(outline->root, subject);
	return 0;
}

int pms_show_trials(FILE *out, struct pms_trial *const *list, size_t n,
		    const struct pms_show_options *options, struct pms_error *err)
{
	struct trials trials = { list, n };
	return pms_show_built(out, options, build, &trials, err);
}

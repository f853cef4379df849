/* SPDX-License-Identifier: MIT */
/* Show what would be gained if one thing of the core cost nothing. */
#include "pmuscope/gains.h"
#include "show/grid.h"
#include "show/report.h"
#include "show/text.h"

/* For programs --------------------------------------------------------------------------------- */

static void put_gain(struct pms_out_item *list, const struct pms_gain *gain)
{
	struct pms_out_item *object = pms_out_group(list, PMS_IN_JSON, NULL);
	pms_out_member(object, "name", pms_out_of_text(gain->name));
	pms_out_member(object, "title", pms_out_of_text(gain->title));
	pms_out_member(object, "meaning", pms_out_of_text(gain->meaning));
	pms_out_member(object, "cycles", pms_out_of_real(gain->cycles));
	pms_out_member(object, "percent", pms_out_of_real(gain->percent));
	pms_out_member(object, "within", pms_out_of_text(gain->within));
}

static void put_all(struct pms_out_item *object, const char *key, const struct pms_gains *gains,
		    int groups)
{
	struct pms_out_item *list = pms_out_list(object, PMS_IN_JSON, key);
	for (size_t i = 0; i < gains->n; i++)
		if (gains->all[i].is_group == groups)
			put_gain(list, &gains->all[i]);
}

static void put_pairs(struct pms_out_item *object, const struct pms_gains *gains)
{
	struct pms_out_item *list = pms_out_list(object, PMS_IN_JSON, "pairs");
	for (size_t i = 0; i < gains->n_pairs; i++) {
		const struct pms_gain_pair *pair = &gains->pairs[i];
		struct pms_out_item *item = pms_out_group(list, PMS_IN_JSON, NULL);
		struct pms_out_words names = pms_out_words(item);
		pms_out_words_add(&names, gains->all[pair->a].name);
		pms_out_words_add(&names, gains->all[pair->b].name);
		pms_out_member(item, "names", pms_out_of_words(&names));
		pms_out_member(item, "percent", pms_out_of_real(pair->percent));
		pms_out_member(item, "interaction", pms_out_of_real(pair->interaction));
	}
}

static void comment_gains(struct pms_out_item *parent, const struct pms_gains *gains)
{
	for (size_t i = 0; i < gains->n; i++) {
		char percent[PMS_NUMBER_MAX];
		pms_text_double(percent, gains->all[i].percent);
		pms_out_comment_print(parent, "gain", "%s %s %%", gains->all[i].name, percent);
	}
}

void pms_report_put_gains(struct pms_out_item *parent, const struct pms_report *report)
{
	const struct pms_gains *gains = report->counts->gains;
	if (!gains)
		return;
	if (!pms_outline_is_in(parent, PMS_IN_JSON)) {
		comment_gains(parent, gains);
		return;
	}
	struct pms_out_item *object = pms_out_group(parent, PMS_IN_JSON, "gains");
	pms_out_member(object, "cycles", pms_out_of_real(gains->cycles));
	pms_out_member(object, "runs", pms_out_of_count(gains->n_runs));
	pms_out_member(object, "disagreement", pms_out_of_real(gains->disagreement));
	put_all(object, "groups", gains, 1);
	put_all(object, "things", gains, 0);
	put_pairs(object, gains);
}

/* For people ----------------------------------------------------------------------------------- */

enum { THING, SAVES, IF, N };

static const struct pms_out_field fields[] = {
	[THING] = PMS_OUT_FIELD("thing", "IDEAL", 0),
	[SAVES] = PMS_OUT_FIELD("saves", "SAVES", PMS_GRID_RIGHT),
	[IF] = PMS_OUT_FIELD("if", "IF", PMS_GRID_WRAP),
};

static int is_worth(const struct pms_gain *gain)
{
	return gain->percent >= PMS_GAIN_WORTH;
}

static void add_row(struct pms_out_item *table, const struct pms_gain *gain, unsigned depth)
{
	struct pms_out_item *row = pms_out_row(table, N);
	pms_out_cell_print(row, THING, "%*s%s", 2 * (int)depth, "", gain->title);
	pms_out_cell_print(row, SAVES, "%.1f %%", gain->percent);
	pms_out_cell_print(row, IF, "%s", gain->meaning);
}

/* Add the things within @of, or within none, each with those within it. They are sorted. */
static void add_rows(struct pms_out_item *table, const struct pms_gains *gains,
		     const struct pms_gain *of, unsigned depth)
{
	for (size_t i = 0; i < gains->n; i++) {
		const struct pms_gain *gain = &gains->all[i];
		const struct pms_gain *outer =
			gain->within ? pms_gains_find(gains, gain->within) : NULL;
		if (gain->is_group || outer != of || !is_worth(gain))
			continue;
		add_row(table, gain, depth);
		add_rows(table, gains, gain, depth + 1);
	}
}

static void add_groups(struct pms_out_item *table, const struct pms_gains *gains)
{
	for (size_t i = 0; i < gains->n && gains->all[i].is_group; i++)
		if (is_worth(&gains->all[i]))
			add_row(table, &gains->all[i], 0);
}

/* Say which things hide each other, or gain only together. */
static void say_pairs(struct pms_out_item *root, const struct pms_gains *gains)
{
	for (size_t i = 0; i < gains->n_pairs; i++) {
		const struct pms_gain_pair *pair = &gains->pairs[i];
		const double apart = pair->interaction;
		if (apart < PMS_GAIN_WORTH && apart > -PMS_GAIN_WORTH)
			continue;
		pms_out_paragraph(root, NULL, "Both %s and %s: %.1f %%, %.1f %s.",
				  gains->all[pair->a].title, gains->all[pair->b].title,
				  pair->percent, apart < 0 ? -apart : apart,
				  apart < 0 ? "less than each by itself, since they hide the same "
					      "cycles"
					    : "more than each by itself, since each hides the "
					      "other");
	}
}

void pms_report_say_gains(struct pms_out_item *root, const struct pms_report *report)
{
	const struct pms_gains *gains = report->counts->gains;
	const struct pms_gain *first = gains ? pms_gains_first(gains) : NULL;
	if (!gains)
		return;
	pms_out_gap(root);
	pms_out_heading(root, "What would be gained, in percent of the cycles");
	if (first && is_worth(first)) {
		struct pms_out_item *table =
			pms_out_table(root, PMS_FOR_PEOPLE, "gains", fields, N);
		add_rows(table, gains, NULL, 0);
		add_groups(table, gains);
		say_pairs(root, gains);
	} else if (first) {
		pms_out_paragraph(root, NULL, "Nothing stands out: most is gained by %s, %.1f %%.",
				  first->title, first->percent);
	} else {
		const struct pms_gain *group = gains->n ? &gains->all[0] : NULL;
		pms_out_paragraph(root, NULL, "Nothing stands out: most is gained by %s, %.1f %%.",
				  group ? group->title : "nothing", group ? group->percent : 0);
	}
}

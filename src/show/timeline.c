/* SPDX-License-Identifier: MIT */
/* Show intervals in a table, a line each. Only the line of each report is kept. */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "show/formats.h"
#include "show/render.h"
#include "show/shares.h"
#include "show/text.h"

struct pms_timeline {
	struct pms_show_options options;
	struct pms_shares shares;   /* columns, found in the first report */
	int are_shares;		    /* 1: shares of one whole; 0: metrics with their own units */
	struct pms_outline outline; /* gets a row for each interval */
	struct pms_out_item *table;
	int has_outline;
};

struct pms_timeline *pms_timeline_new(const struct pms_show_options *options)
{
	struct pms_timeline *timeline = calloc(1, sizeof(*timeline));
	if (timeline)
		timeline->options = pms_show_complete(options);
	if (timeline)
		timeline->options.format = PMS_FORMAT_TABLE;
	return timeline;
}

/* Set up the columns, once the first report shows which there are. */
static void start(struct pms_timeline *t, const struct pms_report *report)
{
	pms_shares_find(&t->shares, report);
	t->are_shares = t->shares.n > 0;
	if (!t->are_shares)
		for (size_t i = 0; i < report->n_results && i < PMS_MOST_SHARES; i++)
			t->shares.results[t->shares.n++] = i;
	pms_outline_init(&t->outline, &t->options);
	t->has_outline = 1;
	pms_out_gap(t->outline.root);
	if (t->are_shares)
		pms_out_heading(t->outline.root, "Level 1 by the end of each interval, %s",
				t->shares.units);
	else
		pms_out_heading(t->outline.root, "Metrics by the end of each interval");
	t->table = pms_shares_table(t->outline.root, report, &t->shares, "TIME s");
}

void pms_timeline_add(struct pms_timeline *timeline, const struct pms_report *report)
{
	locale_t numbers, old = pms_show_enter(&numbers);
	if (!timeline->has_outline)
		start(timeline, report);
	pms_shares_row(timeline->table, report, &timeline->shares,
		       pms_out_print(timeline->table, "%.3f", report->counts->time));
	uselocale(old);
	if (numbers)
		freelocale(numbers);
}

int pms_timeline_put(struct pms_timeline *timeline, FILE *out, struct pms_error *err)
{
	if (!timeline->has_outline)
		return 0;
	locale_t numbers, old = pms_show_enter(&numbers);
	int rc = timeline->outline.failed ? pms_no_memory(err)
					  : pms_render_table(out, &timeline->outline, err);
	return pms_show_leave(old, numbers, out, rc, err);
}

void pms_timeline_free(struct pms_timeline *timeline)
{
	if (timeline && timeline->has_outline)
		pms_outline_release(&timeline->outline);
	free(timeline);
}

/* SPDX-License-Identifier: MIT */
/* Intervals, a line each: what of a report is kept is its line. */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "show/formats.h"
#include "show/page.h"
#include "show/shares.h"
#include "show/text.h"

struct pms_timeline {
	struct pms_show_options options;
	struct pms_shares shares; /* found in the first report */
	int are_shares;		  /* else any metrics, each with its own unit */
	struct pms_grid grid;
	int has_grid;
};

struct pms_timeline *pms_timeline_new(const struct pms_show_options *options)
{
	struct pms_timeline *timeline = calloc(1, sizeof(*timeline));
	if (timeline)
		timeline->options = pms_show_complete(options);
	return timeline;
}

/* The columns, once there is a report that tells them. */
static void start(struct pms_timeline *t, const struct pms_report *report)
{
	pms_shares_find(&t->shares, report);
	t->are_shares = t->shares.n > 0;
	if (!t->are_shares)
		for (size_t i = 0; i < report->n_results && i < PMS_MOST_SHARES; i++)
			t->shares.results[t->shares.n++] = i;
	pms_shares_init(&t->grid, &t->options, report, &t->shares, "TIME s");
	t->has_grid = 1;
}

void pms_timeline_add(struct pms_timeline *timeline, const struct pms_report *report)
{
	char time[PMS_NUMBER_MAX];
	locale_t numbers, old = pms_show_enter(&numbers);
	if (!timeline->has_grid)
		start(timeline, report);
	snprintf(time, sizeof(time), "%.3f", report->counts->time);
	pms_shares_line(&timeline->grid, report, &timeline->shares, time);
	uselocale(old);
	if (numbers)
		freelocale(numbers);
}

int pms_timeline_put(struct pms_timeline *timeline, FILE *out, struct pms_error *err)
{
	struct pms_page page;
	if (!timeline->has_grid)
		return 0;
	locale_t numbers, old = pms_show_enter(&numbers);
	pms_page_init(&page, out, &timeline->options);
	fputc('\n', out);
	if (timeline->are_shares)
		pms_page_heading(&page, "Level 1 by the end of each interval, %s",
				 timeline->shares.units);
	else
		pms_page_heading(&page, "Metrics by the end of each interval");
	int failed = pms_grid_print(&timeline->grid, 1, out);
	pms_page_release(&page);
	int rc = failed ? pms_fail(err, PMS_ENOMEM, "out of memory") : 0;
	return pms_show_leave(old, numbers, out, rc, err);
}

void pms_timeline_free(struct pms_timeline *timeline)
{
	if (timeline && timeline->has_grid)
		pms_grid_release(&timeline->grid);
	free(timeline);
}

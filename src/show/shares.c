/* SPDX-License-Identifier: MIT */
#include "show/shares.h"

#include <locale.h>
#include <stdlib.h>

#include "base/status.h"
#include "show/text.h"

void pms_shares_find(struct pms_shares *shares, const struct pms_report *report)
{
	const struct pms_catalog *catalog = report->counts->catalog;
	*shares = (struct pms_shares){ .units = "" };
	for (size_t i = 0; i < report->n_results && shares->n < PMS_MOST_SHARES; i++) {
		const struct pms_result *r = &report->results[i];
		if (r->stage != 1 || r->level != 1)
			continue;
		shares->results[shares->n++] = i;
		shares->units = pms_catalog_metric(catalog, r->metric)->units;
	}
}

void pms_shares_init(struct pms_grid *grid, const struct pms_show_options *options,
		     const struct pms_report *report, const struct pms_shares *shares,
		     const char *first)
{
	struct pms_column columns[1 + PMS_MOST_SHARES] = { { first, 0 } };
	for (size_t i = 0; i < shares->n; i++) {
		size_t metric = report->results[shares->results[i]].metric;
		columns[i + 1] = (struct pms_column){
			pms_catalog_metric(report->counts->catalog, metric)->title, PMS_GRID_RIGHT
		};
	}
	pms_grid_init(grid, options, columns, shares->n + 1);
}

void pms_shares_line(struct pms_grid *grid, const struct pms_report *report,
		     const struct pms_shares *shares, const char *first)
{
	struct pms_grid_line *line = pms_grid_line(grid, NULL);
	pms_grid_set(grid, line, 0, "%s", first);
	for (size_t i = 0; i < shares->n; i++) {
		const struct pms_result *r = &report->results[shares->results[i]];
		char text[PMS_NUMBER_MAX] = "—";
		if (r->value.state != PMS_VALUE_UNDEFINED)
			pms_text_value(
				text, r->value.value,
				pms_catalog_metric(report->counts->catalog, r->metric)->units);
		pms_grid_set(grid, line, i + 1, "%s", text);
	}
}

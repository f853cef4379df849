/* SPDX-License-Identifier: MIT */
#include "show/shares.h"

#include "show/grid.h"
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

struct pms_out_item *pms_shares_table(struct pms_out_item *parent, const struct pms_report *report,
				      const struct pms_shares *shares, const char *first)
{
	struct pms_out_field *fields = pms_out_room(parent, shares->n + 1, sizeof(*fields));
	if (!fields)
		return NULL;
	fields[0].title = first;
	for (size_t i = 0; i < shares->n; i++) {
		size_t metric = report->results[shares->results[i]].metric;
		fields[i + 1].title = pms_catalog_metric(report->counts->catalog, metric)->title;
		fields[i + 1].flags = PMS_GRID_RIGHT;
	}
	return pms_out_table(parent, PMS_FOR_PEOPLE, NULL, fields, shares->n + 1);
}

void pms_shares_row(struct pms_out_item *table, const struct pms_report *report,
		    const struct pms_shares *shares, const char *first)
{
	struct pms_out_item *row = pms_out_row(table, shares->n + 1);
	pms_out_cell(row, 0, pms_out_of_text(first));
	for (size_t i = 0; i < shares->n; i++) {
		const struct pms_result *r = &report->results[shares->results[i]];
		char text[PMS_NUMBER_MAX] = "—";
		if (r->value.state != PMS_VALUE_UNDEFINED)
			pms_text_value(
				text, r->value.value,
				pms_catalog_metric(report->counts->catalog, r->metric)->units);
		pms_out_cell_print(row, i + 1, "%s", text);
	}
}

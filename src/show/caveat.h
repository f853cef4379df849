/* SPDX-License-Identifier: MIT */
/* show/caveat.h - what a number does not say, beside the number. */
#ifndef PMS_SHOW_CAVEAT_H
#define PMS_SHOW_CAVEAT_H

#include "pmuscope/analyse.h"
#include "pmuscope/relation.h"
#include "show/document.h"
#include "show/page.h"

/** {"configuration", "errata", "before"}, those that are given; null for none. */
json_t *pms_caveat_condition(struct pms_document *document, const struct pms_condition *condition);

/** {"id", "events", "condition", "text", "section"}. */
json_t *pms_caveat_object(struct pms_document *document, const struct pms_catalog *catalog,
			  const struct pms_caveat *caveat);

/** Note which events the numbers of @report are made of: footnotes name these first. */
void pms_caveat_shown(struct pms_page *page, const struct pms_report *report);

/** A metric's caveats beyond these are for describe. */
enum { PMS_CAVEAT_MOST = 8, PMS_CAVEAT_MARKS = 4 + PMS_CAVEAT_MOST * (PMS_LETTERS_MAX + 2) };

/** The letters of the footnotes on @metric's caveats, " [a, b]"; "" when it has none. The page gets
 * a short footnote of each. */
void pms_caveat_marks(struct pms_page *page, const struct pms_catalog *catalog,
		      const struct pms_metric *metric, char text[PMS_CAVEAT_MARKS]);

/** Columns that the letters take, as long as there are no more than 26 footnotes. */
size_t pms_caveat_width(const struct pms_catalog *catalog, const struct pms_metric *metric);

#endif

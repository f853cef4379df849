/* SPDX-License-Identifier: MIT */
/* show/caveat.h - what a number does not say, beside the number. */
#ifndef PMS_SHOW_CAVEAT_H
#define PMS_SHOW_CAVEAT_H

#include "pmuscope/analyse.h"
#include "pmuscope/relation.h"
#include "show/outline.h"

/** {"configuration", "errata", "before"}, those that are given; none where none is. */
struct pms_out_datum pms_caveat_condition(struct pms_out_item *of,
					  const struct pms_condition *condition);

/** {"id", "events", "condition", "text", "section"}, in @list. */
void pms_caveat_put(struct pms_out_item *list, const struct pms_catalog *catalog,
		    const struct pms_caveat *caveat);

/** By event: 1 where a number of @report is made of it. Notes name these first. */
unsigned char *pms_caveat_shown(struct pms_out_item *of, const struct pms_report *report);

/** A note on each of @metric's caveats, PMS_OUT_MOST_FOOTNOTES at most: the others are for
 * describe.
 * @shown: of pms_caveat_shown; NULL: all events are alike. Returns how many. */
size_t pms_caveat_notes(struct pms_out_item *of, const struct pms_catalog *catalog,
			const struct pms_metric *metric, const unsigned char *shown,
			const char *const **notes);

#endif

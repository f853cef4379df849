/* SPDX-License-Identifier: MIT */
/* show/caveat.h - caveats: print, beside a number, what the number does not say. */
#ifndef PMS_SHOW_CAVEAT_H
#define PMS_SHOW_CAVEAT_H

#include "pmuscope/analyse.h"
#include "pmuscope/relation.h"
#include "show/outline.h"

/** Returns {"configuration", "errata", "before"} with the keys that are set; none where none is. */
struct pms_out_datum pms_caveat_condition(struct pms_out_item *of,
					  const struct pms_condition *condition);

/** Add {"id", "events", "condition", "text", "section"} to @list. */
void pms_caveat_put(struct pms_out_item *list, const struct pms_catalog *catalog,
		    const struct pms_caveat *caveat);

/** Mark, by event index, the events that the report's numbers are computed from. Notes name these
 * events first. Owned by the outline. */
unsigned char *pms_caveat_shown(struct pms_out_item *of, const struct pms_report *report);

/** Make one note for each of @metric's caveats, PMS_OUT_MOST_FOOTNOTES at most. The describe
 * command lists the others.
 * @shown: result of pms_caveat_shown; NULL: no event comes first
 * Returns how many. */
size_t pms_caveat_notes(struct pms_out_item *of, const struct pms_catalog *catalog,
			const struct pms_metric *metric, const unsigned char *shown,
			const char *const **notes);

#endif

/* SPDX-License-Identifier: MIT */
/* show/provenance.h - what a document of programs begins with: by whom it was written, from which
 * catalog, and where its counts come from. */
#ifndef PMS_SHOW_PROVENANCE_H
#define PMS_SHOW_PROVENANCE_H

#include "show/outline.h"

/** "pmuscope": {"version"}; # pmuscope VERSION. */
void pms_provenance_version(struct pms_out_item *root);

/** "catalog": {"name", "version"}; # catalog: NAME VERSION. @places: where it stands. */
void pms_provenance_catalog(struct pms_out_item *root, unsigned places,
			    const struct pms_catalog *catalog);

/** Where counts come from, with both of these. @with_command: 1: also what was run */
void pms_provenance_counts(struct pms_out_item *root, unsigned places,
			   const struct pms_counts *counts, int with_command);

/** The program that was run as it can be pasted into a shell. NULL: none was, or out of memory. */
const char *pms_provenance_command(struct pms_out_item *of, const struct pms_counts *counts);

#endif

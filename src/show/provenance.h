/* SPDX-License-Identifier: MIT */
/* show/provenance.h - how each document for programs begins: the pmuscope version that wrote it,
 * the catalog, and the source of its counts. */
#ifndef PMS_SHOW_PROVENANCE_H
#define PMS_SHOW_PROVENANCE_H

#include "show/outline.h"

/** Add "pmuscope": {"version"}; in CSV # pmuscope VERSION. */
void pms_provenance_version(struct pms_out_item *root);

/** Add "catalog": {"name", "version"}; in CSV # catalog: NAME VERSION. @places: formats to add it
 * to */
void pms_provenance_catalog(struct pms_out_item *root, unsigned places,
			    const struct pms_catalog *catalog);

/** Add the source of the counts, the version and the catalog. @with_command: 1: also the command */
void pms_provenance_counts(struct pms_out_item *root, unsigned places,
			   const struct pms_counts *counts, int with_command);

/** Returns the command that was run, quoted to be pasted into a shell. NULL: no command, or out
 * of memory. */
const char *pms_provenance_command(struct pms_out_item *of, const struct pms_counts *counts);

#endif

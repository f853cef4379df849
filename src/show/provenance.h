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

#endif

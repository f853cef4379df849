/* SPDX-License-Identifier: MIT */
/* collect/vrun/places.h - the ledger of a run as a profile: instructions by their places in files.
 * Flow: ledger, counters -> [places] -> profile. */
#ifndef PMS_COLLECT_VRUN_PLACES_H
#define PMS_COLLECT_VRUN_PLACES_H

#include "pmuscope/profile.h"
#include "vcore/share/share.h"

/**
 * Make the profile of a run.
 * @ledger:  chunks 0 to @chunks, as the plugin left them; nothing in them is trusted
 * @program: name of the first thread, where it has none
 * @out:     written only on success; free with pms_profile_free
 * Counts of windows are scaled up to the whole run, as the counters are. Returns 0. Errors:
 *         -PMS_ENOMEM; -PMS_EIO the ledger makes no sense: the program wrote into it.
 */
int pms_places_make(const struct pms_share *share, const void *ledger, uint32_t chunks,
		    const char *program, struct pms_profile **out, struct pms_error *err);

#endif

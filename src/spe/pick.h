/* SPDX-License-Identifier: MIT */
/* spe/pick.h - options that name records, --pid and the like, as an expression of a filter.
 * Flow: options -> [pick] -> filter. */
#ifndef PMS_SPE_PICK_H
#define PMS_SPE_PICK_H

#include "pmuscope/spe_samples.h"

/**
 * Write what @pick means as a filter's text.
 * @path, @raw: the file, which is read once for times in per cent
 * @text: becomes the caller's to free; NULL where nothing is picked
 * Errors: -PMS_EINVAL an option that cannot be read, -PMS_ENOMEM, those of reading the file
 */
int pms_spe_pick_text(const struct pms_spe_pick *pick, const char *path, int raw, char **text,
		      struct pms_error *err);

#endif

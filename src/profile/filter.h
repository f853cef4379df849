/* SPDX-License-Identifier: MIT */
/* profile/filter.h - choose rows of a profile by expressions over their columns, in the language
 * of spe/filter.h, such as
 *     function==walk && line>=10 && !(lost<100)
 * Flow: profile -> [filter] -> fold. */
#ifndef PMS_PROFILE_FILTER_H
#define PMS_PROFILE_FILTER_H

#include "pmuscope/profile.h"
#include "pmuscope/symbol.h"

struct pms_profile_filter;

/** Compile @text. Errors: -PMS_EPARSE with the column in @text, -PMS_ENOMEM. */
int pms_profile_filter_make(const struct pms_profile *profile, const char *text,
			    struct pms_profile_filter **out, struct pms_error *err);
/** Returns whether a row matches. @values: one for each kind */
int pms_profile_filter_has(const struct pms_profile_filter *filter,
			   const struct pms_profile *profile, const struct pms_profile_place *place,
			   const struct pms_symbol *symbol, const uint64_t *values);
/** Free the filter, which may be NULL. */
void pms_profile_filter_free(struct pms_profile_filter *filter);

#endif

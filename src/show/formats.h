/* SPDX-License-Identifier: MIT */
/* show/formats.h - what all of pms_show_* do before and after they write: the caller's options
 * checked and completed, numbers as in the C locale, errors of the stream told. */
#ifndef PMS_SHOW_FORMATS_H
#define PMS_SHOW_FORMATS_H

#include <locale.h>

#include "pmuscope/show.h"

/** Whether there is the format that is asked for. Errors: -PMS_EINVAL. */
int pms_show_check(const struct pms_show_options *options, struct pms_error *err);

/** What was not asked for set to what it is then. */
struct pms_show_options pms_show_complete(const struct pms_show_options *options);

/** A decimal comma of the caller's locale has no place in a report. Returns what to go back to. */
locale_t pms_show_enter(locale_t *numbers);
/** Go back, and turn a writing error of @out into -PMS_EIO unless there is one in @rc. */
int pms_show_leave(locale_t old, locale_t numbers, FILE *out, int rc, struct pms_error *err);

#endif

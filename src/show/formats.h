/* SPDX-License-Identifier: MIT */
/* show/formats.h - steps common to all pms_show_* functions: check and complete the options,
 * write numbers as in the C locale, report errors of the stream. */
#ifndef PMS_SHOW_FORMATS_H
#define PMS_SHOW_FORMATS_H

#include <locale.h>

#include "pmuscope/show.h"

/** Check that the format exists. Errors: -PMS_EINVAL. */
int pms_show_check(const struct pms_show_options *options, struct pms_error *err);

/** Returns the options with defaults in place of what the caller left open. */
struct pms_show_options pms_show_complete(const struct pms_show_options *options);

/** Switch numbers to the C locale: the caller's may have a decimal comma. Returns the locale to
 * go back to. */
locale_t pms_show_enter(locale_t *numbers);
/** Restore the locale. Returns @rc, or -PMS_EIO when @rc is 0 and @out has a writing error. */
int pms_show_leave(locale_t old, locale_t numbers, FILE *out, int rc, struct pms_error *err);

#endif

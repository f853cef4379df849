/* SPDX-License-Identifier: MIT */
/* show/place.h - places of a program with what a profile counted there: parts of several outputs.
 */
#ifndef PMS_SHOW_PLACE_H
#define PMS_SHOW_PLACE_H

#include "pmuscope/fold.h"
#include "show/outline.h"

/** Returns @part in percent of @whole; 0 where there is none. */
double pms_place_percent(uint64_t part, uint64_t whole);

/** Set a cell that people see as a percentage, "12.5". */
void pms_place_set_percent(struct pms_out_item *row, size_t column, uint64_t part, uint64_t whole);

/** Set what most of the lost slots in @values went to: "reorder buffer full 91 %". */
void pms_place_set_cause(struct pms_out_item *row, size_t column, const struct pms_profile *profile,
			 const uint64_t *values);

/** Returns "list.c:16", a line by the last part of its path; NULL where it is not known. */
const char *pms_place_line(struct pms_out_item *of, const char *file, unsigned line);

/** Returns the last part of a path. */
const char *pms_place_short(const char *path);

/** Returns fields of @n_keys given columns and one for each measure, which only programs see; NULL
 * when out of memory. *n receives how many. */
struct pms_out_field *pms_place_fields(struct pms_out_item *of, const struct pms_profile *profile,
				       const struct pms_out_field *keys, size_t n_keys, size_t *n);
/** Fill the measures of a row, from @column on. @values: NULL: nothing was counted */
void pms_place_set_measures(struct pms_out_item *row, size_t column,
			    const struct pms_profile *profile, const uint64_t *values);

#endif

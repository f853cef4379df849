/* SPDX-License-Identifier: MIT */
/* show/extent.h - say, in the words of each format, which part of a program was counted. */
#ifndef PMS_SHOW_EXTENT_H
#define PMS_SHOW_EXTENT_H

#include "pmuscope/counts.h"
#include "show/outline.h"

enum { PMS_EXTENT_LINES = 3 };

/** Write the @i-th sentence about the part, @i below PMS_EXTENT_LINES. Returns 1, or 0 where
 * there is nothing to say. */
int pms_extent_line(char *text, size_t size, const struct pms_counts *counts, size_t i);

/** Add "sampled" and, where they apply, "fast_forward", "region" and "sampling"; the sentences as
 * comments. */
void pms_extent_put(struct pms_out_item *root, const struct pms_counts *counts);

#endif

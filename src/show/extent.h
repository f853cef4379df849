/* SPDX-License-Identifier: MIT */
/* show/extent.h - which part of a program was counted, in the words of each format. */
#ifndef PMS_SHOW_EXTENT_H
#define PMS_SHOW_EXTENT_H

#include "pmuscope/counts.h"
#include "show/outline.h"

enum { PMS_EXTENT_LINES = 3 };

/** The @i-th sentence about it, below PMS_EXTENT_LINES. Returns 0 where there is nothing to say. */
int pms_extent_line(char *text, size_t size, const struct pms_counts *counts, size_t i);

/** "sampled", and of what there is "fast_forward", "region", "sampling"; the sentences as comments.
 */
void pms_extent_put(struct pms_out_item *root, const struct pms_counts *counts);

#endif

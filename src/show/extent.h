/* SPDX-License-Identifier: MIT */
/* show/extent.h - which part of a program was counted, in the words of each format. */
#ifndef PMS_SHOW_EXTENT_H
#define PMS_SHOW_EXTENT_H

#include "pmuscope/counts.h"
#include "show/document.h"

enum { PMS_EXTENT_LINES = 3 };

/** The @i-th sentence about it, below PMS_EXTENT_LINES. Returns 0 where there is nothing to say. */
int pms_extent_line(char *text, size_t size, const struct pms_counts *counts, size_t i);

/** What the @i-th is about, for machines: "fast forward", "region", "sampling". */
const char *pms_extent_key(size_t i);

/** "sampled", and of what there is "fast_forward", "region", "sampling". */
void pms_extent_json(struct pms_document *document, json_t *root, const struct pms_counts *counts);

#endif

/* SPDX-License-Identifier: MIT */
/* show/render_tree.h - draw a tree of metrics for people at a terminal: values, bars, marks of
 * scaled values, of findings and of footnotes. */
#ifndef PMS_SHOW_RENDER_TREE_H
#define PMS_SHOW_RENDER_TREE_H

#include "show/outline.h"
#include "show/page.h"

/** Write the tree, then the notes that say why values are missing. */
void pms_render_tree(struct pms_page *page, const struct pms_out_item *tree);

#endif

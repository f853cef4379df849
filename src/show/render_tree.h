/* SPDX-License-Identifier: MIT */
/* show/render_tree.h - a tree of metrics for people at a terminal: values, bars, what is scaled,
 * and the marks of findings and of footnotes. */
#ifndef PMS_SHOW_RENDER_TREE_H
#define PMS_SHOW_RENDER_TREE_H

#include "show/outline.h"
#include "show/page.h"

/** Write the tree, and then the notes on values that it has not. */
void pms_render_tree(struct pms_page *page, const struct pms_out_item *tree);

#endif

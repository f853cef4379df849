/* SPDX-License-Identifier: MIT */
/* show/layout.h - place each row of a report in the tree that is shown.
 * Stage 1 nodes stand under their parents, Stage 2 groups under the node that leads to them. A
 * group that several nodes lead to is shown once, under the node with the largest share; the
 * others refer to it. */
#ifndef PMS_SHOW_LAYOUT_H
#define PMS_SHOW_LAYOUT_H

#include "pmuscope/analyse.h"

enum pms_row_kind {
	PMS_ROW_NODE,	/* a node of the tree, with its metric's result */
	PMS_ROW_GROUP,	/* the title of a Stage 2 group */
	PMS_ROW_METRIC, /* a metric of the group above it */
	PMS_ROW_SEE	/* refers to a group that stands under @node */
};

#define PMS_NO_ROW ((size_t)-1)

struct pms_row {
	enum pms_row_kind kind;
	size_t parent;			 /* index of the row above it in the tree, or PMS_NO_ROW */
	size_t node;			 /* NODE: its own; SEE: where the group is shown */
	size_t group;			 /* set for GROUP, METRIC and SEE */
	const struct pms_result *result; /* set for NODE and METRIC, else NULL */
};

struct pms_layout {
	struct pms_row *rows;
	size_t n_rows;
	size_t n_hidden; /* groups of the report that got no row */
};

/** Lay out a report.
 * @all: 1: show every group. 0: show groups under nodes that a finding ends at, and groups that
 *       no node leads to unless they only repeat metrics of other groups.
 * Returns 0 or -PMS_ENOMEM. Release with pms_layout_release. */
int pms_layout_init(struct pms_layout *layout, const struct pms_report *report, int all);
void pms_layout_release(struct pms_layout *layout);

#endif

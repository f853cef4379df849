/* SPDX-License-Identifier: MIT */
/* show/layout.h - which row of a report goes where in the tree that is shown.
 * Nodes of Stage 1 stand under their parents, Stage 2 groups under the node that leads to them.
 * A group that several nodes lead to is shown in full once, under the node with the largest share,
 * and the others refer to it. */
#ifndef PMS_SHOW_LAYOUT_H
#define PMS_SHOW_LAYOUT_H

#include "pmuscope/analyse.h"

enum pms_row_kind {
	PMS_ROW_NODE,	/* a node of the tree, with its metric's result */
	PMS_ROW_GROUP,	/* the title of a Stage 2 group */
	PMS_ROW_METRIC, /* a metric of the group above it */
	PMS_ROW_SEE	/* a group that is shown elsewhere: under @node */
};

#define PMS_NO_ROW ((size_t)-1)

struct pms_row {
	enum pms_row_kind kind;
	size_t parent;			 /* index of the row that it hangs from, or PMS_NO_ROW */
	size_t node;			 /* of NODE; of SEE: where the group is shown */
	size_t group;			 /* of GROUP, METRIC and SEE */
	const struct pms_result *result; /* of NODE and METRIC, else NULL */
};

struct pms_layout {
	struct pms_row *rows;
	size_t n_rows;
	size_t n_hidden; /* groups of the report that are left out */
};

/**
 * Lay out a report.
 * @all: 1: every group; 0: groups under nodes at which a finding ends, and those that no node
 *       leads to unless they only repeat metrics of other groups
 * Returns 0 or -PMS_ENOMEM. Release with pms_layout_release.
 */
int pms_layout_init(struct pms_layout *layout, const struct pms_report *report, int all);
void pms_layout_release(struct pms_layout *layout);

#endif

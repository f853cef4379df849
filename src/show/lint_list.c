/* SPDX-License-Identifier: MIT */
/* Show a lint's findings: one list for programs, file by file for people. */
#include <string.h>

#include "show/grid.h"
#include "show/listing.h"
#include "show/provenance.h"

enum { FILE_NAME, LINE, COLUMN, PATH, RULE, TEXT, N };

static const struct pms_out_field fields[] = {
	[FILE_NAME] = PMS_OUT_FIELD("file", NULL, 0),
	[LINE] = PMS_OUT_FIELD("line", "LINE", PMS_GRID_RIGHT),
	[COLUMN] = PMS_OUT_FIELD("column", NULL, 0),
	[PATH] = PMS_OUT_FIELD("path", NULL, 0),
	[RULE] = PMS_OUT_FIELD("rule", "RULE", 0),
	[TEXT] = PMS_OUT_FIELD("text", "WHAT", PMS_GRID_WRAP),
};

static void add_finding(struct pms_out_item *table, const struct pms_lint_finding *f)
{
	struct pms_out_item *row = pms_out_row(table, N);
	pms_out_cell(row, FILE_NAME, pms_out_of_text(f->file));
	pms_out_cell(row, LINE, pms_out_of_count(f->line));
	pms_out_cell(row, COLUMN, pms_out_of_count(f->column));
	pms_out_cell(row, PATH, pms_out_of_text(f->path));
	pms_out_cell(row, RULE, pms_out_of_text(f->rule));
	pms_out_cell(row, TEXT, pms_out_of_text(f->text));
}

/* Make one table for programs, and one per file for people. */
int pms_build_lint(struct pms_outline *outline, void *subject, struct pms_error *err)
{
	const struct pms_lint *lint = subject;
	struct pms_out_item *root = outline->root, *own = NULL;
	const char *file = NULL;
	size_t n = pms_lint_findings(lint);
	(void)err;
	pms_provenance_version(root);
	struct pms_out_item *all = pms_out_table(root, PMS_FOR_PROGRAMS, "findings", fields, N);
	for (size_t i = 0; i < n; i++) {
		const struct pms_lint_finding *f = pms_lint_finding(lint, i);
		if (!file || strcmp(f->file, file) != 0) {
			if (file)
				pms_out_gap(root);
			pms_out_heading(root, "%s", f->file);
			own = pms_out_table(root, PMS_FOR_PEOPLE, NULL, fields, N);
			file = f->file;
		}
		add_finding(all, f);
		add_finding(own, f);
	}
	if (n) {
		pms_out_gap(root);
		pms_out_line(root, "%zu finding%s", n, n == 1 ? "" : "s");
	}
	return 0;
}

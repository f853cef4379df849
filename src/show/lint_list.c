/* SPDX-License-Identifier: MIT */
/* The findings of a lint: as a list for programs, and file by file for people. */
#include <string.h>

#include "base/status.h"
#include "show/grid.h"
#include "show/listing.h"
#include "show/page.h"

void pms_listing_lint(struct pms_list_table *list, const struct pms_lint *lint)
{
	static const struct pms_list_column columns[] = {
		{ "file", NULL, PMS_LIST_TEXT, 0 },	{ "line", NULL, PMS_LIST_NUMBER, 0 },
		{ "column", NULL, PMS_LIST_NUMBER, 0 }, { "path", NULL, PMS_LIST_TEXT, 0 },
		{ "rule", NULL, PMS_LIST_TEXT, 0 },	{ "text", NULL, PMS_LIST_TEXT, 0 },
	};
	pms_list_init(list, "findings", NULL, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < pms_lint_findings(lint); i++) {
		const struct pms_lint_finding *f = pms_lint_finding(lint, i);
		pms_list_row(list, PMS_NO_PARENT);
		pms_list_add(list, 0, "%s", f->file);
		pms_list_add(list, 1, "%u", f->line);
		pms_list_add(list, 2, "%u", f->column);
		pms_list_add(list, 3, "%s", f->path);
		pms_list_add(list, 4, "%s", f->rule);
		pms_list_add(list, 5, "%s", f->text);
	}
}

/* The findings of one file, from the @i-th on. Returns the index after them. */
static size_t put_file(struct pms_page *page, const struct pms_lint *lint, size_t i)
{
	static const struct pms_column columns[] = { { "LINE", PMS_GRID_RIGHT },
						     { "RULE", 0 },
						     { "WHAT", PMS_GRID_WRAP } };
	const char *file = pms_lint_finding(lint, i)->file;
	struct pms_grid grid;
	pms_page_heading(page, "%s", file);
	pms_grid_init(&grid, page->options, columns, 3);
	for (; i < pms_lint_findings(lint); i++) {
		const struct pms_lint_finding *f = pms_lint_finding(lint, i);
		if (strcmp(f->file, file) != 0)
			break;
		struct pms_grid_line *line = pms_grid_line(&grid, NULL);
		pms_grid_set(&grid, line, 0, "%u", f->line);
		pms_grid_set(&grid, line, 1, "%s", f->rule);
		pms_grid_set(&grid, line, 2, "%s", f->text);
	}
	if (pms_grid_print(&grid, 1, page->out))
		page->failed = 1;
	pms_grid_release(&grid);
	fputc('\n', page->out);
	return i;
}

int pms_listing_lint_text(FILE *out, const struct pms_lint *lint,
			  const struct pms_show_options *options, struct pms_error *err)
{
	struct pms_page page;
	size_t n = pms_lint_findings(lint);
	pms_page_init(&page, out, options);
	for (size_t i = 0; i < n;)
		i = put_file(&page, lint, i);
	if (n)
		pms_page_line(&page, "%zu finding%s", n, n == 1 ? "" : "s");
	pms_page_release(&page);
	return page.failed ? pms_fail(err, PMS_ENOMEM, "out of memory") : 0;
}

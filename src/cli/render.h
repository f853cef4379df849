/* SPDX-License-Identifier: MIT */
/* cli/render.h - show counts as the reports of topdown and stat, live or from a session. */
#ifndef PMS_CLI_RENDER_H
#define PMS_CLI_RENDER_H

#include "options.h"

/** Counts, and the selection to show. */
struct cli_shown {
	const struct pms_counts *counts;
	const struct pms_selection *selection;
};

/** Analyse and show @n reports, one after the other. @stream: the output, unless the options name
 * a file. Returns CLI_DONE, or the exit status after a message. */
int cli_render(const struct cli_shown *shown, size_t n, const struct cli_options *o,
	       enum pms_view view, FILE *stream);

/** Returns the options with which cli_render shows on the stream @fd. */
struct pms_show_options cli_render_options(const struct pms_selection *selection,
					   const struct cli_options *o, enum pms_view view, int fd);

/** Analyse an interval and show it at once. @lines: the lines of a table; NULL: another format.
 * @continued: 1: it is not the first. Returns as cli_render. */
int cli_render_interval(const struct pms_counts *counts, const struct pms_selection *selection,
			const struct cli_options *o, enum pms_view view, FILE *stream,
			struct pms_stream *lines, int continued);

/** Write a report, with its places where the counts have a profile. Returns CLI_DONE, or the exit
 * status after a message. */
int cli_render_report(FILE *stream, const struct pms_report *report,
		      const struct pms_scope_reports *scopes, struct pms_show_options options);

#endif

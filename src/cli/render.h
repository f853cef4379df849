/* SPDX-License-Identifier: MIT */
/* cli/render.h - from counts to the report that topdown and stat show, live or from a session. */
#ifndef PMS_CLI_RENDER_H
#define PMS_CLI_RENDER_H

#include "options.h"

/** Counts, and what is to be shown of them. */
struct cli_shown {
	const struct pms_counts *counts;
	const struct pms_selection *selection;
};

/** Analyse and show @n reports, one after the other. @stream: where to, unless the options name a
 * file. Returns CLI_DONE, or the exit status after a message. */
int cli_render(const struct cli_shown *shown, size_t n, const struct cli_options *o,
	       enum pms_view view, FILE *stream);

/** How cli_render shows on the stream @fd. */
struct pms_show_options cli_render_options(const struct pms_selection *selection,
					   const struct cli_options *o, enum pms_view view, int fd);

/** Analyse an interval and show it at once. @lines: of a table, its lines; NULL: the other
 * formats. @continued: it is not the first. Returns as cli_render. */
int cli_render_interval(const struct pms_counts *counts, const struct pms_selection *selection,
			const struct cli_options *o, enum pms_view view, FILE *stream,
			struct pms_stream *lines, int continued);

#endif

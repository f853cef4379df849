/* SPDX-License-Identifier: MIT */
/* cli/render.h - from counts to the report that topdown and stat show, live or from a session. */
#ifndef PMS_CLI_RENDER_H
#define PMS_CLI_RENDER_H

#include "options.h"

/** What is to be shown, worked out from the names before a program is run. */
struct cli_selection {
	struct pms_analyse_options analyse;
	const char **computable; /* names for analyse: metrics of the events alone */
	size_t *events;		 /* of the counts to show */
	size_t n_events;
	const char **groups; /* names for analyse: metric groups that a measurement plans */
	int no_metrics;	     /* -e alone, and no metric has all its events there */
};

/** Look up the names that the options give. Release with cli_selection_release, whatever is
 * returned. Returns -1 to go on, else the exit status after a message. */
int cli_select(struct cli_selection *selection, const struct pms_catalog *catalog,
	       const struct cli_options *o, enum pms_view view);
/** Of a measurement, leave out what it does not count: unless names or --all say otherwise, it
 * plans the groups that the methodology has. Returns CLI_DONE, or the exit status after a message.
 */
int cli_select_planned(struct cli_selection *selection, const struct pms_catalog *catalog,
		       const struct cli_options *o);
void cli_selection_release(struct cli_selection *selection);

/** Counts, and what is to be shown of them. */
struct cli_shown {
	const struct pms_counts *counts;
	const struct cli_selection *selection;
};

/** Analyse and show @n reports, one after the other. @stream: where to, unless the options name a
 * file. Returns CLI_DONE, or the exit status after a message. */
int cli_render(const struct cli_shown *shown, size_t n, const struct cli_options *o,
	       enum pms_view view, FILE *stream);

/** How cli_render shows on the stream @fd. */
struct pms_show_options cli_render_options(const struct cli_selection *selection,
					   const struct cli_options *o, enum pms_view view, int fd);

/** Analyse an interval and show it at once. @lines: of a table, its lines; NULL: the other
 * formats. @continued: it is not the first. Returns as cli_render. */
int cli_render_interval(const struct pms_counts *counts, const struct cli_selection *selection,
			const struct cli_options *o, enum pms_view view, FILE *stream,
			struct pms_stream *lines, int continued);

#endif

/* SPDX-License-Identifier: MIT */
#include "render.h"

#include "output.h"

int cli_render_report(FILE *stream, const struct pms_report *report,
		      const struct pms_scope_reports *scopes, struct pms_show_options options)
{
	struct pms_error err = { 0 };
	const struct pms_profile *profile = report->counts->profile;
	struct pms_where *where = NULL;
	if (profile && options.view == PMS_VIEW_TOPDOWN &&
	    pms_where_make(profile, NULL, &where, &err))
		return cli_error(&err);
	options.where = where;
	int rc = pms_show_report(stream, report, scopes, &options, &err);
	pms_where_free(where);
	return rc ? cli_error(&err) : CLI_DONE;
}

static int show_to(FILE *stream, struct pms_reports *r, const struct pms_selection *s,
		   const struct cli_options *o, enum pms_view view, int continued)
{
	struct pms_show_options options = cli_render_options(s, o, view, fileno(stream));
	const struct pms_scope_reports scopes = { pms_reports_scope, r };
	options.continued = continued;
	return cli_render_report(stream, r->total, &scopes, options);
}

struct pms_show_options cli_render_options(const struct pms_selection *s,
					   const struct cli_options *o, enum pms_view view, int fd)
{
	struct pms_show_options options = cli_show_options(o, fd);
	options.view = view;
	options.events = s->events;
	options.n_events = s->n_events;
	options.all |= o->metrics.count > 0 || s->is_named;
	return options;
}

static int render_one(const struct cli_shown *shown, const struct cli_options *o,
		      enum pms_view view, FILE *stream)
{
	struct pms_reports *r = NULL;
	struct pms_error err = { 0 };
	int status = CLI_DONE;
	if (pms_reports_make(shown->counts, shown->selection, 0, &r, &err))
		status = cli_error(&err);
	else
		status = show_to(stream, r, shown->selection, o, view, 0);
	pms_reports_free(r);
	return status;
}

int cli_render(const struct cli_shown *shown, size_t n, const struct cli_options *o,
	       enum pms_view view, FILE *stream)
{
	struct cli_output output;
	int status = cli_output_open(&output, o->output, stream);
	if (status)
		return status;
	for (size_t i = 0; i < n && !status; i++) {
		/* The program may have left its own output on standard error. */
		if (o->format == PMS_FORMAT_TABLE && (i || (!o->output && stream == stderr)))
			fputc('\n', output.stream);
		status = render_one(&shown[i], o, view, output.stream);
	}
	int closed = cli_output_close(&output, !status);
	return status ? status : closed;
}

int cli_render_interval(const struct pms_counts *counts, const struct pms_selection *s,
			const struct cli_options *o, enum pms_view view, FILE *stream,
			struct pms_stream *lines, int continued)
{
	struct pms_reports *r = NULL;
	struct pms_error err = { 0 };
	int status = CLI_DONE;
	if (pms_reports_make(counts, s, lines && cli_show_options(o, -1).scopes, &r, &err))
		status = cli_error(&err);
	else if (!lines)
		status = show_to(stream, r, s, o, view, continued);
	else if (pms_stream_put(lines, stream, r->total, r->n_scopes ? r->scopes : NULL, &err))
		status = cli_error(&err);
	pms_reports_free(r);
	return status;
}

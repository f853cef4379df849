/* SPDX-License-Identifier: MIT */
#include "render.h"

#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "output.h"

static int no_such_event(const struct pms_catalog *catalog, const char *word)
{
	struct pms_error err = { .status = PMS_ENAME };
	size_t n = pms_catalog_events(catalog);
	const char **names = calloc(n + 1, sizeof(*names));
	if (!names)
		return cli_out_of_memory();
	for (size_t i = 0; i < n; i++)
		names[i] = pms_catalog_event(catalog, i)->name;
	const char *nearest = pms_name_nearest(word, names);
	snprintf(err.text, sizeof(err.text), "%s has no event %s", pms_catalog_cpu(catalog)->name,
		 word);
	if (nearest)
		snprintf(err.hint, sizeof(err.hint),
			 "did you mean %s? pmuscope list events shows all", nearest);
	else
		snprintf(err.hint, sizeof(err.hint), "pmuscope list events shows all");
	free(names);
	return cli_error(&err);
}

static int is_selected(const struct cli_selection *s, size_t event)
{
	for (size_t i = 0; i < s->n_events; i++)
		if (s->events[i] == event)
			return 1;
	return 0;
}

/* Returns -1 to go on, else the exit status. */
static int select_events(struct cli_selection *s, const struct pms_catalog *catalog,
			 const struct cli_words *words)
{
	for (size_t i = 0; i < words->count; i++) {
		int64_t event = pms_catalog_find_event(catalog, words->words[i]);
		if (event < 0)
			return no_such_event(catalog, words->words[i]);
		if (!is_selected(s, (size_t)event))
			s->events[s->n_events++] = (size_t)event;
	}
	return -1;
}

/* Metrics that the events give on their own: with -e alone these are what can be said. */
static void select_computable(struct cli_selection *s, const struct pms_catalog *catalog)
{
	for (size_t i = 0; i < pms_catalog_metrics(catalog); i++) {
		const struct pms_metric *metric = pms_catalog_metric(catalog, i);
		size_t have = 0;
		if (!cli_is_published(catalog, i))
			continue;
		while (have < metric->n_events && is_selected(s, metric->events[have]))
			have++;
		int is_told = 0; /* by other metrics, part by part */
		for (size_t k = 0; k < metric->n_unless; k++)
			is_told |= is_selected(s, metric->unless[k]);
		if (have == metric->n_events && !is_told)
			s->computable[s->analyse.n_names++] = metric->name;
	}
	s->analyse.names = s->computable;
	s->no_metrics = !s->analyse.n_names;
}

/* The events of the metrics asked for, when -M stands alone. */
static void select_events_of(struct cli_selection *s, const struct pms_report *report)
{
	for (size_t i = 0; i < report->n_results; i++) {
		const struct pms_metric *metric =
			pms_catalog_metric(report->counts->catalog, report->results[i].metric);
		for (size_t k = 0; k < metric->n_events; k++)
			if (!is_selected(s, metric->events[k]))
				s->events[s->n_events++] = metric->events[k];
	}
}

/* A run that has counted nothing yet finds the names that are wrong. */
static int try_names(struct cli_selection *s, const struct pms_catalog *catalog, int wants_events)
{
	struct pms_error err = { 0 };
	struct pms_counts *counts = pms_counts_new(catalog);
	struct pms_report *report = NULL;
	int status = -1;
	if (!counts)
		return cli_out_of_memory();
	if (pms_analyse(counts, &counts->total, &s->analyse, &report, &err))
		status = cli_error(&err);
	else if (wants_events)
		select_events_of(s, report);
	pms_report_free(report);
	pms_counts_free(counts);
	return status;
}

int cli_select(struct cli_selection *s, const struct pms_catalog *catalog,
	       const struct cli_options *o, enum pms_view view)
{
	*s = (struct cli_selection){ .analyse = { .names = (const char *const *)o->metrics.words,
						  .n_names = o->metrics.count,
						  .level = o->level } };
	s->events = calloc(pms_catalog_events(catalog) + 1, sizeof(*s->events));
	s->computable = calloc(pms_catalog_metrics(catalog) + 1, sizeof(*s->computable));
	if (!s->events || !s->computable)
		return cli_out_of_memory();
	int status = select_events(s, catalog, &o->events);
	if (status < 0 && o->events.count && !o->metrics.count)
		select_computable(s, catalog);
	if (status < 0)
		status = try_names(s, catalog,
				   view == PMS_VIEW_STAT && o->metrics.count && !o->events.count);
	return status;
}

int cli_select_planned(struct cli_selection *s, const struct pms_catalog *catalog,
		       const struct cli_options *o)
{
	if (o->metrics.count || o->events.count || o->all)
		return CLI_DONE;
	s->groups = calloc(pms_catalog_groups(catalog) + 1, sizeof(*s->groups));
	if (!s->groups)
		return cli_out_of_memory();
	s->analyse.n_names = cli_published_groups(catalog, s->groups);
	s->analyse.names = s->groups;
	return CLI_DONE;
}

void cli_selection_release(struct cli_selection *s)
{
	free(s->groups);
	free(s->events);
	free(s->computable);
}

/* Reports of the total and, after it, of each scope. What is shown are copies, which leave the
 * metrics out where there are none to show. */
struct reports {
	struct pms_report **owned;
	struct pms_report *shown;
	struct pms_report **scopes; /* into shown */
	size_t count;
};

static void show_counts_alone(struct pms_report *report)
{
	report->n_results = 0;
	report->n_findings = 0;
	report->no_finding = NULL;
	report->n_warnings = 0;
}

static int analyse_one(struct reports *r, const struct pms_counts *counts,
		       const struct pms_scope *scope, const struct cli_selection *s)
{
	struct pms_error err = { 0 };
	size_t i = r->count;
	struct pms_analyse_options options = s->analyse;
	options.total = i ? r->owned[0] : NULL;
	if (pms_analyse(counts, scope, &options, &r->owned[i], &err))
		return cli_error(&err);
	r->shown[i] = *r->owned[i];
	if (s->no_metrics)
		show_counts_alone(&r->shown[i]);
	if (i)
		r->scopes[i - 1] = &r->shown[i];
	r->count++;
	return CLI_DONE;
}

static int analyse(struct reports *r, const struct pms_counts *counts,
		   const struct cli_selection *s, int per_thread)
{
	size_t n = 1 + (per_thread ? counts->n_scopes : 0);
	*r = (struct reports){ .owned = calloc(n, sizeof(struct pms_report *)),
			       .shown = calloc(n, sizeof(struct pms_report)),
			       .scopes = calloc(n, sizeof(struct pms_report *)) };
	if (!r->owned || !r->shown || !r->scopes)
		return cli_out_of_memory();
	int status = analyse_one(r, counts, &counts->total, s);
	for (size_t i = 1; i < n && !status; i++)
		status = analyse_one(r, counts, &counts->scopes[i - 1], s);
	return status;
}

static void reports_release(struct reports *r)
{
	for (size_t i = 0; i < r->count; i++)
		pms_report_free(r->owned[i]);
	free(r->owned);
	free(r->shown);
	free(r->scopes);
}

static const struct pms_report *scope_report(void *context, size_t i, struct pms_error *err)
{
	const struct reports *r = context;
	(void)err;
	return r->scopes[i];
}

static int show_to(FILE *stream, struct reports *r, const struct cli_selection *s,
		   const struct cli_options *o, enum pms_view view, int continued)
{
	struct pms_error err = { 0 };
	struct pms_show_options options = cli_render_options(s, o, view, fileno(stream));
	const struct pms_scope_reports scopes = { scope_report, r };
	options.continued = continued;
	return pms_show_report(stream, r->shown, &scopes, &options, &err) ? cli_error(&err)
									  : CLI_DONE;
}

struct pms_show_options cli_render_options(const struct cli_selection *s,
					   const struct cli_options *o, enum pms_view view, int fd)
{
	struct pms_show_options options = cli_show_options(o, fd);
	options.view = view;
	options.events = s->events;
	options.n_events = s->n_events;
	options.all |= o->metrics.count > 0;
	return options;
}

static int render_one(const struct cli_shown *shown, const struct cli_options *o,
		      enum pms_view view, FILE *stream)
{
	struct reports r;
	int status = analyse(&r, shown->counts, shown->selection, cli_show_options(o, -1).scopes);
	if (!status)
		status = show_to(stream, &r, shown->selection, o, view, 0);
	reports_release(&r);
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

int cli_render_interval(const struct pms_counts *counts, const struct cli_selection *s,
			const struct cli_options *o, enum pms_view view, FILE *stream,
			struct pms_stream *lines, int continued)
{
	struct reports r;
	struct pms_error err = { 0 };
	int status = analyse(&r, counts, s, cli_show_options(o, -1).scopes);
	if (!status && !lines)
		status = show_to(stream, &r, s, o, view, continued);
	else if (!status &&
		 pms_stream_put(lines, stream, r.shown, r.count > 1 ? r.scopes : NULL, &err))
		status = cli_error(&err);
	reports_release(&r);
	return status;
}

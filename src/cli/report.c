/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "input.h"
#include "interrupt.h"
#include "output.h"
#include "render.h"
#include "save.h"

/* A file of counts while it is reported on. */
struct job {
	const struct cli_options *o;
	const struct cli_input *input;
	struct pms_analyse_options analyse;
	const char **names; /* for analyse, when it is not -M's */
	int no_metrics;	    /* none can be computed: the counts are shown */
	struct cli_output output;
	struct pms_show_options show;
};

static int is_told(const struct pms_counts *counts, size_t event)
{
	const struct pms_count *count = &counts->total.counts[event];
	return count->state != PMS_NOT_COUNTED || count->because;
}

/* Whether other metrics tell the parts of this one. */
static int is_split(const struct pms_counts *counts, const struct pms_metric *metric)
{
	for (size_t i = 0; i < metric->n_unless; i++)
		if (counts->total.counts[metric->unless[i]].state == PMS_COUNTED)
			return 1;
	return 0;
}

/* A table of a few counts would be full of metrics that need others: without -M or --all it has
 * those that somebody asked for all events of. */
static int select_metrics(struct job *job, struct pms_counts *counts)
{
	const struct pms_catalog *catalog = job->input->catalog;
	size_t n = pms_catalog_metrics(catalog), n_split = 0, n_other = 0;
	job->analyse = (struct pms_analyse_options){
		.names = (const char *const *)job->o->metrics.words,
		.n_names = job->o->metrics.count,
		.level = job->o->level,
	};
	if (job->o->metrics.count || job->o->all || job->o->format != PMS_FORMAT_TABLE)
		return CLI_DONE;
	job->names = calloc(n + pms_catalog_groups(catalog) + 1, sizeof(*job->names));
	if (!job->names)
		return cli_out_of_memory();
	for (size_t i = 0; i < n; i++) {
		const struct pms_metric *metric = pms_catalog_metric(catalog, i);
		size_t told = 0;
		if (!cli_is_published(catalog, i)) {
			n_other++;
			continue;
		}
		if (is_split(counts, metric)) {
			n_split++;
			continue;
		}
		while (told < metric->n_events && is_told(counts, metric->events[told]))
			told++;
		if (told == metric->n_events)
			job->names[job->analyse.n_names++] = metric->name;
	}
	job->no_metrics = !job->analyse.n_names;
	n -= n_split + n_other;
	if (job->analyse.n_names == n) /* all, in all their groups */
		job->analyse.n_names = cli_published_groups(catalog, job->names);
	else if (pms_counts_warn(
			 counts,
			 "%zu metrics need events that are not in the file; --all shows them",
			 n - job->analyse.n_names))
		return cli_out_of_memory();
	job->analyse.names = job->names;
	return CLI_DONE;
}

/* Reports of the total and, while each is shown, of a scope. */
struct reports {
	const struct job *job;
	const struct pms_counts *counts;
	struct pms_report *total, *scope;
};

static void reports_release(struct reports *r)
{
	pms_report_free(r->scope);
	pms_report_free(r->total);
}

static const struct pms_report *scope_report(void *context, size_t i, struct pms_error *err)
{
	struct reports *r = context;
	struct pms_analyse_options options = r->job->analyse;
	options.total = r->total;
	pms_report_free(r->scope);
	r->scope = NULL;
	pms_analyse(r->counts, &r->counts->scopes[i], &options, &r->scope, err);
	return r->scope;
}

/* Counts alone are a report without results. */
static int show_counts(struct job *job, const struct reports *r, struct pms_error *err)
{
	struct pms_report bare = *r->total;
	bare.n_results = bare.n_findings = bare.n_warnings = 0;
	bare.no_finding = NULL;
	struct pms_show_options options = job->show;
	options.view = PMS_VIEW_STAT;
	options.scopes = 0;
	return pms_show_report(job->output.stream, &bare, NULL, &options, err);
}

static int show(struct job *job, const struct pms_counts *counts)
{
	struct pms_error err = { 0 };
	struct reports r = { .job = job, .counts = counts };
	const struct pms_scope_reports scopes = { scope_report, &r };
	int rc = pms_analyse(counts, &counts->total, &job->analyse, &r.total, &err);
	if (!rc && job->no_metrics)
		rc = show_counts(job, &r, &err);
	else if (!rc)
		rc = pms_show_report(job->output.stream, r.total, &scopes, &job->show, &err);
	reports_release(&r);
	job->show.continued = 1;
	return rc ? cli_error(&err) : CLI_DONE;
}

static int show_total(struct job *job)
{
	struct pms_counts *counts = NULL;
	int status = cli_input_total(job->input, &counts);
	if (!status)
		status = select_metrics(job, counts);
	if (!status)
		status = show(job, counts);
	pms_counts_free(counts);
	return status;
}

/* An interval as its counts alone, a line. */
static int show_line(struct job *job, size_t i, struct pms_stream *lines)
{
	struct pms_error err = { 0 };
	struct pms_counts *counts = NULL;
	struct pms_report *report = NULL;
	int status = cli_input_interval(job->input, i, &counts);
	if (!status && pms_analyse(counts, &counts->total, &job->analyse, &report, &err))
		status = cli_error(&err);
	if (!status) {
		report->n_results = 0;
		status = pms_stream_put(lines, job->output.stream, report, NULL, &err)
				 ? cli_error(&err)
				 : CLI_DONE;
	}
	pms_report_free(report);
	pms_counts_free(counts);
	return status;
}

static int show_lines(struct job *job)
{
	struct pms_stream *lines = pms_stream_new(&job->show);
	int status = lines ? CLI_DONE : cli_out_of_memory();
	fputc('\n', job->output.stream);
	for (size_t i = 0; i < cli_input_intervals(job->input) && !status; i++)
		status = show_line(job, i, lines);
	pms_stream_free(lines);
	return status;
}

static int show_interval(struct job *job, size_t i, struct pms_timeline *timeline)
{
	struct pms_error err = { 0 };
	struct pms_counts *counts = NULL;
	struct pms_report *report = NULL;
	int status = cli_input_interval(job->input, i, &counts);
	if (!status && !timeline && !i)
		status = select_metrics(job, counts);
	if (!status && !timeline)
		status = show(job, counts);
	if (!status && timeline &&
	    pms_analyse(counts, &counts->total, &job->analyse, &report, &err))
		status = cli_error(&err);
	else if (!status && timeline)
		pms_timeline_add(timeline, report);
	pms_report_free(report);
	pms_counts_free(counts);
	return status;
}

/* JSON and CSV have the intervals one after the other, a table their sum and then a line each. */
static int show_intervals(struct job *job)
{
	size_t n = cli_input_intervals(job->input);
	int is_table = job->o->format == PMS_FORMAT_TABLE;
	struct pms_timeline *timeline = is_table ? pms_timeline_new(&job->show) : NULL;
	struct pms_error err = { 0 };
	int status = is_table && !timeline ? cli_out_of_memory() : CLI_DONE;
	if (!status && is_table)
		status = show_total(job);
	for (size_t i = 0; i < n && !status && !job->no_metrics; i++)
		status = show_interval(job, i, timeline);
	if (!status && is_table && job->no_metrics)
		status = show_lines(job);
	if (!status && timeline && pms_timeline_put(timeline, job->output.stream, &err))
		status = cli_error(&err);
	pms_timeline_free(timeline);
	return status;
}

static int write_report(struct job *job)
{
	int status = cli_output_open(&job->output, job->o->output, stdout);
	if (status)
		return status;
	job->show = cli_show_options(job->o, fileno(job->output.stream));
	job->show.scopes = 1;
	job->show.all |= job->o->metrics.count > 0;
	status = cli_input_intervals(job->input) ? show_intervals(job) : show_total(job);
	int closed = cli_output_close(&job->output, !status);
	return status ? status : closed;
}

static int report_counts(const struct cli_input *input, const struct cli_options *o)
{
	struct job job = { .o = o, .input = input };
	int status = write_report(&job);
	free(job.names);
	return status;
}

static int show_run(const struct cli_input *input, const struct cli_options *o, enum pms_view view,
		    struct cli_selection *selection)
{
	struct pms_counts *counts = NULL;
	int status = cli_input_total(input, &counts);
	if (!status)
		status = cli_select_planned(selection, input->catalog, o);
	if (!status)
		status = cli_render(&(struct cli_shown){ counts, selection }, 1, o, view, stdout);
	pms_counts_free(counts);
	return status;
}

/* What topdown or stat saved, as they showed it. */
static int report_run(const struct cli_input *input, const struct cli_options *o,
		      enum pms_view view)
{
	struct cli_selection selection = { 0 };
	int status = cli_select(&selection, input->catalog, o, view);
	if (status < 0)
		status = show_run(input, o, view, &selection);
	cli_selection_release(&selection);
	return status;
}

static int save(const struct cli_input *input, const struct cli_options *o, const char *command)
{
	struct cli_save save;
	struct pms_counts *counts = NULL;
	size_t n = o->save ? cli_input_intervals(input) : 0;
	int status = o->save ? cli_input_total(input, &counts) : CLI_DONE;
	if (status || !o->save)
		return status;
	cli_save_begin(&save, o, command);
	for (size_t i = 0; !status && counts; i++) {
		cli_save_add(&save, counts);
		pms_counts_free(counts);
		counts = NULL;
		/* A signal that waits ends us when the session is given up. */
		if (cli_stopped())
			status = CLI_USAGE;
		else if (i < n)
			status = cli_input_interval(input, i, &counts);
	}
	int saved = cli_save_end(&save, !status);
	return status ? status : saved;
}

static int report_input(const struct cli_input *input, struct cli_options *o)
{
	const struct pms_session_view *view =
		input->session ? pms_session_view(input->session) : NULL;
	const char *command = view ? view->command : "report";
	int status = view ? cli_options_adopt(o, view) : CLI_DONE;
	if (!status)
		status = cli_output_check(o->output);
	if (!status)
		status = cli_save_check(o);
	if (!status)
		status = save(input, o, command);
	if (!status) /* which counts of 0 cannot be */
		status = cli_catalog_add_relations(input->catalog);
	if (status)
		return status;
	if (cli_input_intervals(input))
		return report_counts(input, o);
	if (!strcmp(command, "topdown"))
		return report_run(input, o, PMS_VIEW_TOPDOWN);
	if (!strcmp(command, "stat"))
		return report_run(input, o, PMS_VIEW_STAT);
	return report_counts(input, o);
}

int cli_report(int argc, char **argv)
{
	struct cli_options o;
	struct cli_input input = { 0 };
	int status = cli_options_read(&o, CLI_TAKES_REPORT, argc, argv), go_on = status < 0;
	if (go_on)
		status = cli_input_open(&input, "report", &o);
	if (go_on && !status)
		status = report_input(&input, &o);
	cli_input_close(&input);
	cli_options_release(&o);
	return status;
}

/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "catalog.h"
#include "input.h"
#include "interrupt.h"
#include "output.h"
#include "render.h"
#include "save.h"

/* The state of a report on a file of counts. */
struct job {
	const struct cli_options *o;
	struct pms_measurement *input;
	struct pms_selection *selection; /* NULL: not selected yet */
	struct cli_output output;
	struct pms_show_options show;
};

/* Select what to show of counts that carry no selection. Formats other than the table show all. */
static int select_metrics(struct job *job, struct pms_counts *counts)
{
	struct pms_wanted wanted = pms_measurement_part(job->input, 0)->wanted;
	struct pms_error err = { 0 };
	wanted.all |= job->o->format != PMS_FORMAT_TABLE;
	return pms_selection_told(counts, &wanted, &job->selection, &err) ? cli_error(&err)
									  : CLI_DONE;
}

/* Show only the counts, without their scopes, where they give no metric. */
static int show_reports(struct job *job, struct pms_reports *r)
{
	struct pms_show_options options = job->show;
	const struct pms_scope_reports scopes = { pms_reports_scope, r };
	int alone = job->selection->no_metrics;
	if (alone) {
		options.view = PMS_VIEW_STAT;
		options.scopes = 0;
	}
	return cli_render_report(job->output.stream, r->total, alone ? NULL : &scopes, options);
}

/* Returns whether only the counts are shown, because they give no metric. */
static int is_bare(const struct job *job)
{
	return job->selection && job->selection->no_metrics;
}

static int show(struct job *job, const struct pms_counts *counts)
{
	struct pms_error err = { 0 };
	struct pms_reports *r = NULL;
	int status = CLI_DONE;
	if (pms_reports_make(counts, job->selection, 0, &r, &err))
		status = cli_error(&err);
	else
		status = show_reports(job, r);
	pms_reports_free(r);
	job->show.continued = 1;
	return status;
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

/* Show the counts of an interval on one line. */
static int show_line(struct job *job, size_t i, struct pms_stream *lines)
{
	struct pms_error err = { 0 };
	struct pms_counts *counts = NULL;
	struct pms_report *report = NULL;
	int status = cli_input_interval(job->input, i, &counts);
	if (!status && pms_analyse(counts, &counts->total, &job->selection->analyse, &report, &err))
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
	for (size_t i = 0; i < pms_measurement_intervals(job->input) && !status; i++)
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
	    pms_analyse(counts, &counts->total, &job->selection->analyse, &report, &err))
		status = cli_error(&err);
	else if (!status && timeline)
		pms_timeline_add(timeline, report);
	pms_report_free(report);
	pms_counts_free(counts);
	return status;
}

/* Show intervals: JSON and CSV hold one after the other; a table shows the sum, then a line for
 * each. */
static int show_intervals(struct job *job)
{
	size_t n = pms_measurement_intervals(job->input);
	int is_table = job->o->format == PMS_FORMAT_TABLE;
	struct pms_timeline *timeline = is_table ? pms_timeline_new(&job->show) : NULL;
	struct pms_error err = { 0 };
	int status = is_table && !timeline ? cli_out_of_memory() : CLI_DONE;
	if (!status && is_table)
		status = show_total(job);
	for (size_t i = 0; i < n && !status && !is_bare(job); i++)
		status = show_interval(job, i, timeline);
	if (!status && is_table && is_bare(job))
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
	job->show.all |= pms_measurement_part(job->input, 0)->wanted.n_metrics > 0;
	status = pms_measurement_intervals(job->input) ? show_intervals(job) : show_total(job);
	int closed = cli_output_close(&job->output, !status);
	return status ? status : closed;
}

static int report_counts(struct pms_measurement *input, const struct cli_options *o)
{
	struct job job = { .o = o, .input = input };
	int status = write_report(&job);
	pms_selection_free(job.selection);
	return status;
}

/* Show what topdown or stat saved, as they showed it. */
static int report_run(struct pms_measurement *input, const struct cli_options *o,
		      enum pms_view view)
{
	struct pms_error err = { 0 };
	struct pms_counts *counts = NULL;
	if (pms_measurement_select(input, &err))
		return cli_error(&err);
	int status = cli_input_total(input, &counts);
	const struct cli_shown shown = { counts, pms_measurement_part(input, 0)->selection };
	if (!status)
		status = cli_render(&shown, 1, o, view, stdout);
	pms_counts_free(counts);
	return status;
}

/* Copy the counts into a session for --save. A signal stops the copying between intervals. */
static int save(struct pms_measurement *input, const struct cli_options *o, const char *command)
{
	struct cli_save save;
	struct pms_counts *counts = NULL;
	size_t n = o->save ? pms_measurement_intervals(input) : 0;
	int status = o->save ? cli_input_total(input, &counts) : CLI_DONE;
	if (status || !o->save)
		return status;
	cli_save_begin(&save, o, o->save, command, &pms_measurement_part(input, 0)->wanted);
	for (size_t i = 0; !status && counts; i++) {
		cli_save_add(&save, counts);
		pms_counts_free(counts);
		counts = NULL;
		/* A signal that waits ends us once the session is given up. */
		if (cli_stopped())
			status = CLI_USAGE;
		else if (i < n)
			status = cli_input_interval(input, i, &counts);
	}
	int saved = cli_save_end(&save, !status);
	return status ? status : saved;
}

/* Report on a file as its session was made to show, unless the options say otherwise. */
static int report_input(struct pms_measurement *input, struct cli_options *o)
{
	const struct pms_measured_part *part = pms_measurement_part(input, 0);
	const struct pms_session_view *view = pms_measurement_view(input);
	const char *command = view ? view->command : "report";
	cli_options_adopt(o, &part->wanted, view);
	int status = cli_output_check(o->output);
	if (!status)
		status = cli_save_check(o, o->save);
	if (!status)
		status = save(input, o, command);
	if (!status) /* relations tell which zeros cannot be true */
		status = cli_catalog_add_relations(part->catalog);
	if (status)
		return status;
	if (pms_measurement_intervals(input))
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
	struct pms_measurement *input = NULL;
	int status = cli_options_read(&o, CLI_TAKES_REPORT, argc, argv), go_on = status < 0;
	if (go_on)
		status = cli_input_open(&o, "report", &input);
	if (go_on && !status)
		status = report_input(input, &o);
	pms_measurement_close(input);
	cli_options_release(&o);
	return status;
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "catalog.h"
#include "output.h"

/* A file of counts while it is reported on. */
struct job {
	const struct cli_options *o;
	const char *name; /* of the file */
	struct pms_perf_stat *stat;
	const struct pms_catalog *catalog;
	struct pms_analyse_options analyse;
	const char **names; /* for analyse, when it is not -M's */
	int no_metrics;	    /* none can be computed: the counts are shown */
	struct cli_output output;
	struct pms_show_options show;
};

static int out_of_memory(void)
{
	return cli_error(&(struct pms_error){ .status = PMS_ENOMEM, .text = "out of memory" });
}

static int is_told(const struct pms_counts *counts, size_t event)
{
	const struct pms_count *count = &counts->total.counts[event];
	return count->state != PMS_NOT_COUNTED || count->because;
}

/* A table of a few counts would be full of metrics that need others: without -M or --all it has
 * those that somebody asked for all events of. */
static int select_metrics(struct job *job, struct pms_counts *counts)
{
	size_t n = pms_catalog_metrics(job->catalog);
	job->analyse = (struct pms_analyse_options){
		.names = (const char *const *)job->o->metrics.words,
		.n_names = job->o->metrics.count,
		.level = job->o->level,
	};
	if (job->o->metrics.count || job->o->all || job->o->format != PMS_FORMAT_TABLE)
		return CLI_DONE;
	job->names = calloc(n + 1, sizeof(*job->names));
	if (!job->names)
		return out_of_memory();
	for (size_t i = 0; i < n; i++) {
		const struct pms_metric *metric = pms_catalog_metric(job->catalog, i);
		size_t told = 0;
		while (told < metric->n_events && is_told(counts, metric->events[told]))
			told++;
		if (told == metric->n_events)
			job->names[job->analyse.n_names++] = metric->name;
	}
	if (job->analyse.n_names == n)
		job->analyse.n_names = 0; /* all, in all their groups */
	else
		pms_counts_warn(
			counts,
			"%zu metrics need events that are not in the file; --all shows them",
			n - job->analyse.n_names);
	job->analyse.names = job->names;
	job->no_metrics = n && !job->analyse.n_names;
	return CLI_DONE;
}

/* Reports of the total and of each scope. */
struct reports {
	struct pms_report *total;
	struct pms_report **scopes;
	size_t n;
};

static void reports_release(struct reports *r)
{
	for (size_t i = 0; i < r->n; i++)
		pms_report_free(r->scopes[i]);
	free(r->scopes);
	pms_report_free(r->total);
}

static int analyse(const struct job *job, const struct pms_counts *counts, struct reports *r)
{
	struct pms_error err = { 0 };
	*r = (struct reports){ .scopes = calloc(counts->n_scopes + 1, sizeof(r->scopes[0])) };
	if (!r->scopes)
		return out_of_memory();
	int rc = pms_analyse(counts, &counts->total, &job->analyse, &r->total, &err);
	for (; !rc && r->n < counts->n_scopes; r->n += !rc)
		rc = pms_analyse(counts, &counts->scopes[r->n], &job->analyse, &r->scopes[r->n],
				 &err);
	return rc ? cli_error(&err) : CLI_DONE;
}

/* Counts alone are a report without results. */
static int show_counts(struct job *job, const struct reports *r, struct pms_error *err)
{
	struct pms_report bare = *r->total;
	bare.n_results = bare.n_findings = bare.n_warnings = 0;
	struct pms_show_options options = job->show;
	options.view = PMS_VIEW_STAT;
	options.scopes = 0;
	return pms_show_report(job->output.stream, &bare, NULL, &options, err);
}

static int show(struct job *job, const struct pms_counts *counts)
{
	struct pms_error err = { 0 };
	struct reports r;
	int status = analyse(job, counts, &r), rc = 0;
	if (!status && job->no_metrics)
		rc = show_counts(job, &r, &err);
	else if (!status)
		rc = pms_show_report(job->output.stream, r.total, r.scopes, &job->show, &err);
	reports_release(&r);
	job->show.continued = 1;
	return rc ? cli_error(&err) : status;
}

static int show_total(struct job *job)
{
	struct pms_error err = { 0 };
	struct pms_counts *counts = NULL;
	if (pms_perf_stat_total(job->stat, &counts, &err))
		return cli_error(&err);
	int status = select_metrics(job, counts);
	if (!status)
		status = show(job, counts);
	pms_counts_free(counts);
	return status;
}

static int show_interval(struct job *job, size_t i, struct pms_timeline *timeline)
{
	struct pms_error err = { 0 };
	struct pms_counts *counts = NULL;
	struct pms_report *report = NULL;
	if (pms_perf_stat_interval(job->stat, i, &counts, &err))
		return cli_error(&err);
	int status = CLI_DONE;
	if (!timeline)
		status = i ? CLI_DONE : select_metrics(job, counts);
	if (!timeline && !status)
		status = show(job, counts);
	if (timeline && pms_analyse(counts, &counts->total, &job->analyse, &report, &err))
		status = cli_error(&err);
	else if (timeline)
		pms_timeline_add(timeline, report);
	pms_report_free(report);
	pms_counts_free(counts);
	return status;
}

/* JSON and CSV have the intervals one after the other, a table their sum and then a line each. */
static int show_intervals(struct job *job)
{
	size_t n = pms_perf_stat_intervals(job->stat);
	int is_table = job->o->format == PMS_FORMAT_TABLE;
	struct pms_timeline *timeline = is_table ? pms_timeline_new(&job->show) : NULL;
	struct pms_error err = { 0 };
	int status = is_table && !timeline ? out_of_memory() : CLI_DONE;
	if (!status && is_table)
		status = show_total(job);
	for (size_t i = 0; i < n && !status && !job->no_metrics; i++)
		status = show_interval(job, i, timeline);
	if (!status && timeline && pms_timeline_put(timeline, job->output.stream, &err))
		status = cli_error(&err);
	pms_timeline_free(timeline);
	return status;
}

static int write_report(struct job *job)
{
	int status = cli_output_check(job->o->output);
	if (!status)
		status = cli_output_open(&job->output, job->o->output, stdout);
	if (status)
		return status;
	job->show = cli_show_options(job->o, fileno(job->output.stream));
	job->show.scopes = 1;
	job->show.all |= job->o->metrics.count > 0;
	status = pms_perf_stat_intervals(job->stat) ? show_intervals(job) : show_total(job);
	int closed = cli_output_close(&job->output, !status);
	return status ? status : closed;
}

static int no_cpu(const char *name)
{
	struct pms_error err = { .status = PMS_EINVAL };
	struct pms_names cpus = { 0 };
	snprintf(err.source, sizeof(err.source), "%s", name);
	snprintf(err.text, sizeof(err.text),
		 "the output of perf stat does not say on which CPU the counts were taken");
	int n = snprintf(err.hint, sizeof(err.hint), "name it with --mcpu:");
	pms_catalog_cpus(NULL, &cpus, NULL);
	for (size_t i = 0; i < cpus.count && n > 0 && (size_t)n < sizeof(err.hint); i++)
		n += snprintf(err.hint + n, sizeof(err.hint) - (size_t)n, "%s %s", i ? "," : "",
			      cpus.names[i]);
	pms_names_free(&cpus);
	return cli_error(&err);
}

static int report_perf_stat(FILE *in, const char *name, const struct cli_options *o)
{
	struct job job = { .o = o, .name = name };
	struct pms_error err = { 0 };
	struct pms_catalog *catalog = NULL;
	if (!o->mcpu && !o->spec)
		return no_cpu(name);
	int status = cli_catalog_load(o, 0, &catalog);
	if (!status && pms_perf_stat_open(in, name, catalog, &job.stat, &err))
		status = cli_error(&err);
	job.catalog = catalog;
	if (!status)
		status = write_report(&job);
	free(job.names);
	pms_perf_stat_free(job.stat);
	pms_catalog_free(catalog);
	return status;
}

static int refuse(const char *name, const char *what, const char *hint)
{
	struct pms_error err = { .status = PMS_EPARSE };
	snprintf(err.source, sizeof(err.source), "%s", name);
	snprintf(err.text, sizeof(err.text), "%s", what);
	snprintf(err.hint, sizeof(err.hint), "%s", hint);
	return cli_error(&err);
}

static int report_session(FILE *in, const char *name, const struct cli_options *o)
{
	(void)in;
	(void)o;
	return refuse(name, "an SQLite file: sessions are not in this version",
		      "pass the output of perf stat");
}

static int report_perf_data(FILE *in, const char *name, const struct cli_options *o)
{
	(void)in;
	(void)o;
	return refuse(name, "a perf.data file, which holds samples",
		      "pass the output of perf stat, plain, with -x or with -j");
}

/* What can be reported on, by how the file starts. The last takes anything. */
static const struct kind {
	const char *magic;
	int (*report)(FILE *in, const char *name, const struct cli_options *o);
} kinds[] = {
	{ "SQLite format 3", report_session },
	{ "PERFILE2", report_perf_data },
	{ "", report_perf_stat },
};

static const struct kind *find_kind(FILE *in)
{
	char start[32] = "";
	/* A pipe cannot be read twice; what comes through one is text. */
	if (pread(fileno(in), start, sizeof(start) - 1, 0) < 0)
		start[0] = 0;
	for (size_t i = 0;; i++)
		if (!strncmp(start, kinds[i].magic, strlen(kinds[i].magic)))
			return &kinds[i];
}

static int report_file(const char *path, const struct cli_options *o)
{
	int is_stdin = !strcmp(path, "-");
	FILE *in = is_stdin ? stdin : fopen(path, "re");
	struct pms_error err = { .status = PMS_EIO };
	if (!in) {
		snprintf(err.source, sizeof(err.source), "%s", path);
		snprintf(err.text, sizeof(err.text), "cannot open: %s", strerror(errno));
		return cli_error(&err);
	}
	int status = find_kind(in)->report(in, is_stdin ? "standard input" : path, o);
	if (!is_stdin)
		fclose(in);
	return status;
}

int cli_report(int argc, char **argv)
{
	struct cli_options o;
	int status = cli_options_read(&o, CLI_TAKES_REPORT, argc, argv);
	if (status < 0 && !o.command[0])
		status = cli_usage("report", "no file to report on; - is standard input");
	if (status < 0 && o.command[1])
		status = cli_usage("report", "%s is too much: one file at a time", o.command[1]);
	if (status < 0)
		status = report_file(o.command[0], &o);
	cli_options_release(&o);
	return status;
}

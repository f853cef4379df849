/* SPDX-License-Identifier: MIT */
#include "live.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "output.h"
#include "render.h"
#include "save.h"

/* What perf stat counts unless told what: there is no catalog of this CPU. */
static const char *const defaults[] = { "task-clock",  "context-switches", "cpu-migrations",
					"page-faults", "cycles",	   "instructions",
					"branches",    "branch-misses" };

/* A measurement from the command line. */
struct live {
	struct cli_options *o;
	const struct cli_measure *measure;
	struct pms_catalog *catalog;
	struct cli_selection selection;
	int *pids, *tids;
	struct pms_live *live;
	struct cli_save save;
	FILE *stream; /* of intervals */
	struct pms_stream *lines;
	int continued, status;
};

/* Of this machine's CPU; Linux's own where there is none and events are named. */
static int load_catalog(struct live *l)
{
	const struct cli_options *o = l->o;
	struct pms_error err = { 0 };
	char cpu[256];
	if (o->mcpu || o->spec)
		return cli_catalog_load(o, 0, &l->catalog);
	int rc = pms_catalog_host_cpu(NULL, NULL, cpu, sizeof(cpu), &err);
	int events_do = l->measure->view == PMS_VIEW_STAT && !o->metrics.count;
	if (rc == -PMS_EHOST && events_do) {
		err = (struct pms_error){ 0 };
		rc = pms_catalog_load_kernel(&l->catalog, &err);
	} else if (rc == -PMS_EHOST) {
		snprintf(err.hint, sizeof(err.hint),
			 "name its CPU with --mcpu, or pass --source vcore to run an AArch64 "
			 "program on a modelled core; pmuscope stat -e counts single events");
	} else if (!rc) {
		rc = pms_catalog_load(NULL, cpu, &l->catalog, &err);
	}
	return rc ? cli_error(&err) : CLI_DONE;
}

/* Names as the catalog has them, for whatever way they were written in. */
static int resolve_events(struct live *l)
{
	struct cli_words *words = &l->o->events;
	struct pms_error err = { 0 };
	for (size_t i = 0; i < words->count; i++) {
		int64_t event = pms_live_event(l->catalog, words->words[i], &err);
		if (event < 0)
			return cli_error(&err);
		char *name = strdup(pms_catalog_event(l->catalog, (size_t)event)->name);
		if (!name)
			return cli_out_of_memory();
		free(words->words[i]);
		words->words[i] = name;
	}
	return CLI_DONE;
}

static int add_defaults(struct live *l)
{
	if (l->o->events.count || strcmp(pms_catalog_cpu(l->catalog)->name, PMS_KERNEL_CPU) != 0)
		return CLI_DONE;
	for (size_t i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++)
		if (cli_words_add(&l->o->events, defaults[i]))
			return cli_out_of_memory();
	return CLI_DONE;
}

static int read_ids(struct live *l, const char *option, const struct cli_words *words, int **out)
{
	int *ids = calloc(words->count + 1, sizeof(*ids));
	if (!ids)
		return cli_out_of_memory();
	*out = ids;
	for (size_t i = 0; i < words->count; i++) {
		char *end;
		errno = 0;
		long id = strtol(words->words[i], &end, 10);
		if (errno || *end || id < 1 || id > INT_MAX)
			return cli_usage(l->measure->name, "%s %s: not a number of a process",
					 option, words->words[i]);
		ids[i] = (int)id;
	}
	return CLI_DONE;
}

static enum pms_live_by told_apart(const struct cli_options *o)
{
	return o->live.no_aggr	  ? PMS_BY_CPU
	       : o->live.per_core ? PMS_BY_CORE
	       : o->per_thread	  ? PMS_BY_THREAD
				  : PMS_BY_TOTAL;
}

static int open_live(struct live *l)
{
	const struct cli_options *o = l->o;
	const struct cli_live_options *given = &o->live;
	struct pms_error err = { 0 };
	int only_events = o->events.count && !o->metrics.count;
	struct pms_live_part part = {
		.catalog = l->catalog,
		.plan = { .names = (const char *const *)o->metrics.words,
			  .n_names = o->metrics.count,
			  .events = l->selection.events,
			  .n_events = o->events.count ? l->selection.n_events : 0,
			  .no_metrics = only_events },
	};
	struct pms_live_options options = {
		.target = { .command = o->command[0] ? o->command : NULL,
			    .pids = l->pids,
			    .n_pids = given->pids.count,
			    .tids = l->tids,
			    .n_tids = given->tids.count,
			    .all_cpus = given->all_cpus,
			    .cpus = given->cpus,
			    .cgroup = given->cgroup },
		.by = told_apart(o),
		.modes = given->modes,
		.passes = given->passes,
		.repeat = (unsigned)given->repeat,
		.delay_ms = given->delay,
		.timeout_ms = (unsigned)given->timeout,
		.interval_ms = (unsigned)given->interval,
		.has_control = given->has_control,
		.control_fd = given->control,
		.ack_fd = given->has_control ? given->ack : -1,
	};
	if (pms_live_open(&part, 1, &options, &l->live, &err))
		return cli_error(&err);
	for (size_t i = 0; pms_live_note(l->live, i); i++)
		fprintf(stderr, "pmuscope: %s\n", pms_live_note(l->live, i));
	return CLI_DONE;
}

/* Intervals go out as they come, so the file is not one that is complete or untouched. */
static int open_stream(struct live *l)
{
	const struct cli_options *o = l->o;
	l->stream = stderr;
	if (!o->live.interval)
		return CLI_DONE;
	if (o->output)
		l->stream = fopen(o->output, "we");
	if (!l->stream) {
		struct pms_error err = { .status = PMS_EIO };
		snprintf(err.source, sizeof(err.source), "%s", o->output);
		snprintf(err.text, sizeof(err.text), "cannot write: %s", strerror(errno));
		return cli_error(&err);
	}
	if (o->format != PMS_FORMAT_TABLE)
		return CLI_DONE;
	struct pms_show_options options =
		cli_render_options(&l->selection, o, l->measure->view, fileno(l->stream));
	l->lines = pms_stream_new(&options);
	return l->lines ? CLI_DONE : cli_out_of_memory();
}

static int put_interval(void *context, struct pms_counts **counts, struct pms_error *err)
{
	struct live *l = context;
	int status = cli_render_interval(counts[0], &l->selection, l->o, l->measure->view,
					 l->stream, l->lines, l->continued);
	l->continued = 1;
	cli_save_add(&l->save, counts[0]);
	pms_counts_free(counts[0]);
	if (!status)
		return 0;
	*err = (struct pms_error){ .status = PMS_EIO };
	l->status = status; /* said already */
	return -PMS_EIO;
}

static int show_total(struct live *l, const struct pms_counts *counts)
{
	const struct cli_options *o = l->o;
	if (!o->live.interval)
		return cli_render(counts, &l->selection, o, l->measure->view, stderr);
	return CLI_DONE;
}

/* A session of intervals is written as they come. Signals are the measurement's meanwhile. */
static void begin_session(struct live *l)
{
	cli_save_begin(&l->save, l->o, l->measure->name);
	sigprocmask(SIG_SETMASK, &l->save.signals, NULL);
}

static int measure(struct live *l)
{
	struct pms_error err = { 0 };
	struct pms_counts *counts = NULL;
	pms_live_put *put = l->o->live.interval ? put_interval : NULL;
	if (put)
		begin_session(l);
	if (pms_live_run(l->live, put, l, &counts, &err)) {
		if (put)
			cli_save_end(&l->save, 0);
		return l->status ? l->status : cli_error(&err);
	}
	/* Neither report nor session can change the status: that is the program's own. */
	int status = l->o->command[0] ? counts->provenance.exit_status : CLI_DONE;
	if (!l->o->live.interval)
		cli_save_begin(&l->save, l->o, l->measure->name);
	cli_save_add(&l->save, counts);
	cli_save_end(&l->save, 1);
	int shown = show_total(l, counts);
	pms_counts_free(counts);
	return l->o->command[0] ? status : shown;
}

static int prepare(struct live *l)
{
	const struct cli_options *o = l->o;
	int status = load_catalog(l);
	if (!status)
		status = add_defaults(l);
	if (!status)
		status = resolve_events(l);
	if (!status)
		status = read_ids(l, "-p", &o->live.pids, &l->pids);
	if (!status)
		status = read_ids(l, "-t", &o->live.tids, &l->tids);
	if (!status)
		status = cli_select(&l->selection, l->catalog, o, l->measure->view);
	if (status < 0)
		status = cli_output_check(o->output);
	if (!status)
		status = cli_save_check(o);
	if (!status)
		status = open_live(l);
	return status ? status : open_stream(l);
}

int cli_live(struct cli_options *o, const struct cli_measure *measure_of)
{
	struct live l = { .o = o, .measure = measure_of };
	int status = prepare(&l);
	if (!status)
		status = measure(&l);
	if (l.stream && l.stream != stderr)
		fclose(l.stream);
	pms_stream_free(l.lines);
	pms_live_close(l.live);
	cli_selection_release(&l.selection);
	pms_catalog_free(l.catalog);
	free(l.pids);
	free(l.tids);
	return status;
}

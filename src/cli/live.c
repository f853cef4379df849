/* SPDX-License-Identifier: MIT */
#include "live.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "interrupt.h"
#include "measure.h"
#include "outlet.h"
#include "output.h"
#include "render.h"
#include "save.h"

enum { GATHER_MS = 50 };

/* Cores of one kind, which have a session of their own. */
struct kind {
	const struct pms_measured_part *part;
	char *name; /* of the session, where there are several; else NULL */
	struct cli_save save;
};

/* A measurement from the command line. */
struct live {
	const struct cli_options *o;
	const struct cli_measure *measure;
	struct kind kinds[PMS_MEASURED_MOST];
	size_t n_kinds;
	int *pids, *tids;
	struct pms_measurement *m;
	struct cli_outlet *outlet; /* for intervals; NULL: there are none */
	FILE *stream;		   /* the outlet's */
	FILE *file;		   /* the outlet's destination; NULL: standard error */
	int fd;
	struct pms_stream *lines[PMS_MEASURED_MOST]; /* for a table, by kind */
	struct timespec said;			     /* when the run number was last shown */
	int continued, status;
};

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

/* Say which run is on, at most once a second. */
static void say_run(void *context, const struct pms_live_run_of *of)
{
	struct live *l = context;
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	double since = (double)(now.tv_sec - l->said.tv_sec) +
		       (double)(now.tv_nsec - l->said.tv_nsec) / 1e9;
	if (of->run > 1 && since < 1)
		return;
	l->said = now;
	if (of->run == 1)
		return; /* the plan was just shown */
	if (of->passes > 1)
		cli_note("run %zu of %zu, for pass %zu of %zu", of->run, of->runs, of->pass,
			 of->passes);
	else
		cli_note("run %zu of %zu", of->run, of->runs);
}

/* Translate the options of the command line for the library. */
static struct pms_live_options live_options(struct live *l)
{
	const struct cli_options *o = l->o;
	const struct cli_live_options *given = &o->live;
	return (struct pms_live_options){
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
		/* A saved interval must be in the file when it ends. */
		.gather_ms = o->save ? 0 : GATHER_MS,
		.has_room = l->outlet != NULL,
		.room_fd = l->outlet ? cli_outlet_room(l->outlet) : -1,
		.has_control = given->has_control,
		.control_fd = given->control,
		.ack_fd = given->has_control ? given->ack : -1,
		.starts = isatty(STDERR_FILENO) ? say_run : NULL,
		.starts_context = l,
	};
}

static int open_measurement(struct live *l)
{
	const struct cli_options *o = l->o;
	const struct pms_measurement_options options = {
		.source = PMS_SOURCE_PMU,
		.mcpu = o->mcpu,
		.spec = o->spec,
		.wanted = cli_wanted(o, l->measure->view == PMS_VIEW_STAT),
		.live = live_options(l),
		.note = cli_take_note
	};
	struct pms_error err = { 0 };
	if (pms_measurement_open(&options, &l->m, &err))
		return cli_error(&err);
	l->n_kinds = pms_measurement_parts(l->m);
	for (size_t i = 0; i < l->n_kinds; i++)
		l->kinds[i].part = pms_measurement_part(l->m, i);
	return CLI_DONE;
}

/* Open standard error, or the named file. */
static int open_stream(struct live *l)
{
	const char *path = l->o->output;
	if (path && !(l->file = cli_output_stream(path)))
		return CLI_USAGE;
	l->fd = path ? fileno(l->file) : STDERR_FILENO;
	l->stream = cli_outlet_start(l->outlet, l->fd);
	if (l->stream)
		return CLI_DONE;
	struct pms_error err = { .status = PMS_EHOST };
	snprintf(err.text, sizeof(err.text), "cannot start a thread: %s", strerror(errno));
	return cli_error(&err);
}

/* Open the output of intervals. They are shown as they come, so the file is written directly. */
static int open_lines(struct live *l)
{
	const struct cli_options *o = l->o;
	int status = l->outlet ? open_stream(l) : CLI_DONE;
	if (status || !l->outlet)
		return status;
	for (size_t i = 0; i < l->n_kinds && o->format == PMS_FORMAT_TABLE; i++) {
		const struct pms_measured_part *part = l->kinds[i].part;
		struct pms_show_options options =
			cli_render_options(part->selection, o, l->measure->view, l->fd);
		options.label = part->pmu ? pms_catalog_cpu(part->catalog)->name : NULL;
		options.redraw = l->n_kinds == 1 ? cli_terminal(l->fd, &options.width) : 0;
		l->lines[i] = pms_stream_new(&options);
		if (!l->lines[i])
			return cli_out_of_memory();
	}
	return CLI_DONE;
}

/* Returns whether somebody reads: otherwise writing would wait for ever. */
static int is_read(int fd)
{
	struct pollfd out = { .fd = fd, .events = POLLOUT };
	return poll(&out, 1, 0) > 0;
}

/* Close the outlet, and its file unless the thread still writes to it. Returns as
 * cli_outlet_close. */
static int close_outlet(struct live *l)
{
	int hurry = l->m && pms_measurement_interrupted(l->m);
	int left = l->outlet ? cli_outlet_close(l->outlet, hurry) : 0;
	if (l->file && left != CLI_OUTLET_LEFT)
		fclose(l->file);
	l->outlet = NULL;
	l->file = NULL;
	return left;
}

/* Close the stream, and wait for its reader. */
static int close_stream(struct live *l)
{
	struct pms_error err = { .status = PMS_EIO };
	int left = close_outlet(l);
	if (!left)
		return CLI_DONE;
	if (left == CLI_OUTLET_LEFT)
		snprintf(err.text, sizeof(err.text),
			 "not all intervals were written: nobody read them");
	else
		snprintf(err.text, sizeof(err.text), "cannot write the report: %s", strerror(left));
	return is_read(STDERR_FILENO) ? cli_error(&err) : CLI_USAGE;
}

/* Write the totals so far, so that an interrupted session has them. */
static int save_so_far(struct live *l, struct pms_error *err)
{
	int rc = 0;
	for (size_t i = 0; i < l->n_kinds && !rc; i++) {
		struct pms_counts *counts = NULL;
		if (l->kinds[i].save.writer)
			rc = pms_measurement_so_far(l->m, i, &counts, err);
		if (counts)
			cli_save_add(&l->kinds[i].save, counts);
		pms_counts_free(counts);
	}
	return rc;
}

/* Returns whether a shell stopped us, and so wrote to the terminal. The signal is held from the
 * first interval on, because the program must start with the old mask. */
static int was_stopped(void)
{
	static const struct timespec at_once = { 0 };
	sigset_t continued;
	sigemptyset(&continued);
	sigaddset(&continued, SIGCONT);
	pthread_sigmask(SIG_BLOCK, &continued, NULL);
	return sigtimedwait(&continued, NULL, &at_once) == SIGCONT;
}

/* Fit the lines to the terminal, whose size may have changed. */
static void fit_lines(struct live *l)
{
	unsigned columns, rows = l->lines[0] ? cli_terminal(l->fd, &columns) : 0;
	if (rows && l->n_kinds == 1)
		pms_stream_fit(l->lines[0], columns, rows, was_stopped());
}

static int add_relations(const struct live *l, size_t i, const struct pms_counts *counts)
{
	struct pms_error err = { 0 };
	return pms_measurement_relate(l->m, i, counts, &err) ? cli_error(&err) : CLI_DONE;
}

/* Show and save an interval. The counts are freed in any case. */
static int put_interval(void *context, struct pms_counts **counts, struct pms_error *err)
{
	struct live *l = context;
	int status = CLI_DONE;
	fit_lines(l);
	for (size_t i = 0; i < l->n_kinds && !status; i++)
		status = add_relations(l, i, counts[i]);
	for (size_t i = 0; i < l->n_kinds && !status; i++)
		status = cli_render_interval(counts[i], l->kinds[i].part->selection, l->o,
					     l->measure->view, l->stream, l->lines[i],
					     l->continued && l->n_kinds == 1);
	l->continued = 1;
	for (size_t i = 0; i < l->n_kinds; i++)
		cli_save_add(&l->kinds[i].save, counts[i]);
	int rc = save_so_far(l, err);
	for (size_t i = 0; i < l->n_kinds; i++)
		pms_counts_free(counts[i]);
	if (!status)
		return rc;
	*err = (struct pms_error){ .status = PMS_EIO };
	l->status = status; /* it was reported already */
	return -PMS_EIO;
}

static void begin_session(const struct live *l, struct kind *kind)
{
	cli_save_begin(&kind->save, l->o, kind->name ? kind->name : l->o->save, l->measure->name,
		       &kind->part->wanted);
}

/* Begin the sessions, to which intervals are added as they come. Meanwhile signals go to the
 * measurement. */
static int begin_sessions(struct live *l, struct pms_error *err)
{
	for (size_t i = 0; i < l->n_kinds; i++) {
		begin_session(l, &l->kinds[i]);
		sigprocmask(SIG_SETMASK, &l->kinds[i].save.signals, NULL);
	}
	return save_so_far(l, err);
}

/* Print the warnings, which lines of intervals lack but reports have. The reader may be gone. */
static void put_warnings(const struct live *l, const struct pms_counts *counts)
{
	FILE *out = l->o->output ? stderr : l->stream;
	for (size_t i = 0; i < counts->n_warnings; i++)
		if (out != stderr || is_read(STDERR_FILENO))
			cli_note_to(out, "%s", counts->warnings[i]);
}

/* Show and save the totals. The status is the program's own, unless that is 0 and the report is
 * lost. */
static int finish(struct live *l, struct pms_counts **counts)
{
	const struct cli_options *o = l->o;
	int status = CLI_DONE, exit_status = counts[0]->provenance.exit_status;
	struct cli_shown shown[PMS_MEASURED_MOST];
	for (size_t i = 0; i < l->n_kinds; i++) {
		struct kind *kind = &l->kinds[i];
		if (!o->live.interval)
			begin_session(l, kind);
		cli_save_add(&kind->save, counts[i]);
		int saved = cli_save_end(&kind->save, 1);
		status = status ? status : saved;
		int added = add_relations(l, i, counts[i]);
		status = status ? status : added;
		shown[i] = (struct cli_shown){ counts[i], kind->part->selection };
	}
	int rendered = o->live.interval
			       ? CLI_DONE
			       : cli_render(shown, l->n_kinds, o, l->measure->view, stderr);
	status = status ? status : rendered;
	for (size_t i = 0; i < l->n_kinds; i++) {
		if (o->live.interval)
			put_warnings(l, counts[i]);
		pms_counts_free(counts[i]);
	}
	int closed = o->live.interval ? close_stream(l) : CLI_DONE;
	status = status ? status : closed;
	return o->command[0] && exit_status ? exit_status : status;
}

/* Hold signals while sessions are finished and intervals wait for their reader. A further signal
 * ends the waiting, and us afterwards. */
static void hold_signals(struct live *l, sigset_t *before)
{
	cli_hold_signals(before);
	for (size_t i = 0; i < l->n_kinds; i++)
		sigprocmask(SIG_BLOCK, NULL, &l->kinds[i].save.signals);
}

/* Measure, and make sure that failed runs leave no session behind. */
static int measure(struct live *l)
{
	struct pms_error err = { 0 };
	struct pms_counts *counts[PMS_MEASURED_MOST] = { NULL };
	pms_live_put *put = l->o->live.interval ? put_interval : NULL;
	sigset_t before;
	if (put && begin_sessions(l, &err))
		return cli_error(&err);
	int failed = pms_measurement_read(l->m, put, l, counts, &err), status;
	if (put)
		hold_signals(l, &before);
	if (!failed) {
		status = finish(l, counts);
	} else {
		for (size_t i = 0; i < l->n_kinds && put; i++)
			cli_save_end(&l->kinds[i].save, 0);
		close_outlet(l);
		status = l->status ? l->status : cli_error(&err);
	}
	if (put)
		sigprocmask(SIG_SETMASK, &before, NULL);
	return status;
}

/* Name a session after its CPU: "before.pms" becomes "before-neoverse-v1.pms". */
static char *session_name(const char *path, const char *cpu)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
	int stem = dot ? (int)(dot - path) : (int)strlen(path);
	char *name = NULL;
	return asprintf(&name, "%.*s-%s%s", stem, path, cpu, dot ? dot : "") < 0 ? NULL : name;
}

/* Name the sessions: one for each kind of cores, because a session has one catalog. */
static int check_sessions(struct live *l)
{
	const struct cli_options *o = l->o;
	int status = CLI_DONE;
	for (size_t i = 0; i < l->n_kinds && !status; i++) {
		struct kind *kind = &l->kinds[i];
		const struct pms_measured_part *part = kind->part;
		if (o->save && l->n_kinds > 1) {
			kind->name = session_name(o->save, pms_catalog_cpu(part->catalog)->name);
			if (!kind->name)
				return cli_out_of_memory();
			cli_note("CPUs of PMU %s are saved to %s", part->pmu, kind->name);
		}
		status = cli_save_check(o, kind->name ? kind->name : o->save);
	}
	return status;
}

static int prepare_measurement(struct live *l)
{
	struct pms_error err = { 0 };
	return pms_measurement_prepare(l->m, &err) ? cli_error(&err) : CLI_DONE;
}

static int prepare(struct live *l)
{
	const struct cli_options *o = l->o;
	int status = read_ids(l, "-p", &o->live.pids, &l->pids);
	if (!status)
		status = read_ids(l, "-t", &o->live.tids, &l->tids);
	if (!status && o->live.interval && !(l->outlet = cli_outlet_new()))
		status = cli_out_of_memory();
	if (!status)
		status = open_measurement(l);
	if (!status)
		status = cli_output_check(o->output);
	if (!status)
		status = check_sessions(l);
	if (!status)
		status = prepare_measurement(l);
	return status ? status : open_lines(l);
}

int cli_live(const struct cli_options *o, const struct cli_measure *measure_of)
{
	struct live l = { .o = o, .measure = measure_of };
	int status = prepare(&l);
	if (!status)
		status = measure(&l);
	close_outlet(&l);
	pms_measurement_close(l.m);
	for (size_t i = 0; i < PMS_MEASURED_MOST; i++) {
		pms_stream_free(l.lines[i]);
		free(l.kinds[i].name);
	}
	free(l.pids);
	free(l.tids);
	return status;
}

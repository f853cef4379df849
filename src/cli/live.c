/* SPDX-License-Identifier: MIT */
#include "live.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "catalog.h"
#include "interrupt.h"
#include "measure.h"
#include "outlet.h"
#include "output.h"
#include "render.h"
#include "save.h"

/* What perf stat counts unless told what: there is no catalog of this CPU. */
static const char *const defaults[] = { "task-clock",  "context-switches", "cpu-migrations",
					"page-faults", "cycles",	   "instructions",
					"branches",    "branch-misses" };

enum { MOST_KINDS = 8, GATHER_MS = 50 };

/* Cores of one kind: what is counted of them, and shown. */
struct kind {
	struct pms_catalog *catalog;
	struct cli_selection selection;
	char pmu[64];		    /* "": whichever fits */
	struct cli_options options; /* the user's, but that of several kinds each has a session of
				     * its own, and those metrics that it knows */
	char **metrics;		    /* words of the options'; NULL: all of them */
	const char **groups;	    /* of --all: every group of metrics, n_groups; else NULL */
	size_t n_groups;
	char *session; /* its name */
	struct cli_save save;
};

/* A measurement from the command line. */
struct live {
	struct cli_options *o;
	const struct cli_measure *measure;
	struct kind kinds[MOST_KINDS];
	size_t n_kinds;
	int *pids, *tids;
	struct pms_live *live;
	struct cli_outlet *outlet; /* of intervals; NULL: there are none */
	FILE *stream;		   /* the outlet's */
	FILE *file;		   /* what it writes to; NULL: standard error */
	int fd;
	struct pms_stream *lines[MOST_KINDS]; /* of a table, by kind */
	struct timespec said;		      /* when it was last said which run is on */
	int continued, status;
};

static int has_kind(const struct live *l, const char *cpu)
{
	for (size_t i = 0; i < l->n_kinds; i++)
		if (!strcmp(pms_catalog_cpu(l->kinds[i].catalog)->name, cpu))
			return 1;
	return 0;
}

/* Of cores of several kinds, each has its PMU, its catalog and its report; those that no catalog is
 * of are left out, unless all are. */
static int load_kinds(struct live *l, struct pms_error *err)
{
	struct pms_live_core cores[MOST_KINDS];
	const char *unknown = NULL; /* CPUs */
	int n = pms_live_cores(cores, MOST_KINDS, err);
	for (int i = 0; i < n && i < MOST_KINDS; i++) {
		struct kind *kind = &l->kinds[l->n_kinds];
		char cpu[256];
		int rc = pms_catalog_host_cpu_at(NULL, NULL, cores[i].cpu, cpu, sizeof(cpu), err);
		if (!rc && has_kind(l, cpu))
			continue;
		if (!rc)
			rc = pms_catalog_load_lean(NULL, cpu, &kind->catalog, err);
		if (rc == -PMS_ENAME) {
			unknown = cores[i].cpus;
			continue;
		}
		if (rc)
			return rc;
		if (n > 1)
			memcpy(kind->pmu, cores[i].pmu, sizeof(kind->pmu));
		l->n_kinds++;
	}
	if (unknown && !l->n_kinds)
		return -PMS_ENAME;
	if (unknown)
		cli_note("CPUs %s are not measured: %s", unknown, err->text);
	return n < 0 ? n : 0;
}

/* Nothing was found out about this machine's CPU. */
static void say_why(const struct cli_options *o, struct pms_error *err)
{
	struct utsname host;
	const char *what = "name its CPU with --mcpu, or pass";
	if (cli_is_foreign(&host)) {
		snprintf(
			err->text, sizeof(err->text),
			"metrics are measured on Arm and RISC-V machines, and this is one of %.32s",
			host.machine);
		what = "pass";
	}
	if (cli_counts_what_runs(o))
		snprintf(err->hint, sizeof(err->hint),
			 "what runs already can be counted by a PMU alone; a modelled core runs an "
			 "AArch64 program from its start: pmuscope topdown --source vcore -- "
			 "PROGRAM");
	else
		snprintf(err->hint, sizeof(err->hint),
			 "%s --source vcore to run an AArch64 program on a modelled core; "
			 "pmuscope stat -e counts single events",
			 what);
}

/* The machine has no PMU, or does not tell which CPU it is, or it is one without a catalog. */
static int load_without_catalog(struct live *l, struct pms_error *err)
{
	char cpu[256];
	int rc = pms_catalog_host_cpu(NULL, NULL, cpu, sizeof(cpu), err);
	int events_do = l->measure->view == PMS_VIEW_STAT && !l->o->metrics.count;
	if (!rc)
		rc = pms_catalog_load_lean(NULL, cpu, &l->kinds[0].catalog, err);
	else if (events_do)
		rc = pms_catalog_load_kernel(&l->kinds[0].catalog, err);
	else if (rc == -PMS_EHOST)
		say_why(l->o, err);
	l->n_kinds = l->kinds[0].catalog ? 1 : 0;
	return rc;
}

/* Of this machine's CPUs; Linux's own where there is none of them and events are named. */
static int load_catalogs(struct live *l)
{
	const struct cli_options *o = l->o;
	struct pms_error err = { 0 };
	if (o->mcpu || o->spec) {
		l->n_kinds = 1;
		return cli_catalog_load(o, 0, &l->kinds[0].catalog);
	}
	int rc = load_kinds(l, &err);
	if (rc == -PMS_EHOST || rc == -PMS_ENAME || !(rc || l->n_kinds)) {
		err = (struct pms_error){ 0 };
		rc = load_without_catalog(l, &err);
	}
	return rc ? cli_error(&err) : CLI_DONE;
}

/* What kinds of cores call what a word means, as one of them does; NULL: none knows it. Each looks,
 * so that its catalog has the event where it can. @err: why not, of the first that does not. */
static const char *name_of_word(struct live *l, const char *word, struct pms_error *err)
{
	const char *name = NULL;
	for (size_t i = 0; i < l->n_kinds; i++) {
		struct pms_catalog *catalog = l->kinds[i].catalog;
		int64_t event = pms_live_event(catalog, word, err);
		const char *here =
			event < 0 ? NULL : pms_catalog_event(catalog, (size_t)event)->name;
		/* A catalog that knows a raw code has a name for it. */
		if (here && (!name || !strcasecmp(name, word)))
			name = here;
	}
	return name;
}

/* Names as the catalogs have them, for whatever way they were written in. Those that some kinds of
 * cores lack are not counted there. */
static int resolve_events(struct live *l)
{
	struct cli_words *words = &l->o->events;
	for (size_t i = 0; i < words->count; i++) {
		struct pms_error err = { 0 };
		const char *known = name_of_word(l, words->words[i], &err);
		char *name = known ? strdup(known) : NULL;
		if (!name)
			return known ? cli_out_of_memory() : cli_error(&err);
		free(words->words[i]);
		words->words[i] = name;
		err = (struct pms_error){ 0 };
		for (size_t k = 0; k < l->n_kinds; k++)
			if (pms_live_event_lacking(l->kinds[k].catalog, name, &err) < 0)
				return cli_error(&err);
	}
	return CLI_DONE;
}

static int knows_metric(const struct kind *kind, const char *word)
{
	return pms_catalog_find_metric(kind->catalog, word) >= 0 ||
	       pms_catalog_find_group(kind->catalog, PMS_GROUP_METRICS, word) >= 0;
}

static int anyone_knows_metric(const struct live *l, const char *word)
{
	for (size_t i = 0; i < l->n_kinds; i++)
		if (knows_metric(&l->kinds[i], word))
			return 1;
	return 0;
}

/* Of words for metrics, a kind of cores keeps those that it knows, and those that nobody does, for
 * an error. */
static int resolve_metrics(struct live *l, struct kind *kind)
{
	struct cli_words *words = &kind->options.metrics;
	char *const *all = words->words;
	size_t n = words->count;
	kind->metrics = calloc(n + 1, sizeof(*kind->metrics));
	if (!kind->metrics)
		return cli_out_of_memory();
	words->words = kind->metrics;
	words->count = 0;
	for (size_t i = 0; i < n; i++)
		if (knows_metric(kind, all[i]) || !anyone_knows_metric(l, all[i]))
			words->words[words->count++] = all[i];
	return CLI_DONE;
}

static void kind_release(struct kind *kind)
{
	free(kind->metrics);
	free(kind->groups);
	free(kind->session);
	cli_selection_release(&kind->selection);
	pms_catalog_free(kind->catalog);
	*kind = (struct kind){ 0 };
}

/* Kinds of cores of which nothing is left to measure are left out. */
static void drop_idle_kinds(struct live *l)
{
	size_t n = 0;
	for (size_t i = 0; i < l->n_kinds; i++) {
		struct kind *kind = &l->kinds[i];
		if (kind->options.metrics.count || kind->options.events.count ||
		    !l->o->metrics.count) {
			struct kind kept = *kind;
			*kind = (struct kind){ 0 };
			l->kinds[n++] = kept;
			continue;
		}
		cli_note("CPUs of PMU %s are not measured: %s has none of these metrics", kind->pmu,
			 pms_catalog_cpu(kind->catalog)->product);
		kind_release(kind);
	}
	l->n_kinds = n;
}

static int resolve(struct live *l)
{
	int status = resolve_events(l);
	for (size_t i = 0; i < l->n_kinds && !status; i++) {
		l->kinds[i].options = *l->o;
		if (l->n_kinds > 1)
			status = resolve_metrics(l, &l->kinds[i]);
	}
	if (!status)
		drop_idle_kinds(l);
	return status;
}

static int add_defaults(struct live *l)
{
	const char *cpu = pms_catalog_cpu(l->kinds[0].catalog)->name;
	if (l->o->events.count || strcmp(cpu, PMS_KERNEL_CPU) != 0)
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

/* What is wanted of one kind of cores. */
static struct pms_live_part part_of(const struct kind *kind)
{
	const struct cli_options *o = &kind->options;
	const char *const *words = (const char *const *)o->metrics.words;
	return (struct pms_live_part){
		.catalog = kind->catalog,
		.pmu = kind->pmu[0] ? kind->pmu : NULL,
		.plan = { .names = kind->groups ? kind->groups : words,
			  .n_names = kind->groups ? kind->n_groups : o->metrics.count,
			  .events = kind->selection.events,
			  .n_events = o->events.count ? kind->selection.n_events : 0,
			  .no_metrics = o->events.count && !o->metrics.count },
	};
}

/* Runs that take long say where they are, at most each second. */
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
		return; /* what is to come has been said */
	if (of->passes > 1)
		cli_note("run %zu of %zu, for pass %zu of %zu", of->run, of->runs, of->pass,
			 of->passes);
	else
		cli_note("run %zu of %zu", of->run, of->runs);
}

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
		/* What is saved is to be there when its interval is over. */
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

static int open_live(struct live *l)
{
	struct pms_live_part parts[MOST_KINDS];
	struct pms_live_options options = live_options(l);
	struct pms_error err = { 0 };
	for (size_t i = 0; i < l->n_kinds; i++)
		parts[i] = part_of(&l->kinds[i]);
	if (pms_live_open(parts, l->n_kinds, &options, &l->live, &err))
		return cli_error(&err);
	for (size_t i = 0; pms_live_note(l->live, i); i++)
		cli_note("%s", pms_live_note(l->live, i));
	return CLI_DONE;
}

/* Standard error, or the file that is named. */
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

/* Intervals go out as they come, so the file is not one that is complete or untouched. */
static int open_lines(struct live *l)
{
	const struct cli_options *o = l->o;
	int status = l->outlet ? open_stream(l) : CLI_DONE;
	if (status || !l->outlet)
		return status;
	for (size_t i = 0; i < l->n_kinds && o->format == PMS_FORMAT_TABLE; i++) {
		struct pms_show_options options =
			cli_render_options(&l->kinds[i].selection, o, l->measure->view, l->fd);
		options.label =
			l->kinds[i].pmu[0] ? pms_catalog_cpu(l->kinds[i].catalog)->name : NULL;
		options.redraw = l->n_kinds == 1 ? cli_terminal(l->fd, &options.width) : 0;
		l->lines[i] = pms_stream_new(&options);
		if (!l->lines[i])
			return cli_out_of_memory();
	}
	return CLI_DONE;
}

/* Where nobody reads what is said, saying it would wait for ever. */
static int is_read(int fd)
{
	struct pollfd out = { .fd = fd, .events = POLLOUT };
	return poll(&out, 1, 0) > 0;
}

/* Returns what cli_outlet_close does. What is left may be being written yet. */
static int close_outlet(struct live *l)
{
	int hurry = l->live && pms_live_interrupted(l->live);
	int left = l->outlet ? cli_outlet_close(l->outlet, hurry) : 0;
	if (l->file && left != CLI_OUTLET_LEFT)
		fclose(l->file);
	l->outlet = NULL;
	l->file = NULL;
	return left;
}

/* Everything has been written to the stream: wait for its reader. */
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

/* Sessions that are cut off have the whole until then. */
static int save_so_far(struct live *l, struct pms_error *err)
{
	int rc = 0;
	for (size_t i = 0; i < l->n_kinds && !rc; i++) {
		struct pms_counts *counts = NULL;
		if (l->kinds[i].save.writer)
			rc = pms_live_so_far(l->live, i, &counts, err);
		if (counts)
			cli_save_add(&l->kinds[i].save, counts);
		pms_counts_free(counts);
	}
	return rc;
}

/* A shell that has stopped us has written to the terminal. The program is started with the signals
 * that were held before, so this one is held from the first interval on. */
static int was_stopped(void)
{
	static const struct timespec at_once = { 0 };
	sigset_t continued;
	sigemptyset(&continued);
	sigaddset(&continued, SIGCONT);
	pthread_sigmask(SIG_BLOCK, &continued, NULL);
	return sigtimedwait(&continued, NULL, &at_once) == SIGCONT;
}

/* The terminal may have another size than it had at the last interval. */
static void fit_lines(struct live *l)
{
	unsigned columns, rows = l->lines[0] ? cli_terminal(l->fd, &columns) : 0;
	if (rows && l->n_kinds == 1)
		pms_stream_fit(l->lines[0], columns, rows, was_stopped());
}

/* Only zeros are held against what documents say, and to read that takes a moment. */
static int add_relations(const struct kind *kind, const struct pms_counts *counts)
{
	for (size_t i = 0; i < pms_catalog_events(counts->catalog); i++) {
		const struct pms_count *count = &counts->total.counts[i];
		if (count->state == PMS_COUNTED && !count->value)
			return cli_catalog_add_relations(kind->catalog);
	}
	return CLI_DONE;
}

static int put_interval(void *context, struct pms_counts **counts, struct pms_error *err)
{
	struct live *l = context;
	int status = CLI_DONE;
	fit_lines(l);
	for (size_t i = 0; i < l->n_kinds && !status; i++)
		status = add_relations(&l->kinds[i], counts[i]);
	for (size_t i = 0; i < l->n_kinds && !status; i++)
		status = cli_render_interval(counts[i], &l->kinds[i].selection, l->o,
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
	l->status = status; /* said already */
	return -PMS_EIO;
}

static void begin_session(const struct live *l, struct kind *kind)
{
	cli_save_begin(&kind->save, &kind->options, l->measure->name);
}

/* Sessions of intervals are written as they come. Signals are the measurement's meanwhile. */
static int begin_sessions(struct live *l, struct pms_error *err)
{
	for (size_t i = 0; i < l->n_kinds; i++) {
		begin_session(l, &l->kinds[i]);
		sigprocmask(SIG_SETMASK, &l->kinds[i].save.signals, NULL);
	}
	return save_so_far(l, err);
}

/* A report has them; lines of intervals do not. Beside those a reader may have stopped reading. */
static void put_warnings(const struct live *l, const struct pms_counts *counts)
{
	FILE *out = l->o->output ? stderr : l->stream;
	for (size_t i = 0; i < counts->n_warnings; i++)
		if (out != stderr || is_read(STDERR_FILENO))
			cli_note_to(out, "%s", counts->warnings[i]);
}

/* The status of a program that was run is its own, unless it is 0 and the report is lost. */
static int finish(struct live *l, struct pms_counts **counts)
{
	const struct cli_options *o = l->o;
	int status = CLI_DONE, exit_status = counts[0]->provenance.exit_status;
	struct cli_shown shown[MOST_KINDS];
	for (size_t i = 0; i < l->n_kinds; i++) {
		struct kind *kind = &l->kinds[i];
		if (!o->live.interval)
			begin_session(l, kind);
		cli_save_add(&kind->save, counts[i]);
		int saved = cli_save_end(&kind->save, 1);
		status = status ? status : saved;
		int added = add_relations(kind, counts[i]);
		status = status ? status : added;
		shown[i] = (struct cli_shown){ counts[i], &kind->selection };
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

/* While a session is finished, and intervals wait for their reader: a further signal ends the
 * waiting, and us when both are done. */
static void hold_signals(struct live *l, sigset_t *before)
{
	cli_hold_signals(before);
	for (size_t i = 0; i < l->n_kinds; i++)
		sigprocmask(SIG_BLOCK, NULL, &l->kinds[i].save.signals);
}

static int measure(struct live *l)
{
	struct pms_error err = { 0 };
	struct pms_counts *counts[MOST_KINDS] = { NULL };
	pms_live_put *put = l->o->live.interval ? put_interval : NULL;
	sigset_t before;
	if (put && begin_sessions(l, &err))
		return cli_error(&err);
	int failed = pms_live_run(l->live, put, l, counts, &err), status;
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

/* "before.pms" of a Neoverse V1 is "before-neoverse-v1.pms". */
static char *session_name(const char *path, const char *cpu)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
	int stem = dot ? (int)(dot - path) : (int)strlen(path);
	char *name = NULL;
	return asprintf(&name, "%.*s-%s%s", stem, path, cpu, dot ? dot : "") < 0 ? NULL : name;
}

/* A session is of one catalog: of cores of several kinds each has one. */
static int check_sessions(struct live *l)
{
	int status = CLI_DONE;
	for (size_t i = 0; i < l->n_kinds && !status; i++) {
		struct kind *kind = &l->kinds[i];
		if (l->o->save && l->n_kinds > 1) {
			kind->session =
				session_name(l->o->save, pms_catalog_cpu(kind->catalog)->name);
			if (!kind->session)
				return cli_out_of_memory();
			kind->options.save = kind->session;
			cli_note("CPUs of PMU %s are saved to %s", kind->pmu, kind->session);
		}
		status = cli_save_check(&kind->options);
	}
	return status;
}

/* What --all shows is measured, not what the methodology has alone. */
static int plan_all(struct kind *kind)
{
	const struct cli_options *o = &kind->options;
	const struct pms_catalog *catalog = kind->catalog;
	if (!o->all || o->metrics.count || o->events.count)
		return CLI_DONE;
	kind->groups = calloc(pms_catalog_groups(catalog) + 1, sizeof(*kind->groups));
	if (!kind->groups)
		return cli_out_of_memory();
	for (size_t i = 0; i < pms_catalog_groups(catalog); i++)
		if (pms_catalog_group(catalog, i)->kind == PMS_GROUP_METRICS)
			kind->groups[kind->n_groups++] = pms_catalog_group(catalog, i)->name;
	return CLI_DONE;
}

static int select_all(struct live *l)
{
	int status = resolve(l);
	for (size_t i = 0; i < l->n_kinds && !status; i++) {
		struct kind *kind = &l->kinds[i];
		status = cli_select(&kind->selection, kind->catalog, &kind->options,
				    l->measure->view);
		if (status < 0)
			status =
				cli_select_planned(&kind->selection, kind->catalog, &kind->options);
		if (!status)
			status = plan_all(kind);
	}
	return status;
}

static int prepare(struct live *l)
{
	const struct cli_options *o = l->o;
	int status = load_catalogs(l);
	if (!status)
		status = add_defaults(l);
	if (!status)
		status = read_ids(l, "-p", &o->live.pids, &l->pids);
	if (!status)
		status = read_ids(l, "-t", &o->live.tids, &l->tids);
	if (!status)
		status = select_all(l);
	if (!status)
		status = cli_output_check(o->output);
	if (!status)
		status = check_sessions(l);
	if (!status && o->live.interval && !(l->outlet = cli_outlet_new()))
		status = cli_out_of_memory();
	if (!status)
		status = open_live(l);
	return status ? status : open_lines(l);
}

int cli_live(struct cli_options *o, const struct cli_measure *measure_of)
{
	struct live l = { .o = o, .measure = measure_of };
	int status = prepare(&l);
	if (!status)
		status = measure(&l);
	close_outlet(&l);
	pms_live_close(l.live);
	for (size_t i = 0; i < MOST_KINDS; i++) {
		pms_stream_free(l.lines[i]);
		kind_release(&l.kinds[i]);
	}
	free(l.pids);
	free(l.tids);
	return status;
}

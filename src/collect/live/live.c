/* SPDX-License-Identifier: MIT */
/* The runs of a measurement: open, start, attend, add up. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/status.h"
#include "collect/live/child.h"
#include "collect/live/clock.h"
#include "collect/live/group.h"
#include "collect/live/live.h"
#include "collect/live/part.h"
#include "collect/live/runs.h"
#include "collect/live/sum.h"
#include "collect/live/tally.h"
#include "collect/live/target.h"
#include "collect/live/wait.h"
#include "collect/live/warn.h"

/* Limits for attaching to a process that starts threads meanwhile: the longest attempt, and the
 * time without a new thread after all were opened. A thread is listed a moment after it took its
 * creator's counters. */
static const uint64_t longest_ns = 300000000;
static const struct timespec quiet = { .tv_nsec = 10000000 };

static const int passed_on[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

/* One run: its signals and its command. */
struct run {
	struct pms_live *live;
	struct pms_perf_child child;
	sigset_t before; /* the caller's mask */
	int signals;
	size_t pass; /* of a multirun, else PMS_NO_PASS */
};

static int hold_signals(struct run *r, struct pms_error *err)
{
	sigset_t ours;
	sigemptyset(&ours);
	for (size_t i = 0; i < sizeof(passed_on) / sizeof(passed_on[0]); i++)
		sigaddset(&ours, passed_on[i]);
	pthread_sigmask(SIG_BLOCK, &ours, &r->before);
	r->signals = signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
	return r->signals < 0 ? pms_fail(err, PMS_EHOST, "cannot take signals: %s", strerror(errno))
			      : 0;
}

static void release_signals(struct run *r)
{
	struct signalfd_siginfo info;
	/* Drain signals that came too late to be forwarded to the command: the caller must not
	 * get them. */
	while (r->signals >= 0 && read(r->signals, &info, sizeof(info)) == (ssize_t)sizeof(info))
		;
	if (r->signals >= 0)
		close(r->signals);
	pthread_sigmask(SIG_SETMASK, &r->before, NULL);
}

static int open_cells(struct run *r, bool on_exec, struct pms_error *err)
{
	struct pms_live *live = r->live;
	int rc = pms_perf_target_cells(live, r->child.pid, err);
	if (!rc)
		rc = pms_perf_columns_room(live, err);
	return rc ? rc : pms_perf_groups_open(live, r->pass, on_exec, err);
}

static bool has_newcomers(struct pms_live *live)
{
	pms_perf_target_newcomers(live, &live->newcomers);
	if (live->newcomers.n || !live->options.target.n_pids)
		return live->newcomers.n > 0;
	nanosleep(&quiet, NULL);
	pms_perf_target_newcomers(live, &live->newcomers);
	return live->newcomers.n > 0;
}

/* Open all groups. A new thread is counted if its creator was open by then, which the kernel
 * does not tell. Counting it twice would be as wrong as missing it. So all are opened again
 * until no thread came meanwhile, or time runs out. */
static int open_all(struct run *r, bool on_exec, struct pms_error *err)
{
	struct pms_live *live = r->live;
	uint64_t start = pms_perf_now();
	int rc = open_cells(r, on_exec, err);
	while (!rc && has_newcomers(live) && pms_perf_now() - start < longest_ns) {
		pms_perf_groups_close(live);
		live->n_columns = 1; /* the total; the threads' columns are found anew */
		rc = open_cells(r, on_exec, err);
	}
	return rc;
}

static bool starts_disabled(const struct pms_live_options *o)
{
	return o->delay_ms != 0;
}

static int start(struct run *r, bool on_exec, struct pms_error *err)
{
	struct pms_live *live = r->live;
	char *const *command = live->options.target.command;
	if (!on_exec && !starts_disabled(&live->options))
		pms_perf_groups_enable(live, true);
	/* On a busy machine the command takes a while to appear. */
	int rc = command ? pms_perf_child_start(&r->child, command[0], err) : 0;
	live->start_ns = pms_perf_now();
	return rc;
}

/* Run once, with the caller's signals held, and close everything again. */
static int run_once(struct pms_live *live, size_t pass, pms_live_put *put, void *context,
		    struct pms_error *err)
{
	struct run r = { .live = live, .child = { 0, -1, -1, -1 }, .signals = -1, .pass = pass };
	const struct pms_live_options *o = &live->options;
	bool on_exec = pms_perf_target_is_command(&o->target) && !starts_disabled(o);
	int rc = hold_signals(&r, err);
	if (!rc && o->target.command)
		rc = pms_perf_child_fork(&r.child, o->target.command, &r.before, &live->files, err);
	if (!rc)
		rc = open_all(&r, on_exec, err);
	if (!rc)
		rc = start(&r, on_exec, err);
	if (!rc) {
		rc = pms_perf_wait(live, r.child.pid, r.signals, put, context, err);
		r.child.pid = 0;
	}
	if (!rc) {
		pms_perf_groups_take(live, NULL);
		pms_perf_tally(live, true);
	}
	pms_perf_child_drop(&r.child);
	pms_perf_groups_close(live);
	release_signals(&r);
	return rc;
}

int pms_live_so_far(struct pms_live *live, size_t part, struct pms_counts **out,
		    struct pms_error *err)
{
	pms_perf_tally(live, true);
	pms_perf_sums_clear(live);
	pms_perf_sum_run(live);
	return pms_perf_counts(live, part, false, out, err);
}

int pms_live_interrupted(const struct pms_live *live)
{
	return live->interrupted;
}

/* Make the totals, with the warnings that concern the whole. */
static int make_totals(struct pms_live *live, struct pms_counts **totals, struct pms_error *err)
{
	int rc = 0;
	for (size_t i = 0; i < live->n_parts; i++)
		totals[i] = NULL;
	for (size_t i = 0; i < live->n_parts && !rc; i++) {
		rc = pms_perf_counts(live, i, false, &totals[i], err);
		if (!rc && (pms_perf_warn_newcomers(live, totals[i]) ||
			    pms_perf_warn_returned(live, totals[i]) ||
			    pms_perf_warn_interrupted(live, totals[i]) ||
			    pms_perf_warn_missed(live, &live->missed, totals[i]) ||
			    pms_perf_warn_offline(live, i, totals[i])))
			rc = pms_no_memory(err);
	}
	for (size_t i = 0; i < live->n_parts && rc; i++) {
		pms_counts_free(totals[i]);
		totals[i] = NULL;
	}
	return rc;
}

int pms_live_run(struct pms_live *live, pms_live_put *put, void *context,
		 struct pms_counts **totals, struct pms_error *err)
{
	size_t passes = live->multirun ? pms_perf_most_passes(live) : 1;
	int rc = pms_perf_runs_init(live, err);
	live->interrupted = 0;
	live->n_done = 0;
	for (size_t i = 0; i < live->runs && !rc; i++) {
		struct pms_live_run_of of = { i + 1, live->runs, i % passes + 1, passes };
		if (live->options.starts && live->runs > 1)
			live->options.starts(live->options.starts_context, &of);
		rc = run_once(live, live->multirun ? i % passes : PMS_NO_PASS, put, context, err);
		/* With several runs, one that was cut short does not count, and no further one
		 * starts. */
		bool is_cut = live->interrupted && live->runs > 1;
		if (is_cut && i)
			break;
		if (!rc && put)
			pms_perf_sums_clear(live); /* of the last interval */
		if (!rc)
			pms_perf_sum_run(live);
		if (!rc)
			pms_perf_runs_keep(live, i);
		if (is_cut)
			break;
		live->n_done++;
	}
	return rc ? rc : make_totals(live, totals, err);
}

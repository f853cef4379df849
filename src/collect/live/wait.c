/* SPDX-License-Identifier: MIT */
/* The course of a measurement: intervals, delay, timeout, signals, commands of --control, and
 * its end. Each turn attends to all of these, and makes at most one interval. */
#include "collect/live/wait.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/status.h"
#include "collect/live/child.h"
#include "collect/live/clock.h"
#include "collect/live/control.h"
#include "collect/live/group.h"
#include "collect/live/live.h"
#include "collect/live/sum.h"
#include "collect/live/tally.h"
#include "collect/live/target.h"
#include "collect/live/ticks.h"
#include "collect/live/warn.h"

enum { SIGNALS, CHILD, TICKS, CONTROL, ROOM, N_FDS };
enum { LOOK_MS = 20, FOLLOW_MS = 1000 };
/* A command that was asked to end is killed after KILL_MS, unless set otherwise. After a signal,
 * waiting intervals are made for REST_MS. A receiver that lags for BEHIND_MS without a pause
 * will not catch up. */
enum { KILL_MS = 10000, REST_MS = 500, BEHIND_MS = 10000 };
static const uint64_t ns_per_ms = 1000000;

struct wait {
	struct pms_live *live;
	pid_t child; /* 0: none is running */
	struct pollfd fds[N_FDS];
	uint64_t enable_at, stop_at; /* ns; 0: never */
	uint64_t follow_at;	     /* to look for CPUs that have come online; 0: never */
	uint64_t look_at;	     /* next check whether the target has ended; 0: never */
	uint64_t kill_at;	     /* when to kill the command that was asked to end; 0: never */
	uint64_t hurry_at;	     /* after the end: when to make only the newest reading; 0:
				      * never */
	uint64_t busy_since;	     /* since when readings have always been waiting; 0: none
				      * waits */
	uint64_t cost_ns;	     /* processor time of an interval, an average of some */
	bool over;		     /* nothing is counted any more */
	bool given;		     /* the first interval was */
	struct pms_perf_control control;
	struct pms_perf_ticks *ticks; /* NULL: no intervals */
	pms_live_put *put;
	void *context;
};

/* Interval */

/* Give an interval's counts to the caller, with warnings of what it lacks. */
static int give(struct wait *w, struct pms_error *err)
{
	struct pms_live *live = w->live;
	struct pms_counts **counts = calloc(live->n_parts, sizeof(struct pms_counts *));
	int rc = counts ? 0 : pms_no_memory(err);
	for (size_t i = 0; i < live->n_parts && !rc; i++) {
		rc = pms_perf_counts(live, i, true, &counts[i], err);
		if (!rc && (pms_perf_warn_missed(live, &live->just_missed, counts[i]) ||
			    (!w->given && pms_perf_warn_newcomers(live, counts[i]))))
			rc = pms_no_memory(err);
	}
	w->given = true;
	if (!rc)
		rc = w->put(w->context, counts, err);
	else
		for (size_t i = 0; counts && i < live->n_parts; i++)
			pms_counts_free(counts[i]);
	free(counts);
	return rc;
}

static int interval(struct wait *w, struct pms_error *err)
{
	pms_perf_tally(w->live, false);
	pms_perf_sums_clear(w->live);
	pms_perf_sum_run(w->live);
	return give(w, err);
}

/* Returns whether not all waiting readings can be made: making one takes longer than an interval
 * lasts, or somebody wants the end. */
static bool is_behind(const struct wait *w, uint64_t now)
{
	return w->cost_ns > w->live->options.interval_ms * ns_per_ms ||
	       now - w->busy_since > BEHIND_MS * ns_per_ms || (w->hurry_at && now >= w->hurry_at);
}

/* Make one of the waiting readings. Making all of them may take for ever. */
static int next_interval(struct wait *w, struct pms_error *err)
{
	uint64_t now = pms_perf_now(), start = pms_perf_clock(CLOCK_THREAD_CPUTIME_ID);
	w->busy_since = w->busy_since ? w->busy_since : now;
	if (!pms_perf_ticks_next(w->ticks, is_behind(w, now))) {
		w->busy_since = 0;
		return 0;
	}
	int rc = interval(w, err);
	uint64_t cost = pms_perf_clock(CLOCK_THREAD_CPUTIME_ID) - start;
	w->cost_ns = w->cost_ns - w->cost_ns / 8 + cost / 8;
	return rc;
}

/* Returns whether the receiver of intervals has room. Somebody who wants the end does not wait
 * for it. */
static bool has_room(struct wait *w)
{
	const struct pms_live_options *o = &w->live->options;
	struct pollfd room = { .fd = o->has_room ? o->room_fd : -1, .events = POLLIN };
	bool has = room.fd < 0 || w->hurry_at || poll(&room, 1, 0) > 0;
	w->fds[ROOM].fd = has ? -1 : room.fd;
	w->fds[TICKS].fd = has && !w->over ? pms_perf_ticks_fd(w->ticks) : -1;
	w->busy_since = has ? w->busy_since : 0;
	return has;
}

/* Make the last interval, which no tick has ended. */
static int last_interval(struct wait *w, struct pms_error *err)
{
	pms_perf_groups_take(w->live, NULL);
	return interval(w, err);
}

static int start_ticks(struct wait *w, struct pms_error *err)
{
	if (!w->live->options.interval_ms || !w->put)
		return 0;
	int rc = pms_perf_ticks_start(w->live, &w->ticks, err);
	if (!rc)
		w->fds[TICKS].fd = pms_perf_ticks_fd(w->ticks);
	return rc;
}

/* Signals and the child */

/* Hurry: make waiting readings for a moment, then only the newest. */
static void hurry(struct wait *w)
{
	w->hurry_at = w->hurry_at ? w->hurry_at : pms_perf_now() + REST_MS * ns_per_ms;
}

static void take_signals(struct wait *w)
{
	struct signalfd_siginfo info;
	while (read(w->fds[SIGNALS].fd, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		/* The terminal signals the whole group, which includes the child. */
		bool from_terminal = info.ssi_code == SI_KERNEL;
		w->live->interrupted = (int)info.ssi_signo;
		if (w->over)
			hurry(w);
		if (!w->child)
			w->over = true;
		else if (w->kill_at)
			w->kill_at = pms_perf_now(); /* the sender waits no longer */
		else if (!from_terminal)
			kill(w->child, (int)info.ssi_signo);
	}
}

static void look_after_child(struct wait *w)
{
	if (pms_perf_child_ended(w->child, &w->live->status)) {
		w->child = 0;
		w->over = true;
	} else if (w->kill_at && pms_perf_now() >= w->kill_at) {
		kill(w->child, SIGKILL);
		w->kill_at = pms_perf_now() + LOOK_MS * ns_per_ms;
	}
}

static void look_after_target(struct wait *w)
{
	uint64_t now = pms_perf_now();
	if (!w->look_at || now < w->look_at)
		return;
	w->look_at = now + LOOK_MS * ns_per_ms;
	if (!w->child && pms_perf_target_gone(w->live))
		w->over = true;
}

/* Times */

static void keep_time(struct wait *w)
{
	uint64_t now = pms_perf_now();
	if (w->enable_at && now >= w->enable_at) {
		w->enable_at = 0;
		pms_perf_groups_enable(w->live, true);
	}
	if (w->stop_at && now >= w->stop_at) {
		w->stop_at = 0;
		w->over = true;
	}
}

/* Follow CPUs that come online, at set times: other events may come each millisecond. */
static int follow(struct wait *w, struct pms_error *err)
{
	uint64_t now = pms_perf_now();
	if (!w->follow_at || now < w->follow_at)
		return 0;
	w->follow_at = now + FOLLOW_MS * ns_per_ms;
	return pms_perf_ticks_follow(w->ticks, w->live, err);
}

/* Returns how long nothing has to be done unless something happens. */
static struct timespec until_next(const struct wait *w)
{
	uint64_t now = pms_perf_now(), next = now + FOLLOW_MS * ns_per_ms;
	const uint64_t times[] = { w->enable_at, w->stop_at, w->follow_at, w->look_at, w->kill_at };
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		if (times[i] && times[i] < next)
			next = times[i];
	/* At the end no tick is left to wait for. */
	if (w->over && w->ticks && w->fds[ROOM].fd < 0 && pms_perf_ticks_wait(w->ticks))
		next = now;
	uint64_t left = next > now ? next - now : 0;
	return (struct timespec){ (time_t)(left / 1000000000), (long)(left % 1000000000) };
}

/* Stop counting: what was counted until now stays, whatever happens to the command or to
 * intervals. */
static void stop_counting(struct wait *w)
{
	unsigned patience = w->live->options.kill_ms;
	w->enable_at = w->stop_at = w->follow_at = 0;
	w->control.fd = w->fds[CONTROL].fd = -1;
	if (w->ticks)
		pms_perf_ticks_stop(w->ticks);
	pms_perf_groups_read(w->live);
	if (w->live->interrupted)
		hurry(w);
	if (!w->child)
		return;
	w->kill_at = pms_perf_now() + (patience ? patience : KILL_MS) * ns_per_ms;
	pms_perf_child_end(w->child);
}

static int happen(struct wait *w, struct pms_error *err)
{
	bool was_over = w->over;
	if (w->fds[SIGNALS].revents)
		take_signals(w);
	if (w->fds[CONTROL].revents && pms_perf_control_take(&w->control, w->live))
		w->over = true;
	w->fds[CONTROL].fd = w->control.fd;
	keep_time(w);
	if (w->child)
		look_after_child(w);
	look_after_target(w);
	int rc = w->over ? 0 : follow(w, err);
	if (w->over && !was_over)
		stop_counting(w);
	bool wait = w->ticks && (w->over || w->fds[TICKS].revents || w->fds[ROOM].revents);
	return !rc && wait && has_room(w) ? next_interval(w, err) : rc;
}

static bool is_done(const struct wait *w)
{
	return w->over && !w->child && !(w->ticks && pms_perf_ticks_wait(w->ticks));
}

static int loop(struct wait *w, struct pms_error *err)
{
	int rc = 0;
	while (!rc && !is_done(w)) {
		struct timespec left = until_next(w);
		for (size_t i = 0; i < N_FDS; i++)
			w->fds[i].revents = 0;
		if (ppoll(w->fds, N_FDS, &left, NULL) < 0 && errno != EINTR)
			return pms_fail(err, PMS_EHOST, "cannot wait: %s", strerror(errno));
		rc = happen(w, err);
	}
	return rc;
}

/* Give up after an error: no more intervals are taken, and the command must not be left running. */
static void give_up(struct wait *w)
{
	struct pms_error ignored = { 0 };
	bool was_over = w->over;
	w->over = true;
	if (!was_over)
		stop_counting(w);
	pms_perf_ticks_free(w->ticks);
	w->ticks = NULL;
	w->fds[TICKS].fd = w->fds[ROOM].fd = -1;
	if (loop(w, &ignored)) /* waiting fails, so the command is killed */
		pms_perf_child_reap(w->child, &w->live->status);
}

int pms_perf_wait(struct pms_live *live, pid_t child, int signals, pms_live_put *put, void *context,
		  struct pms_error *err)
{
	const struct pms_live_options *o = &live->options;
	struct wait w = { .live = live, .child = child, .put = put, .context = context };
	for (size_t i = 0; i < N_FDS; i++)
		w.fds[i] = (struct pollfd){ .fd = -1, .events = POLLIN };
	w.control = (struct pms_perf_control){ .fd = o->has_control ? o->control_fd : -1,
					       .ack_fd = o->has_control ? o->ack_fd : -1 };
	w.fds[SIGNALS].fd = signals;
	w.fds[CHILD].fd = child ? pidfd_open(child, 0) : -1;
	w.fds[CONTROL].fd = w.control.fd;
	w.enable_at = o->delay_ms > 0 ? live->start_ns + (uint64_t)o->delay_ms * ns_per_ms : 0;
	w.follow_at = pms_perf_target_is_cpus(&o->target) ? live->start_ns : 0;
	w.stop_at = o->timeout_ms ? live->start_ns + o->timeout_ms * ns_per_ms : 0;
	bool look = child ? w.fds[CHILD].fd < 0 : !pms_perf_target_is_cpus(&o->target);
	w.look_at = look ? live->start_ns : 0;
	int child_fd = w.fds[CHILD].fd;
	int rc = start_ticks(&w, err);
	if (!rc)
		rc = loop(&w, err);
	if (!rc && w.ticks)
		rc = last_interval(&w, err);
	if (rc)
		give_up(&w);
	pms_perf_ticks_free(w.ticks);
	if (child_fd >= 0)
		close(child_fd);
	return rc;
}

/* SPDX-License-Identifier: MIT */
/* The time of a measurement: intervals, delay, timeout, signals, commands of --control, and the end
 * of what is measured. */
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
#include "collect/perf_live.h"

enum { SIGNALS, CHILD, TICKS, CONTROL, N_FDS };
enum { LOOK_MS = 20, FOLLOW_MS = 1000 };
static const uint64_t ns_per_ms = 1000000;

struct wait {
	struct pms_live *live;
	pid_t child; /* 0: none */
	struct pollfd fds[N_FDS];
	uint64_t enable_at, stop_at; /* ns; 0: never */
	uint64_t follow_at;	     /* to look for CPUs that have come online; 0: never */
	bool over;
	struct pms_perf_control control;
	struct pms_perf_ticks *ticks; /* NULL: no intervals */
	pms_live_put *put;
	void *context;
};

uint64_t pms_perf_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Interval */

static int give(struct wait *w, struct pms_error *err)
{
	struct pms_live *live = w->live;
	struct pms_counts **counts = calloc(live->n_parts, sizeof(struct pms_counts *));
	int rc = counts ? 0 : pms_fail(err, PMS_ENOMEM, "out of memory");
	for (size_t i = 0; i < live->n_parts && !rc; i++) {
		rc = pms_perf_counts(live, i, true, &counts[i], err);
		if (!rc && pms_perf_warn_missed(live, live->just_missed, counts[i]))
			rc = pms_fail(err, PMS_ENOMEM, "out of memory");
	}
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

/* Those that have been read meanwhile. */
static int intervals(struct wait *w, struct pms_error *err)
{
	int rc = 0;
	while (!rc && pms_perf_ticks_next(w->ticks))
		rc = interval(w, err);
	return rc;
}

/* What is left: those that wait, and the last one, which no tick has ended. */
static int last_intervals(struct wait *w, struct pms_error *err)
{
	pms_perf_ticks_stop(w->ticks);
	int rc = intervals(w, err);
	if (rc)
		return rc;
	pms_perf_groups_read(w->live);
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

static void take_signals(struct wait *w)
{
	struct signalfd_siginfo info;
	while (read(w->fds[SIGNALS].fd, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		/* The terminal sends to the whole group, which the child is in. */
		bool from_terminal = info.ssi_code == SI_KERNEL;
		if (!w->child)
			w->over = true;
		else if (!from_terminal)
			kill(w->child, (int)info.ssi_signo);
	}
}

static bool child_has_ended(struct wait *w)
{
	siginfo_t info = { 0 };
	return waitid(P_PID, (id_t)w->child, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid;
}

static void reap(struct wait *w)
{
	while (waitpid(w->child, &w->live->status, 0) < 0 && errno == EINTR)
		;
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

/* Not whenever something happens, which may be each millisecond. */
static int follow(struct wait *w, struct pms_error *err)
{
	uint64_t now = pms_perf_now();
	if (!w->follow_at || now < w->follow_at)
		return 0;
	w->follow_at = now + FOLLOW_MS * ns_per_ms;
	return pms_perf_ticks_follow(w->ticks, w->live, err);
}

/* How long nothing has to be done unless something happens. */
static struct timespec until_next(const struct wait *w, bool look)
{
	uint64_t now = pms_perf_now(), next = now + FOLLOW_MS * ns_per_ms;
	if (look)
		next = now + LOOK_MS * ns_per_ms;
	if (w->enable_at && w->enable_at < next)
		next = w->enable_at;
	if (w->stop_at && w->stop_at < next)
		next = w->stop_at;
	if (w->follow_at && w->follow_at < next)
		next = w->follow_at;
	uint64_t left = next > now ? next - now : 0;
	return (struct timespec){ (time_t)(left / 1000000000), (long)(left % 1000000000) };
}

static int happen(struct wait *w, struct pms_error *err)
{
	if (w->fds[SIGNALS].revents)
		take_signals(w);
	if (w->fds[CONTROL].revents && pms_perf_control_take(&w->control, w->live))
		w->over = true;
	w->fds[CONTROL].fd = w->control.fd;
	keep_time(w);
	if (w->child ? child_has_ended(w) : pms_perf_target_gone(w->live))
		w->over = true;
	int rc = follow(w, err);
	return !rc && w->fds[TICKS].revents ? intervals(w, err) : rc;
}

static int loop(struct wait *w, struct pms_error *err)
{
	bool look = w->child ? w->fds[CHILD].fd < 0
			     : !pms_perf_target_is_cpus(&w->live->options.target);
	int rc = 0;
	while (!w->over && !rc) {
		struct timespec left = until_next(w, look);
		for (size_t i = 0; i < N_FDS; i++)
			w->fds[i].revents = 0;
		if (ppoll(w->fds, N_FDS, &left, NULL) < 0 && errno != EINTR)
			return pms_fail(err, PMS_EHOST, "cannot wait: %s", strerror(errno));
		rc = happen(w, err);
	}
	return rc;
}

int pms_perf_wait(struct pms_live *live, pid_t child, int signals, pms_live_put *put, void *context,
		  struct pms_error *err)
{
	const struct pms_live_options *o = &live->options;
	struct wait w = { .live = live, .child = child, .put = put, .context = context };
	for (size_t i = 0; i < N_FDS; i++)
		w.fds[i] = (struct pollfd){ .fd = -1, .events = POLLIN };
	w.fds[SIGNALS].fd = signals;
	w.fds[CHILD].fd = child ? pidfd_open(child, 0) : -1;
	w.control = (struct pms_perf_control){ .fd = o->has_control ? o->control_fd : -1,
					       .ack_fd = o->has_control ? o->ack_fd : -1 };
	w.fds[CONTROL].fd = w.control.fd;
	w.enable_at = o->delay_ms > 0 ? live->start_ns + (uint64_t)o->delay_ms * ns_per_ms : 0;
	w.follow_at = pms_perf_target_is_cpus(&o->target) ? live->start_ns : 0;
	w.stop_at = o->timeout_ms ? live->start_ns + o->timeout_ms * ns_per_ms : 0;
	int rc = start_ticks(&w, err);
	if (!rc)
		rc = loop(&w, err);
	if (child) {
		/* The time is up, or the reader of intervals has gone. */
		if (!child_has_ended(&w))
			kill(child, SIGTERM);
		reap(&w);
	}
	if (!rc && w.ticks)
		rc = last_intervals(&w, err);
	pms_perf_ticks_free(w.ticks);
	if (w.fds[CHILD].fd >= 0)
		close(w.fds[CHILD].fd);
	return rc;
}

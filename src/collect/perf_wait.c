/* SPDX-License-Identifier: MIT */
/* The time of a measurement: intervals, delay, timeout, signals, commands of --control, and the end
 * of what is measured. */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/status.h"
#include "collect/perf_live.h"

enum { SIGNALS, CHILD, TICKS, CONTROL, N_FDS };
enum { LOOK_MS = 20, LONGEST_COMMAND = 64 };
static const uint64_t ns_per_ms = 1000000;

struct wait {
	struct pms_live *live;
	pid_t child; /* 0: none */
	struct pollfd fds[N_FDS];
	uint64_t enable_at, stop_at; /* ns; 0: never */
	bool over;
	char line[LONGEST_COMMAND]; /* of --control, as far as it has come */
	size_t length;
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
	for (size_t i = 0; i < live->n_parts && !rc; i++)
		rc = pms_perf_counts(live, i, true, &counts[i], err);
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
	pms_perf_groups_read(w->live);
	pms_perf_tally(w->live, false);
	pms_perf_sums_clear(w->live);
	pms_perf_sum_run(w->live);
	return give(w, err);
}

/* The timer goes on by itself: reading late moves no later interval. */
static int tick(struct wait *w, struct pms_error *err)
{
	uint64_t expired = 0;
	if (read(w->fds[TICKS].fd, &expired, sizeof(expired)) != (ssize_t)sizeof(expired))
		return 0;
	w->live->missed += (unsigned)(expired - 1);
	return interval(w, err);
}

/* Where the user may: before others on a machine that is busy, or ticks pass unread. It is for some
 * microseconds a tick, and not for a child. Returns what it was, or -1. */
static int hurry(struct sched_param *was)
{
	struct sched_param least = { .sched_priority = sched_get_priority_min(SCHED_RR) };
	int policy = sched_getscheduler(0);
	if (policy != SCHED_OTHER || sched_getparam(0, was))
		return -1;
	return sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &least) ? -1 : policy;
}

static int start_ticks(struct wait *w, struct pms_error *err)
{
	unsigned ms = w->live->options.interval_ms;
	struct timespec period = { ms / 1000, (long)(ms % 1000 * ns_per_ms) };
	uint64_t first = w->live->start_ns + ms * ns_per_ms;
	struct itimerspec timer = { .it_interval = period,
				    .it_value = { (time_t)(first / 1000000000),
						  (long)(first % 1000000000) } };
	if (!ms || !w->put)
		return 0;
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (fd < 0 || timerfd_settime(fd, TFD_TIMER_ABSTIME, &timer, NULL))
		return pms_fail(err, PMS_EHOST, "cannot have a timer: %s", strerror(errno));
	w->fds[TICKS].fd = fd;
	return 0;
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

/* --control */

static void obey(struct wait *w, const char *command)
{
	bool known = true;
	if (!strcmp(command, "enable"))
		pms_perf_groups_enable(w->live, true);
	else if (!strcmp(command, "disable"))
		pms_perf_groups_enable(w->live, false);
	else if (!strcmp(command, "stop"))
		w->over = true;
	else
		known = !strcmp(command, "ping");
	/* perf ends the answer with its zero as well; readers of lines do not mind. */
	if (known && w->live->options.ack_fd >= 0 &&
	    write(w->live->options.ack_fd, "ack\n", 5) != 5)
		w->live->options.ack_fd = -1;
}

static void take_control(struct wait *w)
{
	char bytes[LONGEST_COMMAND];
	ssize_t n = read(w->fds[CONTROL].fd, bytes, sizeof(bytes));
	if (n <= 0 && errno != EAGAIN && errno != EINTR)
		w->fds[CONTROL].fd = -1; /* nobody is going to say anything any more */
	for (ssize_t i = 0; i < n; i++) {
		if (bytes[i] == '\n' || !bytes[i]) {
			w->line[w->length] = 0;
			if (w->length)
				obey(w, w->line);
			w->length = 0;
		} else if (w->length + 1 < sizeof(w->line)) {
			w->line[w->length++] = bytes[i];
		}
	}
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

/* How long nothing has to be done unless something happens. */
static struct timespec until_next(const struct wait *w, bool look)
{
	uint64_t now = pms_perf_now(), next = now + 1000000000;
	if (look)
		next = now + LOOK_MS * ns_per_ms;
	if (w->enable_at && w->enable_at < next)
		next = w->enable_at;
	if (w->stop_at && w->stop_at < next)
		next = w->stop_at;
	uint64_t left = next > now ? next - now : 0;
	return (struct timespec){ (time_t)(left / 1000000000), (long)(left % 1000000000) };
}

static int happen(struct wait *w, struct pms_error *err)
{
	int rc = 0;
	if (w->fds[SIGNALS].revents)
		take_signals(w);
	if (w->fds[CONTROL].revents)
		take_control(w);
	keep_time(w);
	if (w->child && child_has_ended(w))
		w->over = true;
	else if (!w->child && pms_perf_target_gone(w->live))
		w->over = true;
	if (pms_perf_target_is_cpus(&w->live->options.target))
		rc = pms_perf_groups_follow(w->live, err);
	return !rc && w->fds[TICKS].revents ? tick(w, err) : rc;
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
	w.fds[CONTROL].fd = o->has_control ? o->control_fd : -1;
	w.enable_at = o->delay_ms > 0 ? live->start_ns + (uint64_t)o->delay_ms * ns_per_ms : 0;
	w.stop_at = o->timeout_ms ? live->start_ns + o->timeout_ms * ns_per_ms : 0;
	struct sched_param was;
	int rc = start_ticks(&w, err);
	int policy = w.fds[TICKS].fd >= 0 ? hurry(&was) : -1;
	if (!rc)
		rc = loop(&w, err);
	if (policy >= 0)
		sched_setscheduler(0, policy, &was);
	if (child) {
		/* The time is up, or the reader of intervals has gone. */
		if (!child_has_ended(&w))
			kill(child, SIGTERM);
		reap(&w);
	}
	if (!rc && w.fds[TICKS].fd >= 0)
		rc = interval(&w, err); /* what is left of the last one */
	if (w.fds[CHILD].fd >= 0)
		close(w.fds[CHILD].fd);
	if (w.fds[TICKS].fd >= 0)
		close(w.fds[TICKS].fd);
	return rc;
}

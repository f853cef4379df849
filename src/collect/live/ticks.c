/* SPDX-License-Identifier: MIT */
/* Read intervals in a thread that does nothing else, so that they are on time. The measuring
 * thread does the slow work (metrics, lines on a terminal, a session on a slow disk); readings
 * wait for it in a queue. The thread gets a real-time priority where the user may: on a busy
 * machine, a normal thread is often late by more than a tick. */
#include "collect/live/ticks.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/status.h"
#include "collect/live/clock.h"
#include "collect/live/group.h"
#include "collect/live/live.h"

/* The most that waits in the queue. When it is full, readings are left out, and intervals get
 * longer. */
enum { MOST_BYTES = 64 << 20, LEAST_READINGS = 16 };
static const uint64_t ns_per_ms = 1000000;

struct pms_perf_ticks {
	struct pms_live *live;
	pthread_t thread;
	int timer, stop, ready; /* descriptors; `stop` and `ready` count events */
	bool has_thread;
	/* Guards the groups and the members below. */
	pthread_mutex_t lock;
	struct pms_perf_reading *first, *last, *unused;
	size_t bytes;		       /* of those that wait */
	bool at_once;		       /* give each reading at once: the receiver lags behind */
	struct pms_perf_missed missed; /* since the last queued reading */
};

static void lock(struct pms_perf_ticks *t)
{
	pthread_mutex_lock(&t->lock);
}

static void unlock(struct pms_perf_ticks *t)
{
	pthread_mutex_unlock(&t->lock);
}

/* Returns a reading to fill, a used one where possible, to save an allocation. NULL: the queue
 * is full. */
static struct pms_perf_reading *take_unused(struct pms_perf_ticks *t, size_t numbers)
{
	struct pms_perf_reading *r = t->unused;
	size_t size = sizeof(*r) + numbers * sizeof(r->numbers[0]);
	if (t->bytes + size > MOST_BYTES && t->bytes > LEAST_READINGS * size)
		return NULL;
	if (r)
		t->unused = r->next;
	if (r && r->room >= numbers)
		return r;
	free(r);
	r = malloc(size);
	if (r)
		r->room = numbers;
	return r;
}

static void queue(struct pms_perf_ticks *t, struct pms_perf_reading *r)
{
	r->next = NULL;
	if (t->last)
		t->last->next = r;
	else
		t->first = r;
	t->last = r;
	t->bytes += sizeof(*r) + r->room * sizeof(r->numbers[0]);
}

/* Returns whether to wake the other thread. That takes longer than reading, so short ticks are
 * given several at a time. */
static bool is_time_to_give(const struct pms_perf_ticks *t, uint64_t now)
{
	const struct pms_live_options *o = &t->live->options;
	return t->at_once ||
	       now + o->interval_ms * ns_per_ms >= t->first->at_ns + o->gather_ms * ns_per_ms ||
	       t->bytes > MOST_BYTES / 2;
}

/* Read the counters and queue the reading, or note that it was missed. */
static void take_reading(struct pms_perf_ticks *t, uint64_t expired)
{
	lock(t);
	uint64_t now = pms_perf_now();
	pms_perf_groups_read(t->live);
	struct pms_perf_reading *r = take_unused(t, pms_perf_groups_numbers(t->live));
	t->missed.late += (unsigned)(expired - 1);
	t->missed.skipped += !r;
	if (r) {
		r->at_ns = now;
		r->missed = t->missed;
		t->missed = (struct pms_perf_missed){ 0 };
		pms_perf_groups_copy(t->live, r);
		queue(t, r);
	}
	bool is_time = r && is_time_to_give(t, now);
	unlock(t);
	uint64_t one = 1;
	/* It fails only when the counter is full, and then it reports readings anyway. */
	if (is_time && write(t->ready, &one, sizeof(one)) < 0)
		return;
}

/* Read at each tick. The timer keeps its beat, so a late reading delays no later tick. */
static void *read_ticks(void *context)
{
	struct pms_perf_ticks *t = context;
	struct pollfd fds[] = { { .fd = t->timer, .events = POLLIN },
				{ .fd = t->stop, .events = POLLIN } };
	while (!fds[1].revents) {
		uint64_t expired;
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			break;
		if (fds[0].revents &&
		    read(t->timer, &expired, sizeof(expired)) == (ssize_t)sizeof(expired))
			take_reading(t, expired);
	}
	return NULL;
}

/* Start the thread with its priority, which it uses some microseconds each tick. A thread that
 * had to ask for it first would miss ticks meanwhile. */
static int start_hurried(struct pms_perf_ticks *t)
{
	struct sched_param least = { .sched_priority = sched_get_priority_min(SCHED_RR) };
	pthread_attr_t attr;
	if (pthread_attr_init(&attr))
		return ENOMEM;
	int rc = pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
	if (!rc)
		rc = pthread_attr_setschedpolicy(&attr, SCHED_RR);
	if (!rc)
		rc = pthread_attr_setschedparam(&attr, &least);
	if (!rc)
		rc = pthread_create(&t->thread, &attr, read_ticks, t);
	pthread_attr_destroy(&attr);
	return rc;
}

/* Start the thread with all signals blocked: they belong to the caller's thread. */
static int start_thread(struct pms_perf_ticks *t, struct pms_error *err)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int rc = start_hurried(t);
	t->live->hurried = !rc;
	if (rc)
		rc = pthread_create(&t->thread, NULL, read_ticks, t);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	t->has_thread = !rc;
	return rc ? pms_fail(err, PMS_EHOST, "cannot start a thread: %s", strerror(rc)) : 0;
}

/* Make a lock whose holder inherits the priority of a waiting thread. */
static int make_lock(pthread_mutex_t *mutex)
{
	pthread_mutexattr_t attr;
	int rc = pthread_mutexattr_init(&attr);
	if (rc)
		return rc;
	rc = pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
	if (!rc)
		rc = pthread_mutex_init(mutex, &attr);
	pthread_mutexattr_destroy(&attr);
	return rc;
}

static int start_timer(struct pms_perf_ticks *t, struct pms_error *err)
{
	unsigned ms = t->live->options.interval_ms;
	uint64_t first = t->live->start_ns + ms * ns_per_ms;
	struct itimerspec timer = { .it_interval = { ms / 1000, (long)(ms % 1000 * ns_per_ms) },
				    .it_value = { (time_t)(first / 1000000000),
						  (long)(first % 1000000000) } };
	t->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	t->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	t->ready = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (t->timer < 0 || t->stop < 0 || t->ready < 0 ||
	    timerfd_settime(t->timer, TFD_TIMER_ABSTIME, &timer, NULL))
		return pms_fail(err, PMS_EHOST, "cannot have a timer: %s", strerror(errno));
	return 0;
}

int pms_perf_ticks_start(struct pms_live *live, struct pms_perf_ticks **out, struct pms_error *err)
{
	struct pms_perf_ticks *t = calloc(1, sizeof(*t));
	if (!t || make_lock(&t->lock)) {
		free(t);
		return pms_no_memory(err);
	}
	t->live = live;
	t->timer = t->stop = t->ready = -1;
	int rc = start_timer(t, err);
	if (!rc)
		rc = start_thread(t, err);
	if (rc)
		pms_perf_ticks_free(t);
	else
		*out = t;
	return rc;
}

void pms_perf_ticks_stop(struct pms_perf_ticks *t)
{
	uint64_t one = 1;
	if (!t->has_thread)
		return;
	while (write(t->stop, &one, sizeof(one)) < 0 && errno == EINTR)
		;
	pthread_join(t->thread, NULL);
	t->has_thread = false;
	pms_perf_missed_add(&t->live->missed, &t->missed); /* missed after the last reading that
							    * was queued */
	t->missed = (struct pms_perf_missed){ 0 };
}

static void free_readings(struct pms_perf_reading *r)
{
	while (r) {
		struct pms_perf_reading *next = r->next;
		free(r);
		r = next;
	}
}

void pms_perf_ticks_free(struct pms_perf_ticks *t)
{
	if (!t)
		return;
	pms_perf_ticks_stop(t);
	free_readings(t->first);
	free_readings(t->unused);
	const int fds[] = { t->timer, t->stop, t->ready };
	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	pthread_mutex_destroy(&t->lock);
	free(t);
}

int pms_perf_ticks_fd(const struct pms_perf_ticks *t)
{
	return t->ready;
}

bool pms_perf_ticks_wait(struct pms_perf_ticks *t)
{
	lock(t);
	bool wait = t->first != NULL;
	unlock(t);
	return wait;
}

static struct pms_perf_reading *unqueue(struct pms_perf_ticks *t)
{
	struct pms_perf_reading *r = t->first;
	t->first = r->next;
	t->last = t->first ? t->last : NULL;
	t->bytes -= sizeof(*r) + r->room * sizeof(r->numbers[0]);
	return r;
}

static void put_back(struct pms_perf_ticks *t, struct pms_perf_reading *r)
{
	r->next = t->unused;
	t->unused = r;
}

/* Skip to the newest reading: counters go on, so it includes the earlier ones. */
static void skip_to_newest(struct pms_perf_ticks *t)
{
	while (t->first && t->first->next) {
		struct pms_perf_reading *r = unqueue(t);
		pms_perf_missed_add(&t->first->missed, &r->missed);
		t->first->missed.skipped++;
		put_back(t, r);
	}
}

bool pms_perf_ticks_next(struct pms_perf_ticks *t, bool newest)
{
	uint64_t count;
	struct pms_perf_reading *r = NULL;
	lock(t);
	t->at_once = newest;
	if (newest)
		skip_to_newest(t);
	if (t->first)
		r = unqueue(t);
	else if (read(t->ready, &count, sizeof(count)) < 0)
		count = 0; /* none has come meanwhile either */
	unlock(t);
	if (!r)
		return false;
	pms_perf_groups_take(t->live, r);
	lock(t);
	put_back(t, r);
	unlock(t);
	return true;
}

int pms_perf_ticks_follow(struct pms_perf_ticks *t, struct pms_live *live, struct pms_error *err)
{
	if (t)
		lock(t);
	int rc = pms_perf_groups_follow(live, err);
	if (t)
		unlock(t);
	return rc;
}

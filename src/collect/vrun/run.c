/* SPDX-License-Identifier: MIT */
#include "collect/vrun/run.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"

static const int passed_on[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

/* Start a child with the signal mask and personality of this moment. */
static int spawn(struct pms_child *child, const sigset_t *mask)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	for (int fd = 0; child->streams && fd < PMS_STREAMS; fd++)
		posix_spawn_file_actions_adddup2(&actions, child->streams[fd], fd);
	/* Duplicating onto itself clears close-on-exec, in the child only. */
	posix_spawn_file_actions_adddup2(&actions, child->keep_fd, child->keep_fd);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attributes, mask);
	int was = personality(0xffffffff);
	if (was >= 0)
		personality((unsigned long)was | ADDR_NO_RANDOMIZE);
	int error = posix_spawn(&child->pid, child->path, &actions, &attributes, child->argv,
				child->env);
	if (was >= 0)
		personality((unsigned long)was);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	child->pid_fd = error ? -1 : pidfd_open(child->pid, 0);
	return error;
}

/* The children that run at once. */
struct crew {
	const struct pms_crew *of;
	struct pms_child *running[PMS_CREW_MOST];
	unsigned n;
	int signals;   /* signalfd(2) */
	bool stopping; /* no more are started */
	sigset_t mask; /* theirs */
};

/* Take all waiting signals; pass those sent only to this process on to the children. */
static void signals_take(struct crew *c)
{
	struct signalfd_siginfo info;
	while (read(c->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		c->stopping = true;
		/* The terminal signals the whole group, which includes the children. */
		bool from_terminal = info.ssi_code == SI_KERNEL;
		for (unsigned i = 0; i < c->n && !from_terminal; i++)
			kill(c->running[i]->pid, (int)info.ssi_signo);
	}
}

/* Returns whether a child has ended and can be reaped. */
static bool has_ended(pid_t pid)
{
	siginfo_t info = { 0 };
	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid;
}

/* Wait for a signal or the end of a child. Where no descriptor can report that, look from time to
 * time. */
static void attend(struct crew *c)
{
	enum { LOOK_MS = 20 };
	struct pollfd fds[1 + PMS_CREW_MOST] = { { .fd = c->signals, .events = POLLIN } };
	bool blind = false;
	for (unsigned i = 0; i < c->n; i++) {
		fds[1 + i] = (struct pollfd){ .fd = c->running[i]->pid_fd, .events = POLLIN };
		blind |= c->running[i]->pid_fd < 0;
	}
	poll(fds, 1 + c->n, blind ? LOOK_MS : -1);
	signals_take(c);
}

static void reap(struct pms_child *child)
{
	while (waitpid(child->pid, &child->status, 0) < 0 && errno == EINTR)
		;
	if (child->pid_fd >= 0)
		close(child->pid_fd);
}

/* Hand over the children that have ended. */
static int reap_all(struct crew *c, struct pms_error *err)
{
	int rc = 0;
	for (unsigned i = 0; i < c->n;) {
		struct pms_child *child = c->running[i];
		if (!has_ended(child->pid)) {
			i++;
			continue;
		}
		reap(child);
		c->running[i] = c->running[--c->n];
		if (!rc)
			rc = c->of->ended(c->of->context, child, err);
	}
	return rc;
}

/* Start children while there is room. Returns 0 also when there are no more. */
static int start_all(struct crew *c, struct pms_error *err)
{
	unsigned most = c->of->most < PMS_CREW_MOST ? c->of->most : PMS_CREW_MOST;
	while (!c->stopping && c->n < most) {
		struct pms_child *child = NULL;
		int rc = c->of->next(c->of->context, &child, err);
		if (rc || !child)
			return rc;
		int error = spawn(child, &c->mask);
		if (error) {
			rc = pms_fail_at(err, PMS_EHOST, child->path, 0, 0, "cannot be started: %s",
					 strerror(error));
			c->of->dropped(c->of->context, child);
			return rc;
		}
		c->running[c->n++] = child;
	}
	return 0;
}

/* End what still runs after a failure. */
static void end_all(struct crew *c)
{
	for (unsigned i = 0; i < c->n; i++)
		kill(c->running[i]->pid, SIGKILL);
	while (c->n) {
		reap(c->running[--c->n]);
		c->of->dropped(c->of->context, c->running[c->n]);
	}
}

static int run_all(struct crew *c, struct pms_error *err)
{
	int rc = start_all(c, err);
	while (!rc && c->n) {
		attend(c);
		rc = reap_all(c, err);
		if (!rc)
			rc = start_all(c, err);
	}
	end_all(c);
	signals_take(c); /* too late for the programs, and not meant for the caller */
	return rc;
}

int pms_run_crew(const struct pms_crew *crew, struct pms_error *err)
{
	struct crew c = { .of = crew };
	sigset_t ours;
	sigemptyset(&ours);
	for (size_t i = 0; i < sizeof(passed_on) / sizeof(passed_on[0]); i++)
		sigaddset(&ours, passed_on[i]);
	pthread_sigmask(SIG_BLOCK, &ours, &c.mask);
	c.signals = signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
	int rc = c.signals < 0 ? pms_fail(err, PMS_EHOST, "no descriptor for signals: %s",
					  strerror(errno))
			       : run_all(&c, err);
	if (c.signals >= 0)
		close(c.signals);
	pthread_sigmask(SIG_SETMASK, &c.mask, NULL);
	return rc;
}

static int next_of_one(void *context, struct pms_child **child, struct pms_error *err)
{
	struct pms_child **left = context;
	(void)err;
	*child = *left;
	*left = NULL;
	return 0;
}

static int one_ended(void *context, struct pms_child *child, struct pms_error *err)
{
	(void)context;
	(void)child;
	(void)err;
	return 0;
}

static void one_dropped(void *context, struct pms_child *child)
{
	(void)context;
	(void)child;
}

int pms_run(struct pms_child *child, struct pms_error *err)
{
	struct pms_child *left = child;
	return pms_run_crew(&(struct pms_crew){ .most = 1,
						.next = next_of_one,
						.ended = one_ended,
						.dropped = one_dropped,
						.context = &left },
			    err);
}

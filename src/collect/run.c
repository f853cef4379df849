/* SPDX-License-Identifier: MIT */
#include "collect/run.h"

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

/* The child starts with the mask and personality of the moment of the call. */
static int spawn(const char *path, char *const *argv, char *const *env, int keep_fd,
		 const sigset_t *mask, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	/* Onto itself: that clears close-on-exec, in the child alone. */
	posix_spawn_file_actions_adddup2(&actions, keep_fd, keep_fd);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attributes, mask);
	int was = personality(0xffffffff);
	if (was >= 0)
		personality((unsigned long)was | ADDR_NO_RANDOMIZE);
	int error = posix_spawn(pid, path, &actions, &attributes, argv, env);
	if (was >= 0)
		personality((unsigned long)was);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return error;
}

/* Take every signal that waits; pass on those that were sent to this process alone. */
static void signals_take(int signals, int child)
{
	struct signalfd_siginfo info;
	while (read(signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		/* The terminal sends to the whole group, which the child is in. */
		bool from_terminal = info.ssi_code == SI_KERNEL;
		if (!from_terminal)
			pidfd_send_signal(child, (int)info.ssi_signo, NULL, 0);
	}
}

static void attend(int signals, int child)
{
	struct pollfd fds[] = { { .fd = child, .events = POLLIN },
				{ .fd = signals, .events = POLLIN } };
	while (!(fds[0].revents & POLLIN)) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			break;
		signals_take(signals, child);
	}
}

static int reap(pid_t pid)
{
	int status = 0;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

int pms_run(const char *path, char *const *argv, char *const *env, int keep_fd, int *status,
	    struct pms_error *err)
{
	sigset_t ours, before;
	pid_t pid;
	sigemptyset(&ours);
	for (size_t i = 0; i < sizeof(passed_on) / sizeof(passed_on[0]); i++)
		sigaddset(&ours, passed_on[i]);
	pthread_sigmask(SIG_BLOCK, &ours, &before);
	int signals = signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
	int error = signals < 0 ? errno : spawn(path, argv, env, keep_fd, &before, &pid);
	if (!error) {
		int child = pidfd_open(pid, 0);
		attend(signals, child);
		*status = reap(pid);
		signals_take(signals, child);
		close(child);
	}
	if (signals >= 0)
		close(signals);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error)
		return pms_fail_at(err, PMS_EHOST, path, 0, 0, "cannot be started: %s",
				   strerror(error));
	return 0;
}

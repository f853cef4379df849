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

/* Start the child with the signal mask and personality of this moment. */
static int spawn(const char *path, char *const *argv, char *const *env, int keep_fd,
		 const sigset_t *mask, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	/* Duplicating onto itself clears close-on-exec, in the child only. */
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

/* Take all waiting signals; pass those sent only to this process on to @pid. */
static void signals_take(int signals, pid_t pid)
{
	struct signalfd_siginfo info;
	while (read(signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		/* The terminal signals the whole group, which includes the child. */
		bool from_terminal = info.ssi_code == SI_KERNEL;
		if (pid && !from_terminal)
			kill(pid, (int)info.ssi_signo);
	}
}

/* Returns whether the child has ended and can be reaped. */
static bool has_ended(pid_t pid)
{
	siginfo_t info = { 0 };
	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid;
}

/* Wait for the child to end. Where no descriptor can report that, poll from time to time. */
static void attend(int signals, pid_t pid)
{
	enum { LOOK_MS = 20 };
	int child = pidfd_open(pid, 0);
	struct pollfd fds[] = { { .fd = signals, .events = POLLIN },
				{ .fd = child, .events = POLLIN } };
	do {
		if (poll(fds, 2, child < 0 ? LOOK_MS : -1) < 0 && errno != EINTR)
			break;
		signals_take(signals, pid);
	} while (!has_ended(pid));
	if (child >= 0)
		close(child);
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
		attend(signals, pid);
		*status = reap(pid);
		signals_take(signals, 0); /* too late for the program, and not meant for the
					   * caller */
	}
	if (signals >= 0)
		close(signals);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error)
		return pms_fail_at(err, PMS_EHOST, path, 0, 0, "cannot be started: %s",
				   strerror(error));
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include "interrupt.h"

#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* First the signals with which users and shells end programs; then all others that end a program
 * which is not itself broken. */
static const int ending[] = { SIGHUP,  SIGINT,	SIGQUIT, SIGTERM, SIGPIPE,   SIGALRM,
			      SIGUSR1, SIGUSR2, SIGPOLL, SIGPROF, SIGVTALRM, SIGXCPU };

enum { HELD = 4 }; /* cli_hold_signals holds the first of these */

/* The state of the signal handler, which is given no context. */
static struct {
	volatile sig_atomic_t armed; /* 1: the members below are set */
	int folder;
	const char *name;
	struct sigaction before[COUNT(ending)];
} guard;

void cli_hold_signals(sigset_t *old)
{
	sigset_t set;
	sigemptyset(&set);
	for (size_t i = 0; i < HELD; i++)
		sigaddset(&set, ending[i]);
	sigprocmask(SIG_BLOCK, &set, old);
}

/* An ignored signal would also wait while it is blocked. */
static int is_ignored(int number)
{
	struct sigaction action;
	return !sigaction(number, NULL, &action) && action.sa_handler == SIG_IGN;
}

int cli_stopped(void)
{
	sigset_t set;
	if (sigpending(&set))
		return 0;
	for (size_t i = 0; i < HELD; i++)
		if (sigismember(&set, ending[i]) && !is_ignored(ending[i]))
			return 1;
	return 0;
}

void cli_guard_remove(void)
{
	if (guard.armed)
		unlinkat(guard.folder, guard.name, 0);
}

/* Remove the file, restore the signal's own action, and send it again, so that it ends us as
 * usual. */
static void remove_and_end(int number)
{
	cli_guard_remove();
	raise(number);
}

void cli_guard(int folder, const char *name)
{
	struct sigaction action = { .sa_handler = remove_and_end,
				    .sa_flags = (int)SA_RESETHAND | SA_NODEFER };
	guard.folder = folder;
	guard.name = name;
	guard.armed = 1;
	for (size_t i = 0; i < COUNT(ending); i++)
		sigaddset(&action.sa_mask, ending[i]);
	for (size_t i = 0; i < COUNT(ending); i++) {
		sigaction(ending[i], NULL, &guard.before[i]);
		if (guard.before[i].sa_handler == SIG_DFL)
			sigaction(ending[i], &action, NULL);
	}
}

void cli_unguard(void)
{
	for (size_t i = 0; i < COUNT(ending) && guard.armed; i++)
		sigaction(ending[i], &guard.before[i], NULL);
	guard.armed = 0;
}

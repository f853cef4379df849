/* SPDX-License-Identifier: MIT */
#include "interrupt.h"

#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* What people and shells end programs with comes first; of the rest, whatever a program is sent or
 * brings about without being broken. */
static const int ending[] = { SIGHUP,  SIGINT,	SIGQUIT, SIGTERM, SIGPIPE,   SIGALRM,
			      SIGUSR1, SIGUSR2, SIGPOLL, SIGPROF, SIGVTALRM, SIGXCPU };

enum { HELD = 4 }; /* of these, in order */

/* A signal handler is given no context: this is its. */
static struct {
	volatile sig_atomic_t armed; /* 1: the rest is there */
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

/* A signal that is ignored waits too, while it is blocked. */
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

/* The signal's own action is back in force: it ends us as if nothing had been there. */
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

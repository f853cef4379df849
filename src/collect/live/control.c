/* SPDX-License-Identifier: MIT */
/* Commands of --control, as perf has them: a line each, answered when they are obeyed. */
#include "collect/live/control.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collect/live/group.h"

/* Obey a command. Returns 1 to stop, 0 to go on, -1 for an unknown command. */
static int obey(struct pms_live *live, const char *command)
{
	if (!strcmp(command, "enable"))
		pms_perf_groups_enable(live, true);
	else if (!strcmp(command, "disable"))
		pms_perf_groups_enable(live, false);
	else if (!strcmp(command, "stop"))
		return 1;
	else if (strcmp(command, "ping") != 0)
		return -1;
	return 0;
}

/* Write as write(2) does, but without SIGPIPE when the reader has gone. */
static ssize_t write_quietly(int fd, const void *bytes, size_t size)
{
	static const struct timespec at_once = { 0 };
	sigset_t broken, pending, before;
	sigemptyset(&broken);
	sigaddset(&broken, SIGPIPE);
	sigpending(&pending);
	pthread_sigmask(SIG_BLOCK, &broken, &before);
	ssize_t n = write(fd, bytes, size);
	int number = errno;
	if (n < 0 && number == EPIPE && !sigismember(&pending, SIGPIPE))
		sigtimedwait(&broken, NULL, &at_once);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = number;
	return n;
}

/* Answer, but never wait: the measured program must not stall for a reader that does not read. */
static void answer(struct pms_perf_control *control)
{
	struct pollfd ack = { .fd = control->ack_fd, .events = POLLOUT };
	if (ack.fd < 0 || poll(&ack, 1, 0) <= 0)
		return;
	/* perf ends the answer with its zero as well; readers of lines do not mind. */
	if (write_quietly(ack.fd, "ack\n", 5) != 5)
		control->ack_fd = -1;
}

bool pms_perf_control_take(struct pms_perf_control *control, struct pms_live *live)
{
	char bytes[sizeof(control->line)];
	bool stop = false;
	ssize_t n = read(control->fd, bytes, sizeof(bytes));
	if (!n || (n < 0 && errno != EAGAIN && errno != EINTR))
		control->fd = -1; /* no more commands can come */
	for (ssize_t i = 0; i < n; i++) {
		if (bytes[i] != '\n' && bytes[i]) {
			if (control->length + 1 < sizeof(control->line))
				control->line[control->length++] = bytes[i];
			continue;
		}
		control->line[control->length] = 0;
		int does = control->length ? obey(live, control->line) : -1;
		control->length = 0;
		stop = stop || does > 0;
		if (does >= 0)
			answer(control);
	}
	return stop;
}

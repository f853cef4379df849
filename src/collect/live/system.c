/* SPDX-License-Identifier: MIT */
#include "collect/live/system.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static int host_open(void *context, struct perf_event_attr *attr, pid_t pid, int cpu, int group,
		     unsigned long flags)
{
	(void)context;
	return (int)syscall(SYS_perf_event_open, attr, pid, cpu, group, flags);
}

const struct pms_perf_system pms_perf_host = { .root = "", .open = host_open };

/* Raise the limit of descriptors to the hard limit, which root raises too, as far as the kernel
 * allows. */
static int raise_limit(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit))
		return -1;
	if (limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
	} else {
		if (limit.rlim_max >= 1 << 20)
			return -1;
		limit.rlim_cur = limit.rlim_max = 1 << 20;
	}
	return setrlimit(RLIMIT_NOFILE, &limit);
}

int pms_perf_open(const struct pms_perf_system *system, struct perf_event_attr *attr, pid_t pid,
		  int cpu, int group, unsigned long flags)
{
	for (;;) {
		int fd = system->open(system->context, attr, pid, cpu, group,
				      flags | PERF_FLAG_FD_CLOEXEC);
		if (fd >= 0)
			return fd;
		int number = errno;
		if (number == EINTR || (number == EMFILE && !raise_limit()))
			continue;
		errno = number;
		return -1;
	}
}

/* SPDX-License-Identifier: MIT */
/* timer COUNT: wait for a timer of 10 ms as pmuscope does, and do nothing else. Takes a real-time
 * priority where the system allows it. Prints how many ticks were read too late, after the next
 * one's time. A machine misses these ticks by itself. */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	long left = argc > 1 ? atol(argv[1]) : 1000;
	struct sched_param least = { .sched_priority = sched_get_priority_min(SCHED_RR) };
	const struct itimerspec timer = { { 0, 10000000 }, { 0, 10000000 } };
	uint64_t expired, missed = 0;
	int fd = timerfd_create(CLOCK_MONOTONIC, 0);
	if (sched_setscheduler(0, SCHED_RR, &least))
		perror("timer: no real-time priority");
	if (fd < 0 || timerfd_settime(fd, 0, &timer, NULL))
		return 1;
	while (left > 0 && read(fd, &expired, sizeof(expired)) == (ssize_t)sizeof(expired)) {
		missed += expired - 1;
		left -= (long)expired;
	}
	printf("%llu\n", (unsigned long long)missed);
	return 0;
}

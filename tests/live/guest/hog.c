/* SPDX-License-Identifier: MIT */
/* hog N: hold N counters of CPU 0 that any event fits into, until it is killed. */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	for (int left = argc > 1 ? atoi(argv[1]) : 0; left > 0; left--) {
		struct perf_event_attr attr = { .type = PERF_TYPE_RAW,
						.size = sizeof(attr),
						.config = 0x08, /* INST_RETIRED */
						.pinned = 1 };
		if (syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC) < 0)
			perror("hog");
	}
	puts("held");
	fflush(stdout);
	pause();
	return 0;
}

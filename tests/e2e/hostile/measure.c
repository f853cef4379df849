/* SPDX-License-Identifier: MIT */
/* Runs a command within limits, and says what it took: what the kernel says of a child's memory
 * includes that of whoever started it, which for Python is too much. measure OUT WALL CPU ADDRESSES
 * COMMAND [ARGUMENT...] OUT gets the exit status or the signal below 0, microseconds of processor
 * time, and KiB of memory. WALL and CPU are seconds, ADDRESSES bytes. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t child;

static void on_alarm(int number)
{
	(void)number;
	kill(child, SIGKILL);
}

static void limit(int resource, const char *text)
{
	rlim_t n = strtoull(text, NULL, 10);
	setrlimit(resource, &(struct rlimit){ n, n });
}

static long long microseconds(struct timeval t)
{
	return (long long)t.tv_sec * 1000000 + t.tv_usec;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	int status;
	if (argc < 6)
		return 2;
	child = fork();
	if (!child) {
		limit(RLIMIT_CPU, argv[3]);
		limit(RLIMIT_AS, argv[4]);
		limit(RLIMIT_CORE, "0");
		execvp(argv[5], argv + 5);
		_exit(127);
	}
	signal(SIGALRM, on_alarm);
	alarm((unsigned)atoi(argv[2]));
	while (wait4(child, &status, 0, &usage) < 0)
		;
	FILE *out = fopen(argv[1], "w");
	if (!out)
		return 2;
	fprintf(out, "%d %lld %ld\n", WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status),
		microseconds(usage.ru_utime) + microseconds(usage.ru_stime), usage.ru_maxrss);
	return fclose(out) ? 2 : 0;
}

/* SPDX-License-Identifier: MIT */
/* counts [-g] [-k] TYPE:CONFIG... -- COMMAND...: count by the kernel's own interface and nothing
 * else, to know what the test machine has, apart from what pmuscope makes of it. -g: one group; -k:
 * kernel too. Prints a line an event: TYPE:CONFIG VALUE ENABLED RUNNING, or TYPE:CONFIG and the
 * error's name. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define EVENTS 32

struct event {
	const char *name;
	int fd; /* or -errno */
};

struct options {
	int group, kernel;
	struct event events[EVENTS];
	int n;
	char **command;
};

static int parse(char **argv, struct options *o)
{
	for (argv++; *argv && strcmp(*argv, "--") != 0; argv++) {
		if (strcmp(*argv, "-g") == 0)
			o->group = 1;
		else if (strcmp(*argv, "-k") == 0)
			o->kernel = 1;
		else if (o->n < EVENTS)
			o->events[o->n++].name = *argv;
		else
			return -1;
	}
	if (!*argv || !argv[1] || !o->n)
		return -1;
	o->command = argv + 1;
	return 0;
}

/* Open one event on the child, to count from its exec on. */
static int event_open(const char *name, pid_t child, int leader, const struct options *o)
{
	char *colon;
	struct perf_event_attr attr = { .size = sizeof(attr) };
	attr.type = (uint32_t)strtoul(name, &colon, 0);
	attr.config = *colon ? strtoull(colon + 1, NULL, 0) : 0;
	attr.disabled = attr.enable_on_exec = leader < 0;
	attr.exclude_kernel = !o->kernel;
	attr.inherit =
		!o->group; /* the kernel takes no group that is read member by member otherwise */
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	long fd = syscall(SYS_perf_event_open, &attr, child, -1, leader, 0UL);
	return fd < 0 ? -errno : (int)fd;
}

/* A child that waits for a byte before it becomes the command. */
static pid_t start(char **command, int *go)
{
	int pipes[2];
	if (pipe(pipes))
		return -1;
	pid_t pid = fork();
	if (pid) {
		close(pipes[0]);
		*go = pipes[1];
		return pid;
	}
	close(pipes[1]);
	char byte;
	if (read(pipes[0], &byte, 1) == 1)
		execvp(command[0], command);
	_exit(127);
}

static void show(const struct event *event)
{
	uint64_t v[3];
	if (event->fd < 0)
		printf("%s %s\n", event->name, strerrorname_np(-event->fd));
	else if (read(event->fd, v, sizeof(v)) != sizeof(v))
		printf("%s unreadable\n", event->name);
	else
		printf("%s %llu %llu %llu\n", event->name, (unsigned long long)v[0],
		       (unsigned long long)v[1], (unsigned long long)v[2]);
}

int main(int argc, char **argv)
{
	struct options o = { 0 };
	if (argc < 2 || parse(argv, &o)) {
		fputs("usage: counts [-g] [-k] TYPE:CONFIG... -- COMMAND...\n", stderr);
		return 2;
	}
	int go = -1, status = 0;
	pid_t child = start(o.command, &go);
	if (child < 0)
		return 3;
	for (int i = 0; i < o.n; i++) {
		int leader = o.group && i ? o.events[0].fd : -1;
		o.events[i].fd = event_open(o.events[i].name, child, leader, &o);
	}
	if (write(go, "", 1) != 1 || waitpid(child, &status, 0) < 0)
		return 3;
	for (int i = 0; i < o.n; i++)
		show(&o.events[i]);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* SPDX-License-Identifier: MIT */
/* Runs the kernel of a workload: program [TURNS], or program /PART for a part of its own. */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct workload {
	uint64_t turns;
	uint64_t bytes;
	void (*fill)(char *memory, uint64_t bytes);
	uint64_t threads;
};

extern const struct workload workload;
void kernel(uint64_t turns, char *memory);

enum { MOST_THREADS = 16 };

struct run {
	uint64_t turns;
	char *memory;
};

static void *run(void *arg)
{
	const struct run *r = arg;
	kernel(r->turns, r->memory);
	return NULL;
}

static int fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	return 1;
}

/* Pages of 4 KiB: with huge ones there would be no TLB to speak of. */
static char *memory_of(uint64_t bytes)
{
	char *memory =
		mmap(NULL, bytes + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory != MAP_FAILED)
		madvise(memory, bytes + 1, MADV_NOHUGEPAGE); /* a kernel without them says no */
	return memory;
}

/* 0: not to be understood. */
static uint64_t turns_of(const char *text)
{
	if (!text)
		return workload.turns;
	if (*text != '/')
		return strtoull(text, NULL, 10);
	uint64_t part = strtoull(text + 1, NULL, 10);
	return !part ? 0 : part < workload.turns ? workload.turns / part : 1;
}

int main(int argc, char **argv)
{
	struct run r = { turns_of(argv[1]), NULL };
	pthread_t others[MOST_THREADS];
	if (argc > 2 || !r.turns) {
		fprintf(stderr, "usage: %s [TURNS | /PART], 1 or more\n", argv[0]);
		return 2;
	}
	r.memory = memory_of(workload.bytes);
	if (r.memory == MAP_FAILED)
		return fail("memory");
	if (workload.fill)
		workload.fill(r.memory, workload.bytes);
	for (uint64_t i = 1; i < workload.threads; i++)
		if ((errno = pthread_create(&others[i], NULL, run, &r)))
			return fail("thread");
	run(&r);
	for (uint64_t i = 1; i < workload.threads; i++)
		pthread_join(others[i], NULL);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Test whether an event counts, by counting it on ourselves. The kernel opens codes that a core
 * lacks, and hypervisors list events that they do not count, or leave out some that they do. A
 * missing event counts 0. So a workload runs that causes a little of every event. */
#include "collect/live/trial.h"

#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/live/clock.h"
#include "collect/live/event.h"
#include "collect/live/live.h"
#include "collect/live/probe.h"
#include "collect/live/system.h"

enum { BYTES = 1 << 19, STEPS = 4096, CALLS = 16 };

static uint64_t add(uint64_t a, uint64_t b)
{
	return a + b;
}

static uint64_t mix(uint64_t a, uint64_t b)
{
	return (a ^ b) * 3;
}

/* Run loads and stores all over new memory, unpredictable branches, calls by a changing pointer,
 * and some system calls. Returns false where there is no memory. */
static bool exercise(void)
{
	static uint64_t (*const calls[])(uint64_t, uint64_t) = { add, mix };
	unsigned char *memory =
		mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t x = pms_perf_now(), sum = 0; /* another path each time */
	volatile uint64_t sink;		      /* keeps the compiler from dropping the sum */
	if (memory == MAP_FAILED)
		return false;
	for (uint64_t i = 0; i < STEPS; i++) {
		x = x * 6364136223846793005U + 1442695040888963407U;
		volatile unsigned char *at = &memory[x >> 45]; /* 19 bits */
		if (x >> 44 & 1)
			*at = (unsigned char)(*at + i);
		else
			sum += *at;
		sum = calls[x >> 43 & 1](sum, i);
		if (i % (STEPS / CALLS) == 0)
			syscall(SYS_getppid);
	}
	munmap(memory, BYTES);
	sink = sum;
	(void)sink;
	return true;
}

struct got {
	uint64_t value, enabled, running;
};

/* Run the workload and read the event. A 0 counts only if the event had a counter all the time,
 * because rare events might happen without it. */
static enum pms_perf_trial run(int fd, uint64_t patience)
{
	struct got got = { 0 }, before;
	uint64_t start = pms_perf_now();
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	do {
		before = got;
		if (!exercise() || read(fd, &got, sizeof(got)) != (ssize_t)sizeof(got))
			return PMS_TRIAL_NONE;
		if (got.value)
			return PMS_TRIAL_COUNTS;
		if (got.running > before.running &&
		    got.running - before.running >= got.enabled - before.enabled)
			return PMS_TRIAL_ZERO;
	} while (pms_perf_now() - start < patience);
	return PMS_TRIAL_STARVED;
}

enum pms_perf_trial pms_perf_try(const struct pms_live *live, const struct pms_perf_core *core,
				 uint64_t code)
{
	struct perf_event_attr attr = { .type = core->pmu->type, .config = code, .disabled = 1 };
	cpu_set_t before;
	pms_perf_trial_attr(live, core, &attr);
	int moved = !pms_perf_move_to(core->pmu, &before);
	int fd = pms_perf_open(live->system, &attr, 0, -1, -1, 0);
	enum pms_perf_trial outcome =
		fd < 0 ? PMS_TRIAL_NONE : run(fd, pms_perf_patience(live, core));
	if (fd >= 0)
		close(fd);
	if (moved)
		sched_setaffinity(0, sizeof(before), &before);
	return outcome;
}

/* SPDX-License-Identifier: MIT */
/* Find the cores of a recording. Since Linux 6.14 the private numbers of AUXTRACE_INFO name each
 * CPU's core (tools/perf/util/arm-spe.h); before, the header's CPUID names one for all, on Arm
 * the first CPU's MIDR_EL1. */
#include "base/array.h"
#include "spe/samples.h"

#include <errno.h>
#include <stdlib.h>

/* The leading numbers, and the numbers of each CPU. */
enum { VERSION, HEADER_SIZE, PMU_TYPE, N_CPUS, HEADER_LEAST };
enum { MAGIC, CPU, N_REST, MIDR, CPU_LEAST };

#define CPU_MAGIC UINT64_C(0x1010101010101010)

static int core_add(struct pms_spe_samples *s, uint64_t cpu, uint64_t midr)
{
	void *room = pms_array_room(s->cores, s->n_cores, sizeof(*s->cores));
	if (!room)
		return -PMS_ENOMEM;
	s->cores = room;
	s->cores[s->n_cores] = (struct pms_core_of_cpu){ (int32_t)cpu, (uint32_t)s->n_cores, midr };
	s->n_cores++;
	return 0;
}

static int of_each_cpu(struct pms_spe_samples *s, const uint64_t *numbers, size_t count)
{
	if (count < HEADER_LEAST || numbers[VERSION] < 2 || numbers[HEADER_SIZE] > count)
		return 0;
	size_t at = (size_t)numbers[HEADER_SIZE];
	while (count - at >= CPU_LEAST && numbers[at + MAGIC] == CPU_MAGIC &&
	       numbers[at + CPU] <= INT32_MAX) {
		uint64_t rest = numbers[at + N_REST];
		if (rest < 1 || rest > count - at - MIDR)
			break;
		if (core_add(s, numbers[at + CPU], numbers[at + MIDR]))
			return -PMS_ENOMEM;
		at += MIDR + (size_t)rest;
	}
	return 0;
}

static uint64_t of_cpuid(const char *cpuid)
{
	char *end;
	errno = 0;
	unsigned long long midr = strtoull(cpuid, &end, 16);
	return errno || end == cpuid || (*end && *end != ' ' && *end != ',') ? 0 : midr;
}

static int core_order(const void *a, const void *b)
{
	const struct pms_core_of_cpu *x = a, *y = b;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->seq < y->seq ? -1 : 1; /* of a CPU listed twice, the first entry counts */
}

/* Returns the core of a CPU that is not listed, or of a thread's buffer, which ran on any CPU:
 * the core of all listed CPUs, if they agree. */
static uint64_t core_of_all(const struct pms_spe_samples *s, const struct pms_perfdata_info *info)
{
	if (!s->n_cores)
		return info->cpuid ? of_cpuid(info->cpuid) : 0;
	for (size_t i = 1; i < s->n_cores; i++)
		if (s->cores[i].midr != s->cores[0].midr)
			return 0;
	return s->cores[0].midr;
}

int pms_samples_cores(struct pms_spe_samples *s, const struct pms_perfdata_info *info)
{
	int status = of_each_cpu(s, info->auxtrace_private, info->n_auxtrace_private);
	s->midr = core_of_all(s, info);
	if (s->n_cores)
		qsort(s->cores, s->n_cores, sizeof(*s->cores), core_order);
	return status;
}

uint64_t pms_samples_midr(const struct pms_spe_samples *s, int32_t cpu)
{
	size_t low = 0, high = s->n_cores;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (s->cores[middle].cpu < cpu)
			low = middle + 1;
		else
			high = middle;
	}
	return low < s->n_cores && s->cores[low].cpu == cpu ? s->cores[low].midr : s->midr;
}

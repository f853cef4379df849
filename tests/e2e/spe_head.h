/* SPDX-License-Identifier: MIT */
/* What programs that make a perf.data as perf record -e arm_spe// does have in common: what the
 * file says of the machine and of its events. */
#ifndef TESTS_E2E_SPE_HEAD_H
#define TESTS_E2E_SPE_HEAD_H

#include <stdio.h>
#include <stdlib.h>

#include "pmuscope/perfdata.h"

enum { PMU = 9 };

enum {
	SAMPLE_TYPE = PMS_PERFDATA_IP | PMS_PERFDATA_TID | PMS_PERFDATA_TIME | PMS_PERFDATA_CPU |
		      PMS_PERFDATA_IDENTIFIER
};

/** The info and what it points to, in one place that has to stay. */
struct spe_head {
	uint64_t dummy_id, auxtrace[2];
	struct pms_perfdata_event events[2];
	struct pms_perfdata_info info;
};

static void die(const struct pms_error *err)
{
	fprintf(stderr, "%s: %s\n", err->source, err->text);
	exit(1);
}

static void put(struct pms_perfdata_writer *w, const struct pms_perfdata_record *r)
{
	struct pms_error err = { 0 };
	if (pms_perfdata_write(w, r, &err))
		die(&err);
}

static struct pms_perfdata_event spe_event(const char *name, uint32_t type, uint64_t config,
					   const uint64_t *ids, size_t n)
{
	return (struct pms_perfdata_event){ .name = name,
					    .type = type,
					    .config = config,
					    .sample_type = SAMPLE_TYPE,
					    .flags = PMS_PERFDATA_FLAG_SAMPLE_ID_ALL,
					    .ids = ids,
					    .n_ids = n };
}

/** A Neoverse V1 whose clock has 25 MHz, 40 ns a tick. @index: of the @n ids, borrowed as they are;
 * @per_cpu: 1: a buffer is a CPU's, 0: a thread's */
static void spe_head_init(struct spe_head *h, const uint64_t *ids,
			  const struct pms_perfdata_id_entry *index, size_t n, int per_cpu)
{
	static const char *const words[] = { "perf", "record", "-e", "arm_spe_0//" };
	static const struct pms_perfdata_pmu pmus[] = { { 1, "software" }, { PMU, "arm_spe_0" } };
	h->dummy_id = 1;
	h->auxtrace[0] = PMU;
	h->auxtrace[1] = (uint64_t)per_cpu;
	h->events[0] = spe_event("arm_spe_0//", PMU, 1 << 16, ids, n);
	h->events[0].sample_period = 1024;
	h->events[1] = spe_event("dummy:u", 1, 9, &h->dummy_id, 1);
	h->info = (struct pms_perfdata_info){
		.hostname = "host",
		.os_release = "6.1.0",
		.perf_version = "6.1.0",
		.arch = "aarch64",
		.cpuid = "0x00000000410fd401",
		.cpus_available = 4,
		.cpus_online = 4,
		.total_memory = 1 << 20,
		.cmdline = words,
		.n_cmdline = 4,
		.events = h->events,
		.n_events = 2,
		.pmus = pmus,
		.n_pmus = 2,
		.id_index = index,
		.n_id_index = n,
		.time_conv = { .known = 1, .shift = 10, .mult = 40960, .zero = 1000 },
		.auxtrace_type = PMS_PERFDATA_AUXTRACE_ARM_SPE,
		.auxtrace_private = h->auxtrace,
		.n_auxtrace_private = 2,
	};
}

#endif

/* SPDX-License-Identifier: MIT */
/* Find how many counters are free by using them: a hypervisor may offer fewer than the core has,
 * and a watchdog or another user may hold some. */
#include "collect/live/probe.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/name.h"
#include "collect/live/clock.h"
#include "collect/live/event.h"
#include "collect/live/live.h"
#include "collect/live/system.h"
#include "machine/sysfs.h"

/* Where others use counters too, Linux lets them take turns: each turn lasts this many ms,
 * unless /sys says otherwise. A trial is over when its group ran, or after TURNS turns without. */
enum { TURN_MS = 4, MOST_TURN_MS = 20, TURNS = 3 };

struct trial {
	const struct pms_live *live;
	struct perf_event_attr attr;
	int fds[PMS_MOST_COUNTERS + 1];
	unsigned n;
};

static void trial_close(struct trial *t)
{
	while (t->n)
		close(t->fds[--t->n]);
}

/* Open a group of up to @most events. */
static void trial_open(struct trial *t, unsigned most)
{
	while (t->n < most) {
		t->attr.disabled = !t->n;
		int fd = pms_perf_open(t->live->system, &t->attr, 0, -1, t->n ? t->fds[0] : -1, 0);
		if (fd < 0)
			return;
		t->fds[t->n++] = fd;
	}
}

/* Returns whether all members get a counter at the same time, within @patience ns. */
static bool trial_runs(const struct trial *t, uint64_t patience)
{
	struct {
		uint64_t value, enabled, running;
	} got = { 0 };
	uint64_t start = pms_perf_now();
	ioctl(t->fds[0], PERF_EVENT_IOC_ENABLE, 0);
	do {
		if (read(t->fds[0], &got, sizeof(got)) != (ssize_t)sizeof(got))
			return false;
	} while (!got.running && pms_perf_now() - start < patience);
	return got.running != 0;
}

/* Cycles: on Arm the first has a counter of its own, each further one takes a programmable one. On
 * RISC-V there is one cycle counter, so a code of the core's stands for it. */
static int trial_event(const struct pms_perf_core *core, struct perf_event_attr *attr)
{
	attr->type = core->pmu->type;
	attr->config = 0x11; /* CPU_CYCLES */
	if (!strncmp(core->pmu->name, "armv", 4))
		return 0;
	if (!core->core)
		return -1;
	for (size_t i = 0; i < pms_catalog_core_codes(core->catalog); i++) {
		const struct pms_core_code *code = pms_catalog_core_code(core->catalog, i);
		if (code->code < 0 || strcmp(code->core->title, core->core) != 0)
			continue;
		attr->config = (uint64_t)code->code;
		return 0;
	}
	return -1;
}

int pms_perf_move_to(const struct pms_pmu *pmu, cpu_set_t *before)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	if (sched_getaffinity(0, sizeof(*before), before))
		return -1;
	for (size_t i = 0; i < pmu->cpus.count; i++)
		if (pmu->cpus.cpus[i] < CPU_SETSIZE)
			CPU_SET((size_t)pmu->cpus.cpus[i], &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

void pms_perf_trial_attr(const struct pms_live *live, const struct pms_perf_core *core,
			 struct perf_event_attr *attr)
{
	attr->size = sizeof(*attr);
	attr->exclude_kernel = !core->whole && !(live->modes & PMS_LIVE_KERNEL);
	attr->exclude_hv = !core->whole;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
}

uint64_t pms_perf_patience(const struct pms_live *live, const struct pms_perf_core *core)
{
	uint64_t ms = TURN_MS;
	char path[160];
	snprintf(path, sizeof(path),
		 "/sys/bus/event_source/devices/%.80s/perf_event_mux_interval_ms", core->pmu->name);
	if (pms_sysfs_number(live->system->root, path, &ms) || !ms || ms > MOST_TURN_MS)
		ms = TURN_MS;
	return TURNS * ms * 1000000;
}

bool pms_perf_runs(const struct pms_live *live, const struct pms_perf_core *core,
		   const struct perf_event_attr *attr)
{
	struct trial t = { .live = live, .attr = *attr };
	cpu_set_t before;
	pms_perf_trial_attr(live, core, &t.attr);
	int moved = !pms_perf_move_to(core->pmu, &before);
	if (!moved && errno == EINVAL)
		return true; /* all of its CPUs are offline or forbidden */
	trial_open(&t, 1);
	bool runs = !t.n || trial_runs(&t, pms_perf_patience(live, core));
	trial_close(&t);
	if (moved)
		sched_setaffinity(0, sizeof(before), &before);
	return runs;
}

static int try_cycles(const struct pms_live *live, bool leave_out)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE,
					.size = sizeof(attr),
					.config = PERF_COUNT_HW_CPU_CYCLES,
					.disabled = 1 };
	attr.exclude_guest = leave_out;
	attr.exclude_hv = leave_out;
	attr.exclude_kernel = leave_out && !(live->modes & PMS_LIVE_KERNEL);
	int fd = pms_perf_open(live->system, &attr, 0, -1, -1, 0);
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

bool pms_perf_is_whole(const struct pms_live *live, const struct pms_perf_core *core)
{
	if (!core->pmu || !strncmp(core->pmu->name, "armv", 4) || try_cycles(live, true) != EINVAL)
		return false;
	int number = try_cycles(live, false);
	return !number || number == EACCES;
}

/* Returns how many events run at once; -1: none can be opened. A failing trial takes its full
 * time, so the search halves the range: where four fail, five are not tried. */
static int count_running(struct trial *t, const struct pms_perf_core *core)
{
	unsigned run = 0, fail = PMS_MOST_COUNTERS + 2; /* this many run, this many do not */
	for (unsigned most = fail - 1; fail - run > 1; most = run + (fail - run) / 2) {
		trial_open(t, most);
		unsigned open = t->n;
		bool runs = open && trial_runs(t, pms_perf_patience(t->live, core));
		trial_close(t);
		if (!open)
			return -1;
		if (open < most)
			fail = open + 1;
		if (runs)
			run = open;
		else
			fail = open;
	}
	return (int)run;
}

int pms_perf_probe(const struct pms_live *live, const struct pms_perf_core *core)
{
	struct trial t = { .live = live };
	cpu_set_t before;
	if (!core->pmu || trial_event(core, &t.attr))
		return -1;
	pms_perf_trial_attr(live, core, &t.attr);
	/* Move to an online CPU of this kind: elsewhere the PMU's events never run. */
	int moved = !pms_perf_move_to(core->pmu, &before);
	if (!moved && errno == EINVAL)
		return -1;
	int run = count_running(&t, core);
	if (moved)
		sched_setaffinity(0, sizeof(before), &before);
	/* Without a trial that ran, perhaps no counter takes the trial's code: nothing is known. */
	if (!pms_perf_has_cycles(core))
		return run > 0 ? run : -1;
	return run > 0 ? run - 1 : run;
}

bool pms_perf_has_cycles(const struct pms_perf_core *core)
{
	return core->pmu && !strncmp(core->pmu->name, "armv", 4);
}

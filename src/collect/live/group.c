/* SPDX-License-Identifier: MIT */
/* Groups of counters in the kernel: opened, switched on and off, read. */
#include "collect/live/group.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/array.h"
#include "base/status.h"
#include "collect/live/clock.h"
#include "collect/live/error.h"
#include "collect/live/live.h"
#include "collect/live/part.h"
#include "collect/live/sum.h"
#include "collect/live/system.h"
#include "collect/live/target.h"

enum { ENABLED, RUNNING, VALUES }; /* of the numbers of a group */

static struct pms_perf_pass *pass_of(const struct pms_live *live, const struct pms_perf_group *g)
{
	return &live->parts[g->part].passes[g->pass];
}

static void group_release(const struct pms_live *live, struct pms_perf_group *g)
{
	for (size_t i = 0; g->fds && i < pass_of(live, g)->n; i++)
		if (g->fds[i] >= 0)
			close(g->fds[i]);
	free(g->fds);
	free(g->ids);
	free(g->seen);
	free(g->now);
	free(g->before);
	free(g->base);
}

void pms_perf_groups_close(struct pms_live *live)
{
	for (size_t i = 0; i < live->n_groups; i++)
		group_release(live, &live->groups[i]);
	free(live->groups);
	live->groups = NULL;
	live->n_groups = 0;
}

static int group_init(const struct pms_live *live, struct pms_perf_group *g, struct pms_error *err)
{
	size_t n = pass_of(live, g)->n;
	g->leader = -1;
	g->fds = calloc(n + 1, sizeof(*g->fds));
	g->ids = calloc(n + 1, sizeof(*g->ids));
	g->seen = calloc(n + VALUES, sizeof(*g->seen));
	g->now = calloc(n + VALUES, sizeof(*g->now));
	g->before = calloc(n + VALUES, sizeof(*g->before));
	g->base = calloc(n + VALUES, sizeof(*g->base));
	if (!g->fds || !g->ids || !g->seen || !g->now || !g->before || !g->base)
		return pms_no_memory(err);
	for (size_t i = 0; i < n; i++)
		g->fds[i] = -1;
	return 0;
}

/* Note with the event that the machine lacks it here, as the kernel says. Other places may have
 * it. */
static int note_lack(const struct pms_live *live, struct pms_perf_member *member,
		     const struct pms_perf_place *place, int number, struct pms_error *err)
{
	struct pms_error why = { 0 };
	pms_perf_refused(live, place, number, &why);
	if (!member->because)
		member->because = strdup(why.text);
	return member->because ? 0 : pms_no_memory(err);
}

/* Note that fewer counters are free than when they were probed. */
static int note_crowded(struct pms_perf_member *member, struct pms_error *err)
{
	member->state = PMS_NOT_COUNTED;
	if (!member->because)
		member->because = strdup("the PMU has no counter for it beside the others of its "
					 "pass; name fewer events or metrics at once");
	return member->because ? 0 : pms_no_memory(err);
}

static bool opens_alone(const struct pms_live *live, const struct perf_event_attr *attr,
			const struct pms_perf_cell *cell)
{
	struct perf_event_attr alone = *attr;
	alone.disabled = 1;
	int fd = pms_perf_open(live->system, &alone, cell->pid, cell->cpu, -1, cell->flags);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void fill_attr(const struct pms_live *live, const struct pms_perf_group *g,
		      const struct pms_perf_member *member, bool on_exec,
		      struct perf_event_attr *attr)
{
	const struct pms_perf_cell *cell = &live->cells[g->cell];
	int is_leader = g->leader < 0;
	*attr = member->attr;
	attr->size = sizeof(*attr);
	attr->read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED |
			    PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr->disabled = is_leader != 0;
	attr->enable_on_exec = is_leader && on_exec;
	attr->inherit = cell->pid >= 0 && !cell->flags;
	attr->exclude_guest = !live->parts[g->part].core.whole;
	/* The kernel may not be counted, as pms_live_open has found. */
	attr->exclude_kernel |= !(live->modes & PMS_LIVE_KERNEL);
	attr->exclude_hv |= !(live->modes & PMS_LIVE_HYPERVISOR);
}

/* Open one member. Returns 1 open, 0 the machine lacks it, 2 there is nothing left to count. */
static int member_open(const struct pms_live *live, struct pms_perf_group *g, size_t i,
		       bool on_exec, struct pms_error *err)
{
	struct pms_perf_member *member = &pass_of(live, g)->members[i];
	const struct pms_perf_cell *cell = &live->cells[g->cell];
	const struct pms_catalog *catalog = live->parts[g->part].catalog;
	struct perf_event_attr attr;
	struct pms_perf_place place = { pms_catalog_event(catalog, member->event)->name,
					cell->flags ? -1 : cell->pid, cell->cpu };
	g->fds[i] = PMS_PERF_LACKS;
	if (member->lacking)
		return 0;
	fill_attr(live, g, member, on_exec, &attr);
	if (attr.exclude_user && attr.exclude_kernel && attr.exclude_hv)
		return pms_perf_refused_mode(live, place.event, err);
	int fd = pms_perf_open(live->system, &attr, cell->pid, cell->cpu, g->leader, cell->flags);
	int number = errno;
	if (fd >= 0) {
		g->fds[i] = fd;
		g->open++;
		if (g->leader < 0)
			g->leader = fd;
		return ioctl(fd, PERF_EVENT_IOC_ID, &g->ids[i]) ? 0 : 1;
	}
	if ((number == ESRCH && live->n_cells > 1) || (number == ENODEV && cell->cpu >= 0)) {
		g->fds[i] = -1;
		return 2; /* a thread that has ended, a CPU that went offline */
	}
	/* Every machine has these events: the cgroup's hierarchy cannot count. */
	if (cell->flags && number == ENOENT && attr.type == PERF_TYPE_SOFTWARE)
		number = EBADF;
	if (g->leader >= 0 && opens_alone(live, &attr, cell))
		return note_crowded(member, err);
	if (pms_perf_is_lack(number))
		return note_lack(live, member, &place, number, err);
	return pms_perf_refused(live, &place, number, err);
}

static int members_open(const struct pms_live *live, struct pms_perf_group *g, bool on_exec,
			struct pms_error *err)
{
	int rc = 0;
	for (size_t i = 0; rc >= 0 && rc != 2 && i < pass_of(live, g)->n; i++)
		rc = member_open(live, g, i, on_exec, err);
	return rc < 0 ? rc : 0;
}

/* Reopen a CPU's group: the kernel stops its counters for good when the CPU goes offline. */
static int group_reopen(const struct pms_live *live, struct pms_perf_group *g,
			struct pms_error *err)
{
	size_t n = pass_of(live, g)->n;
	memcpy(g->base, g->seen, (n + VALUES) * sizeof(*g->base));
	for (size_t i = 0; i < n; i++) {
		if (g->fds[i] >= 0)
			close(g->fds[i]);
		g->fds[i] = -1;
	}
	g->leader = -1;
	g->open = 0;
	return members_open(live, g, false, err);
}

/* Returns whether this run counts a pass: only @wanted in a multirun, else all. */
static bool is_in_run(const struct pms_perf_part *part, size_t i, size_t wanted)
{
	return wanted == PMS_NO_PASS || wanted == i || (i >= part->n_counted && !wanted);
}

static int add_group(struct pms_live *live, size_t part, size_t pass, size_t cell, bool on_exec,
		     struct pms_error *err)
{
	struct pms_perf_group *groups =
		pms_array_room(live->groups, live->n_groups, sizeof(groups[0]));
	if (!groups)
		return pms_no_memory(err);
	live->groups = groups;
	struct pms_perf_group *g = &groups[live->n_groups++];
	*g = (struct pms_perf_group){ .part = part, .pass = pass, .cell = cell };
	int rc = group_init(live, g, err);
	return rc ? rc : members_open(live, g, on_exec, err);
}

/* Open every pass that the run has in a cell. A group of only cycles comes first: once a group
 * of a PMU finds no room, Linux tries no further one until its next turn. */
static int open_part(struct pms_live *live, size_t part, size_t cell, size_t pass, bool on_exec,
		     struct pms_error *err)
{
	const struct pms_perf_part *p = &live->parts[part];
	size_t first = p->has_cycles ? p->n_counted : 0;
	int rc = 0;
	for (size_t k = 0; k < p->n_passes && !rc; k++) {
		size_t i = (first + k) % p->n_passes;
		if (is_in_run(p, i, pass))
			rc = add_group(live, part, i, cell, on_exec, err);
	}
	return rc;
}

static int open_cell(struct pms_live *live, size_t cell, size_t pass, bool on_exec,
		     struct pms_error *err)
{
	int rc = 0;
	for (size_t part = 0; part < live->n_parts && !rc; part++)
		if (pms_perf_cell_is_of(live, &live->cells[cell], part))
			rc = open_part(live, part, cell, pass, on_exec, err);
	return rc;
}

int pms_perf_groups_open(struct pms_live *live, size_t pass, bool on_exec, struct pms_error *err)
{
	int rc = 0;
	for (size_t cell = 0; cell < live->n_cells && !rc; cell++)
		rc = open_cell(live, cell, pass, on_exec, err);
	return rc;
}

/* Switch a group on or off. Each keeps its own time, because switching many takes a while; its
 * due time is at most that. A group of a CPU that came back is on already. */
static void enable(struct pms_perf_group *g, bool on)
{
	uint64_t before = pms_perf_now();
	unsigned long request = on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE;
	if (g->leader >= 0)
		ioctl(g->leader, request, 0);
	if (on && !g->since)
		g->since = pms_perf_now();
	if (on)
		return;
	g->due += g->since && before > g->since ? before - g->since : 0;
	g->since = 0;
}

void pms_perf_groups_enable(struct pms_live *live, bool on)
{
	live->enabled = on;
	for (size_t i = 0; i < live->n_groups; i++)
		enable(&live->groups[i], on);
}

/* Take in a CPU that has come online, known or new. */
static int take_in(struct pms_live *live, int cpu, struct pms_error *err)
{
	size_t cells = live->n_cells, cell = 0;
	int rc = pms_perf_target_cpu(live, cpu, &cell, err);
	if (rc <= 0)
		return rc;
	live->returned++;
	rc = pms_perf_columns_room(live, err);
	if (!rc && cell == cells)
		rc = open_cell(live, cell, PMS_NO_PASS, false, err);
	for (size_t i = 0; i < live->n_groups && !rc; i++) {
		struct pms_perf_group *g = &live->groups[i];
		if (g->cell != cell)
			continue;
		if (cell < cells)
			rc = group_reopen(live, g, err);
		if (!rc && live->enabled)
			enable(g, true);
	}
	return rc;
}

int pms_perf_groups_follow(struct pms_live *live, struct pms_error *err)
{
	struct pms_cpus now = { 0 };
	int rc = 0;
	if (pms_cpus_online(live->system->root, &now, NULL))
		return 0;
	for (size_t i = 0; i < now.count && !rc; i++)
		if (live->online.count && !pms_cpus_has(&live->online, now.cpus[i]))
			rc = take_in(live, now.cpus[i], err);
	pms_cpus_release(&live->online);
	live->online = now;
	return rc;
}

/* The format in which read(2) returns a group. */
struct raw {
	uint64_t count, enabled, running;
	struct {
		uint64_t value, id;
	} values[];
};

static void store(struct pms_perf_group *g, size_t n, const struct raw *raw)
{
	g->seen[ENABLED] = g->base[ENABLED] + raw->enabled;
	g->seen[RUNNING] = g->base[RUNNING] + raw->running;
	for (size_t k = 0, i = 0; k < raw->count && k < g->open; k++) {
		/* The kernel keeps the order of opening; ids confirm it. */
		size_t tried = 0;
		while (tried < n && (g->fds[i] < 0 || g->ids[i] != raw->values[k].id)) {
			i = (i + 1) % n;
			tried++;
		}
		if (tried < n)
			g->seen[VALUES + i] = g->base[VALUES + i] + raw->values[k].value;
	}
}

/* Read all groups. A group that can no longer be read keeps its last counts. */
void pms_perf_groups_read(struct pms_live *live)
{
	struct raw *raw = NULL;
	size_t room = 0;
	live->seen_ns = pms_perf_now();
	for (size_t i = 0; i < live->n_groups; i++) {
		struct pms_perf_group *g = &live->groups[i];
		size_t size = sizeof(*raw) + g->open * sizeof(raw->values[0]);
		if (g->leader < 0)
			continue;
		if (size > room) {
			free(raw);
			raw = malloc(size);
			room = raw ? size : 0;
		}
		if (raw && read(g->leader, raw, size) == (ssize_t)size)
			store(g, pass_of(live, g)->n, raw);
	}
	free(raw);
}

static size_t numbers_of(const struct pms_live *live, const struct pms_perf_group *g)
{
	return pass_of(live, g)->n + VALUES;
}

size_t pms_perf_groups_numbers(const struct pms_live *live)
{
	size_t n = 0;
	for (size_t i = 0; i < live->n_groups; i++)
		n += numbers_of(live, &live->groups[i]);
	return n;
}

void pms_perf_groups_copy(const struct pms_live *live, struct pms_perf_reading *reading)
{
	uint64_t *numbers = reading->numbers;
	reading->n_groups = live->n_groups;
	for (size_t i = 0; i < live->n_groups; i++) {
		size_t n = numbers_of(live, &live->groups[i]);
		memcpy(numbers, live->groups[i].seen, n * sizeof(*numbers));
		numbers += n;
	}
}

/* Add what was missed. Groups of a CPU that came after the reading have counted nothing yet. */
void pms_perf_missed_add(struct pms_perf_missed *into, const struct pms_perf_missed *from)
{
	into->late += from->late;
	into->skipped += from->skipped;
}

void pms_perf_groups_take(struct pms_live *live, const struct pms_perf_reading *reading)
{
	const uint64_t *numbers = reading ? reading->numbers : NULL;
	size_t n_groups = reading ? reading->n_groups : live->n_groups;
	for (size_t i = 0; i < n_groups; i++) {
		struct pms_perf_group *g = &live->groups[i];
		size_t n = numbers_of(live, g);
		memcpy(g->now, numbers ? numbers : g->seen, n * sizeof(*g->now));
		numbers = numbers ? numbers + n : NULL;
	}
	live->now_ns = reading ? reading->at_ns : live->seen_ns;
	live->just_missed = reading ? reading->missed : (struct pms_perf_missed){ 0 };
	pms_perf_missed_add(&live->missed, &live->just_missed);
}

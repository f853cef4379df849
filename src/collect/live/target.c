/* SPDX-License-Identifier: MIT */
/* Find the places to count the target at. */
#include "collect/live/target.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/status.h"
#include "collect/live/live.h"
#include "machine/sysfs.h"

bool pms_perf_target_is_cpus(const struct pms_live_target *target)
{
	return target->all_cpus || target->cpus || target->cgroup;
}

bool pms_perf_target_is_command(const struct pms_live_target *target)
{
	return target->command && !target->n_pids && !target->n_tids &&
	       !pms_perf_target_is_cpus(target);
}

static int refuse(struct pms_error *err, const char *text, const char *hint)
{
	int rc = pms_fail(err, PMS_EINVAL, "%s", text);
	pms_hint(err, "%s", hint);
	return rc;
}

int pms_perf_target_check(const struct pms_live_options *o, struct pms_error *err)
{
	const struct pms_live_target *t = &o->target;
	int kinds = (t->n_pids > 0) + (t->n_tids > 0) + pms_perf_target_is_cpus(t);
	bool tasks = t->n_pids || t->n_tids;
	if (kinds > 1)
		return refuse(err, "one of -p, -t and -a, -C, -G says what is measured, not two",
			      "leave one out");
	if (!kinds && !t->command)
		return refuse(err, "nothing to measure",
			      "give a program, or -p PID, -t TID, -a, -C CPUS or -G CGROUP");
	if (o->by == PMS_BY_THREAD && !tasks)
		return refuse(err, "--per-thread needs the threads of a process",
			      "give -p PID or -t TID");
	if ((o->by == PMS_BY_CPU || o->by == PMS_BY_CORE) && !pms_perf_target_is_cpus(t))
		return refuse(err, "-A and --per-core tell CPUs apart, so CPUs have to be measured",
			      "add -a or -C CPUS");
	if (o->passes == PMS_PASSES_MULTIRUN && !pms_perf_target_is_command(t))
		return refuse(err, "--multirun runs a program again for each pass",
			      "give a program alone, or --multiplex");
	if (o->repeat > 1 && !pms_perf_target_is_command(t))
		return refuse(err, "-r runs a program again", "give a program alone");
	if (o->interval_ms && (o->passes == PMS_PASSES_MULTIRUN || o->repeat > 1))
		return refuse(err, "-I has one run: intervals of several do not fit together",
			      "leave out -r and --multirun");
	if (o->delay_ms < 0 && !o->has_control)
		return refuse(err, "-D -1 waits for --control to enable counting",
			      "add --control fd:N");
	return 0;
}

/* Find or add a column. Returns its index, negative when out of memory. */
static int64_t column(struct pms_live *live, enum pms_scope_kind kind, int64_t id, const char *name)
{
	for (size_t i = 0; i < live->n_columns; i++)
		if (live->columns[i].kind == kind && live->columns[i].id == id &&
		    (kind != PMS_SCOPE_CORE || !strcmp(live->columns[i].name, name)))
			return (int64_t)i;
	struct pms_perf_column *columns =
		pms_array_room(live->columns, live->n_columns, sizeof(columns[0]));
	if (!columns)
		return -PMS_ENOMEM;
	live->columns = columns;
	struct pms_perf_column *c = &columns[live->n_columns];
	*c = (struct pms_perf_column){ .kind = kind, .id = id };
	snprintf(c->name, sizeof(c->name), "%.31s", name);
	return (int64_t)live->n_columns++;
}

static int64_t column_of_task(struct pms_live *live, pid_t tid)
{
	char path[64], name[32] = "";
	if (live->options.by != PMS_BY_THREAD)
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/comm", tid);
	if (pms_sysfs_text("", path, name, sizeof(name)))
		name[0] = 0;
	return column(live, PMS_SCOPE_THREAD, tid, name);
}

static int64_t column_of_cpu(struct pms_live *live, int cpu)
{
	char name[32];
	if (live->options.by == PMS_BY_CPU)
		return column(live, PMS_SCOPE_CPU, cpu, "");
	if (live->options.by != PMS_BY_CORE)
		return 0;
	struct pms_cpu_place place = pms_cpu_place(live->system->root, cpu);
	snprintf(name, sizeof(name), "S%d-C%d", place.package, place.core);
	return column(live, PMS_SCOPE_CORE, place.core, name);
}

static int add_cell(struct pms_live *live, struct pms_perf_cell cell, int64_t its_column,
		    struct pms_error *err)
{
	if (its_column < 0)
		return pms_no_memory(err);
	struct pms_perf_cell *cells = pms_array_room(live->cells, live->n_cells, sizeof(cells[0]));
	if (!cells)
		return pms_no_memory(err);
	live->cells = cells;
	cell.column = (size_t)its_column;
	cells[live->n_cells++] = cell;
	return 0;
}

static bool has_task(const struct pms_live *live, pid_t tid)
{
	for (size_t i = 0; i < live->n_cells; i++)
		if (live->cells[i].pid == tid)
			return true;
	return false;
}

static int add_task(struct pms_live *live, pid_t tid, struct pms_error *err)
{
	if (has_task(live, tid))
		return 0;
	struct pms_perf_cell cell = { .pid = tid, .cpu = -1 };
	return add_cell(live, cell, column_of_task(live, tid), err);
}

static int no_such_process(int pid, struct pms_error *err)
{
	int rc = pms_fail(err, PMS_ENAME, "there is no process %d", pid);
	pms_hint(err, "ps -e lists them");
	return rc;
}

static DIR *open_threads(int pid)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	return opendir(path);
}

/* Returns the next thread; 0 behind the last. */
static pid_t next_thread(DIR *threads)
{
	struct dirent *entry;
	do
		entry = readdir(threads);
	while (entry && entry->d_name[0] == '.');
	return entry ? (pid_t)strtol(entry->d_name, NULL, 10) : 0;
}

static int add_process(struct pms_live *live, int pid, struct pms_error *err)
{
	int rc = 0;
	DIR *dir = open_threads(pid);
	if (!dir)
		return no_such_process(pid, err);
	for (pid_t tid; !rc && (tid = next_thread(dir));)
		rc = add_task(live, tid, err);
	closedir(dir);
	return rc;
}

static int add_tasks(struct pms_live *live, struct pms_error *err)
{
	const struct pms_live_target *t = &live->options.target;
	char path[64];
	int rc = 0;
	for (size_t i = 0; i < t->n_pids && !rc; i++)
		rc = add_process(live, t->pids[i], err);
	for (size_t i = 0; i < t->n_tids && !rc; i++) {
		snprintf(path, sizeof(path), "/proc/%d", t->tids[i]);
		rc = access(path, F_OK) ? no_such_process(t->tids[i], err)
					: add_task(live, t->tids[i], err);
	}
	return rc;
}

/* Open the cgroup, below whichever hierarchy this system mounts. */
static int open_cgroup(struct pms_live *live, struct pms_error *err)
{
	/* Version 2 alone, version 1 with its own hierarchy, and both at once. */
	static const char *const mounts[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/perf_event",
					      "/sys/fs/cgroup/unified" };
	const char *name = live->options.target.cgroup;
	if (live->cgroup >= 0)
		return 0;
	for (size_t i = 0; i < sizeof(mounts) / sizeof(mounts[0]) && live->cgroup < 0; i++) {
		char *path = NULL;
		if (asprintf(&path, "%s/%s", mounts[i], name) < 0)
			return pms_no_memory(err);
		live->cgroup = open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
		free(path);
		/* The folder that holds hierarchies is no cgroup itself. */
		if (live->cgroup >= 0 && faccessat(live->cgroup, "cgroup.procs", F_OK, 0)) {
			close(live->cgroup);
			live->cgroup = -1;
		}
	}
	if (live->cgroup >= 0)
		return 0;
	int rc = pms_fail(err, PMS_ENAME, "there is no cgroup %.200s", name);
	pms_hint(err, "systemd-cgls lists them; give its path below /sys/fs/cgroup, of version 1 "
		      "below its hierarchy perf_event");
	return rc;
}

/* Check that the CPUs asked for are online; without a list, take those that are. */
static int check_online(const struct pms_cpus *wanted, const struct pms_cpus *online,
			struct pms_error *err)
{
	char list[128];
	for (size_t i = 0; i < wanted->count; i++) {
		if (pms_cpus_has(online, wanted->cpus[i]))
			continue;
		int rc = pms_fail(err, PMS_ENAME, "CPU %d is not online", wanted->cpus[i]);
		pms_cpus_text(online, list, sizeof(list));
		pms_hint(err, "these are: %s", list);
		return rc;
	}
	return 0;
}

static int add_cpu(struct pms_live *live, int cpu, struct pms_error *err)
{
	bool is_cgroup = live->options.target.cgroup != NULL;
	struct pms_perf_cell cell = { .pid = is_cgroup ? live->cgroup : -1,
				      .cpu = cpu,
				      .flags = is_cgroup ? PERF_FLAG_PID_CGROUP : 0 };
	return add_cell(live, cell, column_of_cpu(live, cpu), err);
}

static int add_cpus(struct pms_live *live, struct pms_error *err)
{
	const struct pms_live_target *t = &live->options.target;
	struct pms_cpus wanted = { 0 }, online = { 0 };
	int rc = pms_cpus_online(live->system->root, &online, err);
	if (!rc && t->cpus)
		rc = pms_cpus_parse(t->cpus, &wanted, err);
	if (!rc && t->cpus)
		rc = check_online(&wanted, &online, err);
	if (!rc && t->cgroup)
		rc = open_cgroup(live, err);
	const struct pms_cpus *cpus = t->cpus ? &wanted : &online;
	for (size_t i = 0; !rc && i < cpus->count; i++)
		rc = add_cpu(live, cpus->cpus[i], err);
	pms_cpus_release(&wanted);
	pms_cpus_release(&live->online);
	live->online = online;
	return rc;
}

int pms_perf_target_cpu(struct pms_live *live, int cpu, size_t *cell, struct pms_error *err)
{
	for (*cell = 0; *cell < live->n_cells; ++*cell)
		if (live->cells[*cell].cpu == cpu)
			return 1;
	/* All CPUs of a list were online at the start. */
	if (live->options.target.cpus)
		return 0;
	int rc = add_cpu(live, cpu, err);
	return rc ? rc : 1;
}

int pms_perf_target_cells(struct pms_live *live, pid_t child, struct pms_error *err)
{
	const struct pms_live_target *t = &live->options.target;
	free(live->cells);
	live->cells = NULL;
	live->n_cells = 0;
	if (pms_perf_target_is_command(t))
		return add_task(live, child, err);
	return pms_perf_target_is_cpus(t) ? add_cpus(live, err) : add_tasks(live, err);
}

static void note_new(struct pms_perf_newcomers *found, pid_t tid)
{
	size_t length = strlen(found->text);
	if (found->n++ < PMS_NEWCOMERS_NAMED)
		snprintf(found->text + length, sizeof(found->text) - length, "%s%d",
			 length ? ", " : "", tid);
	else if (found->n == PMS_NEWCOMERS_NAMED + 1)
		snprintf(found->text + length, sizeof(found->text) - length, ", ...");
}

void pms_perf_target_newcomers(const struct pms_live *live, struct pms_perf_newcomers *found)
{
	const struct pms_live_target *t = &live->options.target;
	*found = (struct pms_perf_newcomers){ 0 };
	for (size_t i = 0; i < t->n_pids; i++) {
		DIR *dir = open_threads(t->pids[i]);
		for (pid_t tid; dir && (tid = next_thread(dir));)
			if (!has_task(live, tid))
				note_new(found, tid);
		if (dir)
			closedir(dir);
	}
}

/* Returns whether a process or thread runs no more. One that ended but was not reaped is still
 * listed as a zombie. So is a process whose first thread has ended while others run. */
static bool has_ended(int pid)
{
	char path[64], text[512];
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	if (pms_sysfs_text("", path, text, sizeof(text)))
		return true;
	/* The name may hold anything. Behind it, word 1 is the state and word 18 the number of
	 * threads. */
	const char *at = strrchr(text, ')');
	bool is_over = at && (!strncmp(at, ") Z", 3) || !strncmp(at, ") X", 3));
	for (int word = 0; at && word < 18; word++)
		at = strchr(at + 1, ' ');
	return at && is_over && strtol(at, NULL, 10) <= 1;
}

bool pms_perf_target_gone(const struct pms_live *live)
{
	const struct pms_live_target *t = &live->options.target;
	if (!t->n_pids && !t->n_tids)
		return false;
	for (size_t i = 0; i < t->n_pids; i++)
		if (!has_ended(t->pids[i]))
			return false;
	for (size_t i = 0; i < t->n_tids; i++)
		if (!has_ended(t->tids[i]))
			return false;
	return true;
}

bool pms_perf_cell_is_of(const struct pms_live *live, const struct pms_perf_cell *cell, size_t part)
{
	const struct pms_pmu *pmu = live->parts[part].core.pmu;
	return cell->cpu < 0 || !pmu || pms_cpus_has(&pmu->cpus, cell->cpu);
}

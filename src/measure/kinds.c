/* SPDX-License-Identifier: MIT */
/* The kinds of cores of a machine: each has its own PMU, catalog and part of a measurement. */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/utsname.h>

#include "base/status.h"
#include "measure/measurement.h"
#include "measure/note.h"

/* The default events of perf stat, for a CPU without a catalog. */
static const char *const defaults[] = { "task-clock",  "context-switches", "cpu-migrations",
					"page-faults", "cycles",	   "instructions",
					"branches",    "branch-misses" };

enum { N_DEFAULTS = sizeof(defaults) / sizeof(defaults[0]) };

static int has_kind(const struct pms_measurement *m, const char *cpu)
{
	for (size_t i = 0; i < m->n_parts; i++)
		if (!strcmp(pms_catalog_cpu(m->parts[i].owned)->name, cpu))
			return 1;
	return 0;
}

/* Load the catalog of each kind of cores. Kinds without a catalog are left out, unless none has
 * one. */
static int load_each(struct pms_measurement *m, struct pms_error *err)
{
	struct pms_live_core cores[PMS_MEASURED_MOST];
	const char *unknown = NULL; /* CPUs */
	int n = pms_live_cores(cores, PMS_MEASURED_MOST, err);
	for (int i = 0; i < n && i < PMS_MEASURED_MOST; i++) {
		struct pms_measurement_part *part = &m->parts[m->n_parts];
		char cpu[256];
		int rc = pms_catalog_host_cpu_at(NULL, NULL, cores[i].cpu, cpu, sizeof(cpu), err);
		if (!rc && has_kind(m, cpu))
			continue;
		if (!rc)
			rc = pms_catalog_load_lean(NULL, cpu, &part->owned, err);
		if (rc == -PMS_ENAME) {
			unknown = cores[i].cpus;
			continue;
		}
		if (rc)
			return rc;
		if (n > 1)
			memcpy(part->pmu, cores[i].pmu, sizeof(part->pmu));
		m->n_parts++;
	}
	if (unknown && !m->n_parts)
		return -PMS_ENAME;
	if (unknown)
		pms_note_printf(m->options.note, m->options.context, "CPUs %s are not measured: %s",
				unknown, err->text);
	return n < 0 ? n : 0;
}

/* Say why this machine's CPU could not be identified, and what to do instead. */
static void say_why(const struct pms_live_target *target, struct pms_error *err)
{
	struct utsname host;
	const char *what = "name its CPU with --mcpu, or pass";
	if (pms_source_of_host() == PMS_SOURCE_MODEL) {
		snprintf(err->text, sizeof(err->text),
			 "metrics are measured on Arm and RISC-V machines, and this is one of "
			 "%.32s",
			 uname(&host) ? "unknown" : host.machine);
		what = "pass";
	}
	if (target->n_pids || target->n_tids || target->all_cpus || target->cpus || target->cgroup)
		snprintf(err->hint, sizeof(err->hint),
			 "what runs already can be counted by a PMU alone; a modelled core runs an "
			 "AArch64 program from its start: pmuscope topdown --source vcore -- "
			 "PROGRAM");
	else
		snprintf(err->hint, sizeof(err->hint),
			 "%s --source vcore to run an AArch64 program on a modelled core; "
			 "pmuscope stat -e counts single events",
			 what);
}

/* Load the catalog of the host's CPU, else Linux's own events, where no PMU of the machine has a
 * known CPU. */
static int load_without_catalog(struct pms_measurement *m, struct pms_error *err)
{
	const struct pms_wanted *wanted = &m->options.wanted;
	struct pms_measurement_part *part = &m->parts[0];
	struct pms_error why = { 0 };
	char cpu[256];
	int rc = pms_catalog_host_cpu(NULL, NULL, cpu, sizeof(cpu), &why);
	if (!rc)
		rc = pms_catalog_load_lean(NULL, cpu, &part->owned, &why);
	else if (wanted->counts && !wanted->n_metrics)
		rc = pms_catalog_load_kernel(&part->owned, &why);
	else if (rc == -PMS_EHOST)
		say_why(&m->options.live.target, &why);
	if (rc && err && err->status == PMS_OK)
		*err = why;
	m->n_parts = part->owned ? 1 : 0;
	return rc;
}

/* Count the default events of perf stat where the user names nothing. */
static void add_defaults(struct pms_measurement *m)
{
	struct pms_wanted *wanted = &m->options.wanted;
	if (wanted->n_events ||
	    strcmp(pms_catalog_cpu(m->parts[0].owned)->name, PMS_KERNEL_CPU) != 0)
		return;
	wanted->events = defaults;
	wanted->n_events = N_DEFAULTS;
}

int pms_kinds_load(struct pms_measurement *m, struct pms_error *err)
{
	struct pms_error why = { 0 };
	int rc = load_each(m, &why);
	if (rc == -PMS_EHOST || rc == -PMS_ENAME || !(rc || m->n_parts))
		rc = load_without_catalog(m, err);
	else if (rc && err && err->status == PMS_OK)
		*err = why;
	if (!rc)
		add_defaults(m);
	return rc;
}

/* Find the name that some kind of cores has for the event a word means; NULL: none knows it.
 * Every kind looks it up, so that each catalog gets the event where possible. @err: the reason
 * of the first kind that lacks it. */
static const char *name_of_word(struct pms_measurement *m, const char *word, struct pms_error *err)
{
	const char *name = NULL;
	for (size_t i = 0; i < m->n_parts; i++) {
		struct pms_catalog *catalog = m->parts[i].shown.catalog;
		int64_t event = pms_live_event(catalog, word, err);
		const char *here =
			event < 0 ? NULL : pms_catalog_event(catalog, (size_t)event)->name;
		/* Prefer a catalog that has a name for a raw code. */
		if (here && (!name || !strcasecmp(name, word)))
			name = here;
	}
	return name;
}

/* Replace the user's words by the catalogs' names. Kinds of cores that lack an event do not
 * count it. */
static int resolve_events(struct pms_measurement *m, struct pms_error *err)
{
	struct pms_wanted *wanted = &m->options.wanted;
	const char **names = pms_arena_alloc(&m->arena, wanted->n_events + 1, sizeof(*names));
	if (!names)
		return pms_no_memory(err);
	for (size_t i = 0; i < wanted->n_events; i++) {
		struct pms_error why = { 0 };
		const char *known = name_of_word(m, wanted->events[i], &why);
		if (!known) {
			if (err && err->status == PMS_OK)
				*err = why;
			return -(int)why.status;
		}
		names[i] = pms_arena_dup(&m->arena, known);
		if (!names[i])
			return pms_no_memory(err);
		for (size_t k = 0; k < m->n_parts; k++) {
			int64_t rc =
				pms_live_event_lacking(m->parts[k].shown.catalog, names[i], err);
			if (rc < 0)
				return (int)rc;
		}
	}
	wanted->events = names;
	return 0;
}

static int knows_metric(const struct pms_measurement_part *part, const char *word)
{
	return pms_catalog_find_metric(part->shown.catalog, word) >= 0 ||
	       pms_catalog_find_group(part->shown.catalog, PMS_GROUP_METRICS, word) >= 0;
}

static int anyone_knows_metric(const struct pms_measurement *m, const char *word)
{
	for (size_t i = 0; i < m->n_parts; i++)
		if (knows_metric(&m->parts[i], word))
			return 1;
	return 0;
}

/* Keep for a kind of cores the metrics that it knows. Names that no kind knows stay as well, to
 * cause the error. */
static int resolve_metrics(struct pms_measurement *m, struct pms_measurement_part *part,
			   struct pms_error *err)
{
	const struct pms_wanted *all = &m->options.wanted;
	const char **names = pms_arena_alloc(&m->arena, all->n_metrics + 1, sizeof(*names));
	size_t n = 0;
	if (!names)
		return pms_no_memory(err);
	for (size_t i = 0; i < all->n_metrics; i++)
		if (knows_metric(part, all->metrics[i]) || !anyone_knows_metric(m, all->metrics[i]))
			names[n++] = all->metrics[i];
	part->shown.wanted.metrics = names;
	part->shown.wanted.n_metrics = n;
	return 0;
}

/* Leave out the kinds of cores that have nothing left to measure. */
static void drop_idle(struct pms_measurement *m)
{
	size_t n = 0;
	for (size_t i = 0; i < m->n_parts; i++) {
		struct pms_measurement_part part = m->parts[i];
		m->parts[i] = (struct pms_measurement_part){ 0 };
		if (part.shown.wanted.n_metrics || part.shown.wanted.n_events ||
		    !m->options.wanted.n_metrics) {
			m->parts[n++] = part;
			continue;
		}
		pms_note_printf(m->options.note, m->options.context,
				"CPUs of PMU %s are not measured: %s has none of these metrics",
				part.pmu, pms_catalog_cpu(part.shown.catalog)->product);
		pms_measurement_part_release(&part);
	}
	m->n_parts = n;
}

int pms_kinds_resolve(struct pms_measurement *m, struct pms_error *err)
{
	int rc = resolve_events(m, err);
	for (size_t i = 0; i < m->n_parts && !rc; i++) {
		m->parts[i].shown.wanted = m->options.wanted;
		if (m->n_parts > 1)
			rc = resolve_metrics(m, &m->parts[i], err);
	}
	if (!rc)
		drop_idle(m);
	return rc;
}

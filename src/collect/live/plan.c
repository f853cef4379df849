/* SPDX-License-Identifier: MIT */
/* Open a measurement: choose the PMU, the counters, the passes and the runs. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/status.h"
#include "collect/live/error.h"
#include "collect/live/event.h"
#include "collect/live/live.h"
#include "collect/live/part.h"
#include "collect/live/probe.h"
#include "collect/live/sum.h"
#include "collect/live/system.h"
#include "collect/live/tally.h"
#include "collect/live/target.h"
#include "collect/live/trust.h"
#include "machine/identity.h"
#include "vcore/isa/isa.h"

__attribute__((format(printf, 2, 3))) static int note(struct pms_live *live, const char *format,
						      ...)
{
	char *text = NULL;
	va_list args;
	va_start(args, format);
	int length = vasprintf(&text, format, args);
	va_end(args);
	char **notes =
		length < 0 ? NULL : pms_array_room(live->notes, live->n_notes, sizeof(notes[0]));
	if (!notes) {
		if (length >= 0)
			free(text);
		return -PMS_ENOMEM;
	}
	live->notes = notes;
	notes[live->n_notes++] = text;
	return 0;
}

/* What may be counted */

/* Test whether this process may count in these modes: itself, or everything on a CPU. */
static int may_count(const struct pms_live *live, const struct pms_perf_place *place,
		     unsigned modes)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.size = sizeof(attr),
					.config = PERF_COUNT_SW_PAGE_FAULTS,
					.disabled = 1 };
	attr.exclude_kernel = !(modes & PMS_LIVE_KERNEL);
	attr.exclude_hv = !(modes & PMS_LIVE_HYPERVISOR);
	int fd = pms_perf_open(live->system, &attr, place->pid, place->cpu, -1, 0);
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/* Find a place to try events before anything is said or run: the first online CPU, where CPUs
 * are measured. */
static int find_place(const struct pms_live *live, struct pms_perf_place *place,
		      struct pms_error *err)
{
	struct pms_cpus online = { 0 };
	*place = (struct pms_perf_place){ "anything", 0, -1 };
	if (!pms_perf_target_is_cpus(&live->options.target))
		return 0;
	int rc = pms_cpus_online(live->system->root, &online, err);
	if (!rc && online.count)
		*place = (struct pms_perf_place){ "anything", -1, online.cpus[0] };
	pms_cpus_release(&online);
	return rc;
}

/* Find the modes that this user may count, so that less is counted than refused. */
static int find_modes(struct pms_live *live, struct pms_error *err)
{
	enum { ALL = PMS_LIVE_USER | PMS_LIVE_KERNEL | PMS_LIVE_HYPERVISOR };
	unsigned wanted = live->options.modes ? live->options.modes : ALL;
	struct pms_perf_place place;
	int rc = find_place(live, &place, err);
	if (rc)
		return rc;
	rc = may_count(live, &place, wanted);
	live->modes = wanted;
	if (!rc)
		return 0;
	if ((rc == -EACCES || rc == -EPERM) && !live->options.modes &&
	    !may_count(live, &place, PMS_LIVE_USER)) {
		live->modes = PMS_LIVE_USER;
		return note(live, "user mode alone is counted: perf_event_paranoid does not let "
				  "this user count the kernel")
			       ? pms_no_memory(err)
			       : 0;
	}
	return pms_perf_refused(live, &place, -rc, err);
}

/* Parts */

static int no_pmu(const struct pms_perf_part *part, struct pms_error *err)
{
	int rc = pms_fail(err, PMS_EHOST, "this machine has no PMU for the events of %s",
			  pms_catalog_cpu(part->catalog)->product);
	pms_hint(err,
		 "in a virtual machine, its owner has to give it a PMU (QEMU: -cpu host, or "
		 "pmu=on); --source vcore runs %s programs on a modelled core instead",
		 pms_isa.name);
	return rc;
}

static bool needs_pmu(const struct pms_catalog *catalog, const struct pms_plan_options *o)
{
	if (!o->no_metrics)
		return true;
	for (size_t i = 0; i < o->n_events; i++) {
		const struct pms_event *event = pms_catalog_event(catalog, o->events[i]);
		if (event && !pms_perf_is_software(event))
			return true;
	}
	return false;
}

/* Returns whether this is Linux's own catalog, whose names Linux assigns to a PMU. */
static bool is_kernels(const struct pms_catalog *catalog)
{
	return !strcmp(pms_catalog_cpu(catalog)->name, PMS_KERNEL_CPU);
}

/* Returns a CPU of a PMU that identifies itself: offline ones do not. */
static int telling_cpu(const struct pms_live *live, const struct pms_pmu *pmu)
{
	struct pms_identity id;
	int cpu = pmu->cpus.cpus[0];
	pms_identity_of_cpus(live->system->root, &pmu->cpus, &id, &cpu);
	return cpu;
}

/* Compare the PMU's CPUs with the catalog's kind. Returns 1 the same, 0 another, -1 unknown. */
static int is_of_catalog(const struct pms_live *live, const struct pms_perf_part *part,
			 const struct pms_pmu *pmu)
{
	char name[256];
	int rc = pms_catalog_host_cpu_at(NULL, live->system->root, telling_cpu(live, pmu), name,
					 sizeof(name), NULL);
	if (rc == -PMS_EHOST || is_kernels(part->catalog))
		return -1;
	return !rc && pms_catalog_is_of(part->catalog, name);
}

/* Choose the PMU asked for, else the one of the catalog's CPU, else the first. */
static const struct pms_pmu *choose_pmu(const struct pms_live *live,
					const struct pms_perf_part *part, const char *wanted)
{
	for (size_t i = 0; i < live->pmus.count; i++) {
		const struct pms_pmu *pmu = &live->pmus.pmus[i];
		if (wanted ? !strcmp(pmu->name, wanted)
			   : live->pmus.count > 1 && is_of_catalog(live, part, pmu) == 1)
			return pmu;
	}
	return !wanted && live->pmus.count ? &live->pmus.pmus[0] : NULL;
}

/* Identify the cores, as far as reports need it. */
static void find_identity(const struct pms_live *live, struct pms_perf_part *part, bool needed)
{
	const struct pms_pmu *pmu = part->core.pmu;
	struct pms_identity id;
	part->is_own = pmu && is_of_catalog(live, part, pmu) == 1;
	if (part->is_own && !pms_identity_of_cpus(live->system->root, &pmu->cpus, &id, NULL))
		part->midr = id.midr;
	part->is_foreign = !needed && !is_kernels(part->catalog) && !part->is_own;
}

/* Find a part's PMU and identity. Warn where its core is not the catalog's. */
static int find_core(struct pms_live *live, struct pms_perf_part *part, const char *pmu,
		     bool needed, struct pms_error *err)
{
	part->core.catalog = part->catalog;
	part->core.pmu = choose_pmu(live, part, pmu);
	if (part->core.pmu && !pms_catalog_host_core(part->catalog, live->system->root,
						     telling_cpu(live, part->core.pmu),
						     part->core_name, sizeof(part->core_name)))
		part->core.core = part->core_name;
	find_identity(live, part, needed);
	part->core.whole = pms_perf_is_whole(live, &part->core);
	if (part->core.whole && needed && !(live->modes & PMS_LIVE_KERNEL) && !live->options.modes)
		return pms_perf_refused_whole(live, err);
	if (!part->core.pmu)
		return needed && !is_kernels(part->catalog) ? no_pmu(part, err) : 0;
	if (needed && !is_of_catalog(live, part, part->core.pmu) &&
	    note(live,
		 "this machine's core is not a %s: events that its catalog has may be others here, "
		 "or none",
		 pms_catalog_cpu(part->catalog)->product))
		return pms_no_memory(err);
	return 0;
}

/* Encode an event, and try it where the kernel's word is not enough. */
static int encode(const struct pms_live *live, struct pms_perf_part *part, size_t event,
		  struct perf_event_attr *attr, char *because, size_t size)
{
	const struct pms_pmu *pmu = part->core.pmu;
	int rc = pms_perf_encode(&part->core, pms_catalog_event(part->catalog, event), live->modes,
				 attr, because, size);
	if (rc || !pmu || attr->type != pmu->type)
		return rc;
	if (!strncmp(pmu->name, "armv", 4))
		return pms_perf_check_trust(part, pms_perf_trust(live, part, event), because, size);
	if (!part->tried[event])
		part->tried[event] = pms_perf_runs(live, &part->core, attr) ? 1 : 2;
	if (part->tried[event] == 1)
		return 0;
	snprintf(because, size, "no counter of this machine takes it");
	return -PMS_EHOST;
}

/* Add an event to a pass; one that the machine lacks keeps its reason. */
static int add_member(struct pms_live *live, struct pms_perf_part *part, struct pms_perf_pass *pass,
		      size_t event, struct pms_error *err)
{
	char because[256] = "";
	struct pms_perf_member *members =
		pms_array_room(pass->members, pass->n, sizeof(members[0]));
	if (!members)
		return pms_no_memory(err);
	pass->members = members;
	struct pms_perf_member *member = &members[pass->n++];
	*member = (struct pms_perf_member){
		.event = event,
		.state = PMS_NOT_SUPPORTED,
	};
	if (!encode(live, part, event, &member->attr, because, sizeof(because))) {
		member->doubt = pms_perf_doubt(part->trust[event]);
		return 0;
	}
	member->lacking = true;
	if (pms_perf_is_in_kernel(pms_catalog_event(part->catalog, event)))
		member->state = PMS_NOT_COUNTED;
	member->because = strdup(because);
	return member->because ? 0 : pms_no_memory(err);
}

static bool is_planned(const struct pms_perf_part *part, size_t event)
{
	for (size_t i = 0; i < part->n_passes; i++)
		for (size_t k = 0; k < part->passes[i].n; k++)
			if (part->passes[i].members[k].event == event)
				return true;
	return false;
}

/* Add a pass beside the others for events without a counter: Linux's own, and those that the
 * machine lacks. */
static int add_software(struct pms_live *live, struct pms_perf_part *part,
			const struct pms_plan_options *o, struct pms_error *err)
{
	struct pms_perf_pass *pass = &part->passes[part->n_passes];
	int rc = 0;
	pass->software = true;
	for (size_t i = 0; i < o->n_events && !rc; i++)
		if (pms_perf_is_software(pms_catalog_event(part->catalog, o->events[i])))
			rc = add_member(live, part, pass, o->events[i], err);
	for (size_t i = 0; i < pms_catalog_events(part->catalog) && !rc; i++)
		if (part->lacking[i] && !is_planned(part, i))
			rc = add_member(live, part, pass, i, err);
	part->n_passes += pass->n > 0;
	return rc;
}

/* Number the rows: one for each member, then one for each event, which may be in several passes. */
static int number_rows(struct pms_perf_part *part, struct pms_error *err)
{
	size_t *rows = calloc(pms_catalog_events(part->catalog) + 1, sizeof(*rows));
	if (!rows)
		return pms_no_memory(err);
	part->n_rows = part->n_slots;
	for (size_t i = 0; i < part->n_passes; i++)
		for (size_t k = 0; k < part->passes[i].n; k++) {
			struct pms_perf_member *member = &part->passes[i].members[k];
			if (!rows[member->event])
				rows[member->event] = ++part->n_rows;
			member->row = rows[member->event] - 1;
		}
	free(rows);
	part->joining = calloc(part->n_rows - part->n_slots + 1, sizeof(*part->joining));
	return part->joining ? 0 : pms_no_memory(err);
}

/* Count cycles alone as well: their counter may be free where no other is, and a group has all
 * its counters or none. */
static int add_cycles(struct pms_live *live, struct pms_perf_part *part, struct pms_error *err)
{
	enum { CPU_CYCLES = 0x11 };
	int rc = 0;
	if (!part->none_free || !pms_perf_has_cycles(&part->core))
		return 0;
	for (size_t i = 0; i < part->n_counted && !part->has_cycles && !rc; i++)
		for (size_t k = 0; k < part->passes[i].n && !part->has_cycles && !rc; k++) {
			size_t event = part->passes[i].members[k].event;
			if (pms_catalog_event(part->catalog, event)->code != CPU_CYCLES)
				continue;
			part->has_cycles = true;
			rc = add_member(live, part, &part->passes[part->n_passes++], event, err);
		}
	return rc;
}

/* Turn the plan into passes, then add those for cycles and for Linux's own events. */
static int make_passes(struct pms_live *live, struct pms_perf_part *part,
		       const struct pms_plan_options *o, struct pms_error *err)
{
	size_t planned = part->plan ? part->plan->n_passes : 0;
	int rc = 0;
	/* room for the plan's passes, cycles, and Linux's own events */
	part->passes = calloc(planned + 2, sizeof(*part->passes));
	if (!part->passes)
		return pms_no_memory(err);
	for (; part->n_passes < planned && !rc; part->n_passes++) {
		const struct pms_pass *from = &part->plan->passes[part->n_passes];
		for (size_t i = 0; i < from->n_events && !rc; i++)
			rc = add_member(live, part, &part->passes[part->n_passes], from->events[i],
					err);
	}
	part->n_counted = part->n_passes;
	if (!rc)
		rc = add_cycles(live, part, err);
	if (!rc)
		rc = add_software(live, part, o, err);
	for (size_t i = 0; i < part->n_passes; i++) {
		part->passes[i].first = part->n_slots;
		part->n_slots += part->passes[i].n;
	}
	return rc ? rc : number_rows(part, err);
}

/* Returns whether the machine has an event, as far as is known; a missing event is marked. */
static bool has_event(const struct pms_live *live, struct pms_perf_part *part, size_t event)
{
	struct perf_event_attr attr = { 0 };
	char because[256];
	part->lacking[event] = encode(live, part, event, &attr, because, sizeof(because)) != 0;
	return !part->lacking[event];
}

static bool has_events(const struct pms_live *live, struct pms_perf_part *part,
		       const struct pms_metric *metric)
{
	bool all = true;
	for (size_t i = 0; i < metric->n_events; i++)
		all = has_event(live, part, metric->events[i]) && all;
	return all;
}

/* List the plan's metrics that can be measured here. Returns how many; @all: number of all
 * metrics. */
static size_t measurable(const struct pms_live *live, struct pms_perf_part *part,
			 const char **names, size_t *all)
{
	const struct pms_plan *plan = part->plan;
	size_t n = 0;
	*all = 0;
	for (size_t i = 0; i <= plan->n_passes; i++) {
		bool split = i == plan->n_passes;
		const size_t *metrics = split ? plan->split : plan->passes[i].metrics;
		size_t count = split ? plan->n_split : plan->passes[i].n_metrics;
		for (size_t k = 0; k < count; k++, ++*all) {
			const struct pms_metric *metric =
				pms_catalog_metric(part->catalog, metrics[k]);
			if (has_events(live, part, metric))
				names[n++] = metric->name;
		}
	}
	return n;
}

/* Plan again without the events that the machine lacks, so that these take no counters. @o: the
 * events wanted beside metrics, and the number of counters. */
static int plan_anew(struct pms_live *live, struct pms_perf_part *part, struct pms_plan_options o,
		     struct pms_error *err)
{
	const char **names = calloc(pms_catalog_metrics(part->catalog) + part->plan->n_split + 1,
				    sizeof(*names));
	size_t all;
	int rc = 0;
	if (!names)
		return pms_no_memory(err);
	o.names = names;
	o.n_names = measurable(live, part, names, &all);
	if (o.n_names < all) {
		pms_plan_free(part->plan);
		part->plan = NULL;
		o.no_metrics = !o.n_names;
		if (o.n_names || o.n_events)
			rc = pms_plan_make(part->catalog, &o, &part->plan, err);
	}
	free(names);
	return rc;
}

/* Find the number of counters. Where others hold them all, plan with the core's own number: some
 * may become free. */
static int find_counters(struct pms_live *live, struct pms_perf_part *part,
			 struct pms_plan_options *o)
{
	int counters = pms_perf_probe(live, &part->core);
	o->counters = counters > 0 ? (unsigned)counters : 0;
	part->none_free = !counters;
	if (!part->none_free || (o->no_metrics && !o->n_events))
		return 0;
	return note(live, "others have all counters of the PMU but the one for cycles, or that as "
			  "well: what needs one waits until one is free");
}

/* Plan the events that need counters, if any. */
static int make_plan(struct pms_live *live, struct pms_perf_part *part,
		     const struct pms_plan_options *wanted, struct pms_error *err)
{
	struct pms_plan_options o = *wanted;
	size_t *events = calloc(o.n_events + 1, sizeof(*events));
	part->lacking = calloc(pms_catalog_events(part->catalog) + 1, 1);
	part->tried = calloc(pms_catalog_events(part->catalog) + 1, 1);
	part->trust = calloc(pms_catalog_events(part->catalog) + 1, 1);
	if (!events || !part->lacking || !part->tried || !part->trust) {
		free(events);
		return pms_no_memory(err);
	}
	o.events = events;
	o.n_events = 0;
	for (size_t i = 0; i < wanted->n_events; i++)
		if (!pms_perf_is_software(pms_catalog_event(part->catalog, wanted->events[i])) &&
		    has_event(live, part, wanted->events[i]))
			events[o.n_events++] = wanted->events[i];
	int rc = o.counters ? 0 : find_counters(live, part, &o);
	part->counters = o.counters;
	if (!rc && (!o.no_metrics || o.n_events))
		rc = pms_plan_make(part->catalog, &o, &part->plan, err);
	if (!rc && !o.no_metrics)
		rc = plan_anew(live, part, o, err);
	free(events);
	return rc;
}

static int check_slots(struct pms_live *live, const struct pms_perf_part *part)
{
	unsigned slots = pms_catalog_cpu(part->catalog)->slots;
	const struct pms_pmu *pmu = part->core.pmu;
	if (!pmu || !pmu->slots || !slots || pmu->slots == slots)
		return 0;
	return note(
		live,
		"the PMU says that this core has %u slots a cycle, the catalog of %s %u: shares of "
		"slots are wrong by that",
		pmu->slots, pms_catalog_cpu(part->catalog)->product, slots);
}

static int open_part(struct pms_live *live, struct pms_perf_part *part,
		     const struct pms_live_part *from, struct pms_error *err)
{
	part->catalog = from->catalog;
	int rc = find_core(live, part, from->pmu, needs_pmu(from->catalog, &from->plan), err);
	if (!rc)
		rc = make_plan(live, part, &from->plan, err);
	if (!rc)
		rc = make_passes(live, part, &from->plan, err);
	if (!rc && check_slots(live, part))
		rc = pms_no_memory(err);
	return rc;
}

/* Runs */

size_t pms_perf_most_passes(const struct pms_live *live)
{
	size_t most = 1;
	for (size_t i = 0; i < live->n_parts; i++)
		if (live->parts[i].n_counted > most)
			most = live->parts[i].n_counted;
	return most;
}

/* Choose how to run the passes: sharing a run costs accuracy, and running the program again
 * repeats its side effects. A user who asks for repeated runs has accepted those. */
static int choose_runs(struct pms_live *live, struct pms_error *err)
{
	const struct pms_live_options *o = &live->options;
	size_t passes = pms_perf_most_passes(live), repeat = o->repeat > 1 ? o->repeat : 1;
	bool is_command = pms_perf_target_is_command(&o->target);
	int rc = 0;
	live->multirun = passes > 1 && is_command &&
			 (o->passes == PMS_PASSES_MULTIRUN ||
			  (o->passes == PMS_PASSES_DEFAULT && repeat > 1));
	live->runs = repeat * (live->multirun ? passes : 1);
	if (live->multirun)
		rc = note(live, "%zu passes, a run of the program each%s: %zu runs, exact counts",
			  passes, repeat > 1 ? ", repeated" : "", live->runs);
	else if (passes > 1)
		rc = note(live, "%zu passes take turns%s: counts are scaled up%s", passes,
			  is_command ? " in one run" : "",
			  is_command && o->passes == PMS_PASSES_DEFAULT && !o->interval_ms
				  ? "; --multirun gives exact ones, by running the program again "
				    "for each pass"
				  : "");
	return rc ? pms_no_memory(err) : 0;
}

int pms_live_open(const struct pms_live_part *parts, size_t n,
		  const struct pms_live_options *options, struct pms_live **out,
		  struct pms_error *err)
{
	int rc = pms_perf_target_check(options, err);
	struct pms_live *live = rc ? NULL : calloc(1, sizeof(*live));
	if (!live)
		return rc ? rc : pms_no_memory(err);
	live->options = *options;
	live->system = options->system ? options->system : &pms_perf_host;
	live->cgroup = -1;
	getrlimit(RLIMIT_NOFILE, &live->files);
	live->parts = calloc(n + 1, sizeof(*live->parts));
	live->columns = pms_array_room(NULL, 0, sizeof(*live->columns));
	if (live->columns) /* the total */
		live->columns[live->n_columns++] =
			(struct pms_perf_column){ .kind = PMS_SCOPE_TOTAL };
	rc = live->parts && live->columns ? pms_pmus_read(live->system->root, &live->pmus, err)
					  : pms_no_memory(err);
	if (!rc)
		rc = find_modes(live, err);
	for (; live->n_parts < n && !rc; live->n_parts++)
		rc = open_part(live, &live->parts[live->n_parts], &parts[live->n_parts], err);
	if (!rc)
		rc = choose_runs(live, err);
	if (!rc)
		rc = pms_perf_columns_room(live, err);
	if (rc)
		pms_live_close(live);
	else
		*out = live;
	return rc;
}

static void part_release(struct pms_perf_part *part)
{
	for (size_t i = 0; part->passes && i < part->n_passes; i++) {
		for (size_t k = 0; k < part->passes[i].n; k++)
			free(part->passes[i].members[k].because);
		free(part->passes[i].members);
	}
	free(part->passes);
	free(part->lacking);
	free(part->tried);
	free(part->trust);
	free(part->tallies);
	free(part->sums);
	free(part->runs);
	free(part->joining);
	pms_plan_free(part->plan);
}

void pms_live_close(struct pms_live *live)
{
	if (!live)
		return;
	for (size_t i = 0; live->parts && i < live->n_parts; i++)
		part_release(&live->parts[i]);
	free(live->parts);
	pms_pmus_release(&live->pmus);
	free(live->columns);
	pms_cpus_release(&live->online);
	free(live->cells);
	for (size_t i = 0; i < live->n_notes; i++)
		free(live->notes[i]);
	free(live->notes);
	if (live->cgroup >= 0)
		close(live->cgroup);
	free(live);
}

int pms_live_cores(struct pms_live_core *cores, size_t max, struct pms_error *err)
{
	struct pms_pmus pmus;
	int rc = pms_pmus_read(pms_perf_host.root, &pmus, err);
	for (size_t i = 0; i < pmus.count && i < max && !rc; i++) {
		snprintf(cores[i].pmu, sizeof(cores[i].pmu), "%.63s", pmus.pmus[i].name);
		pms_cpus_text(&pmus.pmus[i].cpus, cores[i].cpus, sizeof(cores[i].cpus));
		struct pms_identity id;
		cores[i].cpu = pmus.pmus[i].cpus.cpus[0];
		pms_identity_of_cpus(pms_perf_host.root, &pmus.pmus[i].cpus, &id, &cores[i].cpu);
	}
	if (!rc)
		rc = (int)pmus.count;
	pms_pmus_release(&pmus);
	return rc;
}

size_t pms_live_parts(const struct pms_live *live)
{
	return live->n_parts;
}

const struct pms_plan *pms_live_plan(const struct pms_live *live, size_t i)
{
	return i < live->n_parts ? live->parts[i].plan : NULL;
}

size_t pms_live_runs(const struct pms_live *live)
{
	return live->options.target.command ? live->runs : 0;
}

const char *pms_live_note(const struct pms_live *live, size_t i)
{
	return i < live->n_notes ? live->notes[i] : NULL;
}

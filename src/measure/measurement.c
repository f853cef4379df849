/* SPDX-License-Identifier: MIT */
/* The parts of a measurement that all sources share. */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "machine/identity.h"
#include "measure/measurement.h"

enum pms_source pms_source_of_host(void)
{
	return pms_host_is_measured() ? PMS_SOURCE_PMU : PMS_SOURCE_MODEL;
}

/* Only a PMU can count programs that run already. */
static enum pms_source source_of(const struct pms_measurement_options *o)
{
	const struct pms_live_target *target = &o->live.target;
	if (o->source != PMS_SOURCE_DEFAULT)
		return o->source;
	if (o->file)
		return PMS_SOURCE_FILE;
	if (target->n_pids || target->n_tids || target->all_cpus || target->cpus || target->cgroup)
		return PMS_SOURCE_PMU;
	return pms_source_of_host();
}

/* Refuse options that name nothing to measure, or two CPUs. */
static int check(const struct pms_measurement_options *o, enum pms_source source,
		 struct pms_error *err)
{
	if ((o->catalog != NULL) + (o->mcpu != NULL) + (o->spec != NULL) > 1)
		return pms_fail(err, PMS_EINVAL, "catalog, CPU and specification: name one");
	if (source == PMS_SOURCE_FILE && !o->file)
		return pms_fail(err, PMS_EINVAL, "no file of counts is named");
	if (source == PMS_SOURCE_MODEL && !(o->live.target.command && o->live.target.command[0]))
		return pms_fail(err, PMS_EINVAL, "no program to run is named");
	return 0;
}

int pms_measurement_choose(struct pms_measurement *m, const char *mcpu, const char *spec,
			   int modelled, struct pms_error *err)
{
	const struct pms_catalog_choice choice = { .mcpu = mcpu,
						   .spec = spec,
						   .modelled = modelled,
						   .note = m->options.note,
						   .context = m->options.context };
	m->n_parts = 1;
	return m->options.catalog ? 0 : pms_catalog_choose(&choice, &m->parts[0].owned, err);
}

/* Point each part's public members at its own storage, once parts no longer move. */
static void show_parts(struct pms_measurement *m)
{
	for (size_t i = 0; i < m->n_parts; i++) {
		struct pms_measurement_part *part = &m->parts[i];
		part->shown.catalog = m->options.catalog ? m->options.catalog : part->owned;
		part->shown.pmu = part->pmu[0] ? part->pmu : NULL;
	}
}

static int select_part(struct pms_measurement_part *part, struct pms_error *err)
{
	int rc =
		pms_selection_make(part->shown.catalog, &part->shown.wanted, &part->selection, err);
	part->shown.selection = part->selection;
	return rc;
}

static int open_source(struct pms_measurement *m, struct pms_error *err)
{
	int rc = m->source->open(m, err);
	show_parts(m);
	if (!rc)
		rc = m->source->resolve(m, err);
	show_parts(m);
	for (size_t i = 0; i < m->n_parts && !rc && m->source->selects; i++)
		rc = select_part(&m->parts[i], err);
	return rc;
}

int pms_measurement_open(const struct pms_measurement_options *options,
			 struct pms_measurement **out, struct pms_error *err)
{
	static const struct pms_measurement_source *const sources[] = {
		[PMS_SOURCE_PMU] = &pms_source_pmu,
		[PMS_SOURCE_MODEL] = &pms_source_model,
		[PMS_SOURCE_FILE] = &pms_source_file,
	};
	enum pms_source kind = source_of(options);
	if ((unsigned)kind >= sizeof(sources) / sizeof(sources[0]))
		return pms_fail(err, PMS_EINVAL, "there is no source %d", (int)kind);
	int rc = check(options, kind, err);
	if (rc)
		return rc;
	struct pms_measurement *m = calloc(1, sizeof(*m));
	if (!m)
		return pms_no_memory(err);
	m->options = *options;
	m->kind = kind;
	m->source = sources[kind];
	rc = open_source(m, err);
	if (rc)
		pms_measurement_close(m);
	else
		*out = m;
	return rc;
}

void pms_measurement_part_release(struct pms_measurement_part *part)
{
	pms_selection_free(part->selection);
	pms_catalog_free(part->owned);
	*part = (struct pms_measurement_part){ 0 };
}

void pms_measurement_close(struct pms_measurement *m)
{
	if (!m)
		return;
	pms_live_close(m->live);
	pms_session_close(m->session);
	pms_perf_stat_free(m->stat);
	for (size_t i = 0; i < PMS_MEASURED_MOST; i++)
		pms_measurement_part_release(&m->parts[i]);
	pms_arena_release(&m->arena);
	free(m);
}

enum pms_source pms_measurement_source(const struct pms_measurement *m)
{
	return m->kind;
}

size_t pms_measurement_parts(const struct pms_measurement *m)
{
	return m->n_parts;
}

const struct pms_measured_part *pms_measurement_part(const struct pms_measurement *m, size_t i)
{
	return &m->parts[i].shown;
}

int pms_measurement_select(struct pms_measurement *m, struct pms_error *err)
{
	return m->parts[0].selection ? 0 : select_part(&m->parts[0], err);
}

int pms_measurement_prepare(struct pms_measurement *m, struct pms_error *err)
{
	return m->source->prepare && !m->live ? m->source->prepare(m, err) : 0;
}

const struct pms_plan *pms_measurement_plan(const struct pms_measurement *m, size_t i)
{
	return m->live ? pms_live_plan(m->live, i) : NULL;
}

int pms_measurement_read(struct pms_measurement *m, pms_live_put *put, void *context,
			 struct pms_counts **totals, struct pms_error *err)
{
	int rc = pms_measurement_prepare(m, err);
	return rc ? rc : m->source->read(m, put, context, totals, err);
}

int pms_measurement_relate(struct pms_measurement *m, size_t i, const struct pms_counts *counts,
			   struct pms_error *err)
{
	for (size_t k = 0; k < pms_catalog_events(counts->catalog); k++) {
		const struct pms_count *count = &counts->total.counts[k];
		if (count->state == PMS_COUNTED && !count->value)
			return pms_catalog_add_relations(NULL, m->parts[i].shown.catalog, err);
	}
	return 0;
}

int pms_measurement_so_far(struct pms_measurement *m, size_t i, struct pms_counts **out,
			   struct pms_error *err)
{
	if (!m->live)
		return pms_fail(err, PMS_EINVAL, "nothing is being measured");
	return pms_live_so_far(m->live, i, out, err);
}

int pms_measurement_interrupted(const struct pms_measurement *m)
{
	return m->live ? pms_live_interrupted(m->live) : 0;
}

size_t pms_measurement_intervals(const struct pms_measurement *m)
{
	if (m->session)
		return pms_session_intervals(m->session);
	return m->stat ? pms_perf_stat_intervals(m->stat) : 0;
}

const struct pms_session_view *pms_measurement_view(const struct pms_measurement *m)
{
	return m->session ? pms_session_view(m->session) : NULL;
}

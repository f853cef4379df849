/* SPDX-License-Identifier: MIT */
/* This machine's PMU as a source. */
#include "base/status.h"
#include "measure/measurement.h"
#include "measure/note.h"

static int open_pmu(struct pms_measurement *m, struct pms_error *err)
{
	const struct pms_measurement_options *o = &m->options;
	if (o->catalog || o->mcpu || o->spec)
		return pms_measurement_choose(m, o->mcpu, o->spec, 0, err);
	return pms_kinds_load(m, err);
}

/* Plan every group of metrics where all are shown, not only those of the methodology. */
static int plan_all(struct pms_measurement *m, struct pms_measurement_part *part,
		    struct pms_error *err)
{
	const struct pms_wanted *wanted = &part->shown.wanted;
	const struct pms_catalog *catalog = part->shown.catalog;
	if (!wanted->all || wanted->n_metrics || wanted->n_events)
		return 0;
	part->groups =
		pms_arena_alloc(&m->arena, pms_catalog_groups(catalog) + 1, sizeof(*part->groups));
	if (!part->groups)
		return pms_no_memory(err);
	for (size_t i = 0; i < pms_catalog_groups(catalog); i++)
		if (pms_catalog_group(catalog, i)->kind == PMS_GROUP_METRICS)
			part->groups[part->n_groups++] = pms_catalog_group(catalog, i)->name;
	return 0;
}

static struct pms_live_part live_part(const struct pms_measurement_part *part)
{
	const struct pms_wanted *wanted = &part->shown.wanted;
	return (struct pms_live_part){
		.catalog = part->shown.catalog,
		.pmu = part->shown.pmu,
		.plan = { .names = part->groups ? part->groups : wanted->metrics,
			  .n_names = part->groups ? part->n_groups : wanted->n_metrics,
			  .events = part->selection->events,
			  .n_events = wanted->n_events ? part->selection->n_events : 0,
			  .no_metrics = wanted->n_events && !wanted->n_metrics },
	};
}

static int prepare(struct pms_measurement *m, struct pms_error *err)
{
	struct pms_live_part parts[PMS_MEASURED_MOST];
	int rc = 0;
	for (size_t i = 0; i < m->n_parts && !rc; i++) {
		rc = plan_all(m, &m->parts[i], err);
		parts[i] = live_part(&m->parts[i]);
	}
	if (!rc)
		rc = pms_live_open(parts, m->n_parts, &m->options.live, &m->live, err);
	for (size_t i = 0; !rc && pms_live_note(m->live, i); i++)
		pms_note_printf(m->options.note, m->options.context, "%s",
				pms_live_note(m->live, i));
	return rc;
}

static int read_pmu(struct pms_measurement *m, pms_live_put *put, void *context,
		    struct pms_counts **totals, struct pms_error *err)
{
	struct pms_counts *unwanted[PMS_MEASURED_MOST] = { NULL };
	int rc = pms_live_run(m->live, put, context, totals ? totals : unwanted, err);
	for (size_t i = 0; i < m->n_parts; i++)
		pms_counts_free(unwanted[i]);
	return rc;
}

const struct pms_measurement_source pms_source_pmu = { .open = open_pmu,
						       .resolve = pms_kinds_resolve,
						       .prepare = prepare,
						       .read = read_pmu,
						       .selects = 1 };

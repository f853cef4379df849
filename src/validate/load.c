/* SPDX-License-Identifier: MIT */
/* Reads workloads.json: {"source", "workloads": [{"name", "category", "dominant", "argued",
 * "figures": [{"metric"} or {"name", "formula", "units"}, with "low" and "high", or "published" and
 * "within_percent" or "within_points", and "source"]}]}. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/name.h"
#include "base/status.h"
#include "catalog/catalog.h"
#include "catalog/json.h"
#include "pmuscope/validate.h"

struct pms_workloads {
	struct pms_arena arena; /* every text and array */
	const struct pms_catalog *catalog;
	struct pms_workload *workloads;
	size_t n;
	struct pms_formula **formulas; /* of the figures' own metrics */
	size_t n_formulas;
};

/* @text: NULL when it is optional and absent */
static int read_text(struct pms_workloads *w, const struct pms_json_place *at, const char *key,
		     int optional, const char **text, struct pms_error *err)
{
	struct pms_json_place place;
	int rc = pms_json_get(at, key, PMS_JSON_STRING | (optional ? PMS_JSON_OPTIONAL : 0), &place,
			      err);
	if (rc || !place.value)
		return rc;
	*text = pms_arena_dup(&w->arena, json_string_value(place.value));
	return *text ? 0 : pms_no_memory(err);
}

/* Read an optional number. Returns 1 when there is one, 0 when not. */
static int read_number(const struct pms_json_place *at, const char *key, double *value,
		       struct pms_error *err)
{
	struct pms_json_place place;
	int rc = pms_json_get(at, key, PMS_JSON_NUMBER | PMS_JSON_OPTIONAL, &place, err);
	if (rc || !place.value)
		return rc;
	*value = json_number_value(place.value);
	return 1;
}

static int find_metric(const struct pms_workloads *w, const struct pms_json_place *at,
		       const char *key, const struct pms_metric **metric, struct pms_error *err)
{
	struct pms_json_place place;
	int rc = pms_json_get(at, key, PMS_JSON_STRING | PMS_JSON_OPTIONAL, &place, err);
	if (rc || !place.value)
		return rc;
	int64_t i = pms_catalog_find_metric(w->catalog, json_string_value(place.value));
	if (i < 0)
		return pms_json_fail(&place, err, "unknown metric \"%s\"",
				     json_string_value(place.value));
	*metric = pms_catalog_metric(w->catalog, (size_t)i);
	return 0;
}

/* List the indices of the events that a formula names. */
static int list_events(struct pms_workloads *w, struct pms_metric *metric, struct pms_error *err)
{
	size_t n = pms_formula_names(metric->program);
	size_t *events = pms_arena_alloc(&w->arena, n, sizeof(events[0]));
	if (!events)
		return pms_no_memory(err);
	for (size_t i = 0; i < n; i++)
		events[i] = (size_t)pms_catalog_find_event(w->catalog,
							   pms_formula_name(metric->program, i));
	metric->events = events;
	metric->n_events = n;
	return 0;
}

/* Make a metric that the catalog does not have. */
static int own_metric(struct pms_workloads *w, const struct pms_json_place *at,
		      const struct pms_metric **out, struct pms_error *err)
{
	struct pms_json_place place;
	struct pms_formula *formula;
	struct pms_metric *metric = pms_arena_alloc(&w->arena, 1, sizeof(*metric));
	if (!metric)
		return pms_no_memory(err);
	int rc = read_text(w, at, "name", 0, &metric->name, err);
	if (!rc)
		rc = read_text(w, at, "units", 0, &metric->units, err);
	if (!rc)
		rc = read_text(w, at, "formula", 0, &metric->formula, err);
	if (!rc)
		rc = pms_json_get(at, "formula", PMS_JSON_STRING, &place, err);
	if (!rc)
		rc = pms_catalog_formula(w->catalog, &place, metric->formula,
					 pms_catalog_find_event, "event", &formula, err);
	if (rc)
		return rc;
	w->formulas[w->n_formulas++] = formula;
	metric->program = formula;
	*out = metric;
	return list_events(w, metric, err);
}

/* Read the limits, given as such or as a distance from the published value. */
static int read_ends(const struct pms_json_place *at, struct pms_figure *figure,
		     struct pms_error *err)
{
	double published = 0, percent = 0, points = 0;
	int low = read_number(at, "low", &figure->low, err);
	int high = low < 0 ? low : read_number(at, "high", &figure->high, err);
	int is = high < 0 ? high : read_number(at, "published", &published, err);
	int by = is < 0 ? is : read_number(at, "within_percent", &percent, err);
	int of = by < 0 ? by : read_number(at, "within_points", &points, err);
	if (of < 0)
		return of;
	if (is ? low || high || by == of : (!low && !high) || by || of)
		return pms_json_fail(at, err,
				     "needs low or high, or published with one of within_percent "
				     "and within_points");
	figure->has_low = is || low;
	figure->has_high = is || high;
	if (!is)
		return 0;
	double room = by ? fabs(published) * percent / 100 : points;
	figure->low = published < 0 ? published - room : fmax(0, published - room);
	figure->high = published + room;
	return 0;
}

static int read_figure(struct pms_workloads *w, const struct pms_json_place *at,
		       struct pms_figure *figure, struct pms_error *err)
{
	int rc = find_metric(w, at, "metric", &figure->metric, err);
	if (!rc && !figure->metric)
		rc = own_metric(w, at, &figure->metric, err);
	if (!rc)
		rc = read_text(w, at, "source", 0, &figure->source, err);
	return rc ? rc : read_ends(at, figure, err);
}

/* Read the figures of a workload: each is of a metric of the catalog, or of its own formula. */
static int read_figures(struct pms_workloads *w, const struct pms_json_place *at,
			struct pms_workload *workload, struct pms_error *err)
{
	struct pms_json_place array, place;
	int rc = pms_json_get(at, "figures", PMS_JSON_ARRAY, &array, err);
	if (rc)
		return rc;
	size_t n = json_array_size(array.value);
	struct pms_figure *figures = pms_arena_alloc(&w->arena, n, sizeof(figures[0]));
	struct pms_formula **formulas =
		realloc(w->formulas, (w->n_formulas + n + 1) * sizeof(formulas[0]));
	if (formulas)
		w->formulas = formulas;
	if (!figures || !formulas)
		return pms_no_memory(err);
	for (size_t i = 0; !rc && i < n; i++) {
		rc = pms_json_element(&array, i, PMS_JSON_OBJECT, &place, err);
		if (!rc)
			rc = read_figure(w, &place, &figures[i], err);
	}
	workload->figures = figures;
	workload->n_figures = n;
	return rc;
}

static int read_workload(struct pms_workloads *w, const struct pms_json_place *at,
			 struct pms_workload *workload, struct pms_error *err)
{
	struct pms_json_place argued;
	int rc = read_text(w, at, "name", 0, &workload->name, err);
	if (!rc && (!workload->name[0] || strchr(workload->name, '/')))
		rc = pms_json_fail(at, err, "\"%s\" is no name of a program", workload->name);
	if (!rc)
		rc = read_text(w, at, "category", 0, &workload->category, err);
	if (!rc)
		rc = find_metric(w, at, "dominant", &workload->dominant, err);
	if (!rc)
		rc = pms_json_get(at, "argued", PMS_JSON_BOOLEAN | PMS_JSON_OPTIONAL, &argued, err);
	if (rc)
		return rc;
	workload->argued = json_is_true(argued.value);
	return read_figures(w, at, workload, err);
}

static int read_all(struct pms_workloads *w, const struct pms_json *json, struct pms_error *err)
{
	struct pms_json_place root = pms_json_root(json), array, place;
	int rc = pms_json_get(&root, "workloads", PMS_JSON_ARRAY, &array, err);
	if (rc)
		return rc;
	w->n = json_array_size(array.value);
	w->workloads = pms_arena_alloc(&w->arena, w->n, sizeof(w->workloads[0]));
	if (!w->workloads)
		return pms_no_memory(err);
	for (size_t i = 0; !rc && i < w->n; i++) {
		rc = pms_json_element(&array, i, PMS_JSON_OBJECT, &place, err);
		if (!rc)
			rc = read_workload(w, &place, &w->workloads[i], err);
	}
	return rc;
}

static int find_file(const struct pms_catalog *catalog, const char *data, char *path,
		     struct pms_error *err)
{
	char found[PATH_MAX];
	const char *cpu = pms_catalog_cpu(catalog)->name;
	int rc = data ? 0 : pms_data_dir(found, sizeof(found), err);
	if (rc)
		return rc;
	int n = snprintf(path, PATH_MAX, "%s/cpus/%s/workloads.json", data ? data : found, cpu);
	if (n < 0 || n >= PATH_MAX)
		return pms_fail(err, PMS_EIO, "the path of the data directory is too long");
	if (!access(path, F_OK))
		return 0;
	rc = pms_fail(err, PMS_ENAME, "nothing is known of what workloads do on %s", cpu);
	pms_hint(err, "there is for neoverse-v1");
	return rc;
}

int pms_workloads_load(const struct pms_catalog *catalog, const char *data,
		       struct pms_workloads **out, struct pms_error *err)
{
	char path[PATH_MAX];
	struct pms_json json;
	int rc = find_file(catalog, data, path, err);
	if (!rc)
		rc = pms_json_load(path, &json, err);
	if (rc)
		return rc;
	struct pms_workloads *w = calloc(1, sizeof(*w));
	if (w)
		w->catalog = catalog;
	rc = w ? read_all(w, &json, err) : pms_no_memory(err);
	pms_json_release(&json);
	if (rc)
		pms_workloads_free(w);
	else
		*out = w;
	return rc;
}

void pms_workloads_free(struct pms_workloads *workloads)
{
	if (!workloads)
		return;
	for (size_t i = 0; i < workloads->n_formulas; i++)
		pms_formula_free(workloads->formulas[i]);
	free(workloads->formulas);
	pms_arena_release(&workloads->arena);
	free(workloads);
}

size_t pms_workloads_count(const struct pms_workloads *workloads)
{
	return workloads->n;
}

const struct pms_workload *pms_workload(const struct pms_workloads *workloads, size_t i)
{
	return i < workloads->n ? &workloads->workloads[i] : NULL;
}

int64_t pms_workload_find(const struct pms_workloads *workloads, const char *name,
			  struct pms_error *err)
{
	struct pms_nearest nearest = { 0 };
	for (size_t i = 0; i < workloads->n; i++) {
		if (!strcmp(workloads->workloads[i].name, name))
			return (int64_t)i;
		pms_nearest_offer(&nearest, name, workloads->workloads[i].name);
	}
	int rc = pms_fail(err, PMS_ENAME, "there is no workload \"%s\"", name);
	if (nearest.best)
		pms_hint(err, "did you mean %s?", nearest.best);
	else
		pms_hint(err, "pmuscope validate --names shows all");
	return rc;
}

/* SPDX-License-Identifier: MIT */
#include "collect/core/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memstream.h"
#include "base/name.h"
#include "base/status.h"
#include "collect/core/base.h"
#include "collect/core/set.h"
#include "machine/path.h"
#include "pmuscope/collect.h"

static int data_path(const char *data, char *dir, size_t size, struct pms_error *err)
{
	if (!data)
		return pms_data_dir(dir, size, err);
	int n = snprintf(dir, size, "%s", data);
	return n >= 0 && (size_t)n < size ? 0 : pms_fail(err, PMS_EIO, "the data path is too long");
}

static int core_path(const char *dir, const char *cpu, char *path, size_t size,
		     struct pms_error *err)
{
	int n = snprintf(path, size, "%s/cpus/%s/core.json", dir, cpu);
	return n > 0 && (size_t)n < size ? 0 : pms_fail(err, PMS_EIO, "the data path is too long");
}

/* Refuse a CPU without a core model; the hint lists the modelled ones. */
static int no_core(const char *dir, const char *cpu, struct pms_error *err)
{
	char path[PMS_PATH_MAX], list[256] = "";
	struct pms_names cpus = { 0 };
	int rc = pms_fail(err, PMS_ENAME, "there is no core model of %s", cpu);
	if (pms_catalog_cpus(dir, &cpus, NULL))
		return rc;
	for (size_t i = 0; i < cpus.count; i++)
		if (!core_path(dir, cpus.names[i], path, sizeof(path), NULL) && !access(path, F_OK))
			pms_name_append(list, sizeof(list), cpus.names[i]);
	pms_names_free(&cpus);
	pms_hint(err, "programs can be run on: %s", list[0] ? list : "none");
	return rc;
}

int pms_core_read(const struct pms_catalog *catalog, const struct pms_json *json,
		  struct pms_core_file *out, struct pms_error *err)
{
	size_t count = pms_catalog_events(catalog);
	const char **names = calloc(count ? count : 1, sizeof(*names));
	if (!names)
		return pms_no_memory(err);
	for (size_t i = 0; i < count; i++)
		names[i] = pms_catalog_event(catalog, i)->name;
	struct pms_core_events events = { .names = names,
					  .count = count,
					  .foreign = pms_catalog_cpu(catalog)->file != NULL };
	int rc = pms_core_file_read(json, &events, out, err);
	free(names);
	return rc;
}

static int find(const struct pms_catalog *catalog, const char *data, char *path, size_t size,
		struct pms_error *err)
{
	char dir[PMS_PATH_MAX];
	const char *cpu = pms_catalog_cpu(catalog)->name;
	int rc = data_path(data, dir, sizeof(dir), err);
	if (!rc)
		rc = core_path(dir, cpu, path, size, err);
	if (!rc && access(path, F_OK))
		rc = no_core(dir, cpu, err);
	return rc;
}

int pms_core_text(const struct pms_catalog *catalog, const char *data, char *const *settings,
		  struct pms_json *json, struct pms_error *err)
{
	char path[PMS_PATH_MAX];
	int rc = find(catalog, data, path, sizeof(path), err);
	if (!rc)
		rc = pms_json_load(path, json, err);
	if (rc)
		return rc;
	rc = pms_core_complete(json, err);
	if (!rc && settings)
		rc = pms_core_set(json->root, settings, err);
	if (rc)
		pms_json_release(json);
	return rc;
}

int pms_core_load(const struct pms_catalog *catalog, const char *data, char *const *settings,
		  struct pms_core_file *out, struct pms_error *err)
{
	struct pms_json json;
	int rc = pms_core_text(catalog, data, settings, &json, err);
	if (rc)
		return rc;
	rc = pms_core_read(catalog, &json, out, err);
	pms_json_release(&json);
	return rc;
}

/* what it counts, for people */

struct pms_vcore_events {
	struct pms_core_file core;
	struct pms_vcore_event *events; /* `how` is owned */
};

/* Returns "L2D_FROM_STORE + L2D_FROM_WB": the counters that a rule adds up. */
static char *describe(const struct pms_rule *rule)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = pms_memstream_open(&text, &size);
	if (!out)
		return NULL;
	for (unsigned i = 0; i < rule->n_terms; i++) {
		int minus = rule->terms[i].sign < 0;
		fprintf(out, "%s%s",
			i	? (minus ? " - " : " + ")
			: minus ? "-"
				: "",
			pms_counter_names[rule->terms[i].counter]);
	}
	if (pms_memstream_close(out)) {
		free(text);
		return NULL;
	}
	return text;
}

static int fill(struct pms_vcore_events *model, struct pms_error *err)
{
	size_t n = model->core.n_rules;
	model->events = calloc(n ? n : 1, sizeof(*model->events));
	for (size_t i = 0; model->events && i < n; i++) {
		const struct pms_rule *rule = &model->core.rules[i];
		char *how = describe(rule);
		model->events[i] = (struct pms_vcore_event){
			.state = rule->state, .cls = rule->cls, .how = how, .because = rule->because
		};
		if (!how)
			return pms_no_memory(err);
	}
	return model->events ? 0 : pms_no_memory(err);
}

int pms_vcore_events_load(const struct pms_catalog *catalog, const char *data,
			  struct pms_vcore_events **out, struct pms_error *err)
{
	struct pms_vcore_events *model = calloc(1, sizeof(*model));
	if (!model)
		return pms_no_memory(err);
	int rc = pms_core_load(catalog, data, NULL, &model->core, err);
	if (!rc)
		rc = fill(model, err);
	if (rc) {
		pms_vcore_events_free(model);
		return rc;
	}
	*out = model;
	return 0;
}

void pms_vcore_events_free(struct pms_vcore_events *model)
{
	if (!model)
		return;
	for (size_t i = 0; model->events && i < model->core.n_rules; i++)
		free((char *)model->events[i].how);
	free(model->events);
	pms_core_file_release(&model->core);
	free(model);
}

const struct pms_vcore_event *pms_vcore_event(const struct pms_vcore_events *model, size_t event)
{
	return event < model->core.n_rules ? &model->events[event] : NULL;
}

/* SPDX-License-Identifier: MIT */
/* A CPU's folder made a catalog. */
#include "catalog/catalog.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"

enum { DEFAULT_COUNTERS = 6 }; /* of every Neoverse core's PMU; the layout has no standard key */

static int read_number(const struct pms_place *at, const char *key, unsigned absent, unsigned *out,
		       struct pms_error *err)
{
	struct pms_place place;
	int rc = pms_json_get(at, key, PMS_JSON_INTEGER | PMS_JSON_OPTIONAL, &place, err);
	*out = absent;
	if (rc || !place.value)
		return rc;
	json_int_t number = json_integer_value(place.value);
	if (number < 0 || number > 1024)
		return pms_json_fail(&place, err, "is out of range (0 to 1024)");
	*out = (unsigned)number;
	return 0;
}

/* The first of the document's marks of its version that it has. */
static int read_version(struct pms_catalog *catalog, const struct pms_place *document,
			struct pms_error *err)
{
	static const char *const keys[] = { "revision", "timestamp", "sha1" };
	int rc = 0;
	catalog->cpu.version = "";
	for (size_t i = 0; !rc && i < sizeof(keys) / sizeof(keys[0]) && !catalog->cpu.version[0];
	     i++)
		rc = pms_catalog_text(catalog, document, keys[i], 1, &catalog->cpu.version, err);
	return rc;
}

static int read_cpu(struct pms_catalog *catalog, const struct pms_place *root,
		    struct pms_error *err)
{
	struct pms_place product, document;
	int rc = pms_json_get(root, "product_configuration", PMS_JSON_OBJECT, &product, err);
	if (!rc)
		rc = pms_catalog_text(catalog, &product, "product_name", 0, &catalog->cpu.product,
				      err);
	if (!rc)
		rc = read_number(&product, "num_slots", 0, &catalog->cpu.slots, err);
	if (!rc)
		rc = read_number(&product, "num_counters", DEFAULT_COUNTERS, &catalog->cpu.counters,
				 err);
	if (!rc)
		rc = pms_json_get(root, "document", PMS_JSON_OBJECT, &document, err);
	return rc ? rc : read_version(catalog, &document, err);
}

static int read_all(struct pms_catalog *catalog, const struct pms_json *telemetry,
		    const struct pms_json *advice, struct pms_error *err)
{
	static int (*const steps[])(struct pms_catalog *, const struct pms_place *,
				    struct pms_error *) = {
		read_cpu,
		pms_catalog_read_events,
		pms_catalog_read_metrics,
		pms_catalog_read_groups,
		pms_catalog_read_methodologies,
	};
	struct pms_place root = pms_json_root(telemetry);
	if (!json_is_object(root.value))
		return pms_json_fail(&root, err, "must hold an object");
	int rc = 0;
	for (size_t i = 0; !rc && i < sizeof(steps) / sizeof(steps[0]); i++)
		rc = steps[i](catalog, &root, err);
	if (rc || !advice)
		return rc;
	struct pms_place advice_root = pms_json_root(advice);
	if (!json_is_object(advice_root.value))
		return pms_json_fail(&advice_root, err, "must hold an object");
	return pms_catalog_read_advice(catalog, &advice_root, err);
}

int pms_catalog_build(const char *cpu, const struct pms_json *telemetry,
		      const struct pms_json *advice, struct pms_catalog **out,
		      struct pms_error *err)
{
	struct pms_arena arena = { 0 };
	struct pms_catalog *catalog = pms_arena_alloc(&arena, 1, sizeof(*catalog));
	if (!catalog)
		return pms_fail(err, PMS_ENOMEM, "out of memory");
	catalog->arena = arena;
	catalog->cpu.name = pms_arena_dup(&catalog->arena, cpu);
	int rc = catalog->cpu.name ? read_all(catalog, telemetry, advice, err)
				   : pms_fail(err, PMS_ENOMEM, "out of memory");
	if (rc) {
		pms_catalog_free(catalog);
		return rc;
	}
	*out = catalog;
	return 0;
}

/* Load @folder's files; advice.json may be absent. */
static int load_folder(const char *cpu, const char *telemetry, const char *advice,
		       struct pms_catalog **out, struct pms_error *err)
{
	struct pms_json main = { 0 }, extra = { 0 };
	int has_advice = !access(advice, F_OK);
	int rc = pms_json_load(telemetry, &main, err);
	if (!rc && has_advice)
		rc = pms_json_load(advice, &extra, err);
	if (!rc)
		rc = pms_catalog_build(cpu, &main, has_advice ? &extra : NULL, out, err);
	pms_json_release(&main);
	pms_json_release(&extra);
	return rc;
}

static void hint_cpus(const char *data, const char *cpu, struct pms_error *err)
{
	struct pms_names names;
	struct pms_nearest nearest = { 0 };
	char list[400] = "";
	size_t used = 0;
	if (pms_catalog_cpus(data, &names, NULL))
		return;
	for (size_t i = 0; i < names.count; i++) {
		pms_nearest_offer(&nearest, cpu, names.names[i]);
		int n = snprintf(list + used, sizeof(list) - used, "%s%s", used ? ", " : "",
				 names.names[i]);
		if (n < 0 || (size_t)n >= sizeof(list) - used)
			break;
		used += (size_t)n;
	}
	if (nearest.best)
		pms_hint(err, "did you mean %s? There are: %s", nearest.best, list);
	else if (names.count)
		pms_hint(err, "there are: %s", list);
	pms_names_free(&names);
}

static int unknown_cpu(const char *data, const char *cpu, struct pms_error *err)
{
	int rc = pms_fail(err, PMS_ENAME, "no CPU \"%s\" in %s/cpus", cpu, data);
	hint_cpus(data, cpu, err);
	return rc;
}

int pms_catalog_load(const char *data, const char *cpu, struct pms_catalog **out,
		     struct pms_error *err)
{
	char found[4096];
	char *telemetry = NULL, *advice = NULL;
	if (!data) {
		int rc = pms_data_dir(found, sizeof(found), err);
		if (rc)
			return rc;
		data = found;
	}
	/* The name is a folder's, never a path out of the data directory. */
	if (!cpu[0] || cpu[0] == '.' || strchr(cpu, '/'))
		return unknown_cpu(data, cpu, err);
	if (asprintf(&telemetry, "%s/cpus/%s/telemetry.json", data, cpu) < 0)
		return pms_fail(err, PMS_ENOMEM, "out of memory");
	if (asprintf(&advice, "%s/cpus/%s/advice.json", data, cpu) < 0) {
		free(telemetry);
		return pms_fail(err, PMS_ENOMEM, "out of memory");
	}
	int rc = access(telemetry, F_OK) ? unknown_cpu(data, cpu, err)
					 : load_folder(cpu, telemetry, advice, out, err);
	free(telemetry);
	free(advice);
	return rc;
}

/* SPDX-License-Identifier: MIT */
/* Make a catalog of a CPU's folder. */
#include "catalog/catalog.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "catalog/product.h"

enum { DEFAULT_COUNTERS = 6 }; /* of every Neoverse core's PMU; the layout has no standard key */

static int read_number(const struct pms_json_place *at, const char *key, unsigned absent,
		       unsigned *out, struct pms_error *err)
{
	struct pms_json_place place;
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

/* Read the version: the first of its possible keys that the document has. */
static int read_version(struct pms_catalog *catalog, const struct pms_json_place *document,
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

static int read_cpu(struct pms_catalog *catalog, const struct pms_json_place *root,
		    struct pms_error *err)
{
	struct pms_json_place product, document;
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

/* Check that a file holds an object at its top. */
static int root_object(const struct pms_json *json, struct pms_json_place *root,
		       struct pms_error *err)
{
	*root = pms_json_root(json);
	return json_is_object(root->value) ? 0 : pms_json_fail(root, err, "must hold an object");
}

typedef int step(struct pms_catalog *catalog, const struct pms_json_place *root,
		 struct pms_error *err);

static int read_telemetry(struct pms_catalog *catalog, const struct pms_json *telemetry,
			  struct pms_error *err)
{
	static step *const steps[] = {
		read_cpu,
		pms_catalog_read_events,
		pms_catalog_read_metrics,
		pms_catalog_read_groups,
		pms_catalog_read_methodologies,
		pms_catalog_read_extras,
	};
	struct pms_json_place root;
	int rc = root_object(telemetry, &root, err);
	for (size_t i = 0; !rc && i < sizeof(steps) / sizeof(steps[0]); i++)
		rc = steps[i](catalog, &root, err);
	return rc;
}

int pms_catalog_build(const char *cpu, const struct pms_json *telemetry, struct pms_catalog **out,
		      struct pms_error *err)
{
	struct pms_arena arena = { 0 };
	struct pms_catalog *catalog = pms_arena_alloc(&arena, 1, sizeof(*catalog));
	if (!catalog)
		return pms_no_memory(err);
	catalog->arena = arena;
	catalog->cpu.name = catalog->cpu.folder = pms_arena_dup(&catalog->arena, cpu);
	int rc = catalog->cpu.name ? read_telemetry(catalog, telemetry, err) : pms_no_memory(err);
	if (rc) {
		pms_catalog_free(catalog);
		return rc;
	}
	*out = catalog;
	return 0;
}

static const char relations_file[] = "relations.json";

/* The files that may stand beside telemetry.json. Each may use the ones before it.
 */
static const struct extra {
	const char *file;
	step *read;
} extras[] = {
	{ "advice.json", pms_catalog_read_advice },
	{ relations_file, pms_catalog_read_relations },
	{ "caveats.json", pms_catalog_read_caveats }, /* after the configurations */
	{ "roles.json", pms_catalog_read_roles },
};

int pms_catalog_add(struct pms_catalog *catalog, const char *file, const struct pms_json *json,
		    struct pms_error *err)
{
	struct pms_json_place root;
	int rc = root_object(json, &root, err);
	for (size_t i = 0; !rc && i < sizeof(extras) / sizeof(extras[0]); i++)
		if (!strcmp(extras[i].file, file))
			rc = extras[i].read(catalog, &root, err);
	return rc;
}

static int load_extra(struct pms_catalog *catalog, const char *folder, const char *file,
		      struct pms_error *err)
{
	struct pms_json json = { 0 };
	char *path;
	if (asprintf(&path, "%s/%s", folder, file) < 0)
		return pms_no_memory(err);
	int rc = 0;
	if (!access(path, F_OK)) {
		rc = pms_json_load(path, &json, err);
		if (!rc)
			rc = pms_catalog_add(catalog, file, &json, err);
		pms_json_release(&json);
	}
	free(path);
	return rc;
}

/* A CPU's name: "riscv:sifive-p550" is the folder "riscv" and its core "sifive-p550". */
struct cpu_name {
	const char *whole;
	char folder[64];
	const char *core; /* NULL: none is named */
};

static struct cpu_name split_name(const char *cpu)
{
	struct cpu_name name = { .whole = cpu };
	size_t length = strcspn(cpu, ":");
	if (length < sizeof(name.folder))
		memcpy(name.folder, cpu, length);
	name.core = cpu[length] ? cpu + length + 1 : NULL;
	return name;
}

static int name_cpu(struct pms_catalog *catalog, const struct cpu_name *cpu, struct pms_error *err)
{
	catalog->cpu.name = pms_arena_dup(&catalog->arena, cpu->whole);
	return catalog->cpu.name ? 0 : pms_no_memory(err);
}

/* Build a catalog of telemetry.json, then add the files beside it. */
static int load_folder(const struct cpu_name *cpu, const char *folder, const char *telemetry,
		       int lean, struct pms_catalog **out, struct pms_error *err)
{
	struct pms_json json = { 0 };
	struct pms_catalog *catalog = NULL;
	int rc = pms_json_load(telemetry, &json, err);
	if (!rc)
		rc = pms_catalog_build(cpu->folder, &json, &catalog, err);
	if (!rc)
		rc = name_cpu(catalog, cpu, err);
	if (!rc)
		catalog->is_lean = lean;
	for (size_t i = 0; !rc && i < sizeof(extras) / sizeof(extras[0]); i++)
		if (!lean || strcmp(extras[i].file, relations_file) != 0)
			rc = load_extra(catalog, folder, extras[i].file, err);
	if (!rc)
		rc = pms_catalog_load_codes(catalog, folder, cpu->core, err);
	pms_json_release(&json);
	if (rc)
		pms_catalog_free(catalog);
	else
		*out = catalog;
	return rc;
}

/* Name a product as compilers and folders do: "Neoverse N2" is "neoverse-n2". */
static void name_of_product(char *name, size_t size, const char *product)
{
	size_t n = 0;
	for (; *product && n + 1 < size; product++) {
		int c = (unsigned char)*product;
		if (c >= 'A' && c <= 'Z')
			c += 'a' - 'A';
		name[n++] = (char)(c <= ' ' ? '-' : c);
	}
	name[n] = 0;
}

/* Build a catalog of a specification alone, named after its product. */
static int build_file(const struct pms_json *json, struct pms_catalog **out, struct pms_error *err)
{
	struct pms_json_place root, product, name;
	struct pms_catalog *catalog = NULL;
	char cpu[64];
	int rc = root_object(json, &root, err);
	if (!rc)
		rc = pms_json_get(&root, "product_configuration", PMS_JSON_OBJECT, &product, err);
	if (!rc)
		rc = pms_json_get(&product, "product_name", PMS_JSON_STRING, &name, err);
	if (rc)
		return rc;
	name_of_product(cpu, sizeof(cpu), json_string_value(name.value));
	rc = pms_catalog_build(cpu, json, &catalog, err);
	if (rc)
		return rc;
	assert(catalog);
	catalog->cpu.file = pms_arena_dup(&catalog->arena, json->source);
	if (!catalog->cpu.file) {
		pms_catalog_free(catalog);
		return pms_no_memory(err);
	}
	*out = catalog;
	return 0;
}

int pms_catalog_load_file(const char *path, struct pms_catalog **out, struct pms_error *err)
{
	struct pms_json json = { 0 };
	int rc = pms_json_load(path, &json, err);
	if (!rc)
		rc = build_file(&json, out, err);
	if (rc == -PMS_EPARSE)
		pms_hint(err,
			 "a specification has the layout of Arm's telemetry schema, version 1.0");
	pms_json_release(&json);
	return rc;
}

/* Hint at the nearest CPU or product, and at the list of CPUs. */
static void hint_cpus(const char *data, const char *cpu, struct pms_error *err)
{
	struct pms_names names;
	struct pms_nearest nearest = { 0 };
	char list[400] = "", product[64];
	if (pms_catalog_cpus(data, &names, NULL))
		return;
	pms_product_nearest(data, cpu, product, sizeof(product));
	if (product[0])
		pms_nearest_offer(&nearest, cpu, product);
	for (size_t i = 0; i < names.count; i++) {
		pms_nearest_offer(&nearest, cpu, names.names[i]);
		pms_name_append(list, sizeof(list), names.names[i]);
	}
	static const char other[] = "for another, give its specification with --spec FILE";
	if (nearest.best)
		pms_hint(err, "did you mean %s? There are: %s; %s", nearest.best, list, other);
	else if (names.count)
		pms_hint(err, "there are: %s; %s", list, other);
	pms_names_free(&names);
}

/* Find the CPU whose folder has codes for a core of this name: "riscv". */
static int find_architecture(const char *data, const char *core, char *cpu, size_t size)
{
	struct pms_names names;
	int found = 0;
	if (pms_catalog_cpus(data, &names, NULL))
		return 0;
	for (size_t i = 0; i < names.count && !found && !strchr(core, '/'); i++) {
		char *path = NULL;
		if (asprintf(&path, "%s/cpus/%s/codes/%s.json", data, names.names[i], core) < 0)
			break;
		found = !access(path, F_OK);
		if (found)
			snprintf(cpu, size, "%s", names.names[i]);
		free(path);
	}
	pms_names_free(&names);
	return found;
}

static int unknown_cpu(const char *data, const char *cpu, struct pms_error *err)
{
	char architecture[64];
	int rc = pms_fail(err, PMS_ENAME, "no CPU \"%s\" in %s/cpus", cpu, data);
	if (find_architecture(data, cpu, architecture, sizeof(architecture)))
		pms_hint(err, "it is a core of an architecture: --mcpu %s:%s", architecture, cpu);
	else
		hint_cpus(data, cpu, err);
	return rc;
}

/* Report that the folder exists but has no codes for this core. */
static int unknown_core(const char *folder, const struct cpu_name *cpu, struct pms_error *err)
{
	struct pms_catalog *all = NULL;
	char list[400] = "", *telemetry = NULL;
	struct cpu_name architecture = split_name(cpu->folder);
	int rc = pms_fail(err, PMS_ENAME, "no core \"%s\" in %s/codes", cpu->core, folder);
	if (asprintf(&telemetry, "%s/telemetry.json", folder) < 0)
		return rc;
	if (!load_folder(&architecture, folder, telemetry, 1, &all, NULL)) {
		for (size_t i = 0; i < pms_catalog_code_cores(all); i++)
			if (!pms_catalog_code_core(all, i)->is_any)
				pms_name_append(list, sizeof(list),
						pms_catalog_code_core(all, i)->name);
		pms_catalog_free(all);
		pms_hint(err, "there are: %s", list[0] ? list : "none");
	}
	free(telemetry);
	return rc;
}

/* @found: room for the name of the data directory, where none is given */
static int find_data(const char **data, char *found, size_t size, struct pms_error *err)
{
	int rc = *data ? 0 : pms_data_dir(found, size, err);
	if (!rc && !*data)
		*data = found;
	return rc;
}

/* Whether a folder of this name describes a core. Refuses names that lead out of the data
 * directory. */
static int is_core(const char *data, const char *cpu)
{
	char *telemetry = NULL;
	if (!cpu[0] || cpu[0] == '.' || strchr(cpu, '/') ||
	    asprintf(&telemetry, "%s/cpus/%s/telemetry.json", data, cpu) < 0)
		return 0;
	int is = !access(telemetry, F_OK);
	free(telemetry);
	return is;
}

static int name_products(struct pms_catalog *catalog, const char *data, struct pms_error *err)
{
	char list[256] = "";
	int rc = pms_products_of(data, catalog->cpu.folder, list, sizeof(list), err);
	if (rc)
		return rc;
	catalog->cpu.products = pms_arena_dup(&catalog->arena, list);
	return catalog->cpu.products ? 0 : pms_no_memory(err);
}

/* Load the folder of a core, and name the products made of it. */
static int load_core(const char *data, const struct cpu_name *cpu, int lean,
		     struct pms_catalog **out, struct pms_error *err)
{
	struct pms_catalog *catalog = NULL;
	char *folder = NULL, *telemetry = NULL;
	int rc;
	if (!is_core(data, cpu->folder))
		return unknown_cpu(data, cpu->whole, err);
	if (asprintf(&folder, "%s/cpus/%s", data, cpu->folder) < 0)
		return pms_no_memory(err);
	if (asprintf(&telemetry, "%s/telemetry.json", folder) < 0) {
		free(folder);
		return pms_no_memory(err);
	}
	rc = load_folder(cpu, folder, telemetry, lean, &catalog, err);
	if (rc == -PMS_ENAME && cpu->core)
		rc = unknown_core(folder, cpu, err);
	if (!rc)
		rc = name_products(catalog, data, err);
	free(telemetry);
	free(folder);
	if (rc)
		pms_catalog_free(catalog);
	else
		*out = catalog;
	return rc;
}

/* Load the core that a product is made of; reports name both. */
static int load_product(const char *data, const struct pms_product *product, int lean,
			struct pms_catalog **out, struct pms_error *err)
{
	struct pms_catalog *catalog = NULL;
	struct cpu_name cpu = split_name(product->cpu);
	int rc = load_core(data, &cpu, lean, &catalog, err);
	if (rc)
		return rc;
	catalog->cpu.product = pms_arena_printf(&catalog->arena, "%s (%s)", catalog->cpu.product,
						product->product);
	if (!catalog->cpu.product) {
		pms_catalog_free(catalog);
		return pms_no_memory(err);
	}
	*out = catalog;
	return 0;
}

/* Load by name: of a core, that is of a folder; else of a product. */
static int load(const char *data, const char *cpu, int lean, struct pms_catalog **out,
		struct pms_error *err)
{
	char found[4096];
	struct pms_product product;
	struct cpu_name name = split_name(cpu);
	if (!strcmp(cpu, PMS_KERNEL_CPU))
		return pms_catalog_load_kernel(out, err);
	int rc = find_data(&data, found, sizeof(found), err);
	if (rc)
		return rc;
	if (!is_core(data, name.folder))
		rc = pms_product_find(data, cpu, &product, err);
	if (rc < 0)
		return rc;
	return rc ? load_product(data, &product, lean, out, err)
		  : load_core(data, &name, lean, out, err);
}

int pms_catalog_load(const char *data, const char *cpu, struct pms_catalog **out,
		     struct pms_error *err)
{
	return load(data, cpu, 0, out, err);
}

int pms_catalog_load_lean(const char *data, const char *cpu, struct pms_catalog **out,
			  struct pms_error *err)
{
	return load(data, cpu, 1, out, err);
}

int pms_catalog_add_relations(const char *data, struct pms_catalog *catalog, struct pms_error *err)
{
	char found[4096];
	char *folder = NULL;
	if (!catalog->is_lean)
		return 0;
	int rc = find_data(&data, found, sizeof(found), err);
	if (rc)
		return rc;
	if (asprintf(&folder, "%s/cpus/%s", data, catalog->cpu.folder) < 0)
		return pms_no_memory(err);
	catalog->is_lean = 0;
	rc = load_extra(catalog, folder, relations_file, err);
	free(folder);
	return rc;
}

int pms_catalog_is_product(const char *data, const char *word)
{
	char found[4096];
	struct pms_product product;
	return !find_data(&data, found, sizeof(found), NULL) &&
	       pms_product_find(data, word, &product, NULL) > 0;
}

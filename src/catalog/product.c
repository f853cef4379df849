/* SPDX-License-Identifier: MIT */
#include "catalog/product.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/status.h"
#include "catalog/json.h"
#include "pmuscope/catalog.h"

/* Called for each name of each product of a core. Returns 0 to go on, 1 to stop, or an error. */
typedef int visitor(void *context, const char *cpu, const struct pms_json_place *product,
		    const char *name, struct pms_error *err);

struct visit {
	visitor *each;
	void *context;
	const char *cpu;
};

static int visit_names(const struct visit *v, const struct pms_json_place *product,
		       struct pms_error *err)
{
	struct pms_json_place names, at;
	int rc = pms_json_get(product, "names", PMS_JSON_ARRAY, &names, err);
	for (size_t i = 0; !rc && i < json_array_size(names.value); i++) {
		rc = pms_json_element(&names, i, PMS_JSON_STRING, &at, err);
		if (!rc)
			rc = v->each(v->context, v->cpu, product, json_string_value(at.value), err);
	}
	return rc;
}

static int visit_products(const struct visit *v, const struct pms_json *json, struct pms_error *err)
{
	struct pms_json_place root = pms_json_root(json), products, at;
	int rc = pms_json_get(&root, "products", PMS_JSON_ARRAY, &products, err);
	for (size_t i = 0; !rc && i < json_array_size(products.value); i++) {
		rc = pms_json_element(&products, i, PMS_JSON_OBJECT, &at, err);
		if (!rc)
			rc = visit_names(v, &at, err);
	}
	return rc;
}

/* Visit the products of one core; not every core has such a file. */
static int visit_core(const struct visit *v, const char *data, struct pms_error *err)
{
	struct pms_json json = { 0 };
	char *path = NULL;
	if (asprintf(&path, "%s/cpus/%s/products.json", data, v->cpu) < 0)
		return pms_no_memory(err);
	int rc = access(path, F_OK) ? 0 : pms_json_load(path, &json, err);
	if (!rc && json.root)
		rc = visit_products(v, &json, err);
	pms_json_release(&json);
	free(path);
	return rc;
}

static int visit_all(visitor *each, void *context, const char *data, struct pms_error *err)
{
	struct pms_names cpus = { 0 };
	int rc = pms_catalog_cpus(data, &cpus, err);
	for (size_t i = 0; !rc && i < cpus.count; i++)
		rc = visit_core(&(struct visit){ each, context, cpus.names[i] }, data, err);
	pms_names_free(&cpus);
	return rc;
}

static int get_text(const struct pms_json_place *product, const char *key, char *out, size_t size,
		    struct pms_error *err)
{
	struct pms_json_place at;
	int rc = pms_json_get(product, key, PMS_JSON_STRING, &at, err);
	if (!rc && (size_t)snprintf(out, size, "%s", json_string_value(at.value)) >= size)
		rc = pms_json_fail(&at, err, "must be shorter than %zu bytes", size);
	return rc;
}

struct wanted {
	const char *name;
	struct pms_product *out;
};

static int match(void *context, const char *cpu, const struct pms_json_place *product,
		 const char *name, struct pms_error *err)
{
	struct wanted *wanted = context;
	if (strcasecmp(name, wanted->name) != 0)
		return 0;
	snprintf(wanted->out->cpu, sizeof(wanted->out->cpu), "%s", cpu);
	int rc = get_text(product, "product", wanted->out->product, sizeof(wanted->out->product),
			  err);
	return rc ? rc : 1;
}

int pms_product_find(const char *data, const char *name, struct pms_product *out,
		     struct pms_error *err)
{
	struct wanted wanted = { name, out };
	return visit_all(match, &wanted, data, err);
}

struct near {
	struct pms_nearest nearest;
	const char *name;
	char *best;
	size_t size;
};

/* Copy the nearest name so far, since the file's texts are freed after reading. */
static int offer(void *context, const char *cpu, const struct pms_json_place *product,
		 const char *name, struct pms_error *err)
{
	struct near *near = context;
	const char *before = near->nearest.best;
	(void)cpu;
	(void)product;
	(void)err;
	pms_nearest_offer(&near->nearest, near->name, name);
	if (near->nearest.best != before) {
		snprintf(near->best, near->size, "%s", name);
		near->nearest.best = near->best;
	}
	return 0;
}

void pms_product_nearest(const char *data, const char *name, char *best, size_t size)
{
	struct near near = { .name = name, .best = best, .size = size };
	best[0] = 0;
	visit_all(offer, &near, data, NULL);
}

struct listed {
	char *list;
	size_t size;
};

static int append(void *context, const char *cpu, const struct pms_json_place *product,
		  const char *name, struct pms_error *err)
{
	struct listed *listed = context;
	(void)cpu;
	(void)product;
	(void)err;
	pms_name_append(listed->list, listed->size, name);
	return 0;
}

int pms_products_of(const char *data, const char *cpu, char *list, size_t size,
		    struct pms_error *err)
{
	struct listed listed = { list, size };
	return visit_core(&(struct visit){ append, &listed, cpu }, data, err);
}

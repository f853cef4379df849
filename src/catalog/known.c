/* SPDX-License-Identifier: MIT */
/* The keys of the published layout. Other keys of a specification are kept as they are and reported
 * once, so that neither a later edition of the layout nor a misspelling goes unnoticed. */
#include "catalog/catalog.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/status.h"

struct shape;

struct known {
	const char *key;
	const struct shape *inside; /* shape of its value; NULL: plain, or anything */
};

struct shape {
	const struct known *keys; /* NULL: any name may stand there */
	size_t n_keys;
	const struct shape *each; /* of every member or element, where names are free */
};

#define SHAPE(table)                                                                               \
	{                                                                                          \
		.keys = (table), .n_keys = sizeof(table) / sizeof((table)[0])                      \
	}
#define EACH(of)                                                                                   \
	{                                                                                          \
		.each = &(of)                                                                      \
	}

static const struct known document_keys[] = {
	{ "timestamp", NULL }, { "copyright", NULL }, { "confidential", NULL }, { "quality", NULL },
	{ "license", NULL },   { "revision", NULL },  { "description", NULL },	{ "sha1", NULL },
};
static const struct known product_keys[] = {
	{ "product_name", NULL },   { "part_num", NULL },      { "major_revision", NULL },
	{ "minor_revision", NULL }, { "implementer", NULL },   { "architecture", NULL },
	{ "num_slots", NULL },	    { "num_bus_slots", NULL }, { "pmu_architecture", NULL },
	{ "num_counters", NULL },
};
static const struct known event_keys[] = {
	{ "code", NULL },
	{ "title", NULL },
	{ "description", NULL },
	{ "accesses", NULL },
	{ "architecture_defined", NULL },
	{ "product_defined", NULL },
	{ "product_defined_attributes", NULL },
	{ "properties", NULL },
	{ "system", NULL },
};
static const struct known metric_keys[] = {
	{ "title", NULL },  { "formula", NULL },       { "description", NULL }, { "units", NULL },
	{ "events", NULL }, { "sample_events", NULL }, { "properties", NULL },
};
static const struct known function_keys[] = { { "title", NULL },
					      { "description", NULL },
					      { "events", NULL } };
static const struct known metric_group_keys[] = { { "title", NULL },
						  { "description", NULL },
						  { "metrics", NULL } };
static const struct known grouping_keys[] = { { "stage_1", NULL }, { "stage_2", NULL } };
static const struct known node_keys[] = {
	{ "name", NULL }, { "group", NULL }, { "next_items", NULL }, { "sample_events", NULL }
};

static const struct shape document = SHAPE(document_keys), product = SHAPE(product_keys);
static const struct shape event = SHAPE(event_keys), events = EACH(event);
static const struct shape metric = SHAPE(metric_keys), metrics = EACH(metric);
static const struct shape function = SHAPE(function_keys), functions = EACH(function);
static const struct shape metric_group = SHAPE(metric_group_keys);
static const struct shape metric_groups = EACH(metric_group);
static const struct known groups_keys[] = { { "function", &functions },
					    { "metrics", &metric_groups } };
static const struct shape groups = SHAPE(groups_keys), grouping = SHAPE(grouping_keys);
static const struct shape node = SHAPE(node_keys), nodes = EACH(node);
static const struct known tree_keys[] = { { "root_nodes", NULL }, { "metrics", &nodes } };
static const struct shape tree = SHAPE(tree_keys);
static const struct known methodology_keys[] = { { "title", NULL },
						 { "description", NULL },
						 { "metric_grouping", &grouping },
						 { "decision_tree", &tree } };
static const struct shape methodology = SHAPE(methodology_keys);
static const struct shape methodologies = EACH(methodology);
static const struct known root_keys[] = {
	{ "$schema", NULL },
	{ "_type", NULL },
	{ "document", &document },
	{ "product_configuration", &product },
	{ "events", &events },
	{ "metrics", &metrics },
	{ "groups", &groups },
	{ "methodologies", &methodologies },
	{ PMS_OLD_METHODOLOGY, &methodology },
	{ "instances", NULL }, /* for counters of a system, not of a CPU */
};
static const struct shape root_shape = SHAPE(root_keys);

static int is_key(const struct pms_json_place *place, const char *key)
{
	return place && place->key && !strcmp(place->key, key);
}

/* Find what owns a key: "events.NAME.key", "metrics.NAME.key", "groups.metrics.NAME.key" */
static enum pms_extra_of find_owner(const struct pms_json_place *at)
{
	const struct pms_json_place *list = at->parent ? at->parent->parent : NULL;
	const struct pms_json_place *root = list ? list->parent : NULL;
	if (!root)
		return PMS_EXTRA_ELSEWHERE;
	if (is_key(root, "groups"))
		return is_key(list, "metrics") ? PMS_EXTRA_METRIC_GROUP : PMS_EXTRA_EVENT_GROUP;
	if (root->parent)
		return PMS_EXTRA_ELSEWHERE;
	return is_key(list, "events")	 ? PMS_EXTRA_EVENT
	       : is_key(list, "metrics") ? PMS_EXTRA_METRIC
					 : PMS_EXTRA_ELSEWHERE;
}

/* Keep a key that the layout does not have, with its path, owner and value. */
static int keep_extra(struct pms_catalog *catalog, const struct pms_json_place *at,
		      struct pms_error *err)
{
	char path[192] = "";
	struct pms_extra extra = { .of = find_owner(at) };
	struct pms_extra *room =
		pms_array_room(catalog->extras, catalog->n_extras, sizeof(room[0]));
	if (!room)
		return pms_no_memory(err);
	catalog->extras = room;
	pms_json_path(at, path, sizeof(path));
	char *value = pms_json_text(at->value, JSON_ENCODE_ANY | JSON_COMPACT);
	extra.path = pms_arena_dup(&catalog->arena, path);
	extra.key = pms_arena_dup(&catalog->arena, at->key);
	extra.owner = pms_arena_dup(
		&catalog->arena,
		extra.of != PMS_EXTRA_ELSEWHERE && at->parent->key ? at->parent->key : "");
	extra.value = value ? pms_arena_dup(&catalog->arena, value) : NULL;
	free(value);
	if (!extra.path || !extra.key || !extra.owner || !extra.value)
		return pms_no_memory(err);
	room[catalog->n_extras++] = extra;
	return 0;
}

static const struct known *find_known(const struct shape *shape, const char *key)
{
	for (size_t i = 0; i < shape->n_keys; i++)
		if (!strcmp(shape->keys[i].key, key))
			return &shape->keys[i];
	return NULL;
}

static int check(struct pms_catalog *catalog, const struct pms_json_place *at,
		 const struct shape *shape, struct pms_error *err);

static int check_member(struct pms_catalog *catalog, const struct pms_json_place *at,
			const struct shape *shape, struct pms_error *err)
{
	const struct known *known = shape->keys ? find_known(shape, at->key) : NULL;
	if (shape->keys && !known)
		return keep_extra(catalog, at, err);
	const struct shape *inside = known ? known->inside : shape->each;
	return inside ? check(catalog, at, inside, err) : 0;
}

/* Compare a value with its shape, as deep as the layout goes. The value's reader refuses a wrong
 * kind. */
static int check(struct pms_catalog *catalog, const struct pms_json_place *at,
		 const struct shape *shape, struct pms_error *err)
{
	const char *key;
	json_t *value;
	int rc = 0;
	json_object_foreach(at->value, key, value)
	{
		struct pms_json_place place = {
			.json = at->json, .parent = at, .key = key, .value = value
		};
		rc = check_member(catalog, &place, shape, err);
		if (rc)
			return rc;
	}
	for (size_t i = 0; !rc && shape->each && i < json_array_size(at->value); i++) {
		struct pms_json_place place = { .json = at->json,
						.parent = at,
						.index = i,
						.value = json_array_get(at->value, i) };
		rc = check(catalog, &place, shape->each, err);
	}
	return rc;
}

int pms_catalog_read_extras(struct pms_catalog *catalog, const struct pms_json_place *root,
			    struct pms_error *err)
{
	return check(catalog, root, &root_shape, err);
}

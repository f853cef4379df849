/* SPDX-License-Identifier: MIT */
#include "collect/core/base.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/status.h"
#include "machine/path.h"
#include "vcore/isa/insn.h"

/* A core and its bases. */
struct chain {
	char names[PMS_MOST_CORE_BASES + 2][64]; /* to tell where they lead round */
	unsigned count;
	size_t values; /* that more bases may have. All are kept: together they have those of one
			* file. */
};

/* Whether @name is that of a folder beside the core's own: it leads nowhere else. */
static bool is_folder(const char *name)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";
	size_t length = strspn(name, allowed);
	return length && !name[length] && length < sizeof(((struct chain *)0)->names[0]);
}

/* Split the path of a core.json into the folder of all CPUs, cut off at its end, and the CPU's
 * name. Returns false where the path has no such parts. */
static bool take_apart(const char *source, char *cpus, size_t size, char *name, size_t name_size)
{
	int n = snprintf(cpus, size, "%s", source);
	char *slash = n > 0 && (size_t)n < size ? strrchr(cpus, '/') : NULL;
	if (!slash)
		return false;
	*slash = 0;
	slash = strrchr(cpus, '/');
	if (!slash)
		return false;
	n = snprintf(name, name_size, "%s", slash + 1);
	*slash = 0;
	return n > 0 && (size_t)n < name_size;
}

/* Refuse a base that was met already, or one too many; note it otherwise. */
static int chain_add(struct chain *chain, const char *name, const struct pms_json_place *at,
		     struct pms_error *err)
{
	for (unsigned i = 0; i < chain->count; i++)
		if (!strcmp(chain->names[i], name))
			return pms_json_fail(at, err, "%s is its own base, by way of %s", name,
					     chain->names[chain->count - 1]);
	if (chain->count > PMS_MOST_CORE_BASES)
		return pms_json_fail(at, err, "is one base too many: %d in a row are the most",
				     PMS_MOST_CORE_BASES);
	snprintf(chain->names[chain->count++], sizeof(chain->names[0]), "%s", name);
	return 0;
}

/* What a row states for itself: nobody else's source stands for it. */
static bool is_own(const char *key)
{
	return !strcmp(key, "source") || !strcmp(key, "notes");
}

/* Fill in the members that @row leaves out. */
static int fill_row(json_t *row, const json_t *from)
{
	const char *key;
	json_t *value;
	json_object_foreach((json_t *)from, key, value)
	{
		if (!is_own(key) && !json_object_get(row, key) && json_object_set(row, key, value))
			return -1;
	}
	return 0;
}

/* Fill in the rows that a table leaves out; with @members, those of the rows that it has, too. */
static int fill_table(json_t *table, const json_t *from, bool members)
{
	const char *key;
	json_t *value;
	json_object_foreach((json_t *)from, key, value)
	{
		json_t *row = json_object_get(table, key);
		if (!row && json_object_set(table, key, value))
			return -1;
		if (members && json_is_object(row) && json_is_object(value) && fill_row(row, value))
			return -1;
	}
	return 0;
}

/* Events are kept apart: the file's own have to be the catalog's. A row is of one piece: what a sum
 * is has nothing to do with a counter. */
static int fill_events(json_t *root, const json_t *base)
{
	json_t *events = json_object_get(root, PMS_CORE_BASE_EVENTS);
	if (!events) {
		events = json_object();
		if (json_object_set_new(root, PMS_CORE_BASE_EVENTS, events))
			return -1;
	}
	if (!json_object_get(root, "events") && json_object_set_new(root, "events", json_object()))
		return -1;
	return fill_table(events, json_object_get(base, "events"), false);
}

/* Fill in what @root leaves out by what @base says itself. Tables are filled row by row; lists,
 * ports and queues, whose order counts, are taken whole. @root holds the base's values themselves:
 * copies of large files would take too much memory, and the base is released. */
static int fill(json_t *root, const json_t *base)
{
	static const char *const tables[] = { "parameters", "slots", "ops", "rules" };
	static const char *const wholes[] = { "ports", "queues", "fusion", "limits", "document" };
	if (fill_events(root, base))
		return -1;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		json_t *own = json_object_get(root, tables[i]);
		json_t *from = json_object_get(base, tables[i]);
		if (from && !own && json_object_set(root, tables[i], from))
			return -1;
		if (json_is_object(own) && json_is_object(from) && fill_table(own, from, true))
			return -1;
	}
	for (size_t i = 0; i < sizeof(wholes) / sizeof(wholes[0]); i++) {
		json_t *from = json_object_get(base, wholes[i]);
		if (from && !json_object_get(root, wholes[i]) &&
		    json_object_set(root, wholes[i], from))
			return -1;
	}
	return 0;
}

/* Read the base that @json names; *found: it names one. */
static int base_load(const struct pms_json *json, struct chain *chain, struct pms_json *base,
		     bool *found, struct pms_error *err)
{
	struct pms_json_place root = pms_json_root(json), at;
	char cpus[PMS_PATH_MAX], name[64], path[PMS_PATH_MAX + 128];
	*found = false;
	int rc = pms_json_get(&root, "base", PMS_JSON_STRING | PMS_JSON_OPTIONAL, &at, err);
	if (rc || !at.value)
		return rc;
	const char *wanted = json_string_value(at.value);
	if (!is_folder(wanted))
		return pms_json_fail(&at, err,
				     "must be the name of a folder beside this core's own, of "
				     "small letters, digits and dashes");
	if (!take_apart(json->source, cpus, sizeof(cpus), name, sizeof(name)))
		return pms_json_fail(&at, err, "is for a core in a folder of its own");
	if (!chain->count) {
		chain->values = PMS_MOST_JSON_VALUES - pms_json_values(json);
		rc = chain_add(chain, name, &at, err);
	}
	if (!rc)
		rc = chain_add(chain, wanted, &at, err);
	if (rc)
		return rc;
	snprintf(path, sizeof(path), "%s/%s/core.json", cpus, wanted);
	rc = pms_json_load_part(path, &chain->values, base, err);
	if (!rc && !json_is_object(base->root)) {
		struct pms_json_place all = pms_json_root(base);
		rc = pms_json_fail(&all, err, "must hold an object");
		pms_json_release(base);
	}
	*found = !rc;
	return rc;
}

static int bases_fill(struct pms_json *json, struct pms_error *err)
{
	struct chain chain = { .count = 0 };
	struct pms_json at = *json, base;
	bool found;
	int rc = base_load(&at, &chain, &base, &found, err);
	while (!rc && found) {
		if (fill(json->root, base.root))
			rc = pms_no_memory(err);
		if (at.root != json->root)
			pms_json_release(&at);
		at = base;
		if (!rc)
			rc = base_load(&at, &chain, &base, &found, err);
	}
	if (at.root != json->root)
		pms_json_release(&at);
	return rc;
}

/* The same row for another class, whose numbers can be set apart. What has more members than any
 * row is refused when it is read: 40 copies of it would take too much memory. */
static json_t *row_again(json_t *row)
{
	enum { MOST_MEMBERS = 16 };
	return json_object_size(row) > MOST_MEMBERS ? json_incref(row) : json_copy(row);
}

/* A class without a row takes that of the class that stands in for it, if that has one. */
static int classes_fill(json_t *ops, struct pms_error *err)
{
	for (unsigned i = 0; i < PMS_OP_COUNT; i++) {
		unsigned from = i;
		json_t *row;
		while (!(row = json_object_get(ops, pms_op_name((enum pms_op)from))) &&
		       pms_op_stands_in[from])
			from = pms_op_stands_in[from];
		if (row && from != i &&
		    json_object_set_new(ops, pms_op_name((enum pms_op)i), row_again(row)))
			return pms_no_memory(err);
	}
	return 0;
}

int pms_core_complete(struct pms_json *json, struct pms_error *err)
{
	/* What only this program puts there: settings would take it for their own. */
	static const char *const foreign[] = { PMS_CORE_BASE_EVENTS, "off" };
	struct pms_json_place root = pms_json_root(json);
	if (!json_is_object(json->root))
		return pms_json_fail(&root, err, "must hold an object");
	for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++)
		if (json_object_get(json->root, foreign[i]))
			return pms_json_fail(&root, err, "\"%s\" is not a key that belongs here",
					     foreign[i]);
	int rc = bases_fill(json, err);
	if (rc)
		return rc;
	json_t *ops = json_object_get(json->root, "ops");
	return json_is_object(ops) ? classes_fill(ops, err) : 0;
}

/* SPDX-License-Identifier: MIT */
/* Reads codes/<core>.json, which docs/catalog.md describes: where a catalog is of an architecture,
 * the raw codes of its events are its cores' own. */
#include "catalog/catalog.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/status.h"

/* The rows of one file. */
struct reader {
	struct pms_catalog *catalog;
	const char *core;
	struct pms_place notes; /* value NULL: there are none */
	struct pms_core_code *rows;
	size_t n;
	struct pms_error *err;
};

static int no_memory(struct pms_error *err)
{
	return pms_fail(err, PMS_ENOMEM, "out of memory");
}

/* The row of the event that a member is named after, which has to be one. */
static int new_row(struct reader *r, const struct pms_place *at, struct pms_core_code **out)
{
	int64_t event = pms_catalog_find_event(r->catalog, at->key);
	if (event < 0)
		return pms_json_fail(at, r->err, "unknown event \"%s\"", at->key);
	*out = &r->rows[r->n];
	**out = (struct pms_core_code){ .core = r->core, .event = (size_t)event, .code = -1 };
	if (!r->notes.value || !json_object_get(r->notes.value, at->key))
		return 0;
	return pms_catalog_text(r->catalog, &r->notes, at->key, 0, &(*out)->note, r->err);
}

/* "0x102" of "codes", or the kernel's own name of "generic". */
static int read_row(struct reader *r, const struct pms_place *at, int generic)
{
	struct pms_core_code *row = NULL;
	const char *text = json_string_value(at->value);
	char *end;
	int rc = new_row(r, at, &row);
	if (rc)
		return rc;
	if (generic) {
		row->generic = pms_arena_dup(&r->catalog->arena, text);
		if (!row->generic)
			return no_memory(r->err);
	} else {
		errno = 0;
		row->code = strtoll(text, &end, 0);
		if (errno || end == text || *end || row->code < 0)
			return pms_json_fail(at, r->err, "is not an event code");
	}
	r->n++;
	return 0;
}

static int read_rows(struct reader *r, const struct pms_place *root, const char *key, int generic)
{
	struct pms_place all, at;
	const char *name;
	json_t *value;
	int rc = pms_json_get(root, key, PMS_JSON_OBJECT | PMS_JSON_OPTIONAL, &all, r->err);
	if (rc)
		return rc;
	json_object_foreach(all.value, name, value)
	{
		rc = pms_json_member(&all, name, value, PMS_JSON_STRING, &at, r->err);
		if (!rc)
			rc = read_row(r, &at, generic);
		if (rc)
			return rc;
	}
	return 0;
}

int pms_catalog_read_codes(struct pms_catalog *catalog, const struct pms_place *root,
			   struct pms_error *err)
{
	struct reader r = { .catalog = catalog, .err = err };
	size_t count = catalog->n_codes + json_object_size(json_object_get(root->value, "codes")) +
		       json_object_size(json_object_get(root->value, "generic"));
	r.rows = pms_arena_alloc(&catalog->arena, count, sizeof(r.rows[0]));
	if (!r.rows)
		return no_memory(err);
	if (catalog->n_codes)
		memcpy(r.rows, catalog->codes, catalog->n_codes * sizeof(r.rows[0]));
	r.n = catalog->n_codes;
	int rc = pms_catalog_text(catalog, root, "core", 0, &r.core, err);
	if (!rc)
		rc = pms_json_get(root, "notes", PMS_JSON_OBJECT | PMS_JSON_OPTIONAL, &r.notes,
				  err);
	if (!rc)
		rc = read_rows(&r, root, "codes", 0);
	if (!rc)
		rc = read_rows(&r, root, "generic", 1);
	catalog->codes = r.rows;
	catalog->n_codes = rc ? catalog->n_codes : r.n;
	return rc;
}

static int is_json(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);
	return length > 5 && entry->d_name[0] != '.' &&
	       !strcmp(entry->d_name + length - 5, ".json");
}

static int load_core(struct pms_catalog *catalog, const char *folder, const char *name,
		     struct pms_error *err)
{
	struct pms_json json = { 0 };
	char *path = NULL;
	if (asprintf(&path, "%s/codes/%s", folder, name) < 0)
		return no_memory(err);
	int rc = pms_json_load(path, &json, err);
	struct pms_place root = pms_json_root(&json);
	if (!rc && !json_is_object(root.value))
		rc = pms_json_fail(&root, err, "must hold an object");
	if (!rc)
		rc = pms_catalog_read_codes(catalog, &root, err);
	pms_json_release(&json);
	free(path);
	return rc;
}

int pms_catalog_load_codes(struct pms_catalog *catalog, const char *folder, struct pms_error *err)
{
	struct dirent **entries = NULL;
	char *path = NULL;
	int rc = 0;
	if (asprintf(&path, "%s/codes", folder) < 0)
		return no_memory(err);
	/* Most CPUs have none: their numbers are in telemetry.json. */
	int n = scandir(path, &entries, is_json, alphasort);
	for (int i = 0; i < n; i++) {
		if (!rc)
			rc = load_core(catalog, folder, entries[i]->d_name, err);
		free(entries[i]);
	}
	free(entries);
	free(path);
	return rc;
}

size_t pms_catalog_core_codes(const struct pms_catalog *catalog)
{
	return catalog->n_codes;
}

const struct pms_core_code *pms_catalog_core_code(const struct pms_catalog *catalog, size_t i)
{
	return i < catalog->n_codes ? &catalog->codes[i] : NULL;
}

/* SPDX-License-Identifier: MIT */
/* Reads codes/<core>.json, which docs/development/catalog.md describes: for the catalog of an
 * architecture, each core has its own raw event codes. */
#include "catalog/catalog.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/status.h"

/* The rows of one file. */
struct reader {
	struct pms_catalog *catalog;
	struct pms_code_core *core;
	struct pms_json_place notes; /* value NULL: no notes */
	struct pms_error *err;
};

/* Copy rows into an array with room for @more more. NULL when out of memory. */
static void *grown(struct pms_catalog *catalog, const void *rows, size_t n, size_t more,
		   size_t size)
{
	void *all = pms_arena_alloc(&catalog->arena, n + more, size);
	if (all && n)
		memcpy(all, rows, n * size);
	return all;
}

/* Read a code, "0x102", of up to 64 bits. */
static int read_code(struct reader *r, const struct pms_json_place *at, int64_t *code)
{
	uint64_t number;
	if (!pms_number_read(json_string_value(at->value), "", &number) || number == UINT64_MAX)
		return pms_json_fail(at, r->err, "is not an event code");
	*code = (int64_t)number;
	return 0;
}

/* Make the row of the event that a member names; the event must exist. */
static int read_row(struct reader *r, const struct pms_json_place *at, int generic)
{
	int64_t event = pms_catalog_find_event(r->catalog, at->key);
	if (event < 0)
		return pms_json_fail(at, r->err, "unknown event \"%s\"", at->key);
	struct pms_core_code *row = &r->catalog->codes[r->catalog->n_codes];
	*row = (struct pms_core_code){ .core = r->core, .event = (size_t)event, .code = -1 };
	int rc = 0;
	if (r->notes.value && json_object_get(r->notes.value, at->key))
		rc = pms_catalog_text(r->catalog, &r->notes, at->key, 0, &row->note, r->err);
	if (!rc && !generic)
		rc = read_code(r, at, &row->code);
	if (rc)
		return rc;
	if (generic) {
		row->generic = pms_arena_dup(&r->catalog->arena, json_string_value(at->value));
		if (!row->generic)
			return pms_no_memory(r->err);
	}
	r->catalog->n_codes++;
	return 0;
}

static int read_name(struct reader *r, const struct pms_json_place *at, int generic)
{
	struct pms_core_name *row = &r->catalog->names[r->catalog->n_names];
	(void)generic;
	*row = (struct pms_core_name){ .core = r->core };
	row->name = pms_arena_dup(&r->catalog->arena, at->key);
	if (!row->name)
		return pms_no_memory(r->err);
	int rc = read_code(r, at, &row->code);
	r->catalog->n_names += !rc;
	return rc;
}

typedef int row_reader(struct reader *r, const struct pms_json_place *at, int generic);

static int read_rows(struct reader *r, const struct pms_json_place *root, const char *key,
		     row_reader *read, int generic)
{
	struct pms_json_place all, at;
	const char *name;
	json_t *value;
	int rc = pms_json_get(root, key, PMS_JSON_OBJECT | PMS_JSON_OPTIONAL, &all, r->err);
	if (rc)
		return rc;
	json_object_foreach(all.value, name, value)
	{
		rc = pms_json_member(&all, name, value, PMS_JSON_STRING, &at, r->err);
		if (!rc)
			rc = read(r, &at, generic);
		if (rc)
			return rc;
	}
	return 0;
}

static size_t count(const struct pms_json_place *root, const char *key)
{
	return json_object_size(json_object_get(root->value, key));
}

static int make_room(struct pms_catalog *c, const struct pms_json_place *root,
		     struct pms_error *err)
{
	size_t codes = count(root, "codes") + count(root, "generic");
	c->cores = grown(c, c->cores, c->n_cores, 1, sizeof(struct pms_code_core *));
	c->codes = grown(c, c->codes, c->n_codes, codes, sizeof(c->codes[0]));
	c->names = grown(c, c->names, c->n_names, count(root, "names"), sizeof(c->names[0]));
	return c->cores && c->codes && c->names ? 0 : pms_no_memory(err);
}

int pms_catalog_read_codes(struct pms_catalog *catalog, const char *name,
			   const struct pms_json_place *root, struct pms_error *err)
{
	struct reader r = { .catalog = catalog, .err = err };
	struct pms_code_core *core = pms_arena_alloc(&catalog->arena, 1, sizeof(*core));
	int rc = core ? make_room(catalog, root, err) : pms_no_memory(err);
	if (rc)
		return rc;
	r.core = core;
	core->name = pms_arena_dup(&catalog->arena, name);
	core->is_any = json_is_true(json_object_get(root->value, "any"));
	rc = core->name ? pms_catalog_text(catalog, root, "core", 0, &core->title, err)
			: pms_no_memory(err);
	if (!rc)
		rc = pms_catalog_text(catalog, root, "about", 1, &core->about, err);
	if (!rc)
		rc = pms_json_get(root, "notes", PMS_JSON_OBJECT | PMS_JSON_OPTIONAL, &r.notes,
				  err);
	if (!rc) /* first, since the kernel's generic events take no counter from others */
		rc = read_rows(&r, root, "generic", read_row, 1);
	if (!rc)
		rc = read_rows(&r, root, "codes", read_row, 0);
	if (!rc)
		rc = read_rows(&r, root, "names", read_name, 0);
	if (!rc)
		catalog->cores[catalog->n_cores++] = core;
	return rc;
}

static int is_json(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);
	return length > 5 && entry->d_name[0] != '.' &&
	       !strcmp(entry->d_name + length - 5, ".json");
}

/* @wanted: the core that was asked for; NULL: all */
static int load_core(struct pms_catalog *catalog, const char *folder, const char *file,
		     const char *wanted, struct pms_error *err)
{
	struct pms_json json = { 0 };
	char *path = NULL, *name = strndup(file, strlen(file) - 5);
	if (!name || asprintf(&path, "%s/codes/%s", folder, file) < 0) {
		free(name);
		return pms_no_memory(err);
	}
	int rc = pms_json_load(path, &json, err);
	struct pms_json_place root = pms_json_root(&json);
	if (!rc && !json_is_object(root.value))
		rc = pms_json_fail(&root, err, "must hold an object");
	if (!rc &&
	    (!wanted || !strcmp(wanted, name) || json_is_true(json_object_get(root.value, "any"))))
		rc = pms_catalog_read_codes(catalog, name, &root, err);
	pms_json_release(&json);
	free(path);
	free(name);
	return rc;
}

/* Name the catalog after the core that was asked for. */
static int take_core(struct pms_catalog *catalog, const char *wanted, struct pms_error *err)
{
	for (size_t i = 0; i < catalog->n_cores; i++) {
		const struct pms_code_core *core = catalog->cores[i];
		if (core->is_any || strcmp(core->name, wanted) != 0)
			continue;
		catalog->cpu.core = core->title;
		catalog->cpu.product = pms_arena_printf(&catalog->arena, "%s (%s)",
							catalog->cpu.product, core->title);
		return catalog->cpu.product ? 0 : pms_no_memory(err);
	}
	return -PMS_ENAME;
}

int pms_catalog_load_codes(struct pms_catalog *catalog, const char *folder, const char *core,
			   struct pms_error *err)
{
	struct dirent **entries = NULL;
	char *path = NULL;
	int rc = 0;
	if (asprintf(&path, "%s/codes", folder) < 0)
		return pms_no_memory(err);
	/* Most CPUs have none: their numbers are in telemetry.json. */
	int n = scandir(path, &entries, is_json, alphasort);
	for (int i = 0; i < n; i++) {
		if (!rc)
			rc = load_core(catalog, folder, entries[i]->d_name, core, err);
		free(entries[i]);
	}
	free(entries);
	free(path);
	return rc || !core ? rc : take_core(catalog, core, err);
}

size_t pms_catalog_code_cores(const struct pms_catalog *catalog)
{
	return catalog->n_cores;
}

const struct pms_code_core *pms_catalog_code_core(const struct pms_catalog *catalog, size_t i)
{
	return i < catalog->n_cores ? catalog->cores[i] : NULL;
}

size_t pms_catalog_core_codes(const struct pms_catalog *catalog)
{
	return catalog->n_codes;
}

const struct pms_core_code *pms_catalog_core_code(const struct pms_catalog *catalog, size_t i)
{
	return i < catalog->n_codes ? &catalog->codes[i] : NULL;
}

size_t pms_catalog_core_names(const struct pms_catalog *catalog)
{
	return catalog->n_names;
}

const struct pms_core_name *pms_catalog_core_name(const struct pms_catalog *catalog, size_t i)
{
	return i < catalog->n_names ? &catalog->names[i] : NULL;
}

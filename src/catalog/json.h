/* SPDX-License-Identifier: MIT */
/* catalog/json.h - JSON files read with errors that say where: file, line, column and path. jansson
 * knows positions only while it parses. A later error is located by walking the text again along
 * the value's path, so that only errors cost time. */
#ifndef PMS_CATALOG_JSON_H
#define PMS_CATALOG_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <jansson.h>

#include "pmuscope/error.h"

/** A parsed file and its text. */
struct pms_json {
	char *source; /* the file's path */
	char *text;
	size_t length;
	json_t *root;
};

/** A value and the path to it, a chain of records on the readers' stack. A parent's value is an
 * array or an object. */
struct pms_json_place {
	const struct pms_json *json;
	const struct pms_json_place *parent; /* NULL for the root */
	const char *key;		     /* in the parent, when that is an object; borrowed */
	size_t index;			     /* in the parent, when that is an array */
	json_t *value;			     /* NULL: optional and absent, or null */
};

/** The kinds of value, one bit each. */
enum pms_json_kind {
	PMS_JSON_OBJECT = 1,
	PMS_JSON_ARRAY = 2,
	PMS_JSON_STRING = 4,
	PMS_JSON_INTEGER = 8,
	PMS_JSON_NUMBER = 16, /* integer or real */
	PMS_JSON_BOOLEAN = 32,
	PMS_JSON_OPTIONAL = 64 /* or absent, or null */
};

/**
 * Read and parse a file. Free with pms_json_release.
 * Errors: -PMS_EIO cannot be read, or is larger than 4 MiB; -PMS_EPARSE not JSON, a key twice in
 * one object, or more than 262144 values; -PMS_ENOMEM.
 */
int pms_json_load(const char *path, struct pms_json *out, struct pms_error *err);

/** As pms_json_load, for one of several files that are in memory together. @values: that they may
 * still have; those of this file are taken off. NULL: as pms_json_load. */
int pms_json_load_part(const char *path, size_t *values, struct pms_json *out,
		       struct pms_error *err);

/** An upper bound of the values in the text, as the limit counts them. */
size_t pms_json_values(const struct pms_json *json);

/** As json_loadb, but fails instead of cutting texts short. @no_memory: receives whether memory ran
 * out. */
json_t *pms_json_read(const char *text, size_t length, size_t flags, json_error_t *why,
		      bool *no_memory);

/** Parse @length bytes; @source is what errors name. Errors: as pms_json_load. */
int pms_json_parse(const char *source, const char *text, size_t length, struct pms_json *out,
		   struct pms_error *err);
void pms_json_release(struct pms_json *json);

/** As json_dumps(), but fails instead of leaving out keys without memory. The caller frees it; NULL
 * when out of memory. */
char *pms_json_text(const json_t *value, size_t flags);

/** Returns the place of the whole file. */
struct pms_json_place pms_json_root(const struct pms_json *json);

/** Get a member of the object @at. @kinds: of enum pms_json_kind. Errors: -PMS_EPARSE missing, or
 * of another kind. */
int pms_json_get(const struct pms_json_place *at, const char *key, int kinds,
		 struct pms_json_place *out, struct pms_error *err);

/** Get element @i of the array @at. Errors: -PMS_EPARSE of another kind. */
int pms_json_element(const struct pms_json_place *at, size_t i, int kinds,
		     struct pms_json_place *out, struct pms_error *err);

/** Get the member of @at that an iteration has reached. Errors: -PMS_EPARSE of another kind. */
int pms_json_member(const struct pms_json_place *at, const char *key, json_t *value, int kinds,
		    struct pms_json_place *out, struct pms_error *err);

/** Write the path to @at as text, "metrics.ipc.events[2]"; empty for the root. Cut where the room
 * ends.
 * @path: empty at first, of @size bytes. Returns its length. */
size_t pms_json_path(const struct pms_json_place *at, char *path, size_t size);

/** Report an error of the value at @at, with its path before the text. Returns -PMS_EPARSE.
 */
__attribute__((format(printf, 3, 4))) int
pms_json_fail(const struct pms_json_place *at, struct pms_error *err, const char *format, ...);

/** Find the line and column, 1-based, where the value at @at starts; 0 and 0 when not known. */
void pms_json_locate(const struct pms_json_place *at, unsigned *line, unsigned *column);

/** A place to be located. */
struct pms_json_spot {
	const struct pms_json_place *at;
	unsigned line, column; /* as above */
};

/** Locate many values of any files, and walk each text once. Errors: -PMS_ENOMEM */
int pms_json_locate_all(struct pms_json_spot *spots, size_t n);

#endif

/* SPDX-License-Identifier: MIT */
#include "catalog/json.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/memstream.h"
#include "base/regular.h"
#include "base/status.h"

/* Count an upper bound of the text's values: at most one follows each comma and opening bracket. */
static size_t count_values(const char *text, size_t length)
{
	size_t n = 1;
	int is_inside = 0; /* inside a string */
	for (size_t i = 0; i < length; i++) {
		char c = text[i];
		if (c == '"')
			is_inside = !is_inside;
		else if (is_inside)
			i += c == '\\';
		else
			n += c == ',' || c == '{' || c == '[';
	}
	return n;
}

size_t pms_json_values(const struct pms_json *json)
{
	return count_values(json->text, json->length);
}

/* Take the text's values off of those that there may be. NULL: it may have as many as any file. */
static int take_values(const char *source, const char *text, size_t length, size_t *values,
		       struct pms_error *err)
{
	if (!values && length <= PMS_MOST_JSON_VALUES)
		return 0;
	size_t n = count_values(text, length);
	if (n > (values ? *values : PMS_MOST_JSON_VALUES))
		return pms_fail_at(err, PMS_EPARSE, source, 0, 0, "has more than %d values%s",
				   PMS_MOST_JSON_VALUES,
				   values ? ", with the files that it is a base of" : "");
	if (values)
		*values -= n;
	return 0;
}

/* When a text cannot grow, jansson reads on silently and the text loses its end. Only the allocator
 * can tell. It has no context argument, so it sets a flag of its thread. */
static _Thread_local bool lacked_memory;

static void *allocate(size_t size)
{
	void *memory = malloc(size);
	lacked_memory |= !memory;
	return memory;
}

json_t *pms_json_read(const char *text, size_t length, size_t flags, json_error_t *why,
		      bool *no_memory)
{
	json_malloc_t own_malloc;
	json_free_t own_free;
	json_get_alloc_funcs(&own_malloc, &own_free);
	lacked_memory = false;
	json_set_alloc_funcs(allocate, free);
	json_t *root = json_loadb(text, length, flags, why);
	if (root && lacked_memory) {
		json_decref(root);
		root = NULL;
	}
	json_set_alloc_funcs(own_malloc, own_free);
	*no_memory = lacked_memory;
	return root;
}

/* Parse @text; @out owns it even when it is not JSON. @values: as for pms_json_load_part, or NULL
 */
static int parse_owned(const char *source, char *text, size_t length, size_t *values,
		       struct pms_json *out, struct pms_error *err)
{
	json_error_t why;
	struct pms_json json = { .source = strdup(source), .text = text, .length = length };
	if (!json.source) {
		pms_json_release(&json);
		return pms_no_memory(err);
	}
	int rc = take_values(source, text, length, values, err);
	if (rc) {
		pms_json_release(&json);
		return rc;
	}
	bool no_memory;
	json.root = pms_json_read(text, length, JSON_REJECT_DUPLICATES, &why, &no_memory);
	if (!json.root) {
		pms_json_release(&json);
		if (no_memory || json_error_code(&why) == json_error_out_of_memory)
			return pms_no_memory(err);
		return pms_fail_at(err, PMS_EPARSE, source, why.line > 0 ? (unsigned)why.line : 0,
				   why.column > 0 ? (unsigned)why.column : 0, "%s", why.text);
	}
	*out = json;
	return 0;
}

int pms_json_parse(const char *source, const char *text, size_t length, struct pms_json *out,
		   struct pms_error *err)
{
	char *copy = malloc(length + 1);
	if (!copy)
		return pms_no_memory(err);
	memcpy(copy, text, length);
	copy[length] = '\0';
	return parse_owned(source, copy, length, NULL, out, err);
}

/* Read to the end of the file, at most up to its announced size: the file may grow meanwhile.
 */
static int read_whole(FILE *file, const char *path, char **text, size_t *length,
		      struct pms_error *err)
{
	struct stat st;
	if (fstat(fileno(file), &st))
		return pms_fail_at(err, PMS_EIO, path, 0, 0, "%s", strerror(errno));
	if (st.st_size > PMS_MOST_JSON_BYTES)
		return pms_fail_at(err, PMS_EIO, path, 0, 0, "is larger than %d MiB",
				   PMS_MOST_JSON_BYTES >> 20);
	*text = malloc((size_t)st.st_size + 1);
	if (!*text)
		return pms_no_memory(err);
	*length = fread(*text, 1, (size_t)st.st_size, file);
	(*text)[*length] = '\0';
	if (ferror(file))
		return pms_fail_at(err, PMS_EIO, path, 0, 0, "%s", strerror(errno));
	return 0;
}

int pms_json_load(const char *path, struct pms_json *out, struct pms_error *err)
{
	return pms_json_load_part(path, NULL, out, err);
}

int pms_json_load_part(const char *path, size_t *values, struct pms_json *out,
		       struct pms_error *err)
{
	char *text = NULL;
	size_t length = 0;
	int fd = pms_regular_open(path);
	if (fd < 0)
		return pms_fail_at(err, PMS_EIO, path, 0, 0, "%s", pms_regular_reason(errno));
	FILE *file = fdopen(fd, "rb");
	if (!file) {
		close(fd);
		return pms_no_memory(err);
	}
	int rc = read_whole(file, path, &text, &length, err);
	fclose(file);
	if (rc) {
		free(text);
		return rc;
	}
	return parse_owned(path, text, length, values, out, err);
}

void pms_json_release(struct pms_json *json)
{
	json_decref(json->root);
	free(json->text);
	free(json->source);
	*json = (struct pms_json){ 0 };
}

static int put_piece(const char *piece, size_t size, void *stream)
{
	return fwrite(piece, 1, size, stream) == size ? 0 : -1;
}

char *pms_json_text(const json_t *value, size_t flags)
{
	char *text;
	size_t size;
	FILE *stream = pms_memstream_open(&text, &size);
	if (!stream)
		return NULL;
	int failed = json_dump_callback(value, put_piece, stream, flags);
	if (!pms_memstream_close(stream) && !failed)
		return text;
	free(text);
	return NULL;
}

struct pms_json_place pms_json_root(const struct pms_json *json)
{
	return (struct pms_json_place){ .json = json, .value = json->root };
}

static int kind_of(const json_t *value)
{
	static const int kinds[] = {
		[JSON_OBJECT] = PMS_JSON_OBJECT,
		[JSON_ARRAY] = PMS_JSON_ARRAY,
		[JSON_STRING] = PMS_JSON_STRING,
		[JSON_INTEGER] = PMS_JSON_INTEGER | PMS_JSON_NUMBER,
		[JSON_REAL] = PMS_JSON_NUMBER,
		[JSON_TRUE] = PMS_JSON_BOOLEAN,
		[JSON_FALSE] = PMS_JSON_BOOLEAN,
		[JSON_NULL] = PMS_JSON_OPTIONAL,
	};
	return kinds[json_typeof(value)];
}

/* Name the kinds of value that were expected, for an error. */
static const char *wanted(int kinds)
{
	static const struct {
		int kind;
		const char *name;
	} names[] = {
		{ PMS_JSON_STRING | PMS_JSON_INTEGER, "a string or a whole number" },
		{ PMS_JSON_STRING | PMS_JSON_NUMBER, "a string or a number" },
		{ PMS_JSON_OBJECT, "an object" },
		{ PMS_JSON_ARRAY, "an array" },
		{ PMS_JSON_STRING, "a string" },
		{ PMS_JSON_INTEGER, "a whole number" },
		{ PMS_JSON_NUMBER, "a number" },
		{ PMS_JSON_BOOLEAN, "true or false" },
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if ((kinds & ~PMS_JSON_OPTIONAL) == names[i].kind)
			return names[i].name;
	return "another type";
}

static const char *found(const json_t *value)
{
	static const char *const names[] = {
		[JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array",
		[JSON_STRING] = "a string",  [JSON_INTEGER] = "a whole number",
		[JSON_REAL] = "a number",    [JSON_TRUE] = "true",
		[JSON_FALSE] = "false",	     [JSON_NULL] = "null",
	};
	return names[json_typeof(value)];
}

static int check_kind(struct pms_json_place *place, int kinds, struct pms_error *err)
{
	if (!(kind_of(place->value) & kinds))
		return pms_json_fail(place, err, "must be %s, not %s", wanted(kinds),
				     found(place->value));
	if (json_is_null(place->value))
		place->value = NULL;
	return 0;
}

int pms_json_member(const struct pms_json_place *at, const char *key, json_t *value, int kinds,
		    struct pms_json_place *out, struct pms_error *err)
{
	*out = (struct pms_json_place){
		.json = at->json, .parent = at, .key = key, .value = value
	};
	return check_kind(out, kinds, err);
}

int pms_json_get(const struct pms_json_place *at, const char *key, int kinds,
		 struct pms_json_place *out, struct pms_error *err)
{
	json_t *value = json_object_get(at->value, key);
	if (value)
		return pms_json_member(at, key, value, kinds, out, err);
	*out = (struct pms_json_place){ .json = at->json, .parent = at, .key = key };
	if (kinds & PMS_JSON_OPTIONAL)
		return 0;
	return pms_json_fail(at, err, "\"%s\" is missing: %s", key, wanted(kinds));
}

int pms_json_element(const struct pms_json_place *at, size_t i, int kinds,
		     struct pms_json_place *out, struct pms_error *err)
{
	*out = (struct pms_json_place){
		.json = at->json, .parent = at, .index = i, .value = json_array_get(at->value, i)
	};
	return check_kind(out, kinds, err);
}

size_t pms_json_path(const struct pms_json_place *at, char *path, size_t size)
{
	if (!at->parent)
		return 0;
	size_t used = pms_json_path(at->parent, path, size);
	int n = at->key ? snprintf(path + used, size - used, "%s%s", used ? "." : "", at->key)
			: snprintf(path + used, size - used, "[%zu]", at->index);
	if (n < 0 || (size_t)n >= size - used)
		return size - 1;
	return used + (size_t)n;
}

int pms_json_fail(const struct pms_json_place *at, struct pms_error *err, const char *format, ...)
{
	char path[192] = "", text[320];
	unsigned line, column;
	va_list args;
	/* Locating walks the text again: do it only for an error that will be seen. */
	if (!err || err->status != PMS_OK)
		return -PMS_EPARSE;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	pms_json_path(at, path, sizeof(path));
	pms_json_locate(at, &line, &column);
	return pms_fail_at(err, PMS_EPARSE, at->json->source, line, column, "%s%s%s", path,
			   path[0] ? ": " : "", text);
}

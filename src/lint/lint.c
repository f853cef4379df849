/* SPDX-License-Identifier: MIT */
#include "pmuscope/lint.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/limits.h"
#include "base/status.h"
#include "lint/spec.h"

void *pms_lint_room(struct pms_lint *lint, size_t count, size_t size)
{
	void *room = pms_arena_alloc(&lint->arena, count, size);
	if (!room)
		lint->failed = 1;
	return room;
}

const struct pms_json_place *pms_lint_keep(struct pms_lint *lint, struct pms_json_place place)
{
	struct pms_json_place *kept = pms_lint_room(lint, 1, sizeof(*kept));
	if (kept)
		*kept = place;
	return kept;
}

/* Append a finding. Returns NULL when there are enough, or no memory. */
static struct pms_lint_found *add_found(struct pms_lint *lint)
{
	if (lint->n_found == PMS_MOST_LINT_FINDINGS)
		return NULL;
	struct pms_lint_found *found = pms_array_room(lint->found, lint->n_found, sizeof(*found));
	if (!found) {
		lint->failed = 1;
		return NULL;
	}
	lint->found = found;
	return &found[lint->n_found++];
}

static void add(struct pms_lint *lint, const char *rule, const struct pms_json_place *at,
		const struct pms_json_place *first, const char *format, va_list args)
{
	char path[512] = "", text[1024];
	struct pms_lint_found *found = add_found(lint);
	if (!found)
		return;
	vsnprintf(text, sizeof(text), format, args);
	pms_json_path(at, path, sizeof(path));
	*found =
		(struct pms_lint_found){ .at = pms_lint_keep(lint, *at),
					 .first = first,
					 .finding = { .file = at->json->source,
						      .rule = rule,
						      .path = pms_arena_dup(&lint->arena, path),
						      .text = pms_arena_dup(&lint->arena, text) } };
	if (!found->finding.path || !found->finding.text)
		lint->failed = 1;
}

void pms_lint_add(struct pms_lint *lint, const char *rule, const struct pms_json_place *at,
		  const char *format, ...)
{
	va_list args;
	va_start(args, format);
	add(lint, rule, at, NULL, format, args);
	va_end(args);
}

void pms_lint_add_again(struct pms_lint *lint, const char *rule, const struct pms_json_place *at,
			const struct pms_json_place *first, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	add(lint, rule, at, first, format, args);
	va_end(args);
}

/* Returns an error's text without its leading path, which a finding holds separately. */
static const char *bare_text(const struct pms_error *err, const struct pms_json_place *at)
{
	char path[512] = "";
	size_t length = pms_json_path(at, path, sizeof(path));
	int prefixed = length && !strncmp(err->text, path, length) && err->text[length] == ':';
	return prefixed ? err->text + length + 2 : err->text;
}

/* Keep @place, which was read below @at with the result @rc; an error becomes a finding. */
static const struct pms_json_place *keep_read(struct pms_lint *lint,
					      const struct pms_json_place *at, int rc,
					      const struct pms_error *err,
					      struct pms_json_place place)
{
	const struct pms_json_place *wrong = place.value ? &place : at;
	if (!rc)
		return place.value ? pms_lint_keep(lint, place) : NULL;
	pms_lint_add(lint, "layout", wrong, "%s", bare_text(err, wrong));
	return NULL;
}

const struct pms_json_place *pms_lint_get(struct pms_lint *lint, const struct pms_json_place *at,
					  const char *key, int kinds)
{
	struct pms_error err = { 0 };
	struct pms_json_place place;
	int rc = pms_json_get(at, key, kinds, &place, &err);
	return keep_read(lint, at, rc, &err, place);
}

struct pms_lint_name pms_lint_get_text(struct pms_lint *lint, const struct pms_json_place *at,
				       const char *key, int optional)
{
	const struct pms_json_place *place =
		pms_lint_get(lint, at, key, PMS_JSON_STRING | (optional ? PMS_JSON_OPTIONAL : 0));
	return (struct pms_lint_name){ .text = place ? json_string_value(place->value) : NULL,
				       .at = place };
}

struct pms_lint_names pms_lint_get_names(struct pms_lint *lint, const struct pms_json_place *at,
					 const char *key, int optional)
{
	struct pms_lint_names names = { 0 };
	const struct pms_json_place *array =
		pms_lint_get(lint, at, key, PMS_JSON_ARRAY | (optional ? PMS_JSON_OPTIONAL : 0));
	size_t n = array ? json_array_size(array->value) : 0;
	names.rows = pms_lint_room(lint, n, sizeof(names.rows[0]));
	for (size_t i = 0; names.rows && i < n; i++) {
		struct pms_error err = { 0 };
		struct pms_json_place place;
		int rc = pms_json_element(array, i, PMS_JSON_STRING, &place, &err);
		const struct pms_json_place *kept = keep_read(lint, array, rc, &err, place);
		if (kept)
			names.rows[names.n++] =
				(struct pms_lint_name){ json_string_value(kept->value), kept };
	}
	return names;
}

void pms_lint_get_code(struct pms_lint *lint, const struct pms_json_place *at, const char *key,
		       struct pms_lint_event *event)
{
	event->code = -1;
	event->code_at =
		pms_lint_get(lint, at, key, PMS_JSON_STRING | PMS_JSON_INTEGER | PMS_JSON_OPTIONAL);
	if (!event->code_at)
		return;
	if (json_is_integer(event->code_at->value)) {
		event->code = json_integer_value(event->code_at->value);
	} else {
		const char *text = json_string_value(event->code_at->value);
		char *end;
		errno = 0;
		event->code = strtoll(text, &end, 0);
		if (errno || end == text || *end)
			event->code = -1;
	}
	if (event->code < 0)
		pms_lint_add(lint, "layout", event->code_at, "is not an event code");
}

void pms_lint_compile(struct pms_lint *lint, struct pms_lint_metric *metric)
{
	struct pms_error err = { 0 };
	if (!metric->formula.text)
		return;
	int rc = pms_formula_compile(metric->formula.text, NULL, &metric->program, &err);
	if (rc == -PMS_ENOMEM)
		lint->failed = 1;
	else if (rc)
		pms_lint_add(lint, "formula", metric->formula.at, "column %u: %s", err.column,
			     err.text);
}

/* Index the names of metric groups and of nodes. */
static void index_tree(struct pms_lint *lint, struct pms_lint_spec *spec)
{
	struct pms_name_row *groups =
		pms_lint_room(lint, spec->n_groups, sizeof(struct pms_name_row));
	struct pms_name_row *nodes =
		pms_lint_room(lint, spec->n_nodes, sizeof(struct pms_name_row));
	size_t n = 0;
	if (!groups || !nodes)
		return;
	for (size_t i = 0; i < spec->n_groups; i++)
		if (spec->groups[i].kind == PMS_GROUP_METRICS)
			groups[n++] = (struct pms_name_row){ spec->groups[i].name.text, i };
	for (size_t i = 0; i < spec->n_nodes; i++)
		nodes[i] = (struct pms_name_row){ spec->nodes[i].name.text, i };
	spec->group_names = (struct pms_name_index){ groups, n };
	spec->node_names = (struct pms_name_index){ nodes, spec->n_nodes };
	pms_name_index_sort(&spec->group_names);
	pms_name_index_sort(&spec->node_names);
}

/* Index the members of metric groups, each with its group's number. */
static void index_members(struct pms_lint *lint, struct pms_lint_spec *spec)
{
	size_t n = 0;
	for (size_t i = 0; i < spec->n_groups; i++)
		n += spec->groups[i].kind == PMS_GROUP_METRICS ? spec->groups[i].members.n : 0;
	struct pms_name_row *rows = pms_lint_room(lint, n, sizeof(*rows));
	if (!rows)
		return;
	spec->members = (struct pms_name_index){ .rows = rows };
	for (size_t i = 0; i < spec->n_groups; i++) {
		const struct pms_lint_group *group = &spec->groups[i];
		for (size_t k = 0; group->kind == PMS_GROUP_METRICS && k < group->members.n; k++)
			rows[spec->members.count++] =
				(struct pms_name_row){ group->members.rows[k].text, i };
	}
	pms_name_index_sort(&spec->members);
}

void pms_lint_index(struct pms_lint *lint, struct pms_lint_spec *spec)
{
	struct pms_name_row *events =
		pms_lint_room(lint, spec->n_events, sizeof(struct pms_name_row));
	struct pms_name_row *metrics =
		pms_lint_room(lint, spec->n_metrics, sizeof(struct pms_name_row));
	if (!events || !metrics)
		return;
	for (size_t i = 0; i < spec->n_events; i++)
		events[i] = (struct pms_name_row){ spec->events[i].name.text, i };
	for (size_t i = 0; i < spec->n_metrics; i++)
		metrics[i] = (struct pms_name_row){ spec->metrics[i].name.text, i };
	spec->event_names = (struct pms_name_index){ events, spec->n_events };
	spec->metric_names = (struct pms_name_index){ metrics, spec->n_metrics };
	pms_name_index_sort(&spec->event_names);
	pms_name_index_sort(&spec->metric_names);
	index_tree(lint, spec);
	index_members(lint, spec);
}

size_t pms_lint_members(const struct pms_lint_spec *spec, const char *name, size_t *end)
{
	size_t first = pms_name_index_first(&spec->members, name, 0);
	*end = pms_name_index_first(&spec->members, name, 1);
	return first;
}

void pms_lint_spec_release(struct pms_lint_spec *spec)
{
	for (size_t i = 0; i < spec->n_metrics; i++)
		pms_formula_free(spec->metrics[i].program);
}

static int load_file(struct pms_lint *lint, const char *path, struct pms_error *err)
{
	struct pms_json **files =
		pms_array_room(lint->files, lint->n_files, sizeof(struct pms_json *));
	struct pms_json *json = files ? calloc(1, sizeof(*json)) : NULL;
	if (files)
		lint->files = files;
	if (!json)
		return pms_no_memory(err);
	files[lint->n_files++] = json;
	return pms_json_load(path, json, err);
}

static int is_json(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);
	return length > 5 && entry->d_name[0] != '.' &&
	       !strcmp(entry->d_name + length - 5, ".json");
}

/* Load a CPU's folder, as in cpus/: only its specification. */
static int load_folder(struct pms_lint *lint, const char *path, int *is_folder,
		       struct pms_error *err)
{
	char *file;
	if (asprintf(&file, "%s/telemetry.json", path) < 0)
		return pms_no_memory(err);
	*is_folder = !access(file, F_OK);
	int rc = *is_folder ? load_file(lint, file, err) : 0;
	free(file);
	return rc;
}

/* Load a CPU's folder, or every *.json of another directory in order of name. */
static int load_directory(struct pms_lint *lint, const char *path, struct pms_error *err)
{
	int is_folder = 0, folder = load_folder(lint, path, &is_folder, err);
	if (folder || is_folder)
		return folder;
	struct dirent **entries = NULL;
	int rc = 0, n = scandir(path, &entries, is_json, alphasort);
	if (n < 0)
		return pms_fail_at(err, PMS_EIO, path, 0, 0, "%s", strerror(errno));
	if (!n)
		rc = pms_fail_at(err, PMS_EIO, path, 0, 0, "holds no *.json");
	for (int i = 0; i < n; i++) {
		char *file = NULL;
		if (!rc && asprintf(&file, "%s/%s", path, entries[i]->d_name) < 0)
			rc = pms_no_memory(err);
		if (!rc)
			rc = load_file(lint, file, err);
		free(file);
		free(entries[i]);
	}
	free(entries);
	return rc;
}

static void check(struct pms_lint *lint, struct pms_lint_spec *spec)
{
	pms_lint_index(lint, spec);
	if (!lint->failed) {
		pms_lint_names_rules(lint, spec);
		pms_lint_formula_rules(lint, spec);
		pms_lint_tree_rules(lint, spec);
	}
	pms_lint_spec_release(spec);
}

/* Check Arm's files one by one, then perf's together. */
static void check_all(struct pms_lint *lint)
{
	const struct pms_json_place **roots = pms_lint_room(lint, lint->n_files, sizeof(*roots));
	size_t n = 0;
	for (size_t i = 0; roots && i < lint->n_files && !lint->failed; i++) {
		const struct pms_json_place *root =
			pms_lint_keep(lint, pms_json_root(lint->files[i]));
		struct pms_lint_spec spec = { .layout = PMS_LINT_TELEMETRY };
		if (root && json_is_array(root->value)) {
			roots[n++] = root;
		} else if (root) {
			pms_lint_read_telemetry(lint, root, &spec);
			check(lint, &spec);
		}
	}
	struct pms_lint_spec spec = { .layout = PMS_LINT_PERF };
	if (n && !lint->failed) {
		pms_lint_read_perf(lint, roots, n, &spec);
		check(lint, &spec);
	}
}

/* Find the places of all findings, and of the first use of a repeated name. */
static void locate(struct pms_lint *lint)
{
	size_t n = lint->n_found;
	struct pms_json_spot *spots = pms_lint_room(lint, 2 * n, sizeof(*spots));
	for (size_t i = 0; spots && i < n; i++) {
		spots[2 * i].at = lint->found[i].at;
		spots[2 * i + 1].at =
			lint->found[i].first ? lint->found[i].first : lint->found[i].at;
	}
	if (lint->failed)
		return;
	if (pms_json_locate_all(spots, 2 * n)) {
		lint->failed = 1;
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct pms_lint_finding *finding = &lint->found[i].finding;
		const struct pms_json_place *first = lint->found[i].first;
		finding->line = spots[2 * i].line;
		finding->column = spots[2 * i].column;
		if (!first)
			continue;
		finding->text = pms_arena_printf(&lint->arena, "%s, in %s:%u", finding->text,
						 first->json->source, spots[2 * i + 1].line);
		if (!finding->text)
			lint->failed = 1;
	}
}

static int found_order(const void *a, const void *b)
{
	const struct pms_lint_finding *x = &((const struct pms_lint_found *)a)->finding;
	const struct pms_lint_finding *y = &((const struct pms_lint_found *)b)->finding;
	int files = strcmp(x->file, y->file);
	if (files)
		return files;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->column != y->column)
		return x->column < y->column ? -1 : 1;
	return strcmp(x->rule, y->rule);
}

int pms_lint_files(const char *const *paths, size_t n, struct pms_lint **out, struct pms_error *err)
{
	struct pms_lint *lint = calloc(1, sizeof(*lint));
	int rc = lint ? 0 : pms_no_memory(err);
	for (size_t i = 0; !rc && i < n; i++) {
		struct stat st;
		int directory = !stat(paths[i], &st) && S_ISDIR(st.st_mode);
		rc = directory ? load_directory(lint, paths[i], err)
			       : load_file(lint, paths[i], err);
	}
	if (!rc) {
		check_all(lint);
		if (!lint->failed)
			locate(lint);
		if (lint->failed)
			rc = pms_no_memory(err);
	}
	if (rc) {
		pms_lint_free(lint);
		return rc;
	}
	if (lint->n_found)
		qsort(lint->found, lint->n_found, sizeof(lint->found[0]), found_order);
	*out = lint;
	return 0;
}

void pms_lint_free(struct pms_lint *lint)
{
	if (!lint)
		return;
	for (size_t i = 0; i < lint->n_files; i++) {
		pms_json_release(lint->files[i]);
		free(lint->files[i]);
	}
	free(lint->files);
	free(lint->found);
	pms_arena_release(&lint->arena);
	free(lint);
}

size_t pms_lint_findings(const struct pms_lint *lint)
{
	return lint->n_found;
}

const struct pms_lint_finding *pms_lint_finding(const struct pms_lint *lint, size_t i)
{
	return i < lint->n_found ? &lint->found[i].finding : NULL;
}

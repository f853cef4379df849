/* SPDX-License-Identifier: MIT */
/* The list of counts. Names and scopes are kept once. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/limits.h"
#include "base/status.h"
#include "collect/perfstat/text.h"

static struct pms_stat_scope scope_of(const struct pms_stat_line *line)
{
	struct pms_stat_scope scope;
	/* Clear all bytes, including the padding, because the scope is hashed. */
	memset(&scope, 0, sizeof(scope));
	scope.kind = line->kind;
	if (line->kind == PMS_SCOPE_TOTAL)
		return scope;
	scope.id = line->id;
	/* The kernel's names of threads have 15 characters. */
	size_t most = sizeof(scope.name) - 1, length = line->scope.length;
	if (length)
		memcpy(scope.name, line->scope.at, length < most ? length : most);
	scope.name[strnlen(scope.name, most)] = 0;
	return scope;
}

static int add_scope(struct pms_stat_text *t, const struct pms_stat_scope *scope, uint64_t key,
		     struct pms_error *err)
{
	if (t->n_scopes > PMS_MOST_STAT_SCOPES)
		return pms_fail_at(err, PMS_EPARSE, t->source, 0, 0,
				   "more than %d threads or CPUs are told apart",
				   PMS_MOST_STAT_SCOPES);
	struct pms_stat_scope *scopes = pms_array_room(t->scopes, t->n_scopes, sizeof(scopes[0]));
	if (scopes)
		t->scopes = scopes;
	if (!scopes || pms_numbers_set(&t->by_scope, key, (uint32_t)t->n_scopes))
		return pms_no_memory(err);
	scopes[t->n_scopes++] = *scope;
	return 0;
}

/* Returns the index of a scope; a new scope is added. */
static int64_t find_scope(struct pms_stat_text *t, const struct pms_stat_scope *scope,
			  struct pms_error *err)
{
	uint64_t key = pms_hash_bytes(&t->key, scope, sizeof(*scope));
	uint32_t row;
	/* Two scopes may have the same hash: the second one takes the next number. */
	while ((row = pms_numbers_get(&t->by_scope, key)) != PMS_NO_ROW) {
		if (!memcmp(&t->scopes[row], scope, sizeof(*scope)))
			return row;
		key++;
	}
	int rc = add_scope(t, scope, key, err);
	return rc ? rc : (int64_t)t->n_scopes - 1;
}

/* Add the total as the first scope, even if it has no counts. */
static int begin(struct pms_stat_text *t, struct pms_error *err)
{
	const struct pms_stat_line nothing = { .kind = PMS_SCOPE_TOTAL };
	struct pms_stat_scope total = scope_of(&nothing);
	t->key = pms_hash_draw();
	return (int)find_scope(t, &total, err);
}

int pms_stat_text_add(struct pms_stat_text *t, const struct pms_stat_line *line, size_t name,
		      struct pms_error *err)
{
	int rc = t->n_scopes ? 0 : begin(t, err);
	if (rc)
		return rc;
	size_t most = PMS_FREE_STAT_COUNTS + t->size / PMS_STAT_COUNT_BYTES;
	if (most > PMS_MOST_STAT_RECORDS)
		most = PMS_MOST_STAT_RECORDS;
	if (t->n_records >= most)
		return pms_fail_at(err, PMS_EPARSE, t->source, 0, 0, "more than %zu counts", most);
	struct pms_stat_record *records =
		pms_array_room(t->records, t->n_records, sizeof(records[0]));
	if (!records)
		return pms_no_memory(err);
	t->records = records;
	struct pms_stat_scope scope = scope_of(line);
	int64_t row = find_scope(t, &scope, err);
	if (row < 0)
		return (int)row;
	records[t->n_records++] = (struct pms_stat_record){ .time = line->time,
							    .value = line->value,
							    .run_pct = line->run_pct,
							    .spread = line->spread,
							    .run_ns = line->run_ns,
							    .name = (uint32_t)name,
							    .scope = (uint32_t)row,
							    .state = (unsigned char)line->state,
							    .has_time = line->has_time != 0,
							    .has_run = line->has_run != 0 };
	return 0;
}

void pms_stat_text_release(struct pms_stat_text *text)
{
	free(text->text);
	free(text->source);
	free(text->records);
	free(text->names);
	free(text->scopes);
	pms_numbers_release(&text->by_scope);
}

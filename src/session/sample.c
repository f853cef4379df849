/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/limits.h"
#include "base/status.h"
#include "session/load.h"

static int read_extent(struct pms_loading *l, sqlite3_stmt *row)
{
	struct pms_extent *e = &l->counts->provenance.extent;
	uint64_t *const columns[] = { &e->forward, &e->forwarded, NULL,	      &e->entries,
				      &e->outside, &e->warm,	  &e->detail, &e->skip };
	const char *region = NULL;
	int rc = pms_row_text(l->session, row, 2, 1, &region, l->err);
	for (int i = 0; i < (int)(sizeof(columns) / sizeof(columns[0])) && !rc; i++)
		if (columns[i])
			rc = pms_row_unsigned(l->session, row, i, columns[i], l->err);
	if (rc || !region)
		return rc;
	if (e->region)
		return pms_row_damaged(l->session, l->err, "it has two extents");
	e->region = strdup(region);
	return e->region ? 0 : pms_row_no_memory(l->err);
}

/* Returns how many of the groups there is room for: all or none. */
static size_t take_room(struct pms_loading *l, size_t groups)
{
	uint64_t size = groups * (pms_catalog_events(l->catalog) + 1) * sizeof(double);
	if (size > l->room) {
		l->n_bare++;
		return 0;
	}
	l->room -= size;
	return groups;
}

/* Read a scope's sample, and make room for its groups. */
static int read_sample(struct pms_loading *l, sqlite3_stmt *row)
{
	const struct pms_session *s = l->session;
	int64_t place, groups;
	int rc = pms_row_integer(s, row, 0, 0, (int64_t)l->n_scopes, &place, l->err);
	if (!rc)
		rc = pms_row_integer(s, row, 4, 0, PMS_MOST_SESSION_GROUPS, &groups, l->err);
	struct pms_scope *scope = rc ? NULL : pms_load_scope(l, (size_t)place);
	if (scope && scope->sample)
		rc = pms_row_damaged(s, l->err, "a scope has two samples");
	if (rc || !scope)
		return rc;
	struct pms_sample *sample =
		pms_scope_add_sample(l->counts, scope, take_room(l, (size_t)groups));
	if (!sample)
		return pms_row_no_memory(l->err);
	rc = pms_row_unsigned(s, row, 1, &sample->instructions, l->err);
	if (!rc)
		rc = pms_row_unsigned(s, row, 2, &sample->counted, l->err);
	return rc ? rc : pms_row_unsigned(s, row, 3, &sample->windows, l->err);
}

/* Find the sample and group that the first two columns name. *sample: NULL where its groups had
 * no room */
static int find_group(struct pms_loading *l, sqlite3_stmt *row, struct pms_sample **sample,
		      int64_t *group)
{
	int64_t place;
	*sample = NULL;
	int rc = pms_row_integer(l->session, row, 0, 0, (int64_t)l->n_scopes, &place, l->err);
	struct pms_scope *scope = rc ? NULL : pms_load_scope(l, (size_t)place);
	if (scope && !scope->sample)
		rc = pms_row_damaged(l->session, l->err, "it has a group of no sample");
	if (rc || !scope || !scope->sample->n_groups)
		return rc;
	*sample = scope->sample;
	return pms_row_integer(l->session, row, 1, 0, (int64_t)(*sample)->n_groups - 1, group,
			       l->err);
}

static int read_size(struct pms_loading *l, sqlite3_stmt *row)
{
	struct pms_sample *sample;
	int64_t group = 0;
	int rc = find_group(l, row, &sample, &group);
	if (rc || !sample)
		return rc;
	rc = pms_row_double(l->session, row, 2, 0, &sample->sizes[group], l->err);
	if (!rc && sample->sizes[group] <= 0)
		rc = pms_row_damaged(l->session, l->err, "it has a group without instructions");
	return rc;
}

static int read_group_count(struct pms_loading *l, sqlite3_stmt *row)
{
	struct pms_sample *sample;
	int64_t group = 0, event;
	double count;
	int rc = find_group(l, row, &sample, &group);
	if (!rc)
		rc = pms_load_event(l, row, 2, &event);
	if (!rc)
		rc = pms_row_double(l->session, row, 3, 0, &count, l->err);
	if (!rc && sample && event >= 0)
		sample->groups[group][event] = count;
	return rc;
}

/* Check that groups are numbered from 0 without a gap: each then has its size. */
static int check_sizes(const struct pms_loading *l)
{
	for (size_t i = 0; i <= l->counts->n_scopes; i++) {
		const struct pms_sample *sample = pms_load_scope(l, i)->sample;
		for (size_t g = 0; sample && g < sample->n_groups; g++)
			if (sample->sizes[g] <= 0)
				return pms_row_damaged(l->session, l->err,
						       "its samples lack a group");
	}
	return 0;
}

int pms_load_sample(struct pms_loading *l)
{
	int rc = pms_load_each(l, PMS_ROW_EXTENT, read_extent);
	if (!rc)
		rc = pms_load_each(l, PMS_ROW_SAMPLES, read_sample);
	if (!rc)
		rc = pms_load_each(l, PMS_ROW_GROUPS, read_size);
	if (!rc)
		rc = pms_load_each(l, PMS_ROW_GROUP_COUNTS, read_group_count);
	return rc ? rc : check_sizes(l);
}

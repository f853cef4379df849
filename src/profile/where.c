/* SPDX-License-Identifier: MIT */
#include "pmuscope/where.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

struct pms_where_private {
	struct pms_symbols *symbols;
	struct pms_fold *functions, *lines;
};

static struct pms_where_line line_of(const struct pms_fold_row *row, uint64_t slots)
{
	return (struct pms_where_line){ row->file, row->line,
					row->function ? row->function : "[unknown]", slots };
}

/* A profile's rows put together by line, of one function alone. */
struct function {
	uint32_t object;
	const char *name;
};

static int is_of(void *context, const struct pms_profile *profile, size_t row,
		 const struct pms_symbol *symbol)
{
	const struct function *f = context;
	return profile->rows[row].place.object == f->object && !strcmp(symbol->function, f->name);
}

/* Find the line that loses most among those of a function and what is inlined into it. */
static int find_worst(struct pms_where *where, struct pms_where_row *row, struct pms_error *err)
{
	struct function function = { row->object, row->function };
	const struct pms_fold_options options = {
		.by = PMS_FOLD_LINE, .sort = "lost", .pick = is_of, .context = &function
	};
	struct pms_fold *lines = NULL;
	if (!row->function || !pms_profile_lost(where->profile, row->values))
		return 0;
	int rc = pms_fold_make(where->profile, where->owned->symbols, &options, &lines, err);
	if (!rc && lines->n_rows) {
		uint64_t slots = pms_profile_lost(where->profile, lines->rows[0].values);
		row->worst = line_of(&lines->rows[0], slots);
	}
	pms_fold_free(lines);
	return rc;
}

static int find_functions(struct pms_where *where, struct pms_error *err)
{
	const struct pms_fold *f = where->owned->functions;
	int rc = 0;
	where->totals = f->totals;
	where->cycles = f->sort;
	for (size_t i = 0; i < f->n_rows && where->n_rows < PMS_WHERE_MOST && !rc; i++) {
		const struct pms_fold_row *from = &f->rows[i];
		struct pms_where_row *row = &where->rows[where->n_rows++];
		*row = (struct pms_where_row){ .function = from->function,
					       .object = from->object,
					       .values = from->values };
		rc = find_worst(where, row, err);
	}
	where->n_more = f->n_rows - where->n_rows;
	return rc;
}

static int make(struct pms_where *where, const struct pms_symbols_options *options,
		struct pms_error *err)
{
	struct pms_where_private *own = where->owned;
	const struct pms_fold_options functions = { .by = PMS_FOLD_FUNCTION };
	const struct pms_fold_options lines = { .by = PMS_FOLD_LINE };
	int rc = pms_symbols_open(options, &own->symbols, err);
	if (!rc)
		rc = pms_fold_make(where->profile, own->symbols, &functions, &own->functions, err);
	if (!rc)
		rc = pms_fold_make(where->profile, own->symbols, &lines, &own->lines, err);
	if (!rc)
		rc = find_functions(where, err);
	return rc;
}

int pms_where_make(const struct pms_profile *profile, const struct pms_symbols_options *options,
		   struct pms_where **out, struct pms_error *err)
{
	struct pms_where *where = calloc(1, sizeof(*where));
	if (where)
		where->owned = calloc(1, sizeof(*where->owned));
	if (!where || !where->owned) {
		free(where);
		return pms_no_memory(err);
	}
	where->profile = profile;
	int rc = make(where, options, err);
	if (rc)
		pms_where_free(where);
	else
		*out = where;
	return rc;
}

void pms_where_free(struct pms_where *where)
{
	if (!where)
		return;
	pms_fold_free(where->owned->functions);
	pms_fold_free(where->owned->lines);
	pms_symbols_close(where->owned->symbols);
	free(where->owned);
	free(where);
}

size_t pms_where_lines(const struct pms_where *where, const char *measure,
		       struct pms_where_line lines[PMS_WHERE_LINES], uint64_t *all)
{
	const struct pms_fold *from = where->owned->lines;
	int found = pms_profile_measure_find(where->profile, measure, NULL);
	size_t n = 0;
	*all = 0;
	if (found < 0)
		return 0;
	*all = pms_profile_measure_get(where->profile, where->totals, (size_t)found);
	for (size_t i = 0; i < from->n_rows; i++) {
		const struct pms_fold_row *row = &from->rows[i];
		uint64_t lost = pms_profile_measure_get(where->profile, row->values, (size_t)found);
		size_t at = n;
		if (!lost || row->object == PMS_PROFILE_NONE)
			continue;
		while (at && lines[at - 1].slots < lost)
			at--;
		if (at == PMS_WHERE_LINES)
			continue;
		n += n < PMS_WHERE_LINES;
		memmove(lines + at + 1, lines + at, (n - at - 1) * sizeof(*lines));
		lines[at] = line_of(row, lost);
	}
	return n;
}

/* SPDX-License-Identifier: MIT */
#include "show/place.h"

#include <string.h>

#include "show/text.h"

/* Characters of a cause in a table of 80 columns. */
enum { LONGEST = 28 };

double pms_place_percent(uint64_t part, uint64_t whole)
{
	return whole ? 100 * ((double)part / (double)whole) : 0;
}

void pms_place_set_percent(struct pms_out_item *row, size_t column, uint64_t part, uint64_t whole)
{
	char text[PMS_NUMBER_MAX];
	if (!row)
		return;
	pms_text_value(text, pms_place_percent(part, whole), "percent of slots");
	pms_out_cell_print(row, column, "%s", text);
}

void pms_place_set_cause(struct pms_out_item *row, size_t column, const struct pms_profile *profile,
			 const uint64_t *values)
{
	char share[PMS_NUMBER_MAX];
	uint32_t worst = pms_profile_worst(profile, values);
	if (!row || worst == PMS_PROFILE_NONE)
		return;
	const struct pms_profile_kind *kind = &profile->kinds[worst];
	pms_text_share(share, pms_place_percent(values[worst], pms_profile_lost(profile, values)));
	const char *cause = kind->cause ? kind->cause : kind->title;
	int is_long = strlen(cause) > LONGEST;
	pms_out_cell_print(row, column, "%.*s%s %s", is_long ? LONGEST - 3 : LONGEST, cause,
			   is_long ? "..." : "", share);
}

const char *pms_place_short(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

const char *pms_place_line(struct pms_out_item *of, const char *file, unsigned line)
{
	if (!file)
		return NULL;
	return line ? pms_out_print(of, "%s:%u", pms_place_short(file), line)
		    : pms_place_short(file);
}

struct pms_out_field *pms_place_fields(struct pms_out_item *of, const struct pms_profile *profile,
				       const struct pms_out_field *keys, size_t n_keys, size_t *n)
{
	*n = n_keys + pms_profile_measures(profile);
	struct pms_out_field *fields = pms_out_room(of, *n, sizeof(*fields));
	if (!fields)
		return NULL;
	memcpy(fields, keys, n_keys * sizeof(*keys));
	for (size_t i = n_keys; i < *n; i++) {
		const char *name = pms_profile_measure(profile, i - n_keys).name;
		fields[i] = (struct pms_out_field){ name, name, NULL, 0 };
	}
	return fields;
}

void pms_place_set_measures(struct pms_out_item *row, size_t column,
			    const struct pms_profile *profile, const uint64_t *values)
{
	size_t n = row ? pms_profile_measures(profile) : 0;
	for (size_t i = 0; i < n; i++)
		pms_out_cell(
			row, column + i,
			pms_out_of_count(values ? pms_profile_measure_get(profile, values, i) : 0));
}

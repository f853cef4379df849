/* SPDX-License-Identifier: MIT */
#include "show/extent.h"

#include <string.h>

#include "show/text.h"

static int forward_line(char *text, size_t size, const struct pms_extent *e)
{
	char number[PMS_NUMBER_MAX];
	pms_text_count(number, e->forwarded);
	if (e->forward)
		snprintf(text, size, "Left out: the first %s instructions, run without the model.",
			 number);
	return e->forward != 0;
}

static int region_line(char *text, size_t size, const struct pms_extent *e)
{
	char entries[PMS_NUMBER_MAX], outside[PMS_NUMBER_MAX];
	if (!e->region)
		return 0;
	pms_text_count(entries, e->entries);
	pms_text_count(outside, e->outside);
	snprintf(text, size,
		 "Counted: %s with what it calls, entered %s time%s; %s instructions outside were "
		 "not.",
		 e->region, entries, e->entries == 1 ? "" : "s", outside);
	return 1;
}

/* Returns the instructions counted before the first window. */
static uint64_t start_length(const struct pms_sample *s)
{
	double in_windows = 0;
	for (size_t g = 0; g < s->n_groups; g++)
		in_windows += s->sizes[g];
	return s->counted - (uint64_t)in_windows;
}

/* What the catalog calls instructions retired, which every sampled run counts whole. */
static const char *name_exact(const struct pms_catalog *catalog)
{
	int64_t event = pms_catalog_find_role(catalog, PMS_CATALOG_INSTRUCTIONS);
	return event < 0 ? "instructions" : pms_catalog_event(catalog, (size_t)event)->name;
}

/* Tell the reader of a sampled run how much was counted in detail and which numbers are exact. */
static int sample_line(char *text, size_t size, const struct pms_counts *counts)
{
	const struct pms_sample *s = counts->total.sample;
	const struct pms_extent *e = &counts->provenance.extent;
	char windows[PMS_NUMBER_MAX], detail[PMS_NUMBER_MAX], all[PMS_NUMBER_MAX],
		share[PMS_NUMBER_MAX], first[PMS_NUMBER_MAX];
	if (!s)
		return 0;
	pms_text_count(windows, s->windows);
	pms_text_count(first, start_length(s));
	pms_text_count(detail, e->detail);
	pms_text_count(all, s->instructions);
	pms_text_value(share,
		       s->instructions ? 100.0 * (double)s->counted / (double)s->instructions : 0,
		       "");
	snprintf(text, size,
		 "Sampled: the first %s instructions and %s window%s of %s, %s %% of %s. "
		 "%s is exact; all else is estimated, with 95 %% intervals.",
		 first, windows, s->windows == 1 ? "" : "s", detail, share, all,
		 name_exact(counts->catalog));
	return 1;
}

int pms_extent_line(char *text, size_t size, const struct pms_counts *counts, size_t i)
{
	const struct pms_extent *e = &counts->provenance.extent;
	if (i == 0)
		return forward_line(text, size, e);
	return i == 1 ? region_line(text, size, e) : sample_line(text, size, counts);
}

static void put_sampling(struct pms_out_item *root, const struct pms_counts *counts)
{
	const struct pms_sample *s = counts->total.sample;
	const struct pms_extent *e = &counts->provenance.extent;
	const struct {
		const char *key;
		uint64_t value;
	} rows[] = { { "warm", e->warm },	{ "detail", e->detail },
		     { "skip", e->skip },	{ "windows", s->windows },
		     { "groups", s->n_groups }, { "instructions", s->instructions },
		     { "counted", s->counted } };
	struct pms_out_item *object = pms_out_group(root, PMS_IN_JSON, "sampling");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		pms_out_member(object, rows[i].key, pms_out_of_count(rows[i].value));
	pms_out_member(object, "confidence", pms_out_of_real(0.95));
}

static void put_objects(struct pms_out_item *root, const struct pms_counts *counts)
{
	const struct pms_extent *e = &counts->provenance.extent;
	pms_out_member(root, "sampled", pms_out_of_truth(counts->total.sample != NULL));
	if (counts->total.sample)
		put_sampling(root, counts);
	if (e->forward) {
		struct pms_out_item *object = pms_out_group(root, PMS_IN_JSON, "fast_forward");
		pms_out_member(object, "asked", pms_out_of_integer((int64_t)e->forward));
		pms_out_member(object, "ran", pms_out_of_integer((int64_t)e->forwarded));
	}
	if (e->region) {
		struct pms_out_item *object = pms_out_group(root, PMS_IN_JSON, "region");
		pms_out_member(object, "name", pms_out_of_text(e->region));
		pms_out_member(object, "entered", pms_out_of_integer((int64_t)e->entries));
		pms_out_member(object, "instructions_outside",
			       pms_out_of_integer((int64_t)e->outside));
	}
}

void pms_extent_put(struct pms_out_item *root, const struct pms_counts *counts)
{
	static const char *const keys[PMS_EXTENT_LINES] = { "fast forward", "region", "sampling" };
	char text[512];
	put_objects(root, counts);
	if (counts->provenance.modelled)
		pms_out_comment(root, "sampled", pms_out_of_truth(counts->total.sample != NULL));
	for (size_t i = 0; i < PMS_EXTENT_LINES; i++)
		if (pms_extent_line(text, sizeof(text), counts, i))
			pms_out_comment_print(root, keys[i], "%s", strchr(text, ':') + 2);
}

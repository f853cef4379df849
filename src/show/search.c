/* SPDX-License-Identifier: MIT */
#include "show/search.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "show/grid.h"
#include "show/manual.h"
#include "show/provenance.h"

/* Where a word was found, the best place first. */
enum field { FIELD_EXACT, FIELD_NAME, FIELD_TITLE, FIELD_DESCRIPTION, FIELD_NONE };

static const char *const field_names[] = { "name", "name", "title", "description" };

/* The searchable texts of one thing. */
struct searched {
	const char *name, *title, *description;
	const char *const *aliases;
	size_t n_aliases;
};

struct hit {
	size_t catalog;
	const char *kind, *name, *title;
	enum field field; /* the worst place among the words */
	size_t order;	  /* order of discovery, to break ties */
};

struct search {
	const struct pms_catalog *const *catalogs;
	const char *const *words;
	size_t n_words;
	struct hit *hits;
	size_t n_hits;
	int failed; /* out of memory */
};

static enum field find_word(const struct searched *s, const char *word)
{
	if (!strcasecmp(s->name, word))
		return FIELD_EXACT;
	if (strcasestr(s->name, word))
		return FIELD_NAME;
	for (size_t i = 0; i < s->n_aliases; i++)
		if (strcasestr(s->aliases[i], word))
			return FIELD_NAME;
	if (strcasestr(s->title, word))
		return FIELD_TITLE;
	return strcasestr(s->description, word) ? FIELD_DESCRIPTION : FIELD_NONE;
}

/* Keep a thing that has all words, ranked by the word found in the worst place. */
static void try(struct search *search, size_t catalog, const char *kind, const struct searched *s)
{
	enum field worst = FIELD_EXACT;
	for (size_t i = 0; i < search->n_words; i++) {
		enum field field = find_word(s, search->words[i]);
		worst = field > worst ? field : worst;
	}
	if (worst == FIELD_NONE)
		return;
	struct hit *hits = pms_array_room(search->hits, search->n_hits, sizeof(*hits));
	if (!hits) {
		search->failed = 1;
		return;
	}
	search->hits = hits;
	hits[search->n_hits] = (struct hit){ .catalog = catalog,
					     .kind = kind,
					     .name = s->name,
					     .title = s->title,
					     .field = worst,
					     .order = search->n_hits };
	search->n_hits++;
}

/* Try everything in a catalog that has a name: events, metrics, groups and advice. */
static void try_catalog(struct search *search, size_t c)
{
	const struct pms_catalog *catalog = search->catalogs[c];
	for (size_t i = 0; i < pms_catalog_events(catalog); i++) {
		const struct pms_event *e = pms_catalog_event(catalog, i);
		struct searched s = { e->name, e->title, e->description, e->aliases, e->n_aliases };
		try(search, c, "event", &s);
	}
	for (size_t i = 0; i < pms_catalog_metrics(catalog); i++) {
		const struct pms_metric *m = pms_catalog_metric(catalog, i);
		struct searched s = { m->name, m->title, m->description, NULL, 0 };
		try(search, c, "metric", &s);
	}
	for (size_t i = 0; i < pms_catalog_groups(catalog); i++) {
		const struct pms_group *g = pms_catalog_group(catalog, i);
		struct searched s = { g->name, g->title, g->description, NULL, 0 };
		try(search, c, "group", &s);
	}
	for (size_t i = 0; i < pms_catalog_advices(catalog); i++) {
		const struct pms_advice *a = pms_catalog_advice(catalog, i);
		struct searched s = { a->id, a->title, a->text, NULL, 0 };
		try(search, c, "advice", &s);
	}
}

static int hit_order(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;
	if (x->field != y->field)
		return x->field < y->field ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

enum { CPU, KIND, NAME, FOUND_IN, TITLE, N };

static void list_hit(struct pms_out_item *table, const struct pms_catalog *catalog,
		     const struct hit *hit)
{
	struct pms_out_item *row = pms_out_row(table, N);
	pms_out_cell(row, CPU, pms_out_of_text(pms_catalog_cpu(catalog)->name));
	pms_out_cell(row, KIND, pms_out_of_text(hit->kind));
	pms_out_cell(row, NAME, pms_out_of_text(hit->name));
	pms_out_cell(row, FOUND_IN, pms_out_of_text(field_names[hit->field]));
	pms_out_cell(row, TITLE, pms_out_of_text(hit->title));
}

/* List the sections of the project's pages that match. */
static void list_sections(struct pms_out_item *table, struct pms_sought *sought)
{
	enum { MOST = 5 };
	struct pms_section *sections = NULL;
	int n = sought->docs ? pms_manual_find(sought->docs, sought->words, sought->n_words, MOST,
					       &sections)
			     : 0;
	if (n < 0) {
		table->outline->failed = 1;
		return;
	}
	for (int i = 0; i < n; i++) {
		struct pms_out_item *row = pms_out_row(table, N);
		const char *page = pms_out_print(row, "%s", sections[i].page);
		const char *heading = pms_out_print(row, "%s", sections[i].heading);
		pms_out_cell(row, KIND, pms_out_of_text("page"));
		pms_out_cell(row, NAME, pms_out_of_text(page));
		pms_out_cell(row, FOUND_IN,
			     pms_out_of_text(sections[i].in_heading ? "title" : "text"));
		pms_out_cell(row, TITLE, pms_out_of_text(heading));
	}
	pms_sections_free(sections, (size_t)n);
	sought->found += (size_t)n;
}

int pms_build_search(struct pms_outline *outline, void *subject, struct pms_error *err)
{
	/* Show either the CPU or where the words were found: both would leave no room for
	 * titles. */
	static const struct pms_out_field all[] = {
		[CPU] = PMS_OUT_FIELD("cpu", "CPU", 0),
		[KIND] = PMS_OUT_FIELD("kind", "KIND", 0),
		[NAME] = PMS_OUT_FIELD("name", "NAME", 0),
		[FOUND_IN] = PMS_OUT_FIELD("found_in", NULL, 0),
		[TITLE] = PMS_OUT_FIELD("title", "TITLE", PMS_GRID_WRAP),
	};
	static const struct pms_out_field one[] = {
		[CPU] = PMS_OUT_FIELD("cpu", NULL, 0),
		[KIND] = PMS_OUT_FIELD("kind", "KIND", 0),
		[NAME] = PMS_OUT_FIELD("name", "NAME", 0),
		[FOUND_IN] = PMS_OUT_FIELD("found_in", "FOUND IN", 0),
		[TITLE] = PMS_OUT_FIELD("title", "TITLE", PMS_GRID_WRAP),
	};
	struct pms_sought *sought = subject;
	struct search search = { .catalogs = sought->catalogs,
				 .words = sought->words,
				 .n_words = sought->n_words };
	(void)err;
	pms_provenance_version(outline->root);
	if (sought->n == 1)
		pms_provenance_catalog(outline->root, PMS_FOR_PROGRAMS, sought->catalogs[0]);
	struct pms_out_item *table = pms_out_table(outline->root, PMS_EVERYWHERE, "results",
						   sought->n == 1 ? one : all, N);
	for (size_t i = 0; i < sought->n; i++)
		try_catalog(&search, i);
	if (search.n_hits)
		qsort(search.hits, search.n_hits, sizeof(search.hits[0]), hit_order);
	for (size_t i = 0; i < search.n_hits; i++)
		list_hit(table, sought->catalogs[search.hits[i].catalog], &search.hits[i]);
	sought->found = search.n_hits;
	if (table)
		list_sections(table, sought);
	outline->failed |= search.failed;
	free(search.hits);
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include "show/search.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "show/grid.h"
#include "show/manual.h"

/* Where a word was found, the best first. */
enum field { FIELD_EXACT, FIELD_NAME, FIELD_TITLE, FIELD_DESCRIPTION, FIELD_NONE };

static const char *const field_names[] = { "name", "name", "title", "description" };

/* The texts of a thing that can be searched. */
struct searched {
	const char *name, *title, *description;
	const char *const *aliases;
	size_t n_aliases;
};

struct hit {
	size_t catalog;
	const char *kind, *name, *title;
	enum field field; /* the worst of its words */
	size_t order;	  /* of finding, for what is equally good */
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

static void list_hit(struct pms_list_table *list, const struct pms_catalog *catalog,
		     const struct hit *hit)
{
	pms_list_row(list, PMS_NO_PARENT);
	pms_list_add(list, 0, "%s", pms_catalog_cpu(catalog)->name);
	pms_list_add(list, 1, "%s", hit->kind);
	pms_list_add(list, 2, "%s", hit->name);
	pms_list_add(list, 3, "%s", field_names[hit->field]);
	pms_list_add(list, 4, "%s", hit->title);
}

/* Returns how many sections of the project's pages there are to read. */
static size_t list_sections(struct pms_list_table *list, const char *docs, const char *const *words,
			    size_t n_words)
{
	enum { MOST = 5 };
	struct pms_section *sections = NULL;
	int n = docs ? pms_manual_find(docs, words, n_words, MOST, &sections) : 0;
	if (n < 0) {
		list->failed = 1;
		return 0;
	}
	for (int i = 0; i < n; i++) {
		pms_list_row(list, PMS_NO_PARENT);
		pms_list_add(list, 1, "page");
		pms_list_add(list, 2, "%s", sections[i].page);
		pms_list_add(list, 3, "%s", sections[i].in_heading ? "title" : "text");
		pms_list_add(list, 4, "%s", sections[i].heading);
	}
	pms_sections_free(sections, (size_t)n);
	return (size_t)n;
}

size_t pms_search(struct pms_list_table *list, const struct pms_catalog *const *catalogs, size_t n,
		  const char *docs, const char *const *words, size_t n_words)
{
	/* A table has the CPU or where it was found, not both: there is room for the titles. */
	static const struct pms_list_column all[] = {
		{ "cpu", "CPU", PMS_LIST_TEXT, 0 },
		{ "kind", "KIND", PMS_LIST_TEXT, 0 },
		{ "name", "NAME", PMS_LIST_TEXT, 0 },
		{ "found_in", NULL, PMS_LIST_TEXT, 0 },
		{ "title", "TITLE", PMS_LIST_TEXT, PMS_GRID_WRAP },
	};
	static const struct pms_list_column one[] = {
		{ "cpu", NULL, PMS_LIST_TEXT, 0 },
		{ "kind", "KIND", PMS_LIST_TEXT, 0 },
		{ "name", "NAME", PMS_LIST_TEXT, 0 },
		{ "found_in", "FOUND IN", PMS_LIST_TEXT, 0 },
		{ "title", "TITLE", PMS_LIST_TEXT, PMS_GRID_WRAP },
	};
	struct search search = { .catalogs = catalogs, .words = words, .n_words = n_words };
	pms_list_init(list, "results", n == 1 ? catalogs[0] : NULL, n == 1 ? one : all,
		      sizeof(all) / sizeof(all[0]));
	for (size_t i = 0; i < n; i++)
		try_catalog(&search, i);
	if (search.n_hits)
		qsort(search.hits, search.n_hits, sizeof(search.hits[0]), hit_order);
	for (size_t i = 0; i < search.n_hits; i++)
		list_hit(list, catalogs[search.hits[i].catalog], &search.hits[i]);
	size_t sections = list_sections(list, docs, words, n_words);
	list->failed |= search.failed;
	free(search.hits);
	return search.n_hits + sections;
}

/* SPDX-License-Identifier: MIT */
#include "show/caveat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memstream.h"
#include "show/label.h"

static void set_part(struct pms_document *document, json_t *object, const char *key,
		     const char *text)
{
	if (text)
		pms_document_set(document, object, key, pms_document_string(text));
}

json_t *pms_caveat_condition(struct pms_document *document, const struct pms_condition *condition)
{
	if (!condition->configuration && !condition->errata)
		return json_null();
	json_t *object = json_object();
	set_part(document, object, "configuration", condition->configuration);
	set_part(document, object, "errata", condition->errata);
	set_part(document, object, "before", condition->before);
	return object;
}

json_t *pms_caveat_object(struct pms_document *document, const struct pms_catalog *catalog,
			  const struct pms_caveat *caveat)
{
	json_t *object = json_object(), *events = json_array();
	for (size_t i = 0; i < caveat->n_events; i++)
		pms_document_append(
			document, events,
			pms_document_string(pms_catalog_event(catalog, caveat->events[i])->name));
	pms_document_set(document, object, "id", pms_document_string(caveat->id));
	pms_document_set(document, object, "events", events);
	pms_document_set(document, object, "condition",
			 pms_caveat_condition(document, &caveat->condition));
	pms_document_set(document, object, "text", pms_document_string(caveat->text));
	pms_document_set(document, object, "section", pms_document_string(caveat->section));
	if (caveat->source[0])
		pms_document_set(document, object, "source", pms_document_string(caveat->source));
	return object;
}

/* Length of the first sentence of @text, with its end. */
static size_t sentence(const char *text)
{
	const char *end = strstr(text, ". ");
	return end ? (size_t)(end - text) + 1 : strlen(text);
}

void pms_caveat_shown(struct pms_page *page, const struct pms_report *report)
{
	const struct pms_catalog *catalog = report->counts->catalog;
	free(page->shown);
	page->shown = calloc(pms_catalog_events(catalog) + 1, 1);
	page->failed |= !page->shown;
	for (size_t i = 0; page->shown && i < report->n_results; i++) {
		const struct pms_result *row = &report->results[i];
		const struct pms_metric *metric = pms_catalog_metric(catalog, row->metric);
		for (size_t k = 0; row->value.state != PMS_VALUE_UNDEFINED && k < metric->n_events;
		     k++)
			page->shown[metric->events[k]] = 1;
	}
}

enum { MOST_NAMES = 3 };

/* Some events of a caveat, those that the reader sees numbers of first. Returns how many. */
static size_t choose_names(const struct pms_page *page, const struct pms_caveat *caveat,
			   size_t events[MOST_NAMES])
{
	size_t n = 0;
	for (int shown = page->shown != NULL; shown >= 0; shown--)
		for (size_t i = 0; i < caveat->n_events && n < MOST_NAMES; i++)
			if (!page->shown || page->shown[caveat->events[i]] == shown)
				events[n++] = caveat->events[i];
	return n;
}

/* "LL_CACHE_RD, where extllc_clear: Stays at zero." The rest is what describe is for. */
static char *short_note(const struct pms_page *page, const struct pms_catalog *catalog,
			const struct pms_caveat *caveat)
{
	size_t events[MOST_NAMES], n = choose_names(page, caveat, events);
	char condition[512], *text = NULL;
	size_t size = 0;
	FILE *out = pms_memstream_open(&text, &size);
	if (!out)
		return NULL;
	for (size_t i = 0; i < n; i++)
		fprintf(out, "%s%s", i ? ", " : "", pms_catalog_event(catalog, events[i])->name);
	fputs(caveat->n_events > MOST_NAMES ? ", …" : "", out);
	pms_label_applies(condition, sizeof(condition), &caveat->condition);
	fprintf(out, "%s%s: %.*s", condition[0] ? ", " : "", condition, (int)sentence(caveat->text),
		caveat->text);
	if (pms_memstream_close(out)) {
		free(text);
		return NULL;
	}
	return text;
}

/* Put @value into its place among @n numbers in order, once. Returns how many there are then. */
static size_t insert(size_t *numbers, size_t n, size_t value)
{
	size_t at = n;
	while (at && numbers[at - 1] > value)
		at--;
	if (at && numbers[at - 1] == value)
		return n;
	memmove(numbers + at + 1, numbers + at, (n - at) * sizeof(*numbers));
	numbers[at] = value;
	return n + 1;
}

void pms_caveat_marks(struct pms_page *page, const struct pms_catalog *catalog,
		      const struct pms_metric *metric, char text[PMS_CAVEAT_MARKS])
{
	size_t marks[PMS_CAVEAT_MOST], n = 0, used = 0;
	char letters[PMS_LETTERS_MAX];
	for (size_t i = 0; i < pms_catalog_caveats(catalog) && n < PMS_CAVEAT_MOST; i++) {
		const struct pms_caveat *caveat = pms_catalog_caveat(catalog, i);
		if (!pms_caveat_has_metric(caveat, metric))
			continue;
		char *note = short_note(page, catalog, caveat);
		if (note)
			n = insert(marks, n, pms_page_footnote(page, note));
		else
			page->failed = 1;
		free(note);
	}
	*text = 0;
	for (size_t i = 0; i < n; i++) {
		pms_page_letters(letters, marks[i]);
		used += (size_t)snprintf(text + used, PMS_CAVEAT_MARKS - used, "%s%s",
					 i ? ", " : " [", letters);
	}
	if (n)
		memcpy(text + used, "]", 2);
}

size_t pms_caveat_width(const struct pms_catalog *catalog, const struct pms_metric *metric)
{
	size_t n = 0;
	for (size_t i = 0; i < pms_catalog_caveats(catalog) && n < PMS_CAVEAT_MOST; i++)
		if (pms_caveat_has_metric(pms_catalog_caveat(catalog, i), metric))
			n++;
	return n ? 3 * n + 1 : 0; /* " [a, b]" */
}

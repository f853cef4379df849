/* SPDX-License-Identifier: MIT */
#include "show/caveat.h"

#include <string.h>

#include "show/label.h"

struct pms_out_datum pms_caveat_condition(struct pms_out_item *of,
					  const struct pms_condition *condition)
{
	const struct {
		const char *key, *text;
	} parts[] = { { "configuration", condition->configuration },
		      { "errata", condition->errata },
		      { "before", condition->before } };
	if (!condition->configuration && !condition->errata)
		return pms_out_of_nothing();
	struct pms_out_item *object = pms_out_detached_group(of);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (parts[i].text)
			pms_out_member(object, parts[i].key, pms_out_of_text(parts[i].text));
	return pms_out_of_item(object);
}

void pms_caveat_put(struct pms_out_item *list, const struct pms_catalog *catalog,
		    const struct pms_caveat *caveat)
{
	struct pms_out_item *object = pms_out_group(list, PMS_IN_JSON, NULL);
	struct pms_out_words events = pms_out_words(object);
	for (size_t i = 0; i < caveat->n_events; i++)
		pms_out_words_add(&events, pms_catalog_event(catalog, caveat->events[i])->name);
	pms_out_member(object, "id", pms_out_of_text(caveat->id));
	pms_out_member(object, "events", pms_out_of_words(&events));
	pms_out_member(object, "condition", pms_caveat_condition(object, &caveat->condition));
	pms_out_member(object, "text", pms_out_of_text(caveat->text));
	pms_out_member(object, "section", pms_out_of_text(caveat->section));
	if (caveat->source[0])
		pms_out_member(object, "source", pms_out_of_text(caveat->source));
}

/* Returns the length of @text's first sentence, its full stop included. */
static size_t sentence(const char *text)
{
	const char *end = strstr(text, ". ");
	return end ? (size_t)(end - text) + 1 : strlen(text);
}

unsigned char *pms_caveat_shown(struct pms_out_item *of, const struct pms_report *report)
{
	const struct pms_catalog *catalog = report->counts->catalog;
	unsigned char *shown = pms_out_room(of, pms_catalog_events(catalog) + 1, 1);
	for (size_t i = 0; shown && i < report->n_results; i++) {
		const struct pms_result *row = &report->results[i];
		const struct pms_metric *metric = pms_catalog_metric(catalog, row->metric);
		for (size_t k = 0; row->value.state != PMS_VALUE_UNDEFINED && k < metric->n_events;
		     k++)
			shown[metric->events[k]] = 1;
	}
	return shown;
}

enum { MOST_NAMES = 3 };

/* Choose some of a caveat's events, first the ones whose numbers the report shows. Returns how
 * many. */
static size_t choose_names(const unsigned char *shown, const struct pms_caveat *caveat,
			   size_t events[MOST_NAMES])
{
	size_t n = 0;
	for (int want = shown != NULL; want >= 0; want--)
		for (size_t i = 0; i < caveat->n_events && n < MOST_NAMES; i++)
			if (!shown || shown[caveat->events[i]] == want)
				events[n++] = caveat->events[i];
	return n;
}

/* Write "LL_CACHE_RD, where extllc_clear: Stays at zero." The describe command gives the full
 * text. */
static const char *short_note(struct pms_out_item *of, const struct pms_catalog *catalog,
			      const struct pms_caveat *caveat, const unsigned char *shown)
{
	size_t events[MOST_NAMES], n = choose_names(shown, caveat, events);
	struct pms_out_words names = pms_out_words(of);
	char condition[512];
	for (size_t i = 0; i < n; i++)
		pms_out_words_add(&names, pms_catalog_event(catalog, events[i])->name);
	if (caveat->n_events > MOST_NAMES)
		pms_out_words_add(&names, "…");
	pms_label_applies(condition, sizeof(condition), &caveat->condition);
	return pms_out_print(of, "%s%s%s: %.*s", pms_out_words_join(&names, ", "),
			     condition[0] ? ", " : "", condition, (int)sentence(caveat->text),
			     caveat->text);
}

size_t pms_caveat_notes(struct pms_out_item *of, const struct pms_catalog *catalog,
			const struct pms_metric *metric, const unsigned char *shown,
			const char *const **notes)
{
	const char **texts = pms_out_room(of, PMS_OUT_MOST_FOOTNOTES, sizeof(*texts));
	size_t n = 0;
	for (size_t i = 0; texts && i < pms_catalog_caveats(catalog) && n < PMS_OUT_MOST_FOOTNOTES;
	     i++) {
		const struct pms_caveat *caveat = pms_catalog_caveat(catalog, i);
		if (!pms_caveat_has_metric(caveat, metric))
			continue;
		texts[n] = short_note(of, catalog, caveat, shown);
		n += texts[n] != NULL;
	}
	*notes = texts;
	return n;
}

/* SPDX-License-Identifier: MIT */
#include "show/subject.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/name.h"

static size_t add(struct pms_subject *found, size_t n, enum pms_subject_kind kind, int64_t index)
{
	if (index >= 0)
		found[n++] = (struct pms_subject){ .kind = kind, .index = (size_t)index };
	return n;
}

/* Read "0x102", or perf's "r102". Returns 1 for a code. */
static int read_code(const char *word, int64_t *code)
{
	int prefix = !strncasecmp(word, "0x", 2) ? 2 : word[0] == 'r' || word[0] == 'R' ? 1 : 0;
	char *end;
	if (!prefix || !isxdigit((unsigned char)word[prefix]))
		return 0;
	*code = (int64_t)strtoull(word + prefix, &end, 16);
	return !*end;
}

/* Add the events that an architecture's cores count by this code, or by this perf name, each
 * once. */
static size_t add_of_cores(const struct pms_catalog *catalog, const char *word,
			   struct pms_subject found[PMS_SUBJECTS_MAX])
{
	int64_t code;
	size_t n = add(found, 0, PMS_SUBJECT_EVENT, pms_catalog_find_core_name(catalog, word));
	if (!read_code(word, &code))
		return n;
	for (size_t i = 0; i < pms_catalog_core_codes(catalog); i++) {
		const struct pms_core_code *row = pms_catalog_core_code(catalog, i);
		size_t k = 0;
		while (k < n && found[k].index != row->event)
			k++;
		if (!row->generic && row->code == code && k == n && n < PMS_SUBJECTS_OF_CORES)
			n = add(found, n, PMS_SUBJECT_EVENT, (int64_t)row->event);
	}
	return n;
}

/* Whether @word is one of the words in "graviton3, graviton3e", in any case. */
static int is_listed(const char *list, const char *word)
{
	static const char between[] = ", ";
	size_t length = strlen(word);
	for (; list && *list; list += strspn(list, between)) {
		size_t n = strcspn(list, between);
		if (n == length && !strncasecmp(list, word, n))
			return 1;
		list += n;
	}
	return 0;
}

size_t pms_subjects_find(const struct pms_catalog *catalog, const char *word,
			 struct pms_subject found[PMS_SUBJECTS_MAX])
{
	const struct pms_cpu *cpu = pms_catalog_cpu(catalog);
	size_t n = add(found, 0, PMS_SUBJECT_EVENT, pms_catalog_find_event_word(catalog, word));
	if (!n)
		n = add_of_cores(catalog, word, found);
	n = add(found, n, PMS_SUBJECT_METRIC, pms_catalog_find_metric(catalog, word));
	n = add(found, n, PMS_SUBJECT_GROUP,
		pms_catalog_find_group(catalog, PMS_GROUP_FUNCTION, word));
	n = add(found, n, PMS_SUBJECT_GROUP,
		pms_catalog_find_group(catalog, PMS_GROUP_METRICS, word));
	if (!pms_name_compare(cpu->name, word) || !pms_name_compare(cpu->product, word) ||
	    is_listed(cpu->products, word))
		n = add(found, n, PMS_SUBJECT_CPU, 0);
	return n;
}

const char *pms_subjects_nearest(const struct pms_catalog *catalog, const char *word)
{
	struct pms_nearest nearest = { 0 };
	for (size_t i = 0; i < pms_catalog_events(catalog); i++) {
		const struct pms_event *event = pms_catalog_event(catalog, i);
		pms_nearest_offer(&nearest, word, event->name);
		for (size_t k = 0; k < event->n_aliases; k++)
			pms_nearest_offer(&nearest, word, event->aliases[k]);
	}
	for (size_t i = 0; i < pms_catalog_metrics(catalog); i++)
		pms_nearest_offer(&nearest, word, pms_catalog_metric(catalog, i)->name);
	for (size_t i = 0; i < pms_catalog_groups(catalog); i++)
		pms_nearest_offer(&nearest, word, pms_catalog_group(catalog, i)->name);
	return nearest.best;
}

static int holds(const size_t *list, size_t n, size_t wanted)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == wanted)
			return 1;
	return 0;
}

int pms_metric_uses(const struct pms_metric *metric, size_t event)
{
	return holds(metric->events, metric->n_events, event);
}

int pms_group_has(const struct pms_group *group, size_t member)
{
	return holds(group->members, group->n_members, member);
}

enum pms_extra_of pms_group_extra(const struct pms_group *group)
{
	return group->kind == PMS_GROUP_METRICS ? PMS_EXTRA_METRIC_GROUP : PMS_EXTRA_EVENT_GROUP;
}

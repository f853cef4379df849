/* SPDX-License-Identifier: MIT */
#include "catalog/find.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/name.h"
#include "base/status.h"

static int unknown_name(const struct pms_catalog *catalog, const char *name, struct pms_error *err)
{
	struct pms_nearest nearest = { 0 };
	for (size_t i = 0; i < pms_catalog_metrics(catalog); i++)
		pms_nearest_offer(&nearest, name, pms_catalog_metric(catalog, i)->name);
	for (size_t i = 0; i < pms_catalog_groups(catalog); i++)
		if (pms_catalog_group(catalog, i)->kind == PMS_GROUP_METRICS)
			pms_nearest_offer(&nearest, name, pms_catalog_group(catalog, i)->name);
	int rc = pms_fail(err, PMS_ENAME, "\"%s\" is neither a metric nor a metric group of %s",
			  name, pms_catalog_cpu(catalog)->product);
	if (nearest.best)
		pms_hint(err, "did you mean %s?", nearest.best);
	else
		pms_hint(err, "pmuscope list metrics and pmuscope list groups show what there is");
	return rc;
}

int pms_find_metrics(const struct pms_catalog *catalog, const char *name, int64_t *group,
		     int64_t *metric, struct pms_error *err)
{
	*group = pms_catalog_find_group(catalog, PMS_GROUP_METRICS, name);
	*metric = *group < 0 ? pms_catalog_find_metric(catalog, name) : -1;
	if (*group < 0)
		*group = -1;
	if (*group < 0 && *metric < 0)
		return unknown_name(catalog, name, err);
	return 0;
}

#define GRAMMAR	       "the name follows the grammar of RISC-V's standard, which allows for "
#define EXAMPLES_ALONE "; the catalog has those of its examples alone"

/* Names that documents use or allow, but that the catalog lacks. The first match wins.
 */
static const struct absent {
	const char *cpu, *pattern, *why;
	/* The part of the name, from 1, that an implementation may choose. The name matches where
	 * the catalog has an event that differs only in this part. 0: the pattern alone decides. */
	size_t free_part;
} absents[] = {
	{ "neoverse-v3", "STALL_BACKEND_L2D",
	  "issue 0200-02 of the core's specification removed this event (0x8166)", 0 },
	{ "neoverse-v3", "STALL_BACKEND_ILOCK",
	  "issue 0200-02 of the core's specification removed this event (0x816C)", 0 },
	{ "riscv", "CACHE.L[4-9].?*", GRAMMAR "caches of levels beyond 3" EXAMPLES_ALONE, 0 },
	{ "riscv", "TLB.L[2-9].?*", GRAMMAR "TLBs of further levels" EXAMPLES_ALONE, 0 },
	{ "riscv", "TLB.L[2-9][DI].?*", GRAMMAR "TLBs of further levels" EXAMPLES_ALONE, 0 },
	{ "riscv", "*.DSRC.L[4-9].?*", GRAMMAR "caches of levels beyond 3" EXAMPLES_ALONE, 0 },
	{ "riscv", "*.ASRC.L[2-9].?*", GRAMMAR "TLBs of further levels" EXAMPLES_ALONE, 0 },
	{ "riscv", "CACHE.?*", GRAMMAR "caches with names of an implementation's own", 2 },
	{ "riscv", "TLB.?*", GRAMMAR "TLBs with names of an implementation's own", 2 },
};

static size_t part_length(const char *part)
{
	return strcspn(part, ".");
}

/* Find the only part, from 1, in which two names with equally many parts differ; 0: none, or
 * several. */
static size_t find_difference(const char *a, const char *b)
{
	size_t different = 0;
	for (size_t part = 1;; part++) {
		size_t n = part_length(a), m = part_length(b);
		if (n != m || strncasecmp(a, b, n)) {
			if (different)
				return 0;
			different = part;
		}
		if (!a[n] || !b[m])
			return a[n] || b[m] ? 0 : different;
		a += n + 1;
		b += m + 1;
	}
}

/* Find an event whose name differs in one part: its meaning explains the name. @part: the part that
 * may differ, 0: any. NULL: none. */
static const char *find_alike(const struct pms_catalog *catalog, const char *name, size_t part)
{
	for (size_t i = pms_catalog_events(catalog); i-- > 0;) {
		const char *other = pms_catalog_event(catalog, i)->name;
		size_t different = find_difference(name, other);
		if (different && (!part || different == part))
			return other;
	}
	return NULL;
}

/* Explain RISC-V slots lost to an implementation's own state: name the state that it is part of. */
static int explain_state(const struct pms_catalog *catalog, const char *name, char *text)
{
	static const char slots[] = ".SLOTS";
	size_t length = strlen(name), end = sizeof(slots) - 1;
	char parent[128];
	if (length >= sizeof(parent) || length <= end ||
	    fnmatch("TOPDOWN.?*.SLOTS", name, FNM_CASEFOLD))
		return 0;
	memcpy(parent, name, length - end);
	parent[length - end] = '\0';
	char *last = strrchr(parent, '.');
	if ((size_t)(last - parent) + sizeof(slots) > sizeof(parent))
		return 0;
	memcpy(last, slots, sizeof(slots));
	int64_t event = pms_catalog_find_event(catalog, parent);
	if (event < 0)
		return 0;
	snprintf(text, PMS_ABSENT_MAX,
		 GRAMMAR "states of an implementation's own; this one is a part of %s",
		 pms_catalog_event(catalog, (size_t)event)->name);
	return 1;
}

/* Whether the catalog is for the CPU, or for a core of that architecture. */
static int is_of(const struct pms_catalog *catalog, const char *name)
{
	const char *cpu = pms_catalog_cpu(catalog)->name;
	size_t length = strlen(name);
	return !strncmp(cpu, name, length) && (!cpu[length] || cpu[length] == ':');
}

int pms_find_absent(const struct pms_catalog *catalog, const char *name, char text[PMS_ABSENT_MAX])
{
	for (size_t i = 0; i < sizeof(absents) / sizeof(absents[0]); i++) {
		const struct absent *absent = &absents[i];
		if (!is_of(catalog, absent->cpu) || fnmatch(absent->pattern, name, FNM_CASEFOLD))
			continue;
		const char *alike = find_alike(catalog, name, absent->free_part);
		if (absent->free_part && !alike)
			continue;
		snprintf(text, PMS_ABSENT_MAX, "%s%s%s%s", absent->why, alike ? ". " : "",
			 alike ? alike : "", alike ? " is the same of what the catalog has" : "");
		return 1;
	}
	return is_of(catalog, "riscv") && explain_state(catalog, name, text);
}

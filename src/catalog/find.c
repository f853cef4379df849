/* SPDX-License-Identifier: MIT */
#include "catalog/find.h"

#include <fnmatch.h>
#include <string.h>

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

/* Names that documents have, or allow for, and the catalog has not. The first that matches holds.
 */
static const struct absent {
	const char *cpu, *pattern, *why;
} absents[] = {
	{ "neoverse-v3", "STALL_BACKEND_L2D",
	  "issue 0200-02 of the core's specification removed this event (0x8166)" },
	{ "neoverse-v3", "STALL_BACKEND_ILOCK",
	  "issue 0200-02 of the core's specification removed this event (0x816C)" },
	{ "riscv", "CACHE.L[4-9].?*", GRAMMAR "caches of levels beyond 3" EXAMPLES_ALONE },
	{ "riscv", "TLB.L[2-9].?*", GRAMMAR "TLBs of further levels" EXAMPLES_ALONE },
	{ "riscv", "TLB.L[2-9][DI].?*", GRAMMAR "TLBs of further levels" EXAMPLES_ALONE },
	{ "riscv", "*.DSRC.L[4-9].?*", GRAMMAR "caches of levels beyond 3" EXAMPLES_ALONE },
	{ "riscv", "*.ASRC.L[2-9].?*", GRAMMAR "TLBs of further levels" EXAMPLES_ALONE },
};

const char *pms_find_absent(const struct pms_catalog *catalog, const char *name)
{
	const char *cpu = pms_catalog_cpu(catalog)->name;
	for (size_t i = 0; i < sizeof(absents) / sizeof(absents[0]); i++) {
		size_t length = strlen(absents[i].cpu);
		if (!strncmp(cpu, absents[i].cpu, length) && (!cpu[length] || cpu[length] == ':') &&
		    !fnmatch(absents[i].pattern, name, FNM_CASEFOLD))
			return absents[i].why;
	}
	return NULL;
}

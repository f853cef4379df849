/* SPDX-License-Identifier: MIT */
#include "catalog/find.h"

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

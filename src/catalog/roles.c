/* SPDX-License-Identifier: MIT */
/* Which event or metric of a catalog is which: reads roles.json, which docs/development/catalog.md
 * describes. */
#include "catalog/role.h"

#include <string.h>

#include "base/status.h"
#include "catalog/catalog.h"

enum { N_NAMES = 2 };

/* A published specification has no roles. These are the names that the two architectures prescribe,
 * Arm's PMUv3 before RISC-V's standard; what Arm's specifications call their metrics is the same in
 * all of them. A role that RISC-V's catalog has not got has one name. */
static const struct {
	const char *key;
	pms_catalog_finder *find;
	const char *what;
	const char *names[N_NAMES];
} roles[PMS_CATALOG_ROLES] = {
	[PMS_CATALOG_CYCLES] = { "cycles",
				 pms_catalog_find_event,
				 "event",
				 { "CPU_CYCLES", "CYCLES.HART" } },
	[PMS_CATALOG_INSTRUCTIONS] = { "instructions",
				       pms_catalog_find_event,
				       "event",
				       { "INST_RETIRED", "INST.RET" } },
	[PMS_CATALOG_MISPREDICTIONS] = { "mispredictions",
					 pms_catalog_find_event,
					 "event",
					 { "BR_MIS_PRED", NULL } },
	[PMS_CATALOG_RETIRING] = { "retiring",
				   pms_catalog_find_metric,
				   "metric",
				   { "retiring", "TOPDOWN.RETIRING.RATE" } },
};

/* The events that have a counter of their own: PMCCNTR_EL0, mcycle, minstret. */
static const char *const fixed_names[] = { "CPU_CYCLES", "CYCLES.HART", "INST.RET" };

static const char fixed_key[] = "fixed";

int pms_catalog_role_has_name(enum pms_catalog_role role, const char *name)
{
	for (size_t i = 0; i < N_NAMES && roles[role].names[i]; i++)
		if (!pms_name_compare(roles[role].names[i], name))
			return 1;
	return 0;
}

int64_t pms_catalog_find_role(const struct pms_catalog *catalog, enum pms_catalog_role role)
{
	int64_t found = -PMS_ENAME;
	if ((unsigned)role >= PMS_CATALOG_ROLES)
		return -PMS_ENAME;
	if (catalog->has_roles)
		return catalog->roles[role];
	for (size_t i = 0; found < 0 && i < N_NAMES && roles[role].names[i]; i++)
		found = roles[role].find(catalog, roles[role].names[i]);
	return found;
}

int pms_catalog_is_fixed(const struct pms_catalog *catalog, size_t event)
{
	if (event >= catalog->n_events)
		return 0;
	for (size_t i = 0; i < catalog->n_fixed; i++)
		if (catalog->fixed[i] == event)
			return 1;
	for (size_t i = 0; !catalog->has_roles && i < sizeof(fixed_names) / sizeof(fixed_names[0]);
	     i++)
		if (!pms_name_compare(catalog->events[event].name, fixed_names[i]))
			return 1;
	return 0;
}

/* A word that is no role must not go unnoticed: the role that was meant would be missing. */
static int check_key(const struct pms_json_place *root, const char *key, json_t *value,
		     struct pms_error *err)
{
	const struct pms_json_place at = {
		.json = root->json, .parent = root, .key = key, .value = value
	};
	struct pms_nearest nearest = { 0 };
	if (!strcmp(key, fixed_key))
		return 0;
	for (size_t i = 0; i < PMS_CATALOG_ROLES; i++) {
		if (!strcmp(key, roles[i].key))
			return 0;
		pms_nearest_offer(&nearest, key, roles[i].key);
	}
	int rc = pms_json_fail(&at, err, "is no role");
	if (nearest.best)
		pms_hint(err, "did you mean %s?", nearest.best);
	else
		pms_hint(err, "there are: cycles, instructions, mispredictions, retiring, fixed");
	return rc;
}

static int read_role(struct pms_catalog *catalog, const struct pms_json_place *root,
		     enum pms_catalog_role role, struct pms_error *err)
{
	struct pms_json_place at;
	catalog->roles[role] = -PMS_ENAME;
	int rc = pms_json_get(root, roles[role].key, PMS_JSON_STRING | PMS_JSON_OPTIONAL, &at, err);
	if (rc || !at.value)
		return rc;
	catalog->roles[role] = roles[role].find(catalog, json_string_value(at.value));
	if (catalog->roles[role] < 0)
		return pms_json_fail(&at, err, "unknown %s \"%s\"", roles[role].what,
				     json_string_value(at.value));
	return 0;
}

int pms_catalog_read_roles(struct pms_catalog *catalog, const struct pms_json_place *root,
			   struct pms_error *err)
{
	struct pms_json_place fixed;
	const char *key;
	json_t *value;
	int rc = 0;
	json_object_foreach(root->value, key, value)
	{
		rc = check_key(root, key, value, err);
		if (rc)
			return rc;
	}
	for (size_t i = 0; !rc && i < PMS_CATALOG_ROLES; i++)
		rc = read_role(catalog, root, (enum pms_catalog_role)i, err);
	if (!rc)
		rc = pms_json_get(root, fixed_key, PMS_JSON_ARRAY | PMS_JSON_OPTIONAL, &fixed, err);
	if (!rc)
		rc = pms_catalog_list(catalog, &fixed, pms_catalog_find_event, "event",
				      &catalog->fixed, &catalog->n_fixed, err);
	catalog->has_roles = !rc;
	return rc;
}

/* SPDX-License-Identifier: MIT */
/* catalog/role.h - what a role is called where no catalog says it. */
#ifndef PMS_CATALOG_ROLE_H
#define PMS_CATALOG_ROLE_H

#include "pmuscope/catalog.h"

/** Whether an architecture gives the role this name, in any case. */
int pms_catalog_role_has_name(enum pms_catalog_role role, const char *name);

#endif

/* SPDX-License-Identifier: MIT */
/* The catalog tests/data/cpus/small, opened once for all tests of a program. */
#ifndef TESTS_CATALOG_SMALL_H
#define TESTS_CATALOG_SMALL_H

#include "pmuscope/catalog.h"

static struct pms_catalog *catalog;

static int open_catalog(void **state)
{
	(void)state;
	return pms_catalog_load(PMS_TEST_DATA, "small", &catalog, NULL);
}

static int close_catalog(void **state)
{
	(void)state;
	pms_catalog_free(catalog);
	return 0;
}

#endif

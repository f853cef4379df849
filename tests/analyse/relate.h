/* SPDX-License-Identifier: MIT */
/* Relations of the made-up cores of tests/data. */
#ifndef PMS_TEST_ANALYSE_RELATE_H
#define PMS_TEST_ANALYSE_RELATE_H

#include <stdio.h>

#include "catalog/catalog.h"
#include "fixture.h"

#define CONFIGURATIONS "\"configurations\":{\"one\":\"First\",\"two\":\"Second\"},"

/* Add relations to a made-up core: rows of the file, without their ids. */
static inline void relate(struct fixture *f, const char *rows)
{
	struct pms_json json = { 0 };
	struct pms_error err = { 0 };
	char *text;
	assert_true(asprintf(&text, "{\"source\":\"T\"," CONFIGURATIONS "\"relations\":[%s]}",
			     rows) > 0);
	int rc = pms_json_parse("relations", text, strlen(text), &json, &err);
	if (!rc)
		rc = pms_catalog_add(f->catalog, "relations.json", &json, &err);
	if (rc)
		fail_msg("%s", err.text);
	pms_json_release(&json);
	free(text);
}

static inline void relate_one(struct fixture *f, const char *kind, const char *lhs, const char *rhs,
			      const char *condition)
{
	char row[512];
	snprintf(row, sizeof(row),
		 "{\"id\":\"r\",\"kind\":\"%s\",\"lhs\":\"%s\",\"rhs\":\"%s\",\"condition\":%s,"
		 "\"section\":\"7\",\"note\":\"because\",\"origin\":\"document\"}",
		 kind, lhs, rhs, condition);
	relate(f, row);
}

#endif

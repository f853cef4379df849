/* SPDX-License-Identifier: MIT */
/* A report made by hand over the catalog tests/data/show/cpus/demo: it holds every state that a
 * value, a count and a finding can be in, so that what is shown does not depend on the analysis. */
#ifndef TESTS_SHOW_FIXTURE_H
#define TESTS_SHOW_FIXTURE_H

#include "pmuscope/pmuscope.h"

struct fixture {
	struct pms_catalog *catalog;
	struct pms_counts *counts;
	struct pms_report report; /* of the total */
	struct pms_report threads[2];
	struct pms_scope_reports scopes; /* of threads */
	struct pms_result results[32], thread_results[2][32];
	struct pms_finding findings[2];
	size_t paths[2][2], evidence[2][2];
	char *warnings[1];
};

/** Aborts the test when the catalog cannot be loaded. */
void fixture_init(struct fixture *f);
void fixture_release(struct fixture *f);

/** The same around a test, whose state it is. */
int fixture_begin(void **state);
int fixture_end(void **state);

/** Indices by name; the test fails when there is none. */
size_t fixture_event(const struct fixture *f, const char *name);
size_t fixture_metric(const struct fixture *f, const char *name);
size_t fixture_group(const struct fixture *f, const char *name);
size_t fixture_node(const struct fixture *f, const char *metric);
struct pms_result *fixture_result(struct fixture *f, const char *metric, const char *group);

/** A stream into memory. */
struct fixture_text {
	FILE *out;
	char *text; /* what was written, once it is closed */
	size_t size;
};

FILE *fixture_open(struct fixture_text *to);
/** Returns what was written, to be freed. */
char *fixture_close(struct fixture_text *to);

#endif

/* SPDX-License-Identifier: MIT */
/* pmuscope/relation.h - what documents say of events beyond their definitions: relations between
 * their counts, and caveats about what a count means.
 * Flow: [catalog] -> … -> analyse -> show.
 * Source: relations.json and caveats.json of a CPU's folder; docs/development/catalog.md describes
 * them. */
#ifndef PMUSCOPE_RELATION_H
#define PMUSCOPE_RELATION_H

#include <stddef.h>

#include "pmuscope/catalog.h"

#ifdef __cplusplus
extern "C" {
#endif

/** When a relation or caveat holds: every given member must apply. All NULL: always. */
struct pms_condition {
	const char *configuration; /* names of configurations, joined by " and " */
	const char *errata;	   /* number of an erratum that breaks it … */
	const char *before;	   /* … on revisions before this one, "r4p0"; given with errata */
};

/** A way to set up a core, which the counts do not reveal. */
struct pms_configuration {
	const char *name; /* "direct_connect" */
	const char *text; /* what it means, a sentence */
};

enum pms_relation_kind {
	PMS_RELATION_SUM,      /* lhs = rhs: an event is the sum of others */
	PMS_RELATION_EQUAL,    /* lhs = rhs: two events count the same thing */
	PMS_RELATION_AT_LEAST, /* lhs >= rhs */
	PMS_RELATION_SUBSET,   /* lhs <= rhs: rhs counts everything that lhs counts */
	PMS_RELATION_NEVER     /* lhs = 0: the core has the event, but it never counts */
};

/** A side of a relation: a formula over events. */
struct pms_side {
	const char *text;
	const struct pms_formula *program;
	const size_t *events; /* indices of events, n_events of them, slot order of program */
	size_t n_events;
};

struct pms_relation {
	const char *id; /* unique in the catalog */
	enum pms_relation_kind kind;
	struct pms_side lhs, rhs;
	struct pms_condition condition;
	const char *section; /* where the document says so: "4.1.2, 4.1.5" */
	const char *source;  /* the document, where it is not the file's; else "" */
	const char *note;    /* why, or what breaks it */
	int architecture; /* 1: follows from the architecture's definitions; 0: the core's document
			   */
};

/** A warning about what the counts of some events mean. */
struct pms_caveat {
	const char *id;
	const size_t *events; /* indices, n_events of them */
	size_t n_events;
	struct pms_condition condition;
	const char *text;
	const char *section;
	const char *source; /* as of a relation */
};

/* Borrowed until the catalog is freed; order is the files'. An index out of range gives NULL. */
size_t pms_catalog_relations(const struct pms_catalog *catalog);
const struct pms_relation *pms_catalog_relation(const struct pms_catalog *catalog, size_t i);
size_t pms_catalog_caveats(const struct pms_catalog *catalog);
const struct pms_caveat *pms_catalog_caveat(const struct pms_catalog *catalog, size_t i);
size_t pms_catalog_configurations(const struct pms_catalog *catalog);
const struct pms_configuration *pms_catalog_configuration(const struct pms_catalog *catalog,
							  size_t i);

/** Returns the titles of the documents behind the relations or caveats; "" where there are none.
 * Borrowed until the catalog is freed. */
const char *pms_catalog_relations_source(const struct pms_catalog *catalog);
const char *pms_catalog_caveats_source(const struct pms_catalog *catalog);

/** Returns the core's PMU: the architecture's version and its features; "": not said. Borrowed
 * until the catalog is freed. */
const char *pms_catalog_pmu(const struct pms_catalog *catalog);

/** Returns the sign between the sides of such a relation: "=", ">=" or "<=". Static storage.
 */
const char *pms_relation_sign(enum pms_relation_kind kind);
/** Returns "sum", "equal", "at_least", "subset" or "never". Static storage. */
const char *pms_relation_kind_name(enum pms_relation_kind kind);

/** Returns 1 when a relation or a caveat is about the event of this index. */
int pms_relation_has(const struct pms_relation *relation, size_t event);
int pms_caveat_has(const struct pms_caveat *caveat, size_t event);
/** Returns 1 when a caveat is about an event that the metric uses. */
int pms_caveat_has_metric(const struct pms_caveat *caveat, const struct pms_metric *metric);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: MIT */
/* pmuscope/relation.h - what documents say of events beyond their definitions: how their counts
 * stand to each other, and what a number does not say.
 * Flow: [catalog] -> … -> analyse -> show.
 * Source: relations.json and caveats.json of a CPU's folder; docs/development/catalog.md describes them. */
#ifndef PMUSCOPE_RELATION_H
#define PMUSCOPE_RELATION_H

#include <stddef.h>

#include "pmuscope/catalog.h"

#ifdef __cplusplus
extern "C" {
#endif

/** When something holds; everything that is given has to. All NULL: always. */
struct pms_condition {
	const char *configuration; /* names of configurations, joined by " and " */
	const char *errata;	   /* number of an erratum that breaks it … */
	const char *before;	   /* … on revisions before this one, "r4p0"; given with errata */
};

/** A way in which a core can be set up, which nothing in the counts tells. */
struct pms_configuration {
	const char *name; /* "direct_connect" */
	const char *text; /* what it means, a sentence */
};

enum pms_relation_kind {
	PMS_RELATION_SUM,      /* lhs = rhs: an event is the sum of others */
	PMS_RELATION_EQUAL,    /* lhs = rhs: two events count the same thing */
	PMS_RELATION_AT_LEAST, /* lhs >= rhs */
	PMS_RELATION_SUBSET,   /* lhs <= rhs: all that lhs counts, rhs counts as well */
	PMS_RELATION_NEVER     /* lhs = 0: the event is there and does not count */
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
	const char *source;  /* the document, where it is another than the file's; else "" */
	const char *note;    /* why, or what breaks it */
	int architecture; /* 1: follows from the architecture's definitions; 0: the core's document
			   */
};

/** What the numbers of some events do not say. */
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

/** The documents that relations and caveats are from: their titles; "" where there are none. */
const char *pms_catalog_relations_source(const struct pms_catalog *catalog);
const char *pms_catalog_caveats_source(const struct pms_catalog *catalog);

/** Which PMU the core has: the architecture's version and what it can tell; "": not said. */
const char *pms_catalog_pmu(const struct pms_catalog *catalog);

/** "=", ">=", "<=": how the sides of a relation of this kind stand to each other. Static storage.
 */
const char *pms_relation_sign(enum pms_relation_kind kind);
/** "sum", "equal", "at_least", "subset", "never". Static storage. */
const char *pms_relation_kind_name(enum pms_relation_kind kind);

/** Whether a relation or a caveat is about the event of this index. */
int pms_relation_has(const struct pms_relation *relation, size_t event);
int pms_caveat_has(const struct pms_caveat *caveat, size_t event);
/** Whether a caveat is about an event that the metric uses. */
int pms_caveat_has_metric(const struct pms_caveat *caveat, const struct pms_metric *metric);

#ifdef __cplusplus
}
#endif
#endif

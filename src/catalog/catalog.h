/* SPDX-License-Identifier: MIT */
/* catalog/catalog.h - a catalog while it is read, and the functions that its readers share. */
#ifndef PMS_CATALOG_CATALOG_H
#define PMS_CATALOG_CATALOG_H

#include "base/arena.h"
#include "base/name.h"
#include "catalog/json.h"
#include "pmuscope/catalog.h"
#include "pmuscope/relation.h"

struct pms_catalog {
	struct pms_arena arena; /* every text and array below */
	struct pms_cpu cpu;
	struct pms_event *events;
	struct pms_metric *metrics;
	struct pms_group *groups;
	struct pms_tree_node *nodes; /* in the order of a walk: a node, then what is below it */
	struct pms_term *terms;
	struct pms_advice *advices;
	struct pms_configuration *configurations;
	struct pms_relation *relations;
	struct pms_caveat *caveats;
	size_t n_events, n_metrics, n_groups, n_nodes, n_terms, n_advices;
	size_t n_configurations, n_relations, n_caveats;
	int is_lean;		      /* 1: relations and configurations are not read yet */
	struct pms_code_core **cores; /* one allocation each, so that rows can point to them */
	struct pms_core_code *codes;
	struct pms_core_name *names;
	size_t n_cores, n_codes, n_names;
	const char *relations_source, *caveats_source; /* NULL: there are none */
	const char *pmu;			       /* NULL: not said */
	int has_roles;				       /* 0: roles.json is not there, names tell */
	int64_t roles[PMS_CATALOG_ROLES];	       /* indices; below 0: it has none */
	const size_t *fixed;			       /* events with counters of their own */
	size_t n_fixed;
	struct pms_name_index event_names, metric_names;
	struct pms_name_index event_aliases, metric_aliases;
	struct pms_name_index group_names[2]; /* by enum pms_group_kind */
	struct pms_extra *extras;	      /* keys that the layout does not have; owned */
	size_t n_extras;
	struct pms_flaw *flaws; /* contradictions that were ignored; owned */
	size_t n_flaws;
};

/* The key at the root for the one methodology, in editions of the layout before 1.0. */
#define PMS_OLD_METHODOLOGY "topdown_methodology"

/**
 * Make a catalog of a telemetry.json, parsed and borrowed for the call.
 * @cpu: the folder's name
 * Errors: as pms_catalog_load.
 */
int pms_catalog_build(const char *cpu, const struct pms_json *telemetry, struct pms_catalog **out,
		      struct pms_error *err);

/** Add the contents of a file beside telemetry.json. @file: "advice.json", … Errors: as
 * pms_catalog_load. */
int pms_catalog_add(struct pms_catalog *catalog, const char *file, const struct pms_json *json,
		    struct pms_error *err);

/* The readers; each fills its part of the catalog. */
int pms_catalog_read_events(struct pms_catalog *catalog, const struct pms_json_place *root,
			    struct pms_error *err);
int pms_catalog_read_metrics(struct pms_catalog *catalog, const struct pms_json_place *root,
			     struct pms_error *err);
int pms_catalog_read_groups(struct pms_catalog *catalog, const struct pms_json_place *root,
			    struct pms_error *err);
int pms_catalog_read_methodologies(struct pms_catalog *catalog, const struct pms_json_place *root,
				   struct pms_error *err);
int pms_catalog_read_extras(struct pms_catalog *catalog, const struct pms_json_place *root,
			    struct pms_error *err);
int pms_catalog_read_advice(struct pms_catalog *catalog, const struct pms_json_place *root,
			    struct pms_error *err);
int pms_catalog_read_relations(struct pms_catalog *catalog, const struct pms_json_place *root,
			       struct pms_error *err);
int pms_catalog_read_caveats(struct pms_catalog *catalog, const struct pms_json_place *root,
			     struct pms_error *err);
int pms_catalog_read_roles(struct pms_catalog *catalog, const struct pms_json_place *root,
			   struct pms_error *err);
/* Adds one core's codes to the codes of others. @name: of the core's file, "sifive-p550" */
int pms_catalog_read_codes(struct pms_catalog *catalog, const char *name,
			   const struct pms_json_place *root, struct pms_error *err);
/* @core: the one whose codes are wanted; NULL: all. Errors: -PMS_ENAME there is no such core. */
int pms_catalog_load_codes(struct pms_catalog *catalog, const char *folder, const char *core,
			   struct pms_error *err);

/** Read a text member and copy it into the catalog. @text: "" when it is optional and absent. */
int pms_catalog_text(struct pms_catalog *catalog, const struct pms_json_place *at, const char *key,
		     int optional, const char **text, struct pms_error *err);

/**
 * Look up an array of names.
 * @find: of a name, as pms_name_index_find
 * @what: "event", for the error
 */
typedef int64_t pms_catalog_finder(const struct pms_catalog *catalog, const char *name);
int pms_catalog_list(struct pms_catalog *catalog, const struct pms_json_place *array,
		     pms_catalog_finder *find, const char *what, const size_t **members,
		     size_t *count, struct pms_error *err);

/** Look up an array of names that no number depends on: an unknown name is skipped and kept as a
 * flaw. */
int pms_catalog_list_known(struct pms_catalog *catalog, const struct pms_json_place *array,
			   pms_catalog_finder *find, const char *what, const size_t **members,
			   size_t *count, struct pms_error *err);

/** Keep a flaw that was ignored at @at. Errors: -PMS_ENOMEM. */
__attribute__((format(printf, 4, 5))) int pms_catalog_add_flaw(struct pms_catalog *catalog,
							       const struct pms_json_place *at,
							       struct pms_error *err,
							       const char *format, ...);

/** Compile the formula at @at; its names are to be known to @find. The caller owns @out. */
int pms_catalog_formula(const struct pms_catalog *catalog, const struct pms_json_place *at,
			const char *text, pms_catalog_finder *find, const char *what,
			struct pms_formula **out, struct pms_error *err);

/** Make an index of @count names; the caller fills the rows. Returns NULL when out of memory. */
struct pms_name_row *pms_catalog_index(struct pms_catalog *catalog, struct pms_name_index *index,
				       size_t count);

#endif

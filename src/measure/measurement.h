/* SPDX-License-Identifier: MIT */
/* measure/measurement.h - the state of a measurement, and what each source does with it. */
#ifndef PMS_MEASURE_MEASUREMENT_H
#define PMS_MEASURE_MEASUREMENT_H

#include "base/arena.h"
#include "pmuscope/measurement.h"

/** A part, with what it owns. */
struct pms_measurement_part {
	struct pms_measured_part shown;
	struct pms_catalog *owned; /* the catalog, unless the caller owns it */
	struct pms_selection *selection;
	char pmu[64];	     /* "": any that fits */
	const char **groups; /* for `all`: every group of metrics, n_groups; else NULL */
	size_t n_groups;
};

/** The functions of a source. NULL: nothing to do. */
struct pms_measurement_source {
	/* Find the catalogs and add the parts. */
	int (*open)(struct pms_measurement *m, struct pms_error *err);
	/* Look up the wanted names. */
	int (*resolve)(struct pms_measurement *m, struct pms_error *err);
	int (*prepare)(struct pms_measurement *m, struct pms_error *err);
	int (*read)(struct pms_measurement *m, pms_live_put *put, void *context,
		    struct pms_counts **totals, struct pms_error *err);
	int selects; /* 1: opening selects what to show */
};

struct pms_measurement {
	struct pms_measurement_options options;
	enum pms_source kind;
	const struct pms_measurement_source *source;
	struct pms_arena arena; /* holds names */
	struct pms_measurement_part parts[PMS_MEASURED_MOST];
	size_t n_parts;
	struct pms_live *live; /* for the PMU, once it is prepared */
	/* For a file: its name, and one of these two. */
	const char *name;
	struct pms_session *session;
	struct pms_perf_stat *stat;
	char host[64]; /* this host's CPU, where it is assumed to be the file's; else "" */
};

extern const struct pms_measurement_source pms_source_pmu, pms_source_model, pms_source_file;

/* kinds.c */

/** Add a part for each kind of cores of this machine. Errors: as pms_measurement_open. */
int pms_kinds_load(struct pms_measurement *m, struct pms_error *err);
/** Give each kind of cores the names that it knows, and leave out those that have none. Errors: as
 * pms_measurement_open. */
int pms_kinds_resolve(struct pms_measurement *m, struct pms_error *err);

/* measurement.c */

/** Load the catalog that the options name, else the one of @mcpu or @spec, as the only part's.
 * @modelled: as in struct pms_catalog_choice. Errors: as pms_catalog_choose. */
int pms_measurement_choose(struct pms_measurement *m, const char *mcpu, const char *spec,
			   int modelled, struct pms_error *err);
/** Free what a part owns. */
void pms_measurement_part_release(struct pms_measurement_part *part);

#endif

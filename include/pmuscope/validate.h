/* SPDX-License-Identifier: MIT */
/* pmuscope/validate.h - workloads that each stress one resource of a core, with the numbers
 * expected of each. A core, a model of it and a catalog are checked against these numbers.
 * Source: "Arm Neoverse V1 Core: Performance Analysis Methodology", sections 3.2.2 and 3.2.3,
 * tables 1, 6 and 7. docs/model/workloads.md says how the workloads were derived. */
#ifndef PMUSCOPE_VALIDATE_H
#define PMUSCOPE_VALIDATE_H

#include <stddef.h>

#include "pmuscope/analyse.h"
#include "pmuscope/collect.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One number expected of a workload. */
struct pms_figure {
	const struct pms_metric *metric; /* owned by the catalog, or made for this figure */
	int has_low, has_high;		 /* 0: that end is open */
	double low, high;		 /* in the metric's units, both included */
	const char *source;		 /* document and section, or the argument */
};

struct pms_workload {
	const char *name;     /* also the program's name */
	const char *category; /* "Branch", "Data cache", … */
	int argued;	      /* 1: the figures are not published but follow from the core */
	const struct pms_metric *dominant; /* expected largest share of Level 1; NULL: unknown */
	const struct pms_figure *figures;
	size_t n_figures;
};

/** Opaque; owned by the caller of pms_workloads_load. */
struct pms_workloads;

/**
 * Load cpus/<cpu>/workloads.json.
 * @catalog: borrowed; must outlive the result
 * @data:    data directory; NULL: as pms_catalog_load finds it
 * @out:     written only on success; free with pms_workloads_free
 * Returns 0. Errors: -PMS_ENAME this CPU has no workloads; -PMS_EPARSE with the place, -PMS_EIO,
 *         -PMS_ENOMEM.
 */
int pms_workloads_load(const struct pms_catalog *catalog, const char *data,
		       struct pms_workloads **out, struct pms_error *err);
void pms_workloads_free(struct pms_workloads *workloads);

/** Returns the number of workloads. */
size_t pms_workloads_count(const struct pms_workloads *workloads);
/** Returns workload @i, borrowed until the workloads are freed; NULL when @i is out of range. */
const struct pms_workload *pms_workload(const struct pms_workloads *workloads, size_t i);
/** Find a workload by name. Returns its index. Errors: -PMS_ENAME; the hint has the nearest
 * name. */
int64_t pms_workload_find(const struct pms_workloads *workloads, const char *name,
			  struct pms_error *err);

/**
 * Find the program of a workload: in the folder workloads beside this program, or in
 * lib/pmuscope/workloads of the installation.
 * @path: receives it, of @size bytes
 * Returns 0. Errors: -PMS_EHOST the workload was not built; the error says what to install.
 */
int pms_workload_path(const char *name, char *path, size_t size, struct pms_error *err);

/** How to run a workload. Zero-initialised: whole, on this machine's PMU. */
struct pms_workload_how {
	int modelled; /* 1: on the core model */
	int quick;    /* 1: a twentieth of its turns; the model counts their kernel alone */
	struct pms_vcore_options vcore; /* options of the model; its region is ignored */
};

/**
 * Run a workload once for each pass, or once on the model, and count what its figures need.
 * @catalog: the one given to pms_workloads_load; borrowed, must outlive @out
 * @out:     written once the workload started; free with pms_counts_free
 * Returns 0. Errors: as pms_workload_path, pms_live_open, pms_live_run and pms_collect_vcore.
 */
int pms_workload_run(const struct pms_workload *workload, const struct pms_catalog *catalog,
		     const struct pms_workload_how *how, struct pms_counts **out,
		     struct pms_error *err);

enum pms_judgement { PMS_AGREES, PMS_TOO_LOW, PMS_TOO_HIGH, PMS_NO_VALUE };

/** One workload's figures compared with a run. */
struct pms_trial {
	const struct pms_workload *workload;
	struct pms_counts *counts;	 /* borrowed */
	struct pms_value *values;	 /* values of its figures, in their order */
	const struct pms_metric **roots; /* roots of the catalog's tree, n_level1 of them */
	struct pms_value *level1;	 /* values of `roots`, in their order */
	size_t n_level1;
	int64_t largest;   /* index of the largest share in level1; -1: none has a value */
	int agrees;	   /* 1: every figure agrees, and the largest share is the expected one */
	int stage1_agrees; /* 1: the largest share is the expected one, and the figures of Level 1
			      agree */
};

/**
 * Compare the counts of a run with the figures of its workload.
 * @counts: borrowed; must outlive the trial
 * @out:    written only on success; free with pms_trial_free
 * Returns 0. Errors: -PMS_ENOMEM.
 */
int pms_trial_make(const struct pms_workload *workload, struct pms_counts *counts,
		   struct pms_trial **out, struct pms_error *err);
void pms_trial_free(struct pms_trial *trial);

/** Compare a value with the figure's limits. Returns PMS_NO_VALUE when it is undefined. */
enum pms_judgement pms_figure_judge(const struct pms_figure *figure, const struct pms_value *value);

#ifdef __cplusplus
}
#endif
#endif

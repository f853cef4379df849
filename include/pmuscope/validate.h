/* SPDX-License-Identifier: MIT */
/* pmuscope/validate.h - workloads that each stress one resource of a core, and what was measured of
 * them, or follows from the core: a core, a model of it and a catalog are held against that.
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

/** One number that a workload is to have. */
struct pms_figure {
	const struct pms_metric *metric; /* of the catalog, or of this figure alone */
	int has_low, has_high;		 /* 0: that end is open */
	double low, high;		 /* in the metric's units, both included */
	const char *source;		 /* document and section, or the argument */
};

struct pms_workload {
	const char *name;     /* of the program, too */
	const char *category; /* "Branch", "Data cache", … */
	int argued;	      /* 1: the figures are not published but follow from the core */
	const struct pms_metric *dominant; /* of Level 1, the largest share; NULL: not known */
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
 * Returns 0. Errors: -PMS_ENAME this CPU has none; -PMS_EPARSE with the place, -PMS_EIO,
 *         -PMS_ENOMEM.
 */
int pms_workloads_load(const struct pms_catalog *catalog, const char *data,
		       struct pms_workloads **out, struct pms_error *err);
void pms_workloads_free(struct pms_workloads *workloads);

/** Returns how many there are. */
size_t pms_workloads_count(const struct pms_workloads *workloads);
/** The @i-th, borrowed until they are freed; NULL when @i is out of range. */
const struct pms_workload *pms_workload(const struct pms_workloads *workloads, size_t i);
/** Returns the index of a name. Errors: -PMS_ENAME, whose hint has the nearest. */
int64_t pms_workload_find(const struct pms_workloads *workloads, const char *name,
			  struct pms_error *err);

/**
 * Where the program of a workload is: in the folder workloads beside this program, or in
 * lib/pmuscope/workloads of the installation.
 * @path: receives it, of @size bytes
 * Returns 0. Errors: -PMS_EHOST it was not built, with what to install.
 */
int pms_workload_path(const char *name, char *path, size_t size, struct pms_error *err);

/** How a workload is run. Zero-initialised: whole, on this machine's PMU. */
struct pms_workload_how {
	int modelled; /* 1: on the core model */
	int quick;    /* 1: a twentieth of its turns; on the model of these the kernel alone */
	struct pms_vcore_options vcore; /* of the model; its region is not taken */
};

/**
 * Run a workload once for each pass, or once on the model, and count what its figures need.
 * @catalog: of pms_workloads_load; borrowed, must outlive @out
 * @out:     written when it was started; free with pms_counts_free
 * Returns 0. Errors: as pms_workload_path, pms_live_open, pms_live_run and pms_collect_vcore.
 */
int pms_workload_run(const struct pms_workload *workload, const struct pms_catalog *catalog,
		     const struct pms_workload_how *how, struct pms_counts **out,
		     struct pms_error *err);

enum pms_judgement { PMS_AGREES, PMS_TOO_LOW, PMS_TOO_HIGH, PMS_NO_VALUE };

/** What became of one workload. */
struct pms_trial {
	const struct pms_workload *workload;
	struct pms_counts *counts;	 /* borrowed */
	struct pms_value *values;	 /* of its figures, in their order */
	const struct pms_metric **roots; /* of the catalog's tree, n_level1 of them */
	struct pms_value *level1;	 /* of the catalog's roots of the tree, in their order */
	size_t n_level1;
	int64_t largest;   /* the index of the largest share in level1; -1: they have no values */
	int agrees;	   /* 1: every figure does, and the largest share is the dominant one */
	int stage1_agrees; /* 1: that share is, and the figures of Level 1 agree */
};

/**
 * Hold counts of a run against the figures of its workload.
 * @counts: borrowed; must outlive the trial
 * @out:    written only on success; free with pms_trial_free
 * Returns 0. Errors: -PMS_ENOMEM.
 */
int pms_trial_make(const struct pms_workload *workload, struct pms_counts *counts,
		   struct pms_trial **out, struct pms_error *err);
void pms_trial_free(struct pms_trial *trial);

/** Whether a value is within the figure's ends. */
enum pms_judgement pms_figure_judge(const struct pms_figure *figure, const struct pms_value *value);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: MIT */
/* collect/vrun/tally.h - turn the counters of the shared mapping into counts of the catalog's
 * events. */
#ifndef PMS_COLLECT_VRUN_TALLY_H
#define PMS_COLLECT_VRUN_TALLY_H

#include <stdbool.h>

#include "collect/core/json.h"
#include "pmuscope/counts.h"
#include "vcore/share/share.h"

/** How the run was made and how it ended, for names and warnings. */
struct pms_tally_run {
	const char *program;   /* as the user named it */
	const char *qemu_cpu;  /* QEMU's guest CPU */
	int status;	       /* of waitpid(2) */
	const char *sysroot;   /* -L; NULL: none */
	bool dynamic;	       /* the program has an interpreter */
	char *const *core_set; /* what differs from core.json; NULL: nothing */
	size_t n_inlined;      /* copies of the region within other functions */
};

/**
 * Fill @counts from @share: a scope for each thread, the total, and warnings of what was not
 * counted.
 * @counts: new, of the catalog whose events @core's rules are for
 * Returns 0. Errors: -PMS_ENOMEM.
 */
int pms_tally(struct pms_counts *counts, const struct pms_core_file *core,
	      const struct pms_share *share, const struct pms_tally_run *run,
	      struct pms_error *err);

/** Make the count of an event from @rule: the sum of its counters. @out: also the reason for a
 * missing count, which @counts keeps. Returns 0. Errors: -PMS_ENOMEM. */
int pms_tally_count(struct pms_counts *counts, const struct pms_rule *rule,
		    const uint64_t *counters, struct pms_count *out);

/** Returns how many slots threads have taken. */
uint32_t pms_tally_threads(const struct pms_share *share);

/** tally_extent.c: scale the counts of a sampled run up to the whole run. The scopes exist, one
 * for each thread, with the counts of its windows. Errors: -PMS_ENOMEM. */
int pms_tally_sample(struct pms_counts *counts, const struct pms_core_file *core,
		     const struct pms_share *share);

/** Fill in the provenance's extent, and warn of its gaps. Errors: -PMS_ENOMEM. */
int pms_tally_extent(struct pms_counts *counts, const struct pms_share *share,
		     const struct pms_tally_run *run);

/** tally_sight.c: warn of what the program did and the model cannot see. Errors: -PMS_ENOMEM. */
int pms_tally_sight(struct pms_counts *counts, const struct pms_share *share);

/** Returns whether the model crashed, not the program. @status: of waitpid(2) */
bool pms_tally_model_crashed(const struct pms_share *share, int status);

/** Returns waitpid's status as a shell shows it: 128+N for signal N. */
int pms_tally_exit_status(int status);

#endif

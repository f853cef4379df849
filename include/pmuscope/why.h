/* SPDX-License-Identifier: MIT */
/* pmuscope/why.h - run a program on ideal cores, to tell what it would gain.
 * Flow: catalog -> [why] -> gains. */
#ifndef PMUSCOPE_WHY_H
#define PMUSCOPE_WHY_H

#include "pmuscope/catalog.h"
#include "pmuscope/collect.h"
#include "pmuscope/error.h"
#include "pmuscope/gains.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Is told of each run that has ended. @title: of what was ideal; NULL: nothing */
typedef void pms_why_progress(void *context, const char *title);

/**
 * Run @argv on the modelled core of @catalog's CPU, and on the ideal cores that matter: 6 to 35
 * runs, as many at once as there are processors for this process. No run has input, and their
 * output is dropped. Each counts the part of the program that @options selects. So the program
 * should do the same each time, and nothing in files that its next run would see.
 * @options:  as for pms_collect_vcore; the core that is compared with has its core_set
 * @progress: NULL: not wanted
 * @out:      NULL where a signal ended a run, or it counted no cycles; free with pms_gains_free
 * Returns 0. Errors: as pms_collect_vcore.
 */
int pms_why(const struct pms_catalog *catalog, char *const *argv,
	    const struct pms_vcore_options *options, pms_why_progress *progress, void *context,
	    struct pms_gains **out, struct pms_error *err);

#ifdef __cplusplus
}
#endif
#endif

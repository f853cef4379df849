/* SPDX-License-Identifier: MIT */
/* export/export.h - what the writers of all formats share; a file each has its own.
 * Flow: places, stacks -> [writers] -> sink. */
#ifndef PMS_EXPORT_EXPORT_H
#define PMS_EXPORT_EXPORT_H

#include "export/sink.h"
#include "export/stacks.h"
#include "pmuscope/export.h"

struct pms_exporting {
	const struct pms_profile *profile;
	const struct pms_export_options *options;
	struct pms_export_places places;
	struct pms_export_stacks stacks; /* of the formats that want them */
	struct pms_sink sink;
	struct pms_error *err;
};

/* The writers. Each returns 0, or an error that it has recorded; a sink that fails is seen by the
 * caller. */
int pms_export_folded(struct pms_exporting *x);
int pms_export_speedscope(struct pms_exporting *x);
int pms_export_callgrind(struct pms_exporting *x);
int pms_export_pprof(struct pms_exporting *x);
int pms_export_firefox(struct pms_exporting *x);
int pms_export_perfetto(struct pms_exporting *x);
int pms_export_llvm_sample(struct pms_exporting *x);
int pms_export_bolt(struct pms_exporting *x);

/** Find the weights that are to be written: the one that the options name; else the usual one, and
 * slots by cause where there are any. Returns their number, 1 or 2. Errors: -PMS_ENAME. */
int pms_export_weights(struct pms_exporting *x, struct pms_export_weight weights[2]);

#endif

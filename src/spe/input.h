/* SPDX-License-Identifier: MIT */
/* spe/input.h - what samples need of an open file beside its buffers. */
#ifndef PMS_SPE_INPUT_H
#define PMS_SPE_INPUT_H

#include "pmuscope/spe.h"

/** Do what pms_spe_file_open does, but let a perf.data from a pipe be read twice: keep it in a
 * temporary file without a name, in $TMPDIR or /tmp. */
int pms_spe_file_open_twice(const char *path, int raw, struct pms_spe_file **file,
			    struct pms_error *err);

/** A file in memory, which must stay there. */
int pms_spe_file_open_bytes(const void *bytes, size_t size, const char *name, int raw,
			    struct pms_spe_file **file, struct pms_error *err);

/** Bytes of a bare buffer; 0 where it does not come from a file. */
uint64_t pms_spe_file_bytes(const struct pms_spe_file *file);

/** The perf.data, NULL of a bare buffer. */
struct pms_perfdata *pms_spe_file_perfdata(const struct pms_spe_file *file);

#endif

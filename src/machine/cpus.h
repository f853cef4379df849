/* SPDX-License-Identifier: MIT */
/* machine/cpus.h - lists of CPUs as Linux writes them, "0-3,7", and the place of each CPU in
 * the machine.
 * Source: Linux, Documentation/admin-guide/cputopology.rst. */
#ifndef PMS_MACHINE_CPUS_H
#define PMS_MACHINE_CPUS_H

#include <stddef.h>

#include "pmuscope/error.h"

enum { PMS_MOST_CPUS = 8192 }; /* NR_CPUS of the largest kernels */

/** CPUs in ascending order; zero-initialise before use. */
struct pms_cpus {
	int *cpus;
	size_t count;
};

/**
 * Read a list.
 * @text: "0-3,7"; blanks at the end are skipped
 * @out:  written only on success; release with pms_cpus_release
 * Returns 0. Errors: -PMS_EPARSE no such list, or a CPU beyond PMS_MOST_CPUS; -PMS_ENOMEM.
 */
int pms_cpus_parse(const char *text, struct pms_cpus *out, struct pms_error *err);

/** Read the list in the file @path below @root. Errors: those of pms_cpus_parse, and -PMS_EIO. */
int pms_cpus_read(const char *root, const char *path, struct pms_cpus *out, struct pms_error *err);
/** Read the list of online CPUs. Errors: as pms_cpus_read. */
int pms_cpus_online(const char *root, struct pms_cpus *out, struct pms_error *err);

/** Returns 1 when @cpu is among them. */
int pms_cpus_has(const struct pms_cpus *cpus, int cpu);
void pms_cpus_release(struct pms_cpus *cpus);

/** The socket of a CPU, and its core within the socket; 0 where Linux does not say. */
struct pms_cpu_place {
	int package, core;
};
struct pms_cpu_place pms_cpu_place(const char *root, int cpu);

/** Write the list as Linux does, "0-3,7"; cut with "..." where @size is too small. */
void pms_cpus_text(const struct pms_cpus *cpus, char *text, size_t size);

#endif

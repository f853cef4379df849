/* SPDX-License-Identifier: MIT */
/* machine/identity.h - which cores this host has, by their own identification registers.
 * Source: Arm Architecture Reference Manual, MIDR_EL1, which Linux shows below
 * /sys/devices/system/cpu; RISC-V Privileged Specification, mvendorid and marchid, which Linux
 * shows in /proc/cpuinfo. */
#ifndef PMS_MACHINE_IDENTITY_H
#define PMS_MACHINE_IDENTITY_H

#include <stddef.h>
#include <stdint.h>

#include "machine/cpus.h"

/** Returns whether this host's own PMU measures programs: true on Arm and RISC-V machines.
 * Elsewhere programs run on a modelled core. */
int pms_host_is_measured(void);

enum pms_identity_kind { PMS_IDENTITY_ARM, PMS_IDENTITY_RISCV };

struct pms_identity {
	enum pms_identity_kind kind;
	uint64_t vendor;   /* implementer of MIDR_EL1, or mvendorid */
	uint64_t part;	   /* part number of MIDR_EL1, or marchid */
	uint64_t revision; /* mimpid; 0 on Arm, where no catalog needs it */
	uint64_t midr;	   /* MIDR_EL1 itself; 0 on other machines */
};

/**
 * List the different cores of this host.
 * @root: folder that holds /sys and /proc: "" for the host itself
 * @ids:  receives up to @max of them, in the order of the CPUs' numbers
 * Returns how many there are, at most @max; 0 where the host does not say, as on other
 *         architectures.
 */
size_t pms_identity_read(const char *root, struct pms_identity *ids, size_t max);

/** Identify the core of CPU @cpu. Returns 0, or -1 where the host does not say. */
int pms_identity_of_cpu(const char *root, int cpu, struct pms_identity *id);

/**
 * Identify the core of CPUs of one kind. Offline CPUs have no identity to read. Of several
 * revisions the lowest is taken, because it has the errata of all.
 * @cpu: receives a CPU that has an identity; may be NULL
 * Returns 0, or -1 where none has one.
 */
int pms_identity_of_cpus(const char *root, const struct pms_cpus *cpus, struct pms_identity *id,
			 int *cpu);

/**
 * Identify the core that perf names in a perf.data: MIDR_EL1 as a number, or
 * "mvendorid-marchid-mimpid".
 * Returns 1 and fills @id, or 0 for any other text, as from other architectures.
 */
int pms_identity_parse(const char *cpuid, struct pms_identity *id);

#endif

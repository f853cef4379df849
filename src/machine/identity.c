/* SPDX-License-Identifier: MIT */
#include "machine/identity.h"

#include "base/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

int pms_host_is_measured(void)
{
	static const char *const own[] = { "aarch64", "arm", "riscv" };
	struct utsname host;
	if (uname(&host))
		return 0;
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (!strncmp(host.machine, own[i], strlen(own[i])))
			return 1;
	return 0;
}

enum { MOST_CPUS = 8192 }; /* NR_CPUS of the largest kernels */

static size_t add(struct pms_identity *ids, size_t n, size_t max, struct pms_identity id)
{
	for (size_t i = 0; i < n; i++)
		if (ids[i].kind == id.kind && ids[i].vendor == id.vendor &&
		    ids[i].part == id.part && ids[i].revision == id.revision)
			return n;
	if (n < max)
		ids[n++] = id;
	return n;
}

#define BLANKS " \t\n"

static FILE *open_below(const char *root, const char *path)
{
	char *whole = NULL;
	if (asprintf(&whole, "%s%s", root, path) < 0)
		return NULL;
	FILE *file = fopen(whole, "re");
	free(whole);
	return file;
}

/* Split MIDR_EL1: implementer in bits 31 to 24, part number in bits 15 to 4. */
static struct pms_identity of_midr(uint64_t midr)
{
	return (struct pms_identity){ .kind = PMS_IDENTITY_ARM,
				      .vendor = midr >> 24 & 0xff,
				      .part = midr >> 4 & 0xfff,
				      .midr = midr };
}

static size_t read_midr(const char *root, unsigned cpu, struct pms_identity *ids, size_t n,
			size_t max)
{
	char path[96], line[64];
	uint64_t midr;
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/regs/identification/midr_el1",
		 cpu);
	FILE *file = open_below(root, path);
	if (!file)
		return n;
	if (fgets(line, sizeof(line), file) && pms_number_read(line, BLANKS, &midr))
		n = add(ids, n, max, of_midr(midr));
	fclose(file);
	return n;
}

/* Read the number of a line such as "marchid\t\t: 0x7", if it has this name. */
static int read_field(const char *line, const char *name, uint64_t *number)
{
	size_t length = strlen(name);
	if (strncmp(line, name, length) != 0)
		return -1;
	line += length + strspn(line + length, " \t");
	return *line == ':' && pms_number_read(line + 1, BLANKS, number) ? 0 : -1;
}

/* Read the identity of hart @cpu, or of all for -1. Each hart has a paragraph: its number, then
 * vendor, architecture and implementation in this order; the last two may be missing. */
static size_t read_cpuinfo(const char *root, int cpu, struct pms_identity *ids, size_t max)
{
	struct pms_identity id = { .kind = PMS_IDENTITY_RISCV };
	uint64_t number = 0;
	char *line = NULL;
	size_t size = 0, n = 0;
	int is_told = 0;
	FILE *file = open_below(root, "/proc/cpuinfo");
	if (!file)
		return 0;
	while (getline(&line, &size, file) > 0) {
		uint64_t next;
		int is_next = !read_field(line, "processor", &next);
		if (is_next && is_told && (cpu < 0 || number == (uint64_t)cpu))
			n = add(ids, n, max, id);
		if (is_next) {
			number = next;
			is_told = 0;
		}
		is_told |= read_field(line, "mvendorid", &id.vendor) &&
			   !read_field(line, "marchid", &id.part);
		read_field(line, "mimpid", &id.revision);
	}
	if (is_told && (cpu < 0 || number == (uint64_t)cpu))
		n = add(ids, n, max, id);
	free(line);
	fclose(file);
	return n;
}

/* Count all CPUs. A CPU without the file is offline, or of another architecture. */
static unsigned count_cpus(const char *root)
{
	unsigned long last = 0;
	char text[256];
	FILE *file = open_below(root, "/sys/devices/system/cpu/possible");
	if (!file)
		return 0;
	/* "0-127", or "0": the last number of the list. */
	if (fgets(text, sizeof(text), file))
		for (char *at = text; *at >= '0' && *at <= '9'; at += strspn(at, ",-\n"))
			last = strtoul(at, &at, 10);
	fclose(file);
	return last < MOST_CPUS ? (unsigned)last + 1 : MOST_CPUS;
}

size_t pms_identity_read(const char *root, struct pms_identity *ids, size_t max)
{
	size_t n = 0;
	unsigned cpus = count_cpus(root);
	for (unsigned cpu = 0; cpu < cpus; cpu++)
		n = read_midr(root, cpu, ids, n, max);
	return n ? n : read_cpuinfo(root, -1, ids, max);
}

int pms_identity_of_cpu(const char *root, int cpu, struct pms_identity *id)
{
	if (cpu < 0)
		return -1;
	return read_midr(root, (unsigned)cpu, id, 0, 1) || read_cpuinfo(root, cpu, id, 1) ? 0 : -1;
}

/* Turn "r3p1" into a number that orders revisions: MIDR_EL1 has the variant in bits 23 to 20,
 * the revision in bits 3 to 0. */
static uint64_t revision_of(uint64_t midr)
{
	return (midr >> 20 & 0xf) << 4 | (midr & 0xf);
}

int pms_identity_of_cpus(const char *root, const struct pms_cpus *cpus, struct pms_identity *id,
			 int *cpu)
{
	int found = 0;
	for (size_t i = 0; i < cpus->count; i++) {
		struct pms_identity one;
		if (pms_identity_of_cpu(root, cpus->cpus[i], &one))
			continue;
		if (!found && cpu)
			*cpu = cpus->cpus[i];
		if (!found ||
		    (one.part == id->part && revision_of(one.midr) < revision_of(id->midr)))
			*id = one;
		found = 1;
	}
	return found ? 0 : -1;
}

int pms_identity_parse(const char *cpuid, struct pms_identity *id)
{
	char vendor[32], part[32], implementation[32];
	uint64_t number;
	if (!strncmp(cpuid, "0x", 2) && pms_number_read(cpuid, BLANKS, &number)) {
		*id = of_midr(number);
		return 1;
	}
	if (sscanf(cpuid, "%31[^-]-%31[^-]-%31s", vendor, part, implementation) != 3 ||
	    !pms_number_read(vendor, BLANKS, &id->vendor) ||
	    !pms_number_read(part, BLANKS, &id->part) ||
	    !pms_number_read(implementation, BLANKS, &id->revision))
		return 0;
	id->kind = PMS_IDENTITY_RISCV;
	return 1;
}

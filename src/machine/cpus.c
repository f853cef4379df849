/* SPDX-License-Identifier: MIT */
#include "machine/cpus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "machine/sysfs.h"

/* Read "3" or "0-3" at *@at, and move *@at behind it. */
static int read_range(const char **at, long *first, long *last)
{
	char *end;
	if (**at < '0' || **at > '9')
		return -1;
	*first = *last = strtol(*at, &end, 10);
	if (*end == '-') {
		if (end[1] < '0' || end[1] > '9')
			return -1;
		*last = strtol(end + 1, &end, 10);
	}
	*at = end;
	return *first <= *last && *last < PMS_MOST_CPUS ? 0 : -1;
}

static int read_flags(const char *text, unsigned char *has)
{
	long first, last;
	for (;;) {
		if (read_range(&text, &first, &last))
			return -1;
		memset(has + first, 1, (size_t)(last - first + 1));
		if (*text != ',')
			return text[strspn(text, " \t\n")] ? -1 : 0;
		text++;
	}
}

int pms_cpus_parse(const char *text, struct pms_cpus *out, struct pms_error *err)
{
	unsigned char has[PMS_MOST_CPUS] = { 0 };
	size_t n = 0;
	if (read_flags(text, has))
		return pms_fail(err, PMS_EPARSE, "\"%.100s\" is not a list of CPUs, such as 0-3,7",
				text);
	int *cpus = calloc(PMS_MOST_CPUS, sizeof(*cpus));
	if (!cpus)
		return pms_no_memory(err);
	for (int cpu = 0; cpu < PMS_MOST_CPUS; cpu++)
		if (has[cpu])
			cpus[n++] = cpu;
	int *fitted = reallocarray(cpus, n, sizeof(*cpus));
	*out = (struct pms_cpus){ fitted ? fitted : cpus, n };
	return 0;
}

int pms_cpus_read(const char *root, const char *path, struct pms_cpus *out, struct pms_error *err)
{
	char text[4096];
	if (pms_sysfs_text(root, path, text, sizeof(text)))
		return pms_fail_at(err, PMS_EIO, path, 0, 0, "cannot be read: %s", strerror(errno));
	return pms_cpus_parse(text, out, err);
}

int pms_cpus_online(const char *root, struct pms_cpus *out, struct pms_error *err)
{
	return pms_cpus_read(root, "/sys/devices/system/cpu/online", out, err);
}

int pms_cpus_has(const struct pms_cpus *cpus, int cpu)
{
	for (size_t i = 0; i < cpus->count; i++)
		if (cpus->cpus[i] == cpu)
			return 1;
	return 0;
}

void pms_cpus_release(struct pms_cpus *cpus)
{
	free(cpus->cpus);
	*cpus = (struct pms_cpus){ 0 };
}

static int topology(const char *root, int cpu, const char *name)
{
	char path[96];
	uint64_t value;
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/topology/%s", cpu, name);
	return pms_sysfs_number(root, path, &value) || value > INT32_MAX ? 0 : (int)value;
}

struct pms_cpu_place pms_cpu_place(const char *root, int cpu)
{
	return (struct pms_cpu_place){ topology(root, cpu, "physical_package_id"),
				       topology(root, cpu, "core_id") };
}

void pms_cpus_text(const struct pms_cpus *cpus, char *text, size_t size)
{
	size_t used = 0;
	text[0] = 0;
	for (size_t i = 0, end; i < cpus->count; i = end) {
		char range[32];
		for (end = i + 1; end < cpus->count && cpus->cpus[end] == cpus->cpus[end - 1] + 1;)
			end++;
		int n = end - i > 1 ? snprintf(range, sizeof(range), "%s%d-%d", i ? "," : "",
					       cpus->cpus[i], cpus->cpus[end - 1])
				    : snprintf(range, sizeof(range), "%s%d", i ? "," : "",
					       cpus->cpus[i]);
		if (used + (size_t)n + 4 > size) {
			snprintf(text + used, size - used, "...");
			return;
		}
		memcpy(text + used, range, (size_t)n + 1);
		used += (size_t)n;
	}
}

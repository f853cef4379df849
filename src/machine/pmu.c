/* SPDX-License-Identifier: MIT */
#include "machine/pmu.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/status.h"
#include "machine/sysfs.h"

#define DEVICES "/sys/bus/event_source/devices"

/* Recognise the PMU of a core. Arm's are named after the architecture or the core, Apple's
 * "apple_firestorm_pmu" and the like, RISC-V's and x86's "cpu"; "cpu_core" and "cpu_atom" where
 * there are two kinds. */
static int is_core(const char *name)
{
	return !strncmp(name, "armv", 4) || !fnmatch("apple_*_pmu", name, 0) ||
	       !strcmp(name, "cpu") || !strncmp(name, "cpu_", 4);
}

/* Read the code of "event=0x11". Returns -1 if other terms would make it another event. */
static int read_code(const char *text, uint64_t *code)
{
	char *end;
	if (strncmp(text, "event=", 6) != 0)
		return -1;
	errno = 0;
	*code = strtoull(text + 6, &end, 0);
	return errno || end == text + 6 || *end ? -1 : 0;
}

/* Add an event that the kernel names, unless more than its code defines it. */
static int add_event(const char *root, const char *folder, struct pms_pmu *pmu, const char *name,
		     struct pms_error *err)
{
	char *path = NULL, text[256];
	uint64_t code;
	if (asprintf(&path, "%s/%s", folder, name) < 0)
		return pms_no_memory(err);
	int told = !pms_sysfs_text(root, path, text, sizeof(text)) && !read_code(text, &code);
	free(path);
	if (!told)
		return 0;
	struct pms_pmu_event *events =
		pms_array_room(pmu->events, pmu->n_events, sizeof(events[0]));
	char *copy = events ? strdup(name) : NULL;
	if (events)
		pmu->events = events;
	if (!copy)
		return pms_no_memory(err);
	events[pmu->n_events++] = (struct pms_pmu_event){ copy, code };
	return 0;
}

static DIR *open_below(const char *root, const char *path)
{
	char *whole = NULL;
	if (asprintf(&whole, "%s%s", root, path) < 0)
		return NULL;
	DIR *dir = opendir(whole);
	free(whole);
	return dir;
}

static int read_events(const char *root, const char *device, struct pms_pmu *pmu,
		       struct pms_error *err)
{
	char folder[512];
	int rc = 0;
	snprintf(folder, sizeof(folder), "%s/events", device);
	DIR *dir = open_below(root, folder);
	for (struct dirent *entry; dir && !rc && (entry = readdir(dir));)
		if (entry->d_name[0] != '.')
			rc = add_event(root, folder, pmu, entry->d_name, err);
	if (dir)
		closedir(dir);
	return rc;
}

static int read_cpus(const char *root, const char *device, struct pms_pmu *pmu,
		     struct pms_error *err)
{
	static const char *const names[] = { "cpus", "cpumask" };
	char path[512];
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", device, names[i]);
		if (!pms_cpus_read(root, path, &pmu->cpus, NULL))
			return 0;
	}
	return pms_cpus_read(root, "/sys/devices/system/cpu/possible", &pmu->cpus, err);
}

static int read_pmu(const char *root, const char *name, struct pms_pmu *pmu, struct pms_error *err)
{
	char device[300], path[512], text[64];
	uint64_t number;
	snprintf(device, sizeof(device), DEVICES "/%s", name);
	snprintf(path, sizeof(path), "%s/type", device);
	if (pms_sysfs_number(root, path, &number))
		return pms_fail_at(err, PMS_EIO, path, 0, 0, "cannot be read: %s", strerror(errno));
	pmu->type = (uint32_t)number;
	snprintf(path, sizeof(path), "%s/caps/slots", device);
	if (!pms_sysfs_number(root, path, &number))
		pmu->slots = (unsigned)number;
	snprintf(path, sizeof(path), "%s/format/rdpmc", device);
	pmu->user_access = !pms_sysfs_text(root, path, text, sizeof(text));
	if (!(pmu->name = strdup(name)))
		return pms_no_memory(err);
	int rc = read_cpus(root, device, pmu, err);
	return rc ? rc : read_events(root, device, pmu, err);
}

static int add_pmu(const char *root, const char *name, struct pms_pmus *out, struct pms_error *err)
{
	struct pms_pmu *pmus = pms_array_room(out->pmus, out->count, sizeof(pmus[0]));
	if (!pmus)
		return pms_no_memory(err);
	out->pmus = pmus;
	pmus[out->count] = (struct pms_pmu){ 0 };
	return read_pmu(root, name, &pmus[out->count++], err);
}

static int by_first_cpu(const void *a, const void *b)
{
	const struct pms_pmu *x = a, *y = b;
	return x->cpus.cpus[0] < y->cpus.cpus[0] ? -1 : x->cpus.cpus[0] > y->cpus.cpus[0];
}

int pms_pmus_read(const char *root, struct pms_pmus *out, struct pms_error *err)
{
	int rc = 0;
	*out = (struct pms_pmus){ 0 };
	DIR *dir = open_below(root, DEVICES);
	for (struct dirent *entry; dir && !rc && (entry = readdir(dir));)
		if (is_core(entry->d_name))
			rc = add_pmu(root, entry->d_name, out, err);
	if (dir)
		closedir(dir);
	if (!rc && out->count)
		qsort(out->pmus, out->count, sizeof(out->pmus[0]), by_first_cpu);
	return rc;
}

void pms_pmus_release(struct pms_pmus *pmus)
{
	for (size_t i = 0; i < pmus->count; i++) {
		struct pms_pmu *pmu = &pmus->pmus[i];
		for (size_t k = 0; k < pmu->n_events; k++)
			free(pmu->events[k].name);
		free(pmu->events);
		pms_cpus_release(&pmu->cpus);
		free(pmu->name);
	}
	free(pmus->pmus);
	*pmus = (struct pms_pmus){ 0 };
}

/* Linux has names for the first 64 common events except CHAIN. It lists those that PMCEID0_EL0
 * and PMCEID1_EL0 report. The names came in three lots: kernels before 4.20 have none from 0x31
 * on, kernels before 5.7 none from 0x39 on. If no event of a lot is listed, the kernel may not
 * know the lot. */
enum { CHAIN = 0x1e };
static const uint64_t lots[] = { 0, 0x31, 0x39, PMS_PMU_NAMED };

/* Returns the first code of the lot that has this code; the next entry is the lot's end. */
static const uint64_t *lot_of(uint64_t code)
{
	const uint64_t *lot = lots;
	while (code >= lot[1])
		lot++;
	return lot;
}

int pms_pmu_has(const struct pms_pmu *pmu, uint64_t code)
{
	int is_known = 0;
	const uint64_t *lot = code < PMS_PMU_NAMED ? lot_of(code) : NULL;
	for (size_t i = 0; i < pmu->n_events; i++) {
		uint64_t listed = pmu->events[i].code;
		if (listed == code)
			return 1;
		/* A kernel that knows a lot knows the earlier lots too. */
		is_known |= lot && listed >= *lot && listed < PMS_PMU_NAMED;
	}
	if (strncmp(pmu->name, "armv", 4) != 0 || !lot || code == CHAIN)
		return -1;
	return is_known ? 0 : -1;
}

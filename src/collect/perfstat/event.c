/* SPDX-License-Identifier: MIT */
#include "collect/perfstat/event.h"

#include <stdlib.h>
#include <string.h>

#include "base/name.h"

enum { LONGEST_NAME = 255 };

/* Events that Linux counts for perf's generic names: on Arm by its table of PMUv3 events, on
 * RISC-V by the counters that SBI names; firmware decides on the others. The first candidate in
 * the catalog is taken. PC_WRITE_RETIRED goes before BR_RETIRED in Linux too, since 6.4; earlier
 * versions do not support branches without it. branch-misses are wrong predictions, retired or
 * not. */
static const struct generic {
	const char *name;
	const char *candidates[2];
} generics[] = {
	{ "cycles", { "CPU_CYCLES", "CYCLES.HART" } },
	{ "cpu-cycles", { "CPU_CYCLES", "CYCLES.HART" } },
	{ "instructions", { "INST_RETIRED", "INST.RET" } },
	{ "cache-references", { "L1D_CACHE", NULL } },
	{ "cache-misses", { "L1D_CACHE_REFILL", NULL } },
	{ "branches", { "PC_WRITE_RETIRED", "BR_RETIRED" } },
	{ "branch-instructions", { "PC_WRITE_RETIRED", "BR_RETIRED" } },
	{ "branch-misses", { "BR_MIS_PRED", NULL } },
	{ "bus-cycles", { "BUS_CYCLES", NULL } },
	{ "stalled-cycles-frontend", { "STALL_FRONTEND", NULL } },
	{ "idle-cycles-frontend", { "STALL_FRONTEND", NULL } },
	{ "stalled-cycles-backend", { "STALL_BACKEND", NULL } },
	{ "idle-cycles-backend", { "STALL_BACKEND", NULL } },
	{ "L1-dcache-loads", { "L1D_CACHE", NULL } },
	{ "L1-dcache-load-misses", { "L1D_CACHE_REFILL", NULL } },
	{ "L1-icache-loads", { "L1I_CACHE", NULL } },
	{ "L1-icache-load-misses", { "L1I_CACHE_REFILL", NULL } },
	{ "LLC-loads", { "LL_CACHE_RD", NULL } },
	{ "LLC-load-misses", { "LL_CACHE_MISS_RD", NULL } },
	{ "dTLB-loads", { "L1D_TLB", NULL } },
	{ "dTLB-load-misses", { "L1D_TLB_REFILL", NULL } },
	{ "iTLB-loads", { "L1I_TLB", NULL } },
	{ "iTLB-load-misses", { "L1I_TLB_REFILL", NULL } },
	{ "branch-loads", { "BR_PRED", NULL } },
	{ "branch-load-misses", { "BR_MIS_PRED", NULL } },
};

static int64_t find_generic(const struct pms_catalog *catalog, const char *name)
{
	for (size_t i = 0; i < sizeof(generics) / sizeof(generics[0]); i++) {
		if (pms_name_compare(generics[i].name, name))
			continue;
		for (size_t k = 0; k < 2 && generics[i].candidates[k]; k++) {
			int64_t event = pms_catalog_find_event(catalog, generics[i].candidates[k]);
			if (event >= 0)
				return event;
		}
	}
	return -PMS_ENAME;
}

/* Find the code in @text: hexadecimal digits alone or, for base 0, a number as in C. */
static int64_t find_code(const struct pms_catalog *catalog, const char *text, int base)
{
	static const char digits[] = "0123456789abcdefABCDEF";
	char *end;
	size_t prefix = !base && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 2 : 0;
	size_t length = strspn(text + prefix, digits);
	if (!length || text[prefix + length] || length > 16)
		return -PMS_ENAME;
	unsigned long long code = strtoull(text, &end, base);
	return *end ? -PMS_ENAME : pms_catalog_find_code(catalog, (int64_t)code);
}

static int64_t find_word(const struct pms_catalog *catalog, const char *word)
{
	int64_t event = pms_catalog_find_event(catalog, word);
	if (event < 0)
		event = find_generic(catalog, word);
	if (event < 0)
		event = pms_catalog_find_core_name(catalog, word);
	if (event < 0 && (word[0] == 'r' || word[0] == 'R'))
		event = find_code(catalog, word + 1, 16);
	return event;
}

/* Returns whether a term changes only how an event is counted or called. */
static int is_harmless(const char *term)
{
	static const char *const harmless[] = { "long", "rdpmc", "name", "metric-id", "percore" };
	size_t length = strcspn(term, "=");
	for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++)
		if (strlen(harmless[i]) == length && !strncmp(term, harmless[i], length))
			return 1;
	return 0;
}

static int64_t find_term(const struct pms_catalog *catalog, const char *term)
{
	static const char event[] = "event=", config[] = "config=";
	if (!strncmp(term, event, sizeof(event) - 1))
		return find_code(catalog, term + sizeof(event) - 1, 0);
	if (!strncmp(term, config, sizeof(config) - 1))
		return find_code(catalog, term + sizeof(config) - 1, 0);
	return strchr(term, '=') ? -PMS_ENAME : find_word(catalog, term);
}

/* Find the event between the slashes: one term names it, and the others are harmless. A
 * threshold, for example, would make it another count. */
static int64_t find_terms(const struct pms_catalog *catalog, char *terms)
{
	int64_t found = -PMS_ENAME;
	char *rest;
	for (char *term = strtok_r(terms, ",", &rest); term; term = strtok_r(NULL, ",", &rest)) {
		if (is_harmless(term))
			continue;
		if (found >= 0)
			return -PMS_ENAME;
		found = find_term(catalog, term);
		if (found < 0)
			return found;
	}
	return found;
}

/* Returns whether a PMU is a core's: a DSU or an interconnect counts other cycles. */
static int is_core_pmu(const char *pmu)
{
	return !strncmp(pmu, "armv", 4) || !strcmp(pmu, "cpu");
}

/* Read modifiers. Returns 1 where the event stays the same. */
static int read_modifiers(const char *text, enum pms_stat_mode *mode)
{
	int user = strchr(text, 'u') != NULL, kernel = strchr(text, 'k') != NULL;
	if (strspn(text, "ukhHIpPSDWe") != strlen(text))
		return 0;
	if (strchr(text, 'h') && !kernel) /* only the hypervisor, or without the kernel */
		return 0;
	*mode = user == kernel ? PMS_STAT_ALL : user ? PMS_STAT_USER : PMS_STAT_KERNEL;
	return 1;
}

/* Find an event such as "armv8_pmuv3_0/event=0x11/u". */
static int64_t find_with_pmu(const struct pms_catalog *catalog, char *name, char *slash,
			     enum pms_stat_mode *mode)
{
	char *end = strrchr(name, '/');
	*slash = 0;
	if (end == slash || !is_core_pmu(name))
		return -PMS_ENAME;
	*end++ = 0;
	return read_modifiers(end + (*end == ':'), mode) ? find_terms(catalog, slash + 1)
							 : -PMS_ENAME;
}

int64_t pms_stat_event_find(const struct pms_catalog *catalog, const char *name, size_t length,
			    enum pms_stat_mode *mode)
{
	char copy[LONGEST_NAME + 1];
	*mode = PMS_STAT_ALL;
	if (length > LONGEST_NAME)
		return -PMS_ENAME;
	memcpy(copy, name, length);
	copy[length] = 0;
	char *slash = strchr(copy, '/'), *colon = strrchr(copy, ':');
	if (slash)
		return find_with_pmu(catalog, copy, slash, mode);
	if (colon)
		*colon++ = 0;
	return !colon || read_modifiers(colon, mode) ? find_word(catalog, copy) : -PMS_ENAME;
}

/* SPDX-License-Identifier: MIT */
#include "collect/live/event.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/name.h"
#include "base/status.h"
#include "catalog/find.h"
#include "catalog/kernel.h"
#include "collect/perfstat/event.h"

enum { LONGEST_WORD = 255 };

const char *pms_perf_modifiers(const char *name)
{
	const char *colon = strrchr(name, ':');
	return colon ? colon : name + strlen(name);
}

int pms_perf_modes(const char *modifiers)
{
	static const struct {
		char letter;
		int mode;
	} letters[] = { { 'u', PMS_LIVE_USER },
			{ 'k', PMS_LIVE_KERNEL },
			{ 'h', PMS_LIVE_HYPERVISOR } };
	int modes = 0;
	for (const char *at = modifiers + (*modifiers == ':'); *at; at++) {
		int mode = 0;
		for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++)
			if (letters[i].letter == *at)
				mode = letters[i].mode;
		if (!mode)
			return -PMS_EINVAL;
		modes |= mode;
	}
	return modes;
}

/* Returns Linux's own event of this name, ignoring modifiers. */
static const struct pms_kernel_event *kernel_event(const char *name)
{
	char base[LONGEST_WORD + 1];
	snprintf(base, sizeof(base), "%.*s", (int)(pms_perf_modifiers(name) - name), name);
	return pms_kernel_event_find(base);
}

int pms_perf_is_software(const struct pms_event *event)
{
	const struct pms_kernel_event *kernel = event->code < 0 ? kernel_event(event->name) : NULL;
	return kernel && kernel->type == PERF_TYPE_SOFTWARE;
}

static bool is_software(const struct pms_event *event, uint64_t one, uint64_t other)
{
	const struct pms_kernel_event *kernel = event->code < 0 ? kernel_event(event->name) : NULL;
	return kernel && kernel->type == PERF_TYPE_SOFTWARE &&
	       (kernel->config == one || kernel->config == other);
}

bool pms_perf_is_clock(const struct pms_event *event)
{
	return is_software(event, PERF_COUNT_SW_CPU_CLOCK, PERF_COUNT_SW_TASK_CLOCK);
}

/* Source: Linux, perf_exclude_event(): the registers at a switch or a move are the kernel's. */
bool pms_perf_is_in_kernel(const struct pms_event *event)
{
	return is_software(event, PERF_COUNT_SW_CONTEXT_SWITCHES, PERF_COUNT_SW_CPU_MIGRATIONS);
}

/* Returns the code of "r11" or "0x11", which no catalog needs to know; -1 for another word. */
static int64_t raw_code(const char *word)
{
	int prefix = word[0] == 'r' || word[0] == 'R' ? 1 : !strncmp(word, "0x", 2) ? 2 : 0;
	char *end;
	if (!prefix || !isxdigit((unsigned char)word[prefix]))
		return -1;
	errno = 0;
	long long code = strtoll(word + prefix, &end, 16);
	return errno || *end ? -1 : code;
}

bool pms_perf_is_raw(const struct pms_event *event)
{
	char base[LONGEST_WORD + 1];
	snprintf(base, sizeof(base), "%.*s", (int)(pms_perf_modifiers(event->name) - event->name),
		 event->name);
	return raw_code(base) >= 0;
}

/* Find the event that the word means without its modifiers; append it if the catalog lacks it. */
static int64_t find_base(struct pms_catalog *catalog, const char *word, struct pms_error *err)
{
	enum pms_stat_mode mode;
	int64_t found = pms_stat_event_find(catalog, word, strlen(word), &mode);
	if (found < 0)
		found = pms_catalog_find_event_word(catalog, word);
	if (found >= 0)
		return found;
	const struct pms_kernel_event *kernel = pms_kernel_event_find(word);
	int64_t code = kernel ? -1 : raw_code(word);
	if (!kernel && code < 0)
		return -PMS_ENAME;
	struct pms_event event = { .name = kernel ? kernel->name : word,
				   .title = kernel ? kernel->title : "Raw event",
				   .code = code };
	found = pms_catalog_find_event(catalog, event.name);
	return found >= 0 ? found : pms_catalog_append_event(catalog, &event, err);
}

static int64_t add_modes(struct pms_catalog *catalog, int64_t base, const char *modifiers,
			 struct pms_error *err)
{
	char name[2 * LONGEST_WORD];
	struct pms_event event = *pms_catalog_event(catalog, (size_t)base);
	snprintf(name, sizeof(name), "%.255s%.8s", event.name, modifiers);
	event.name = name;
	int64_t found = pms_catalog_find_event(catalog, name);
	return found >= 0 ? found : pms_catalog_append_event(catalog, &event, err);
}

static int64_t no_such_event(const struct pms_catalog *catalog, const char *word,
			     struct pms_error *err)
{
	struct pms_nearest nearest = { 0 };
	for (size_t i = 0; i < pms_catalog_events(catalog); i++)
		pms_nearest_offer(&nearest, word, pms_catalog_event(catalog, i)->name);
	int rc = pms_fail(err, PMS_ENAME, "%s has no event %.200s", pms_catalog_cpu(catalog)->name,
			  word);
	char why[PMS_ABSENT_MAX];
	if (pms_find_absent(catalog, word, why))
		pms_hint(err, "%s", why);
	else if (nearest.best)
		pms_hint(err, "did you mean %s? pmuscope list events shows all", nearest.best);
	else
		pms_hint(err, "pmuscope list events shows all");
	return rc;
}

int64_t pms_live_event(struct pms_catalog *catalog, const char *word, struct pms_error *err)
{
	char base[LONGEST_WORD + 1];
	const char *modifiers = pms_perf_modifiers(word);
	int modes = pms_perf_modes(modifiers);
	if (strlen(word) > LONGEST_WORD)
		return no_such_event(catalog, word, err);
	if (modes < 0 || (*modifiers && !modes)) {
		int rc = pms_fail(err, PMS_EINVAL, "%s: unknown modifier", word);
		pms_hint(err, "there are :u (user), :k (kernel) and :h (hypervisor)");
		return rc;
	}
	snprintf(base, sizeof(base), "%.*s", (int)(modifiers - word), word);
	int64_t found = find_base(catalog, base, err);
	if (found == -PMS_ENAME)
		return no_such_event(catalog, base, err);
	return found < 0 || !modes ? found : add_modes(catalog, found, modifiers, err);
}

int64_t pms_live_event_lacking(struct pms_catalog *catalog, const char *name, struct pms_error *err)
{
	struct pms_event event = { .name = name,
				   .title = "An event of other cores",
				   .code = PMS_CODE_LACKING };
	int64_t found = pms_catalog_find_event(catalog, name);
	return found >= 0 ? found : pms_catalog_append_event(catalog, &event, err);
}

/* Returns the code that the machine's own cores use for an event of their architecture's
 * catalog. */
static const struct pms_core_code *core_code(const struct pms_perf_core *core, size_t event)
{
	for (size_t i = 0; i < pms_catalog_core_codes(core->catalog); i++) {
		const struct pms_core_code *code = pms_catalog_core_code(core->catalog, i);
		if (code->event == event &&
		    (code->core->is_any || (core->core && !strcmp(code->core->title, core->core))))
			return code;
	}
	return NULL;
}

/* Returns Linux's name for the two events that it counts on every core. */
static const char *architectural(const struct pms_catalog *catalog, int64_t event)
{
	if (event < 0)
		return NULL;
	return event == pms_catalog_find_role(catalog, PMS_CATALOG_CYCLES)	   ? "cycles"
	       : event == pms_catalog_find_role(catalog, PMS_CATALOG_INSTRUCTIONS) ? "instructions"
										   : NULL;
}

static int use_kernel_event(const char *name, struct perf_event_attr *attr)
{
	const struct pms_kernel_event *kernel = pms_kernel_event_find(name);
	if (!kernel)
		return -PMS_EHOST;
	attr->type = kernel->type;
	attr->config = kernel->config;
	return 0;
}

/* Encode an event by the codes of the machine's own core, since the catalog's may differ. */
static int encode_by_core(const struct pms_perf_core *core, const struct pms_event *event,
			  struct perf_event_attr *attr, char *because, size_t size)
{
	char base[LONGEST_WORD + 1];
	snprintf(base, sizeof(base), "%.*s", (int)(pms_perf_modifiers(event->name) - event->name),
		 event->name);
	int64_t index = pms_catalog_find_event(core->catalog, base);
	const struct pms_core_code *code = index < 0 ? NULL : core_code(core, (size_t)index);
	const char *generic =
		code && code->generic ? code->generic : architectural(core->catalog, index);
	if (code && !code->generic) {
		attr->type = core->pmu->type;
		attr->config = (uint64_t)code->code;
		return 0;
	}
	if (generic && !use_kernel_event(generic, attr))
		return 0;
	if (core->core)
		snprintf(because, size, "no code of the %s is known for it", core->core);
	else
		snprintf(because, size, "no codes of this machine's cores are known");
	return -PMS_EHOST;
}

/* Encode an event, or say why this machine cannot count it. */
static int encode(const struct pms_perf_core *core, const struct pms_event *event,
		  struct perf_event_attr *attr, char *because, size_t size)
{
	const struct pms_kernel_event *kernel = event->code < 0 ? kernel_event(event->name) : NULL;
	if (kernel)
		return use_kernel_event(kernel->name, attr);
	if (event->code == PMS_CODE_LACKING) {
		snprintf(because, size, "%s cores have no such event",
			 pms_catalog_cpu(core->catalog)->product);
		return -PMS_EHOST;
	}
	if (!core->pmu) {
		snprintf(because, size, "this machine has no PMU");
		return -PMS_EHOST;
	}
	if (event->code < 0)
		return encode_by_core(core, event, attr, because, size);
	attr->type = core->pmu->type;
	attr->config = (uint64_t)event->code;
	return 0;
}

int pms_perf_encode(const struct pms_perf_core *core, const struct pms_event *event, unsigned modes,
		    struct perf_event_attr *attr, char *because, size_t size)
{
	enum { ALL = PMS_LIVE_USER | PMS_LIVE_KERNEL | PMS_LIVE_HYPERVISOR };
	int own = pms_perf_modes(pms_perf_modifiers(event->name));
	if (own > 0)
		modes = (unsigned)own;
	if (core->whole && modes != ALL && !pms_perf_is_software(event)) {
		snprintf(because, size,
			 "the counters of this machine do not tell user mode from the kernel");
		return -PMS_EHOST;
	}
	if (pms_perf_is_in_kernel(event) && !(modes & PMS_LIVE_KERNEL)) {
		snprintf(because, size, "it happens in the kernel, which is not counted here");
		return -PMS_EHOST;
	}
	attr->exclude_user = !(modes & PMS_LIVE_USER);
	attr->exclude_kernel = !(modes & PMS_LIVE_KERNEL);
	attr->exclude_hv = !(modes & PMS_LIVE_HYPERVISOR);
	return encode(core, event, attr, because, size);
}

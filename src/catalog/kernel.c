/* SPDX-License-Identifier: MIT */
#include "catalog/kernel.h"

#include <linux/perf_event.h>
#include <string.h>

#include "base/status.h"
#include "catalog/catalog.h"

#define SOFTWARE PERF_TYPE_SOFTWARE
#define HARDWARE PERF_TYPE_HARDWARE

static const struct pms_kernel_event events[] = {
	{ "cpu-clock", NULL, "Time on a CPU, ns", SOFTWARE, PERF_COUNT_SW_CPU_CLOCK },
	{ "task-clock", NULL, "Time that tasks ran, ns", SOFTWARE, PERF_COUNT_SW_TASK_CLOCK },
	{ "context-switches", "cs", "Context switches", SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cpu-migrations", "migrations", "Moves of a task to another CPU", SOFTWARE,
	  PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "page-faults", "faults", "Page faults", SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ "minor-faults", NULL, "Page faults without input or output", SOFTWARE,
	  PERF_COUNT_SW_PAGE_FAULTS_MIN },
	{ "major-faults", NULL, "Page faults with input or output", SOFTWARE,
	  PERF_COUNT_SW_PAGE_FAULTS_MAJ },
	{ "alignment-faults", NULL, "Accesses that the kernel had to align", SOFTWARE,
	  PERF_COUNT_SW_ALIGNMENT_FAULTS },
	{ "emulation-faults", NULL, "Instructions that the kernel had to emulate", SOFTWARE,
	  PERF_COUNT_SW_EMULATION_FAULTS },
	{ "cycles", "cpu-cycles", "CPU cycles", HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "instructions", NULL, "Instructions, retired", HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ "branches", "branch-instructions", "Branches", HARDWARE,
	  PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-misses", NULL, "Branches that were predicted wrong", HARDWARE,
	  PERF_COUNT_HW_BRANCH_MISSES },
	{ "cache-references", NULL, "Accesses to the cache that the kernel picks", HARDWARE,
	  PERF_COUNT_HW_CACHE_REFERENCES },
	{ "cache-misses", NULL, "Misses of that cache", HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
	{ "bus-cycles", NULL, "Cycles of the bus", HARDWARE, PERF_COUNT_HW_BUS_CYCLES },
	{ "stalled-cycles-frontend", "idle-cycles-frontend", "Cycles stalled in the frontend",
	  HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "stalled-cycles-backend", "idle-cycles-backend", "Cycles stalled in the backend",
	  HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "ref-cycles", NULL, "Cycles of a clock that does not change", HARDWARE,
	  PERF_COUNT_HW_REF_CPU_CYCLES },
};

const struct pms_kernel_event *pms_kernel_event_find(const char *name)
{
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		if (!pms_name_compare(events[i].name, name) ||
		    (events[i].alias && !pms_name_compare(events[i].alias, name)))
			return &events[i];
	return NULL;
}

/* Copy the events to room for one more. The old array stays in the arena, since callers borrow
 * events. */
static struct pms_event *grow_events(struct pms_catalog *catalog)
{
	struct pms_event *grown =
		pms_arena_alloc(&catalog->arena, catalog->n_events + 1, sizeof(*grown));
	if (grown && catalog->n_events)
		memcpy(grown, catalog->events, catalog->n_events * sizeof(*grown));
	return grown;
}

static struct pms_name_row *grow_names(struct pms_catalog *catalog)
{
	const struct pms_name_index *names = &catalog->event_names;
	struct pms_name_row *grown =
		pms_arena_alloc(&catalog->arena, names->count + 1, sizeof(*grown));
	if (grown && names->count)
		memcpy(grown, names->rows, names->count * sizeof(*grown));
	return grown;
}

int64_t pms_catalog_append_event(struct pms_catalog *catalog, const struct pms_event *event,
				 struct pms_error *err)
{
	struct pms_event *grown = grow_events(catalog);
	struct pms_name_row *names = grow_names(catalog);
	struct pms_event copy = { .name = pms_arena_dup(&catalog->arena, event->name),
				  .title = pms_arena_dup(&catalog->arena, event->title),
				  .description = "",
				  .code = event->code };
	if (!grown || !names || !copy.name || !copy.title)
		return pms_no_memory(err);
	size_t i = catalog->n_events;
	grown[i] = copy;
	names[catalog->event_names.count++] = (struct pms_name_row){ copy.name, i };
	catalog->events = grown;
	catalog->event_names.rows = names;
	catalog->n_events = i + 1;
	pms_name_index_sort(&catalog->event_names);
	return (int64_t)i;
}

int pms_catalog_load_kernel(struct pms_catalog **out, struct pms_error *err)
{
	static const char text[] =
		"{\"product_configuration\": {\"product_name\": \"Linux\", "
		"\"architecture\": \"any\", \"num_slots\": 0, \"num_counters\": 4}, "
		"\"document\": {\"revision\": \"" PMS_VERSION "\"}, "
		"\"events\": {}, \"metrics\": {}, "
		"\"groups\": {\"function\": {}, \"metrics\": {}}, \"methodologies\": {}}";
	struct pms_json json = { 0 };
	struct pms_catalog *catalog = NULL;
	int rc = pms_json_parse(PMS_KERNEL_CPU, text, sizeof(text) - 1, &json, err);
	if (!rc)
		rc = pms_catalog_build(PMS_KERNEL_CPU, &json, &catalog, err);
	pms_json_release(&json);
	for (size_t i = 0; !rc && i < sizeof(events) / sizeof(events[0]); i++) {
		struct pms_event event = { .name = events[i].name,
					   .title = events[i].title,
					   .code = -1 };
		rc = pms_catalog_append_event(catalog, &event, err) < 0 ? -PMS_ENOMEM : 0;
	}
	if (rc)
		pms_catalog_free(catalog);
	else
		*out = catalog;
	return rc;
}

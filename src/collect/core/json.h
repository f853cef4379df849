/* SPDX-License-Identifier: MIT */
/* collect/core/json.h - load core.json: the numbers of a modelled core, and how it counts each
 * event. Flow: core.json -> [core_json] -> struct pms_params in the shared mapping; counters ->
 * events. */
#ifndef PMS_COLLECT_CORE_JSON_H
#define PMS_COLLECT_CORE_JSON_H

#include <stddef.h>

#include "catalog/json.h"
#include "pmuscope/counts.h"
#include "vcore/share/counters.h"
#include "vcore/share/params.h"

enum { PMS_RULE_TERMS = 24 };

/** How the model counts one event: as a sum of its counters, or not at all. */
struct pms_rule {
	enum pms_count_state state; /* PMS_COUNTED, PMS_NOT_MODELLED */
	enum pms_count_class cls;
	unsigned n_terms;
	struct {
		enum pms_counter counter;
		int sign; /* 1 or -1 */
	} terms[PMS_RULE_TERMS];
	char *because; /* why it is not modelled, or why there never are any; owned */
};

/** Events of the catalog that the rules are for. */
struct pms_core_events {
	const char *const *names;
	size_t count;
	int foreign; /* 1: another CPU's catalog, which may lack events of the file */
};

struct pms_core_file {
	char name[64];
	struct pms_params params;
	struct pms_rule *rules; /* one for each event asked for, in that order */
	size_t n_rules;
};

/**
 * Read the contents of a core.json.
 * @events: one that the file has no row for is PMS_NOT_MODELLED for that reason
 * @out:    written only on success; release with pms_core_file_release
 * Returns 0. Errors: -PMS_ENOMEM, -PMS_EPARSE with file, line, column and path: a key missing,
 *         unknown or of the wrong type, a name that no parameter, class, port, queue, counter or
 *         event has, a value out of range, sizes that make no cache.
 */
int pms_core_file_read(const struct pms_json *json, const struct pms_core_events *events,
		       struct pms_core_file *out, struct pms_error *err);

/** Read the file at @path, which may have a base. Errors: as pms_core_file_read, pms_json_load
 * and pms_core_complete. */
int pms_core_file_load(const char *path, const struct pms_core_events *events,
		       struct pms_core_file *out, struct pms_error *err);
void pms_core_file_release(struct pms_core_file *file);

#endif

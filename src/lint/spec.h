/* SPDX-License-Identifier: MIT */
/* lint/spec.h - a specification as it stands, contradictions and all. Texts and places are borrowed
 * from the parsed files; missing parts are NULL. */
#ifndef PMS_LINT_SPEC_H
#define PMS_LINT_SPEC_H

#include "base/arena.h"
#include "base/name.h"
#include "catalog/formula.h"
#include "catalog/json.h"
#include "pmuscope/catalog.h"
#include "pmuscope/lint.h"

/** A name and its place. */
struct pms_lint_name {
	const char *text;
	const struct pms_json_place *at;
};

struct pms_lint_names {
	struct pms_lint_name *rows;
	size_t n;
};

struct pms_lint_event {
	struct pms_lint_name name;
	const struct pms_json_place *code_at;
	int64_t code; /* -1: none, or not readable */
	int grouped;
};

struct pms_lint_metric {
	struct pms_lint_name name, formula, units;
	struct pms_formula *program; /* NULL: cannot be compiled */
	struct pms_lint_names events, samples;
	int lists_events;
	struct pms_lint_name threshold; /* perf's: an expression */
	struct pms_lint_name group;	/* perf's */
	int grouped;
};

struct pms_lint_group {
	enum pms_group_kind kind;
	struct pms_lint_name name;
	struct pms_lint_names members;
};

struct pms_lint_node {
	struct pms_lint_name name, group;
	struct pms_lint_names next;
};

enum pms_lint_layout { PMS_LINT_TELEMETRY, PMS_LINT_PERF };

struct pms_lint_spec {
	enum pms_lint_layout layout;
	unsigned slots; /* 0: not said */
	struct pms_lint_event *events;
	struct pms_lint_metric *metrics;
	struct pms_lint_group *groups;
	struct pms_lint_node *nodes;
	size_t n_events, n_metrics, n_groups, n_nodes;
	struct pms_lint_names roots, stages; /* stages: groups of every stage */
	struct pms_name_index event_names, metric_names, node_names;
	struct pms_name_index group_names; /* of groups of metrics */
	struct pms_name_index members;	   /* their members, each with its group's number */
};

/** A finding before its place is looked up in the text. */
struct pms_lint_found {
	struct pms_lint_finding finding;
	const struct pms_json_place *at;
	const struct pms_json_place *first; /* first use of a repeated name; NULL: not about one */
};

struct pms_lint {
	struct pms_arena arena; /* places, arrays, texts of findings */
	struct pms_json **files;
	size_t n_files;
	struct pms_lint_found *found;
	size_t n_found;
	size_t n_guesses; /* names that were compared with unknown ones */
	int failed;	  /* out of memory */
};

/** Report a fault at a place. Beyond some thousands, findings are dropped. */
__attribute__((format(printf, 4, 5))) void pms_lint_add(struct pms_lint *lint, const char *rule,
							const struct pms_json_place *at,
							const char *format, ...);

/** Report a repetition: the text is followed by ", in FILE:LINE" of @first, which must be a kept
 * place. */
__attribute__((format(printf, 5, 6))) void
pms_lint_add_again(struct pms_lint *lint, const char *rule, const struct pms_json_place *at,
		   const struct pms_json_place *first, const char *format, ...);

/** Allocate @count elements in the arena. Returns NULL, and marks the lint as failed, when out of
 * memory. */
void *pms_lint_room(struct pms_lint *lint, size_t count, size_t size);

/** Copy a place to the arena; its parents must be kept. Returns NULL as pms_lint_room. */
const struct pms_json_place *pms_lint_keep(struct pms_lint *lint, struct pms_json_place place);

/* Get and keep members of an object; a wrong kind is reported. */
const struct pms_json_place *pms_lint_get(struct pms_lint *lint, const struct pms_json_place *at,
					  const char *key, int kinds);
struct pms_lint_name pms_lint_get_text(struct pms_lint *lint, const struct pms_json_place *at,
				       const char *key, int optional);
struct pms_lint_names pms_lint_get_names(struct pms_lint *lint, const struct pms_json_place *at,
					 const char *key, int optional);

/** Read the code at the member @key of @at, if there is one: "0x11", "17" or 17. */
void pms_lint_get_code(struct pms_lint *lint, const struct pms_json_place *at, const char *key,
		       struct pms_lint_event *event);

/** Compile a metric's formula, if it has one; a mistake in it is reported. */
void pms_lint_compile(struct pms_lint *lint, struct pms_lint_metric *metric);

/** Index all names, once all are read. */
void pms_lint_index(struct pms_lint *lint, struct pms_lint_spec *spec);

/** Find the rows of spec->members with the name: from the returned index up to @end. */
size_t pms_lint_members(const struct pms_lint_spec *spec, const char *name, size_t *end);

/* Readers: a file in Arm's layout, and the arrays of all files in perf's. */
void pms_lint_read_telemetry(struct pms_lint *lint, const struct pms_json_place *root,
			     struct pms_lint_spec *spec);
void pms_lint_read_perf(struct pms_lint *lint, const struct pms_json_place *const *roots, size_t n,
			struct pms_lint_spec *spec);

/* Rules. */
void pms_lint_names_rules(struct pms_lint *lint, struct pms_lint_spec *spec);
void pms_lint_formula_rules(struct pms_lint *lint, const struct pms_lint_spec *spec);
void pms_lint_tree_rules(struct pms_lint *lint, const struct pms_lint_spec *spec);

/** Release what is not in the arena: the programs. */
void pms_lint_spec_release(struct pms_lint_spec *spec);

#endif

/* SPDX-License-Identifier: MIT */
/* lint/spec.h - a specification as it stands, contradictions and all. Texts and places are borrowed
 * from the parsed files; whatever is missing is NULL. */
#ifndef PMS_LINT_SPEC_H
#define PMS_LINT_SPEC_H

#include "base/arena.h"
#include "base/name.h"
#include "catalog/formula.h"
#include "catalog/json.h"
#include "pmuscope/catalog.h"
#include "pmuscope/lint.h"

/** A name where it stands. */
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
	int64_t code; /* -1: none, or none that can be read */
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
	struct pms_name_index members;	   /* of these, each with its group's number */
};

/** A finding before its place is looked up in the text. */
struct pms_lint_found {
	struct pms_lint_finding finding;
	const struct pms_json_place *at;
	const struct pms_json_place *first; /* of what is there again; NULL: of nothing */
};

struct pms_lint {
	struct pms_arena arena; /* places, arrays, texts of findings */
	struct pms_json **files;
	size_t n_files;
	struct pms_lint_found *found;
	size_t n_found;
	size_t n_guesses; /* names that were held against unknown ones */
	int failed;	  /* out of memory */
};

/** Report what is wrong at a place. Beyond some thousands, nothing is added any more. */
__attribute__((format(printf, 4, 5))) void pms_lint_add(struct pms_lint *lint, const char *rule,
							const struct pms_json_place *at,
							const char *format, ...);

/** Report what is there again: ", in FILE:LINE" of @first, a place that stays, follows the text. */
__attribute__((format(printf, 5, 6))) void
pms_lint_add_again(struct pms_lint *lint, const char *rule, const struct pms_json_place *at,
		   const struct pms_json_place *first, const char *format, ...);

/** Room in the arena for @count elements; NULL marks the lint as failed. */
void *pms_lint_room(struct pms_lint *lint, size_t count, size_t size);

/** A place that stays: a copy in the arena, of one whose parents stay. NULL as above. */
const struct pms_json_place *pms_lint_keep(struct pms_lint *lint, struct pms_json_place place);

/* Members of an object, kept; what is of the wrong kind is reported. */
const struct pms_json_place *pms_lint_get(struct pms_lint *lint, const struct pms_json_place *at,
					  const char *key, int kinds);
struct pms_lint_name pms_lint_get_text(struct pms_lint *lint, const struct pms_json_place *at,
				       const char *key, int optional);
struct pms_lint_names pms_lint_get_names(struct pms_lint *lint, const struct pms_json_place *at,
					 const char *key, int optional);

/** "0x11", "17" or 17 at the member @key of @at, if there is one. */
void pms_lint_get_code(struct pms_lint *lint, const struct pms_json_place *at, const char *key,
		       struct pms_lint_event *event);

/** Compile a metric's formula, if it has one; a mistake in it is reported. */
void pms_lint_compile(struct pms_lint *lint, struct pms_lint_metric *metric);

/** Index the names of all, once all are read. */
void pms_lint_index(struct pms_lint *lint, struct pms_lint_spec *spec);

/** Rows of spec->members with the name: from what is returned up to @end. */
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

/* SPDX-License-Identifier: MIT */
/* pmuscope/counts.h - what was counted, for how long, where, and by what.
 * Flow: catalog -> plan -> collect -> [counts] -> analyse -> show. */
#ifndef PMUSCOPE_COUNTS_H
#define PMUSCOPE_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "pmuscope/catalog.h"

#ifdef __cplusplus
extern "C" {
#endif

enum pms_count_state {
	PMS_NOT_COUNTED = 0,  /* not asked for, or never scheduled */
	PMS_COUNTED,
	PMS_NOT_SUPPORTED,    /* this machine lacks the event */
	PMS_NOT_MODELLED      /* the core model has no such mechanism */
};

/** How a modelled count is to be read (core.json's class of the event); COUNT_MEASURED for a PMU. */
enum pms_count_class { PMS_COUNT_MEASURED = 0, PMS_COUNT_EXACT, PMS_COUNT_MODELLED };

struct pms_count {
	enum pms_count_state state;
	enum pms_count_class cls;
	uint64_t value;      /* raw, not scaled; meaningful only when state is PMS_COUNTED */
	uint64_t enabled_ns; /* time_enabled; 0 for a modelled count */
	uint64_t running_ns; /* time_running: less than enabled when multiplexed */
	const char *because; /* why there is no value, borrowed from the counts; NULL when there is */
};

enum pms_scope_kind { PMS_SCOPE_TOTAL, PMS_SCOPE_CPU, PMS_SCOPE_THREAD, PMS_SCOPE_CORE };

/** One column of counts: the total, or a thread's, or a CPU's. */
struct pms_scope {
	enum pms_scope_kind kind;
	int64_t id;               /* tid or CPU number; 0 for the total */
	char name[32];            /* thread's name where known, else "" */
	struct pms_count *counts; /* one for each event of the catalog, by its index */
};

/** Where the numbers come from: shown in the heading of every format. */
struct pms_provenance {
	char source[16];        /* "vcore", "perf", "file" */
	int modelled;           /* 1: never shown as measured */
	char core[64];          /* "Neoverse V1": what was modelled or measured */
	char model_version[32]; /* of the core model; "" when measured */
	char **command;         /* argv of the program, NULL-terminated, owned */
	int exit_status;        /* as the shell shows it: 128+N for signal N */
	int signal;             /* that ended the program; 0: it ended by itself */
	unsigned counters_available; /* programmable counters */
};

struct pms_counts {
	const struct pms_catalog *catalog; /* borrowed: must outlive the counts */
	struct pms_provenance provenance;
	struct pms_scope total;   /* the sum over scopes */
	struct pms_scope *scopes; /* n_scopes of them; none when nothing was told apart */
	size_t n_scopes;
	char **warnings;          /* what was not counted and why, n_warnings sentences, owned */
	size_t n_warnings;
	char **strings;           /* owns every `because`, n_strings of them */
	size_t n_strings;
};

/** A new, empty set of counts: every event PMS_NOT_COUNTED. Returns NULL when out of memory. */
struct pms_counts *pms_counts_new(const struct pms_catalog *catalog);
void pms_counts_free(struct pms_counts *counts);

/** Append a scope (all PMS_NOT_COUNTED). Returns it, borrowed until the next call; NULL: no memory. */
struct pms_scope *pms_counts_add_scope(struct pms_counts *counts, enum pms_scope_kind kind,
				       int64_t id);
/** Keep a copy of @text as long as @counts lives. Returns it, or NULL when out of memory. */
const char *pms_counts_keep(struct pms_counts *counts, const char *text);
/** Append a warning; the text is copied. Returns 0 or -PMS_ENOMEM. */
__attribute__((format(printf, 2, 3))) int pms_counts_warn(struct pms_counts *counts,
							  const char *format, ...);
/** Make the total the sum over scopes: states that differ give the weaker one, with its reason. */
void pms_counts_sum(struct pms_counts *counts);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: MIT */
/* pmuscope/counts.h - event counts: for how long, where, and by which source.
 * Flow: catalog -> plan -> collect -> [counts] -> analyse -> show. */
#ifndef PMUSCOPE_COUNTS_H
#define PMUSCOPE_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "pmuscope/catalog.h"
#include "pmuscope/gains.h"
#include "pmuscope/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

enum pms_count_state {
	PMS_NOT_COUNTED = 0, /* not asked for, or never scheduled */
	PMS_COUNTED,
	PMS_NOT_SUPPORTED, /* this machine lacks the event */
	PMS_NOT_MODELLED   /* the core model has no such mechanism */
};

/** How a modelled count is to be read (core.json's class of the event); COUNT_MEASURED for a PMU.
 */
enum pms_count_class { PMS_COUNT_MEASURED = 0, PMS_COUNT_EXACT, PMS_COUNT_MODELLED };

struct pms_count {
	enum pms_count_state state;
	enum pms_count_class cls;
	uint64_t value;	     /* raw; pms_count_scaled scales it up; meaningful only when state is
				PMS_COUNTED */
	uint64_t enabled_ns; /* time_enabled; 0 for a modelled count */
	uint64_t running_ns; /* time_running: less than enabled when multiplexed */
	const char *because; /* why there is no value, borrowed from the counts; else NULL */
	double scaled;	     /* value scaled up to the time enabled, if the source gives it; 0:
				pms_count_scaled computes it */
	double spread; /* relative standard error over repeated runs (perf stat -r), a fraction;
			* 0: one run, or not told */
	/* The error of a sum whose parts had counters for different shares of the time. Both 0:
	 * pms_count_missed and pms_count_phases compute it from the times. */
	double missed, phases;
	int loose_times; /* 1: the times come from a printed percentage, so equal times do not prove
			    that two events were counted in the same windows */
};

enum pms_scope_kind {
	PMS_SCOPE_TOTAL,
	PMS_SCOPE_CPU,
	PMS_SCOPE_THREAD,
	PMS_SCOPE_CORE,
	/* Sums over CPUs as perf stat aggregates them. The name tells which ("S0-D1"). */
	PMS_SCOPE_CLUSTER,
	PMS_SCOPE_CACHE,
	PMS_SCOPE_DIE,
	PMS_SCOPE_SOCKET,
	PMS_SCOPE_NODE
};

/** The counts of each run of a command that was run repeatedly. They are of events counted
 * together: the events of a pass, or all events where there is one pass. Runs that lack one event
 * are left out. */
struct pms_runs {
	size_t pass;	/* 0 where there are no passes */
	size_t *events; /* by index in the catalog, n_events of them */
	size_t n_events;
	double *values; /* counts scaled up, run by run: n_runs times n_events of them */
	size_t n_runs;
};

/** What a sampled run tells of a column: how much was counted in detail, and how it scatters. */
struct pms_sample {
	uint64_t instructions; /* that ran; their number is exact */
	/* The instructions in windows and at the start, whose events were counted. The start has
	 * those beyond the sum of `sizes`. */
	uint64_t counted;
	uint64_t windows;
	/* The windows, dealt to groups by lot: n_groups columns of each group's counts, by event
	 * index, owned. Fewer than two groups tell nothing of the scatter. */
	double **groups;
	double *sizes; /* instructions that each group's windows counted, owned */
	size_t n_groups;
};

/** One column of counts: the total, or a thread's, or a CPU's. */
struct pms_scope {
	enum pms_scope_kind kind;
	int64_t id;    /* number of the thread, CPU, core, …; 0 for the total */
	char name[32]; /* a thread's name where known; of aggregated CPUs, "S0-D0-C3"; else "" */
	struct pms_count *counts; /* one for each event of the catalog, by its index */
	/* The counts of each pass, in the same form, where events did not fit into one. Events of a
	 * pass were counted at the same time. n_passes of them; none where one pass held all. */
	struct pms_count **passes;
	size_t n_passes;
	struct pms_runs *runs; /* n_runs of them, at most one for each pass; none where the command
				  ran once */
	size_t n_runs;
	/* For a sampled run, else NULL; owned. Counts are then estimates for the whole run:
	 * `scaled` holds the estimate, `value` the rounded one. */
	struct pms_sample *sample;
};

/** Which part of a program was counted. Limits are rounded up to whole blocks of instructions. */
struct pms_extent {
	uint64_t forward;   /* instructions to leave out at the start; 0: none */
	uint64_t forwarded; /* instructions that were left out */
	char *region;	    /* function that was counted with what it calls; NULL: no such limit */
	uint64_t entries;   /* how often it was entered from outside */
	uint64_t outside;   /* instructions that ran outside of it */
	uint64_t warm, detail, skip; /* instructions of each part of a period, for each thread;
					detail 0: not sampled */
};

/** Where the numbers come from: shown in the heading of every format. */
struct pms_provenance {
	char source[16];	     /* "vcore", "perf", "file" */
	int modelled;		     /* 1: never shown as measured */
	char core[64];		     /* "Neoverse V1": what was modelled or measured */
	char model_version[32];	     /* of the core model; "" when measured */
	char **command;		     /* argv of the program, NULL-terminated, owned */
	int exit_status;	     /* as the shell shows it: 128+N for signal N */
	int signal;		     /* the signal that ended the program; 0: it ended by itself */
	unsigned counters_available; /* programmable counters; 0: not known */
	char modes[32]; /* "user", where only user mode was counted or modelled; "": all modes */
	uint64_t midr;	/* MIDR_EL1 of the cores that were measured; 0: not known */
	char *file;	/* source "file": its name, owned; else NULL */
	struct pms_extent extent; /* its region is owned */
};

struct pms_counts {
	const struct pms_catalog *catalog; /* borrowed: must outlive the counts */
	struct pms_provenance provenance;
	struct pms_scope total;	  /* the sum over scopes */
	struct pms_scope *scopes; /* n_scopes of them; none when nothing was told apart */
	size_t n_scopes;
	char **warnings; /* what was not counted and why, n_warnings sentences, owned */
	size_t n_warnings;
	char **strings; /* owns every `because`, n_strings of them */
	size_t n_strings;
	void *strings_by_text;			   /* index of `strings`, by text */
	struct pms_shared_command *shared_command; /* owns provenance.command, shared with other
						      counts; NULL: these counts own it */
	struct pms_profile *profile;		   /* where in the program; owned. NULL: places were
						      not recorded, as of intervals */
	struct pms_gains *gains; /* what ideal cores would save; owned. NULL: they were not run */
	int has_time;		 /* 1: one interval of several */
	double time;		 /* its end, s since counting began */
};

/** Make a new, empty set of counts: every event PMS_NOT_COUNTED. Returns NULL when out of
 * memory. */
struct pms_counts *pms_counts_new(const struct pms_catalog *catalog);
void pms_counts_free(struct pms_counts *counts);

/** Append a scope (all PMS_NOT_COUNTED). Returns it, borrowed until the next call; NULL: no memory.
 */
struct pms_scope *pms_counts_add_scope(struct pms_counts *counts, enum pms_scope_kind kind,
				       int64_t id);
/** Append a pass (all PMS_NOT_COUNTED) to @scope, which is one of @counts or its total. Returns its
 * counts, borrowed until @counts is freed; NULL: no memory. */
struct pms_count *pms_scope_add_pass(const struct pms_counts *counts, struct pms_scope *scope);
/** Append runs of @pass, all of whose values are 0. @events: n of them, copied. Returns them,
 * borrowed until the next call; NULL: no memory. */
struct pms_runs *pms_scope_add_runs(struct pms_scope *scope, size_t pass, const size_t *events,
				    size_t n_events, size_t n_runs);
/** Say that @scope was sampled, in groups that are all 0. Returns its sample, borrowed; NULL: no
 * memory. */
struct pms_sample *pms_scope_add_sample(const struct pms_counts *counts, struct pms_scope *scope,
					size_t n_groups);
/** Returns the counts to compute a metric from: of the first pass that has all of its events, else
 * of the whole scope. Borrowed. */
const struct pms_count *pms_scope_of_metric(const struct pms_scope *scope,
					    const struct pms_metric *metric);
/** Keep a copy of @text as long as @counts lives. Returns it, or NULL when out of memory. */
const char *pms_counts_keep(struct pms_counts *counts, const char *text);
/** Append a warning; the text is copied. Returns 0 or -PMS_ENOMEM. */
__attribute__((format(printf, 2, 3))) int pms_counts_warn(struct pms_counts *counts,
							  const char *format, ...);
/** Returns 1 when a count says anything: it had a counter for some of the time. */
static inline int pms_count_is_known(const struct pms_count *count)
{
	return count->state == PMS_COUNTED && (count->running_ns || !count->enabled_ns);
}

/** Returns @count scaled up to the time enabled: value x enabled / running, or `scaled` where
 * given. Meaningless unless pms_count_is_known. */
double pms_count_scaled(const struct pms_count *count);
/** Returns how many events were missed for each one seen: (1 - f) / f, where f is the share of time
 * that the event had a counter. For a sum: the mean, weighted by the scaled parts. 0: none were
 * missed. */
double pms_count_missed(const struct pms_count *count);
/** Returns the relative variance of the scaled count, since the windows that had a counter may not
 * be typical. See docs/use/methodology.md. */
double pms_count_phases(const struct pms_count *count);
/** Add @part to @total: values and times, each scaled up by its own times. When the states differ,
 * the weaker one wins, with its reason. */
void pms_count_add(struct pms_count *total, const struct pms_count *part);
/** Set the total to the sum over scopes. When states differ, the weaker one wins, with its
 * reason. */
void pms_counts_sum(struct pms_counts *counts);

#ifdef __cplusplus
}
#endif
#endif

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
	uint64_t value; /* raw, not scaled: pms_count_scaled says what it comes to; meaningful only
			 * when state is PMS_COUNTED */
	uint64_t enabled_ns; /* time_enabled; 0 for a modelled count */
	uint64_t running_ns; /* time_running: less than enabled when multiplexed */
	const char *because; /* why there is no value, borrowed from the counts; else NULL */
	double scaled; /* value scaled up to the time enabled, as the source gives it; 0: it gives
			* none, and pms_count_scaled works it out */
	double spread; /* relative standard error over repeated runs (perf stat -r), a fraction;
			* 0: one run, or not told */
	/* Of a sum whose parts had counters for different shares of the time, how far off it may
	 * be; both 0: pms_count_missed and pms_count_phases work it out of the times. */
	double missed, phases;
	int loose_times; /* 1: the times come of a printed percentage, and equal ones do not mean
			  * that two events were counted in the same windows */
};

enum pms_scope_kind {
	PMS_SCOPE_TOTAL,
	PMS_SCOPE_CPU,
	PMS_SCOPE_THREAD,
	PMS_SCOPE_CORE,
	/* As perf stat puts CPUs together: their sum. The name tells which ("S0-D1"). */
	PMS_SCOPE_CLUSTER,
	PMS_SCOPE_CACHE,
	PMS_SCOPE_DIE,
	PMS_SCOPE_SOCKET,
	PMS_SCOPE_NODE
};

/** What each run of a command that was run repeatedly counted, of events that were counted
 * together: those of a pass, or all where there is one. Runs that lack one of them are not here. */
struct pms_runs {
	size_t pass;	/* 0 where there are no passes */
	size_t *events; /* by index in the catalog, n_events of them */
	size_t n_events;
	double *values; /* counts scaled up, run by run: n_runs times n_events of them */
	size_t n_runs;
};

/** What a sampled run tells of a column: how much of it was looked at, and how that scatters. */
struct pms_sample {
	uint64_t instructions; /* that ran, each counted */
	/* Those of them that were counted: in windows, and at the start, which is counted as a
	 * whole. How many that were is what is more than in `sizes`. */
	uint64_t counted;
	uint64_t windows;
	/* The windows, dealt to groups by lot: n_groups columns of what each group's windows
	 * counted, by the index of the event, owned. Fewer than two tell nothing of the scatter. */
	double **groups;
	double *sizes; /* instructions that each group's windows counted, owned */
	size_t n_groups;
};

/** One column of counts: the total, or a thread's, or a CPU's. */
struct pms_scope {
	enum pms_scope_kind kind;
	int64_t id;    /* number of the thread, CPU, core, …; 0 for the total */
	char name[32]; /* of a thread where known; of CPUs together, "S0-D0-C3"; else "" */
	struct pms_count *counts; /* one for each event of the catalog, by its index */
	/* Where events did not fit into one pass, what each pass counted, in the same form: events
	 * of the same pass were counted at the same time. n_passes of them, none when all did. */
	struct pms_count **passes;
	size_t n_passes;
	struct pms_runs *runs; /* n_runs of them, one a pass at most; none where it was run once */
	size_t n_runs;
	/* Of a sampled run, else NULL; owned. Counts are then estimates for the whole, in `scaled`
	 * as they were worked out and in `value` rounded. */
	struct pms_sample *sample;
};

/** Which part of a program was counted, where it is not the whole. Instructions are by blocks. */
struct pms_extent {
	uint64_t forward;   /* instructions that were to be left out at the start; 0: none */
	uint64_t forwarded; /* that were */
	char *region;	    /* function that was counted with what it calls; NULL: no such limit */
	uint64_t entries;   /* how often it was entered from outside */
	uint64_t outside;   /* instructions that ran outside of it */
	uint64_t warm, detail, skip; /* of a period, each thread's; detail 0: not sampled */
};

/** Where the numbers come from: shown in the heading of every format. */
struct pms_provenance {
	char source[16];	     /* "vcore", "perf", "file" */
	int modelled;		     /* 1: never shown as measured */
	char core[64];		     /* "Neoverse V1": what was modelled or measured */
	char model_version[32];	     /* of the core model; "" when measured */
	char **command;		     /* argv of the program, NULL-terminated, owned */
	int exit_status;	     /* as the shell shows it: 128+N for signal N */
	int signal;		     /* that ended the program; 0: it ended by itself */
	unsigned counters_available; /* programmable counters; 0: not known */
	char modes[32]; /* "user", where the others were not counted, or not modelled; "": all were
			 */
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
	void *strings_by_text;			   /* the same, to be found */
	struct pms_shared_command *shared_command; /* owns provenance.command, with other counts;
						    * NULL: it is of these alone */
	int has_time;				   /* 1: one interval of several */
	double time;				   /* its end, s since counting began */
};

/** A new, empty set of counts: every event PMS_NOT_COUNTED. Returns NULL when out of memory. */
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
/** The counts that a metric is to be worked out from: those of the first pass that has all of its
 * events, else those of the whole. */
const struct pms_count *pms_scope_of_metric(const struct pms_scope *scope,
					    const struct pms_metric *metric);
/** Keep a copy of @text as long as @counts lives. Returns it, or NULL when out of memory. */
const char *pms_counts_keep(struct pms_counts *counts, const char *text);
/** Append a warning; the text is copied. Returns 0 or -PMS_ENOMEM. */
__attribute__((format(printf, 2, 3))) int pms_counts_warn(struct pms_counts *counts,
							  const char *format, ...);
/** Whether a count says anything: it had a counter for some of the time that it was asked for. */
static inline int pms_count_is_known(const struct pms_count *count)
{
	return count->state == PMS_COUNTED && (count->running_ns || !count->enabled_ns);
}

/** What @count comes to over the time enabled: value x enabled / running, or `scaled` where given.
 * Meaningless unless it was counted and had a counter. */
double pms_count_scaled(const struct pms_count *count);
/** Events that were not seen for each one that was: (1 - f) / f, f being the share of the time that
 * the event had a counter; of a sum, the mean of that over what its parts came to. 0: all were. */
double pms_count_missed(const struct pms_count *count);
/** Relative variance of what @count comes to, because the times in which the event had a counter
 * may not be typical of the others. See docs/use/methodology.md. */
double pms_count_phases(const struct pms_count *count);
/** Add @part to @total: values and times, each scaled up by its own; of states that differ the
 * weaker one, with its reason. */
void pms_count_add(struct pms_count *total, const struct pms_count *part);
/** Make the total the sum over scopes: states that differ give the weaker one, with its reason. */
void pms_counts_sum(struct pms_counts *counts);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: MIT */
/* collect/live/live.h - a measurement, as its files share it.
 *
 * A part (cores of one kind) has passes, a pass has members (events). A cell is a place to count
 * at: a task, a CPU, or a cgroup on a CPU. Each pass is opened in each cell as one group of the
 * kernel, whose members are counted at the same time or not at all. What was counted is added up by
 * row (a slot, which is a member of a pass, or an event) in columns (the total, and each scope). */
#ifndef PMS_COLLECT_LIVE_LIVE_H
#define PMS_COLLECT_LIVE_LIVE_H

#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>

#include "collect/live/event.h"
#include "collect/live/system.h"
#include "machine/pmu.h"
#include "pmuscope/live.h"

struct pms_perf_member {
	size_t event; /* index in the catalog */
	struct perf_event_attr attr;
	char *because; /* why the machine lacks it; NULL: it is there as far as is known */
	bool lacking;  /* it is known without asking the kernel */
	enum pms_count_state state; /* of the count that there is not, where it lacks the event */
	size_t row;		    /* of its event, among the part's rows */
	const char *doubt; /* why a count of 0 says nothing: "it read 0, …"; NULL: it is one */
};

struct pms_perf_pass {
	struct pms_perf_member *members;
	size_t n;
	size_t first;  /* slot of the first member, in the part */
	bool software; /* needs no counter */
};

/* What one member of a pass, or an event in all of its passes, counted in one column. */
struct pms_perf_tally {
	struct pms_count sum; /* over places where it had a counter; its state says if there are */
	uint64_t never;	      /* ns that it was to be counted in places where it never had one */
	unsigned places;      /* where it was to be counted */
	bool lacks;	      /* in one of them the machine lacks it */
};

/* What an event counted at one place, in one pass or in all. */
struct pms_perf_joined {
	struct pms_count read;
	bool lacks;
};

/* What it came to over runs. */
struct pms_perf_sum {
	uint64_t value, enabled, running;
	double scaled, squares; /* sums over runs of the scaled count, and of its square */
	double missed, phases;	/* of what counts say of their errors, times scaled + 1 */
	unsigned runs;		/* in which there was a count */
	unsigned places;
	double never; /* the most that was not counted for want of a counter, of all time */
	bool lacks;
};

struct pms_perf_part {
	const struct pms_catalog *catalog;
	struct pms_plan *plan;
	struct pms_perf_core core;
	uint64_t midr;		/* of its cores; 0: not known */
	bool is_foreign;	/* they are not known to be the catalog's, and what is counted
				 * is Linux's own events */
	char core_name[64];	/* whose codes are this machine's; "": the catalog's own */
	unsigned char *lacking; /* by event: 1: it is wanted, and the machine lacks it */
	unsigned char *tried;	/* by event: 1: a trial of it ran, 2: it never did */
	unsigned char *trust;	/* by event: enum pms_perf_trust */
	bool is_own;		/* this machine's cores are the catalog's */
	bool is_starved;	/* a trial never had a counter */
	int is_complete; /* the PMU has all that each has to have: 1 it has, -1 not, 0 not known */
	unsigned counters;	      /* programmable ones that were found free; 0: not known */
	struct pms_perf_pass *passes; /* those of counters come first */
	size_t n_passes;
	bool none_free;	  /* others have all programmable counters */
	bool has_cycles;  /* behind those of the plan, a pass has cycles alone */
	size_t n_counted; /* those of counters: the plan's, less those that the machine's lacks
			   * have left without an event of their own */
	size_t n_slots;	  /* members of passes */
	size_t n_rows;	  /* slots, then events: each once, whatever its passes */
	size_t room;	  /* columns that there is room for */
	struct pms_perf_tally *tallies;	 /* of the run or interval: columns x rows */
	struct pms_perf_sum *sums;	 /* over runs: columns x rows */
	struct pms_perf_joined *joining; /* by event, of the rows behind the slots: of one place */
	double *runs; /* the total's counts by run and slot; NULL: there is one run */
};

/* A column of the counts. Column 0 is the total. */
struct pms_perf_column {
	enum pms_scope_kind kind;
	int64_t id;
	char name[32];
};

struct pms_perf_cell {
	pid_t pid; /* -1: everything; with a cgroup flag: its descriptor */
	int cpu;   /* -1: wherever the task runs */
	unsigned long flags;
	size_t column;	  /* 0: none of its own */
	uint64_t enabled; /* ns that counting lasted, of a run that is over */
	uint64_t due;	  /* ns that it should have, at least */
};

/* Instead of a descriptor: the machine lacks the event there. */
enum { PMS_PERF_LACKS = -2 };

/* A pass that is open in a cell. Groups of a cell and part come one after the other. */
struct pms_perf_group {
	size_t part, pass, cell;
	int *fds;	/* by member; PMS_PERF_LACKS, or -1: there is nothing to count */
	uint64_t *ids;	/* by member */
	int leader;	/* descriptor; -1: none of the members is open */
	size_t open;	/* members that are */
	uint64_t since; /* when it was switched on, ns; 0: it is off */
	uint64_t due;	/* ns that it was on before */
	/* Enabled, running, then a value by member: as last read, at the moment that counts are
	 * made of, at the last interval, and what was counted before the CPU came back from being
	 * offline. */
	uint64_t *seen, *now, *before, *base;
};

/* Intervals that were not made: what they counted is in the one that followed. */
struct pms_perf_missed {
	unsigned late;	  /* ticks that were not read in time */
	unsigned skipped; /* readings that came faster than they could be made */
};

/* What all groups read at one moment: their numbers one after the other. */
struct pms_perf_reading {
	struct pms_perf_reading *next;
	uint64_t at_ns;
	struct pms_perf_missed missed; /* before it */
	size_t n_groups;
	size_t room; /* numbers */
	uint64_t numbers[];
};

/* Threads of processes that are no cells. */
enum { PMS_NEWCOMERS_NAMED = 8 };
struct pms_perf_newcomers {
	size_t n;
	char text[128]; /* the first of them, "12, 13" */
};

struct pms_live {
	const struct pms_perf_system *system;
	struct pms_live_options options;
	struct pms_pmus pmus;
	unsigned modes; /* PMS_LIVE_USER | … */
	struct pms_perf_part *parts;
	size_t n_parts;
	struct pms_perf_column *columns;
	size_t n_columns;
	struct pms_perf_cell *cells;
	size_t n_cells;
	struct pms_perf_group *groups; /* of the run */
	size_t n_groups;
	bool multirun;
	size_t runs;   /* of the command; 1 without one */
	size_t n_done; /* of these, those that are over */
	int cgroup;    /* descriptor; -1: none */
	char **notes;
	size_t n_notes;
	struct pms_cpus online;		     /* of a measurement of CPUs, when last looked */
	bool enabled;			     /* the groups are */
	struct pms_perf_newcomers newcomers; /* that may not be counted */
	unsigned returned;		     /* CPUs that came online during the measurement */
	struct pms_perf_missed missed;	     /* in all */
	struct pms_perf_missed just_missed;  /* that the interval read last has in it, too */
	bool hurried;			     /* intervals are read with a priority before others */
	int status;			     /* of waitpid(2), of the command */
	int interrupted; /* the last signal that came to end the measurement; 0: none */
	uint64_t start_ns;
	uint64_t seen_ns;    /* the moment of the groups' `seen`, as last read by this thread */
	uint64_t now_ns;     /* that of their `now` */
	struct rlimit files; /* of descriptors, before it was raised */
};

/* plan.c */

/** The most passes that a part has counters for, 1 at least. */
size_t pms_perf_most_passes(const struct pms_live *live);

/* error.c */

/** What was being opened when the kernel refused. */
struct pms_perf_place {
	const char *event; /* its name */
	pid_t pid;
	int cpu;
};
/** Turn an errno of perf_event_open(2) into a sentence and what to do. Returns -status. */
int pms_perf_refused(const struct pms_live *live, const struct pms_perf_place *place, int number,
		     struct pms_error *err);
/** The same for an event that only counts in modes that may not be counted. */
int pms_perf_refused_mode(const struct pms_live *live, const char *event, struct pms_error *err);
/** Refuse, since the PMU counts the kernel whatever it is asked, and this user may not. Returns
 * -PMS_EHOST. */
int pms_perf_refused_whole(const struct pms_live *live, struct pms_error *err);
/** Whether an errno says that the machine lacks the event, rather than that something is wrong. */
bool pms_perf_is_lack(int number);

/* target.c */

/** Whether what is to be measured makes sense. Errors: -PMS_EINVAL. */
int pms_perf_target_check(const struct pms_live_options *options, struct pms_error *err);
/** Make cells and columns of it, as it is now. @child: the command that waits to be started, 0:
 * none. Errors: -PMS_ENAME, -PMS_EHOST, -PMS_ENOMEM. */
int pms_perf_target_cells(struct pms_live *live, pid_t child, struct pms_error *err);
/** Which threads the processes have now that are no cells. */
void pms_perf_target_newcomers(const struct pms_live *live, struct pms_perf_newcomers *found);
/** Of a measurement of CPUs: find or add the cell of one. @cell: its index. Returns 1 when it was
 * asked for, 0 not. Errors: -PMS_ENOMEM. */
int pms_perf_target_cpu(struct pms_live *live, int cpu, size_t *cell, struct pms_error *err);
/** Whether every process or thread has ended; false where CPUs are measured. */
bool pms_perf_target_gone(const struct pms_live *live);
/** Whether CPUs are measured: with -a, -C or -G. */
bool pms_perf_target_is_cpus(const struct pms_live_target *target);
/** Whether the command itself is what is measured. */
bool pms_perf_target_is_command(const struct pms_live_target *target);

/* probe.c */

/** How many programmable counters of the PMU are free; -1: it cannot be told. */
int pms_perf_probe(const struct pms_live *live, const struct pms_perf_core *core);
/** Whether there is a counter that takes cycles alone: Arm's. */
bool pms_perf_has_cycles(const struct pms_perf_core *core);
/** How long, in ns, a trial waits for its turn where others have the counters. */
uint64_t pms_perf_patience(const struct pms_live *live, const struct pms_perf_core *core);

/** Whether the PMU refuses events that leave a mode out, as RISC-V's without Sscofpmf do. */
bool pms_perf_is_whole(const struct pms_live *live, const struct pms_perf_core *core);

/**
 * Whether some counter takes an event. Linux opens any raw code on RISC-V, and looks for a counter
 * only when it is to count; where there is none, the event's whole group goes without.
 * Returns true also when that cannot be tried.
 */
bool pms_perf_runs(const struct pms_live *live, const struct pms_perf_core *core,
		   const struct perf_event_attr *attr);

/** What every trial of one event or many has in common. */
void pms_perf_trial_attr(const struct pms_live *live, const struct pms_perf_core *core,
			 struct perf_event_attr *attr);
/** Run where the PMU is. @before: receives where it ran. Returns -1 where that cannot be. */
int pms_perf_move_to(const struct pms_pmu *pmu, cpu_set_t *before);

/* trial.c */

enum pms_perf_trial {
	PMS_TRIAL_NONE,	   /* it cannot be tried */
	PMS_TRIAL_STARVED, /* it never had a counter: others have them all */
	PMS_TRIAL_ZERO,	   /* it stayed 0 */
	PMS_TRIAL_COUNTS
};

/** Count an event of the PMU on this process, which does a little of everything meanwhile. */
enum pms_perf_trial pms_perf_try(const struct pms_live *live, const struct pms_perf_core *core,
				 uint64_t code);

/* trust.c */

enum pms_perf_trust {
	PMS_TRUST_UNKNOWN = 0,
	PMS_TRUST_FULL,		 /* it counts, and a 0 is one */
	PMS_TRUST_PARTIAL,	 /* a 0 says nothing: the PMU lacks what each has to have */
	PMS_TRUST_FOREIGN,	 /* a 0 says nothing: nobody says that this core has it */
	PMS_TRUST_UNLISTED,	 /* the machine lacks it: it is not listed, and cannot be tried */
	PMS_TRUST_UNLISTED_ZERO, /* the machine lacks it: it is not listed, and stayed 0 */
	PMS_TRUST_UNNAMED_ZERO,	 /* the machine lacks it: it stayed 0, the PMU lacks what each has
				  * to have, and the kernel may be too old to list it */
	PMS_TRUST_ZERO		 /* the machine lacks it: it stayed 0 where it counts on any core */
};

/** What is believed of an event of an Arm PMU. It is found out once. */
enum pms_perf_trust pms_perf_trust(const struct pms_live *live, struct pms_perf_part *part,
				   size_t event);
/** Whether the machine has it. @because: receives why not, a sentence's end. Returns 0 or
 * -PMS_EHOST. */
int pms_perf_check_trust(const struct pms_perf_part *part, enum pms_perf_trust trust, char *because,
			 size_t size);
/** Why a 0 of it says nothing; NULL: it is one. */
const char *pms_perf_doubt(enum pms_perf_trust trust);

/* group.c */

/** Whether a part has something to count at a cell: it is of cores of one kind, and has none at the
 * CPUs of others. */
bool pms_perf_cell_is_of(const struct pms_live *live, const struct pms_perf_cell *cell,
			 size_t part);
/** Open every group of a run. @pass: of a multirun; PMS_NO_PASS: all. Errors: as pms_live_run. */
int pms_perf_groups_open(struct pms_live *live, size_t pass, bool on_exec, struct pms_error *err);
void pms_perf_groups_enable(struct pms_live *live, bool on);
/** Take in CPUs that have come online since the start. Errors: as pms_perf_groups_open. */
int pms_perf_groups_follow(struct pms_live *live, struct pms_error *err);
/** Read them all: `seen`, `seen_ns`. */
void pms_perf_groups_read(struct pms_live *live);
/** How many numbers a reading of them all has. */
size_t pms_perf_groups_numbers(const struct pms_live *live);
/** Copy what was seen to a reading that has room for it. */
void pms_perf_groups_copy(const struct pms_live *live, struct pms_perf_reading *reading);
/** Make counts of a reading from here on: `now`. @reading: NULL: of what was seen just now. */
void pms_perf_groups_take(struct pms_live *live, const struct pms_perf_reading *reading);
void pms_perf_groups_close(struct pms_live *live);

/* tally.c */

/** Add what was counted since the last interval, or since the start, to the tallies. */
void pms_perf_tally(struct pms_live *live, bool whole);
/** Whether a CPU was counted for less time than its groups were on: it was offline. */
bool pms_perf_was_away(const struct pms_perf_cell *cell);
/** The share of the time, 0 to 1, in which it was to be counted where it never had a counter. */
double pms_perf_tally_never(const struct pms_perf_tally *tally);
/** What a tally comes to. Returns whether there is a count; else @count is not written. */
bool pms_perf_tally_count(const struct pms_perf_tally *tally, struct pms_count *count);

/* sum.c */

/** Add a run's tallies to the sums over runs. */
void pms_perf_sum_run(struct pms_live *live);
/** Counts of a part, from the sums. @interval: 1: they are of one, which has just ended. */
int pms_perf_counts(struct pms_live *live, size_t part, bool interval, struct pms_counts **out,
		    struct pms_error *err);
void pms_perf_sums_clear(struct pms_live *live);
/** Say which cores and modes counts of a part are of. */
void pms_perf_describe(const struct pms_live *live, const struct pms_perf_part *part,
		       struct pms_provenance *p);
/** Make room for all columns. Errors: -PMS_ENOMEM. */
int pms_perf_columns_room(struct pms_live *live, struct pms_error *err);

/* live.c */

void pms_perf_missed_add(struct pms_perf_missed *into, const struct pms_perf_missed *from);
/** Say with @counts that threads may not be counted, where that is so. Returns as below. */
int pms_perf_warn_newcomers(const struct pms_live *live, struct pms_counts *counts);
/** Say with @counts that intervals were missed, where some were. Returns 0 or -PMS_ENOMEM. */
int pms_perf_warn_missed(const struct pms_live *live, const struct pms_perf_missed *missed,
			 struct pms_counts *counts);

/* child.c */

struct pms_perf_child {
	pid_t pid;  /* 0: none */
	int go;	    /* to be written to when it may start; -1: it was */
	int held;   /* the other end of go, so that one who was killed breaks no pipe; -1: closed */
	int failed; /* tells the errno of exec, or ends when that worked; -1: closed */
};

/** Fork, and let it wait. @mask: its signals; @files: its limit of descriptors. */
int pms_perf_child_fork(struct pms_perf_child *child, char *const *argv, const sigset_t *mask,
			const struct rlimit *files, struct pms_error *err);
/** Let it run. Errors: -PMS_ENOEXEC, -PMS_EEXEC. */
int pms_perf_child_start(struct pms_perf_child *child, const char *name, struct pms_error *err);
/** End one that was never started. */
void pms_perf_child_drop(struct pms_perf_child *child);
/** Whether a command has ended; then it is waited for. @status: of waitpid(2), written only then.
 */
bool pms_perf_child_ended(pid_t pid, int *status);
/** Ask it to end, also when it is stopped. */
void pms_perf_child_end(pid_t pid);
/** Kill it, and wait for it. @pid may be 0. */
void pms_perf_child_reap(pid_t pid, int *status);

/* runs.c */

/** Make room for what each run counts, where there are several. Errors: -PMS_ENOMEM. */
int pms_perf_runs_init(struct pms_live *live, struct pms_error *err);
/** Keep a run's tallies. */
void pms_perf_runs_keep(struct pms_live *live, size_t run);
/** Add what was kept to the total. Errors: -PMS_ENOMEM. */
int pms_perf_runs_fill(const struct pms_live *live, const struct pms_perf_part *part,
		       struct pms_scope *scope);

/* ticks.c */

struct pms_perf_ticks; /* opaque: the thread that reads each interval */

/** Start to read each interval_ms from start_ns on. While it does, groups are its own: see
 * pms_perf_ticks_follow. @out: written only on success. Errors: -PMS_EHOST, -PMS_ENOMEM. */
int pms_perf_ticks_start(struct pms_live *live, struct pms_perf_ticks **out, struct pms_error *err);
/** No further ticks; what was read until now stays. */
void pms_perf_ticks_stop(struct pms_perf_ticks *ticks);
/** Stop, and free. @ticks may be NULL. */
void pms_perf_ticks_free(struct pms_perf_ticks *ticks);
/** A descriptor that is readable while readings wait. */
int pms_perf_ticks_fd(const struct pms_perf_ticks *ticks);
/** Whether readings wait. */
bool pms_perf_ticks_wait(struct pms_perf_ticks *ticks);
/** Take the oldest reading that waits (pms_perf_groups_take). @newest: the newest, which has all
 * before it. Returns whether there was one. */
bool pms_perf_ticks_next(struct pms_perf_ticks *ticks, bool newest);
/** pms_perf_groups_follow, between two ticks. @ticks: NULL: there are none. */
int pms_perf_ticks_follow(struct pms_perf_ticks *ticks, struct pms_live *live,
			  struct pms_error *err);

/* control.c */

struct pms_perf_control {
	int fd;	       /* commands come from it; -1: none come any more */
	int ack_fd;    /* answers go to it; -1: nobody reads them */
	char line[64]; /* as far as it has come, `length` bytes */
	size_t length;
};

/** Obey what has come. Returns whether it was told to stop. */
bool pms_perf_control_take(struct pms_perf_control *control, struct pms_live *live);

/* wait.c */

/** Attend to the measurement until it ends. Errors: what @put gives. */
int pms_perf_wait(struct pms_live *live, pid_t child, int signals, pms_live_put *put, void *context,
		  struct pms_error *err);

/** Nanoseconds of CLOCK_MONOTONIC. */
uint64_t pms_perf_now(void);

#endif

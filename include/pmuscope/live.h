/* SPDX-License-Identifier: MIT */
/* pmuscope/live.h - count with this machine's PMU, by perf_event_open(2).
 * Flow: catalog -> plan -> [live] -> counts -> analyse. docs/use/live.md describes it for users. */
#ifndef PMUSCOPE_LIVE_H
#define PMUSCOPE_LIVE_H

#include <stddef.h>
#include <stdint.h>

#include "pmuscope/catalog.h"
#include "pmuscope/counts.h"
#include "pmuscope/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The event that a user's word means, for a measurement: of the catalog by any name that perf
 * takes, "r11", "0x11"; one of Linux's own ("task-clock"); each with modifiers :u :k :h. What the
 * catalog does not have is appended to it, so call this before anything else uses the catalog.
 * Returns its index. Errors: -PMS_ENAME no such event (the hint names the nearest), -PMS_EINVAL a
 *         modifier that is none of these, -PMS_ENOMEM.
 */
int64_t pms_live_event(struct pms_catalog *catalog, const char *word, struct pms_error *err);

/**
 * Append an event that the catalog's CPU lacks and another kind of this machine's cores has, so
 * that the same events can be asked for on all of them: it is not counted, and says why.
 * @name: as the other kind's catalog has it, with its modifiers
 * Returns its index. Errors: -PMS_ENOMEM.
 */
int64_t pms_live_event_lacking(struct pms_catalog *catalog, const char *name,
			       struct pms_error *err);

/** A PMU of this host's cores; where there are cores of several kinds, each has its own. */
struct pms_live_core {
	char pmu[64];  /* as Linux calls it, "armv8_pmuv3_0" */
	char cpus[64]; /* those that have it, "0-3,7"; cut with "..." */
	int cpu;       /* the first of them */
};

/**
 * List the PMUs of this host's cores.
 * @cores: receives up to @max of them, in the order of their first CPUs
 * Returns how many there are; 0 none. Errors: -PMS_EIO, -PMS_ENOMEM.
 */
int pms_live_cores(struct pms_live_core *cores, size_t max, struct pms_error *err);

/** What is measured. One of command, pids, tids, cpus and cgroup says it. With another than
 * command, a command is only run: the measurement lasts as long as it does. */
struct pms_live_target {
	char *const *command; /* argv, found as execvp(3) does; NULL: none */
	const int *pids;      /* processes with all of their threads, n_pids */
	size_t n_pids;
	const int *tids; /* threads, n_tids */
	size_t n_tids;
	int all_cpus;	    /* 1: everything that runs on any CPU */
	const char *cpus;   /* on these CPUs, "0-3,7"; with cgroup: of it, on these */
	const char *cgroup; /* its path below the mount point, "system.slice/x.service" */
};

/** What is told apart. */
enum pms_live_by { PMS_BY_TOTAL, PMS_BY_THREAD, PMS_BY_CPU, PMS_BY_CORE };

/** Processor modes: a bit each. */
enum { PMS_LIVE_USER = 1, PMS_LIVE_KERNEL = 2, PMS_LIVE_HYPERVISOR = 4 };

/** When events need more counters than there are. */
enum pms_live_passes {
	PMS_PASSES_DEFAULT,   /* multirun where a command is run more than once anyway, else
			       * multiplex: a command may not bear to be run again */
	PMS_PASSES_MULTIPLEX, /* the passes share one run by turns; counts are scaled up */
	PMS_PASSES_MULTIRUN   /* each pass has a run of the command to itself */
};

/** Cores of one kind: their catalog, and what is wanted of it. */
struct pms_live_part {
	const struct pms_catalog *catalog; /* borrowed: must outlive the measurement */
	const char *pmu; /* that of pms_live_core; NULL: of the catalog's CPU, else the first */
	struct pms_plan_options plan; /* `counters` 0: probed; borrowed during the open */
};

struct pms_perf_system; /* opaque: what tests put in the kernel's place */

/** Which of the runs of a command it is, from 1 on. */
struct pms_live_run_of {
	size_t run, runs;
	size_t pass, passes; /* that has it to itself; 1 of 1 where all are in each run */
};

struct pms_live_options {
	struct pms_live_target target; /* borrowed while the measurement is open */
	enum pms_live_by by;
	unsigned modes; /* PMS_LIVE_USER | …; 0: all that may be counted */
	enum pms_live_passes passes;
	unsigned repeat;      /* runs of the command; 0 and 1: one */
	int delay_ms;	      /* before counting starts; -1: it starts by control_fd */
	unsigned timeout_ms;  /* 0: none */
	unsigned interval_ms; /* 0: none */
	unsigned gather_ms;   /* how long one that has ended may wait for the next, so that short
			       * ones are given several at a time; 0: each is given at once */
	unsigned kill_ms;     /* how long a command that was asked to end, since the time is up, may
			       * take until it is killed; 0: 10 s */
	int has_room;	      /* 1: an interval is given only while room_fd is readable. Until then
			       * readings wait, as far as there is memory for them. */
	int room_fd;
	int has_control; /* 1: commands come from control_fd, as perf has them: "enable",
			  * "disable", "stop", "ping", a line each */
	int control_fd;
	int ack_fd; /* receives "ack\n" for each; -1: none */
	/* Told before each of several runs of the command; NULL: nobody is. */
	void (*starts)(void *context, const struct pms_live_run_of *run);
	void *starts_context;
	const struct pms_perf_system *system; /* for tests; NULL: the host's */
};

struct pms_live; /* opaque; owned by the caller of pms_live_open */

/**
 * Find the PMUs, probe their counters and make a plan for each part.
 * @parts: n of them, copied
 * @out:   written only on success; free with pms_live_close
 * Returns 0. Errors: -PMS_EHOST there is no such PMU, or it may not be used: the hint says what to
 *         do; -PMS_EINVAL options that exclude each other; -PMS_ENAME no such process, CPU or
 *         cgroup; -PMS_ENOMEM, and as pms_plan_make.
 */
int pms_live_open(const struct pms_live_part *parts, size_t n,
		  const struct pms_live_options *options, struct pms_live **out,
		  struct pms_error *err);
void pms_live_close(struct pms_live *live);

size_t pms_live_parts(const struct pms_live *live);
/** The plan of part @i, borrowed; its counters are those that were found free. */
const struct pms_plan *pms_live_plan(const struct pms_live *live, size_t i);
/** Returns how often the command is going to be run; 0 without one. */
size_t pms_live_runs(const struct pms_live *live);
/** What is to be said before anything is run, a sentence each, borrowed; NULL behind the last. */
const char *pms_live_note(const struct pms_live *live, size_t i);

/**
 * Takes counts: one for each part, of the interval that has just ended (has_time is 1).
 * The counts are the callee's to free. Nothing else is attended to meanwhile: where it may have to
 * wait for somebody, has_room and room_fd let the measurement wait instead.
 * Returns 0, or an error, which ends the measurement.
 */
typedef int pms_live_put(void *context, struct pms_counts **counts, struct pms_error *err);

/**
 * Counts of a part of the whole until now. To be called from a pms_live_put, or before the run,
 * when nothing is counted yet.
 * @out: written only on success; free with pms_counts_free
 * Returns 0. Errors: -PMS_ENOMEM.
 */
int pms_live_so_far(struct pms_live *live, size_t part, struct pms_counts **out,
		    struct pms_error *err);

/**
 * Measure to the end: of the command, of the processes or threads, of the time, or SIGINT, SIGTERM,
 * SIGHUP or SIGQUIT to the caller, which are passed on to a command. When the time is up, a command
 * is sent SIGTERM and SIGCONT, and after kill_ms SIGKILL; a signal meanwhile kills it at once.
 * After a signal no further run is started.
 * @put:    for each interval; NULL: they are not wanted
 * @totals: receives counts of the whole, one for each part; written when the measurement has
 *          started, whatever became of it; free with pms_counts_free
 * Returns 0. Errors: -PMS_ENOEXEC no such command, -PMS_EEXEC it cannot be run, -PMS_EHOST the
 *         kernel refuses the counters, and as pms_live_open; what @put gave.
 */
int pms_live_run(struct pms_live *live, pms_live_put *put, void *context,
		 struct pms_counts **totals, struct pms_error *err);

/** The signal that came to end the measurement, the last of several: of SIGINT, SIGTERM, SIGHUP,
 * SIGQUIT. 0: none. To be called after pms_live_run. */
int pms_live_interrupted(const struct pms_live *live);

#ifdef __cplusplus
}
#endif
#endif

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
 * Find the event that a user's word means. The word is a catalog event by any name that perf takes,
 * a code ("r11", "0x11"), or one of Linux's own events ("task-clock"). Each may have modifiers :u
 * :k :h. An event that the catalog lacks is appended, so call this before anything else uses the
 * catalog.
 * Returns its index. Errors: -PMS_ENAME no such event (the hint names the nearest), -PMS_EINVAL an
 *         unknown modifier, -PMS_ENOMEM.
 */
int64_t pms_live_event(struct pms_catalog *catalog, const char *word, struct pms_error *err);

/**
 * Append an event that the catalog's CPU lacks and another kind of this machine's cores has. It
 * lets a user ask for the same events on all cores: here it is not counted, and says why.
 * @name: its name in the other kind's catalog, with modifiers
 * Returns its index. Errors: -PMS_ENOMEM.
 */
int64_t pms_live_event_lacking(struct pms_catalog *catalog, const char *name,
			       struct pms_error *err);

/** A PMU of this host's cores. Each kind of core has its own. */
struct pms_live_core {
	char pmu[64];  /* its name in Linux, "armv8_pmuv3_0" */
	char cpus[64]; /* its CPUs, "0-3,7"; cut with "..." */
	int cpu;       /* the first of its CPUs */
};

/**
 * List the PMUs of this host's cores.
 * @cores: receives up to @max of them, in the order of their first CPUs
 * Returns how many there are. Errors: -PMS_EIO, -PMS_ENOMEM.
 */
int pms_live_cores(struct pms_live_core *cores, size_t max, struct pms_error *err);

/** What to measure: the command, pids, tids, CPUs or a cgroup. With any other than the command,
 * the command only sets the time: the measurement lasts as long as it runs. */
struct pms_live_target {
	char *const *command; /* argv, looked up as execvp(3) does; NULL: none */
	const int *pids;      /* processes with all their threads, n_pids */
	size_t n_pids;
	const int *tids; /* threads, n_tids */
	size_t n_tids;
	int all_cpus;	    /* 1: everything that runs on any CPU */
	const char *cpus;   /* on these CPUs, "0-3,7"; with cgroup: the cgroup on these CPUs */
	const char *cgroup; /* path below the mount point, "system.slice/x.service" */
};

/** Which counts are kept apart. */
enum pms_live_by { PMS_BY_TOTAL, PMS_BY_THREAD, PMS_BY_CPU, PMS_BY_CORE };

/** Processor modes, one bit each. */
enum { PMS_LIVE_USER = 1, PMS_LIVE_KERNEL = 2, PMS_LIVE_HYPERVISOR = 4 };

/** What to do when events need more counters than there are. */
enum pms_live_passes {
	PMS_PASSES_DEFAULT,   /* multirun where a command is run more than once anyway, else
			       * multiplex: a command may not bear to be run again */
	PMS_PASSES_MULTIPLEX, /* the passes share one run by turns; counts are scaled up */
	PMS_PASSES_MULTIRUN   /* each pass has a run of the command to itself */
};

/** Cores of one kind, their catalog, and the metrics and events wanted. */
struct pms_live_part {
	const struct pms_catalog *catalog; /* borrowed: must outlive the measurement */
	const char *pmu; /* pmu of a pms_live_core; NULL: the PMU of the catalog's CPU, else the
			  * first */
	struct pms_plan_options plan; /* `counters` 0: probe for them; borrowed during the open */
};

struct pms_perf_system; /* opaque: replaces the kernel in tests */

/** Tells which run of a command is about to start; numbers begin at 1. */
struct pms_live_run_of {
	size_t run, runs;
	size_t pass, passes; /* the pass that this run counts; 1 of 1 where each run counts all */
};

struct pms_live_options {
	struct pms_live_target target; /* borrowed while the measurement is open */
	enum pms_live_by by;
	unsigned modes; /* PMS_LIVE_USER | …; 0: every mode that may be counted */
	enum pms_live_passes passes;
	unsigned repeat;      /* runs of the command; 0 and 1: one */
	int delay_ms;	      /* wait before counting starts; -1: control_fd starts it */
	unsigned timeout_ms;  /* 0: none */
	unsigned interval_ms; /* 0: none */
	unsigned gather_ms;   /* how long a finished interval may wait for the next, so that short
			       * ones are given together; 0: give each at once */
	unsigned kill_ms; /* how long a command may take to end after SIGTERM, when the time is up,
			   * before it is killed; 0: 10 s */
	int has_room;	  /* 1: give an interval only while room_fd is readable; until then readings
			   * wait, as long as there is memory */
	int room_fd;
	int has_control; /* 1: read commands from control_fd, one per line, as perf does: "enable",
			  * "disable", "stop", "ping" */
	int control_fd;
	int ack_fd; /* receives "ack\n" for each command; -1: none */
	/* Called before each run, where a command is run several times; NULL: not wanted. */
	void (*starts)(void *context, const struct pms_live_run_of *run);
	void *starts_context;
	const struct pms_perf_system *system; /* for tests; NULL: the host itself */
};

struct pms_live; /* opaque; owned by the caller of pms_live_open */

/**
 * Find the PMUs, probe their counters and make a plan for each part.
 * @parts: n of them, copied
 * @out:   written only on success; free with pms_live_close
 * Returns 0. Errors: -PMS_EHOST there is no such PMU, or it may not be used: the hint says what to
 *         do; -PMS_EINVAL options that contradict each other; -PMS_ENAME no such process, CPU or
 *         cgroup; -PMS_ENOMEM, and as pms_plan_make.
 */
int pms_live_open(const struct pms_live_part *parts, size_t n,
		  const struct pms_live_options *options, struct pms_live **out,
		  struct pms_error *err);
void pms_live_close(struct pms_live *live);

size_t pms_live_parts(const struct pms_live *live);
/** Returns the plan of part @i, borrowed; its counters are the ones found free. */
const struct pms_plan *pms_live_plan(const struct pms_live *live, size_t i);
/** Returns how often the command will run; 0 without one. */
size_t pms_live_runs(const struct pms_live *live);
/** Returns note @i for the user, to be shown before anything runs: one sentence, borrowed; NULL
 * behind the last. */
const char *pms_live_note(const struct pms_live *live, size_t i);

/**
 * Takes the counts of the interval that has just ended, one for each part (has_time is 1). The
 * callee frees them. The measurement attends to nothing else during the call. A callee that may
 * have to wait should use has_room and room_fd instead.
 * Returns 0, or an error, which ends the measurement.
 */
typedef int pms_live_put(void *context, struct pms_counts **counts, struct pms_error *err);

/**
 * Make the counts of a part from the start until now. Call it from a pms_live_put, or before the
 * run, when nothing is counted yet.
 * @out: written only on success; free with pms_counts_free
 * Returns 0. Errors: -PMS_ENOMEM.
 */
int pms_live_so_far(struct pms_live *live, size_t part, struct pms_counts **out,
		    struct pms_error *err);

/**
 * Measure until the command, processes or threads end, the time is up, or the caller gets SIGINT,
 * SIGTERM, SIGHUP or SIGQUIT. A command gets these signals too. When the time is up, the command
 * gets SIGTERM and SIGCONT, and after kill_ms SIGKILL; a signal to the caller meanwhile kills it at
 * once. After a signal no further run is started.
 * @put:    called for each interval; NULL: not wanted
 * @totals: receives the counts of the whole, one for each part; written once the measurement has
 *          started, even if it fails later; free with pms_counts_free
 * Returns 0. Errors: -PMS_ENOEXEC no such command, -PMS_EEXEC it cannot be run, -PMS_EHOST the
 *         kernel refuses the counters; those of pms_live_open; the error that @put returned.
 */
int pms_live_run(struct pms_live *live, pms_live_put *put, void *context,
		 struct pms_counts **totals, struct pms_error *err);

/** Returns the last of SIGINT, SIGTERM, SIGHUP and SIGQUIT that ended the measurement; 0: none.
 * Call it after pms_live_run. */
int pms_live_interrupted(const struct pms_live *live);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: MIT */
/* pmuscope/collect.h - run a program and count its events, or read counts that were taken
 * elsewhere. Flow: catalog -> plan -> [collect] -> counts -> analyse -> show. */
#ifndef PMUSCOPE_COLLECT_H
#define PMUSCOPE_COLLECT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "pmuscope/catalog.h"
#include "pmuscope/counts.h"
#include "pmuscope/perfdata.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How to run a program on the modelled core. Zero-initialised members mean the default. */
struct pms_vcore_options {
	const char *data;      /* data directory; NULL: as pms_catalog_load finds it */
	const char *qemu;      /* the QEMU program; NULL: qemu-aarch64 on PATH */
	const char *plugin;    /* pmuscope-vcore.so, or with places pmuscope-vcore-where.so; NULL:
				  beside the binary, else installed */
	const char *sysroot;   /* QEMU's -L: the folder with the program's loader and
				* libraries; NULL: none */
	const char *qemu_cpu;  /* QEMU's guest CPU; NULL: neoverse-n1, which has no SVE */
	char *const *env;      /* "NAME=value", on top of the fixed environment; NULL: none */
	int no_wrong_path;     /* 1: do not walk wrong paths; retired counts must not change */
	char *const *core_set; /* "ras_entries=8": changes to core.json, NULL-terminated;
				* NULL: nothing. A warning names them. */
	/* Select the part of the program to count; docs/use/sampling.md explains each. */
	uint64_t forward;   /* instructions to skip at the start; 0: none */
	const char *region; /* count only this function and its callees; NULL: everything */
	uint64_t warm, detail, skip; /* sample, by periods of so many instructions; detail 0: no */
	/* 1: find which instruction is responsible for what is counted: counts.profile has it.
	 * docs/model/attribution.md has the rules. */
	int places;
};

/** The fewest instructions of a window, and the most of a part of a period. */
enum { PMS_SAMPLE_LEAST = 1000 };
#define PMS_SAMPLE_MOST UINT64_C(1000000000000000)

/**
 * Run argv on the modelled core of @catalog's CPU, and count everything that the model counts. The
 * program keeps stdin, stdout and stderr. SIGINT and SIGTERM to the caller are passed on to the
 * program while it runs; the instructions up to then are counted. The program does not inherit the
 * environment, so that the counts do not depend on the user. It gets HOME=/, LANG=C.UTF-8,
 * TERM=dumb, a PATH of the system's directories, and @options->env. The host starts the programs
 * that it executes in turn: an AArch64 one needs binfmt_misc. Each thread is a scope,
 * PMS_SCOPE_THREAD. Its id is its place in the order in which threads first ran, from 1 on, because
 * the host's thread ids differ from run to run.
 * @argv: NULL-terminated; argv[0] is looked up on PATH as execvp does, never through a shell
 * @out:  written once the program has started, even if it fails later; free with pms_counts_free.
 *        provenance.exit_status is the program's own; warnings say what was not counted.
 * Returns 0 when the program was started. Errors: -PMS_ENOEXEC no such program, -PMS_EEXEC not an
 *         ELF, another architecture, its interpreter missing, -PMS_EHOST QEMU missing, without
 *         plugins or with another plugin API, or the core model crashed, -PMS_EIO the mapping,
 *         -PMS_EPARSE core.json, -PMS_EINVAL an option,
 *         -PMS_ENAME no such region. (A missing library shows in the program's
 *         own message and exit status 127, and in a warning.)
 */
int pms_collect_vcore(const struct pms_catalog *catalog, char *const *argv,
		      const struct pms_vcore_options *options, struct pms_counts **out,
		      struct pms_error *err);

/** Takes the counts of run @i, borrowed for the call. Returns 0, or an error that ends the runs. */
typedef int pms_vcore_put(void *context, size_t i, const struct pms_counts *counts,
			  struct pms_error *err);

/**
 * Run argv @n times, each on a core of its own, as many as @at_once beside each other. Standard
 * input is read from its start where it is a file, else it is empty; what the runs write to
 * standard output and standard error is dropped. After a signal to the caller no run is begun.
 * @core_sets: the core_set of each run, in place of that of @options
 * Returns 0. Errors: as pms_collect_vcore, and of @put.
 */
int pms_collect_vcore_each(const struct pms_catalog *catalog, char *const *argv,
			   const struct pms_vcore_options *options, char *const *const *core_sets,
			   size_t n, size_t at_once, pms_vcore_put *put, void *context,
			   struct pms_error *err);

/** How the core model counts an event. */
struct pms_vcore_event {
	enum pms_count_state state; /* PMS_COUNTED or PMS_NOT_MODELLED */
	enum pms_count_class cls;   /* PMS_COUNT_EXACT or PMS_COUNT_MODELLED */
	const char *how;     /* the model's counters that add up to it; "" when not modelled */
	const char *because; /* why it is not modelled, or why it is always 0; else NULL */
};

struct pms_vcore_events; /* opaque: how each event of a catalog is counted */

/**
 * Tell how the core model of @catalog's CPU counts the catalog's events.
 * @data: data directory; NULL: as pms_catalog_load finds it
 * @out:  written only on success; free with pms_vcore_events_free
 * Returns 0. Errors: -PMS_ENAME no model of this CPU exists (the hint lists the modelled ones),
 *         -PMS_EIO, -PMS_EPARSE core.json, -PMS_ENOMEM.
 */
int pms_vcore_events_load(const struct pms_catalog *catalog, const char *data,
			  struct pms_vcore_events **out, struct pms_error *err);
void pms_vcore_events_free(struct pms_vcore_events *model);
/** Returns the row of the event with this index, borrowed until pms_vcore_events_free; NULL when
 * there is none. */
const struct pms_vcore_event *pms_vcore_event(const struct pms_vcore_events *model, size_t event);

/** The counts in the output of perf stat; opaque, owned by the caller of pms_perf_stat_open. */
struct pms_perf_stat;

/**
 * Read the output of perf stat. The format is recognised: -x SEP, -j, or the table for people.
 * Options that add lines are understood: -I, -r, -A, --per-thread, --per-core, --per-socket and the
 * like.
 *
 * Events may be named in any way that perf takes for those of the core's PMU. Other events are left
 * out, and one warning names them. perf scales counts up to the time enabled, and prints the
 * running time or its share. `scaled` keeps perf's number; `value` is scaled back and rounded. The
 * table gives only the share, so the times are computed from the elapsed time. The scatter of -r
 * becomes `spread`. An event with separate counts for user mode and kernel (:u, :k) gets their sum,
 * unless most events have one mode: then it gets that mode's count. A thread or CPU without any
 * count did not run: its zero is no gap in the total.
 *
 * @in:      read to its end, at most 64 MiB; borrowed for the call
 * @name:    the file's name, for errors and for the provenance
 * @catalog: borrowed; must outlive the result and its counts
 * @out:     written only on success; free with pms_perf_stat_free
 * Returns 0. Errors: -PMS_EIO, -PMS_EPARSE with the line: not the output of perf stat, or a line of
 *         it that makes no sense, or counts of several cgroups; -PMS_ENOMEM.
 */
int pms_perf_stat_open(FILE *in, const char *name, const struct pms_catalog *catalog,
		       struct pms_perf_stat **out, struct pms_error *err);
/**
 * Read what perf stat record wrote: exact counts with their times; with -A, for each CPU.
 * @file: no record of it may have been read; borrowed for the call
 * Returns 0. Errors: as pms_perf_stat_open, -PMS_EPARSE the file has samples and no counts.
 */
int pms_perf_stat_open_data(struct pms_perfdata *file, const char *name,
			    const struct pms_catalog *catalog, struct pms_perf_stat **out,
			    struct pms_error *err);
void pms_perf_stat_free(struct pms_perf_stat *stat);

/** Returns the number of intervals of -I; 0 without. */
size_t pms_perf_stat_intervals(const struct pms_perf_stat *stat);

/**
 * Make the counts of interval @i, or of the whole run (pms_perf_stat_total).
 * @out: written only on success; free with pms_counts_free. The counts of the whole and of the
 *       first interval hold the warnings.
 * Returns 0. Errors: -PMS_EINVAL no such interval, -PMS_ENOMEM.
 */
int pms_perf_stat_interval(const struct pms_perf_stat *stat, size_t i, struct pms_counts **out,
			   struct pms_error *err);
int pms_perf_stat_total(const struct pms_perf_stat *stat, struct pms_counts **out,
			struct pms_error *err);

/** One row of pms_host_checks. */
struct pms_host_check {
	const char *what; /* "QEMU user-mode emulation" */
	int ok;		  /* 1 fine, 0 missing, -1 not needed on this host */
	char found[256];  /* "qemu-aarch64 7.2.22, plugin API 1" */
	char fix[256];	  /* the one-line fix; "" when ok */
};

/**
 * Find out what this host can measure, and how to get what is missing.
 * @checks: receives up to @max rows. Returns the number of all rows, which may be more than @max.
 */
size_t pms_host_checks(const struct pms_vcore_options *options, struct pms_host_check *checks,
		       size_t max);

#ifdef __cplusplus
}
#endif
#endif

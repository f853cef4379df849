/* SPDX-License-Identifier: MIT */
/* pmuscope/spe_report.h - report what SPE samples tell of a program: records grouped by line of
 * code, cache line, branch and so on, with counts, latencies and the quality of the sample.
 * Flow: perf.data or a bare buffer -> samples -> [report] -> show.
 * docs/use/spe-report.md explains each number and how it is computed. */
#ifndef PMUSCOPE_SPE_REPORT_H
#define PMUSCOPE_SPE_REPORT_H

#include "pmuscope/spe_samples.h"
#include "pmuscope/symbol.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What records are grouped by. */
enum pms_spe_by {
	PMS_SPE_BY_LINE,   /* of source code */
	PMS_SPE_BY_SYMBOL, /* function */
	PMS_SPE_BY_PC,
	PMS_SPE_BY_OBJECT,
	PMS_SPE_BY_SOURCE,    /* data source */
	PMS_SPE_BY_CACHELINE, /* 64 bytes of data */
	PMS_SPE_BY_PAGE,      /* 4 KiB of data */
	PMS_SPE_BY_VARIABLE,  /* name of the data */
	PMS_SPE_BY_BRANCH,
	PMS_SPE_BY_OP,
	PMS_SPE_BY_THREAD,
	PMS_SPE_BY_CPU
};
enum { PMS_SPE_BYS = PMS_SPE_BY_CPU + 1 };

/** Returns "pc", "data-source" and so on. Static storage. */
const char *pms_spe_by_name(enum pms_spe_by by);

/** Returns 1 with what @name means, 0 for an unknown name. */
int pms_spe_by_find(const char *name, enum pms_spe_by *by);

/* Reports -------------------------------------------------------------------------------------- */

struct pms_spe_report_options {
	enum pms_spe_by by;
	int has_also; /* 1: rows are pairs of a `by` and an `also` */
	enum pms_spe_by also;
	int raw;			    /* 1: the file is a bare buffer */
	enum pms_spe_encoding encoding;	    /* names data sources; UNKNOWN: use the file's */
	struct pms_symbols_options symbols; /* where to look for programs and symbols */
	const char *filter;	  /* records to match; NULL: all. docs/use/spe-report.md */
	struct pms_spe_pick pick; /* further conditions on records */
	const char *sort;	  /* measure to sort by, greatest first; NULL: as suits `by` */
	size_t limit;		  /* rows to show; 0: all */
	/* Latencies that nobody will ask for, of PMS_SPE_HAS_TOTAL, ISSUE and TRANSLATION:
	 * leaving them out saves time and memory. Their measures have no value, except the one
	 * of `sort`; see pms_show_spe_report_unused. */
	uint32_t no_latencies;
	int targets;   /* 1: by line, function or instruction: where branches go to. By branch they
			  are told in any case, but not each in a table */
	int histogram; /* 1: tables show how the waits of a row's loads are spread */
	uint64_t period;     /* operations from sample to sample; 0: what the file says */
	size_t most_groups;  /* beyond these, records go to the rest; 0: 262144, or what suits a
				short file */
	size_t most_buckets; /* bytes for the distributions of latencies; 0: 256 MiB, or what suits
				a short file */
	int (*progress)(void *context, uint64_t done, uint64_t total); /* as of samples */
	void *context;
};

/** A finished report: opaque, freed by pms_spe_report_free. */
struct pms_spe_report;

/** Read @path, "-" for standard input, and group its records.
 * Memory: as the samples; 0.3 KiB for each group, 0.8 KiB for groups of many records, and what
 * options->most_buckets allows. Cache lines and branches take 210 bytes for each triple of
 * thread, CPU and place, of which at most 1 Mi are kept.
 * Returns 0. Errors: as pms_spe_samples_open, and as pms_spe_quality_check unless options->raw;
 * -PMS_EPARSE in the filter, with the column; -PMS_ENAME no such measure to sort by; -PMS_EIO no
 * such file of symbols. */
int pms_spe_report_make(const char *path, const struct pms_spe_report_options *options,
			struct pms_spe_report **out, struct pms_error *err);

/** Free a report. @report may be NULL. */
void pms_spe_report_free(struct pms_spe_report *report);

/* Rows ----------------------------------------------------------------------------------------- */

/** A column that identifies a row. */
struct pms_spe_key {
	const char *name;  /* "pc" */
	const char *title; /* "PC", for people */
	int number;	   /* 1: its texts are decimal numbers */
};

enum { PMS_SPE_KEYS_MOST = 2 * 7 };

/** Returns the key columns of reports by @by, and their number. Static storage. */
const struct pms_spe_key *pms_spe_keys(enum pms_spe_by by, size_t *n);

/** Returns the key columns of a report; for two keys, the columns of both. */
const struct pms_spe_key *pms_spe_report_keys(const struct pms_spe_report *report, size_t *n);

/** A latency over a row's records. */
struct pms_spe_latency {
	uint64_t count;	   /* records that have it; 0: the other members are undefined */
	uint64_t sum;	   /* cycles */
	int p50, p90, p99; /* cycles, within 1 %; -1: memory for the distribution was short */
	int max;	   /* cycles */
};

/** A source that records had their data from. */
struct pms_spe_from {
	int source; /* -1: all sources beyond the room */
	uint64_t count;
	uint64_t sum;	  /* cycles of total latency */
	uint64_t n_total; /* records with a total latency */
	uint64_t wait;	  /* cycles: total less issue latency, over loads */
	uint64_t waited;  /* loads that have both latencies */
};

enum { PMS_SPE_FROM_MOST = 16, PMS_SPE_EVENT_COUNTS = 24 };

/** Doublings of waits: 0 cycles, 1, 2 to 3, 4 to 7 and so on; the last is 32768 to 65535. */
enum { PMS_SPE_OCTAVES = 17 };

/** The place of an instruction. */
struct pms_spe_code {
	const char *pc; /* offset in the file that holds it, else its address; NULL: not known */
	const char *address;  /* as disassemblers have it: the file's own, or where there is no file
				 that in memory; NULL: not known */
	const char *object;   /* path; NULL: not known */
	const char *function; /* its name, or a word in brackets; the innermost of inlined ones.
				 NULL: not looked for */
	const char *file;     /* of the source; NULL: not known */
	unsigned line;	      /* 0: not known */
};

/** What an access does to memory. */
enum pms_spe_access { PMS_SPE_READS, PMS_SPE_WRITES, PMS_SPE_ATOMIC /* both */ };

/** Returns "load", "store" or "atomic". Static storage. */
const char *pms_spe_access_name(enum pms_spe_access access);

/** A cache line's records with the same thread, place and line of code; or a target of a branch. */
struct pms_spe_touch {
	int32_t pid, tid; /* -1: not known */
	const char *comm; /* "" when not known */
	unsigned offset;  /* where the access begins in the cache line, bytes */
	enum pms_spe_access access;
	uint64_t count;		  /* records */
	struct pms_spe_code code; /* the instruction, or the target */
};

/** A place in a cache line that was touched. */
struct pms_spe_spot {
	unsigned offset; /* where the access begins in the line, bytes */
	uint64_t records, loads, stores;
	uint64_t peers;		 /* loads with data from another core, cluster or chip */
	uint64_t wait, waited;	 /* cycles of wait, and the loads that waited */
	size_t threads, cpus;	 /* how many touched it; 0: not known */
	const char *data_symbol; /* the variable, or "[heap]" and so on; NULL: not known */
	int has_data_offset;
	uint64_t data_offset;	  /* the place's offset in the variable */
	struct pms_spe_code code; /* the instruction with the most records */
	size_t instructions;	  /* number of different instructions */
};

/** How threads share a cache line, by its samples. */
enum pms_spe_sharing {
	PMS_SPE_SHARING_UNKNOWN, /* threads are not known */
	PMS_SPE_PRIVATE,	 /* one thread alone */
	PMS_SPE_READ_SHARED,	 /* several, no write among them */
	PMS_SPE_TAKEN_IN_TURN,	 /* several with writes, but one after the other by their times */
	PMS_SPE_TRUE_SHARING,	 /* several touch the same place, with a write among them */
	PMS_SPE_FALSE_SHARING,	 /* several touch different places, with a write among them */
	PMS_SPE_MIXED_SHARING	 /* some the same place, others different ones, with a write */
};

/** Returns "false sharing" and so on. Static storage. */
const char *pms_spe_sharing_name(enum pms_spe_sharing sharing);

struct pms_spe_row {
	const char *keys[PMS_SPE_KEYS_MOST]; /* NULL: not known */
	int rest;	  /* 1: not a group, but all records beyond the groups' bound */
	uint64_t records; /* and of these: */
	uint64_t loads, stores, branches;
	uint64_t atomics;		       /* among the loads and stores */
	uint64_t not_taken, mispredicted;      /* among the branches */
	uint64_t events[PMS_SPE_EVENT_COUNTS]; /* by enum pms_spe_event: records that have it */
	uint64_t with_events;		       /* records that have an events packet */
	uint64_t wait;	 /* cycles: total less issue latency, summed over loads */
	uint64_t waited; /* loads that have both latencies */
	struct pms_spe_latency total, issue, translation;
	struct pms_spe_latency waiting; /* total less issue latency, over the loads that waited */
	int has_histogram; /* 1: there are loads, and memory for their distribution sufficed */
	uint64_t histogram[PMS_SPE_OCTAVES];	     /* of `waiting`: loads */
	struct pms_spe_from from[PMS_SPE_FROM_MOST]; /* most records first */
	size_t n_from;
	enum pms_spe_sharing sharing; /* for a cache line */
	uint64_t contended; /* for a cache line that threads write at the same time: its records */
	uint64_t contended_wait;	  /* and their wait; else 0 */
	size_t threads;			  /* threads that touch the cache line; 0: not known */
	size_t cpus;			  /* CPUs that touch it; 0: not known */
	const struct pms_spe_spot *spots; /* for a cache line, most records first */
	size_t n_spots;
	size_t targets; /* different targets of its branches, which are its touches */
	const struct pms_spe_touch *previous; /* where the branch before it went, the most records
						 first */
	size_t n_previous;
	const struct pms_spe_touch *touches; /* most records first */
	size_t n_touches;
};

/** Returns the number of rows, sorted. The last one is the rest, if there is one. */
size_t pms_spe_report_rows(const struct pms_spe_report *report);
/** Returns the @i-th row, borrowed until the next call; NULL when out of memory. */
const struct pms_spe_row *pms_spe_report_row(struct pms_spe_report *report, size_t i);

/** Returns the sum over all records of the report, without keys. */
const struct pms_spe_row *pms_spe_report_total(const struct pms_spe_report *report);

/* Measures ------------------------------------------------------------------------------------- */

enum pms_spe_unit {
	PMS_SPE_COUNT_UNIT, /* records */
	PMS_SPE_CYCLES,
	PMS_SPE_FRACTION, /* 0..1 */
	PMS_SPE_OPERATIONS
};

/** A number that each row has, unless undefined. */
struct pms_spe_measure {
	const char *name;  /* "total_p90": in columns and for --sort */
	const char *title; /* "p90" */
	enum pms_spe_unit unit;
	const char *text; /* explanation, for help */
};

/** Return the number of measures, and the @i-th in the order of columns. Static storage. */
size_t pms_spe_measures(void);
const struct pms_spe_measure *pms_spe_measure(size_t i);
/** Returns the index of the measure @name, or -PMS_ENAME. */
int pms_spe_measure_find(const char *name);
/** Returns the latency that the @i-th measure is about: PMS_SPE_HAS_TOTAL, ISSUE or TRANSLATION;
 * else 0. */
uint32_t pms_spe_measure_latency(size_t i);

/** Returns 1 with the @i-th measure of @row in *value, 0 when it is undefined. */
int pms_spe_measure_get(const struct pms_spe_report *report, const struct pms_spe_row *row,
			size_t i, double *value);

/* About the whole ------------------------------------------------------------------------------ */

/** What became of the decoded records. Each is in exactly one of dropped, keyless and reported. */
struct pms_spe_accounts {
	uint64_t records;   /* decoded */
	uint64_t dropped;   /* did not match the filter */
	uint64_t keyless;   /* without the data that keys need: no data address, no branch */
	uint64_t reported;  /* in the rows */
	uint64_t rest;	    /* of the reported, those in the rest */
	size_t groups;	    /* groups, shown or beyond the limit of rows */
	size_t most_groups; /* bound of groups */
	int touches_full;   /* 1: pairs of thread and place were left out */
	int buckets_full;   /* 1: some percentiles are undefined, for lack of memory */
	uint64_t period;    /* operations from sample to sample; 0: not known */
	int periods_differ; /* 1: the file's events have different periods, so period is not known
			     */
};

const struct pms_spe_accounts *pms_spe_report_accounts(const struct pms_spe_report *report);

/** Return the number of objects that the report's instructions lie in, 0 when no symbols were
 * looked for; and the state of each one's file. */
size_t pms_spe_report_objects(const struct pms_spe_report *report);
enum pms_symbols_state pms_spe_report_object(const struct pms_spe_report *report, size_t i,
					     const struct pms_object **object);

const struct pms_spe_quality *pms_spe_report_quality(const struct pms_spe_report *report);
/** Return whether the report has targets of branches; whether options->targets was set. */
int pms_spe_report_has_targets(const struct pms_spe_report *report);
int pms_spe_report_targets(const struct pms_spe_report *report);
/** Returns whether options->histogram was set. */
int pms_spe_report_histogram(const struct pms_spe_report *report);
/** Returns whether the report is by @by alone. */
int pms_spe_report_is(const struct pms_spe_report *report, enum pms_spe_by by);
/** Returns 1 with the second key, 0 where there is only one. */
int pms_spe_report_also(const struct pms_spe_report *report, enum pms_spe_by *also);
enum pms_spe_by pms_spe_report_by(const struct pms_spe_report *report);
enum pms_spe_encoding pms_spe_report_encoding(const struct pms_spe_report *report);
/** Returns the measure that rows are sorted by. */
size_t pms_spe_report_sort(const struct pms_spe_report *report);

/** Compute the 95 % interval of the operations that @records sampled ones stand for, at one of
 * @period. Poisson, by Byar's approximation; see docs/use/spe-report.md. */
void pms_spe_estimate(uint64_t records, uint64_t period, double *low, double *high);

/** Compute the 95 % interval of a share by Wilson: @part of @whole records, at least 1. */
void pms_spe_share(uint64_t part, uint64_t whole, double *low, double *high);

#ifdef __cplusplus
}
#endif
#endif

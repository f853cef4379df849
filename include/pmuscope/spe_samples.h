/* SPDX-License-Identifier: MIT */
/* pmuscope/spe_samples.h - SPE records with whose they are, when and where: attributed.
 * Flow: perf.data or a bare buffer -> packets, records -> [samples] -> aggregate -> show.
 *
 * A perf.data is gone through once for what it tells of threads and mappings, ordered by time, and
 * then for its records. A pipe is kept in a temporary file for that. Memory does not grow with the
 * number of records: see pms_spe_samples_open. */
#ifndef PMUSCOPE_SPE_SAMPLES_H
#define PMUSCOPE_SPE_SAMPLES_H

#include "pmuscope/object.h"
#include "pmuscope/spe.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An open file of samples. Different ones may be used by different threads at the same time. */
struct pms_spe_samples;

struct pms_spe_samples_options {
	int raw;			/* 1: a bare buffer, whatever it begins with */
	enum pms_spe_encoding encoding; /* of data sources; UNKNOWN: what the file says of its
					   cores */
	/* To share the work between threads, each of which opens the file: streams (see the batch's
	 * `stream`) with stream % parts == part are given, others passed over. 0 parts: all. */
	size_t part, parts;
	/* Called about every MiB, with bytes of the file; total is 0 while it is not known. NULL:
	 * not. Returns 0, or another value to stop: -PMS_EIO. */
	int (*progress)(void *context, uint64_t done, uint64_t total);
	void *context;
};

/**
 * Open @path, "-" for standard input.
 * Memory: 1 MiB; 300 bytes a stream (one for each CPU or thread that has a buffer), of 262144 at
 * most, the traces of others being left out; and what is known of threads and mappings, from
 * records of MMAP, COMM, FORK, ITRACE_START and SWITCH: at most four times their bytes and 32 MiB,
 * up to 512 MiB, others being left out. What is left out is counted: see the quality.
 * @options: NULL for none
 * Errors: -PMS_EIO, -PMS_ENOMEM; -PMS_EPARSE a damaged perf.data, or one with traces of something
 *         else
 */
int pms_spe_samples_open(const char *path, const struct pms_spe_samples_options *options,
			 struct pms_spe_samples **out, struct pms_error *err);

/**
 * Find the times of the file's first and last record, perf's, in ns, by reading it.
 * Returns 1, 0 where no record has a time. Errors: those of reading
 */
int pms_spe_samples_span(const char *path, const struct pms_spe_samples_options *options,
			 uint64_t *first, uint64_t *last, struct pms_error *err);

/** Like pms_spe_samples_open, for a file in memory, which stays the caller's until
 * pms_spe_samples_close. @name: for error messages */
int pms_spe_samples_open_bytes(const void *bytes, size_t size, const char *name,
			       const struct pms_spe_samples_options *options,
			       struct pms_spe_samples **out, struct pms_error *err);

/** NULL is fine. */
void pms_spe_samples_close(struct pms_spe_samples *samples);

/** Which records are meant, by options of their own: lists with commas between. NULL: any. */
struct pms_spe_pick {
	const char *pid, *tid, *cpu; /* numbers, "42,43"; of CPUs also "0-3" */
	const char *comm;	     /* names of threads */
	const char *time; /* from and to: "10%-20%" of the recording, or seconds of perf's clock,
			     "12.5-13"; what is left out is the recording's begin or end */
};

/* Batches -------------------------------------------------------------------------------------- */

/** What is known of a record beside its packets. */
enum pms_spe_knows {
	PMS_SPE_KNOWS_NS = 1 << 0,  /* perf's time: it has a timestamp, and the file a TIME_CONV */
	PMS_SPE_KNOWS_TID = 1 << 1, /* the thread */
	PMS_SPE_KNOWS_PID = 1 << 2  /* and its process */
};

#define PMS_SPE_NO_THREAD UINT32_MAX
#define PMS_SPE_NO_SPACE  UINT32_MAX

/** Some records of one stream, in its order. Columns hold 0 (thread and space: none) where a value
 * is not known; only `knows` tells that from 0. */
struct pms_spe_samples_batch {
	const struct pms_spe_batch *records; /* the columns of packets; count of all of them */
	size_t stream;			     /* number of the buffer: from 0 as they come */
	int32_t cpu;			     /* of all the records; -1: not known */
	uint64_t midr;			     /* of that CPU; 0: not known */
	enum pms_spe_encoding encoding;	     /* of their data sources */
	uint8_t knows[PMS_SPE_BATCH];	     /* enum pms_spe_knows */
	uint64_t ns[PMS_SPE_BATCH];	     /* perf's time, ns */
	int32_t pid[PMS_SPE_BATCH], tid[PMS_SPE_BATCH];
	uint32_t thread[PMS_SPE_BATCH]; /* for pms_spe_samples_thread: the same number for all
					   records of a thread while it has one name */
	uint32_t space[PMS_SPE_BATCH];	/* for pms_spe_samples_place: in one space an address is
					   always the same place */
};

/**
 * Read some more records.
 * @batch: becomes up to 256 of them, borrowed until the next call
 * Returns 1 with a batch, 0 at the end (also of a file that is cut short, or damaged behind its
 * first record: see the quality). Errors: -PMS_EPARSE, with the place in the file, where no record
 * comes before the damage; -PMS_EIO, also when progress() stops; -PMS_ENOMEM. What was given up to
 * there stays true.
 */
int pms_spe_samples_next(struct pms_spe_samples *samples,
			 const struct pms_spe_samples_batch **batch, struct pms_error *err);

/* Threads and places --------------------------------------------------------------------------- */

struct pms_spe_thread {
	int32_t pid, tid; /* pid -1: not known */
	const char *comm; /* its name then; "" when not known. Until the samples are closed */
};

/** Returns the thread of that number, NULL for PMS_SPE_NO_THREAD. Until the next batch. */
const struct pms_spe_thread *pms_spe_samples_thread(const struct pms_spe_samples *samples,
						    uint32_t thread);

/**
 * Find the place of an address.
 * @space:   of the record. Addresses of the kernel have places in every space, NO_SPACE too.
 * @address: canonical, as pms_spe_canonical makes it of a payload
 * @place:   always filled; with no object when nothing is known to be mapped there
 * Returns 1 when there is an object, 0 when not. Takes some 50 ns: do it once for many records.
 */
int pms_spe_samples_place(const struct pms_spe_samples *samples, uint32_t space, uint64_t address,
			  struct pms_place *place);

/** The objects that the file tells of, by pms_place's index. */
size_t pms_spe_samples_n_objects(const struct pms_spe_samples *samples);
const struct pms_object *pms_spe_samples_object(const struct pms_spe_samples *samples,
						size_t index);

/* How good the sample is ------------------------------------------------------------------------
 */

enum { PMS_SPE_EVENTS_MOST = 8 };

/** An SPE event of the recording: how it chose operations. */
struct pms_spe_recorded {
	const char *name; /* "arm_spe_0/ts_enable=1/", "" when not known; until the samples are
			     closed */
	uint64_t period;  /* operations from one sample to the next, on average; 0: not known */
	int jitter;	  /* 1: the interval was made random */
	/* Filters: a record is kept when it passes all of them. */
	int filter_loads, filter_stores, filter_branches; /* of these the kinds that were asked for
							     pass; none asked for: all */
	uint64_t events;				  /* all of these bits must be set */
	uint64_t no_events;				  /* all of these bits must be clear */
	uint32_t least_latency;				  /* cycles, total latency; 0: any */
};

/** Counts that the file has for the events of SPE's population, from records of these events; each
 * with 1 in known when the file has such an event. */
struct pms_spe_population {
	int known_pop, known_feed, known_filtrate, known_collision;
	uint64_t pop;	    /* SAMPLE_POP: operations that could have been sampled */
	uint64_t feed;	    /* SAMPLE_FEED: samples taken */
	uint64_t filtrate;  /* SAMPLE_FILTRATE: samples that passed the filters */
	uint64_t collision; /* SAMPLE_COLLISION: samples lost, another still being in flight */
};

/** What was read so far; at the end, all that the report can say of its samples. */
struct pms_spe_quality {
	int raw;			/* 1: a bare buffer: nothing is known but the summary */
	int pipe;			/* 1: written for a pipe */
	struct pms_spe_summary summary; /* packets, records, undecodable and unfinished */
	uint64_t undecodable;		/* bytes that were no packet, or cut ones */
	uint64_t without_time;		/* records for which no perf time is known */
	uint64_t without_tid;		/* records for which no thread is known */
	size_t streams;			/* buffers of CPUs or threads */
	size_t n_recorded;
	struct pms_spe_recorded recorded[PMS_SPE_EVENTS_MOST];
	struct pms_spe_population population;
	struct pms_perfdata_stats stats; /* lost events; AUX records truncated, partial, with
					    collisions; where the file is cut; zero for raw */
	uint64_t bytes_left_out;	 /* of traces: of streams beyond 262144 */
	uint64_t tasks_left_out;	/* records about threads and mappings, above what is kept */
	uint64_t names_cut;		/* names of threads above 15 bytes, paths above 4095 */
	const struct pms_error *damage; /* where the file is damaged, so that nothing behind was
					   read; NULL: nowhere. Until closed */
	const char *arch, *cpuid, *hostname, *os_release; /* "" when not known; until closed */
	int has_time;					  /* 1: the file has a TIME_CONV */
};

/** Fill @quality with what was read up to now. */
void pms_spe_samples_quality(const struct pms_spe_samples *samples,
			     struct pms_spe_quality *quality);

/**
 * Whether what was read to its end can be Arm SPE, for a file that was taken for a bare buffer
 * because it is no perf.data: of other files, texts and programs say, two bytes in five and more
 * that are no padding are no packets.
 * @name: the file's, for the error.
 * Errors: -PMS_EPARSE for a bare buffer that is empty, or where it is more than one such byte in
 * four
 */
int pms_spe_quality_check(const struct pms_spe_quality *quality, const char *name,
			  struct pms_error *err);

/* Dump ------------------------------------------------------------------------------------------
 */

/**
 * Write every record of @samples that was not read yet, with whose it is.
 * Errors: those of pms_spe_samples_next; -PMS_EIO when write() stops
 */
int pms_spe_dump_records(struct pms_spe_samples *samples,
			 const struct pms_spe_dump_options *options, struct pms_error *err);

#ifdef __cplusplus
}
#endif
#endif

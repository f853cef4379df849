/* SPDX-License-Identifier: MIT */
/* pmuscope/spe_samples.h - SPE records with their thread, time and place.
 * Flow: perf.data or a bare buffer -> packets, records -> [samples] -> aggregate -> show.
 *
 * A perf.data is read twice: first for threads and mappings, which are ordered by time, then for
 * its records. A pipe is kept in a temporary file for this. Memory does not grow with the number
 * of records: see pms_spe_samples_open. */
#ifndef PMUSCOPE_SPE_SAMPLES_H
#define PMUSCOPE_SPE_SAMPLES_H

#include "pmuscope/object.h"
#include "pmuscope/spe.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An open file of samples: opaque, closed by pms_spe_samples_close. One thread uses it at a
 * time. */
struct pms_spe_samples;

struct pms_spe_samples_options {
	int raw;			/* 1: a bare buffer, whatever it begins with */
	enum pms_spe_encoding encoding; /* names data sources; UNKNOWN: by the file's cores */
	/* To share the work among threads, each of which opens the file: give only streams with
	 * stream % parts == part (see the batch's `stream`). 0 parts: give all. */
	size_t part, parts;
	/* Called about every MiB with the file's bytes read; total is 0 while unknown. NULL: not
	 * called. Returns 0, or another value to stop with -PMS_EIO. */
	int (*progress)(void *context, uint64_t done, uint64_t total);
	void *context;
};

/** Open @path, "-" for standard input.
 * A long file with several streams is read and decoded by a thread of its own, unless there is one
 * processor or options->parts. That thread calls no function of the caller's, takes no signals, and
 * ends with pms_spe_samples_close.
 * Memory: 1 MiB, 2 MiB with that thread; 300 bytes a stream, one for each CPU or thread with a
 * buffer, at most 262144 streams; and records about threads and mappings (MMAP, COMM, FORK,
 * ITRACE_START, SWITCH), at most 4 times their bytes and 32 MiB, never above 512 MiB. The rest is
 * left out and counted: see the quality.
 * @options: NULL for none
 * @out: written only on success
 * Returns 0. Errors: -PMS_EIO, -PMS_ENOMEM; -PMS_EPARSE a damaged perf.data, or one with other
 * traces. */
int pms_spe_samples_open(const char *path, const struct pms_spe_samples_options *options,
			 struct pms_spe_samples **out, struct pms_error *err);

/** Find the times of the file's first and last record by reading it, in ns of perf's clock.
 * Returns 1, 0 where no record has a time. Errors: as reading. */
int pms_spe_samples_span(const char *path, const struct pms_spe_samples_options *options,
			 uint64_t *first, uint64_t *last, struct pms_error *err);

/** Like pms_spe_samples_open, for a file in memory, borrowed until pms_spe_samples_close. @name:
 * for error messages */
int pms_spe_samples_open_bytes(const void *bytes, size_t size, const char *name,
			       const struct pms_spe_samples_options *options,
			       struct pms_spe_samples **out, struct pms_error *err);

/** Close the samples. @samples may be NULL. */
void pms_spe_samples_close(struct pms_spe_samples *samples);

/** Conditions on records, one option each: lists with commas. NULL: any. */
struct pms_spe_pick {
	const char *pid, *tid, *cpu; /* numbers, "42,43"; of CPUs also "0-3" */
	const char *comm;	     /* names of threads */
	const char *time; /* from and to: "10%-20%" of the recording, or seconds of perf's clock,
			     "12.5-13"; what is left out is the recording's begin or end */
};

/* Batches -------------------------------------------------------------------------------------- */

/** What is known of a record besides its packets. */
enum pms_spe_knows {
	PMS_SPE_KNOWS_NS = 1 << 0,  /* perf's time: it has a timestamp, and the file a TIME_CONV */
	PMS_SPE_KNOWS_TID = 1 << 1, /* the thread */
	PMS_SPE_KNOWS_PID = 1 << 2  /* the thread's process */
};

#define PMS_SPE_NO_THREAD UINT32_MAX
#define PMS_SPE_NO_SPACE  UINT32_MAX

/** Records of one stream, in its order. An unknown value is 0 in its column (thread and space:
 * none); only `knows` tells it from a real 0. */
struct pms_spe_samples_batch {
	const struct pms_spe_batch *records; /* columns of packets; their count is for all */
	size_t stream; /* number of the buffer, from 0 in the order of appearance */
	int32_t cpu;   /* CPU of all the records; -1: not known */
	uint64_t midr; /* MIDR_EL1 of that CPU; 0: not known */
	enum pms_spe_encoding encoding; /* names their data sources */
	uint8_t knows[PMS_SPE_BATCH];	/* enum pms_spe_knows */
	uint64_t ns[PMS_SPE_BATCH];	/* ns of perf's clock */
	int32_t pid[PMS_SPE_BATCH], tid[PMS_SPE_BATCH];
	uint32_t thread[PMS_SPE_BATCH]; /* for pms_spe_samples_thread: the same number for all
					   records of a thread while it has one name */
	uint32_t space[PMS_SPE_BATCH];	/* for pms_spe_samples_place: in one space an address is
					   always the same place */
};

/** Read some more records.
 * @batch: receives up to 256 records, borrowed until the next call
 * Returns 1 with a batch, 0 at the end, also where the file is cut short or damaged after its
 * first record: see the quality.
 * Errors: -PMS_EPARSE damage before the first record, with its place in the file; -PMS_EIO, also
 * when progress() stops; -PMS_ENOMEM. Earlier batches stay valid data. */
int pms_spe_samples_next(struct pms_spe_samples *samples,
			 const struct pms_spe_samples_batch **batch, struct pms_error *err);

/* Threads and places --------------------------------------------------------------------------- */

struct pms_spe_thread {
	int32_t pid, tid; /* pid -1: not known */
	const char *comm; /* its name at that time; "" when unknown; borrowed until the samples are
			     closed */
};

/** Returns the thread of a number, borrowed until the next batch; NULL for PMS_SPE_NO_THREAD. */
const struct pms_spe_thread *pms_spe_samples_thread(const struct pms_spe_samples *samples,
						    uint32_t thread);

/** Find the place of an address, in some 50 ns: do it once for many records.
 * @space:   the record's. Kernel addresses have places in every space, even NO_SPACE.
 * @address: canonical, as pms_spe_canonical makes it of a payload
 * @place:   always filled; without an object where nothing is known to be mapped
 * Returns 1 when there is an object, 0 when not. */
int pms_spe_samples_place(const struct pms_spe_samples *samples, uint32_t space, uint64_t address,
			  struct pms_place *place);

/** Return the objects that the file names, by pms_place's index. */
size_t pms_spe_samples_n_objects(const struct pms_spe_samples *samples);
const struct pms_object *pms_spe_samples_object(const struct pms_spe_samples *samples,
						size_t index);

/* How good the sample is ------------------------------------------------------------------------
 */

enum { PMS_SPE_EVENTS_MOST = 8 };

/** An SPE event of the recording, with how it chose operations. */
struct pms_spe_recorded {
	const char *name; /* "arm_spe_0/ts_enable=1/", "" when not known; until the samples are
			     closed */
	uint64_t period;  /* operations from one sample to the next, on average; 0: not known */
	int jitter;	  /* 1: the interval varied at random */
	/* Filters of the recording: a record had to pass all of them. */
	int filter_loads, filter_stores, filter_branches; /* of these the kinds that were asked for
							     pass; none asked for: all */
	uint64_t events;				  /* all of these bits must be set */
	uint64_t no_events;				  /* all of these bits must be clear */
	uint32_t least_latency;				  /* cycles, total latency; 0: any */
};

/** Counts of the events of SPE's population, from the file's records. known_…: 1 where the file
 * has the event. */
struct pms_spe_population {
	int known_pop, known_feed, known_filtrate, known_collision;
	uint64_t pop;	    /* SAMPLE_POP: operations that could have been sampled */
	uint64_t feed;	    /* SAMPLE_FEED: samples taken */
	uint64_t filtrate;  /* SAMPLE_FILTRATE: samples that passed the filters */
	uint64_t collision; /* SAMPLE_COLLISION: samples lost, another still being in flight */
};

/** What was read so far; at the end, everything a report says of its samples. */
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

/** Fill @quality with everything read so far. */
void pms_spe_samples_quality(const struct pms_spe_samples *samples,
			     struct pms_spe_quality *quality);

/** Check that a file taken for a bare buffer, because it is no perf.data, can be Arm SPE. Call it
 * after reading to the end. Of other files, such as texts and programs, two bytes in five or
 * more, padding aside, are no packets.
 * @name: of the file, for the error
 * Returns 0. Errors: -PMS_EPARSE a bare buffer that is empty, or where more than one byte in
 * four is no packet. */
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

/* SPDX-License-Identifier: MIT */
/* pmuscope/perfdata.h - the perf.data container, read and written. It knows nothing of what the
 * hardware traces inside mean: those come out as buffers of bytes.
 * Flow: [perfdata] -> spe -> aggregate -> show.
 * Source: perf_event_open(2), section "MMAP layout"; the Linux kernel's description of the format,
 * "perf.data format"; and files that perf 6.1 wrote. */
#ifndef PMUSCOPE_PERFDATA_H
#define PMUSCOPE_PERFDATA_H

#include <stddef.h>
#include <stdint.h>

#include "pmuscope/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Types of records, as the file numbers them. Others are passed on as bytes, and counted. */
enum pms_perfdata_type {
	PMS_PERFDATA_MMAP = 1,
	PMS_PERFDATA_LOST = 2,
	PMS_PERFDATA_COMM = 3,
	PMS_PERFDATA_EXIT = 4,
	PMS_PERFDATA_FORK = 7,
	PMS_PERFDATA_SAMPLE = 9,
	PMS_PERFDATA_MMAP2 = 10,
	PMS_PERFDATA_AUX = 11,
	PMS_PERFDATA_ITRACE_START = 12,
	PMS_PERFDATA_LOST_SAMPLES = 13,
	PMS_PERFDATA_SWITCH = 14,
	PMS_PERFDATA_SWITCH_CPU_WIDE = 15,
	PMS_PERFDATA_HEADER_ATTR = 64,
	PMS_PERFDATA_HEADER_TRACING_DATA = 66,
	PMS_PERFDATA_HEADER_BUILD_ID = 67,
	PMS_PERFDATA_FINISHED_ROUND = 68,
	PMS_PERFDATA_ID_INDEX = 69,
	PMS_PERFDATA_AUXTRACE_INFO = 70,
	PMS_PERFDATA_AUXTRACE = 71,
	PMS_PERFDATA_THREAD_MAP = 73,
	PMS_PERFDATA_CPU_MAP = 74,
	PMS_PERFDATA_EVENT_UPDATE = 78,
	PMS_PERFDATA_TIME_CONV = 79,
	PMS_PERFDATA_HEADER_FEATURE = 80,
	PMS_PERFDATA_COMPRESSED = 81,
	PMS_PERFDATA_COMPRESSED2 = 83
};

/** Flags of an AUX record: what happened to the buffer's bytes that it announces. */
enum {
	PMS_PERFDATA_AUX_TRUNCATED =
		1, /* the buffer was full: records were lost after these bytes */
	PMS_PERFDATA_AUX_OVERWRITE = 2, /* snapshot mode: older bytes were overwritten */
	PMS_PERFDATA_AUX_PARTIAL = 4,	/* the bytes have gaps */
	PMS_PERFDATA_AUX_COLLISION = 8	/* samples collided: some were not taken */
};

/** What a sample or the trailer of another record can hold; perf's PERF_SAMPLE_ bits. */
enum {
	PMS_PERFDATA_IP = 1 << 0,
	PMS_PERFDATA_TID = 1 << 1,
	PMS_PERFDATA_TIME = 1 << 2,
	PMS_PERFDATA_ADDR = 1 << 3,
	PMS_PERFDATA_READ = 1 << 4,
	PMS_PERFDATA_CALLCHAIN = 1 << 5,
	PMS_PERFDATA_ID = 1 << 6,
	PMS_PERFDATA_CPU = 1 << 7,
	PMS_PERFDATA_PERIOD = 1 << 8,
	PMS_PERFDATA_STREAM_ID = 1 << 9,
	PMS_PERFDATA_RAW = 1 << 10,
	PMS_PERFDATA_BRANCH_STACK = 1 << 11,
	PMS_PERFDATA_REGS_USER = 1 << 12,
	PMS_PERFDATA_STACK_USER = 1 << 13,
	PMS_PERFDATA_WEIGHT = 1 << 14,
	PMS_PERFDATA_DATA_SRC = 1 << 15,
	PMS_PERFDATA_IDENTIFIER = 1 << 16,
	PMS_PERFDATA_TRANSACTION = 1 << 17,
	PMS_PERFDATA_REGS_INTR = 1 << 18,
	PMS_PERFDATA_PHYS_ADDR = 1 << 19,
	PMS_PERFDATA_AUX_DATA = 1 << 20,
	PMS_PERFDATA_CGROUP = 1 << 21,
	PMS_PERFDATA_DATA_PAGE_SIZE = 1 << 22,
	PMS_PERFDATA_CODE_PAGE_SIZE = 1 << 23,
	PMS_PERFDATA_WEIGHT_STRUCT = 1 << 24
};

/** Bits of an event's flags that matter to readers of its file. */
#define PMS_PERFDATA_FLAG_FREQ (UINT64_C(1) << 10) /* sample_period is a frequency, Hz */
#define PMS_PERFDATA_FLAG_SAMPLE_ID_ALL                                                            \
	(UINT64_C(1) << 18) /* every kernel record has a trailer                                   \
			     */

/** Bits of a record's misc field. */
enum {
	PMS_PERFDATA_MISC_CPUMODE = 7, /* mask: 1 kernel, 2 user, 3 hypervisor, 4, 5 the guest's */
	PMS_PERFDATA_MISC_MMAP_DATA = 1 << 13,
	PMS_PERFDATA_MISC_COMM_EXEC = 1 << 13,
	PMS_PERFDATA_MISC_FORK_EXEC = 1 << 13,	/* perf made it up: no mappings are inherited */
	PMS_PERFDATA_MISC_SWITCH_OUT = 1 << 13, /* else in */
	PMS_PERFDATA_MISC_MMAP_BUILD_ID = 1 << 14,
	PMS_PERFDATA_MISC_BUILD_ID_SIZE = 1 << 15
};

/** The type of trace in AUXTRACE_INFO for Arm SPE. */
enum { PMS_PERFDATA_AUXTRACE_ARM_SPE = 4 };

/** Who, where and when of a record: of a sample, or of the trailer that sample_id_all asks for. */
struct pms_perfdata_id {
	uint32_t have; /* of the bits above: TID, TIME, ID (or IDENTIFIER), CPU, STREAM_ID */
	int32_t pid, tid;
	uint64_t time; /* ns of perf's clock */
	uint64_t id, stream_id;
	uint32_t cpu;
};

/** A mapping, of MMAP or MMAP2. */
struct pms_perfdata_mmap {
	int32_t pid, tid;
	uint64_t start, length; /* addresses, bytes */
	uint64_t file_offset;	/* bytes */
	const char *path;	/* "[vdso]", "//anon", "[kernel.kallsyms]_text" are names too */
	uint32_t major, minor;	/* MMAP2 without build-id, else 0 */
	uint64_t inode, inode_generation;
	uint32_t prot, flags;	 /* as for mmap(2); MMAP: 0 */
	const uint8_t *build_id; /* NULL: none */
	uint8_t build_id_size;	 /* 0..20 */
};

struct pms_perfdata_comm {
	int32_t pid, tid;
	int exec; /* 1: by execve(2) */
	const char *name;
};

/** FORK or EXIT. */
struct pms_perfdata_task {
	int32_t pid, parent_pid, tid, parent_tid;
	uint64_t time; /* ns of perf's clock */
};

struct pms_perfdata_aux {
	uint64_t offset, size; /* where its bytes lie in the buffer's endless stream */
	uint64_t flags;	       /* PMS_PERFDATA_AUX_… */
};

struct pms_perfdata_itrace_start {
	int32_t pid, tid;
};

/** SWITCH, SWITCH_CPU_WIDE: the thread of the trailer comes onto the trailer's CPU, or leaves it.
 */
struct pms_perfdata_switch {
	int out; /* 1: it leaves */
	int32_t pid,
		tid; /* CPU_WIDE: of the thread that comes next, or was there before; else -1 */
};

struct pms_perfdata_lost {
	uint64_t id; /* LOST: of the event; LOST_SAMPLES: 0 */
	uint64_t count;
};

/**
 * Bytes of a trace buffer. What the file keeps as one AUXTRACE record is given in pieces that
 * follow one another without gaps: cut where an AUX record ends, and where the reader's buffer
 * does.
 */
struct pms_perfdata_auxtrace {
	int32_t cpu;	    /* -1: a buffer of a thread */
	int32_t tid;	    /* -1: a buffer of a CPU */
	uint32_t idx;	    /* the buffer's number */
	uint64_t reference; /* a number that perf gave the record */
	uint64_t offset;    /* of data[0] in the buffer's endless stream */
	const uint8_t
		*data;	/* until the next record; of bytes in memory until pms_perfdata_close */
	size_t size;	/* of this piece, 1 or more unless the record is empty, or stepped over */
	uint64_t left;	/* bytes of the AUXTRACE record after this piece */
	int described;	/* 1: an AUX record tells of these bytes, and flags are its; 0: none does */
	uint64_t flags; /* PMS_PERFDATA_AUX_… */
	struct pms_perfdata_id aux_id; /* of that AUX record, what its trailer tells but ids */
	int ends_aux; /* 1: the AUX record's bytes end with this piece: what the flags say of gaps
			 lies here */
};

/** A sample. Only the members are set whose bits the event's sample_type has; others are 0. */
struct pms_perfdata_sample {
	uint64_t ip, addr, period, weight, data_src, transaction, phys_addr, cgroup;
	uint64_t data_page_size, code_page_size;
	const uint8_t *callchain; /* n_callchain little-endian numbers of 8 bytes, not aligned */
	uint64_t n_callchain;
	const uint8_t *raw;
	uint32_t raw_size;
	const uint8_t *aux; /* trace bytes inside the sample */
	uint64_t aux_size;
};

/** One record. Pointers are borrowed until the next call with the file, unless said otherwise. */
struct pms_perfdata_record {
	uint32_t type; /* enum pms_perfdata_type or another number */
	uint16_t misc;
	uint64_t offset; /* in the file; of a compressed record: of that which it came out of */
	const uint8_t *bytes; /* whole, with its header of 8 bytes */
	size_t size;
	int event; /* index into info's events; -1: not known */
	struct pms_perfdata_id id;
	union {				       /* by type */
		struct pms_perfdata_mmap mmap; /* MMAP, MMAP2 */
		struct pms_perfdata_comm comm;
		struct pms_perfdata_task task; /* FORK, EXIT */
		struct pms_perfdata_aux aux;
		struct pms_perfdata_itrace_start itrace_start;
		struct pms_perfdata_switch switch_; /* SWITCH, SWITCH_CPU_WIDE */
		struct pms_perfdata_lost lost;	    /* LOST, LOST_SAMPLES */
		struct pms_perfdata_auxtrace auxtrace;
		struct pms_perfdata_sample sample;
	};
};

/** An event that was recorded. */
struct pms_perfdata_event {
	const char *name; /* "" when the file does not tell */
	uint32_t type;	  /* of the PMU; see pms_perfdata_pmu_name */
	uint64_t config, config1, config2, config3;
	uint64_t sample_period;
	uint64_t sample_type, read_format, flags;
	uint64_t branch_sample_type, sample_regs_user, sample_regs_intr;
	uint32_t sample_stack_user; /* bytes */
	int32_t clock;		    /* of time, as clock_gettime(2) numbers them, if flags say so */
	const uint64_t *ids;
	size_t n_ids;
};

struct pms_perfdata_build_id {
	int32_t pid; /* -1: the host's kernel and programs */
	uint16_t misc;
	const char *path;
	uint8_t id[20];
	uint8_t size; /* 1..20 */
};

struct pms_perfdata_pmu {
	uint32_t type;
	const char *name;
};

/** Where an event's id was counted. */
struct pms_perfdata_id_entry {
	uint64_t id, idx; /* idx: the buffer's number */
	int64_t cpu, tid; /* -1: any */
};

struct pms_perfdata_thread {
	int64_t tid;
	char name[17];
};

/** How a counter of the hardware becomes perf's time. */
struct pms_perfdata_time_conv {
	int known; /* 1: the file has a TIME_CONV record */
	uint64_t shift, mult, zero;
	uint64_t cycles, mask;
	int short_counter; /* 1: the counter is narrower than 64 bits; cycles and mask tell its
			      place */
};

/**
 * What the file says of itself. From a file with its header, nearly all of it is there after
 * opening; from a pipe it comes with the records. Strings are "" and counts 0 where it is silent.
 */
struct pms_perfdata_info {
	int pipe;	/* 1: written by perf record -o - */
	int compressed; /* 1: has compressed records (from a pipe: had one so far) */
	const char *hostname, *os_release, *perf_version, *arch, *cpu_description, *cpuid;
	uint32_t cpus_online, cpus_available;
	uint64_t total_memory; /* KiB */
	const char *const *cmdline;
	size_t n_cmdline;
	const struct pms_perfdata_event *events;
	size_t n_events;
	const struct pms_perfdata_build_id *build_ids;
	size_t n_build_ids;
	const struct pms_perfdata_pmu *pmus;
	size_t n_pmus;
	const struct pms_perfdata_id_entry *id_index;
	size_t n_id_index;
	const struct pms_perfdata_thread *threads;
	size_t n_threads;
	const uint32_t *cpus; /* of CPU_MAP */
	size_t n_cpus;
	struct pms_perfdata_time_conv time_conv;
	uint32_t auxtrace_type; /* 0: no AUXTRACE_INFO record */
	const uint64_t *auxtrace_private;
	size_t n_auxtrace_private;
};

/** What was met so far. */
struct pms_perfdata_stats {
	uint64_t records;      /* all, with the malformed and those out of compressed ones */
	uint64_t unknown;      /* types that this reader has not heard of */
	uint64_t unidentified; /* samples and trailers whose event is not known: not decoded */
	uint64_t malformed;    /* framed, but their content does not fit: skipped */
	uint64_t malformed_at; /* file offset of the first of these */
	uint64_t lost_events;  /* of LOST records */
	uint64_t lost_samples; /* of LOST_SAMPLES records */
	uint64_t aux_records, aux_bytes; /* AUX records, and the bytes that they announce */
	uint64_t aux_truncated, aux_overwritten, aux_partial,
		aux_collided;			   /* AUX records so flagged */
	uint64_t auxtrace_records, auxtrace_bytes; /* and the bytes that are there */
	uint64_t compressed_bytes, decompressed_bytes;
	int cut;	    /* 1: the file ends before its end */
	uint64_t cut_at;    /* file offset of what is not whole */
	char cut_text[160]; /* what is missing; "" when nothing is */
};

/** An open perf.data. Different ones may be used by different threads at the same time. */
struct pms_perfdata;

/** Whether these are the first bytes of a perf.data of any kind: 8 bytes decide. */
int pms_perfdata_is(const void *bytes, size_t size);

/**
 * Open a perf.data. A regular file is read as often as is needed; anything else, "-" (standard
 * input) too, is read as a stream, and must have been written by perf record -o -. Memory: the
 * description of the file (12 MiB and twice the file's size at most), 256 KiB of buffer, up to 4
 * MiB of a file with long traces mapped, and with compressed records 256 KiB and zstd's window (8
 * MiB at most, as perf record -z 19 has it; 2 MiB at perf's default level). When a file is
 * shortened while it is read, that is -PMS_EIO. The bytes of a long trace are the exception: they
 * are mapped, and who looks at them just then gets SIGBUS. Returns 0. Errors: -PMS_EIO it cannot be
 * opened or read; -PMS_EPARSE not a perf.data, of the other byte order, a header whose lengths do
 * not fit, a directory of perf record --threads; -PMS_ENOMEM.
 */
int pms_perfdata_open(const char *path, struct pms_perfdata **out, struct pms_error *err);

/**
 * Like pms_perfdata_open, for a descriptor, which is the reader's from then on, also on failure.
 * @name:  for error messages
 * @first: of a stream, the @n_first bytes that were read of it already; at most 1 MiB. Of a regular
 *         file what was read does not matter.
 */
int pms_perfdata_open_fd(int fd, const char *name, const void *first, size_t n_first,
			 struct pms_perfdata **out, struct pms_error *err);

/** Like pms_perfdata_open, for bytes in memory, which stay the caller's until pms_perfdata_close.
 * @name: for error messages */
int pms_perfdata_open_bytes(const void *bytes, size_t size, const char *name,
			    struct pms_perfdata **out, struct pms_error *err);

/**
 * Read the next record. Records that come compressed are given one by one as if they were not.
 * Returns 1 with a record, 0 at the end; a file that was cut short ends too, and stats say where.
 * Errors: -PMS_EPARSE a record whose size cannot be, compressed bytes that are none: nothing after
 *         it can be read; -PMS_EIO, -PMS_ENOMEM. err->offset is the place in the file.
 */
int pms_perfdata_next(struct pms_perfdata *file, struct pms_perfdata_record *out,
		      struct pms_error *err);

/** Whether the data of AUXTRACE records is stepped over from now on, which costs nothing in a file:
 * each of them is given once then, without bytes. */
void pms_perfdata_skip_traces(struct pms_perfdata *file, int skip);

/** Go back to the first record; stats begin anew. Returns 0. Errors: -PMS_EINVAL a stream. */
int pms_perfdata_rewind(struct pms_perfdata *file, struct pms_error *err);

/** Borrowed until pms_perfdata_close; its members may change with pms_perfdata_next. */
const struct pms_perfdata_info *pms_perfdata_info(const struct pms_perfdata *file);
const struct pms_perfdata_stats *pms_perfdata_stats(const struct pms_perfdata *file);

/** The event that an id is of: its index into info's events, or -1. Of events that claim the same
 * id it is the last one's. */
int pms_perfdata_event_of(const struct pms_perfdata *file, uint64_t id);

/** The name that the recording machine gave a type of PMU ("arm_spe_0"), NULL when not known. */
const char *pms_perfdata_pmu_name(const struct pms_perfdata_info *info, uint32_t type);

/** The file's length in bytes; 0 of a stream. And how far the reader is: for progress bars. */
uint64_t pms_perfdata_size(const struct pms_perfdata *file);
uint64_t pms_perfdata_position(const struct pms_perfdata *file);

/** NULL is fine. */
void pms_perfdata_close(struct pms_perfdata *file);

/** The name of a type of record ("MMAP2"), NULL for one that this reader has not heard of. */
const char *pms_perfdata_type_name(uint32_t type);

/**
 * Convert a timestamp of the hardware's counter (SPE's, on Arm) to perf's time.
 * @ns: written on success
 * Returns 0. Errors: -PMS_ENAME @conv is not known; -PMS_EPARSE its numbers lead out of 64 bits.
 */
int pms_perfdata_time(const struct pms_perfdata_time_conv *conv, uint64_t ticks, uint64_t *ns);

/* Writing ---------------------------------------------------------------------------------------
 */

/** A perf.data that is being written. */
struct pms_perfdata_writer;

/** Whether a type of record is one of those that the writer makes from the info it was given:
 * HEADER_ATTR, HEADER_BUILD_ID, ID_INDEX, AUXTRACE_INFO, THREAD_MAP, CPU_MAP, EVENT_UPDATE,
 * TIME_CONV, HEADER_FEATURE; and COMPRESSED, COMPRESSED2, HEADER_TRACING_DATA, which it does not
 * write. */
int pms_perfdata_describes(uint32_t type);

/**
 * Begin a perf.data that Linux perf reads.
 * @path: replaced if it is there; "-" is standard output, which needs info->pipe
 * @info: what the file is to say of itself; borrowed until the end. pipe: write the form of perf
 *        record -o -, else that with a header; compressed: compress records as perf record -z does.
 *        Strings that are NULL or "" and counts of 0 are left out. build_ids may be filled until
 * the end, with a header. Returns 0. Errors: -PMS_EINVAL no event, or events whose ids lie in
 * different places; -PMS_EIO, -PMS_ENOMEM.
 */
int pms_perfdata_create(const char *path, const struct pms_perfdata_info *info,
			struct pms_perfdata_writer **out, struct pms_error *err);

/**
 * Write one record: its type and misc, and then, if bytes is set, those from 8 on as they are; else
 * its fields. (What pms_perfdata_next gave can be written as it is.) The trailer, if events have
 * one, is made from id and the sample_type of event, -1 for the first. AUXTRACE: always by its
 * fields. The first piece of a buffer writes the record, for as many bytes as size and left say;
 * the pieces that follow must bring just these. Returns 0. Errors: -PMS_EINVAL a type without
 * fields or one that describes, a record of 64 KiB or more, a sample with parts that
 * pms_perfdata_sample does not have, a piece that does not fit; -PMS_EIO, -PMS_ENOMEM.
 */
int pms_perfdata_write(struct pms_perfdata_writer *writer, const struct pms_perfdata_record *record,
		       struct pms_error *err);

/** Write what comes last, close the file and free the writer, whatever is returned. A file whose
 * writer did not get here is one that was cut short. Errors: -PMS_EIO, -PMS_ENOMEM; -PMS_EINVAL a
 * trace buffer is not complete. */
int pms_perfdata_finish(struct pms_perfdata_writer *writer, struct pms_error *err);

#ifdef __cplusplus
}
#endif
#endif

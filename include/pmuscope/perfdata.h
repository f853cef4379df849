/* SPDX-License-Identifier: MIT */
/* pmuscope/perfdata.h - read and write the perf.data container. Hardware traces inside are
 * passed on as buffers of bytes, whatever they mean.
 * Flow: [perfdata] -> spe -> aggregate -> show.
 * Source: perf_event_open(2), section "MMAP layout"; the Linux kernel's description of the
 * format, "perf.data format"; files written by perf 6.1. */
#ifndef PMUSCOPE_PERFDATA_H
#define PMUSCOPE_PERFDATA_H

#include <stddef.h>
#include <stdint.h>

#include "pmuscope/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Record types by their number in the file. Other types are passed on as bytes, and counted. */
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

/** Flags of an AUX record: what happened to the bytes that it announces. */
enum {
	PMS_PERFDATA_AUX_TRUNCATED =
		1, /* the buffer was full: records were lost after these bytes */
	PMS_PERFDATA_AUX_OVERWRITE = 2, /* snapshot mode: older bytes were overwritten */
	PMS_PERFDATA_AUX_PARTIAL = 4,	/* the bytes have gaps */
	PMS_PERFDATA_AUX_COLLISION = 8	/* samples collided: some were not taken */
};

/** What a sample, or another record's trailer, can hold; perf's PERF_SAMPLE_ bits. */
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

/** Bits of an event's flags that readers of its file need. */
#define PMS_PERFDATA_FLAG_FREQ (UINT64_C(1) << 10) /* sample_period is a frequency, Hz */
#define PMS_PERFDATA_FLAG_SAMPLE_ID_ALL                                                            \
	(UINT64_C(1) << 18) /* every kernel record has a trailer                                   \
			     */

/** Bits of a record's misc field. */
enum {
	PMS_PERFDATA_MISC_CPUMODE = 7, /* mask: 1 kernel, 2 user, 3 hypervisor, 4, 5 the guest's */
	PMS_PERFDATA_MISC_MMAP_DATA = 1 << 13,
	PMS_PERFDATA_MISC_COMM_EXEC = 1 << 13,
	PMS_PERFDATA_MISC_FORK_EXEC = 1 << 13,	/* made up by perf: no mappings are inherited */
	PMS_PERFDATA_MISC_SWITCH_OUT = 1 << 13, /* the thread leaves; unset: it comes */
	PMS_PERFDATA_MISC_MMAP_BUILD_ID = 1 << 14,
	PMS_PERFDATA_MISC_BUILD_ID_SIZE = 1 << 15
};

/** The value of auxtrace_type for Arm SPE. */
enum { PMS_PERFDATA_AUXTRACE_ARM_SPE = 4 };

/** Who, where and when: from a sample, or from the trailer that sample_id_all adds to other
 * records. */
struct pms_perfdata_id {
	uint32_t have; /* bits from above: TID, TIME, ID (or IDENTIFIER), CPU, STREAM_ID */
	int32_t pid, tid;
	uint64_t time; /* ns of perf's clock */
	uint64_t id, stream_id;
	uint32_t cpu;
};

/** A mapping, from MMAP or MMAP2. */
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

/** A FORK or EXIT record. */
struct pms_perfdata_task {
	int32_t pid, parent_pid, tid, parent_tid;
	uint64_t time; /* ns of perf's clock */
};

struct pms_perfdata_aux {
	uint64_t offset, size; /* where the bytes lie in the buffer, whose offsets never wrap */
	uint64_t flags;	       /* PMS_PERFDATA_AUX_… */
};

struct pms_perfdata_itrace_start {
	int32_t pid, tid;
};

/** SWITCH, SWITCH_CPU_WIDE: the trailer's thread starts or stops running on the trailer's CPU. */
struct pms_perfdata_switch {
	int out;	  /* 1: it stops */
	int32_t pid, tid; /* CPU_WIDE: the thread that runs next or ran before; else -1 */
};

struct pms_perfdata_lost {
	uint64_t id; /* LOST: of the event; LOST_SAMPLES: 0 */
	uint64_t count;
};

/** Bytes of a trace buffer. An AUXTRACE record is given in pieces without gaps, cut where an AUX
 * record ends and where the reader's buffer ends. */
struct pms_perfdata_auxtrace {
	int32_t cpu;	    /* -1: a buffer of a thread */
	int32_t tid;	    /* -1: a buffer of a CPU */
	uint32_t idx;	    /* the buffer's number */
	uint64_t reference; /* a number that perf gave the record */
	uint64_t offset;    /* of data[0] in the buffer, whose offsets never wrap */
	const uint8_t
		*data; /* borrowed until the next record; in memory until pms_perfdata_close */
	size_t size;   /* bytes of this piece; 0 only if the record is empty or stepped over */
	uint64_t left; /* bytes of the AUXTRACE record after this piece */
	int described; /* 1: an AUX record tells of these bytes and gives the flags; 0: none does */
	uint64_t flags;		       /* PMS_PERFDATA_AUX_… */
	struct pms_perfdata_id aux_id; /* the AUX record's trailer, without ids */
	int ends_aux; /* 1: the AUX record's bytes end with this piece, and so do the gaps its flags
			 tell of */
};

/** A sample. Set are the members whose bits the event's sample_type has; the others are 0. */
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

/** One record. Pointers are borrowed until the next call with the file, except where noted. */
struct pms_perfdata_record {
	uint32_t type; /* enum pms_perfdata_type or another number */
	uint16_t misc;
	uint64_t offset; /* in the file; for a decompressed record, the offset of its compressed
			    record */
	const uint8_t *bytes; /* whole, with its header of 8 bytes */
	size_t size;
	int event; /* index into info's events; -1: not known */
	struct pms_perfdata_id id;
	union {				       /* chosen by type */
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

/** A recorded event. */
struct pms_perfdata_event {
	const char *name; /* "" when the file does not tell */
	uint32_t type;	  /* the PMU's type; see pms_perfdata_pmu_name */
	uint64_t config, config1, config2, config3;
	uint64_t sample_period;
	uint64_t sample_type, read_format, flags;
	uint64_t branch_sample_type, sample_regs_user, sample_regs_intr;
	uint32_t sample_stack_user; /* bytes */
	int32_t clock; /* clock of the times, numbered as for clock_gettime(2), if the flags say so
			*/
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

/** Where an event with this id was counted. */
struct pms_perfdata_id_entry {
	uint64_t id, idx; /* idx: the buffer's number */
	int64_t cpu, tid; /* -1: any */
};

struct pms_perfdata_thread {
	int64_t tid;
	char name[17];
};

/** Converts the hardware's counter to perf's time. */
struct pms_perfdata_time_conv {
	int known; /* 1: the file has a TIME_CONV record */
	uint64_t shift, mult, zero;
	uint64_t cycles, mask;
	int short_counter; /* 1: the counter has fewer than 64 bits; cycles and mask place it */
};

/** The file's description. A file with a header gives nearly all of it on opening; in a pipe it
 * comes with the records. Strings are "" and counts 0 where the file says nothing. */
struct pms_perfdata_info {
	int pipe;	/* 1: written by perf record -o - */
	int compressed; /* 1: has compressed records; in a pipe: has had one so far */
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
	const uint32_t *cpus; /* from CPU_MAP */
	size_t n_cpus;
	struct pms_perfdata_time_conv time_conv;
	uint32_t auxtrace_type; /* 0: no AUXTRACE_INFO record */
	const uint64_t *auxtrace_private;
	size_t n_auxtrace_private;
};

/** What has been read so far. */
struct pms_perfdata_stats {
	uint64_t records;      /* all records, the malformed and the decompressed included */
	uint64_t unknown;      /* records of unknown types */
	uint64_t unidentified; /* samples and trailers whose event is unknown: not decoded */
	uint64_t malformed;    /* records whose content does not fit: skipped */
	uint64_t malformed_at; /* file offset of the first malformed one */
	uint64_t lost_events;  /* sum over LOST records */
	uint64_t lost_samples; /* sum over LOST_SAMPLES records */
	uint64_t aux_records, aux_bytes; /* AUX records, and the bytes they announce */
	uint64_t aux_truncated, aux_overwritten, aux_partial,
		aux_collided;			   /* AUX records with these flags */
	uint64_t auxtrace_records, auxtrace_bytes; /* and the bytes found */
	uint64_t compressed_bytes, decompressed_bytes;
	int cut;	    /* 1: the file is incomplete */
	uint64_t cut_at;    /* file offset of the incomplete part */
	char cut_text[160]; /* what is missing; "" when nothing is */
};

/** An open perf.data, opaque, closed by pms_perfdata_close. One thread uses it at a time. */
struct pms_perfdata;

/** Returns 1 if these are the first bytes of a perf.data of any kind: 8 bytes decide. */
int pms_perfdata_is(const void *bytes, size_t size);

/** Open a perf.data. A regular file is read as often as needed. Anything else, and "-" (standard
 * input), is read as a stream, which perf record -o - must have written.
 * Memory: the description of the file (at most 12 MiB and twice the file's size), 256 KiB of
 * buffer, up to 4 MiB mapped of a file with long traces. Compressed records add 256 KiB and
 * zstd's window: 2 MiB at perf's default level, 8 MiB at perf record -z 19.
 * Shortening the file while it is read is -PMS_EIO, except that bytes of a long trace are
 * mapped: looking at them then raises SIGBUS.
 * Returns 0. Errors: -PMS_EIO it cannot be opened or read; -PMS_EPARSE not a perf.data, the
 * other byte order, lengths in the header that do not fit, a directory of perf record --threads;
 * -PMS_ENOMEM. */
int pms_perfdata_open(const char *path, struct pms_perfdata **out, struct pms_error *err);

/** Like pms_perfdata_open, for a descriptor, which the reader takes over, even on failure.
 * @name:  for error messages
 * @first: in a stream, the @n_first bytes already read of it, at most 1 MiB; ignored for a
 *       regular file
 * Errors: as pms_perfdata_open, and -PMS_EINVAL too many first bytes. */
int pms_perfdata_open_fd(int fd, const char *name, const void *first, size_t n_first,
			 struct pms_perfdata **out, struct pms_error *err);

/** Like pms_perfdata_open, for bytes in memory, borrowed until pms_perfdata_close. @name: for
 * error messages */
int pms_perfdata_open_bytes(const void *bytes, size_t size, const char *name,
			    struct pms_perfdata **out, struct pms_error *err);

/** Read the next record. Compressed records are given decompressed, one by one.
 * Returns 1 with a record, 0 at the end. A file that was cut short ends too; stats say where.
 * Errors: -PMS_EPARSE an impossible record size or damaged compressed bytes, after which nothing
 * can be read; -PMS_EIO, -PMS_ENOMEM. err->offset is the place in the file. */
int pms_perfdata_next(struct pms_perfdata *file, struct pms_perfdata_record *out,
		      struct pms_error *err);

/** Choose whether to step over the data of AUXTRACE records, which costs nothing in a file. Each
 * record is then given once, without bytes. */
void pms_perfdata_skip_traces(struct pms_perfdata *file, int skip);

/** Go back to the first record and reset the stats. Returns 0. Errors: -PMS_EINVAL a stream. */
int pms_perfdata_rewind(struct pms_perfdata *file, struct pms_error *err);

/** Returns the description, borrowed until pms_perfdata_close. pms_perfdata_next may change its
 * members. */
const struct pms_perfdata_info *pms_perfdata_info(const struct pms_perfdata *file);
const struct pms_perfdata_stats *pms_perfdata_stats(const struct pms_perfdata *file);

/** Returns the event that an id belongs to, as an index into info's events, or -1. If several
 * events claim the id, the last one has it. */
int pms_perfdata_event_of(const struct pms_perfdata *file, uint64_t id);

/** Returns the recording machine's name of a PMU type ("arm_spe_0"); NULL when unknown. */
const char *pms_perfdata_pmu_name(const struct pms_perfdata_info *info, uint32_t type);

/** Return the file's length in bytes (0 for a stream), and the reader's position: for progress
 * bars. */
uint64_t pms_perfdata_size(const struct pms_perfdata *file);
uint64_t pms_perfdata_position(const struct pms_perfdata *file);

/** Close the file. @file may be NULL. */
void pms_perfdata_close(struct pms_perfdata *file);

/** Returns the name of a record type ("MMAP2"); NULL for an unknown one. */
const char *pms_perfdata_type_name(uint32_t type);

/** Convert a timestamp of the hardware's counter (SPE's, on Arm) to perf's time, in ns.
 * @ns: written on success
 * Returns 0. Errors: -PMS_ENAME @conv is not known; -PMS_EPARSE the result exceeds 64 bits. */
int pms_perfdata_time(const struct pms_perfdata_time_conv *conv, uint64_t ticks, uint64_t *ns);

/* Writing ---------------------------------------------------------------------------------------
 */

/** A perf.data being written: opaque, ends with pms_perfdata_finish. */
struct pms_perfdata_writer;

/** Returns 1 for record types that pms_perfdata_write refuses. The writer makes these from the
 * info: HEADER_ATTR, HEADER_BUILD_ID, ID_INDEX, AUXTRACE_INFO, THREAD_MAP, CPU_MAP,
 * EVENT_UPDATE, TIME_CONV, HEADER_FEATURE. It does not write COMPRESSED, COMPRESSED2 and
 * HEADER_TRACING_DATA. */
int pms_perfdata_describes(uint32_t type);

/** Begin a perf.data that Linux perf reads.
 * @path: replaced if it is there; "-" is standard output, which needs info->pipe
 * @info: the description to write, borrowed until the end. pipe: write the form of perf record
 *       -o -, else the form with a header; compressed: compress records as perf record -z does.
 *       Strings that are NULL or "" and counts of 0 are left out. In a file with a header,
 *       build_ids may be filled until the end.
 * Returns 0. Errors: -PMS_EINVAL no event, or events whose ids lie in different places;
 * -PMS_EIO, -PMS_ENOMEM. */
int pms_perfdata_create(const char *path, const struct pms_perfdata_info *info,
			struct pms_perfdata_writer **out, struct pms_error *err);

/** Write one record: type, misc, then its bytes from 8 on if bytes is set, else its fields. A
 * record from pms_perfdata_next can be written as it is. The trailer, if events have one, is
 * made from id and the sample_type of event (-1: the first).
 * AUXTRACE is always written from its fields. The first piece of a buffer writes the record, for
 * as many bytes as size and left say; the pieces that follow must bring exactly these.
 * Returns 0. Errors: -PMS_EINVAL a type without fields or one that describes, a record of 64 KiB
 * or more, a sample with parts that pms_perfdata_sample lacks, a piece that does not fit;
 * -PMS_EIO, -PMS_ENOMEM. */
int pms_perfdata_write(struct pms_perfdata_writer *writer, const struct pms_perfdata_record *record,
		       struct pms_error *err);

/** Write what comes last, close the file and free the writer, even on failure. Without this call
 * the file counts as cut short. Returns 0. Errors: -PMS_EIO, -PMS_ENOMEM; -PMS_EINVAL a trace
 * buffer is not complete. */
int pms_perfdata_finish(struct pms_perfdata_writer *writer, struct pms_error *err);

#ifdef __cplusplus
}
#endif
#endif

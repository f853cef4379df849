/* SPDX-License-Identifier: MIT */
/* pmuscope/spe.h - Arm Statistical Profiling Extension: bytes to packets, bytes to records.
 * Flow: perf.data or a bare buffer -> [packets, records] -> aggregate -> show.
 * Source: Arm Architecture Reference Manual for A-profile (DDI 0487), "Alphabetical list of
 * Statistical Profiling Extension packets", D18.2.1 to D18.2.9. Section numbers below are its.
 *
 * Nothing but a reader or a decoder that is made anew allocates; nothing prints or exits. Decoders
 * are independent of each other, so that any number may run in threads. Bytes are borrowed for
 * the call. Every byte given is accounted for in exactly one packet: what no packet of the document
 * begins with comes out as PMS_SPE_RESERVED, what the stream's end cuts as PMS_SPE_TRUNCATED. */
#ifndef PMUSCOPE_SPE_H
#define PMUSCOPE_SPE_H

#include <stddef.h>
#include <stdint.h>

#include "pmuscope/error.h"
#include "pmuscope/perfdata.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Packets ------------------------------------------------------------------------------------ */

enum pms_spe_type {
	PMS_SPE_RESERVED = 0, /* a byte that is no packet's header: one byte long */
	PMS_SPE_ADDRESS,      /* D18.2.1 */
	PMS_SPE_CONTEXT,      /* D18.2.2 */
	PMS_SPE_COUNTER,      /* D18.2.3 */
	PMS_SPE_DATA_SOURCE,  /* D18.2.4 */
	PMS_SPE_END,	      /* D18.2.5 */
	PMS_SPE_EVENTS,	      /* D18.2.6 */
	PMS_SPE_OPERATION,    /* D18.2.7 */
	PMS_SPE_PADDING,      /* D18.2.8: all zero bytes in a row are one packet */
	PMS_SPE_TIMESTAMP,    /* D18.2.9 */
	PMS_SPE_EXTENDED, /* only as `what` of a truncated packet: the first of two header bytes */
	PMS_SPE_TRUNCATED /* the last bytes of a stream that ends inside a packet */
};
enum { PMS_SPE_TYPES = PMS_SPE_TRUNCATED + 1 };

/** Returns "address", "reserved_header" and so on, "?" for no type. Static storage. */
const char *pms_spe_type_name(enum pms_spe_type type);

/** INDEX of an address packet; 6, 7 and 16 to 31 are implementation defined, others reserved. */
enum pms_spe_address {
	PMS_SPE_INSTRUCTION_VA = 0,
	PMS_SPE_BRANCH_TARGET = 1,
	PMS_SPE_DATA_VA = 2,
	PMS_SPE_DATA_PA = 3,
	PMS_SPE_PREVIOUS_TARGET = 4
};

/** INDEX of a counter packet; 6, 7 and 16 to 31 are implementation defined, others reserved. */
enum pms_spe_counter {
	PMS_SPE_TOTAL_LATENCY = 0,
	PMS_SPE_ISSUE_LATENCY = 1,
	PMS_SPE_TRANSLATION_LATENCY = 2,
	PMS_SPE_ALTERNATE_ISSUE_LATENCY = 4
};

struct pms_spe_packet {
	uint64_t offset;  /* the header byte's offset from the stream's start, bytes */
	uint64_t length;  /* header and payload, bytes: 1 to 10, any number for padding */
	uint64_t payload; /* little-endian value of the payload's bytes; 0 where there is none;
			     truncated: of all bytes but the first */
	uint8_t type;	  /* enum pms_spe_type */
	uint8_t header;	  /* the first byte */
	uint8_t extended; /* 1: the header has two bytes */
	uint8_t index;	  /* INDEX of address, context and counter; CLASS of an operation; else 0 */
	uint8_t size;	  /* the field SZ: log2 of the payload's bytes; 0 where there is none */
	uint8_t what;	  /* truncated: type of the packet that began */
	uint8_t need;	  /* truncated: length of the whole packet; of its header for EXTENDED */
	uint8_t unused;
};

/** Reads the packets of a stream, and remembers its position and what it has learned of the
 * records: opaque, freed by pms_spe_reader_free. */
struct pms_spe_reader;

/** Returns a new reader, which the caller frees, or NULL when out of memory.
 * @offset: of the stream's first byte, added to the packets' offsets; usually 0 */
struct pms_spe_reader *pms_spe_reader_new(uint64_t offset);

/** Free a reader. @reader may be NULL. */
void pms_spe_reader_free(struct pms_spe_reader *reader);

/** Continue at @offset with bytes that do not follow the previous ones. Call pms_spe_read_end
 * first. */
void pms_spe_reader_break(struct pms_spe_reader *reader, uint64_t offset);

/** Read the next bytes of a stream. Buffers may begin and end anywhere, even inside packets.
 * @used:    receives the bytes consumed: @length, or fewer when @packets has no room for another
 *       record (at most 17 packets); then call again with the rest
 * @packets: room for @most, at least 1; some hundred are good. Unused room may be written to.
 * Returns the number of packets read. */
size_t pms_spe_read(struct pms_spe_reader *reader, const uint8_t *bytes, size_t length,
		    size_t *used, struct pms_spe_packet *packets, size_t most);

/** End the stream: bytes held back become a packet of padding or a truncated one. The reader is
 * then ready for other bytes.
 * @packet: written when there is one
 * Returns 1 with a packet, else 0. */
size_t pms_spe_read_end(struct pms_spe_reader *reader, struct pms_spe_packet *packet);

/* What packets mean ---------------------------------------------------------------------------- */

/** Return the name of an INDEX: "instruction_va", "total_latency", "contextidr_el1";
 * "implementation_defined" and "reserved" for the rest. @index: 0 to 31; of a context 0 to 3.
 * Static storage. */
const char *pms_spe_address_name(unsigned index);
const char *pms_spe_counter_name(unsigned index);
const char *pms_spe_context_name(unsigned index);

/** Security state of an address, or its physical address space, if FEAT_RME is implemented. */
enum pms_spe_security {
	PMS_SPE_SECURE = 0,	  /* NSE 0, NS 0 */
	PMS_SPE_NON_SECURE = 1,	  /* NSE 0, NS 1 */
	PMS_SPE_SEC_RESERVED = 2, /* NSE 1, NS 0 */
	PMS_SPE_REALM = 3	  /* NSE 1, NS 1 */
};

/** Returns "secure", "non_secure", "reserved" or "realm". Static storage. */
const char *pms_spe_security_name(enum pms_spe_security security);

/* Fields of an address packet's payload (D18.2.1). */

/** Returns ADDR, bits [55:0] of the packet. */
static inline uint64_t pms_spe_addr(uint64_t payload)
{
	return payload & UINT64_C(0x00ffffffffffffff);
}

/** Returns the virtual address with bit 55 copied into bits [63:56], as the PE translates it when
 * the top byte is ignored or holds no tag. */
static inline uint64_t pms_spe_canonical(uint64_t payload)
{
	return (uint64_t)((int64_t)(payload << 8) >> 8);
}

/** NS, byte 7 bit [7]: instruction, branch target, previous target, physical. */
static inline unsigned pms_spe_ns(uint64_t payload)
{
	return (unsigned)(payload >> 63);
}

/** NSE, byte 7 bit [4]: as NS. */
static inline unsigned pms_spe_nse(uint64_t payload)
{
	return (unsigned)(payload >> 60 & 1);
}

/** EL, byte 7 bits [6:5]: instruction, branch target, previous target. 0 to 3. */
static inline unsigned pms_spe_el(uint64_t payload)
{
	return (unsigned)(payload >> 61 & 3);
}

/** NSE and NS together: as NS. */
static inline enum pms_spe_security pms_spe_security(uint64_t payload)
{
	return (enum pms_spe_security)(pms_spe_nse(payload) << 1 | pms_spe_ns(payload));
}

/** CH, byte 7 bit [6] of a physical address: the access was checked against an Allocation Tag. */
static inline unsigned pms_spe_checked(uint64_t payload)
{
	return (unsigned)(payload >> 62 & 1);
}

/** PAT, byte 7 bits [3:0] of a physical address: Physical Address Tag. */
static inline unsigned pms_spe_pat(uint64_t payload)
{
	return (unsigned)(payload >> 56 & 15);
}

/** TAG, byte 7 of a data virtual address. */
static inline unsigned pms_spe_tag(uint64_t payload)
{
	return (unsigned)(payload >> 56);
}

/* Events (D18.2.6). */
enum pms_spe_event {
	PMS_SPE_EV_EXCEPTION = 0,
	PMS_SPE_EV_RETIRED = 1,
	PMS_SPE_EV_L1D_ACCESS = 2,
	PMS_SPE_EV_L1D_MISS = 3, /* refill before SPEv1p4, miss from then on */
	PMS_SPE_EV_TLB_ACCESS = 4,
	PMS_SPE_EV_TLB_WALK = 5,
	PMS_SPE_EV_NOT_TAKEN = 6,
	PMS_SPE_EV_MISPREDICTED = 7,
	PMS_SPE_EV_LLC_ACCESS = 8,
	PMS_SPE_EV_LLC_MISS = 9,
	PMS_SPE_EV_REMOTE_ACCESS = 10,
	PMS_SPE_EV_MISALIGNED = 11,
	PMS_SPE_EV_TRANSACTIONAL = 16,
	PMS_SPE_EV_PARTIAL_PREDICATE = 17,
	PMS_SPE_EV_EMPTY_PREDICATE = 18,
	PMS_SPE_EV_L2D_ACCESS = 19,
	PMS_SPE_EV_L2D_MISS = 20,
	PMS_SPE_EV_MODIFIED = 21,
	PMS_SPE_EV_RECENTLY_FETCHED = 22,
	PMS_SPE_EV_SNOOPED = 23,
	PMS_SPE_EV_STREAMING_SVE = 24,
	PMS_SPE_EV_SMCU = 25
};

/** What an implementation needs for an event's bit to be defined. */
enum pms_spe_feature {
	PMS_SPE_BASE,	/* SPE itself */
	PMS_SPE_V1P1,	/* FEAT_SPEv1p1 */
	PMS_SPE_V1P4,	/* FEAT_SPEv1p4 */
	PMS_SPE_SME,	/* FEAT_SPE_SME */
	PMS_SPE_TME,	/* transactional memory, which the document no longer describes */
	PMS_SPE_IMPDEF, /* nothing: the implementation defines it */
	PMS_SPE_NEVER	/* nothing: reads as zero */
};

/** Returns the document's title of event @bit in snake_case ("tlb_walk"), or
 * "implementation_defined_12", "reserved_32"; @bit: 0 to 63. Static storage. */
const char *pms_spe_event_name(unsigned bit);

/** Returns the feature that defines event @bit, 0 to 63. */
enum pms_spe_feature pms_spe_event_feature(unsigned bit);

/** Returns "FEAT_SPEv1p4" and so on; "" for none. Static storage. */
const char *pms_spe_feature_name(enum pms_spe_feature feature);

/* Operation Type (D18.2.7). */

/** A field of an operation's payload. Its value is the bits under the mask, moved together. */
struct pms_spe_field {
	const char *name; /* "ldst" */
	uint8_t mask;
};

enum pms_spe_kind {
	PMS_SPE_OP_RESERVED = 0,
	PMS_SPE_OP_OTHER,
	PMS_SPE_OP_SVE,
	PMS_SPE_OP_SME,
	PMS_SPE_OP_LDST_GENERAL,
	PMS_SPE_OP_LDST_SIMD_FP,
	PMS_SPE_OP_LDST_UNSPECIFIED,
	PMS_SPE_OP_LDST_TAG,
	PMS_SPE_OP_LDST_SYSTEM,
	PMS_SPE_OP_LDST_EXTENDED,
	PMS_SPE_OP_LDST_SVE,
	PMS_SPE_OP_LDST_COPY,
	PMS_SPE_OP_LDST_SET,
	PMS_SPE_OP_LDST_GCS,
	PMS_SPE_OP_BRANCH
};
enum { PMS_SPE_KINDS = PMS_SPE_OP_BRANCH + 1 };

/** What CLASS and the payload's SUBCLASS mean together. */
struct pms_spe_operation {
	enum pms_spe_kind kind;
	const char *name; /* "load_store_extended" */
	uint8_t n_fields;
	struct pms_spe_field fields[4]; /* in the document's order */
};

/** Returns the operation of @class_ (0 to 3) with @payload; never NULL. Static storage. */
const struct pms_spe_operation *pms_spe_operation(unsigned class_, uint8_t payload);

/** Returns the value of @field in @payload. */
unsigned pms_spe_field_value(const struct pms_spe_field *field, uint8_t payload);

/** Returns the bits of a vector of EVL @evl, 0 to 7; 0 means more than 2048. */
unsigned pms_spe_evl_bits(unsigned evl);

enum { PMS_SPE_ETS_WHOLE_ZA = 0, PMS_SPE_ETS_RESERVED = -1 };
/** Returns the bits of a vector or tile of ETS @ets, 0 to 15, or one of the two values above. */
int pms_spe_ets_bits(unsigned ets);

/* Data sources (D18.2.4) are implementation defined, so their names depend on the core. */

/** The list of data sources that a core has. */
enum pms_spe_encoding {
	PMS_SPE_ENCODING_UNKNOWN = 0, /* no list: numbers alone */
	PMS_SPE_ENCODING_NEOVERSE     /* the list shared by Arm's Neoverse N1 to V3 */
};

/** Returns the encoding of the core that catalogs name @core ("neoverse-v1"). */
enum pms_spe_encoding pms_spe_encoding_of_core(const char *core);
/** Returns the encoding of the core with MIDR_EL1 @midr. */
enum pms_spe_encoding pms_spe_encoding_of_midr(uint64_t midr);

/** Returns the name of @source ("l1_data_cache"), or NULL where the encoding has none. Static
 * storage. */
const char *pms_spe_source_name(enum pms_spe_encoding encoding, unsigned source);

/* Records -------------------------------------------------------------------------------------- */

/** Which columns of a record have a value, and notes about the whole record. */
enum pms_spe_has {
	PMS_SPE_HAS_PC = 1 << 0,
	PMS_SPE_HAS_TARGET = 1 << 1,
	PMS_SPE_HAS_VA = 1 << 2,
	PMS_SPE_HAS_PA = 1 << 3,
	PMS_SPE_HAS_PREVIOUS = 1 << 4,
	PMS_SPE_HAS_EVENTS = 1 << 5,
	PMS_SPE_HAS_TIME = 1 << 6,
	PMS_SPE_HAS_CONTEXT_EL1 = 1 << 7,
	PMS_SPE_HAS_CONTEXT_EL2 = 1 << 8,
	PMS_SPE_HAS_TOTAL = 1 << 9,
	PMS_SPE_HAS_ISSUE = 1 << 10,
	PMS_SPE_HAS_TRANSLATION = 1 << 11,
	PMS_SPE_HAS_ALTERNATE = 1 << 12,
	PMS_SPE_HAS_SOURCE = 1 << 13,
	PMS_SPE_HAS_OP = 1 << 14,
	PMS_SPE_HAS_OTHER = 1 << 15,	/* packets of a reserved or implementation defined INDEX,
					   for which there is no column */
	PMS_SPE_HAS_REPEATED = 1 << 16, /* a packet came twice, so that an End may have been lost:
					    the last one's value is kept */
	PMS_SPE_HAS_DAMAGE = 1 << 17	/* bytes within it, or just before it, were no packet */
};

enum { PMS_SPE_BATCH = 256 };

/** Records in columns, each column with values at 0 to count - 1. A missing value is 0; only
 * `has` tells it from a real 0. Addresses are whole payloads: see pms_spe_addr, pms_spe_el,
 * pms_spe_security. */
struct pms_spe_batch {
	size_t count;
	uint32_t has[PMS_SPE_BATCH];	     /* enum pms_spe_has */
	uint64_t offset[PMS_SPE_BATCH];	     /* the first byte's offset from the stream's start */
	uint64_t pc[PMS_SPE_BATCH];	     /* payload, with NS, EL, NSE */
	uint64_t target[PMS_SPE_BATCH];	     /* payload, with NS, EL, NSE */
	uint64_t va[PMS_SPE_BATCH];	     /* payload, with TAG */
	uint64_t pa[PMS_SPE_BATCH];	     /* payload, with NS, CH, NSE, PAT */
	uint64_t previous[PMS_SPE_BATCH];    /* payload, with NS, EL, NSE */
	uint64_t events[PMS_SPE_BATCH];	     /* bits by enum pms_spe_event */
	uint64_t time[PMS_SPE_BATCH];	     /* ticks of the Generic Timer, not ns */
	uint32_t context_el1[PMS_SPE_BATCH]; /* CONTEXTIDR_EL1 */
	uint32_t context_el2[PMS_SPE_BATCH]; /* CONTEXTIDR_EL2 */
	uint16_t total[PMS_SPE_BATCH];	     /* cycles */
	uint16_t issue[PMS_SPE_BATCH];	     /* cycles */
	uint16_t translation[PMS_SPE_BATCH]; /* cycles */
	uint16_t alternate[PMS_SPE_BATCH];   /* cycles of the alternate clock domain */
	uint16_t source[PMS_SPE_BATCH];	     /* see pms_spe_source_name */
	uint8_t class_[PMS_SPE_BATCH];	     /* operation: CLASS */
	uint8_t op[PMS_SPE_BATCH];	     /* operation: payload */
};

/** The contents of a stream: packets and bytes add up to everything that was given. */
struct pms_spe_summary {
	uint64_t packets[PMS_SPE_TYPES]; /* number, by enum pms_spe_type */
	uint64_t bytes[PMS_SPE_TYPES];
	uint64_t implementation_defined; /* packets of such an INDEX, counted above as well */
	uint64_t reserved_fields; /* packets of a reserved INDEX, CLASS or SUBCLASS, as well */
	uint64_t records;
	uint64_t repeated, damaged, other; /* records with these bits of enum pms_spe_has */
	uint64_t unfinished; /* records that the stream ended in, before End or Timestamp: not given
			      */
};

/** Add one packet to a summary, except to its counts of records. */
void pms_spe_summary_add(struct pms_spe_summary *summary, const struct pms_spe_packet *packet);

/** Add all of @other to @summary. */
void pms_spe_summary_merge(struct pms_spe_summary *summary, const struct pms_spe_summary *other);

/** Returns the number of bytes, packets or not. */
uint64_t pms_spe_summary_bytes(const struct pms_spe_summary *summary);

/** Turns a stream into records: opaque, freed by pms_spe_decoder_free. */
struct pms_spe_decoder;

/** Returns a new decoder, which the caller frees, or NULL when out of memory.
 * @offset: of the stream's first byte, added to the records' offsets */
struct pms_spe_decoder *pms_spe_decoder_new(uint64_t offset);

/** Free a decoder. @decoder may be NULL. */
void pms_spe_decoder_free(struct pms_spe_decoder *decoder);

/** Returns the summary of all that was decoded so far, owned by the decoder. Call again after
 * decoding more. */
const struct pms_spe_summary *pms_spe_decoder_summary(struct pms_spe_decoder *decoder);

/** Decode the next bytes of a stream. Buffers may begin and end anywhere.
 * @used:  receives the bytes consumed: @length, or fewer when @batch is full
 * @batch: records are appended; empty it by setting count to 0
 * Returns the number of records added. */
size_t pms_spe_decode(struct pms_spe_decoder *decoder, const uint8_t *bytes, size_t length,
		      size_t *used, struct pms_spe_batch *batch);

/** End the stream: bytes held back count as truncated, an unfinished record as unfinished. The
 * decoder is then ready for other bytes. */
void pms_spe_decode_end(struct pms_spe_decoder *decoder);

/** End the stream, and continue at @offset with bytes that do not follow the previous ones. */
void pms_spe_decoder_break(struct pms_spe_decoder *decoder, uint64_t offset);

/* Dump ------------------------------------------------------------------------------------------
 */

/** A piece of a stream, and its CPU or thread. */
struct pms_spe_buffer {
	const uint8_t *bytes; /* borrowed until the next buffer */
	size_t length;
	uint64_t offset; /* offset of bytes[0] in its stream */
	size_t stream;	 /* the stream's number, from 0 in the order of appearance */
	int breaks;	 /* 1: does not follow the stream's previous buffer */
	int32_t cpu;	 /* the buffer's CPU; -1: not a CPU's, or not known */
	int32_t tid;	 /* the buffer's thread; -1: not a thread's, or not known */
	const struct pms_perfdata_auxtrace *piece; /* of a perf.data: what it says of the bytes;
						      NULL of a bare buffer */
};

/** A source of buffers, of one or more streams in turn. */
struct pms_spe_input {
	/** Returns 1 with a buffer, 0 at the end, or an error with @err set. */
	int (*next)(void *context, struct pms_spe_buffer *buffer, struct pms_error *err);
	void *context;
};

/** A file or pipe with a bare SPE buffer or a perf.data: opaque, closed by pms_spe_file_close. */
struct pms_spe_file;

/** Open @path, "-" for standard input. A file that begins as a perf.data is read as one unless
 * @raw. In a perf.data, each buffer of a CPU or thread is a stream.
 * @file: written only on success
 * Returns 0. Errors: -PMS_EIO, -PMS_ENOMEM; -PMS_EPARSE a damaged perf.data. */
int pms_spe_file_open(const char *path, int raw, struct pms_spe_file **file, struct pms_error *err);

/** Returns the input of @file, which it borrows. Its next() fails with -PMS_EIO, -PMS_ENOMEM, or
 * -PMS_EPARSE for a perf.data that is damaged, has other traces, or none at all. */
struct pms_spe_input pms_spe_file_input(struct pms_spe_file *file);

/** Returns what a perf.data had so far: lost and truncated buffers, where it was cut short; NULL
 * for a bare buffer. Borrowed until the file is closed. */
const struct pms_perfdata_stats *pms_spe_file_stats(const struct pms_spe_file *file);

/** Returns the bytes of traces left out so far: buffers beyond the first 262144 CPUs and threads.
 */
uint64_t pms_spe_file_left_out(const struct pms_spe_file *file);

/** Close the file. @file may be NULL. */
void pms_spe_file_close(struct pms_spe_file *file);

enum pms_spe_dump_format { PMS_SPE_DUMP_TABLE, PMS_SPE_DUMP_JSONL };

struct pms_spe_dump_options {
	enum pms_spe_dump_format format;
	enum pms_spe_encoding encoding; /* of data sources, to name them; of records the samples
					   have their own */
	int (*write)(void *context, const void *text, size_t length); /* 0, or -1 to stop */
	void *context;
};

/** Write every packet of @input. (pms_spe_dump_records, in spe_samples.h, writes records.)
 * @summary: added to
 * Returns 0. Errors: as the input; -PMS_EIO when write() stops. */
int pms_spe_dump(const struct pms_spe_input *input, const struct pms_spe_dump_options *options,
		 struct pms_spe_summary *summary, struct pms_error *err);

#ifdef __cplusplus
}
#endif
#endif

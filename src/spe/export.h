/* SPDX-License-Identifier: MIT */
/* spe/export.h - the columns of an export, a record as their values, and what writes them.
 * Flow: samples -> [cells] -> a sink of some format. */
#ifndef PMS_SPE_EXPORT_H
#define PMS_SPE_EXPORT_H

#include <string.h>

#include "pmuscope/spe_export.h"

enum pms_spe_type_of_cell {
	PMS_SPE_U8,
	PMS_SPE_U16,
	PMS_SPE_U32,
	PMS_SPE_U64,
	PMS_SPE_WORD, /* one of ours: nothing in it that a format has to quote */
	PMS_SPE_TEXT  /* from the recording: any bytes */
};

/* Name, type, whether every record has it, unit, meaning. The order is that of rows: at the end
 * what is looked up by the instruction's address. */
#define PMS_SPE_CELLS(X)                                                                           \
	X(CPU, "cpu", U32, 0, "", "CPU that the record is of")                                     \
	X(PID, "pid", U32, 0, "", "process")                                                       \
	X(TID, "tid", U32, 0, "", "thread")                                                        \
	X(THREAD_NAME, "thread_name", TEXT, 0, "", "the thread's name then")                       \
	X(TIME, "time", U64, 0, "ns", "time of the perf events' clock")                            \
	X(TS, "ts", U64, 0, "ticks", "Timestamp packet: the Generic Timer's count")                \
	X(OP, "op", WORD, 0, "", "load, store, branch, other or reserved")                         \
	X(SUBCLASS, "subclass", WORD, 0, "", "Operation Type packet: CLASS and SUBCLASS together") \
	X(PC, "pc", U64, 0, "address", "instruction; bit 55 copied into bits 63 to 56")            \
	X(EL, "el", U8, 0, "0 to 3", "Exception level of the instruction")                         \
	X(SECURITY, "security_state", WORD, 0, "", "secure, non_secure, realm or reserved")        \
	X(EVENT, "event", WORD, 0, "", "names of the events that happened, with : between")        \
	X(EVENTS, "events", U64, 0, "bits", "the same as the Events packet has them")              \
	X(TOTAL, "total_lat", U16, 0, "cycles", "from dispatch to completion")                     \
	X(ISSUE, "issue_lat", U16, 0, "cycles", "waiting to be issued")                            \
	X(TRANSLATION, "xlat_lat", U16, 0, "cycles", "of address translation")                     \
	X(ALTERNATE, "alt_issue_lat", U16, 0, "cycles", "to issue, of the alternate clock")        \
	X(VADDR, "vaddr", U64, 0, "address", "data; bit 55 copied into bits 63 to 56")             \
	X(TAG, "tag", U8, 0, "", "top byte of the data's address as the program had it")           \
	X(PADDR, "paddr", U64, 0, "address", "physical address of the data, bits 55 to 0")         \
	X(PAS, "pas", WORD, 0, "", "its space: secure, non_secure, realm or reserved")             \
	X(CH, "ch", U8, 0, "0 or 1", "1: the access was checked against a tag")                    \
	X(PAT, "pat", U8, 0, "0 to 15", "Physical Address Tag")                                    \
	X(SOURCE, "data_source", U16, 0, "", "where the data came from, the core's number")        \
	X(SOURCE_NAME, "data_source_name", WORD, 0, "",                                            \
	  "the same where the core's names are known")                                             \
	X(TARGET, "br_tgt", U64, 0, "address", "branch target; bit 55 copied into bits 63 to 56")  \
	X(TARGET_EL, "br_tgt_lvl", U8, 0, "0 to 3", "Exception level of the target")               \
	X(TARGET_SECURITY, "br_tgt_security_state", WORD, 0, "", "as security_state")              \
	X(PREVIOUS, "pbt", U64, 0, "address", "target of the branch taken before; as br_tgt")      \
	X(PREVIOUS_EL, "pbt_lvl", U8, 0, "0 to 3", "Exception level of that target")               \
	X(PREVIOUS_SECURITY, "pbt_security_state", WORD, 0, "", "as security_state")               \
	X(CONDITION, "condition", U8, 0, "0 or 1", "COND: a conditional operation")                \
	X(INDIRECT, "indirect", U8, 0, "0 or 1", "IND: an indirect branch")                        \
	X(CR, "cr", U8, 0, "0 to 3", "CR: calls and returns")                                      \
	X(GCS, "gcs", U8, 0, "0 or 1", "GCS: a branch with Guarded Control Stack")                 \
	X(ATOMIC, "atomic", U8, 0, "0 or 1", "AT: an atomic operation")                            \
	X(EXCL, "excl", U8, 0, "0 or 1", "EXCL: an exclusive")                                     \
	X(AR, "ar", U8, 0, "0 or 1", "AR: acquire or release")                                     \
	X(FP, "fp", U8, 0, "0 or 1", "FP: a floating-point operation")                             \
	X(ASE, "ase", U8, 0, "0 or 1", "ASE: an Advanced SIMD operation")                          \
	X(PRED, "pred", U8, 0, "0 or 1", "PRED: predicated")                                       \
	X(SG, "sg", U8, 0, "0 or 1", "SG: gather or scatter")                                      \
	X(EVL, "evl", U8, 0, "0 to 7", "EVL: vectors of 32 << EVL bits; 7: above 2048")            \
	X(ETS, "ets", U8, 0, "0 to 15", "ETS: tiles of 128 << ETS bits; 15: the whole of ZA")      \
	X(COMM, "comm", U8, 0, "0 or 1", "COMM of a Guarded Control Stack access")                 \
	X(CONTEXT, "context", U32, 0, "", "CONTEXTIDR_EL1")                                        \
	X(CONTEXT_EL2, "context_el2", U32, 0, "", "CONTEXTIDR_EL2")                                \
	X(OTHER_PACKETS, "other_packets", U8, 1, "0 or 1", "1: had packets of other indexes")      \
	X(REPEATED, "repeated", U8, 1, "0 or 1", "1: a packet came twice: an end may be lost")     \
	X(DAMAGED, "damaged", U8, 1, "0 or 1", "1: bytes in it, or before it, were no packet")     \
	X(STREAM, "stream", U32, 1, "", "number of the buffer in the file, from 0")                \
	X(OFFSET, "offset", U64, 1, "bytes", "of the record's first byte in its buffer")           \
	X(OBJECT, "object", TEXT, 0, "", "file that the instruction is of, or [kernel] and so on") \
	X(OBJECT_OFFSET, "object_offset", U64, 0, "bytes",                                         \
	  "of the instruction in that file; of the kernel from _text")                             \
	X(SYMBOL, "symbol", TEXT, 0, "", "function, as the file's symbols have it")                \
	X(SYMBOL_OFFSET, "symbol_offset", U64, 0, "bytes", "of the instruction in the function")   \
	X(INLINED, "inlined", TEXT, 0, "", "innermost function whose code is inlined there")       \
	X(SOURCE_FILE, "file", TEXT, 0, "", "source file")                                         \
	X(LINE, "line", U32, 0, "from 1", "line in it")

enum pms_spe_cell_name {
#define NAME(id, name, type, always, unit, meaning) PMS_SPE_CELL_##id,
	PMS_SPE_CELLS(NAME)
#undef NAME
		PMS_SPE_N_CELLS
};
/* There is a bit for each. */
_Static_assert(PMS_SPE_N_CELLS <= 64, "too many columns");

enum {
	PMS_SPE_FIRST_OF_PLACES = PMS_SPE_CELL_OBJECT,
	PMS_SPE_FIRST_OF_SYMBOLS = PMS_SPE_CELL_SYMBOL
};

struct pms_spe_cell {
	const char *name;
	enum pms_spe_type_of_cell type;
	int always; /* 1: every record has it */
	const char *unit, *meaning;
};

extern const struct pms_spe_cell pms_spe_cells[PMS_SPE_N_CELLS];

/** A record as a row. */
struct pms_spe_cells {
	uint64_t there; /* bits by enum pms_spe_cell_name; a value without its bit means nothing */
	uint64_t number[PMS_SPE_N_CELLS];
	const char *text[PMS_SPE_N_CELLS];
	char event[64 * 40]; /* for the names of events */
};

static inline int pms_spe_cell_there(const struct pms_spe_cells *cells, unsigned cell)
{
	return (int)(cells->there >> cell & 1);
}

/* What turns records into cells. */
struct pms_spe_filler;

/** @samples, @symbols: borrowed. @places: 1: look up where instructions are; with @symbols not
 * NULL, in which functions and lines too. NULL: out of memory. */
struct pms_spe_filler *pms_spe_filler_new(const struct pms_spe_samples *samples, int places,
					  struct pms_symbols *symbols);
void pms_spe_filler_free(struct pms_spe_filler *filler);

/** Returns how many records were filled by enum pms_symbols_state of their instruction's file. */
const uint64_t *pms_spe_filler_files(const struct pms_spe_filler *filler);

/** The cells of record @i. Texts are borrowed until the next one.
 * Returns 0. Errors: -PMS_ENOMEM */
int pms_spe_fill(struct pms_spe_filler *filler, const struct pms_spe_samples_batch *batch, size_t i,
		 struct pms_spe_cells *cells);

/** The columns that are written, in order. */
struct pms_spe_chosen {
	size_t count;
	uint8_t cell[PMS_SPE_N_CELLS]; /* enum pms_spe_cell_name */
};

/* Sinks ---------------------------------------------------------------------------------------- */

enum { PMS_SPE_OUT = 1 << 16 };

/** Bytes on their way to options->write. */
struct pms_spe_out {
	const struct pms_spe_export_options *options;
	struct pms_spe_chosen chosen;
	int failed; /* write() has stopped */
	size_t length;
	char bytes[PMS_SPE_OUT];
};

void pms_spe_out_flush(struct pms_spe_out *out);

/** Room for @length bytes, at most PMS_SPE_OUT; the caller moves out->length. */
static inline char *pms_spe_out_room(struct pms_spe_out *out, size_t length)
{
	if (PMS_SPE_OUT - out->length < length)
		pms_spe_out_flush(out);
	return out->bytes + out->length;
}

static inline void pms_spe_out_char(struct pms_spe_out *out, char c)
{
	*pms_spe_out_room(out, 1) = c;
	out->length++;
}

/** Any number of bytes. */
void pms_spe_out_bytes(struct pms_spe_out *out, const char *bytes, size_t length);

/** A format of bytes in a row. */
struct pms_spe_sink {
	void (*begin)(struct pms_spe_out *out); /* NULL: nothing comes first */
	void (*row)(struct pms_spe_out *out, const struct pms_spe_cells *cells);
};

extern const struct pms_spe_sink pms_spe_sink_csv, pms_spe_sink_jsonl, pms_spe_sink_rowbinary;

/** Write the statement that makes ClickHouse's table, and flush. */
void pms_spe_ddl(struct pms_spe_out *out);

/** SQLite's, which is no row of bytes. */
struct pms_spe_database;

int pms_spe_database_open(const struct pms_spe_export_options *options,
			  const struct pms_spe_chosen *chosen, struct pms_spe_database **out,
			  struct pms_error *err);
int pms_spe_database_row(struct pms_spe_database *database, const struct pms_spe_cells *cells,
			 struct pms_error *err);
/** All of it is on disk after this. */
int pms_spe_database_finish(struct pms_spe_database *database, struct pms_error *err);
/** NULL is fine. */
void pms_spe_database_close(struct pms_spe_database *database);

#endif

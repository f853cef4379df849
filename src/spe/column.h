/* SPDX-License-Identifier: MIT */
/* spe/column.h - the columns of a record: one table for exports and filters, and how filters
 * read each. docs/use/spe-export.md lists them. */
#ifndef PMS_SPE_COLUMN_H
#define PMS_SPE_COLUMN_H

#include "pmuscope/spe_samples.h"
#include "pmuscope/symbol.h"
#include "spe/data.h"

/** The bits of an address that its packet holds. */
#define PMS_SPE_ADDRESS_MASK UINT64_C(0x00ffffffffffffff)

enum pms_spe_type_of_cell {
	PMS_SPE_U8,
	PMS_SPE_U16,
	PMS_SPE_U32,
	PMS_SPE_U64,
	PMS_SPE_WORD, /* one of our words, which no format has to quote */
	PMS_SPE_TEXT  /* from the recording: any bytes */
};

/* Name, type, whether every record has it, unit, meaning. Rows keep this order; columns looked
 * up by the instruction's address come last. */
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
	X(WAIT, "wait", U16, 0, "cycles", "a load's, from issue to completion: total less issue")  \
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
	X(LINE, "line", U32, 0, "from 1", "line in it")                                            \
	X(DATA_SYMBOL, "data_symbol", TEXT, 0, "", "variable of the data, or [heap] and so on")    \
	X(DATA_SYMBOL_OFFSET, "data_symbol_offset", U64, 0, "bytes", "of the data in the variable")

enum pms_spe_cell_name {
#define NAME(id, name, type, always, unit, meaning) PMS_SPE_CELL_##id,
	PMS_SPE_CELLS(NAME)
#undef NAME
		PMS_SPE_N_CELLS
};
/* Cells are marked in 64 bits. */
_Static_assert(PMS_SPE_N_CELLS <= 64, "too many columns");

enum {
	PMS_SPE_FIRST_OF_PLACES = PMS_SPE_CELL_OBJECT,
	PMS_SPE_FIRST_OF_SYMBOLS = PMS_SPE_CELL_SYMBOL,
	PMS_SPE_FIRST_OF_DATA = PMS_SPE_CELL_DATA_SYMBOL
};

struct pms_spe_cell {
	const char *name;
	enum pms_spe_type_of_cell type;
	int always; /* 1: every record has it */
	const char *unit, *meaning;
};

extern const struct pms_spe_cell pms_spe_cells[PMS_SPE_N_CELLS];

/* Filters -------------------------------------------------------------------------------------- */

enum pms_spe_column_kind {
	PMS_SPE_COLUMN_NUMBER,
	PMS_SPE_COLUMN_WORD,   /* one of a list of words */
	PMS_SPE_COLUMN_SOURCE, /* a number that may have a name */
	PMS_SPE_COLUMN_BITS,   /* any of 64 bits, each with a name and a number */
	PMS_SPE_COLUMN_TEXT    /* from the recording or a program */
};

/** What a column's value depends on. */
enum pms_spe_column_of {
	PMS_SPE_OF_RECORD, /* the record: get() reads it */
	PMS_SPE_OF_THREAD, /* the thread's name */
	PMS_SPE_OF_CODE,   /* the instruction's place: at() reads it */
	PMS_SPE_OF_DATA	   /* the data: of_datum() reads it */
};

/** The value of a column at one place. */
struct pms_spe_value {
	uint64_t number;
	const char *text; /* of texts; NULL: there is none */
};

struct pms_spe_column {
	const char *name;
	enum pms_spe_column_kind kind;
	enum pms_spe_column_of of;
	/** Write a value for each of the rows, and to @present 1 where the record has one, else 0.
	 */
	void (*get)(const struct pms_spe_column *column, const struct pms_spe_samples_batch *rows,
		    uint64_t values[PMS_SPE_BATCH], uint8_t present[PMS_SPE_BATCH]);
	/** Returns 1 with the value at @place, else 0. @symbol: the symbol there, for columns
	 * that need it */
	int (*at)(const struct pms_place *place, const struct pms_symbol *symbol,
		  struct pms_spe_value *value);
	/** Returns 1 with the value for the data, else 0. */
	int (*of_datum)(const struct pms_datum *datum, struct pms_spe_value *value);
	int needs_symbols;
	int is_flag; /* 1: 0 or 1, where the name alone means 1 */
	int is_path; /* 1: a value without folders matches any file of that name */
	/** Returns the word for @value, NULL for none. A column without words has NULL here. */
	const char *(*word)(enum pms_spe_encoding encoding, unsigned value);
	/* Used by get: */
	const char *field; /* of an operation */
	size_t at_byte;	   /* place in struct pms_spe_batch, or in struct pms_spe_samples_batch */
	uint8_t size;	   /* of an element, bytes */
	uint32_t has;	   /* enum pms_spe_has, or enum pms_spe_knows */
	uint8_t shift;	   /* value = payload >> shift & mask */
	uint64_t mask;
};

/** Find the column whose name is the first @length bytes of @name. Returns 1, or 0 for none. */
int pms_spe_column_find(const char *name, size_t length, struct pms_spe_column *column);

/** Returns the name of the operation kind @kind, as in the column "subclass"; NULL: it has none. */
const char *pms_spe_subclass_name(unsigned kind);

/** Returns 1 with the value that @word means in @column, else 0. */
int pms_spe_column_word(const struct pms_spe_column *column, enum pms_spe_encoding encoding,
			const char *word, uint64_t *value);

/** Set a hint to the word of @column that is nearest to @word; without @column, to the nearest
 * column. */
void pms_spe_column_hint(const struct pms_spe_column *column, enum pms_spe_encoding encoding,
			 const char *word, struct pms_error *err);

enum pms_spe_op_word {
	PMS_SPE_OTHER,
	PMS_SPE_LOAD,
	PMS_SPE_STORE,
	PMS_SPE_BRANCH,
	PMS_SPE_UNKNOWN
};
enum { PMS_SPE_OP_WORDS = PMS_SPE_UNKNOWN + 1 };

/** Returns which of these an operation is, by CLASS and payload. LDST is bit [0] of every payload
 * of class 1. */
static inline enum pms_spe_op_word pms_spe_op_word(unsigned class_, unsigned payload)
{
	return class_ == 1   ? (payload & 1 ? PMS_SPE_STORE : PMS_SPE_LOAD)
	       : class_ == 2 ? PMS_SPE_BRANCH
	       : class_ == 0 ? PMS_SPE_OTHER
			     : PMS_SPE_UNKNOWN;
}

/** Returns whether an operation reads and writes memory at once: AT of a load/store extended,
 * with payload 0b000xxx1x. LDST only says whether it returns a value. */
static inline int pms_spe_is_atomic(unsigned class_, unsigned payload)
{
	return class_ == 1 && (payload & 0xe6) == 0x06;
}

/** Returns whether the record is a load with total and issue latency: only these have a wait. */
static inline int pms_spe_waits(const struct pms_spe_batch *b, size_t i)
{
	const uint32_t all = PMS_SPE_HAS_TOTAL | PMS_SPE_HAS_ISSUE | PMS_SPE_HAS_OP;
	return (b->has[i] & all) == all && pms_spe_op_word(b->class_[i], b->op[i]) == PMS_SPE_LOAD;
}

/** Returns the cycles from issue to completion. */
static inline uint64_t pms_spe_wait(const struct pms_spe_batch *b, size_t i)
{
	return b->total[i] > b->issue[i] ? (uint64_t)(b->total[i] - b->issue[i]) : 0;
}

/** Returns "other", "load", "store", "branch", "reserved". */
const char *pms_spe_op_word_name(unsigned word);

#endif

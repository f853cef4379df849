/* SPDX-License-Identifier: MIT */
/* spe/column.h - the columns of a record by their names in docs/spe.md, for filters. */
#ifndef PMS_SPE_COLUMN_H
#define PMS_SPE_COLUMN_H

#include "pmuscope/spe_samples.h"

/** Of an address, the bits that are in its packet. */
#define PMS_SPE_ADDRESS_MASK UINT64_C(0x00ffffffffffffff)

enum pms_spe_column_kind {
	PMS_SPE_COLUMN_NUMBER,
	PMS_SPE_COLUMN_WORD,   /* one of some words */
	PMS_SPE_COLUMN_SOURCE, /* a number that may have a name */
	PMS_SPE_COLUMN_BITS    /* any of 64, each with a name and a number */
};

struct pms_spe_column {
	const char *name;
	enum pms_spe_column_kind kind;
	/** Write a value for each of the rows, and to @present 1 where the record has one, else 0.
	 */
	void (*get)(const struct pms_spe_column *column, const struct pms_spe_samples_batch *rows,
		    uint64_t values[PMS_SPE_BATCH], uint8_t present[PMS_SPE_BATCH]);
	/** The word for @value, NULL for none. Of what has no words NULL itself. */
	const char *(*word)(enum pms_spe_encoding encoding, unsigned value);
	/* For get: */
	const char *field; /* of an operation */
	size_t at;	   /* place in struct pms_spe_batch, or bit of enum pms_spe_knows */
	uint8_t size;	   /* of an element, bytes */
	uint32_t has;	   /* enum pms_spe_has */
	uint8_t shift;	   /* value = payload >> shift & mask */
	uint64_t mask;
};

/** Returns the column whose name is the first @length bytes of @name, or NULL. */
const struct pms_spe_column *pms_spe_column_find(const char *name, size_t length);

/** Returns 1 with the value that @word means in @column, else 0. */
int pms_spe_column_word(const struct pms_spe_column *column, enum pms_spe_encoding encoding,
			const char *word, uint64_t *value);

/** Set a hint to the word of @column, or for NULL the column, that is nearest to @word. */
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

/** Which of these an operation is, by CLASS and payload. LDST is bit [0] of every payload of class
 * 1. */
static inline enum pms_spe_op_word pms_spe_op_word(unsigned class_, unsigned payload)
{
	return class_ == 1   ? (payload & 1 ? PMS_SPE_STORE : PMS_SPE_LOAD)
	       : class_ == 2 ? PMS_SPE_BRANCH
	       : class_ == 0 ? PMS_SPE_OTHER
			     : PMS_SPE_UNKNOWN;
}

/** Whether an operation reads and writes memory at once: AT of a load/store extended, whose
 * payload is 0b000xxx1x. Its LDST says only whether it returns a value. */
static inline int pms_spe_is_atomic(unsigned class_, unsigned payload)
{
	return class_ == 1 && (payload & 0xe6) == 0x06;
}

/** Returns "other", "load", "store", "branch", "reserved". */
const char *pms_spe_op_word_name(unsigned word);

#endif

/* SPDX-License-Identifier: MIT */
/* spe/words.h - words to numbers: the same word, the same number. For keys of file names. */
#ifndef PMS_SPE_WORDS_H
#define PMS_SPE_WORDS_H

#include "spe/table.h"

struct pms_words {
	struct pms_table table;
	const char **words; /* by number; borrowed */
	size_t count;
};

/** Returns 0 or -PMS_ENOMEM. */
int pms_words_init(struct pms_words *words);
void pms_words_release(struct pms_words *words);

/** The number of @word, which must last as long as @words; PMS_TABLE_NONE when out of memory. */
uint32_t pms_words_number(struct pms_words *words, const char *word);

#endif

/* SPDX-License-Identifier: MIT */
#include "spe/words.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

int pms_words_init(struct pms_words *words)
{
	*words = (struct pms_words){ 0 };
	return pms_table_init(&words->table, 64);
}

void pms_words_release(struct pms_words *words)
{
	pms_table_release(&words->table);
	free((void *)words->words);
	*words = (struct pms_words){ 0 };
}

/* Words of the same hash are told apart by the other half of the key. */
uint32_t pms_words_number(struct pms_words *words, const char *word)
{
	struct pms_key key = { 0, pms_hash_bytes(&words->table.hash, word, strlen(word)) };
	for (;; key.high++) {
		uint32_t number = pms_table_find(&words->table, key);
		if (number == PMS_TABLE_NONE)
			break;
		if (!strcmp(words->words[number], word))
			return number;
	}
	const char **all = pms_array_room((void *)words->words, words->count, sizeof(*all));
	if (!all)
		return PMS_TABLE_NONE;
	words->words = all;
	if (pms_table_add(&words->table, key, (uint32_t)words->count))
		return PMS_TABLE_NONE;
	all[words->count] = word;
	return (uint32_t)words->count++;
}

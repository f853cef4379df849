/* SPDX-License-Identifier: MIT */
/* symbol/cover.h - of ranges of addresses that overlap, which one counts at each address: the one
 * of the highest row. Worked out once, in one pass over their ends, so that an address takes one
 * search however many ranges have it.
 * Flow: names, lines, segments -> [cover] -> symbol. */
#ifndef PMS_SYMBOL_COVER_H
#define PMS_SYMBOL_COVER_H

#include <stddef.h>
#include <stdint.h>

struct pms_range {
	uint64_t low, high; /* the first address, and the first behind */
	uint32_t row;
};

/** Zero-initialise before use, as the next. */
struct pms_ranges {
	struct pms_range *rows;
	size_t count;
};

struct pms_cover {
	struct pms_cover_cut {
		uint64_t from;
		uint32_t row; /* that counts from there on; UINT32_MAX: none */
	} * cuts;
	size_t count;
};

/** Add a range; an empty one is nothing. Errors: -PMS_ENOMEM */
int pms_ranges_add(struct pms_ranges *ranges, uint64_t low, uint64_t high, uint32_t row);

void pms_ranges_release(struct pms_ranges *ranges);

/** Make the cover of @ranges, which are released. Errors: -PMS_ENOMEM */
int pms_cover_make(struct pms_cover *cover, struct pms_ranges *ranges);

/** The highest row that has @address, UINT32_MAX: none has it. */
uint32_t pms_cover_find(const struct pms_cover *cover, uint64_t address);

void pms_cover_release(struct pms_cover *cover);

#endif

/* SPDX-License-Identifier: MIT */
/* spe/cursor.h - where a reader is in one stream, apart from what it has learned: what a stream
 * keeps while another one is read.
 * Flow: input -> [cursor] -> reader. */
#ifndef PMS_SPE_CURSOR_H
#define PMS_SPE_CURSOR_H

#include <stdint.h>

struct pms_spe_cursor {
	uint64_t offset;  /* of the next byte to be given */
	uint64_t padding; /* zero bytes just read, not yet a packet */
	uint8_t held[16]; /* the beginning of a packet, the rest of which is to come */
	uint8_t n_held;
	uint8_t inside; /* 1: a record has begun */
};

#endif

/* SPDX-License-Identifier: MIT */
/* spe/reader.h - the inside of what reads packets and decodes records.
 * Flow: bytes -> [reader] -> packets, records. */
#ifndef PMS_SPE_READER_H
#define PMS_SPE_READER_H

#include "spe/cursor.h"
#include "spe/shape.h"

struct pms_spe_reader {
	struct pms_spe_cursor cursor;
	struct pms_spe_shapes shapes;
};

/** A record while it is being put together: its columns as one row. */
struct pms_spe_record {
	uint64_t offset;
	uint32_t has;
	uint64_t value[16]; /* by bit number of enum pms_spe_has; an operation's CLASS in [9:8] */
};

struct pms_spe_decoder {
	struct pms_spe_reader reader;
	struct pms_spe_record record;
	struct pms_spe_summary summary; /* but for what shapes have counted since */
};

#endif

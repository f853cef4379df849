/* SPDX-License-Identifier: MIT */
/* spe/cursor.h - where a reader is in one stream, apart from what it has learned of records.
 * Flow: input -> [cursor] -> packet, record. */
#ifndef PMS_SPE_CURSOR_H
#define PMS_SPE_CURSOR_H

#include <string.h>

#include "pmuscope/spe.h"

/** What a stream needs of a reader while it waits for its next buffer: one reader, and what it has
 * learned of records, serves all streams of a file in turn. */
struct pms_spe_cursor {
	uint64_t offset, padding;
	uint8_t held[16];
	uint8_t n_held, inside;
};

static inline void pms_spe_cursor_keep(struct pms_spe_cursor *cursor,
				       const struct pms_spe_reader *reader)
{
	cursor->offset = reader->offset;
	cursor->padding = reader->padding;
	memcpy(cursor->held, reader->held, sizeof(cursor->held));
	cursor->n_held = reader->n_held;
	cursor->inside = reader->inside;
}

/** Let @reader go on where it was when the cursor was kept. */
static inline void pms_spe_cursor_resume(const struct pms_spe_cursor *cursor,
					 struct pms_spe_reader *reader)
{
	reader->offset = cursor->offset;
	reader->padding = cursor->padding;
	memcpy(reader->held, cursor->held, sizeof(reader->held));
	reader->n_held = cursor->n_held;
	reader->inside = cursor->inside;
}

#endif

/* SPDX-License-Identifier: MIT */
/* spe/reader.h - the inside of what reads packets and decodes records.
 * Flow: bytes -> [reader] -> packets, records. */
#ifndef PMS_SPE_READER_H
#define PMS_SPE_READER_H

#include "pmuscope/spe.h"

enum {
	PMS_SPE_SHAPES = 64,
	PMS_SPE_SHAPE_PACKETS = 16,
	PMS_SPE_WINDOW = 64,
	PMS_SPE_PLACES = 16,
	PMS_SPE_GUESS_BITS = 12
};

/** The headers of a record that came before, where they lie, and the zeros behind it: with these a
 * record of the same shape is known at once. */
struct pms_spe_shape {
	/* the bytes of headers and padding, in memory's order; aligned for vectors, as is the next
	 */
	uint64_t want[PMS_SPE_WINDOW / 8] __attribute__((aligned(16)));
	uint64_t mask[PMS_SPE_WINDOW / 8]; /* ff where want has one of these */
	uint64_t keep[16];		   /* by column: mask of its value */
	uint8_t at[16];			   /* by column: where its value begins */
	/* offset: in the record; payload: the mask of its value; aligned for vectors */
	struct pms_spe_packet packets[PMS_SPE_SHAPE_PACKETS] __attribute__((aligned(16)));
	uint8_t n_packets, length, total; /* bytes: of the record, and with padding */
	uint8_t class_;			  /* of the operation */
	uint32_t has;
	uint32_t hits; /* records of this shape not yet in the summary */
};

/** The shapes met, and the places in a record that tell them apart: the bytes there, each mapped to
 * a few bits, together choose the shape to try. */
struct pms_spe_shapes {
	uint8_t n_shapes, n_places;
	uint8_t next;		     /* shape to be replaced */
	uint8_t most;		     /* packets of the longest shape, or one more to make it even */
	uint32_t wait, longest_wait; /* records of no known shape to go by before one is learned */
	uint8_t place[PMS_SPE_PLACES];
	uint16_t bits[PMS_SPE_PLACES][256];
	uint16_t guess[1 << PMS_SPE_GUESS_BITS]; /* the shape, and above it its total */
	struct pms_spe_shape shape[PMS_SPE_SHAPES];
};

/** Where a reader is in one stream, apart from what it has learned: what a stream keeps while
 * another one is read. */
struct pms_spe_cursor {
	uint64_t offset;  /* of the next byte to be given */
	uint64_t padding; /* zero bytes just read, not yet a packet */
	uint8_t held[16]; /* the beginning of a packet, the rest of which is to come */
	uint8_t n_held;
	uint8_t inside; /* 1: a record has begun */
};

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
	struct pms_spe_summary summary;
};

#endif

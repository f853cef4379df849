/* SPDX-License-Identifier: MIT */
/* spe/packet.h - one packet at a time: the table of headers and what reads by it.
 * Flow: bytes -> [packet] -> record. Both the reader of packets and the decoder of records are made
 * of what is here, inlined into their loops. */
#ifndef PMS_SPE_PACKET_H
#define PMS_SPE_PACKET_H

#include <endian.h>
#include <string.h>

#include "pmuscope/spe.h"
#include "spe/cursor.h"

/** Where a packet's payload goes in a record: bit numbers of enum pms_spe_has. */
enum pms_spe_slot {
	PMS_SPE_SLOT_PC,
	PMS_SPE_SLOT_TARGET,
	PMS_SPE_SLOT_VA,
	PMS_SPE_SLOT_PA,
	PMS_SPE_SLOT_PREVIOUS,
	PMS_SPE_SLOT_EVENTS,
	PMS_SPE_SLOT_TIME,
	PMS_SPE_SLOT_CONTEXT_EL1,
	PMS_SPE_SLOT_CONTEXT_EL2,
	PMS_SPE_SLOT_TOTAL,
	PMS_SPE_SLOT_ISSUE,
	PMS_SPE_SLOT_TRANSLATION,
	PMS_SPE_SLOT_ALTERNATE,
	PMS_SPE_SLOT_SOURCE,
	PMS_SPE_SLOT_OP,
	PMS_SPE_SLOT_OTHER
};

/** What a header byte says. */
struct pms_spe_header {
	uint64_t mask;	/* of the payload, in the eight bytes behind the header */
	uint16_t tag;	/* added to the value that a record keeps */
	uint8_t type;	/* enum pms_spe_type; RESERVED: the byte begins no packet */
	uint8_t length; /* header and payload, bytes */
	uint8_t size;	/* SZ */
	uint8_t index;
	uint8_t slot; /* enum pms_spe_slot */
};

/** One row for each value of a header's byte; of an extended header, for its second byte. */
extern const struct pms_spe_header pms_spe_headers[256];

enum { PMS_SPE_LONGEST = 10 }; /* bytes of an extended header and a doubleword */

/** A packet found in the bytes. */
struct pms_spe_found {
	const struct pms_spe_header *row;
	uint64_t payload;
	unsigned length; /* bytes in all; 0: it goes on beyond the bytes that there are */
	unsigned index;	 /* with INDEX[4:3] of an extended header */
	unsigned extended;
};

/** The @n bytes at @bytes as a little-endian number. n: 0 to 8. */
static inline uint64_t pms_spe_load(const uint8_t *bytes, unsigned n)
{
	uint64_t value = 0;
	for (unsigned i = n; i > 0; i--)
		value = value << 8 | bytes[i - 1];
	return value;
}

/** Eight bytes as a little-endian number. */
static inline uint64_t pms_spe_load8(const uint8_t *bytes)
{
	uint64_t value;
	memcpy(&value, bytes, sizeof(value));
	return le64toh(value);
}

/** The payload behind a header, masked to its size. Loads eight bytes at once where they are. */
static inline uint64_t pms_spe_payload(const uint8_t *bytes, size_t available,
				       const struct pms_spe_header *row)
{
	if (available >= 8)
		return pms_spe_load8(bytes) & row->mask;
	return row->mask ? pms_spe_load(bytes, row->length - 1U) : 0;
}

/** The packet with a header of two bytes, or the reserved byte that the first of them is then. */
static inline struct pms_spe_found pms_spe_find_extended(const uint8_t *bytes, size_t available)
{
	struct pms_spe_found found = { .row = &pms_spe_headers[bytes[0]] };
	if (available < 2)
		return found;
	const struct pms_spe_header *row = &pms_spe_headers[bytes[1]];
	if (row->type != PMS_SPE_ADDRESS && row->type != PMS_SPE_COUNTER) {
		found.row = &pms_spe_headers[0xff];
		found.length = 1;
		return found;
	}
	found.row = row;
	found.extended = 1;
	if (available < row->length + 1U)
		return found;
	found.length = row->length + 1U;
	found.index = (bytes[0] & 3U) << 3 | row->index;
	found.payload = pms_spe_payload(bytes + 2, available - 2, row);
	return found;
}

/** The packet whose header is at bytes[0]. @available: bytes, at least 1 */
static inline struct pms_spe_found pms_spe_find(const uint8_t *bytes, size_t available)
{
	const struct pms_spe_header *row = &pms_spe_headers[bytes[0]];
	if (__builtin_expect(row->type == PMS_SPE_EXTENDED, 0))
		return pms_spe_find_extended(bytes, available);
	struct pms_spe_found found = { .row = row, .index = row->index };
	if (available < row->length)
		return found;
	found.length = row->length;
	found.payload = pms_spe_payload(bytes + 1, available - 1, row);
	return found;
}

/** The packet that begins in what @cursor holds and goes on in @bytes, of which @used become so
 * many. Needs something held. Where that is not yet all of it, all of @bytes is held as well. */
struct pms_spe_found pms_spe_find_held(struct pms_spe_cursor *cursor, const uint8_t *bytes,
				       size_t length, size_t *used);

/** Keep the @length bytes, fewer than a packet. */
static inline void pms_spe_hold(struct pms_spe_cursor *cursor, const uint8_t *bytes, size_t length)
{
	memcpy(cursor->held, bytes, length);
	cursor->n_held = (uint8_t)length;
}

/** The number of zero bytes that @bytes begins with. */
size_t pms_spe_zeros(const uint8_t *bytes, size_t length);

/** A letter for each operation by CLASS and payload; '.' is reserved. */
extern const char pms_spe_operation_map[4][257];

/** Whether CLASS and SUBCLASS of @payload are reserved: 1 or 0. */
static inline unsigned pms_spe_operation_is_reserved(unsigned class_, uint64_t payload)
{
	return pms_spe_operation_map[class_ & 3][payload & 0xff] == '.';
}

/** Whether INDEX @index of an address or a counter is implementation defined. */
static inline int pms_spe_index_is_implementation_defined(unsigned index)
{
	return (index & 0x1e) == 6 || index >= 16;
}

#endif

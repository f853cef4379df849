/* SPDX-License-Identifier: MIT */
#include "spe/packet.h"
#include "spe/reader.h"

#include <assert.h>
#include <stdlib.h>

#define BYTE	   UINT64_C(0xff)
#define HALFWORD   UINT64_C(0xffff)
#define WORD	   UINT64_C(0xffffffff)
#define DOUBLEWORD UINT64_C(0xffffffffffffffff)

/* mask, tag, type, length, SZ, index, slot */
#define ADDRESS(index, slot)                                                                       \
	{                                                                                          \
		DOUBLEWORD, 0, PMS_SPE_ADDRESS, 9, 3, index, PMS_SPE_SLOT_##slot                   \
	}
#define CONTEXT(index, slot)                                                                       \
	{                                                                                          \
		WORD, 0, PMS_SPE_CONTEXT, 5, 2, index, PMS_SPE_SLOT_##slot                         \
	}
#define COUNTER(index, slot)                                                                       \
	{                                                                                          \
		HALFWORD, 0, PMS_SPE_COUNTER, 3, 1, index, PMS_SPE_SLOT_##slot                     \
	}
#define SOURCE(mask, length, size)                                                                 \
	{                                                                                          \
		mask, 0, PMS_SPE_DATA_SOURCE, length, size, 0, PMS_SPE_SLOT_SOURCE                 \
	}
#define EVENTS(mask, length, size)                                                                 \
	{                                                                                          \
		mask, 0, PMS_SPE_EVENTS, length, size, 0, PMS_SPE_SLOT_EVENTS                      \
	}
#define OPERATION(class)                                                                           \
	{                                                                                          \
		BYTE, (class) << 8, PMS_SPE_OPERATION, 2, 0, class, PMS_SPE_SLOT_OP                \
	}
#define EXTENDED                                                                                   \
	{                                                                                          \
		0, 0, PMS_SPE_EXTENDED, 2, 0, 0, PMS_SPE_SLOT_OTHER                                \
	}
#define RESERVED                                                                                   \
	{                                                                                          \
		0, 0, PMS_SPE_RESERVED, 1, 0, 0, PMS_SPE_SLOT_OTHER                                \
	}

/* Byte 0 of the header figures of D18.2.1 to D18.2.9. */
const struct pms_spe_header pms_spe_headers[256] = {
	[0x00] = { 0, 0, PMS_SPE_PADDING, 1, 0, 0, PMS_SPE_SLOT_OTHER },
	[0x01] = { 0, 0, PMS_SPE_END, 1, 0, 0, PMS_SPE_SLOT_OTHER },
	[0x02 ... 0x1f] = RESERVED,

	[0x20] = EXTENDED,
	[0x21] = EXTENDED,
	[0x22] = EXTENDED,
	[0x23] = EXTENDED,
	[0x24 ... 0x41] = RESERVED,

	[0x42] = EVENTS(BYTE, 2, 0),
	[0x43] = SOURCE(BYTE, 2, 0),
	[0x44 ... 0x47] = RESERVED,
	[0x48] = OPERATION(0),
	[0x49] = OPERATION(1),
	[0x4a] = OPERATION(2),
	[0x4b] = OPERATION(3),
	[0x4c ... 0x51] = RESERVED,

	[0x52] = EVENTS(HALFWORD, 3, 1),
	[0x53] = SOURCE(HALFWORD, 3, 1),
	[0x54 ... 0x61] = RESERVED,

	[0x62] = EVENTS(WORD, 5, 2),
	[0x63] = RESERVED,
	[0x64] = CONTEXT(0, CONTEXT_EL1),
	[0x65] = CONTEXT(1, CONTEXT_EL2),
	[0x66] = CONTEXT(2, OTHER),
	[0x67] = CONTEXT(3, OTHER),
	[0x68 ... 0x70] = RESERVED,

	[0x71] = { DOUBLEWORD, 0, PMS_SPE_TIMESTAMP, 9, 3, 0, PMS_SPE_SLOT_TIME },
	[0x72] = EVENTS(DOUBLEWORD, 9, 3),
	[0x73 ... 0x97] = RESERVED,

	[0x98] = COUNTER(0, TOTAL),
	[0x99] = COUNTER(1, ISSUE),
	[0x9a] = COUNTER(2, TRANSLATION),
	[0x9b] = COUNTER(3, OTHER),
	[0x9c] = COUNTER(4, ALTERNATE),
	[0x9d] = COUNTER(5, OTHER),
	[0x9e] = COUNTER(6, OTHER),
	[0x9f] = COUNTER(7, OTHER),
	[0xa0 ... 0xaf] = RESERVED,

	[0xb0] = ADDRESS(0, PC),
	[0xb1] = ADDRESS(1, TARGET),
	[0xb2] = ADDRESS(2, VA),
	[0xb3] = ADDRESS(3, PA),
	[0xb4] = ADDRESS(4, PREVIOUS),
	[0xb5] = ADDRESS(5, OTHER),
	[0xb6] = ADDRESS(6, OTHER),
	[0xb7] = ADDRESS(7, OTHER),
	[0xb8 ... 0xff] = RESERVED,
};

size_t pms_spe_zeros(const uint8_t *bytes, size_t length)
{
	size_t n = 0;
	for (; length - n >= 8; n += 8) {
		uint64_t word = pms_spe_load8(bytes + n);
		if (word)
			return n + (unsigned)__builtin_ctzll(word) / 8;
	}
	while (n < length && !bytes[n])
		n++;
	return n;
}

struct pms_spe_found pms_spe_find_held(struct pms_spe_cursor *cursor, const uint8_t *bytes,
				       size_t length, size_t *used)
{
	unsigned n_held = cursor->n_held;
	assert(n_held > 0 && n_held < PMS_SPE_LONGEST);
	size_t n = PMS_SPE_LONGEST - n_held < length ? PMS_SPE_LONGEST - n_held : length;
	memcpy(cursor->held + n_held, bytes, n);
	struct pms_spe_found found = pms_spe_find(cursor->held, n_held + n);
	if (found.length) {
		/* What was held was no whole packet, so that the packet's end is in the new bytes,
		 * or at their beginning where the first of two header bytes turns out reserved. */
		assert(found.length >= n_held);
		*used = found.length - n_held;
		cursor->n_held = 0;
	} else {
		*used = n;
		cursor->n_held = (uint8_t)(n_held + n);
	}
	return found;
}

struct pms_spe_reader *pms_spe_reader_new(uint64_t offset)
{
	struct pms_spe_reader *reader = calloc(1, sizeof(*reader));
	if (!reader)
		return NULL;
	reader->cursor.offset = offset;
	pms_spe_shapes_init(&reader->shapes);
	reader->shapes.templates = calloc(PMS_SPE_SHAPES + 1, sizeof(*reader->shapes.templates));
	if (reader->shapes.templates)
		return reader;
	free(reader);
	return NULL;
}

void pms_spe_reader_free(struct pms_spe_reader *reader)
{
	if (reader)
		free(reader->shapes.templates);
	free(reader);
}

void pms_spe_reader_break(struct pms_spe_reader *reader, uint64_t offset)
{
	reader->cursor = (struct pms_spe_cursor){ .offset = offset };
}

/* What is found, as packets. */
struct sink {
	const struct pms_spe_shapes *shapes;
	struct pms_spe_packet *packets;
	size_t n, most;
};

static inline int sink_room(const struct sink *s)
{
	return s->n < s->most;
}

static inline int sink_room_for_record(const struct sink *s)
{
	return s->most - s->n > PMS_SPE_SHAPE_PACKETS;
}

/* Whole records are faster: the next call has room for them, unless no call has. */
static inline int sink_waits(const struct sink *s)
{
	return !sink_room_for_record(s) && s->most > PMS_SPE_SHAPE_PACKETS;
}

static inline void sink_padding(struct sink *s, uint64_t offset, uint64_t length)
{
	s->packets[s->n++] = (struct pms_spe_packet){ .offset = offset - length,
						      .length = length,
						      .type = PMS_SPE_PADDING };
}

/* One packet of a record whose shape is known, two halves at a time: offset and length; payload and
 * the bytes behind it. */
static inline void record_packet(const struct pms_spe_packet *shape, const uint8_t *bytes,
				 uint64_t offset, struct pms_spe_packet *packet)
{
	_Static_assert(offsetof(struct pms_spe_packet, length) == 8 &&
			       offsetof(struct pms_spe_packet, payload) == 16 &&
			       sizeof(struct pms_spe_packet) == 32,
		       "the halves");
	pms_spe_vector place = { offset, 0 };
	pms_spe_vector value = { pms_spe_load8(bytes + shape->offset + 1), UINT64_MAX };
	const void *aligned = __builtin_assume_aligned(shape, 16);
	place += pms_spe_vector_at(aligned, 0);
	value &= pms_spe_vector_at(aligned, 16);
	memcpy(packet, &place, sizeof(place));
	memcpy(&packet->payload, &value, sizeof(value));
}

/* All packets of a record whose shape is known, and some behind them that are none: to make as many
 * for each as for the longest shape costs less than a loop whose end nothing foretells. */
static inline void sink_shaped(struct sink *s, struct pms_spe_shape *shape, const uint8_t *bytes,
			       uint64_t offset, uint64_t padding)
{
	if (padding)
		sink_padding(s, offset, padding);
	const struct pms_spe_packet *from = pms_spe_shape_packets(s->shapes, shape);
	struct pms_spe_packet *to = s->packets + s->n, *end = to + s->shapes->most;
	for (; to < end; from += 2, to += 2) { /* the most is even */
		record_packet(from, bytes, offset, to);
		record_packet(from + 1, bytes, offset, to + 1);
	}
	s->n += shape->n_packets;
}

static inline void sink_open_padding(struct sink *s, uint64_t length)
{
	(void)s;
	(void)length;
}

static inline void sink_packet(struct sink *s, const struct pms_spe_found *found, uint8_t header,
			       uint64_t offset, int begins)
{
	(void)begins;
	s->packets[s->n++] = (struct pms_spe_packet){ .offset = offset,
						      .length = found->length,
						      .payload = found->payload,
						      .type = found->row->type,
						      .header = header,
						      .extended = (uint8_t)found->extended,
						      .index = (uint8_t)found->index,
						      .size = found->row->size };
}

#include "spe/loop.h"

size_t pms_spe_read(struct pms_spe_reader *reader, const uint8_t *bytes, size_t length,
		    size_t *used, struct pms_spe_packet *packets, size_t most)
{
	struct sink s = { .shapes = &reader->shapes, .packets = packets, .most = most };
	*used = read_stream(reader, bytes, length, &s);
	return s.n;
}

size_t pms_spe_read_end(struct pms_spe_reader *reader, struct pms_spe_packet *packet)
{
	uint64_t offset = reader->cursor.offset - reader->cursor.n_held;
	unsigned n_held = reader->cursor.n_held;
	reader->cursor.inside = 0;
	if (reader->cursor.padding) {
		assert(!n_held); /* read() makes a packet of padding before it holds any */
		*packet = (struct pms_spe_packet){ .offset = offset - reader->cursor.padding,
						   .length = reader->cursor.padding,
						   .type = PMS_SPE_PADDING };
		reader->cursor.padding = 0;
		return 1;
	}
	if (!n_held)
		return 0;
	struct pms_spe_found found = pms_spe_find(reader->cursor.held, n_held);
	*packet = (struct pms_spe_packet){ .offset = offset,
					   .length = n_held,
					   .payload = pms_spe_load(reader->cursor.held + 1,
								   n_held - 1),
					   .type = PMS_SPE_TRUNCATED,
					   .header = reader->cursor.held[0],
					   .extended = (uint8_t)found.extended,
					   .what = found.row->type,
					   .need = (uint8_t)(found.row->length + found.extended) };
	reader->cursor.n_held = 0;
	return 1;
}

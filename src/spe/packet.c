/* SPDX-License-Identifier: MIT */
#include "spe/packet.h"
#include "spe/shape.h"

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
const struct pms_spe_row pms_spe_rows[256] = {
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
	if (reader)
		reader->cursor.offset = offset;
	return reader;
}

void pms_spe_reader_free(struct pms_spe_reader *reader)
{
	free(reader);
}

void pms_spe_reader_break(struct pms_spe_reader *reader, uint64_t offset)
{
	reader->cursor = (struct pms_spe_cursor){ .offset = offset };
}

static struct pms_spe_packet packet_of(const struct pms_spe_found *found, uint64_t offset,
				       uint8_t header)
{
	return (struct pms_spe_packet){ .offset = offset,
					.length = found->length,
					.payload = found->payload,
					.type = found->row->type,
					.header = header,
					.extended = (uint8_t)found->extended,
					.index = (uint8_t)found->index,
					.size = found->row->size };
}

static struct pms_spe_packet padding(struct pms_spe_reader *reader, uint64_t offset)
{
	struct pms_spe_packet packet = { .offset = offset - reader->cursor.padding,
					 .length = reader->cursor.padding,
					 .type = PMS_SPE_PADDING };
	reader->cursor.padding = 0;
	return packet;
}

/* The shape of the record at @bytes where it was not guessed; NULL: read it packet by packet. */
static struct pms_spe_shape *search(struct pms_spe_shapes *shapes, const uint8_t *bytes)
{
	int may_learn;
	struct pms_spe_shape *shape = pms_spe_shape_search(shapes, bytes, &may_learn);
	return may_learn ? pms_spe_shape_learn(shapes, bytes) : shape;
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
 * for each as for the longest shape costs less than a loop whose end nothing foretells. @n, the
 * same for long, is taken to be even for the compiler to make two at a time. */
static inline void record_packets(const struct pms_spe_shape *shape, const uint8_t *bytes,
				  uint64_t offset, struct pms_spe_packet *packets, unsigned n)
{
	for (unsigned i = 0; i < n; i += 2) {
		record_packet(&shape->packets[i], bytes, offset, packets + i);
		record_packet(&shape->packets[i + 1], bytes, offset, packets + i + 1);
	}
}

/* The next packet, when there is all of it. Returns how many: 1 or 0. */
static size_t next_packet(struct pms_spe_reader *reader, const uint8_t *bytes, size_t length,
			  uint64_t offset, size_t *used, struct pms_spe_packet *packet)
{
	struct pms_spe_found found;
	uint8_t header = reader->cursor.n_held ? reader->cursor.held[0] : bytes[0];
	if (reader->cursor.n_held) {
		found = pms_spe_find_held(&reader->cursor, bytes, length, used);
	} else {
		found = pms_spe_find(bytes, length);
		*used = found.length ? found.length : length;
		if (!found.length)
			pms_spe_hold(&reader->cursor, bytes, length);
	}
	if (!found.length)
		return 0;
	*packet = packet_of(&found, offset, header);
	reader->cursor.inside = packet->type != PMS_SPE_END && packet->type != PMS_SPE_TIMESTAMP;
	return 1;
}

/* Packets one by one, up to the end of a record, as long as they are whole and plain. Returns how
 * many; next_packet() is for what it leaves. @used: becomes their bytes */
static size_t read_plain(struct pms_spe_reader *reader, const uint8_t *bytes, size_t length,
			 uint64_t offset, size_t *used, struct pms_spe_packet *packets, size_t most)
{
	size_t at = 0, n = 0;
	unsigned type = PMS_SPE_PADDING;
	while (n < most && length - at >= PMS_SPE_LONGEST && type != PMS_SPE_END &&
	       type != PMS_SPE_TIMESTAMP) {
		const struct pms_spe_row *row = &pms_spe_rows[bytes[at]];
		size_t taken = row->length;
		if (row->type == PMS_SPE_EXTENDED)
			break;
		if (row->type == PMS_SPE_PADDING) {
			taken = pms_spe_zeros(bytes + at, length - at);
			if (taken == length - at) /* it may go on */
				break;
		}
		type = row->type;
		packets[n++] = (struct pms_spe_packet){ .offset = offset + at,
							.length = taken,
							.payload = pms_spe_load8(bytes + at + 1) &
								   row->mask,
							.type = row->type,
							.header = bytes[at],
							.index = row->index,
							.size = row->size };
		at += taken;
	}
	if (n)
		reader->cursor.inside = type != PMS_SPE_END && type != PMS_SPE_TIMESTAMP;
	*used = at;
	return n;
}

/* Packets of records, for as long as these have shapes. Returns how many. @length: enough for one;
 * @used: becomes their bytes */
static size_t read_shaped(struct pms_spe_reader *reader, const uint8_t *bytes, size_t length,
			  uint64_t offset, size_t *used, struct pms_spe_packet *packets,
			  size_t most)
{
	struct pms_spe_shapes *shapes = &reader->shapes;
	size_t at = 0, n = 0;
	struct pms_spe_guess next = pms_spe_shape_guess(shapes, bytes);
	while (most - n > PMS_SPE_SHAPE_PACKETS && length - at >= PMS_SPE_SHAPE_NEEDS &&
	       bytes[at]) {
		struct pms_spe_guess now = next;
		if (length - at >= now.total + PMS_SPE_SHAPE_NEEDS)
			next = pms_spe_shape_guess(shapes, bytes + at + now.total);
		if (!now.total || !pms_spe_shape_fits(now.shape, bytes + at)) {
			now.shape = search(shapes, bytes + at);
			if (!now.shape)
				break;
			now.total = now.shape->total;
			if (length - at >= now.total + PMS_SPE_SHAPE_NEEDS)
				next = pms_spe_shape_guess(shapes, bytes + at + now.total);
		}
		if (reader->cursor.padding)
			packets[n++] = padding(reader, offset + at);
		record_packets(now.shape, bytes + at, offset + at, packets + n, shapes->most);
		n += now.shape->n_packets;
		reader->cursor.padding = now.total - now.shape->length;
		at += now.total;
	}
	*used = at;
	return n;
}

size_t pms_spe_read(struct pms_spe_reader *reader, const uint8_t *bytes, size_t length,
		    size_t *used, struct pms_spe_packet *packets, size_t most)
{
	size_t at = 0, n = 0;
	uint64_t start = reader->cursor.offset; /* of bytes[0] */
	while (n < most && at < length) {
		uint64_t offset = start + at - reader->cursor.n_held;
		size_t taken = 0;
		if (!reader->cursor.n_held && !bytes[at]) {
			size_t zeros = pms_spe_zeros(bytes + at, length - at);
			reader->cursor.padding += zeros;
			at += zeros;
			continue;
		}
		if (reader->cursor.padding) {
			packets[n++] = padding(reader, offset);
			continue;
		}
		if (!reader->cursor.inside && !reader->cursor.n_held &&
		    length - at >= PMS_SPE_SHAPE_NEEDS && most > PMS_SPE_SHAPE_PACKETS) {
			/* Whole records are faster: the next call has room for them. */
			if (most - n <= PMS_SPE_SHAPE_PACKETS)
				break;
			n += read_shaped(reader, bytes + at, length - at, offset, &taken,
					 packets + n, most - n);
		}
		if (!taken && !reader->cursor.n_held)
			n += read_plain(reader, bytes + at, length - at, offset, &taken,
					packets + n, most - n);
		if (!taken)
			n += next_packet(reader, bytes + at, length - at, offset, &taken,
					 packets + n);
		at += taken;
	}
	reader->cursor.offset = start + at;
	*used = at;
	return n;
}

size_t pms_spe_read_end(struct pms_spe_reader *reader, struct pms_spe_packet *packet)
{
	uint64_t offset = reader->cursor.offset - reader->cursor.n_held;
	unsigned n_held = reader->cursor.n_held;
	reader->cursor.inside = 0;
	if (reader->cursor.padding) {
		assert(!n_held); /* read() makes a packet of padding before it holds any */
		*packet = padding(reader, offset);
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

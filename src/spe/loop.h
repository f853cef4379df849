/* SPDX-License-Identifier: MIT */
/* spe/loop.h - the one loop over a stream's bytes, for packets and for records. A file includes it
 * behind a `struct sink` of its own and these functions, which say what becomes of what is found:
 *
 *   int sink_room(const struct sink *)
 *	Whether another packet has room.
 *   int sink_room_for_record(const struct sink *)
 *	Whether a record with a shape has room, and the padding before it.
 *   int sink_waits(const struct sink *)
 *	Whether to stop until a whole record has room again.
 *   void sink_padding(struct sink *, uint64_t offset, uint64_t length)
 *	Takes zeros that end at @offset.
 *   void sink_shaped(struct sink *, struct pms_spe_shape *, const uint8_t *bytes, uint64_t offset,
 *                    uint64_t padding)
 *	Takes a record with a shape, and the zeros just before it.
 *   void sink_open_padding(struct sink *, uint64_t length)
 *	Hears how many zeros lie behind the last such record. There may be more: sink_padding()
 *	gets them all once they end.
 *   void sink_packet(struct sink *, const struct pms_spe_found *, uint8_t header, uint64_t offset,
 *                    int begins)
 *	Takes one packet of a record without a shape. @begins: 1 for the record's first.
 *
 * Flow: bytes, shape -> [loop] -> packets, records. */
#ifndef PMS_SPE_LOOP_H
#define PMS_SPE_LOOP_H

#include "spe/reader.h"

/* Where records with shapes are being read. */
struct run {
	const uint8_t *record, *last; /* the last place where one is sure to be whole */
	const uint8_t *bytes;	      /* the first, */
	uint64_t offset;	      /* and its own */
	size_t padding;		      /* zeros just before it */
};

static inline void take_shaped(struct run *run, struct pms_spe_shape *shape, size_t total,
			       struct sink *s)
{
	sink_shaped(s, shape, run->record, run->offset + (size_t)(run->record - run->bytes),
		    run->padding);
	run->padding = total - shape->length;
	run->record += total;
}

/* Records, where all shapes are equally long: some are looked up at a time, and none of them waits
 * for another. Stops at one that has none of these shapes, and before the last few. */
static inline void read_alike(struct pms_spe_shapes *shapes, struct run *run, struct sink *s)
{
	size_t total = shapes->usual;
	unsigned i = PMS_SPE_ALIKE;
	while (total && i == PMS_SPE_ALIKE &&
	       run->last - run->record >= (ptrdiff_t)((PMS_SPE_ALIKE - 1) * total)) {
		struct pms_spe_shape *guesses[PMS_SPE_ALIKE];
		pms_spe_shapes_guess(shapes, run->record, total, guesses);
		for (i = 0; i < PMS_SPE_ALIKE && sink_room_for_record(s) &&
			    pms_spe_shape_fits(guesses[i], run->record);
		     i++)
			take_shaped(run, guesses[i], total, s);
	}
}

/* Records, whatever their lengths. Stops at one that has no known shape. */
static inline void read_unlike(struct pms_spe_shapes *shapes, struct run *run, struct sink *s)
{
	struct pms_spe_guess now, next;
	if (run->record > run->last)
		return;
	next = pms_spe_shape_guess(shapes, run->record);
	while (run->record <= run->last && sink_room_for_record(s) &&
	       pms_spe_shape_fits(next.shape, run->record)) {
		now = next;
		/* What follows the next record has no need to be known yet. */
		if ((size_t)(run->last - run->record) >= now.total)
			next = pms_spe_shape_guess(shapes, run->record + now.total);
		take_shaped(run, now.shape, now.total, s);
	}
}

/* Records, for as long as they have shapes. The first byte is not zero. Returns the bytes that they
 * take. */
static inline size_t read_shaped(struct pms_spe_reader *reader, const uint8_t *bytes, size_t length,
				 uint64_t offset, struct sink *to)
{
	struct pms_spe_shapes *shapes = &reader->shapes;
	struct run run = { .record = bytes, .bytes = bytes, .offset = offset };
	struct sink s = *to; /* which the compiler keeps in registers */
	if (length < PMS_SPE_SHAPE_NEEDS)
		return 0;
	run.last = bytes + length - PMS_SPE_SHAPE_NEEDS;
	for (;;) {
		read_alike(shapes, &run, &s);
		read_unlike(shapes, &run, &s);
		if (run.record > run.last || !sink_room_for_record(&s) || !*run.record)
			break;
		struct pms_spe_shape *shape = pms_spe_shape_meet(shapes, run.record);
		if (!shape)
			break;
		take_shaped(&run, shape, shape->total, &s);
	}
	sink_open_padding(&s, run.padding);
	*to = s;
	if (run.record > bytes)
		reader->cursor.padding = run.padding;
	return (size_t)(run.record - bytes);
}

/* One packet, perhaps one that began in the buffer before. Returns the bytes used. */
static inline size_t read_packet(struct pms_spe_cursor *c, const uint8_t *bytes, size_t length,
				 uint64_t offset, struct sink *s)
{
	uint8_t header = c->n_held ? c->held[0] : bytes[0];
	struct pms_spe_found found;
	size_t used;
	if (c->n_held) {
		found = pms_spe_find_held(c, bytes, length, &used);
	} else {
		found = pms_spe_find(bytes, length);
		used = found.length ? found.length : length;
		if (!found.length)
			pms_spe_hold(c, bytes, length);
	}
	if (found.length) {
		unsigned type = found.row->type;
		sink_packet(s, &found, header, offset, !c->inside);
		c->inside = type != PMS_SPE_END && type != PMS_SPE_TIMESTAMP;
	}
	return used;
}

/* All that there is room for. Returns the bytes used. */
static inline size_t read_stream(struct pms_spe_reader *reader, const uint8_t *bytes, size_t length,
				 struct sink *s)
{
	struct pms_spe_cursor *c = &reader->cursor;
	uint64_t start = c->offset; /* of bytes[0] */
	size_t at = 0;
	while (sink_room(s) && at < length) {
		uint64_t offset = start + at - c->n_held;
		size_t left = length - at, taken = 0;
		if (!c->n_held && !bytes[at]) {
			size_t zeros = pms_spe_zeros(bytes + at, left);
			c->padding += zeros;
			at += zeros;
			continue;
		}
		if (c->padding) {
			sink_padding(s, offset, c->padding);
			c->padding = 0;
			continue;
		}
		if (!c->inside && !c->n_held) {
			if (left >= PMS_SPE_SHAPE_NEEDS && sink_waits(s))
				break;
			taken = read_shaped(reader, bytes + at, left, offset, s);
		}
		at += taken ? taken : read_packet(c, bytes + at, left, offset, s);
	}
	c->offset = start + at;
	return at;
}

#endif

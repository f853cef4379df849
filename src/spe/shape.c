/* SPDX-License-Identifier: MIT */
#include "spe/shape.h"

static void want_bytes(struct pms_spe_shape *shape, unsigned at, const uint8_t *bytes, unsigned n)
{
	memcpy((uint8_t *)shape->want + at, bytes, n);
	memset((uint8_t *)shape->mask + at, 0xff, n);
}

static void add_packet(struct pms_spe_shape *shape, const struct pms_spe_row *row, unsigned at,
		       uint8_t header, unsigned length)
{
	shape->packets[shape->n_packets++] = (struct pms_spe_packet){ .offset = at,
								      .length = length,
								      .payload = row->mask,
								      .type = row->type,
								      .header = header,
								      .index = row->index,
								      .size = row->size };
}

/* Where a packet's value goes in a record. */
static void add_column(struct pms_spe_shape *shape, const struct pms_spe_row *row, unsigned at)
{
	shape->has |= UINT32_C(1) << row->slot;
	shape->at[row->slot] = (uint8_t)(at + 1);
	shape->keep[row->slot] = row->mask;
	if (row->type == PMS_SPE_OPERATION)
		shape->class_ = row->index;
}

/* Take the packet at @at into the shape. Returns its length, or 0 when records with it are left to
 * be read packet by packet. */
static unsigned take(struct pms_spe_shape *shape, const uint8_t *bytes, unsigned at)
{
	const struct pms_spe_row *row = &pms_spe_rows[bytes[at]];
	unsigned length = row->length;
	if (at + length > PMS_SPE_WINDOW || shape->n_packets == PMS_SPE_SHAPE_PACKETS)
		return 0;
	if (row->type == PMS_SPE_PADDING) {
		/* Inside a record: some cores have a place of its own for each packet. */
		length = (unsigned)pms_spe_zeros(bytes + at, PMS_SPE_WINDOW - at);
		want_bytes(shape, at, bytes + at, length);
	} else if (row->type != PMS_SPE_END) {
		if (row->slot == PMS_SPE_SLOT_OTHER || shape->has >> row->slot & 1)
			return 0;
		add_column(shape, row, at);
	}
	want_bytes(shape, at, bytes + at, 1);
	add_packet(shape, row, at, bytes[at], length);
	return length;
}

/* Returns 1, or 0 when the record has no shape. */
static int shape_of(struct pms_spe_shape *shape, const uint8_t *bytes)
{
	unsigned at = 0, length;
	uint8_t type;
	*shape = (struct pms_spe_shape){ 0 };
	do {
		type = pms_spe_rows[bytes[at]].type;
		length = take(shape, bytes, at);
		at += length;
	} while (length && type != PMS_SPE_END && type != PMS_SPE_TIMESTAMP);
	if (!length)
		return 0;
	size_t zeros = pms_spe_zeros(bytes + at, PMS_SPE_WINDOW - at);
	want_bytes(shape, at, bytes + at, (unsigned)zeros);
	shape->length = (uint8_t)at;
	shape->total = (uint8_t)(at + zeros);
	return 1;
}

static int has_header_at(const struct pms_spe_shape *shape, unsigned at)
{
	return at < shape->length && ((const uint8_t *)shape->mask)[at];
}

static uint8_t wanted_at(const struct pms_spe_shape *shape, unsigned at)
{
	return ((const uint8_t *)shape->want)[at];
}

/* Where the first headers that differ lie. Those before are alike, so that it is one place in both.
 * Of padding of two lengths it is where the shorter one has ended. Returns 0, where no two differ
 * and each has a header, when there is none. */
static unsigned first_difference(const struct pms_spe_shape *a, const struct pms_spe_shape *b)
{
	for (unsigned i = 0; i < a->n_packets && i < b->n_packets; i++) {
		const struct pms_spe_packet *p = &a->packets[i], *q = &b->packets[i];
		if (p->header != q->header)
			return (unsigned)p->offset;
		if (p->length != q->length)
			return (unsigned)(p->offset +
					  (p->length < q->length ? p->length : q->length));
	}
	return 0;
}

/* Number the headers that shapes have at @at from 0 in the map @bits, other bytes being 0 as well,
 * shifted by @shift. Returns how many bits that takes. */
static unsigned number_headers(const struct pms_spe_shapes *shapes, unsigned at, unsigned shift,
			       uint16_t *bits)
{
	unsigned n = 0;
	uint8_t seen[256] = { 0 };
	memset(bits, 0, 256 * sizeof(*bits));
	for (unsigned i = 0; i < shapes->n_shapes; i++) {
		uint8_t header = wanted_at(&shapes->shape[i], at);
		if (!has_header_at(&shapes->shape[i], at) || seen[header])
			continue;
		seen[header] = 1;
		bits[header] = (uint16_t)(n++ << shift);
	}
	return n > 1 ? 32U - (unsigned)__builtin_clz(n - 1) : 0;
}

static int is_a_place(const struct pms_spe_shapes *shapes, unsigned at)
{
	return memchr(shapes->place, (int)at, shapes->n_places) != NULL;
}

/* Add @at to the places, if there is room for it. Returns the number of bits of the key with it. */
static unsigned add_place(struct pms_spe_shapes *shapes, unsigned at, unsigned key_bits)
{
	unsigned i = shapes->n_places;
	if (!at || i == PMS_SPE_PLACES || is_a_place(shapes, at))
		return key_bits;
	unsigned n = number_headers(shapes, at, key_bits, shapes->bits[i]);
	if (key_bits + n > PMS_SPE_GUESS_BITS)
		return key_bits;
	shapes->place[shapes->n_places++] = (uint8_t)at;
	return key_bits + n;
}

/* Guess the shape @which for each key that one of its records can have: any bits of places at which
 * it has no header. Two shapes differ in the bits of the place where they first differ, so that no
 * key is of both, as long as there was room for all places. */
static void guess_shape(struct pms_spe_shapes *shapes, unsigned which)
{
	const struct pms_spe_shape *shape = &shapes->shape[which];
	unsigned fixed = 0, open = 0, key = 0;
	for (unsigned i = 0; i < shapes->n_places; i++) {
		unsigned at = shapes->place[i];
		if (has_header_at(shape, at)) {
			fixed |= shapes->bits[i][wanted_at(shape, at)];
			continue;
		}
		for (unsigned byte = 0; byte < 256; byte++)
			open |= shapes->bits[i][byte];
	}
	do {
		shapes->guess[fixed | key] = (uint16_t)((unsigned)shape->total << 8 | which);
		key = (key - open) & open; /* the next subset of these bits; 0 after the last */
	} while (key);
}

static void find_places(struct pms_spe_shapes *shapes)
{
	unsigned key_bits = 0;
	shapes->n_places = 0;
	for (unsigned i = 0; i < shapes->n_shapes; i++)
		for (unsigned k = 0; k < i; k++)
			key_bits = add_place(shapes,
					     first_difference(&shapes->shape[k], &shapes->shape[i]),
					     key_bits);
	memset(shapes->guess, 0, sizeof(shapes->guess));
	for (unsigned i = 0; i < shapes->n_shapes; i++)
		guess_shape(shapes, i);
}

struct pms_spe_shape *pms_spe_shape_search(struct pms_spe_shapes *shapes, const uint8_t *bytes,
					   int *may_learn)
{
	*may_learn = 0;
	if (shapes->wait) {
		shapes->wait--;
		return NULL;
	}
	for (unsigned i = 0; i < shapes->n_shapes; i++)
		if (pms_spe_shape_fits(&shapes->shape[i], bytes))
			return &shapes->shape[i];
	*may_learn = 1;
	return NULL;
}

/* Where the next shape goes. Once all places are taken, one that replaces another is learned after
 * ever more records, so that what it costs is little for each, however many shapes a stream has. */
static unsigned place_for_shape(struct pms_spe_shapes *shapes)
{
	enum { SHORTEST = 256, LONGEST = 1 << 14 };
	if (shapes->n_shapes < PMS_SPE_SHAPES)
		return shapes->n_shapes++;
	unsigned which = shapes->next;
	shapes->next = (uint8_t)((which + 1) % PMS_SPE_SHAPES);
	if (!shapes->longest_wait)
		shapes->longest_wait = SHORTEST;
	else if (shapes->longest_wait < LONGEST)
		shapes->longest_wait *= 2;
	shapes->wait = shapes->longest_wait;
	return which;
}

struct pms_spe_shape *pms_spe_shape_learn(struct pms_spe_shapes *shapes, const uint8_t *bytes)
{
	enum { AFTER_FAILURE = 10 };
	struct pms_spe_shape shape;
	if (!shape_of(&shape, bytes)) {
		shapes->wait = AFTER_FAILURE;
		return NULL;
	}
	unsigned which = place_for_shape(shapes), even = (shape.n_packets + 1U) / 2 * 2;
	shapes->shape[which] = shape;
	shapes->most = (uint8_t)(even > shapes->most ? even : shapes->most);
	find_places(shapes);
	return &shapes->shape[which];
}

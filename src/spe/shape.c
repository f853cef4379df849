/* SPDX-License-Identifier: MIT */
#include "spe/shape.h"

#include <assert.h>

/* Records in vain before all shapes are learned anew: what that costs is little for each. */
enum { FORGET_AFTER = 1 << 16 };

_Static_assert(PMS_SPE_BRANCHES * 2 * (PMS_SPE_SHAPES + 1) <= UINT16_MAX + 1, "a link's bits");

/* A record's shape ----------------------------------------------------------------------------- */

static void want_bytes(struct pms_spe_shape *shape, unsigned at, const uint8_t *bytes, unsigned n)
{
	memcpy((uint8_t *)shape->want + at, bytes, n);
	memset((uint8_t *)shape->mask + at, 0xff, n);
}

/* Where a packet's value goes in a record. */
static void add_column(struct pms_spe_shape *shape, const struct pms_spe_header *row, unsigned at)
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
	const struct pms_spe_header *row = &pms_spe_headers[bytes[at]];
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
	shape->n_packets++;
	return length;
}

/* Returns 1, or 0 when the record has no shape. */
static int shape_of(struct pms_spe_shape *shape, const uint8_t *bytes)
{
	unsigned at = 0, length;
	uint8_t type;
	*shape = (struct pms_spe_shape){ .number = PMS_SPE_SHAPES };
	do {
		type = pms_spe_headers[bytes[at]].type;
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

/* The packet of a shape at @at, with its place in the record and the mask of its value. */
static struct pms_spe_packet packet_at(const struct pms_spe_shape *shape, unsigned at)
{
	const uint8_t *want = (const uint8_t *)shape->want;
	const struct pms_spe_header *row = &pms_spe_headers[want[at]];
	return (struct pms_spe_packet){
		.offset = at,
		.length = want[at] ? row->length : pms_spe_zeros(want + at, shape->length - at),
		.payload = row->mask,
		.type = row->type,
		.header = want[at],
		.index = row->index,
		.size = row->size
	};
}

static void make_templates(struct pms_spe_shapes *shapes, const struct pms_spe_shape *shape)
{
	struct pms_spe_packet *packets = pms_spe_shape_packets(shapes, shape);
	unsigned even = (shape->n_packets + 1U) / 2 * 2;
	unsigned at = 0;
	for (unsigned i = 0; i < shape->n_packets; i++) {
		packets[i] = packet_at(shape, at);
		at += (unsigned)packets[i].length;
	}
	shapes->most = even > shapes->most ? even : shapes->most;
}

/* Counts --------------------------------------------------------------------------------------- */

static void count_shape(struct pms_spe_summary *summary, struct pms_spe_shape *shape)
{
	for (unsigned at = 0; shape->hits && at < shape->length;) {
		struct pms_spe_packet packet = packet_at(shape, at);
		summary->packets[packet.type] += shape->hits;
		summary->bytes[packet.type] += shape->hits * packet.length;
		at += (unsigned)packet.length;
	}
	unsigned padding = shape->total - shape->length;
	summary->packets[PMS_SPE_PADDING] += padding ? shape->hits : 0;
	summary->bytes[PMS_SPE_PADDING] += shape->hits * padding;
	summary->records += shape->hits;
	shape->hits = 0;
}

void pms_spe_shapes_count(struct pms_spe_shapes *shapes)
{
	if (!shapes->summary)
		return;
	count_shape(shapes->summary, &shapes->met);
	for (unsigned i = 0; i < shapes->n_shapes; i++)
		count_shape(shapes->summary, &shapes->shape[i]);
}

/* The tree ------------------------------------------------------------------------------------- */

/* A way down the tree, of the links that were followed. */
struct way {
	pms_spe_link links[PMS_SPE_WINDOW + 1]; /* places of nodes on a way ascend */
	unsigned n;
};

static unsigned node_of(unsigned link)
{
	return link / PMS_SPE_BRANCHES;
}

static unsigned place_of(unsigned link)
{
	return link % PMS_SPE_BRANCHES;
}

static int is_shape(unsigned link)
{
	return node_of(link) < PMS_SPE_SHAPES;
}

static unsigned wanted_at(const struct pms_spe_shape *shape, unsigned at)
{
	return ((const uint8_t *)shape->want)[at];
}

static unsigned branch_of(const struct pms_spe_shape *shape, unsigned at)
{
	return wanted_at(shape, at) % PMS_SPE_BRANCHES;
}

/* The place of the first headers that differ; those before are alike. A zero byte counts as a
 * header: of padding of two lengths it is where the shorter one has ended. Of two that only differ
 * in the padding behind them it is there, and the shorter one has no header there. Returns
 * PMS_SPE_WINDOW where they are the same. */
static unsigned first_difference(const struct pms_spe_shape *a, const struct pms_spe_shape *b)
{
	unsigned at = 0;
	while (at < a->total && at < b->total) {
		if (wanted_at(a, at) != wanted_at(b, at))
			return at;
		at += pms_spe_headers[wanted_at(a, at)].length;
	}
	return a->total == b->total ? (unsigned)PMS_SPE_WINDOW : at;
}

/* The way that the tree leads a record of @shape, which it does not know yet, to a shape; or to
 * where a node or shape no longer looks before @place. */
static void go(const struct pms_spe_shapes *shapes, const struct pms_spe_shape *shape,
	       unsigned place, struct way *way)
{
	unsigned link = shapes->first;
	way->links[0] = (pms_spe_link)link;
	for (way->n = 1; !is_shape(link) && place_of(link) < place; way->n++) {
		link = shapes->child[node_of(link)][branch_of(shape, place_of(link))];
		way->links[way->n] = (pms_spe_link)link;
	}
}

static pms_spe_link link_to_shape(const struct pms_spe_shapes *shapes, unsigned which)
{
	return (pms_spe_link)(which * PMS_SPE_BRANCHES + shapes->shape[which].total - 1U);
}

/* A node that looks at @place, with @other below it for every byte. */
static pms_spe_link node_new(struct pms_spe_shapes *shapes, unsigned place, pms_spe_link other)
{
	unsigned node = PMS_SPE_SHAPES + shapes->n_nodes++;
	for (unsigned i = 0; i < PMS_SPE_BRANCHES; i++)
		shapes->child[node][i] = other;
	shapes->height[node] = (uint8_t)(shapes->height[node_of(other)] + 1);
	return (pms_spe_link)(node * PMS_SPE_BRANCHES + place);
}

/* Put @link where the last of the way is, and have the nodes above know how high it is. */
static void replace(struct pms_spe_shapes *shapes, const struct pms_spe_shape *shape,
		    const struct way *way, pms_spe_link link)
{
	unsigned height = shapes->height[node_of(link)];
	if (way->n == 1)
		shapes->first = link;
	else
		shapes->child[node_of(way->links[way->n - 2])]
			     [branch_of(shape, place_of(way->links[way->n - 2]))] = link;
	for (unsigned i = way->n - 1; i > 0; i--) {
		uint8_t *above = &shapes->height[node_of(way->links[i - 1])];
		height = *above > height + 1 ? *above : height + 1;
		*above = (uint8_t)height;
	}
	shapes->depth = shapes->height[node_of(shapes->first)];
}

/* Put shape @which, the newest, below the tree. Returns 0 where there is one like it already. */
static int plant(struct pms_spe_shapes *shapes, unsigned which)
{
	const struct pms_spe_shape *shape = &shapes->shape[which];
	pms_spe_link link = link_to_shape(shapes, which), found;
	struct way way;
	go(shapes, shape, PMS_SPE_WINDOW, &way);
	unsigned other = node_of(way.links[way.n - 1]);
	unsigned place = first_difference(shape, &shapes->shape[other]);
	if (place == PMS_SPE_WINDOW)
		return 0;
	go(shapes, shape, place, &way);
	found = way.links[way.n - 1];
	if (is_shape(found) || place_of(found) > place)
		replace(shapes, shape, &way, found = node_new(shapes, place, found));
	pms_spe_link *children = shapes->child[node_of(found)];
	if (place < shape->total)
		children[branch_of(shape, place)] = link;
	else /* the padding of all others goes on here: any header is that of the next record */
		for (unsigned i = 1; i < PMS_SPE_BRANCHES; i++)
			children[i] = link;
	return 1;
}

static void forget(struct pms_spe_shapes *shapes)
{
	pms_spe_shapes_count(shapes);
	shapes->n_shapes = shapes->n_nodes = 0;
	shapes->first = 0;
	shapes->depth = shapes->usual = 0;
	shapes->missed = 0;
	/* With no tree, all are led to the first shape: it wants zero, with which no record begins.
	 */
	shapes->shape[0] = (struct pms_spe_shape){ 0 };
	want_bytes(&shapes->shape[0], 0, (const uint8_t *)"", 1);
}

void pms_spe_shapes_init(struct pms_spe_shapes *shapes)
{
	forget(shapes);
}

/* Learn what was met. Returns the shape. */
static struct pms_spe_shape *learn(struct pms_spe_shapes *shapes)
{
	unsigned which = shapes->n_shapes;
	struct pms_spe_shape *shape = &shapes->shape[which];
	*shape = shapes->met;
	shape->number = (uint8_t)which;
	pms_spe_link link = link_to_shape(shapes, which);
	for (unsigned i = 0; i < PMS_SPE_BRANCHES; i++)
		shapes->child[which][i] = link;
	if (!which)
		shapes->first = link;
	else if (!plant(shapes, which))
		return &shapes->met;
	shapes->n_shapes++;
	shapes->usual = !which || shapes->usual == shape->total ? shape->total : 0;
	if (shapes->templates)
		make_templates(shapes, shape);
	return shape;
}

static uint32_t hash_of(const struct pms_spe_shape *shape)
{
	uint64_t hash = 0;
	for (unsigned i = 0; i < PMS_SPE_WINDOW / 8; i++)
		hash = (hash ^ shape->want[i] ^ shape->mask[i] << 7) * UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(hash >> 32);
}

/* Whether the shape that was met has been met before: what comes once is not worth its place. */
static int comes_again(struct pms_spe_shapes *shapes)
{
	uint32_t hash = hash_of(&shapes->met), *seen = &shapes->seen[hash % PMS_SPE_SEEN];
	int again = *seen == hash;
	*seen = hash;
	return again;
}

struct pms_spe_shape *pms_spe_shape_meet(struct pms_spe_shapes *shapes, const uint8_t *bytes)
{
	if (shapes->summary)
		count_shape(shapes->summary, &shapes->met);
	if (!shape_of(&shapes->met, bytes))
		return NULL;
	int full = shapes->n_shapes == PMS_SPE_SHAPES;
	shapes->missed += (uint32_t)full;
	if (shapes->missed == FORGET_AFTER)
		forget(shapes);
	if (!shapes->n_shapes || (!full && comes_again(shapes)))
		return learn(shapes);
	if (shapes->templates)
		make_templates(shapes, &shapes->met);
	return &shapes->met;
}

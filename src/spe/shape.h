/* SPDX-License-Identifier: MIT */
/* spe/shape.h - records known by their shape. The records of a stream have some shapes that repeat:
 * the same headers at the same places. So, where a record begins, all its headers are compared at
 * once with those of a shape met before; if that fits, where each value lies is known, and no
 * header has to be read before the next one can be found. Which shape to try, a tree tells: each of
 * its nodes looks at the place where the shapes below it first differ. All headers before that
 * place are alike, so that each of these shapes has a header there: of a record whose shape is
 * known, the tree finds that one and no other, however many there are.
 * Flow: packet -> [shape] -> reader. */
#ifndef PMS_SPE_SHAPE_H
#define PMS_SPE_SHAPE_H

#include "spe/packet.h"

enum {
	PMS_SPE_SHAPES = 255, /* that are kept; 300 bytes each, and 512 in the tree */
	PMS_SPE_SEEN = 1024,  /* that were met once and are remembered */
	PMS_SPE_SHAPE_PACKETS = 16,
	PMS_SPE_WINDOW = 64,			 /* bytes of the longest record that has a shape */
	PMS_SPE_SHAPE_NEEDS = PMS_SPE_WINDOW + 8 /* that must be there: eight from the last, too */
};

/** Where a record's headers and values lie, and the zeros behind it. */
struct pms_spe_shape {
	/* The bytes of headers and padding, in memory's order; aligned for vectors. */
	uint64_t want[PMS_SPE_WINDOW / 8] __attribute__((aligned(16)));
	uint64_t mask[PMS_SPE_WINDOW / 8]; /* ff where want has one of these */
	uint64_t keep[PMS_SPE_SLOT_OTHER]; /* by column: mask of its value */
	uint8_t at[PMS_SPE_SLOT_OTHER];	   /* by column: where its value begins */
	uint8_t number;			   /* PMS_SPE_SHAPES: of one that was met */
	uint32_t has;
	uint8_t length, total; /* bytes: of the record, and with padding */
	uint8_t class_;	       /* of the operation */
	uint8_t n_packets;
	uint64_t hits; /* records of this shape not yet in the summary */
};

/** Packets of a shape to be copied: offset in the record, payload the mask of its value. */
struct pms_spe_templates {
	struct pms_spe_packet packets[PMS_SPE_SHAPE_PACKETS] __attribute__((aligned(16)));
};

/** Seven bits of a header's byte: no two headers have the same. */
enum { PMS_SPE_BRANCHES = 128 };

/** What follows a byte: PMS_SPE_BRANCHES times a node's number, and the place that it looks at. The
 * first nodes are shapes, by their number: each leads to itself, and has its length with padding,
 * less one, for a place. */
typedef uint16_t pms_spe_link;

/** The shapes that were learned, and the tree. Zero-initialise, then pms_spe_shapes_init. */
struct pms_spe_shapes {
	pms_spe_link first; /* of the tree */
	unsigned depth;	    /* links to follow from there, to any shape */
	unsigned usual;	    /* length with padding of all shapes; 0: they differ */
	unsigned n_shapes;
	unsigned n_nodes; /* shapes apart */
	unsigned most;	  /* packets of the longest shape, or one more to make it even */
	uint32_t missed;  /* records without a shape, since there is no room for more */
	struct pms_spe_summary *summary;     /* where hits go; NULL: nowhere */
	struct pms_spe_templates *templates; /* of each shape, and of what was met; NULL: none */
	struct pms_spe_shape met;	     /* of one record alone, not learned */
	uint32_t seen[PMS_SPE_SEEN];	     /* hashes of shapes that were met once */
	struct pms_spe_shape shape[PMS_SPE_SHAPES];
	uint8_t height[2 * PMS_SPE_SHAPES]; /* of each node: links to the farthest shape */
	pms_spe_link child[2 * PMS_SPE_SHAPES][PMS_SPE_BRANCHES];
};

void pms_spe_shapes_init(struct pms_spe_shapes *shapes);

/** Put what hits say into the summary. */
void pms_spe_shapes_count(struct pms_spe_shapes *shapes);

/** A shape, and the bytes to the record behind: known sooner than by way of the shape. */
struct pms_spe_guess {
	struct pms_spe_shape *shape;
	size_t total;
};

/**
 * The shape that the record at @bytes has if it has any that is known. No branch depends on which
 * that is, as it cannot be foretold: as many links are followed as to the farthest. It takes long
 * to arrive, though, so that one should be asked for before the record before it is worked on.
 * @bytes: PMS_SPE_SHAPE_NEEDS are there
 */
static inline struct pms_spe_guess pms_spe_shape_guess(struct pms_spe_shapes *shapes,
						       const uint8_t *bytes)
{
	const pms_spe_link *children = &shapes->child[0][0];
	size_t link = shapes->first;
	for (unsigned i = shapes->depth; i > 0; i--) {
		size_t place = link % PMS_SPE_BRANCHES;
		link = children[link - place + bytes[place] % PMS_SPE_BRANCHES];
	}
	return (struct pms_spe_guess){ &shapes->shape[link / PMS_SPE_BRANCHES],
				       link % PMS_SPE_BRANCHES + 1 };
}

/** How many records of equal length are looked up at a time. */
enum { PMS_SPE_ALIKE = 8 };

/** The same of the records that begin at @bytes and each @total bytes behind. */
static inline void pms_spe_shapes_guess(struct pms_spe_shapes *shapes, const uint8_t *bytes,
					size_t total, struct pms_spe_shape *guesses[PMS_SPE_ALIKE])
{
	const pms_spe_link *children = &shapes->child[0][0];
	size_t links[PMS_SPE_ALIKE];
	for (unsigned k = 0; k < PMS_SPE_ALIKE; k++)
		links[k] = shapes->first;
	for (unsigned i = shapes->depth; i > 0; i--)
		for (unsigned k = 0; k < PMS_SPE_ALIKE; k++) {
			size_t place = links[k] % PMS_SPE_BRANCHES;
			size_t branch = bytes[k * total + place] % PMS_SPE_BRANCHES;
			links[k] = children[links[k] - place + branch];
		}
	for (unsigned k = 0; k < PMS_SPE_ALIKE; k++)
		guesses[k] = &shapes->shape[links[k] / PMS_SPE_BRANCHES];
}

/** Sixteen bytes as the compiler's vectors, which every target has in some way. */
typedef uint64_t pms_spe_vector __attribute__((vector_size(16)));

static inline pms_spe_vector pms_spe_vector_at(const void *bytes, size_t offset)
{
	pms_spe_vector vector;
	memcpy(&vector, (const uint8_t *)bytes + offset, sizeof(vector));
	return vector;
}

/** Whether the record at @bytes has this shape. */
static inline int pms_spe_shape_fits(const struct pms_spe_shape *shape, const uint8_t *bytes)
{
	const void *want = __builtin_assume_aligned(&shape->want[0], 16);
	const void *mask = __builtin_assume_aligned(&shape->mask[0], 16);
#define DIFFER(at)                                                                                 \
	((pms_spe_vector_at(bytes, at) ^ pms_spe_vector_at(want, at)) & pms_spe_vector_at(mask, at))
	pms_spe_vector differ = (DIFFER(0) | DIFFER(16)) | (DIFFER(32) | DIFFER(48));
#undef DIFFER
	return !(differ[0] | differ[1]);
}

/**
 * The shape of a record that has none which is known, worked out for this one; when it comes again,
 * it is learned. Where there is no room for more, all are forgotten once many records had none.
 * Returns NULL when it has none: too long, or with something in it that is rare. Good until the
 * next call.
 */
struct pms_spe_shape *pms_spe_shape_meet(struct pms_spe_shapes *shapes, const uint8_t *bytes);

/** The packets of a shape. @shapes: with templates */
static inline struct pms_spe_packet *pms_spe_shape_packets(const struct pms_spe_shapes *shapes,
							   const struct pms_spe_shape *shape)
{
	return shapes->templates[shape->number].packets;
}

#endif

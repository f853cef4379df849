/* SPDX-License-Identifier: MIT */
/* spe/shape.h - records known by their shape. The records of a stream have a few shapes that
 * repeat: the same headers at the same places. So, where a record begins, all its headers are
 * compared at once with those of shapes met before; if one fits, where each value lies is known,
 * and no header has to be read before the next one can be found. What fits none is read packet by
 * packet, and learned. */
#ifndef PMS_SPE_SHAPE_H
#define PMS_SPE_SHAPE_H

#include "spe/packet.h"

/** Bytes that must be there: a window, and eight bytes from its last. */
enum { PMS_SPE_SHAPE_NEEDS = PMS_SPE_WINDOW + 8 };

/** A shape, and the bytes to the record behind: known sooner than by way of the shape. */
struct pms_spe_guess {
	struct pms_spe_shape *shape;
	size_t total; /* 0: no shape at all is known */
};

/**
 * The shape that the record at @bytes has if it has any that is known. No branch depends on which
 * that is, as it cannot be foretold: all places are looked at. It takes long to arrive, though, so
 * that one should be asked for before the record before it is worked on.
 * @bytes: PMS_SPE_SHAPE_NEEDS are there
 */
static inline struct pms_spe_guess pms_spe_shape_guess(struct pms_spe_shapes *shapes,
						       const uint8_t *bytes)
{
	unsigned key = 0;
	for (unsigned i = 0; i < shapes->n_places; i++)
		key |= shapes->bits[i][bytes[shapes->place[i]]];
	unsigned guess = shapes->guess[key];
	return (struct pms_spe_guess){ &shapes->shape[guess & 0xff], guess >> 8 };
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
 * Look for the shape of the record at @bytes among all, where the guess was wrong; and whether it
 * is time to learn it. Where records have more shapes than there are places, most are left to be
 * read packet by packet, as learning takes as long as some thousand of them.
 * @may_learn: becomes 1 or 0
 * Returns NULL when it has none that is known, or none was looked for.
 */
struct pms_spe_shape *pms_spe_shape_search(struct pms_spe_shapes *shapes, const uint8_t *bytes,
					   int *may_learn);

/** Learn the shape of the record at @bytes. Once all places are taken it replaces another one.
 * Returns NULL when the record has none that can be kept: too long, or with something in it that is
 * rare. */
struct pms_spe_shape *pms_spe_shape_learn(struct pms_spe_shapes *shapes, const uint8_t *bytes);

#endif

/* SPDX-License-Identifier: MIT */
/* vcore/model/parcel.h - lines of code and the parcels in them: where instructions may begin. */
#ifndef PMS_VCORE_MODEL_PARCEL_H
#define PMS_VCORE_MODEL_PARCEL_H

#include <stdint.h>

#include "vcore/isa/chosen.h"

enum {
	PMS_LINE_LOG2 = 6,
	PMS_LINE_BYTES = 1 << PMS_LINE_LOG2,
	PMS_LINE_PARCELS = PMS_LINE_BYTES / PMS_ISA_PARCEL,
	/* Each parcel is one whole instruction. */
	PMS_ONE_LENGTH = (int)PMS_ISA_PARCEL == (int)PMS_ISA_LONGEST
};

/* A bit for each parcel of a line, and the same with a bit for the line's end. */
#if PMS_ISA_PARCEL_LOG2 >= 2
typedef uint16_t pms_parcels;
typedef uint32_t pms_parcels_end;
#else
typedef uint32_t pms_parcels;
typedef uint64_t pms_parcels_end;
#endif
_Static_assert((int)PMS_LINE_PARCELS <= 8 * (int)sizeof(pms_parcels) &&
		       (int)PMS_LINE_PARCELS < 8 * (int)sizeof(pms_parcels_end),
	       "a bit each");

/** Returns the lowest parcel of a set that is not empty. */
static inline unsigned pms_first_parcel(pms_parcels_end set)
{
	return sizeof(set) > sizeof(unsigned) ? (unsigned)__builtin_ctzll(set)
					      : (unsigned)__builtin_ctz((unsigned)set);
}

/** Returns the number of the parcel at @pc, which indexes tables by program counter. */
static inline uint64_t pms_parcel(uint64_t pc)
{
	return pc >> PMS_ISA_PARCEL_LOG2;
}

/** Returns the place within its line of the parcel at @pc. */
static inline unsigned pms_parcel_in_line(uint64_t pc)
{
	return pms_parcel(pc) % PMS_LINE_PARCELS;
}

/** Returns @pc without the low bits that are 0 in every instruction's address. */
static inline uint64_t pms_parcel_start(uint64_t pc)
{
	return pc & ~(uint64_t)(PMS_ISA_PARCEL - 1);
}

/** Returns whether a line begins at @pc. */
static inline int pms_line_begins(uint64_t pc)
{
	return (pc & (PMS_LINE_BYTES - 1)) == 0;
}

#endif

/* SPDX-License-Identifier: MIT */
/* A toy instruction set for tests: instructions of 2 or 4 bytes, at multiples of 2. Of the first
 * two bytes, bit 0 says that two more follow; bits 1 to 3 are the kind, and bits 4 to 15 the
 * distance of a branch in parcels, with a sign. */
#ifndef TOY_ISA_H
#define TOY_ISA_H

#define PMS_ISA_PARCEL_LOG2 1
enum { PMS_ISA_PARCEL = 1 << PMS_ISA_PARCEL_LOG2, PMS_ISA_LONGEST = 4 };

enum { TOY_NOP, TOY_ADD, TOY_COND, TOY_JUMP, TOY_LOAD, TOY_TRAP };

#define PMS_OPS(X)                                                                                 \
	X(NOP, "nop")                                                                              \
	X(ALU, "alu")                                                                              \
	X(BRANCH, "branch")                                                                        \
	X(LOAD, "load")                                                                            \
	X(STORE, "store")                                                                          \
	X(TRAP, "trap")

#define PMS_FORMS(X) X(ONE, "one")
#define PMS_FUSES(X) X(NONE, "none")

enum { TOY_SUM, TOY_VALUE, PMS_REG_COUNT }; /* an add adds to the sum, a branch tests the value */
enum { PMS_ISA_VECTORS = PMS_REG_COUNT, PMS_ISA_VECTORS_END = PMS_REG_COUNT };

#define PMS_SPECS(X)                                                                               \
	X(LD_SPEC)                                                                                 \
	X(DP_SPEC)

enum { PMS_ISA_SCALES = 31, PMS_ISA_WRITES = 4 }; /* nothing scales; stores write as stores */

#endif

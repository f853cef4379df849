/* SPDX-License-Identifier: MIT */
/* vcore/isa/a64/a64_table.h - how the A64 tables are written; private to vcore/isa.
 * A word is looked up in three steps: its bits [28:25] choose a group, the first matching
 * class of the group (an encoding class of the manual) chooses the rows, the first matching row
 * describes the instruction. A row's `fix` does what columns cannot say; it may turn the
 * instruction down with a64_undef(). */
#ifndef PMS_VCORE_ISA_A64_TABLE_H
#define PMS_VCORE_ISA_A64_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vcore/isa/insn.h"

/* Which fields name registers, in which file, read (R) or written (W). Fields: D [4:0], N [9:5],
 * M [20:16], A [14:10]. Files: X general with 31 the zero register, SP general with 31 the stack
 * pointer, V SIMD&FP; F is nzcv. */
enum {
	WX_D = 1 << 0,
	WSP_D = 1 << 1,
	WV_D = 1 << 2,
	RX_D = 1 << 3,
	RV_D = 1 << 4,
	RX_N = 1 << 5,
	RSP_N = 1 << 6,
	RV_N = 1 << 7,
	RX_M = 1 << 8,
	RSP_M = 1 << 9,
	RV_M = 1 << 10,
	RX_A = 1 << 11,
	RV_A = 1 << 12,
	R_F = 1 << 13,
	W_F = 1 << 14,
	CMP_FUSES = 1 << 15, /* PMS_FUSE_COMPARE when D is the zero register */
	/* SVE predicates: governing one of three bits [12:10] or four [13:10]; N [8:5], M [19:16],
	 * D [3:0] */
	RG_3 = 1 << 16,
	RG_4 = 1 << 17,
	RP_N = 1 << 18,
	RP_M = 1 << 19,
	RP_D = 1 << 20,
	WP_D = 1 << 21,
	R_FFR = 1 << 22,
	W_FFR = 1 << 23
};

/* Usual sets of the above. */
enum {
	X_N = WX_D | RX_N,
	X_NM = WX_D | RX_N | RX_M,
	V_N = WV_D | RV_N,
	V_NM = WV_D | RV_N | RV_M,
	V_DN = V_N | RV_D, /* merges into or accumulates onto D */
	V_DNM = V_NM | RV_D
};

/* .ok: for which size [23:22] and Q [30] a row is allocated, bit size * 2 + Q; 0: not checked. */
enum {
	OK_B = 0x03,
	OK_H = 0x0c,
	OK_S = 0x30,
	OK_2D = 0x80, /* doubleword elements need Q */
	OK_BHS = OK_B | OK_H | OK_S,
	OK_BHSD = OK_BHS | OK_2D,
	OK_HS = OK_H | OK_S,
	OK_FP0 = 0x0b, /* floating point with [23] clear: sz 0, or sz 1 with Q */
	OK_FP1 = 0xb0, /* the same with [23] set */
	/* scalar forms have [30] set */
	OK_SB = 0x02,
	OK_SH = 0x08,
	OK_SS = 0x20,
	OK_SD = 0x80,
	OK_SHS = OK_SH | OK_SS,
	OK_SBHS = OK_SB | OK_SH | OK_SS,
	OK_SBHSD = OK_SBHS | OK_SD,
	OK_SFP0 = 0x0a,
	OK_SFP1 = 0xa0
};

/* How many elements an instruction of a class works on: what .flops of its rows is multiplied by.
 */
enum a64_lanes {
	A64_LANES_ONE,	/* scalar */
	A64_LANES_SZ,	/* vector of Q [30], singles or doubles by [22] */
	A64_LANES_SIZE, /* vector of Q [30], element by [23:22]: 0 and 1 halves, 2 singles, 3
			   doubles */
	A64_LANES_HALF	/* vector of Q [30], halves */
};

struct a64_row {
	uint32_t mask, match;
	uint8_t op;    /* enum pms_op */
	uint8_t ok;    /* OK_* */
	uint8_t flops; /* FP operations an element */
	uint32_t regs; /* W*, R* */
	void (*fix)(uint32_t word, struct pms_insn *out);
};

/* Mask and match of a SIMD row: U [29] and a [23] are 0, 1 or A64_ANY; then @width bits of opcode
 * from @low on, of which those in @free are not looked at. */
#define A64_ANY			  2
#define A64_BIT_MASK(value, bit)  ((value) == A64_ANY ? 0u : 1u << (bit))
#define A64_BIT_MATCH(value, bit) ((value) == 1 ? 1u << (bit) : 0u)
#define A64_FIELDS(u, a, opcode, free, low, width)                                                 \
	(A64_BIT_MASK(u, 29) | A64_BIT_MASK(a, 23) |                                               \
	 (((1u << (width)) - 1) & ~(uint32_t)(free)) << (low)),                                    \
		(A64_BIT_MATCH(u, 29) | A64_BIT_MATCH(a, 23) | (uint32_t)(opcode) << (low))

struct a64_class {
	uint32_t mask, match;
	const struct a64_row *rows;
	unsigned n_rows;
	enum a64_lanes lanes;
};

struct a64_group {
	const struct a64_class *const *classes;
	unsigned n_classes;
};

#define A64_COUNT(array) (unsigned)(sizeof(array) / sizeof((array)[0]))
#define A64_CLASS(mask, match, rows, lanes)                                                        \
	{                                                                                          \
		mask, match, rows, A64_COUNT(rows), lanes                                          \
	}
#define A64_GROUP(classes)                                                                         \
	{                                                                                          \
		classes, A64_COUNT(classes)                                                        \
	}

extern const struct a64_group a64_dp_imm;      /* a64_dp.c */
extern const struct a64_group a64_dp_reg;      /* a64_dp.c */
extern const struct a64_group a64_branch;      /* a64_branch.c: and system */
extern const struct a64_group a64_reserved;    /* a64_branch.c: udf */
extern const struct a64_group a64_mem;	       /* a64_mem.c */
extern const struct a64_group a64_simd_vector; /* a64_simd.c: [28] clear */
extern const struct a64_group a64_simd_scalar; /* a64_simd.c: [28] set; scalar FP too */
extern const struct a64_group a64_sve;	       /* a64_sve.c */
extern const struct a64_class a64_sve_loads, a64_sve_stores; /* a64_sve_mem.c */

/* Classes that a64_simd.c puts into its two groups. */
extern const struct a64_class a64_fp_data1, a64_fp_data2, a64_fp_data3, a64_fp_convert,
	a64_fp_fixed_point; /* a64_fp.c */
extern const struct a64_class a64_two_misc, a64_two_misc_half, a64_across_lanes,
	a64_scalar_two_misc, a64_scalar_two_misc_half, a64_scalar_pairwise; /* a64_simd_two.c */
extern const struct a64_class a64_table_lookup, a64_permute, a64_ext, a64_copy, a64_scalar_copy,
	a64_mod_imm, a64_shift_imm, a64_scalar_shift_imm, a64_by_element,
	a64_scalar_by_element;						     /* a64_simd_imm.c */
extern const struct a64_class a64_aes, a64_sha_three, a64_sha_two, a64_sha3; /* a64_crypto.c */

/* ld1 to ld4 and st1 to st4, of whole registers and of lanes (a64_mem_simd.c). */
void a64_fix_structures(uint32_t word, struct pms_insn *out);
void a64_fix_lanes(uint32_t word, struct pms_insn *out);

static inline uint32_t a64_bits(uint32_t word, unsigned high, unsigned low)
{
	return word >> low & ((2u << (high - low)) - 1);
}

static inline bool a64_bit(uint32_t word, unsigned bit)
{
	return word >> bit & 1;
}

/** Sign-extend bits [high:low]. */
static inline int32_t a64_sbits(uint32_t word, unsigned high, unsigned low)
{
	return (int32_t)(word << (31 - high)) >> (31 - high + low);
}

/** Register fields: general with 31 as zero; SIMD&FP. (With 31 as sp: the number itself.) */
static inline uint8_t a64_x(uint32_t number)
{
	return number == 31 ? PMS_REG_NONE : (uint8_t)number;
}

static inline uint8_t a64_v(uint32_t number)
{
	return (uint8_t)(PMS_REG_V0 + number % 32);
}

static inline uint8_t a64_p(uint32_t number)
{
	return (uint8_t)(PMS_REG_P0 + number % 16);
}

static inline void a64_src(struct pms_insn *out, uint8_t reg)
{
	if (reg != PMS_REG_NONE)
		out->src[out->n_src++] = reg;
}

static inline void a64_dst(struct pms_insn *out, uint8_t reg)
{
	if (reg != PMS_REG_NONE)
		out->dst[out->n_dst++] = reg;
}

/** No such encoding after all. */
static inline void a64_undef(struct pms_insn *out)
{
	out->op = PMS_OP_UNDEF;
}

static inline uint32_t a64_spec(enum pms_spec spec)
{
	return (uint32_t)1 << spec;
}

#endif

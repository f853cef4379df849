/* SPDX-License-Identifier: MIT */
/* vcore/isa/insn.h - what the core model needs to know of one instruction, whatever its ISA.
 * Flow: guest bytes -> [insn] -> micro-ops -> model. */
#ifndef PMS_VCORE_ISA_INSN_H
#define PMS_VCORE_ISA_INSN_H

#include <stdint.h>

/* Execution classes: what decides latency and ports. core.json gives each of them a row by the
 * name in the second column. Scalar FP is fp_*, Advanced SIMD is v_*, SVE is sve_*. */
#define PMS_OPS(X)                                                                                 \
	X(NOP, "nop")		  /* nop, hints, bti, csdb, clrex */                               \
	X(ALU, "alu")		  /* add, logic, movn, adr, csel, cmp: one cycle */                \
	X(MOVE, "move")		  /* of a general register or of zero, done at rename */           \
	X(ALU_SHIFT, "alu_shift") /* shifted or extended operand beyond the fast cases */          \
	X(SHIFT, "shift")	  /* lslv, ubfm, extr with one source, rev, clz */                 \
	X(BITFIELD, "bitfield")	  /* bfm, extr with two sources */                                 \
	X(MUL32, "mul32")	  /* 32-bit multiply, no accumulate (madd with xzr) */             \
	X(MUL64, "mul64")                                                                          \
	X(MAC32, "mac32") /* 32-bit multiply accumulate */                                         \
	X(MAC64, "mac64") /* 64-bit, and widening 32-bit, multiply accumulate */                   \
	X(MULH, "mulh")	  /* smulh, umulh */                                                       \
	X(DIV32, "div32")                                                                          \
	X(DIV64, "div64")                                                                          \
	X(CRC, "crc")                                                                              \
	X(PAUTH, "pauth")                                                                          \
	X(BRANCH, "branch")		/* every branch; kind in .branch */                        \
	X(BRANCH_PAUTH, "branch_pauth") /* braa, retab: authenticate, then branch */               \
	X(LOAD, "load")			/* to general registers */                                 \
	X(LOAD_V, "load_v")		/* to SIMD&FP registers */                                 \
	X(LOAD_VP, "load_vp")		/* ldp of two 16-byte registers */                         \
	X(LOAD_VN, "load_vn")		/* ld2, ld3, ld4, and lane or replicating loads */         \
	X(STORE, "store")                                                                          \
	X(STORE_V, "store_v")                                                                      \
	X(STORE_VN, "store_vn") /* st2, st3, st4, and lane stores */                               \
	/* No instruction is of these: what a store does beside the address, and after it retired. \
	 */                                                                                        \
	X(STORE_DATA, "store_data")	/* its data, from general registers */                     \
	X(STORE_DATA_V, "store_data_v") /* from SIMD&FP registers */                               \
	X(STORE_WRITE, "store_write")	/* the write to L1D, of all that goes together */          \
	X(ATOMIC, "atomic")		/* ldadd, swp, cas: near atomics */                        \
	X(LOAD_EX, "load_ex")		/* load exclusive */                                       \
	X(STORE_EX, "store_ex")		/* store exclusive */                                      \
	X(PREFETCH, "prefetch")		/* prfm */                                                 \
	X(DC_ZVA, "dc_zva")                                                                        \
	X(CACHE_OP, "cache_op") /* other dc, ic */                                                 \
	X(FP_MOVE, "fp_move")	/* fmov, fabs, fneg, fcsel */                                      \
	X(FP_CMP, "fp_cmp")                                                                        \
	X(FP_ADD, "fp_add")                                                                        \
	X(FP_MUL, "fp_mul")                                                                        \
	X(FP_MAC, "fp_mac")                                                                        \
	X(FP_DIV32, "fp_div32") /* and half precision */                                           \
	X(FP_DIV64, "fp_div64")                                                                    \
	X(FP_SQRT32, "fp_sqrt32")                                                                  \
	X(FP_SQRT64, "fp_sqrt64")                                                                  \
	X(FP_CVT, "fp_cvt")	  /* fcvt between precisions, frint */                             \
	X(INT_TO_FP, "int_to_fp") /* scvtf from a general register */                              \
	X(FP_TO_INT, "fp_to_int") /* fcvtzs to a general register */                               \
	X(X_TO_V, "x_to_v")	  /* fmov d,x; dup, ins from a general register */                 \
	X(V_TO_X, "v_to_x")	  /* fmov x,d; umov, smov */                                       \
	X(V_ALU, "v_alu")	  /* add, logic, compare, min/max, abs, move, movi */              \
	X(V_SHIFT, "v_shift")                                                                      \
	X(V_SHIFT_ACC, "v_shift_acc") /* ssra, saba, sadalp; saturating and rounding shifts */     \
	X(V_PERM, "v_perm")	      /* zip, uzp, trn, ext, dup lane, rev, xtn */                 \
	X(V_TBL, "v_tbl")                                                                          \
	X(V_MUL, "v_mul")	/* and pmull */                                                    \
	X(V_MAC, "v_mac")	/* mla, mlal, sdot */                                              \
	X(V_REDUCE, "v_reduce") /* addv, maxv, saddlv, fmaxv: across lanes */                      \
	X(V_FP_ADD, "v_fp_add") /* and compare, min, max, abs difference */                        \
	X(V_FP_MUL, "v_fp_mul")                                                                    \
	X(V_FP_MAC, "v_fp_mac")                                                                    \
	X(V_FP_DIV32, "v_fp_div32")                                                                \
	X(V_FP_DIV64, "v_fp_div64")                                                                \
	X(V_FP_SQRT32, "v_fp_sqrt32")                                                              \
	X(V_FP_SQRT64, "v_fp_sqrt64")                                                              \
	X(V_FP_CVT, "v_fp_cvt")                                                                    \
	X(V_FP_EST, "v_fp_est") /* recpe, rsqrte; their steps are v_fp_mac */                      \
	X(CRYPTO_AES, "crypto_aes")                                                                \
	X(CRYPTO_SHA, "crypto_sha") /* sha1, sha256, sha512, sha3, sm3, sm4 */                     \
	X(SVE_ALU, "sve_alu")	    /* vector integer, moves, permutes */                          \
	X(SVE_MUL, "sve_mul")                                                                      \
	X(SVE_FP, "sve_fp")                                                                        \
	X(SVE_DIV, "sve_div")	/* integer and FP divide, square root */                           \
	X(SVE_PRED, "sve_pred") /* predicate generation and logic, while*, ptest */                \
	X(SVE_LOAD, "sve_load")                                                                    \
	X(SVE_GATHER, "sve_gather")                                                                \
	X(SVE_STORE, "sve_store")                                                                  \
	X(SVE_SCATTER, "sve_scatter")                                                              \
	X(DMB, "dmb")                                                                              \
	X(DSB, "dsb")                                                                              \
	X(ISB, "isb")                                                                              \
	X(SYS_READ, "sys_read")	  /* mrs */                                                        \
	X(SYS_WRITE, "sys_write") /* msr, sys */                                                   \
	X(SVC, "svc")                                                                              \
	X(TRAP, "trap")	  /* brk, hlt, hvc, smc, wfi, eret */                                      \
	X(UNDEF, "undef") /* no such encoding */

enum pms_op {
#define X(id, name) PMS_OP_##id,
	PMS_OPS(X)
#undef X
		PMS_OP_COUNT
};

/* Registers: x0..x30 are 0..30, sp 31; v0..v31 (z0..z31) 32..63; nzcv 64; p0..p15 65..80; ffr 81.
 * xzr and wzr are PMS_REG_NONE: always ready, never written. */
enum {
	PMS_REG_SP = 31,
	PMS_REG_V0 = 32,
	PMS_REG_NZCV = 64,
	PMS_REG_P0 = 65,
	PMS_REG_FFR = 81,
	PMS_REG_COUNT = 82,
	PMS_REG_NONE = 0xff
};

enum pms_branch {
	PMS_BRANCH_NONE = 0,
	PMS_BRANCH_COND,	  /* b.cond, cbz, tbz: immediate, may fall through */
	PMS_BRANCH_JUMP,	  /* b */
	PMS_BRANCH_CALL,	  /* bl */
	PMS_BRANCH_INDIRECT,	  /* br */
	PMS_BRANCH_INDIRECT_CALL, /* blr */
	PMS_BRANCH_RETURN	  /* ret */
};

/* .mem: bits */
enum {
	PMS_MEM_LOAD = 1,
	PMS_MEM_STORE = 2,   /* an atomic has both */
	PMS_MEM_LITERAL = 4, /* address is pc + .disp */
	PMS_MEM_ACQUIRE = 8,
	PMS_MEM_RELEASE = 16,
	PMS_MEM_EXCLUSIVE = 32,
	PMS_MEM_HIDDEN = 64, /* QEMU 7.2 gives no callback for its accesses: SVE, dc zva, memory
			      * tags, prfm (which has neither LOAD nor STORE) */
	PMS_MEM_PAIR = 128   /* two accesses of .mem_size / 2 each: ldp, stp, ldxp */
};

/* .orders: which earlier accesses a dmb lets later ones wait for. Those of stores alone wait in
 * stores alone. */
enum { PMS_ORDERS_NOTHING = 0, PMS_ORDERS_LOADS, PMS_ORDERS_STORES, PMS_ORDERS_ALL };

/* .fuse: what this instruction may be in a fused pair (one slot for two instructions) */
enum {
	PMS_FUSE_NONE = 0,
	PMS_FUSE_FLAGS, /* cmp, cmn, tst, and flag-setting forms without a destination: first of a
			   pair */
	PMS_FUSE_BCOND, /* b.cond: second, after PMS_FUSE_FLAGS */
	PMS_FUSE_AESE,	/* aese, aesd: first */
	PMS_FUSE_AESMC	/* aesmc, aesimc with source = destination: second, same register */
};

/* .spec: which speculatively-executed-operation events an instruction counts in (bits). The names
 * are the events'. INST_SPEC counts them all and is not here; branches are told by .branch.
 * Where the events' one-line definitions ("Arm Neoverse V1 Core: Performance Analysis
 * Methodology", appendix B; "Arm Neoverse N1 PMU Guide", 4.9 and 4.10) leave a choice:
 *   LD_SPEC, ST_SPEC   an atomic counts in both; prfm and dc zva in neither
 *   DP_SPEC            all integer data processing, with multiply, divide, crc and pointer
 *                      authentication; not nop, branches, mrs, msr
 *   VFP_SPEC           scalar floating point, conversions from and to general registers among it,
 *                      since they compute; not fmov between the register files
 *   ASE_SPEC           Advanced SIMD data processing, vector or scalar, with pmull; not loads and
 *                      stores, dup, ins, umov, smov between the files, nor what CRYPTO_SPEC counts
 *   ASE_INST_SPEC      those, and the loads, stores, moves and crypto instructions left out there:
 *                      ld1 to ld4, st1 to st4, and loads and stores of 128-bit registers
 *   CRYPTO_SPEC        aes, sha1, sha2, sha3, sha512, sm3, sm4; not pmull
 *   RC_LD, RC_ST_SPEC  acquiring loads, releasing stores, with exclusives and atomics that do so
 *   SVE_PRED_SPEC      SVE with a governing predicate, whatever its elements */
#define PMS_SPECS(X)                                                                               \
	X(LD_SPEC)                                                                                 \
	X(ST_SPEC)                                                                                 \
	X(DP_SPEC)                                                                                 \
	X(ASE_SPEC)                                                                                \
	X(ASE_INST_SPEC)                                                                           \
	X(VFP_SPEC)                                                                                \
	X(CRYPTO_SPEC)                                                                             \
	X(SVE_INST_SPEC)                                                                           \
	X(LDREX_SPEC)                                                                              \
	X(STREX_SPEC)                                                                              \
	X(RC_LD_SPEC)                                                                              \
	X(RC_ST_SPEC)                                                                              \
	X(DMB_SPEC)                                                                                \
	X(DSB_SPEC)                                                                                \
	X(ISB_SPEC)                                                                                \
	X(SVE_PRED_SPEC)                                                                           \
	X(SVE_LDFF_SPEC)

enum pms_spec {
#define X(name) PMS_SPEC_##name,
	PMS_SPECS(X)
#undef X
		PMS_SPEC_COUNT
};

struct pms_insn {
	uint8_t op;	  /* enum pms_op */
	uint8_t slots;	  /* rename slots (macro-ops) it takes, before fusion: 1 for most */
	uint8_t branch;	  /* enum pms_branch */
	uint8_t mem;	  /* PMS_MEM_* bits; 0: touches no memory */
	uint8_t mem_size; /* bytes accessed in all (ldp x: 16; ld4 q: 64); 64 for dc zva; of SVE:
			   * per 128 bits of vector, all elements taken as active */
	uint8_t fuse;	  /* PMS_FUSE_* */
	uint8_t n_src, n_dst, n_addr; /* of the arrays; the first n_addr sources form the address */
	uint8_t src[7];	   /* address registers first, then data; no PMS_REG_NONE among them */
	uint8_t dst[5];	   /* without the written-back base */
	uint8_t writeback; /* base register written back (ready after one cycle), else PMS_REG_NONE
			    */
	uint8_t fp_ops;	   /* scalar and vector FP operations (elements x operations, mac counts 2);
			    * of SVE: per 128 bits of vector, all elements taken as active */
	uint8_t orders;	   /* PMS_ORDERS_* */
	int32_t disp;	   /* branch or literal displacement from this pc, bytes */
	uint32_t spec;	   /* 1 << PMS_SPEC_* */
};

/** Returns the class's name in core.json, "?" when out of range. Static storage. */
const char *pms_op_name(enum pms_op op);

_Static_assert(sizeof(struct pms_insn) <= 32, "blocks keep one of these for each instruction");

#endif

/* SPDX-License-Identifier: MIT */
/* vcore/isa/a64/a64_isa.h - what is fixed of A64 when the model is compiled: the size of its
 * instructions, its registers, its classes of operations and the events that they count in.
 * Included by vcore/isa/isa.h alone. */
#ifndef PMS_VCORE_ISA_A64_A64_ISA_H
#define PMS_VCORE_ISA_A64_A64_ISA_H

/* Bytes: instructions begin at multiples of a parcel, and none is longer than the longest. */
#define PMS_ISA_PARCEL_LOG2 2
enum { PMS_ISA_PARCEL = 1 << PMS_ISA_PARCEL_LOG2, PMS_ISA_LONGEST = 4 };

/* Execution classes: what decides latency and ports. core.json gives each of them a row by the
 * name in the second column. Scalar FP is fp_*, Advanced SIMD is v_*, SVE is sve_*. */
#define PMS_OPS(X)                                                                                 \
	X(NOP, "nop")		      /* nop, hints, bti, csdb, clrex */                           \
	X(ALU, "alu")		      /* add, logic, movn, adr, csel, cmp: one cycle */            \
	X(ALU_LSL, "alu_lsl")	      /* add, sub with an operand shifted left by 1 to 4 */        \
	X(LOGIC_SHIFT, "logic_shift") /* and, orr, eor with a shifted operand */                   \
	X(MOVE, "move")		      /* of a general register */                                  \
	X(ZERO, "zero")		      /* mov of the zero register or #0 */                         \
	X(ALU_SHIFT, "alu_shift")     /* other shifted or extended operands */                     \
	X(SHIFT, "shift")	      /* lslv, ubfm, extr with one source, rev, clz */             \
	X(BITFIELD, "bitfield")	      /* bfm, extr with two sources */                             \
	X(MUL32, "mul32")	      /* 32-bit multiply, no accumulate (madd with xzr) */         \
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

/* Forms: what of an instruction beyond its class decides how many slots it takes. core.json gives
 * those that take more than one a row by the name in the second column. ldN_B and stN_B are
 * structures of N elements in whole registers of B bytes, ld1_NxB and st1_NxB N registers without
 * structure, _d of doublewords, _lane one lane of each or to all lanes; cvt_8h converts eight
 * halves. The classifier steps through those of one kind in this order. */
#define PMS_FORMS(X)                                                                               \
	X(ONE, "one")                                                                              \
	X(LD1_1X8, "ld1_1x8")                                                                      \
	X(LD1_1X16, "ld1_1x16")                                                                    \
	X(LD1_2X8, "ld1_2x8")                                                                      \
	X(LD1_2X16, "ld1_2x16")                                                                    \
	X(LD1_3X8, "ld1_3x8")                                                                      \
	X(LD1_3X16, "ld1_3x16")                                                                    \
	X(LD1_4X8, "ld1_4x8")                                                                      \
	X(LD1_4X16, "ld1_4x16")                                                                    \
	X(ST1_1X8, "st1_1x8")                                                                      \
	X(ST1_1X16, "st1_1x16")                                                                    \
	X(ST1_2X8, "st1_2x8")                                                                      \
	X(ST1_2X16, "st1_2x16")                                                                    \
	X(ST1_3X8, "st1_3x8")                                                                      \
	X(ST1_3X16, "st1_3x16")                                                                    \
	X(ST1_4X8, "st1_4x8")                                                                      \
	X(ST1_4X16, "st1_4x16")                                                                    \
	X(LD2_8, "ld2_8")                                                                          \
	X(LD2_16, "ld2_16")                                                                        \
	X(LD3_8, "ld3_8")                                                                          \
	X(LD3_16, "ld3_16")                                                                        \
	X(LD4_8, "ld4_8")                                                                          \
	X(LD4_16, "ld4_16")                                                                        \
	X(ST2_8, "st2_8")                                                                          \
	X(ST2_16, "st2_16")                                                                        \
	X(ST3_8, "st3_8")                                                                          \
	X(ST3_16, "st3_16")                                                                        \
	X(ST4_8, "st4_8")                                                                          \
	X(ST4_16, "st4_16")                                                                        \
	X(ST4_16_D, "st4_16_d")                                                                    \
	X(LD1_LANE, "ld1_lane")                                                                    \
	X(LD2_LANE, "ld2_lane")                                                                    \
	X(LD3_LANE, "ld3_lane")                                                                    \
	X(LD4_LANE, "ld4_lane")                                                                    \
	X(ST1_LANE, "st1_lane")                                                                    \
	X(ST2_LANE, "st2_lane")                                                                    \
	X(ST3_LANE, "st3_lane")                                                                    \
	X(ST4_LANE, "st4_lane")                                                                    \
	X(ST4_LANE_D, "st4_lane_d")                                                                \
	X(TBL_1, "tbl_1")                                                                          \
	X(TBL_2, "tbl_2")                                                                          \
	X(TBL_3, "tbl_3")                                                                          \
	X(TBL_4, "tbl_4")                                                                          \
	X(TBX_1, "tbx_1")                                                                          \
	X(TBX_2, "tbx_2")                                                                          \
	X(TBX_3, "tbx_3")                                                                          \
	X(TBX_4, "tbx_4")                                                                          \
	X(CVT_8H, "cvt_8h")                                                                        \
	X(SVE_LD1, "sve_ld1")                                                                      \
	X(SVE_LD2, "sve_ld2")                                                                      \
	X(SVE_LD3, "sve_ld3")                                                                      \
	X(SVE_LD4, "sve_ld4")                                                                      \
	X(SVE_ST1, "sve_st1")                                                                      \
	X(SVE_ST2, "sve_st2")                                                                      \
	X(SVE_ST3, "sve_st3")                                                                      \
	X(SVE_ST4, "sve_st4")                                                                      \
	X(SVE_GATHER, "sve_gather")                                                                \
	X(SVE_SCATTER, "sve_scatter")                                                              \
	X(SVE_SCATTER_W, "sve_scatter_w")

/* What an instruction may be in a pair that shares a slot: core.json says which do. */
#define PMS_FUSES(X)                                                                               \
	X(NONE, "none")                                                                            \
	X(COMPARE, "compare") /* cmp, cmn, tst, and flag-setting forms without a destination */    \
	X(CONDITIONAL, "conditional") /* b.cond */                                                 \
	X(AESE, "aese")		      /* and aesd */                                               \
	X(AESMC, "aesmc")	      /* and aesimc; with its source as its destination */

/* Registers: x0..x30 are 0..30, sp 31; v0..v31 (z0..z31) 32..63; nzcv 64; p0..p15 65..80; ffr 81.
 * xzr and wzr are PMS_REG_NONE: always ready, never written.
 */
enum {
	PMS_REG_SP = 31,
	PMS_REG_V0 = 32,
	PMS_REG_NZCV = 64,
	PMS_REG_P0 = 65,
	PMS_REG_FFR = 81,
	PMS_REG_COUNT = 82
};

/* The first of the registers whose loads take the time of vectors, and the one behind the last. */
enum { PMS_ISA_VECTORS = PMS_REG_V0, PMS_ISA_VECTORS_END = PMS_REG_NZCV };

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

/* Of an instruction whose vectors are as long as the core has them. */
#define PMS_ISA_SCALES PMS_SPEC_SVE_INST_SPEC

/* The class of a store's write to L1D. */
#define PMS_ISA_WRITES PMS_OP_STORE_WRITE

#endif

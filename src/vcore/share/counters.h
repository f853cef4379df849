/* SPDX-License-Identifier: MIT */
/* vcore/share/counters.h - what the core model counts. Names that are a PMU event's count what that
 * event's definition says; core.json maps every event of a catalog to one of these, or to a sum. */
#ifndef PMS_VCORE_SHARE_COUNTERS_H
#define PMS_VCORE_SHARE_COUNTERS_H

#define PMS_COUNTERS(X)                                                                            \
	/* time */                                                                                 \
	X(CPU_CYCLES)                                                                              \
	/* retired and renamed: those that nearly every block has */                               \
	X(INST_RETIRED)                                                                            \
	X(OP_RETIRED)                                                                              \
	X(INST_SPEC)                                                                               \
	X(OP_SPEC)                                                                                 \
	X(LD_SPEC)                                                                                 \
	X(ST_SPEC)                                                                                 \
	X(DP_SPEC)                                                                                 \
	X(ASE_SPEC)                                                                                \
	X(BR_RETIRED)                                                                              \
	X(BR_IMMED_SPEC) /* this and the next at resolution */                                     \
	X(BR_PRED)                                                                                 \
	X(BR_INDIRECT_SPEC) /* at resolution */                                                    \
	/* retired */                                                                              \
	X(BR_MIS_PRED_RETIRED)                                                                     \
	X(SW_INCR)                                                                                 \
	/* renamed */                                                                              \
	X(ASE_INST_SPEC)                                                                           \
	X(VFP_SPEC)                                                                                \
	X(CRYPTO_SPEC)                                                                             \
	X(SVE_INST_SPEC)                                                                           \
	X(LDREX_SPEC)                                                                              \
	X(STREX_SPEC)                                                                              \
	X(STREX_PASS_SPEC) /* this and the next when executed */                                   \
	X(STREX_FAIL_SPEC)                                                                         \
	X(RC_LD_SPEC)                                                                              \
	X(RC_ST_SPEC)                                                                              \
	X(DMB_SPEC)                                                                                \
	X(DSB_SPEC)                                                                                \
	X(ISB_SPEC)                                                                                \
	X(SVE_PRED_SPEC)                                                                           \
	X(SVE_LDFF_SPEC)                                                                           \
	/* at resolution */                                                                        \
	X(BR_RETURN_SPEC)                                                                          \
	X(PC_WRITE_SPEC)                                                                           \
	X(BR_MIS_PRED)                                                                             \
	X(UNALIGNED_LD_SPEC)                                                                       \
	X(UNALIGNED_ST_SPEC)                                                                       \
	X(FP_FIXED_OPS_SPEC)                                                                       \
	X(FP_SCALE_OPS_SPEC)                                                                       \
	/* operations thrown away, by cause: OP_SPEC - OP_RETIRED is their sum */                  \
	X(FLUSHED_BRANCH)                                                                          \
	X(FLUSHED_ORDER)                                                                           \
	X(FLUSHED_FAULT) /* the instruction took an exception instead */                           \
	/* empty slots the frontend answers for, by cause */                                       \
	X(FE_SLOT_FLUSH)  /* refill after a misprediction or another flush */                      \
	X(FE_SLOT_ICACHE) /* waiting for a line of instructions */                                 \
	X(FE_SLOT_ITLB)                                                                            \
	X(FE_SLOT_BTB)	  /* a taken branch that the target buffers found late or not at all */    \
	X(FE_SLOT_FETCH)  /* fetch group ended: taken branch, line, width */                       \
	X(FE_SLOT_SERIAL) /* refill after a system call or an exception */                         \
	/* empty slots the backend answers for, by cause */                                        \
	X(BE_SLOT_ROB)                                                                             \
	X(BE_SLOT_IQ)                                                                              \
	X(BE_SLOT_LQ)                                                                              \
	X(BE_SLOT_SQ)                                                                              \
	X(BE_SLOT_SERIAL) /* draining before what waits for that */                                \
	/* whole cycles without an operation */                                                    \
	X(STALL_FRONTEND)                                                                          \
	X(STALL_BACKEND)                                                                           \
	X(STALL_BACKEND_MEM)                                                                       \
	/* level 1 */                                                                              \
	X(L1I_CACHE)                                                                               \
	X(L1I_CACHE_REFILL)                                                                        \
	X(L1I_CACHE_LMISS)                                                                         \
	X(L1I_TLB)                                                                                 \
	X(L1I_TLB_REFILL)                                                                          \
	X(L1D_CACHE_RD)                                                                            \
	X(L1D_CACHE_WR)                                                                            \
	X(L1D_CACHE_REFILL_RD)                                                                     \
	X(L1D_CACHE_REFILL_WR)                                                                     \
	X(L1D_CACHE_REFILL_OUTER)                                                                  \
	X(L1D_CACHE_REFILL_INNER)                                                                  \
	X(L1D_CACHE_LMISS_RD)                                                                      \
	X(L1D_CACHE_WB_VICTIM)                                                                     \
	X(L1D_PREFETCH_FILL)                                                                       \
	X(L2D_NEXT_LINE)                                                                           \
	X(L1I_PREFETCH_FILL)                                                                       \
	X(L1D_TLB_RD)                                                                              \
	X(L1D_TLB_WR)                                                                              \
	X(L1D_TLB_REFILL_RD)                                                                       \
	X(L1D_TLB_REFILL_WR)                                                                       \
	/* level 2, by source of the access */                                                     \
	X(L2D_FROM_IFETCH)                                                                         \
	X(L2D_FROM_LOAD)                                                                           \
	X(L2D_FROM_STORE)                                                                          \
	X(L2D_FROM_PREFETCH)                                                                       \
	X(L2D_FROM_WALK)                                                                           \
	X(L2D_FROM_WB)                                                                             \
	X(L2D_CACHE_REFILL_RD)                                                                     \
	X(L2D_CACHE_REFILL_WR)                                                                     \
	X(L2D_CACHE_LMISS_RD)                                                                      \
	X(L2D_CACHE_ALLOCATE)                                                                      \
	X(L2D_CACHE_WB_VICTIM)                                                                     \
	X(L2D_TLB_RD)                                                                              \
	X(L2D_TLB_WR)                                                                              \
	X(L2D_TLB_REFILL_RD)                                                                       \
	X(L2D_TLB_REFILL_WR)                                                                       \
	X(ITLB_WALK)                                                                               \
	X(DTLB_WALK)                                                                               \
	/* beyond the core */                                                                      \
	X(LL_CACHE_RD)                                                                             \
	X(LL_CACHE_MISS_RD)                                                                        \
	X(BUS_RD_BEATS)                                                                            \
	X(BUS_WR_BEATS)                                                                            \
	/* exceptions */                                                                           \
	X(EXC_SVC)                                                                                 \
	X(EXC_UNDEF)                                                                               \
	X(EXC_TAKEN)                                                                               \
	/* what the model could not see: shown as warnings, mapped to no event */                  \
	X(UNSEEN_ACCESSES)    /* QEMU does not report them */                                      \
	X(UNSEEN_ZEROING)     /* of lines: nor these */                                            \
	X(UNSEEN_PREFETCHES)  /* by instructions: nor these */                                     \
	X(ATOMICS)	      /* and load exclusives: lines that threads may share */              \
	X(UNKNOWN_WRONG_PATH) /* wrong-path loads whose address could not be told */               \
	X(ODD_SUCCESSORS)     /* control transfers that no branch explains: signals, faults */

enum pms_counter {
#define X(name) PMS_COUNTER_##name,
	PMS_COUNTERS(X)
#undef X
		PMS_COUNTER_COUNT
};

#endif

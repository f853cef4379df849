/* SPDX-License-Identifier: MIT */
/* vcore/share/ledger.h - who is charged for what the model counts: values by instruction, in memory
 * that launcher and plugin share. Flow: model, built to charge -> [ledger] -> the launcher.
 *
 * The ledger is an array of chunks of one cache line. A block of code that a thread ran has a
 * chunk for itself and one for each instruction, its row. A row's values are in further chunks,
 * which it has only once one of them is not 0. Chunks are never freed, so the ledger can be read
 * after the program has ended, however it ended. Chunk 0 is the head; the number 0 means none. */
#ifndef PMS_VCORE_SHARE_LEDGER_H
#define PMS_VCORE_SHARE_LEDGER_H

#include <stdatomic.h>
#include <stdint.h>

#include "vcore/share/counters.h"

enum { PMS_LEDGER_CHUNK = 64 };

/* A cycle in which operations retire is shared by them: cycles are kept in parts that any number
 * of operations up to the widest retirement divides. */
#define PMS_LEDGER_CYCLE UINT64_C(720720)

/* Kinds of values that are also counters: their sum over all rows is the counter. */
#define PMS_CHARGED_COUNTERS(X)                                                                    \
	X(FE_SLOT_FLUSH)                                                                           \
	X(FE_SLOT_ICACHE)                                                                          \
	X(FE_SLOT_ITLB)                                                                            \
	X(FE_SLOT_BTB)                                                                             \
	X(FE_SLOT_FETCH)                                                                           \
	X(FE_SLOT_SERIAL)                                                                          \
	X(FLUSHED_BRANCH)                                                                          \
	X(FLUSHED_ORDER)                                                                           \
	X(BE_SLOT_ROB)                                                                             \
	X(BE_SLOT_IQ)                                                                              \
	X(BE_SLOT_LQ)                                                                              \
	X(BE_SLOT_SQ)                                                                              \
	X(BE_SLOT_SERIAL)                                                                          \
	X(STALL_FRONTEND)                                                                          \
	X(STALL_BACKEND)                                                                           \
	X(STALL_BACKEND_MEM)                                                                       \
	X(L1I_CACHE_REFILL)                                                                        \
	X(L1I_CACHE_LMISS)                                                                         \
	X(L1I_TLB_REFILL)                                                                          \
	X(ITLB_WALK)                                                                               \
	X(L1I_PREFETCH_FILL)                                                                       \
	X(BR_MIS_PRED)                                                                             \
	X(UNALIGNED_LD_SPEC)                                                                       \
	X(UNALIGNED_ST_SPEC)                                                                       \
	X(L1D_CACHE_REFILL_RD)                                                                     \
	X(L1D_CACHE_REFILL_WR)                                                                     \
	X(L1D_CACHE_REFILL_OUTER)                                                                  \
	X(L1D_CACHE_REFILL_INNER)                                                                  \
	X(L1D_CACHE_LMISS_RD)                                                                      \
	X(L1D_CACHE_WB_VICTIM)                                                                     \
	X(L1D_PREFETCH_FILL)                                                                       \
	X(L2D_NEXT_LINE)                                                                           \
	X(L1D_TLB_REFILL_RD)                                                                       \
	X(L1D_TLB_REFILL_WR)                                                                       \
	X(L2D_TLB_RD)                                                                              \
	X(L2D_TLB_WR)                                                                              \
	X(L2D_TLB_REFILL_RD)                                                                       \
	X(L2D_TLB_REFILL_WR)                                                                       \
	X(DTLB_WALK)                                                                               \
	X(EXC_TAKEN)                                                                               \
	X(L2D_CACHE_REFILL_RD)                                                                     \
	X(L2D_CACHE_REFILL_WR)                                                                     \
	X(L2D_CACHE_LMISS_RD)                                                                      \
	X(L2D_CACHE_WB_VICTIM)                                                                     \
	X(LL_CACHE_RD)                                                                             \
	X(LL_CACHE_MISS_RD)                                                                        \
	X(BUS_RD_BEATS)                                                                            \
	X(BUS_WR_BEATS)

/* What the oldest operation waited for. */
#define PMS_WAITS(X)                                                                               \
	X(PIPELINE) /* its way from rename to issue */                                             \
	X(ORDER)    /* earlier accesses, by a barrier or an acquire */                             \
	X(PORT)	    /* a port of its unit */                                                       \
	X(INTEGER)  /* its own latency: integer operations, branches, addresses of stores */       \
	X(DIVIDE)   /* ... divides and square roots */                                             \
	X(VECTOR)   /* ... floating point and vectors */                                           \
	X(L1D)	    /* ... a load that hit L1D */                                                  \
	X(L2)                                                                                      \
	X(LAST_LEVEL)                                                                              \
	X(DRAM)                                                                                    \
	X(TLB)		/* its translation, by the L2 TLB or a walk */                             \
	X(FORWARD)	/* data that a store in flight forwards */                                 \
	X(FORWARD_FAIL) /* a store in flight that it overlaps, which cannot forward */             \
	X(STORE)	/* a retired store that is not yet in L1D */                               \
	X(SERIAL)	/* its own latency: system calls and other operations that run alone */    \
	X(RETIRE)	/* its turn, retirement being full */

/* Kinds that no counter has. A misprediction is one of the first three. The CYCLES are parts of
 * all cycles of a row. */
#define PMS_CHARGED_OTHERS(X)                                                                      \
	X(MISS_DIRECTION)                                                                          \
	X(MISS_TARGET)                                                                             \
	X(MISS_RETURN)                                                                             \
	X(FORWARD_FAILS)                                                                           \
	X(ORDER_FLUSHES)                                                                           \
	X(SERIALS)	   /* operations that drained the core */                                  \
	X(CYCLES_FRONTEND) /* nothing in flight: fetch was late */                                 \
	X(CYCLES_FLUSH)	   /* nothing in flight: a flush, or the refill behind an exception */

enum pms_wait {
#define X(name) PMS_WAIT_##name,
	PMS_WAITS(X)
#undef X
		PMS_WAIT_COUNT
};

/* Kinds of values; the two by enum pms_wait come last. */
enum pms_charged {
#define X(name) PMS_CHARGED_##name,
	PMS_CHARGED_COUNTERS(X) PMS_CHARGED_OTHERS(X)
#undef X
		PMS_CHARGED_WAIT_SLOTS,
	PMS_CHARGED_WAIT_CYCLES = PMS_CHARGED_WAIT_SLOTS + PMS_WAIT_COUNT,
	PMS_CHARGED_COUNT = PMS_CHARGED_WAIT_CYCLES + PMS_WAIT_COUNT
};

enum { PMS_LEDGER_GROUP = PMS_LEDGER_CHUNK / sizeof(uint64_t) }; /* values of a chunk */
enum { PMS_LEDGER_GROUPS = (PMS_CHARGED_COUNT + PMS_LEDGER_GROUP - 1) / PMS_LEDGER_GROUP };

/* A row's operations, whether they ever retire, and how they end a block. */
enum { PMS_ROW_TRAPS = 1, PMS_ROW_BRANCHES = 2, PMS_ROW_CALLS = 4, PMS_ROW_RETURNS = 8 };

/* An instruction. In sampled runs it has two rows, one behind the other: the thread's start, and
 * the windows. */
struct pms_ledger_row {
	uint32_t group[PMS_LEDGER_GROUPS]; /* chunks of values, by kind / PMS_LEDGER_GROUP */
	uint8_t slots;			   /* that it takes at rename */
	uint8_t flags;			   /* PMS_ROW_* */
	uint16_t at;			   /* bytes from the start of its block */
	uint64_t cycles;		   /* in parts of a cycle */
	uint64_t alone;			   /* executions in blocks that were cut short */
};
_Static_assert(sizeof(struct pms_ledger_row) == PMS_LEDGER_CHUNK, "a chunk");

/* A block that a thread ran; its rows follow. */
struct pms_ledger_block {
	uint64_t pc;	   /* where it ran */
	uint64_t offset;   /* of .pc in the object's file, where there is one */
	uint64_t whole[2]; /* complete executions: of the start, and of windows */
	uint32_t next;	   /* block of the same thread; 0: the last */
	uint32_t count;	   /* instructions */
	uint32_t object;   /* chunk; 0: not known */
	uint32_t edges;	   /* chunk: the first of its last instruction; 0: none */
	uint32_t shift;	   /* log2 of the rows of an instruction */
	uint32_t pad;
};
_Static_assert(sizeof(struct pms_ledger_block) <= PMS_LEDGER_CHUNK, "a chunk");

/* Where a block's last instruction, a branch, went. */
struct pms_ledger_edge {
	uint64_t to;
	uint64_t count[2], missed[2]; /* of the start, and of windows */
	uint32_t next;		      /* chunk; 0: the last */
	uint32_t pad;
};

/* A file, or other memory, that code ran in. The path takes as many chunks as it needs. */
struct pms_ledger_object {
	uint32_t next;
	uint32_t length; /* of the path; 0: memory without a file */
	char path[];
};

/* Chunk 0, and as many behind it as it needs. */
struct pms_ledger_head {
	_Atomic uint32_t used;	   /* chunks */
	_Atomic uint32_t refused;  /* requests for chunks when there were none left */
	_Atomic uint32_t objects;  /* chunk of the latest */
	uint32_t chunks;	   /* that there can be */
	_Atomic uint32_t blocks[]; /* by thread: its latest block */
};

/** Make the head of a ledger for @threads threads, in zeroed memory of @chunks chunks. */
void pms_ledger_init(void *ledger, uint32_t chunks, uint32_t threads);

/** Take @n consecutive zeroed chunks. Returns the first; 0: there are no more. */
uint32_t pms_ledger_take(void *ledger, uint32_t n);

static inline void *pms_ledger_at(const void *ledger, uint32_t chunk)
{
	return (char *)(uintptr_t)ledger + (uint64_t)chunk * PMS_LEDGER_CHUNK;
}

/** Returns the rows of a block. */
static inline struct pms_ledger_row *pms_ledger_rows(const struct pms_ledger_block *block)
{
	return (struct pms_ledger_row *)(uintptr_t)block + 1;
}

/** Returns a row's value of a kind, in its own unit. */
uint64_t pms_ledger_value(const void *ledger, const struct pms_ledger_row *row, unsigned kind);

#endif

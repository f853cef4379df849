/* SPDX-License-Identifier: MIT */
/* vcore/share/params.h - the numbers of a modelled core. The launcher fills them from
 * core.json, where each has its source; the model relies only on these bounds. */
#ifndef PMS_VCORE_SHARE_PARAMS_H
#define PMS_VCORE_SHARE_PARAMS_H

#include <stdint.h>

#include "vcore/isa/insn.h"

/* name (also the key under "parameters" in core.json), least, most, what it is */
#define PMS_PARAMS(X)                                                                              \
	/* widths, per cycle */                                                                    \
	X(slots, 1, 16, "macro-ops renamed")                                                       \
	X(retire_width, 1, 16, "macro-ops retired")                                                \
	X(fetch_width, 1, 16, "instructions from the micro-op cache")                              \
	X(decode_width, 1, 16, "instructions through the decoders")                                \
	/* frontend */                                                                             \
	X(fetch_to_rename, 1, 32, "cycles from fetch to the earliest rename")                      \
	X(mispredict_penalty, 2, 64, "cycles from a branch's execution to its successor's")        \
	X(decode_redirect, 0, 32, "cycles lost when decode finds a taken branch")                  \
	X(btb_main_bubble, 0, 16, "cycles lost when only the main target buffer has it")           \
	X(btb_far_bubble, 0, 16, "cycles lost when only the far one has it")                       \
	X(indirect_bubble, 0, 16, "cycles lost when the path to a branch tells where it goes")     \
	X(decode_queue, 8, 256, "instructions fetched ahead of rename")                            \
	X(predict_windows, 1, 4, "32-byte windows that prediction takes in a cycle: 1, 2 or 4")    \
	X(branch_pairs, 0, 1, "1: a jump is predicted with the branch that leads to it")           \
	X(fetch_queue, 0, 64, "cycles that prediction may be ahead of fetch; 0: none")             \
	X(fetch_ahead_lines, 0, 32, "instruction lines requested ahead of fetch")                  \
	X(mop_cache_windows, 0, 8192, "32-byte windows the micro-op cache holds; 0: none")         \
	X(mop_cache_ways, 1, 16, "")                                                               \
	/* branch prediction */                                                                    \
	X(btb_nano_entries, 1, 1024, "")                                                           \
	X(btb_main_entries, 16, 65536, "")                                                         \
	X(btb_main_ways, 1, 16, "")                                                                \
	X(btb_far_entries, 0, 65536, "0: no third target buffer")                                  \
	X(btb_far_ways, 1, 16, "")                                                                 \
	X(ras_entries, 0, 64, "0: no return stack")                                                \
	X(tage_base_log2, 6, 16, "log2 of two-bit counters in the base table")                     \
	X(tage_table_log2, 6, 14, "log2 of entries in each tagged table")                          \
	X(tage_history_1, 1, 512, "outcomes that index the first tagged table")                    \
	X(tage_history_2, 0, 512, "of the second one; 0: none from here on")                       \
	X(tage_history_3, 0, 512, "")                                                              \
	X(tage_history_4, 0, 512, "")                                                              \
	X(tage_history_5, 0, 512, "")                                                              \
	X(tage_history_6, 0, 512, "")                                                              \
	X(tage_history_7, 0, 512, "")                                                              \
	X(tage_history_8, 0, 512, "")                                                              \
	X(indirect_table_log2, 5, 14, "")                                                          \
	X(indirect_targets_1, 1, 16, "targets on the shortest path to an indirect branch")         \
	X(indirect_targets_2, 0, 16, "on the next one; 0: none from here on")                      \
	X(indirect_targets_3, 0, 16, "")                                                           \
	X(indirect_targets_4, 0, 16, "")                                                           \
	X(indirect_targets_5, 0, 16, "")                                                           \
	X(indirect_outcomes, 0, 64, "of conditional branches, seen with the longest path")         \
	/* out of order */                                                                         \
	X(rob_entries, 8, 1024, "")                                                                \
	X(rename_to_issue, 1, 16, "cycles from rename to the earliest issue")                      \
	X(load_queue, 1, 255, "")                                                                  \
	X(store_queue, 1, 255, "")                                                                 \
	X(store_merge_cycles, 0, 64, "that a retired store waits for others to its line")          \
	X(store_commit_bytes, 8, 64, "of one line that are written to L1D in a cycle")             \
	X(forward_latency, 1, 32, "load-use when a store in the queue supplies the data")          \
	X(forward_fail_penalty, 0, 64, "after the store's commit, when it cannot forward")         \
	X(order_predictor_log2, 4, 14, "log2 of entries that remember loads to hold back")         \
	X(serialize_cycles, 0, 1024, "refill after a barrier of instructions")                     \
	X(svc_cycles, 0, 65535, "refill after a system call: the kernel itself is not modelled")   \
	/* memory */                                                                               \
	X(l1i_bytes, 4096, 1048576, "")                                                            \
	X(l1i_ways, 1, 16, "")                                                                     \
	X(l1i_miss_extra, 0, 64, "cycles an instruction line takes beyond L2's latency")           \
	X(l1i_mshrs, 1, 64, "")                                                                    \
	X(l1d_bytes, 4096, 1048576, "")                                                            \
	X(l1d_ways, 1, 16, "")                                                                     \
	X(l1d_latency, 1, 32, "load-use")                                                          \
	X(l1d_vector_extra, 0, 16, "more for SIMD&FP loads")                                       \
	X(l1d_mshrs, 1, 128, "")                                                                   \
	X(l2_bytes, 32768, 16777216, "")                                                           \
	X(l2_ways, 1, 32, "")                                                                      \
	X(l2_latency, 2, 128, "load-use")                                                          \
	X(l2_interval, 0, 16, "cycles between lines that L2 delivers; 0: any number at once")      \
	X(l2_mshrs, 1, 256, "")                                                                    \
	X(slc_bytes, 0, 268435456, "0: none")                                                      \
	X(slc_ways, 1, 16, "")                                                                     \
	X(slc_latency, 2, 1024, "load-use")                                                        \
	X(dram_latency, 0, 4096, "load-use; no less than L2's")                                    \
	X(dram_interval, 0, 256, "cycles between lines that memory delivers to a core")            \
	/* translation */                                                                          \
	X(page_bytes, 4096, 2097152, "4096, 16384, 65536 or 2097152")                              \
	X(l1i_tlb_entries, 1, 1024, "")                                                            \
	X(l1d_tlb_entries, 1, 1024, "")                                                            \
	X(l2_tlb_entries, 0, 16384, "0: none")                                                     \
	X(l2_tlb_ways, 1, 16, "")                                                                  \
	X(l2_tlb_latency, 1, 64, "added to a load whose L1D TLB misses")                           \
	X(l2_tlb_interval, 0, 64, "cycles between translations that it delivers")                  \
	X(walkers, 1, 16, "table walks at once")                                                   \
	X(walk_cache_entries, 0, 256, "level-2 descriptors kept by the walker; 0: none")           \
	X(walk_step_latency, 1, 64, "cycles a step takes beyond its memory access")                \
	/* prefetch */                                                                             \
	X(stride_entries, 0, 4096, "program counters followed; 0: no prefetcher")                  \
	X(stride_degree, 0, 16, "lines requested at once; 0: no prefetch")                         \
	X(stride_distance, 1, 256, "strides ahead")                                                \
	X(next_lines, 0, 8, "lines behind a miss of L1D that L2 is asked for; 0: none")

enum {
	PMS_SLOTS_MOST = 15,
	PMS_PORTS_MOST = 32,
	PMS_QUEUES_MOST = 7, /* of issue, that the model keeps in one word */
	PMS_QUEUE_MOST_ENTRIES = 127,
	PMS_IQ_NONE = 0 /* no queue; the others follow as core.json lists them */
};

struct pms_params {
#define X(name, least, most, meaning) uint32_t name;
	PMS_PARAMS(X)
#undef X
	/* By execution class, from "ops" in core.json. */
	struct pms_op_params {
		uint32_t ports;	 /* bit set of the ports that can execute it; 0: needs none */
		uint8_t latency; /* cycles from issue to result; of a load: added to l1d_latency */
		uint8_t busy;	 /* cycles it keeps the port; 1 when pipelined */
		uint8_t queue;	 /* issue queue, from 1 on; PMS_IQ_NONE */
		uint8_t pad;
	} op[PMS_OP_COUNT];
	/* Of several free ports an operation takes the lowest bit: core.json lists first the
	 * ports that fewest classes need. */
	uint32_t n_ports;
	uint32_t n_queues;
	uint8_t queue_entries[1 + PMS_QUEUES_MOST];
	uint8_t form_slots[PMS_FORM_COUNT]; /* rename slots (macro-ops), before fusion */
	uint32_t pairs[PMS_FUSE_COUNT];	    /* by the first of a pair: bit set of the second ones
					     * that fuse */
	uint64_t off; /* bit set of PMS_MECHANISM_*: mechanisms that are off */
};

/* Mechanisms that can be switched off to see their effect: the name, and the model's behaviour
 * without it. Parameters that may be 0 are switches too. They are read at set-up, at decoding
 * and in rare cases: the usual path does not ask. */
#define PMS_MECHANISMS(X)                                                                          \
	/* prediction */                                                                           \
	X(TAGE, "tage", "conditional branches go by the base table alone")                         \
	X(TAGE_HISTORY, "tage_history", "the tagged tables see the branch and no history")         \
	X(INDIRECT, "indirect", "indirect branches go where the target buffer says")               \
	X(TARGET_HISTORY, "target_history", "the indirect predictor sees the branch and no path")  \
	X(RETURN_BY_PATH, "return_by_path",                                                        \
	  "returns that the stack has lost go where the target buffer says")                       \
	X(BTB_LIMITS, "btb_limits", "the main target buffer has 64K entries in 16 ways")           \
	X(DIRECTION_MISSES, "direction_misses",                                                    \
	  "fetch knows which way each conditional branch goes")                                    \
	X(TARGET_MISSES, "target_misses",                                                          \
	  "fetch knows where each return and indirect branch goes")                                \
	/* frontend */                                                                             \
	X(GROUP_END, "group_end", "a taken branch without a bubble costs nothing")                 \
	X(FUSION, "fusion", "no pair of instructions shares a slot")                               \
	X(CRACKING, "cracking", "each instruction takes one slot")                                 \
	X(WRONG_PATH, "wrong_path", "nothing is fetched or renamed on wrong paths")                \
	X(WRONG_PATH_FETCH, "wrong_path_fetch", "wrong paths leave L1I and its TLB alone")         \
	X(FETCH_ON, "fetch_on", "a wrong path is fetched no further than it is renamed")           \
	X(L1I_MISSES, "l1i_misses", "L1I has each line of instructions")                           \
	X(ITLB_MISSES, "itlb_misses", "fetch waits for no translation")                            \
	X(WRONG_PATH_LOADS, "wrong_path_loads", "wrong paths leave L1D and its TLB alone")         \
	/* execution */                                                                            \
	X(PORTS, "ports", "any number of operations issue in a cycle")                             \
	X(BLOCKING, "blocking", "every unit takes an operation each cycle")                        \
	X(MOVES, "moves", "moves of registers and of zero take an integer pipeline and a cycle")   \
	X(ISSUE_QUEUES, "issue_queues", "they have 127 entries each")                              \
	X(BARRIERS, "barriers", "barriers wait for nothing")                                       \
	X(ACQUIRE_RELEASE, "acquire_release", "loads and stores with these order nothing")         \
	X(ATOMICS, "atomics", "an atomic takes the time of a load")                                \
	X(EXCLUSIVES, "exclusives", "exclusive loads and stores take the time of others")          \
	X(SYSTEM_CALLS, "system_calls", "a system call waits for nothing, and costs its slot")     \
	X(INT_LATENCY, "int_latency", "integer operations other than divisions take a cycle")      \
	X(FP_LATENCY, "fp_latency",                                                                \
	  "so do floating-point and vector ones other than divisions and roots")                   \
	X(DIVIDE_LATENCY, "divide_latency", "divisions and roots take a cycle, one each cycle")    \
	/* loads and stores */                                                                     \
	X(STORE_DRAIN, "store_drain", "a store leaves its queue when it retires")                  \
	X(STORE_PORTS, "store_ports", "a store's data and its write to L1D take no port")          \
	X(FORWARDING, "forwarding", "a load waits until a store in its way is written")            \
	X(FORWARD_FAILURES, "forward_failures", "stores forward to loads that they only overlap")  \
	X(ORDER_FLUSH, "order_flush", "loads wait for stores whose address they cannot know")      \
	X(ORDER_PREDICTOR, "order_predictor", "a load that ran ahead too early does so again")     \
	/* caches */                                                                               \
	X(L1D_MISSES, "l1d_misses", "L1D has each line of data")                                   \
	X(L2_MISSES, "l2_misses", "a miss of L2 takes the time of a hit")                          \
	X(SLC_MISSES, "slc_misses", "a miss of the system cache takes the time of a hit")          \
	X(DTLB_MISSES, "dtlb_misses", "loads and stores wait for no translation")                  \
	X(WRITE_BACKS, "write_backs", "dirty lines leave L1D without a trace")                     \
	X(MSHR_MERGE, "mshr_merge", "a load asks L2 for a line again that is on its way")

enum pms_mechanism {
#define X(id, name, without) PMS_MECHANISM_##id,
	PMS_MECHANISMS(X)
#undef X
		PMS_MECHANISM_COUNT
};
_Static_assert(PMS_MECHANISM_COUNT <= 64, "a bit each");

/* The bit of a mechanism in struct pms_params' `off`. */
#define PMS_OFF(id) (UINT64_C(1) << PMS_MECHANISM_##id)

/** Returns whether @mechanism is switched off. */
static inline int pms_without(const struct pms_params *params, enum pms_mechanism mechanism)
{
	return (int)(params->off >> mechanism & 1);
}

/* A row for each parameter: the launcher fills the struct by name. */
struct pms_param_row {
	const char *name;
	uint32_t offset; /* in struct pms_params */
	uint32_t least, most;
	const char *meaning; /* "" where the name says it */
};
extern const struct pms_param_row pms_param_rows[];
extern const unsigned pms_param_count;

/* A row for each mechanism, by enum pms_mechanism. */
struct pms_mechanism_row {
	const char *name;    /* as --core-set NAME=off takes it */
	const char *without; /* the model's behaviour without it */
};
extern const struct pms_mechanism_row pms_mechanism_rows[PMS_MECHANISM_COUNT];
extern const char *const pms_counter_names[]; /* by enum pms_counter */

#endif

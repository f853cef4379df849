/* SPDX-License-Identifier: MIT */
/* Round numbers for a small core of any instruction set with the classes alu, branch, load and
 * store, so that expected cycles can be worked out by hand. */
#ifndef CORE_NUMBERS_H
#define CORE_NUMBERS_H

#include <string.h>

#include "vcore/model/core.h"
#include "vcore/share/params.h"

/* Its ports, in the order in which they are taken, and its issue queues. */
enum { B0, B1, S0, S1, M1, M0, L2, L1, L0, D0, D1, V3, V1, V2, V0, FIXTURE_PORTS };
enum { IQ_BRANCH = 1, IQ_INT, IQ_VEC, IQ_MEM, FIXTURE_QUEUES = IQ_MEM };

#define PORT(name) (1u << name)

static inline void fixture_op(struct pms_params *p, enum pms_op op, uint8_t latency, unsigned ports,
			      uint8_t queue)
{
	p->op[op] = (struct pms_op_params){
		.ports = ports, .latency = latency, .busy = 1, .queue = queue
	};
}

static inline struct pms_params core_numbers(void)
{
	struct pms_params p;
	memset(&p, 0, sizeof(p));
	for (unsigned i = 0; i < PMS_OP_COUNT; i++)
		fixture_op(&p, (enum pms_op)i, 1, 0, PMS_IQ_NONE);
	fixture_op(&p, PMS_OP_ALU, 1, PORT(S0) | PORT(S1) | PORT(M0) | PORT(M1), IQ_INT);
	fixture_op(&p, PMS_OP_BRANCH, 1, PORT(B0) | PORT(B1), IQ_BRANCH);
	fixture_op(&p, PMS_OP_LOAD, 0, PORT(L0) | PORT(L1) | PORT(L2), IQ_MEM);
	fixture_op(&p, PMS_OP_STORE, 1, PORT(L0) | PORT(L1), IQ_MEM);
	memset(p.form_slots, 1, sizeof(p.form_slots));
	p.slots = p.retire_width = p.fetch_width = 8;
	p.decode_width = 5;
	p.fetch_to_rename = 6;
	p.rename_to_issue = 4;
	p.mispredict_penalty = 11;
	p.decode_redirect = 5;
	p.btb_main_bubble = 1;
	p.indirect_bubble = 2;
	p.decode_queue = 32;
	p.fetch_queue = 16;
	p.branch_pairs = 1;
	p.fetch_ahead_lines = 8;
	p.mop_cache_windows = 384;
	p.mop_cache_ways = 6;
	p.btb_nano_entries = 48;
	p.btb_main_entries = 8192;
	p.btb_main_ways = 4;
	p.btb_far_ways = 1;
	p.predict_windows = 2;
	p.ras_entries = 16;
	p.tage_base_log2 = 13;
	p.tage_table_log2 = 10;
	p.tage_history_1 = 6;
	p.tage_history_2 = 14;
	p.tage_history_3 = 32;
	p.tage_history_4 = 74;
	p.tage_history_5 = 160;
	p.indirect_table_log2 = 9;
	p.indirect_targets_1 = 3;
	p.indirect_targets_2 = 9;
	p.indirect_targets_3 = 16;
	p.indirect_outcomes = 16;
	p.rob_entries = 256;
	p.n_ports = FIXTURE_PORTS;
	p.n_queues = FIXTURE_QUEUES;
	p.queue_entries[IQ_BRANCH] = 32;
	p.queue_entries[IQ_INT] = 80;
	p.queue_entries[IQ_VEC] = 40;
	p.queue_entries[IQ_MEM] = 48;
	p.load_queue = 100;
	p.store_queue = 72;
	p.store_commit_bytes = 32;
	p.forward_latency = 5;
	p.forward_fail_penalty = 6;
	p.order_predictor_log2 = 8;
	p.serialize_cycles = 20;
	p.svc_cycles = 22;
	p.l1i_bytes = p.l1d_bytes = 65536;
	p.l1i_ways = p.l1d_ways = 4;
	p.l1i_miss_extra = 5;
	p.l1i_mshrs = 12;
	p.l1d_latency = 4;
	p.l1d_vector_extra = 2;
	p.l1d_mshrs = 20;
	p.l2_bytes = 1048576;
	p.l2_ways = 8;
	p.l2_latency = 13;
	p.l2_interval = 2;
	p.l2_mshrs = 64;
	p.slc_bytes = 4194304;
	p.slc_ways = 16;
	p.slc_latency = 75;
	p.dram_latency = 300;
	p.dram_interval = 5;
	p.page_bytes = 4096;
	p.l1i_tlb_entries = 48;
	p.l1d_tlb_entries = 40;
	p.l2_tlb_entries = 2048;
	p.l2_tlb_ways = 8;
	p.l2_tlb_latency = 5;
	p.l2_tlb_interval = 2;
	p.walkers = 4;
	p.walk_cache_entries = 64;
	p.walk_step_latency = 2;
	p.stride_entries = 64;
	p.stride_degree = 2;
	p.stride_distance = 8;
	return p;
}

#endif

/* SPDX-License-Identifier: MIT */
#include "vcore/model/core.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "vcore/isa/isa.h"
#include "vcore/model/charge.h"
#include "vcore/model/uop.h"

static enum pms_role role_of(const struct pms_insn *insn)
{
	return (enum pms_role)pms_op_roles[insn->op];
}

static bool is_barrier(enum pms_role role)
{
	return role == PMS_ROLE_BARRIER || role == PMS_ROLE_SYNC || role == PMS_ROLE_REFETCH;
}

static enum pms_uop_kind kind_of(const struct pms_params *params, const struct pms_insn *insn)
{
	if (insn->branch != PMS_BRANCH_NONE)
		return PMS_UOP_BRANCH;
	enum pms_role role = role_of(insn);
	if (is_barrier(role) && pms_without(params, PMS_MECHANISM_BARRIERS))
		return PMS_UOP_SIMPLE;
	if (role == PMS_ROLE_BARRIER)
		return PMS_UOP_BARRIER;
	if (role >= PMS_ROLE_SYNC)
		return PMS_UOP_SERIAL;
	if (insn->mem & PMS_MEM_HIDDEN)
		return PMS_UOP_SIMPLE;
	bool load = insn->mem & PMS_MEM_LOAD, store = insn->mem & PMS_MEM_STORE;
	return load && store ? PMS_UOP_ATOMIC
	       : load	     ? PMS_UOP_LOAD
	       : store	     ? PMS_UOP_STORE
			     : PMS_UOP_SIMPLE;
}

/* Returns a load's cycles beyond those of its class. */
static unsigned load_latency(const struct pms_params *params, const struct pms_uop *uop)
{
	bool vector = uop->flags & PMS_UOP_VECTOR && !(uop->mem & PMS_MEM_HIDDEN);
	return params->l1d_latency + (vector ? params->l1d_vector_extra : 0);
}

/* Returns the class whose numbers an instruction uses. */
static enum pms_op class_of(const struct pms_params *params, const struct pms_insn *insn)
{
	static const struct {
		uint8_t role, mechanism;
	} rows[] = {
		{ PMS_ROLE_ATOMIC, PMS_MECHANISM_ATOMICS },
		{ PMS_ROLE_MOVE, PMS_MECHANISM_MOVES },
		{ PMS_ROLE_LOAD_EXCLUSIVE, PMS_MECHANISM_EXCLUSIVES },
		{ PMS_ROLE_STORE_EXCLUSIVE, PMS_MECHANISM_EXCLUSIVES },
	};
	enum pms_op op = (enum pms_op)insn->op;
	for (size_t i = 0; params->off && i < sizeof(rows) / sizeof(rows[0]); i++)
		while (pms_op_roles[op] == rows[i].role &&
		       pms_without(params, (enum pms_mechanism)rows[i].mechanism))
			op = (enum pms_op)pms_op_stands_in[op];
	return op;
}

/* Let the result be there in the next cycle, where the latency of this kind is switched off. */
static void shorten(const struct pms_params *params, enum pms_op op, struct pms_uop *uop)
{
	static const uint8_t mechanisms[] = { [PMS_KIND_INT] = PMS_MECHANISM_INT_LATENCY,
					      [PMS_KIND_FP] = PMS_MECHANISM_FP_LATENCY,
					      [PMS_KIND_DIVIDE] = PMS_MECHANISM_DIVIDE_LATENCY };
	const unsigned kind = pms_op_kinds[op];
	if (kind == PMS_KIND_OTHER || !pms_without(params, (enum pms_mechanism)mechanisms[kind]))
		return;
	uop->latency = uop->latency > 1 ? 1 : uop->latency;
	if (kind == PMS_KIND_DIVIDE)
		uop->busy = 1;
}

/* Remove from an operation the mechanisms that are switched off. */
static void leave_out(const struct pms_params *params, enum pms_op op, struct pms_uop *uop)
{
	shorten(params, op, uop);
	if (pms_without(params, PMS_MECHANISM_CRACKING))
		uop->rename_slots = uop->retire_slots = 1;
	if (pms_without(params, PMS_MECHANISM_PORTS))
		uop->unit = PMS_UNIT_NONE;
	if (pms_without(params, PMS_MECHANISM_BLOCKING))
		uop->busy = 1;
	if (pms_without(params, PMS_MECHANISM_ACQUIRE_RELEASE))
		uop->mem = (uint8_t)(uop->mem & ~(PMS_MEM_ACQUIRE | PMS_MEM_RELEASE));
}

/* Returns the ports of a load's or store's second micro-operation; 0: none. */
static unsigned second_ports(const struct pms_params *params, const struct pms_insn *insn)
{
	if (pms_without(params, PMS_MECHANISM_STORE_PORTS) && insn->mem & PMS_MEM_STORE)
		return 0;
	unsigned beside = pms_op_beside[insn->op];
	return beside ? params->op[beside].ports : 0;
}

#ifdef PMS_PLACES
/* Returns what waiting for the operation's own latency counts as. */
static enum pms_wait wait_of(const struct pms_uop *uop, enum pms_op op)
{
	static const uint8_t waits[] = { [PMS_KIND_OTHER] = PMS_WAIT_INTEGER,
					 [PMS_KIND_INT] = PMS_WAIT_INTEGER,
					 [PMS_KIND_FP] = PMS_WAIT_VECTOR,
					 [PMS_KIND_DIVIDE] = PMS_WAIT_DIVIDE };
	return uop->kind == PMS_UOP_SERIAL ? PMS_WAIT_SERIAL
					   : (enum pms_wait)waits[pms_op_kinds[op]];
}
#endif

/* Decode the instruction at @code. Returns its length in bytes. */
static unsigned decode(const struct pms_params *params, const uint8_t *code, struct pms_uop *out,
		       struct pms_uop_counts *counts)
{
	struct pms_insn insn;
	pms_isa_classify(code, &insn);
	const enum pms_op class = class_of(params, &insn);
	const struct pms_op_params *row = &params->op[class];

	memset(out, 0, sizeof(*out));
	memset(out->src, PMS_READY_ZERO, sizeof(out->src));
	memset(out->dst, PMS_READY_SINK, sizeof(out->dst));
	/* The few instructions with more sources wait only for the first ones. */
	memcpy(out->src, insn.src, insn.n_src < sizeof(out->src) ? insn.n_src : sizeof(out->src));
	_Static_assert(sizeof(insn.dst) == sizeof(out->dst), "as many results");
	memcpy(out->dst, insn.dst, insn.n_dst);
	out->n_addr = insn.n_addr & 7u;
	out->n_dst = insn.n_dst & 7u;
	out->more = (insn.length / PMS_ISA_PARCEL - 1u) & 3u;
	out->writeback = insn.writeback == PMS_REG_NONE ? PMS_READY_SINK : insn.writeback;
	out->kind = (uint8_t)kind_of(params, &insn);
	out->rename_slots = out->retire_slots = params->form_slots[insn.form];
	out->branch = insn.branch;
	out->mem = insn.mem;
	out->room_queue = row->queue;
	out->queue = row->queue;
	out->latency = row->latency;
	out->busy = row->busy;
	out->unit = row->ports ? (uint8_t) class : PMS_UNIT_NONE;
	out->disp = insn.disp;
	if (role_of(&insn) == PMS_ROLE_BARRIER)
		out->orders = insn.orders;
	leave_out(params, class, out);
	if (insn.mem & (PMS_MEM_LOAD | PMS_MEM_STORE) && !(insn.mem & PMS_MEM_HIDDEN))
		out->flags |= PMS_UOP_REPORTED;
	bool conditional = insn.mem & PMS_MEM_EXCLUSIVE && insn.mem & PMS_MEM_STORE;
	if (conditional)
		out->flags |= PMS_UOP_CONDITIONAL;
	if (insn.n_dst && insn.dst[0] >= PMS_ISA_VECTORS && insn.dst[0] < PMS_ISA_VECTORS_END)
		out->flags |= PMS_UOP_VECTOR;
	if (insn.n_src > 3 || insn.n_dst > 2)
		out->flags |= PMS_UOP_WIDE;
	unsigned second =
		pms_without(params, PMS_MECHANISM_PORTS) ? 0 : second_ports(params, &insn);
	if (second) {
		out->flags |= PMS_UOP_SECOND;
		out->second_ports = second;
	}
	bool halves = second && pms_op_beside[insn.op] == insn.op;
	if (out->rename_slots == 1 && !(out->flags & PMS_UOP_WIDE) && !halves && !conditional &&
	    !(out->mem & (PMS_MEM_ACQUIRE | PMS_MEM_RELEASE)))
		out->flags |= PMS_UOP_USUAL;
	if (insn.mem & PMS_MEM_LOAD)
		out->latency = (uint16_t)(out->latency + load_latency(params, out));
	unsigned piece = insn.mem & PMS_MEM_PAIR ? insn.mem_size / 2u : insn.mem_size;
	if (piece && piece <= 16 && !(piece & (piece - 1)))
		out->align = (uint8_t)(piece - 1);
	PMS_CHARGE(out->wait = (uint8_t)wait_of(out, class));
	*counts =
		(struct pms_uop_counts){ insn.spec, pms_op_roles[insn.op], insn.fp_ops, insn.fuse };
	return insn.length;
}

/* Returns whether two neighbouring instructions fuse. */
static bool can_fuse(const struct pms_params *params, const struct pms_uop uops[2],
		     const struct pms_uop_counts counts[2])
{
	if (uops[0].flags & PMS_UOP_FUSED_SECOND)
		return false;
	bool pair = params->pairs[counts[0].fuse] >> counts[1].fuse & 1;
	return pair && (uops[1].branch != PMS_BRANCH_NONE || uops[0].dst[0] == uops[1].dst[0]);
}

/* Fuse a pair: it issues once, with the first one's sources; a compare and branch takes the
 * branch port. */
static void fuse(struct pms_uop *a, struct pms_uop *b)
{
	a->flags |= PMS_UOP_FUSED_FIRST;
	b->flags |= PMS_UOP_FUSED_SECOND;
	a->retire_slots = 0;
	b->retire_slots = 1;
	b->rename_slots = 0;
	if (b->branch != PMS_BRANCH_NONE) {
		memcpy(b->src, a->src, sizeof(b->src));
		b->flags = (uint8_t)(b->flags | (a->flags & PMS_UOP_WIDE));
		a->unit = PMS_UNIT_NONE;
		a->room_queue = b->queue;
		a->queue = PMS_IQ_NONE;
	} else {
		b->unit = PMS_UNIT_NONE;
		b->queue = PMS_IQ_NONE;
		b->latency = 0;
	}
	b->room_queue = PMS_IQ_NONE;
}

/* Returns the kind of a simple operation, which has one slot and few registers. */
static enum pms_uop_kind simple_kind(const struct pms_uop *uop)
{
	bool small = uop->rename_slots <= 1 && uop->n_dst <= 1 && !(uop->flags & PMS_UOP_WIDE) &&
		     uop->writeback == PMS_READY_SINK;
	if (!small || uop->flags & PMS_UOP_FUSED_SECOND)
		return PMS_UOP_SIMPLE;
	if (uop->flags & PMS_UOP_FUSED_FIRST)
		return uop->queue == PMS_IQ_NONE ? PMS_UOP_COMPARE : PMS_UOP_SIMPLE;
	if (uop->unit == PMS_UNIT_NONE && uop->queue == PMS_IQ_NONE)
		return PMS_UOP_FREE;
	return uop->unit != PMS_UNIT_NONE && uop->busy == 1 ? PMS_UOP_PLAIN : PMS_UOP_SIMPLE;
}

unsigned pms_uops_decode_bytes(const struct pms_params *params, const void *code, size_t bytes,
			       unsigned most, struct pms_uop *out, struct pms_uop_counts *counts)
{
	const bool fuses = !pms_without(params, PMS_MECHANISM_FUSION);
	const uint8_t *at = code, *end = at + bytes;
	unsigned i = 0;
	for (; i < most && at < end; i++) {
		at += decode(params, at, &out[i], &counts[i]);
		if (i && fuses && can_fuse(params, &out[i - 1], &counts[i - 1]))
			fuse(&out[i - 1], &out[i]);
	}
	for (unsigned k = 0; k < i; k++)
		if (out[k].kind == PMS_UOP_SIMPLE)
			out[k].kind = (uint8_t)simple_kind(&out[k]);
	return i;
}

void pms_uops_decode(const struct pms_params *params, const void *code, unsigned count,
		     struct pms_uop *out, struct pms_uop_counts *counts)
{
	pms_uops_decode_bytes(params, code, (size_t)count * PMS_ISA_LONGEST, count, out, counts);
}

static void sum_add(struct pms_block_sums *sums, enum pms_counter counter, unsigned count)
{
	unsigned common = (unsigned)counter - PMS_COUNTER_INST_RETIRED;
	if (common < PMS_BLOCK_COMMON) {
		sums->common[common] = (uint16_t)(sums->common[common] + count);
		return;
	}
	for (unsigned i = 0; i < sums->count; i++) {
		if (sums->rows[i].counter == counter) {
			sums->rows[i].count = (uint16_t)(sums->rows[i].count + count);
			return;
		}
	}
	assert(sums->count < PMS_BLOCK_SUMS);
	sums->rows[sums->count++] = (struct pms_block_sum){ (uint16_t)counter, (uint16_t)count };
}

static void sum_branch(struct pms_block_sums *sums, const struct pms_uop *uop)
{
	bool indirect = uop->branch >= PMS_BRANCH_INDIRECT;
	sum_add(sums, PMS_COUNTER_BR_RETIRED, 1);
	sum_add(sums, indirect ? PMS_COUNTER_BR_INDIRECT_SPEC : PMS_COUNTER_BR_IMMED_SPEC, 1);
	sum_add(sums, PMS_COUNTER_BR_PRED, 1); /* a misprediction takes it back */
	if (uop->branch == PMS_BRANCH_RETURN)
		sum_add(sums, PMS_COUNTER_BR_RETURN_SPEC, 1);
}

/* Count events that the model cannot see, by the instruction's role, for the report's warnings. */
static void sum_unseen(struct pms_block_sums *sums, const struct pms_uop *uop, enum pms_role role)
{
	if (role == PMS_ROLE_PREFETCH)
		sum_add(sums, PMS_COUNTER_UNSEEN_PREFETCHES, 1);
	else if (role == PMS_ROLE_ZEROING)
		sum_add(sums, PMS_COUNTER_UNSEEN_ZEROING, 1);
	else if (uop->mem & PMS_MEM_HIDDEN)
		sum_add(sums, PMS_COUNTER_UNSEEN_ACCESSES, 1);
	if (role == PMS_ROLE_ATOMIC || role == PMS_ROLE_LOAD_EXCLUSIVE)
		sum_add(sums, PMS_COUNTER_ATOMICS, 1);
}

void pms_block_sum_uop(struct pms_block_sums *sums, const struct pms_uop *uop,
		       const struct pms_uop_counts *counts)
{
	/* An undefined instruction is renamed and takes its exception; it never retires. */
	bool retires = counts->role != PMS_ROLE_UNDEFINED;
	sum_add(sums, PMS_COUNTER_INST_SPEC, 1);
	if (retires)
		sum_add(sums, PMS_COUNTER_INST_RETIRED, 1);
	sum_add(sums, PMS_COUNTER_OP_SPEC, uop->rename_slots);
	sum_add(sums, retires ? PMS_COUNTER_OP_RETIRED : PMS_COUNTER_FLUSHED_FAULT,
		uop->rename_slots);
	for (uint32_t rest = counts->spec_set; rest; rest &= rest - 1)
		sum_add(sums, pms_spec_counter((unsigned)__builtin_ctz(rest)), 1);
	if (counts->fp_ops)
		sum_add(sums,
			pms_uop_scales(counts) ? PMS_COUNTER_FP_SCALE_OPS_SPEC
					       : PMS_COUNTER_FP_FIXED_OPS_SPEC,
			counts->fp_ops);
	if (uop->kind == PMS_UOP_BRANCH)
		sum_branch(sums, uop);
	sum_unseen(sums, uop, (enum pms_role)counts->role);
}

/* Find where the last instruction can lead. */
static void find_next(struct pms_block *block)
{
	const struct pms_uop *last = &block->ops[block->count - 1];
	uint64_t pc = pms_block_pc_of(block, block->count - 1), behind = pc + pms_uop_bytes(last);
	uint64_t target = pc + (uint64_t)(int64_t)last->disp;
	bool direct = last->branch == PMS_BRANCH_JUMP || last->branch == PMS_BRANCH_CALL;
	bool jumps = direct || last->branch == PMS_BRANCH_COND;
	block->next[0] = direct ? target : behind;
	block->next[1] = jumps ? target : behind;
	block->anywhere = last->kind == PMS_UOP_SERIAL || (last->kind == PMS_UOP_BRANCH && !jumps);
}

/* Find operations that may be fetched and renamed together: neighbours within a 32-byte window
 * of code, of which none drains the core. */
static void find_company(const struct pms_params *params, struct pms_block *block)
{
	const uint32_t least = 2 * PMS_TOGETHER_AHEAD;
	bool small = params->rob_entries < least || params->load_queue < least ||
		     params->store_queue < least;
	uint8_t slots = 0;
	for (uint32_t i = 0; i < block->count; i++) {
		block->ops[i].slots_before = slots;
		slots = (uint8_t)(slots + block->ops[i].rename_slots);
	}
	for (uint32_t i = block->count - 1; i > 0; i--) {
		struct pms_uop *before = &block->ops[i - 1];
		uint64_t pc = pms_block_pc_of(block, i);
		bool apart = small || pms_window_of(pc, &block->ops[i]) >= pc ||
			     block->ops[i].kind == PMS_UOP_SERIAL ||
			     before->kind == PMS_UOP_SERIAL ||
			     before->rename_slots - 1u >= PMS_TOGETHER_AHEAD / 2;
		before->with = apart ? 0 : (uint8_t)(block->ops[i].with + 1);
	}
}

/* Allocate the block at once: its operations first, rarely read parts behind them. */
static struct pms_block *allocate(unsigned count, const struct pms_block_sums *sums,
				  const struct pms_uop *ops, const struct pms_uop_counts *counts)
{
	size_t ops_size = count * sizeof(*ops), counts_size = count * sizeof(*counts);
	size_t rows_size = sums->count * sizeof(sums->rows[0]);
	struct pms_block *block = malloc(sizeof(*block) + ops_size + counts_size + rows_size);
	if (!block)
		return NULL;
	char *behind = (char *)block->ops + ops_size;
	memcpy(block->ops, ops, ops_size);
	memcpy(behind, counts, counts_size);
	memcpy(behind + counts_size, sums->rows, rows_size);
	block->counts = (const struct pms_uop_counts *)(void *)behind;
	block->rows = (const struct pms_block_sum *)(void *)(behind + counts_size);
	block->n_rows = sums->count;
	memcpy(block->common, sums->common, sizeof(block->common));
	return block;
}

struct pms_block *pms_block_new(const struct pms_params *params, uint64_t pc, const void *code,
				unsigned count)
{
	struct pms_uop *ops = calloc(count + 1, sizeof(*ops));
	struct pms_uop_counts *counts = calloc(count + 1, sizeof(*counts));
	struct pms_block *block = NULL;
	if (ops && counts) {
		struct pms_block_sums sums = { 0 };
		pms_uops_decode(params, code, count, ops, counts);
		for (unsigned i = 0; i < count; i++)
			pms_block_sum_uop(&sums, &ops[i], &counts[i]);
		block = allocate(count, &sums, ops, counts);
	}
	if (block) {
		block->pc = pc;
		block->count = count;
		block->anywhere = false;
		if (count) {
			find_next(block);
			find_company(params, block);
		}
	}
	free(counts);
	free(ops);
	return block;
}

void pms_block_free(struct pms_block *block)
{
	free(block);
}

uint64_t pms_block_pc(const struct pms_block *block)
{
	return block->pc;
}

bool pms_block_accesses(const struct pms_block *block, unsigned i)
{
	return block->ops[i].flags & PMS_UOP_REPORTED;
}

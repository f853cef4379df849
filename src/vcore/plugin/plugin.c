/* SPDX-License-Identifier: MIT */
/* vcore/plugin/plugin.c - QEMU front end: turns callbacks into blocks and accesses for the core
 * model. Flow: QEMU -> [plugin] -> model -> counters in the shared mapping.
 *
 * A block is run when the next one starts: only then are its accesses complete and its
 * successor known. A block that ends with a system call is run before the call, because the
 * thread may not return. */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "vcore/extent/meter.h"
#include "vcore/extent/phase.h"
#include "vcore/isa/isa.h"
#include "vcore/model/charge.h"
#include "vcore/model/core.h"
#include "vcore/model/hint.h"
#include "vcore/plugin/qemu_api.h"
#include "vcore/plugin/registers.h"
#ifdef PMS_PLACES
#include "vcore/plugin/where.h"
#endif
#include "vcore/share/share.h"

enum {
	BLOCK_INSNS = 512,		 /* the most instructions that QEMU puts into a block */
	BLOCK_ACCESSES = 2 * BLOCK_INSNS /* an atomic makes two */
};

/* The accesses of an instruction, as known at translation. */
struct shape {
	struct pms_access first; /* without the address; of all pieces together, which are
				  * contiguous */
	bool writes_too;	 /* a second access, a store, to the same place */
};

/* A block that QEMU translated. Freed when QEMU has dropped all its translations. */
struct block {
	struct pms_block *model;
	struct block *older;
	uint64_t end;	/* address after its last instruction */
	uint32_t count; /* instructions */
#ifdef PMS_PLACES
	uint32_t number; /* from 0 in order of translation */
#endif
	bool jumps;	       /* it ends with a return, or a jump to an address in a register */
	bool calls;	       /* ... with a call */
	struct shape shapes[]; /* one for each instruction; the user data of its accesses */
};

struct thread {
	struct pms_core *core; /* NULL before the first block for the model */
	struct pms_share_thread *slot;
	const struct block *pending; /* started, not yet run through the model; NULL: none */
	struct pms_phase phase;
	enum pms_mode mode; /* of the pending block */
	unsigned vcpu;
	uint32_t last; /* instruction of the last access; NO_INSN: none */
	uint32_t n_accesses;
	struct pms_access accesses[BLOCK_ACCESSES];
	/* The region. */
	uint64_t top;		   /* of the thread's stack */
	uint64_t return_to, stack; /* return address and stack of the call that entered it */
	bool jumped, called;	   /* the last block's, as in struct block */
	uint64_t last_end;	   /* its end */
	/* The outermost call from within the region that has not returned: its return address
	 * and stack, or 0. */
	uint64_t open_to, open_stack;
	struct byte_array *bytes;
	/* For runs that are counted in part. */
	struct pms_meter meter;
#ifdef PMS_PLACES
	struct where_thread where;
#endif
	uint64_t counters[PMS_COUNTER_COUNT];
};

enum { NO_INSN = UINT16_MAX };

struct context {
	struct pms_share *share;
	struct pms_code_source code;
	char *_Atomic guest_base; /* host address of guest address 0 */
	pthread_mutex_t lock;	  /* blocks, slots */
	struct block *blocks;
	char name[16]; /* of QEMU's main thread, before the guest could change it */
	bool stopped;  /* in a forked child, or at the end: nothing is counted */
	/* By QEMU's index; NULL: not seen, or not counted. An exiting thread leaves its index to
	 * another. So an index is below the number of threads so far, and of slots. */
	struct thread *threads[PMS_SHARE_THREADS];
	struct thread *hearing[PMS_SHARE_THREADS]; /* the same, if it wants accesses now */
	struct registers registers;
	uint64_t moved;	 /* distance from the file's addresses to this process's, if known */
	bool has_region; /* a region exists, and its place is known */
#ifdef PMS_PLACES
	struct where where;
	uint32_t n_blocks;
#endif
};

static struct context *context; /* the callbacks of API version 1 carry no context */

QEMU_EXPORT int qemu_plugin_version = QEMU_API_VERSION;

static void event_set(uint32_t bit)
{
	atomic_fetch_or_explicit(&context->share->events, bit, memory_order_relaxed);
}

/* Read the name that the guest gave its thread; none while it has QEMU's. */
static void thread_name(struct thread *thread)
{
	char name[sizeof(context->name)] = "";
	if (!prctl(PR_GET_NAME, name) && strcmp(name, context->name) != 0)
		memcpy(thread->slot->name, name, sizeof(name));
}

static void state_set(struct thread *thread, uint32_t state)
{
	atomic_store_explicit(&thread->slot->state, state, memory_order_relaxed);
}

static struct pms_share_thread *slot_take(void)
{
	struct pms_share *share = context->share;
	uint32_t i = atomic_load_explicit(&share->n_threads, memory_order_relaxed);
	if (i == PMS_SHARE_THREADS) {
		event_set(PMS_SHARE_THREADS_OUT);
		return NULL;
	}
	atomic_store_explicit(&share->n_threads, i + 1, memory_order_release);
	return &share->threads[i];
}

static bool is_whole(const struct pms_share_extent *extent)
{
	return !extent->detail && !extent->n_regions;
}

static struct thread *thread_new(struct pms_share_thread *slot, unsigned vcpu)
{
	struct pms_share *share = context->share;
	struct thread *thread = calloc(1, sizeof(*thread));
	if (!thread)
		return NULL;
	thread->slot = slot;
	thread->vcpu = vcpu;
	thread->mode = PMS_MODE_SKIP;
	pms_phase_init(&thread->phase, &share->extent, &share->forward_taken,
		       (unsigned)(slot - share->threads));
	if (share->extent.n_regions)
		thread->bytes = registers_array(&context->registers);
	return thread;
}

#ifdef PMS_PLACES
static void charge_begin(struct thread *thread)
{
	struct where *where = &context->where;
	thread->where.slot = (uint32_t)(thread->slot - context->share->threads);
	if (where->ledger)
		pms_core_charge(thread->core, where->ledger, thread->where.slot, where->shift);
	if (!is_whole(&context->share->extent))
		pms_core_charge_part(thread->core, false, 0);
}

/* Charge the pending block to its rows. */
static inline void charge_block(struct thread *thread)
{
	struct where *where = &context->where;
	if (!where->ledger)
		return;
	char *base = atomic_load_explicit(&context->guest_base, memory_order_relaxed);
	pms_core_charge_to(thread->core, where_rows(where, &thread->where, thread->pending->number,
						    thread->pending->model, base));
}
#endif

static bool core_make(struct thread *thread)
{
	struct pms_share *share = context->share;
	bool whole = is_whole(&share->extent);
	uint64_t *counters = whole ? thread->slot->counters : thread->counters;
	thread->core =
		pms_core_new(&share->params, counters, share->wrong_path ? &context->code : NULL);
	if (thread->core && !whole)
		pms_meter_init(&thread->meter, thread->core, counters, &share->params,
			       thread->slot);
	PMS_CHARGE(if (thread->core) charge_begin(thread));
	return thread->core != NULL;
}

static bool is_metered(const struct thread *thread)
{
	return thread->mode == PMS_MODE_COUNT && thread->core && thread->meter.core;
}

static int64_t *group_of(const struct thread *thread)
{
	if (!context->share->extent.detail || thread->phase.first)
		return NULL;
	return thread->slot->groups[pms_phase_group(&thread->phase)];
}

/* Returns whether the model's time stands still. */
static bool stands_still(enum pms_mode mode)
{
	return mode == PMS_MODE_FOLLOW || mode == PMS_MODE_WARM;
}

/* Switch the core to the mode of the blocks from here on. Nothing is pending. */
static PMS_APART void mode_change(struct thread *thread)
{
	enum pms_mode from = thread->mode, to = thread->phase.mode;
	if (is_metered(thread))
		pms_meter_read(&thread->meter);
	PMS_CHARGE(if (thread->core) pms_core_charge_part(thread->core, false, 0));
	if (stands_still(from) && !stands_still(to))
		pms_core_resume(thread->core);
	if (to != PMS_MODE_SKIP && !thread->core && !core_make(thread)) {
		event_set(PMS_SHARE_NOMEM);
		thread->phase.left = INT64_MAX; /* to the end */
		thread->phase.mode = to = PMS_MODE_SKIP;
	}
	if (stands_still(to) && !stands_still(from))
		pms_core_warm_begin(thread->core);
	thread->mode = to;
	if (is_metered(thread)) {
		thread->slot->windows += !thread->phase.first;
		pms_meter_open(&thread->meter, group_of(thread));
	}
	PMS_CHARGE(if (thread->core) pms_core_charge_part(thread->core, to == PMS_MODE_COUNT,
							  context->share->extent.detail &&
								  !thread->phase.first));
	context->hearing[thread->vcpu] = to == PMS_MODE_SKIP ? NULL : thread;
}

/* Set up a thread at its first block. QEMU announces it earlier, but in its parent. */
static PMS_APART struct thread *thread_begin(unsigned vcpu)
{
	struct thread *thread = NULL;
	if (context->stopped)
		return NULL;
	pthread_mutex_lock(&context->lock);
	struct pms_share_thread *slot = vcpu < PMS_SHARE_THREADS ? slot_take() : NULL;
	if (slot) {
		thread = thread_new(slot, vcpu);
		if (!thread)
			event_set(PMS_SHARE_NOMEM);
	}
	pthread_mutex_unlock(&context->lock);
	if (!thread)
		return NULL;
	thread_name(thread);
	atomic_store_explicit(&slot->tid, gettid(), memory_order_relaxed);
	event_set(PMS_SHARE_STARTED);
	context->threads[vcpu] = thread;
	mode_change(thread);
	return thread;
}

static inline void pending_run(struct thread *thread, enum pms_block_end end, uint64_t next)
{
	state_set(thread, PMS_THREAD_IN_MODEL);
	if (thread->mode == PMS_MODE_FOLLOW)
		pms_core_follow(thread->core, thread->pending->model, end, next);
	else if (__builtin_expect(thread->mode == PMS_MODE_WARM, 0))
		pms_core_warm(thread->core, thread->pending->model, thread->accesses,
			      thread->n_accesses, end, next);
	else {
		PMS_CHARGE(charge_block(thread));
		pms_core_run(thread->core, thread->pending->model, thread->accesses,
			     thread->n_accesses, end, next);
	}
	state_set(thread, PMS_THREAD_RUNNING);
}

static void thread_drain(struct thread *thread)
{
	state_set(thread, PMS_THREAD_IN_MODEL);
	if (thread->core && !stands_still(thread->mode))
		pms_core_drain(thread->core);
	if (is_metered(thread))
		pms_meter_read(&thread->meter);
	state_set(thread, PMS_THREAD_ENDED); /* until it runs on */
}

static void thread_end(struct thread *thread)
{
	if (thread->pending)
		pending_run(thread, PMS_END_FAULT, 0);
	thread_drain(thread);
	pms_core_free(thread->core);
	PMS_CHARGE(where_thread_release(&thread->where));
	free(thread);
}

static uint64_t register_read(const struct thread *thread, int number)
{
	return registers_read(&context->registers, thread->bytes, thread->vcpu, number);
}

static bool is_in_region(uint64_t pc)
{
	const struct pms_share_extent *extent = &context->share->extent;
	for (uint32_t i = 0; i < extent->n_regions; i++)
		if (pc - context->moved - extent->regions[i].address < extent->regions[i].size)
			return true;
	return false;
}

static bool is_entry(uint64_t pc)
{
	const struct pms_share_extent *extent = &context->share->extent;
	for (uint32_t i = 0; i < extent->n_regions; i++)
		if (pc - context->moved == extent->regions[i].address)
			return true;
	return false;
}

/* Returns whether @stack is further out than the call's, and of the same stack: signal handlers
 * and coroutines may have their own. */
static bool is_past_frame(const struct thread *thread, uint64_t stack)
{
	bool is_own = thread->stack > thread->top; /* its end is unknown */
	return stack > thread->stack && (stack <= thread->top || is_own);
}

/* Returns whether the last jump, to @pc, left the region's frame: back to its caller, or past
 * it. The stack may be as it was at the call. Then a jump elsewhere may be a tail call, which
 * returns to the link register's address once all calls are done. Or it is longjmp, or an
 * exception's handler, out of calls that never return. */
static bool has_left(const struct thread *thread, uint64_t pc, uint64_t stack)
{
	if (stack != thread->stack)
		return is_past_frame(thread, stack);
	if (pc == thread->return_to)
		return true;
	return !is_in_region(pc) &&
	       (thread->open_to ||
		register_read(thread, pms_isa.link_register) != thread->return_to);
}

/* Note a call that ended the last block. Called before @pc. */
static void call_note(struct thread *thread, uint64_t stack)
{
	if (thread->open_to && stack < thread->open_stack)
		return;
	thread->open_to = thread->last_end;
	thread->open_stack = stack;
}

/* Forget the open call if the last jump, to @pc, ended it: by a return, to a handler in the
 * region, or past it. */
static void call_forget(struct thread *thread, uint64_t pc, uint64_t stack)
{
	if (stack > thread->open_stack ||
	    (stack == thread->open_stack && (pc == thread->open_to || is_in_region(pc))))
		thread->open_to = 0;
}

/* Follow the thread within the region, before @pc. Returns whether it leaves. */
static bool region_step(struct thread *thread, uint64_t pc)
{
	if (!thread->jumped && !thread->called)
		return false;
	uint64_t stack = register_read(thread, pms_isa.stack_register);
	if (thread->called) {
		call_note(thread, stack);
		return false;
	}
	if (has_left(thread, pc, stack))
		return true;
	call_forget(thread, pc, stack);
	return false;
}

/* Enter or leave the region before @block. */
static PMS_APART void region_follow(struct thread *thread, const struct block *block)
{
	uint64_t pc = pms_block_pc(block->model);
	bool was_inside = thread->phase.inside;
	if (!thread->top)
		thread->top = register_read(thread, pms_isa.stack_register);
	else if (was_inside && region_step(thread, pc))
		pms_phase_leave(&thread->phase);
	if (!thread->phase.inside && is_entry(pc)) {
		thread->return_to = register_read(thread, pms_isa.link_register);
		thread->stack = register_read(thread, pms_isa.stack_register);
		thread->open_to = 0;
		pms_phase_enter(&thread->phase);
	}
	thread->jumped = block->jumps;
	thread->called = block->calls;
	thread->last_end = block->end;
	if (thread->phase.inside != was_inside)
		mode_change(thread);
}

static PMS_APART void phase_end(struct thread *thread)
{
	pms_phase_next(&thread->phase);
	mode_change(thread);
}

/* Run the last block, which is complete now, and start this one. QEMU calls it before each block.
 */
static void on_block(unsigned vcpu, void *userdata)
{
	const struct block *block = userdata;
	struct thread *thread = vcpu < PMS_SHARE_THREADS ? context->threads[vcpu] : NULL;
	if (__builtin_expect(!thread, 0)) {
		thread = thread_begin(vcpu);
		if (!thread)
			return;
	}
	if (thread->pending)
		pending_run(thread, PMS_END_NEXT, pms_block_pc(block->model));
	else /* the first block, or the first after a system call, or one that is left out */
		state_set(thread, PMS_THREAD_RUNNING);
	thread->pending = NULL;
	if (context->has_region)
		region_follow(thread, block);
	if (__builtin_expect(thread->phase.left <= 0, 0))
		phase_end(thread);
	thread->phase.left -= block->count;
	*(thread->phase.forward ? &thread->slot->forwarded : &thread->slot->instructions) +=
		block->count;
	if (thread->mode == PMS_MODE_SKIP)
		return;
	thread->pending = block;
	thread->last = NO_INSN;
	thread->n_accesses = 0;
}

static inline void follow_access(struct thread *thread, const struct shape *shape, uint64_t address)
{
	struct pms_access access = shape->first;
	access.address = address;
	access.store |= shape->writes_too;
	pms_core_follow_data(thread->core, thread->pending->model, &access);
}

/* Collect an access. QEMU reports it in pieces: registers of 16 bytes as two, structures by
 * element. An atomic comes as a load and a store or, once a second thread has existed, as one
 * store. The first piece has the lowest address, which is enough with the instruction's shape. */
static void on_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *userdata)
{
	(void)info;
	struct thread *thread = vcpu < PMS_SHARE_THREADS ? context->hearing[vcpu] : NULL;
	const struct shape *shape = userdata;
	if (!thread)
		return;
	if (thread->last == shape->first.insn)
		return;
	thread->last = shape->first.insn;
	if (thread->mode == PMS_MODE_FOLLOW) {
		follow_access(thread, shape, address);
		return;
	}
	assert(thread->n_accesses + 1 < BLOCK_ACCESSES);
	struct pms_access *access = &thread->accesses[thread->n_accesses++];
	*access = shape->first;
	access->address = address;
	if (shape->writes_too) {
		access[1] = *access;
		access[1].store = true;
		thread->n_accesses++;
	}
}

/* Ask for the accesses of instruction @i, if the model wants them. */
static void insn_instrument(struct block *block, struct qemu_plugin_insn *insn, unsigned i,
			    const struct pms_insn *kind)
{
	if (!pms_block_accesses(block->model, i))
		return;
	bool loads = kind->mem & PMS_MEM_LOAD, stores = kind->mem & PMS_MEM_STORE;
	block->shapes[i] = (struct shape){ { 0, i, kind->mem_size, !loads }, loads && stores };
	qemu_plugin_register_vcpu_mem_cb(insn, on_access, QEMU_PLUGIN_CB_NO_REGS,
					 QEMU_PLUGIN_MEM_RW, &block->shapes[i]);
}

/* Note how a block ends, by its last instruction. */
static void end_note(struct block *block, enum pms_branch branch)
{
	block->jumps = branch == PMS_BRANCH_INDIRECT || branch == PMS_BRANCH_RETURN;
	block->calls = branch == PMS_BRANCH_CALL || branch == PMS_BRANCH_INDIRECT_CALL;
}

/* @code: @size bytes of @count instructions */
static struct block *block_new(uint64_t pc, const uint8_t *code, size_t size, unsigned count)
{
	struct block *block = calloc(1, sizeof(*block) + count * sizeof(block->shapes[0]));
	if (!block)
		return NULL;
	block->model = pms_block_new(&context->share->params, pc, code, count);
	if (!block->model) {
		free(block);
		return NULL;
	}
	block->end = pc + size;
	block->count = count;
	pthread_mutex_lock(&context->lock);
	block->older = context->blocks;
	context->blocks = block;
	PMS_CHARGE(block->number = context->n_blocks++);
	pthread_mutex_unlock(&context->lock);
	return block;
}

static void guest_base_note(struct qemu_plugin_insn *first, uint64_t pc)
{
	char *host = qemu_plugin_insn_haddr(first);
	if (host)
		atomic_store_explicit(&context->guest_base, host - pc, memory_order_relaxed);
}

/* Find the region's place, before any guest code runs: the code's address shows where the file
 * was loaded. */
static void region_place(void)
{
	const struct pms_share_extent *extent = &context->share->extent;
	if (!extent->n_regions || context->has_region)
		return;
	context->moved = qemu_plugin_start_code() - extent->file_code;
	context->has_region = true;
}

/* Returns the bytes of an instruction. Where all have the same length, QEMU need not be asked. */
static size_t insn_bytes(const struct qemu_plugin_insn *insn)
{
	if ((int)PMS_ISA_PARCEL == (int)PMS_ISA_LONGEST)
		return PMS_ISA_PARCEL;
	return qemu_plugin_insn_size(insn);
}

/* Decode a block that QEMU translates, once, and ask for the callbacks that the model needs of it.
 */
static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	(void)id;
	uint8_t code[(BLOCK_INSNS + 1) * PMS_ISA_LONGEST];
	size_t count = qemu_plugin_tb_n_insns(tb);
	uint64_t pc = qemu_plugin_tb_vaddr(tb);
	if (context->stopped || !count || count > BLOCK_INSNS)
		return;
	size_t size = 0;
	for (size_t i = 0; i < count; i++) {
		const struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		memcpy(&code[size], qemu_plugin_insn_data(insn), insn_bytes(insn));
		size += insn_bytes(insn);
	}
	guest_base_note(qemu_plugin_tb_get_insn(tb, 0), pc);
	region_place();
	struct block *block = block_new(pc, code, size, (unsigned)count);
	if (!block) {
		event_set(PMS_SHARE_NOMEM);
		return;
	}
	struct pms_insn kind = { 0 };
	const uint8_t *at = code;
	for (unsigned i = 0; i < count; i++, at += kind.length) {
		pms_isa_classify(at, &kind);
		insn_instrument(block, qemu_plugin_tb_get_insn(tb, i), i, &kind);
	}
	end_note(block, (enum pms_branch)kind.branch);
	qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, QEMU_PLUGIN_CB_NO_REGS, block);
}

static bool block_is_pending(const struct block *block)
{
	unsigned n = atomic_load_explicit(&context->share->n_threads, memory_order_relaxed);
	for (unsigned i = 0; i < n; i++)
		if (context->threads[i] && context->threads[i]->pending == block)
			return true;
	return false;
}

/* Free all blocks but the pending ones: QEMU has dropped every translation, with all threads
 * halted. */
static void on_flush(qemu_plugin_id_t id)
{
	(void)id;
	if (context->stopped)
		return;
	struct block *kept = NULL;
	for (struct block *block = context->blocks, *older; block; block = older) {
		older = block->older;
		if (block_is_pending(block)) {
			block->older = kept;
			kept = block;
			continue;
		}
		pms_block_free(block->model);
		free(block);
	}
	context->blocks = kept;
}

static void on_syscall(qemu_plugin_id_t id, unsigned vcpu, int64_t number, uint64_t a1, uint64_t a2,
		       uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
	(void)id, (void)a1, (void)a2, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
	struct thread *thread = vcpu < PMS_SHARE_THREADS ? context->threads[vcpu] : NULL;
	if (!thread)
		return;
	if (thread->pending) { /* the call ends it, and its successor tells the model nothing */
		pending_run(thread, PMS_END_NEXT, thread->pending->end);
		thread->pending = NULL;
	}
	enum pms_isa_call call = pms_isa_call(number);
	if (call == PMS_ISA_CALL_MAY_END || call == PMS_ISA_CALL_REPLACES)
		thread_drain(thread);
	if (call == PMS_ISA_CALL_REPLACES)
		event_set(PMS_SHARE_EXECED);
}

/* Continue after an execve that failed: only then it returns. */
static void on_syscall_return(qemu_plugin_id_t id, unsigned vcpu, int64_t number, int64_t result)
{
	(void)id, (void)vcpu, (void)result;
	PMS_CHARGE(if (pms_isa_call(number) == PMS_ISA_CALL_MAPS) where_remap(&context->where));
	if (!context->stopped && pms_isa_call(number) == PMS_ISA_CALL_REPLACES)
		atomic_fetch_and_explicit(&context->share->events, ~(uint32_t)PMS_SHARE_EXECED,
					  memory_order_relaxed);
}

static void on_thread_exit(qemu_plugin_id_t id, unsigned vcpu)
{
	(void)id;
	struct thread *thread = vcpu < PMS_SHARE_THREADS ? context->threads[vcpu] : NULL;
	if (!thread)
		return;
	context->threads[vcpu] = NULL;
	context->hearing[vcpu] = NULL;
	thread_name(thread);
	thread_end(thread);
}

/* Finish: the process exits. QEMU has halted the other threads and unregistered every callback. */
static void on_process_exit(qemu_plugin_id_t id, void *userdata)
{
	(void)id, (void)userdata;
	if (context->stopped)
		return;
	context->stopped = true;
	for (unsigned i = 0; i < PMS_SHARE_THREADS; i++) {
		struct thread *thread = context->threads[i];
		context->threads[i] = NULL;
		context->hearing[i] = NULL;
		if (thread)
			thread_end(thread);
	}
}

/* Note a fork in the parent, which may end before the child has run at all. */
static void on_fork_parent(void)
{
	event_set(PMS_SHARE_FORKED);
}

/* Stop counting in a forked child, which shares the parent's cores and mapping. */
static void on_fork_child(void)
{
	context->stopped = true;
	memset(context->threads, 0, sizeof(context->threads));
	memset(context->hearing, 0, sizeof(context->hearing));
}

/* Read guest code through the kernel, which fails on an unmapped address instead of faulting. */
static bool code_read(void *userdata, uint64_t line, void *code)
{
	const struct context *c = userdata;
	const size_t size = 64;
	char *base = atomic_load_explicit(&c->guest_base, memory_order_relaxed);
	struct iovec local = { code, size };
	struct iovec remote = { base + line, size };
	ssize_t n = process_vm_readv((pid_t)c->share->pid, &local, 1, &remote, 1, 0);
	if (n < 0 && errno != EFAULT)
		event_set(PMS_SHARE_BLIND);
	return n == (ssize_t)size;
}

#ifdef PMS_PLACES
/* Map the ledger that follows. Its pages take memory once they are written. NULL: there is none. */
static void *ledger_map(const struct pms_share *share, int fd)
{
	size_t size = (size_t)share->ledger * PMS_LEDGER_CHUNK;
	if (!size)
		return NULL;
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd,
			PMS_SHARE_LEDGER);
	if (at == MAP_FAILED)
		return NULL;
	madvise(at, size, MADV_DONTDUMP);
	return at;
}
#endif

static struct pms_share *share_map(int fd)
{
	struct stat st;
	if (fstat(fd, &st) || st.st_size < (off_t)sizeof(struct pms_share))
		return NULL;
	struct pms_share *share =
		mmap(NULL, sizeof(*share), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (share == MAP_FAILED)
		return NULL;
	if (share->magic == PMS_SHARE_MAGIC && share->size == sizeof(*share)) {
		PMS_CHARGE(where_init(&context->where, ledger_map(share, fd),
				      share->extent.detail != 0));
		return share;
	}
	munmap(share, sizeof(*share));
	return NULL;
}

/* Map the launcher's descriptor, from the only argument "share=N", and close it: the guest must
 * not see it. */
static struct pms_share *share_open(int argc, char **argv)
{
	static const char key[] = "share=";
	char *end;
	if (argc != 1 || strncmp(argv[0], key, sizeof(key) - 1) != 0)
		return NULL;
	long fd = strtol(argv[0] + sizeof(key) - 1, &end, 10);
	if (*end || fd < 0 || fd > INT_MAX)
		return NULL;
	struct pms_share *share = share_map((int)fd);
	close((int)fd);
	return share;
}

static void callbacks_register(qemu_plugin_id_t id)
{
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	qemu_plugin_register_vcpu_syscall_cb(id, on_syscall);
	qemu_plugin_register_vcpu_syscall_ret_cb(id, on_syscall_return);
	qemu_plugin_register_vcpu_exit_cb(id, on_thread_exit);
	qemu_plugin_register_flush_cb(id, on_flush);
	qemu_plugin_register_atexit_cb(id, on_process_exit, NULL);
}

int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info, int argc, char **argv)
{
	if (strcmp(info->target_name, pms_isa.target) != 0) {
		fprintf(stderr, "pmuscope-vcore: models %s, not %s\n", pms_isa.name,
			info->target_name);
		return -1;
	}
	context = calloc(1, sizeof(*context));
	struct pms_share *share = context ? share_open(argc, argv) : NULL;
	if (!share) {
		fprintf(stderr,
			"pmuscope-vcore: no mapping of this version; start it by pmuscope\n");
		return -1;
	}
	if (pthread_atfork(NULL, on_fork_parent, on_fork_child))
		return -1;
	pthread_mutex_init(&context->lock, NULL);
	context->share = share;
	if (share->extent.n_regions &&
	    !registers_find(&context->registers, pms_isa.read_register)) {
		event_set(PMS_SHARE_NO_REGISTERS);
		return -1;
	}
	context->code = (struct pms_code_source){ code_read, context };
	prctl(PR_GET_NAME, context->name);
	share->pid = getpid();
	/* A launcher that is killed takes the guest with it. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	callbacks_register(id);
	return 0;
}

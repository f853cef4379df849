/* SPDX-License-Identifier: MIT */
/* vcore/model/uop.h - an instruction as the timing model needs it: a struct pms_insn joined with
 * its class's latency and ports. Register lists are padded, so that the hot loop has no inner
 * loops. */
#ifndef PMS_VCORE_MODEL_UOP_H
#define PMS_VCORE_MODEL_UOP_H

#include <stdbool.h>
#include <stdint.h>

#include "vcore/model/btb.h"
#include "vcore/model/parcel.h"
#include "vcore/share/counters.h"
#include "vcore/isa/insn.h"
#include "vcore/share/params.h"

/* The path that an instruction takes through the hot loop. */
enum pms_uop_kind {
	PMS_UOP_PLAIN, /* simple: one slot, at most three sources and one result; the usual case */
	PMS_UOP_COMPARE, /* like PLAIN, and issues with the branch behind it */
	PMS_UOP_FREE,	 /* like PLAIN, but takes no queue and no port: moves, nop */
	PMS_UOP_SIMPLE,
	PMS_UOP_BRANCH,
	PMS_UOP_BARRIER, /* later accesses wait for earlier ones */
	/* Operations that wait for more than a slot at rename: */
	PMS_UOP_LOAD,
	PMS_UOP_STORE,
	PMS_UOP_ATOMIC, /* reads and writes memory */
	PMS_UOP_SERIAL	/* system calls, traps and the like: the core drains first */
};

/* .flags */
enum {
	PMS_UOP_FUSED_FIRST = 1, /* shares its slot with the next instruction */
	PMS_UOP_FUSED_SECOND = 2,
	PMS_UOP_VECTOR = 4,	  /* a load to vector registers */
	PMS_UOP_REPORTED = 8,	  /* the front end reports its accesses */
	PMS_UOP_CONDITIONAL = 16, /* ... but it may make none: a store exclusive */
	PMS_UOP_WIDE = 32,	  /* more than three sources or two results */
	PMS_UOP_USUAL = 64,	  /* a load or store of one slot that orders nothing, and is
				   * neither wide nor conditional */
	PMS_UOP_SECOND = 128	  /* has a second micro-operation: .second_ports */
};

/* Scoreboard entries beyond the registers: a source that is always ready, and a result that
 * nobody reads. */
enum { PMS_READY_ZERO = PMS_REG_COUNT, PMS_READY_SINK, PMS_READY_COUNT };

enum { PMS_WINDOW_BYTES = 32 }; /* bytes of code that an entry of the micro-op cache holds */

/* Rename looks this many slots ahead, if the queues have twice as many entries. */
enum { PMS_TOGETHER_AHEAD = 32 };

enum { PMS_UNIT_NONE = PMS_OP_COUNT }; /* it needs no port */

enum { PMS_UOP_SOURCES = 5, PMS_UOP_RESULTS = 5 };

/* The part of an instruction that the hot loop reads. It takes half a line of the host's caches,
 * because a large program's blocks would not fit otherwise. */
struct pms_uop {
	uint8_t kind, flags;
	uint8_t with;	      /* operations behind it that may be renamed with it, see
			       * pms_rename_next */
	uint8_t slots_before; /* rename slots of the block's earlier operations, modulo 256 */
	uint8_t rename_slots; /* a pair's slots are taken by its first operation */
	uint8_t retire_slots; /* ... and retire with its second one */
	uint8_t branch, mem;
	uint8_t room_queue; /* issue queue that must have room at rename */
	uint8_t queue;	    /* issue queue held until issue */
	uint8_t n_addr : 3; /* this many first sources form the address */
	uint8_t n_dst : 3;
	uint8_t more : 2;	      /* parcels of its encoding beyond the first */
	uint8_t src[PMS_UOP_SOURCES]; /* padded with PMS_READY_ZERO */
	uint8_t dst[PMS_UOP_RESULTS]; /* padded with PMS_READY_SINK */
	uint8_t writeback;	      /* PMS_READY_SINK when none */
	uint8_t busy;
	uint8_t align;	  /* low address bits that are 0 in an aligned access; 0: no such rule */
	uint16_t latency; /* of a load: from its issue */
	uint8_t unit;	  /* class whose ports it takes, or PMS_UNIT_NONE */
	uint8_t wait;	  /* enum pms_wait of its own latency, in the build that charges */
	union {
		int32_t disp;	       /* of branches and literal loads */
		uint32_t second_ports; /* a store's data; the other half of a load */
		uint8_t orders;	       /* of a barrier: PMS_ORDERS_* */
	};
};
_Static_assert(sizeof(struct pms_uop) == 32, "half a cache line");

/* The part that only decoding and counting need. */
struct pms_uop_counts {
	uint32_t spec_set; /* 1 << PMS_SPEC_* */
	uint8_t role;	   /* enum pms_role */
	uint8_t fp_ops;
	uint8_t fuse; /* enum pms_fuse: the role it could have in a pair; .flags tells its actual
		       * role */
};

/** Returns whether the instruction's vectors have the core's length: its operations are then
 * counted for each 128 bits. */
static inline bool pms_uop_scales(const struct pms_uop_counts *counts)
{
	return counts->spec_set >> PMS_ISA_SCALES & 1;
}

struct pms_block_sum {
	uint16_t counter, count;
};

/* The counts of one whole execution of a block. The counters that nearly every block has lie
 * together, from PMS_COUNTER_INST_RETIRED on, and are added at once. */
enum { PMS_BLOCK_COMMON = 12, PMS_BLOCK_SUMS = 32 };

struct pms_block_sums {
	uint16_t common[PMS_BLOCK_COMMON];
	uint16_t count; /* of rows */
	struct pms_block_sum rows[PMS_BLOCK_SUMS];
};

struct pms_block {
	uint64_t pc;
	uint64_t next[2]; /* control goes on at one of these, unless a signal or a fault
			   * intervenes */
	uint32_t count;
	bool anywhere; /* control may go on anywhere */
	uint16_t n_rows;
	uint16_t common[PMS_BLOCK_COMMON];   /* as in struct pms_block_sums */
	const struct pms_block_sum *rows;    /* n_rows of them */
	const struct pms_uop_counts *counts; /* count of them */
	struct pms_uop ops[];
};

/** Returns the bytes of an instruction's encoding. */
static inline unsigned pms_uop_bytes(const struct pms_uop *uop)
{
	if (PMS_ONE_LENGTH)
		return PMS_ISA_PARCEL;
	return (uop->more + 1u) * PMS_ISA_PARCEL;
}

/** Returns the window of code that holds the last byte of the instruction at @pc: its address,
 * which is not below @pc where the instruction is the window's first. */
static inline uint64_t pms_window_of(uint64_t pc, const struct pms_uop *uop)
{
	uint64_t last = PMS_ONE_LENGTH ? pc : pc + pms_uop_bytes(uop) - PMS_ISA_PARCEL;
	return last & ~(uint64_t)(PMS_WINDOW_BYTES - 1);
}

/** Returns the address of instruction @i of a block, or of what follows it. */
static inline uint64_t pms_block_pc_of(const struct pms_block *block, uint32_t i)
{
	if (PMS_ONE_LENGTH)
		return block->pc + PMS_ISA_PARCEL * (uint64_t)i;
	uint64_t pc = block->pc;
	for (const struct pms_uop *uop = block->ops; uop != block->ops + i; uop++)
		pc += pms_uop_bytes(uop);
	return pc;
}

/** Returns the address behind a block. */
static inline uint64_t pms_block_end(const struct pms_block *block)
{
	return pms_block_pc_of(block, block->count);
}

/** Add the counts of one instruction of the right path, wherever it runs. */
void pms_block_sum_uop(struct pms_block_sums *sums, const struct pms_uop *uop,
		       const struct pms_uop_counts *counts);

/**
 * Decode @count instructions that follow each other, and mark the pairs that fuse.
 * @code: their bytes, PMS_ISA_LONGEST from the last one on; @out, @counts: @count of them
 */
void pms_uops_decode(const struct pms_params *params, const void *code, unsigned count,
		     struct pms_uop *out, struct pms_uop_counts *counts);

/** Decode as pms_uops_decode does the instructions that begin in @bytes of code, at most @most.
 * Returns how many. */
unsigned pms_uops_decode_bytes(const struct pms_params *params, const void *code, size_t bytes,
			       unsigned most, struct pms_uop *out, struct pms_uop_counts *counts);

/** Returns the counter of a speculative-operation event. */
static inline enum pms_counter pms_spec_counter(unsigned spec)
{
	static const uint8_t counters[PMS_SPEC_COUNT] = {
#define X(name) PMS_COUNTER_##name,
		PMS_SPECS(X)
#undef X
	};
	return (enum pms_counter)counters[spec];
}

#endif

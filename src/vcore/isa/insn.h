/* SPDX-License-Identifier: MIT */
/* vcore/isa/insn.h - the properties of an instruction that the core model needs, for any ISA.
 * Classes of operations (PMS_OPS), registers (PMS_REG_*) and counted kinds (PMS_SPECS) are the
 * ISA's own.
 * Flow: guest bytes -> [insn] -> micro-ops -> model. */
#ifndef PMS_VCORE_ISA_INSN_H
#define PMS_VCORE_ISA_INSN_H

#include <stdint.h>

#include "vcore/isa/chosen.h"

enum pms_op {
#define X(id, name) PMS_OP_##id,
	PMS_OPS(X)
#undef X
		PMS_OP_COUNT
};

enum { PMS_REG_NONE = 0xff }; /* no register: always ready, never written */

/* Special properties of a class, beyond its numbers. */
enum pms_role {
	PMS_ROLE_PLAIN,
	PMS_ROLE_MOVE, /* copies a register or zero: a core may do it at rename */
	PMS_ROLE_ATOMIC,
	PMS_ROLE_LOAD_EXCLUSIVE,
	PMS_ROLE_STORE_EXCLUSIVE,
	PMS_ROLE_PREFETCH,
	PMS_ROLE_ZEROING,   /* of a line */
	PMS_ROLE_BARRIER,   /* later accesses wait for earlier ones, as .orders says */
	PMS_ROLE_SYNC,	    /* the core waits until all its stores are written */
	PMS_ROLE_REFETCH,   /* ... until it is empty, and fetches anew */
	PMS_ROLE_CALL,	    /* ... and enters the kernel */
	PMS_ROLE_TRAP,	    /* ... which ends the program or calls a handler */
	PMS_ROLE_UNDEFINED, /* the same, and it never retires */
};

/* The kind of a class whose result takes time to compute. */
enum pms_kind { PMS_KIND_OTHER, PMS_KIND_INT, PMS_KIND_FP, PMS_KIND_DIVIDE };

/* Tables by enum pms_op, with PMS_OP_COUNT rows. 0 in .beside and .stands_in means none. */
extern const uint8_t pms_op_roles[];	 /* enum pms_role */
extern const uint8_t pms_op_kinds[];	 /* enum pms_kind */
extern const uint8_t pms_op_beside[];	 /* class whose ports the second micro-operation takes;
					  * its own class: two halves */
extern const uint8_t pms_op_stands_in[]; /* class that replaces it where a core gives no numbers
					  * for it, or switches its mechanism off */

enum pms_branch {
	PMS_BRANCH_NONE = 0,
	PMS_BRANCH_COND, /* target in the code; may fall through */
	PMS_BRANCH_JUMP, /* target in the code */
	PMS_BRANCH_CALL, /* the same, and the return address is kept */
	PMS_BRANCH_INDIRECT,
	PMS_BRANCH_INDIRECT_CALL,
	PMS_BRANCH_RETURN
};

/* .mem: bits */
enum {
	PMS_MEM_LOAD = 1,
	PMS_MEM_STORE = 2,   /* an atomic has both */
	PMS_MEM_LITERAL = 4, /* address is pc + .disp */
	PMS_MEM_ACQUIRE = 8,
	PMS_MEM_RELEASE = 16,
	PMS_MEM_EXCLUSIVE = 32,
	PMS_MEM_HIDDEN = 64, /* QEMU 7.2 does not report its accesses; a prefetch has neither
			      * LOAD nor STORE */
	PMS_MEM_PAIR = 128   /* two accesses of .mem_size / 2 each */
};

/* .orders: the earlier accesses that a barrier's later ones wait for. With STORES only stores
 * wait. */
enum { PMS_ORDERS_NOTHING = 0, PMS_ORDERS_LOADS, PMS_ORDERS_STORES, PMS_ORDERS_ALL };

/* What decides how many slots an instruction takes; 0: always one. */
enum pms_form {
#define X(id, name) PMS_FORM_##id,
	PMS_FORMS(X)
#undef X
		PMS_FORM_COUNT
};

/* The role of an instruction in a fused pair, which takes one slot; 0: none. A second one that
 * is no branch must write the first one's register. */
enum pms_fuse {
#define X(id, name) PMS_FUSE_##id,
	PMS_FUSES(X)
#undef X
		PMS_FUSE_COUNT
};
_Static_assert((int)PMS_FUSE_COUNT <= 32, "a bit each");

/** Names of both in core.json. */
extern const char *const pms_form_names[PMS_FORM_COUNT];
extern const char *const pms_fuse_names[PMS_FUSE_COUNT];

enum pms_spec {
#define X(name) PMS_SPEC_##name,
	PMS_SPECS(X)
#undef X
		PMS_SPEC_COUNT
};

struct pms_insn {
	uint8_t op;	  /* enum pms_op */
	uint8_t form;	  /* enum pms_form */
	uint8_t branch;	  /* enum pms_branch */
	uint8_t mem;	  /* PMS_MEM_* bits; 0: touches no memory */
	uint8_t mem_size; /* bytes accessed in all; for scalable vectors: per 128 bits, with all
			   * elements active */
	uint8_t fuse;	  /* enum pms_fuse */
	uint8_t n_src, n_dst, n_addr; /* of the arrays; the first n_addr sources form the address */
	uint8_t src[7];	   /* address registers first, then data; no PMS_REG_NONE among them */
	uint8_t dst[5];	   /* without the written-back base */
	uint8_t writeback; /* base register written back (ready after one cycle), else PMS_REG_NONE
			    */
	uint8_t fp_ops;	   /* scalar and vector FP operations (elements x operations; a
			    * multiply-accumulate counts 2); scalable vectors as in .mem_size */
	uint8_t orders;	   /* PMS_ORDERS_* */
	uint8_t length;	   /* bytes of its encoding */
	int32_t disp;	   /* branch or literal displacement from this pc, bytes */
	uint32_t spec;	   /* 1 << PMS_SPEC_* */
};

/** Returns the class's name in core.json, "?" when out of range. Static storage. */
const char *pms_op_name(enum pms_op op);

#endif

/* SPDX-License-Identifier: MIT */
/* vcore/plugin/where.h - where the code is that threads run: its rows in the ledger, and the file
 * that it comes from. Flow: plugin -> [where] -> ledger. Only in the plugin that charges. */
#ifndef PMS_VCORE_PLUGIN_WHERE_H
#define PMS_VCORE_PLUGIN_WHERE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vcore/model/core.h"
#include "vcore/share/ledger.h"

/* A stretch of the process's memory that maps a file. */
struct where_map {
	uint64_t start, end; /* the host's addresses */
	uint64_t offset;
	uint32_t object; /* chunk */
};

/* The process's ledger and mappings. */
struct where {
	void *ledger; /* NULL: none */
	unsigned shift;
	pthread_mutex_t lock;
	struct where_map *maps; /* by address */
	size_t n_maps;
	_Atomic bool stale; /* mappings changed since they were read */
};

/* A thread's blocks. */
struct where_thread {
	uint32_t slot;
	struct pms_ledger_block **by_number; /* NULL: not met, n_numbers of them */
	uint32_t n_numbers;
	uint32_t *by_pc; /* chunks, by a hash; 0: free */
	uint32_t n_pcs, pcs_log2;
};

/** Begin. @ledger: mapped; NULL: none; @shift: log2 of the rows of an instruction */
void where_init(struct where *where, void *ledger, unsigned shift);

/** Note that a system call may have changed mappings. */
void where_remap(struct where *where);

/**
 * Returns the rows of a block for a thread, made when it first runs there.
 * @number: of the block, by which it is found again
 * @base:   host address of guest address 0
 * Returns NULL when the ledger is full, or memory is out.
 */
struct pms_ledger_block *where_rows(struct where *where, struct where_thread *thread,
				    uint32_t number, const struct pms_block *block,
				    const char *base);

void where_thread_release(struct where_thread *thread);

#endif

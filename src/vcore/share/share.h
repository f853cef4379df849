/* SPDX-License-Identifier: MIT */
/* vcore/share/share.h - the mapping that launcher and plugin share: parameters in, counts out.
 * The launcher makes a memory file of sizeof(struct pms_share), fills in the upper part, and
 * hands the descriptor's number to the plugin. Counts are written there directly, so that they
 * survive a guest that is killed, aborts or execs. Forked children count nothing. */
#ifndef PMS_VCORE_SHARE_SHARE_H
#define PMS_VCORE_SHARE_SHARE_H

#include <stdatomic.h>
#include <stdint.h>

#include "vcore/share/counters.h"
#include "vcore/share/params.h"

#define PMS_SHARE_MAGIC 0x34766d70u /* "pmv4", little endian; changes with the layout */
/* Raised by hand whenever the same program may count differently, through code or core.json;
 * until then tests/e2e/model_version.py fails. */
#define PMS_MODEL_VERSION "4"

enum { PMS_SHARE_THREADS = 4096, PMS_SHARE_GROUPS = 32, PMS_SHARE_REGIONS = 16 };

/* One guest thread: one modelled core. Slots follow the order in which threads first run, and
 * are never reused. */
struct pms_share_thread {
	_Atomic int64_t tid;	/* host's thread id; 0: unused slot */
	_Atomic uint32_t state; /* PMS_THREAD_* */
	uint32_t pad;
	char name[16];
	uint64_t counters[PMS_COUNTER_COUNT];
	/* For runs that are counted in part. Instructions are counted by whole blocks. */
	uint64_t forwarded;    /* instructions before the model began */
	uint64_t instructions; /* later instructions, counted or not */
	uint64_t windows;      /* of a sampled run; for a region: how often it was entered */
	/* The windows' counts, in groups: each is a part of .counters, and may be negative. The
	 * rest of .counters was counted ahead of the windows. */
	int64_t groups[PMS_SHARE_GROUPS][PMS_COUNTER_COUNT];
};

/* The part of the program to count. All 0: the whole. */
struct pms_share_extent {
	uint64_t forward;	     /* instructions of the process to skip first */
	uint64_t warm, detail, skip; /* instructions of a thread, in turn; detail 0: no sampling */
	uint64_t file_code; /* lowest code address in the file: shows where the file is loaded */
	/* The counted function and the compiler's clones of it; none: no limit. */
	uint32_t n_regions, pad;
	struct pms_share_region {
		uint64_t address; /* in the file */
		uint64_t size;	  /* bytes; 0: not known */
	} regions[PMS_SHARE_REGIONS];
};

enum {
	PMS_THREAD_UNUSED = 0,
	PMS_THREAD_RUNNING,  /* at the end: the guest was killed; its last block is missing */
	PMS_THREAD_IN_MODEL, /* at the end: killed in the model, or the model crashed */
	PMS_THREAD_ENDED     /* or in a system call that may have been its last */
};

/* .events: bits, what the plugin saw happen */
enum {
	PMS_SHARE_STARTED = 1, /* the plugin was installed and a block ran */
	PMS_SHARE_FORKED = 2,  /* a child process was made; it is not counted */
	PMS_SHARE_EXECED = 4,  /* execve was called: what follows is not counted */
	PMS_SHARE_THREADS_OUT =
		8,	      /* more than PMS_SHARE_THREADS threads; later ones are not counted */
	PMS_SHARE_NOMEM = 16, /* a thread's model could not be allocated; it is not counted */
	PMS_SHARE_BLIND = 32, /* the host forbids reading wrong paths */
	PMS_SHARE_NO_REGISTERS = 64 /* QEMU does not let the plugin read the registers it needs */
};

struct pms_share {
	uint32_t magic;
	uint32_t size;	     /* sizeof(struct pms_share): catches a plugin of another build */
	uint32_t wrong_path; /* 1: walk wrong paths */
	uint32_t ledger;     /* chunks of the ledger behind this, from PMS_SHARE_LEDGER on; 0:
			      * none */
	int64_t pid;	     /* written by the plugin: the process that is counted */
	struct pms_params params;
	struct pms_share_extent extent;
	_Atomic uint64_t forward_taken; /* part of extent.forward that threads have taken */
	_Atomic uint32_t events;
	_Atomic uint32_t n_threads; /* slots handed out */
	struct pms_share_thread threads[PMS_SHARE_THREADS];
};

/* Where the ledger begins in the memory file, with pages of up to 64 KiB. */
enum { PMS_SHARE_LEDGER = (sizeof(struct pms_share) + 65535) / 65536 * 65536 };

#endif

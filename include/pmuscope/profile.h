/* SPDX-License-Identifier: MIT */
/* pmuscope/profile.h - where in a program its cycles, slots and misses are: values by instruction.
 * Flow: core model, perf.data, SPE -> [profile] -> session, folded rows, exports.
 *
 * A profile has rows, a place in the program each, and kinds, a thing that is counted each. Most
 * rows have few of the kinds, so a row keeps only the values that are not 0. Read the arrays as
 * they are; change them through the functions alone.
 *
 * 	struct pms_profile *p = pms_profile_new(PMS_PROFILE_MODELLED);
 * 	int kind = pms_profile_add_kind(p, &cycles);
 * 	int64_t object = pms_profile_add_object(p, &program);
 * 	struct pms_profile_place place = { .object = (uint32_t)object, .address = 0x10314,
 * 					   .thread = PMS_PROFILE_NONE, .frame = PMS_PROFILE_NONE };
 * 	pms_profile_add(p, pms_profile_add_row(p, &place), kind, 12);
 * 	pms_profile_sort(p);
 *
 * The sum of a kind over all rows is what its counter counted: what belongs to no instruction
 * is in a row without an object. */
#ifndef PMUSCOPE_PROFILE_H
#define PMUSCOPE_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include "pmuscope/error.h"
#include "pmuscope/object.h"

#ifdef __cplusplus
extern "C" {
#endif

/** In place of an index: no object, no thread, no frame, no kind. */
#define PMS_PROFILE_NONE UINT32_MAX

/** Where values come from. What is modelled is never shown as measured. */
enum pms_profile_source {
	PMS_PROFILE_MODELLED, /* each event of the core model is at its instruction */
	PMS_PROFILE_SAMPLED,  /* samples of a PMU's events or of a clock: the address may be late */
	PMS_PROFILE_SPE	      /* samples of Arm SPE: the address is the operation's own */
};
enum { PMS_PROFILE_SOURCES = PMS_PROFILE_SPE + 1 };

/** Returns "modelled", "sampled" or "spe"; "?" for an unknown value. Static storage. */
const char *pms_profile_source_name(enum pms_profile_source source);

/** What a value counts. */
enum pms_profile_unit {
	PMS_PROFILE_EVENTS, /* occurrences: misses, branches */
	PMS_PROFILE_CYCLES,
	PMS_PROFILE_SLOTS, /* of the pipeline: as many a cycle as the core renames operations */
	PMS_PROFILE_INSTRUCTIONS,
	PMS_PROFILE_OPERATIONS,
	PMS_PROFILE_SAMPLE_COUNT, /* samples */
	PMS_PROFILE_NANOSECONDS
};
enum { PMS_PROFILE_UNITS = PMS_PROFILE_NANOSECONDS + 1 };

/** Returns "events", "cycles" and so on; "?" for an unknown value. Static storage. */
const char *pms_profile_unit_name(enum pms_profile_unit unit);

/** The share of Level 1 that slots belong to. */
enum pms_profile_share {
	PMS_PROFILE_NO_SHARE, /* the kind counts no slots */
	PMS_PROFILE_RETIRING,
	PMS_PROFILE_BAD_SPECULATION,
	PMS_PROFILE_FRONTEND,
	PMS_PROFILE_BACKEND
};
enum { PMS_PROFILE_SHARES = PMS_PROFILE_BACKEND + 1 };

/** Returns "none", "retiring", "bad_speculation", "frontend_bound" or "backend_bound"; "?" for an
 * unknown value. Static storage. */
const char *pms_profile_share_name(enum pms_profile_share share);

/** A thing that is counted. */
struct pms_profile_kind {
	const char *name;  /* stable: "cycles", "slots_be_rob", "l1d_refill" */
	const char *title; /* for people: "L1D misses" */
	enum pms_profile_unit unit;
	/* For slots. The kinds of a share are disjoint, and the kinds of all shares add up to the
	 * slots of all cycles. */
	enum pms_profile_share share;
	const char
		*cause; /* why the slots were lost, in words: "reorder buffer full"; NULL: none */
	/* For sampled kinds: the kind that counts the samples which the values are estimated
	 * from; the error of a value follows from their number. PMS_PROFILE_NONE: values are
	 * exact counts. */
	uint32_t samples;
};

/** A thread of the program. */
struct pms_profile_thread {
	int32_t pid, tid; /* -1: not known */
	const char *name; /* "" when not known */
};

/** A call on the way to a row. The frames of a row are its callers. */
struct pms_profile_frame {
	uint32_t parent;  /* frame of the caller's caller; PMS_PROFILE_NONE: none known */
	uint32_t object;  /* where the call instruction is; PMS_PROFILE_NONE: not known */
	uint64_t address; /* as in struct pms_profile_place */
};

/** What tells rows apart. */
struct pms_profile_place {
	uint32_t object; /* PMS_PROFILE_NONE: no instruction is responsible, or it is not known */
	/* For objects in files: the file's own address, as objdump prints it (not the offset of
	 * the byte, nor where it was mapped). For others: the address in memory. 0 without an
	 * object. */
	uint64_t address;
	uint32_t thread; /* PMS_PROFILE_NONE: threads are not told apart */
	uint32_t frame;	 /* the call that led here; PMS_PROFILE_NONE: not known */
};

/** A value of a row that is not 0. */
struct pms_profile_cell {
	uint64_t value;
	uint32_t next; /* the row's next cell; PMS_PROFILE_NONE: the last */
	uint32_t kind;
};

struct pms_profile_row {
	struct pms_profile_place place;
	uint32_t first; /* cell; PMS_PROFILE_NONE: all values are 0 */
	uint32_t next;	/* private: row of the same hash */
};

/** How a branch transfers control. */
enum pms_profile_branch {
	PMS_PROFILE_JUMP, /* also where calls and returns are not told apart */
	PMS_PROFILE_CALL,
	PMS_PROFILE_RETURN
};
enum { PMS_PROFILE_BRANCHES = PMS_PROFILE_RETURN + 1 };

/** Returns "jump", "call" or "return"; "?" for an unknown value. Static storage. */
const char *pms_profile_branch_name(enum pms_profile_branch branch);

/** A branch from one place to another. */
struct pms_profile_edge {
	uint32_t from_object, to_object; /* PMS_PROFILE_NONE: not known */
	uint64_t from, to;		 /* addresses, as in struct pms_profile_place */
	enum pms_profile_branch branch;
	uint64_t count;	       /* how often it was taken; to the next instruction: not taken */
	uint64_t mispredicted; /* of these */
	uint32_t next;	       /* private: edge of the same hash */
};

struct pms_profile {
	enum pms_profile_source source;
	/* What one counted unit stands for in the whole run: 1, unless only windows of the run
	 * were modelled. Shares of the total need no scale. */
	double scale;
	unsigned slots_per_cycle; /* of the modelled core; 0: not known */
	struct pms_profile_kind *kinds;
	size_t n_kinds;
	struct pms_object *objects;
	size_t n_objects;
	struct pms_profile_thread *threads;
	size_t n_threads;
	struct pms_profile_row *rows;
	size_t n_rows;
	struct pms_profile_cell *cells; /* each of exactly one row */
	size_t n_cells;
	struct pms_profile_edge *edges;
	size_t n_edges;
	struct pms_profile_frame *frames; /* each behind its parent */
	size_t n_frames;
	uint64_t left_out; /* rows that found no room: what they counted is in the row without an
			    * object */
	struct pms_profile_private *owned; /* private: indices, and what the texts are in */
};

/** Make an empty profile. Returns NULL when out of memory; free it with pms_profile_free. */
struct pms_profile *pms_profile_new(enum pms_profile_source source);
/** Free a profile, which may be NULL. */
void pms_profile_free(struct pms_profile *profile);

/* Each function below returns an index, of what is there already if it is the same.
 * Errors: -PMS_ENOMEM; -PMS_EINVAL there are PMS_PROFILE_NONE of them already, or an index in the
 * argument is of nothing. Texts are copied. */

/** Kinds are the same if their names are. There are at most 128, and names have only lower-case
 * letters, digits and '_'. */
int pms_profile_add_kind(struct pms_profile *profile, const struct pms_profile_kind *kind);
int64_t pms_profile_add_object(struct pms_profile *profile, const struct pms_object *object);
/** Threads are the same if pid and tid are; the last name that is not "" stays. */
int64_t pms_profile_add_thread(struct pms_profile *profile,
			       const struct pms_profile_thread *thread);
int64_t pms_profile_add_frame(struct pms_profile *profile, const struct pms_profile_frame *frame);
int64_t pms_profile_add_row(struct pms_profile *profile, const struct pms_profile_place *place);

/** Add @value to @kind of @row; a sum beyond UINT64_MAX stays there. @row, @kind: as returned by
 * the functions above; negative ones are passed on, so that calls can be nested.
 * Returns 0. Errors: -PMS_ENOMEM, -PMS_EINVAL no such row or kind, and what @row or @kind are. */
int pms_profile_add(struct pms_profile *profile, int64_t row, int kind, uint64_t value);

/** Add the counts of an edge; edges are the same if their places and branches are. The member
 * `next` is ignored. Returns 0. Errors: as above. */
int pms_profile_add_edge(struct pms_profile *profile, const struct pms_profile_edge *edge);

/** Returns the index of the kind @name, or -PMS_ENAME. */
int pms_profile_find_kind(const struct pms_profile *profile, const char *name);

/** Returns the value of @kind in @row, both of which exist. */
uint64_t pms_profile_value(const struct pms_profile *profile, size_t row, size_t kind);

/** Returns the sum of @kind over all rows; UINT64_MAX if it would be more. */
uint64_t pms_profile_sum(const struct pms_profile *profile, size_t kind);

/** Sort rows by object, address, thread and frame, and edges by where they come from and go to:
 * equal profiles are then written alike. Objects and threads keep their order. */
void pms_profile_sort(struct pms_profile *profile);

/** Add all of @from to @into: kinds by name, objects by path and build-id, threads by pid and tid.
 * Returns 0. Errors: -PMS_EINVAL they differ in source or scale; -PMS_ENOMEM. @into may then have
 * a part of it. */
int pms_profile_merge(struct pms_profile *into, const struct pms_profile *from,
		      struct pms_error *err);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: MIT */
/* vcore/model/ras.h - the return address stack: calls push, returns pop. It is a plain value: a
 * core saves it before a wrong path and restores it by assignment. It is circular: a call chain
 * deeper than the stack loses its outermost addresses, and the path predicts the returns to
 * those. */
#ifndef PMS_VCORE_MODEL_RAS_H
#define PMS_VCORE_MODEL_RAS_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { PMS_RAS_MAX = 64 };

struct pms_ras {
	uint64_t address[PMS_RAS_MAX];
	uint8_t size; /* entries in use of address[] */
	uint8_t top;  /* index of the newest */
	uint8_t held; /* addresses left to pop, 0..size */
};

/** Make an empty stack of @entries, 0..PMS_RAS_MAX. */
static inline void pms_ras_init(struct pms_ras *r, unsigned entries)
{
	assert(entries <= PMS_RAS_MAX);
	*r = (struct pms_ras){ .size = (uint8_t)entries };
}

static inline void pms_ras_push(struct pms_ras *r, uint64_t address)
{
	r->top = (uint8_t)(r->top + 1 >= r->size ? 0 : r->top + 1);
	r->address[r->top] = address;
	r->held = (uint8_t)(r->held + (r->held < r->size));
}

/** Removes and returns the address pushed last; 0 when the stack is empty. */
static inline uint64_t pms_ras_pop(struct pms_ras *r)
{
	if (!r->held)
		return 0;
	uint64_t address = r->address[r->top];
	r->top = (uint8_t)(r->top ? r->top - 1 : r->size - 1);
	r->held--;
	return address;
}

/** Copy a stack, no more of it than is in use. */
static inline void pms_ras_copy(struct pms_ras *to, const struct pms_ras *from)
{
	memcpy(to->address, from->address, from->size * sizeof(from->address[0]));
	to->size = from->size;
	to->top = from->top;
	to->held = from->held;
}

/** Returns whether two stacks are equal, including addresses already popped. */
static inline bool pms_ras_equal(const struct pms_ras *a, const struct pms_ras *b)
{
	return a->size == b->size && a->top == b->top && a->held == b->held &&
	       memcmp(a->address, b->address, a->size * sizeof(a->address[0])) == 0;
}

#endif

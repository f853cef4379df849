/* SPDX-License-Identifier: MIT */
/* base/arena.h - memory that is given back all at once: what a catalog or a report is made of. */
#ifndef PMS_BASE_ARENA_H
#define PMS_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct pms_arena_block;

/** Zero-initialise before use. */
struct pms_arena {
	struct pms_arena_block *blocks;
};

/** Room for @count elements of @size bytes, zeroed, aligned for any type; never NULL for a count
 * of 0. Returns NULL when out of memory or when the product does not fit. */
void *pms_arena_alloc(struct pms_arena *arena, size_t count, size_t size);

/** A copy of @text. Returns NULL when out of memory. */
char *pms_arena_dup(struct pms_arena *arena, const char *text);

/** A formatted text. Returns NULL when out of memory. */
__attribute__((format(printf, 2, 3))) char *pms_arena_printf(struct pms_arena *arena,
							     const char *format, ...);

__attribute__((format(printf, 2, 0))) char *pms_arena_vprintf(struct pms_arena *arena,
							      const char *format, va_list args);

/** Give everything back; the arena is then as new. */
void pms_arena_release(struct pms_arena *arena);

#endif

/* SPDX-License-Identifier: MIT */
/* base/arena.h - memory that is released all at once: catalogs and reports are made of it. */
#ifndef PMS_BASE_ARENA_H
#define PMS_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct pms_arena_block;

/** Zero-initialise before use. */
struct pms_arena {
	struct pms_arena_block *blocks;
};

/** Returns room for @count elements of @size bytes, zeroed, aligned for any type; not NULL for a
 * count of 0. Returns NULL when out of memory, or when the product overflows. */
void *pms_arena_alloc(struct pms_arena *arena, size_t count, size_t size);

/** Returns a copy of @text; NULL when out of memory. */
char *pms_arena_dup(struct pms_arena *arena, const char *text);

/** Returns a formatted text; NULL when out of memory. */
__attribute__((format(printf, 2, 3))) char *pms_arena_printf(struct pms_arena *arena,
							     const char *format, ...);

__attribute__((format(printf, 2, 0))) char *pms_arena_vprintf(struct pms_arena *arena,
							      const char *format, va_list args);

/** Take everything back, and keep a block for what comes next. */
void pms_arena_clear(struct pms_arena *arena);

/** Release everything; the arena is then as new. */
void pms_arena_release(struct pms_arena *arena);

#endif

/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 16384 };

struct pms_arena_block {
	struct pms_arena_block *next;
	size_t size, used;
	max_align_t data[]; /* size bytes */
};

static size_t align_up(size_t size)
{
	size_t align = _Alignof(max_align_t);
	return (size + align - 1) / align * align;
}

static struct pms_arena_block *block_new(struct pms_arena *arena, size_t need)
{
	size_t size = need > BLOCK_SIZE ? need : BLOCK_SIZE;
	if (size > SIZE_MAX - sizeof(struct pms_arena_block))
		return NULL;
	struct pms_arena_block *block = calloc(1, sizeof(*block) + size);
	if (!block)
		return NULL;
	block->size = size;
	block->next = arena->blocks;
	arena->blocks = block;
	return block;
}

void *pms_arena_alloc(struct pms_arena *arena, size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2)
		return NULL;
	bytes = align_up(bytes ? bytes : 1);
	struct pms_arena_block *block = arena->blocks;
	if (!block || block->size - block->used < bytes)
		block = block_new(arena, bytes);
	if (!block)
		return NULL;
	void *memory = (char *)block->data + block->used;
	block->used += bytes;
	return memory;
}

char *pms_arena_dup(struct pms_arena *arena, const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = pms_arena_alloc(arena, size, 1);
	return copy ? memcpy(copy, text, size) : NULL;
}

char *pms_arena_vprintf(struct pms_arena *arena, const char *format, va_list args)
{
	va_list again;
	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, args);
	char *text = length < 0 ? NULL : pms_arena_alloc(arena, (size_t)length + 1, 1);
	if (text)
		vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	return text;
}

char *pms_arena_printf(struct pms_arena *arena, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *text = pms_arena_vprintf(arena, format, args);
	va_end(args);
	return text;
}

void pms_arena_clear(struct pms_arena *arena)
{
	struct pms_arena_block *kept = arena->blocks;
	if (!kept)
		return;
	struct pms_arena others = { kept->next };
	pms_arena_release(&others);
	memset(kept->data, 0, kept->used);
	kept->next = NULL;
	kept->used = 0;
}

void pms_arena_release(struct pms_arena *arena)
{
	struct pms_arena_block *block = arena->blocks;
	while (block) {
		struct pms_arena_block *next = block->next;
		free(block);
		block = next;
	}
	arena->blocks = NULL;
}

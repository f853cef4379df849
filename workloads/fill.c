/* SPDX-License-Identifier: MIT */
/* What the workloads find in memory. A list is a cycle of pointers, one a cache line. */
#include <stdint.h>

#include "fill.h"
#include "sizes.h"

/* x -> a x + c modulo a power of two visits every number when c is odd and a is 1 modulo 4. */
static uint64_t next_of(uint64_t i, uint64_t n)
{
	return (i * 1664525u + 1013904223u) % n;
}

static void link_lines(char *memory, uint64_t from, uint64_t to)
{
	*(char **)(memory + from * LINE_BYTES) = memory + to * LINE_BYTES;
}

void fill_shuffled(char *memory, uint64_t bytes)
{
	uint64_t n = bytes / LINE_BYTES;
	for (uint64_t i = 0; i < n; i++)
		link_lines(memory, i, next_of(i, n));
}

/* Neighbours in pairs of pairs: four lines side by side, then four elsewhere in another page. */
void fill_fours(char *memory, uint64_t bytes)
{
	uint64_t n = bytes / LINE_BYTES / 4;
	for (uint64_t i = 0; i < n; i++) {
		for (uint64_t k = 0; k < 3; k++)
			link_lines(memory, 4 * i + k, 4 * i + k + 1);
		link_lines(memory, 4 * i + 3, 4 * next_of(i, n));
	}
}

/* One line a page, not the same one in each: so that all fit the sets of the data cache. */
void fill_pages(char *memory, uint64_t bytes)
{
	uint64_t lines = PAGE_BYTES / LINE_BYTES, n = bytes / PAGE_BYTES;
	for (uint64_t i = 0; i < n; i++) {
		uint64_t to = next_of(i, n);
		link_lines(memory, i * lines + i % lines, to * lines + to % lines);
	}
}

/* Numbers that no predictor can know: xorshift of 64 bits. */
void fill_random(char *memory, uint64_t bytes)
{
	uint64_t x = 88172645463325252u;
	for (uint64_t i = 0; i < bytes / sizeof(x); i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		((uint64_t *)memory)[i] = x;
	}
}

/* SPDX-License-Identifier: MIT */
/* Planted: values are kept or dropped by a condition that is true for half of them, at random.
 * Cause: every second such branch is mispredicted; a store behind it keeps compilers from using a
 * conditional select.
 * Mended: the values are sorted. */
#include <stdint.h>
#include <stdio.h>

enum { VALUES = 50000 };

static uint32_t values[VALUES], kept[VALUES];

static void fill(uint32_t *to)
{
	uint64_t random = 88172645463325252u;
	for (uint32_t i = 0; i < VALUES; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
#ifdef MENDED
		to[i] = i * (UINT32_MAX / VALUES);
#else
		to[i] = (uint32_t)(random >> 32);
#endif
	}
}

__attribute__((noinline)) static unsigned keep(const uint32_t *from, uint32_t *to)
{
	unsigned count = 0;
	for (unsigned i = 0; i < VALUES; i++)
		if (from[i] < UINT32_MAX / 2) /* planted: branch_direction */
			to[count++] = i;
	return count;
}

int main(void)
{
	fill(values);
	unsigned count = keep(values, kept);
	printf("%u, the last %u\n", count, kept[count - 1]);
	return 0;
}
